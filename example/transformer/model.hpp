#pragma once

#include <tapeless/xtensor.hpp>

#include <boost/hana.hpp>
#include <xtensor/xtensor.hpp>

/// A transformer's encoder of one block that scores sequences of tokens, and whose score must not depend too much on
/// any token.
namespace transformer {

struct Sequences {
  BOOST_HANA_DEFINE_STRUCT(Sequences, (xt::xtensor<double, 3>, tokens), (xt::xtensor<double, 1>, label));
};

struct Parameters {
  BOOST_HANA_DEFINE_STRUCT(Parameters, (xt::xtensor<double, 2>, query), (xt::xtensor<double, 2>, key),
                           (xt::xtensor<double, 2>, value), (xt::xtensor<double, 2>, output),
                           (xt::xtensor<double, 2>, scale), (xt::xtensor<double, 2>, shift),
                           (xt::xtensor<double, 2>, w1), (xt::xtensor<double, 1>, b1), (xt::xtensor<double, 2>, w2),
                           (xt::xtensor<double, 1>, b2), (xt::xtensor<double, 1>, readout));
};

inline constexpr auto layer_norm = [](const auto& x, const auto& scale, const auto& shift) {
  const auto centred = x - mean<2>(x, tapeless::keep_dims);
  return scale * centred / sqrt(mean<2>(square(centred), tapeless::keep_dims) + 1e-5) + shift;
};

/// A number for each sequence. The axes of x are sequences, tokens and features; all weights are to the right of
/// theirs.
inline constexpr auto score = [](const auto& x, const auto& p) {
  const auto& [query, key, value, output, scale, shift, w1, b1, w2, b2, readout] = p;
  const auto n = layer_norm(x, scale[0], shift[0]);
  const auto similarity = tapeless::einsum<"bik,bjk->bij">(dot(n, query), dot(n, key));
  const auto attended = tapeless::einsum<"bij,bjk->bik">(tapeless::softmax<2>(similarity / 2), dot(n, value));
  const auto seen = x + dot(attended, output);
  const auto m = layer_norm(seen, scale[1], shift[1]);
  return dot(tapeless::mean<1>(seen + dot(tanh(dot(m, w1) + b1), w2) + b2), readout);
};

/// The logistic loss, and how steep the score is by the tokens: of its gradient, the mean norm over the sequences.
inline constexpr auto loss = [](const auto& p, const auto& sequences) {
  const auto& [tokens, label] = sequences;
  constexpr auto total = [](const auto& x, const auto& q) { return sum(score(x, q)); };
  const auto slope = gradient(total, tapeless::wrt<0>)(tokens, p);
  return mean(softplus(-label * score(tokens, p))) + 0.1 * mean(sqrt(tapeless::sum<1, 2>(square(slope))));
};

}  // namespace transformer
