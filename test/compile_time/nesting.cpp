// Verbs inside traced functions: derivatives of derivatives of any order, stops in all of them.
#include <tapeless/tapeless.hpp>

#include <array>

using namespace tapeless;

namespace {

constexpr auto x = variable<"x">;
constexpr auto y = variable<"y">;

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

// Every verb inside a function, against closed forms. The functions of one and of two arguments, and their derivatives:
constexpr auto quartic = [](auto p) { return p * p * p * p; };
constexpr auto bilinear = [](auto p, auto q) { return p * p * q; };
constexpr auto pair = [](auto p, auto q) { return std::array{p * p * q, p + q}; };

constexpr auto value_times_gradient = [](auto a) {
  const auto [value, slope] = value_and_gradient(quartic)(a);
  return value * slope;  // 4 a^7
};
static_assert(close(gradient(value_times_gradient)(2.0), 28 * 64.0));
constexpr auto determinant = [](auto a, auto b) {
  const auto j = jacobian(pair)(a, b);
  return j[0][0] * j[1][1] - j[0][1] * j[1][0];  // 2 a b - a^2
};
static_assert(close(gradient(determinant, wrt<0>)(2.0, 3.0), 2.0));
constexpr auto sum_of_values = [](auto a) {
  const auto [values, j] = value_and_jacobian(pair)(a, a);
  return values[0] + j[0][0];  // a^3 + 2 a^2
};
static_assert(close(gradient(sum_of_values)(2.0), 20.0));
static_assert(close(gradient([](auto a) { return hessian(quartic)(a)[0][0]; })(2.0), 48.0));
static_assert(close(gradient([](auto a) { return sparse_hessian(quartic)(a).values[0]; })(2.0), 48.0));
static_assert(close(gradient([](auto a) { return sparse_jacobian(pair)(a, a)(0, 0); })(2.0), 8.0));
static_assert(close(gradient([](auto a) { return hvp(quartic, tangent(0.5))(a); })(2.0), 24.0));
static_assert(close(gradient([](auto a) { return vjp(pair, wrt<0>, cotangent(a, 2.0))(a, 3.0); })(2.0), 24.0));
static_assert(close(gradient([](auto a) { return jvp(quartic, tangent(a))(a); })(2.0), 128.0));
static_assert(close(gradient([](auto a) { return custom_gradient(a * a, {{a, 3 * a}}); })(2.0), 6.0));
static_assert(close(gradient([](auto a) {
                      return gradient([](auto p) { return custom_gradient(p * p, {{p, 3 * p}}); })(a);
                    })(2.0),
                    3.0));

// Numbers beside arguments, and a constant where an argument will be.
static_assert(close(gradient([](auto a) { return gradient(bilinear, wrt<1>)(a, 3.0) * a; })(2.0), 12.0));
constexpr auto iterated = [](auto a) {
  decltype(a) state = 2.0;
  for (int i = 0; i < 2; ++i) state = a * gradient([](auto p) { return p * p; })(state);
  return state;  // 8 a^2
};
static_assert(close(gradient(iterated)(3.0), 48.0));

// A Hessian as the Jacobian of a gradient, a Hessian-vector product as its jvp, third derivatives as the Jacobian of a
// Hessian: a function may return tuples and arrays of arrays, whose numbers count as outputs in their order.
constexpr auto slopes = [](auto a, auto b) { return gradient(bilinear)(a, b); };
static_assert(jacobian(slopes)(2.0, 3.0) == hessian(bilinear)(2.0, 3.0));
static_assert(jvp(slopes, tangent(0.5, 2.0))(2.0, 3.0) == std::array{11.0, 2.0});
static_assert(std::get<0>(hvp(bilinear, tangent(0.5, 2.0))(2.0, 3.0)) == 11.0);
constexpr auto curvature = [](auto a, auto b) { return hessian(bilinear)(a, b); };
static_assert(jacobian(curvature)(2.0, 3.0) == std::array<std::array<double, 2>, 4>{{{0, 2}, {2, 0}, {2, 0}, {0, 0}}});

// The verbs of formulas, inside a function.
static_assert(close(gradient([](auto a) { return hessian(x * x * x * y, wrt(x, y))(x = a, y = a)(x, x); })(2.0), 24.0));
static_assert(close(gradient([](auto a) { return jacobian(outputs(x * y, x * x))(x = a, y = a)(1, x); })(2.0), 2.0));
static_assert(
    close(gradient([](auto a) { return vjp(outputs(x * x, x * y), cotangent(a, 2.0))(x = a, y = a)[x]; })(2.0), 10.0));
static_assert(close(gradient([](auto a) { return hvp(x * x * x, tangent(x = a))(x = a)[x]; })(2.0), 24.0));
static_assert(close(gradient([](auto a) { return jvp(x * x * y, tangent(y = a))(x = a, y = 1.0); })(2.0), 12.0));

// A stop inside holds at every order, whichever verb: v^2 stop(v) and its derivatives at the frozen v.
constexpr auto partly_stopped = [](auto v) { return v * v * stop_gradient(v); };
static_assert(close(hessian(partly_stopped)(1.7)[0][0], 2 * 1.7));
static_assert(close(gradient([](auto a) { return hessian(partly_stopped)(a)[0][0]; })(1.7), 0.0));
static_assert(close(gradient([](auto a) { return jvp(partly_stopped, tangent(1.0))(a); })(1.7), 2 * 1.7));
static_assert(close(gradient([](auto a) { return gradient(x * x * stop_gradient(x))(x = a)[x]; })(1.7), 2 * 1.7));
static_assert(close(derivative(derivative(x * x * stop_gradient(x), x), x)(x = 1.7), 2 * 1.7));

// The third derivative of a formula, by types.
static_assert(close(derivative(derivative(derivative(x * x * x * x, x), x), x)(x = 2.0), 48.0));
static_assert(close(hessian(derivative(x * x * x * x, x))(x = 2.0)(x, x), 48.0));

}  // namespace
