// Formulas over tensors, against loops by hand and their differences: what ./dev mutate runs.
#include "tensors.hpp"

#include <algorithm>
#include <cstddef>

using namespace check;

/// Has large loops run in parts, as threads do, one after the other.
struct in_parts {};
template <>
struct tapeless::detail::engine_of<in_parts> {
  static constexpr bool is_policy = true;
  const in_parts& policy;
  void operator()(std::ptrdiff_t count, auto body) const {
    for (std::ptrdiff_t part = 0; part < count; ++part) body(part);
  }
};

int main() {
  // Softmax of scaled and shifted rows, weighted and added up by columns.
  verify("softmax", sum(square(sum<0>(softmax<1>(expand_dims<1>(b) * X + exp(a))))),
         [](const numbers& x, const numbers& p, const numbers& q) {
           numbers total(columns, 0.0);
           for (std::size_t i = 0; i < rows; ++i) {
             const auto e = [&](std::size_t j) { return std::exp(q[i] * x[i * columns + j] + std::exp(p[j])); };
             const double all = along(columns, e);
             for (std::size_t j = 0; j < columns; ++j) total[j] += e(j) / all;
           }
           return along(columns, [&](std::size_t j) { return total[j] * total[j]; });
         });
  // A normal density of rows, with a mean and a scale for each column.
  verify("density", sum(-square((X - a) / softplus(a)) / 2 - log(softplus(a))) + sum(b * b * b),
         [](const numbers& x, const numbers& p, const numbers& q) {
           return over([&](std::size_t, std::size_t j, std::size_t n) {
                    const double s = std::log1p(std::exp(p[j])), z = (x[n] - p[j]) / s;
                    return -z * z / 2 - std::log(s);
                  }) +
                  along(rows, [&](std::size_t i) { return q[i] * q[i] * q[i]; });
         });
  // A result that is a tensor, its product with a tangent and with cotangents.
  const auto f = sum<1>(exp(X * a)) * b + sum<1>(X);
  matrix x = matrix::from_shape({rows, columns});
  std::copy(elements.begin(), elements.end(), x.begin());
  const numbers direction{1.0, -2.0, 0.5}, weights{0.5, 1.0, -1.0, 2.0, 0.25};
  const auto tangents = jvp(f, tangent(a = direction))(X = x, a = by_column, b = by_row);
  const auto adjoints = vjp(f, wrt(a, b), cotangent(weights))(X = x, a = by_column, b = by_row);
  for (std::size_t i = 0; i < rows; ++i) {
    const auto e = [&](std::size_t j) { return std::exp(x(i, j) * by_column[j]); };
    close("jvp", tangents(i), by_row[i] * along(columns, [&](std::size_t j) { return e(j) * x(i, j) * direction[j]; }));
    close("vjp", adjoints[b][i], weights[i] * along(columns, e));
  }
  for (std::size_t j = 0; j < columns; ++j)
    close("vjp", adjoints[a][j], along(rows, [&](std::size_t i) {
            return weights[i] * by_row[i] * std::exp(x(i, j) * by_column[j]) * x(i, j);
          }));

  // Sums of parts are added up; those of eight columns lie side by side without gaps.
  constexpr std::size_t many = 6000, wide = 8;
  matrix long_rows = matrix::from_shape({many, wide});
  const numbers all = some(many * wide, 0.3);
  std::copy(all.begin(), all.end(), long_rows.begin());
  const double moments = sum(sum<0>(X) * sum<0>(X * X * X))(in_parts{}, X = long_rows);
  double of_columns = 0;
  for (std::size_t j = 0; j < wide; ++j)
    of_columns += along(many, [&](std::size_t i) { return long_rows(i, j); }) *
                  along(many, [&](std::size_t i) { return std::pow(long_rows(i, j), 3); });
  close("sums of parts", moments, of_columns, 1e-11);
}
