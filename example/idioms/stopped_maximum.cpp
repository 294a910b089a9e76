// A stop in a logsumexp. Subtracting the maximum m keeps exp() from overflowing and leaves the value as it is:
//
//   f = m + log sum_k exp(x_k - m),    df/dx = softmax(x),    df/dm = 1 - sum_k softmax_k = 0
//
// So both maxima may be stopped, which saves differentiating them, or none. The trap is to stop only one of them:
//
//   m + log sum exp(x - stop(m)):  softmax(x) + dm/dx,      stop(m) + log sum exp(x - m):  softmax(x) - dm/dx
//
// with the right value, and dm/dx 1 at the largest x. Printed is df/dx for the largest of three.
#include "agree.hpp"

#include <tapeless/tapeless.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>

using namespace tapeless;

namespace {

constexpr auto shifted = [](const auto& x, const auto& outside, const auto& inside) {
  return outside + log(exp(x[0] - inside) + exp(x[1] - inside) + exp(x[2] - inside));
};
constexpr auto largest = [](const auto& x) { return max(x[0], x[1], x[2]); };
constexpr auto none = [](auto x) { return shifted(x, largest(x), largest(x)); };
constexpr auto both = [](auto x) { return shifted(x, stop_gradient(largest(x)), stop_gradient(largest(x))); };
constexpr auto inside = [](auto x) { return shifted(x, largest(x), stop_gradient(largest(x))); };
constexpr auto outside = [](auto x) { return shifted(x, stop_gradient(largest(x)), largest(x)); };

}  // namespace

int main() {
  const std::array x{999.0, 1000.0, 998.0};
  const double sum = std::exp(-1.0) + 1 + std::exp(-2.0);
  bool right = true;
  for (std::size_t k = 0; k < 3; ++k) {
    const double softmax = std::exp(x[k] - 1000) / sum, of_maximum = k == 1 ? 1 : 0;
    right = right && agree(gradient(none)(x)[k], softmax) && agree(gradient(both)(x)[k], softmax) &&
            agree(gradient(inside)(x)[k], softmax + of_maximum) && agree(gradient(outside)(x)[k], softmax - of_maximum);
  }
  for (const double value : {value_and_gradient(none)(x).value, value_and_gradient(both)(x).value,
                             value_and_gradient(inside)(x).value, value_and_gradient(outside)(x).value})
    right = right && agree(value, 1000 + std::log(sum));
  std::printf("logsumexp: stopped none %.6f, both %.6f; only inside %.6f, only outside %.6f, both wrong\n",
              gradient(none)(x)[1], gradient(both)(x)[1], gradient(inside)(x)[1], gradient(outside)(x)[1]);
  return right ? 0 : 1;
}
