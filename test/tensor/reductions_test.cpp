// Reductions, broadcasting and products over tensors: derivatives against differences, for shapes with and without
// tails.
#include "check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

using namespace tapeless;
using namespace tapeless_test;

namespace {
constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
}  // namespace

BOOST_AUTO_TEST_CASE(derivatives) {
  for (const auto& [n, d] : {std::pair{5u, 3u}, {13u, 10u}, {33u, 17u}, {9u, 1u}, {1u, 9u}}) {
    const data at(n, d);
    check_derivatives("logistic regression",
                      mean(softplus(dot(X, w) + c) - t * (dot(X, w) + c)) + 0.1 * sum(w * w * w) + sum(X * X * w), at);
    check_derivatives("softmax", sum(expand_dims<-1>(t) * softmax(X * w + c)) + norm(X) * norm(w), at);
    check_derivatives("products", sum(dot(transpose(X), X) * outer(w, w)) + sum(outer(t, t)) * c * prod(w), at);
  }
}

BOOST_AUTO_TEST_CASE(values) {
  const matrix x{{1, 2, 3}, {4, 5, 6}};
  const vector weights{1, 0, -1};
  BOOST_TEST(sum(X)(X = x) == 21.0);
  BOOST_TEST(mean(X)(X = x) == 3.5);
  BOOST_TEST(prod(X)(X = x) == 720.0);
  BOOST_TEST(amax(X)(X = x) == 6.0);
  BOOST_TEST(amin(X)(X = x) == 1.0);
  BOOST_TEST((sum<0>(X)(X = x) == vector{5, 7, 9}));
  BOOST_TEST((sum<-1>(X)(X = x) == vector{6, 15}));
  BOOST_TEST((sum<1>(X, keep_dims)(X = x) == matrix{{6}, {15}}));
  BOOST_TEST((argmax<1>(X)(X = x) == vector{2, 2}));
  BOOST_TEST((dot(X, transpose(X))(X = x) == matrix{{14, 32}, {32, 77}}));
  BOOST_TEST((dot(X, w)(X = x, w = weights) == vector{-2, -2}));
  BOOST_TEST((transpose(X)(X = x) == matrix{{1, 4}, {2, 5}, {3, 6}}));
}

namespace {

/// Of small integers, whose sums are exact in every order.
template <class T>
void check_rows(std::size_t rows, std::size_t columns) {
  xt::xtensor<T, 2> x = xt::xtensor<T, 2>::from_shape({rows, columns}), y = x;
  xt::xtensor<T, 1> weights = xt::xtensor<T, 1>::from_shape({columns});
  for (std::size_t j = 0; j < columns; ++j) {
    weights(j) = static_cast<T>(j % 5) - T(2);
    for (std::size_t i = 0; i < rows; ++i) {
      x(i, j) = static_cast<T>((7 * i + 3 * j) % 11) - T(4);
      y(i, j) = static_cast<T>((5 * i + 2 * j) % 13) - T(6);
    }
  }
  const auto products = dot(X, w)(X = x, w = weights);
  const auto largest = amax<1>(X)(X = x);
  const auto columns_by_rows = transpose(sum<2>(expand_dims<1>(X) * expand_dims<0>(t)))(X = x, t = y);
  const auto g = gradient(sum(square(dot(X, w))), wrt(w))(X = x, w = weights);
  std::vector<T> expected_gradient(columns, T(0));
  int wrong = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    T product = 0, greatest = x(i, 0);
    for (std::size_t j = 0; j < columns; ++j) product += x(i, j) * weights(j), greatest = std::max(greatest, x(i, j));
    wrong += products(i) != product;
    wrong += largest(i) != greatest;
    for (std::size_t j = 0; j < columns; ++j) expected_gradient[j] += T(2) * product * x(i, j);
    for (std::size_t k = 0; k < rows; ++k) {
      T other = 0;
      for (std::size_t j = 0; j < columns; ++j) other += x(i, j) * y(k, j);
      wrong += columns_by_rows(k, i) != other;
    }
  }
  for (std::size_t j = 0; j < columns; ++j) wrong += g[w](j) != expected_gradient[j];
  BOOST_TEST(wrong == 0, rows << " rows of " << columns);
}

}  // namespace

// Rows are reduced side by side, as many as there are lanes, but for the last few and for long ones.
BOOST_AUTO_TEST_CASE(rows_side_by_side) {
  for (const std::size_t rows : {1u, 7u, 8u, 9u, 16u, 33u})
    for (const std::size_t columns : {1u, 3u, 8u, 10u, 17u, 64u, 600u}) {
      check_rows<double>(rows, columns);
      check_rows<float>(rows, columns % 128);
    }
  // A row's sum has the same bits wherever the row lies.
  const data at(1, 10);
  matrix equal = matrix::from_shape({19, 10});
  for (std::size_t i = 0; i < 19; ++i)
    for (std::size_t j = 0; j < 10; ++j) equal(i, j) = at.x(0, j);
  const vector sums = dot(X, w)(X = equal, w = at.weights);
  for (std::size_t i = 1; i < 19; ++i) BOOST_TEST(sums(i) == sums(0));
  // Sums over axes that do not follow each other are added to row by row: no rows lie side by side there.
  xt::xtensor<double, 3> cube = xt::xtensor<double, 3>::from_shape({3, 17, 5});
  vector expected = xt::zeros<double>({17});
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 17; ++j)
      for (std::size_t k = 0; k < 5; ++k) {
        cube(i, j, k) = static_cast<double>((7 * i + 3 * j + k) % 11) - 4;
        expected(j) += cube(i, j, k);
      }
  BOOST_TEST((sum<0, 2>(X)(X = cube) == expected));
}

BOOST_AUTO_TEST_CASE(ties_share_and_stops_stop) {
  const vector tied{2, 1, 2, 2};
  const auto g = gradient(amax(w), wrt(w))(w = tied);
  BOOST_TEST(g[w](0) == 1.0 / 3);
  BOOST_TEST(g[w](1) == 0.0);
  // The softmax of TensorFlow's page: its shift is stopped, and it does not overflow.
  const vector large{1e4, 1e4 - 1, 0};
  const auto shifted = w - stop_gradient(amax(w));
  const auto r = value_and_gradient(logsumexp(shifted) + amax(w) * 0_c, wrt(w))(w = large);
  BOOST_TEST(r.gradient[w](0) == 1 / (1 + std::exp(-1.0)), boost::test_tools::tolerance(1e-14));
  BOOST_TEST(r.gradient[w](2) == 0.0);
  static_assert(
      std::is_same_v<
          std::remove_cvref_t<decltype(gradient(sum(t * stop_gradient(exp(w))), wrt(w))(w = large, t = large)[w])>,
          Zero>);
  // Nothing of the branch not taken, a NaN here, enters.
  const vector mixed{-1, 4};
  const auto chosen = gradient(sum(where(w > 0, sqrt(w), w)), wrt(w))(w = mixed);
  BOOST_TEST(chosen[w](0) == 1.0);
  BOOST_TEST(chosen[w](1) == 0.25);
}

// No factor leaves a sum for one that there was not, and no divisor is inverted where the inverse is no normal number.
BOOST_AUTO_TEST_CASE(ends_of_the_range) {
  const std::vector<double> x(20, 1e200), y(20, 1e108);
  const auto near = boost::test_tools::tolerance(1e-14);
  BOOST_TEST(sum(c * (X * w))(X = x, w = y, c = 1e-300) == 20 * (1e-300 * 1e308), near);
  BOOST_TEST(gradient(sum(c * (X * w)), wrt(w))(X = x, w = y, c = 1e-300)[w][0] == 1e-300 * 1e200, near);
  // By v the derivative is sum(c (X w)), whose factors overflow in another order.
  constexpr auto v = variable<"v">;
  BOOST_TEST(gradient(sum(v * (c * (X * w))), wrt(v))(X = x, w = y, c = 1e-300, v = 1.0)[v] == 20 * (1e-300 * 1e308),
             near);
  const std::vector<double> terms(20, 1e307);
  BOOST_TEST(gradient(sum(1e-3 * (c * X)), wrt(c))(X = terms, c = 1.0)[c] == 20 * 1e304, near);

  const std::vector<double> numerators{1e-10, -1e-5, 0, 1, 3.3e307, inf};
  for (const double divisor : {1e-310, -4e-324, 1.7e308, 0.0, -0.0, inf, not_a_number, 3.0, 2.2e-308, 4.6e307}) {
    const auto quotients = (X / c)(X = numerators, c = divisor);
    for (std::size_t i = 0; i < numerators.size(); ++i) {
      const double expected = numerators[i] / divisor, found = quotients(i);
      BOOST_TEST_CONTEXT(numerators[i] << " / " << divisor << " is " << found)
      BOOST_TEST((std::isnan(expected) ? std::isnan(found)
                  : std::isinf(expected)
                      ? found == expected
                      : std::abs(found - expected) <= 1.5 * 0x1p-52 * std::abs(expected) + 1.5 * 0x1p-1074));
    }
  }
  const std::vector<float> small{1e-20f, 1e-10f}, tiny{5e-40f, 5e-40f};
  const auto by_sum = (X / sum(w))(X = small, w = tiny);
  BOOST_TEST(by_sum(0) == 1e-20f / 1e-39f, boost::test_tools::tolerance(2e-7f));
  BOOST_TEST(by_sum(1) == 1e-10f / 1e-39f, boost::test_tools::tolerance(2e-7f));

  // Products that under- or overflow, of whose elements some leave products that do not.
  const matrix rows{{1e-300, -1e-300, 3}, {1e150, 1e160, -1e10}, {-1e160, -1e-160, 1e-320}, {1e-300, 0, 1e-300}},
      others{{-3e-300, 3e-300, 0}, {-1e170, -1e160, inf}, {-1e-160 * 1e-320, -1e160 * 1e-320, 1}, {0, 0, 0}};
  const auto by_rows = gradient(sum(prod<1>(X)), wrt(X))(X = rows);
  for (std::size_t i = 0; i < others.size(); ++i) BOOST_TEST(by_rows[X](i / 3, i % 3) == others(i / 3, i % 3), near);
  const vector under{1e-300, -1e-300, 3}, along{1, 2, 5};
  const auto second = hvp(prod(w), wrt(w), tangent(w = along))(w = under);
  BOOST_TEST(second[w](0) == 3.0 * 2 - 1e-300 * 5, near);
  BOOST_TEST(second[w](1) == 3.0, near);
  BOOST_TEST(second[w](2) == -1e-300 + 2e-300, near);
  vector many = xt::ones<double>({1000});
  for (std::size_t i = 0; i < many.size(); ++i) many(i) = i % 2 ? 0.5 : 1.25;
  many(7) = 0x1p-900;
  const auto by_many = gradient(prod(w), wrt(w))(w = many);
  BOOST_TEST(by_many[w](7) == std::ldexp(std::pow(1.25, 500), -499), boost::test_tools::tolerance(1e-12));
  BOOST_TEST(by_many[w](8) == 0.0);
}

// A normal log-density adds up squares and deviations alone. Differences that are exact stay exact.
BOOST_AUTO_TEST_CASE(what_is_the_same_in_all_terms) {
  constexpr auto m = variable<"m">;
  const auto step =
      value_and_gradient(sum(-constant<1, 2> * square((X - m) / c) - log(c) - 0.9189385332046727), wrt(m, c, X));
  for (const std::size_t n : {0u, 1u, 7u, 8u, 33u, 1000u}) {
    std::vector<double> x(n);
    long double squares = 0, deviations = 0;
    for (std::size_t i = 0; i < n; ++i) {
      x[i] = std::sin(static_cast<double>(i)) + 0.25;
      const long double z = (x[i] - 0.5L) / 1.75L;
      deviations += z, squares += z * z;
    }
    const auto r = step(X = x, m = 0.5, c = 1.75);
    const auto near = boost::test_tools::tolerance(1e-14);
    const auto count = static_cast<long double>(n);
    BOOST_TEST(r.value == static_cast<double>(-squares / 2 - count * (std::log(1.75L) + 0.9189385332046727L)), near);
    BOOST_TEST(r.gradient[m] == static_cast<double>(deviations / 1.75L), boost::test_tools::tolerance(1e-13));
    BOOST_TEST(r.gradient[c] == static_cast<double>((squares - count) / 1.75L), boost::test_tools::tolerance(1e-13));
    for (std::size_t i = 0; i < n; ++i) BOOST_TEST(r.gradient[X][i] == (0.5 - x[i]) / 1.75 / 1.75, near);
  }
  std::vector<double> close(20), ones(20, 1.0);
  for (std::size_t i = 0; i < close.size(); ++i) close[i] = 1e8 + std::ldexp(static_cast<double>(i), -20);
  BOOST_TEST(sum(X - c)(X = close, c = 1e8) == std::ldexp(190.0, -20));
  BOOST_TEST(sum(X * w - c)(X = close, w = ones, c = 1e8) == std::ldexp(190.0, -20));
}

// As norm and logsumexp, max and min of one tensor reduce it; of a number they are the number.
BOOST_AUTO_TEST_CASE(largest_of_one_tensor) {
  const vector x{1, 2, 3};
  BOOST_TEST(max(w)(w = x) == 3.0);
  BOOST_TEST(min(w)(w = x) == 1.0);
  BOOST_TEST(max(c)(c = 2.5) == 2.5);
  const auto e = exp(w - max(w));
  const auto by_hand = (e / sum(e))(w = x);
  const double total = std::exp(-2.0) + std::exp(-1.0) + 1;
  for (std::size_t i = 0; i < 3; ++i)
    BOOST_TEST(by_hand(i) == std::exp(x(i) - 3) / total, boost::test_tools::tolerance(1e-15));
  const vector tied{2, 1, 2};
  BOOST_TEST(gradient(max(w), wrt(w))(w = tied)[w](2) == 0.5);
}

// Selections over tensors: conditions are broadcast, summed and moved as the values are.
BOOST_AUTO_TEST_CASE(selections) {
  const vector x{-1, 4, 0};
  const auto f = sqrt(sum(relu(w))) + sum(sqrt(relu(w)) * w) + sqrt(max(slice<0>(abs(w), 2, 3), -1_c * c));
  const auto expected = [](double u) { return u > 0 ? 0.5 / std::sqrt(4.0) + 1.5 * std::sqrt(u) : 0; };
  const auto g = gradient(sum(f), wrt(w))(w = x, c = -1.0);
  const vector negative{-1, -4, 0};
  const auto none = gradient(sqrt(sum(relu(w))) + amax(sqrt(relu(w))) * 0.5, wrt(w))(w = negative);
  for (std::size_t i = 0; i < 3; ++i) {
    vector direction{0, 0, 0};
    direction(i) = 1;
    BOOST_TEST(g[w](i) == expected(x(i)));
    BOOST_TEST(jvp(sum(f), tangent(w = direction))(w = x, c = -1.0) == expected(x(i)));
    BOOST_TEST(none[w](i) == 0.0);
    BOOST_TEST(jvp(sqrt(sum(relu(w))), tangent(w = direction))(w = negative) == 0.0);
  }
  // A product of matrices takes nothing of rows that are not chosen, though their elements are infinite.
  const matrix rows{{1, 2}, {-inf, 0}};
  const vector weights{1, 1};
  const auto of_weights = gradient(sum(relu(dot(X, w))), wrt(w))(X = rows, w = weights)[w];
  BOOST_TEST(of_weights(0) == 1.0);
  BOOST_TEST(of_weights(1) == 2.0);
}
