#pragma once

#include "model.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace softmax_classifier {

/// The mean cross-entropy and its gradient in the logits, (softmax - Y) / rows, by plain loops in long double.
struct Reference {
  double loss;
  Matrix gradient;
};

inline Reference reference(const Matrix& logits, const Matrix& one_hot) {
  const std::size_t rows = logits.shape(0);
  const std::size_t classes = logits.shape(1);
  long double loss = 0;
  Matrix gradient = Matrix::from_shape({rows, classes});
  for (std::size_t i = 0; i < rows; ++i) {
    long double largest = logits(i, 0);
    for (std::size_t k = 1; k < classes; ++k) {
      largest = std::max<long double>(largest, logits(i, k));
    }
    std::vector<long double> terms;
    long double sum = 0;
    for (std::size_t k = 0; k < classes; ++k) {
      terms.push_back(std::exp(logits(i, k) - largest));
      sum += terms.back();
    }
    for (std::size_t k = 0; k < classes; ++k) {
      loss += one_hot(i, k) * (largest + std::log(sum) - logits(i, k));
      gradient(i, k) = static_cast<double>((terms[k] / sum - one_hot(i, k)) / static_cast<long double>(rows));
    }
  }
  return {static_cast<double>(loss / static_cast<long double>(rows)), gradient};
}

}  // namespace softmax_classifier
