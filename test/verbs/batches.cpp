// The cells of numbers at the points (3, 5) and (1, 2).
#include "matrix.hpp"

#include <tapeless/xtensor.hpp>

#include <array>
#include <cstddef>
#include <tuple>
#include <vector>

namespace tapeless_test {

using namespace tapeless;

namespace {

using vector = std::vector<double>;

constexpr auto x = variable<"x">;
constexpr auto y = variable<"y">;
const vector xs{1, 3}, ys{2, 5}, dx{7, 2};
constexpr auto f = x * x * y;
constexpr auto fs = outputs(f, x + 2 * y);
constexpr auto function = [](auto a, auto b) { return a * a * b; };
constexpr auto functions = [](auto a, auto b) { return std::array{a * a * b, a + 2 * b}; };
// The same, where a loop multiplies by x twice.
constexpr auto loop = [](auto a, auto b, auto n) { return scan([&](auto c, auto) { return c * a; }, b, steps(n)); };
constexpr auto loops = [](auto a, auto b, auto n) { return std::array{loop(a, b, n), a + 2 * b}; };

void formula() {
  const column cell{"batched formula"};
  const auto at = [](const auto& verb) { return batched(verb)(x = xs, y = ys); };
  const auto along = tangent(x = dx, y = 1.0);
  cell("value", at(value(f))[1], 45);
  cell("gradient", at(gradient(f))[x][1], 30);
  const auto vg = at(value_and_gradient(f, wrt(y)));
  cell("value_and_gradient", vg.value[1] + vg.gradient[y][1], 54);
  cell("jacobian", at(jacobian(f))(0, x)[1], 30);
  cell("value_and_jacobian", at(value_and_jacobian(f)).value[0][1], 45);
  cell("hessian", at(hessian(f))(y, x)[1], 6);
  const auto h = at(value_and_hessian(f));
  cell("value_and_hessian", h.value[1] + h.gradient[x][1] + h.hessian(x, x)[1], 45 + 30 + 10);
  cell("jvp", at(jvp(f, along))[1], 69);
  cell("value_and_jvp", at(value_and_jvp(f, along)).tangent[1], 69);
  cell("vjp", at(vjp(f, cotangent(dx)))[y][1], 18);
  cell("hvp", at(hvp(f, wrt(x), along))[x][1], 26);
  cell("sparse_jacobian", at(sparse_jacobian(f, wrt(x)))(0, x)[1], 30);
  cell("sparse_hessian", at(sparse_hessian(f))(x, y)[1], 6);
  cell("cost", cost(batched(value(f))).multiplications, 2);
}

void several() {
  const column cell{"batched outputs"};
  const auto at = [](const auto& verb) { return batched(verb)(x = xs, y = ys); };
  const auto along = tangent(x = dx, y = 1.0);
  cell("value", at(fs)[1][1], 13);
  cell("jacobian", at(jacobian(fs))(1, y)[1], 2);
  cell("value_and_jacobian", at(value_and_jacobian(fs)).jacobian(0, y)[1], 9);
  cell("jvp", at(jvp(fs, along))[1][1], 4);
  cell("value_and_jvp", at(value_and_jvp(fs, along)).value[0][1], 45);
  cell("vjp", at(vjp(fs, cotangent(1.0, dx)))[y][1], 9 + 4);
  cell("sparse_jacobian", at(sparse_jacobian(fs, wrt(y)))(0, y)[1], 9);
  cell("cost", cost(batched(fs)).additions, 1);
}

void of_function() {
  const column cell{"batched function"};
  const auto at = [](const auto& verb) { return batched(verb)(xs, ys); };
  cell("value", at(value(function))[1], 45);
  cell("gradient", at(gradient(function, wrt<0>))[1], 30);
  cell("value_and_gradient", std::get<1>(at(value_and_gradient(function)).gradient)[1], 9);
  cell("jacobian", at(jacobian(functions))[1][1][1], 2);
  cell("value_and_jacobian", at(value_and_jacobian(functions)).jacobian[0][1][1], 9);
  cell("hessian", at(hessian(function))[1][0][1], 6);
  auto h = at(value_and_hessian(function));
  cell("value_and_hessian", h.value[1] + std::get<0>(h.gradient)[1] + h.hessian[0][0][1], 45 + 30 + 10);
  cell("jvp", at(jvp(function, tangent(dx, 1.0)))[1], 69);
  cell("value_and_jvp", at(value_and_jvp(function, wrt<1>, tangent(dx))).tangent[1], 18);
  cell("vjp", at(vjp(functions, wrt<1>, cotangent(1.0, dx)))[1], 9 + 4);
  cell("hvp", at(hvp(function, wrt<0>, tangent(dx)))[1], 20);
  cell("sparse_jacobian", at(sparse_jacobian(functions))(1, 1)[1], 2);
  cell("sparse_hessian", at(sparse_hessian(function))(1, 0)[1], 6);
  cell("cost", (cost<double, double>(batched(value(function))).multiplications), 2);
  batched(value_and_hessian(function))(into(h), ys, xs);
  BOOST_TEST(h.hessian[1][0][1] == 10);
}

void of_loop() {
  const column cell{"batched function with a scan"};
  const auto at = [](const auto& verb) { return batched(verb)(xs, ys, 2); };
  constexpr auto by = wrt<0, 1>;
  cell("value", at(value(loop))[1], 45);
  cell("gradient", at(gradient(loop, wrt<0>))[1], 30);
  cell("value_and_gradient", std::get<1>(at(value_and_gradient(loop, by)).gradient)[1], 9);
  cell("jacobian", at(jacobian(loops, by))[1][1][1], 2);
  cell("value_and_jacobian", at(value_and_jacobian(loops, by)).jacobian[0][1][1], 9);
  cell("hessian", at(hessian(loop, by))[1][0][1], 6);
  const auto h = at(value_and_hessian(loop, by));
  cell("value_and_hessian", h.value[1] + std::get<0>(h.gradient)[1] + h.hessian[0][0][1], 45 + 30 + 10);
  cell("jvp", at(jvp(loop, by, tangent(dx, 1.0)))[1], 69);
  cell("value_and_jvp", at(value_and_jvp(loop, wrt<1>, tangent(dx))).tangent[1], 18);
  cell("vjp", at(vjp(loops, wrt<1>, cotangent(1.0, dx)))[1], 9 + 4);
  cell("hvp", at(hvp(loop, wrt<0>, tangent(dx)))[1], 20);
  cell("sparse_jacobian", at(sparse_jacobian(loops, by))(1, 1)[1], 2);
  cell("sparse_hessian", at(sparse_hessian(loop, by))(1, 0)[1], 6);
}

}  // namespace

void cells_of_batches() {
  formula();
  several();
  of_function();
  of_loop();
}

}  // namespace tapeless_test
