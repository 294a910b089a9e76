// Jacobians and Hessians over tensors as text, against closed forms and the library's own calls.
#include "tensor_cases.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <iostream>
#include <string>
#include <tuple>
#include <vector>
#include <xtensor/xfixed.hpp>

using namespace tapeless;

namespace {

inline constexpr auto layer = [](const auto& w, const auto& x) { return tanh(dot(w, x)); };
/// With fewer numbers than the variables have, or more, which the text finds out as the call does.
template <fixed_string ByAll, fixed_string ByX, class T>
void check_layer(tensor_cases& all, std::size_t rows, std::size_t columns) {
  const auto w = numbers<T>(1, rows, columns);
  const auto x = numbers<T>(2, columns);
  parts<T> expected{{}, std::vector<T>(rows * rows * columns), {}};
  for (std::size_t i = 0; i < rows; ++i) {
    double z = 0;
    for (std::size_t k = 0; k < columns; ++k) z += static_cast<double>(w(i, k)) * static_cast<double>(x(k));
    const double y = std::tanh(z);
    expected[0].push_back(static_cast<T>(y));
    for (std::size_t k = 0; k < columns; ++k) {
      expected[1][(i * rows + i) * columns + k] = static_cast<T>((1 - y * y) * static_cast<double>(x(k)));
      expected[2].push_back(static_cast<T>((1 - y * y) * static_cast<double>(w(i, k))));
    }
  }
  all.known<ByAll, T>(expected, value_and_jacobian(layer), w, x);
  all.known<ByX, T>({expected[2]}, jacobian(layer, wrt<1>), w, x);
}

/// Numbers, whose matrix is computed by rows; tensors of several ranks.
inline constexpr auto moments = [](const auto& x, const auto& y) {
  return std::array{sum(x * y), sum(square(x)), sum(y) * 2.0};
};
inline constexpr auto of_ranks = [](const auto& x, const auto& s) {
  return std::tuple(sum(x * x) * s, outer(x, sin(x)), s * x);
};
void check_outputs(tensor_cases& all) {
  const auto x = numbers<double>(3, 4), y = numbers<double>(4, 4);
  const std::vector<double> ones(4, 2.0), none(4, 0.0), of_x(x.begin(), x.end()), of_y(y.begin(), y.end());
  std::vector<double> twice;
  for (const double each : of_x) twice.push_back(2 * each);
  all.known<"moments", double>({of_y, of_x, twice, none, none, ones}, jacobian(moments), x, y);
  double products = 0, squares = 0, total = 0;
  for (std::size_t i = 0; i < 4; ++i) products += x(i) * y(i), squares += x(i) * x(i), total += 2 * y(i);
  all.add_tensors<double>("moments_v", emit<c99, "moments_v">(value_and_jacobian(moments), x, y).text().str(),
                          {{products}, {squares}, {total}, of_y, of_x, twice, none, none, ones}, 1e-12, x, y);
  std::vector<double> outers(64), scaled(16);
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j) {
      outers[(i * 4 + j) * 4 + i] += std::sin(x(j)), outers[(i * 4 + j) * 4 + j] += x(i) * std::cos(x(j));
      if (i == j) scaled[i * 4 + j] = 1.5;
    }
  parts<double> expected{{}, {0}, outers, std::vector<double>(16), scaled, of_x};
  for (const double each : of_x) expected[0].push_back(3 * each), expected[1][0] += each * each;
  const auto text = emit<c99, "of_ranks">(jacobian(of_ranks), x, 1.5).text().str();
  all.add_tensors<double>("of_ranks", text, expected, 1e-12, x, 1.5);
}

inline constexpr auto curved = [](const auto& w, const auto& x, auto s) { return s * s * sum(exp(dot(x, w))); };
void check_hessians(tensor_cases& all, std::size_t rows, std::size_t columns) {
  const auto w = numbers<double>(5, columns);
  const auto x = numbers<double>(6, rows, columns);
  const double s = 0.75;
  parts<double> expected{{0}, std::vector<double>(columns), {0}, std::vector<double>(columns * columns), {}, {}, {0}};
  for (std::size_t i = 0; i < rows; ++i) {
    double z = 0;
    for (std::size_t k = 0; k < columns; ++k) z += x(i, k) * w(k);
    const double e = std::exp(z);
    expected[0][0] += s * s * e, expected[2][0] += 2 * s * e, expected[6][0] += 2 * e;
    for (std::size_t k = 0; k < columns; ++k) {
      expected[1][k] += s * s * e * x(i, k);
      for (std::size_t l = 0; l < columns; ++l) expected[3][k * columns + l] += s * s * e * x(i, k) * x(i, l);
    }
  }
  for (const double each : expected[1]) expected[4].push_back(2 * each / s);
  expected[5] = expected[4];
  all.known<"curved", double>(expected, value_and_hessian(curved, wrt<0, 2>), w, x, s);
  all.known<"curved_by_w", double>({expected[3]}, hessian(curved, wrt<0>), w, x, s);
}

inline constexpr auto states = [](const auto& w, const auto& h0, const auto& xs) {
  return scan([&](auto h, auto x) { return std::pair(sin(dot(w, h)) + x, sum(h * h)); }, h0, xs).second;
};
inline constexpr auto of_states = [](const auto& w, const auto& h0, const auto& xs) {
  return sum(sin(states(w, h0, xs)));
};

/// The sum of the products of each element's square and `a`, and of neighbours: a carry keeps the last one.
inline constexpr auto chained = [](const auto& x, auto a) {
  const auto step = [&](const auto& carry, auto e) { return std::array{carry[0] + a * e * e + carry[1] * e, e}; };
  return scan(step, std::array{0.0 * a, 0.0 * a}, x)[0];
};
/// A branch and the body of a loop that use a whole vector.
inline constexpr auto chosen = [](const auto& x, auto a) {
  return cond(a > 0, [&] { return sum(exp(x) * a); }, [&] { return sum(x) - a; });
};
inline constexpr auto repeated = [](const auto& x, auto a) {
  return scan([&](auto c, auto) { return c * a + sum(x * c); }, a, steps(3));
};

/// Derivatives of loops over numbers by a vector, for which a call takes loops over tensors.
void check_by_sequences(tensor_cases& all, const std::vector<double>& x, double a) {
  const std::size_t n = x.size();
  std::vector<double> curvature(n * n), growth(n);
  double sum_of_x = 0;
  for (std::size_t i = 0; i < n; ++i) {
    curvature[i * n + i] = 2 * a;
    if (i > 0) curvature[i * n + i - 1] = curvature[(i - 1) * n + i] = 1;
    growth[i] = a > 0 ? a * std::exp(x[i]) : 1;
    sum_of_x += x[i];
  }
  double by_a = a > 0 ? 0 : -1;
  for (std::size_t i = 0; i < n && a > 0; ++i) by_a += std::exp(x[i]);
  all.known<"chained_h", double>({curvature}, hessian(chained, wrt<0>), x, a);
  all.known<"chosen_g", double>({growth, {by_a}}, gradient(chosen), x, a);
  // a (a + sum(x))^3
  const double factor = a + sum_of_x, by_x = 3 * a * factor * factor;
  all.known<"repeated_g", double>({std::vector<double>(n, by_x), {factor * factor * factor + by_x}}, gradient(repeated),
                                  x, a);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return 2;
  tensor_cases all(arguments[1]);
  for (const auto& [rows, columns] : {std::array<std::size_t, 2>{2, 4}, {4, 2}, {3, 3}, {1, 1}, {2, 0}, {0, 2}}) {
    check_layer<"layer", "layer_by_x", double>(all, rows, columns);
    check_layer<"layer_f", "layer_by_x_f", float>(all, rows, columns);
    check_hessians(all, rows, columns);
  }
  check_outputs(all);
  // Extents that the types tell, of which the text has the shorter way only; and a formula.
  const xt::xtensor_fixed<double, xt::xshape<2, 3>> fixed{{1, 2, 3}, {-1, 0.5, 0}};
  const xt::xtensor_fixed<double, xt::xshape<3>> by{0.25, -0.5, 0.75};
  all.own<"fixed", double>(jacobian(layer, wrt<1>), fixed, by);
  if (const std::string text = emit<c99, "fixed">(jacobian(layer, wrt<1>), fixed, by).text().str();
      text.find("else") != std::string::npos || text.find("m0 < 2U") == std::string::npos)
    std::cerr << "not by rows alone: " << text << "\n", std::exit(1);
  constexpr auto X = variable<"X">;
  constexpr auto m0 = variable<"m0">;
  const auto a = numbers<double>(7, 2, 3);
  const auto b = numbers<double>(8, 3);
  const auto formula = jacobian(tanh(dot(X, m0)), wrt(m0));
  parts<double> expected(1);
  cases::flatten(expected[0], formula(X = a, m0 = b)(0, m0));
  all.add_tensors<double>("named", emit<c99, "named">(formula, X = a, m0 = b).text().str(), expected, 1e-12, a, b);
  // Through loops.
  const auto w = numbers<double>(9, 3, 3);
  const auto h0 = numbers<double>(10, 3);
  for (const std::size_t steps : {std::size_t(2), std::size_t(5), std::size_t(0)}) {
    const auto xs = numbers<double>(11, steps, 3);
    all.own<"states_j", double>(value_and_jacobian(states, wrt<1>), w, h0, xs);
    all.own<"states_h", double>(value_and_hessian(of_states, wrt<1, 2>), w, h0, xs);
  }
  for (const double factor : {0.5, -2.0})
    for (const auto& x : {std::vector<double>{0.1, -0.2, 0.7}, std::vector<double>{1.5}, std::vector<double>{}})
      check_by_sequences(all, x, factor);
}
