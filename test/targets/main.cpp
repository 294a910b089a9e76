// Linked with two of the units, one after the other: each computes what loops over numbers do, whichever is first.
#include "unit.hpp"

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <limits>
#include <vector>

// Those that are not linked are null.
#define DECLARE(NAME)                                                                                                  \
  [[gnu::weak]] numbers NAME(const std::vector<double>&, const std::vector<double>&, const xt::xtensor<float, 2>&,     \
                             double);
DECLARE(baseline)
DECLARE(baseline_fast)
DECLARE(scalar)
DECLARE(avx2)
DECLARE(avx512)
DECLARE(avx512_fast)
#undef DECLARE

namespace {

bool failed = false;

void expect(const char* unit, const char* what, double value, double expected, double tolerance = 1e-12) {
  if (std::abs(value - expected) <= tolerance * std::abs(expected)) return;
  std::printf("%s: %s is %.17g, not %.17g\n", unit, what, value, expected);
  failed = true;
}
void expect_nan(const char* unit, const char* what, double value) {
  if (std::isnan(value)) return;
  std::printf("%s: %s is %.17g, not NaN\n", unit, what, value);
  failed = true;
}

void check(const char* unit, decltype(baseline)* run) {
  std::vector<double> a(37), b(37);
  for (std::size_t i = 0; i < a.size(); ++i)
    a[i] = 1.0 + 0.1 * static_cast<double>(i), b[i] = 2.0 - 0.01 * static_cast<double>(i);
  // Made here: what a compiler does not inline of xtensor's functions would be for one of the units' targets.
  xt::xtensor<float, 2> rows({3, a.size()});
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < a.size(); ++j) rows(i, j) = static_cast<float>(a[j]);
  const numbers result = run(a, b, rows, std::numeric_limits<double>::quiet_NaN());

  double powers = 0, loss = 0, gradient = 0, again = 0, exponentials = 0, weighted = 0, sines = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    powers += std::pow(a[i], b[i]) + result.factor * a[i];
    loss += (0.5 * a[i] - b[i]) * (0.5 * a[i] - b[i]);
    gradient += 0.5 * a[i] - b[i], again += 4 * (2 * a[i] - b[i]);
    exponentials += std::exp(a[i]), weighted += std::exp(a[i]) * a[i];
    sines += std::sin(b[i]);
  }
  expect(unit, "the sum of powers", result.sum_of_powers, powers);
  expect(unit, "the loss", result.loss, loss);
  expect(unit, "the sum of the gradient", result.gradient, gradient);
  expect(unit, "the sum of the gradient into a result", result.gradient_again, again);
  expect(unit, "the mean under softmax", result.softmax, 3 * result.factor * weighted / exponentials, 1e-5);
  expect(unit, "the sum over a batch", result.batched, sines);
  // digamma(1) is minus Euler's constant.
  expect(unit, "digamma(1)", result.digamma, -0.57721566490153286);
  expect(unit, "a second derivative", result.second, 2 * a[0] / b[0]);
  expect(unit, "the gradient of a function", result.of_function, std::pow(a[0], b[0]) * std::log(a[0]));
  // The sums of the inverse's columns.
  expect(unit, "a solution's sum", result.solution, (4 * (a[0] + a[3]) + 3 * (a[1] + a[2])) / 19);
  expect(unit, "a point rotated", result.rotated, a[0] * std::sin(b[0]));
  expect(unit, "a second derivative of elements", result.curvature, 4);
  // x^4 + x^2 + 2 x + 3
  expect(unit, "the gradient of a loop", result.of_loop, 4 * a[1] * a[1] * a[1] + 2 * a[1] + 2);
  if (!result.is_strict) return;
  expect_nan(unit, "the larger of NaN and 2", result.larger_of_nan);
  expect_nan(unit, "the largest among numbers and NaN", result.largest_of_nan);
}

}  // namespace

int main() {
#if defined(__x86_64__)
  const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  const bool has_avx512 = __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
#else
  const bool has_avx2 = false, has_avx512 = false;
#endif
  if (baseline) check("baseline", baseline);
  if (baseline_fast) check("baseline_fast", baseline_fast);
  if (scalar) check("scalar", scalar);
  if (avx2 && has_avx2) check("avx2", avx2);
  if (avx512 && has_avx512) check("avx512", avx512);
  if (avx512_fast && has_avx512) check("avx512_fast", avx512_fast);
  return failed;
}
