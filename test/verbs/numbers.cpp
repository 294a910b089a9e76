// f = x^2 y and g = x + 2 y at (3, 5): f = 45, f_x = 30, f_y = 9, f_xx = 10, f_xy = 6.
#include "matrix.hpp"

#include <tapeless/tapeless.hpp>

#include <array>
#include <string>
#include <tuple>
#include <type_traits>

namespace tapeless_test {

using namespace tapeless;

namespace {

constexpr auto x = variable<"x">;
constexpr auto y = variable<"y">;
constexpr auto f = x * x * y;
constexpr auto fs = outputs(f, x + 2 * y);
constexpr auto function = [](auto a, auto b) { return a * a * b; };
constexpr auto functions = [](auto a, auto b) { return std::array{a * a * b, a + 2 * b}; };

// The same, where a loop multiplies by x twice.
constexpr auto loop = [](auto a, auto b, auto n) { return scan([&](auto c, auto) { return c * a; }, b, steps(n)); };
constexpr auto loops = [](auto a, auto b, auto n) { return std::array{loop(a, b, n), a + 2 * b}; };

void formula() {
  const column cell{"formula"};
  const auto at = [](const auto& verb) { return verb(x = 3.0, y = 5.0); };
  const auto along = tangent(x = 2.0, y = 1.0);
  cell("value", at(value(f)), 45);
  cell("gradient", at(gradient(f))[x], 30);
  const auto [v, g] = at(value_and_gradient(f, wrt(y)));
  cell("value_and_gradient", v + g[y], 54);
  cell("jacobian", at(jacobian(f))(0, x), 30);
  const auto j = at(value_and_jacobian(f, wrt(y), stop_gradients(x)));
  cell("value_and_jacobian", j.value[0] + j.jacobian(0, y), 54);
  cell("hessian", at(hessian(f))(y, x), 6);
  const auto [hv, hg, h] = at(value_and_hessian(f, wrt(x)));
  cell("value_and_hessian", hv + hg[x] + h(x, x), 45 + 30 + 10);
  cell("jvp", at(jvp(f, along)), 69);
  const auto [jv, jt] = at(value_and_jvp(f, along));
  cell("value_and_jvp", jv + jt, 45 + 69);
  cell("vjp", at(vjp(f, cotangent(2.0)))[y], 18);
  cell("hvp", at(hvp(f, wrt(x), along))[x], 26);
  cell("sparse_jacobian", at(sparse_jacobian(f, wrt(x)))(0, x), 30);
  cell("sparse_hessian", at(sparse_hessian(f))(x, y), 6);
  cell("check_gradient", at(check_gradient(f, wrt(x))).passed(1e-8), 1);
  cell("cost", cost(value(f)).multiplications, 2);
  cell("dot", dot(f).starts_with("digraph"), 1);

  // What is bound, options and results apart.
  double r = 0;
  jvp(f, along)(into(r), x = 3.0, y = 5.0);
  BOOST_TEST(r == 69);
  const auto stopped = vjp(stop_gradient(x) * y, cotangent(1.0))(x = 3.0, y = 5.0);
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(stopped[x])>, Zero>);
  BOOST_TEST(at(hvp(stop_gradient(x) * y * y, unconnected::materialise, along))[x] == 0.0);
  BOOST_TEST(at(hessian(f, wrt(x), stop_gradients(x * x)))(x, x) == 0);
}

void several() {
  const column cell{"outputs"};
  const auto at = [](const auto& verb) { return verb(x = 3.0, y = 5.0); };
  const auto along = tangent(x = 2.0, y = 1.0);
  cell("value", at(fs)[0] + at(value(fs))[1], 45 + 13);
  cell("jacobian", at(jacobian(fs))(1, y), 2);
  const auto j = at(value_and_jacobian(fs, wrt(y), unconnected::strict));
  cell("value_and_jacobian", j.value[1] + j.jacobian(0, y), 13 + 9);
  cell("jvp", at(jvp(fs, along))[1], 4);
  const auto [jv, jt] = at(value_and_jvp(fs, along));
  cell("value_and_jvp", jv[0] + jt[0], 45 + 69);
  cell("vjp", at(vjp(fs, cotangent(1.0, 4.0)))[y], 9 + 8);
  cell("sparse_jacobian", at(sparse_jacobian(fs, wrt(y)))(0, y), 9);
  cell("cost", cost(fs).additions, 1);
  cell("dot", dot(fs).starts_with("digraph"), 1);
}

void of_function() {
  const column cell{"function"};
  cell("value", value(function)(3.0, 5.0), 45);
  cell("gradient", gradient(function, wrt<0>, unconnected::strict)(3.0, 5.0), 30);
  const auto [v, g] = value_and_gradient(function)(3.0, 5.0);
  cell("value_and_gradient", v + std::get<1>(g), 54);
  cell("jacobian", jacobian(functions)(3.0, 5.0)[1][1], 2);
  cell("value_and_jacobian", value_and_jacobian(functions, wrt<1>)(3.0, 5.0).jacobian[0][0], 9);
  cell("hessian", hessian(function)(3.0, 5.0)[1][0], 6);
  const auto [hv, hg, h] = value_and_hessian(function)(3.0, 5.0);
  cell("value_and_hessian", hv + std::get<0>(hg) + h[0][0], 45 + 30 + 10);
  cell("jvp", jvp(functions, tangent(2.0, 1.0))(3.0, 5.0)[0] + jvp(function, wrt<1>, tangent(1.0))(3.0, 5.0), 69 + 9);
  const auto [jv, jt] = value_and_jvp(function, tangent(2.0, 1.0))(3.0, 5.0);
  cell("value_and_jvp", jv + jt, 45 + 69);
  cell("vjp", vjp(functions, wrt<1>, cotangent(1.0, 4.0))(3.0, 5.0), 9 + 8);
  cell("hvp", hvp(function, wrt<0>, tangent(2.0))(3.0, 5.0), 20);
  cell("sparse_jacobian", sparse_jacobian(functions)(3.0, 5.0)(1, 1), 2);
  cell("sparse_hessian", sparse_hessian(function)(3.0, 5.0)(1, 0), 6);
  cell("check_gradient", check_gradient(function, wrt<1>)(3.0, 5.0).passed(1e-8), 1);
  cell("cost", cost<double, double>(function).multiplications, 2);
  cell("dot", dot<double, double>(function).starts_with("digraph"), 1);
  std::tuple<double, double> r;
  gradient(function)(into(r), 3.0, 5.0);
  BOOST_TEST(std::get<1>(r) == 9);
}

void of_loop() {
  const column cell{"function with a scan"};
  const auto at = [](const auto& verb) { return verb(3.0, 5.0, 2); };
  const auto along = tangent(2.0, 1.0);
  constexpr auto by = wrt<0, 1>;
  cell("value", at(value(loop)), 45);
  cell("gradient", at(gradient(loop, wrt<0>)), 30);
  const auto [v, g] = at(value_and_gradient(loop, by));
  cell("value_and_gradient", v + std::get<1>(g), 54);
  cell("jacobian", at(jacobian(loops, by))[1][1], 2);
  cell("value_and_jacobian", at(value_and_jacobian(loops, wrt<1>)).jacobian[0][0], 9);
  cell("hessian", at(hessian(loop, by))[1][0], 6);
  const auto [hv, hg, h] = at(value_and_hessian(loop, by));
  cell("value_and_hessian", hv + std::get<0>(hg) + h[0][0], 45 + 30 + 10);
  cell("jvp", at(jvp(loops, by, along))[0], 69);
  const auto [jv, jt] = at(value_and_jvp(loop, by, along));
  cell("value_and_jvp", jv + jt, 45 + 69);
  cell("vjp", at(vjp(loops, wrt<1>, cotangent(1.0, 4.0))), 9 + 8);
  cell("hvp", at(hvp(loop, wrt<0>, tangent(2.0))), 20);
  cell("sparse_jacobian", at(sparse_jacobian(loops, by))(1, 1), 2);
  cell("sparse_hessian", at(sparse_hessian(loop, by))(1, 0), 6);
  cell("check_gradient", at(check_gradient(loop, wrt<1>)).passed(1e-8), 1);
  cell("dot", dot<double, double, int>(loop).starts_with("digraph"), 1);
}

}  // namespace

void cells_of_numbers() {
  formula();
  several();
  of_function();
  of_loop();
}

}  // namespace tapeless_test
