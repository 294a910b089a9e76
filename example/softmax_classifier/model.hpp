#pragma once

#include <tapeless/xtensor.hpp>

namespace softmax_classifier {

using Vector = xt::xtensor<double, 1>;
using Matrix = xt::xtensor<double, 2>;

/// The formulas. Each row of X, numbers, gets a logit z for each class; a row of Y is 1 at the row's class, else 0.
namespace formula {

using namespace tapeless::literals;
using tapeless::variable;

inline constexpr auto X = variable<"X">;  // rows x features
inline constexpr auto Y = variable<"Y">;  // rows x classes
inline constexpr auto W = variable<"W">;  // features x classes
inline constexpr auto b = variable<"b">;  // classes
inline constexpr auto penalty = variable<"penalty">;

/// The mean of -log softmax(z) at the rows' classes, for logits from which something was subtracted, the same for all
/// classes of a row; in exact arithmetic it makes no difference what. The logits stand here twice.
constexpr auto cross_entropy(const auto& in_sum, const auto& at_class) {
  return mean(log(sum<1>(exp(in_sum))) - sum<1>(Y * at_class));
}

/// z less each row's largest, so that exp never overflows.
constexpr auto shifted(const auto& z) { return z - stop_gradient(amax<1>(z, tapeless::keep_dims)); }
constexpr auto shifted_without_stop(const auto& z) { return z - amax<1>(z, tapeless::keep_dims); }

inline constexpr auto logits = dot(X, W) + b;
inline constexpr auto loss = cross_entropy(shifted(logits), shifted(logits)) + penalty / 2_c * sum(square(W));

}  // namespace formula
}  // namespace softmax_classifier
