// The engine compared with the plain evaluator over tensors: elements in another order, chosen, and accumulated.
#include "agrees.hpp"

#include <tapeless/sort.hpp>

using namespace tapeless_test;

BOOST_AUTO_TEST_CASE(orders) {
  check([](auto X, auto Y, auto W, auto, auto) {
    return flip<0>(X) * W + roll<1>(exp(Y), 2) * roll<0>(X, -4) + slice<0>(Y, -1, 0, -1)(0, 1);
  });
  check([](auto X, auto Y, auto W, auto, auto) {
    return slice<0>(pad<0>(X * Y, 2, 1), 1, -1, 2) * pad<0>(slice<0>(W, 0, 2), 1, 0, 0.5);
  });
  check([](auto X, auto Y, auto W, auto B, auto) {
    return tril(X) * triu(Y, 1) + dot(X, diag(W)) + broadcast_like(expand_dims<1>(B), Y) +
           sum(diag(dot(transpose(X), Y)));
  });
}

BOOST_AUTO_TEST_CASE(sorted) {
  check([](auto X, auto Y, auto W, auto, auto) {
    return sort<0>(X * W) * sort<1>(Y) + cumsum<0>(sort<0>(Y)) + flip<1>(sort(X));
  });
  check([](auto X, auto, auto W, auto B, auto) { return sort(dot(X, W)) * B + sum(top_k(square(W), 2)); });
}

BOOST_AUTO_TEST_CASE(indices) {
  check([](auto X, auto Y, auto, auto B, auto K) {
    const auto chosen = stack<0>(K, 2 - abs(K));
    return take<1>(take<0>(X, abs(K)), K) + sum(take<1>(Y, chosen)) + sum(take(B, chosen) * B);
  });
  check([](auto X, auto Y, auto, auto B, auto K) {
    return segment_sum(X * Y, abs(K), 4) + sum(segment_sum(B, abs(K), 3)) + segment_sum(Y, argmax<1>(X), 4);
  });
}

BOOST_AUTO_TEST_CASE(accumulated) {
  check([](auto X, auto Y, auto W, auto, auto) {
    return cumsum<0>(X * W) * cumsum<1>(Y) + cumprod<0>(X) + cumprod<1>(Y);
  });
  check([](auto X, auto Y, auto, auto B, auto) {
    return var<0>(X) + stddev(Y) + sum(where(B > 0, cumsum<0>(B), 0)) + einsum<"ij,ij,i->j">(X, Y, B);
  });
}
