// f = sum(x^2 y) of vectors x = (3, 1), y = (5, 2): 47; derivatives 2 x y, x^2; second ones 2 y, 2 x on the diagonal.
#include "matrix.hpp"

#include <tapeless/xtensor.hpp>

#include <cstddef>
#include <tuple>
#include <vector>

namespace tapeless_test {

using namespace tapeless;
using namespace tapeless::literals;

namespace {

using vector = std::vector<double>;

constexpr auto x = variable<"x">;
constexpr auto y = variable<"y">;
const vector three{3, 1}, five{5, 2}, dx{2, 0}, dy{1, 0};
constexpr auto f = sum(x * x * y);
constexpr auto fs = outputs(x * x * y, sum(x + 2 * y));
constexpr auto function = [](auto a, auto b) { return sum(a * a * b); };
constexpr auto functions = [](auto a, auto b) { return std::tuple(a * a * b, sum(a + 2 * b)); };

void formula() {
  const column cell{"formula over tensors"};
  const auto at = [](const auto& verb) { return verb(x = three, y = five); };
  const auto along = tangent(x = dx, y = dy);
  cell("value", at(value(f)), 47);
  cell("gradient", at(gradient(f))[x][1], 4);
  const auto [v, g] = at(value_and_gradient(f, wrt(y), unconnected::strict));
  cell("value_and_gradient", v + g[y][0], 47 + 9);
  cell("jacobian", at(jacobian(x * x * y, wrt(y)))(0, y)(1, 1), 1);
  cell("value_and_jacobian", at(value_and_jacobian(f, wrt(x))).jacobian(0, x)[1], 4);
  cell("hessian", at(hessian(f))(y, x)(0, 0), 6);
  auto [hv, hg, h] = at(value_and_hessian(f, wrt(x)));
  cell("value_and_hessian", hv + hg[x][0] + h(x, x)(1, 1) + h(x, x)(0, 1), 47 + 30 + 4);
  cell("jvp", at(jvp(f, along)), 69);
  const auto [jv, jt] = at(value_and_jvp(f, along));
  cell("value_and_jvp", jv + jt, 47 + 69);
  cell("vjp", at(vjp(x * x * y, wrt(y), cotangent(dx)))[y][0], 18);
  cell("hvp", at(hvp(f, wrt(x), along))[x][0], 26);
  cell("dot", dot(f).starts_with("digraph"), 1);

  auto r = at(gradient(f, wrt(y), stop_gradients(x)));
  gradient(f, wrt(y), stop_gradients(x))(into(r), x = five, y = three);
  BOOST_TEST(r[y][0] == 25);
  auto value_in = at(x * y);
  (x * y)(into(value_in), x = five, y = five);
  BOOST_TEST(value_in(1) == 4);
}

void several() {
  const column cell{"outputs over tensors"};
  const auto at = [](const auto& verb) { return verb(x = three, y = five); };
  const auto along = tangent(x = dx, y = dy);
  cell("value", std::get<0>(at(fs))(0) + std::get<1>(at(value(fs))), 45 + 18);
  const auto j = at(jacobian(fs, wrt(x, y)));
  cell("jacobian", j(0_c, x)(0, 0) + j(0_c, x)(0, 1) + j(1_c, y)(1), 30 + 2);
  const auto numbers = at(value_and_jacobian(outputs(f, sum(y * y)), wrt(y)));
  cell("value_and_jacobian", numbers.value[1] + numbers.jacobian(1, y)[1] + numbers.jacobian(0, y)[0], 29 + 4 + 9);
  cell("jvp", std::get<0>(at(jvp(fs, along)))(0), 69);
  const auto [jv, jt] = at(value_and_jvp(fs, along));
  cell("value_and_jvp", std::get<1>(jv) + std::get<1>(jt), 18 + 4);
  cell("vjp", at(vjp(fs, cotangent(dx, 4.0)))[y][0], 18 + 8);
  cell("dot", dot(fs).starts_with("digraph"), 1);
}

void of_function() {
  const column cell{"function over tensors"};
  cell("value", std::get<0>(value(functions)(three, five))(1), 2);
  cell("gradient", gradient(function, wrt<0>)(three, five)[0], 30);
  const auto [v, g] = value_and_gradient(function)(three, five);
  cell("value_and_gradient", v + std::get<1>(g)[0], 47 + 9);
  const auto j = jacobian(functions, wrt<1>)(three, five);
  cell("jacobian", std::get<0>(j)(0, 0) + std::get<1>(j)(1), 9 + 2);
  const auto vj = value_and_jacobian(function)(three, five);
  cell("value_and_jacobian", vj.value + std::get<0>(vj.jacobian)(1), 47 + 4);
  const auto h = hessian(function)(three, five);
  cell("hessian", std::get<0>(std::get<1>(h))(0, 0), 6);
  const auto [hv, hg, hh] = value_and_hessian(function, wrt<0>)(three, five);
  cell("value_and_hessian", hv + hg[0] + hh(1, 1), 47 + 30 + 4);
  cell("jvp", jvp(function, tangent(dx, dy))(three, five), 69);
  const auto [jv, jt] = value_and_jvp(functions, wrt<0>, tangent(dx))(three, five);
  cell("value_and_jvp", std::get<1>(jv) + std::get<0>(jt)(0), 18 + 60);
  cell("vjp", vjp(functions, wrt<1>, cotangent(dx, 4.0))(three, five)[0], 18 + 8);
  cell("hvp", hvp(function, wrt<0>, tangent(dx))(three, five)[0], 20);
  cell("dot", dot<vector, vector>(function).starts_with("digraph"), 1);
  auto r = gradient(function, wrt<0>)(three, five);
  gradient(function, wrt<0>)(into(r), five, three);
  BOOST_TEST(r[0] == 30);
}

}  // namespace

void cells_of_tensors() {
  formula();
  several();
  of_function();
}

}  // namespace tapeless_test
