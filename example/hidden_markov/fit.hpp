#pragma once

#include "../common/error.hpp"
#include "model.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <string>
#include <vector>

namespace hidden_markov {

using example::Error;

struct Observations {
  double first;
  std::vector<double> rest;
};

struct Options {
  int iterations = 2000;
  double tolerance = 1e-6;  ///< of the largest entry of the gradient
};

struct Fit {
  Parameters parameters;
  std::vector<double> log_likelihood;  ///< at the start and after each iteration
  double gradient;                     ///< the largest entry at the end
  bool converged = false;
};

inline double largest(const Parameters& g) {
  return std::abs(std::ranges::max(g, {}, [](double entry) { return std::abs(entry); }));
}

/// Refuses data whose likelihood has no useful maximum.
inline void check(const Observations& observations) {
  const std::size_t count = observations.rest.size() + 1;
  if (count < 10 * states) {
    throw Error("too few values: " + std::to_string(count) + ", but " + std::to_string(states) +
                " states need at least " + std::to_string(10 * states));
  }
  const auto [least, most] = std::ranges::minmax(observations.rest);
  if (!(most > least)) {
    throw Error("all values are the same");
  }
}

/// A start: states that last, means at quantiles of the data, one standard deviation.
inline Parameters start(const Observations& observations) {
  std::vector<double> sorted = observations.rest;
  std::ranges::sort(sorted);
  const auto n = static_cast<double>(sorted.size());
  const double mean = std::accumulate(sorted.begin(), sorted.end(), 0.0) / n;
  double squares = 0;
  for (const double x : sorted) {
    squares += (x - mean) * (x - mean);
  }
  Parameters p{};
  for (std::size_t j = 0; j < states; ++j) {
    p[states * j + j] = 2;
    p[states * states + j] = sorted[(2 * j + 1) * sorted.size() / (2 * states)];
    p[states * (states + 1) + j] = 0.5 * std::log(squares / n) - 1;
  }
  return p;
}

struct Expectations {
  double log_likelihood;
  std::array<PerState<double>, states> numbers;    ///< of steps from i to j
  std::array<std::array<double, 3>, states> sums;  ///< of 1, x and x^2 in each state
};

/// The E-step of Baum and Welch is a gradient: the derivatives of the log-likelihood by what enters linearly.
inline Expectations expectations(const Parameters& p, const Observations& observations) {
  const auto [steps, densities] = natural(p);
  const auto [value, by_both] = tapeless::value_and_gradient(log_likelihood, tapeless::wrt<0, 1>)(
      steps, densities, observations.first, observations.rest);
  return {value, std::get<0>(by_both), std::get<1>(by_both)};
}

/// The M-step: the maximum of `expected_log_density`. Logits are logarithms of the probabilities.
inline Parameters maximum(const Expectations& e) {
  Parameters p;
  for (std::size_t i = 0; i < states; ++i) {
    const double steps = std::accumulate(e.numbers[i].begin(), e.numbers[i].end(), 0.0);
    for (std::size_t j = 0; j < states; ++j) {
      p[states * i + j] = std::log(e.numbers[i][j] / steps);
    }
    const auto [one, x, square] = e.sums[i];
    p[states * states + i] = x / one;
    p[states * (states + 1) + i] = 0.5 * std::log(square / one - x / one * (x / one));
  }
  return p;
}

/// Expectation and maximisation in turn: never down, but slowly towards the end.
inline Fit baum_welch(const Observations& observations, const Options& options) {
  Fit result{.parameters = start(observations), .log_likelihood = {}, .gradient = 0};
  for (int i = 0;; ++i) {
    const Expectations e = expectations(result.parameters, observations);
    result.log_likelihood.push_back(e.log_likelihood);
    result.gradient =
        largest(tapeless::gradient(expected_log_density, tapeless::wrt<0>)(result.parameters, e.numbers, e.sums));
    result.converged = result.gradient <= options.tolerance;
    if (result.converged || i == options.iterations || !std::isfinite(e.log_likelihood)) {
      return result;
    }
    result.parameters = maximum(e);
  }
}

/// The gradient with the step lengths of Barzilai and Borwein, which are halved where they lead far down.
inline Fit ascend(const Observations& observations, const Options& options) {
  const auto derivatives = [&](const Parameters& p) {
    return tapeless::value_and_gradient(free_log_likelihood, tapeless::wrt<0>)(p, observations.first,
                                                                               observations.rest);
  };
  Parameters p = start(observations);
  auto here = derivatives(p);
  Fit result{.parameters = p, .log_likelihood = {here.value}, .gradient = largest(here.gradient)};
  double length = 1e-2 / largest(here.gradient);
  while (result.gradient > options.tolerance && static_cast<int>(result.log_likelihood.size()) <= options.iterations) {
    // Not below the least of the last ten: Barzilai and Borwein's steps go down now and then.
    const std::size_t seen = std::min<std::size_t>(result.log_likelihood.size(), 10);
    const double least =
        *std::min_element(result.log_likelihood.end() - static_cast<std::ptrdiff_t>(seen), result.log_likelihood.end());
    Parameters next;
    auto there = here;
    do {
      for (std::size_t k = 0; k < p.size(); ++k) {
        next[k] = p[k] + length * here.gradient[k];
      }
      there = derivatives(next);
      length /= 2;
    } while (!(there.value >= least - 1e-13 * std::abs(least)) && length > 1e-300);
    double moved = 0, bent = 0;
    for (std::size_t k = 0; k < p.size(); ++k) {
      moved += (next[k] - p[k]) * (next[k] - p[k]);
      bent -= (next[k] - p[k]) * (there.gradient[k] - here.gradient[k]);
    }
    length = bent > 0 ? moved / bent : 4 * length;
    p = next;
    here = there;
    result.log_likelihood.push_back(here.value);
    result.gradient = largest(here.gradient);
  }
  result.parameters = p;
  result.converged = result.gradient <= options.tolerance;
  return result;
}

}  // namespace hidden_markov
