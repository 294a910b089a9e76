// Formulas and functions of numbers, against the same mathematics by hand and its differences: what ./dev mutate runs.
#include <tapeless/tapeless.hpp>

#include "check.hpp"

#include <algorithm>
#include <array>

namespace {

using namespace tapeless;
using check::close;

inline constexpr auto x = variable<"x">;
inline constexpr auto y = variable<"y">;
inline constexpr auto z = variable<"z">;

/// Signs, quotients, powers, shared terms, functions that come in pairs, selections, stops.
template <class T>
constexpr auto first(const T& a, const T& b, const T& c) {
  using std::exp, std::log, std::sin, std::cos, std::sqrt;
  using tapeless::exp, tapeless::log, tapeless::sin, tapeless::cos, tapeless::sqrt;
  const auto q = -a * b - c / b, s = sin(a * c) + cos(a * c);
  const auto e = exp(q / 4) * s - (b - a) * (a - b) + log(a / b) * 3.0;
  return e / (1.0 + c * c) + sqrt(a + b) * 2.0 - (2.0 * a + 2.0 * b) * c - e * e / 8.0;
}
double second(double a, double b, double c) {
  const double largest = std::max(a * b, c), t = a > c ? std::abs(a - c) * b : b * b * b;
  return std::pow(largest, 3) + t / (b + std::pow(a, -2)) + std::log(std::exp(a) + std::exp(b) + std::exp(c)) +
         std::hypot(a, b) * std::erfc(c) + std::tanh(a) * std::exp(-c * c);
}

}  // namespace

int main() {
  for (const std::array<double, 3> at : {std::array{0.7, 1.9, -0.4}, std::array{1.3, 0.6, 2.1}}) {
    const std::vector<double> point(at.begin(), at.end());
    const auto [a, b, c] = at;
    const auto by_hand = [](const std::vector<double>& v) { return first(v[0], v[1], v[2]); };
    const auto slope = [&](auto g) {
      return [=](const std::vector<double>& v) { return std::array<double, 3>(g(v[0], v[1], v[2])); };
    };
    constexpr auto f = [](const auto& a1, const auto& b1, const auto& c1) { return first(a1, b1, c1); };
    const auto r = value_and_gradient(f)(a, b, c);
    const auto& [by_a, by_b, by_c] = r.gradient;
    const std::array<double, 3> got{by_a, by_b, by_c};
    close("first", r.value, first(a, b, c));
    check::slopes("gradient of first", by_hand, point, [&](std::size_t i) { return got[i]; });
    static_cast<void>(slope);

    // The same as a formula, its Hessian, forward and backward products.
    constexpr auto g = max(x * y, z) * max(x * y, z) * max(x * y, z) +
                       where(x > z, abs(x - z) * y, pow(y, 3_c)) / (y + pow(x, constant<-2>)) + logsumexp(x, y, z) +
                       hypot(x, y) * erfc(z) + tanh(x) * exp(-(z * z));
    const auto of_second = [](const std::vector<double>& v) { return second(v[0], v[1], v[2]); };
    const auto h = value_and_gradient(g, wrt(x, y, z))(x = a, y = b, z = c);
    close("second", h.value, second(a, b, c));
    const auto gradient_at = [&](double p, double q, double s) {
      const auto result = gradient(g, wrt(x, y, z))(x = p, y = q, z = s);
      return std::array<double, 3>{result[x], result[y], result[z]};
    };
    check::slopes("gradient of second", of_second, point, [&](std::size_t i) { return gradient_at(a, b, c)[i]; });
    const auto curvature = hessian(g, wrt(x, y, z))(x = a, y = b, z = c);
    const double rows[3][3] = {{curvature(x, x), curvature(x, y), curvature(x, z)},
                               {curvature(y, x), curvature(y, y), curvature(y, z)},
                               {curvature(z, x), curvature(z, y), curvature(z, z)}};
    for (std::size_t row = 0; row < 3; ++row)
      check::slopes(
          "Hessian", [&](const std::vector<double>& v) { return gradient_at(v[0], v[1], v[2])[row]; }, point,
          [&](std::size_t i) { return rows[row][i]; });
    const auto product = hvp(g, wrt(x, y, z), tangent(x = 1.0, z = -2.0))(x = a, y = b, z = c);
    close("hvp", product[x], rows[0][0] - 2 * rows[0][2], 1e-10);
    close("hvp", product[y], rows[1][0] - 2 * rows[1][2], 1e-10);
    close("hvp", product[z], rows[2][0] - 2 * rows[2][2], 1e-10);
    const auto slopes = gradient_at(a, b, c);
    close("jvp", jvp(g, tangent(x = 0.5, y = 2.0))(x = a, y = b, z = c), 0.5 * slopes[0] + 2 * slopes[1]);

    // More outputs than arguments, and fewer.
    constexpr auto tall = [](const auto& u, const auto& v) {
      return std::array{u * v, sin(u) / v, exp(u - v) * u, v * 1.0, u / (u + v)};
    };
    const auto j = jacobian(tall)(a, b);
    const double e = std::exp(a - b), s = (a + b) * (a + b);
    const double expected[5][2] = {
        {b, a}, {std::cos(a) / b, -std::sin(a) / (b * b)}, {e * a + e, -e * a}, {0, 1}, {b / s, -a / s}};
    for (std::size_t i = 0; i < 5; ++i)
      close("Jacobian", j[i][0], expected[i][0]), close("Jacobian", j[i][1], expected[i][1]);

    // Stops, a condition as a number, and a path that is not chosen.
    constexpr auto stopped = where(x > 0.0, x * stop_gradient(x * y), log(x - 10.0)) + (y > 0.0) * y * z +
                             where(y < -5.0, sqrt(y), y) * where(!(x > 0.0), sqrt(-x), z);
    const auto t = value_and_gradient(stopped, wrt(x, y, z))(x = a, y = b, z = c);
    close("stopped", t.value, a * a * b + 2 * b * c);
    close("stopped by x", t.gradient[x], a * b), close("stopped by y", t.gradient[y], 2 * c);
    close("stopped by z", t.gradient[z], 2 * b);
  }
}
