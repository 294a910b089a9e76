// Models with differential equations.
#include "run.hpp"

#include <array>
#include <cstddef>
#include <utility>

namespace posteriordb {
namespace {

using namespace tapeless;

/// Prey and predators.
constexpr auto hunt = [](auto, auto z, auto theta) {
  return std::array{(theta[0] - theta[1] * z[1]) * z[0], (theta[3] * z[0] - theta[2]) * z[1]};
};
constexpr double log_of_10 = 2.302585092994045684;
constexpr auto lotka_volterra = [](auto u, auto y_init, auto ts, auto y, auto tolerance) {
  const auto [p, log_jacobian] = all_positive(u);
  const std::array theta{p[0], p[1], p[2], p[3]};
  const std::array z_init{p[4], p[5]}, sigma{p[6], p[7]};
  const auto seen = [&](auto z, auto at) {
    return lognormal_lpdf(at[0], log(z[0]), sigma[0]) + lognormal_lpdf(at[1], log(z[1]), sigma[1]);
  };
  const auto prior = normal_lpdf(theta[0], 1, 0.5) + normal_lpdf(theta[1], 0.05, 0.05) + normal_lpdf(theta[2], 1, 0.5) +
                     normal_lpdf(theta[3], 0.05, 0.05) + lognormal_lpdf(sigma[0], -1, 1) +
                     lognormal_lpdf(sigma[1], -1, 1) + lognormal_lpdf(z_init[0], log_of_10, 1) +
                     lognormal_lpdf(z_init[1], log_of_10, 1) + log_jacobian;
  const auto zs = odeint_at(hunt, z_init, 0.0, ts, theta, tolerance);
  return scan([&](auto sum, auto z, auto at) { return sum + seen(z, at); }, prior + seen(z_init, y_init), zs, y);
};

/// The concentration where a dose is absorbed, and eliminated by Michaelis and Menten's law.
constexpr auto absorb = [](auto t, auto c, auto p, auto dose, auto volume) {
  return exp(-p[0] * t) * dose * p[0] / volume - p[2] / volume * c / (p[1] + c);  // k_a, K_m, V_m
};
constexpr auto one_compartment = [](auto u, auto times, auto seen, auto dose, auto volume, auto tolerance) {
  const auto [p, log_jacobian] = all_positive(u);
  const auto sigma = p[3];
  auto prior = log_jacobian;
  for (std::size_t k = 0; k < 4; ++k) prior = prior + cauchy_lpdf(p[k], 0, 1);
  const auto cs = odeint_at(absorb, 0 * p[0], 0.0, times, p, dose, volume, tolerance);
  return scan([&](auto sum, auto c, auto at) { return sum + lognormal_lpdf(at, log(c), sigma); }, prior, cs, seen);
};

}  // namespace

void run_equations() {
  with("hudson_lynx_hare-lotka_volterra", [](const Problem& p) {
    sample<8>("hudson_lynx_hare-lotka_volterra", p, 8, lotka_volterra, first_of(all_positive), {.gradient = 1e-6},
              p.array<2>("y_init"), p.vector("ts"), p.rows<2>("y"), Tolerance{});
  });
  with("one_comp_mm_elim_abs-one_comp_mm_elim_abs", [](const Problem& p) {
    sample<4>(
        "one_comp_mm_elim_abs-one_comp_mm_elim_abs", p, 4, one_compartment, [](auto u) { return u; },
        {.acceptance = 0.95, .gradient = 1e-6}, p.vector("times"), p.vector("C_hat"), p.number("D"), p.number("V"),
        Tolerance{});
  });
}

}  // namespace posteriordb
