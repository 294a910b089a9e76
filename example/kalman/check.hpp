#pragma once

#include "simulate.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>

namespace kalman {

/// The largest difference of the derivatives of `f`, which gives `.value` and `.jacobian`, from difference quotients at
/// a point, relative to the row of the Jacobian. `units` says what changes of the variables are of equal importance.
template <class Function, std::size_t N>
double jacobian_error(Function f, const std::array<double, N>& point, const std::array<double, N>& units) {
  const auto jacobian = f(point).jacobian;
  auto errors = f(point).value;
  auto sizes = errors;
  errors.fill(0);
  sizes.fill(0);
  for (std::size_t column = 0; column < N; ++column) {
    const auto moved = [&](double steps) {
      std::array<double, N> there = point;
      there[column] += steps * units[column];
      return f(there).value;
    };
    const double step = 0.01;
    const auto forward = moved(step);
    const auto backward = moved(-step);
    const auto half_forward = moved(step / 2);
    const auto half_backward = moved(-step / 2);
    for (std::size_t row = 0; row < errors.size(); ++row) {
      // Central differences at two steps, extrapolated: the error falls with the fourth power of the step.
      const double wide = (forward[row] - backward[row]) / (2 * step);
      const double narrow = (half_forward[row] - half_backward[row]) / step;
      const double derivative = jacobian[row][column] * units[column];
      errors[row] = std::max(errors[row], std::abs((4 * narrow - wide) / 3 - derivative));
      sizes[row] += std::abs(derivative);
    }
  }
  double largest = 0;
  for (std::size_t row = 0; row < errors.size(); ++row) {
    largest = std::max(largest, errors[row] / sizes[row]);
  }
  return largest;
}

/// The largest of those errors of the motion and of the sight at the estimates.
inline double jacobian_error(std::span<const Step> steps, double dt) {
  double largest = 0;
  for (const auto& [estimate, surprise] : steps) {
    const auto [x, y, heading, speed, turn] = estimate.mean;
    const auto motion_of = [dt](const std::array<double, 7>& p) {
      return motion(State{p[0], p[1], p[2], p[3], p[4]}, Acceleration{p[5], p[6]}, dt);
    };
    const auto sight_of = [&](const State& state) {
      auto result = sight(state);
      // Continuous where the bearing jumps by a turn.
      result.value[1] = angle_between(result.value[1], std::atan2(y, x));
      return result;
    };
    largest = std::max({largest,
                        jacobian_error(motion_of, std::array<double, 7>{x, y, heading, speed, turn, 0, 0},
                                       {100, 100, 0.1, 10, 0.01, 1, 0.001}),
                        jacobian_error(sight_of, estimate.mean, {100, 100, 0.1, 10, 0.01})});
  }
  return largest;
}

/// How far from the truth sightings and estimates are: square roots of mean squares.
struct Errors {
  double sighted_position = 0;
  double position = 0;
  double heading = 0;
  double speed = 0;
  double turn = 0;
  /// The mean squared distance of the true states in standard deviations; 5 is expected.
  double distance = 0;
};

inline Errors errors_of(const Flight& flight, std::span<const Step> steps) {
  Errors errors;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const State& truth = flight.truth[i + 2];
    const auto [range, bearing] = flight.sightings[i + 2];
    State error = steps[i].estimate.mean;
    for (std::size_t j = 0; j < error.size(); ++j) {
      error[j] -= truth[j];
    }
    error[2] = angle_between(error[2], 0);
    const auto square = [](double x) { return x * x; };
    errors.sighted_position +=
        square(range * std::cos(bearing) - truth[0]) + square(range * std::sin(bearing) - truth[1]);
    errors.position += square(error[0]) + square(error[1]);
    errors.heading += square(error[2]);
    errors.speed += square(error[3]);
    errors.turn += square(error[4]);
    errors.distance += squared_distance(error, steps[i].estimate.covariance);
  }
  const auto n = static_cast<double>(steps.size());
  for (double* sum : {&errors.sighted_position, &errors.position, &errors.heading, &errors.speed, &errors.turn}) {
    *sum = std::sqrt(*sum / n);
  }
  errors.distance /= n;
  return errors;
}

/// Is the estimator as wrong as it says?
struct Consistency {
  double mean = 0;  ///< of the surprises; 2 is expected
  double lowest;    ///< Between these bounds the mean is in 999 of 1000 flights.
  double highest;
  double above = 0;  ///< the share of surprises that are above what 5 % are
};

/// A surprise that 5 % are above: the quantile of the chi-squared distribution with 2 degrees of freedom, -2 ln 0.05.
constexpr double rare_surprise = 5.991464547107982;

inline Consistency consistency_of(std::span<const Step> steps) {
  const auto n = static_cast<double>(steps.size());
  // Wilson and Hilferty: the cube root of a chi-squared variable per degree of freedom is nearly normal.
  const double spread = 2 / (9 * 2 * n);
  const auto quantile = [&](double deviations) { return 2 * std::pow(1 - spread + deviations * std::sqrt(spread), 3); };
  Consistency result{.lowest = quantile(-3.2905), .highest = quantile(3.2905)};
  for (const Step& step : steps) {
    result.mean += step.surprise / n;
    result.above += (step.surprise > rare_surprise ? 1 : 0) / n;
  }
  return result;
}

}  // namespace kalman
