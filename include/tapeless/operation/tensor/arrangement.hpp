#pragma once

#include <tapeless/operation/tensor/linear_algebra.hpp>

#include <string_view>

/// Elements in another order, with others around them, or without some.
namespace tapeless {

namespace operation {

/// Reverses the order along axes, along all if none are named.
template <int... Axes>
struct Flip {
  static constexpr std::string_view name = "flip";
  static constexpr auto lower = [](auto& to, const auto& operand) {
    auto result = operand;
    if constexpr (sizeof...(Axes) == 0)
      for (int i = 0; i < operand.rank; ++i) result = to.flip(result, i);
    else
      ((result = to.flip(result, Axes)), ...);
    return result;
  };
};

template <int Axis>
TAPELESS_LOWERED(Roll, roll, Axis)

template <int Axis>
struct Pad {
  static constexpr std::string_view name = "pad";
  static constexpr auto lower = [](auto& to, const auto& operand, const auto& before, const auto& after,
                                   const auto&... filling) {
    return to.pad(operand, Axis, before, after, &filling...);
  };
};

TAPELESS_LOWERED(BroadcastLike, broadcast_like)
TAPELESS_LOWERED(Diag, diag)

template <bool Lower>
struct Triangle {
  static constexpr std::string_view name = Lower ? "tril" : "triu";
  static constexpr auto lower = [](auto& to, const auto& operand, const auto& offset) {
    return to.triangle(operand, offset, Lower);
  };
};

}  // namespace operation

/// The elements in reverse order along axes, `flip<0>(e)`; `flip(e)` along all. One pass over the elements for each.
template <int... Axes, Symbolic E>
constexpr auto flip(const E& e) {
  return apply<operation::Flip<Axes...>>(e);
}

/// The elements moved on by `n` places along an axis, `roll<0>(e, 1)`; what leaves it at its end comes in at its
/// beginning. `n` is an integer of any size, negative to move them back.
template <int Axis, Symbolic E, Operand N>
constexpr auto roll(const E& e, N n) {
  return apply<operation::Roll<Axis>>(e, n);
}

/// `before` zeros in front of the elements along an axis and `after` behind them, `pad<0>(e, 1, 2)`. Both are integers,
/// and negative ones throw std::invalid_argument.
template <int Axis, Symbolic E, Operand Before, Operand After>
constexpr auto pad(const E& e, Before before, After after) {
  return apply<operation::Pad<Axis>>(e, before, after);
}

/// The same with the number `filling` in place of zeros.
template <int Axis, Symbolic E, Operand Before, Operand After, Operand Filling>
constexpr auto pad(const E& e, Before before, After after, const Filling& filling) {
  return apply<operation::Pad<Axis>>(e, before, after, filling);
}

/// `e` broadcast to the shape of `other`, as NumPy's `broadcast_to(e, other.shape)`; throws std::invalid_argument where
/// it does not broadcast to that. `e` can be a number such as 0.0. No derivative goes to `other`.
template <Operand E, Symbolic Other>
constexpr auto broadcast_like(const E& e, const Other& other) {
  return apply<operation::BroadcastLike>(e, stop_gradient(other));
}

/// Of a vector the matrix with it as its diagonal, of a square matrix the diagonal.
template <Symbolic E>
constexpr auto diag(const E& e) {
  return apply<operation::Diag>(e);
}

/// Matrices with zeros above diagonal number `offset`, over the last two axes: 0 is the main diagonal, negative ones
/// lie below. No derivative goes to what is replaced, nor a NaN from there.
template <Symbolic E, Operand Offset = Constant<0>>
constexpr auto tril(const E& e, Offset offset = {}) {
  return apply<operation::Triangle<true>>(e, offset);
}

/// Matrices with zeros below diagonal number `offset`, as `tril`.
template <Symbolic E, Operand Offset = Constant<0>>
constexpr auto triu(const E& e, Offset offset = {}) {
  return apply<operation::Triangle<false>>(e, offset);
}

}  // namespace tapeless
