// The engine compared with the plain evaluator over tensors: moves, conditions, and extents that meet at the call.
#include "agrees.hpp"

using namespace tapeless_test;

BOOST_AUTO_TEST_CASE(moves) {
  check([](auto X, auto Y, auto W, auto, auto) {
    return concatenate<0>(slice<0>(X, 2, -1), exp(Y), expand_dims<0>(W)) * 2.0;
  });
  check([](auto X, auto Y, auto, auto B, auto K) { return take<0>(X, K) * Y + expand_dims<1>(take(B, K)); });
  check([](auto X, auto Y, auto W, auto, auto K) { return sum<1>(one_hot(K, 3) * X) + take(W, K) + Y(0, 1); });
  check([](auto X, auto Y, auto, auto B, auto) {
    return reshape<3, -1>(X) * slice<0>(transpose(Y), 0, 3) + stack<0>(B, B, sum<1>(Y));
  });
  check([](auto X, auto, auto W, auto, auto) { return X[4] * W + sum(take<1>(X, argmax<1>(X))) + X(2, 0); });
}

BOOST_AUTO_TEST_CASE(conditions) {
  check([](auto X, auto Y, auto W, auto, auto) {
    return where(X < Y && Y > 0, log(1 + square(X)), relu(Y) * W) + clamp(X, -0.5, 0.5);
  });
  check([](auto X, auto Y, auto, auto, auto) { return max(X, Y) * stop_gradient(sign(X)) + abs(X - Y) * (X >= 0); });
  check([](auto X, auto, auto, auto B, auto K) { return where(K == 1, B, sum<1>(X)) * (1 - (K == 0)); });
}

BOOST_AUTO_TEST_CASE(extents_that_meet_at_the_call) {
  const auto f = [](auto X, auto Y) { return sum(exp(X * Y)) + sum(log(1 + square(Y))) + mean(dot(Y, transpose(Y))); };
  for (const matrix& other : {y, wave<matrix>({9, 1}, 0.4), wave<matrix>({1, 3}, 0.4), wave<matrix>({1, 1}, 0.4)})
    agrees(compare_engines(value_and_gradient(f))(x, other));
  agrees(compare_engines(value_and_gradient(f))(matrix({0, 3}), wave<matrix>({1, 3}, 0.4)));
}
