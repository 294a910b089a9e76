// Jacobians, directional derivatives, policies and gradient surgery against closed forms.
#include <tapeless/tapeless.hpp>

#include <boost/hana/at_key.hpp>
#include <boost/hana/fold.hpp>
#include <boost/hana/second.hpp>
#include <boost/hana/unpack.hpp>
#include <boost/test/unit_test.hpp>

#include <array>
#include <cmath>
#include <tuple>
#include <type_traits>

using namespace tapeless;
namespace tt = boost::test_tools;

namespace {

constexpr auto x = variable<"x">;
constexpr auto y = variable<"y">;
constexpr auto z = variable<"z">;

const auto near = tt::tolerance(1e-13);

}  // namespace

BOOST_AUTO_TEST_CASE(jacobian_of_formulas) {
  // More outputs than variables (forward sweeps), and fewer (reverse sweeps).
  const auto tall = value_and_jacobian(outputs(x * y, 2.5 * sin(x), stop_gradient(x) * y), wrt(x, y))(x = 0.5, y = 2.0);
  BOOST_TEST(tall.value[1] == 2.5 * std::sin(0.5), near);
  BOOST_TEST(tall.jacobian(0, x) == 2.0);
  BOOST_TEST(tall.jacobian(0_c, y) == 0.5);
  BOOST_TEST(tall.jacobian(1, x) == 2.5 * std::cos(0.5), near);
  BOOST_TEST(tall.jacobian(1, y) == 0.0);
  BOOST_TEST(tall.jacobian(2, x) == 0.0);
  BOOST_TEST(tall.jacobian[2][1] == 0.5);
  const auto wide = jacobian(outputs(x * y * z))(x = 2.0, y = 3.0, z = 5.0);
  BOOST_TEST(wide(0, x) == 15.0);
  BOOST_TEST(wide(0, z) == 6.0);
  static_assert(jacobian(outputs(x * y, x + y), wrt(y))(x = 2.0, y = 3.0)(0, y) == 2.0);
}

BOOST_AUTO_TEST_CASE(jacobian_of_functions) {
  constexpr auto polar = [](auto p, auto scale) {
    return std::array{scale * p[0] * cos(p[1]), scale * p[0] * sin(p[1])};
  };
  const auto [value, j] = value_and_jacobian(polar, wrt<0>)(std::array{2.0, 0.3}, 1.5);
  BOOST_TEST(value[0] == 3 * std::cos(0.3), near);
  BOOST_TEST(j[0][0] == 1.5 * std::cos(0.3), near);
  BOOST_TEST(j[0][1] == -3 * std::sin(0.3), near);
  BOOST_TEST(j[1][1] == 3 * std::cos(0.3), near);
  const auto all = jacobian(polar)(std::array{2.0f, 0.3f}, 1.5f);
  static_assert(std::is_same_v<std::remove_const_t<decltype(all)>, std::array<std::array<float, 3>, 2>>);
  BOOST_TEST(all[1][2] == 2.0f * std::sin(0.3f), tt::tolerance(1e-6f));
}

BOOST_AUTO_TEST_CASE(directional) {
  const auto f = x * x * y + stop_gradient(x) * sin(y);
  // f_x = 2 x y, f_y = x^2 + x cos y with the stopped x held; f_yy = -x sin y.
  BOOST_TEST(jvp(f, tangent(x = 1.0, y = 2.0))(x = 0.5, y = 2.0) == 2.0 + 2 * (0.25 + 0.5 * std::cos(2.0)), near);
  const auto h = hvp(f, tangent(x = 1.0, y = 2.0))(x = 0.5, y = 2.0);
  BOOST_TEST(h[x] == 2 * 2.0 * 1.0 + 2 * 0.5 * 2.0, near);
  BOOST_TEST(h[y] == 2 * 0.5 * 1.0 - 0.5 * std::sin(2.0) * 2.0, near);
  const auto v = vjp(outputs(x * y, sin(x)), cotangent(1.0, 2.0))(x = 0.5, y = 2.0);
  BOOST_TEST(v[x] == 2.0 + 2 * std::cos(0.5), near);
  BOOST_TEST(v[y] == 0.5);
  const auto t = jvp(outputs(x * y, sin(x)), tangent(x = 3.0))(x = 0.5, y = 2.0);
  BOOST_TEST(t[0] == 6.0);
  BOOST_TEST(t[1] == 3 * std::cos(0.5), near);
  const auto product = [](auto a, auto b) { return a * b[0] * sin(b[1]); };
  BOOST_TEST(jvp(product, tangent(1.0, std::array{0.0, 2.0}))(3.0, std::array{0.5, 0.25}) ==
                 0.5 * std::sin(0.25) + 2 * 3.0 * 0.5 * std::cos(0.25),
             near);
  BOOST_TEST(jvp([](auto a) { return std::array{a, a * a}; }, tangent(2.0))(3.0)[1] == 12.0);
  BOOST_TEST(vjp(where(x > 0, sqrt(x), x), cotangent(2.0))(x = 0.0)[x] == 2.0);
  BOOST_TEST(hvp(where(x > 0, x * sqrt(x), x * x), tangent(x = 1.0))(x = 0.0)[x] == 2.0);
}

// So many operations that g++ computes them in several functions: x / (x / s) is s.
BOOST_AUTO_TEST_CASE(function_of_many_operations) {
  const auto there_and_back = [](auto numerator, auto s) {
    for (int i = 0; i < 300; ++i) s = numerator / s;
    return s;
  };
  const auto r = value_and_gradient(there_and_back)(2.0, 4.0);
  BOOST_TEST(r.value == 4.0);
  BOOST_TEST((r.gradient == std::tuple(0.0, 1.0)));
}

BOOST_AUTO_TEST_CASE(unconnected_variables) {
  const auto f = x * stop_gradient(y);
  const auto structural = gradient(f, wrt(x, y, z))(x = 2.0, y = 3.0);
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(structural[y])>, Zero>);
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(structural[z])>, Zero>);
  BOOST_TEST(structural[z] == 0.0);
  BOOST_TEST(structural[x] - structural[y] * 2.0 == 3.0);
  const auto bound = gradient(f, wrt(x, z))(x = 2.0, y = 3.0, z = 1.0);
  BOOST_TEST(bound[x] == 3.0);
  const auto numbers = value_and_gradient(f, wrt(x, y), unconnected::materialise)(x = 2.0, y = 3.0).gradient;
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(numbers[y])>, double>);
  BOOST_TEST(numbers[y] == 0.0);
  BOOST_TEST(gradient(x + stop_gradient(x), wrt(x), unconnected::strict)(x = 2.0)[x] == 1.0);
  // A variable of the second output alone is connected.
  BOOST_TEST(jacobian(outputs(x * x, x * y), wrt(y), unconnected::strict)(x = 2.0, y = 3.0)(1, y) == 2.0);
}

BOOST_AUTO_TEST_CASE(lists_of_stops) {
  // TensorFlow's testPartialDerivatives: z = x + y, y = 2 x.
  constexpr auto doubled = 2_c * x;
  BOOST_TEST(gradient(x + doubled, wrt(x), stop_gradients(x, doubled))(x = 1.0)[x] == 1.0);
  BOOST_TEST(gradient(x + doubled, wrt(x))(x = 1.0)[x] == 3.0);
  const auto constant_y = gradient(x * y, wrt(x), stop_gradients(y), unconnected::strict)(x = 1.0, y = 4.0);
  BOOST_TEST(constant_y[x] == 4.0);
  const auto frozen = value_and_gradient(freeze<"x">(x * sin(x) * y))(x = 2.0, y = 3.0);
  BOOST_TEST(frozen.value == 6 * std::sin(2.0), near);
  BOOST_TEST(frozen.gradient[y] == 2 * std::sin(2.0), near);
  BOOST_TEST(frozen.gradient[x] == 0.0);
}

BOOST_AUTO_TEST_CASE(surgery) {
  const auto through = value_and_gradient(straight_through(sign(x), x))(x = 1e17);
  BOOST_TEST(through.value == 1.0);
  BOOST_TEST(through.gradient[x] == 1.0);
  BOOST_TEST(gradient(grad_scale(sin(x), -0.5))(x = 2.0)[x] == -0.5 * std::cos(2.0), near);
  BOOST_TEST(gradient(grad_reverse(sin(x)))(x = 2.0)[x] == -std::cos(2.0), near);
  const auto clipped = value_and_gradient(square(grad_clip(x, -1, 1)))(x = 2.0);
  BOOST_TEST(clipped.value == 4.0);
  BOOST_TEST(clipped.gradient[x] == 1.0);
  // TensorFlow's custom_gradient test: the value x y, for x the partial x^2 y.
  const auto custom = value_and_gradient(custom_gradient(x * y, partials(x = x * x * y)))(x = 2.0, y = 3.0);
  BOOST_TEST(custom.value == 6.0);
  BOOST_TEST(custom.gradient[x] == 12.0);
  BOOST_TEST(custom.gradient[y] == 0.0);
  BOOST_TEST(hessian(custom_gradient(x * y, partials(x = x * x * y)))(x = 2.0, y = 3.0)(x, x) == 12.0);
  BOOST_TEST(prevent_gradient<"a label">(x)(x = 2.0) == 2.0);
  BOOST_TEST(gradient(y * stop_gradient(prevent_gradient<"a label">(x)))(x = 2.0, y = 1.0)[y] == 2.0);
  // On the arguments of functions.
  BOOST_TEST(gradient([](auto a) { return square(grad_clip(a, -1, 1)); })(2.0) == 1.0);
  BOOST_TEST(gradient([](auto a) { return straight_through(round(a), a) * grad_reverse(a); })(1.25) == 1.25 - 1.0,
             near);
}

BOOST_AUTO_TEST_CASE(results_and_hana) {
  const auto g = gradient(x * y + stop_gradient(z))(x = 2.0, y = 3.0, z = 1.0);
  namespace hana = boost::hana;
  BOOST_TEST(hana::at_key(g, x) == 3.0);
  const double sum = hana::fold(g, 0.0, [](double total, const auto& entry) { return total + hana::second(entry); });
  BOOST_TEST(sum == 5.0);
  BOOST_TEST(hana::unpack(g, [](const auto&... entries) { return sizeof...(entries); }) == 3u);
  const auto copy = g;
  BOOST_TEST(copy[y] == 2.0);
}

BOOST_AUTO_TEST_CASE(arguments_of_functions) {
  constexpr auto f = [](auto a, auto v, auto b) {
    auto sum = 0 * a;
    for (const auto& e : v) sum += e * e;
    return a * sum + b;
  };
  const auto [da, dv, db] = gradient(f)(2.0, std::array{1.0, 3.0}, 5.0f);
  BOOST_TEST(da == 10.0);
  static_assert(std::is_same_v<std::remove_cv_t<decltype(dv)>, std::array<double, 2>>);
  BOOST_TEST(dv[1] == 12.0);
  BOOST_TEST(db == 1.0);
  const auto [by_a, by_b] = gradient(f, wrt<0, 2>)(2.0, std::array{1.0, 3.0}, 5.0);
  BOOST_TEST(by_a == 10.0);
  BOOST_TEST(by_b == 1.0);
  const auto last_first = gradient(f, wrt<2, 1>)(2.0, std::array{1.0, 3.0}, 5.0);
  BOOST_TEST(std::get<0>(last_first) == 1.0);
  BOOST_TEST(std::get<1>(last_first)[0] == 4.0);
  BOOST_TEST(gradient([](auto) { return 3.0; })(2.0) == 0.0);
  // An array of no numbers has a gradient of none.
  const auto of_none = gradient(f)(2.0, std::array<double, 0>{}, 5.0);
  static_assert(std::is_same_v<decltype(of_none), const std::tuple<double, std::array<double, 0>, double>>);
  BOOST_TEST(std::get<0>(of_none) == 0.0);
  BOOST_TEST(std::get<2>(of_none) == 1.0);
  const auto h = hessian(f)(2.0, std::array{1.0, 3.0}, 5.0);
  BOOST_TEST(h[0][2] == 6.0);
  BOOST_TEST(h[2][2] == 4.0);
  BOOST_TEST(h[3][3] == 0.0);
}
