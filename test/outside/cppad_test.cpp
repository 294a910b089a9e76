// The functions, points and derivatives of CppAD's tests and examples (github.com/coin-or/CppAD, commit dcc87a3), each
// named after its file: test_more/general and example, where the name of a folder says which. Expected numbers are the
// closed forms that those programs state, or worked out by hand where they compare with another program of theirs.
// CppAD's Taylor coefficients are derivatives by nested jvp; Reverse of order p is the gradient of such a derivative.
// Their programs that compute the same table again, with another vector class or an older interface, are here once.
//
// What has no counterpart here:
// - tapes, their operators, sizes, optimisation, replay and errors: abort_recording, adfun, assign, capacity_order,
//   change_param (its numbers are here), check_for_nan, compare_change (its comparisons are here), copy, equal_op_seq,
//   extern_value, fun_assign, fun_check, fun_property, independent, integer, json_graph, cpp_graph, num_limits,
//   number_skip, parameter, print_for, sizes of optimize, tape_index, to_csrc, to_string, value, var2par; test/emit has
//   C source, test/inspect what a program holds;
// - threads that record, allocators, vector classes, other base types (float, complex, ADOL-C's): example/multi_thread,
//   alloc_openmp, base_adolc, base_alloc, base_complex, check_simple_vector, cppad_vector, mul_zdouble, simple_vector;
// - CppAD's own utilities that differentiate nothing: near_equal, nan, index_sort, romberg_mul, romberg_one, set_union;
// - colouring of sparse matrices (colpack, subsets): a pattern is a constant, and all entries come at once. The results
//   of a call or loop depend on all of its arguments there, so what chkpoint_one says of patterns does not hold here;
// - abs_normal: kinks as a piecewise linear form. Only the values of its pow test are here;
// - azmul, a product that is 0 where its first factor is: written where(x == 0, 0, x * y), its derivative there is 0;
// - stack_machine: a program in strings decides what is computed;
// - ipopt_solve: test/solvers has Ipopt's problems.
#include "table.hpp"

#include <boost/test/unit_test.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace outside {
namespace {

using namespace tapeless;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// The rows of a table whose functions are one function of a number, in this order.
template <std::size_t size>
struct row {
  const char* origin;
  std::array<double, size> expected;
};

/// As check_orders, of every function in the table.
template <class F, std::size_t n, std::size_t size>
void check_orders_of(F, double x, const std::array<row<size>, n>& rows, double tolerance = 1e-12) {
  const auto [forward, reverse] = value_and_jacobian(derivatives_up_to<F, int{size} - 2>{})(x);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t order = 0; order + 1 < size; ++order) {
      const std::string where = rows[i].origin + (", order " + std::to_string(order));
      compare(where, "forward", forward[order * n + i], rows[i].expected[order], tolerance);
      compare(where, "one more by reverse mode", reverse[order * n + i][0], rows[i].expected[order + 1], tolerance);
    }
}

/// The rows of functions that are x, up to the fourth derivative.
template <std::size_t n>
std::array<row<5>, n> identities(const std::array<const char*, n>& origins, double x) {
  std::array<row<5>, n> rows;
  for (std::size_t i = 0; i < n; ++i) rows[i] = {origins[i], {x, 1}};
  return rows;
}

}  // namespace

BOOST_AUTO_TEST_CASE(identities_of_functions) {
  constexpr auto inverses = [](auto u) {
    const auto t = tanh(u);
    return std::array{acos(cos(u)),
                      asin(sin(u)),
                      acosh(cosh(u)),
                      asinh(sinh(u)),
                      atanh(t),
                      tan(atan(u)),
                      0.5 * log((1.0 + t) / (1.0 - t)),
                      tanh(0.5 * log((1.0 + u) / (1.0 - u))),
                      expm1(log(u + 1.0)),
                      log1p(expm1(u)),
                      cos(acos(u)),
                      sin(asin(u)),
                      log(pow(std::numbers::e, u)),
                      log(pow(u, u)) / log(u),
                      pow(pow(u, 2.0), 0.5),
                      pow(sqrt(u), 2.0),
                      u * u / u,
                      -2.0 - ((u - 1) - 2.0) + 2 * u - 1};
  };
  const std::array<const char*, 18> origins{"acos",
                                            "asin",
                                            "acosh",
                                            "asinh",
                                            "atanh",
                                            "tan: tan(atan)",
                                            "tan: log of tanh",
                                            "tan: tanh of log",
                                            "expm1",
                                            "log1p",
                                            "forward_order: cos(acos)",
                                            "forward_order: sin(asin)",
                                            "forward_order: log(pow(e, x))",
                                            "forward_order: log(pow(x, x)) / log(x)",
                                            "forward_dir: pow(pow(x, 2), 1 / 2)",
                                            "forward_order: pow(sqrt(x), 2)",
                                            "forward_order: x * x / x",
                                            "forward_order: differences"};
  check_orders_of(inverses, 0.5, identities(origins, 0.5), 1e-11);
  check_orders_of(inverses, 0.7, identities(origins, 0.7), 1e-11);

  constexpr auto more = [](auto u) {
    return std::array{atan(sin(u) / cos(u)), atan(tan(u)), atan2(sin(u), cos(u)),
                      log(exp(u)),           exp(log(u)),  sqrt(u * u)};
  };
  const std::array<const char*, 6> more_origins{
      "atan: One", "atan: Two", "atan2", "log: Two", "forward_order: exp(log)", "sqrt: Two"};
  check_orders_of(more, 1, identities(more_origins, 1), 1e-11);
  constexpr auto angle = [](auto u) { return atan2(sin(u), cos(u)); };
  for (const double u : {3.0, -3.0, -1.0, 2.0}) check("atan2: four quadrants", angle, One{u}, u, {1});
}

BOOST_AUTO_TEST_CASE(orders_of_functions) {
  const double e = std::exp(1), s = std::sin(1), c = std::cos(1), sh = std::sinh(1), ch = std::cosh(1);
  constexpr auto cyclic = [](auto u) { return std::array{exp(u), sin(u), cos(u), sinh(u), cosh(u)}; };
  check_orders_of(cyclic, 1,
                  std::array<row<6>, 5>{{{"exp: Two", {e, e, e, e, e, e}},
                                         {"sin", {s, c, -s, -c, s, c}},
                                         {"cos", {c, -s, -c, s, c, -s}},
                                         {"sinh", {sh, ch, sh, ch, sh, ch}},
                                         {"cosh", {ch, sh, ch, sh, ch, sh}}}});

  constexpr auto arithmetic = [](auto u) {
    auto sum = u, difference = u, product = u, quotient = u * u;
    sum += 2;
    sum += 4.0;
    sum += u;
    difference -= 2;
    difference -= 4.0;
    difference -= 2 * u;
    product *= 2;
    product *= 4.0;
    product *= u;
    quotient /= 2;
    quotient /= 4.0;
    quotient /= u;
    return std::array{(4 + (3.0 + (u + 1.0 + 2))) + u,
                      u - (4 - (3.0 - (2.0 * u - 1.0 - 2))),
                      u * (4 * (3.0 * (u * 1.0 * 2))),
                      u * u / (4 / (3.0 / (u / 1.0 / 2))),
                      sum,
                      difference,
                      product,
                      quotient};
  };
  check_orders_of(arithmetic, 0.5,
                  std::array<row<6>, 8>{{{"add: Two", {11, 2}},
                                         {"sub: Two", {1.5, -1}},
                                         {"mul: Two", {6, 24, 48}},
                                         {"div: Two", {0.75, 1.5}},
                                         {"add_eq: Two", {7, 2}},
                                         {"sub_eq: Two", {-6.5, -1}},
                                         {"mul_eq: Two", {2, 8, 16}},
                                         {"div_eq: Two", {0.0625, 0.125}}}});

  const double x = 1.5, g = 2 * std::numbers::inv_sqrtpi * std::exp(-x * x), x2 = x * x;
  const std::array<double, 4> of_g{1, -2 * x, 4 * x2 - 2, (-8 * x2 + 12) * x};
  const double last = 16 * x2 * x2 - 48 * x2 + 12;
  constexpr auto errors = [](auto u) { return std::array{erf(u), erfc(u)}; };
  check_orders_of(
      errors, x,
      std::array<row<6>, 2>{
          {{"erf: old_example", {0.9661051464753108, g, of_g[1] * g, of_g[2] * g, of_g[3] * g, last * g}},
           {"example erfc", {1 - 0.9661051464753108, -g, -of_g[1] * g, -of_g[2] * g, -of_g[3] * g, -last * g}}}});
  const double h = -32 * 0.5 * std::exp(-1) * std::numbers::inv_sqrtpi;
  check("erf: hessian", [](auto a, auto) { return erf(2.0 * a); }, Two{0.5, 0}, std::erf(1),
        {4 * std::numbers::inv_sqrtpi * std::exp(-1), 0}, {{{h, 0}, {0, 0}}});

  constexpr auto root = [](auto u) { return sqrt(exp(u)); };
  const double r = std::exp(2);
  check_orders("sqrt: Three", root, 4, std::array{r, r / 2, r / 4, r / 8, r / 16, r / 32});

  const double sec = 1 / (std::cos(0.5) * std::cos(0.5)), t = std::tan(0.5);
  check("tan: tan_two", [](auto u) { return tan(2.0 * u); }, One{0.25}, t, {2 * sec}, {{{8 * t * sec}}});
}

namespace {

// The jth derivative with respect to x, for the orders in which sin_cos.cpp goes.
template <class F, int j>
struct by_first {
  constexpr auto operator()(auto x, auto y) const {
    if constexpr (j == 0)
      return F{}(x, y);
    else
      return jvp(by_first<F, j - 1>{}, tangent(1.0, 0.0))(x, y);
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(sin_cos) {
  constexpr auto waves = [](auto x, auto y) {
    const auto u = x * y;
    return std::array{sin(u), cos(u), sinh(u), cosh(u)};
  };
  using F = decltype(waves);
  constexpr auto orders = [](auto p) {
    return std::array{by_first<F, 0>{}(p[0], p[1]), by_first<F, 1>{}(p[0], p[1]), by_first<F, 2>{}(p[0], p[1]),
                      by_first<F, 3>{}(p[0], p[1]), by_first<F, 4>{}(p[0], p[1])};
  };
  const double x = 0.5, y = 0.8, u = x * y, s = std::sin(u), c = std::cos(u), sh = std::sinh(u), ch = std::cosh(u);
  const std::array<std::array<double, 6>, 4> of_u{
      {{s, c, -s, -c, s, c}, {c, -s, -c, s, c, -s}, {sh, ch, sh, ch, sh, ch}, {ch, sh, ch, sh, ch, sh}}};
  const auto [values, by_both] = value_and_jacobian(orders)(Two{x, y});
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 5; ++j) {
      const std::string origin = "sin_cos: function " + std::to_string(i) + ", order " + std::to_string(j);
      const double power = std::pow(y, j), below = j == 0 ? 0 : static_cast<double>(j) * power / y;
      compare(origin, "forward", values[4 * j + i], of_u[i][j] * power);
      compare(origin, "by x", by_both[4 * j + i][0], of_u[i][j + 1] * power * y);
      compare(origin, "by y", by_both[4 * j + i][1], of_u[i][j + 1] * power * x + of_u[i][j] * below);
    }
}

BOOST_AUTO_TEST_CASE(arithmetic) {
  constexpr auto sums = [](auto a) {
    const auto [s, t] = std::pair(a[0], a[1]);
    auto x = 4.0 + 0 * s, y = t;
    x += s;
    x += t;
    y += 0.5;
    const auto z = s + t + 1.0;
    return std::array{s + t, z, 1.0 + z, x, y, s - t, s - t - 1.0, 1.0 - (s - t - 1.0), -t};
  };
  check_jacobian("add: One, add_eq: One, sub: One, neg", sums, Two{3, 2}, {5, 6, 7, 9, 2.5, 1, 0, 1, -2},
                 {{{1, 1}, {1, 1}, {1, 1}, {1, 1}, {0, 1}, {1, -1}, {1, -1}, {-1, 1}, {0, -1}}});
  constexpr auto products = [](auto a) {
    auto x = a[0], y = a[1], zero = 0.0 * a[0], one = 1.0 + 0 * a[0];
    x *= a[1];
    y *= 5.0;
    zero *= x;
    one *= x;
    const auto z = 4.0 * (a[0] * a[1] * 4.0);
    return std::array{a[0] * a[1], a[0] * a[1] * 4.0, z, 1.0 * z, 0.0 * z, x, y, zero, one};
  };
  check_jacobian("mul: One, mul_eq: One", products, Two{3, 2}, {6, 24, 96, 96, 0, 6, 10, 0, 6},
                 {{{2, 3}, {8, 12}, {32, 48}, {32, 48}, {0, 0}, {2, 3}, {0, 5}, {0, 0}, {2, 3}}});
  constexpr auto quotients = [](auto a) {
    auto x = a[0], y = a[1];
    x /= a[1];
    y /= 5.0;
    y /= 1.0;
    const auto z = 5.0 / (a[0] / a[1] / 4.0);
    return std::array{a[0] / a[1], a[0] / a[1] / 4.0, z, z / 1.0, 0.0 / z, x, y};
  };
  check_jacobian(
      "div: One, div_eq: One", quotients, Two{2, 3}, {2.0 / 3, 1.0 / 6, 30, 30, 0, 2.0 / 3, 0.6},
      {{{1.0 / 3, -2.0 / 9}, {1.0 / 12, -1.0 / 18}, {-15, 10}, {-15, 10}, {0, 0}, {1.0 / 3, -2.0 / 9}, {0, 0.2}}});
  check("div: One, second order", [](auto s, auto t) { return s / t; }, Two{2, 3}, 2.0 / 3, {1.0 / 3, -2.0 / 9},
        {{{0, -1.0 / 9}, {-1.0 / 9, 4.0 / 27}}});
  check("mul: One, second order", [](auto s, auto t) { return 4.0 * (s * t * 4.0); }, Two{3, 2}, 96, {32, 48},
        {{{0, 16}, {16, 0}}});
  constexpr auto of_quotient = [](auto a) {
    const auto ratio = a[0] / a[1];
    return std::array{0.0 * ratio, ratio * 0.0, 0.0 / ratio};
  };
  compare("mul: zero_times_nan", "value", value(of_quotient)(Two{1, 1}), Three{});

  // For x and y among 0, 1 and 2: the derivative by y, and that of it by x.
  constexpr auto by_y = [](auto x, auto y) {
    const auto d =
        jacobian([](auto a, auto b) { return std::array{a * b, b * a * a, a + b, b + a + a}; }, wrt<1>)(x, y);
    return std::array{d[0][0], d[1][0], d[2][0], d[3][0]};
  };
  constexpr auto of_quotients = [](auto x, auto y) {
    const auto d = jacobian([](auto a, auto b) { return std::array{a / b, b / a / a}; }, wrt<1>)(x, y);
    return std::array{d[0][0], d[1][0]};
  };
  for (const double x : {0.0, 1.0, 2.0})
    for (const double y : {0.0, 1.0, 2.0}) {
      const auto [values, d] = value_and_jacobian(by_y, wrt<0>)(x, y);
      compare("mul_zero_one, add_zero", "by y", values, std::array{x, x * x, 1.0, 1.0});
      compare("mul_zero_one, add_zero", "by y and x", std::array{d[0][0], d[1][0], d[2][0], d[3][0]},
              std::array{1.0, 2 * x, 0.0, 0.0});
      const auto [quotients_by_y, q] = value_and_jacobian(of_quotients, wrt<0>)(x, y);
      if (y != 0) {
        compare("div_zero_one", "x / y by y", quotients_by_y[0], -x / (y * y));
        compare("div_zero_one", "x / y by y and x", q[0][0], -1 / (y * y));
      }
      if (x != 0) {
        compare("div_zero_one", "y / x^2 by y", quotients_by_y[1], 1 / (x * x));
        compare("div_zero_one", "y / x^2 by y and x", q[1][0], -2 / (x * x * x));
      }
    }
}

BOOST_AUTO_TEST_CASE(composed) {
  const double e = std::exp(1), ee = std::exp(e), l = std::log(2);
  check("exp: One", [](auto s) { return exp(exp(s)); }, One{1}, ee, {ee * e}, {{{ee * e * e + ee * e}}});
  check("log: One", [](auto s) { return log(log(s)); }, One{2}, std::log(l), {1 / (2 * l)},
        {{{-1 / (l * l * 4) - 1 / (l * 4)}}});
  check("log10", [](auto s) { return log10(log10(s)); }, One{10}, 0,
        {1 / (10 * std::numbers::ln10 * std::numbers::ln10)});
  check("sqrt: One", [](auto s) { return sqrt(sqrt(s)); }, One{4}, std::sqrt(2), {0.25 * std::pow(4, -0.75)},
        {{{-0.75 * 0.25 * std::pow(4, -1.75)}}});
  constexpr auto magnitude = [](auto u) { return abs(u); };
  constexpr auto slope = [](auto u) { return gradient([](auto a) { return abs(a); })(u); };
  for (const double u : {1.0, 0.0, -1.0}) {
    const double sign_of_u = u > 0 ? 1 : u < 0 ? -1 : 0;
    check("fabs", magnitude, One{u}, std::abs(u), {sign_of_u});
    check("mul_level: fabs", slope, One{u}, sign_of_u, {0});
  }
  constexpr auto of_sign = [](auto u) { return sign(u); };
  for (const double u : {2.0, 0.0, -2.0}) check("example sign", of_sign, One{u}, u / 2, {0});
  check("base2ad: discrete", [](auto u) { return floor(u); }, One{5.5}, 5, {0});
  check("optimize: discrete_function", [](auto u) { return floor(u) + floor(u); }, One{5.5}, 10, {0});
  check("forward_dir: dis_op", [](auto u) { return round(u) + u; }, One{2.2}, 4.2, {1}, {{{0}}});
  check("forward_dir: sign_op", [](auto u) { return sign(u) * u; }, One{-3}, 3, {-1}, {{{0}}});
  check("forward_dir: abs_op", [](auto a, auto b) { return abs(a) + abs(2.0 * b); }, Two{-1, 1}, 3, {-1, 2});
  check("forward_dir: powvv_op", [](auto a, auto b) { return log(pow(exp(a), b)) / b; }, Two{0.5, 2}, 0.5, {1, 0},
        {{{0, 0}, {0, 0}}});
  check("example azmul", [](auto a, auto b) { return where(a == 0, 0.0, a * b); }, Two{0.5, 2}, 1, {2, 0.5});
  check("example azmul at 0", [](auto a, auto b) { return where(a == 0, 0.0, a * b); }, Two{0, infinity}, 0, {0, 0});
  check("abs_normal: test_pow", [](auto a) { return pow(abs(a), 2.0) + pow(2.0, abs(a)); }, One{-2}, 8,
        {-4 - 4 * std::numbers::ln2});
  check("poly", [](auto z) { return 1 + z * (1 + z * (1 + z * (1 + z))); }, One{3}, 121, {1 + 6 + 27 + 4 * 27});
  constexpr auto unary = [](auto x) {
    return std::array{-x[0], sin(x[1]), abs(x[2]), atan(x[3]), cos(x[4]), exp(x[5]), log(x[6]), sqrt(x[7])};
  };
  std::array<double, 8> x;
  for (std::size_t i = 0; i < 8; ++i) x[i] = 2 / static_cast<double>(i + 1);
  const std::array<double, 8> of_each{
      -1, std::cos(x[1]), 1, 1 / (1 + x[3] * x[3]), -std::sin(x[4]), std::exp(x[5]), 1 / x[6], 0.5 / std::sqrt(x[7])};
  std::array<std::array<double, 8>, 8> diagonal{};
  for (std::size_t i = 0; i < 8; ++i) diagonal[i][i] = of_each[i];
  check_jacobian(
      "vec_unary", unary, x,
      {-x[0], std::sin(x[1]), x[2], std::atan(x[3]), std::cos(x[4]), std::exp(x[5]), std::log(x[6]), std::sqrt(x[7])},
      diagonal);
}

BOOST_AUTO_TEST_CASE(powers) {
  constexpr auto three_ways = [](auto a) { return std::array{pow(a[0], a[1]), pow(a[0], 2.0), pow(0.5, a[1])}; };
  const double l = std::log(0.5);
  check_jacobian("pow: One", three_ways, Two{0.5, 2}, {0.25, 0.25, 0.25}, {{{1, l / 4}, {1, 0}, {0, l / 4}}});
  const double u = std::exp(2), x = std::exp(6), y = std::exp(6 * u);
  constexpr auto towers = [](auto a) {
    const auto base = exp(a[0]);
    const auto tower = pow(base, a[1]);
    return std::array{tower, pow(tower, base)};
  };
  check_jacobian("pow: Two", towers, Two{2, 3}, {x, y}, {{{3 * x, 2 * x}, {9 * u * y, 2 * u * y}}});
  constexpr auto tower = [](auto s, auto t) { return pow(pow(exp(s), t), exp(s)); };
  const double y_ss = y * (3 * u * (1 + 3) + 9 * u * 9 * u), y_st = (3 * u + 9 * u * 2 * u) * y;
  check("pow: Two, second order", tower, Two{2, 3}, y, {9 * u * y, 2 * u * y},
        {{{y_ss, y_st}, {y_st, 2 * u * 2 * u * y}}}, 1e-12);
  constexpr auto trivial = [](auto a) {
    return std::array{pow(a[0], 0.0), pow(0.0, a[0]), pow(a[0], 1.0), pow(1.0, a[0])};
  };
  check_jacobian("pow: Three", trivial, One{2}, {1, 0, 2, 1}, {{{0}, {0}, {1}, {0}}});
  constexpr auto integers = [](auto a) {
    return std::array{pow(1.0, a[0]), pow(a[0], 0),  pow(a[0], 1),  pow(a[0], 2),  pow(a[0], 3),
                      pow(a[0], 5),   pow(a[0], -5), pow(a[0], -1), pow(a[0], -2), pow(a[0], -3)};
  };
  for (const double at : {-2.0, -1.0, -0.5, 2.0})
    check_jacobian(
        "pow: Four and Five, pow_int, example/utility pow_int", integers, One{at},
        {1, 1, at, at * at, at * at * at, std::pow(at, 5), std::pow(at, -5), 1 / at, 1 / (at * at), 1 / (at * at * at)},
        {{{0},
          {0},
          {1},
          {2 * at},
          {3 * at * at},
          {5 * std::pow(at, 4)},
          {-5 * std::pow(at, -6)},
          {-1 / (at * at)},
          {-2 / (at * at * at)},
          {-3 * std::pow(at, -4)}}});
  constexpr auto squares = [](auto a) { return std::array{pow(a, 2.0), pow(a, -2.0)}; };
  check_orders_of(
      squares, -2,
      std::array<row<6>, 2>{{{"pow: Eight, 2", {4, -4, 2}},
                             {"pow: Eight, -2", {0.25, 0.25, 6.0 / 16, 24.0 / 32, 120.0 / 64, 720.0 / 128}}}});

  // Where a factor of the kth derivative is 0 and the power is infinite, as for x^2.5 at 0, the limit is infinite.
  constexpr auto powers_of = [](auto a) { return pow(a, 2.5); };
  for (const double at : {0.0, 1.0, 1.5, 2.0}) {
    std::array<double, 6> expected;
    for (std::size_t k = 0; k < 6; ++k) {
      expected[k] = std::pow(at, 2.5 - static_cast<double>(k));
      for (std::size_t i = 0; i < k; ++i) expected[k] *= 2.5 - static_cast<double>(i);
    }
    check_orders("pow: Six and Nine", powers_of, at, expected);
  }
  constexpr auto each = [](auto a) { return std::array{pow(a[0], 1.5), pow(a[1], 2.5), pow(a[2], 3.5)}; };
  const auto d = [](double base, double exponent) { return exponent * std::pow(base, exponent - 1); };
  check_jacobian("pow: Ten", each, Three{1.5, 2.5, 3.5}, {std::pow(1.5, 1.5), std::pow(2.5, 2.5), std::pow(3.5, 3.5)},
                 {{{d(1.5, 1.5), 0, 0}, {0, d(2.5, 2.5), 0}, {0, 0, d(3.5, 3.5)}}});
  constexpr auto variable_exponent = [](auto a, auto b) { return pow(a, b); };
  check("pow: dynamic_zero", variable_exponent, Two{2, 3}, 8, {12, 8 * std::numbers::ln2});
  check("pow: dynamic_zero, 3^2", variable_exponent, Two{3, 2}, 9, {6, 9 * std::log(3)});
  // A negative base has no derivative with respect to the exponent.
  check("example pow_nan", variable_exponent, Two{-1, 2}, 1, {-2, not_a_number});
  check("example pow_nan, 2", [](auto a) { return pow(a, 2.0); }, One{-1}, 1, {-2}, {{{2}}});
}

BOOST_AUTO_TEST_CASE(conditions) {
  // Each comparison chooses between the last two, among variables and numbers.
  constexpr auto choices = [](auto x) {
    const auto choose = [&](auto a, auto b, auto yes, auto no) {
      return std::array{where(a < b, yes, no), where(a <= b, yes, no), where(a == b, yes, no), where(a >= b, yes, no),
                        where(a > b, yes, no)};
    };
    const auto pvvv = choose(1.0, x[0], x[1], x[2]), vpvv = choose(x[0], 1.0, x[1], x[2]),
               vvpv = choose(x[0], x[1], 3.0, x[2]), vvvp = choose(x[0], x[1], x[2], 3.0);
    std::array<std::remove_cvref_t<decltype(x[0])>, 20> all{};
    for (std::size_t i = 0; i < 5; ++i) {
      all[i] = pvvv[i];
      all[5 + i] = vpvv[i];
      all[10 + i] = vvpv[i];
      all[15 + i] = vvvp[i];
    }
    return all;
  };
  const auto expect = [&](const Three& x) {
    std::array<double, 20> values;
    std::array<Three, 20> by_x{};
    const std::array<std::array<double, 2>, 4> compared{{{1, x[0]}, {x[0], 1}, {x[0], x[1]}, {x[0], x[1]}}};
    // Which variable is chosen; 3 is the number 3.
    constexpr std::array<std::array<std::size_t, 2>, 4> chosen{{{1, 2}, {1, 2}, {3, 2}, {2, 3}}};
    for (std::size_t i = 0; i < 20; ++i) {
      const auto [a, b] = compared[i / 5];
      const std::array<bool, 5> holds{a < b, a <= b, a == b, a >= b, a > b};
      const std::size_t which = chosen[i / 5][holds[i % 5] ? 0 : 1];
      values[i] = which == 3 ? 3 : x[which];
      if (which < 3) by_x[i][which] = 1;
    }
    check_jacobian("cond_exp: pvvv vpvv vvpv vvvp, compare", choices, x, values, by_x);
  };
  expect({0, 1, 2});
  expect({2, 1, 0});
  expect({1, 1, 0});

  constexpr auto by_parameters = [](auto x, auto p) {
    return std::array{where(p[0] < p[1], x[0], x[1]), where(p[0] == p[1], x[0], x[1]), where(p[0] >= p[1], x[0], x[1])};
  };
  compare("cond_exp: ppvv", "gradient", vjp(by_parameters, wrt<0>, cotangent(Three{1, 2, 3}))(Two{2, 3}, Two{0, 1}),
          Two{1, 5});
  compare("cond_exp: ppvv, new_dynamic", "gradient",
          vjp(by_parameters, wrt<0>, cotangent(Three{1, 2, 3}))(Two{2, 3}, Two{1, 0}), Two{3, 3});

  check("cond_exp: SecondOrderReverse", [](auto x) { return square(where(x < x * x, x, x * x)); }, One{2}, 4, {4},
        {{{2}}});
  check("cond_exp: SecondOrderReverse, >", [](auto x) { return square(where(x > x * x, x * x, x)); }, One{2}, 4, {4},
        {{{2}}});
  using Five = std::array<double, 5>;
  constexpr auto logarithms = [](auto x) {
    auto total = 0 * x[0];
    for (const auto& each : x)
      total += where(each > 0, log(each), 0) + where(each < 0, log(-each), 0) + where(each == 0, -infinity, 0);
    return total;
  };
  check_of_array("cond_exp: OldExample", logarithms, Five{-1, 2, -3, 4, -5}, std::log(120),
                 {-1, 1.0 / 2, -1.0 / 3, 1.0 / 4, -1.0 / 5});
  check_of_array("cond_exp: OldExample, at 0", logarithms, Five{0, 1, -2, 3, -4}, -infinity,
                 {0, 1, -1.0 / 2, 1.0 / 3, -1.0 / 4});

  constexpr auto smaller = [](auto x, auto y) { return where(x < y, x, y); };
  check("compare_change: Minimum", smaller, Two{3.5, 4}, 3.5, {1, 0});
  check("compare_change: Minimum, changed", smaller, Two{4, 3}, 3, {0, 1});
  check("mul_cskip", [](auto x, auto y) { return where(x == 1, x * y, 0.0); }, Two{1, 2}, 2, {2, 1});
  check("mul_cskip, skipped", [](auto x, auto y) { return where(x == 1, x * y, 0.0); }, Two{3, 2}, 0, {0, 0});
  constexpr auto inner = [](auto x, auto y, auto z) {
    return gradient([](auto a, auto b, auto c) { return square(where(a > 0, b, c)); }, wrt<1>)(x, y, z);
  };
  check("cond_exp_ad", inner, Three{1, 2, -1}, 4, {0, 2, 0});
  check("cond_exp_ad, other branch", inner, Three{-1, 2, -1}, 0, {0, 0, 0});
}

BOOST_AUTO_TEST_CASE(conditions_beside_nan) {
  constexpr auto untaken = [](auto a) {
    const auto x = a[0], y = a[1];
    const auto unless_positive = [&](auto other) { return where(x > 0, x, other); };
    return std::array{unless_positive(abs(y)),      unless_positive(acos(y)),   unless_positive(x + y),
                      unless_positive(1.0 + y),     unless_positive(asin(y)),   unless_positive(atan(y)),
                      unless_positive(cos(y)),      unless_positive(cosh(y)),   unless_positive(x / y),
                      unless_positive(1.0 / y),     unless_positive(y / 2.0),   unless_positive(erf(y)),
                      unless_positive(exp(y)),      unless_positive(log(y)),    unless_positive(x * y),
                      unless_positive(2.0 * y),     unless_positive(pow(y, y)), unless_positive(pow(y, 2.0)),
                      unless_positive(pow(2.0, y)), unless_positive(sign(y)),   unless_positive(sin(y)),
                      unless_positive(sinh(y)),     unless_positive(sqrt(y)),   unless_positive(x - y),
                      unless_positive(1.0 - y),     unless_positive(y - 1.0),   unless_positive(tan(y)),
                      unless_positive(tanh(y))};
  };
  std::array<double, 28> ones;
  std::array<Two, 28> by_x;
  ones.fill(1);
  by_x.fill({1, 0});
  check_jacobian("cond_exp_rev", untaken, Two{1, not_a_number}, ones, by_x);

  // At 0 each of these is infinite or NaN, and not taken.
  constexpr auto at_zero = [](auto x) {
    const auto inf = 1.0 / x, nan = (1.0 / inf) / x, one = 1.0 / (1.0 + x), s = 1.0 / (x + 0.5);
    const auto if_positive = [&](auto taken) { return where(x > 0, taken, 0.0); };
    return std::array{
        if_positive(nan),        if_positive(abs(nan)),  if_positive(nan + nan),  if_positive(acos(s)),
        if_positive(asin(s)),    if_positive(atan(nan)), if_positive(cos(nan)),   if_positive(cosh(nan)),
        if_positive(exp(nan)),   if_positive(log(x)),    if_positive(x * inf),    if_positive(pow(inf, x)),
        if_positive(sin(nan)),   if_positive(sinh(nan)), if_positive(sqrt(x)),    if_positive(inf - nan),
        if_positive(tan(nan)),   if_positive(tanh(nan)), if_positive(acosh(x)),   if_positive(asinh(nan)),
        if_positive(atanh(one)), if_positive(erf(nan)),  if_positive(expm1(nan)), if_positive(log1p(-one))};
  };
  constexpr auto slopes = [](auto x) { return jvp(decltype(at_zero){}, tangent(1.0))(x); };
  const auto [values, by] = value_and_jacobian(at_zero)(0.0);
  const auto [first, second] = value_and_jacobian(slopes)(0.0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string origin = "mul_cond_rev, " + std::to_string(i);
    compare(origin, "value", values[i], 0);
    compare(origin, "reverse", by[i][0], 0);
    compare(origin, "forward", first[i], 0);
    compare(origin, "second order", second[i][0], 0);
  }
  const auto at_two = jacobian(at_zero)(2.0);
  const double s = 0.4, by_s = -s * s, w = 1.0 / 3, by_w = -w * w;
  std::array<double, 24> expected{};
  expected[3] = -by_s / std::sqrt(1 - s * s);
  expected[4] = by_s / std::sqrt(1 - s * s);
  expected[9] = 0.5;
  expected[11] = (-std::log(2) - 1) / 4;
  expected[14] = 0.5 / std::sqrt(2);
  expected[15] = -0.25;
  expected[18] = 1 / std::sqrt(3);
  expected[20] = by_w / (1 - w * w);
  expected[23] = -by_w / (1 - w);
  for (std::size_t i = 0; i < 24; ++i) compare("mul_cond_rev, at 2", "reverse", at_two[i][0], expected[i]);
}

BOOST_AUTO_TEST_CASE(optimized) {
  constexpr auto sums = [](auto x, auto p) {
    auto total = where(x[0] <= x[1], x[0] + x[1], x[0] - x[1]);
    for (std::size_t i = 0; i < 2; ++i) total += x[i] + p[i];
    for (std::size_t i = 2; i < 4; ++i) total -= x[i] + p[i];
    return total * total;
  };
  using Four = std::array<double, 4>;
  const auto by_x = value_and_gradient(sums, wrt<0>)(Four{1, 2, 3, 4}, Four{1, 2, 3, 4});
  compare("optimize: optimize_csum", "value", by_x.value, 25);
  compare("optimize: optimize_csum", "gradient", by_x.gradient, Four{-20, -20, 10, 10});
  constexpr auto cumulative = [](auto x) {
    return std::array{5.0 + (x[0] + x[1]) + (x[1] - x[2]) + (x[2] - 1.0) + (2.0 - x[3]) + (x[4] + 3.0) + (4.0 + x[5]),
                      5.0 - (x[1] + x[2]) - (x[2] - x[3]) - (x[3] - 1.0) - (2.0 - x[4]) - (x[5] + 3.0) - (4.0 + x[6])};
  };
  check_jacobian("optimize: cumulative_sum", cumulative, std::array<double, 7>{2, 3, 4, 5, 6, 7, 8}, {29, -23},
                 {{{1, 2, 0, -1, 1, 1, 0}, {0, -1, -2, 0, 1, -1, -1}}});
  constexpr auto nested = [](auto x, auto y) {
    const auto first = where(x <= y, 2.0 * x, 3.0 * y), second = where(x >= y, 4.0 * x, 5.0 * y);
    return where(x < y, 6.0 * first, 7.0 * second);
  };
  check("optimize: nested_cond_exp, >", nested, Two{1, -1}, 28, {28, 0});
  check("optimize: nested_cond_exp, =", nested, Two{0, 0}, 0, {28, 0});
  check("optimize: nested_cond_exp, <", nested, Two{-1, 1}, -12, {12, 0});
  constexpr auto constant_branches = [](auto x) {
    return std::array{where(x[0] + 0.5 < 1.0, 2.0, 3.0), where(0.0 < x[1] + 0.5, 2.0, 3.0),
                      where(x[0] < 9, x[2] + 0.5, 3.0)};
  };
  check_jacobian("optimize: cond_exp_depend", constant_branches, Three{4, 3, 2}, {3, 2, 2.5},
                 {{{0, 0, 0}, {0, 0, 0}, {0, 0, 1}}});
  const double s = 2 * std::sin(1), c = 2 * std::cos(1);
  constexpr auto waves = [](auto x) { return where(x < 0, sin(x) + sin(x), cos(x) + cos(x)); };
  check("optimize: cond_exp_removed", waves, One{1}, c, {-s});
  check("optimize: cond_exp_removed, taken", waves, One{-1}, -s, {c});
  constexpr auto largest = [](auto x) {
    auto m = x[0];
    for (std::size_t i = 1; i < x.size(); ++i) m = where(m > x[i], m, x[i]);
    return m + m;
  };
  check_of_array("optimize: cond_exp_reverse", largest, Three{0, 1, 2}, 4, {0, 0, 2});
  check("optimize: cond_exp_if_false_used_after", [](auto x, auto y) { return where(x < y, x + x, y + y) + (y + y); },
        Two{1, 2}, 6, {2, 2});
  constexpr auto same = [](auto x, auto y) { return where(x >= 3.0, x + y, x + y); };
  check("optimize: cond_exp_both_true_and_false", same, Two{1, 2}, 3, {1, 1});
  constexpr auto intersecting = [](auto x, auto y) {
    const auto skipped = y + 1.0, first = where(x <= y, skipped * 2.0, skipped);
    return where(x <= y, y + 2.0, first);
  };
  check("optimize: intersect_cond_exp", intersecting, Two{1, -1}, 0, {0, 1});
  check("optimize: intersect_cond_exp, first", intersecting, Two{-1, 1}, 3, {0, 1});
  constexpr auto reciprocal = [](auto x) { return 1.0 / x; };
  constexpr auto skipping = [](auto x, auto y) {
    const auto first = call(decltype(reciprocal){}, x), second = call(decltype(reciprocal){}, y);
    return where(first > 0, first, second);
  };
  check("optimize: cond_exp_skip_atomic", skipping, Two{2, 0}, 0.5, {-0.25, 0});
  constexpr auto conditional = [](auto x, auto y) {
    const auto one_true = x / 5.0, two_true = where(1.0 / x < x, one_true, 5.0);
    return where(1.0 + x < y, two_true, 3.0);
  };
  check("example/optimize nest_conditional", conditional, Two{1.75, 4}, 0.35, {0.2, 0});
  check("example/optimize nest_conditional, inner", conditional, Two{0.5, 4}, 5, {0, 0});
  check("example/optimize nest_conditional, outer", conditional, Two{1.75, 0}, 3, {0, 0});
}

BOOST_AUTO_TEST_CASE(forward_and_reverse) {
  check("forward: Cases, reverse_two", [](auto x, auto y) { return x * x * y; }, Two{3, 4}, 36, {24, 9},
        {{{8, 6}, {6, 0}}});
  constexpr auto sum_and_product = [](auto u) { return std::array{u[0] + u[1] + u[2], u[0] * u[1] * u[2]}; };
  const Three u{1, 2, 3};
  check_jacobian("forward: Older", sum_and_product, u, {6, 6}, {{{1, 1, 1}, {6, 3, 2}}});
  compare("reverse: reverse_one", "vjp", vjp(sum_and_product, cotangent(Two{1, -1}))(Three{0, 1, 2}), Three{-1, 1, 1});
  // Along u + t v + t^2 w the coefficient of t^2 is that of the gradient with w, and half that of the Hessian with v.
  constexpr auto along_path = [](auto t) {
    const auto a = 1.0 + t * (1 + 0.5 * t), b = 2.0 + t * (1 + 0.4 * t), c = 3.0 + t * (1 + 0.3 * t);
    return std::array{a + b + c, a * b * c};
  };
  const auto second = nth_derivative<decltype(along_path), 2>{}(0.0);
  compare("forward: Older, second order", "coefficient", Two{second[0] / 2, second[1] / 2},
          Two{0.5 + 0.4 + 0.3, 6 * 0.5 + 3 * 0.4 + 2 * 0.3 + 1 + 2 + 3});

  constexpr auto product = [](auto x, auto y, auto z) { return x * y * z; };
  check("reverse: any", product, Three{2, 3, 4}, 24, {12, 8, 6}, {{{0, 4, 3}, {4, 0, 2}, {3, 2, 0}}});
  constexpr auto along = [](auto p) {
    return hvp([](auto q) { return q[0] * q[1] * q[2]; }, tangent(Three{0.2, 0.3, 0.4}))(p);
  };
  check_jacobian("reverse: any, third order", along, Three{2, 3, 4},
                 {0.3 * 4 + 0.4 * 3, 0.2 * 4 + 0.4 * 2, 0.2 * 3 + 0.3 * 2},
                 {{{0, 0.4, 0.3}, {0.4, 0, 0.2}, {0.3, 0.2, 0}}});

  constexpr auto composed = [](auto x, auto y) {
    const auto f = std::array{x * y, y - x};
    return (f[0] - f[1]) + f[1] * f[0];
  };
  check("reverse: mul, rev_checkpoint", composed, Two{1, 2}, 3, {3, 3}, {{{-4, 3}, {3, 2}}});
  constexpr auto twice = [](auto x) {
    const auto y = x[0] * x[0];
    return std::array{y, y};
  };
  check_jacobian("reverse: duplicate_dependent_var", twice, One{3}, {9, 9}, {{{6}, {6}}});
  constexpr auto path = [](auto t) { return (2.0 + t * (4 + 6 * t)) * (3.0 + t * (5 + 7 * t)); };
  const auto coefficients = derivatives_up_to<decltype(path), 2>{}(0.0);
  compare("reverse_three", "coefficient", Two{coefficients[1], coefficients[2] / 2}, Two{22, 18 + 20 + 14});

  check("rev_two", [](auto x, auto y) { return x * x + x * y + 2.0 * y * y; }, Two{0.5, 1.5}, 5.5, {2.5, 6.5},
        {{{2, 1}, {1, 4}}});
  const double e = std::exp(1), s = std::sin(1), c = std::cos(1);
  constexpr auto waves = [](auto a) { return std::array{a[0] * exp(a[1]), a[0] * sin(a[1]), a[0] * cos(a[1])}; };
  check_jacobian("for_one, rev_one", waves, Two{2, 1}, {2 * e, 2 * s, 2 * c}, {{{e, 2 * e}, {s, 2 * c}, {c, -2 * s}}});
  constexpr auto by_first_number = [](auto a) {
    return jvp(
        [](auto p) { return std::array{p[0] * p[0] * exp(p[1]), p[0] * p[0] * sin(p[1]), p[0] * p[0] * cos(p[1])}; },
        tangent(Two{1, 0}))(a);
  };
  check_jacobian("for_two", by_first_number, Two{2, 1}, {4 * e, 4 * s, 4 * c},
                 {{{2 * e, 4 * e}, {2 * s, 4 * c}, {2 * c, -4 * s}}});
  const double e2 = std::exp(2), s3 = std::sin(3), c3 = std::cos(3);
  check("for_hess, 0", [](auto a, auto b, auto) { return a * exp(b); }, Three{1, 2, 3}, e2, {e2, e2, 0},
        {{{0, e2, 0}, {e2, e2, 0}, {0, 0, 0}}});
  check("for_hess, 1", [](auto, auto b, auto d) { return b * sin(d); }, Three{1, 2, 3}, 2 * s3, {0, s3, 2 * c3},
        {{{0, 0, 0}, {0, 0, c3}, {0, c3, -2 * s3}}});

  constexpr auto lagrangian = [](auto x, auto y, auto z) {
    return y[0] * (1.0 + 2.0 * x[1] + 3.0 * x[2]) + y[1] * log(x[0] * x[2]) + z * (x[0] * x[0]);
  };
  const auto [value, g, h] = value_and_hessian(lagrangian, wrt<0>)(Three{0.5, 1e3, 1}, Two{2, 3}, 4.0);
  compare("example hes_lagrangian", "gradient", Three{g[0], g[1], g[2]}, Three{2 * 4 * 0.5 + 3 / 0.5, 4, 6 + 3});
  for (std::size_t i = 0; i < 3; ++i)
    compare("example hes_lagrangian", "Hessian", Three{h[i][0], h[i][1], h[i][2]},
            std::array<Three, 3>{{{2 * 4 - 3 / 0.25, 0, 0}, {0, 0, 0}, {0, 0, -3}}}[i]);

  constexpr auto half_squares = [](auto x) { return 0.5 * dot(x, x); };
  compare("mul_level: Two, hes_times_dir", "hvp",
          hvp(half_squares, tangent(std::array{5.0, 4.0, 3.0, 2.0, 1.0}))(std::array{0.0, 1.0, 2.0, 3.0, 4.0}),
          std::array{5.0, 4.0, 3.0, 2.0, 1.0});
  constexpr auto twice_by_first = [](auto x, auto y) {
    return 2.0 * gradient([](auto a, auto b) { return 2.0 * a * b; }, wrt<0>)(x, y);
  };
  check("mul_level: One", twice_by_first, Two{4, 5}, 20, {0, 4});
  constexpr auto in_one = [](auto x, auto p) {
    return jacobian([](auto a, auto b) { return std::array{sin(a[0]) * b, sin(a[1]) * b}; }, wrt<0>)(x, p);
  };
  const auto j = in_one(Two{1, 2}, 3.0);
  compare("change_param", "Jacobian", std::array{j[0][0], j[0][1], j[1][0], j[1][1]},
          std::array{3 * std::cos(1), 0.0, 0.0, 3 * std::cos(2)});
  constexpr auto dynamic = [](auto x, auto p) {
    return x * (p + 0.0) + x * (p - 0.0) + x * (p * 1.0) + x * (p / 1.0) + x * pow(p, 0.0) + (x + pow(0.0, p)) + x;
  };
  compare("new_dynamic: pull_232", "gradient", gradient(dynamic, wrt<0>)(3.0, 2.0), 4 * 2 + 3);
  constexpr auto norm_squared = [](auto x, auto y) { return custom_gradient(x * x + y * y, {{x, 2 * x}, {y, 2 * y}}); };
  check("atomic_four: norm_sq", norm_squared, Two{3, 4}, 25, {6, 8}, {{{2, 0}, {0, 2}}});
}

namespace {

template <std::size_t rows>
void check_pattern(const char* origin, const auto& pattern,
                   const std::array<std::vector<std::size_t>, rows>& expected) {
  BOOST_TEST_REQUIRE(pattern.row_begin.size() == rows + 1);
  for (std::size_t i = 0; i < rows; ++i) {
    const auto first = pattern.columns.begin();
    const auto offset = [&](std::size_t k) { return static_cast<std::ptrdiff_t>(pattern.row_begin[k]); };
    const std::vector<std::size_t> found(first + offset(i), first + offset(i + 1));
    BOOST_TEST(found == expected[i], origin << ", row " << i);
  }
}

constexpr double none = not_a_number;

}  // namespace

BOOST_AUTO_TEST_CASE(sparse_matrices) {
  using Four = std::array<double, 4>;
  constexpr auto constraints = [](auto x) {
    return std::array{x[0] * x[1] * x[2] * x[3], x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3]};
  };
  check_sparse("jacobian", sparse_jacobian(constraints)(Four{1, 5, 5, 1}),
               std::array<Four, 2>{{{25, 5, 5, 25}, {2, 10, 10, 2}}});
  constexpr auto reverse_set = [](auto x) {
    return std::array{1.0 * x[0] + 2.0 * x[1], 3.0 * x[2] + 4.0 * x[3],
                      5.0 * x[0] + 6.0 * x[1] + 7.0 * x[3] * x[3] / 2.0};
  };
  check_sparse("sparse_jacobian: rc_set, reverse", sparse_jacobian(reverse_set)(Four{0, 1, 2, 3}),
               std::array<Four, 3>{{{1, 2, none, none}, {none, none, 3, 4}, {5, 6, none, 21}}});
  constexpr auto forward_set = [](auto x) {
    return std::array{x[0] + x[2], x[0] + x[2], x[1] + x[2], x[1] + x[2] * x[2] / 2.0};
  };
  check_sparse("sparse_jacobian: forward, sparse_jac_work, example sparse_jac_for",
               sparse_jacobian(forward_set)(Three{0, 1, 2}),
               std::array<Three, 4>{{{1, none, 1}, {1, none, 1}, {none, 1, 1}, {none, 1, 2}}});
  constexpr std::size_t n = 13;
  constexpr auto tridiagonal = [](auto x) {
    auto y = x;
    for (std::size_t i = 0; i < n; ++i) {
      const auto term = [&](std::size_t j) { return static_cast<double>(i * n + j + 1) * 0.5 * x[j] * x[j]; };
      y[i] = term(i);
      if (i + 1 < n) y[i] += term(i + 1);
      if (i > 0) y[i] += term(i - 1);
    }
    return y;
  };
  std::array<double, n> x;
  std::array<std::array<double, n>, n> expected;
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = static_cast<double>(i + 1);
    for (std::size_t j = 0; j < n; ++j)
      expected[i][j] = j + 1 < i || j > i + 1 ? none : static_cast<double>((i * n + j + 1) * (j + 1));
  }
  check_sparse("sparse_jacobian: rc_tridiagonal", sparse_jacobian(tridiagonal)(x), expected);
  constexpr auto reversed = [](auto v) {
    auto w = v;
    for (std::size_t i = 0; i < w.size(); ++i) w[i] = v[w.size() - 1 - i];
    return w;
  };
  const auto turned = sparse_jacobian(reversed)(std::array<double, 64>{});
  for (std::size_t i = 0; i < 64; ++i) {
    BOOST_TEST(turned.row_begin[i] == i);
    BOOST_TEST(turned.columns[i] == 63 - i);
    BOOST_TEST(turned.values[i] == 1);
  }
  constexpr auto part = [](auto a) { return std::array{1.0 + 0 * a[0], a[2], 1.0 + 0 * a[0], a[2]}; };
  constexpr auto with_call = [](auto a) {
    const auto y = call(decltype(part){}, a);
    return std::array{y[0] + a[0], y[1] + a[1], y[2] + a[2], y[3] + a[3]};
  };
  compare("sparse_jacobian: sparse_list_bug", "Jacobian", jacobian(with_call)(Four{1, 1, 1, 1}),
          std::array<Four, 4>{{{1, 0, 0, 0}, {0, 1, 1, 0}, {0, 0, 1, 0}, {0, 0, 1, 1}}});

  constexpr auto subgraph = [](auto a) {
    std::remove_cvref_t<decltype(a[0])> nothing = 0.0, total = 0.0;
    for (std::size_t i = 0; i < 7; ++i)
      if (i != 4) total += a[i];
    return std::array{nothing, a[1], (a[1] + a[1]) * a[2], sin(a[1]), a[4] / 2.0, 2.0 / a[3], a[3] + a[5], total};
  };
  const std::array<double, 7> at{0, 1, 2, 3, 4, 5, 6};
  check_sparse("subgraph_1", sparse_jacobian(subgraph)(at),
               std::array<std::array<double, 7>, 8>{{{none, none, none, none, none, none, none},
                                                     {none, 1, none, none, none, none, none},
                                                     {none, 4, 2, none, none, none, none},
                                                     {none, std::cos(1), none, none, none, none, none},
                                                     {none, none, none, none, 0.5, none, none},
                                                     {none, none, none, -2.0 / 9, none, none, none},
                                                     {none, none, none, 1, none, 1, none},
                                                     {1, 1, 1, 1, none, 1, 1}}});

  // Of a Hessian, the upper triangle.
  constexpr auto quadratic = [](auto a) { return a[0] * a[0] + a[0] * a[1] + a[1] * a[1] + a[2] * a[2]; };
  check_sparse("sparse_hessian: cases", sparse_hessian(quadratic)(Three{0, 1, 2}),
               std::array<Three, 3>{{{2, 1, none}, {none, 2, none}, {none, none, 2}}});
  constexpr auto chain = [](auto a) {
    auto total = 0 * a[0];
    for (std::size_t i = 0; i + 1 < a.size(); ++i)
      total += static_cast<double>(i + 1) * 0.5 * square(a[i + 1] - a[i]) / static_cast<double>(i + 2);
    return total;
  };
  std::array<double, 12> y;
  std::array<std::array<double, 12>, 12> of_chain;
  for (auto& each : of_chain) each.fill(none);
  for (std::size_t i = 0; i < 12; ++i) {
    y[i] = static_cast<double>(i + 1);
    const auto weight = [](std::size_t k) { return static_cast<double>(k + 1) / static_cast<double>(k + 2); };
    of_chain[i][i] = (i < 11 ? weight(i) : 0) + (i > 0 ? weight(i - 1) : 0);
    if (i < 11) of_chain[i][i + 1] = -weight(i);
  }
  check_sparse("sparse_hessian: rc_tridiagonal", sparse_hessian(chain)(y), of_chain);
  constexpr auto cubes = [](auto a, double factor) {
    auto total = factor * a[0] * a[1];
    for (const auto& each : a) total += each * each * each;
    return total;
  };
  using Twelve = std::array<double, 12>;
  std::array<Twelve, 12> of_cubes;
  for (std::size_t i = 0; i < 12; ++i) {
    of_cubes[i].fill(none);
    of_cubes[i][i] = 6 * y[i];
  }
  of_cubes[0][1] = 1;
  check_sparse("example/sparse sparse_hes, sparse_hessian",
               sparse_hessian([](auto a) { return decltype(cubes){}(a, 1.0); })(y), of_cubes);
  of_cubes[0][1] = 5;
  check_sparse("subgraph_hes2jac", sparse_hessian([](auto a) { return decltype(cubes){}(a, 5.0); })(y), of_cubes);
  constexpr auto arrow = [](auto a) {
    auto total = 0 * a[0];
    for (std::size_t i = 0; i < 4; ++i) total += static_cast<double>(i + 1) * a[0] * a[i];
    return total;
  };
  check_sparse("example/sparse sparse_sub_hes", sparse_hessian(arrow)(Four{4, 2, 4.0 / 3, 1}),
               std::array<Four, 4>{
                   {{2, 2, 3, 4}, {none, none, none, none}, {none, none, none, none}, {none, none, none, none}}});
  constexpr auto neighbours = [](auto a) { return a[0] * a[1] * a[1] + a[1] * a[2] * a[2] + a[2] * a[3] * a[3]; };
  check_sparse(
      "sparse_sub_hes", sparse_hessian(neighbours)(Four{1, 2, 3, 4}),
      std::array<Four, 4>{{{none, 4, none, none}, {none, 2, 6, none}, {none, none, 4, 8}, {none, none, none, 6}}});
  constexpr auto weighted = [](auto u, auto v) {
    auto of_u = 0 * u[0];
    for (const auto& each : u) of_u += each * each * each / 6.0;
    return sum(v) * of_u;
  };
  const auto partial = sparse_hessian(weighted, wrt<0>)(Three{2, 3, 4}, Two{5, 6});
  check_sparse("example/sparse sub_sparse_hes", partial,
               std::array<Three, 3>{{{22, none, none}, {none, 33, none}, {none, none, 44}}});
}

BOOST_AUTO_TEST_CASE(patterns) {
  constexpr auto functions = [](auto x) {
    const auto [a, b] = std::pair(x[0], x[1]);
    return std::array{a + 2.0,
                      a + b,
                      3.0 + b,
                      a - b,
                      a * b,
                      a / b,
                      3.0 / b,
                      abs(a + b),
                      acos(b),
                      asin(a + b),
                      atan(a),
                      cos(a + b),
                      cosh(b),
                      exp(a),
                      log(a + b),
                      sin(b),
                      sinh(a),
                      sqrt(a + b),
                      pow(a, 2.0),
                      pow(2.0, b),
                      pow(a, b),
                      where(a < b, a, 2.0),
                      where(a < b, a, b),
                      where(a < b, 3.0, b),
                      a * b + b * x[2]};
  };
  const std::vector<std::size_t> a{0}, b{1}, ab{0, 1}, abc{0, 1, 2}, zero;
  check_pattern("for_jac_sparsity, rev_sparse_jac", sparsity<Three>(jacobian(functions)),
                std::array{a, ab, b, ab, ab, ab, b, ab, b, ab, a, ab, b, a, ab, b, a, ab, a, b, ab, a, ab, b, abc});
  constexpr auto dependencies = [](auto x) {
    return std::array{sign(x[0]), where(x[1] <= 0, 0.0, 1.0), where(0 <= x[2], 0.0, 1.0), floor(x[3])};
  };
  check_pattern("dependency", sparsity<std::array<double, 4>>(jacobian(dependencies)),
                std::array{zero, zero, zero, zero});

  constexpr auto sums = [](auto x) {
    return x[2] * x[3] + x[4] / x[5] + where(x[1] < x[2], sin(x[6]), cos(x[7])) + pow(x[8], x[9]);
  };
  const auto row = [](auto... columns) { return std::vector<std::size_t>{columns...}; };
  check_pattern("hes_sparsity: one", sparsity<std::array<double, 10>>(hessian(sums)),
                std::array{zero, zero, row(3u), zero, row(5u), row(5u), row(6u), row(7u), row(8u, 9u), row(9u)});
  constexpr auto chosen = [](auto x) { return cos(where(x[0] < x[1], x[2], x[3])) + x[0] + x[1]; };
  check_pattern("hes_sparsity: two", sparsity<std::array<double, 4>>(hessian(chosen)),
                std::array{zero, zero, row(2u), row(3u)});
  constexpr auto powers = [](auto x) { return pow(x[0], 2.0) + pow(2.0, x[1]); };
  check_pattern("hes_sparsity: five", sparsity<Two>(hessian(powers)), std::array{row(0u), row(1u)});
  constexpr auto product = [](auto x) { return x[1] * x[2] + 0 * x[0]; };
  check_pattern("hes_sparsity: six", sparsity<Three>(hessian(product)), std::array{zero, row(2u), zero});
  constexpr auto branches = [](auto x) {
    return where(x[0] >= x[1], x[0] + (2.0 + x[1] + 3.0) * x[1], x[0] + (2.0 + x[2] + 3.0) * x[1]);
  };
  check_pattern("optimize: reverse_sparse_hessian", sparsity<Three>(hessian(branches)),
                std::array{zero, row(1u, 2u), zero});
}

BOOST_AUTO_TEST_CASE(calls) {
  using Four = std::array<double, 4>;
  constexpr auto products = [](auto x) { return std::array{x[0] * x[1], x[1] * x[2], x[2] * x[3]}; };
  constexpr auto sums = [](auto y) { return std::array{y[0] + y[1] + y[2], y[0], y[1], y[2]}; };
  constexpr auto both = [](auto x) { return call(decltype(sums){}, call(decltype(products){}, x)); };
  const Four x{1, 1.0 / 2, 1.0 / 3, 2};
  check_jacobian("chkpoint_one: one", both, x, {0.5 + 1.0 / 6 + 2.0 / 3, 0.5, 1.0 / 6, 2.0 / 3},
                 {{{0.5, 1 + 1.0 / 3, 0.5 + 2, 1.0 / 3}, {0.5, 1, 0, 0}, {0, 1.0 / 3, 0.5, 0}, {0, 0, 2, 1.0 / 3}}});
  constexpr auto total = [](auto v) { return decltype(both){}(v)[0]; };
  compare("chkpoint_one: one, second order", "Hessian", hessian(total)(x),
          std::array<Four, 4>{{{0, 1, 0, 0}, {1, 0, 1, 0}, {0, 1, 0, 1}, {0, 0, 1, 0}}});
  constexpr auto squares = [](auto v) { return call([](auto y) { return dot(y, y); }, v); };
  compare("chkpoint_two: six", "Hessian", hessian(squares)(Three{1, 1, 1}),
          std::array<Three, 3>{{{2, 0, 0}, {0, 2, 0}, {0, 0, 2}}});
  constexpr auto choose = [](auto u) { return where(u[0] > u[1], u[2], u[3]); };
  constexpr auto chosen = [](auto a, auto b) {
    return call(decltype(choose){}, std::array{a + 1.0 * b, a + 2.0 * b, a + 3.0 * b, a + 4.0 * b});
  };
  check("chkpoint_two: one", chosen, Two{1, -1}, -2, {1, 3});
  check("chkpoint_two: one, other branch", chosen, Two{1, 1}, 5, {1, 4});
  constexpr auto by_call = [](auto a, auto b) {
    const auto k = call([](auto p, auto q) { return p + q; }, a, b),
               h = call([](auto p, auto q) { return p - q; }, a, b);
    return where(a < b, k, h);
  };
  check("chkpoint_two: two", by_call, Two{3, 4}, 7, {1, 1});
  check("chkpoint_two: two, other branch", by_call, Two{4, 3}, 1, {1, -1});
  check("chkpoint_two: three and four",
        [](auto a, auto b) { return call([](auto p, auto) { return p; }, a + b, a - b); }, Two{5, 6}, 11, {1, 1});
  constexpr auto cubes = [](auto a) {
    const auto y = call([](auto v) { return std::array{v[0] * v[0] * v[0], v[1] * v[1] * v[1]}; }, a);
    return call([](auto v) { return std::array{v[0] + v[0] + v[0], v[1] + v[1] + v[1]}; }, y);
  };
  check_jacobian("example/chkpoint_two get_started", cubes, Two{1, 0.5}, {3, 0.375}, {{{9, 0}, {0, 2.25}}});
}

namespace {

struct chain {  // x_0' = 0, x_i' = w_i x_(i-1), and the last one is the product of the first two
  static constexpr auto f = [](auto, auto x, auto w) {
    return std::array{0 * x[0], w[1] * x[0], w[2] * x[1], w[3] * x[2], w[4] * x[3], x[0] * x[1]};
  };
};
constexpr auto decay = [](auto t, auto x, auto w) { return std::array{-w[0] * x[0], -w[1] * x[1], w[2] * t}; };
constexpr auto two_decays = [](auto, auto x, auto w) { return std::array{-w[0] * x[0], w[0] * x[0] - w[1] * x[1]}; };
constexpr auto monomials = [](auto, auto y, auto x) { return std::array{x[0], x[1] * y[0], x[2] * y[1], x[3] * y[2]}; };
constexpr auto gaussian = [](auto t, auto x, auto alpha) { return std::array{2.0 * alpha * t * x[0], 1.0 / x[0]}; };

}  // namespace

BOOST_AUTO_TEST_CASE(differential_equations) {
  // The classical Runge-Kutta method is exact here: solutions are polynomials of t up to order 4.
  constexpr auto along_chain = [](auto w) {
    auto x = std::array{exp(w[0]), 0 * w[0], 0 * w[0], 0 * w[0], 0 * w[0], 0 * w[0]};
    return odeint(chain::f, x, 0.0, 2.0, 2_c, w);
  };
  const std::array<double, 5> w{0, 1, 2, 3, 4};
  std::array<double, 6> x;
  std::array<std::array<double, 5>, 6> by_w{};
  double term = 1;
  for (std::size_t i = 0; i < 5; ++i) {
    x[i] = term;
    by_w[i][0] = term;
    for (std::size_t j = 1; j <= i; ++j) by_w[i][j] = term / w[j];
    if (i < 4) term *= w[i + 1] * 2 / static_cast<double>(i + 1);
  }
  x[5] = 2;
  by_w[5] = {4, 2};
  check_jacobian("runge_45", along_chain, w, x, by_w);

  // Each rate moves one component.
  constexpr auto along_decays = [](auto v) {
    return odeint<adaptive>(decay, std::array{1.0 + 0 * v[0], 1.0 + 0 * v[0], 0 * v[0]}, 0.0, 1.0, v, 1e-10);
  };
  const double e = std::exp(-1), e101 = std::exp(-101);
  const auto decays = value_and_jvp(along_decays, tangent(Three{1, 1, 1}))(Three{1, 101, 201});
  compare("rosen_34", "value", decays.value, Three{e, e101, 100.5}, 1e-8);
  compare("rosen_34", "tangent", decays.tangent, Three{-e, -e101, 0.5}, 1e-8);

  // x_1 = a (exp(-b) - exp(-a)) / (a - b), with a = w_0 and b = w_1 = 1, and its derivatives.
  constexpr auto along_two = [](auto v) {
    return odeint<adaptive>(two_decays, std::array{1.0 + 0 * v[0], 0 * v[0]}, 0.0, 1.0, v, 1e-10);
  };
  for (const double a : {10.0, 1e3}) {
    const double ea = std::exp(-a), d = a - 1, x_1 = a * (e - ea) / d;
    const auto [last, by_a] = value_and_jvp(along_two, tangent(Two{1, 0}))(Two{a, 1});
    compare("ode_err_control: two, example ode_stiff", "value", last, Two{ea, x_1}, 1e-8);
    compare("ode_err_control: two, example ode_stiff", "by the first rate", by_a,
            Two{-ea, (x_1 / a - x_1 / d) + a * ea / d}, 1e-8);
    const auto by_b = jvp(along_two, tangent(Two{0, 1}))(Two{a, 1});
    compare("ode_err_control: two, example ode_stiff", "by the second rate", by_b, Two{0, (x_1 - a * e) / d}, 1e-8);
  }
  constexpr auto along_gaussian = [](auto alpha) {
    return odeint<adaptive>(gaussian, std::array{1.0 + 0 * alpha, 0 * alpha}, 0.0, 1.0, alpha, 1e-10);
  };
  const double root = std::sqrt(10.0), integral = std::erf(root) / (std::numbers::inv_sqrtpi * 2 * root);
  const auto [grown, by_alpha] = value_and_jvp(along_gaussian, tangent(1.0))(10.0);
  compare("ode_err_control: three", "value", grown, Two{std::exp(10), integral}, 1e-8);
  compare("ode_err_control: three", "by alpha", by_alpha, Two{std::exp(10), std::exp(-10) / 20 - integral / 20}, 1e-8);
  constexpr auto into_nan = [](auto y) {
    return odeint<adaptive>([](auto, auto, auto nan) { return nan; }, y, 0.0, 0.9, y * not_a_number, 1e-7);
  };
  compare("ode_err_control: four", "value", value(into_nan)(1.0), not_a_number);

  constexpr auto along_monomials = [](auto v) {
    return odeint<checkpoints<3>>(monomials, std::array{0 * v[0], 0 * v[0], 0 * v[0], 0 * v[0]}, 0.0, 2.0, 10_c, v);
  };
  const std::array<double, 4> v{1, 2, 3, 4};
  std::array<double, 4> y;
  std::array<std::array<double, 4>, 4> by_v{};
  double power = 1;
  for (std::size_t i = 0; i < 4; ++i) {
    power *= v[i] * 2 / static_cast<double>(i + 1);
    y[i] = power;
    for (std::size_t j = 0; j <= i; ++j) by_v[i][j] = power / v[j];
  }
  check_jacobian("example taylor_ode, mul_level_ode, chkpoint_two ode, ode_err_control: one", along_monomials, v, y,
                 by_v);
}

BOOST_AUTO_TEST_CASE(matrices) {
  using Matrix = std::array<Three, 3>;
  constexpr auto determinant = [](auto a) { return det(a); };
  constexpr auto solution = [](auto a, auto b) { return solve(a, b); };
  const std::array<Two, 3> right{{{1, 3}, {2, 2}, {3, 1}}};
  // The cofactors of the first; the second has its first two rows exchanged.
  const Matrix first{{{3, 0, 0}, {1, 2, 1}, {1, 0, 0.5}}}, second{{{1, 2, 1}, {3, 0, 0}, {1, 0, 0.5}}};
  const Matrix cofactors{{{1, 0.5, -2}, {0, 1.5, 0}, {0, -3, 6}}};
  const auto [by_first, gradient_of_first] = value_and_gradient(determinant)(first);
  compare("lu_vec_ad, example eigen_det", "determinant", by_first, 3);
  compare("lu_vec_ad, example eigen_det", "gradient", gradient_of_first, cofactors);
  const auto [by_second, gradient_of_second] = value_and_gradient(determinant)(second);
  compare("lu_vec_ad", "determinant of the second", by_second, -3);
  compare("lu_vec_ad", "gradient of the second", gradient_of_second, Matrix{{{0, -1.5, 0}, {-1, -0.5, 2}, {0, 3, -6}}});
  for (const Matrix& a : {first, second}) {
    const auto x = value(solution)(a, right);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t k = 0; k < 2; ++k)
        compare("lu_vec_ad", "solution", a[i][0] * x[0 * 2 + k] + a[i][1] * x[1 * 2 + k] + a[i][2] * x[2 * 2 + k],
                right[i][k]);
  }
  const Matrix hilbert{{{1, 1.0 / 2, 1.0 / 3}, {1.0 / 2, 1.0 / 3, 1.0 / 4}, {1.0 / 3, 1.0 / 4, 1.0 / 5}}};
  compare("example/utility lu_solve", "determinant", value(determinant)(hilbert), 1.0 / 2160, 1e-15);
  const Three b{1.0 / 2 + 2.0 / 3, 1.0 / 3 + 2.0 / 4, 1.0 / 4 + 2.0 / 5};
  compare("example/utility lu_solve", "solution", value(solution)(hilbert, b), Three{0, 1, 2}, 1e-11);

  // Complex numbers count as two: x_0 x_3 - x_1 x_2, and -i times the derivative by the imaginary part is that by the
  // real part.
  constexpr auto complex_determinant = [](auto x) {
    using C = complex<std::remove_cvref_t<decltype(x[0])>>;
    const C d = C{x[0], x[1]} * C{x[6], x[7]} - C{x[2], x[3]} * C{x[4], x[5]};
    return std::array{d.re, d.im};
  };
  const std::array<double, 8> at{0, 0, 2, 1, 4, 2, 6, 3};
  const auto j = jacobian(complex_determinant)(at);
  const std::array<double, 8> real{6, -3, -4, 2, -2, 1, 0, 0}, imaginary{3, 6, -2, -4, -1, -2, 0, 0};
  compare("example jac_minor_det, jac_lu_det", "real part", j[0], real);
  compare("example jac_minor_det, jac_lu_det", "imaginary part", j[1], imaginary);
  const auto h = hessian([](auto x) { return det(std::array{std::array{x[0], x[1]}, std::array{x[2], x[3]}}); })(
      std::array{0.0, 2.0, 4.0, 6.0});
  compare("example hes_minor_det, hes_lu_det", "Hessian", h,
          std::array<std::array<double, 4>, 4>{{{0, 0, 0, 1}, {0, 0, -1, 0}, {0, -1, 0, 0}, {1, 0, 0, 0}}});

  constexpr auto inverse_entries = [](auto x) {
    const auto m = inverse(std::array{std::array{x[0], -1.0 + 0 * x[0]}, std::array{2.0 + 0 * x[0], x[1]}});
    return std::array{m[0][0], m[0][1], m[1][0], m[1][1]};
  };
  const double p = 2, q = 3, d = 1 / (p * q + 2), by_p = -q * d * d, by_q = -p * d * d;
  check_jacobian("eigen_mat_inv", inverse_entries, Two{p, q}, {q * d, d, -2 * d, p * d},
                 {{{q * by_p, d + q * by_q}, {by_p, by_q}, {-2 * by_p, -2 * by_q}, {d + p * by_p, p * by_q}}});
  constexpr auto last_entry = [](auto x, auto y) { return decltype(inverse_entries){}(std::array{x, y})[3]; };
  const double by_qq = 2 * p * p * d * d * d, by_qp = 2 * p * q * d * d * d - d * d, by_pp = 2 * q * q * d * d * d;
  check("eigen_mat_inv, second order", last_entry, Two{p, q}, p * d, {d + p * by_p, p * by_q},
        {{{2 * by_p + p * by_pp, by_q + p * by_qp}, {by_q + p * by_qp, p * by_qq}}});

  constexpr auto factor = [](auto x) {
    const auto l = cholesky(std::array{std::array{x[0], x[1]}, std::array{x[1], x[2]}});
    return std::array{l[0][0], l[1][0], l[1][1]};
  };
  const double r = std::sqrt(2.0), f = std::sqrt(5 - 0.125), by_0 = 0.25 / (8 * f), by_1 = -0.25 / f, by_2 = 0.5 / f;
  check_jacobian("example/atomic_two eigen_cholesky", factor, Three{2, 0.5, 5}, {r, 0.5 / r, f},
                 {{{0.5 / r, 0, 0}, {-0.5 / (4 * r), 1 / r, 0}, {by_0, by_1, by_2}}});
  constexpr auto by_last = [](auto x) { return gradient([](auto y) { return decltype(factor){}(y)[2]; })(x)[2]; };
  // Of 1 / (2 f), where f^2 = s = x_2 - x_1^2 / x_0.
  const double s = f * f;
  const Three ds{0.0625, -0.5, 1};
  const std::array<Three, 3> dds{{{-0.0625, 0.25, 0}, {0.25, -1, 0}, {0, 0, 0}}};
  Three third;
  std::array<Three, 3> fourth;
  for (std::size_t i = 0; i < 3; ++i) {
    third[i] = -0.25 * ds[i] / (s * f);
    for (std::size_t k = 0; k < 3; ++k) fourth[i][k] = 0.375 * ds[i] * ds[k] / (s * s * f) - 0.25 * dds[i][k] / (s * f);
  }
  check_of_array("example/atomic_two eigen_cholesky, higher orders", by_last, Three{2, 0.5, 5}, by_2, third, fourth);
  constexpr auto mapped = [](auto x) {
    const auto zero = 0 * x[0];
    return matmul(std::array{std::array{zero, zero}, std::array{1.0 + zero, 2.0 + zero}, std::array{x[0], x[1]}},
                  std::array{x[0], x[1]});
  };
  check_jacobian("example/atomic_two eigen_mat_mul", mapped, Two{2, 3}, {0, 8, 13}, {{{0, 0}, {1, 2}, {4, 6}}});
}

namespace {

// The amplitude y that fits y sin(x t) to z in the sense of least squares is the root of this.
constexpr auto misfit_slope = [](auto y, auto x, auto t, auto z) {
  auto total = 0 * y;
  for (std::size_t k = 0; k < t.size(); ++k) total += (y * sin(x * t[k]) - z[k]) * sin(x * t[k]);
  return total;
};
constexpr auto best_misfit = [](auto x, auto t, auto z) {
  const auto y = implicit_root<2>(misfit_slope, 1.0 + 0 * x, x, t, z);
  auto total = 0 * x;
  for (std::size_t k = 0; k < t.size(); ++k) total += 0.5 * square(y * sin(x * t[k]) - z[k]);
  return total;
};

constexpr auto conjugate_gradient = [](auto a, auto b) {
  auto x = b, d = b, g = b;
  for (std::size_t i = 0; i < 3; ++i) {
    x[i] = 0 * b[i];
    g[i] = -b[i];
  }
  const auto last = while_loop([](const auto& c) { return dot(std::get<1>(c), std::get<1>(c)) > 1e-28; },
                               [&](const auto& c) {
                                 auto [at, residual, direction] = c;
                                 const auto ad = matmul(a, direction);
                                 const auto before = dot(residual, residual), step = before / dot(direction, ad);
                                 for (std::size_t i = 0; i < 3; ++i) {
                                   at[i] += step * direction[i];
                                   residual[i] += step * ad[i];
                                 }
                                 const auto ratio = dot(residual, residual) / before;
                                 for (std::size_t i = 0; i < 3; ++i) direction[i] = -residual[i] + ratio * direction[i];
                                 return std::tuple(at, residual, direction);
                               },
                               std::tuple(x, g, d), 10);
  return std::get<0>(last);
};

// Linear interpolation in a table; beyond its ends the first and the last piece go on.
constexpr auto interpolated = [](auto x, auto starts, auto values, auto slopes) {
  return scan([&](auto y, auto start, auto at_start,
                  auto slope) { return where(x >= start, at_start + slope * (x - start), y); },
              values[0] + slopes[0] * (x - starts[0]), starts, values, slopes);
};
constexpr auto element = [](auto x, auto v, auto i) { return sin(x) * v[i]; };

}  // namespace

BOOST_AUTO_TEST_CASE(solvers_and_tables) {
  using Ten = std::array<double, 10>;
  Ten t, z;
  const double x = 2 * std::numbers::pi;
  double ss = 0, cc = 0, sc = 0;
  for (std::size_t k = 0; k < 10; ++k) {
    t[k] = static_cast<double>(k) / 10;
    z[k] = std::sin(x * t[k]);
    const double c = t[k] * std::cos(x * t[k]);
    ss += z[k] * z[k];
    cc += c * c;
    sc += z[k] * c;
  }
  // The residuals are 0, so the Hessian is that of Gauss and Newton, without what the amplitude explains.
  const auto [value_of_best, g, h] = value_and_hessian(best_misfit, wrt<0>)(x, t, z);
  compare("example bender_quad, opt_val_hes", "value", value_of_best, 0);
  compare("example bender_quad, opt_val_hes", "gradient", g, 0);
  compare("example bender_quad, opt_val_hes", "Hessian", h[0][0], cc - sc * sc / ss);

  // CppAD's matrix is random; this one has the inverse {{3, 2, 1}, {2, 4, 2}, {1, 2, 3}} / 4.
  const std::array<Three, 3> a{{{2, -1, 0}, {-1, 2, -1}, {0, -1, 2}}};
  const auto [solved, by_b] = value_and_jacobian(conjugate_gradient, wrt<1>)(a, Three{1, 2, 4});
  compare("example/sparse conj_grad", "solution", solved,
          Three{(3 + 4 + 4) / 4.0, (2 + 8 + 8) / 4.0, (1 + 4 + 12) / 4.0}, 1e-12);
  compare("example/sparse conj_grad", "Jacobian", by_b,
          std::array<Three, 3>{{{0.75, 0.5, 0.25}, {0.5, 1, 0.5}, {0.25, 0.5, 0.75}}}, 1e-7);

  const std::vector<double> starts{0, 0.2, 0.4, 0.8};
  std::vector<double> values, slopes;
  const std::array<double, 5> grid{0, 0.2, 0.4, 0.8, 1};
  for (std::size_t k = 0; k < 4; ++k) {
    values.push_back(std::sin(grid[k]));
    slopes.push_back((std::sin(grid[k + 1]) - std::sin(grid[k])) / (grid[k + 1] - grid[k]));
  }
  for (const auto& [at, k] : {std::pair{0.4 * 0.2 + 0.6 * 0.4, 1}, std::pair{0.7 * 0.4 + 0.3 * 0.8, 2}}) {
    const auto piece = static_cast<std::size_t>(k);
    const auto found = value_and_gradient(interpolated, wrt<0>)(at, starts, values, slopes);
    compare("example interp_onetape, vec_ad: Two", "value", found.value,
            values[piece] + slopes[piece] * (at - starts[piece]));
    compare("example interp_onetape, vec_ad: Two", "gradient", found.gradient, slopes[piece]);
  }
  const std::vector<double> table{3, 2, 1};
  for (int i = 0; i < 3; ++i) {
    const double at = i;
    const auto found = value_and_gradient(element, wrt<0>)(at, table, i);
    compare("vec_ad: One", "value", found.value, std::sin(at) * (3 - i));
    compare("vec_ad: One", "gradient", found.gradient, std::cos(at) * (3 - i));
  }
}

}  // namespace outside
