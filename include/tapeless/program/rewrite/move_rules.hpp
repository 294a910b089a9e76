#pragma once

#include <tapeless/program/rewrite/axes.hpp>
#include <tapeless/program/rewrite/fold.hpp>

/// The rewrites of moves of elements in a program that is made ready for evaluation, each with its precondition.
namespace tapeless::program {

namespace rewriting {

/// take(x - u, i) is take(x, i) - u, for any cheap operation of one operand that varies and others that are the same
/// along the axis: no tensor is computed to take from.
struct take_of_operation {
  static constexpr bool holds(const builder& graph, const tensor_move& move, int operand) {
    return varying(graph, move, operand) >= 0;
  }
  static constexpr int result(builder& graph, const tensor_move& move, int operand, int indices) {
    growing_array<int> around;
    int x = operand;
    for (int next = varying(graph, move, x); next >= 0; next = varying(graph, move, x)) around.push_back(x), x = next;
    const int moved[] = {x, indices};
    int taken = graph.append_move(info<operation::Move>, &move, moved, 2);
    while (around.size > 0) {
      const int outer = around[--around.size];
      const node n = graph.nodes.data[outer];
      growing_array<int> operands(graph.operands(outer), n.count);
      for (int* each = operands.data; each != operands.data + n.count; ++each)
        if (varies(graph, move, *each)) *each = taken;
      taken = graph.append(*n.operation, operands.data, n.count);
    }
    return taken;
  }

 private:
  static constexpr bool varies(const builder& graph, const tensor_move& move, int index) {
    return (graph.nodes.data[index].axes & axis(move.from.axes.data()[move.position])) != 0;
  }
  /// The one operand that varies, of an operation like that; -1 of others.
  static constexpr int varying(const builder& graph, const tensor_move& move, int index) {
    if (move.kind != move_kind::take || move.from.axes.data()[move.position] < 0) return -1;
    const node& n = graph.nodes.data[index];
    if (n.kind != node_kind::apply || n.condition || n.reduced || n.operation->latency > 1 || n.operation->moves ||
        n.operation->pair || n.opcode == opcode::where)
      return -1;
    int found = -1;
    for (int i = 0; i < n.count; ++i) {
      const int of = graph.operands(index)[i];
      if (!varies(graph, move, of)) continue;
      if (found >= 0 || graph.nodes.data[of].axes != n.axes) return -1;
      found = of;
    }
    return found;
  }
};

/// x + put(v, i) puts the elements into x, where the sum is an output and nothing else needs what was put: the output's
/// memory takes them, and no tensor of zeros is made.
struct put_into_sum {
  static constexpr bool holds(const builder& graph, int sum) { return put(graph, sum) >= 0; }
  static constexpr int result(builder& graph, int sum) {
    const int i = put(graph, sum), moved = graph.operands(sum)[i];
    const node n = graph.nodes.data[moved];
    const tensor_move move = graph.moves.data[n.access];
    const int operands[] = {graph.operands(moved)[0], graph.operands(moved)[1], graph.operands(sum)[1 - i]};
    return graph.append_move(*n.operation, &move, operands, 3);
  }

 private:
  /// Which operand of a sum was put; -1 if none can be put into the other.
  static constexpr int put(const builder& graph, int sum) {
    const node& n = graph.nodes.data[sum];
    if (n.kind != node_kind::apply || n.opcode != opcode::add || n.axes == 0) return -1;
    const int* terms = graph.operands(sum);
    for (int i = 0; i < 2; ++i) {
      const node& moved = graph.nodes.data[terms[i]];
      if (moved.kind == node_kind::apply && moved.operation->moves && moved.count == 2 &&
          graph.moves.data[moved.access].kind == move_kind::put && moved.axes == n.axes &&
          graph.nodes.data[terms[1 - i]].axes == n.axes && count_uses(graph, terms[i]) == 1 &&
          count_uses(graph, sum) == 0)
        return i;
    }
    return -1;
  }
  static constexpr int count_uses(const builder& graph, int index) {
    int uses = 0;
    for (int i = 0; i < graph.edges.size; ++i) uses += graph.edges.data[i] == index;
    return uses;
  }
};

}  // namespace rewriting

}  // namespace tapeless::program
