// The same functions in different ways, each way in its own translation unit: a call is what a user's program would
// run, and nothing is inlined into the measuring loop or merged with its twin.
#pragma once

#include <tapeless/gradient/result/result_maps.hpp>

#include <array>
#include <cstddef>

template <std::size_t N>
struct ValueAndGradient {
  double value;
  std::array<double, N> gradient;
};

/// The residual of one observation in bundle adjustment, and its Jacobian. Of the library's type, so that no way of
/// writing it has to copy its result into another.
using Reprojection = tapeless::value_and_jacobian_result<std::array<double, 2>, std::array<std::array<double, 15>, 2>>;

namespace by_hand {

// (x + y + z) * exp(x * y * z)
ValueAndGradient<3> sum_exp_product(double x, double y, double z);

// The price of a European call without dividends; derivatives with respect to the spot price S, the strike price K,
// the rate r, the volatility sigma and the time to expiry T.
ValueAndGradient<5> black_scholes(double S, double K, double r, double sigma, double T);

// The sum over i of 100 (x[i+1] - x[i]^2)^2 + (1 - x[i])^2.
ValueAndGradient<8> rosenbrock(const std::array<double, 8>& x);

// The first component of the softmax of x, whose maximum counts as a constant.
ValueAndGradient<5> softmax_first(const std::array<double, 5>& x);

// The residual of example/bundle_adjustment, with its derivatives by camera, point and weight.
Reprojection reprojection(const std::array<double, 11>& camera, const std::array<double, 3>& point, double weight,
                          const std::array<double, 2>& seen);

}  // namespace by_hand

namespace by_formula {
ValueAndGradient<3> sum_exp_product(double x, double y, double z);
ValueAndGradient<5> black_scholes(double S, double K, double r, double sigma, double T);
ValueAndGradient<8> rosenbrock(const std::array<double, 8>& x);
ValueAndGradient<5> softmax_first(const std::array<double, 5>& x);
}  // namespace by_formula

namespace by_trace {
ValueAndGradient<3> sum_exp_product(double x, double y, double z);
ValueAndGradient<5> black_scholes(double S, double K, double r, double sigma, double T);
ValueAndGradient<8> rosenbrock(const std::array<double, 8>& x);
ValueAndGradient<5> softmax_first(const std::array<double, 5>& x);
Reprojection reprojection(const std::array<double, 11>& camera, const std::array<double, 3>& point, double weight,
                          const std::array<double, 2>& seen);
}  // namespace by_trace
