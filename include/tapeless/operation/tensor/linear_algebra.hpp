#pragma once

#include <tapeless/core/fixed_string.hpp>
#include <tapeless/operation/tensor/over_axes.hpp>

#include <string_view>

namespace tapeless {

namespace operation {

/// The sum of products along the last axis of the first and the first matrix axis of the second operand; what stands
/// before the matrix axes is broadcast.
TAPELESS_LOWERED(Dot, dot)

/// The sum of products that the subscript `Spec` tells.
template <fixed_string Spec>
struct Einsum {
  static constexpr std::string_view name = "einsum";
  static constexpr auto lower_list = [](auto& to, auto* operands, int count) {
    return to.einsum(operands, count, Spec.view());
  };
};

/// The elements of which row and column are the same.
TAPELESS_LOWERED(Diagonal, diagonal)

/// All products of an element of the first with an element of the second operand.
TAPELESS_LOWERED(Outer, outer)

/// The operand with its axes in another order; reversed if no order is given.
template <int... Order>
struct Transpose {
  static constexpr std::string_view name = "transpose";
  static constexpr auto lower = [](auto& to, const auto& operand) {
    constexpr int order[] = {Order..., 0};
    return to.transpose(operand, order, sizeof...(Order));
  };
};

/// The operand with a further axis of extent 1.
template <int Axis>
TAPELESS_LOWERED(ExpandDims, expand_dims, Axis)

}  // namespace operation

/// The product of vectors and matrices, depending on the ranks of the operands: vector . vector, matrix . vector,
/// vector . matrix or matrix . matrix. From rank 3 on, the last two axes are those of matrices, and the others are
/// broadcast, as in NumPy's matmul. The rank is at most 5.
template <Operand A, Operand B>
  requires(Symbolic<A> || Symbolic<B>)
constexpr auto dot(const A& a, const B& b) {
  return apply<operation::Dot>(a, b);
}
template <Operand A, Operand B>
  requires(Symbolic<A> || Symbolic<B>)
constexpr auto matmul(const A& a, const B& b) {
  return apply<operation::Dot>(a, b);
}
/// The sum of products given by a subscript as in NumPy's einsum, with one letter for each axis:
/// `einsum<"bij,bjk->bik">(a, b)`. None occurs twice in one operand. Axes with the same letter must have the same
/// length. Of any number of operands: the product of the first two is multiplied by the third, and so on; each time,
/// what no later operand nor the result has is summed, and there are at most six letters.
template <fixed_string Spec, Operand... Es>
  requires(Symbolic<Es> || ...)
constexpr auto einsum(const Es&... es) {
  return apply<operation::Einsum<Spec>>(es...);
}
/// The diagonal of square matrices, over the last two axes. The result has one axis less.
template <Symbolic E>
constexpr auto diagonal(const E& e) {
  return apply<operation::Diagonal>(e);
}
/// The sum of the diagonal of square matrices, over the last two axes.
template <Symbolic E>
constexpr auto trace(const E& e) {
  return sum<-1>(diagonal(e));
}
/// The outer product: its axes are those of `a`, then those of `b`.
template <Operand A, Operand B>
  requires(Symbolic<A> || Symbolic<B>)
constexpr auto outer(const A& a, const B& b) {
  return apply<operation::Outer>(a, b);
}
/// The axes in reverse order, or in the order given: `transpose<1, 0, 2>(e)`.
template <int... Order, Symbolic E>
constexpr auto transpose(const E& e) {
  return apply<operation::Transpose<Order...>>(e);
}
/// Inserts an axis of extent 1 at position `Axis`; -1 puts it last.
template <int Axis, Symbolic E>
constexpr auto expand_dims(const E& e) {
  return apply<operation::ExpandDims<Axis>>(e);
}

}  // namespace tapeless
