#include "fit.hpp"

#include "../common/gnuplot.hpp"
#include "reference.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace softmax_classifier {

using namespace tapeless;
using namespace formula;

Matrix logits(const Matrix& features, const Matrix& weights, const Vector& biases) {
  return formula::logits(X = features, W = weights, b = biases);
}

namespace {

double sum_of_squares(const Matrix& weights) {
  double result = 0;
  for (const double w : weights) {
    result += w * w;
  }
  return result;
}

template <class Tensor>
double largest(const Tensor& tensor) {
  double result = 0;
  for (const double e : tensor) {
    result = std::max(result, std::abs(e));
  }
  return result;
}

/// The largest difference from X'(softmax - Y) / rows, by plain loops, at weights of 0.
template <class Gradient>
double error_at_zero(const Examples& examples, const Gradient& gradient) {
  const Reference expected = reference(xt::zeros<double>(examples.one_hot.shape()), examples.one_hot);
  double worst = 0;
  for (std::size_t k = 0; k < examples.one_hot.shape(1); ++k) {
    long double bias = 0;
    for (std::size_t i = 0; i < examples.one_hot.shape(0); ++i) {
      bias += expected.gradient(i, k);
    }
    worst = std::max(worst, std::abs(static_cast<double>(bias - gradient[b](k))));
    for (std::size_t j = 0; j < examples.features.shape(1); ++j) {
      long double weight = 0;
      for (std::size_t i = 0; i < examples.features.shape(0); ++i) {
        weight += examples.features(i, j) * expected.gradient(i, k);
      }
      worst = std::max(worst, std::abs(static_cast<double>(weight - gradient[W](j, k))));
    }
  }
  return worst;
}

}  // namespace

Fit fit(const Data& data, const FitOptions& options, example::ShowProgress show) {
  const std::size_t d = data.features.size();
  const std::size_t classes = data.classes.size();
  const auto step = value_and_gradient(loss, wrt(W, b));
  Fit result{xt::zeros<double>({d, classes}), xt::zeros<double>({classes}), {}, {}, {}};

  // The second derivative of the loss is at most half the largest eigenvalue of (X 1)'(X 1) / rows, and that at most
  // its trace, d + 1 for features of standard deviation 1.
  const double rate = 1 / (0.5 * static_cast<double>(d + 1) + options.penalty);
  Matrix descended_weights = result.weights;  // by the last step, without its momentum
  Vector descended_biases = result.biases;
  double momentum = 1;
  const auto evaluate = [&](const Examples& examples, double with_penalty, auto& r) {
    step(into(r), X = examples.features, Y = examples.one_hot, W = result.weights, b = result.biases,
         penalty = with_penalty);
  };
  auto r = step(X = data.training.features, Y = data.training.one_hot, W = result.weights, b = result.biases,
                penalty = options.penalty);
  auto held_out = r;
  result.gradient_error = error_at_zero(data.training, r.gradient);

  example::Progress progress(show, data.training.features.size() >= 100'000, "fitting");
  for (int i = 0;; ++i) {
    evaluate(data.training, options.penalty, r);
    evaluate(data.held_out, 0, held_out);
    result.training_loss.push_back(r.value - options.penalty / 2 * sum_of_squares(result.weights));
    result.held_out_loss.push_back(held_out.value);
    result.gradient.push_back(std::max(largest(r.gradient[W]), largest(r.gradient[b])));
    result.converged = result.gradient.back() <= options.tolerance;
    if (result.converged || i == options.iterations) {
      break;
    }
    progress.update(static_cast<double>(i) / options.iterations,
                    example::formatted("iteration %d, loss %.6f", i, result.training_loss.back()));

    const double next = (1 + std::sqrt(1 + 4 * momentum * momentum)) / 2;
    double uphill = 0;
    const auto move = [&](auto& at, auto& descended, const auto& gradient) {
      for (std::size_t e = 0; e < at.size(); ++e) {
        const double before = descended.data()[e];
        descended.data()[e] = at.data()[e] - rate * gradient.data()[e];
        uphill += gradient.data()[e] * (descended.data()[e] - before);
        at.data()[e] = descended.data()[e] + (momentum - 1) / next * (descended.data()[e] - before);
      }
    };
    move(result.weights, descended_weights, r.gradient[W]);
    move(result.biases, descended_biases, r.gradient[b]);
    momentum = next;
    // Momentum that leads uphill is dropped (O'Donoghue and Candes 2015).
    if (uphill > 0) {
      momentum = 1;
      result.weights = descended_weights;
      result.biases = descended_biases;
    }
  }
  return result;
}

}  // namespace softmax_classifier
