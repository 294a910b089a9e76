// Formulas over tensors, against loops by hand and their differences: what ./dev mutate runs.
#include "tensors.hpp"

#include <tapeless/evaluate/kernels/matrices.hpp>
#include <tapeless/program/differentiate/matrix_rule.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

using namespace check;

namespace {
int products = 0;
}
/// Stands in for a library that multiplies matrices, and counts.
template <>
struct tapeless::loops::blas<double> {
  static constexpr bool available = true;
  static void product(const matrix<double>& a, const matrix<double>& b, double scale, const matrix<double>& c) {
    ++products;
    for (std::ptrdiff_t i = 0; i < c.rows; ++i)
      for (std::ptrdiff_t j = 0; j < c.columns; ++j) {
        double& to = c.data[i * c.row + j * c.column];
        to = scale == 0 ? 0 : scale * to;
        for (std::ptrdiff_t k = 0; k < a.columns; ++k)
          to += a.data[i * a.row + k * a.column] * b.data[k * b.row + j * b.column];
      }
  }
};

/// Products of matrices in memory, of one for each place along leading axes.
struct MatrixProduct {
  static constexpr std::string_view name = "matrix_product";
  static constexpr bool of_tensors = true, of_matrices = true;
  template <class Lowering, class Value>
  static constexpr Value lower(Lowering& to, Value left, Value right) {
    to.broadcast_leading(left, right);
    return to.template of_matrices<MatrixProduct>(right, left, right);
  }
  static void compute(const loops::strided<double>& to, const loops::strided<double>& left,
                      const loops::strided<double>& right) {
    loops::for_each_matrix(to, [&](const auto& at) {
      loops::blas<double>::product(loops::matrix_at(left, at), loops::matrix_at(right, at), 0,
                                   loops::matrix_at(to, at));
    });
  }
  using value = program::matrix_value;
  static constexpr value pullback(int which, const value& adjoint, const value&, const value* m) {
    return which == 0 ? value::of<MatrixProduct>(m[0], adjoint, m[1].transposed())
                      : value::of<MatrixProduct>(m[1], m[0].transposed(), adjoint);
  }
  static constexpr value tangent(int which, const value& t, const value& result, const value* m) {
    return which == 0 ? value::of<MatrixProduct>(result, t, m[1]) : value::of<MatrixProduct>(result, m[0], t);
  }
};

int main() {
  // Rows normalised by their mean and deviation.
  const auto centred = X - mean<1>(X, keep_dims);
  verify("normalised", sum(a * (centred / sqrt(mean<1>(square(centred), keep_dims) + 0.1)) * expand_dims<1>(sin(b))),
         [](const numbers& x, const numbers& p, const numbers& q) {
           return along(rows, [&](std::size_t i) {
             const double m = along(columns, [&](std::size_t j) { return x[i * columns + j]; }) / columns;
             const double v =
                 along(columns, [&](std::size_t j) { return std::pow(x[i * columns + j] - m, 2); }) / columns;
             return along(columns, [&](std::size_t j) {
               return p[j] * (x[i * columns + j] - m) / std::sqrt(v + 0.1) * std::sin(q[i]);
             });
           });
         });
  // Elements that are taken, one twice, slices side by side, a mask.
  verify(
      "moves",
      sum(square(take(b, k) - take(b * b, k) * a)) + sum(exp(concatenate<0>(slice<0>(b, 1, 4), a)) * 0.5) +
          sum(where(X > 0.1, X * a, 0.3 * X)),
      [](const numbers& x, const numbers& p, const numbers& q) {
        double sum = 0;
        for (std::size_t j = 0; j < columns; ++j) {
          const double t = q[static_cast<std::size_t>(chosen[j])];
          sum += std::pow(t - t * t * p[j], 2) + 0.5 * std::exp(q[j + 1]) + 0.5 * std::exp(p[j]);
        }
        return sum +
               over([&](std::size_t, std::size_t j, std::size_t n) { return x[n] > 0.1 ? x[n] * p[j] : 0.3 * x[n]; });
      },
      k = chosen);
  // Products of matrices, and a tensor's own transpose.
  verify("products",
         sum(tanh(dot(X, transpose(X)))) + dot(b, dot(X, a)) + sum(square(dot(transpose(X), b) / (1 + a * a))),
         [](const numbers& x, const numbers& p, const numbers& q) {
           double sum = 0;
           for (std::size_t i = 0; i < rows; ++i)
             for (std::size_t l = 0; l < rows; ++l)
               sum += std::tanh(along(columns, [&](std::size_t j) { return x[i * columns + j] * x[l * columns + j]; }));
           for (std::size_t j = 0; j < columns; ++j) {
             const double c = along(rows, [&](std::size_t i) { return x[i * columns + j] * q[i]; });
             sum += c * p[j] + std::pow(c / (1 + p[j] * p[j]), 2);
           }
           return sum;
         });
  // Products by a library, with and without a mask; behind the matrices stands what must not be read.
  constexpr std::size_t n = 16;
  numbers left = some(n * n, 0.1), right = some(n * n, 0.7);
  left.insert(left.end(), n, NAN), right.insert(right.end(), n, NAN);
  const std::array<std::size_t, 2> shape{n, n};
  const auto hidden = value_and_gradient(sum(square(relu(dot(X, variable<"Y">)))), wrt(X, variable<"Y">))(
      X = xt::adapt(left.data(), n * n, xt::no_ownership(), shape),
      variable<"Y"> = xt::adapt(right.data(), n * n, xt::no_ownership(), shape));
  close("products by a library", products, 3);
  double of_all = 0, by_left = 0, by_right = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      const double z = along(n, [&](std::size_t k) { return left[i * n + k] * right[k * n + j]; });
      if (z < 0) continue;
      of_all += z * z;
      if (i == 2) by_left += 2 * z * right[5 * n + j];
      if (j == 7) by_right += 2 * z * left[i * n + 3];
    }
  close("hidden layer", hidden.value, of_all);
  close("hidden layer", hidden.gradient[X](2, 5), by_left);
  close("hidden layer", hidden.gradient[variable<"Y">](3, 7), by_right);
  // Of one matrix with several, of which it lacks the axis: that is not the axis of its rows, though it is as long.
  constexpr std::size_t m = 3;
  constexpr auto L = variable<"L">;
  constexpr auto R = variable<"R">;
  const numbers of_left = some(m * m, 0.2), of_right = some(m * m * m, 1.3);
  const std::array<std::size_t, 2> square_shape{m, m};
  const std::array<std::size_t, 3> cube_shape{m, m, m};
  double turned = 0;
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < m; ++j)
      for (std::size_t k = 0; k < m; ++k)
        turned += of_left[j * m + k] *
                  along(m, [&](std::size_t l) { return of_left[j * m + l] * of_right[(k * m + l) * m + i]; });
  close("products transposed beside a factor",
        sum(transpose<2, 1, 0>(apply<MatrixProduct>(L, R)) * L)(L = xt::adapt(of_left, square_shape),
                                                                R = xt::adapt(of_right, cube_shape)),
        turned);
  // Extremes, a logarithm of a sum of exponentials, and a product.
  verify("extremes", sum(square(logsumexp<1>(X * a) - b)) + amax(X) * sum(a) + prod(b + 2) + sum(amin<0>(X) * a),
         [](const numbers& x, const numbers& p, const numbers& q) {
           double sum = 0, product = 1, largest = x[0], total = 0;
           for (std::size_t i = 0; i < rows; ++i) {
             sum += std::pow(
                 std::log(along(columns, [&](std::size_t j) { return std::exp(x[i * columns + j] * p[j]); })) - q[i],
                 2);
             product *= q[i] + 2;
           }
           for (const double e : x) largest = std::max(largest, e);
           for (std::size_t j = 0; j < columns; ++j) {
             double least = x[j];
             for (std::size_t i = 0; i < rows; ++i) least = std::min(least, x[i * columns + j]);
             sum += least * p[j], total += p[j];
           }
           return sum + product + largest * total;
         });
}
