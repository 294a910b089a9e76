// Every verb of the scalar part in use, for targets that are small: no exceptions, no run-time type information, no
// heap.
#ifndef TAPELESS_TEST_SMALL_SURFACE_HPP
#define TAPELESS_TEST_SMALL_SURFACE_HPP

#include <tapeless/tapeless.hpp>

#include <boost/hana/define_struct.hpp>

#include <array>
#include <cmath>
#include <tuple>

namespace small {

using namespace tapeless;

inline constexpr auto x = variable<"x">;
inline constexpr auto y = variable<"y">;
inline constexpr auto z = variable<"z">;

inline constexpr auto f = x * sin(y) + 2.5 * exp(x * y) + stop_gradient(x * tanh(y)) * x;
inline constexpr auto g = [](auto a, auto v) { return a * sin(v[0]) * stop_gradient(exp(v[1])) + v[1] * v[1]; };

template <class T>
struct parameters {
  BOOST_HANA_DEFINE_STRUCT(parameters, (T, scale), (T, shift));
};

/// Counts the results that differ from what they should be.
class checks {
  int failures_ = 0;

 public:
  int failures() const { return failures_; }
  void operator()(double found, double expected) {
    const double difference = std::fabs(found - expected);
    if (!(difference <= 1e-10 * (1 + std::fabs(expected)))) ++failures_;
  }
};

/// All verbs at a point, against closed forms.
inline int failures_at(double a, double b) {
  checks check;
  const double e = std::exp(a * b), s = std::sin(b), c = std::cos(b), t = std::tanh(b);
  // f and its derivatives, with k = x tanh(y) held.
  const double value = a * s + 2.5 * e + a * t * a, fx = s + 2.5 * b * e + a * t, fy = a * c + 2.5 * a * e;
  const double fxx = 2.5 * b * b * e, fxy = c + 2.5 * (1 + a * b) * e, fyy = -a * s + 2.5 * a * a * e;
  check(f(x = a, y = b), value);
  const auto slopes = gradient(f)(x = a, y = b);
  check(slopes[x], fx);
  check(slopes[y], fy);
  const auto [same_value, same_slopes] = value_and_gradient(f, wrt(y))(x = a, y = b);
  check(same_value, value);
  check(same_slopes[y], fy);
  const auto h = hessian(f, wrt(x, y))(x = a, y = b);
  check(h(x, x), fxx);
  check(h(y, x), fxy);
  check(h(y, y), fyy);
  const auto j = value_and_jacobian(outputs(f, x * y), wrt(x, y))(x = a, y = b);
  check(j.value[1], a * b);
  check(j.jacobian(0, x), fx);
  check(j.jacobian(1, y), a);
  check(jacobian(outputs(f, x * y, x), wrt(x, y))(x = a, y = b)(0, y), fy);
  check(sparse_jacobian(outputs(f, y), wrt(x, y))(x = a, y = b)(1, y), 1);
  check(sparse_hessian(f, wrt(x, y))(x = a, y = b)(x, y), fxy);
  check(jvp(f, tangent(x = 2.0, y = 3.0))(x = a, y = b), 2 * fx + 3 * fy);
  check(vjp(outputs(f, x * y), cotangent(2.0, 3.0))(x = a, y = b)[x], 2 * fx + 3 * b);
  check(hvp(f, tangent(x = 2.0, y = 3.0))(x = a, y = b)[y], 2 * fxy + 3 * fyy);
  check(derivative(f, y)(x = a, y = b), fy);
  check(check_gradient(f)(x = a, y = b).largest_error() < 1e-8, 1);

  // g, with exp(v[1]) held, at v = (b, a).
  const std::array v{b, a};
  const double k = std::exp(a);
  const auto [ga, gv] = gradient(g)(a, v);
  check(ga, s * k);
  check(gv[0], a * c * k);
  check(gv[1], 2 * a);
  check(value_and_gradient(g, wrt<1>)(a, v).value, a * s * k + a * a);
  check(hessian(g)(a, v)[0][1], c * k);
  check(jacobian([](auto p) { return std::array{p[0] * p[1], exp(p[0])}; })(v)[1][0], std::exp(b));
  check(jvp(g, tangent(2.0, std::array{0.0, 1.0}))(a, v), 2 * s * k + 2 * a);
  check(std::get<0>(vjp(g, cotangent(2.0))(a, v)), 2 * s * k);
  check(std::get<0>(hvp(g, tangent(0.0, std::array{1.0, 0.0}))(a, v)), c * k);
  check(gradient([](auto p) { return gradient([](auto q) { return sin(q) * q; })(p); })(b), 2 * c - b * s);
  const auto fitted =
      gradient([](auto p, auto at) { return square(p.scale * at + p.shift); }, wrt<0>)(parameters<double>{a, b}, 3.0);
  check(fitted.scale, 2 * (3 * a + b) * 3);
  check(check_gradient(g)(a, v).largest_error() < 1e-8, 1);

  // Stops: with c stopped, second derivatives are those at the frozen c; the estimator is exact.
  check(hessian(x * x * stop_gradient(x))(x = a)(x, x), 2 * a);
  check(straight_through(round(x), x)(x = a), std::round(a));
  check(gradient(straight_through(round(x), x) * y, wrt(x))(x = a, y = b)[x], b);
  check(gradient(x + stop_gradient(sin(x) - x))(x = a)[x], 1);
  check(gradient(grad_clip(x, -1, 1) * 8_c)(x = a)[x], 1);
  check(gradient(where(x > 0, sqrt(x), 2_c * x))(x = 0.0)[x], 2);
  return check.failures();
}

}  // namespace small

#endif
