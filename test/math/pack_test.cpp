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

/// Results of the logarithms have their own sizes: arguments near 1 and, for log1p, near 0, and the ends of the domain.
BOOST_AUTO_TEST_CASE_TEMPLATE(logarithms_and_roots, T, types) {
  using limits = std::numeric_limits<T>;
  std::mt19937_64 generator(2);
  double log_error = 0, log1p_error = 0, sqrt_error = 0;
  for (int round = 0; round < 20000; ++round) {
    std::array<T, 14> x{T(0),
                        T(-0.0),
                        limits::infinity(),
                        -limits::infinity(),
                        limits::quiet_NaN(),
                        limits::min(),
                        limits::max(),
                        limits::denorm_min(),
                        T(1),
                        T(-1),
                        T(0.5),
                        T(-0.5),
                        limits::epsilon(),
                        -limits::epsilon()};
    if (round > 0)
      for (T& each : x) {
        const double number = std::uniform_real_distribution<>(-1, 1)(generator);
        const int size = static_cast<int>(generator() % 256) - 128;
        each = static_cast<T>(round % 4 == 0   ? std::ldexp(number, size)
                              : round % 4 == 1 ? number
                              : round % 4 == 2 ? 1 + std::ldexp(number, size / 4 - 32)
                                               : std::ldexp(std::abs(number), 7 * size));
      }
    std::array<T, 14> a{}, b{}, c{};
    const auto loaded = pack<T, 14>::load(x.data());
    log(loaded).store(a.data()), log1p(loaded).store(b.data()), sqrt(loaded).store(c.data());
    for (std::size_t i = 0; i < 14; ++i) {
      log_error = std::max(log_error, ulps(a[i], std::log(static_cast<long double>(x[i]))));
      log1p_error = std::max(log1p_error, ulps(b[i], std::log1p(static_cast<long double>(x[i]))));
      sqrt_error = std::max(sqrt_error, ulps(c[i], std::sqrt(static_cast<long double>(x[i]))));
      if (x[i] == 0) BOOST_TEST(std::signbit(b[i]) == std::signbit(x[i]));
    }
  }
  BOOST_TEST(log_error <= 1.0);
  BOOST_TEST(log1p_error <= 1.0);
  BOOST_TEST(sqrt_error <= 0.5);
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
