// Models with loops over numbers: time series and hidden states; and with small matrices: a Gaussian process.
#include "run.hpp"

#include <array>
#include <cstddef>
#include <tuple>
#include <utility>

namespace posteriordb {
namespace {

using namespace tapeless;

/// For x between 0 and 1, the logistic function of a free number.
constexpr auto log_jacobian_of_logistic = [](auto x) { return log(x) + log1p(-x); };

constexpr auto garch11_parameters = [](auto u) {
  const auto alpha1 = sigmoid(u[2]), share = sigmoid(u[3]);
  const auto log_jacobian = u[1] + log_jacobian_of_logistic(alpha1) + log_jacobian_of_logistic(share) + log1p(-alpha1);
  return std::pair{std::array{u[0], exp(u[1]), alpha1, share * (1 - alpha1)}, log_jacobian};
};
constexpr auto garch11 = [](auto u, auto y, auto sigma1) {
  const auto [p, log_jacobian] = garch11_parameters(u);
  const auto mu = p[0], alpha0 = p[1], alpha1 = p[2], beta1 = p[3];  // clang captures no structured bindings
  const auto step = [&](auto carry, auto yt) {
    const auto [sum, variance] = carry;
    return std::array{sum + normal_lpdf(yt, mu, sqrt(variance)), alpha0 + alpha1 * square(yt - mu) + beta1 * variance};
  };
  return scan(step, std::array{log_jacobian, square(sigma1)}, y)[0];
};

constexpr auto arma11_parameters = [](auto u) { return std::pair{std::array{u[0], u[1], u[2], exp(u[3])}, u[3]}; };
constexpr auto arma11 = [](auto u, auto y) {
  const auto [p, log_jacobian] = arma11_parameters(u);
  const auto mu = p[0], phi = p[1], theta = p[2], sigma = p[3];
  const auto prior = normal_lpdf(mu, 0, 10) + normal_lpdf(phi, 0, 2) + normal_lpdf(theta, 0, 2) +
                     cauchy_lpdf(sigma, 0, 2.5) + log_jacobian;
  const auto step = [&](auto carry, auto yt) {
    const auto [sum, before, error] = carry;
    const auto next = yt - (mu + phi * before + theta * error);
    return std::array{sum + normal_lpdf(next, 0, sigma), yt, next};
  };
  return scan(step, std::array{prior, mu, 0 * mu}, y)[0];  // no error before the first, and its predecessor is mu
};

// Two hidden states. The free numbers of a model are the logits of the first column of theta, and two pairs in order.
constexpr auto two_states = [](auto u) {
  const auto stay = sigmoid(u[0]), fall = sigmoid(u[1]);
  return std::pair{std::array{stay, 1 - stay, fall, 1 - fall},
                   log_jacobian_of_logistic(stay) + log_jacobian_of_logistic(fall)};
};
/// The log likelihood: `emission(k, seen...)` is that of what is seen in state k, `first` of the first.
constexpr auto forward = [](auto theta, auto emission, auto first, auto... later) {
  const std::array log_theta{log(theta[0]), log(theta[1]), log(theta[2]), log(theta[3])};
  const auto step = [&](auto gamma, auto... seen) {
    return std::array{logsumexp(gamma[0] + log_theta[0], gamma[1] + log_theta[2]) + emission(0, seen...),
                      logsumexp(gamma[0] + log_theta[1], gamma[1] + log_theta[3]) + emission(1, seen...)};
  };
  return logsumexp(scan(step, first, later...));
};

constexpr auto hmm_parameters = [](auto u) {
  const auto [theta, log_jacobian] = two_states(u);
  const auto mu1 = exp(u[2]), mu2 = mu1 + exp(u[3]);
  return std::pair{std::array{theta[0], theta[1], theta[2], theta[3], mu1, mu2}, log_jacobian + u[2] + u[3]};
};
constexpr auto hmm = [](auto u, auto first, auto later) {
  const auto [p, log_jacobian] = hmm_parameters(u);
  const std::array mu{p[4], p[5]};
  const auto emission = [&](std::size_t k, auto y) { return normal_lpdf(y, mu[k], 1); };
  return forward(p, emission, std::array{emission(0, first), emission(1, first)}, later) + normal_lpdf(mu[0], 3, 1) +
         normal_lpdf(mu[1], 10, 1) + log_jacobian;
};

template <bool positive>
constexpr auto drive_parameters = [](auto u) {
  const auto [theta, log_jacobian] = two_states(u);
  const auto start = [](auto x) {
    if constexpr (positive)
      return exp(x);
    else
      return x;
  };
  const auto phi = start(u[2]), lambda = start(u[4]);
  const auto of_order = positive ? u[2] + u[3] + u[4] + u[5] : u[3] + u[5];
  return std::pair{std::array{theta[0], theta[1], theta[2], theta[3], phi, phi + exp(u[3]), lambda, lambda + exp(u[5])},
                   log_jacobian + of_order};
};
/// `density(seen, parameter, scale)` is that of both observations.
constexpr auto drive = [](auto parameters, auto density, auto alpha, auto first, auto u, auto v, auto scales) {
  const auto [p, log_jacobian] = parameters;
  const std::array phi{p[4], p[5]}, lambda{p[6], p[7]};
  const auto emission = [&](std::size_t k, auto ut, auto vt) {
    return density(ut, phi[k], scales[0]) + density(vt, lambda[k], scales[1]);
  };
  auto prior = log_jacobian + normal_lpdf(phi[0], 0, 1) + normal_lpdf(phi[1], 3, 1) + normal_lpdf(lambda[0], 0, 1) +
               normal_lpdf(lambda[1], 3, 1);
  for (std::size_t k = 0; k < 4; ++k) prior = prior + (alpha[k] - 1) * log(p[k]);
  return forward(p, emission, std::array{emission(0, first[0], first[1]), emission(1, first[0], first[1])}, u, v) +
         prior;
};
constexpr auto drive_0 = [](auto u, auto... data) {
  return drive(drive_parameters<true>(u), [](auto y, auto rate, auto) { return exponential_lpdf(y, rate); }, data...);
};
constexpr auto drive_1 = [](auto u, auto... data) {
  return drive(
      drive_parameters<false>(u), [](auto y, auto mu, auto sigma) { return normal_lpdf(y, mu, sigma); }, data...);
};

/// A covariance of n points, with `nugget` on the diagonal.
constexpr auto exp_quad = [](auto x, auto alpha, auto rho, auto nugget) {
  constexpr std::size_t n = std::tuple_size_v<decltype(x)>;
  std::array<std::array<decltype(alpha * nugget), n>, n> k;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      k[i][j] = square(alpha) * exp(-0.5 * square((x[i] - x[j]) / rho));
      if (i == j) k[i][j] = k[i][j] + nugget;
    }
  return k;
};
constexpr auto gp_regr = [](auto u, auto x, auto y) {
  const auto [p, log_jacobian] = all_positive(u);
  const auto [rho, alpha, sigma] = p;
  const auto l = cholesky(exp_quad(x, alpha, rho, sigma));
  const auto z = solve_triangular<lower>(l, y);
  auto likelihood = -0.5 * dot(z, z);
  for (std::size_t i = 0; i < y.size(); ++i) likelihood = likelihood - log(l[i][i]);
  return likelihood + gamma_lpdf(rho, 25, 4) + normal_lpdf(alpha, 0, 2) + normal_lpdf(sigma, 0, 1) + log_jacobian;
};

/// The logarithms of rho and alpha, and f_tilde; f = L f_tilde, with the Cholesky factor L of the covariance.
constexpr auto gp_pois_parameters = [](auto u, auto x) {
  const auto l = cholesky(exp_quad(x, exp(u[1]), exp(u[0]), 1e-10));
  auto natural = u;
  natural[0] = exp(u[0]);
  natural[1] = exp(u[1]);
  for (std::size_t i = 0; i < x.size(); ++i) {
    natural[2 + i] = l[i][0] * u[2];
    for (std::size_t j = 1; j <= i; ++j) natural[2 + i] = natural[2 + i] + l[i][j] * u[2 + j];
  }
  return natural;
};
constexpr auto gp_pois_regr = [](auto u, auto x, auto k) {
  const auto natural = gp_pois_parameters(u, x);
  auto density = gamma_lpdf(natural[0], 25, 4) + normal_lpdf(natural[1], 0, 2) + u[0] + u[1];
  for (std::size_t i = 0; i < x.size(); ++i)
    density = density + std_normal_lpdf(u[2 + i]) + poisson_log_lpmf(k[i], natural[2 + i]);
  return density;
};

}  // namespace

void run_numbers() {
  const auto later = [](const Vector& y) { return Vector(y.begin() + 1, y.end()); };
  with("garch-garch11", [](const Problem& p) {
    sample<4>("garch-garch11", p, 4, garch11, first_of(garch11_parameters), {}, p.vector("y"), p.number("sigma1"));
  });
  with("arma-arma11", [](const Problem& p) {
    sample<4>("arma-arma11", p, 4, arma11, first_of(arma11_parameters), {}, p.vector("y"));
  });
  with("hmm_example-hmm_example", [&](const Problem& p) {
    const Vector& y = p.vector("y");
    sample<4>("hmm_example-hmm_example", p, 4, hmm, first_of(hmm_parameters), {}, y[0], later(y));
  });
  with("bball_drive_event_0-hmm_drive_0", [&](const Problem& p) {
    const Vector &u = p.vector("u"), &v = p.vector("v");
    sample<6>("bball_drive_event_0-hmm_drive_0", p, 6, drive_0, first_of(drive_parameters<true>), {},
              p.array<4>("alpha"), std::array{u[0], v[0]}, later(u), later(v), std::array{1.0, 1.0});
  });
  with("bball_drive_event_1-hmm_drive_1", [&](const Problem& p) {
    const Vector &u = p.vector("u"), &v = p.vector("v");
    sample<6>("bball_drive_event_1-hmm_drive_1", p, 6, drive_1, first_of(drive_parameters<false>), {},
              p.array<4>("alpha"), std::array{u[0], v[0]}, later(u), later(v),
              std::array{p.number("tau"), p.number("rho")});
  });
  with("gp_pois_regr-gp_regr", [](const Problem& p) {
    sample<3>("gp_pois_regr-gp_regr", p, 3, gp_regr, first_of(all_positive), {}, p.array<11>("x"), p.array<11>("y"));
  });
  // The covariance is singular but for 1e-10 on its diagonal, so that doubles lose digits.
  with("gp_pois_regr-gp_pois_regr", [](const Problem& p) {
    const auto x = p.array<11>("x");
    sample<13>(
        "gp_pois_regr-gp_pois_regr", p, 13, gp_pois_regr, [&](auto u) { return gp_pois_parameters(u, x); },
        {.acceptance = 0.95, .gradient = 1e-6}, x, p.array<11>("k"));
  });
}

}  // namespace posteriordb
