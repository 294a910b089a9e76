#pragma once

#include <tapeless/xtensor.hpp>

namespace adversarial_training {

using tapeless::constant;
using tapeless::expand_dims;
using tapeless::stop_gradient;
using matrix = xt::xtensor<double, 2>;
using vector = xt::xtensor<double, 1>;

/// A network of one hidden layer that tells two classes apart: weights and biases of the hidden units, and those of the
/// output, the logit of the class +1.
struct Parameters {
  matrix hidden_weights;
  vector hidden_bias;
  vector output_weights;
  double output_bias = 0;
};

inline constexpr auto A = tapeless::variable<"A">;
inline constexpr auto a = tapeless::variable<"a">;
inline constexpr auto u = tapeless::variable<"u">;
inline constexpr auto c = tapeless::variable<"c">;
inline constexpr auto X = tapeless::variable<"X">;  ///< points, a row each
inline constexpr auto P = tapeless::variable<"P">;  ///< where their attacks look for the way: at X or beyond
inline constexpr auto s = tapeless::variable<"s">;  ///< their classes, +1 or -1
inline constexpr auto radius = tapeless::variable<"radius">;

inline constexpr auto hidden_units = [](const auto& x) { return tanh(dot(x, A) + a); };
inline constexpr auto logit = [](const auto& x) { return dot(hidden_units(x), u) + c; };
inline constexpr auto cross_entropy = [](const auto& x) { return mean(softplus(-s * logit(x))); };

/// The gradient of the logit by x, by hand: a formula, which can be differentiated again.
inline constexpr auto uphill = [](const auto& x) {
  return dot((constant<1> - square(hidden_units(x))) * u, transpose(A));
};
/// The step of the length `radius` that raises the loss most, as seen at x: along the gradient of the loss, which is
/// that of the logit times a factor with the sign of -s. No step where there is no slope.
inline constexpr auto attack = [](const auto& x) {
  const auto g = uphill(x);
  return -radius * expand_dims<1>(s / (norm<1>(g) + 1e-100)) * g;
};

/// The losses of three ways to train. The attack depends on the parameters that it attacks, but they are to withstand
/// it and not to lead it elsewhere: it stands behind the stop.
inline constexpr auto plain_loss = cross_entropy(X);
inline constexpr auto stopped_loss = cross_entropy(X + stop_gradient(attack(P)));
inline constexpr auto not_stopped_loss = cross_entropy(X + attack(P));

/// Points, where their attacks look, and their classes.
struct Batch {
  matrix points;
  matrix seen_from;
  vector classes;
};

/// The gradients of the three, each compiled in a file of its own. `plain_gradient` uses the points and classes alone.
Parameters plain_gradient(const Parameters& at, const Batch& batch, double length);
Parameters stopped_gradient(const Parameters& at, const Batch& batch, double length);
Parameters not_stopped_gradient(const Parameters& at, const Batch& batch, double length);
using GradientFunction = Parameters (*)(const Parameters&, const Batch&, double);

/// The values of the formulas.
vector logits(const Parameters& at, const matrix& points);
matrix attacks(const Parameters& at, const matrix& points, const vector& classes, double length);

}  // namespace adversarial_training
