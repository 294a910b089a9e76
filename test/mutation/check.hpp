#ifndef TAPELESS_TEST_MUTATION_CHECK_HPP
#define TAPELESS_TEST_MUTATION_CHECK_HPP

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

/// Programs that compile fast: no test framework, the first difference ends them.
namespace check {

inline void close(const char* what, double computed, double expected, double error = 1e-12) {
  if (std::abs(computed - expected) <= error * (1 + std::abs(expected))) return;
  std::printf("%s: %.17g instead of %.17g\n", what, computed, expected);
  std::exit(1);
}

/// Derivatives against differences of fourth order of `f`, written by hand, at `x`.
template <class F, class Gradient>
void slopes(const char* what, const F& f, std::vector<double> x, const Gradient& gradient, double h = 2e-3) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double at = x[i];
    const auto moved = [&](double by) { return x[i] = at + by, f(x); };
    const double near = moved(h) - moved(-h), far = moved(2 * h) - moved(-2 * h);
    x[i] = at;
    close(what, gradient(i), (8 * near - far) / (12 * h), 1e-8);
  }
}

}  // namespace check

#endif
