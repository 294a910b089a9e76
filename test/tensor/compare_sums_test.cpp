// The engine compared with the plain evaluator over tensors: reductions, softmaxes, products.
#include "agrees.hpp"

using namespace tapeless_test;

BOOST_AUTO_TEST_CASE(reductions) {
  check([](auto X, auto Y, auto W, auto, auto) { return sum<0>(X * Y) + mean<0>(X) * W - prod<0>(Y); });
  check([](auto X, auto Y, auto, auto B, auto) { return amax<1>(X) * amin<1>(X * Y) + logsumexp<1>(X + Y) * B; });
  check([](auto X, auto Y, auto, auto, auto) { return norm<1>(Y, keep_dims) * X / (1 + square(sum(X, keep_dims))); });
}

BOOST_AUTO_TEST_CASE(softmaxes_and_mixtures) {
  check([](auto X, auto, auto W, auto B, auto) { return softmax<1>(X * W + expand_dims<1>(B)) * log_softmax<0>(X); });
  // A mixture of normal distributions.
  check([](auto X, auto, auto W, auto B, auto) {
    const auto scaled = (expand_dims<1>(B) - W) * exp(-W);
    return logsumexp<1>(log_softmax(W) - W - 0.5 * square(scaled)) + sum<1>(X);
  });
  // The sum of the rows of a softmax, which was set to zero where the softmax was kept.
  check([](auto, auto, auto W, auto B, auto) { return sum<0>(softmax<1>(expand_dims<1>(B) * exp(W))); });
  // Rows that are scaled, shifted and normalised.
  check([](auto X, auto, auto W, auto B, auto) {
    const auto scaled = X * softplus(W) + expand_dims<1>(B);
    const auto centred = scaled - mean<1>(scaled, keep_dims);
    return centred / sqrt(mean<1>(square(centred), keep_dims) + 0.01);
  });
}

BOOST_AUTO_TEST_CASE(products) {
  check([](auto X, auto Y, auto W, auto B, auto) { return dot(dot(transpose(X), Y), W) + dot(B, X); });
  check([](auto X, auto Y, auto, auto, auto) { return tanh(dot(X, transpose(Y))); });
  check([](auto X, auto Y, auto W, auto B, auto) { return einsum<"ij,kj->ik">(X, Y) + outer(B, dot(X, W)); });
  // Attention.
  check([](auto X, auto Y, auto W, auto, auto) { return dot(softmax<1>(dot(X, transpose(Y)) / 2.0), Y * W); });
}
