// Temporal differences: the value v(s) of a state learns from that of the next.
//
//   L = 1/2 (r + g stop(v(s')) - v(s))^2,    dL/dv(s) = -delta,    dL/dv(s') = 0
//
// At the true values v = (I - g P)^-1 r the expected gradient is zero. Without the stop it is not, where s' is random:
// the term g E delta of v(s') remains, since delta is correlated with s' (the double-sampling problem of residual
// gradients).
#include "agree.hpp"

#include <tapeless/tapeless.hpp>

#include <array>
#include <cmath>
#include <cstdio>
#include <tuple>

using namespace tapeless;

namespace {

constexpr double discount = 0.9;
constexpr std::array<std::array<double, 2>, 2> transition{{{0.5, 0.5}, {0.2, 0.8}}};
constexpr std::array reward{1.0, -2.0};

constexpr auto td = [](auto v, auto next, auto r) { return square(r + discount * stop_gradient(next) - v) / 2; };
constexpr auto residual = [](auto v, auto next, auto r) { return square(r + discount * next - v) / 2; };

/// The expected gradient by v, summed over the states from which steps start.
template <class Loss>
std::array<double, 2> expected_gradient(const Loss& loss, const std::array<double, 2>& v) {
  std::array<double, 2> sum{};
  for (std::size_t s = 0; s < 2; ++s)
    for (std::size_t next = 0; next < 2; ++next) {
      const auto [by_v, by_next, by_r] = gradient(loss)(v[s], v[next], reward[s]);
      sum[s] += transition[s][next] * by_v;
      sum[next] += transition[s][next] * by_next;
    }
  return sum;
}

}  // namespace

int main() {
  // (I - g P) v = r by Cramer's rule.
  const double a = 1 - discount * 0.5, b = -discount * 0.5, c = -discount * 0.2, d = 1 - discount * 0.8;
  const std::array exact{(d * reward[0] - b * reward[1]) / (a * d - b * c),
                         (a * reward[1] - c * reward[0]) / (a * d - b * c)};
  const auto at_exact = expected_gradient(td, exact), without_stop = expected_gradient(residual, exact);
  std::array v{0.0, 0.0};
  for (int step = 0; step < 2000; ++step) {
    const auto g = expected_gradient(td, v);
    for (std::size_t s = 0; s < 2; ++s) v[s] -= 0.5 * g[s];
  }
  // g sum_s P(s, 0) delta(s, 0)
  const double remains = discount * (0.5 * (reward[0] + discount * exact[0] - exact[0]) +
                                     0.2 * (reward[1] + discount * exact[0] - exact[1]));
  std::printf("TD: v = (%.4f, %.4f) as solved; without the stop a gradient of %.4f remains there\n", v[0], v[1],
              without_stop[0]);
  const bool right = agree(at_exact[0], 0) && agree(at_exact[1], 0) && agree(v[0], exact[0], 1e-9) &&
                     agree(v[1], exact[1], 1e-9) && agree(without_stop[0], remains) && std::abs(remains) > 0.1;
  return right ? 0 : 1;
}
