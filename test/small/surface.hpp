// Every verb of the scalar part in use, for targets that are small: no exceptions, no run-time type information, no
// heap.
#ifndef TAPELESS_TEST_SMALL_SURFACE_HPP
#define TAPELESS_TEST_SMALL_SURFACE_HPP

#include "units.hpp"

#include <tapeless/tapeless.hpp>

#include <boost/hana/define_struct.hpp>

#include <array>
#include <cmath>
#include <span>
#include <tuple>
#include <type_traits>

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

/// All verbs at a point, against closed forms.
inline comparisons all_verbs(double a, double b) {
  comparisons check;
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
  check(check_gradient(f)(x = a, y = b).largest_error(), 0, 1e-8);

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
  check(check_gradient(g)(a, v).largest_error(), 0, 1e-8);

  // Stops: with c stopped, second derivatives are those at the frozen c; the estimator is exact.
  check(hessian(x * x * stop_gradient(x))(x = a)(x, x), 2 * a);
  static_assert(std::is_same_v<decltype(gradient(stop_gradient(f), wrt(x, y))(x = a, y = b)[y]), const Zero&>);
  static_assert(std::is_same_v<derivative_t<decltype(stop_gradient(f)), decltype(x)>, Zero>);
  check(straight_through(round(x), x)(x = a), std::round(a));
  check(gradient(straight_through(round(x), x) * y, wrt(x))(x = a, y = b)[x], b);
  // Each could be simplified, as numbers, to what has another derivative.
  const auto [surrogate, surrogate_slope] = value_and_gradient(x + stop_gradient(sin(x) - x))(x = a);
  check(surrogate, std::sin(a));
  check(surrogate_slope[x], 1);
  const auto [cancelled, cancelled_slope] = value_and_gradient(x * y - stop_gradient(x * y))(x = a, y = b);
  check(cancelled, 0);
  check(cancelled_slope[x], b);
  const auto [magic, magic_slope] = value_and_gradient(exp(sin(x) - stop_gradient(sin(x))))(x = a);
  check(magic, 1);
  check(magic_slope[x], std::cos(a));
  const auto [ratio, ratio_slope] = value_and_gradient(x / stop_gradient(x))(x = a);
  check(ratio, 1);
  check(ratio_slope[x], 1 / a);
  const auto surrogate_function = [](auto p) { return p + stop_gradient(sin(p) - p); };
  check(value_and_gradient(surrogate_function)(a).value, std::sin(a));
  check(gradient(surrogate_function)(a), 1);
  check(hessian(surrogate_function)(a)[0][0], 0);
  check(gradient(grad_clip(x, -1, 1) * 8_c)(x = a)[x], 1);
  return check;
}

template <class Memory>
inline constexpr auto repeated_map =
    [](auto p, auto q) { return scan<Memory>([&](auto c, auto) { return p * c + q; }, 1.0, steps(20)); };
// A loop of a constant number of steps keeps them in the frame.
static_assert(memory<double, double>(gradient(repeated_map<store_all>)).step == 0);

/// Loops.
inline comparisons loops(double a, double b) {
  comparisons check;
  const double power = std::pow(a, 19), sum = (power * a - 1) / (a - 1);
  const double by_a = 20 * power + b * (20 * power - sum) / (a - 1);
  const auto compare = [&](const auto& function) {
    const auto [value, slopes] = value_and_gradient(function)(a, b);
    check(value, power * a + b * sum);
    check(std::get<0>(slopes), by_a);
    check(std::get<1>(slopes), sum);
  };
  compare(repeated_map<store_all>);
  compare(repeated_map<checkpoints<3>>);
  check(gradient([](auto p) { return scan<checkpoints<8>>([&](auto c, auto) { return p * c; }, 1.0, steps(50)); })(b),
        50 * std::pow(b, 49));
  const std::array numbers{b, b, b};  // read where they lie
  const auto [last, by_p] = value_and_gradient(
      [](auto p, auto xs) { return scan<checkpoints<2>>([&](auto c, auto v) { return p * c + v; }, 1.0, xs); }, wrt<0>)(
      a, std::span<const double>(numbers));
  check(last, a * a * a + b * (a * a + a + 1));
  check(by_p, 3 * a * a + b * (2 * a + 1));
  return check;
}

/// Selections and kinks at a zero. A branch not taken is infinite or not a number there.
inline comparisons kinks(double zero) {
  comparisons check;
  check(gradient(where(x > 0, sqrt(x), 2_c * x))(x = zero)[x], 2);
  check(gradient(where(x == 0, 1_c + x, sin(x) / x))(x = zero)[x], 1);
  check(gradient(where(x > 0, x * log(x), square(x) - x))(x = zero)[x], -1);
  check(hessian(where(x > 0, x * sqrt(x), square(x)))(x = zero)(x, x), 2);
  check(jvp(where(x > 0, sqrt(x) * y, x * y), tangent(x = 1.0))(x = zero, y = 3.0), 3);
  check(gradient([](auto p) { return where(p > 0, sqrt(p) * log(p), 5 * p); })(zero), 5);
  check(gradient([](auto p) { return where(p == 0, 1 - p * p, sin(p) / p) * p; })(zero), 1);
  check(gradient(abs(x))(x = zero)[x], 0);
  check(gradient(relu(x))(x = zero)[x], 0);
  check(gradient(norm(x, y))(x = zero, y = zero)[y], 0);
  check(gradient(pow(x, y))(x = zero, y = 2.0)[y], 0);
  check(gradient(max(x, y))(x = zero, y = zero)[x], 0.5);
  check(gradient(max(x, y, z))(x = 1.0, y = 1.0, z = 1.0 + zero)[z], 1.0 / 3);
  return check;
}

/// What a translation unit finds that has a formula and a function of its own.
template <class F, class G>
results results_at(const F& own_formula, const G& own_function, double a, double b) {
  const auto slopes = gradient(f)(x = a, y = b);
  return {{slopes[x], slopes[y]},
          gradient([](auto v) { return g(v[0], v); })(std::array{a, b}),
          gradient(own_formula)(x = a)[x],
          gradient(own_function)(a),
          {&f, &g, &detail::lowered<std::remove_const_t<decltype(f)>>::value}};
}

}  // namespace small

#endif
