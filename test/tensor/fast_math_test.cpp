// Compiled with -ffast-math: a stop stays a stop, and what the options leave defined has its value and derivative.
#include "check.hpp"

using namespace tapeless;
using namespace tapeless_test;

BOOST_AUTO_TEST_CASE(stops_stay_stops) {
  const data at(37, 5);
  // x - stop(x) is 0 whatever is known about x, and its derivative is 1.
  const auto f = sum(w * w * exp(w - stop_gradient(w))) + sum(t * stop_gradient(t)) + c * stop_gradient(c);
  const auto r = value_and_gradient(f, wrt(w, t, c))(w = at.weights, t = at.targets, c = at.number);
  double value = at.number * at.number;
  for (const double e : at.weights) value += e * e;
  for (const double e : at.targets) value += e * e;
  nearly(r.value, value, "value");
  for (std::size_t i = 0; i < at.weights.size(); ++i)
    nearly(r.gradient[w](i), 2 * at.weights(i) + at.weights(i) * at.weights(i), "by w");
  for (std::size_t i = 0; i < at.targets.size(); ++i) nearly(r.gradient[t](i), at.targets(i), "by t");
  BOOST_TEST(r.gradient[c] == at.number);

  // A straight-through estimator: the value of the rounded number, the derivative of the number.
  const auto rounded = w + stop_gradient(round(w) - w);
  const auto g = value_and_gradient(sum(rounded * rounded), wrt(w))(w = at.weights);
  double squares = 0;
  for (std::size_t i = 0; i < at.weights.size(); ++i) {
    squares += std::round(at.weights(i)) * std::round(at.weights(i));
    nearly(g.gradient[w](i), 2 * std::round(at.weights(i)), "straight through");
  }
  nearly(g.value, squares, "squares of rounded numbers");
}

BOOST_AUTO_TEST_CASE(softmax_of_large_numbers) {
  const vector large{1e4, 1e4 - 1, 0, 5, 6, 7, 8, 9, 10};
  const auto shifted = w - stop_gradient(amax(w));
  const auto r = value_and_gradient(log(sum(exp(shifted))), wrt(w))(w = large);
  nearly(r.value, std::log1p(std::exp(-1.0)), "value");
  nearly(r.gradient[w](0), 1 / (1 + std::exp(-1.0)), "by the largest");
  nearly(r.gradient[w](1), 1 / (1 + std::exp(1.0)), "by the second");
  nearly(r.gradient[w](8), 0, "by a small one");
}

BOOST_AUTO_TEST_CASE(branches_not_taken) {
  const vector mixed{-1, 4, 0, 9, -2, 16, 25, -3, 1};
  const auto g = gradient(sum(where(w > 0, sqrt(w), 3 * w)), wrt(w))(w = mixed);
  for (std::size_t i = 0; i < mixed.size(); ++i) nearly(g[w](i), mixed(i) > 0 ? 0.5 / std::sqrt(mixed(i)) : 3, "by w");
}

BOOST_AUTO_TEST_CASE(functions_keep_their_digits) {
  const vector numbers{0.6, 0.25, 3, 0.125, 0.9, 1800, 0.5, 250, 0.75};
  const auto r = value_and_gradient(sum(log1p(w) * sin(w) + exp(-w) * tanh(w)), wrt(w))(w = numbers);
  double value = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const double x = numbers(i), y = std::tanh(x);
    value += std::log1p(x) * std::sin(x) + std::exp(-x) * y;
    nearly(r.gradient[w](i), std::sin(x) / (1 + x) + std::log1p(x) * std::cos(x) + std::exp(-x) * (1 - y * y - y),
           "by w");
  }
  nearly(r.value, value, "value");
}

// clang computes nothing sensible with infinity here: what ordinary numbers give may not rest on it.
BOOST_AUTO_TEST_CASE(ordinary_numbers_without_infinity) {
  const double p = vector{0.7}(0), q = vector{0.3}(0), both = std::exp(p) + std::exp(q);
  const auto r = value_and_gradient(logsumexp(c, t))(c = p, t = q);
  nearly(r.value, std::log(both), "logsumexp");
  nearly(r.gradient[c], std::exp(p) / both, "logsumexp by its first operand");
  // Abramowitz and Stegun, table 6.1, and mpmath.
  nearly(digamma(c)(c = q), -3.5025242222001330, "digamma");
  nearly(trigamma(c)(c = q), 12.245364546107730, "trigamma");
  nearly(gradient(lgamma(c))(c = p)[c], -1.2200235536979347, "slope of lgamma");
  nearly(gradient(asinh(c) + tanh(c))(c = 3.0)[c], 1 / std::sqrt(10.0) + 1 / (std::cosh(3.0) * std::cosh(3.0)),
         "slopes");
  nearly(norm(c, t, 2_c)(c = 3.0, t = 6.0), 7, "norm");

  const matrix x{{1, 5, 3}, {-4, -2, -3}, {7, 7, 1}};
  const auto of_rows = stack<0>(amax<1>(X), amin<1>(X), argmax<1>(X), logsumexp<1>(X))(X = x);
  const double expected[3][3] = {{5, -2, 7}, {1, -4, 1}, {1, 1, 0}};
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t i = 0; i < 3; ++i) nearly(of_rows(i, row), expected[i][row], "of a row");
    double exponentials = 0;
    for (std::size_t i = 0; i < 3; ++i) exponentials += std::exp(x(row, i));
    nearly(of_rows(3, row), std::log(exponentials), "logsumexp of a row");
  }
  const auto g = gradient(sum(amax<1>(X)), wrt(X))(X = x);
  const double shares[3][3] = {{0, 1, 0}, {0, 1, 0}, {0.5, 0.5, 0}};
  for (std::size_t row = 0; row < 3; ++row)
    for (std::size_t i = 0; i < 3; ++i) nearly(g[X](row, i), shares[row][i], "share of the largest");
}

// A loop whose steps are counted.
BOOST_AUTO_TEST_CASE(loops_that_end) {
  constexpr auto halved = [](auto a, auto b) {
    return while_loop([](auto v) { return v[0] > 0.5; }, [&](auto v) { return std::array{v[0] * a, v[1] + v[0] * b}; },
                      std::array{10.0 + 0 * a, 0 * a}, 100)[1];
  };
  const auto r = value_and_gradient(halved)(0.7, 0.3);
  double sum = 0, slope = 0, power = 10, by_a = 0;
  for (; power > 0.5; by_a = by_a * 0.7 + power, power *= 0.7) sum += power, slope += by_a;
  nearly(r.value, 0.3 * sum, "sum of powers");
  nearly(std::get<0>(r.gradient), 0.3 * slope, "by the factor");
  nearly(std::get<1>(r.gradient), sum, "by the weight");
}
