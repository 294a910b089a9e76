#pragma once

#include <array>
#include <cmath>

namespace mixture {

/// The mixture w N(mean1, sd1) + (1 - w) N(mean2, sd2) in coordinates without constraints, so that any gradient
/// step stays inside: logit = log(w / (1 - w)) and the logarithms of the standard deviations.
struct Parameters {
  double logit;
  double mean1;
  double mean2;
  double log_sd1;
  double log_sd2;

  double weight1() const { return 1 / (1 + std::exp(-logit)); }
  double weight2() const { return 1 / (1 + std::exp(logit)); }
  double sd1() const { return std::exp(log_sd1); }
  double sd2() const { return std::exp(log_sd2); }
};

/// One number for each parameter, in the order of Parameters: a gradient, a step.
using PerParameter = std::array<double, 5>;

inline constexpr std::array<const char*, 5> parameter_names{"logit", "mean1", "mean2", "log_sd1", "log_sd2"};

/// The Fisher information of one row in the complete-data problem, where each row's component is known. There the
/// five parameters are orthogonal: the matrix is this diagonal.
inline PerParameter complete_information(const Parameters& p) {
  const double w1 = p.weight1();
  const double w2 = p.weight2();
  return {w1 * w2, w1 / (p.sd1() * p.sd1()), w2 / (p.sd2() * p.sd2()), 2 * w1, 2 * w2};
}

}  // namespace mixture
