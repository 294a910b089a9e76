#pragma once

#include <tapeless/operation/probability/normal_distribution.hpp>
#include <tapeless/operation/scalar/c_functions.hpp>

/// Densities with large parameters by the saddle point (Loader, Fast and Accurate Computation of Binomial
/// Probabilities, 2000): what is large in a difference of logarithms of gamma functions is subtracted by hand, and so
/// is it in the derivatives.
namespace tapeless {

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

/// log(1 + x) - x
struct Log1pMinus {
  static constexpr std::string_view name = "log1p_minus";
  static constexpr auto expand = [](auto x) {
    const auto s = x / (2_c + x), w = square(s);
    const auto near =
        s * (2_c * w *
                 detail::horner(w, constant<1, 3>, constant<1, 5>, constant<1, 7>, constant<1, 9>, constant<1, 11>,
                                constant<1, 13>, constant<1, 15>, constant<1, 17>, constant<1, 19>, constant<1, 21>) -
             x);
    return where(abs(x) <= constant<1, 4>, near, log1p(x) - x);
  };
  static constexpr rules partials{[](auto x, auto) { return -x / (1_c + x); }};
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

/// (nu + 1) / 2 log(1 + s / nu), of which the derivative by a large nu is small.
struct StudentTail {
  static constexpr std::string_view name = "student_tail";
  static constexpr auto expand = [](auto nu, auto s) { return constant<1, 2> * (nu + 1_c) * log1p(s / nu); };
  static constexpr rules partials{[](auto nu, auto s, auto) {
                                    const auto part = s / (nu + s);
                                    return -constant<1, 2> * (apply<Log1pMinus>(-part) + part / nu);
                                  },
                                  [](auto nu, auto s, auto) { return constant<1, 2> * (nu + 1_c) / (nu + s); }};
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

inline constexpr auto by_successes = [](auto n, auto trials, auto logit) {
  return digamma(trials - n + 1_c) - digamma(n + 1_c) + logit;
};
inline constexpr auto by_trials = [](auto n, auto trials, auto log_failure) {
  return digamma(trials + 1_c) - digamma(trials - n + 1_c) + log_failure;
};

/// The logarithm of a binomial probability, for n and trials - n of 10 or more.
struct BinomialSaddle {
  static constexpr std::string_view name = "binomial_saddle";
  static constexpr auto expand = [](auto n, auto trials, auto theta) {
    return detail::binomial_saddle(n, trials, theta, 1_c - theta);
  };
  static constexpr rules partials{
      [](auto n, auto trials, auto theta, auto) { return by_successes(n, trials, log(theta) - log1p(-theta)); },
      [](auto n, auto trials, auto theta, auto) { return by_trials(n, trials, log1p(-theta)); },
      [](auto n, auto trials, auto theta, auto) { return (n - trials * theta) / (theta * (1_c - theta)); }};
};
/// The same with theta = 1 / (1 + e^-alpha).
struct BinomialLogitSaddle {
  static constexpr std::string_view name = "binomial_logit_saddle";
  static constexpr auto expand = [](auto n, auto trials, auto alpha) {
    return detail::binomial_saddle(n, trials, sigmoid(alpha), sigmoid(-alpha));
  };
  static constexpr rules partials{
      [](auto n, auto trials, auto alpha, auto) { return by_successes(n, trials, alpha); },
      [](auto n, auto trials, auto alpha, auto) { return by_trials(n, trials, -softplus(alpha)); },
      [](auto n, auto trials, auto alpha, auto) {
        return where(alpha > 0_c, trials * sigmoid(-alpha) - (trials - n), n - trials * sigmoid(alpha));
      }};
};

/// digamma(sum) - digamma(shape) + log(y), where sum y is `excess` more than the shape
inline constexpr auto by_shape = [](auto shape, auto sum, auto y, auto excess) {
  return constant<1, 2> * (1_c / shape - 1_c / sum) + detail::beyond_log(shape) - detail::beyond_log(sum) -
         detail::log_ratio(shape, sum * y, excess);
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
                       detail::half_log_two_pi + phi * apply<Log1pMinus>(u) -
                       apply<Deviance>(n, mu * (sum / (phi + mu)));
    const auto log_mean = where(n == 0_c && mu == 0_c, 0_c, n * log(mu / (mu + phi)));
    const auto small = stirling + (phi - constant<1, 2>)*log1p(n / phi) + n * (log(sum) - 1_c) - lgamma(n + 1_c) +
                       log_mean - phi * log1p(mu / phi);
    return where(n >= 10_c, large, small);
  };
  static constexpr rules partials{
      [](auto n, auto mu, auto phi, auto) { return digamma(n + phi) - digamma(n + 1_c) + log(mu / (mu + phi)); },
      [](auto n, auto mu, auto phi, auto) {
        return where(n == 0_c, -phi / (phi + mu), phi / (phi + mu) * ((n - mu) / mu));
      },
      [](auto n, auto mu, auto phi, auto) {
        return apply<Log1pMinus>((n - mu) / (phi + mu)) + n / (2_c * phi * (phi + n)) +
               (detail::beyond_log(phi) - detail::beyond_log(phi + n));
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

}  // namespace tapeless
