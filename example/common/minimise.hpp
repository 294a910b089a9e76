#pragma once

#include "error.hpp"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace example {

/// A function's value at a point, its gradient, and its Hessian or what stands for it, such as JᵀJ of a sum of squares.
struct Expansion {
  double value;
  Eigen::VectorXd gradient;
  Eigen::MatrixXd hessian;
};

struct Minimum {
  Eigen::VectorXd x;
  Expansion at;
  std::vector<double> values;  ///< at the start and after each iteration
  bool converged = false;
};

/// Minimises by steps of Levenberg and Marquardt's kind: (H + λ diag |H|) step = -gradient, where λ rises until the
/// matrix is positive definite and the value falls. Ends where a step is expected to gain less than `tolerance` (1 +
/// |value|). `evaluate(x)` gives an Expansion.
template <class Evaluate>
Minimum minimise(const Evaluate& evaluate, const Eigen::VectorXd& start, int iterations, double tolerance) {
  Minimum result{start, evaluate(start), {}, false};
  if (!std::isfinite(result.at.value)) {
    throw Error("the function is not finite at the start");
  }
  result.values.push_back(result.at.value);
  double damping = 0;
  for (int i = 0; i < iterations && !result.converged; ++i) {
    for (bool accepted = false; !accepted && !result.converged;) {
      if (damping > 1e12) {
        return result;
      }
      Eigen::MatrixXd damped = result.at.hessian;
      const Eigen::VectorXd scale = result.at.hessian.diagonal().cwiseAbs();
      damped.diagonal() += damping * (scale.array() + 1e-6 * scale.maxCoeff()).matrix();
      const Eigen::LLT<Eigen::MatrixXd> factor(damped);
      if (factor.info() == Eigen::Success) {
        const Eigen::VectorXd step = -factor.solve(result.at.gradient);
        const double gain = -0.5 * result.at.gradient.dot(step);
        if (gain <= tolerance * (1 + std::abs(result.at.value))) {
          result.converged = true;
          break;
        }
        Expansion next = evaluate(result.x + step);
        if (next.value < result.at.value) {
          accepted = true;
          result.x += step;
          result.at = std::move(next);
          result.values.push_back(result.at.value);
        }
      }
      damping = accepted ? (damping < 1e-6 ? 0 : damping / 10) : std::max(damping * 10, 1e-3);
    }
  }
  return result;
}

}  // namespace example
