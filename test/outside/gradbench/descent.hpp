#pragma once

#include <tapeless/tapeless.hpp>

#include <array>
#include <cstddef>
#include <tuple>

namespace gradbench {

/// Descends from `start` along `slope(x)`, the gradient of f at x, until it or a step is short. A step that lowers f is
/// repeated; after ten of them the next ones are twice as long, after one that does not lower f half as long. To be
/// called in a traced function.
constexpr auto descend = [](const auto& f, const auto& slope, const auto& start) {
  using namespace tapeless;
  const auto length = [](const auto& v) { return sqrt(tapeless::dot(v, v)); };
  const auto last = while_loop(
      [&](const auto& at) {
        const auto steepness = length(std::get<2>(at)), rate = std::get<3>(at), lowered = std::get<4>(at);
        return steepness > 1e-5 && (lowered >= 10.0 || rate * steepness > 1e-5);
      },
      [&](const auto& at) {
        const auto [x, value, g, rate, lowered] = at;
        const auto longer = lowered >= 10.0;
        auto trial = x;
        for (std::size_t i = 0; i < trial.size(); ++i) trial[i] = x[i] - rate * g[i];
        const auto trial_value = f(trial);
        const auto lower = trial_value < value;
        const auto moves = lower && !longer;
        auto next = x;
        for (std::size_t i = 0; i < trial.size(); ++i) next[i] = where(moves, trial[i], x[i]);
        return std::tuple(next, where(moves, trial_value, value), slope(next),
                          where(longer, 2.0 * rate, where(lower, rate, rate / 2.0)), where(moves, lowered + 1.0, 0.0));
      },
      std::tuple(start, f(start), slope(start), 1e-5, 0.0), 10000);
  return std::get<0>(last);
};

/// The gradient of f(x, constants...) by x, forward or reverse.
template <char Mode>
constexpr auto slope_by(const auto& f, const auto& x, const auto&... constants) {
  using namespace tapeless;
  if constexpr (Mode == 'r') return gradient(f, wrt<0>)(x, constants...);
  auto g = x;
  for (std::size_t i = 0; i < x.size(); ++i) {
    auto direction = x;
    for (std::size_t k = 0; k < x.size(); ++k) direction[k] = k == i ? 1.0 : 0.0;
    g[i] = jvp(f, wrt<0>, tangent(direction))(x, constants...);
  }
  return g;
}

}  // namespace gradbench
