#include "of_tensors.hpp"

namespace tapeless_test {

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
