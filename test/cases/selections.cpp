// Selections, with NaN and infinities in what is not chosen: every verb against jets that follow the chosen path alone.
#include "../jets.hpp"

#include <tapeless/tapeless.hpp>

#include <boost/test/unit_test.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <tuple>

namespace {

using namespace tapeless;
using tapeless_test::jet, tapeless_test::random_sequence, tapeless_test::same;

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// A random program: every step uses two earlier ones, most are selections, and some are infinite or not a number at
/// ordinary points. The last step adds what is chosen of the last values.
template <std::uint32_t Seed>
struct random_program {
  static constexpr std::uint32_t size = 14;
  template <class T>
  constexpr T operator()(T a, T b) const {
    T nodes[size] = {a, b, a, a, a, a, a, a, a, a, a, a, a, a};
    random_sequence next{0x9e3779b9u * (Seed + 1)};
    for (std::uint32_t i = 2; i < size; ++i) {
      const T u = nodes[next.below(i)], v = nodes[next.below(i)];
      switch (next.below(14)) {
        case 0: nodes[i] = relu(u - v); break;
        case 1: nodes[i] = max(u, v); break;
        case 2: nodes[i] = min(u, v); break;
        case 3: nodes[i] = clamp(u, T(-1.0), T(1.0)); break;
        case 4: nodes[i] = abs(u); break;
        case 5: nodes[i] = where(u > T(0.0), sqrt(u), v); break;
        case 6: nodes[i] = where(u < v, u * v, log(u)); break;
        case 7: nodes[i] = relu(log(u)); break;
        case 8: nodes[i] = max(T(1.0) / u, v); break;
        case 9: nodes[i] = sqrt(relu(u)); break;
        case 10: nodes[i] = hypot(u, v); break;
        case 11: nodes[i] = u * v; break;
        case 12: nodes[i] = u + v; break;
        default: nodes[i] = min(sqrt(u), exp(v)); break;
      }
    }
    return where(nodes[size - 2] > T(0.0), nodes[size - 1] + nodes[size - 2], nodes[size - 1] - nodes[size - 3]);
  }
};

/// Compares every verb at a point; what the chosen path itself makes infinite or NaN depends on the order of products.
/// Gives the number of derivatives compared.
template <class F>
int check(F f, double x, double y) {
  const auto along = [&](int i, int j) {
    jet a(x), b(y);
    (i == 0 ? a : b).first = 1.0;
    (j == 0 ? a : b).second = 1.0;
    return f(a, b);
  };
  const jet xx = along(0, 0), xy = along(0, 1), yy = along(1, 1);
  const std::array<double, 2> first{xx.first.value_or(0), yy.first.value_or(0)};
  const std::array<std::array<double, 2>, 2> second{
      {{xx.mixed.value_or(0), xy.mixed.value_or(0)}, {xy.mixed.value_or(0), yy.mixed.value_or(0)}}};
  int compared = 0;
  BOOST_TEST_CONTEXT("at " << x << ", " << y) {
    const auto r = value_and_gradient(f)(x, y);
    BOOST_TEST(same(r.value, xx.value, 1e-14));
    const std::array<double, 2> reverse{std::get<0>(r.gradient), std::get<1>(r.gradient)};
    constexpr auto row = [](auto a, auto b) { return std::array{F{}(a, b), a * b}; };
    constexpr auto column = [](auto a, auto b) { return std::array{F{}(a, b), a, b}; };
    const auto by_rows = jacobian(row)(x, y);
    const auto by_columns = jacobian(column)(x, y);
    const auto h = hessian(f)(x, y);
    for (std::size_t i = 0; i < 2; ++i) {
      if (!std::isfinite(first[i])) continue;
      ++compared;
      BOOST_TEST(same(reverse[i], first[i], 1e-12), "gradient " << reverse[i] << ", expected " << first[i]);
      BOOST_TEST(same(by_rows[0][i], first[i], 1e-12), "rows " << by_rows[0][i] << ", expected " << first[i]);
      BOOST_TEST(same(by_columns[0][i], first[i], 1e-12), "columns " << by_columns[0][i] << ", expected " << first[i]);
      const double forward = i == 0 ? jvp(f, tangent(1.0, 0.0))(x, y) : jvp(f, tangent(0.0, 1.0))(x, y);
      if (std::isfinite(first[1 - i]))
        BOOST_TEST(same(forward, first[i], 1e-12), "jvp " << forward << ", expected " << first[i]);
      for (std::size_t j = 0; j < 2; ++j) {
        if (!std::isfinite(second[i][j]) || !std::isfinite(first[1 - i])) continue;
        ++compared;
        BOOST_TEST(same(h[i][j], second[i][j], 1e-9), "hessian " << h[i][j] << ", expected " << second[i][j]);
      }
    }
  }
  return compared;
}

constexpr std::array coordinates{-2.5, -1.0, -0.0, 0.0, 0.5, 1.0, 3.0};
template <class F>
int check_everywhere(F f) {
  int compared = 0;
  for (const double x : coordinates)
    for (const double y : coordinates) compared += check(f, x, y);
  return compared;
}

template <std::uint32_t Begin, std::uint32_t... I>
int check_random(std::integer_sequence<std::uint32_t, I...>) {
  return (check_everywhere(random_program<Begin + I>{}) + ...);
}

constexpr auto x = variable<"x">;
constexpr auto y = variable<"y">;

/// The same, and of the formula too, where derivatives by types are among the verbs.
template <class F>
void check_formula(F f) {
  check_everywhere(f);
  const auto formula = f(x, y);
  for (const double u : coordinates)
    for (const double v : coordinates) {
      jet a(u), b(v);
      a.first = 1.0, b.second = 1.0;
      const jet expected = f(a, b);
      const double by_x = expected.first.value_or(0), by_y = expected.second.value_or(0);
      if (!std::isfinite(by_x) || !std::isfinite(by_y)) continue;
      BOOST_TEST_CONTEXT("at " << u << ", " << v) {
        const auto g = gradient(formula, wrt(x, y))(x = u, y = v);
        // A derivative need not contain both variables.
        const auto at = [&](const auto& e) { return (e + 0.0 * (x + y))(x = u, y = v); };
        const double symbolic_x = at(derivative(formula, x)), symbolic_y = at(derivative(formula, y));
        BOOST_TEST(same(double(g[x]), by_x, 1e-12), "gradient " << double(g[x]) << ", expected " << by_x);
        BOOST_TEST(same(symbolic_x, by_x, 1e-12), "derivative " << symbolic_x << ", expected " << by_x);
        BOOST_TEST(same(symbolic_y, by_y, 1e-12), "derivative " << symbolic_y << ", expected " << by_y);
        const double mixed = at(derivative(derivative(formula, x), y));
        if (const double m = expected.mixed.value_or(0); std::isfinite(m))
          BOOST_TEST(same(mixed, m, 1e-9), "second derivative " << mixed << ", expected " << m);
      }
    }
}

BOOST_AUTO_TEST_CASE(random_programs) {
  const int compared = check_random<0>(std::make_integer_sequence<std::uint32_t, 10>{});
  BOOST_TEST(compared > 1000);
}

BOOST_AUTO_TEST_CASE(paths_that_meet) {
  check_formula([](auto a, auto b) { return relu(sqrt(a) - 1_c) + relu(sqrt(a) - 2_c) * b; });
  check_formula([](auto a, auto b) { return max(sqrt(a), 1_c) * b + max(sqrt(a), 2_c); });
  check_formula([](auto a, auto b) { return clamp(sqrt(a), 1_c, 5_c) * clamp(sqrt(a), 2_c, 5_c) + b * abs(b); });
  check_formula([](auto a, auto b) { return where(a > 0_c, sqrt(a) * b, b) + where(a > 1_c, log(a), a * a); });
}
BOOST_AUTO_TEST_CASE(functions_of_selections) {
  check_formula([](auto a, auto b) { return sqrt(relu(a)) * b + sqrt(abs(b)); });
  check_formula([](auto a, auto b) { return sqrt(relu(a) + relu(b)); });
  check_formula([](auto a, auto b) { return log(where(a > 0_c, a, 1_c)) + 1_c / max(a, b); });
  check_formula([](auto a, auto b) { return sqrt(hypot(a, b)) - relu(hypot(a, a) * b); });
}

// A zero that is computed is a number like others; only what no path reaches is left out, and only of derivatives.
BOOST_AUTO_TEST_CASE(values_are_those_written) {
  for (const double factor : {nan, inf}) {
    BOOST_TEST(std::isnan((relu(x) * y)(x = -1.0, y = factor)));
    BOOST_TEST(std::isnan((max(x, 0_c) * y)(x = -1.0, y = factor)));
    BOOST_TEST(std::isnan((clamp(x, 0_c, 1_c) * y)(x = -1.0, y = factor)));
    BOOST_TEST(std::isnan((where(x > 0_c, x, 0_c) * y)(x = -1.0, y = factor)));
    BOOST_TEST(std::isnan((-where(x > 0_c, x, 0_c) * y)(x = -1.0, y = factor)));
    BOOST_TEST(std::isnan((abs(x) * y)(x = 0.0, y = factor)));
    BOOST_TEST(double(gradient(relu(x) * y, wrt(x))(x = -1.0, y = factor)[x]) == 0.0);
    BOOST_TEST(std::isnan(double(gradient(relu(x) * y, wrt(y))(x = nan, y = factor)[y])));
  }
}

}  // namespace
