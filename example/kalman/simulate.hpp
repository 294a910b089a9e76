#pragma once

#include "../common/random.hpp"
#include "estimator.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace kalman {

/// A target's true states and what the radar has seen of them.
struct Flight {
  std::vector<State> truth;
  std::vector<Sighting> sightings;
};

/// A flight of an aircraft that is disturbed and seen as the noise says, at `sightings` times `dt` apart.
inline Flight simulate(std::size_t sightings, double dt, const Noise& noise, std::uint64_t seed) {
  example::Random random(seed);
  const auto normal = [&](double sd) { return random.normal(0, sd); };
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
