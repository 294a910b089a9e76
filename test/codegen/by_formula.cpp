#include <numbers>
#include <tapeless/tapeless.hpp>

#include "kernels.hpp"

namespace by_formula {

using tapeless::variable;
using tapeless::wrt;

ValueAndGradient<3> sum_exp_product(double x_value, double y_value, double z_value) {
  constexpr auto x = variable<"x">;
  constexpr auto y = variable<"y">;
  constexpr auto z = variable<"z">;
  constexpr auto f = (x + y + z) * exp(x * y * z);

  const auto result = value_and_gradient(f, wrt(x, y, z))(x = x_value, y = y_value, z = z_value);
  return {result.value, {result.gradient[x], result.gradient[y], result.gradient[z]}};
}

ValueAndGradient<5> black_scholes(double spot, double strike, double rate, double volatility, double expiry) {
  using namespace tapeless::literals;
  constexpr auto S = variable<"S">;
  constexpr auto K = variable<"K">;
  constexpr auto r = variable<"r">;
  constexpr auto sigma = variable<"sigma">;
  constexpr auto T = variable<"T">;

  constexpr auto normal_cdf = [](auto d) { return 0.5 * (1_c + erf(d * (1 / std::numbers::sqrt2))); };
  constexpr auto deviation = sigma * sqrt(T);
  constexpr auto d1 = (log(S / K) + (r + square(sigma) / 2_c) * T) / deviation;
  constexpr auto d2 = d1 - deviation;
  constexpr auto price = S * normal_cdf(d1) - K * exp(-r * T) * normal_cdf(d2);

  const auto result =
      value_and_gradient(price, wrt(S, K, r, sigma, T))(S = spot, K = strike, r = rate, sigma = volatility, T = expiry);
  const auto& greeks = result.gradient;
  return {result.value, {greeks[S], greeks[K], greeks[r], greeks[sigma], greeks[T]}};
}

ValueAndGradient<8> rosenbrock(const std::array<double, 8>& x) {
  using namespace tapeless::literals;
  constexpr auto x0 = variable<"x0">;
  constexpr auto x1 = variable<"x1">;
  constexpr auto x2 = variable<"x2">;
  constexpr auto x3 = variable<"x3">;
  constexpr auto x4 = variable<"x4">;
  constexpr auto x5 = variable<"x5">;
  constexpr auto x6 = variable<"x6">;
  constexpr auto x7 = variable<"x7">;
  constexpr auto term = [](auto a, auto b) { return 100_c * square(b - square(a)) + square(1_c - a); };
  constexpr auto f =
      term(x0, x1) + term(x1, x2) + term(x2, x3) + term(x3, x4) + term(x4, x5) + term(x5, x6) + term(x6, x7);

  const auto [value, g] =
      value_and_gradient(f)(x0 = x[0], x1 = x[1], x2 = x[2], x3 = x[3], x4 = x[4], x5 = x[5], x6 = x[6], x7 = x[7]);
  return {value, {g[x0], g[x1], g[x2], g[x3], g[x4], g[x5], g[x6], g[x7]}};
}

ValueAndGradient<5> softmax_first(const std::array<double, 5>& x) {
  constexpr auto x0 = variable<"x0">;
  constexpr auto x1 = variable<"x1">;
  constexpr auto x2 = variable<"x2">;
  constexpr auto x3 = variable<"x3">;
  constexpr auto x4 = variable<"x4">;
  constexpr auto maximum = stop_gradient(max(x0, x1, x2, x3, x4));
  constexpr auto e = [maximum](auto a) { return exp(a - maximum); };
  constexpr auto f = e(x0) / (e(x0) + e(x1) + e(x2) + e(x3) + e(x4));

  const auto [value, g] = value_and_gradient(f)(x0 = x[0], x1 = x[1], x2 = x[2], x3 = x[3], x4 = x[4]);
  return {value, {g[x0], g[x1], g[x2], g[x3], g[x4]}};
}

}  // namespace by_formula
