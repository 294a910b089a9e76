// The functions, points and derivatives of the unit tests of autodiff (github.com/autodiff/autodiff, commit 6690fed),
// each named after its file and section. Expected numbers are the closed forms that those tests state; for orders up to
// 4 of functions of real numbers mpmath computes them (generate_autodiff.py), and for sin(x) exp(x) the formula of its
// nth derivative does.
//
// What has no counterpart here:
// - common/meta.test.cpp: a library for templates;
// - dual.test.cu, real.test.cu: the first rows of dual.test.cpp in a kernel; test/nvcc compiles ours;
// - utils/derivative.test.cpp: seeds in the members of numbers; here a seed is the argument of tangent;
// - the unpacking and casting of vectors of dual numbers: results are plain numbers;
// - derivatives with respect to parts of a vector, in other orders or twice, as in wrt(x.tail(4), x[0]): here wrt
//   names whole arguments, and the parts are elements of the result. An intermediate result, such as x in
//   r = x * x - a, is an argument of the function that begins there;
// - update() of a var: a function is called again.
#include "autodiff_orders.hpp"
#include "table.hpp"

#include <tapeless/eigen.hpp>

#include <Eigen/Dense>
#include <boost/test/unit_test.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <utility>
#include <vector>

namespace outside {
namespace {

using namespace tapeless;

using Five = std::array<double, 5>;

BOOST_AUTO_TEST_CASE(dual_assignments) {
  const Two at{100, 10};
  const double x = 100, y = 10;
  check("dual: trivial tests",
        [](auto a) {
          a += 1;
          a -= 1;
          a *= 2;
          a /= 20;
          return a;
        },
        One{x}, 10, {0.1});
  check("dual: aliasing +",
        [](auto a) {
          a = a + 3 * a - 2 * a + a;
          return a;
        },
        One{1}, 3, {3});
  check("dual: aliasing +=", [](auto a) { return a += a + 3 * a - 2 * a + a; }, One{1}, 4, {4});
  check("dual: aliasing -=", [](auto a) { return a -= a + 3 * a - 2 * a + a; }, One{1}, -2, {-2});
  check("dual: aliasing *=", [](auto a) { return a *= a + 3 * a - 2 * a + a; }, One{1}, 3, {6});
  check("dual: aliasing /=", [](auto a) { return a /= a + a; }, One{1}, 0.5, {0});

  check("dual: x += 1", [](auto a, auto) { return a += 1; }, at, x + 1, {1, 0});
  check("dual: x += y", [](auto a, auto b) { return a += b; }, at, x + y, {1, 1});
  check("dual: x += -y", [](auto a, auto b) { return a += -b; }, at, x - y, {1, -1});
  check("dual: x += -(x - y)", [](auto a, auto b) { return a += -(a - b); }, at, y, {0, 1});
  check("dual: x += 1 / y", [](auto a, auto b) { return a += 1.0 / b; }, at, x + 1 / y, {1, -1 / (y * y)});
  check("dual: x += 2 * y", [](auto a, auto b) { return a += 2.0 * b; }, at, x + 2 * y, {1, 2});
  check("dual: x += x * y", [](auto a, auto b) { return a += a * b; }, at, x + x * y, {1 + y, x});
  check("dual: x += x + y", [](auto a, auto b) { return a += a + b; }, at, 2 * x + y, {2, 1});

  check("dual: x -= 1", [](auto a, auto) { return a -= 1; }, at, x - 1, {1, 0});
  check("dual: x -= y", [](auto a, auto b) { return a -= b; }, at, x - y, {1, -1});
  check("dual: x -= -y", [](auto a, auto b) { return a -= -b; }, at, x + y, {1, 1});
  check("dual: x -= -(x - y)", [](auto a, auto b) { return a -= -(a - b); }, at, 2 * x - y, {2, -1});
  check("dual: x -= 1 / y", [](auto a, auto b) { return a -= 1.0 / b; }, at, x - 1 / y, {1, 1 / (y * y)});
  check("dual: x -= 2 * y", [](auto a, auto b) { return a -= 2.0 * b; }, at, x - 2 * y, {1, -2});
  check("dual: x -= x * y", [](auto a, auto b) { return a -= a * b; }, at, x - x * y, {1 - y, -x});
  check("dual: x -= x - y", [](auto a, auto b) { return a -= a - b; }, at, y, {0, 1});

  check("dual: x *= 2", [](auto a, auto) { return a *= 2; }, at, 2 * x, {2, 0});
  check("dual: x *= y", [](auto a, auto b) { return a *= b; }, at, x * y, {y, x});
  check("dual: x *= -x", [](auto a, auto) { return a *= -a; }, at, -x * x, {-2 * x, 0});
  check("dual: x *= 2 / y", [](auto a, auto b) { return a *= 2.0 / b; }, at, 2 * x / y, {2 / y, -2 * x / (y * y)});
  check("dual: x *= 2 * x", [](auto a, auto) { return a *= 2.0 * a; }, at, 2 * x * x, {4 * x, 0});
  check("dual: x *= 2 * y", [](auto a, auto b) { return a *= 2.0 * b; }, at, 2 * x * y, {2 * y, 2 * x});
  check("dual: x *= x + y", [](auto a, auto b) { return a *= a + b; }, at, x * (x + y), {2 * x + y, x});
  check("dual: x *= x * y", [](auto a, auto b) { return a *= a * b; }, at, x * x * y, {2 * x * y, x * x});

  const double s = x + y;
  check("dual: x /= 2", [](auto a, auto) { return a /= 2; }, at, x / 2, {0.5, 0});
  check("dual: x /= y", [](auto a, auto b) { return a /= b; }, at, x / y, {1 / y, -x / (y * y)});
  check("dual: x /= -x", [](auto a, auto) { return a /= -a; }, at, -1, {0, 0});
  check("dual: x /= 2 / y", [](auto a, auto b) { return a /= 2.0 / b; }, at, x * y / 2, {y / 2, x / 2});
  check("dual: x /= 2 * y", [](auto a, auto b) { return a /= 2.0 * b; }, at, x / y / 2, {0.5 / y, -x / (y * y) / 2});
  check("dual: x /= x + y", [](auto a, auto b) { return a /= a + b; }, at, x / s, {1 / s - x / (s * s), -x / (s * s)});
  check("dual: x /= x * y", [](auto a, auto b) { return a /= a * b; }, at, 1 / y, {0, -1 / (y * y)});
}

BOOST_AUTO_TEST_CASE(dual_operators) {
  const Two at{100, 10};
  const double x = 100, y = 10, e = std::exp(-100.0);
  check("dual: +x", [](auto a) { return +a; }, One{x}, x, {1});
  check("dual: +(x * x)", [](auto a) { return +(a * a); }, One{x}, x * x, {2 * x});
  check("dual: -x", [](auto a) { return -a; }, One{x}, -x, {-1});
  check("dual: -(-x)", [](auto a) { return -(-a); }, One{x}, x, {1});
  check("dual: -(2 * x)", [](auto a) { return -(2.0 * a); }, One{x}, -2 * x, {-2});
  check("dual: -x - 2 * x", [](auto a) { return -a - (2 * a); }, One{x}, -3 * x, {-3});
  check("dual: -x - 2 log(1 + exp(-x))", [](auto a) { return -a - 2.0 * log(1.0 + exp(-a)); }, One{x},
        -x - 2 * std::log(1 + e), {-1 + 2 * e / (1 + e)});
  check("dual: -x - log(1 + exp(-x))", [](auto a) { return -a - log(1.0 + exp(-a)); }, One{x}, -x - std::log(1 + e),
        {-1 + e / (1 + e)});

  check("dual: 1 / x", [](auto a) { return 1.0 / a; }, One{x}, 1 / x, {-1 / (x * x)});
  check("dual: x / x", [](auto a) { return a / a; }, One{x}, 1, {0});
  check("dual: 1 / (1 / x)", [](auto a) { return 1.0 / (1.0 / a); }, One{x}, x, {1});
  check("dual: 1 / (2 * x)", [](auto a) { return 1.0 / (2.0 * a); }, One{x}, 0.5 / x, {-0.5 / (x * x)});

  check("dual: 1 + x", [](auto a, auto) { return 1 + a; }, at, 1 + x, {1, 0});
  check("dual: (-x) + (-y)", [](auto a, auto b) { return (-a) + (-b); }, at, -(x + y), {-1, -1});
  check("dual: x * y + x * y", [](auto a, auto b) { return a * b + a * b; }, at, 2 * x * y, {2 * y, 2 * x});
  check("dual: 1 / x + 1 / y", [](auto a, auto b) { return 1.0 / a + 1.0 / b; }, at, 1 / x + 1 / y,
        {-1 / (x * x), -1 / (y * y)});
  check("dual: 1 - x", [](auto a, auto) { return 1 - a; }, at, 1 - x, {-1, 0});
  check("dual: (-x) - (-y)", [](auto a, auto b) { return (-a) - (-b); }, at, y - x, {-1, 1});
  check("dual: x * y - x * y", [](auto a, auto b) { return a * b - a * b; }, at, 0, {0, 0});
  check("dual: 1 / x - 1 / y", [](auto a, auto b) { return 1.0 / a - 1.0 / b; }, at, 1 / x - 1 / y,
        {-1 / (x * x), 1 / (y * y)});

  check("dual: 5 * (2 * x)", [](auto a, auto) { return 5 * (2.0 * a); }, at, 10 * x, {10, 0});
  check("dual: (x * 2) * 5", [](auto a, auto) { return (a * 2) * 5; }, at, 10 * x, {10, 0});
  check("dual: 2 * (-x)", [](auto a, auto) { return 2.0 * (-a); }, at, -2 * x, {-2, 0});
  check("dual: (-x) * (-y)", [](auto a, auto b) { return (-a) * (-b); }, at, x * y, {y, x});
  check("dual: (1 / x) * (1 / y)", [](auto a, auto b) { return (1 / a) * (1 / b); }, at, 1 / (x * y),
        {-1 / (x * x * y), -1 / (x * y * y)});
  check("dual: x / y", [](auto a, auto b) { return a / b; }, at, x / y, {1 / y, -x / (y * y)});

  check("dual: 2 * x + y", [](auto a, auto b) { return 2.0 * a + b; }, at, 2 * x + y, {2, 1});
  constexpr auto one = [](auto a, auto b) {
    return (2.0 * a * a - a * b + a / b + a / (2.0 * b)) / (a * (2.0 * a - b + 1 / b + 1 / (2.0 * b)));
  };
  check("dual: combination equal to 1", one, at, 1, {0, 0});
  constexpr auto trigonometric = [](auto a, auto b) {
    return sin(a + b) * cos(a / b) + tan(2.0 * a * b) - sin(4 * (a + b) * 2 / 8) * cos(a * a / (b * b) * b / a) -
           tan((a + b) * (a + b) - a * a - b * b);
  };
  check("dual: complex expression of sin, cos, tan", trigonometric, Two{0.5, 0.8}, 0, {0, 0});
  constexpr auto powers = [](auto a, auto b) {
    return log(a + b) * exp(a / b) + sqrt(2.0 * a * b) - 1 / pow(a, a + b) -
           exp(a * a / (b * b) * b / a) * log(4 * (a + b) * 2 / 8) -
           4 * sqrt((a + b) * (a + b) - a * a - b * b) * 0.5 * 0.5 + 2 / pow(2.0 * a - a, b + a) * 0.5;
  };
  check("dual: complex expression of log, exp, pow, sqrt", powers, Two{0.5, 0.8}, 0, {0, 0});
  constexpr auto rosenbrock = [](auto a, auto b) {
    const auto square_of = [](const auto& c) { return c * c; };
    return 100.0 * square_of(a * a - b) + square_of(1.0 - a);
  };
  check("dual: references to expression nodes", rosenbrock, Two{-0.3, 0.5}, 100 * 0.41 * 0.41 + 1.3 * 1.3,
        {400 * -0.41 * -0.3 - 2 * 1.3, 200 * 0.41});
}

BOOST_AUTO_TEST_CASE(dual_and_var_comparisons) {
  // Each comparison that holds adds a power of 2 times x, so the derivative says which ones do.
  constexpr auto held = [](auto x, auto y) {
    return where(x == 6, x, 0) + 2 * where(6 == x, x, 0) + 4 * where(x != 5, x, 0) + 8 * where(x != y, x, 0) +
           16 * where(x > 5, x, 0) + 32 * where(x > y, x, 0) + 64 * where(x >= 6, x, 0) + 128 * where(x >= y, x, 0) +
           256 * where(5 < x, x, 0) + 512 * where(y < x, x, 0) + 1024 * where(6 <= x, x, 0) +
           2048 * where(y <= x, x, 0);
  };
  check("dual: comparison operators", held, Two{6, 5}, 4095 * 6, {4095, 0});
  check("dual: comparison operators, equal", held, Two{6, 6}, (4095 - 8 - 32 - 512) * 6, {4095 - 8 - 32 - 512, 0});
  check("dual: comparison operators, none", held, Two{5, 6}, 8 * 5, {8, 0});
  constexpr auto of_expressions = [](auto a) {
    return where(a == a / a * a, a, 0) + 2 * where(a != a - a, a, 0) + 4 * where(a - a < a, a, 0) +
           8 * where(a < a + a, a, 0) + 16 * where(a - a + a >= a, a, 0) + 32 * where(a <= a - a + a, a, 0);
  };
  check("var: comparisons with expressions", of_expressions, One{10}, 630, {63});

  constexpr auto smaller = [](auto x, auto y) { return min(x, y); };
  constexpr auto larger = [](auto x, auto y) { return max(x, y); };
  check("dual: min", smaller, Two{0.5, 0.8}, 0.5, {1, 0});
  check("dual: max", larger, Two{0.5, 0.8}, 0.8, {0, 1});
  check("dual: min, negative", smaller, Two{-7.1, -9.1}, -9.1, {0, 1});
  check("dual: max, negative", larger, Two{-7.1, -9.1}, -7.1, {1, 0});
  // Where both are equal autodiff takes one of them; here they share the derivative (doc/semantics.md).
  check("dual: min, equal", smaller, Two{1.1, 1.1}, 1.1, {0.5, 0.5});
  check("dual: max, equal", larger, Two{1.1, 1.1}, 1.1, {0.5, 0.5});
  check("real: min(x, 0.1)", [](auto x) { return min(x, 0.1); }, One{0.5}, 0.1, {0});
  check("real: min(3.5, x)", [](auto x) { return min(3.5, x); }, One{0.5}, 0.5, {1});
  check("real: max(x, 8.5)", [](auto x) { return max(x, 8.5); }, One{0.5}, 8.5, {0});
  check("real: max(0.2, x)", [](auto x) { return max(0.2, x); }, One{0.5}, 0.5, {1});

  constexpr auto power = [](auto x) { return where(x > 0, x * x, x * x * x); };
  check("var: condition", power, One{2}, 4, {4});
  check("var: condition, updated", power, One{-2}, -8, {12});
  check("var: condition, updated back", power, One{3}, 9, {6});
  constexpr auto box = [](auto x) { return where(0 <= x && x <= 1, 1.0, 0.0); };
  check("var: conjunction, above", box, One{3}, 0, {0});
  check("var: conjunction, within", box, One{0.5}, 1, {0});
  check("var: conjunction, below", box, One{-1}, 0, {0});
  constexpr auto chosen = [](auto x, auto choice) { return where(choice, x, 0.0); };
  compare("var: boolref, true", "value", chosen(1.0, true), 1);
  compare("var: boolref, false", "gradient", gradient(chosen, wrt<0>)(1.0, false), 0);
  constexpr auto sgn = [](auto x) { return sign(x); };
  check("var: sgn, positive", sgn, One{1}, 1, {0});
  check("var: sgn, negative", sgn, One{-1}, -1, {0});
  check("var: sgn, zero", sgn, One{0}, 0, {0});
  constexpr auto product = [](auto x, auto y) { return where(x < y, x * y, x * x); };
  check("var: gradients of conditions", product, Two{1, 2}, 2, {2, 1});
  check("var: gradients of conditions, updated", product, Two{3, 2}, 9, {6, 0});
}

BOOST_AUTO_TEST_CASE(dual_and_var_functions) {
  using std::numbers::ln10;
  const double x = 0.5, s = std::sin(x), c = std::cos(x), ch = std::cosh(x), l = std::log(x);
  check("dual, var: sin", [](auto a) { return sin(a); }, One{x}, s, {c}, {{{-s}}});
  check("dual, var: cos", [](auto a) { return cos(a); }, One{x}, c, {-s}, {{{-c}}});
  check("dual, var: tan", [](auto a) { return tan(a); }, One{x}, std::tan(x), {1 / (c * c)});
  check("dual, var: sinh", [](auto a) { return sinh(a); }, One{x}, std::sinh(x), {ch});
  check("dual, var: cosh", [](auto a) { return cosh(a); }, One{x}, ch, {std::sinh(x)});
  check("dual, var: tanh", [](auto a) { return tanh(a); }, One{x}, std::tanh(x), {1 / (ch * ch)});
  check("dual, var: asin", [](auto a) { return asin(a); }, One{x}, std::asin(x), {1 / std::sqrt(1 - x * x)});
  check("dual, var: acos", [](auto a) { return acos(a); }, One{x}, std::acos(x), {-1 / std::sqrt(1 - x * x)});
  check("dual, var: atan", [](auto a) { return atan(a); }, One{x}, std::atan(x), {1 / (1 + x * x)});
  check("dual, var: exp", [](auto a) { return exp(a); }, One{x}, std::exp(x), {std::exp(x)}, {{{std::exp(x)}}});
  check("dual, var: log", [](auto a) { return log(a); }, One{x}, l, {1 / x}, {{{-1 / (x * x)}}});
  check("dual, var: log10", [](auto a) { return log10(a); }, One{x}, std::log10(x), {1 / (ln10 * x)});
  check("dual, var: sqrt", [](auto a) { return sqrt(a); }, One{x}, std::sqrt(x), {0.5 / std::sqrt(x)},
        {{{-0.25 / (x * std::sqrt(x))}}});
  check("dual, var: pow(x, 2)", [](auto a) { return pow(a, 2.0); }, One{x}, x * x, {2 * x}, {{{2}}});
  check("var: pow(2, x)", [](auto a) { return pow(2.0, a); }, One{x}, std::sqrt(2.0), {std::log(2.0) * std::sqrt(2.0)},
        {{{std::log(2.0) * std::log(2.0) * std::sqrt(2.0)}}});
  const double xx = std::pow(x, x);
  check("dual, var: pow(x, x)", [](auto a) { return pow(a, a); }, One{x}, xx, {(l + 1) * xx},
        {{{((l + 1) * (l + 1) + 1 / x) * xx}}});
  check("dual: pow(x, 2 x)", [](auto a) { return pow(a, 2.0 * a); }, One{x}, x, {2 * (l + 1) * x});
  check("var: pow(x, 2 a)", [](auto a, auto b) { return pow(a, 2 * b); }, Two{x, 10}, std::pow(x, 20),
        {20 / x * std::pow(x, 20), 2 * l * std::pow(x, 20)});
  check("var: x * x", [](auto a) { return a * a; }, One{x}, x * x, {2 * x}, {{{2}}});
  check("var: 1 / x", [](auto a) { return 1.0 / a; }, One{x}, 1 / x, {-1 / (x * x)}, {{{2 / (x * x * x)}}});

  constexpr auto magnitude = [](auto a) { return abs(a); };
  check("dual, var: abs, positive", magnitude, One{1}, 1, {1});
  check("dual, var: abs, negative", magnitude, One{-1}, 1, {-1});
  check("var: abs at 0", magnitude, One{0}, 0, {0});
  constexpr auto error_function = [](auto a) { return erf(a); };
  for (const double at : {1.0, -1.4, 0.5})
    check("dual, var: erf", error_function, One{at}, std::erf(at), {2 * std::numbers::inv_sqrtpi * std::exp(-at * at)});

  check("dual, var: atan2(2, x)", [](auto a) { return atan2(2.0, a); }, One{1}, std::atan2(2, 1), {-0.4});
  check("dual, var: atan2(x, 2)", [](auto a) { return atan2(a, 2.0); }, One{1}, std::atan2(1, 2), {0.4});
  const double a = 1.1, b = 0.9, below = a * a + b * b;
  check("dual, var: atan2(y, x)", [](auto p, auto q) { return atan2(q, p); }, Two{a, b}, std::atan2(b, a),
        {-b / below, a / below});
  const double sa = std::sin(a), w = 2 * b + 1;
  check("dual, var: 3 atan2(sin(x), 2 y + 1)", [](auto p, auto q) { return 3 * atan2(sin(p), 2 * q + 1); }, Two{a, b},
        3 * std::atan2(sa, w), {3 * w * std::cos(a) / (w * w + sa * sa), -6 * sa / (w * w + sa * sa)});
}

BOOST_AUTO_TEST_CASE(dual_and_var_hypot) {
  constexpr auto of_two = [](auto x, auto y) { return hypot(x, y); };
  constexpr auto scaled = [](auto x, auto y) { return hypot(2.0 * x, 3.0 * y); };
  constexpr auto of_three = [](auto x, auto y, auto z) { return hypot(x, y, z); };
  constexpr auto three_scaled = [](auto x, auto y, auto z) { return hypot(2.0 * x, 3.0 * y, 4.0 * z); };
  const auto row = [](auto f, double x, double constant) {
    const double h = std::hypot(x, constant);
    check("dual, var: hypot with numbers", f, One{x}, h, {x / h});
  };
  const double root8 = std::sqrt(8.0), root13 = std::sqrt(13.0);
  row([](auto x) { return hypot(x, 2.0); }, 1.5, 2);
  row([](auto x) { return hypot(2.0, x); }, 1.5, 2);
  row([](auto x) { return hypot(x, 2.0, 2.0); }, 1.5, root8);
  row([](auto x) { return hypot(2.0, x, 2.0); }, 2.5, root8);
  row([](auto x) { return hypot(2.0, 2.0, x); }, 3.5, root8);
  row([](auto x) { return hypot(2.0, x, 3.0); }, 1.8, root13);
  const auto two = [](auto f, double x, double y, double constant) {
    const double h = std::hypot(x, y, constant);
    check("dual, var: hypot of two variables", f, Two{x, y}, h, {x / h, y / h});
  };
  two(of_two, 1.1, 0.9, 0);
  two(of_two, 1.3, 2.3, 0);
  two([](auto x, auto y) { return hypot(x, y, 2.0); }, 1.4, 2.4, 2);
  two([](auto x, auto y) { return hypot(2.0, x, y); }, 2.4, 3.4, 2);
  two([](auto x, auto y) { return hypot(x, 2.0, y); }, 3.4, 4.4, 2);
  for (const auto [x, y] : {Two{1.1, 0.9}, Two{1.3, 2.3}}) {
    const double h = std::hypot(2 * x, 3 * y);
    check("dual, var: hypot(2 x, 3 y)", scaled, Two{x, y}, h, {4 * x / h, 9 * y / h});
  }
  for (const auto [x, y, z] : {Three{1.6, 2.6, 3.6}, Three{4.3, 5.3, 6.3}}) {
    const double h = std::hypot(x, y, z);
    check("dual, var: hypot(x, y, z)", of_three, Three{x, y, z}, h, {x / h, y / h, z / h});
  }
  for (const auto [x, y, z] : {Three{2.6, 3.6, 4.6}, Three{4.3, 5.3, 6.3}}) {
    const double h = std::hypot(2 * x, 3 * y, 4 * z);
    check("dual, var: hypot(2 x, 3 y, 4 z)", three_scaled, Three{x, y, z}, h, {4 * x / h, 9 * y / h, 16 * z / h});
  }

  // The Hessian of a norm h is (1 - v v' / h^2) / h.
  const double x = 0.5, y = 0.7, z = 0.3, h = std::hypot(x, y), k = std::hypot(x, y, z);
  const double h3 = h * h * h, k3 = k * k * k;
  check("var: second order of hypot(x, y)", of_two, Two{x, y}, h, {x / h, y / h},
        {{{y * y / h3, -x * y / h3}, {-x * y / h3, x * x / h3}}});
  check("var: second order of hypot(x, y, z)", of_three, Three{x, y, z}, k, {x / k, y / k, z / k},
        {{{(y * y + z * z) / k3, -x * y / k3, -x * z / k3},
          {-x * y / k3, (x * x + z * z) / k3, -y * z / k3},
          {-x * z / k3, -y * z / k3, (x * x + y * y) / k3}}});
}

BOOST_AUTO_TEST_CASE(var_operators) {
  const double a = 10, b = 20;
  check("var: a + b", [](auto p, auto q) { return p + q; }, Two{a, b}, 30, {1, 1});
  check("var: a - b", [](auto p, auto q) { return p - q; }, Two{a, b}, -10, {1, -1});
  check("var: -a + b", [](auto p, auto q) { return -p + q; }, Two{a, b}, 10, {-1, 1});
  check("var: -2 a", [](auto p, auto) { return -2 * p; }, Two{a, b}, -20, {-2, 0});
  check("var: a / 3", [](auto p, auto) { return p / 3.0; }, Two{a, b}, a / 3, {1.0 / 3, 0});
  check("var: the same variable twice",
        [](auto p) {
          const auto x = p;
          return p * p + x;
        },
        One{a}, 110, {21});
  // a is changed, and the derivatives are those of the product of the new a and b.
  constexpr auto changed = [](auto p, auto q) {
    p += 2.0;
    p -= 3.0;
    p *= 2.0;
    p /= 3.0;
    p += 2 * q;
    p -= 3 * q;
    p *= q;
    p /= q;
    return p * q;
  };
  const double last = (a - 1) * 2 / 3 - b;
  check("var: += -= *= /= in turn", changed, Two{a, b}, last * b, {b * 2 / 3, last - b});
  constexpr auto through = [](auto p, auto q) {
    const auto x = 2 * p + q;
    return x * x - p + q;
  };
  const double x = 2 * 100 + 200;
  check("var: through a subexpression", through, Two{100, 200}, x * x + 100, {4 * x - 1, 2 * x + 1});
  check("var: by a subexpression", [](auto s, auto p, auto q) { return s * s - p + q; }, Three{x, 100, 200},
        x * x + 100, {2 * x, -1, 1});
}

template <class F>
constexpr auto hessian_entries = [](auto p) {
  const auto h = hessian(of_array<F>{})(p);
  return std::array{h[0][0], h[0][1], h[1][1]};
};

// u, ux, uy, uxx, uxy, uyy, uxxx, uxxy, uxyy, uyyy at (1, 2).
template <class F>
void check_third_order(const char* origin, F f, const std::array<double, 10>& u) {
  check(origin, f, Two{1, 2}, u[0], {u[1], u[2]}, {{{u[3], u[4]}, {u[4], u[5]}}}, 1e-12);
  const auto third = jacobian(hessian_entries<F>)(Two{1, 2});
  compare(origin, "third order", third, {{{u[6], u[7]}, {u[7], u[8]}, {u[8], u[9]}}}, 1e-11);
}

BOOST_AUTO_TEST_CASE(dual_third_order) {
  constexpr auto cube = [](auto x, auto y) { return (x + y) * (x + y) * (x + y); };
  check_third_order("dual: third order of (x + y)^3", cube, {27, 27, 27, 18, 18, 18, 6, 6, 6, 6});
  check_third_order("dual: third order of exp(log(x y))", [](auto x, auto y) { return exp(log(x * y)); },
                    {2, 2, 1, 0, 1, 0, 0, 0, 0, 0});
  constexpr auto one = [](auto x, auto y) { return sin(x * y) * sin(x * y) + cos(x * y) * cos(x * y); };
  check_third_order("dual: third order of sin^2 + cos^2", one, {1});
  constexpr auto none = [](auto x, auto y) {
    return tan(log(x) * exp(y)) - sin(exp(y) * log(x)) / cos(log(x) * exp(y));
  };
  check_third_order("dual: third order of tan - sin / cos", none, {});
  for (const double x : {0.5}) {
    constexpr auto logarithm = [](auto a) { return log(a); };
    constexpr auto exponential = [](auto a) { return exp(a); };
    compare("var: third order of log", "derivative", nth_derivative<decltype(logarithm), 3>{}(x), 2 / (x * x * x));
    compare("var: third order of exp", "derivative", nth_derivative<decltype(exponential), 3>{}(x), std::exp(x));
  }
}

// x as a polynomial of t, whose derivatives at 0 are those that autodiff's test gives to x.
constexpr auto path = [](auto t) { return 0.5 + t * (3 + t * (-2.5 + t * (-2.5 + t * (11.0 / 24)))); };

// In the order of the rows of autodiff_orders.hpp.
constexpr auto arithmetic = [](auto t) {
  const auto x = path(t), y = -x;
  return std::array{x, y, x + y, x + 1, x - y, 1 - x, x * y, 5 * x, x / y, 3 / y, y / 5};
};
constexpr auto powers = [](auto t) {
  const auto x = path(t);
  constexpr double pi = std::numbers::pi;
  return std::array{exp(x), log(x), log10(x), sqrt(x), cbrt(x), pow(x, x), pow(x, pi), pow(pi, x)};
};
constexpr auto trigonometric = [](auto t) {
  const auto x = path(t), y = atan2(x, 2.0);
  return std::array{sin(x), cos(x), tan(x), asin(x), acos(x), atan(x), atan2(2.0, x), y, atan2(y, x)};
};
constexpr auto hyperbolic = [](auto t) {
  const auto x = path(t);
  return std::array{sinh(x), cosh(x), tanh(x), asinh(x), acosh(10 * x), atanh(x), abs(-x)};
};

template <class F>
void check_real(F, std::size_t first) {
  const auto found = value(derivatives_up_to<F, 4>{})(0.0);
  const std::size_t count = found.size() / 5;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const row_of_orders& row = orders[first + i % count];
    compare(std::string("real: ") + row.function, "derivative", found[i], row.expected[i / count]);
  }
}

template <class F, int n>
constexpr auto along_3_5 = [](auto x, auto y) {
  if constexpr (n == 0)
    return F{}(x, y);
  else
    return jvp(along_3_5<F, n - 1>, tangent(3.0, 5.0))(x, y);
};

template <class F>
void check_along(const char* origin, F, const Five& expected) {
  constexpr auto orders = [](auto x, auto y) {
    return std::array{along_3_5<F, 0>(x, y), along_3_5<F, 1>(x, y), along_3_5<F, 2>(x, y), along_3_5<F, 3>(x, y),
                      along_3_5<F, 4>(x, y)};
  };
  compare(origin, "order", value(orders)(5.0, 7.0), expected);
}

BOOST_AUTO_TEST_CASE(real_orders) {
  check_real(arithmetic, 0);
  check_real(powers, 11);
  check_real(trigonometric, 19);
  check_real(hyperbolic, 28);

  const double s = std::sin(31.0), c = std::cos(31.0), e = std::exp(31.0), l = std::log(5.0 / 7);
  check_along("real: exp(log(2 x + 3 y))", [](auto x, auto y) { return exp(log(2 * x + 3 * y)); }, {31, 21, 0, 0, 0});
  check_along("real: sin(2 x + 3 y)", [](auto x, auto y) { return sin(2 * x + 3 * y); },
              {s, 21 * c, -21 * 21 * s, -21 * 21 * 21 * c, 21. * 21 * 21 * 21 * s});
  // Derivatives of log(x / y) along (3, 5), and Leibniz's rule; each derivative of the exponential is 21 times the one
  // before.
  const double p = 3.0 / 5, q = 5.0 / 7;
  const Five d{l, p - q, -(p * p - q * q), 2 * (p * p * p - q * q * q), -6 * (p * p * p * p - q * q * q * q)};
  Five leibniz{};
  const std::array<Five, 5> binomial{{{1}, {1, 1}, {1, 2, 1}, {1, 3, 3, 1}, {1, 4, 6, 4, 1}}};
  for (std::size_t n = 0; n < 5; ++n)
    for (std::size_t k = 0; k <= n; ++k) leibniz[n] += binomial[n][k] * std::pow(21, n - k) * e * d[k];
  check_along(
      "real: exp(2 x + 3 y) log(x / y)", [](auto x, auto y) { return exp(2 * x + 3 * y) * log(x / y); }, leibniz);
}

// The nth derivative of sin(x) exp(x).
double sin_exp(double x, int n) {
  return std::pow(2.0, n / 2.0) * std::exp(x) * std::sin(x + n * std::numbers::pi / 4);
}

constexpr auto sin_exp_of_each = [](auto x) {
  for (auto& each : x) each = sin(each) * exp(each);
  return x;
};
template <int n>
constexpr auto sin_exp_along = [](auto x) {
  if constexpr (n == 0)
    return sin_exp_of_each(x);
  else
    return jvp(sin_exp_along<n - 1>, tangent(std::array{3.0, 5.0, 7.0}))(x);
};
template <int n>
constexpr auto sum_along = [](auto x) {
  if constexpr (n == 0)
    return sum(sin_exp_of_each(x));
  else
    return jvp(sum_along<n - 1>, tangent(std::array{3.0, 5.0, 7.0}))(x);
};

template <int n>
void check_taylor() {
  const Three x{1, 2, 3}, v{3, 5, 7};
  Three expected;
  for (std::size_t i = 0; i < 3; ++i) expected[i] = std::pow(v[i], n) * sin_exp(x[i], n);
  compare("taylorseries: vector", "coefficient", value(sin_exp_along<n>)(x), expected);
  compare("taylorseries: scalar", "coefficient", value(sum_along<n>)(x), expected[0] + expected[1] + expected[2]);
}

BOOST_AUTO_TEST_CASE(taylor_series) {
  check_taylor<0>();
  check_taylor<1>();
  check_taylor<2>();
  check_taylor<3>();
  check_taylor<4>();
}

constexpr auto of_element = [](auto x) {
  return std::array{1 * x, exp(x), log(x), tan(x), x * x, sin(x) * exp(x), x * log(x), sin(x) * cos(x)};
};
constexpr std::array<const char*, 8> names{"x", "exp", "log", "tan", "x * x", "sin * exp", "x * log", "sin * cos"};

// Sums over a sequence of any length; the last is 0 because it is a sum divided by itself, minus 1.
constexpr auto sums = [](auto v) {
  const auto logarithms = sum(log(v));
  return std::array{sum(1 * v),      sum(exp(v)),          logarithms,
                    sum(tan(v)),     sum(v * v),           sum(sin(v) * exp(v)),
                    sum(v * log(v)), sum(sin(v) * cos(v)), logarithms / logarithms - 1.0};
};
constexpr auto of_each = [](auto v) {
  return std::array{of_element(v[0]), of_element(v[1]), of_element(v[2]), of_element(v[3]), of_element(v[4])};
};

BOOST_AUTO_TEST_CASE(gradients_of_elements) {
  const Five x{2, 3, 5, 7, 9};
  const std::vector<double> sequence(x.begin(), x.end());
  const auto by_each = jacobian(of_each)(x);
  for (const double zero : vjp(sums, cotangent(std::array<double, 9>{0, 0, 0, 0, 0, 0, 0, 0, 1}))(sequence))
    compare("gradient: identical to 0", "sum", zero, 0);
  for (std::size_t f = 0; f < 8; ++f) {
    const std::string origin = std::string("gradient: ") + names[f];
    std::array<double, 9> weights{};
    weights[f] = 1;
    const auto by_sum = vjp(sums, cotangent(weights))(sequence);
    for (std::size_t i = 0; i < 5; ++i) {
      const double c = std::cos(x[i]);
      const std::array<double, 8> expected{1,        std::exp(x[i]),   1 / x[i],           1 / (c * c),
                                           2 * x[i], sin_exp(x[i], 1), std::log(x[i]) + 1, std::cos(2 * x[i])};
      compare(origin, "sum", by_sum[i], expected[f]);
      for (std::size_t k = 0; k < 5; ++k) compare(origin, "jacobian", by_each[8 * i + f][k], i == k ? expected[f] : 0);
    }
  }
}

BOOST_AUTO_TEST_CASE(eigen_vectors) {
  constexpr auto half_square = [](auto x) { return 0.5 * dot(x, x); };
  constexpr auto shares = [](auto x) {
    const auto total = sum(x);
    for (auto& each : x) each = each / total;
    return x;
  };
  const Eigen::Vector3d x(1, 2, 3), y(0.5, 0.2, 0.3);
  const auto second = value_and_hessian(half_square)(x);
  BOOST_TEST(second.value == 7);
  BOOST_TEST((second.gradient == x));
  BOOST_TEST((second.hessian == Eigen::Matrix3d::Identity()));
  const Eigen::Map<const Eigen::Vector3d> mapped(x.data());
  BOOST_TEST((gradient(half_square)(mapped) == x));
  const auto [F, J] = value_and_jacobian(shares)(y);
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) compare("dual eigen: jacobian", "entry", J(i, k), (i == k ? 1 : 0) - F[i]);
  const Eigen::Map<const Eigen::Vector3d> shared(y.data());
  BOOST_TEST((jacobian(shares)(shared) == J));

  Eigen::Matrix2d A;
  A << 1, 3, 5, 7;
  constexpr auto product = [](auto a, auto v) { return matmul(a, v); };
  const auto [b, db] = value_and_jvp(product, wrt<1>, tangent(Eigen::Vector2d(3, 5)))(A, Eigen::Vector2d(1, 2));
  BOOST_TEST((b == Eigen::Vector2d(7, 19)));
  BOOST_TEST((db == Eigen::Vector2d(18, 50)));

  constexpr auto of_pack = [](auto u, auto v, auto w) { return 0.5 * (dot(u, u) + v * v + dot(w, w)); };
  const auto [gu, gv, gw] = gradient(of_pack)(Eigen::Vector2d(1, 2), 3.0, Eigen::Vector<double, 1>(4.0));
  BOOST_TEST((gu == Eigen::Vector2d(1, 2)));
  BOOST_TEST(gv == 3);
  BOOST_TEST(gw[0] == 4);

  constexpr auto stacked = [](auto u, auto v, auto w) {
    const auto total = sum(u);
    return std::array{u[0] * v / total, u[1] * v / total, u[2] * v / total, v * w[0], v * w[1], v * w[2]};
  };
  const double v = 2;
  const auto [values, by_all] = value_and_jacobian(stacked)(y, v, x);
  for (int i = 0; i < 6; ++i)
    for (int k = 0; k < 7; ++k) {
      double expected = 0;
      if (i < 3 && k < 3) expected = (i == k ? v : 0) - values[i];
      if (k == 3) expected = i < 3 ? y[i] : x[i - 3];
      if (i >= 3 && k == i + 1) expected = v;
      compare("dual eigen: jacobian of a pack", "entry", by_all(i, k), expected);
    }
}

BOOST_AUTO_TEST_CASE(reverse_eigen) {
  using Vector = Eigen::Vector<double, 5>;
  using Matrix = Eigen::Matrix<double, 5, 5>;
  const Vector x(1, 2, 3, 4, 5);
  const auto near = [](const auto& found, const auto& expected) {
    return (found - expected).cwiseAbs().maxCoeff() <= 1e-14;
  };
  const auto linear = value_and_hessian([](auto v) { return sum(v); })(x);
  BOOST_TEST(linear.value == 15);
  BOOST_TEST((linear.gradient == Vector::Ones()));
  BOOST_TEST((linear.hessian == Matrix::Zero()));
  const auto squares = value_and_hessian([](auto v) { return dot(v, v); })(x);
  BOOST_TEST(squares.value == 55);
  BOOST_TEST((squares.gradient == 2 * x));
  BOOST_TEST((squares.hessian == 2 * Matrix::Identity()));

  const auto sines = value_and_hessian([](auto v) {
    auto product = sin(v[0]);
    for (std::size_t i = 1; i < 5; ++i) product *= sin(v[i]);
    return product;
  })(x);
  const double y = std::sin(1) * std::sin(2) * std::sin(3) * std::sin(4) * std::sin(5);
  const Vector cot = x.array().cos() / x.array().sin();
  Matrix h = y * cot * cot.transpose();
  h.diagonal().setConstant(-y);
  compare("var eigen: prod(sin(x))", "value", sines.value, y);
  BOOST_TEST(near(sines.gradient, y * cot));
  BOOST_TEST(near(sines.hessian, h));

  constexpr auto differences = [](auto v) {
    auto total = 0 * v[0];
    for (std::size_t i = 0; i < 4; ++i) total += pow(v[i] - v[i + 1], 2);
    return total;
  };
  Matrix laplace = Matrix::Zero();
  for (int i = 0; i < 4; ++i) {
    laplace(i, i) += 2;
    laplace(i + 1, i + 1) += 2;
    laplace(i, i + 1) = laplace(i + 1, i) = -2;
  }
  const auto flat = value_and_hessian(differences)(Vector(Vector::Ones()));
  BOOST_TEST(flat.value == 0);
  BOOST_TEST((flat.gradient == Vector::Zero()));
  BOOST_TEST((flat.hessian == laplace));
}

}  // namespace
}  // namespace outside
