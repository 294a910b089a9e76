#pragma once

#include "model.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace mixed_model {

/// The standard deviation of the normal prior of each b and of log(sigma).
constexpr double prior_sd = 3;

struct Posterior {
  std::vector<std::vector<double>> draws;  ///< of each fitted parameter
  double accepted = 0;                     ///< share of the proposals
};

/// Hamiltonian Monte Carlo over the parameters and all u together (Neal 2011). `scale` are the parameters' standard
/// deviations, as Laplace's approximation has them; those of the u are about 1.
inline Posterior sample(const Data& data, const Eigen::VectorXd& start, const Eigen::VectorXd& scale, int draws,
                        std::uint64_t seed) {
  const Eigen::Index size = start.size(), groups = static_cast<Eigen::Index>(data.groups.size());
  Eigen::VectorXd x = Eigen::VectorXd::Zero(size + groups), scales = Eigen::VectorXd::Ones(size + groups);
  x.head(size) = start;
  scales.head(size) = scale;
  // The logarithm of the posterior density and its gradient.
  const auto density = [&](const Eigen::VectorXd& at, Eigen::VectorXd& slope) {
    const Parameters p = parameters_of(data, at);
    slope.head(size) = -at.head(size) / (prior_sd * prior_sd);
    double sum = 0.5 * at.head(size).dot(slope.head(size));
    for (Eigen::Index g = 0; g < groups; ++g) {
      const auto [value, gradient] = joint(p, at[size + g], data.groups[static_cast<std::size_t>(g)]);
      sum += value;
      slope[size + g] = std::get<1>(gradient);
      for (std::size_t i = 0; i < data.fitted.size(); ++i) {
        slope[static_cast<Eigen::Index>(i)] += std::get<0>(gradient)[data.fitted[i]];
      }
    }
    return sum;
  };

  example::Random random(seed);
  Eigen::VectorXd slope(x.size()), momentum(x.size());
  double now = density(x, slope), length = 0.2;
  Posterior posterior{std::vector<std::vector<double>>(data.fitted.size()), 0};
  const int warm_up = draws / 4;
  for (int i = 0; i < warm_up + draws; ++i) {
    for (double& m : momentum) {
      m = random.normal();
    }
    Eigen::VectorXd next = x, next_slope = slope;
    const double energy = now - 0.5 * momentum.squaredNorm();
    const double step = length * (0.8 + 0.4 * random.uniform());
    double there = now;
    for (int k = 0; k < 12; ++k) {
      momentum += 0.5 * step * scales.cwiseProduct(next_slope);
      next += step * scales.cwiseProduct(momentum);
      there = density(next, next_slope);
      momentum += 0.5 * step * scales.cwiseProduct(next_slope);
    }
    // NaN is not accepted.
    const double log_ratio = there - 0.5 * momentum.squaredNorm() - energy;
    const bool accepted = std::log(random.uniform()) < log_ratio;
    if (accepted) {
      x = next;
      slope = next_slope;
      now = there;
    }
    if (i < warm_up) {
      // To four accepted of five.
      length = std::clamp(length * (accepted ? 1.02 : 1 / 1.08), 1e-4, 1.0);
      continue;
    }
    posterior.accepted += accepted ? 1.0 / draws : 0;
    for (std::size_t k = 0; k < data.fitted.size(); ++k) {
      posterior.draws[k].push_back(x[static_cast<Eigen::Index>(k)]);
    }
  }
  return posterior;
}

struct Summary {
  double mean;
  double sd;
  double error;  ///< of the mean, from the means of 20 batches
};
inline Summary summary_of(const std::vector<double>& draws) {
  constexpr std::size_t batches = 20;
  const double count = static_cast<double>(draws.size());
  double mean = 0, squares = 0, between = 0;
  for (const double x : draws) {
    mean += x / count;
  }
  for (const double x : draws) {
    squares += (x - mean) * (x - mean);
  }
  const std::size_t length = draws.size() / batches;
  for (std::size_t b = 0; b < batches; ++b) {
    double sum = 0;
    for (std::size_t i = b * length; i < (b + 1) * length; ++i) {
      sum += draws[i] - mean;
    }
    between += std::pow(sum / static_cast<double>(length), 2) / batches;
  }
  return {mean, std::sqrt(squares / (count - 1)), std::sqrt(between / (batches - 1))};
}

}  // namespace mixed_model
