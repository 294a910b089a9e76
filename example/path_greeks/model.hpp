#pragma once

#include <tapeless/tapeless.hpp>

#include <numbers>
#include <tuple>
#include <type_traits>

namespace path_greeks {

/// A call on the mean of a price that follows a geometric Brownian motion. Rate and volatility are those of a year.
template <class T>
struct Asian {
  T spot, volatility, rate, strike, maturity;
};

/// A call on a price under Heston's model (1993): its variance returns to `mean_variance` at the rate `reversion`; the
/// variance has a volatility, and its changes a correlation with those of the price.
template <class T>
struct Heston {
  T spot, variance, reversion, mean_variance, volatility, correlation, rate, strike, maturity;
};

/// The discounted payoff on one path, of the call on the arithmetic and on the geometric mean of the prices after each
/// step. `normals` are standard normal numbers, one a step.
inline constexpr auto asian_path = [](auto option, auto steps, auto normals) {
  const auto interval = option.maturity / steps;
  const auto drift = (option.rate - 0.5 * square(option.volatility)) * interval;
  const auto deviation = option.volatility * sqrt(interval);
  const auto last = scan(
      [&](auto carry, auto normal) {
        const auto logarithm = get<0>(carry) + drift + deviation * normal;
        return std::tuple{logarithm, get<1>(carry) + exp(logarithm), get<2>(carry) + logarithm};
      },
      std::tuple{log(option.spot), 0.0, 0.0}, normals);
  const auto discount = exp(-option.rate * option.maturity);
  return std::pair{discount * max(get<1>(last) / steps - option.strike, 0.0),
                   discount * max(exp(get<2>(last) / steps) - option.strike, 0.0)};
};
inline constexpr auto arithmetic_path = [](auto option, auto steps, auto normals) {
  return asian_path(option, steps, normals).first;
};
inline constexpr auto geometric_path = [](auto option, auto steps, auto normals) {
  return asian_path(option, steps, normals).second;
};

/// The price of the call on the geometric mean of `steps` prices, whose logarithm is normal (Kemna and Vorst, 1990).
inline constexpr auto geometric_price = [](auto option, auto steps) {
  const auto variance =
      square(option.volatility) * option.maturity * (steps + 1) * (2 * steps + 1) / (6 * square(steps));
  const auto drift = (option.rate - 0.5 * square(option.volatility)) * option.maturity * (steps + 1) / (2 * steps);
  const auto logarithm = log(option.spot) + drift;
  const auto deviation = sqrt(variance);
  const auto d = (logarithm - log(option.strike)) / deviation;
  return exp(-option.rate * option.maturity) *
         (exp(logarithm + 0.5 * variance) * normal_cdf(d + deviation) - option.strike * normal_cdf(d));
};

/// The discounted payoff on one path of Heston's model, by Euler's method with full truncation (Lord, Koekkoek and van
/// Dijk, 2010): a negative variance counts as 0. Its derivatives are those of the path.
inline constexpr auto heston_path = [](auto option, auto steps, auto normals, auto others) {
  const auto interval = option.maturity / steps;
  const auto independent = sqrt(1 - square(option.correlation));
  const auto last = scan(
      [&](auto carry, auto normal, auto other) {
        const auto variance = max(get<1>(carry), 0.0);
        // The derivative of the root is infinite at 0.
        const auto deviation = where(variance > 0, sqrt(where(variance > 0, variance, 1.0) * interval), 0.0);
        return std::tuple{get<0>(carry) + (option.rate - 0.5 * variance) * interval + deviation * normal,
                          get<1>(carry) + option.reversion * (option.mean_variance - variance) * interval +
                              option.volatility * deviation * (option.correlation * normal + independent * other)};
      },
      std::tuple{log(option.spot), option.variance}, normals, others);
  return exp(-option.rate * option.maturity) * max(exp(get<0>(last)) - option.strike, 0.0);
};

/// Heston's price as Lewis (2000) integrates it, by the midpoint rule with `points` intervals of 0.1, whose error is
/// exp(-10 pi); the characteristic function is the form that crosses no branch cut (Albrecher, Mayer, Schoutens and
/// Tistaert, 2007).
inline constexpr auto heston_price = [](auto option, auto points) {
  using Number = std::remove_cvref_t<decltype(option.spot)>;
  using tapeless::complex;
  constexpr double interval = 0.1;
  const auto moneyness = log(option.spot / option.strike) + option.rate * option.maturity;
  const auto squared = square(option.volatility);
  const auto integrand = [&](auto u) {
    const complex<Number> w{u, -0.5}, i{0.0, 1.0};
    const auto a = option.reversion - option.volatility * option.correlation * (i * w);
    const auto d = sqrt(a * a + squared * (i * w + w * w));
    const auto g = (a - d) / (a + d);
    const auto decay = exp(-d * option.maturity);
    const auto exponent = option.reversion * option.mean_variance / squared *
                              ((a - d) * option.maturity - 2.0 * log((1.0 - g * decay) / (1.0 - g))) +
                          option.variance / squared * (a - d) * (1.0 - decay) / (1.0 - g * decay);
    return real(exp(i * (u * moneyness) + exponent)) / (square(u) + 0.25);
  };
  const auto sum =
      scan([&](auto before, auto k) { return before + integrand((k + 0.5) * interval); }, 0.0, tapeless::steps(points));
  return option.spot - sqrt(option.spot * option.strike) * exp(-0.5 * option.rate * option.maturity) /
                           std::numbers::pi * (sum * interval);
};

}  // namespace path_greeks
