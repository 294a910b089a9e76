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

/// Where the range ends that a pad moves to; nothing where no rule tells.
constexpr const axis_rule* rule_of_range(const builder& graph, const tensor_move& pad) {
  for (const axis_rule& rule : graph.axis_rules)
    if (rule.how == axis_rule::form::range && rule.axis == pad.from.axes[pad.position] &&
        rule.of == pad.to.axes[pad.position] && rule.begin == pad.begin && rule.step == range_step{})
      return &rule;
  return nullptr;
}
/// Whether the range of one pad ends where that of another begins, or before: both count from the same end, or at the
/// same number.
constexpr bool ends_before(const builder& graph, const tensor_move& first, const tensor_move& second) {
  const axis_rule* const rule = rule_of_range(graph, first);
  if (!rule) return false;
  const extent_sum &end = rule->end, &begin = second.begin;
  const auto is_constant = [](const extent_sum& sum) { return sum.number < 0 && sum.count == 0; };
  return end == begin || (is_constant(end) && is_constant(begin) && (end.constant < 0) == (begin.constant < 0) &&
                          end.constant <= begin.constant);
}
/// A sum of pads whose ranges do not meet is one pad of several operands: each element is written once.
constexpr int sum_of_pads(builder& graph, const int* operands) {
  growing_array<tensor_move> all;
  growing_array<int> moved;
  for (int k = 0; k < 2; ++k) {
    const node n = graph.nodes.data[operands[k]];
    if (!applies(n, info<operation::Move>)) return -1;
    for (int j = 0, before = all.size; j < n.count; ++j) {
      tensor_move move = graph.moves.data[n.access + j];
      move.gaps = true;
      if (move.kind != move_kind::pad || move.step != range_step{}) return -1;
      for (int other = 0; other < before; ++other)
        if (all[other].to != move.to || all[other].position != move.position ||
            !(ends_before(graph, all[other], move) || ends_before(graph, move, all[other])))
          return -1;
      all.push_back(move), moved.push_back(graph.operands(operands[k])[j]);
    }
  }
  return graph.append_move(info<operation::Move>, all.data, moved.data, all.size);
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
