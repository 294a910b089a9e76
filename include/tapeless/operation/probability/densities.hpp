#pragma once

#include <tapeless/math/infinity.hpp>
#include <tapeless/operation/probability/saddle_point.hpp>

/// Logarithms of probability densities (`_lpdf`) and mass functions (`_lpmf`), with Stan's names and parameters. They
/// are formulas of simpler operations, so the value and all derivatives share subexpressions. Outside the support, the
/// result is -infinity with derivative 0. For a parameter outside its domain, the result is whatever the formula gives,
/// mostly NaN. Counts and shapes may be as large as 1e15: errors of the value and of the derivatives are at most 1e-12
/// of themselves, and what a change of the parameters by 1e-15 of themselves makes.
namespace tapeless {

namespace operation {

/// log(pi)
TAPELESS_CONSTANT(LogPi, "log(pi)", 1.144729885849400174143427351353058712L, math::log(T(math::acos(T(-1)))))

struct MinusInfinity {
  static constexpr std::string_view name = "-infinity";
  template <class T>
  TAPELESS_ALWAYS_INLINE static constexpr T constant() {
    return -detail::upper_bound_of<T>();
  }
};

}  // namespace operation

namespace detail {

template <class... Es>
struct first_traced;
template <class E, class... Es>
struct first_traced<E, Es...> : first_traced<Es...> {};
template <class E, class... Es>
  requires is_traced<E>
struct first_traced<E, Es...> {
  using type = E;
};

/// `f` of operands, among which numbers are operands of formulas too; of plain numbers the value.
template <class F, class... Es>
TAPELESS_ALWAYS_INLINE constexpr auto of_operands(const F& f, const Es&... es) {
  if constexpr (Plain<Es...>) {
    using T = typename common_real<Es...>::type;
    return static_cast<T>(f(Number<T>(immediate<T>(es))...)());
  } else if constexpr ((is_traced<Es> || ...)) {
    using T = typename first_traced<Es...>::type;
    return f(T(es)...);
  } else
    return f(as_expression_t<Es>(es)...);
}

inline constexpr auto log_pi = mathematical_constant<operation::LogPi>;
inline constexpr auto ln_two = mathematical_constant<operation::LnTwo>;

/// A logarithm of a density, -infinity where it is outside its support. NaN is not outside.
template <class C, class E>
constexpr auto unless_outside(C outside, E log_density) {
  return where(outside, mathematical_constant<operation::MinusInfinity>, log_density);
}
/// x log(1 + y), where 0 log(0) is 0. For x = 0 alone the derivative by x is the logarithm, as everywhere.
template <class X, class Y>
constexpr auto times_log1p(X x, Y y) {
  return where(x == 0_c && y == -1_c, 0_c, x * log1p(y));
}
template <class X, class Y>
constexpr auto times_log(X x, Y y) {
  return where(x == 0_c && y == 0_c, 0_c, x * log(y));
}
/// The same by the logarithm.
template <class X, class Y>
constexpr auto times_log_of(X x, Y log_y) {
  return where(x == 0_c && log_y == mathematical_constant<operation::MinusInfinity>, 0_c, x * log_y);
}
/// lgamma(x + d) - lgamma(x) for d >= 0, without the digits that the difference of two large numbers loses.
template <class X, class D>
constexpr auto lgamma_increment(X x, D d) {
  const auto increment =
      (x - constant<1, 2>)*log1p(d / x) + d * (log(x + d) - 1_c) + beyond_stirling(x + d) - beyond_stirling(x);
  return where(x >= 10_c, increment, lgamma(x + d) - lgamma(x));
}
/// The logarithm of n over k. Not by max and min, whose second derivatives at ties are others.
template <class N, class K>
constexpr auto log_choose(N n, K k) {
  const auto more = 2_c * k > n;
  const auto fewer = where(more, n - k, k);
  return lgamma_increment(where(more, k, n - k) + 1_c, fewer) - lgamma(fewer + 1_c);
}
/// n log(theta) + (trials - n) log(1 - theta), where theta = 1 / (1 + e^-alpha): by the logarithm of the probability of
/// what occurs more often, which has all its digits where it is almost certain.
template <class N, class Trials, class Alpha>
constexpr auto logit_likelihood(N n, Trials trials, Alpha alpha) {
  const auto more = 2_c * n > trials;
  const auto fewer = where(more, trials - n, n);
  const auto logit = where(more, -alpha, alpha);
  const auto infinite = -abs(logit) == mathematical_constant<operation::MinusInfinity>;
  return where(fewer == 0_c && infinite, 0_c, fewer * logit) - trials * softplus(logit);
}
template <class Z>
constexpr auto standard_normal(Z z) {
  return -(constant<1, 2> * z * z) - half_log_two_pi;
}

}  // namespace detail

/// Defines the function NAME of COUNT operands by a lambda, which knows the names above.
#define TAPELESS_DENSITY(COUNT, NAME, ...)                                                                             \
  namespace detail {                                                                                                   \
  inline constexpr auto NAME##_of = __VA_ARGS__;                                                                       \
  }                                                                                                                    \
  template <Operand... Es>                                                                                             \
    requires(sizeof...(Es) == COUNT)                                                                                   \
  constexpr auto NAME(Es... es) {                                                                                      \
    return detail::of_operands(detail::NAME##_of, es...);                                                              \
  }

/// The standard normal density.
TAPELESS_DENSITY(1, std_normal_lpdf, [](auto y) { return standard_normal(y); })

/// The normal density with mean mu and standard deviation sigma.
TAPELESS_DENSITY(3, normal_lpdf,
                 [](auto y, auto mu, auto sigma) { return standard_normal((y - mu) / sigma) - log(sigma); })

/// The lognormal density of y > 0, where log(y) is normal with mean mu and standard deviation sigma.
TAPELESS_DENSITY(3, lognormal_lpdf, [](auto y, auto mu, auto sigma) {
  return unless_outside(y <= 0_c, standard_normal((log(y) - mu) / sigma) - log(sigma) - log(y));
})

/// Student's t density with nu degrees of freedom, location mu and scale sigma.
TAPELESS_DENSITY(4, student_t_lpdf, [](auto y, auto nu, auto mu, auto sigma) {
  return half_increment(constant<1, 2> * nu) - log(sigma) - half_log_two_pi -
         apply<operation::StudentTail>(nu, square((y - mu) / sigma));
})

/// The Cauchy density with location mu and scale sigma.
TAPELESS_DENSITY(3, cauchy_lpdf,
                 [](auto y, auto mu, auto sigma) { return -(log(sigma) + log_pi) - log1p(square((y - mu) / sigma)); })

/// Laplace's density with location mu and scale sigma.
TAPELESS_DENSITY(3, double_exponential_lpdf,
                 [](auto y, auto mu, auto sigma) { return -(log(sigma) + ln_two) - abs(y - mu) / sigma; })

/// The logistic density with location mu and scale sigma.
TAPELESS_DENSITY(3, logistic_lpdf, [](auto y, auto mu, auto sigma) {
  return -abs(y - mu) / sigma - log(sigma) - 2_c * log1p(exp(-abs(y - mu) / sigma));
})

/// The exponential density of y >= 0 with rate beta.
TAPELESS_DENSITY(2, exponential_lpdf, [](auto y, auto beta) { return unless_outside(y < 0_c, log(beta) - beta * y); })

/// The gamma density of y >= 0 with shape alpha and rate beta.
TAPELESS_DENSITY(3, gamma_lpdf, [](auto y, auto alpha, auto beta) {
  const auto small = alpha * log(beta) - lgamma(alpha) + times_log(alpha - 1_c, y) - beta * y;
  const auto large = log_gamma_saddle(alpha, beta * y) - log(y);
  return unless_outside(y < 0_c, where(alpha >= 10_c, large, small));
})

/// The inverse gamma density of y > 0, where 1 / y has the gamma density with shape alpha and rate beta.
TAPELESS_DENSITY(3, inv_gamma_lpdf, [](auto y, auto alpha, auto beta) {
  const auto small = alpha * log(beta) - lgamma(alpha) - (alpha + 1_c) * log(y) - beta / y;
  const auto large = log_gamma_saddle(alpha, beta / y) - log(y);
  return unless_outside(y <= 0_c, where(alpha >= 10_c, large, small));
})

/// The chi-square density of y >= 0 with nu degrees of freedom.
TAPELESS_DENSITY(2, chi_square_lpdf, [](auto y, auto nu) {
  const auto alpha = constant<1, 2> * nu;
  const auto small = times_log(alpha - 1_c, y) - constant<1, 2> * (y + nu * ln_two) - lgamma(alpha);
  const auto large = log_gamma_saddle(alpha, constant<1, 2> * y) - log(y);
  return unless_outside(y < 0_c, where(alpha >= 10_c, large, small));
})

/// Weibull's density of y >= 0 with shape alpha and scale sigma.
TAPELESS_DENSITY(3, weibull_lpdf, [](auto y, auto alpha, auto sigma) {
  return unless_outside(y < 0_c, log(alpha) - log(sigma) + times_log(alpha - 1_c, y / sigma) - pow(y / sigma, alpha));
})

/// The beta density of 0 <= y <= 1 with shapes alpha and beta.
TAPELESS_DENSITY(3, beta_lpdf, [](auto y, auto alpha, auto beta) {
  const auto more = alpha > beta;
  const auto smaller = where(more, beta, alpha);
  const auto normalisation = lgamma_increment(where(more, alpha, beta), smaller) - lgamma(smaller);
  const auto small = normalisation + times_log(alpha - 1_c, y) + times_log1p(beta - 1_c, -y);
  const auto large = apply<operation::BetaSaddle>(y, alpha, beta);
  return unless_outside(y < 0_c || y > 1_c, where(smaller >= 10_c, large, small));
})

/// The uniform density of alpha <= y <= beta.
TAPELESS_DENSITY(3, uniform_lpdf, [](auto y, auto alpha, auto beta) {
  return unless_outside(y < alpha || y > beta, -log(beta - alpha));
})

/// Poisson's probability of n = 0, 1, ... with mean lambda.
TAPELESS_DENSITY(2, poisson_lpmf, [](auto n, auto lambda) {
  const auto small = times_log(n, lambda) - lambda - lgamma(n + 1_c);
  const auto large = log_gamma_saddle(n, lambda) - log(n);
  return unless_outside(n < 0_c, where(n >= 10_c, large, small));
})

/// Poisson's probability of n = 0, 1, ... with mean e^alpha.
TAPELESS_DENSITY(2, poisson_log_lpmf, [](auto n, auto alpha) {
  const auto small = times_log_of(n, alpha) - exp(alpha) - lgamma(n + 1_c);
  // Where e^alpha is far from n, its logarithm is alpha, also where it underflows.
  const auto large = log_gamma_saddle(n, exp(alpha)) - log(n);
  return unless_outside(n < 0_c, where(n >= 10_c && alpha > -30_c, large, small));
})

/// The negative binomial probability of n = 0, 1, ... with mean mu and variance mu + mu^2 / phi.
TAPELESS_DENSITY(3, neg_binomial_2_lpmf, [](auto n, auto mu, auto phi) {
  const auto choose = where(n >= 10_c, lgamma_increment(n, phi) - log(n) - lgamma(phi),
                            lgamma(n + phi) - lgamma(phi) - lgamma(n + 1_c));
  const auto small = choose - where(n == 0_c && mu == 0_c, 0_c, n * log1p(phi / mu)) - phi * log1p(mu / phi);
  const auto large = apply<operation::NegBinomialSaddle>(n, mu, phi);
  return unless_outside(n < 0_c, where(phi >= 10_c, large, small));
})

/// The binomial probability of n successes in `trials` trials, each with probability theta.
TAPELESS_DENSITY(3, binomial_lpmf, [](auto n, auto trials, auto theta) {
  const auto small = log_choose(trials, n) + times_log(n, theta) + times_log1p(trials - n, -theta);
  const auto large = apply<operation::BinomialSaddle>(n, trials, theta);
  return unless_outside(n < 0_c || n > trials, where(n >= 10_c && trials - n >= 10_c, large, small));
})

/// The binomial probability of n successes in `trials` trials, each with probability 1 / (1 + e^-alpha).
TAPELESS_DENSITY(3, binomial_logit_lpmf, [](auto n, auto trials, auto alpha) {
  const auto small = log_choose(trials, n) + logit_likelihood(n, trials, alpha);
  const auto large = apply<operation::BinomialLogitSaddle>(n, trials, alpha);
  const auto saddle = n >= 10_c && trials - n >= 10_c && abs(alpha) < 30_c;
  return unless_outside(n < 0_c || n > trials, where(saddle, large, small));
})

/// The Bernoulli probability of n = 0 or 1, where theta is the probability of 1.
TAPELESS_DENSITY(2, bernoulli_lpmf,
                 [](auto n, auto theta) { return times_log(n, theta) + times_log1p(1_c - n, -theta); })

/// The Bernoulli probability of n = 0 or 1, where 1 / (1 + e^-alpha) is the probability of 1.
TAPELESS_DENSITY(2, bernoulli_logit_lpmf, [](auto n, auto alpha) { return logit_likelihood(n, 1_c, alpha); })

#undef TAPELESS_DENSITY

}  // namespace tapeless
