#pragma once

#include "train.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace recurrent {

/// The sum of the squared errors by an ordinary loop. Where `stopped(t)`, step t starts from `held[t]`, whatever the
/// network: what a stop means. The states before each step go to `seen` unless that is null.
template <class Stopped>
double held_loss(const Network<double>& network, const Sequence& sequence, const std::vector<Vector<double>>& held,
                 Stopped stopped, std::vector<Vector<double>>* seen = nullptr) {
  Vector<double> state{};
  double sum = 0;
  for (std::size_t t = 0; t < sequence.size(); ++t) {
    if (seen != nullptr) {
      seen->push_back(state);
    }
    if (stopped(t)) {
      state = held[t];
    }
    state = next_state(network, state, sequence.inputs[t]);
    const double error = output(network, state) - sequence.targets[t];
    sum += error * error;
  }
  return sum;
}

/// How far the gradient is, along random directions, from difference quotients of order 4 with the stopped states held;
/// relative to the largest of them.
template <Truncation truncation>
double difference_error(const Network<double>& network, const Sequence& sequence, const Options& options) {
  const auto at = restarts(sequence.size(), options.period);
  const auto stopped = [&](std::size_t t) {
    return truncation == Truncation::every_step || (truncation == Truncation::at_restarts && at[t] > 0);
  };
  std::vector<Vector<double>> held;
  held_loss(network, sequence, {}, [](std::size_t) { return false; }, &held);
  // The same verb as in train(), which is compiled once.
  const auto derivatives = tapeless::value_and_gradient(loss<truncation>, tapeless::wrt<0>);
  const auto gradient = derivatives(network, sequence.inputs, sequence.targets, at).gradient;
  example::Random random(options.seed + 1);
  double worst = 0, largest = 0;
  for (int k = 0; k < 5; ++k) {
    const auto direction = tapeless::transform_leaves([&](double) { return random.normal(); }, network);
    double slope = 0;
    tapeless::transform_leaves([&](double g, double d) { return slope += g * d; }, gradient, direction);
    const auto moved = [&](double by) {
      const auto there = tapeless::transform_leaves([&](double p, double d) { return p + by * d; }, network, direction);
      return held_loss(there, sequence, held, stopped);
    };
    constexpr double h = 1e-3;
    const double quotient = (8 * (moved(h) - moved(-h)) - (moved(2 * h) - moved(-2 * h))) / (12 * h);
    worst = std::max(worst, std::abs(slope - quotient));
    largest = std::max(largest, std::abs(quotient));
  }
  return worst / largest;
}

}  // namespace recurrent
