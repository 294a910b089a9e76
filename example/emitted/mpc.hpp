#pragma once

#include <tapeless/tapeless.hpp>

#include <array>

/// A crane: a trolley moves as it is told, and its load hangs on a rope of one metre.
namespace emitted {

/// Position of the trolley (m), its speed (m/s), angle of the rope (rad), its rate (rad/s).
template <class T>
using Crane = std::array<T, 4>;

/// A step of 0.1 s.
struct Swing {
  template <class State, class T>
  constexpr auto operator()(const State& crane, const T& acceleration) const {
    constexpr double dt = 0.1, gravity = 9.81, friction = 0.1;
    const auto speed = crane[1] + dt * acceleration;
    const auto rate = crane[3] - dt * (gravity * sin(crane[2]) + acceleration * cos(crane[2]) + friction * crane[3]);
    return std::array{crane[0] + dt * speed, speed, crane[2] + dt * rate, rate};
  }
};

/// What a plan, the accelerations (m/s^2) of the next steps, costs: least is to be at the goal, at rest, with the load
/// at rest. The loop stays one in C, and the number of steps is known to the caller alone.
struct Cost {
  template <class AnyPlan, class State, class T>
  constexpr auto operator()(const AnyPlan& plan, const State& now, const T& goal) const {
    using tapeless::square;
    const auto step = [&](const auto& so_far, const auto& acceleration) {
      const auto crane = Swing{}(std::array{so_far[0], so_far[1], so_far[2], so_far[3]}, acceleration);
      return std::array{crane[0], crane[1], crane[2], crane[3],
                        so_far[4] + square(crane[0] - goal) + 0.1 * square(crane[1]) + 10 * square(crane[2]) +
                            square(crane[3]) + 0.01 * square(acceleration)};
    };
    return tapeless::scan(step, std::array{now[0], now[1], now[2], now[3], 0.0 * goal}, plan)[4];
  }
};

}  // namespace emitted
