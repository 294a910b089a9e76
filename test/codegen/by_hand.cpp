// Values and gradients as an expert writes them by hand: the measure of the code that tapeless generates.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "kernels.hpp"

namespace by_hand {

ValueAndGradient<3> sum_exp_product(double x, double y, double z) {
  const double xy = x * y;
  const double e = std::exp(xy * z);
  const double value = (x + y + z) * e;
  const double value_z = value * z;
  return {value, {e + value_z * y, e + value_z * x, e + value * xy}};
}

// The reverse sweep over the pricing formula, worked out on paper. It does not use the identity
// S * density(d1) = K * exp(-r * T) * density(d2) behind the closed forms of the Greeks, which no rule can know.
ValueAndGradient<5> black_scholes(double S, double K, double r, double sigma, double T) {
  constexpr double inv_sqrt2 = 1 / std::numbers::sqrt2;
  constexpr double inv_sqrt_2pi = inv_sqrt2 * std::numbers::inv_sqrtpi;

  const double root_T = std::sqrt(T);
  const double deviation = sigma * root_T;
  const double drift = r + 0.5 * sigma * sigma;
  const double d1 = (std::log(S / K) + drift * T) / deviation;
  const double u1 = d1 * inv_sqrt2;
  const double u2 = (d1 - deviation) * inv_sqrt2;
  const double cdf1 = 0.5 * (1 + std::erf(u1));
  const double cdf2 = 0.5 * (1 + std::erf(u2));
  const double discount = std::exp(-r * T);
  const double discounted_strike = K * discount;
  const double exercise = discounted_strike * cdf2;

  // Each _bar is the derivative of the price with respect to the quantity it is named after.
  const double d2_bar = -discounted_strike * inv_sqrt_2pi * std::exp(-u2 * u2);
  const double d1_bar = S * inv_sqrt_2pi * std::exp(-u1 * u1) + d2_bar;
  const double numerator_bar = d1_bar / deviation;
  const double deviation_bar = -d2_bar - numerator_bar * d1;
  const double drift_bar = numerator_bar * T;
  return {S * cdf1 - exercise,
          {cdf1 + numerator_bar / S, -discount * cdf2 - numerator_bar / K, drift_bar + exercise * T,
           drift_bar * sigma + deviation_bar * root_T,
           numerator_bar * drift + exercise * r + 0.5 * deviation_bar * sigma / root_T}};
}

ValueAndGradient<8> rosenbrock(const std::array<double, 8>& x) {
  double value = 0;
  double from_previous = 0;  // what the term before contributes to the derivative with respect to x[i]
  ValueAndGradient<8> result;
  for (std::size_t i = 0; i < 7; ++i) {
    const double bend = x[i + 1] - x[i] * x[i];
    const double rest = 1 - x[i];
    value += 100 * bend * bend + rest * rest;
    const double bend_bar = 200 * bend;
    result.gradient[i] = from_previous - 2 * (bend_bar * x[i] + rest);
    from_previous = bend_bar;
  }
  result.gradient[7] = from_previous;
  result.value = value;
  return result;
}

// The maximum only keeps exp in range: it drops out of the quotient and may count as a constant.
ValueAndGradient<5> softmax_first(const std::array<double, 5>& x) {
  const double maximum = *std::max_element(x.begin(), x.end());
  std::array<double, 5> e;
  double sum = 0;
  for (std::size_t i = 0; i < 5; ++i) {
    e[i] = std::exp(x[i] - maximum);
    sum += e[i];
  }
  const double inverse = 1 / sum;
  ValueAndGradient<5> result;
  result.value = e[0] * inverse;
  const double sum_bar = -result.value * inverse;
  result.gradient[0] = (inverse + sum_bar) * e[0];
  for (std::size_t i = 1; i < 5; ++i) result.gradient[i] = sum_bar * e[i];
  return result;
}

}  // namespace by_hand
