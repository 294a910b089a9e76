// Functions of two vectors, (0.7, -0.3) and (0.4, 1.2).
#ifndef TAPELESS_TEST_VERBS_INSIDE_OF_TENSORS_HPP
#define TAPELESS_TEST_VERBS_INSIDE_OF_TENSORS_HPP

#include "inside.hpp"

namespace tapeless_test {

inline const numbers xs{0.7, -0.3}, ys{0.4, 1.2};
constexpr std::array<double, 4> point{0.7, -0.3, 0.4, 1.2};
constexpr auto at = [](const auto& verb, auto... n) { return verb(xs, ys, n...); };

constexpr auto f = [](const auto& u, const auto& v) { return sum(sin(u * v)) + 0.5 * dot(u, u); };
constexpr auto fs = [](const auto& u, const auto& v) { return std::tuple(sin(u * v) + 0.5 * u, dot(u, v)); };

/// The rows of a matrix of derivatives by two vectors of two, block by block as structures have them; `sizes` are the
/// numbers of rows in each block.
inline numbers blocks(const numbers& rows, std::vector<std::size_t> sizes) {
  numbers result;
  std::size_t first = 0;
  for (const std::size_t size : sizes) {
    for (const std::size_t column : {0u, 2u})
      for (std::size_t i = first; i < first + size; ++i)
        for (const std::size_t k : {0u, 1u}) result.push_back(rows[4 * i + column + k]);
    first += size;
  }
  return result;
}

inline const numbers dx{2.0, -1.0}, dy{0.5, 3.0};
constexpr double direction[] = {2.0, -1.0, 0.5, 3.0};
inline numbers times_direction(const numbers& rows) {
  numbers result;
  for (std::size_t i = 0; i < rows.size(); i += 4) {
    result.push_back(0);
    for (std::size_t k = 0; k < 4; ++k) result.back() += rows[i + k] * direction[k];
  }
  return result;
}

template <class G, class R, class... N>
void verbs_of_number(const cells& cell, G g, R r, N... n) {
  const numbers value_at{r(point)}, slope = slopes(r, point), curvature = curvatures(r, point);
  const auto along = tangent(dx, dy);
  cell("value", at(value(g), n...), value_at);
  cell("gradient", at(gradient(g, by), n...), slope);
  cell("value_and_gradient", at(value_and_gradient(g, by), n...), together(value_at, slope));
  cell("hessian", at(hessian(g, by), n...), blocks(curvature, {2, 2}));
  cell("value_and_hessian", at(value_and_hessian(g, by), n...),
       together(together(value_at, slope), blocks(curvature, {2, 2})));
  cell("jvp", at(jvp(g, by, along), n...), times_direction(slope));
  cell("hvp", at(hvp(g, by, along), n...), times_direction(curvature));
}
template <class G, class R, class... N>
void verbs_of_several(const cells& cell, G g, R r, N... n) {
  const auto value_of = r(point);
  const numbers value_at(value_of.begin(), value_of.end()), rows = rows_of_slopes(r, point);
  const auto along = tangent(dx, dy);
  cell("value", at(value(g), n...), value_at);
  cell("jacobian", at(jacobian(g, by), n...), blocks(rows, {2, 1}));
  cell("value_and_jacobian", at(value_and_jacobian(g, by), n...), together(value_at, blocks(rows, {2, 1})));
  cell("jvp", at(jvp(g, by, along), n...), times_direction(rows));
  cell("value_and_jvp", at(value_and_jvp(g, by, along), n...), together(value_at, times_direction(rows)));
  numbers pulled(4, 0);
  for (std::size_t k = 0; k < 4; ++k) pulled[k] = 2 * rows[k] - rows[4 + k] + 0.5 * rows[8 + k];
  cell("vjp", at(vjp(g, by, cotangent(dx, 0.5)), n...), pulled);
  cell("dot", dot<numbers, numbers, N...>(g).starts_with("digraph"), {1});
}

// The same as f and fs, of (u, v) as one array.
constexpr auto plain_f = [](const auto& p) {
  using std::sin;
  return sin(p[0] * p[2]) + sin(p[1] * p[3]) + 0.5 * (p[0] * p[0] + p[1] * p[1]);
};
constexpr auto plain_fs = [](const auto& p) {
  using std::sin;
  return std::array{sin(p[0] * p[2]) + 0.5 * p[0], sin(p[1] * p[3]) + 0.5 * p[1], p[0] * p[2] + p[1] * p[3]};
};

}  // namespace tapeless_test

#endif
