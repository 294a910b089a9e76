#include "../counted_exp.hpp"

#include <tapeless/tapeless.hpp>

#include <boost/test/unit_test.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

// How often a function of a loop's step, or of a call, runs where its value and derivatives are asked for.
using namespace tapeless;

using tapeless_test::CountedExp;
using tapeless_test::exponentials;

namespace {

void check(double got, double wanted) {
  BOOST_TEST_INFO(got << " " << wanted);
  BOOST_TEST(std::abs(got - wanted) <= 1e-13 * (1 + std::abs(wanted)));
}

template <class F>
int count(const F& f) {
  exponentials = 0;
  f();
  return exponentials;
}

constexpr auto sum = [](auto a, auto b, auto xs) {
  return scan([&](auto c, auto x) { return c + apply<CountedExp>(a * x) * b; }, 2 * b, xs);
};
constexpr auto log_of_sum = [](auto a, auto b, auto xs) { return log(sum(a, b, xs)) * a; };

BOOST_AUTO_TEST_CASE(a_sum_and_its_gradient_are_one_loop) {
  const double a = 0.3, b = 1.7;
  const std::vector<double> xs{0.5, -1, 2, 0.25};
  double e = 0, slope = 0;
  for (const double x : xs) e += std::exp(a * x), slope += x * std::exp(a * x);
  const double value = b * (2 + e), by_a = b * slope, by_b = 2 + e;
  BOOST_TEST(count([&] {
               const auto [v, g] = value_and_gradient(sum, wrt<0, 1>)(a, b, xs);
               check(v, value), check(std::get<0>(g), by_a), check(std::get<1>(g), by_b);
             }) == 4);
  // The adjoint of the sum depends on the sum.
  BOOST_TEST(count([&] {
               const auto [v, g] = value_and_gradient(log_of_sum, wrt<0, 1>)(a, b, xs);
               check(v, std::log(value) * a);
               check(std::get<0>(g), std::log(value) + a * by_a / value), check(std::get<1>(g), a * by_b / value);
             }) == 4);
  const auto [v, g] = value_and_gradient(sum, wrt<0, 1>)(a, b, std::vector<double>{});
  check(v, 2 * b), check(std::get<0>(g), 0), check(std::get<1>(g), 2);
  // A sum of no terms that is zero: its logarithm has an infinite derivative, and its terms none.
  constexpr auto log_of_none = [](auto p, auto sequence) {
    return log(scan([&](auto c, auto x) { return c + exp(p * x); }, 0.0, sequence));
  };
  check(gradient(log_of_none, wrt<0>)(a, std::vector<double>{}), 0);
  check(gradient(log_of_none, wrt<0>)(a, std::vector<double>{3}), 3);
  // With respect to the sequence as well.
  const auto by_all = gradient(log_of_sum)(a, b, xs);
  for (std::size_t i = 0; i < xs.size(); ++i) check(std::get<2>(by_all)[i], a * b * a * std::exp(a * xs[i]) / value);
  check(hessian(sum, wrt<0>)(a, b, xs)[0][0],
        b * (0.25 * std::exp(0.15) + std::exp(-0.3) + 4 * std::exp(0.6) + 0.0625 * std::exp(0.075)));
}

/// v[n] = v[n - 1]^2 / 2 + exp(n x), v[0] = exp(x / 2).
template <std::size_t N>
struct nested {
  template <class X>
  constexpr auto operator()(X x) const {
    if constexpr (N == 0)
      return apply<CountedExp>(x / 2);
    else
      return square(call(nested<N - 1>{}, x)) / 2 + apply<CountedExp>(static_cast<double>(N) * x);
  }
};
/// The same with a product, whose adjoints do not depend on the call's result.
template <std::size_t N>
struct nested_product {
  template <class X>
  constexpr auto operator()(X x) const {
    if constexpr (N == 0)
      return apply<CountedExp>(x);
    else
      return call(nested_product<N - 1>{}, x) * apply<CountedExp>(x);
  }
};

template <std::size_t N>
void check_nested() {
  const double x = 0.2;
  constexpr auto f = [](auto p) { return call(nested<N>{}, p); };
  constexpr auto g = [](auto p) { return call(nested_product<N>{}, p); };
  constexpr int functions = static_cast<int>(N) + 1;
  double v = std::exp(x / 2), d = v / 2, h = v / 4;
  for (std::size_t n = 1; n <= N; ++n) {
    const double k = static_cast<double>(n), e = std::exp(k * x);
    h = d * d + v * h + k * k * e, d = v * d + k * e, v = v * v / 2 + e;
  }
  BOOST_TEST(count([&] { check(gradient(f)(x), d); }) == functions);
  BOOST_TEST(count([&] {
               const auto r = value_and_gradient(f)(x);
               check(r.value, v), check(r.gradient, d);
             }) == functions);
  BOOST_TEST(count([&] { check(gradient(g)(x), functions * std::exp(functions * x)); }) == functions);
  if constexpr (N < 4) check(hessian(f)(x)[0][0], h);
}

// c = exp(-a c) + x: the adjoint's loop reads each step's exponential from memory.
constexpr auto chain = [](auto a, auto xs) {
  return scan([&](auto c, auto x) { return apply<CountedExp>(-(a * c)) + x; }, 1.0, xs);
};
BOOST_AUTO_TEST_CASE(a_value_of_a_step_is_kept_for_its_derivative) {
  const double a = 0.3;
  const std::vector<double> xs{0.5, -1, 2, 0.25};
  double c = 1, slope = 0;
  for (const double x : xs) {
    const double e = std::exp(-a * c);
    slope = -e * (c + a * slope), c = e + x;
  }
  BOOST_TEST(count([&] {
               const auto [v, g] = value_and_gradient(chain, wrt<0>)(a, xs);
               check(v, c), check(g, slope);
             }) == 4);
}

BOOST_AUTO_TEST_CASE(a_call_in_a_call_is_computed_once) {
  check_nested<1>();
  check_nested<3>();
  check_nested<6>();
}

}  // namespace
