#pragma once

#include <tapeless/tapeless.hpp>

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <tuple>

namespace tapeless_test {

/// The step of differences.
inline constexpr double h = 1e-5;

inline void check(double got, double wanted, double tolerance = 1e-8) {
  BOOST_TEST_INFO(got << " " << wanted);
  BOOST_TEST(std::abs(got - wanted) <= tolerance * (1 + std::abs(wanted)));
}

/// Value, gradient, Hessian, tangent and product of `f` by its first two arguments against those of `by_hand`, to so
/// many digits where differences are what it is compared with.
template <int Digits = 8, class F, class ByHand, class... Rest>
void check_derivatives(F f, ByHand by_hand, double p, double q, const Rest&... rest) {
  using namespace tapeless;
  const auto [value, gradient] = value_and_gradient(f, wrt<0, 1>)(p, q, rest...);
  check(value, by_hand(p, q), 1e-14);
  const auto check_difference = [](double got, double wanted) { check(got, wanted, std::pow(10.0, -Digits)); };
  const double by_p = (by_hand(p + h, q) - by_hand(p - h, q)) / (2 * h),
               by_q = (by_hand(p, q + h) - by_hand(p, q - h)) / (2 * h);
  check_difference(std::get<0>(gradient), by_p), check_difference(std::get<1>(gradient), by_q);
  check_difference(jvp(f, wrt<0, 1>, tangent(1.0, -0.5))(p, q, rest...), by_p - 0.5 * by_q);
  const auto at = [&](double a, double b) { return value_and_gradient(f, wrt<0, 1>)(a, b, rest...).gradient; };
  const auto hessian = tapeless::hessian(f, wrt<0, 1>)(p, q, rest...);
  check_difference(hessian[0][0], (std::get<0>(at(p + h, q)) - std::get<0>(at(p - h, q))) / (2 * h));
  check_difference(hessian[0][1], (std::get<0>(at(p, q + h)) - std::get<0>(at(p, q - h))) / (2 * h));
  check_difference(hessian[1][1], (std::get<1>(at(p, q + h)) - std::get<1>(at(p, q - h))) / (2 * h));
  const auto product = hvp(f, wrt<0, 1>, tangent(1.0, -0.5))(p, q, rest...);
  check(std::get<0>(product), hessian[0][0] - 0.5 * hessian[0][1], 1e-12);
  check(std::get<1>(product), hessian[0][1] - 0.5 * hessian[1][1], 1e-12);
}

}  // namespace tapeless_test
