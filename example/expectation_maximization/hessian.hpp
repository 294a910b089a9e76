#pragma once

#include "fit.hpp"

#include <cmath>
#include <cstddef>

namespace expectation_maximization {

/// Second derivatives along the last step v of a fit by EM. Those of the objective with stopped responsibilities are
/// the information in complete data, -v'H v; without the stop the information that is missing, which row came from
/// which component, is taken away.
struct Curvatures {
  double complete;  ///< by differences of the gradient with responsibilities kept
  double missing;   ///< second derivative of the log-likelihood in the joint log-densities
  double observed;  ///< by differences of the gradient of the log-likelihood: complete - missing
  double predicted_rate() const { return missing / complete; }
  double mismatch() const { return std::abs(complete - missing - observed) / complete; }
};

inline Curvatures curvatures(const Data& data, const Fit& fit) {
  const double length = fit.lengths.back();
  Parameters direction = fit.parameters;
  const auto combine = [&](Parameters& result, const Parameters& p, const Parameters& q, double share) {
    result.a = p.a + share * q.a;
    result.m = p.m + share * q.m;
    result.A = p.A + share * q.A;
  };
  combine(direction, fit.parameters, fit.before, -1);
  direction.a /= length;
  direction.m /= length;
  direction.A /= length;

  const Matrix log_joint = joint(data, fit.parameters);
  const Matrix R = responsibilities(log_joint);
  constexpr double h = 1e-4;
  Parameters ahead = direction;
  Parameters behind = direction;
  combine(ahead, fit.parameters, direction, h);
  combine(behind, fit.parameters, direction, -h);
  const auto along = [&](const Parameters& gradient) {
    double result = 0;
    const auto add = [&](const auto& g, const auto& v) {
      for (std::size_t e = 0; e < g.size(); ++e) {
        result += g.data()[e] * v.data()[e];
      }
    };
    add(gradient.a, direction.a);
    add(gradient.m, direction.m);
    add(gradient.A, direction.A);
    return result;
  };
  const auto curvature = [&](const auto& objective) {
    return -(along(objective(ahead).gradient) - along(objective(behind).gradient)) / (2 * h);
  };
  return {curvature([&](const Parameters& p) { return kept_expectation(data, p, R); }),
          curvature_in_joint(log_joint, joint_along(data, fit.parameters, direction)),
          curvature([&](const Parameters& p) { return open_log_likelihood(data, p); })};
}

}  // namespace expectation_maximization
