#pragma once

#include "../common/gnuplot.hpp"
#include "../common/progress.hpp"
#include "../common/random.hpp"
#include "ascent.hpp"
#include "closed_form.hpp"
#include "responsibilities.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace expectation_maximization {

using example::ShowProgress;

struct FitOptions {
  int iterations = 2000;
  double tolerance = 1e-7;  ///< a step this short ends a fit, see distance()
};

struct Fit {
  Parameters parameters;
  Parameters before;                   ///< the last iteration
  std::vector<double> log_likelihood;  ///< without the constant, at the start and after each iteration
  std::vector<double> lengths;         ///< of the iterations
  int e_steps = 0;                     ///< responsibilities of all rows computed
  int gradients = 0;                   ///< evaluations of an objective with its gradient
  double off_closed_form = 0;          ///< the largest distance of an M-step's result from the closed form's
  bool converged = false;

  int iterations() const { return static_cast<int>(lengths.size()); }
  /// The deepest that an iteration let the log-likelihood fall, relative to it.
  double largest_fall() const {
    double result = 0;
    for (std::size_t i = 1; i < log_likelihood.size(); ++i) {
      result = std::max(result, (log_likelihood[i - 1] - log_likelihood[i]) / std::abs(log_likelihood[i]));
    }
    return result;
  }
};

/// Rows as means, each the farther from those before the likelier (k-means++, Arthur and Vassilvitskii 2007); equal
/// weights, covariances of 1.
inline Parameters starting_point(const Data& data, std::size_t components, std::uint64_t seed) {
  const std::size_t d = data.dimensions();
  example::Random random(seed);
  Parameters result{xt::zeros<double>({components}), xt::zeros<double>({components, d}),
                    xt::zeros<double>({components, d, d})};
  std::vector<double> nearest(data.rows(), std::numeric_limits<double>::infinity());
  std::size_t chosen = random.below(data.rows());
  for (std::size_t k = 0;; ++k) {
    for (std::size_t i = 0; i < d; ++i) {
      result.m(k, i) = data.X(i, chosen);
    }
    if (k + 1 == components) {
      return result;
    }
    double sum = 0;
    for (std::size_t row = 0; row < data.rows(); ++row) {
      double square = 0;
      for (std::size_t i = 0; i < d; ++i) {
        square += (data.X(i, row) - result.m(k, i)) * (data.X(i, row) - result.m(k, i));
      }
      sum += nearest[row] = std::min(nearest[row], square);
    }
    if (!(sum > 0)) {
      throw Error("fewer different rows than components");
    }
    double left = sum * random.uniform();
    for (chosen = 0; chosen + 1 < data.rows() && (left -= nearest[chosen]) > 0; ++chosen) {
    }
  }
}

/// The M-step by gradient: ascends the expected log-likelihood for responsibilities that were computed once and are
/// kept, until a step is so short that the next would change nothing: the steps converge quadratically.
inline Parameters ascend_kept(const Data& data, const Parameters& from, const Matrix& R, int& gradients) {
  const auto objective = [&](const Parameters& p) { return kept_expectation(data, p, R); };
  Place place{from, objective(from)};
  ++gradients;
  for (int i = 0; i < 100 && ascend(place, data.rows(), objective, gradients) > 1e-7; ++i) {
  }
  return place.at;
}

/// Repeats `iterate(fit, parameters)`, which returns the next parameters and their log-likelihood.
struct Iterate {
  Parameters parameters;
  double log_likelihood;
};
template <class Next>
Fit iterated(const Parameters& start, const FitOptions& options, std::size_t rows, const char* label, ShowProgress show,
             double first_log_likelihood, Next next) {
  Fit fit{.parameters = start, .before = start, .log_likelihood = {first_log_likelihood}, .lengths = {}};
  example::Progress progress(show, rows >= 20'000, label);
  while (!fit.converged && fit.iterations() < options.iterations) {
    Iterate result = next(fit);
    fit.before = std::exchange(fit.parameters, std::move(result.parameters));
    fit.log_likelihood.push_back(result.log_likelihood);
    fit.lengths.push_back(distance(fit.before, fit.parameters));
    fit.converged = fit.lengths.back() <= options.tolerance;
    const double reached = std::log(fit.lengths.front() / fit.lengths.back());
    progress.update(reached / std::log(fit.lengths.front() / options.tolerance),
                    example::formatted("iteration %d, step %.1e", fit.iterations(), fit.lengths.back()));
  }
  return fit;
}

enum class MStep { closed_form, gradient };

/// EM: the M-step in closed form, or by gradient steps to the same maximum, each compared with the closed form.
inline Fit fit_by_em(MStep how, const Data& data, const Parameters& start, const FitOptions& options,
                     ShowProgress show) {
  Matrix log_joint = joint(data, start);
  return iterated(start, options, data.rows(), how == MStep::gradient ? "M-steps" : "closed form", show,
                  log_likelihood(log_joint), [&](Fit& fit) {
                    const Matrix R = responsibilities(log_joint);
                    ++fit.e_steps;
                    Parameters next = closed_form(data, R);
                    if (how == MStep::gradient) {
                      Parameters ascended = ascend_kept(data, fit.parameters, R, fit.gradients);
                      fit.off_closed_form = std::max(fit.off_closed_form, distance(next, ascended));
                      next = std::move(ascended);
                    }
                    log_joint = joint(data, next);
                    return Iterate{std::move(next), log_likelihood(log_joint)};
                  });
}

/// Generalised EM: each iteration is one gradient step on an objective whose value is the log-likelihood; each of its
/// evaluations computes responsibilities again.
template <class Objective>
Fit fit_by_single_steps(const Objective& objective, const char* label, const Data& data, const Parameters& start,
                        const FitOptions& options, ShowProgress show) {
  Place place{start, objective(data, start)};
  Fit result = iterated(start, options, data.rows(), label, show, place.objective.value, [&](Fit& fit) {
    ascend(place, data.rows(), [&](const Parameters& p) { return objective(data, p); }, fit.gradients);
    return Iterate{place.at, place.objective.value};
  });
  ++result.gradients;
  result.e_steps = result.gradients;
  return result;
}

}  // namespace expectation_maximization
