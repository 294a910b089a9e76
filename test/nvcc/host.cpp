// Host code for nvcc, whose front end (EDG's, also that of IntelliSense) is a third compiler: what formulas and traced
// functions promise, at compile time and at run time.
#include <tapeless/tapeless.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <type_traits>

using namespace tapeless;

inline constexpr auto x = variable<"x">;
inline constexpr auto y = variable<"y">;
inline constexpr auto f = x * sin(y) + exp(x) / y;
inline constexpr auto target = stop_gradient<"target">(x * y);

static_assert(std::is_empty_v<decltype(f)>);
static_assert(f(x = 0.0, y = 1.0) == 1.0);
static_assert(gradient(square(x))(x = 3.0)[x] == 6.0);
static_assert(hessian(x * x * y)(x = 2.0, y = 3.0)(x, x) == 6.0);
static_assert(std::is_same_v<derivative_t<decltype(target), decltype(x)>, Zero>);
static_assert(std::is_same_v<derivative_t<decltype(x + target), decltype(x)>, One>);
static_assert(std::is_same_v<decltype(x), const Variable<"x">>);
static_assert(derivative(freeze<"y">(x * y), y) == 0.0);

struct rosenbrock {
  template <class A>
  constexpr auto operator()(A a) const {
    auto sum = square(1 - a[0]) + 100 * square(a[1] - square(a[0]));
    for (std::size_t i = 1; i + 1 < a.size(); ++i) sum += square(1 - a[i]) + 100 * square(a[i + 1] - square(a[i]));
    return sum;
  }
};
static_assert(gradient(rosenbrock{})(std::array{1.0, 1.0, 1.0})[1] == 0.0);
static_assert(gradient([](auto a, auto b) { return a * b; })(2.0, 3.0) == std::tuple(3.0, 2.0));

int main() {
  bool failed = false;
  const auto expect = [&](double value, double expected) {
    if (std::abs(value - expected) <= 1e-14 * std::abs(expected)) return;
    std::printf("%.17g, not %.17g\n", value, expected);
    failed = true;
  };
  const double a = 2.0, b = 3.0;
  const auto [value, g] = value_and_gradient(f)(x = a, y = b);
  expect(value, a * std::sin(b) + std::exp(a) / b);
  expect(g[x], std::sin(b) + std::exp(a) / b);
  expect(g[y], a * std::cos(b) - std::exp(a) / (b * b));
  expect(hessian(f)(x = a, y = b)(x, y), std::cos(b) - std::exp(a) / (b * b));
  expect(jvp(f, tangent(y = 2.0))(x = a, y = b), 2 * (a * std::cos(b) - std::exp(a) / (b * b)));
  expect(gradient(square(y - target))(x = a, y = b)[y], 2 * (b - a * b));
  const auto [u, v] = gradient([](auto p, auto q) { return pow(p, q) + lgamma(p); })(b, a);
  expect(u, 2 * b + (1.5 - 0.57721566490153286061));  // digamma(3)
  expect(v, b * b * std::log(b));
  const auto slope = gradient(rosenbrock{})(std::array{1.2, 1.0});
  expect(slope[1], 200 * (1.0 - 1.2 * 1.2));
  return failed;
}
