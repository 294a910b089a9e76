#ifndef TAPELESS_PROGRAM_SCHEDULE_HPP
#define TAPELESS_PROGRAM_SCHEDULE_HPP

#include <tapeless/program/axes.hpp>
#include <tapeless/program/program.hpp>

#include <array>
#include <cstddef>

/// From a program over tensors to loops. A kernel is one nest of loops over a set of axes with straight-line code in
/// it. Kernels follow each other in groups: those of a group run block by block over their outermost axis, so that
/// what one leaves for the next stays in the cache.
namespace tapeless::program {

enum class step_kind : unsigned char {
  /// The node is read: from a variable, a buffer, or as a constant.
  load,
  /// The node is computed from those before it.
  compute,
  /// The node, a reduction, takes in its operand.
  reduce,
  /// The node is written to its buffer.
  store,
  /// Output number `output`, the node, is written.
  output,
  /// Elements of the node's operand are moved into its buffer: the only step of its kernel.
  move,
};

struct step {
  step_kind kind{};
  int node = 0;
  int output = -1;
};

struct kernel {
  axis_set axes = 0;
  int first_step = 0;
  int end_step = 0;
  int group = 0;
};

/// Memory for a node that a kernel leaves for later ones: for one block of its group, or for all.
struct buffer {
  int node = 0;
  axis_set axes = 0;
  bool block = false;
  bool reduction = false;
};

/// An output and the axes that it is written over, which can be more than the node varies over.
struct scheduled_output {
  int node = 0;
  axis_set axes = 0;
};

struct schedule_builder {
  growing_array<step> steps;
  growing_array<kernel> kernels;
  growing_array<buffer> buffers;
  int groups = 0;
};

namespace detail {

class scheduler {
  graph_view graph_;
  growing_array<scheduled_output> outputs_;
  // The kernel of each node; for a reduction, that of its operand's loops.
  growing_array<int> kernel_of_;
  growing_array<int> kernel_of_output_;
  growing_array<char> stored_;
  growing_array<char> expensive_;
  growing_array<char> is_move_;
  schedule_builder result_;

  static constexpr int none = -1;

  constexpr const node& at(int i) const { return graph_.nodes[i]; }
  constexpr int operand(int i, int j) const { return graph_.edges[graph_.nodes[i].first + j]; }
  constexpr bool leaf(int i) const { return at(i).kind < node_kind::stop; }
  constexpr bool moves(int i) const { return at(i).kind == node_kind::apply && at(i).operation->moves; }
  /// The axes of the loops in which a node is computed or taken in.
  constexpr axis_set loops(int i) const { return at(i).axes | at(i).reduced; }

 public:
  /// `expensive` tells of each node whether computing it once more costs more than keeping it.
  constexpr scheduler(graph_view graph, const growing_array<scheduled_output>& outputs,
                      const growing_array<char>& expensive)
      : graph_(graph),
        outputs_(outputs),
        kernel_of_(graph.size, none),
        kernel_of_output_(outputs.size, none),
        stored_(graph.size, 0),
        expensive_(expensive) {}

  constexpr schedule_builder run() {
    form_kernels();
    is_move_ = growing_array<char>(result_.kernels.size, 0);
    for (int i = 0; i < graph_.size; ++i)
      if (moves(i)) is_move_[kernel_of_[i]] = 1;
    sink();
    drop_empty_kernels();
    choose_stored();
    for (int k = 0; k < result_.kernels.size; ++k) write_steps(k);
    write_buffers();
    return result_;
  }

 private:
  /// Takes, again and again, a set of loops and everything that is ready to be computed in them.
  constexpr void form_kernels() {
    axis_set group_axis = 0;
    int group_begin = 0;
    while (true) {
      // Within a group first, as long as nothing waits for a sum over its axis.
      axis_set best = 0;
      bool found = false, continues = false;
      int waiting_move = none;
      const auto consider = [&](axis_set axes, bool in_group) {
        if (found && continues && !in_group) return;
        if (found && continues == in_group && count_axes(axes) >= count_axes(best)) return;
        best = axes, found = true, continues = in_group;
      };
      const auto in_group = [&](axis_set axes) { return group_axis != 0 && outermost(axes) == group_axis; };
      for (int i = 0; i < graph_.size; ++i) {
        if (leaf(i) || kernel_of_[i] != none || !ready(i)) continue;
        if (moves(i)) {
          waiting_move = i;
          continue;
        }
        const axis_set axes = loops(i);
        consider(axes, in_group(axes) && !waits(i, group_begin, group_axis));
      }
      for (int o = 0; o < outputs_.size; ++o) {
        if (kernel_of_output_[o] != none || !available(outputs_[o].node)) continue;
        const axis_set axes = outputs_[o].axes;
        consider(axes, in_group(axes) && !awaited(outputs_[o].node, group_begin, group_axis));
      }
      if (waiting_move != none && !continues) {
        kernel_of_[waiting_move] = result_.kernels.size;
        result_.kernels.push_back({0, 0, 0, result_.groups++});
        group_axis = 0;
        continue;
      }
      if (!found) return;
      if (!continues) {
        group_axis = outermost(best);
        group_begin = result_.kernels.size;
        ++result_.groups;
      }
      fill(best, group_begin, group_axis);
    }
  }

  constexpr bool available(int i) const { return leaf(i) || kernel_of_[i] != none; }
  constexpr bool ready(int i) const {
    for (int j = 0; j < at(i).count; ++j)
      if (!available(operand(i, j))) return false;
    return true;
  }
  /// Whether a node is a reduction over the group's axis that the group itself computes.
  constexpr bool awaited(int i, int group_begin, axis_set group_axis) const {
    return kernel_of_[i] >= group_begin && (at(i).reduced & group_axis) != 0;
  }
  constexpr bool waits(int i, int group_begin, axis_set group_axis) const {
    for (int j = 0; j < at(i).count; ++j)
      if (awaited(operand(i, j), group_begin, group_axis)) return true;
    return false;
  }

  /// A kernel of everything that is ready in loops over `axes`.
  constexpr void fill(axis_set axes, int group_begin, axis_set group_axis) {
    const int k = result_.kernels.size;
    result_.kernels.push_back({axes, 0, 0, result_.groups - 1});
    const auto usable = [&](int i) {
      // What this kernel itself reduces, or what the group reduces over its axis, is not there yet.
      if (!available(i)) return false;
      return !(kernel_of_[i] == k && at(i).reduced) && !(group_axis && awaited(i, group_begin, group_axis));
    };
    for (int i = 0; i < graph_.size; ++i) {
      if (leaf(i) || moves(i) || kernel_of_[i] != none || loops(i) != axes) continue;
      bool all = true;
      for (int j = 0; j < at(i).count; ++j) all = all && usable(operand(i, j));
      if (all) kernel_of_[i] = k;
    }
    for (int o = 0; o < outputs_.size; ++o)
      if (kernel_of_output_[o] == none && outputs_[o].axes == axes && usable(outputs_[o].node))
        kernel_of_output_[o] = k;
  }

  /// Moves what only later kernels with the same loops use to the first of them.
  constexpr void sink() {
    growing_array<int> first_use(graph_.size, none);
    growing_array<char> pinned(graph_.size, 0);
    const auto use = [&](int i, int kernel) {
      if (leaf(i) || at(i).reduced || moves(i)) return;
      if (is_move_[kernel]) pinned[i] = 1;
      if (result_.kernels[kernel].axes != at(i).axes) pinned[i] = 1;
      if (first_use[i] == none || kernel < first_use[i]) first_use[i] = kernel;
    };
    for (int o = 0; o < outputs_.size; ++o) use(outputs_[o].node, kernel_of_output_[o]);
    for (int i = graph_.size - 1; i >= 0; --i) {
      if (leaf(i)) continue;
      if (!at(i).reduced && !moves(i) && !pinned[i] && first_use[i] != none) kernel_of_[i] = first_use[i];
      for (int j = 0; j < at(i).count; ++j) use(operand(i, j), kernel_of_[i]);
    }
  }

  /// Removes kernels, and groups of kernels, that `sink` has left nothing in.
  constexpr void drop_empty_kernels() {
    growing_array<int> number(result_.kernels.size, none);
    for (const int k : kernel_of_)
      if (k != none) number[k] = 0;
    for (const int k : kernel_of_output_) number[k] = 0;
    growing_array<kernel> kept;
    int last_group = none;
    result_.groups = 0;
    for (int k = 0; k < number.size; ++k) {
      if (number[k] == none) continue;
      kernel next = result_.kernels[k];
      if (next.group != last_group) ++result_.groups;
      last_group = next.group;
      next.group = result_.groups - 1;
      number[k] = kept.size;
      is_move_[kept.size] = is_move_[k];
      kept.push_back(next);
    }
    for (int i = 0; i < kernel_of_.size; ++i)
      if (kernel_of_[i] != none) kernel_of_[i] = number[kernel_of_[i]];
    for (int o = 0; o < kernel_of_output_.size; ++o) kernel_of_output_[o] = number[kernel_of_output_[o]];
    result_.kernels = kept;
  }

  /// What other kernels need is kept, unless it is cheap to compute once more there.
  constexpr void choose_stored() {
    constexpr int limit = 4;
    growing_array<char> crosses(graph_.size, 0), other_loops(graph_.size, 0);
    const auto use = [&](int i, int kernel) {
      if (leaf(i) || kernel_of_[i] == kernel) return;
      crosses[i] = 1;
      if (result_.kernels[kernel].axes != loops(i) || at(i).reduced || is_move_[kernel]) other_loops[i] = 1;
    };
    for (int i = 0; i < graph_.size; ++i)
      for (int j = 0; j < at(i).count; ++j) use(operand(i, j), kernel_of_[i]);
    for (int o = 0; o < outputs_.size; ++o) use(outputs_[o].node, kernel_of_output_[o]);
    growing_array<int> cost(graph_.size, 0);
    for (int i = 0; i < graph_.size; ++i) {
      if (leaf(i)) continue;
      if (at(i).reduced || moves(i)) {
        stored_[i] = 1;
        continue;
      }
      int sum = expensive_[i] ? limit + 1 : 1;
      for (int j = 0; j < at(i).count; ++j)
        if (!stored_[operand(i, j)] && loops(operand(i, j)) == loops(i)) sum += cost[operand(i, j)];
      cost[i] = sum;
      const bool pair = at(i).operation->pair;
      stored_[i] = !pair && (other_loops[i] || (crosses[i] && (sum > limit || at(i).axes == 0)));
      // Operands of other loops that are not kept must be: the node could be computed again elsewhere.
      for (int j = 0; j < at(i).count; ++j)
        if (const int from = operand(i, j); !leaf(from) && loops(from) != loops(i)) stored_[from] = 1;
    }
  }

  constexpr void write_steps(int k) {
    kernel& to = result_.kernels[k];
    to.first_step = result_.steps.size;
    if (is_move_[k]) {
      int moved = 0;
      while (kernel_of_[moved] != k) ++moved;
      result_.steps.push_back({step_kind::move, moved});
      to.end_step = result_.steps.size;
      return;
    }
    growing_array<char> needed(graph_.size, 0);
    for (int o = 0; o < outputs_.size; ++o)
      if (kernel_of_output_[o] == k) needed[outputs_[o].node] = 1;
    const auto computed_here = [&](int i) {
      return !leaf(i) && !at(i).reduced && (kernel_of_[i] == k || (!stored_[i] && at(i).axes == to.axes));
    };
    for (int i = graph_.size - 1; i >= 0; --i) {
      const bool mine = !leaf(i) && kernel_of_[i] == k && (at(i).reduced || stored_[i]);
      if (mine && !at(i).reduced) needed[i] = 1;
      if (!mine && !needed[i]) continue;
      if (leaf(i) || (!computed_here(i) && !(mine && at(i).reduced))) continue;
      for (int j = 0; j < at(i).count; ++j) needed[operand(i, j)] = 1;
    }
    for (int i = 0; i < graph_.size; ++i)
      if (needed[i] && !computed_here(i)) result_.steps.push_back({step_kind::load, i});
    for (int i = 0; i < graph_.size; ++i)
      if (needed[i] && computed_here(i)) result_.steps.push_back({step_kind::compute, i});
    for (int i = 0; i < graph_.size; ++i) {
      if (leaf(i) || kernel_of_[i] != k) continue;
      if (at(i).reduced) result_.steps.push_back({step_kind::reduce, i});
      if (stored_[i] && !at(i).reduced) result_.steps.push_back({step_kind::store, i});
    }
    for (int o = 0; o < outputs_.size; ++o)
      if (kernel_of_output_[o] == k) result_.steps.push_back({step_kind::output, outputs_[o].node, o});
    result_.kernels[k].end_step = result_.steps.size;
  }

  constexpr void write_buffers() {
    growing_array<char> leaves_group(graph_.size, 0);
    for (int i = 0; i < graph_.size; ++i) {
      if (!moves(i)) continue;
      leaves_group[i] = 1;
      for (int j = 0; j < at(i).count; ++j) leaves_group[operand(i, j)] = 1;
    }
    for (const kernel& k : result_.kernels)
      for (int s = k.first_step; s < k.end_step; ++s) {
        const step& use = result_.steps[s];
        if (use.kind != step_kind::load || leaf(use.node)) continue;
        const kernel& from = result_.kernels[kernel_of_[use.node]];
        if (from.group != k.group) leaves_group[use.node] = 1;
      }
    for (int i = 0; i < graph_.size; ++i) {
      if (leaf(i) || !stored_[i]) continue;
      const bool block = (at(i).axes & outermost(loops(i))) != 0 && !leaves_group[i];
      result_.buffers.push_back({i, at(i).axes, block, at(i).reduced != 0});
    }
  }
};

}  // namespace detail

}  // namespace tapeless::program

#endif
