#pragma once

#include <tapeless/program/rewrite/axes.hpp>
#include <tapeless/program/rewrite/fold.hpp>

/// The rewrites of moves of elements in a program that is made ready for evaluation, as those of arithmetic_rules.hpp.
namespace tapeless::program::rewriting {

constexpr bool varies_along(const builder& graph, const tensor_move& move, int index) {
  return (graph.nodes.data[index].axes & axis(move.from.axes[move.position])) != 0;
}
/// The one operand that varies, of a cheap operation whose others are the same along the axis; -1 of others.
constexpr int varying_operand(const builder& graph, const tensor_move& move, int index) {
  if (move.kind != move_kind::take || move.from.axes[move.position] < 0) return -1;
  const node& n = graph.nodes.data[index];
  if (n.kind != node_kind::apply || n.condition || n.reduced || n.operation->latency > 1 || n.operation->moves ||
      n.operation->pair || n.opcode == opcode::where)
    return -1;
  int found = -1;
  for (int i = 0; i < n.count; ++i) {
    const int of = graph.operands(index)[i];
    if (!varies_along(graph, move, of)) continue;
    if (found >= 0 || graph.nodes.data[of].axes != n.axes) return -1;
    found = of;
  }
  return found;
}
/// take(x - u, i) is take(x, i) - u, for any cheap operation of one operand that varies and others that are the same
/// along the axis: no tensor is computed to take from.
constexpr int take_of_operation(builder& graph, const tensor_move& move, const int* operands) {
  growing_array<int> around;
  int x = operands[0];
  for (int next = varying_operand(graph, move, x); next >= 0; next = varying_operand(graph, move, x))
    around.push_back(x), x = next;
  if (around.size == 0) return -1;
  const int moved[] = {x, operands[1]};
  int taken = graph.append_move(info<operation::Move>, &move, moved, 2);
  while (around.size > 0) {
    const int outer = around[--around.size];
    const node n = graph.nodes.data[outer];
    growing_array<int> list(graph.operands(outer), n.count);
    for (int* each = list.data; each != list.data + n.count; ++each)
      if (varies_along(graph, move, *each)) *each = taken;
    taken = graph.append(*n.operation, list.data, n.count);
  }
  return taken;
}

constexpr int count_uses(const builder& graph, int index) {
  int uses = 0;
  for (int i = 0; i < graph.edges.size; ++i) uses += graph.edges.data[i] == index;
  return uses;
}
/// x + put(v, i) puts the elements into x, where the sum is an output and nothing else needs what was put: the output's
/// memory takes them, and no tensor of zeros is made.
constexpr int put_into_sum(builder& graph, int sum) {
  const node n = graph.nodes.data[sum];
  if (n.kind != node_kind::apply || n.opcode != opcode::add || n.axes == 0) return -1;
  for (int i = 0; i < 2; ++i) {
    const int put = graph.operands(sum)[i], other = graph.operands(sum)[1 - i];
    const node moved = graph.nodes.data[put];
    if (moved.kind != node_kind::apply || !moved.operation->moves || moved.count != 2 ||
        graph.moves.data[moved.access].kind != move_kind::put || moved.axes != n.axes ||
        graph.nodes.data[other].axes != n.axes || count_uses(graph, put) != 1 || count_uses(graph, sum) != 0)
      continue;
    const tensor_move move = graph.moves.data[moved.access];
    const int operands[] = {graph.operands(put)[0], graph.operands(put)[1], other};
    return graph.append_move(*moved.operation, &move, operands, 3);
  }
  return -1;
}

}  // namespace tapeless::program::rewriting
