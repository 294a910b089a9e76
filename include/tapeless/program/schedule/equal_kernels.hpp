#pragma once

#include <tapeless/program/schedule/schedule.hpp>

namespace tapeless::program {

/// Finds the kernels of a schedule that are the same but for where their memory lies, along which axes they run, and
/// which extents and numbers of the formula they load: the unrolled steps of a loop have many, and one function
/// computes them. Their steps are brought into the same order.
class equal_kernels {
  graph_view graph_;
  schedule_builder& made_;
  /// Whether the memory of a node is that of a block.
  growing_array<char> block_;
  /// What stands for each other in the two kernels that are compared; where that is not known, -1 for what is loaded
  /// and -2 for what is computed.
  growing_array<int> in_other_, in_first_;

  constexpr const node& at(int i) const { return graph_.nodes[i]; }
  constexpr bool pair(int i, int other) {
    int &a = in_other_.data[i], &b = in_first_.data[other];
    if (a < 0 && a == b) a = other, b = i;
    return a == other && b == i;
  }
  constexpr bool may_pair(int i, int other) const {
    const int a = in_other_.data[i], b = in_first_.data[other];
    return a < 0 ? a == b && at(i).opcode == at(other).opcode : a == other;
  }
  constexpr bool pair_operands(const node& n, const node& other) {
    if (!same_operation(n, other) || n.count != other.count) return false;
    const int* const of = graph_.edges + n.first;
    const int* const others = graph_.edges + other.first;
    // Operands of sums and products are in the order of their numbers.
    const bool swaps =
        n.count == 2 && n.operation->laws.commutative && (!may_pair(of[0], others[0]) || !may_pair(of[1], others[1]));
    for (int j = 0; j < n.count; ++j)
      if (!pair(of[j], others[swaps ? 1 - j : j])) return false;
    return true;
  }

  /// All that lies in memory is read alike.
  static constexpr node_kind kind_of(const node& n) {
    const bool is_number = n.kind == node_kind::constant || n.kind == node_kind::number || n.kind == node_kind::extent;
    return is_number ? n.kind : node_kind::variable;
  }
  static constexpr bool same_axes(axis_set axes, axis_set of, axis_set other_axes, axis_set of_other) {
    for (; of && of_other; of &= of - 1, of_other &= of_other - 1)
      if (!(axes & outermost(of)) != !(other_axes & outermost(of_other))) return false;
    return !of && !of_other;
  }
  constexpr bool are_equal(const kernel& k, const kernel& other) {
    const int count = k.end_step - k.first_step;
    step* const steps = made_.steps.data + k.first_step;
    step* const other_steps = made_.steps.data + other.first_step;
    if (other.end_step - other.first_step != count) return false;
    for (int s = 0; s < count; ++s) {
      if (steps[s].kind != other_steps[s].kind) return false;
      if (steps[s].kind == step_kind::load || steps[s].kind == step_kind::compute)
        in_other_.data[steps[s].node] = in_first_.data[other_steps[s].node] =
            steps[s].kind == step_kind::load ? -1 : -2;
    }
    // From the results to what they are computed from.
    for (int s = count; s-- > 0;) {
      const step_kind kind = steps[s].kind;
      const bool is_result = kind != step_kind::load && kind != step_kind::compute;
      const int i = steps[s].node, j = is_result ? other_steps[s].node : in_other_.data[i];
      const node &n = at(i), &m = at(j);
      if (n.condition != m.condition || !same_axes(n.axes, k.axes, m.axes, other.axes) ||
          !same_axes(n.reduced, k.axes, m.reduced, other.axes) ||
          (kind != step_kind::compute && block_.data[i] != block_.data[j]))
        return false;
      if (kind == step_kind::load ? kind_of(n) != kind_of(m) || (n.kind == node_kind::constant && n.leaf != m.leaf)
          : kind == step_kind::compute || kind == step_kind::reduce ? !pair_operands(n, m)
                                                                    : !pair(i, j))
        return false;
    }
    for (int s = 0; s < count && (steps[s].kind == step_kind::load || steps[s].kind == step_kind::compute); ++s)
      other_steps[s].node = in_other_.data[steps[s].node];
    return true;
  }

 public:
  constexpr equal_kernels(graph_view graph, schedule_builder& made)
      : graph_(graph), made_(made), block_(graph.size, 0), in_other_(graph.size, -1), in_first_(in_other_) {
    for (const buffer& b : made.buffers) block_[b.node] = b.block;
  }

  /// Moves of elements and what has no loops are equal to nothing else.
  constexpr void find() {
    constexpr unsigned lists = 64;
    growing_array<int> last(static_cast<int>(lists), -1), before(made_.kernels.size, -1);
    for (int k = 0; k < made_.kernels.size; ++k) {
      kernel& of = made_.kernels.data[k];
      unsigned hash = 0;
      for (int s = of.first_step; s < of.end_step; ++s)
        hash += static_cast<unsigned>(at(made_.steps.data[s].node).opcode);
      int& list = last.data[hash % lists];
      int other = of.axes ? list : -1;
      while (other >= 0 && !are_equal(made_.kernels.data[other], of)) other = before.data[other];
      of.form = other < 0 ? k : other;
      if (other < 0) before.data[k] = list, list = k;
    }
  }
};

}  // namespace tapeless::program
