#include "estimator.hpp"

#include <cmath>
#include <cstddef>
#include <numbers>

namespace kalman {

double angle_between(double a, double b) noexcept { return std::remainder(a - b, 2 * std::numbers::pi); }

Estimate start_estimate(const Sighting& first, const Sighting& second, double dt, const Noise& noise) noexcept {
  const auto [state, jacobian] = start(first, second, 0.0, dt);
  const std::array<double, 5> sd{noise.range, noise.bearing, noise.range, noise.bearing, noise.turn};
  return {state, spread(jacobian, variances(sd))};
}

Estimate predict(const Estimate& estimate, double dt, const Noise& noise) noexcept {
  const auto [state, jacobian] = motion(estimate.mean, Acceleration{}, dt);
  // Of state and acceleration, which are independent.
  Matrix<7, 7> covariance = variances<7>({0, 0, 0, 0, 0, noise.acceleration, noise.turn_acceleration});
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::size_t j = 0; j < 5; ++j) {
      covariance[i][j] = estimate.covariance[i][j];
    }
  }
  return {state, spread(jacobian, covariance)};
}

Step update(const Estimate& predicted, const Sighting& seen, const Noise& noise) noexcept {
  const auto [expected, h] = sight(predicted.mean);
  const Sighting innovation{seen[0] - expected[0], angle_between(seen[1], expected[1])};
  const Matrix<2, 2> r = variances<2>({noise.range, noise.bearing});
  Matrix<2, 2> s = spread(h, predicted.covariance);
  for (std::size_t i = 0; i < 2; ++i) {
    s[i][i] += r[i][i];
  }
  const double determinant = s[0][0] * s[1][1] - s[0][1] * s[1][0];
  const Matrix<2, 2> inverse{
      {{s[1][1] / determinant, -s[0][1] / determinant}, {-s[1][0] / determinant, s[0][0] / determinant}}};
  const Matrix<5, 2> gain = product(product(predicted.covariance, transposed(h)), inverse);

  // Joseph's form of the covariance, (I - K H) P (I - K H)' + K R K', stays positive definite in floating point.
  Matrix<5, 5> rest = product(gain, h);
  Step step{predicted, squared_distance(innovation, s)};
  for (std::size_t i = 0; i < 5; ++i) {
    step.estimate.mean[i] += gain[i][0] * innovation[0] + gain[i][1] * innovation[1];
    for (std::size_t j = 0; j < 5; ++j) {
      rest[i][j] = (i == j ? 1 : 0) - rest[i][j];
    }
  }
  step.estimate.covariance = spread(rest, predicted.covariance);
  const Matrix<5, 5> seen_spread = spread(gain, r);
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::size_t j = 0; j < 5; ++j) {
      step.estimate.covariance[i][j] += seen_spread[i][j];
    }
  }
  return step;
}

void track(std::span<const Sighting> sightings, double dt, const Noise& noise, std::span<Step> steps) noexcept {
  Estimate estimate = start_estimate(sightings[0], sightings[1], dt, noise);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    steps[i] = update(predict(estimate, dt, noise), sightings[i + 2], noise);
    estimate = steps[i].estimate;
  }
}

}  // namespace kalman
