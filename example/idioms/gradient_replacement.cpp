// Gradient replacement: f(x) = log(1 + exp(x)) with a derivative that does not overflow, the example of
// tf.custom_gradient.
//
//   f'(x) = exp(x) / (1 + exp(x)),  infinity / infinity for large x,    given as    1 - 1 / (1 + exp(x))
//
// What is given counts for higher orders too. By stops alone: v + (x - stop(x)) stop(d) - value of a stopped v, slope d
// - is right to first order only.
#include "agree.hpp"

#include <tapeless/tapeless.hpp>

#include <cmath>
#include <cstdio>

using namespace tapeless;

namespace {

inline constexpr auto x = variable<"x">;
inline constexpr auto naive = log(1 + exp(x));
inline constexpr auto replaced = custom_gradient(naive, {x = 1 - 1 / (1 + exp(x))});
inline constexpr auto by_stops = stop_gradient(naive) + (x - stop_gradient(x)) * stop_gradient(1 - 1 / (1 + exp(x)));

}  // namespace

int main() {
  const double large = gradient(naive)(x = 1000.0)[x], repaired = gradient(replaced)(x = 1000.0)[x];
  const double s = 1 / (1 + std::exp(-1.5));
  std::printf("gradient replacement at 1000: %g instead of %g; f'(1.5) = %.6f, f''(1.5) = %.6f\n", repaired, large,
              gradient(replaced)(x = 1.5)[x], hessian(replaced)(x = 1.5)(x, x));
  const bool right = std::isnan(large) && repaired == 1 && agree(replaced(x = 1.5), std::log1p(std::exp(1.5))) &&
                     agree(gradient(replaced)(x = 1.5)[x], s) && agree(hessian(replaced)(x = 1.5)(x, x), s * (1 - s)) &&
                     agree(by_stops(x = 1.5), replaced(x = 1.5)) && agree(gradient(by_stops)(x = 1.5)[x], s) &&
                     hessian(by_stops)(x = 1.5)(x, x) == 0;
  return right ? 0 : 1;
}
