// Verbs inside traced functions: derivatives of derivatives of any order, stops in all of them.
#include <tapeless/tapeless.hpp>

#include <array>

using namespace tapeless;

namespace {

constexpr auto x = variable<"x">;

constexpr bool close(double left, double right) {
  const double difference = left < right ? right - left : left - right;
  return difference <= 1e-12 * (right < 0 ? 1 - right : 1 + right);
}

// The first, second and third derivative of v^4.
constexpr auto first = [](auto a) { return gradient([](auto v) { return v * v * v * v; })(a); };
constexpr auto second = [](auto a) { return gradient(first)(a); };
constexpr auto third = [](auto a) { return gradient(second)(a); };
static_assert(close(first(2.0), 32.0));
static_assert(close(second(2.0), 48.0));
static_assert(close(third(2.0), 48.0));
static_assert(close(gradient(third)(2.0), 24.0));
static_assert(close(hessian(first)(2.0)[0][0], 48.0));
static_assert(close(hvp(first, tangent(0.5))(2.0), 24.0));

// Each derivative has its own perturbation: d/da (a d/dq (p + q)) is 1, not 2.
constexpr auto confusion = [](auto a) {
  return a * jvp([](auto p, auto q) { return p + q; }, tangent(0.0, 1.0))(a, a);
};
static_assert(close(gradient(confusion)(3.0), 1.0));

// A stop is one at every order: v^2 c and its derivatives at the frozen c.
constexpr auto stopped = [](auto a) { return gradient([](auto v) { return v * v * stop_gradient(v); })(a); };
static_assert(close(stopped(1.7), 2 * 1.7 * 1.7));
static_assert(close(gradient(stopped)(1.7), 2 * 1.7));
static_assert(gradient([](auto a) { return stop_gradient(gradient([](auto v) { return v * v; })(a)) * a; })(3.0) ==
              6.0);

// A formula's verbs, with an argument of the function for a variable's value.
constexpr auto by_formula = [](auto a) { return gradient(x * x * exp(x), wrt(x))(x = a)[x]; };
static_assert(close(gradient(by_formula)(0.0), 2.0));
static_assert(close(gradient([](auto a) { return (x * x)(x = a) * a; })(2.0), 12.0));

// Arrays: a[0]^2 a[1] by both, multiplied: 2 a[0]^3 a[1].
constexpr auto product = [](const auto& a) {
  const auto g = gradient([](const auto& v) { return v[0] * v[0] * v[1]; })(a);
  return g[0] * g[1];
};
static_assert(close(gradient(product)(std::array{2.0, 3.0})[0], 72.0));
static_assert(close(gradient(product)(std::array{2.0, 3.0})[1], 16.0));

// The third derivative of a formula, by types.
static_assert(close(derivative(derivative(derivative(x * x * x * x, x), x), x)(x = 2.0), 48.0));
static_assert(close(hessian(derivative(x * x * x * x, x))(x = 2.0)(x, x), 48.0));

}  // namespace
