// Reductions, broadcasting and products over tensors: derivatives against differences, for shapes with and without
// tails.
#include "check.hpp"

using namespace tapeless;
using namespace tapeless_test;

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
