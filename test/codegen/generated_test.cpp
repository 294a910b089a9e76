// The functions that generated.py writes, at sizes that must compile at the compilers' default limits.
#include <algorithm>
#include <array>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstddef>
#include <tuple>

#include "nested_60.hpp"
#include "traced_500.hpp"

namespace {

// A value with its derivatives in five directions: the plainest differentiation there is, and independent of tapeless.
struct Dual {
  double value;
  std::array<double, 5> derivatives;
};

Dual chain(double value, double to_u, const Dual& u, double to_v = 0, const Dual& v = {}) {
  Dual result{value, {}};
  for (std::size_t i = 0; i < 5; ++i) result.derivatives[i] = to_u * u.derivatives[i] + to_v * v.derivatives[i];
  return result;
}

Dual operator+(const Dual& u, const Dual& v) { return chain(u.value + v.value, 1, u, 1, v); }
Dual operator-(const Dual& u, const Dual& v) { return chain(u.value - v.value, 1, u, -1, v); }
Dual operator*(const Dual& u, const Dual& v) { return chain(u.value * v.value, v.value, u, u.value, v); }
Dual operator/(const Dual& u, const Dual& v) {
  return chain(u.value / v.value, 1 / v.value, u, -u.value / (v.value * v.value), v);
}
Dual sin(const Dual& u) { return chain(std::sin(u.value), std::cos(u.value), u); }
Dual exp(const Dual& u) { return chain(std::exp(u.value), std::exp(u.value), u); }

constexpr std::array<double, 5> at{0.7, 1.3, -0.4, 2.1, -1.6};

Dual variable(std::size_t i) {
  Dual result{at[i], {}};
  result.derivatives[i] = 1;
  return result;
}

void check(double value, const std::array<double, 5>& gradient, const Dual& expected) {
  double largest = 0;
  for (const double derivative : expected.derivatives) largest = std::max(largest, std::abs(derivative));
  BOOST_TEST(std::abs(value - expected.value) <= 1e-9 * std::abs(expected.value));
  for (std::size_t i = 0; i < 5; ++i) BOOST_TEST(std::abs(gradient[i] - expected.derivatives[i]) <= 1e-9 * largest);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(generated)

BOOST_AUTO_TEST_CASE(traced_function_of_500_operations) {
  const auto [value, gradient] = traced_value_and_gradient(at[0], at[1], at[2], at[3], at[4]);
  const auto [da, db, dc, dd, de] = gradient;
  check(value, {da, db, dc, dd, de}, traced(variable(0), variable(1), variable(2), variable(3), variable(4)));
}

BOOST_AUTO_TEST_CASE(nested_formula_of_60_operations) {
  const auto [value, da, db, dc, dd, de] = nested_value_and_gradient(at[0], at[1], at[2], at[3], at[4]);
  check(value, {da, db, dc, dd, de}, nested(variable(0), variable(1), variable(2), variable(3), variable(4)));
}

BOOST_AUTO_TEST_SUITE_END()
