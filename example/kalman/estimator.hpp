#pragma once

#include "matrix.hpp"
#include "model.hpp"

#include <span>

/// An extended Kalman filter for targets without exceptions, run-time type information and heap.
namespace kalman {

/// Standard deviations.
struct Noise {
  double acceleration;       ///< m/s^2, from step to step
  double turn_acceleration;  ///< rad/s^2, from step to step
  double turn;               ///< rad/s, of the rate of turn at the start
  double range;              ///< m, of a sighting
  double bearing;            ///< rad, of a sighting
};

/// A normal distribution.
struct Estimate {
  State mean;
  Matrix<5, 5> covariance;
};

/// What a sighting has led to.
struct Step {
  Estimate estimate;
  /// The squared distance of the sighting from where the target was expected, in standard deviations: the normalised
  /// innovation squared. Chi-squared with 2 degrees of freedom if the estimator is consistent.
  double surprise;
};

/// The difference of two angles, at most half a turn.
double angle_between(double a, double b) noexcept;

/// After the first two sightings, a time `dt` apart.
Estimate start_estimate(const Sighting& first, const Sighting& second, double dt, const Noise& noise) noexcept;

/// A time `dt` later.
Estimate predict(const Estimate& estimate, double dt, const Noise& noise) noexcept;

/// With a sighting more.
Step update(const Estimate& predicted, const Sighting& seen, const Noise& noise) noexcept;

/// Follows a target: `steps[i]` is what sighting i + 2 leads to. The sightings are a time `dt` apart.
void track(std::span<const Sighting> sightings, double dt, const Noise& noise, std::span<Step> steps) noexcept;

}  // namespace kalman
