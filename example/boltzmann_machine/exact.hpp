#pragma once

#include "machine.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <vector>

namespace boltzmann_machine {

/// All states of n units, a row each.
inline matrix all_states(std::size_t n) {
  matrix states = matrix::from_shape({std::size_t{1} << n, n});
  for (std::size_t s = 0; s < states.shape(0); ++s) {
    for (std::size_t i = 0; i < n; ++i) {
      states(s, i) = static_cast<double>(s >> i & 1);
    }
  }
  return states;
}

/// log of the sum of exp(v b + h c + v W h) over all v and h: the units on the smaller side are enumerated, in Gray's
/// order, in which states that follow each other differ by one unit; the sum over the other side is a product.
inline double log_partition(const Parameters& p) {
  const bool by_visible = p.visible_bias.size() <= p.hidden_bias.size();
  const vector& own = by_visible ? p.visible_bias : p.hidden_bias;
  const vector& other = by_visible ? p.hidden_bias : p.visible_bias;
  std::vector<double> input(other.begin(), other.end());
  double energy = 0;
  double largest = -std::numeric_limits<double>::infinity();
  double sum = 0;
  for (std::uint64_t count = 0;;) {
    double linear = energy;
    double product = 1;  // of up to 1000 factors of at most 2
    double logs = 0;
    for (std::size_t j = 0; j < input.size(); ++j) {
      linear += std::max(input[j], 0.0);
      product *= 1 + std::exp(-std::abs(input[j]));
      if (j % 1000 == 999) {
        logs += std::log(product);
        product = 1;
      }
    }
    const double exponent = linear + logs + std::log(product);
    if (exponent > largest) {
      sum = sum * std::exp(largest - exponent) + 1;
      largest = exponent;
    } else {
      sum += std::exp(exponent - largest);
    }
    if (++count == std::uint64_t{1} << own.size()) {
      return largest + std::log(sum);
    }
    const auto unit = static_cast<std::size_t>(std::countr_zero(count));
    const double change = ((count ^ count >> 1) >> unit & 1) != 0 ? 1 : -1;
    energy += change * own[unit];
    for (std::size_t j = 0; j < input.size(); ++j) {
      input[j] += change * (by_visible ? p.weights(unit, j) : p.weights(j, unit));
    }
  }
}

/// Whether that takes a second at most.
inline bool can_enumerate(std::size_t visible, std::size_t hidden) {
  const std::size_t smaller = std::min(visible, hidden);
  return smaller <= 22 && std::max(visible, hidden) << smaller <= std::size_t{1} << 23;
}

inline double log_likelihood(const Parameters& p, const matrix& data) {
  double sum = 0;
  for (const double energy : free_energies(p, data)) {
    sum -= energy;
  }
  return sum / static_cast<double>(data.shape(0)) - log_partition(p);
}

/// Whether all numbers are zeros and ones: the machine has no probabilities of others.
inline bool is_binary(const matrix& data) {
  return std::all_of(data.begin(), data.end(), [](double number) { return number == 0 || number == 1; });
}

/// What the mean log-likelihood of rows of zeros and ones cannot exceed: minus the entropy of their distribution.
inline double best_log_likelihood(const matrix& data) {
  std::map<std::vector<bool>, std::size_t> counts;
  for (std::size_t i = 0; i < data.shape(0); ++i) {
    std::vector<bool> row;
    for (std::size_t j = 0; j < data.shape(1); ++j) {
      row.push_back(data(i, j) != 0);
    }
    ++counts[row];
  }
  double result = 0;
  for (const auto& [row, count] : counts) {
    const double share = static_cast<double>(count) / static_cast<double>(data.shape(0));
    result += share * std::log(share);
  }
  return result;
}

/// Adds `factor` times the gradient of the free energy of row `row` of `v`, by its closed form
///   dF/dW = -v h,   dF/db = -v,   dF/dc = -h,   h = sigmoid(c + v W).
inline void add_free_energy_gradient(const Parameters& p, const matrix& v, std::size_t row, double factor,
                                     Parameters& sum) {
  for (std::size_t j = 0; j < p.hidden_bias.size(); ++j) {
    double input = p.hidden_bias[j];
    for (std::size_t i = 0; i < p.visible_bias.size(); ++i) {
      input += v(row, i) * p.weights(i, j);
    }
    const double h = 1 / (1 + std::exp(-input));
    sum.hidden_bias[j] -= factor * h;
    for (std::size_t i = 0; i < p.visible_bias.size(); ++i) {
      sum.weights(i, j) -= factor * v(row, i) * h;
    }
  }
  for (std::size_t i = 0; i < p.visible_bias.size(); ++i) {
    sum.visible_bias[i] -= factor * v(row, i);
  }
}

inline Parameters zeros_like(Parameters p) {
  p.weights.fill(0);
  p.visible_bias.fill(0);
  p.hidden_bias.fill(0);
  return p;
}

/// The gradient of contrastive divergence by its closed form: that of the data less that of frozen means.
inline Parameters divergence_by_hand(const Parameters& p, const matrix& data, const matrix& hidden) {
  Parameters sum = zeros_like(p);
  for (std::size_t n = 0; n < data.shape(0); ++n) {
    add_free_energy_gradient(p, data, n, 1 / static_cast<double>(data.shape(0)), sum);
  }
  matrix made_up = matrix::from_shape({hidden.shape(0), data.shape(1)});
  for (std::size_t n = 0; n < hidden.shape(0); ++n) {
    for (std::size_t i = 0; i < data.shape(1); ++i) {
      double input = p.visible_bias[i];
      for (std::size_t j = 0; j < hidden.shape(1); ++j) {
        input += hidden(n, j) * p.weights(i, j);
      }
      made_up(n, i) = 1 / (1 + std::exp(-input));
    }
    add_free_energy_gradient(p, made_up, n, -1 / static_cast<double>(hidden.shape(0)), sum);
  }
  return sum;
}

/// Minus that of the mean log-likelihood: <v h> of the model less <v h> of the data, by summing over all states.
inline Parameters likelihood_by_hand(const Parameters& p, const matrix& data, const matrix& states) {
  Parameters sum = zeros_like(p);
  for (std::size_t n = 0; n < data.shape(0); ++n) {
    add_free_energy_gradient(p, data, n, 1 / static_cast<double>(data.shape(0)), sum);
  }
  const double log_z = log_partition(p);
  for (std::size_t s = 0; s < states.shape(0); ++s) {
    double minus_energy = 0;
    for (std::size_t i = 0; i < states.shape(1); ++i) {
      minus_energy += states(s, i) * p.visible_bias[i];
    }
    for (std::size_t j = 0; j < p.hidden_bias.size(); ++j) {
      double input = p.hidden_bias[j];
      for (std::size_t i = 0; i < states.shape(1); ++i) {
        input += states(s, i) * p.weights(i, j);
      }
      minus_energy += std::max(input, 0.0) + std::log1p(std::exp(-std::abs(input)));
    }
    add_free_energy_gradient(p, states, s, -std::exp(minus_energy - log_z), sum);
  }
  return sum;
}

inline double largest_difference(const Parameters& x, const Parameters& y) {
  double largest = 0;
  const auto compare = [&](const auto& left, const auto& right) {
    for (std::size_t i = 0; i < left.size(); ++i) {
      largest = std::max(largest, std::abs(left.data()[i] - right.data()[i]));
    }
  };
  compare(x.weights, y.weights);
  compare(x.visible_bias, y.visible_bias);
  compare(x.hidden_bias, y.hidden_bias);
  return largest;
}

}  // namespace boltzmann_machine
