#pragma once

#include "parameters.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace expectation_maximization {

/// A change of the parameters: a moves by a, m by m, and P is multiplied from the left by 1 + E, for the diagonal by
/// exp(E).
struct Step {
  Vector a;
  Matrix m;
  std::vector<Factor> E;
  double length;  ///< the largest entry, in standard deviations as distance() has them
};

/// The gradient divided by the Fisher information of complete data, which is that of the expected log-likelihood at its
/// maximum. For the means it is the step of the closed form; for weights and P it is Newton's near the maximum.
/// `count`, the sum of a component's responsibilities, is in the gradient as well: that of a is count - n weight.
inline Step scoring_step(const Parameters& at, const Parameters& gradient, std::size_t rows) {
  const std::size_t d = at.dimensions();
  const auto n = static_cast<double>(rows);
  const Vector weight = weights(at);
  Step step{at.a, at.m, {}, 0};
  for (std::size_t k = 0; k < at.components(); ++k) {
    const double count = gradient.a(k) + n * weight(k);
    step.a(k) = gradient.a(k) / (n * weight(k));
    step.length = std::max(step.length, std::abs(step.a(k)));

    // (P'P)^-1 gradient / count = Q Q' gradient / count, Q the inverse of P.
    const Factor P = factor(at, k);
    const Factor Q = inverse(P);
    for (std::size_t i = 0; i < d; ++i) {
      step.m(k, i) = 0;
    }
    for (std::size_t j = 0; j < d; ++j) {
      double whitened = 0;
      for (std::size_t i = j; i < d; ++i) {
        whitened += Q(i, j) * gradient.m(k, i) / count;
      }
      step.length = std::max(step.length, std::abs(whitened));
      for (std::size_t i = j; i < d; ++i) {
        step.m(k, i) += Q(i, j) * whitened;
      }
    }

    // By E the gradient is that by P times P', and the information 2 count on the diagonal, count below it.
    Factor E(d);
    for (std::size_t i = 0; i < d; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        for (std::size_t l = 0; l <= j; ++l) {
          E(i, j) += (l == i ? gradient.A(k, i, l) / P(i, i) : gradient.A(k, i, l)) * P(j, l);
        }
        E(i, j) /= count * (i == j ? 2 : 1);
        step.length = std::max(step.length, std::abs(E(i, j)));
      }
    }
    step.E.push_back(E);
  }
  return step;
}

inline Parameters moved(const Parameters& from, const Step& step, double rate) {
  Parameters to = from;
  const std::size_t d = from.dimensions();
  for (std::size_t k = 0; k < from.components(); ++k) {
    to.a(k) += rate * step.a(k);
    const Factor P = factor(from, k);
    for (std::size_t i = 0; i < d; ++i) {
      to.m(k, i) += rate * step.m(k, i);
      const double scale = std::exp(rate * step.E[k](i, i));
      for (std::size_t j = 0; j < i; ++j) {
        to.A(k, i, j) = scale * P(i, j);
        for (std::size_t l = j; l < i; ++l) {
          to.A(k, i, j) += rate * step.E[k](i, l) * P(l, j);
        }
      }
      to.A(k, i, i) += rate * step.E[k](i, i);
    }
  }
  return to;
}

/// A point of an ascent, with the objective's value and gradient there.
struct Place {
  Parameters at;
  ValueAndGradient objective;
};

/// What rounding may make of a sum over the rows, relative to it.
inline double rounding(std::size_t rows) { return 1e-15 * std::sqrt(static_cast<double>(rows)); }

/// One step up, halved until `objective(parameters)` does not fall, but for rounding. Returns its full length.
/// `evaluations` counts.
template <class Objective>
double ascend(Place& place, std::size_t rows, const Objective& objective, int& evaluations) {
  const Step step = scoring_step(place.at, place.objective.gradient, rows);
  const double lowest = place.objective.value - rounding(rows) * std::abs(place.objective.value);
  for (double rate = 1 / std::max(1.0, step.length); rate > 1e-6; rate /= 2) {
    Parameters next = moved(place.at, step, rate);
    check_not_collapsed(next);
    ValueAndGradient there = objective(next);
    ++evaluations;
    if (there.value >= lowest) {
      place = {std::move(next), std::move(there)};
      break;
    }
  }
  return step.length;
}

}  // namespace expectation_maximization
