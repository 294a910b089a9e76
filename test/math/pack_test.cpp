// Accuracy of the functions of packs: against those of long double.
#include <tapeless/evaluate/lanes/pack.hpp>

#include <algorithm>
#include <array>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <tuple>

namespace {

using tapeless::scalar::pack;
using types = std::tuple<float, double>;

/// The distance of a result from the reference in units in the last place; infinite where only one is a number.
template <class T>
double ulps(T got, long double reference) {
  const T rounded = static_cast<T>(reference);
  if (std::isnan(rounded) || std::isinf(rounded))
    return std::isnan(rounded) ? (std::isnan(got) ? 0 : INFINITY) : (got == rounded ? 0 : INFINITY);
  const T size = std::abs(rounded), unit = std::nextafter(size, std::numeric_limits<T>::infinity()) - size;
  return static_cast<double>(std::abs(got - reference) / static_cast<long double>(unit));
}

template <class T>
std::array<T, 14> of_size(std::mt19937_64& generator, int kind) {
  constexpr T inf = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
  constexpr int bits = std::numeric_limits<T>::max_exponent;
  std::array<T, 14> numbers{T(0),      T(-0.0),  inf,     -inf,      nan,  T(1e-40),
                            T(-745.1), T(709.7), T(88.6), T(-103.9), T(1), T(-1)};
  if (kind > 0)
    for (T& each : numbers) {
      const double number = std::uniform_real_distribution<>(-1, 1)(generator);
      each = static_cast<T>(kind == 1   ? number
                            : kind == 2 ? 20 * number
                            : kind == 3 ? bits * number
                                        : std::ldexp(number, static_cast<int>(generator() % 64) - 60));
    }
  return numbers;
}

BOOST_AUTO_TEST_CASE_TEMPLATE(exp_and_tanh, T, types) {
  std::mt19937_64 generator(1);
  double exp_error = 0, tanh_error = 0;
  bool signs = true;
  for (int round = 0; round < 20000; ++round) {
    const auto x = of_size<T>(generator, round % 5);
    std::array<T, 14> e{}, t{};
    const auto loaded = pack<T, 14>::load(x.data());
    exp(loaded).store(e.data()), tanh(loaded).store(t.data());
    for (std::size_t i = 0; i < 14; ++i) {
      exp_error = std::max(exp_error, ulps(e[i], std::exp(static_cast<long double>(x[i]))));
      tanh_error = std::max(tanh_error, ulps(t[i], std::tanh(static_cast<long double>(x[i]))));
      signs = signs && (std::isnan(x[i]) || std::signbit(x[i]) == std::signbit(t[i]));
    }
  }
  BOOST_TEST(exp_error <= 1.1);
  BOOST_TEST(tanh_error <= 2.6);
  BOOST_TEST(signs);
}

/// Each number of lanes: those of full registers, of halves and less, and none behind the last is written.
template <class T, std::size_t... N>
void check_memory(std::index_sequence<N...>) {
  const auto check = []<std::size_t Count>(std::integral_constant<std::size_t, Count>) {
    std::array<T, Count + 1> from{}, to{};
    for (std::size_t i = 0; i < Count; ++i) from[i] = static_cast<T>(i) - 1;
    using lanes = pack<T, Count>;
    const lanes x = lanes::load(from.data());
    (multiply_add(x, x, lanes(T(-0.0))) - x).store(to.data());
    bool right = to[Count] == 0;
    for (std::size_t i = 0; i < Count; ++i) right = right && to[i] == from[i] * from[i] - from[i];
    BOOST_TEST(right);
    BOOST_TEST((x.template lane<Count - 1>() == from[Count - 1]));
    BOOST_TEST(any(x > lanes(from[Count - 1] - 1)));
    BOOST_TEST(!any(x > lanes(from[Count - 1])));
  };
  (check(std::integral_constant<std::size_t, 4 + N>{}), ...);
}
BOOST_AUTO_TEST_CASE_TEMPLATE(loads_and_stores, T, types) { check_memory<T>(std::make_index_sequence<30>{}); }

}  // namespace
