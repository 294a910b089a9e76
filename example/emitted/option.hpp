#pragma once

#include <tapeless/tapeless.hpp>

#include <array>
#include <cstddef>
#include <numbers>

namespace emitted {

/// The normal numbers that move the price of a share in the twelve months of a path.
constexpr std::size_t months = 12;
template <class T>
using Moves = std::array<T, months>;

/// What a call on the average price of a year, with strike 100, pays at its end on one path, in today's money, if the
/// price moves as Black and Scholes have it. Its slopes are the contributions of the path to delta, vega and rho: L.
/// Broadie and P. Glasserman, Estimating security price derivatives using simulation, Management Science 42, 1996.
struct Payoff {
  template <class T, class AnyMoves>
  constexpr auto operator()(const T& price, const T& volatility, const T& rate, const AnyMoves& moves) const {
    constexpr double month = 1.0 / months, root_of_month = std::numbers::inv_sqrt3 / 2;
    const auto drift = (rate - 0.5 * tapeless::square(volatility)) * month;
    const auto spread = volatility * root_of_month;
    const auto grows = [&](const auto& move) { return exp(drift + spread * move); };
    auto share = price * grows(moves[0]);
    auto sum = share;
    for (std::size_t m = 1; m < months; ++m) {
      share = share * grows(moves[m]);
      sum = sum + share;
    }
    return exp(-rate) * max(sum / double(months) - 100, 0);
  }
};

}  // namespace emitted
