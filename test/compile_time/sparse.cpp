// Structural zeros of Jacobians and Hessians: a constant pattern, and nothing computed for them.
#include <tapeless/tapeless.hpp>

#include <array>
#include <cstddef>

using namespace tapeless;

namespace {

constexpr auto x = variable<"x">;
constexpr auto y = variable<"y">;
constexpr auto z = variable<"z">;

constexpr auto j = sparse_jacobian(outputs(x * y, sin(z), x + stop_gradient(y) * z), wrt(x, y, z));
constexpr auto at = j(x = 2.0, y = 3.0, z = 0.0);
static_assert(at.row_begin == std::array<std::size_t, 4>{0, 2, 3, 5});
static_assert(at.columns == std::array<std::size_t, 5>{0, 1, 2, 0, 2});
static_assert(at.values == std::array{3.0, 2.0, 1.0, 1.0, 3.0});
static_assert(at(0, y) == 2.0 && at(1, x) == 0.0 && at(2, z) == 3.0 && at(2, 1) == 0.0);

// A chain: each output has two inputs, so 2 n - 1 of n^2 numbers are stored.
constexpr auto chain = [](const auto& a) {
  auto result = a;
  for (std::size_t i = 1; i < a.size(); ++i) result[i] = a[i] * a[i - 1];
  return result;
};
constexpr std::array a{1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0};
constexpr auto of_chain = sparse_jacobian(chain)(a);
static_assert(of_chain.values.size() == 15);
static_assert(of_chain(3, 2) == 4.0 && of_chain(3, 3) == 3.0 && of_chain(3, 4) == 0.0);
constexpr bool equals_dense = [] {
  const auto dense = jacobian(chain)(a);
  for (std::size_t row = 0; row < a.size(); ++row)
    for (std::size_t column = 0; column < a.size(); ++column)
      if (dense[row][column] != of_chain(row, column)) return false;
  return true;
}();
static_assert(equals_dense);
static_assert(sparse_jacobian([](auto p, auto q) { return std::array{p * q, p}; }, wrt<1>)(2.0, 3.0).values ==
              std::array{2.0});

// Rosenbrock: a tridiagonal Hessian.
constexpr auto rosenbrock = [](const auto& v) {
  auto sum = 0 * v[0];
  for (std::size_t i = 0; i + 1 < v.size(); ++i) sum = sum + 100 * square(v[i + 1] - v[i] * v[i]) + square(1 - v[i]);
  return sum;
};
constexpr auto h = sparse_hessian(rosenbrock)(a);
static_assert(h.values.size() == 15);
static_assert(h.row_begin == std::array<std::size_t, 9>{0, 2, 4, 6, 8, 10, 12, 14, 15});
static_assert(h(1, 0) == -400.0 && h(0, 1) == -400.0 && h(2, 0) == 0.0);
constexpr bool equals_dense_hessian = [] {
  const auto dense = hessian(rosenbrock)(a);
  for (std::size_t row = 0; row < a.size(); ++row)
    for (std::size_t column = 0; column < a.size(); ++column)
      if (dense[row][column] != h(row, column)) return false;
  return true;
}();
static_assert(equals_dense_hessian);
static_assert(cost<decltype(a)>(sparse_hessian(rosenbrock)) == cost<decltype(a)>(hessian(rosenbrock)));

constexpr auto of_formula = sparse_hessian(x * x * y + z, wrt(x, y, z))(x = 2.0, y = 3.0, z = 1.0);
static_assert(of_formula.values == std::array{6.0, 4.0});
static_assert(of_formula.row_begin == std::array<std::size_t, 4>{0, 2, 2, 2});
static_assert(of_formula.columns == std::array<std::size_t, 2>{0, 1});
static_assert(of_formula(x, y) == 4.0 && of_formula(y, x) == 4.0 && of_formula(z, x) == 0.0);

// The pattern alone.
static_assert(sparsity(jacobian(outputs(x * y, x), wrt(x, y))) == sparsity_pattern<2, 3, false>{{0, 2, 3}, {0, 1, 0}});
static_assert(sparsity(hessian(x * x * y + z)) == of_formula.pattern);
static_assert(sparsity<decltype(a)>(jacobian(chain)) == of_chain.pattern);
static_assert(sparsity<decltype(a)>(hessian(rosenbrock)).columns == h.columns);

// What is zero is not computed: the cosine belongs to a stopped input.
constexpr auto stopped = sparse_jacobian(outputs(x * stop_gradient(sin(y)), cos(stop_gradient(y))), wrt(x, y));
static_assert(stopped(x = 1.0, y = 0.0).values.size() == 1);
static_assert(cost(stopped) == operation_counts{.functions = 1});
static_assert(cost(sparse_jacobian(outputs(x + y, y - z, z), wrt(x, y, z))).total() == 0);
static_assert(sparsity(hessian(x * stop_gradient(x))).entries == 0);
static_assert(sparse_hessian(x * stop_gradient(x))(x = 2.0)(x, x) == 0.0);

}  // namespace
