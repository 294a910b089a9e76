// Log densities against Boost.Math's distributions in 50 digits: values, first and second derivatives by every operand
// that is no count; the edges of their supports; C's functions where they differ from their neighbours.
#include "definitions.hpp"

#include <tapeless/tapeless.hpp>

#include <boost/math/distributions.hpp>
#include <boost/multiprecision/cpp_dec_float.hpp>
#include <boost/test/unit_test.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <limits>
#include <type_traits>

using namespace tapeless;
using R = boost::multiprecision::number<boost::multiprecision::cpp_dec_float<50>, boost::multiprecision::et_off>;
namespace bm = boost::math;
namespace tt = boost::test_tools;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const R step("1e-10");

template <std::size_t N>
std::array<R, N> moved(std::array<R, N> at, std::size_t i, const R& by) {
  at[i] += by;
  return at;
}

void close(double computed, const R& expected) {
  const double error = static_cast<double>(abs(R(computed) - expected));
  BOOST_TEST(error <= 2e-13 * std::fmax(1.0, std::fabs(static_cast<double>(expected))));
}

/// `F` of the numbers of an array.
template <class F>
struct of_array {
  template <class T, std::size_t N>
  constexpr auto operator()(const std::array<T, N>& v) const {
    return [&]<std::size_t... I>(std::index_sequence<I...>) { return F{}(v[I]...); }(std::make_index_sequence<N>{});
  }
};

template <std::size_t N>
struct results {
  double value, of_numbers;
  std::array<double, N> slopes, curvatures;
};
/// A function of its own, so that what is checked at several places is compiled once.
template <class F, std::size_t N>
results<N> computed(const std::array<double, N>& at) {
  const of_array<F> one;
  const auto r = value_and_gradient(one)(at);
  const auto h = hessian(one)(at);
  results<N> all{r.value, one(at), {}, {}};
  for (std::size_t i = 0; i < N; ++i) all.slopes[i] = r.gradient[i], all.curvatures[i] = h[i][i];
  return all;
}

/// The density `F` of three numbers, or fewer, and its derivatives against `exact`; the first `Counts` are integers.
template <std::size_t Counts, class F, std::size_t N, class Exact>
void check(const char* name, Exact exact, const std::array<double, N>& at) {
  BOOST_TEST_CONTEXT(name << " at " << at[0]) {
    std::array<R, N> point;
    for (std::size_t i = 0; i < N; ++i) point[i] = at[i];
    const results<N> found = computed<F>(at);
    close(found.value, exact(point));
    close(found.of_numbers, exact(point));
    for (std::size_t i = Counts; i < N; ++i) {
      const auto along = [&](const R& x) { return R(exact(moved(point, i, x))); };
      close(found.slopes[i], tapeless_test::first_difference(along, R(0), step));
      close(found.curvatures[i], tapeless_test::second_difference(along, R(0), step));
    }
  }
}

#define CHECK_DENSITY(NAME, COUNTS, EXACT, ...)                                                                        \
  check<COUNTS, of_##NAME>(#NAME, []([[maybe_unused]] const auto& v) { return R(EXACT); }, std::array{__VA_ARGS__})

#define DENSITY(NAME)                                                                                                  \
  struct of_##NAME {                                                                                                   \
    constexpr auto operator()(auto... v) const { return NAME(v...); }                                                  \
  }
DENSITY(std_normal_lpdf);
DENSITY(normal_lpdf);
DENSITY(lognormal_lpdf);
DENSITY(student_t_lpdf);
DENSITY(cauchy_lpdf);
DENSITY(double_exponential_lpdf);
DENSITY(logistic_lpdf);
DENSITY(exponential_lpdf);
DENSITY(gamma_lpdf);
DENSITY(inv_gamma_lpdf);
DENSITY(chi_square_lpdf);
DENSITY(weibull_lpdf);
DENSITY(beta_lpdf);
DENSITY(uniform_lpdf);
DENSITY(poisson_lpmf);
DENSITY(poisson_log_lpmf);
DENSITY(neg_binomial_2_lpmf);
DENSITY(binomial_lpmf);
DENSITY(binomial_logit_lpmf);
DENSITY(bernoulli_lpmf);
DENSITY(bernoulli_logit_lpmf);
#undef DENSITY

template <class D>
R log_density(const D& distribution, const R& x) {
  return log(pdf(distribution, x));
}

}  // namespace

BOOST_AUTO_TEST_CASE(continuous) {
  CHECK_DENSITY(std_normal_lpdf, 0, log_density(bm::normal_distribution<R>(), v[0]), 1.25);
  CHECK_DENSITY(normal_lpdf, 0, log_density(bm::normal_distribution<R>(v[1], v[2]), v[0]), 1.25, 0.5, 2.0);
  CHECK_DENSITY(lognormal_lpdf, 0, log_density(bm::lognormal_distribution<R>(v[1], v[2]), v[0]), 1.25, 0.5, 2.0);
  CHECK_DENSITY(student_t_lpdf, 0,
                log_density(bm::students_t_distribution<R>(v[1]), R((v[0] - v[2]) / v[3])) - log(v[3]), 1.25, 3.5, 0.5,
                2.0);
  CHECK_DENSITY(cauchy_lpdf, 0, log_density(bm::cauchy_distribution<R>(v[1], v[2]), v[0]), 1.25, 0.5, 2.0);
  CHECK_DENSITY(double_exponential_lpdf, 0, log_density(bm::laplace_distribution<R>(v[1], v[2]), v[0]), 1.25, 0.5, 2.0);
  CHECK_DENSITY(logistic_lpdf, 0, log_density(bm::logistic_distribution<R>(v[1], v[2]), v[0]), -1.25, 0.5, 2.0);
  CHECK_DENSITY(exponential_lpdf, 0, log_density(bm::exponential_distribution<R>(v[1]), v[0]), 1.25, 0.5);
  // Boost takes scales where Stan takes rates.
  CHECK_DENSITY(gamma_lpdf, 0, log_density(bm::gamma_distribution<R>(v[1], R(1 / v[2])), v[0]), 1.25, 2.5, 0.75);
  CHECK_DENSITY(inv_gamma_lpdf, 0, log_density(bm::inverse_gamma_distribution<R>(v[1], v[2]), v[0]), 1.25, 2.5, 0.75);
  CHECK_DENSITY(chi_square_lpdf, 0, log_density(bm::chi_squared_distribution<R>(v[1]), v[0]), 1.25, 3.5);
  CHECK_DENSITY(weibull_lpdf, 0, log_density(bm::weibull_distribution<R>(v[1], v[2]), v[0]), 1.25, 2.5, 0.75);
  CHECK_DENSITY(beta_lpdf, 0, log_density(bm::beta_distribution<R>(v[1], v[2]), v[0]), 0.25, 2.5, 0.75);
  CHECK_DENSITY(uniform_lpdf, 0, log_density(bm::uniform_distribution<R>(v[1], v[2]), v[0]), 1.25, 0.5, 2.0);
}

// Where the factor of a logarithm is 0, its derivative is the logarithm.
BOOST_AUTO_TEST_CASE(shapes_of_one) {
  CHECK_DENSITY(gamma_lpdf, 0, log_density(bm::gamma_distribution<R>(v[1], R(1 / v[2])), v[0]), 1.25, 1.0, 0.75);
  CHECK_DENSITY(chi_square_lpdf, 0, log_density(bm::chi_squared_distribution<R>(v[1]), v[0]), 1.25, 2.0);
  CHECK_DENSITY(weibull_lpdf, 0, log_density(bm::weibull_distribution<R>(v[1], v[2]), v[0]), 1.25, 1.0, 2.0);
  CHECK_DENSITY(beta_lpdf, 0, log_density(bm::beta_distribution<R>(v[1], v[2]), v[0]), 0.25, 1.0, 1.0);
}

BOOST_AUTO_TEST_CASE(discrete) {
  CHECK_DENSITY(poisson_lpmf, 1, log_density(bm::poisson_distribution<R>(v[1]), v[0]), 3.0, 2.5);
  CHECK_DENSITY(poisson_log_lpmf, 1, log_density(bm::poisson_distribution<R>(exp(v[1])), v[0]), 3.0, 0.5);
  CHECK_DENSITY(neg_binomial_2_lpmf, 1,
                log_density(bm::negative_binomial_distribution<R>(v[2], R(v[2] / (v[1] + v[2]))), v[0]), 3.0, 2.5, 1.5);
  CHECK_DENSITY(binomial_lpmf, 2, log_density(bm::binomial_distribution<R>(v[1], v[2]), v[0]), 3.0, 7.0, 0.25);
  CHECK_DENSITY(binomial_logit_lpmf, 2, log_density(bm::binomial_distribution<R>(v[1], R(1 / (1 + exp(-v[2])))), v[0]),
                3.0, 7.0, 0.25);
  CHECK_DENSITY(bernoulli_lpmf, 1, log_density(bm::bernoulli_distribution<R>(v[1]), v[0]), 1.0, 0.25);
  CHECK_DENSITY(bernoulli_lpmf, 1, log_density(bm::bernoulli_distribution<R>(v[1]), v[0]), 0.0, 0.25);
  CHECK_DENSITY(bernoulli_logit_lpmf, 1, log_density(bm::bernoulli_distribution<R>(R(1 / (1 + exp(-v[1])))), v[0]), 0.0,
                0.75);
}

// Differences of gamma functions of large numbers, which lose all digits at 1e16, and likelihoods near 1.
BOOST_AUTO_TEST_CASE(large_shapes_and_certain_outcomes) {
  for (const double large : {10.0, 25.0, 1e4, 1e8}) {
    CHECK_DENSITY(student_t_lpdf, 0,
                  log_density(bm::students_t_distribution<R>(v[1]), R((v[0] - v[2]) / v[3])) - log(v[3]), 1.25, large,
                  0.5, 2.0);
    CHECK_DENSITY(neg_binomial_2_lpmf, 1,
                  log_density(bm::negative_binomial_distribution<R>(v[2], R(v[2] / (v[1] + v[2]))), v[0]), 3.0, 2.5,
                  large);
  }
  for (const double large : {10.0, 25.0, 1e4}) {
    CHECK_DENSITY(binomial_lpmf, 2, log_density(bm::binomial_distribution<R>(v[1], v[2]), v[0]), 3.0, large, 2 / large);
  }
  // One large shape; equal ones, on which the order of the operands hangs.
  for (const auto& [y, alpha, beta] : std::initializer_list<std::array<double, 3>>{
           {0.2, 2.5, 10.0}, {0.08, 25.0, 2.5}, {2e-4, 2.5, 1e4}, {0.25, 2.5, 2.5}, {0.25, 12.0, 12.0}})
    CHECK_DENSITY(beta_lpdf, 0, log_density(bm::beta_distribution<R>(v[1], v[2]), v[0]), y, alpha, beta);
  // log(1 / (1 + e^-40)) and its derivative.
  constexpr auto certain = [](auto alpha) { return bernoulli_logit_lpmf(1, alpha); };
  BOOST_TEST(certain(40.0) == -std::log1p(std::exp(-40.0)), tt::tolerance(1e-15));
  BOOST_TEST(gradient(certain)(40.0) == std::exp(-40.0) / (1 + std::exp(-40.0)), tt::tolerance(1e-15));
  BOOST_TEST(binomial_logit_lpmf(7, 7, 40.0) == -7 * std::log1p(std::exp(-40.0)), tt::tolerance(1e-14));
  BOOST_TEST(bernoulli_logit_lpmf(1, infinity) == 0.0);
  BOOST_TEST(bernoulli_logit_lpmf(1, -infinity) == -infinity);
  BOOST_TEST(bernoulli_logit_lpmf(0, -infinity) == 0.0);
}

BOOST_AUTO_TEST_CASE(supports_and_operands) {
  BOOST_TEST(exponential_lpdf(-1.0, 2.0) == -infinity);
  BOOST_TEST(gamma_lpdf(-1.0, 2.0, 1.0) == -infinity);
  BOOST_TEST(beta_lpdf(1.5, 2.0, 1.0) == -infinity);
  BOOST_TEST(uniform_lpdf(3.0, 1.0, 2.0) == -infinity);
  BOOST_TEST(binomial_lpmf(8, 7, 0.5) == -infinity);
  BOOST_TEST(gradient([](auto y) { return gamma_lpdf(y, 2.0, 1.0); })(-1.0) == 0.0);
  BOOST_TEST(gradient([](auto y) { return lognormal_lpdf(y, 2.0, 1.0); })(-1.0) == 0.0);
  // 0 log(0) is 0.
  BOOST_TEST(poisson_lpmf(0, 0.0) == 0.0);
  BOOST_TEST(binomial_lpmf(7, 7, 1.0) == 0.0);
  BOOST_TEST(beta_lpdf(1.0, 1.0, 1.0) == 0.0);
  BOOST_TEST(gamma_lpdf(0.0, 1.0, 2.0) == std::log(2.0), tt::tolerance(1e-15));
  // Large shapes at the ends of the support, with their derivatives by the parameters: limits from inside.
  BOOST_TEST(gamma_lpdf(0.0, 12.0, 3.0) == -infinity);
  BOOST_TEST(chi_square_lpdf(0.0, 40.0) == -infinity);
  BOOST_TEST(beta_lpdf(0.0, 20.0, 30.0) == -infinity);
  BOOST_TEST(beta_lpdf(1.0, 20.0, 30.0) == -infinity);
  BOOST_TEST(std::get<2>(gradient(of_gamma_lpdf{})(0.0, 12.0, 3.0)) == 4.0);
  BOOST_TEST(std::get<2>(gradient(of_weibull_lpdf{})(0.0, 2.0, 3.0)) == -2.0 / 3, tt::tolerance(1e-15));
  BOOST_TEST(hessian(of_weibull_lpdf{})(0.0, 2.0, 3.0)[2][2] == 2.0 / 9, tt::tolerance(1e-15));
  BOOST_TEST(weibull_lpdf(0.0, 2.0, 3.0) == -infinity);
  BOOST_TEST(weibull_lpdf(0.0, 0.5, 3.0) == infinity);
  BOOST_TEST(weibull_lpdf(0.0, 1.0, 3.0) == -std::log(3.0), tt::tolerance(1e-15));
  BOOST_TEST(std::get<0>(gradient(of_weibull_lpdf{})(0.0, 1.0, 3.0)) == -1.0 / 3, tt::tolerance(1e-15));
  BOOST_TEST(std::get<2>(gradient(of_weibull_lpdf{})(0.0, 0.5, 3.0)) == -0.5 / 3, tt::tolerance(1e-15));
  BOOST_TEST(poisson_log_lpmf(0, -infinity) == 0.0);
  BOOST_TEST(gradient([](auto n, auto theta) { return binomial_lpmf(n, 7, theta); }, wrt<1>)(0, 0.0) == -7.0);
  // NaN is in no support and outside of none.
  const double quiet = std::numeric_limits<double>::quiet_NaN();
  BOOST_TEST(std::isnan(gamma_lpdf(quiet, 2.0, 1.0)));
  BOOST_TEST(std::isnan(beta_lpdf(quiet, 2.0, 1.0)));
  BOOST_TEST(std::isnan(uniform_lpdf(1.5, quiet, 2.0)));
  BOOST_TEST(std::isnan(exponential_lpdf(quiet, 2.0)));
  // Integers, numbers and constants beside variables and values of functions.
  constexpr auto mu = variable<"mu">;
  BOOST_TEST(gradient(normal_lpdf(3, mu, 2.0), wrt(mu))(mu = 1.0)[mu] == 0.5);
  static_assert(gradient([](auto m) { return normal_lpdf(3, m, 2_c); })(1.0) == 0.5);
  static_assert(gradient([](auto n, auto m) { return poisson_lpmf(n, m); }, wrt<1>)(3, 2.0) == 0.5);
  static_assert(std::is_same_v<decltype(normal_lpdf(3.0f, 1.0f, 2.0f)), float>);
  static_assert(bernoulli_lpmf(0, 0.0) == 0.0);
  // Numbers alone meet constants of mathematics.
  BOOST_TEST(gradient([](auto y) { return cauchy_lpdf(y, 0.0, 1.0); })(1.0) == -1.0);
}

BOOST_AUTO_TEST_CASE(tail_of_the_normal_distribution) {
  // log(Phi(x)) by the asymptotic series of 40 terms in 50 digits.
  const auto exact = [](const R& x) {
    R sum = 1, term = 1;
    for (int k = 1; k <= 40; ++k) sum += term *= -(2 * k - 1) / (x * x);
    return R(-x * x / 2 - log(-x) - log(2 * bm::constants::pi<R>()) / 2 + log(sum));
  };
  for (const double x : {-14.0, -40.0, -1e3, -1e8}) {
    const auto r = value_and_gradient([](auto v) { return log_normal_cdf(v); })(x);
    const R expected = exact(x), slope = tapeless_test::first_difference(exact, R(x), R("1e-8"));
    BOOST_TEST(static_cast<double>(abs(r.value / expected - 1)) < 1e-14);
    BOOST_TEST(static_cast<double>(abs(r.gradient / slope - 1)) < 1e-14);
  }
  // The two forms meet at -10.
  const auto f = [](auto v) { return log_normal_cdf(v); };
  BOOST_TEST(f(std::nextafter(-10.0, -11.0)) == f(-10.0), tt::tolerance(1e-14));
  BOOST_TEST(gradient(f)(std::nextafter(-10.0, -11.0)) == gradient(f)(-10.0), tt::tolerance(1e-12));
  BOOST_TEST(hessian(f)(std::nextafter(-10.0, -11.0))[0][0] == hessian(f)(-10.0)[0][0], tt::tolerance(1e-10));
  BOOST_TEST(normal_cdf(-infinity) == 0.0);
  BOOST_TEST(normal_cdf(infinity) == 1.0);
  BOOST_TEST(log_normal_cdf(infinity) == 0.0);
}

// The second derivatives at the location, by y, mu and sigma: log(p) is -z^2 / 4 - log(4 sigma), but for z^4.
BOOST_AUTO_TEST_CASE(logistic_at_its_location) {
  const auto h = hessian(of_logistic_lpdf{})(1.5, 1.5, 0.5);
  const double wanted[3][3] = {{-2, 2, 0}, {2, -2, 0}, {0, 0, 4}};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) BOOST_TEST(h[i][j] == wanted[i][j]);
}

BOOST_AUTO_TEST_CASE(overflow_of_the_mean) {
  const auto overflow = value_and_gradient([](auto alpha) { return poisson_log_lpmf(20, alpha); })(710.0);
  BOOST_TEST(overflow.value == -infinity);
  BOOST_TEST(overflow.gradient == -infinity);
}

BOOST_AUTO_TEST_CASE(functions_of_c) {
  constexpr auto x = variable<"x">;
  constexpr auto y = variable<"y">;
  constexpr auto z = variable<"z">;
  const double quiet = std::numeric_limits<double>::quiet_NaN();
  BOOST_TEST(fmax(x, y)(x = quiet, y = 2.0) == 2.0);
  BOOST_TEST(fmin(x, y)(x = 1.0, y = quiet) == 1.0);
  BOOST_TEST(std::isnan(fmin(x, y)(x = quiet, y = quiet)));
  BOOST_TEST(gradient(fmax(x, y))(x = 1.0, y = 2.0)[y] == 1.0);
  BOOST_TEST(gradient(fmin(x, y))(x = 2.0, y = 2.0)[x] == 0.5);
  BOOST_TEST(gradient(fma(x, y, z))(x = 2.0, y = 3.0, z = 1.0)[x] == 3.0);
  BOOST_TEST(hypot(x, y, z)(x = 2e200, y = 3e200, z = 6e200) == 7e200);
  BOOST_TEST(gradient(hypot(x, y, z))(x = 2.0, y = 3.0, z = 6.0)[z] == 6.0 / 7);
  BOOST_TEST(gradient(hypot(x, y, z))(x = 0.0, y = 0.0, z = 0.0)[z] == 0.0);
  BOOST_TEST(tapeless::hypot(2.0, 3.0, 6.0) == 7.0);
  BOOST_TEST(std::signbit(copysign(x, y)(x = 1.0, y = -0.0)));
  BOOST_TEST(std::isnan(fmod(x, y)(x = 1.0, y = 0.0)));
  BOOST_TEST(fmod(x, y)(x = 1.0, y = infinity) == 1.0);
  BOOST_TEST(fmod(x, y)(x = 1e300, y = 0.7) == std::fmod(1e300, 0.7));
  static_assert(tapeless::fmod(7.25, 2.0) == 1.25 && tapeless::fmod(-7.25, 2.0) == -1.25);
  static_assert(tapeless::trunc(-2.75) == -2.0 && tapeless::copysign(2.0, -0.0) == -2.0);
  constexpr double constants[] = {tapeless::tgamma(0.5), tapeless::tgamma(-2.75), tapeless::tgamma(20.25),
                                  tapeless::tgamma(170.5), tapeless::tgamma(-170.5)};
  const double at[] = {0.5, -2.75, 20.25, 170.5, -170.5};
  for (std::size_t i = 0; i < std::size(at); ++i)
    BOOST_TEST(constants[i] == static_cast<double>(bm::tgamma(R(at[i]))), tt::tolerance(3e-16));
  static_assert(tapeless::tgamma(172.0) == infinity && tapeless::tgamma(5.0) == 24.0);
}
