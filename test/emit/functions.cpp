// Verbs of formulas and functions, against the library's own calls and against closed forms.
#include "cases.hpp"

#include <boost/hana/adapt_struct.hpp>

#include <cmath>
#include <cstdlib>
#include <iostream>
#include <string_view>

using namespace tapeless;

namespace {

inline constexpr auto x = variable<"x">;
inline constexpr auto y = variable<"y">;
inline constexpr auto sin_ = variable<"sin">;
inline constexpr auto v1 = variable<"v1">;

inline constexpr auto rosenbrock = [](const auto& p) {
  return square(1.0 - p[0]) + 100.0 * square(p[1] - square(p[0])) + 0.3 * p[0] * p[1];
};
inline constexpr auto to_plane = [](auto r, auto angle) {
  return std::array{r * cos(angle), r * sin(angle), r / angle};
};
inline constexpr auto kinks = [](auto a, auto b, auto c) {
  return max(a, b, c) + 2.0 * min(a, b) + where(a > b && !(c == a), a * a, log(b)) + abs(a - b) + clamp(c, 0.0, 1.0) +
         relu(-a) + norm(a, b, c) + logsumexp(a, b, c) + norm(a, b);
};
inline constexpr auto stopped = [](auto a, auto b) { return a * exp(a) * stop_gradient(sin(b) * log(b)) + b; };
inline constexpr auto densities = [](auto a, auto b) {
  return normal_lpdf(a, b, 2.0) + log_normal_cdf(a) + cauchy_lpdf(a, b, 0.5) + erfc(a) + softplus(b) + sigmoid(a) +
         uniform_lpdf(a, -10.0, 10.0) + lgamma(b);
};
inline constexpr auto constants = [](auto a) {
  return a * 0.1 + a * (1.0 / 3.0) + a * 1e-300 + a * 6.02214076e23 + a * 5e-324 + a * 1.7976931348623157e308 +
         a * 2.2250738585072014e-308 + a * 3.141592653589793 - a * 1e22 + a * 123456.789 + 1e-7 - a * 1e-5;
};
inline constexpr auto trigonometry = [](auto a) {
  return sin(a) * cos(a) + erfc(a) * exp(-(a * a)) + tanh(a) + atan2(a, 2.0);
};
inline constexpr auto pose = [](const auto& q, const auto& p) {
  const auto w = q[0], a = q[1], b = q[2], c = q[3];
  return std::array{p[0] * (1.0 - 2.0 * (b * b + c * c)) + 2.0 * p[1] * (a * b - w * c) + 2.0 * p[2] * (a * c + w * b),
                    2.0 * p[0] * (a * b + w * c) + p[1] * (1.0 - 2.0 * (a * a + c * c)) + 2.0 * p[2] * (b * c - w * a)};
};
/// A residual of bundle adjustment: a camera's rotation vector, translation, focal length and distortion; a point.
inline constexpr auto reprojection = [](const auto& camera, const auto& point) {
  const auto angle = norm(camera[0], camera[1], camera[2]);
  const auto s = sin(angle), c = cos(angle);
  const auto a = camera[0] / angle, b = camera[1] / angle, d = camera[2] / angle;
  const auto along = (a * point[0] + b * point[1] + d * point[2]) * (1.0 - c);
  const auto px = point[0] * c + (b * point[2] - d * point[1]) * s + a * along + camera[3];
  const auto py = point[1] * c + (d * point[0] - a * point[2]) * s + b * along + camera[4];
  const auto pz = point[2] * c + (a * point[1] - b * point[0]) * s + d * along + camera[5];
  const auto u = -px / pz, v = -py / pz, r = u * u + v * v;
  const auto scale = camera[6] * (1.0 + r * (camera[7] + camera[8] * r));
  return std::array{scale * u, scale * v};
};

struct point {
  double a, b;
};

}  // namespace

BOOST_HANA_ADAPT_STRUCT(point, a, b);

int main(int count, char** arguments) {
  if (count != 2) return 2;
  cases all(arguments[1]);
  const std::array p{-1.2, 0.7}, q{0.5, -0.25};
  all.check<"rosenbrock">(value(rosenbrock), p);
  all.check<"rosenbrock_g">(value_and_gradient(rosenbrock), p);
  all.check<"rosenbrock_g">(value_and_gradient(rosenbrock), q);
  all.check<"rosenbrock_h">(hessian(rosenbrock), p);
  all.check<"rosenbrock_vh">(value_and_hessian(rosenbrock), p);
  all.check<"rosenbrock_f">(value_and_hessian(rosenbrock), std::array{-1.2f, 0.7f});
  all.check<"plane_j">(jacobian(to_plane), 2.0, 0.7);
  all.check<"plane_vj">(value_and_jacobian(to_plane), 2.0, 0.7);
  all.check<"plane_j1">(jacobian(to_plane, wrt<1>), 2.0, 0.7);
  all.check<"plane_f">(value_and_jacobian(to_plane), 2.0f, 0.7f);
  all.check_seeded<"plane_jvp">("(const double[]){0.5, -2}", value_and_jvp(to_plane, tangent(0.5, -2.0)), 2.0, 0.7);
  all.check_seeded<"plane_vjp">("(const double[]){0.5, -2, 3}", vjp(to_plane, cotangent(0.5, -2.0, 3.0)), 2.0, 0.7);
  all.check_seeded<"rosenbrock_hvp">("(const double[]){0.5, -2}", hvp(rosenbrock, tangent(std::array{0.5, -2.0})), p);
  for (const auto& [a, b, c] : {std::array{1.0, 2.0, 3.0}, {2.0, 2.0, 2.0}, {-1.0, 0.5, -1.0}, {0.0, 0.0, 0.0}}) {
    all.check<"kinks">(value_and_gradient(kinks), a, b, c);
    all.check<"kinks_h">(value_and_hessian(kinks), a, b, c);
    all.check<"kinks_f">(value_and_gradient(kinks), static_cast<float>(a), static_cast<float>(b),
                         static_cast<float>(c));
  }
  all.check<"stopped">(gradient(stopped), 0.3, 1.7);
  all.check<"densities">(value_and_gradient(densities, wrt<0>), 0.3, 1.7);
  all.check<"densities_h">(value_and_hessian(densities, wrt<0>), 0.3, 1.7);
  all.check<"constants">(value_and_gradient(constants), 1.25);
  all.check<"constants_f">(value_and_gradient(constants), 1.25f);
  all.check<"trigonometry">(value_and_gradient(trigonometry), 0.7);
  all.check<"trigonometry_h">(value_and_hessian(trigonometry), 0.7);
  all.check<"trigonometry_f">(value_and_gradient(trigonometry), 0.7f);
  all.check<"pose">(value_and_jacobian(pose), std::array{0.8, 0.2, -0.4, 0.1}, std::array{1.0, -2.0, 0.5});
  all.check<"reprojection">(value_and_jacobian(reprojection),
                            std::array{0.1, -0.2, 0.3, 0.5, 0.6, -4.0, 500.0, 1e-3, 2e-6}, std::array{1.0, -2.0, 7.5});
  all.check<"integers">(value_and_gradient([](auto n, auto a) { return pow(a, 3_c) * n; }, wrt<1>), 3, 1.5);
  all.check<"records">(gradient([](const auto& s, auto c) { return s[&point::a] * exp(s[&point::b]) * c; }),
                       point{0.5, 0.25}, 2.0);
  all.check_seeded<"bound">(
      "(const double[]){2, 3}",
      value_and_gradient(
          bind_back([](auto a, const auto& data) { return a * data[0] + exp(a * data[1]); }, std::array{2.0, 3.0}),
          wrt<0>),
      0.5);

  // Formulas, with the numbers that they carry and names that C uses itself.
  {
    constexpr auto f = 0.1 * x * sin(y) + pow(x, y) - 1e-9 / x;
    const auto r = value_and_gradient(f)(x = 1.5, y = 0.5);
    all.add<double>("formula", emit<c99, "formula">(value_and_gradient(f)).text().str(),
                    {r.value, r.gradient[x], r.gradient[y]}, 0.0, "", x = 1.5, y = 0.5);
    constexpr auto named = sin_ * sin(sin_) + exp(v1);
    const auto s = gradient(named)(sin_ = 0.5, v1 = 0.25);
    all.add<double>("named", emit<c99, "named">(gradient(named)).text().str(), {s[sin_], s[v1]}, 0.0, "", sin_ = 0.5,
                    v1 = 0.25);
    // Names that C does not have, or that are equal there, and macros.
    constexpr auto greek =
        variable<"\u03b8"> * sin(variable<"\u03c6">) + variable<"a b"> * square(variable<"a_b">) + variable<"">;
    all.add<double>("greek", emit<c99, "greek">(gradient(greek)).text().str(), {0, 5, 9, 12, 1}, 0.0, "",
                    variable<"\u03b8"> = 5.0, variable<"\u03c6"> = 0.0, variable<"a b"> = 2.0, variable<"a_b"> = 3.0,
                    variable<""> = 1.0);
    constexpr auto macros = variable<"M_PI"> * variable<"HUGE_VAL"> + variable<"_Bool"> * variable<"gradient0"> +
                            variable<"FP_NAN"> * variable<"typeof">;
    all.add<double>("macros", emit<c99, "macros">(gradient(macros)).text().str(), {3, 2, 7, 5, 13, 11}, 0.0, "",
                    variable<"M_PI"> = 2.0, variable<"HUGE_VAL"> = 3.0, variable<"_Bool"> = 5.0,
                    variable<"gradient0"> = 7.0, variable<"FP_NAN"> = 11.0, variable<"typeof"> = 13.0);
    for (const std::string_view name :
         {"_Bool", "__f", "fmaxf", "gamma", "y0", "memcpy", "M_PI", "main", "2f", "a-b", "linux"})
      if (detail::is_c_name(name)) std::cerr << "not the name of a function: " << name << "\n", std::exit(1);
    for (const std::string_view name : {"_f", "f2", "y2", "gamma_", "fmaxx", "M", "step"})
      if (!detail::is_c_name(name)) std::cerr << "the name of a function: " << name << "\n", std::exit(1);
    constexpr auto several = outputs(x * y, x + y, 2_c);
    all.add<double>("several", emit<c99, "several">(jacobian(several)).text().str(), {0.5, 1.5, 1, 1, 0, 0}, 0.0, "",
                    x = 1.5, y = 0.5);
  }

  // Directions of formulas, in the order in which they are given; other forms of results.
  {
    constexpr auto f = x * x * sin(y);
    const auto forward = value_and_jvp(f, tangent(y = 0.5, x = -2.0));
    const auto r = forward(x = 1.5, y = 0.5);
    all.add<double>("formula_jvp", emit<c99, "formula_jvp">(forward).text().str(), {r.value, r.tangent}, 0.0,
                    "(const double[]){0.5, -2}", x = 1.5, y = 0.5);
    const auto back = vjp(outputs(f, x * y), cotangent(3.0, -1.0));
    const auto b = back(x = 1.5, y = 0.5);
    all.add<double>("formula_vjp", emit<c99, "formula_vjp">(back).text().str(), {b[x], b[y]}, 0.0,
                    "(const double[]){3, -1}", x = 1.5, y = 0.5);
    constexpr auto by_y = gradient(f, wrt(y));
    all.add<double>("formula_wrt", emit<c99, "formula_wrt">(by_y).text().str(), {by_y(x = 1.5, y = 0.5)[y]}, 0.0, "",
                    x = 1.5, y = 0.5);
  }
  all.check<"tuple">(value([](auto a, auto b) { return std::tuple(a * b, std::array{a, b}, 2.0 * a); }), 0.5, 0.25);
  all.check<"complex">(value([](const auto& z) { return exp(z * z); }), tapeless::complex<double>{0.5, 0.25});
  all.add<double>(
      "sparse",
      emit<c99, "sparse">(sparse_jacobian([](const auto& a) { return std::array{a[0] * a[0], a[1] * a[2]}; }),
                          std::array{1.0, 2.0, 3.0})
          .text()
          .str(),
      {2.0, 3.0, 2.0}, 0.0, "", std::array{1.0, 2.0, 3.0});
  all.check<"condition">(value([](auto a, auto b) { return std::array{where(a > b, 1.0, 0.0), a * (a > b)}; }), 0.5,
                         0.25);

  // Closed forms.
  all.check_known<"known_gradient">(
      {std::exp(0.5) * std::sin(2.0), std::exp(0.5) * std::sin(2.0), std::exp(0.5) * std::cos(2.0)}, 1e-15,
      value_and_gradient([](auto a, auto b) { return exp(a) * sin(b); }), 0.5, 2.0);
  all.check_known<"known_hessian">({6 * 2.0 * 5, 3 * 4.0, 3 * 4.0, 0}, 0.0,
                                   hessian([](auto a, auto b) { return a * a * a * b; }), 2.0, 5.0);
  all.check_known<"known_jacobian">({std::cos(0.7), -2 * std::sin(0.7), std::sin(0.7), 2 * std::cos(0.7)}, 1e-15,
                                    jacobian([](auto r, auto t) { return std::array{r * cos(t), r * sin(t)}; }), 2.0,
                                    0.7);
  // A stop: d/da a s(a) at the frozen s(a).
  all.check_known<"known_stop">({std::exp(0.3)}, 1e-15, gradient([](auto a) { return a * stop_gradient(exp(a)); }),
                                0.3);
  all.check_known<"known_absent">({0.0, 1.0}, 0.0, gradient([](auto a, auto b) { return stop_gradient(a) + b; }), 2.0,
                                  3.0);
}
