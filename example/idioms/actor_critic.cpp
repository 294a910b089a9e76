// Advantage actor-critic in one loss. The action a is 1 with probability p = sigmoid(t), else 0; the critic says v.
//
//   L = -log pi(a) stop(r_a - v) + 1/2 (r_a - v)^2
//
//   E dL/dt = -p' (r_1 - r_0), the negative of d/dt E r, whatever v is;    E dL/dv = v - E r, that of the regression
//   alone
//
// Without the stop the actor's term would teach the critic to make actions look bad: E dL/dv gains E log pi.
#include "agree.hpp"

#include <tapeless/tapeless.hpp>

#include <cmath>
#include <cstdio>

using namespace tapeless;

namespace {

constexpr auto log_policy = [](const auto& t, const auto& action) { return action * t - softplus(t); };
constexpr auto loss = [](auto t, auto v, auto action, auto r) {
  return -log_policy(t, action) * stop_gradient(r - v) + square(r - v) / 2;
};
constexpr auto not_stopped = [](auto t, auto v, auto action, auto r) {
  return -log_policy(t, action) * (r - v) + square(r - v) / 2;
};

}  // namespace

int main() {
  const double t = -0.4, v = 0.7, p = 1 / (1 + std::exp(-t)), of_one = 2, of_zero = -1;
  const auto expectation = [&](const auto& f) {
    const auto [t1, v1] = gradient(f, wrt<0, 1>)(t, v, 1.0, of_one);
    const auto [t0, v0] = gradient(f, wrt<0, 1>)(t, v, 0.0, of_zero);
    return std::array{p * t1 + (1 - p) * t0, p * v1 + (1 - p) * v0};
  };
  const auto [by_t, by_v] = expectation(loss);
  const auto leaked = expectation(not_stopped);
  const double mean = p * of_one + (1 - p) * of_zero, entropy = -p * std::log(p) - (1 - p) * std::log(1 - p);
  std::printf("actor-critic: E dL/dt = %.6f, E dL/dv = %.6f; without the stop E dL/dv = %.6f\n", by_t, by_v, leaked[1]);
  const bool right = agree(by_t, -p * (1 - p) * (of_one - of_zero)) && agree(by_v, v - mean) &&
                     agree(leaked[0], by_t) && agree(leaked[1], v - mean - entropy);
  return right ? 0 : 1;
}
