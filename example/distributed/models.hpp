#pragma once

#include "rows.hpp"

#include <tapeless/distributed.hpp>
#include <xtensor/xtensor.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace distributed {

using namespace tapeless::literals;
using tapeless::variable;
using Parameters = std::vector<double>;

/// A mean over all rows, and its derivatives by the parameters.
struct Evaluation {
  double value = 0;
  Parameters gradient;
};

/// The last column, 0 or 1, from the ones before it.
class Logistic {
  static constexpr auto X = variable<"X">;
  static constexpr auto t = variable<"t">;
  static constexpr auto w = variable<"w">;
  static constexpr auto b = variable<"b">;
  static constexpr auto z = dot(X, w) + b;
  static constexpr auto step = tapeless::value_and_gradient(mean(softplus(z) - t * z), tapeless::wrt(w, b));

  xt::xtensor<double, 2> x_;
  xt::xtensor<double, 1> labels_;
  double rate_ = 1;

 public:
  static constexpr const char* value_name = "mean loss";
  static constexpr double momentum = 1;

  template <class Processes>
  Logistic(const Rows& rows, const Processes& on) {
    const std::size_t count = rows.numbers.shape()[0], columns = rows.names.size();
    tapeless::mpi::together(on.communicator(), [&] {
      if (columns < 2) {
        throw Error("logistic regression takes at least two columns, the last one of labels 0 and 1");
      }
      x_ = xt::xtensor<double, 2>::from_shape({count, columns - 1});
      labels_ = xt::xtensor<double, 1>::from_shape({count});
      for (std::size_t i = 0; i < count; ++i) {
        const double* const row = rows.numbers.data() + i * columns;
        std::copy_n(row, columns - 1, x_.data() + i * (columns - 1));
        labels_(i) = row[columns - 1];
        if (labels_(i) != 0 && labels_(i) != 1) {
          throw Error("a label is neither 0 nor 1: " + std::to_string(labels_(i)));
        }
      }
    });
    // The curvature is at most a quarter of the mean square of a row, to which the bias adds 1.
    rate_ = 4 / (1 + tapeless::value(mean(sum<1>(square(X))))(on, X = tapeless::mpi::shard(x_)));
  }
  std::size_t size() const { return x_.shape()[1] + 1; }
  Parameters start() const { return Parameters(size(), 0.0); }

  template <class Processes>
  Evaluation operator()(const Processes& on, const Parameters& at) const {
    const std::span<const double> weights(at.data(), at.size() - 1);
    const auto r =
        step(on, X = tapeless::mpi::shard(x_), t = tapeless::mpi::shard(labels_), w = weights, b = at.back());
    Evaluation result{r.value, Parameters(r.gradient[w].begin(), r.gradient[w].end())};
    result.gradient.push_back(r.gradient[b]);
    return result;
  }
  /// A step down the loss.
  Parameters moved(const Parameters& from, const Parameters& gradient) const {
    Parameters result = from;
    for (std::size_t i = 0; i < result.size(); ++i) {
      result[i] -= rate_ * gradient[i];
    }
    return result;
  }
};

/// A mixture of two normal distributions of the first column. The responsibilities, the E-step, stand behind a stop:
/// the gradient is that of the expected log-likelihood, which by Fisher's identity is that of the log-likelihood.
class Mixture {
  static constexpr auto x = variable<"x">;
  static constexpr auto logit = variable<"logit">;
  static constexpr auto mean1 = variable<"mean1">;
  static constexpr auto mean2 = variable<"mean2">;
  static constexpr auto log_sd1 = variable<"log_sd1">;
  static constexpr auto log_sd2 = variable<"log_sd2">;
  static constexpr auto joint1 = -softplus(-logit) - log_sd1 - square((x - mean1) * exp(-log_sd1)) / 2_c;
  static constexpr auto joint2 = -softplus(logit) - log_sd2 - square((x - mean2) * exp(-log_sd2)) / 2_c;
  static constexpr auto from1 = stop_gradient(sigmoid(joint1 - joint2));
  static constexpr auto from2 = stop_gradient(sigmoid(joint2 - joint1));
  static constexpr auto expected = from1 * joint1 + from2 * joint2;
  static constexpr auto log_likelihood =
      (expected - stop_gradient(expected)) + stop_gradient(logsumexp(joint1, joint2));
  static constexpr auto step =
      tapeless::value_and_gradient(mean(log_likelihood), tapeless::wrt(logit, mean1, mean2, log_sd1, log_sd2));

  xt::xtensor<double, 1> x_;
  double centre_ = 0;
  double spread_ = 1;

 public:
  static constexpr const char* value_name = "mean log-likelihood (without the constant)";
  static constexpr double momentum = 0;

  template <class Processes>
  Mixture(const Rows& rows, const Processes& on) {
    x_ = xt::xtensor<double, 1>::from_shape({rows.numbers.shape()[0]});
    for (std::size_t i = 0; i < x_.size(); ++i) {
      x_(i) = rows.numbers(i, 0);
    }
    // The second reduction depends on the first: two phases.
    const auto moments = tapeless::outputs(mean(x), sqrt(mean(square(x - mean(x)))))(on, x = tapeless::mpi::shard(x_));
    centre_ = moments[0], spread_ = moments[1];
  }
  std::size_t size() const { return 5; }
  Parameters start() const {
    const double log_sd = std::log(spread_);
    return {0, centre_ - spread_, centre_ + spread_, log_sd, log_sd};
  }

  template <class Processes>
  Evaluation operator()(const Processes& on, const Parameters& at) const {
    const auto r = step(on, x = tapeless::mpi::shard(x_), logit = at[0], mean1 = at[1], mean2 = at[2], log_sd1 = at[3],
                        log_sd2 = at[4]);
    const auto& g = r.gradient;
    return {r.value, {g[logit], g[mean1], g[mean2], g[log_sd1], g[log_sd2]}};
  }
  /// A step up, by the inverse of the expected information of each parameter on its own.
  Parameters moved(const Parameters& from, const Parameters& g) const {
    const double weight1 = 1 / (1 + std::exp(-from[0])), weight2 = 1 - weight1;
    return {from[0] + g[0] / (weight1 * weight2), from[1] + g[1] * std::exp(2 * from[3]) / weight1,
            from[2] + g[2] * std::exp(2 * from[4]) / weight2, from[3] + g[3] / (2 * weight1),
            from[4] + g[4] / (2 * weight2)};
  }
};

}  // namespace distributed
