#pragma once

#include <tapeless/program/differentiate/guarded.hpp>

/// The derivatives of operations of matrices, which are operations of matrices again. Such an operation has
///  - `of_matrices`, and `lower`, as every operation of tensors;
///  - `compute(to, operands...)`: its value, where result and operands lie in memory (loops::strided);
///  - `pullback(which, adjoint, result, operands)`: what reaches an operand from the adjoint of the result, and
///    `tangent(which, tangent, result, operands)`: what the result has from an operand's tangent;
///  - `passes(which)`, where a derivative does not go through all operands: a factorisation that several operations
///    share is an operand that none of them differentiates, since they know the matrix that it is of.
namespace tapeless::program {

/// A node as the matrices along its last two axes, or as what there is one of for each of them.
struct matrix_value {
  builder* graph = nullptr;
  int node = -1;
  tensor_access access{};

  constexpr matrix_value transposed() const {
    matrix_value result = *this;
    int* last = result.access.axes + access.rank - 1;
    const int column = *last;
    *last = *(last - 1), *(last - 1) = column;
    return result;
  }
  /// `Op` of matrices, laid out as `like`.
  template <class Op, class... Operands>
  static constexpr matrix_value of(const matrix_value& like, const Operands&... operands) {
    const tensor_move reads[] = {{move_kind::read, operands.access, like.access, 0, {}}...};
    const int nodes[] = {like.graph->as_number(operands.node)...};
    return {like.graph, like.graph->append_move(info<Op>, reads, nodes, sizeof...(Operands)), like.access};
  }
  /// Element by element, a number a matrix too.
  friend constexpr matrix_value operator*(const matrix_value& a, const matrix_value& b) {
    return {a.graph, a.graph->make<operation::Multiply>(a.node, b.node),
            a.access.rank < b.access.rank ? b.access : a.access};
  }
  friend constexpr matrix_value operator+(const matrix_value& a, const matrix_value& b) {
    return {a.graph, a.graph->make<operation::Add>(a.node, b.node), a.access};
  }
  constexpr matrix_value operator-() const { return {graph, graph->make<operation::Negate>(node), access}; }
  /// The sum of the elements of each matrix.
  constexpr matrix_value total() const {
    matrix_value result = *this;
    result.access.rank -= 2;
    result.node = sum_over(*graph, node, access.set() & ~result.access.set());
    return result;
  }
};

/// Operand number `which` of an operation of matrices, as that reads it.
constexpr matrix_value matrix_operand(builder& graph, int index, int which) {
  return {&graph, graph.operands(index)[which], graph.moves.data[graph.nodes.data[index].access + which].from};
}
/// The result of one.
constexpr matrix_value matrix_result(builder& graph, int index) {
  return {&graph, index, graph.moves.data[graph.nodes.data[index].access].to};
}

namespace detail {

template <class Op>
constexpr int matrix_rule(builder& graph, int index, int which, int incoming, bool forward) {
  matrix_value operands[4];
  for (int i = 0; i < graph.nodes.data[index].count; ++i) operands[i] = matrix_operand(graph, index, i);
  const matrix_value result = matrix_result(graph, index);
  if (forward) return Op::tangent(which, matrix_value{&graph, incoming, operands[which].access}, result, operands).node;
  return Op::pullback(which, matrix_value{&graph, incoming, result.access}, result, operands).node;
}

}  // namespace detail

/// What reaches operand number `which` of node `index`, an operation of matrices, from the flow `incoming` into the
/// node, or the node from that into the operand. A matrix flows as a whole: where one of its elements does.
constexpr guarded through_matrices(builder& graph, int index, int which, const guarded& incoming, bool forward) {
  if (graph.is_absolute_zero(incoming.node)) return {incoming.node};
  const matrix_value read = forward ? matrix_operand(graph, index, which) : matrix_result(graph, index);
  const int node = graph.nodes.data[index].operation->matrix_rule(
      graph, index, which, masked(graph, incoming, guarded::everywhere), forward);
  if (incoming.where == guarded::everywhere) return {node};
  // What both have are the leading axes.
  const int count = matrix_operand(graph, index, which).access.rank - 2;
  axis_set elements = graph.nodes.data[incoming.where].axes;
  for (int i = 0; i < count; ++i)
    if (const int id = read.access.axes[i]; id >= 0) elements &= ~axis(id);
  return {node, any_over(graph, incoming.where, elements)};
}

}  // namespace tapeless::program
