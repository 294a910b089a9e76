// Additive surrogate loss of a stochastic computation graph. Two coins b1, b2 fall 1 with probability p = sigmoid(t),
// else 0; the costs are c1 = t b1 and c2 = b1 b2.
//
//   L = l1 stop(c1 + c2) + l2 stop(c2) + c1 + c2,    l_i = log P(b_i), times the costs that b_i influences
//
// The stop keeps the costs as weights. In expectation L' is that of E c = t p + p^2, which is p + t p' + 2 p p'. The
// second derivative is not: what the stops cut off is missing from it (dice.cpp has it), and
// E L'' = -p' (E c1 + 2 E c2) is not even of the same sign here.
#include "agree.hpp"

#include <tapeless/tapeless.hpp>

#include <cmath>
#include <cstdio>

using namespace tapeless;

namespace {

constexpr auto surrogate = [](auto t, auto b1, auto b2) {
  const auto log_probability = [&](const auto& b) { return b * t - softplus(t); };
  const auto c1 = t * b1, c2 = b1 * b2;
  return log_probability(b1) * stop_gradient(c1 + c2) + log_probability(b2) * stop_gradient(c2) + c1 + c2;
};

}  // namespace

int main() {
  const double t = 0.4, p = 1 / (1 + std::exp(-t)), p1 = p * (1 - p), p2 = p1 * (1 - 2 * p);
  double first = 0, second = 0;
  for (const double b1 : {0.0, 1.0})
    for (const double b2 : {0.0, 1.0}) {
      const double probability = (b1 == 1 ? p : 1 - p) * (b2 == 1 ? p : 1 - p);
      first += probability * gradient(surrogate, wrt<0>)(t, b1, b2);
      second += probability * hessian(surrogate, wrt<0>)(t, b1, b2)[0][0];
    }
  const double exact_second = 2 * p1 + t * p2 + 2 * p1 * p1 + 2 * p * p2;
  std::printf("additive surrogate: E' = %.6f, exact; E'' = %.6f instead of %.6f\n", first, second, exact_second);
  const bool right = agree(first, p + t * p1 + 2 * p * p1) && agree(second, -p1 * (t * p + 2 * p * p)) && second < 0 &&
                     exact_second > 0;
  return right ? 0 : 1;
}
