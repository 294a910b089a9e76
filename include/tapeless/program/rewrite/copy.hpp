#pragma once

#include <tapeless/program/rewrite/fold.hpp>

namespace tapeless::program {

/// The moves of a node that moves elements: one an operand, or one where the second operand is indices.
constexpr growing_array<tensor_move> moves_of(graph_view graph, const node& n) {
  const tensor_move* first = graph.moves + n.access;
  return {first, first->has_indices() ? 1 : n.count};
}

/// How nodes become nodes of another program: each as the same. What copies otherwise hides members.
struct copied {
  constexpr int read(builder& to, graph_view from, const node& n) const {
    return n.sequence          ? to.sequence_variable(n.leaf)
           : from.over_tensors ? to.read(from.accesses[n.access])
                               : to.variable(n.leaf);
  }
  constexpr int number(builder& to, int which) const { return to.number(which); }
  constexpr int stop(builder& to, int operand) const { return to.stop(operand); }
  constexpr int move(builder& to, graph_view from, const node& n, const int* operands) const {
    return to.append_move(*n.operation, from.moves + n.access, operands, n.count);
  }
  constexpr int reduction(builder& to, const node& n, int operand) const {
    return to.append_reduction(*n.operation, operand, n.reduced);
  }
  constexpr int apply(builder& to, const node& n, const int* operands) const {
    return to.append(*n.operation, operands, n.count);
  }
};
/// The same, where operations are kept as they stand.
struct copied_as_is : copied {
  constexpr int apply(builder& to, const node& n, const int* operands) const {
    return to.append_as_is(*n.operation, operands, n.count);
  }
};

/// Appends the node `n` of another program on operands that stand in `to` already.
template <class How>
constexpr int copy_node(builder& to, graph_view from, const node& n, const int* operands, const How& how) {
  switch (n.kind) {
    case node_kind::variable:
    case node_kind::extent:
    case node_kind::index: return how.read(to, from, n);
    case node_kind::number: return how.number(to, n.leaf);
    case node_kind::constant: return to.constant(from.constants[n.leaf]);
    case node_kind::stop: return how.stop(to, operands[0]);
    case node_kind::apply: break;
  }
  return n.operation->moves ? how.move(to, from, n, operands)
         : n.reduced        ? how.reduction(to, n, operands[0])
                            : how.apply(to, n, operands);
}

/// Appends the needed nodes of another program; `moved` says where those that are there already stand, and where the
/// others came to stand.
template <class How>
constexpr void copy_nodes(builder& to, graph_view from, const growing_array<char>& needed, growing_array<int>& moved,
                          const How& how) {
  growing_array<int> operands;
  const auto copy_any = [&](const node& original) {
    operands.size = 0;
    for (int which = 0; which < original.count; ++which)
      operands.push_back(moved.data[from.edges[original.first + which]]);
    return copy_node(to, from, original, operands.data, how);
  };
  // The usual operations take few statements and expressions: clang counts the former, and both take it time.
  const auto copy_one = [&](const node& original) {
    if (original.count != 2 || original.operation->moves) return copy_any(original);
    const int* const edge = from.edges + original.first;
    const int pair[] = {moved.data[edge[0]], moved.data[edge[1]]};
    return how.apply(to, original, pair);
  };
  for (int i = 0; i < from.size; ++i)
    needed.data[i] && moved.data[i] < 0 ? void(moved.data[i] = copy_one(from.nodes[i])) : void();
}

}  // namespace tapeless::program
