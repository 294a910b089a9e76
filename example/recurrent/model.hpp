#pragma once

#include "../common/each.hpp"

#include <tapeless/tapeless.hpp>

#include <array>
#include <cstddef>
#include <tuple>
#include <utility>
#include <vector>

namespace recurrent {

/// How many units the state has.
inline constexpr std::size_t units = 4;

template <class T>
using Vector = std::array<T, units>;

/// What a gate computes with: the state before, the input, a bias.
template <class T>
struct Gate {
  std::array<Vector<T>, units> from_state;
  Vector<T> from_input;
  Vector<T> bias;
};

/// A gated recurrent unit (Cho and others, 2014) and a linear output.
template <class T>
struct Network {
  Gate<T> update, reset, candidate;
  Vector<T> output;
  T output_bias;
};

inline constexpr auto gate = [](const auto& weights, const auto& state, auto input) {
  return example::each<units>([&](std::size_t j) {
    return tapeless::dot(weights.from_state[j], state) + weights.from_input[j] * input + weights.bias[j];
  });
};

inline constexpr auto next_state = [](const auto& network, const auto& state, auto input) {
  const auto update = gate(network.update, state, input);
  const auto reset = gate(network.reset, state, input);
  const auto candidate =
      gate(network.candidate,
           example::each<units>([&](std::size_t j) { return tapeless::sigmoid(reset[j]) * state[j]; }), input);
  return example::each<units>([&](std::size_t j) {
    const auto kept = tapeless::sigmoid(update[j]);
    return kept * state[j] + (1 - kept) * tapeless::tanh(candidate[j]);
  });
};

inline constexpr auto output = [](const auto& network, const auto& state) {
  return tapeless::dot(network.output, state) + network.output_bias;
};

/// How far back the gradient of the loss goes: through all steps, to the next restart before, or not at all.
enum class Truncation { none, at_restarts, every_step };

/// The sum of the squared errors over a sequence. Where `restarts` is not 0, a truncated gradient ends. Stopping the
/// whole carry is known while compiling: then no state is stored for the way back.
template <Truncation truncation>
inline constexpr auto loss = [](const auto& network, auto inputs, auto targets, auto restarts) {
  return get<1>(scan(
      [&](auto carry, auto input, auto target, auto restart) {
        const auto before = get<0>(carry);
        const auto state = example::each<units>([&](std::size_t j) {
          if constexpr (truncation == Truncation::every_step) {
            return tapeless::stop_gradient(before[j]);
          } else if constexpr (truncation == Truncation::at_restarts) {
            return where(restart > 0, tapeless::stop_gradient(before[j]), before[j]);
          } else {
            return before[j];
          }
        });
        const auto next = next_state(network, state, input);
        return std::tuple{next, get<1>(carry) + square(output(network, next) - target)};
      },
      std::tuple{Vector<double>{}, 0.0}, inputs, targets, restarts));
};

/// The bytes a step that a gradient keeps for the way back.
template <Truncation truncation>
inline constexpr std::size_t bytes_per_step =
    tapeless::memory<Network<double>, std::vector<double>, std::vector<double>, std::vector<double>>(
        tapeless::value_and_gradient(loss<truncation>, tapeless::wrt<0>))
        .step;
// The state, tanh, and for each of two gates the sigmoid and its exponential.
static_assert(bytes_per_step<Truncation::none> == units * 6 * sizeof(double));
static_assert(bytes_per_step<Truncation::every_step> == 0);

}  // namespace recurrent
