// The ratio of proximal policy optimisation. An action is 1 with probability sigmoid(t), else 0; A is its advantage.
//
//   r = exp(log pi_t(a) - stop(log pi_s(a))),    L = min(r A, clamp(r, 1 - e, 1 + e) A)
//
// The old policy s is a constant. At t = s the ratio is 1 and the gradient that of REINFORCE, A d log pi/dt; where the
// ratio has left the interval towards larger L the gradient is zero, and where it has left it to the bad side r A d log
// pi.
#include "agree.hpp"

#include <tapeless/tapeless.hpp>

#include <cmath>
#include <cstdio>
#include <tuple>

using namespace tapeless;

namespace {

constexpr auto objective = [](auto t, auto s, auto action, auto advantage) {
  const auto log_policy = [&](const auto& logit) { return action * logit - softplus(logit); };
  const auto ratio = exp(log_policy(t) - stop_gradient(log_policy(s)));
  return min(ratio * advantage, clamp(ratio, 0.8, 1.2) * advantage);
};

double sigmoid_of(double t) { return 1 / (1 + std::exp(-t)); }

}  // namespace

int main() {
  const auto slope = gradient(objective, wrt<0, 1>);
  const double s = 0.3, p = sigmoid_of(s);
  // At t = s, over both actions with the advantages 2 and -1: d/dt (2 p - (1 - p)) = 3 p'.
  const auto [of_one, old_one] = slope(s, s, 1.0, 2.0);
  const auto [of_zero, old_zero] = slope(s, s, 0.0, -1.0);
  const double expected = p * of_one + (1 - p) * of_zero;
  // At t = 1.5 the action 1 has become likelier by more than a fifth.
  const double t = 1.5, ratio = sigmoid_of(t) / p;
  const double good = std::get<0>(slope(t, s, 1.0, 2.0)), bad = std::get<0>(slope(t, s, 1.0, -1.0));
  std::printf("PPO: ratio 1: E gradient %.6f; ratio %.3f: %g if good, %.6f if bad\n", expected, ratio, good, bad);
  const bool right = agree(expected, 3 * p * (1 - p)) && old_one == 0 && old_zero == 0 && ratio > 1.2 && good == 0 &&
                     agree(bad, -ratio * (1 - sigmoid_of(t)));
  return right ? 0 : 1;
}
