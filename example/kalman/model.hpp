#pragma once

#include <tapeless/tapeless.hpp>

#include <array>
#include <cstddef>

/// A target that moves with nearly constant speed and rate of turn, seen by a radar at the origin. All angles in
/// radians.
namespace kalman {

/// x, y, heading, speed, rate of turn.
using State = std::array<double, 5>;
/// Of the speed and of the heading, constant over a step: what the motion is disturbed by.
using Acceleration = std::array<double, 2>;
/// Range and bearing.
using Sighting = std::array<double, 2>;

/// sin(u) / u, at 0 its limit. For small u from the Taylor series, which differs from it by less than a rounding error;
/// the other branch, 0 / 0 at 0, reaches neither value nor derivative.
template <class T>
constexpr T sinc(const T& u) {
  const T u2 = u * u;
  const T series = 1 - u2 / 6 * (1 - u2 / 20 * (1 - u2 / 42 * (1 - u2 / 72)));
  return where(u2 < 0.01, series, sin(u) / u);
}

/// The state after a time `dt`. With constant speed and rate of turn the path is an arc, and its chord is
/// speed dt sinc(u) long and has the heading in the middle of the arc, where half the turn, u, is made.
struct Motion {
  template <class AnyState, class AnyAcceleration, class Time>
  constexpr auto operator()(const AnyState& state, const AnyAcceleration& acceleration, const Time& dt) const {
    const auto [x, y, heading, speed, turn] = state;
    const Time half_turn = dt / 2 * (turn + dt / 2 * acceleration[1]);
    const Time chord = dt * (speed + dt / 2 * acceleration[0]) * sinc(half_turn);
    return std::array<Time, 5>{x + chord * cos(heading + half_turn), y + chord * sin(heading + half_turn),
                               heading + 2 * half_turn, speed + dt * acceleration[0], turn + dt * acceleration[1]};
  }
};

/// What the radar sees of a state.
struct Sight {
  template <class AnyState>
  constexpr auto operator()(const AnyState& state) const {
    return std::array{hypot(state[0], state[1]), atan2(state[1], state[0])};
  }
};

/// The state at the second of two sightings, a time `dt` apart, of a target with a given rate of turn.
struct Start {
  template <class First, class Second, class Turn, class Time>
  constexpr auto operator()(const First& first, const Second& second, const Turn& turn, const Time& dt) const {
    const Time x = second[0] * cos(second[1]);
    const Time y = second[0] * sin(second[1]);
    const Time dx = x - first[0] * cos(first[1]);
    const Time dy = y - first[0] * sin(first[1]);
    const Time half_turn = dt / 2 * turn;
    return std::array<Time, 5>{x, y, atan2(dy, dx) + half_turn, hypot(dx, dy) / (dt * sinc(half_turn)), turn};
  }
};

/// motion(state, acceleration, dt): the next state, and its derivatives by state (5 columns) and acceleration (2).
inline constexpr auto motion = tapeless::value_and_jacobian(Motion{}, tapeless::wrt<0, 1>);
/// sight(state): the sighting, and its derivatives by the state.
inline constexpr auto sight = tapeless::value_and_jacobian(Sight{});
/// start(first, second, turn, dt): the state, and its derivatives by the sightings (4 columns) and the rate of turn.
inline constexpr auto start = tapeless::value_and_jacobian(Start{}, tapeless::wrt<0, 1, 2>);

// The compiler has them all. Straight ahead, along the x axis, is where the formula sin(u) / u has no value.
static_assert(motion(State{7, 8, 0, 2, 0}, Acceleration{}, 1.0).value == State{9, 8, 0, 2, 0});
static_assert(motion(State{7, 8, 0, 2, 0}, Acceleration{}, 1.0).jacobian ==
              std::array<std::array<double, 7>, 5>{{{1, 0, 0, 1, 0, 0.5, 0},
                                                    {0, 1, 2, 0, 1, 0, 0.5},
                                                    {0, 0, 1, 0, 1, 0, 0.5},
                                                    {0, 0, 0, 1, 0, 1, 0},
                                                    {0, 0, 0, 0, 1, 0, 1}}});
static_assert(sight(State{0, 2, 1, 1, 1}).jacobian == std::array<State, 2>{{{0, 1, 0, 0, 0}, {-0.5, 0, 0, 0, 0}}});

}  // namespace kalman
