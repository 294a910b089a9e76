#pragma once

#include "model.hpp"
#include "parameters.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

namespace mixture {

/// The gradient of the log-likelihood, once through the logarithm of the sum and once with stopped responsibilities.
struct FisherIdentity {
  Parameters at;
  Total direct;
  Total stopped;

  double difference(std::size_t i) const { return std::abs(direct.gradient[i] - stopped.gradient[i]); }

  /// The norm of the difference over the norm of the gradient, each parameter in its natural unit.
  double relative() const {
    const PerParameter information = complete_information(at);
    double gap = 0;
    double norm = 0;
    for (std::size_t i = 0; i < information.size(); ++i) {
      gap += difference(i) * difference(i) / information[i];
      norm += direct.gradient[i] * direct.gradient[i] / information[i];
    }
    return gap == 0 ? 0 : std::sqrt(gap / norm);
  }

  /// The largest difference over the sum of the absolute terms: the measure at a maximum, where the gradient vanishes.
  double relative_to_terms() const {
    double largest = 0;
    for (std::size_t i = 0; i < direct.gradient.size(); ++i) {
      largest = std::max(largest, difference(i) == 0 ? 0 : difference(i) / direct.size[i]);
    }
    return largest;
  }
};

inline FisherIdentity fisher_identity(std::span<const double> rows, const Parameters& at) {
  return {at, sum_over_rows(row::log_likelihood, rows, at), sum_over_rows(row::surrogate, rows, at)};
}

}  // namespace mixture
