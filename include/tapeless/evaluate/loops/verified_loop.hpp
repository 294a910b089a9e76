#pragma once

#include <tapeless/core/target.hpp>
#include <tapeless/evaluate/loops/loop_values.hpp>
#include <tapeless/evaluate/loops/steps_in_lanes.hpp>
#include <tapeless/program/graph/verify_independent_steps.hpp>

#include <cstddef>

/// Whether a loop gets what its body takes, and keeps what later loops read.
namespace tapeless::scalar::inline TAPELESS_TARGET::detail {

enum class loop_rule : unsigned char {
  none,
  /// The loop has as many operands as its shape says, sequences where the body has them (loop_in_program::operands),
  /// and the body as many variables and outputs.
  captures,
  /// The body gives the next carries, what is read of the stacked outputs, and what is kept: scan_loop::step.
  results,
  /// Rows of an earlier loop are those of the same steps: row_of_history::go_to.
  steps,
  /// What a variable stands for in both loops is the same: the same capture, the same sequence, the history of the
  /// carry.
  common,
  /// What is read of the earlier loop's steps is kept: row_of_history::kept.
  kept,
  /// Steps that are made at a time need nothing of each other: steps_in_lanes.
  independent,
};

struct loop_fault {
  loop_rule rule = loop_rule::none;
  int variable = -1;
};

constexpr loop_fault captures_of_loop(program::graph_view of, int loop, program::graph_view body, int outputs) {
  const program::node& n = of.nodes[loop];
  const operation::scan_shape& shape = *n.operation->shape;
  if (n.count != shape.operands() || body.variables != shape.operands() || outputs != shape.carries + shape.stacked)
    return {loop_rule::captures};
  for (int j = 0; j < n.count; ++j)
    if (of.nodes[of.edges[n.first + j]].sequence != (j >= shape.first_table())) return {loop_rule::captures, j - 1};
  for (int i = 0; i < body.size; ++i)
    if (const program::node& v = body.nodes[i];
        v.kind == program::node_kind::variable &&
        v.sequence != (v.leaf >= shape.first_table() - 1 && v.leaf < shape.first_sequence() - 1))
      return {loop_rule::captures, v.leaf};
  return {};
}

/// Whether the number at node `count` is that of the steps of loop `E`: their operand, or the length of what has one
/// element a step.
template <class P, std::size_t E>
constexpr bool counts_steps_of(int count) {
  const auto is = [](int index, const program::operation_info& operation) {
    return P::value[index].kind == program::node_kind::apply && *P::value[index].operation == operation;
  };
  while (count != P::value.operand(E, 0)) {
    if (!is(count, program::info<tapeless::operation::Length>)) return false;
    const int sequence = P::value.operand(count, 0);
    const bool repeats = is(sequence, program::info<tapeless::operation::Repeat>);
    if (!repeats && !program::reads_loop(P::value[sequence])) return false;
    const int loop = P::value.operand(sequence, 0);
    if (!repeats && shape_of_loop<P>(static_cast<std::size_t>(loop)).ends) return false;
    count = repeats ? P::value.operand(sequence, 1) : P::value.operand(loop, 0);
  }
  return true;
}

template <class Code>
constexpr bool steps_are_independent() {
  if constexpr (steps_at_a_time<Code, double> > 1)
    return program::have_roles<typename Code::body, Code::operation::shape.carries>;
  return true;
}

/// Whether the body of a loop reads nothing that other loops keep, or which variable is such.
constexpr loop_fault kept_of_none(program::graph_view body, int operands) {
  for (int i = 0; i < body.size; ++i)
    if (const program::node& n = body.nodes[i]; n.kind == program::node_kind::variable && n.leaf >= operands)
      return {loop_rule::kept, n.leaf};
  return {};
}

/// What is wrong with loop `I` of the finished program `P`.
template <class P, std::size_t I>
constexpr loop_fault find_fault_of_loop() {
  using Op = program::operation_of<P::value.nodes[I].operation>;
  if constexpr (constexpr loop_fault found = captures_of_loop(P::view(), static_cast<int>(I), Op::body::view(),
                                                              static_cast<int>(Op::body::value.outputs.size()));
                found.rule != loop_rule::none) {
    return found;
  } else {
    using loop = loop_at<P, I>;
    constexpr operation::scan_shape shape = Op::shape;
    constexpr auto& body = loop::code::body::value;
    if (static_cast<int>(body.outputs.size()) !=
        shape.carries + loop::live.count(shape.carries, shape.carries + shape.stacked) + loop::kept.size())
      return {loop_rule::results};
    if (!steps_are_independent<typename loop::code>()) return {loop_rule::independent};
    constexpr int E = loop::earlier;
    if constexpr (E < 0) {
      return kept_of_none(loop::code::body::view(), shape.operands());
    } else {
      constexpr auto e = static_cast<std::size_t>(E);
      constexpr operation::scan_shape before = loop_at<P, e>::operation::shape;
      if (e >= I || before.checkpoints > 0 || before.ends || !counts_steps_of<P, e>(P::value.operand(I, 0)))
        return {loop_rule::steps};
      constexpr auto& common = common_variables<P, I, e>;
      for (int own = 0; own < shape.operands(); ++own) {
        const int other = common[own];
        if (other < 0) continue;
        const int from = own < shape.operands() - 1 ? P::value.operand(I, 1 + own) : -1;
        const bool element = own >= shape.first_sequence() - 1;
        bool same = false;
        if (own < shape.carries || other >= before.operands())
          same = false;
        else if (other < before.carries)
          same = element && from >= 0 && reads_history_of(P::view(), from, E) &&
                 P::value[from].operation->output_read == before.history(other);
        else if (other == before.operands() - 1 || from < 0)
          same = other == before.operands() - 1 && from < 0;
        else
          same = element == (other >= before.first_sequence() - 1) && from == P::value.operand(e, 1 + other);
        if (!same) return {loop_rule::common, own};
      }
      for (const program::node& n : body.nodes)
        if (n.kind == program::node_kind::variable && n.leaf >= shape.operands() &&
            loop_at<P, e>::kept.find(n.leaf - shape.operands()) < 0)
          return {loop_rule::kept, n.leaf};
      return {};
    }
  }
}
template <class P, std::size_t I>
inline constexpr loop_fault fault_of_loop = find_fault_of_loop<P, I>();

}  // namespace tapeless::scalar::inline TAPELESS_TARGET::detail
