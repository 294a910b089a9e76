#pragma once

#include <tapeless/ipopt.hpp>
#include <tapeless/tapeless.hpp>

#include <IpIpoptApplication.hpp>
#include <IpSolveStatistics.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <numbers>
#include <numeric>
#include <vector>

namespace predictive_control {

constexpr double cart_mass = 1, pole_mass = 0.3, pole_length = 0.5, gravity = 9.81;
constexpr double strongest = 20, farthest = 1;

/// Position (m), angle from hanging (rad), speed (m/s), angular rate (rad/s).
template <class T>
using State = std::array<T, 4>;
/// A state, and the force (N) on the cart until the next.
template <class T>
using Point = std::array<T, 5>;

/// The derivatives of a state by time. Source: R. Tedrake, Underactuated Robotics, "Acrobots, cart-poles, and
/// quadrotors".
template <class T, class M>
constexpr State<T> slopes(const State<T>& state, const T& force, const M& mass) {
  using std::cos, std::sin;
  const T &angle = state[1], &rate = state[3];
  const T s = sin(angle), c = cos(angle), inertia = cart_mass + mass * s * s, pull = mass * pole_length * rate * rate;
  return {state[2], rate, (force + s * (pull + mass * gravity * c)) / inertia,
          -(force * c + pull * c * s + (cart_mass + mass) * gravity * s) / (pole_length * inertia)};
}

/// The state after a time, by one step of the classical method of Runge and Kutta.
template <class T, class H, class M>
constexpr State<T> advance(const State<T>& state, const T& force, const H& time, const M& mass) {
  const auto moved = [&](const State<T>& slope, const auto& by) {
    State<T> to = state;
    for (std::size_t i = 0; i < 4; ++i) to[i] = to[i] + by * slope[i];
    return to;
  };
  const State<T> a = slopes(state, force, mass), b = slopes(moved(a, time / 2), force, mass),
                 c = slopes(moved(b, time / 2), force, mass), d = slopes(moved(c, time), force, mass);
  State<T> to = state;
  for (std::size_t i = 0; i < 4; ++i) to[i] = to[i] + time / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
  return to;
}

template <class T>
constexpr State<T> state_of(const Point<T>& point) {
  return {point[0], point[1], point[2], point[3]};
}

/// What a point costs for the time until the next: least is an upright pole, at rest at position 0, without a force.
inline constexpr auto cost = [](auto point, auto time) {
  const auto& [position, angle, speed, rate, force] = point;
  return time *
         (4 * (1 + cos(angle)) + position * position + 0.1 * (speed * speed + rate * rate) + 0.01 * force * force);
};
/// What is zero where the second point follows the first.
inline constexpr auto motion = []<class T>(const Point<T>& now, const Point<T>& then, auto time) {
  State<T> gap = advance(state_of(now), now[4], time, pole_mass);
  for (std::size_t i = 0; i < 4; ++i) gap[i] = then[i] - gap[i];
  return gap;
};

/// Finds the cheapest points from a state on, always the same number of them.
class Controller {
 public:
  Controller(int steps, double time)
      : problem_(tapeless::ipopt_problem(std::vector<Point<double>>(static_cast<std::size_t>(steps) + 1),
                                         tapeless::elements_of(cost, all(steps), time),
                                         tapeless::elements_of(motion, pairs(steps), time))) {
    for (auto* bounds : {&problem_->constraint_lower, &problem_->constraint_upper}) std::ranges::fill(*bounds, 0);
    constexpr double none = std::numeric_limits<double>::infinity();
    std::ranges::fill(problem_->lower, Point<double>{-farthest, -none, -none, -none, -strongest});
    std::ranges::fill(problem_->upper, Point<double>{farthest, none, none, none, strongest});
    // The force after the last state moves nothing.
    problem_->lower.back()[4] = problem_->upper.back()[4] = 0;
    for (std::size_t k = 0; k < problem_->start.size(); ++k)
      problem_->start[k][1] = std::numbers::pi * static_cast<double>(k) / steps;
    ipopt_->Options()->SetIntegerValue("print_level", 0);
    ipopt_->Options()->SetStringValue("sb", "yes");
    ipopt_->Options()->SetNumericValue("tol", 1e-9);
    ipopt_->Initialize();
  }

  /// Whether Ipopt found the points, from what it found last time, a step later.
  bool solve(const State<double>& from) {
    std::copy(from.begin(), from.end(), problem_->lower[0].begin());
    std::copy(from.begin(), from.end(), problem_->upper[0].begin());
    const auto status = ipopt_->OptimizeTNLP(Ipopt::GetRawPtr(problem_));
    problem_->start = problem_->solution;
    std::shift_left(problem_->start.begin(), problem_->start.end(), 1);
    return status == Ipopt::Solve_Succeeded || status == Ipopt::Solved_To_Acceptable_Level;
  }
  const std::vector<Point<double>>& points() const { return problem_->solution; }
  double value() const { return problem_->value; }
  int iterations() const { return ipopt_->Statistics()->IterationCount(); }

  /// How many unknowns and constraints there are, and numbers in the Jacobian and in the Hessian.
  std::array<int, 4> sizes() const {
    std::array<Ipopt::Index, 4> n;
    Ipopt::TNLP::IndexStyleEnum style;
    problem_->get_nlp_info(n[0], n[1], n[2], n[3], style);
    return n;
  }

 private:
  static std::vector<int> all(int steps) {
    std::vector<int> numbers(static_cast<std::size_t>(steps) + 1);
    std::iota(numbers.begin(), numbers.end(), 0);
    return numbers;
  }
  static std::vector<std::array<int, 2>> pairs(int steps) {
    std::vector<std::array<int, 2>> result;
    for (int k = 0; k < steps; ++k) result.push_back({k, k + 1});
    return result;
  }
  using Problem = decltype(tapeless::ipopt_problem(
      std::vector<Point<double>>(), tapeless::elements_of(cost, std::vector<int>(), 0.0),
      tapeless::elements_of(motion, std::vector<std::array<int, 2>>(), 0.0)));
  Problem problem_;
  Ipopt::SmartPtr<Ipopt::IpoptApplication> ipopt_ = new Ipopt::IpoptApplication();
};

}  // namespace predictive_control
