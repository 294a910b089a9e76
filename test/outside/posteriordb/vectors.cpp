// Other models over vectors: counts, a hierarchy, a mixture, lags.
#include "vectors.hpp"
#include "run.hpp"

#include <array>
#include <cmath>

namespace posteriordb {
namespace {

using namespace tapeless;

constexpr auto glm_binomial = [](const auto& u, const auto& x, const auto& count, const auto& total) {
  return sum(binomial_logit_lpmf(count, total, dot(u, x))) + sum(normal_lpdf(u, 0, 100));
};
constexpr auto nes_logit = [](const auto& u, const auto& income, const auto& vote) {
  return sum(bernoulli_logit_lpmf(vote, u[0] + u[1] * income));
};
constexpr auto themselves = [](Vector u) { return u; };

constexpr auto eight_schools = [](const auto& u, const auto& y, const auto& sigma) {
  const auto theta_trans = slice<0>(u, 0, -2);
  const auto mu = u[-2], log_tau = u[-1];
  return sum(std_normal_lpdf(theta_trans)) + sum(normal_lpdf(y, theta_trans * exp(log_tau) + mu, sigma)) +
         normal_lpdf(mu, 0, 5) + cauchy_lpdf(exp(log_tau), 0, 5) + log_tau;
};
constexpr auto eight_schools_parameters = [](Vector u) {
  const double mu = u[u.size() - 2], tau = u.back() = std::exp(u.back());
  for (std::size_t j = 0; j + 2 < u.size(); ++j) u[j] = u[j] * tau + mu;
  return u;
};

/// u is mu[1], log(mu[2] - mu[1]), log(sigma), logit(theta).
constexpr auto gauss_mix = [](const auto& u, const auto& y) {
  const auto mu1 = u[0], mu2 = u[0] + exp(u[1]), sigma1 = exp(u[2]), sigma2 = exp(u[3]), theta = sigmoid(u[4]);
  const auto log_jacobian = u[1] + u[2] + u[3] + log(theta) + log1p(-theta);
  const auto prior = normal_lpdf(sigma1, 0, 2) + normal_lpdf(sigma2, 0, 2) + normal_lpdf(mu1, 0, 2) +
                     normal_lpdf(mu2, 0, 2) + beta_lpdf(theta, 5, 5);
  return sum(logsumexp(log(theta) + normal_lpdf(y, mu1, sigma1), log1p(-theta) + normal_lpdf(y, mu2, sigma2))) + prior +
         log_jacobian;
};
constexpr auto gauss_mix_parameters = [](const Vector& u) {
  return std::array{u[0], u[0] + std::exp(u[1]), std::exp(u[2]), std::exp(u[3]), 1 / (1 + std::exp(-u[4]))};
};

/// u is alpha, beta, log(sigma).
constexpr auto autoregression = [](const auto& u, const auto& y) {
  const auto mean = u[0] + u[1] * slice<0>(y, 4, -1) + u[2] * slice<0>(y, 3, -2) + u[3] * slice<0>(y, 2, -3) +
                    u[4] * slice<0>(y, 1, -4) + u[5] * slice<0>(y, 0, -5);
  return sum(normal_lpdf(slice<0>(y, 5), mean, exp(u[-1]))) + sum(normal_lpdf(slice<0>(u, 0, -1), 0, 10)) +
         cauchy_lpdf(exp(u[-1]), 0, 2.5) + u[-1];
};

}  // namespace

void run_vectors() {
  with("GLM_Binomial_data-GLM_Binomial_model", [](const Problem& p) {
    const Vector& year = p.vector("year");
    sample<0>("GLM_Binomial_data-GLM_Binomial_model", p, 3, glm_binomial, themselves, {},
              rows({Vector(year.size(), 1.0), year, year * year}), p.vector("C"), p.vector("N"));
  });
  with("nes_logit_data-nes_logit_model", [](const Problem& p) {
    sample<0>("nes_logit_data-nes_logit_model", p, 2, nes_logit, themselves, {}, p.vector("income"), p.vector("vote"));
  });
  with("eight_schools-eight_schools_noncentered", [](const Problem& p) {
    sample<0>("eight_schools-eight_schools_noncentered", p, p.vector("y").size() + 2, eight_schools,
              eight_schools_parameters, {.acceptance = 0.95}, p.vector("y"), p.vector("sigma"));
  });
  with("low_dim_gauss_mix-low_dim_gauss_mix", [](const Problem& p) {
    sample<0>("low_dim_gauss_mix-low_dim_gauss_mix", p, 5, gauss_mix, gauss_mix_parameters, {}, p.vector("y"));
  });
  with("arK-arK",
       [](const Problem& p) { sample<0>("arK-arK", p, 7, autoregression, last_positive, {}, p.vector("y")); });
}

}  // namespace posteriordb
