// Formulas, loops and tensors in a program that compiles in seconds.
#include <tapeless/all.hpp>
#include <tapeless/xtensor.hpp>

#include <array>
#include <cmath>
#include <cstdio>
#include <vector>

using namespace tapeless;

namespace {

inline constexpr auto x = variable<"x">;
inline constexpr auto y = variable<"y">;
inline constexpr auto f = x * sin(y) + exp(x) / y;
static_assert(f(x = 0.0, y = 1.0) == 1.0);
static_assert(gradient(f)(x = 0.0, y = 1.0)[y] == -1.0);
static_assert(std::is_same_v<derivative_t<decltype(stop_gradient(x * y)), decltype(x)>, Zero>);

constexpr auto loss = [](auto p, auto minutes, auto degrees) {
  return scan([&](auto sum, auto t, auto seen) { return sum + square(p[0] * exp(-p[1] * t) - seen); }, 0.0, minutes,
              degrees);
};
constexpr auto of_tensors = [](auto weights, auto data) { return sum(square(tanh(weights * data))); };

int failures = 0;

void check(double found, double expected) {
  if (std::abs(found - expected) <= 1e-13 * std::abs(expected)) return;
  std::printf("%.17g, and not %.17g\n", found, expected);
  failures = 1;
}

}  // namespace

int main() {
  const auto slope = gradient(f)(x = 0.5, y = 2.0);
  check(slope[x], std::sin(2.0) + std::exp(0.5) / 2);
  check(slope[y], 0.5 * std::cos(2.0) - std::exp(0.5) / 4);

  const auto [value, g, h] =
      value_and_hessian(loss, wrt<0>)(std::array{80.0, 0.1}, std::vector{5.0}, std::vector{50.0});
  const double decay = std::exp(-0.5), rest = 80 * decay - 50;
  check(value, rest * rest);
  check(g[0], 2 * rest * decay);
  check(g[1], -800 * rest * decay);
  check(h[0][1], -800 * decay * decay - 10 * rest * decay);

  // More numbers than lanes.
  const std::vector<double> weights{0.1, -0.2, 0.3, 0.4, 0.5}, data{1, 2, 3, 4, 5};
  const auto by_weights = gradient(of_tensors, wrt<0>)(weights, data);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double t = std::tanh(weights[i] * data[i]);
    check(by_weights[i], 2 * t * (1 - t * t) * data[i]);
  }
  return failures;
}
