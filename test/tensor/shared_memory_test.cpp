// What loops keep for later ones lies in an output's memory until that is written. An output that is a sum is written
// from the beginning of its loops on, so that nothing that they read may lie there.
#include "check.hpp"

#include <array>
#include <numeric>

using namespace tapeless;
using namespace tapeless_test;

namespace {

constexpr auto mu = variable<"mu">;
constexpr auto s = variable<"s">;

const vector x{.1, .5, -.7, 1.3, -.2}, p{-.2, .1, .4}, q{-.4, .3, -.1}, r{.2, -.3, .1};

double softplus_of(double y) { return std::log1p(std::exp(y)); }
double sigmoid_of(double y) { return 1 / (1 + std::exp(-y)); }

/// The softmax of three numbers, and the logarithm of the sum of their exponentials.
struct weighed {
  std::array<double, 3> weight;
  double log_of_sum;
};
template <class Term>
weighed weigh(Term term) {
  weighed result{{std::exp(term(0)), std::exp(term(1)), std::exp(term(2))}, 0};
  const double sum = std::accumulate(result.weight.begin(), result.weight.end(), 0.0);
  for (double& one : result.weight) one /= sum;
  result.log_of_sum = std::log(sum);
  return result;
}
template <class Row>
double sum_of_rows(Row row) {
  double result = 0;
  for (const double xi : x) result += row(xi);
  return result;
}

}  // namespace

// The exponentials of w are kept for the second passes over rows; the result has the same shape.
BOOST_AUTO_TEST_CASE(sum_of_a_softmax) {
  const auto sums = sum<0>(softmax<1>(expand_dims<1>(X) * exp(w)))(X = x, w = p);
  for (std::size_t j = 0; j < 3; ++j)
    nearly(sums(j),
           sum_of_rows([&](double xi) { return weigh([&](std::size_t k) { return xi * std::exp(p(k)); }).weight[j]; }),
           "softmax");
}

BOOST_AUTO_TEST_CASE(mixture_of_normal_distributions) {
  const auto z = (expand_dims<1>(X) - mu) * exp(-s);
  const auto f = sum(logsumexp<1>(w - s - constant<1, 2> * square(z)));
  const auto all = value_and_gradient(f, wrt(w, mu, s))(X = x, w = p, mu = q, s = r);
  const auto deviation = [](double xi, std::size_t j) { return (xi - q(j)) * std::exp(-r(j)); };
  const auto row = [&](double xi) {
    return weigh([&](std::size_t j) { return p(j) - r(j) - deviation(xi, j) * deviation(xi, j) / 2; });
  };
  const auto check_value = [&](double computed) {
    nearly(computed, sum_of_rows([&](double xi) { return row(xi).log_of_sum; }), "value");
  };
  const auto check_by_weights = [&](const vector& computed) {
    for (std::size_t j = 0; j < 3; ++j)
      nearly(computed(j), sum_of_rows([&](double xi) { return row(xi).weight[j]; }), "by weights");
  };
  const auto check_by_means = [&](const vector& computed) {
    for (std::size_t j = 0; j < 3; ++j)
      nearly(computed(j),
             sum_of_rows([&](double xi) { return row(xi).weight[j] * deviation(xi, j) * std::exp(-r(j)); }),
             "by means");
  };
  const auto check_by_scales = [&](const vector& computed) {
    for (std::size_t j = 0; j < 3; ++j)
      nearly(computed(j),
             sum_of_rows([&](double xi) { return row(xi).weight[j] * (deviation(xi, j) * deviation(xi, j) - 1); }),
             "by scales");
  };
  check_value(all.value), check_by_weights(all.gradient[w]), check_by_means(all.gradient[mu]);
  check_by_scales(all.gradient[s]);

  // By some of them, and into results that exist.
  auto of_weights = value_and_gradient(f, wrt(w))(X = x, w = q, mu = p, s = r);
  value_and_gradient(f, wrt(w))(into(of_weights), X = x, w = p, mu = q, s = r);
  check_value(of_weights.value), check_by_weights(of_weights.gradient[w]);
  const auto of_scales = value_and_gradient(f, wrt(s, mu))(X = x, w = p, mu = q, s = r);
  check_value(of_scales.value), check_by_scales(of_scales.gradient[s]), check_by_means(of_scales.gradient[mu]);

  // Over no rows a sum is zero.
  const vector none;
  const auto of_none = value_and_gradient(f, wrt(w, mu, s))(X = none, w = p, mu = q, s = r);
  BOOST_TEST(of_none.value == 0);
  for (std::size_t j = 0; j < 3; ++j)
    BOOST_TEST((of_none.gradient[w](j) == 0 && of_none.gradient[mu](j) == 0 && of_none.gradient[s](j) == 0));
}

BOOST_AUTO_TEST_CASE(rows_scaled_and_shifted) {
  const auto f = mean(logsumexp<1>(expand_dims<1>(X) * softplus(w) + mu));
  const auto row = [](double xi) { return weigh([&](std::size_t j) { return xi * softplus_of(p(j)) + q(j); }); };
  const auto check_value = [&](double computed) {
    nearly(computed, sum_of_rows([&](double xi) { return row(xi).log_of_sum / 5; }), "value");
  };
  const auto by_shift = value_and_gradient(f, wrt(mu))(X = x, w = p, mu = q);
  const auto by_both = value_and_gradient(f, wrt(w, mu))(X = x, w = p, mu = q);
  check_value(by_shift.value), check_value(by_both.value);
  for (std::size_t j = 0; j < 3; ++j) {
    const double shift = sum_of_rows([&](double xi) { return row(xi).weight[j] / 5; });
    nearly(by_shift.gradient[mu](j), shift, "by shift");
    nearly(by_both.gradient[mu](j), shift, "by shift");
    nearly(by_both.gradient[w](j),
           sigmoid_of(p(j)) * sum_of_rows([&](double xi) { return row(xi).weight[j] * xi / 5; }), "by scale");
  }
}
