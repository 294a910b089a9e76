#pragma once

#include "estimator.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <random>
#include <vector>

namespace kalman {

/// A target's true states and what the radar has seen of them.
struct Flight {
  std::vector<State> truth;
  std::vector<Sighting> sightings;
};

/// Box and Muller's method: the standard fixes the engine's numbers, but not those of std::normal_distribution.
class Normal {
 public:
  explicit Normal(std::uint64_t seed) : engine_(seed) {}

  double operator()(double sd) {
    const double radius = std::sqrt(-2 * std::log(uniform()));
    return sd * radius * std::cos(2 * std::numbers::pi * uniform());
  }

 private:
  double uniform() { return (static_cast<double>(engine_() >> 11) + 0.5) * 0x1p-53; }

  std::mt19937_64 engine_;
};

/// A flight of an aircraft that is disturbed and seen as the noise says, at `sightings` times `dt` apart.
inline Flight simulate(std::size_t sightings, double dt, const Noise& noise, std::uint64_t seed) {
  Normal normal(seed);
  Flight flight;
  State state{-9000, 4000, -0.4, 150, normal(noise.turn)};
  for (std::size_t i = 0; i < sightings; ++i) {
    flight.truth.push_back(state);
    const auto [range, bearing] = sight(state).value;
    const double range_error = normal(noise.range);
    const double bearing_error = normal(noise.bearing);
    flight.sightings.push_back({range + range_error, angle_between(bearing + bearing_error, 0)});
    const double acceleration = normal(noise.acceleration);
    const double turn_acceleration = normal(noise.turn_acceleration);
    state = motion(state, Acceleration{acceleration, turn_acceleration}, dt).value;
  }
  return flight;
}

}  // namespace kalman
