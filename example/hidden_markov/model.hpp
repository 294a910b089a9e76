#pragma once

#include "../common/each.hpp"

#include <tapeless/tapeless.hpp>

#include <array>
#include <cstddef>
#include <numbers>
#include <utility>
#include <vector>

namespace hidden_markov {

/// How many hidden states there are.
inline constexpr std::size_t states = 3;

template <class T>
using PerState = std::array<T, states>;

/// log(exp(x[0]) + exp(x[1]) + ...)
inline constexpr auto log_sum = [](const auto& x) {
  return std::apply([](auto... terms) { return tapeless::logsumexp(terms...); }, x);
};

/// The logarithm of the density of the observations, by the forward recursion in logarithms: the carry holds, for each
/// state, the logarithm of the density of what was seen so far and of being in that state now. The chain starts in any
/// state with the same probability. `steps[i][j]` is the logarithm of the probability of a step from i to j; the
/// log-density of state j at x is `densities[j][0] + densities[j][1] x + densities[j][2] x^2`. Both enter linearly into
/// the logarithm of the density of states and observations together: by them, the derivatives are the expectations of
/// Baum and Welch.
inline constexpr auto log_likelihood = [](auto steps, auto densities, auto first, auto rest) {
  const auto seen = [&](auto x, std::size_t j) {
    return densities[j][0] + (densities[j][1] + densities[j][2] * x) * x;
  };
  const auto start =
      example::each<states>([&](std::size_t j) { return seen(first, j) - tapeless::log(static_cast<double>(states)); });
  const auto last = scan(
      [&](auto before, auto x) {
        return example::each<states>([&](std::size_t j) {
          return log_sum(example::each<states>([&](std::size_t i) { return before[i] + steps[i][j]; })) + seen(x, j);
        });
      },
      start, rest);
  return log_sum(last);
};

/// Free parameters: the logits of the steps, row by row, the means and the logarithms of the standard deviations.
using Parameters = std::array<double, states*(states + 2)>;

/// What `log_likelihood` takes from free parameters: the probabilities of the steps from i are the softmax of a row of
/// logits; each state is normal.
inline constexpr auto natural = [](const auto& p) {
  const auto steps = example::each<states>([&](std::size_t i) {
    const auto logits = example::each<states>([&](std::size_t j) { return p[states * i + j]; });
    const auto total = log_sum(logits);
    return example::each<states>([&](std::size_t j) { return logits[j] - total; });
  });
  const auto densities = example::each<states>([&](std::size_t j) {
    const auto mean = p[states * states + j], log_deviation = p[states * (states + 1) + j];
    const auto precision = tapeless::exp(-2 * log_deviation);
    const auto constant = -0.5 * tapeless::log(2 * std::numbers::pi) - log_deviation;
    return std::array{constant - 0.5 * precision * mean * mean, precision * mean, -0.5 * precision};
  });
  return std::pair{steps, densities};
};

/// The log-likelihood as a function of the free parameters.
inline constexpr auto free_log_likelihood = [](const auto& p, auto first, const auto& rest) {
  const auto [steps, densities] = natural(p);
  return log_likelihood(steps, densities, first, rest);
};

/// The expectation, over states given the observations, of the log-density of both, but for a constant. The expected
/// numbers of steps and the expected sums of 1, x and x^2 in each state stand behind a stop: they depend on the
/// parameters, but EM holds them. Fisher's identity: the gradient is that of the log-likelihood nevertheless.
inline constexpr auto expected_log_density = [](const auto& p, const auto& numbers, const auto& sums) {
  const auto logarithms = natural(p);  // no structured binding: clang captures none while it compiles
  const auto row = [](const auto& expectations, const auto& of) {
    return dot(tapeless::stop_gradient(expectations), of);
  };
  const auto rows = example::each<states>(
      [&](std::size_t i) { return row(numbers[i], logarithms.first[i]) + row(sums[i], logarithms.second[i]); });
  return std::apply([](auto... terms) { return (terms + ...); }, rows);
};

}  // namespace hidden_markov
