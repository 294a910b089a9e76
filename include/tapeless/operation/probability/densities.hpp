#pragma once

#include <tapeless/math/infinity.hpp>
#include <tapeless/operation/probability/normal_distribution.hpp>
#include <tapeless/operation/scalar/c_functions.hpp>

/// Logarithms of probability densities (`_lpdf`) and mass functions (`_lpmf`), with Stan's names and parameters. They
/// are formulas of simpler operations, so the value and all derivatives share subexpressions. Outside the support, the
/// result is -infinity with derivative 0. For a parameter outside its domain, the result is whatever the formula gives,
/// mostly NaN. Counts and shapes may be as large as 1e15, and shapes and means as small as 0.1: errors of the value and
/// of the derivatives are at most 1e-12 of themselves, and what a change of the parameters by 1e-15 of themselves
/// makes.
namespace tapeless {

// Densities with large parameters by the saddle point (Loader, Fast and Accurate Computation of Binomial
// Probabilities, 2000): what is large in a difference of logarithms of gamma functions is subtracted by hand, and so
// is it in the derivatives.

namespace detail {

inline constexpr auto half_log_two_pi = mathematical_constant<operation::HalfLogTwoPi>;

/// c0 + w (c1 + w (c2 + ...))
template <class W, class C>
constexpr auto horner(W, C last) {
  return last;
}
template <class W, class C, class... Cs>
constexpr auto horner(W w, C first, Cs... rest) {
  return first + w * horner(w, rest...);
}
/// What is left of lgamma(x) after Stirling's (x - 1/2) log(x) - x + log(2 pi) / 2, for x >= 10 (DLMF 5.11.1).
template <class X>
constexpr auto beyond_stirling(X x) {
  return horner(1_c / square(x), constant<1, 12>, constant<-1, 360>, constant<1, 1260>, constant<-1, 1680>,
                constant<1, 1188>, constant<-691, 360360>, constant<1, 156>) /
         x;
}
/// What is left of log(x) - 1 / (2 x) after digamma(x), for x >= 10 (DLMF 5.11.2).
template <class X>
constexpr auto beyond_log(X x) {
  const auto w = 1_c / square(x);
  return w * horner(w, constant<1, 12>, constant<-1, 120>, constant<1, 252>, constant<-1, 240>, constant<1, 132>,
                    constant<-691, 32760>, constant<1, 12>);
}
/// What is left of digamma(sum) - digamma(x) without log(sum / x), for a sum of x and d, where x >= 10.
template <class X, class D, class Sum>
constexpr auto beyond_log_ratio(X x, D d, Sum sum) {
  return constant<1, 2> * d / (x * sum) + (beyond_log(x) - beyond_log(sum));
}
/// log(x / m)
template <class X, class M, class D>
constexpr auto log_ratio(X x, M m, D m_less_x) {
  return where(abs(m_less_x) <= constant<1, 4> * x, -log1p(m_less_x / x), log(x / m));
}
/// lgamma(x + 1/2) - lgamma(x) - log(x) / 2, for all x > 0.
template <class X>
constexpr auto half_increment(X x) {
  const auto large = horner(1_c / square(x), constant<-1, 8>, constant<1, 192>, constant<-1, 640>, constant<17, 14336>,
                            constant<-31, 18432>, constant<691, 180224>, constant<-5461, 425984>) /
                     x;
  return where(x >= 10_c, large, lgamma(x + constant<1, 2>) - lgamma(x) - constant<1, 2> * log(x));
}

}  // namespace detail

namespace operation {

/// log(1 + x) - x for |x| <= 1/4.
struct Log1pMinus {
  static constexpr std::string_view name = "log1p_minus";
  static constexpr auto expand = [](auto x) {
    const auto s = x / (2_c + x), w = square(s);
    return s *
           (2_c * w *
                detail::horner(w, constant<1, 3>, constant<1, 5>, constant<1, 7>, constant<1, 9>, constant<1, 11>,
                               constant<1, 13>, constant<1, 15>, constant<1, 17>, constant<1, 19>, constant<1, 21>) -
            x);
  };
  static constexpr rules partials{[](auto x, auto) { return -x / (1_c + x); }};
};
/// log(1 + x) - x for x > -1, where `one_more` is 1 + x with all its digits.
inline constexpr auto log1p_minus = [](auto x, auto one_more) {
  return where(abs(x) <= constant<1, 4>, apply<Log1pMinus>(x), log(one_more) - x);
};

/// x log(x / m) - (x - m) for x > 0: half the deviance of a Poisson variable x with mean m.
struct Deviance {
  static constexpr std::string_view name = "deviance";
  static constexpr auto expand = [](auto x, auto m) {
    return where(abs(m - x) <= constant<1, 4> * x, -x * apply<Log1pMinus>((m - x) / x), x * log(x / m) - (x - m));
  };
  static constexpr rules partials{[](auto x, auto m, auto) { return detail::log_ratio(x, m, m - x); },
                                  [](auto x, auto m, auto) { return (m - x) / m; }};
};

/// lgamma(x + d) - lgamma(x) for d >= 0, without the digits that the difference of two large numbers loses.
struct LgammaIncrement {
  static constexpr std::string_view name = "lgamma_increment";
  static constexpr auto expand = [](auto x, auto d) {
    const auto sum = x + d;
    const auto increment = (x - constant<1, 2>)*log1p(d / x) + d * (log(sum) - 1_c) + detail::beyond_stirling(sum) -
                           detail::beyond_stirling(x);
    return where(x >= 10_c, increment, lgamma(sum) - lgamma(x));
  };
  static constexpr rules partials{[](auto x, auto d, auto) {
                                    const auto sum = x + d;
                                    return where(x >= 10_c, log1p(d / x) + detail::beyond_log_ratio(x, d, sum),
                                                 digamma(sum) - digamma(x));
                                  },
                                  [](auto x, auto d, auto) { return digamma(x + d); }};
};

/// nu log(1 + s / nu), of which the derivative by a large nu is small.
struct ScaledLog1p {
  static constexpr std::string_view name = "scaled_log1p";
  static constexpr auto expand = [](auto nu, auto s) { return nu * log1p(s / nu); };
  static constexpr rules partials{[](auto nu, auto s, auto) { return -log1p_minus(-s / (nu + s), nu / (nu + s)); },
                                  [](auto nu, auto s, auto) { return nu / (nu + s); }};
};

}  // namespace operation

namespace detail {

/// The logarithm of a binomial probability, for n and trials - n of 10 or more, where `more` is 1 - theta.
template <class N, class Trials, class Theta, class More>
constexpr auto binomial_saddle(N n, Trials trials, Theta theta, More more) {
  const auto m = trials - n;
  return beyond_stirling(trials) - beyond_stirling(n) - beyond_stirling(m) + constant<1, 2> * log(trials / n / m) -
         half_log_two_pi - apply<operation::Deviance>(n, trials * theta) - apply<operation::Deviance>(m, trials * more);
}

}  // namespace detail

namespace operation {

/// digamma(sum) - digamma(shape) + log(y) for a sum and a shape of 10 or more, where sum y is `excess` more than the
/// shape.
inline constexpr auto by_shape = [](auto shape, auto sum, auto y, auto excess) {
  return detail::beyond_log_ratio(shape, sum - shape, sum) - detail::log_ratio(shape, sum * y, excess);
};
/// The derivatives of a binomial probability, where `more` is 1 - theta.
inline constexpr auto by_trials = [](auto n, auto trials, auto theta, auto more) {
  const auto sum = trials + 1_c, shape = sum - n;
  return by_shape(shape, sum, more, where(more < theta, sum * more - shape, n - sum * theta));
};
inline constexpr auto by_successes = [](auto n, auto trials, auto theta, auto more) {
  const auto sum = trials + 1_c, shape = n + 1_c;
  return by_shape(shape, sum, theta, sum * theta - shape) - by_trials(n, trials, theta, more);
};

/// The logarithm of a binomial probability, for n and trials - n of 10 or more.
struct BinomialSaddle {
  static constexpr std::string_view name = "binomial_saddle";
  static constexpr auto expand = [](auto n, auto trials, auto theta) {
    return detail::binomial_saddle(n, trials, theta, 1_c - theta);
  };
  static constexpr rules partials{
      [](auto n, auto trials, auto theta, auto) { return by_successes(n, trials, theta, 1_c - theta); },
      [](auto n, auto trials, auto theta, auto) { return by_trials(n, trials, theta, 1_c - theta); },
      [](auto n, auto trials, auto theta, auto) { return (n - trials * theta) / (theta * (1_c - theta)); }};
};
/// The same with theta = 1 / (1 + e^-alpha).
struct BinomialLogitSaddle {
  static constexpr std::string_view name = "binomial_logit_saddle";
  static constexpr auto expand = [](auto n, auto trials, auto alpha) {
    return detail::binomial_saddle(n, trials, sigmoid(alpha), sigmoid(-alpha));
  };
  static constexpr rules partials{
      [](auto n, auto trials, auto alpha, auto) { return by_successes(n, trials, sigmoid(alpha), sigmoid(-alpha)); },
      [](auto n, auto trials, auto alpha, auto) { return by_trials(n, trials, sigmoid(alpha), sigmoid(-alpha)); },
      [](auto n, auto trials, auto alpha, auto) {
        return where(alpha > 0_c, trials * sigmoid(-alpha) - (trials - n), n - trials * sigmoid(alpha));
      }};
};

/// The logarithm of the beta density, for alpha and beta of 10 or more.
struct BetaSaddle {
  static constexpr std::string_view name = "beta_saddle";
  static constexpr auto expand = [](auto y, auto alpha, auto beta) {
    return detail::binomial_saddle(alpha, alpha + beta, y, 1_c - y) + log(alpha) + log(beta / (alpha + beta)) - log(y) -
           log1p(-y);
  };
  static constexpr rules partials{
      [](auto y, auto alpha, auto beta, auto) { return (alpha - 1_c - (alpha + beta - 2_c) * y) / (y * (1_c - y)); },
      [](auto y, auto alpha, auto beta, auto) { return by_shape(alpha, alpha + beta, y, (alpha + beta) * y - alpha); },
      [](auto y, auto alpha, auto beta, auto) {
        return by_shape(beta, alpha + beta, 1_c - y, alpha - (alpha + beta) * y);
      }};
};

/// The logarithm of a negative binomial probability, for phi >= 10.
struct NegBinomialSaddle {
  static constexpr std::string_view name = "neg_binomial_saddle";
  static constexpr auto expand = [](auto n, auto mu, auto phi) {
    const auto sum = phi + n, u = (n - mu) / (phi + mu);
    const auto stirling = detail::beyond_stirling(sum) - detail::beyond_stirling(phi);
    const auto large = stirling - detail::beyond_stirling(n) + constant<1, 2> * log(phi / sum / n) -
                       detail::half_log_two_pi + phi * log1p_minus(u, sum / (phi + mu)) -
                       apply<Deviance>(n, mu * (sum / (phi + mu)));
    const auto log_mean = where(n == 0_c && mu == 0_c, 0_c, n * log(mu / (mu + phi)));
    const auto usual = stirling + (phi - constant<1, 2>)*log1p(n / phi) + n * (log(sum) - 1_c) - lgamma(n + 1_c) +
                       log_mean - phi * log1p(mu / phi);
    return where(n >= 10_c, large, usual);
  };
  static constexpr rules partials{
      [](auto n, auto mu, auto phi, auto) {
        const auto shape = n + 1_c, sum = n + phi, y = mu / (mu + phi);
        return where(n >= 10_c, by_shape(shape, sum, y, phi * ((mu - n) / (mu + phi)) - 1_c),
                     digamma(sum) - digamma(shape) + log(y));
      },
      [](auto n, auto mu, auto phi, auto) {
        return where(n == 0_c, -phi / (phi + mu), phi / (phi + mu) * ((n - mu) / mu));
      },
      [](auto n, auto mu, auto phi, auto) {
        const auto sum = phi + n, mean = phi + mu;
        return log1p_minus((n - mu) / mean, sum / mean) + detail::beyond_log_ratio(phi, n, sum);
      }};
};

}  // namespace operation

namespace detail {

/// a log(x) - x - lgamma(a) for a >= 10: the logarithm of x times the gamma density of x.
template <class A, class X>
constexpr auto log_gamma_saddle(A a, X x) {
  return constant<1, 2> * log(a) - half_log_two_pi - beyond_stirling(a) - apply<operation::Deviance>(a, x);
}

}  // namespace detail

namespace operation {

/// log(pi)
TAPELESS_CONSTANT(LogPi, "log(pi)", 1.144729885849400174143427351353058712L, math::log(T(math::acos(T(-1)))))

/// The logarithm of the logistic density at x <= 0.
struct LogLogistic {
  static constexpr std::string_view name = "log_logistic";
  static constexpr auto expand = [](auto x) { return x - 2_c * log1p(exp(x)); };
  static constexpr rules partials{[](auto x, auto) { return -tanh(constant<1, 2> * x); }};
};

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
/// The logarithm of n over k. Not by max and min, whose second derivatives at ties are others.
template <class N, class K>
constexpr auto log_choose(N n, K k) {
  const auto more = 2_c * k > n;
  const auto fewer = where(more, n - k, k);
  return apply<operation::LgammaIncrement>(where(more, k, n - k) + 1_c, fewer) - lgamma(fewer + 1_c);
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

namespace operation {

/// The logarithm of Weibull's density of y >= 0.
struct LogWeibull {
  static constexpr std::string_view name = "log_weibull";
  static constexpr auto expand = [](auto y, auto alpha, auto sigma) {
    const auto ratio = y / sigma;
    const auto at_zero = detail::times_log(alpha - 1_c, y) - alpha * log(sigma);
    return log(alpha) + where(y == 0_c, at_zero, alpha * log(ratio) - log(y)) - pow(ratio, alpha);
  };
  /// (y / sigma)^alpha - 1
  static constexpr auto excess = [](auto y, auto alpha, auto sigma) {
    const auto ratio = y / sigma, exponent = alpha * log(ratio);
    return where(abs(exponent) < constant<1, 2>, expm1(exponent), pow(ratio, alpha) - 1_c);
  };
  static constexpr rules partials{
      [](auto y, auto alpha, auto sigma, auto) {
        return where(y == 0_c && alpha == 1_c, -1_c / sigma, -(1_c + alpha * excess(y, alpha, sigma)) / y);
      },
      [](auto y, auto alpha, auto sigma, auto) { return 1_c / alpha - log(y / sigma) * excess(y, alpha, sigma); },
      [](auto y, auto alpha, auto sigma, auto) { return alpha * excess(y, alpha, sigma) / sigma; }};
};

}  // namespace operation

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
  const auto squared = square((y - mu) / sigma);
  return half_increment(constant<1, 2> * nu) - log(sigma) - half_log_two_pi -
         constant<1, 2> * (apply<operation::ScaledLog1p>(nu, squared) + log1p(squared / nu));
})

/// The Cauchy density with location mu and scale sigma.
TAPELESS_DENSITY(3, cauchy_lpdf,
                 [](auto y, auto mu, auto sigma) { return -(log(sigma) + log_pi) - log1p(square((y - mu) / sigma)); })

/// Laplace's density with location mu and scale sigma.
TAPELESS_DENSITY(3, double_exponential_lpdf,
                 [](auto y, auto mu, auto sigma) { return -(log(sigma) + ln_two) - abs(y - mu) / sigma; })

/// The logistic density with location mu and scale sigma.
TAPELESS_DENSITY(3, logistic_lpdf, [](auto y, auto mu, auto sigma) {
  const auto less = where(y < mu, y - mu, mu - y) / sigma;  // not by abs, whose second derivative at 0 is another
  return apply<operation::LogLogistic>(less) - log(sigma);
})

/// The exponential density of y >= 0 with rate beta.
TAPELESS_DENSITY(2, exponential_lpdf, [](auto y, auto beta) { return unless_outside(y < 0_c, log(beta) - beta * y); })

/// The gamma density of y >= 0 with shape alpha and rate beta.
TAPELESS_DENSITY(3, gamma_lpdf, [](auto y, auto alpha, auto beta) {
  const auto usual = alpha * log(beta) - lgamma(alpha) + times_log(alpha - 1_c, y) - beta * y;
  const auto large = log_gamma_saddle(alpha, beta * y) - log(y);
  return unless_outside(y < 0_c, where(alpha >= 10_c && y > 0_c, large, usual));
})

/// The inverse gamma density of y > 0, where 1 / y has the gamma density with shape alpha and rate beta.
TAPELESS_DENSITY(3, inv_gamma_lpdf, [](auto y, auto alpha, auto beta) {
  const auto usual = alpha * log(beta) - lgamma(alpha) - (alpha + 1_c) * log(y) - beta / y;
  const auto large = log_gamma_saddle(alpha, beta / y) - log(y);
  return unless_outside(y <= 0_c, where(alpha >= 10_c, large, usual));
})

/// The chi-square density of y >= 0 with nu degrees of freedom.
TAPELESS_DENSITY(2, chi_square_lpdf, [](auto y, auto nu) {
  const auto alpha = constant<1, 2> * nu;
  const auto usual = times_log(alpha - 1_c, y) - constant<1, 2> * (y + nu * ln_two) - lgamma(alpha);
  const auto large = log_gamma_saddle(alpha, constant<1, 2> * y) - log(y);
  return unless_outside(y < 0_c, where(alpha >= 10_c && y > 0_c, large, usual));
})

/// Weibull's density of y >= 0 with shape alpha and scale sigma.
TAPELESS_DENSITY(3, weibull_lpdf, [](auto y, auto alpha, auto sigma) {
  return unless_outside(y < 0_c, apply<operation::LogWeibull>(y, alpha, sigma));
})

/// The beta density of 0 <= y <= 1 with shapes alpha and beta.
TAPELESS_DENSITY(3, beta_lpdf, [](auto y, auto alpha, auto beta) {
  const auto more = alpha > beta;
  const auto smaller = where(more, beta, alpha);
  const auto normalisation = apply<operation::LgammaIncrement>(where(more, alpha, beta), smaller) - lgamma(smaller);
  const auto usual = normalisation + times_log(alpha - 1_c, y) + times_log1p(beta - 1_c, -y);
  const auto large = apply<operation::BetaSaddle>(y, alpha, beta);
  return unless_outside(y < 0_c || y > 1_c, where(smaller >= 10_c && y > 0_c && y < 1_c, large, usual));
})

/// The uniform density of alpha <= y <= beta.
TAPELESS_DENSITY(3, uniform_lpdf, [](auto y, auto alpha, auto beta) {
  return unless_outside(y < alpha || y > beta, -log(beta - alpha));
})

/// Poisson's probability of n = 0, 1, ... with mean lambda.
TAPELESS_DENSITY(2, poisson_lpmf, [](auto n, auto lambda) {
  const auto usual = times_log(n, lambda) - lambda - lgamma(n + 1_c);
  const auto large = log_gamma_saddle(n, lambda) - log(n);
  return unless_outside(n < 0_c, where(n >= 10_c, large, usual));
})

/// Poisson's probability of n = 0, 1, ... with mean e^alpha.
TAPELESS_DENSITY(2, poisson_log_lpmf, [](auto n, auto alpha) {
  const auto usual = times_log_of(n, alpha) - exp(alpha) - lgamma(n + 1_c);
  // Where e^alpha is far from n, its logarithm is alpha, also where it under- or overflows.
  const auto large = log_gamma_saddle(n, exp(alpha)) - log(n);
  return unless_outside(n < 0_c, where(n >= 10_c && abs(alpha) < 40_c, large, usual));
})

/// The negative binomial probability of n = 0, 1, ... with mean mu and variance mu + mu^2 / phi.
TAPELESS_DENSITY(3, neg_binomial_2_lpmf, [](auto n, auto mu, auto phi) {
  const auto choose = where(n >= 10_c, apply<operation::LgammaIncrement>(n, phi) - log(n) - lgamma(phi),
                            apply<operation::LgammaIncrement>(phi, n) - lgamma(n + 1_c));
  const auto usual =
      choose - where(n == 0_c && mu == 0_c, 0_c, n * log1p(phi / mu)) - apply<operation::ScaledLog1p>(phi, mu);
  const auto large = apply<operation::NegBinomialSaddle>(n, mu, phi);
  return unless_outside(n < 0_c, where(phi >= 10_c, large, usual));
})

/// The binomial probability of n successes in `trials` trials, each with probability theta.
TAPELESS_DENSITY(3, binomial_lpmf, [](auto n, auto trials, auto theta) {
  const auto usual = log_choose(trials, n) + times_log(n, theta) + times_log1p(trials - n, -theta);
  const auto large = apply<operation::BinomialSaddle>(n, trials, theta);
  return unless_outside(n < 0_c || n > trials, where(n >= 10_c && trials - n >= 10_c, large, usual));
})

/// The binomial probability of n successes in `trials` trials, each with probability 1 / (1 + e^-alpha).
TAPELESS_DENSITY(3, binomial_logit_lpmf, [](auto n, auto trials, auto alpha) {
  const auto usual = log_choose(trials, n) + logit_likelihood(n, trials, alpha);
  const auto large = apply<operation::BinomialLogitSaddle>(n, trials, alpha);
  const auto saddle = n >= 10_c && trials - n >= 10_c && abs(alpha) < 30_c;
  return unless_outside(n < 0_c || n > trials, where(saddle, large, usual));
})

/// The Bernoulli probability of n = 0 or 1, where theta is the probability of 1.
TAPELESS_DENSITY(2, bernoulli_lpmf,
                 [](auto n, auto theta) { return times_log(n, theta) + times_log1p(1_c - n, -theta); })

/// The Bernoulli probability of n = 0 or 1, where 1 / (1 + e^-alpha) is the probability of 1.
TAPELESS_DENSITY(2, bernoulli_logit_lpmf, [](auto n, auto alpha) { return logit_likelihood(n, 1_c, alpha); })

#undef TAPELESS_DENSITY

}  // namespace tapeless
