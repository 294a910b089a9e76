#pragma once

#include "fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace hidden_markov {

/// The algorithm of Baum and Welch as textbooks have it: probabilities, scaled at each step, forward and backward.
struct ForwardBackward {
  Expectations expectations;
  std::vector<PerState<double>> states_given_all;  ///< the probability of each state at each time
};

inline ForwardBackward forward_backward(const Parameters& p, const Observations& observations) {
  std::vector<double> x{observations.first};
  x.insert(x.end(), observations.rest.begin(), observations.rest.end());
  const std::size_t n = x.size();
  std::array<PerState<double>, states> step{};
  std::vector<PerState<double>> density(n), forward(n), backward(n);
  for (std::size_t i = 0; i < states; ++i) {
    double total = 0;
    for (std::size_t j = 0; j < states; ++j) {
      total += std::exp(p[states * i + j]);
    }
    for (std::size_t j = 0; j < states; ++j) {
      step[i][j] = std::exp(p[states * i + j]) / total;
    }
    const double mean = p[states * states + i], deviation = std::exp(p[states * (states + 1) + i]);
    for (std::size_t t = 0; t < n; ++t) {
      const double z = (x[t] - mean) / deviation;
      density[t][i] = std::exp(-0.5 * z * z) / (deviation * std::sqrt(2 * std::numbers::pi));
    }
  }
  std::vector<double> scale(n);
  ForwardBackward result{};
  for (std::size_t t = 0; t < n; ++t) {
    for (std::size_t j = 0; j < states; ++j) {
      double before = t == 0 ? 1.0 / states : 0;
      for (std::size_t i = 0; t > 0 && i < states; ++i) {
        before += forward[t - 1][i] * step[i][j];
      }
      forward[t][j] = before * density[t][j];
      scale[t] += forward[t][j];
    }
    for (double& entry : forward[t]) {
      entry /= scale[t];
    }
    result.expectations.log_likelihood += std::log(scale[t]);
  }
  backward[n - 1].fill(1);
  for (std::size_t t = n - 1; t > 0; --t) {
    for (std::size_t i = 0; i < states; ++i) {
      for (std::size_t j = 0; j < states; ++j) {
        const double both = step[i][j] * density[t][j] * backward[t][j] / scale[t];
        backward[t - 1][i] += both;
        result.expectations.numbers[i][j] += forward[t - 1][i] * both;
      }
    }
  }
  for (std::size_t t = 0; t < n; ++t) {
    PerState<double> given_all{};
    for (std::size_t j = 0; j < states; ++j) {
      given_all[j] = forward[t][j] * backward[t][j];
      result.expectations.sums[j][0] += given_all[j];
      result.expectations.sums[j][1] += given_all[j] * x[t];
      result.expectations.sums[j][2] += given_all[j] * x[t] * x[t];
    }
    result.states_given_all.push_back(given_all);
  }
  return result;
}

/// The largest difference between expectations by a gradient and those by forward and backward recursions, relative to
/// the largest of its kind.
inline double difference(const Expectations& a, const Expectations& b) {
  double worst = std::abs(a.log_likelihood - b.log_likelihood) / std::abs(b.log_likelihood);
  const auto compare = [&](const auto& left, const auto& right) {
    double most = 0, apart = 0;
    for (std::size_t i = 0; i < states; ++i) {
      for (std::size_t j = 0; j < states; ++j) {
        most = std::max(most, std::abs(right[i][j]));
        apart = std::max(apart, std::abs(left[i][j] - right[i][j]));
      }
    }
    worst = std::max(worst, apart / most);
  };
  compare(a.numbers, b.numbers);
  compare(a.sums, b.sums);
  return worst;
}

/// Fisher's identity: the largest difference between the gradient of the log-likelihood and that of the expected
/// log-density with its expectations stopped, over the number of observations.
inline double fisher_difference(const Parameters& p, const Observations& observations) {
  const Expectations e = expectations(p, observations);
  const auto direct =
      tapeless::gradient(free_log_likelihood, tapeless::wrt<0>)(p, observations.first, observations.rest);
  const auto stopped = tapeless::gradient(expected_log_density, tapeless::wrt<0>)(p, e.numbers, e.sums);
  double worst = 0;
  for (std::size_t k = 0; k < p.size(); ++k) {
    worst = std::max(worst, std::abs(direct[k] - stopped[k]));
  }
  return worst / static_cast<double>(observations.rest.size() + 1);
}

}  // namespace hidden_markov
