#pragma once

#include "model.hpp"

#include <tapeless/inspect/schedule.hpp>

#include <array>

namespace expectation_maximization {

/// softmax of the joint log-densities over the components: the E-step.
Matrix responsibilities(const Matrix& joint);

/// Without the constant.
double log_likelihood(const Matrix& joint);

/// Ways to write what a step is to raise, as formulas of the joint log-densities l and the responsibilities r(l).
enum class Objective {
  log_likelihood,       ///< sum log sum exp l
  free_energy_stopped,  ///< sum r (l - log r), r stopped
  free_energy_open,
  expected_stopped,  ///< sum r l, r stopped
  expected_open      ///< a wrong gradient
};
inline constexpr std::array all_objectives{Objective::log_likelihood, Objective::free_energy_stopped,
                                           Objective::free_energy_open, Objective::expected_stopped,
                                           Objective::expected_open};

struct InJoint {
  double value;
  Matrix gradient;
  tapeless::schedule_counts counts;  ///< what computing both takes
};
InJoint in_joint(Objective objective, const Matrix& joint);

/// The second derivative of the log-likelihood in the joint log-densities, along a direction, from both sides: the sum
/// over rows of the direction's variance under the responsibilities. With stopped responsibilities it is zero.
double curvature_in_joint(const Matrix& joint, const Matrix& direction);

}  // namespace expectation_maximization
