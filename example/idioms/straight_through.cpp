// Straight-through estimator. A unit b is 1 with probability p = sigmoid(t), else 0; the loss is (b - c)^2.
//
//   b~ = stop(b) + (p - stop(p)),    so that    b~ = b    and    db~/dt = p'
//
//   E dL(b~)/dt = p' E 2 (b - c) = 2 p' (p - c),    while    d/dt E L = p' ((1 - c)^2 - c^2) = p' (1 - 2 c):
//
// it costs one sample and is biased by p' (2 p - 1). For a loss that is linear in b both are the same.
#include "agree.hpp"

#include <tapeless/tapeless.hpp>

#include <cmath>
#include <cstdio>

using namespace tapeless;

namespace {

constexpr double c = 0.3;
constexpr auto squared = [](auto t, auto b) { return square(straight_through(b, sigmoid(t)) - c); };
constexpr auto linear = [](auto t, auto b) { return c * straight_through(b, sigmoid(t)); };

// A rounded weight: the derivative of round() is zero, that of the estimator is the loss's at the rounded weight.
constexpr auto rounded = [](auto w) { return square(round(w) - 5); };
constexpr auto rounded_through = [](auto w) { return square(straight_through(round(w), w) - 5); };

}  // namespace

int main() {
  const double t = 0.7, p = 1 / (1 + std::exp(-t)), slope = p * (1 - p);
  const auto expectation = [&](const auto& f) {
    return p * gradient(f, wrt<0>)(t, 1.0) + (1 - p) * gradient(f, wrt<0>)(t, 0.0);
  };
  const double estimated = expectation(squared), exact = slope * (1 - 2 * c);
  std::printf("straight-through: expected %.6f, exact %.6f, bias %.6f; through round(2.3): %g instead of %g\n",
              estimated, exact, estimated - exact, gradient(rounded_through)(2.3), gradient(rounded)(2.3));
  const bool right = agree(value_and_gradient(squared, wrt<0>)(t, 1.0).value, (1 - c) * (1 - c)) &&
                     agree(estimated, 2 * slope * (p - c)) && agree(estimated - exact, slope * (2 * p - 1)) &&
                     agree(expectation(linear), c * slope) && gradient(rounded)(2.3) == 0 &&
                     gradient(rounded_through)(2.3) == -6;
  return right ? 0 : 1;
}
