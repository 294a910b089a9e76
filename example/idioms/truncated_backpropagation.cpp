// Truncated back-propagation through time, in a recurrence h_t = a h_{t-1} + x_t.
//
//   h_t = a stop(h_{t-1}) + x_t  at t = n - k + 1,  so that a loss at time n reaches back k steps
//
// With x = (1, 0, 0, ...) h_t = a^(t-1); each of the last steps contributes a^(n-t) h_{t-1} = a^(n-2), so that
//
//   dh_n/da = (n - 1) a^(n-2),    truncated    k a^(n-2)
#include "agree.hpp"

#include <tapeless/tapeless.hpp>

#include <cmath>
#include <cstddef>
#include <cstdio>

using namespace tapeless;

namespace {

constexpr std::size_t length = 8;

template <std::size_t Steps>
struct last_state {
  template <class T>
  constexpr T operator()(const T& a) const {
    T h = 1.0;
    for (std::size_t t = 2; t <= length; ++t) {
      if (t + Steps == length + 1) h = stop_gradient(h);
      h = a * h;
    }
    return h;
  }
};

}  // namespace

int main() {
  const double a = 0.9, each = std::pow(a, length - 2);
  const auto [value, two] = value_and_gradient(last_state<2>{})(a);
  const double five = gradient(last_state<5>{})(a), full = gradient(last_state<length>{})(a);
  std::printf("back-propagation through 2, 5 and all steps: %.6f, %.6f, %.6f\n", two, five, full);
  const bool right = agree(value, std::pow(a, length - 1)) && agree(two, 2 * each) && agree(five, 5 * each) &&
                     agree(full, (length - 1) * each);
  return right ? 0 : 1;
}
