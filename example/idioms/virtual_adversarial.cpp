// Virtual adversarial training of p(x) = sigmoid(w . x): predictions shall not change along the worst direction.
//
//   d = gradient by r of KL(p(x) | p(x + r)) at a small r,    r = stop(e d / |d|),    L = KL(stop(p(x)) | p(x + r))
//
// One step of the power iteration finds the direction, here w / |w|. With q = p(x + r):
//
//   dL/dw = (q - p) (x + r),    in which the stop of r changes nothing here: w . dr/dw = 0, r being along w
//
// Without the stop of p the prediction at x would be drawn to that at x + r: (w . x - w . (x + r)) p (1 - p) x is
// added.
#include "agree.hpp"

#include <tapeless/tapeless.hpp>

#include <array>
#include <cmath>
#include <cstdio>

using namespace tapeless;

namespace {

constexpr double radius = 0.4, small = 1e-3;

constexpr auto logit = [](const auto& w, const auto& x) { return w[0] * x[0] + w[1] * x[1]; };
// KL(sigmoid(a) | sigmoid(b)), by log sigmoid(a) = -softplus(-a).
constexpr auto divergence = [](const auto& a, const auto& b) {
  return sigmoid(a) * (softplus(-b) - softplus(-a)) + sigmoid(-a) * (softplus(b) - softplus(a));
};
constexpr auto moved = [](const auto& x, const auto& r) { return std::array{x[0] + r[0], x[1] + r[1]}; };
constexpr auto by_direction = [](auto r, auto w, auto x) { return divergence(logit(w, x), logit(w, moved(x, r))); };
constexpr auto perturbation = [](const auto& w, const auto& x) {
  const auto d = gradient(by_direction, wrt<0>)(std::array{small, 0.0}, w, x);
  return std::array{radius * d[0] / norm(d[0], d[1]), radius * d[1] / norm(d[0], d[1])};
};
constexpr auto loss = [](auto w, auto x) {
  const auto r = stop_gradient(perturbation(w, x));
  return divergence(stop_gradient(logit(w, x)), logit(w, moved(x, r)));
};
constexpr auto not_stopped = [](auto w, auto x) {
  return divergence(logit(w, x), logit(w, moved(x, stop_gradient(perturbation(w, x)))));
};

}  // namespace

int main() {
  const std::array w{0.9, -0.6}, x{0.5, 1.1};
  const double length = std::hypot(w[0], w[1]), a = w[0] * x[0] + w[1] * x[1], b = a + radius * length;
  const double p = 1 / (1 + std::exp(-a)), q = 1 / (1 + std::exp(-b));
  const auto [value, g] = value_and_gradient(loss, wrt<0>)(w, x);
  const auto open = gradient(not_stopped, wrt<0>)(w, x);
  bool right = agree(value, p * std::log(p / q) + (1 - p) * std::log((1 - p) / (1 - q)), 1e-9);
  for (std::size_t i = 0; i < 2; ++i) {
    const double expected = (q - p) * (x[i] + radius * w[i] / length);
    right = right && agree(g[i], expected, 1e-9) && agree(open[i], expected + (a - b) * p * (1 - p) * x[i], 1e-9);
  }
  std::printf("virtual adversarial: L = %.6f, gradient (%.6f, %.6f); p not stopped (%.6f, %.6f)\n", value, g[0], g[1],
              open[0], open[1]);
  return right ? 0 : 1;
}
