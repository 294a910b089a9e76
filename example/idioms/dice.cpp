// DiCE. Two coins b1, b2 fall 1 with probability p = sigmoid(t), else 0; the costs are c1 = t b1 and c2 = b1 b2.
//
//   dice(l) = exp(l - stop(l)),    L = dice(l1) c1 + dice(l1 + l2) c2,    l_i = log P(b_i)
//
// L has the value of the cost, and in expectation all its derivatives: E c = t p + p^2, and
//
//   E L' = p + t p' + 2 p p',    E L'' = 2 p' + t p'' + 2 p'^2 + 2 p p''
#include "agree.hpp"

#include <tapeless/tapeless.hpp>

#include <cmath>
#include <cstdio>

using namespace tapeless;

namespace {

constexpr auto path = [](auto t, auto b1, auto b2) {
  const auto log_probability = [&](const auto& b) { return b * t - softplus(t); };
  return dice(log_probability(b1)) * t * b1 + dice(log_probability(b1) + log_probability(b2)) * b1 * b2;
};

}  // namespace

int main() {
  const double t = 0.4, p = 1 / (1 + std::exp(-t)), p1 = p * (1 - p), p2 = p1 * (1 - 2 * p);
  double value = 0, first = 0, second = 0;
  for (const double b1 : {0.0, 1.0})
    for (const double b2 : {0.0, 1.0}) {
      const double probability = (b1 == 1 ? p : 1 - p) * (b2 == 1 ? p : 1 - p);
      const auto [cost, slope] = value_and_gradient(path, wrt<0>)(t, b1, b2);
      value += probability * cost;
      first += probability * slope;
      second += probability * hessian(path, wrt<0>)(t, b1, b2)[0][0];
    }
  std::printf("DiCE over the 4 outcomes: E = %.6f, E' = %.6f, E'' = %.6f, all exact\n", value, first, second);
  const bool right = agree(value, t * p + p * p) && agree(first, p + t * p1 + 2 * p * p1) &&
                     agree(second, 2 * p1 + t * p2 + 2 * p1 * p1 + 2 * p * p2);
  return right ? 0 : 1;
}
