#include "inside.hpp"

namespace tapeless_test {
namespace {

const numbers xs{0.7, -0.3}, ys{0.4, 1.2};
constexpr std::array<double, 4> point{0.7, -0.3, 0.4, 1.2};
constexpr auto at = [](const auto& verb, auto... n) { return verb(xs, ys, n...); };

constexpr auto f = [](const auto& u, const auto& v) { return sum(sin(u * v)) + 0.5 * dot(u, u); };
constexpr auto fs = [](const auto& u, const auto& v) { return std::tuple(sin(u * v) + 0.5 * u, dot(u, v)); };

/// The rows of a matrix of derivatives by two vectors of two, block by block as structures have them; `sizes` are the
/// numbers of rows in each block.
numbers blocks(const numbers& rows, std::vector<std::size_t> sizes) {
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

const numbers dx{2.0, -1.0}, dy{0.5, 3.0};
constexpr double direction[] = {2.0, -1.0, 0.5, 3.0};
numbers times_direction(const numbers& rows) {
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

}  // namespace

BOOST_AUTO_TEST_CASE(tensors_in_a_scan) {
  static constexpr auto one = [](const auto& u, const auto& v, auto n) {
    return sum(scan([&](auto c, auto) { return 0.5 * c + v * f(c, v); }, u, steps(n)));
  };
  static constexpr auto two = [](const auto& u, const auto& v, auto n) {
    return scan(
        [&](auto c, auto) {
          const auto& [w, s] = c;
          const auto [next, more] = fs(w, v);
          return std::tuple(next, s + more);
        },
        std::tuple(u, 0 * sum(u)), steps(n));
  };
  constexpr auto plain_one = [](auto p) {
    for (int step = 0; step < 2; ++step) {
      const auto c = plain_f(p);
      p[0] = 0.5 * p[0] + p[2] * c, p[1] = 0.5 * p[1] + p[3] * c;
    }
    return p[0] + p[1];
  };
  constexpr auto plain_two = [](auto p) {
    const auto first = plain_fs(p);
    p[0] = first[0], p[1] = first[1];
    auto second = plain_fs(p);
    second[2] = first[2] + second[2];
    return second;
  };
  const cells cell{"function over tensors", "in a scan"};
  verbs_of_number(cell, one, plain_one, 2);
  verbs_of_several(cell, two, plain_two, 2);
}

BOOST_AUTO_TEST_CASE(tensors_in_a_call) {
  static constexpr auto one = [](const auto& u, const auto& v) { return call(f, u, v) * call(f, v, u * v); };
  static constexpr auto two = [](const auto& u, const auto& v) {
    const auto [w, s] = call(fs, u, v);
    return call(fs, w, v * s);
  };
  constexpr auto plain_one = []<class T>(const std::array<T, 4>& p) {
    return plain_f(p) * plain_f(std::array<T, 4>{p[2], p[3], p[0] * p[2], p[1] * p[3]});
  };
  constexpr auto plain_two = [](auto p) {
    const auto first = plain_fs(p);
    p[0] = first[0], p[1] = first[1], p[2] = p[2] * first[2], p[3] = p[3] * first[2];
    return plain_fs(p);
  };
  const cells cell{"function over tensors", "in a call"};
  verbs_of_number(cell, one, plain_one);
  verbs_of_several(cell, two, plain_two);
}

BOOST_AUTO_TEST_CASE(tensors_in_a_branch) {
  // The logarithm of a negative number is not taken.
  static constexpr auto other = [](const auto& u, const auto& v) { return log(sum(u) - sum(v)) * v[0]; };
  static constexpr auto others = [](const auto& u, const auto& v) { return std::tuple(u * u * v, sum(v)); };
  static constexpr auto one = [](const auto& u, const auto& v) { return cond(sum(u) < sum(v), f, other, u, v); };
  static constexpr auto two = [](const auto& u, const auto& v) { return cond(sum(v) < sum(u), fs, others, u, v); };
  constexpr auto plain_two = []<class T>(const std::array<T, 4>& p) {
    return std::array<T, 3>{p[0] * p[0] * p[2], p[1] * p[1] * p[3], p[2] + p[3]};
  };
  const cells cell{"function over tensors", "in a branch"};
  verbs_of_number(cell, one, plain_f);
  verbs_of_several(cell, two, plain_two);
}

BOOST_AUTO_TEST_CASE(tensors_in_a_batch) {
  // All elements have the same u.
  const xt::xtensor<double, 2> vs{{0.4, 1.2}, {-0.5, 0.3}, {0.9, 0.1}};
  const xt::xtensor<double, 2> dvs{{0.5, 3.0}, {1.0, 0.0}, {0.0, -2.0}};
  const xt::xtensor<double, 1> weights{0.5, 2.0, -1.0};
  const cells cell{"function over tensors", "in a batch"};
  const auto batch = [&](const auto& verb) { return batched(verb)(xs, each(vs)); };
  numbers values, by_u, by_v, along, several, several_along, pulled_u, pulled_v;
  for (std::size_t k = 0; k < 3; ++k) {
    const std::array<double, 4> p{0.7, -0.3, vs(k, 0), vs(k, 1)};
    const double d[] = {2.0, -1.0, dvs(k, 0), dvs(k, 1)};
    const numbers slope = slopes(plain_f, p), rows = rows_of_slopes(plain_fs, p);
    const auto product = [&](const numbers& matrix, std::size_t row) {
      double sum = 0;
      for (std::size_t i = 0; i < 4; ++i) sum += matrix[4 * row + i] * d[i];
      return sum;
    };
    values.push_back(plain_f(p));
    along.push_back(product(slope, 0));
    for (const std::size_t i : {0u, 1u}) {
      by_u.push_back(slope[i]), by_v.push_back(slope[2 + i]);
      several.push_back(plain_fs(p)[i]), several_along.push_back(product(rows, i));
      pulled_u.push_back(dvs(k, 0) * rows[i] + dvs(k, 1) * rows[4 + i] + weights(k) * rows[8 + i]);
      pulled_v.push_back(dvs(k, 0) * rows[2 + i] + dvs(k, 1) * rows[6 + i] + weights(k) * rows[10 + i]);
    }
  }
  const numbers by_both = together(by_u, by_v);
  cell("value", batch(value(f)), values);
  cell("gradient", batch(gradient(f, by)), by_both);
  cell("value_and_gradient", batch(value_and_gradient(f, by)), together(values, by_both));
  cell("jvp", batch(jvp(f, by, tangent(dx, dvs))), along);
  cell("value_and_jvp", batch(value_and_jvp(f, by, tangent(dx, dvs))), together(values, along));
  constexpr auto first = [](const auto& u, const auto& v) { return std::get<0>(fs(u, v)); };
  cell("value", batch(value(first)), several);
  cell("jvp", batch(jvp(first, by, tangent(dx, dvs))), several_along);
  cell("vjp", batch(vjp(fs, by, cotangent(dvs, weights))), together(pulled_u, pulled_v));
  cell("hvp", batch(hvp(f, wrt<0>, tangent(dx))), [&] {
    numbers result;
    for (std::size_t k = 0; k < 3; ++k) {
      const numbers h = curvatures(plain_f, std::array<double, 4>{0.7, -0.3, vs(k, 0), vs(k, 1)});
      for (const std::size_t i : {0u, 1u}) result.push_back(2 * h[4 * i] - h[4 * i + 1]);
    }
    return result;
  }());
}

}  // namespace tapeless_test
