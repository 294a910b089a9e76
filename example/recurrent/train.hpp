#pragma once

#include "../common/error.hpp"
#include "../common/random.hpp"
#include "model.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace recurrent {

using example::Error;

struct Sequence {
  std::vector<double> inputs;
  std::vector<double> targets;
  std::size_t size() const { return inputs.size(); }
};

/// Uniform numbers between -1 and 1, and as targets the same, `delay` steps later.
inline Sequence echo(std::size_t length, std::size_t delay, std::uint64_t seed) {
  example::Random random(seed);
  Sequence result{std::vector<double>(length), std::vector<double>(length)};
  for (std::size_t t = 0; t < length; ++t) {
    result.inputs[t] = 2 * random.uniform() - 1;
    result.targets[t] = t < delay ? 0 : result.inputs[t - delay];
  }
  return result;
}

/// 1 at the first of every `period` steps.
inline std::vector<double> restarts(std::size_t length, int period) {
  std::vector<double> result(length);
  for (std::size_t t = 0; t < length; ++t) {
    result[t] = t % static_cast<std::size_t>(period) == 0 ? 1 : 0;
  }
  return result;
}

inline Network<double> start(std::uint64_t seed) {
  example::Random random(seed);
  const double scale = 1 / std::sqrt(static_cast<double>(units));
  return tapeless::transform_leaves([&](double) { return scale * random.normal(); }, Network<double>{});
}

struct Options {
  int epochs = 400;
  double rate = 0.02;
  int period = 4;  ///< of the restarts
  std::uint64_t seed = 1;
};

struct Training {
  Network<double> network;
  std::vector<double> errors;  ///< mean squared ones, before each epoch
};

/// Adam (Kingma and Ba, 2015), an epoch a step.
template <Truncation truncation>
Training train(const Sequence& sequence, const Options& options) {
  const auto derivatives = tapeless::value_and_gradient(loss<truncation>, tapeless::wrt<0>);
  const auto at = restarts(sequence.size(), options.period);
  const auto n = static_cast<double>(sequence.size());
  Training result{start(options.seed), {}};
  Network<double> mean{}, square{};
  auto r = derivatives(result.network, sequence.inputs, sequence.targets, at);
  for (int epoch = 1; epoch <= options.epochs; ++epoch) {
    derivatives(tapeless::into(r), result.network, sequence.inputs, sequence.targets, at);
    result.errors.push_back(r.value / n);
    mean = tapeless::transform_leaves([&](double m, double g) { return 0.9 * m + 0.1 * (g / n); }, mean, r.gradient);
    square = tapeless::transform_leaves([&](double s, double g) { return 0.999 * s + 0.001 * (g / n) * (g / n); },
                                        square, r.gradient);
    const double mean_share = 1 - std::pow(0.9, epoch), square_share = 1 - std::pow(0.999, epoch);
    result.network = tapeless::transform_leaves(
        [&](double p, double m, double s) {
          return p - options.rate * (m / mean_share) / (std::sqrt(s / square_share) + 1e-8);
        },
        result.network, mean, square);
  }
  return result;
}

/// What a trained network says to a sequence.
inline std::vector<double> outputs(const Network<double>& network, const std::vector<double>& inputs) {
  std::vector<double> result;
  Vector<double> state{};
  for (const double input : inputs) {
    state = next_state(network, state, input);
    result.push_back(output(network, state));
  }
  return result;
}

inline double mean_squared_error(const Network<double>& network, const Sequence& sequence) {
  const std::vector<double> said = outputs(network, sequence.inputs);
  double sum = 0;
  for (std::size_t t = 0; t < said.size(); ++t) {
    sum += (said[t] - sequence.targets[t]) * (said[t] - sequence.targets[t]);
  }
  return sum / static_cast<double>(said.size());
}

}  // namespace recurrent
