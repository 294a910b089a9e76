#pragma once

#include "../common/progress.hpp"
#include "data.hpp"
#include "model.hpp"

#include <vector>

namespace softmax_classifier {

struct FitOptions {
  double penalty = 1e-3;  ///< times half the sum of the squared weights
  int iterations = 5000;
  double tolerance = 1e-6;  ///< of the largest entry of the gradient
};

struct Fit {
  Matrix weights;
  Vector biases;
  std::vector<double>
      training_loss;  ///< mean cross-entropy, without the penalty, at the start and after each iteration
  std::vector<double> held_out_loss;
  std::vector<double> gradient;  ///< the largest entry
  double gradient_error = 0;     ///< of the first gradient, from one computed by hand
  bool converged = false;
  std::size_t iterations() const { return training_loss.size() - 1; }
};

/// Minimises the loss over all training examples by gradient descent with Nesterov's momentum.
Fit fit(const Data& data, const FitOptions& options, example::ShowProgress show);

/// rows x classes
Matrix logits(const Matrix& features, const Matrix& weights, const Vector& biases);

}  // namespace softmax_classifier
