// The targets of Q-learning with Q(s, a; w) = w_a . f(s), and of its variants.
//
//   L = 1/2 (stop(y) - Q(s, a; w))^2,    dL/dw_a = -(y - Q) f(s),    nothing by what y is made of
//   Q-learning: y = r + g max_a' Q(s', a'; w)        DQN: the same with older weights u
//   Double DQN: y = r + g Q(s', argmax_a' Q(s', a'; w); u)
//
// The stop keeps w from lowering the loss by moving the target, which would add g (y - Q) f(s') to the best action.
#include "agree.hpp"

#include <tapeless/tapeless.hpp>

#include <array>
#include <cstdio>
#include <tuple>

using namespace tapeless;

namespace {

constexpr double discount = 0.9, reward = 0.5;
using features = std::array<double, 2>;
constexpr features now{1.0, 2.0}, next{0.5, -1.0};

// Weights w: those of action 0, then those of action 1. Taken was action 0.
constexpr auto value_of = [](const auto& w, int action, const features& f) {
  return w[action == 0 ? 0 : 2] * f[0] + w[action == 0 ? 1 : 3] * f[1];
};
constexpr auto q_learning = [](auto w, auto) {
  const auto target = reward + discount * max(value_of(w, 0, next), value_of(w, 1, next));
  return square(stop_gradient(target) - value_of(w, 0, now)) / 2;
};
constexpr auto double_dqn = [](auto w, auto u) {
  const auto best = where(value_of(w, 0, next) > value_of(w, 1, next), value_of(u, 0, next), value_of(u, 1, next));
  return square(stop_gradient(reward + discount * best) - value_of(w, 0, now)) / 2;
};
constexpr auto not_stopped = [](auto w, auto) {
  const auto target = reward + discount * max(value_of(w, 0, next), value_of(w, 1, next));
  return square(target - value_of(w, 0, now)) / 2;
};

}  // namespace

int main() {
  const std::array w{0.3, -0.2, 0.4, 0.1}, u{0.1, 0.5, -0.3, 0.2};
  // By hand: Q(s, 0) = -0.1; Q(s', .; w) = (0.35, 0.1), of which action 0 is best; Q(s', 0; u) = -0.45.
  const double q_error = 0.5 + 0.9 * 0.35 + 0.1, double_error = 0.5 - 0.9 * 0.45 + 0.1;
  const auto [by_w, by_u] = gradient(q_learning)(w, u);
  const auto [double_by_w, double_by_u] = gradient(double_dqn)(w, u);
  const auto moved = gradient(not_stopped, wrt<0>)(w, u);
  bool right = true;
  for (std::size_t i = 0; i < 4; ++i) {
    const double by_value = i < 2 ? now[i] : 0, by_target = i < 2 ? discount * next[i] : 0;
    right = right && agree(by_w[i], -q_error * by_value) && agree(double_by_w[i], -double_error * by_value) &&
            by_u[i] == 0 && double_by_u[i] == 0 && agree(moved[i], q_error * (by_target - by_value));
  }
  std::printf("Q-learning: by w_0 (%.4f, %.4f); double DQN (%.4f, %.4f); target moving along (%.4f, %.4f)\n", by_w[0],
              by_w[1], double_by_w[0], double_by_w[1], moved[0], moved[1]);
  return right ? 0 : 1;
}
