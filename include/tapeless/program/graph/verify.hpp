#pragma once

#include <tapeless/operation/scan.hpp>
#include <tapeless/operation/two_lanes.hpp>
#include <tapeless/program/graph/operation_info.hpp>

/// Whether a program is one: each pass ends in arrays of nodes that the next pass, or the evaluator, takes for granted.
namespace tapeless::program {

enum class program_rule : unsigned char {
  none,
  /// Operands stand before what uses them.
  operands,
  /// An operation has as many operands as it takes; leaves have none.
  count,
  /// A value varies over the axes of its operands but those reduced, a tensor that is moved over those of the move,
  /// which are different ones, a leaf over those of its access; programs of numbers have no axes.
  axes,
  /// Conditions are what comparisons and logical operations give, and what selections and logical operations take.
  condition,
  /// Sequences are what operations of loops give; what reads a loop's output follows the loop.
  sequence,
  /// Pairs and lanes are taken apart by the operations that do so.
  pair,
  /// Leaves, accesses, moves and outputs are in range.
  range,
  /// The steps of a loop over tensors that is a sum only add to what they carry.
  steps,
  /// A tensor that is bound, or a rule, tells a call how long each axis is.
  extent,
};

struct program_fault {
  program_rule rule = program_rule::none;
  int node = -1;
};

namespace detail {

/// How many operands an operation has by its part in algebra; -1 where that does not tell.
constexpr int operands_in(opcode role) {
  using enum opcode;
  return role == negate || role == logical_not ? 1 : role == where ? 3 : role >= add ? 2 : -1;
}

/// The check of the nodes, which is the same function for programs of all sizes.
struct program_check {
  const node* nodes;
  const int* edges;
  const tensor_access* accesses;
  const tensor_move* moves;
  int size, edge_count, constant_count, access_count, move_count, numbers;

  static constexpr bool is_in(int i, int count) { return i >= 0 && i < count; }
  constexpr bool over_tensors() const { return access_count > 0; }
  constexpr const node& operand(const node& n, int j) const { return nodes[edges[n.first + j]]; }

  constexpr program_rule rule_of_leaf(const node& n) const {
    using enum program_rule;
    if (n.count != 0 || n.reduced != 0) return count;
    if (n.condition) return condition;
    const bool reads = over_tensors() && is_read(n.kind);
    if (n.leaf < 0 || (n.kind == node_kind::constant && n.leaf >= constant_count) ||
        (n.kind == node_kind::number && n.leaf >= numbers) || (reads && !is_in(n.access, access_count)))
      return range;
    if (reads && accesses[n.access].of != n.leaf) return range;
    const axis_set own = reads ? accesses[n.access].set() : 0;
    return n.axes != own ? axes : none;
  }
  static constexpr bool has_axis_twice(const tensor_access& access) {
    for (int i = 0; i < access.rank; ++i)
      for (int j = 0; j < i; ++j)
        if (access.axes[i] >= 0 && access.axes[i] == access.axes[j]) return true;
    return false;
  }
  constexpr program_rule rule_of_axes(const node& n) const {
    using enum program_rule;
    // Also a formula of matrices that is only asked what it contains has no axes and no moves.
    if (!over_tensors()) return n.axes ? axes : none;
    axis_set all = 0;
    for (int j = 0; j < n.count; ++j) all |= operand(n, j).axes;
    if (n.kind != node_kind::apply || !n.operation->moves) return n.axes != (all & ~n.reduced) ? axes : none;
    const auto move = [&](int which) -> const tensor_move& { return moves[n.access + which]; };
    if (!is_in(n.access, move_count)) return range;
    if (n.reduced != 0 || n.axes != move(0).to.set() || has_axis_twice(move(0).to)) return axes;
    if (move(0).has_indices()) {
      const axis_set base = n.count > 2 ? operand(n, 2).axes & ~n.axes : 0;
      return n.count < 2 || n.count > 3 ? count : base != 0 || (operand(n, 0).axes & ~move(0).from.set()) ? axes : none;
    }
    if (!is_in(n.access + n.count - 1, move_count)) return range;
    for (int j = 0; j < n.count; ++j)
      if ((operand(n, j).axes & ~move(j).from.set()) || (!n.operation->of_matrices && move(j).to.set() != n.axes))
        return axes;
    return none;
  }
  static constexpr program_rule rule_of_count(const node& n) {
    const int expected = operands_in(n.opcode);
    return (expected >= 0 ? n.count != expected : n.reduced && n.count != 1) ? program_rule::count : program_rule::none;
  }
  /// Whether only some operations take the node.
  static constexpr bool is_special(const node& n) {
    return n.kind == node_kind::apply ? !n.operation->ordinary : n.condition || n.sequence;
  }
  constexpr program_rule rule_of_apply(const node& n) const {
    using enum program_rule;
    const operation_info& op = *n.operation;
    if (rule_of_count(n) != none) return count;
    if (n.condition != op.condition) return condition;
    const bool logical = n.opcode == opcode::logical_not || n.opcode == opcode::logical_and ||
                         n.opcode == opcode::logical_or || (n.reduced && op.condition);
    if (n.sequence != op.sequence) return sequence;
    if (op.reads_loop() &&
        (n.count != 1 || !is_loop(operand(n, 0)) || op.output_read >= operand(n, 0).operation->outputs))
      return sequence;
    for (int j = 0; j < n.count; ++j) {
      const node& x = operand(n, j);
      if (x.condition != (logical || (n.opcode == opcode::where && j == 0)) && !op.moves) return condition;
      if ((x.sequence || is_loop(x)) && !op.of_loops && op != info<operation::Length>) return sequence;
      if (x.kind != node_kind::apply) continue;
      if (x.operation->pair && !(op == info<operation::First> || op == info<operation::Second>)) return pair;
      if (x.operation->two_lanes && !op.two_lanes &&
          !(op == info<operation::Lane<0>> || op == info<operation::Lane<1>>))
        return pair;
    }
    return none;
  }
  constexpr program_rule rule_of(int i, const growing_array<char>& special) const {
    using enum program_rule;
    const node& n = nodes[i];
    if (n.count < 0 || n.first < 0 || n.first + n.count > edge_count) return operands;
    bool takes_special = false;
    for (int j = 0; j < n.count; ++j) {
      const int x = edges[n.first + j];
      if (x < 0 || x >= i) return operands;
      takes_special |= special[x];
    }
    if (is_leaf(n.kind)) return rule_of_leaf(n);
    if (const program_rule found = rule_of_axes(n); found != none) return found;
    if (n.kind == node_kind::apply && n.operation->ordinary && !takes_special)
      return n.condition ? condition : n.sequence ? sequence : rule_of_count(n);
    if (n.kind == node_kind::apply) return rule_of_apply(n);
    return n.count != 1 ? count : n.condition != operand(n, 0).condition ? condition : none;
  }

  constexpr program_fault run(const int* outputs, int output_count) const {
    growing_array<char> special(size, 0);
    for (int i = 0; i < size; special[i] = is_special(nodes[i]), ++i)
      if (const program_rule found = rule_of(i, special); found != program_rule::none) return {found, i};
    for (int o = 0; o < output_count; ++o)
      if (!is_in(outputs[o], size)) return {program_rule::range, outputs[o]};
    return {};
  }
};

}  // namespace detail

/// The first node of a program that is not what its operation says.
template <class Program>
constexpr program_fault find_fault(const Program& program) {
  const auto size = [](const auto& array) { return static_cast<int>(array.size()); };
  return detail::program_check{
      program.nodes.data(), program.edges.data(),    program.accesses.data(), program.moves.data(), size(program.nodes),
      size(program.edges),  size(program.constants), size(program.accesses),  size(program.moves),  program.numbers}
      .run(program.outputs.data(), size(program.outputs));
}

/// The same of what a pass gives, unless it only records a function of tensors: then ranks are not known yet.
template <class Pass, class Program>
constexpr program_fault verify_result(const Program& program) {
  if constexpr (requires { requires Pass::is_recording; })
    return {};
  else
    return find_fault(program);
}

/// The first node along an axis that nothing tells the extent of, or whose value is an output that lacks the axis: of a
/// lowered program. What only told an extent may be gone from those that are made of it.
template <class Program>
constexpr program_fault verify_lowered(const Program& program) {
  axis_set told = 0;
  for (const axis_rule& rule : program.axis_rules) told |= axis_set{1} << rule.axis;
  for (const tensor_access& access : program.accesses) {
    if (access.is_variable()) told |= access.set();
    if (access.kind != access_kind::output) continue;
    const int output = program.outputs[static_cast<std::size_t>(access.of)];
    if (program.nodes[static_cast<std::size_t>(output)].axes & ~access.set()) return {program_rule::axes, output};
  }
  int i = 0;
  for (const node& n : program.nodes) {
    if ((n.axes | n.reduced) & ~told) return {program_rule::extent, i};
    ++i;
  }
  return {};
}

/// A message with what was found: the rule, and where.
template <auto Found>
inline constexpr bool is_sound = [] {
  static_assert(Found.rule == decltype(Found.rule)::none,
                "tapeless: this program is none, or the plan, the packs or the loop do not compute it [TL238]");
  return true;
}();

}  // namespace tapeless::program
