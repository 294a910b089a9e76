// A Gaussian mixture as an array program in four layouts, next to SIMD by hand.
#include "mixture_arrays.hpp"

#include "compare_tensors.hpp"
#include "hand_simd.hpp"

#include <tapeless/xtensor.hpp>

#include <algorithm>
#include <cstddef>
#include <random>

namespace {

using namespace tapeless;
inline constexpr auto x = variable<"x">;
inline constexpr auto y = variable<"y">;
inline constexpr auto logit = variable<"logit">;
inline constexpr auto m = variable<"m">;
inline constexpr auto n = variable<"n">;
inline constexpr auto p = variable<"p">;
inline constexpr auto q = variable<"q">;
inline constexpr auto r = variable<"r">;

using vector = xt::xtensor<double, 1>;
using matrix = xt::xtensor<double, 2>;
constexpr std::size_t components = 5;

/// The log density of each point under each component: `Components` and `Points` put their arrays along two axes.
template <int Axis, class Components, class Points>
constexpr auto log_likelihood(Components along_components, Points along_points) {
  const auto dx = along_points(x) - along_components(m);
  const auto dy = along_points(y) - along_components(n);
  const auto u = along_components(p) * dx;
  const auto v = along_components(q) * dx + along_components(r) * dy;
  const auto weight = along_components(logit - logsumexp(logit)) + log(along_components(p * r));
  return sum(logsumexp<Axis>(weight - (square(u) + square(v)) / 2_c));
}
constexpr auto as_it_is = [](auto e) { return e; };
constexpr auto as_column = [](auto e) { return expand_dims<1>(e); };

constexpr auto points_by_components =
    value_and_gradient(log_likelihood<1>(as_it_is, as_column), wrt(logit, m, n, p, q, r));
constexpr auto columns_of_points = value_and_gradient(log_likelihood<1>(as_it_is, as_it_is), wrt(logit, m, n, p, q, r));
constexpr auto components_by_points =
    value_and_gradient(log_likelihood<0>(as_column, as_it_is), wrt(logit, m, n, p, q, r));

}  // namespace

void mixture_arrays(std::size_t points) {
  std::mt19937_64 generator(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  vector xs = vector::from_shape({points}), ys = xs;
  for (double& e : xs) e = 2 * uniform(generator);
  for (double& e : ys) e = 2 * uniform(generator);
  const matrix x_column = xt::reshape_view(xs, {points, std::size_t(1)}),
               y_column = xt::reshape_view(ys, {points, std::size_t(1)});

  // A row of parameters for each component, and the same parameters apart.
  matrix theta = matrix::from_shape({components, 6});
  for (double& e : theta) e = uniform(generator);
  for (std::size_t k = 0; k < components; ++k) theta(k, 3) += 1.5, theta(k, 5) += 1.5;
  const auto column = [&](std::size_t i) { return xt::view(theta, xt::all(), i); };
  const vector logits = column(0), ms = column(1), ns = column(2), ps = column(3), qs = column(4), rs = column(5);
  const auto logits_view = column(0), ms_view = column(1), ns_view = column(2), ps_view = column(3),
             qs_view = column(4), rs_view = column(5);

  by_hand::component rows[components], g[components];
  for (std::size_t k = 0; k < components; ++k)
    rows[k] = {theta(k, 0), theta(k, 1), theta(k, 2), theta(k, 3), theta(k, 4), theta(k, 5)};
  double density = 0;
  const auto hand = [&] {
    density = by_hand::mixture<components, by_hand::objective::likelihood>(xs.data(), ys.data(), rows, g, points);
  };
  hand();
  const auto time = [&](const char* name, const auto& step, const auto&... bindings) {
    auto result = step(bindings...);
    const auto ours = [&] { step(into(result), bindings...); };
    double difference = relative_difference(result.value, density);
    for (std::size_t k = 0; k < components; ++k)
      for (const double each :
           {relative_difference(result.gradient[logit](k), g[k].logit),
            relative_difference(result.gradient[m](k), g[k].m), relative_difference(result.gradient[n](k), g[k].n),
            relative_difference(result.gradient[p](k), g[k].p), relative_difference(result.gradient[q](k), g[k].q),
            relative_difference(result.gradient[r](k), g[k].r)})
        difference = std::max(difference, each);
    compare(name, points, ours, hand, difference);
  };
  time("mixture, arrays (n, 5)", points_by_components, x = xs, y = ys, logit = logits, m = ms, n = ns, p = ps, q = qs,
       r = rs);
  time("the same, columns", points_by_components, x = xs, y = ys, logit = logits_view, m = ms_view, n = ns_view,
       p = ps_view, q = qs_view, r = rs_view);
  time("the same, points (n, 1)", columns_of_points, x = x_column, y = y_column, logit = logits, m = ms, n = ns, p = ps,
       q = qs, r = rs);
  time("mixture, arrays (5, n)", components_by_points, x = xs, y = ys, logit = logits, m = ms, n = ns, p = ps, q = qs,
       r = rs);
}
