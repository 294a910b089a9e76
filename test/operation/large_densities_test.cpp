// Log densities with large counts and shapes against their definitions in 100 digits, of which derivatives are
// differences: what the docs promise of the value and of each derivative.
#include <tapeless/tapeless.hpp>

#include <boost/math/constants/constants.hpp>
#include <boost/math/special_functions/bernoulli.hpp>
#include <boost/multiprecision/cpp_dec_float.hpp>
#include <boost/test/unit_test.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <tuple>

using namespace tapeless;

namespace {

using R = boost::multiprecision::number<boost::multiprecision::cpp_dec_float<100>, boost::multiprecision::et_off>;
const R pi = boost::math::constants::pi<R>();

/// Stirling's series after a shift, in which no term is lost.
R log_gamma(R x) {
  R shift = 1;
  for (; x < 400; x += 1) shift *= x;
  R sum = (x - R(1) / 2) * log(x) - x + log(2 * pi) / 2, power = x;
  for (unsigned k = 1; k <= 40; ++k, power *= x * x)
    sum += boost::math::bernoulli_b2n<R>(static_cast<int>(k)) / (R(2 * k) * (2 * k - 1) * power);
  return sum - log(shift);
}

template <std::size_t N>
using point = std::array<R, N>;

template <std::size_t N>
point<N> changed(point<N> at, std::size_t i, const R& by) {
  at[i] += (at[i] == 0 ? R(1) : at[i]) * by;
  return at;
}
template <class F, std::size_t N>
R slope(const F& f, const point<N>& at, std::size_t i) {
  const R h("1e-30");
  return (f(changed(at, i, h)) - f(changed(at, i, R(-h)))) / (2 * h * (at[i] == 0 ? R(1) : at[i]));
}

/// 1e-12 of itself, and what a change of the parameters by 1e-15 of themselves makes.
template <class F, std::size_t N>
void close(double computed, const F& exact, const point<N>& at) {
  const R expected = exact(at);
  R bound = abs(expected) * R("1e-12");
  for (std::size_t i = 0; i < N; ++i) bound += abs(exact(changed(at, i, R("1e-15"))) - expected);
  BOOST_TEST(abs(R(computed) - expected) <= bound, computed << " instead of " << expected << ", bound " << bound);
}

/// `F` of the numbers of an array.
template <class F>
struct of_array {
  template <class T, std::size_t N>
  constexpr auto operator()(const std::array<T, N>& v) const {
    return std::apply(F{}, v);
  }
};

template <std::size_t Counts, std::size_t N, class F, class Exact>
void check(const char* name, F, Exact of, const std::array<double, N>& at) {
  const of_array<F> all;
  point<N> exact_at;
  for (std::size_t i = 0; i < N; ++i) exact_at[i] = at[i];
  const auto exact = [&](const point<N>& v) { return R(std::apply(of, v)); };
  const auto r = value_and_gradient(all)(at);
  BOOST_TEST_CONTEXT(name << " at " << at[0] << ", " << at[1] << ", " << at[N - 1]) {
    close(r.value, exact, exact_at);
    for (std::size_t i = Counts; i < N; ++i) BOOST_TEST_CONTEXT("derivative " << i)
    close(r.gradient[i], [&](const point<N>& v) { return slope(exact, v, i); }, exact_at);
  }
}

#define CHECK(NAME, COUNTS, EXACT, ...)                                                                                \
  check<COUNTS>(#NAME, [](const auto&... v) { return NAME(v...); }, EXACT, std::array{__VA_ARGS__})

const auto exact_gamma = [](const R& y, const R& a, const R& b) {
  return R(a * log(b) - log_gamma(a) + (a - 1) * log(y) - b * y);
};
const auto exact_binomial = [](const R& n, const R& trials, const R& theta) {
  return R(log_gamma(trials + 1) - log_gamma(n + 1) - log_gamma(trials - n + 1) + n * log(theta) +
           (trials - n) * log(1 - theta));
};
const auto exact_poisson = [](const R& n, const R& mean) { return R(n * log(mean) - mean - log_gamma(n + 1)); };

}  // namespace

BOOST_AUTO_TEST_CASE(student) {
  const auto exact_student = [](const R& y, const R& nu, const R& mu, const R& sigma) {
    const R z = (y - mu) / sigma;
    return R(log_gamma((nu + 1) / 2) - log_gamma(nu / 2) - log(nu * pi) / 2 - log(sigma) -
             (nu + 1) / 2 * log(1 + z * z / nu));
  };
  for (const double nu : {0.5, 4.0, 19.0, 21.0, 1e3, 1e8, 1e12, 1e15})
    for (const double y : {0.5, 3.0, 1e3, 1e7, 1e20}) CHECK(student_t_lpdf, 0, exact_student, y, nu, 0.125, 2.0);
}

BOOST_AUTO_TEST_CASE(binomials) {
  const auto logit = [](const R& n, const R& trials, const R& alpha) {
    return R(log_gamma(trials + 1) - log_gamma(n + 1) - log_gamma(trials - n + 1) + n * alpha -
             trials * log(1 + exp(alpha)));
  };
  for (const auto& [n, trials] : {std::array{12.0, 25.0}, {9.0, 1e10}, {5e7, 1e8}, {5e11, 1e12}, {3e9, 1e15}})
    for (const double off : {1.0, 1 + 1e-6, 1.2, 1.9}) {
      CHECK(binomial_lpmf, 0, exact_binomial, n, trials, n / trials * off);
      const double alpha = std::log(n / (trials - n)) + std::log(off);
      CHECK(binomial_logit_lpmf, 0, logit, n, trials, alpha);
    }
  // Few failures among many trials.
  for (const double theta : {0.999, 1 - 1e-14, 0.25}) CHECK(binomial_lpmf, 0, exact_binomial, 1e15 - 20, 1e15, theta);
  CHECK(binomial_lpmf, 0, exact_binomial, 27.0, 1e11, 5e-38);
  CHECK(binomial_logit_lpmf, 0, logit, 1e15 - 20, 1e15, 28.0);
  CHECK(binomial_logit_lpmf, 0, logit, 5e3, 1e4, -700.0);
  CHECK(binomial_logit_lpmf, 0, logit, 5e3, 1e4, 700.0);
}

BOOST_AUTO_TEST_CASE(negative_binomials) {
  const auto negative = [](const R& n, const R& mu, const R& phi) {
    return R(log_gamma(n + phi) - log_gamma(n + 1) - log_gamma(phi) + n * log(mu / (mu + phi)) -
             phi * log(1 + mu / phi));
  };
  for (const double phi : {0.5, 9.0, 12.0, 1e4, 1e8, 1e15})
    for (const auto& [n, mu] : {std::array{0.0, 2.5},
                                {3.0, 2.5},
                                {30.0, 24.0},
                                {1e6, 1.01e6},
                                {1e12, 1.5e12},
                                {0.0, 1e-3},
                                {9.0, 1e12},
                                {12.0, 1e15},
                                {4e7, 3.99e7}})
      CHECK(neg_binomial_2_lpmf, 0, negative, n, mu, phi);
}

BOOST_AUTO_TEST_CASE(poissons) {
  const auto of_log = [](const R& n, const R& alpha) { return exact_poisson(n, R(exp(alpha))); };
  for (const double n : {3.0, 12.0, 1e4, 1e8, 1e12, 1e15})
    for (const double off : {1.0, 1 + 1e-7, 1.2, 20.0}) {
      CHECK(poisson_lpmf, 0, exact_poisson, n, n * off);
      CHECK(poisson_log_lpmf, 0, of_log, n, std::log(n * off));
    }
  CHECK(poisson_log_lpmf, 0, of_log, 1e4, -800.0);
}

BOOST_AUTO_TEST_CASE(gammas) {
  const auto inverse = [](const R& y, const R& a, const R& b) {
    return R(a * log(b) - log_gamma(a) - (a + 1) * log(y) - b / y);
  };
  const auto chi_square = [](const R& y, const R& nu) { return exact_gamma(y, R(nu / 2), R(1) / 2); };
  for (const double a : {0.25, 3.0, 12.0, 1e4, 1e8, 1e12, 1e15})
    for (const double off : {1.0, 1 + 1e-7, 0.75, 20.0}) {
      CHECK(gamma_lpdf, 0, exact_gamma, a / 3 * off, a, 3.0);
      CHECK(inv_gamma_lpdf, 0, inverse, 3 / a * off, a, 3.0);
      CHECK(chi_square_lpdf, 0, chi_square, 2 * a * off, 2 * a);
    }
}

BOOST_AUTO_TEST_CASE(betas) {
  const auto beta = [](const R& y, const R& a, const R& b) {
    return R(log_gamma(a + b) - log_gamma(a) - log_gamma(b) + (a - 1) * log(y) + (b - 1) * log(1 - y));
  };
  for (const auto& [a, b] : {std::array{0.5, 2.0}, {2.0, 1e8}, {12.0, 20.0}, {12.0, 1e9}, {1e8, 1e8}, {1e15, 3e12}})
    for (const double off : {1.0, 1 + 1e-7, 0.75}) CHECK(beta_lpdf, 0, beta, a / (a + b) * off, a, b);
}

BOOST_AUTO_TEST_CASE(near_their_location) {
  const auto logistic = [](const R& y, const R& mu, const R& sigma) {
    const R z = exp(-(y - mu) / sigma);
    return R(log(z / (sigma * (1 + z) * (1 + z))));
  };
  const auto weibull = [](const R& y, const R& a, const R& sigma) {
    return R(log(a / sigma) + (a - 1) * log(y / sigma) - pow(y / sigma, a));
  };
  for (const double off : {0.0, 1e-12, -1e-6, 0.5, -30.0}) CHECK(logistic_lpdf, 0, logistic, 0.25 + off * 8, 0.25, 8.0);
  for (const double a : {1e-6, 0.25, 3.0, 1e4, 1e8})
    for (const double off : {1.0, 1 + 1e-9, 0.75}) CHECK(weibull_lpdf, 0, weibull, off * 1e5, a, 1e5);
}
