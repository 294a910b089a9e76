#pragma once

#include "fit.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace epidemic {

/// The largest difference between the gradient of the surprise and difference quotients, over the largest entry.
inline double difference_error(const Parameters& p, const std::vector<double>& cases, const Options& options) {
  const auto at = [&](Parameters q) { return tapeless::value(surprise)(q, options.population, options.steps, cases); };
  const auto gradient = tapeless::gradient(surprise, tapeless::wrt<0>)(p, options.population, options.steps, cases);
  constexpr double h = 1e-3;
  double worst = 0, largest = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const auto moved = [&](double by) {
      Parameters q = p;
      q[i] += by;
      return at(q);
    };
    // Of order 4.
    const double quotient = (8 * (moved(h) - moved(-h)) - (moved(2 * h) - moved(-2 * h))) / (12 * h);
    worst = std::max(worst, std::abs(quotient - gradient[i]));
    largest = std::max(largest, std::abs(gradient[i]));
  }
  return worst / largest;
}

/// How far s + i - log(s) / R0, which the equations keep, drifts.
inline double invariant_drift(const Parameters& p, const Options& options, std::size_t days) {
  const double r0 = std::exp(p[0] - p[1]);
  const auto invariant = [&](const std::array<double, 2>& state) {
    return state[0] + state[1] - std::log(state[0]) / r0;
  };
  std::array<double, 2> state = tapeless::value(start)(p);
  const double first = invariant(state);
  double worst = 0;
  for (std::size_t day = 0; day < days; ++day) {
    state = tapeless::value(next_day)(state, p, options.steps);
    worst = std::max(worst, std::abs(invariant(state) - first));
  }
  return worst;
}

}  // namespace epidemic
