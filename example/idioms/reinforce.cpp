// REINFORCE: the gradient of an expected reward from samples of an action a with probabilities pi = softmax(t).
//
//   L = stop(r_a - v) log pi_a,    E dL/dt_k = pi_k (r_k - E r) = d/dt_k E r    for every baseline v
//
// The baseline v = E r lessens the variance. It depends on t: without the stop its derivative enters, times the entropy
// H of the policy, and E dL/dt_k is 1 + H times too large.
#include "agree.hpp"

#include <tapeless/tapeless.hpp>

#include <array>
#include <cmath>
#include <cstdio>

using namespace tapeless;

namespace {

constexpr std::array reward{1.0, 2.0, 5.0}, logits{0.2, -0.5, 0.1};
constexpr std::array<std::array<double, 3>, 3> actions{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

constexpr auto dot3 = [](const auto& a, const auto& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; };
constexpr auto log_sum = [](const auto& t) { return logsumexp(t[0], t[1], t[2]); };
constexpr auto mean_reward = [](const auto& t) {
  return dot3(std::array{exp(t[0] - log_sum(t)), exp(t[1] - log_sum(t)), exp(t[2] - log_sum(t))}, reward);
};
// The action is a one-hot array.
constexpr auto plain = [](auto t, auto a) { return dot3(a, reward) * (dot3(a, t) - log_sum(t)); };
constexpr auto baseline = [](auto t, auto a) {
  return stop_gradient(dot3(a, reward) - mean_reward(t)) * (dot3(a, t) - log_sum(t));
};
constexpr auto not_stopped = [](auto t, auto a) {
  return (dot3(a, reward) - mean_reward(t)) * (dot3(a, t) - log_sum(t));
};

}  // namespace

int main() {
  std::array<double, 3> policy{};
  double sum = 0, expected = 0, entropy = 0;
  for (const double t : logits) sum += std::exp(t);
  for (std::size_t k = 0; k < 3; ++k) {
    policy[k] = std::exp(logits[k]) / sum;
    expected += policy[k] * reward[k];
    entropy -= policy[k] * std::log(policy[k]);
  }
  // The estimates' mean, checked, and their mean square.
  bool right = true;
  const auto mean_square = [&](const auto& loss, double factor) {
    std::array<double, 3> mean{};
    double square = 0;
    for (std::size_t a = 0; a < 3; ++a) {
      const auto g = gradient(loss, wrt<0>)(logits, actions[a]);
      for (std::size_t k = 0; k < 3; ++k) mean[k] += policy[a] * g[k], square += policy[a] * g[k] * g[k];
    }
    for (std::size_t k = 0; k < 3; ++k) right = right && agree(mean[k], factor * policy[k] * (reward[k] - expected));
    return square;
  };
  const double without = mean_square(plain, 1), with = mean_square(baseline, 1);
  mean_square(not_stopped, 1 + entropy);
  std::printf("REINFORCE: the mean is exact; mean square %.3f with the baseline, %.3f without\n", with, without);
  return right && with < without ? 0 : 1;
}
