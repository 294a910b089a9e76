#pragma once

#include <tapeless/tapeless.hpp>

#include <array>
#include <cmath>
#include <tuple>
#include <vector>

namespace epidemic {

/// The logarithms of the rate of infection and the rate of recovery, both a day, and of the share that is infectious at
/// the start.
using Parameters = std::array<double, 3>;

/// The equations of Kermack and McKendrick for the shares (s, i) of people who are susceptible and infectious.
inline constexpr auto sir = [](auto, auto y, auto infection, auto recovery) {
  const auto infected = infection * y[0] * y[1];
  return std::array{-infected, infected - recovery * y[1]};
};

/// The state at the start, before the first day.
inline constexpr auto start = [](auto p) { return std::array{1 - exp(p[2]), exp(p[2])}; };

/// The state a day later, by the classical Runge-Kutta method.
inline constexpr auto next_day = [](auto state, auto p, auto steps) {
  return tapeless::odeint(sir, state, 0.0, 1.0, steps, exp(p[0]), exp(p[1]));
};

/// Minus the logarithm of the probability of the daily `cases`, but for the constants log(cases!): each is a Poisson
/// number whose mean is the share of the `population` that was infected on that day. `steps` are those of a day.
inline constexpr auto surprise = [](auto p, auto population, auto steps, auto cases) {
  return get<1>(scan(
      [&](auto carry, auto reported) {
        const auto [state, sum] = carry;
        const auto next = next_day(state, p, steps);
        const auto expected = population * (state[0] - next[0]);
        return std::tuple{next, sum + expected - reported * log(expected)};
      },
      std::tuple{start(p), 0.0}, cases));
};

/// R0, how many people one infects at the start.
inline constexpr auto reproduction_number = [](auto p) { return exp(p[0] - p[1]); };

/// The share of people who are infected before it is over: z = 1 - exp(-R0 z), for R0 > 1 and few at the start.
inline constexpr auto final_size = [](auto p) {
  return tapeless::fixed_point([](auto z, auto r0) { return 1 - exp(-r0 * z); }, 1.0, reproduction_number(p));
};

}  // namespace epidemic
