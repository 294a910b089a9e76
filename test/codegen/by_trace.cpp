#include <cstddef>
#include <numbers>
#include <tapeless/tapeless.hpp>

#include "../../example/bundle_adjustment/reprojection.hpp"
#include "kernels.hpp"

namespace by_trace {

using tapeless::value_and_gradient;

ValueAndGradient<3> sum_exp_product(double x, double y, double z) {
  constexpr auto f = [](auto a, auto b, auto c) { return (a + b + c) * exp(a * b * c); };
  const auto [value, gradient] = value_and_gradient(f)(x, y, z);
  const auto [dx, dy, dz] = gradient;
  return {value, {dx, dy, dz}};
}

ValueAndGradient<5> black_scholes(double S, double K, double r, double sigma, double T) {
  constexpr auto price = [](auto spot, auto strike, auto rate, auto volatility, auto expiry) {
    const auto normal_cdf = [](auto d) { return 0.5 * (1 + erf(d * (1 / std::numbers::sqrt2))); };
    const auto deviation = volatility * sqrt(expiry);
    const auto d1 = (log(spot / strike) + (rate + 0.5 * volatility * volatility) * expiry) / deviation;
    const auto d2 = d1 - deviation;
    return spot * normal_cdf(d1) - strike * exp(-rate * expiry) * normal_cdf(d2);
  };
  const auto [value, greeks] = value_and_gradient(price)(S, K, r, sigma, T);
  const auto [dS, dK, dr, dsigma, dT] = greeks;
  return {value, {dS, dK, dr, dsigma, dT}};
}

ValueAndGradient<8> rosenbrock(const std::array<double, 8>& x) {
  constexpr auto f = [](auto a) {
    auto sum = 100 * square(a[1] - square(a[0])) + square(1 - a[0]);
    for (std::size_t i = 1; i + 1 < a.size(); ++i) sum += 100 * square(a[i + 1] - square(a[i])) + square(1 - a[i]);
    return sum;
  };
  const auto [value, gradient] = value_and_gradient(f)(x);
  return {value, gradient};
}

ValueAndGradient<5> softmax_first(const std::array<double, 5>& x) {
  constexpr auto f = [](auto a) {
    const auto maximum = stop_gradient(max(a[0], a[1], a[2], a[3], a[4]));
    const auto first = exp(a[0] - maximum);
    auto sum = first;
    for (std::size_t i = 1; i < a.size(); ++i) sum += exp(a[i] - maximum);
    return first / sum;
  };
  const auto [value, gradient] = value_and_gradient(f)(x);
  return {value, gradient};
}

Reprojection reprojection(const std::array<double, 11>& camera, const std::array<double, 3>& point, double weight,
                          const std::array<double, 2>& seen) {
  return bundle_adjustment::reprojection(camera, point, weight, seen);
}

}  // namespace by_trace
