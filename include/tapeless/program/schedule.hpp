#ifndef TAPELESS_PROGRAM_SCHEDULE_HPP
#define TAPELESS_PROGRAM_SCHEDULE_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/program/axes.hpp>
#include <tapeless/program/program.hpp>
#include <tapeless/program/tuning.hpp>

#include <bit>
#include <cstdint>

/// From a program over tensors to loops. A kernel is one nest of loops over a set of axes with straight-line code in
/// it. Kernels follow each other in groups: those of a group run block by block over their outermost axis, so that
/// what one leaves for the next stays in the cache. Where several processes each have a part of an axis, groups follow
/// each other in phases: what a phase reduces over such an axis is summed over the processes before the next begins.
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
  int phase = 0;
};

/// Memory for a node that kernel number `kernel` leaves for later ones: for one block of its group, or for all. Where
/// an output is the node, it is that output's memory.
struct buffer {
  int node = 0;
  axis_set axes = 0;
  bool block = false;
  bool reduction = false;
  int kernel = 0;
  int output = -1;
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

/// A set of nodes that is walked through in order, without looking at each node there is.
class node_set {
  growing_array<std::uint64_t> words_;

 public:
  constexpr explicit node_set(int nodes) : words_(nodes / 64 + 1, 0) {}
  constexpr void insert(int i) { words_.data[i >> 6] |= std::uint64_t{1} << (i & 63); }
  constexpr void clear() {
    for (int w = 0; w < words_.size; ++w) words_.data[w] = 0;
  }
  template <class Visit>
  constexpr void for_each(Visit visit) const {
    for (int w = 0; w < words_.size; ++w)
      for (std::uint64_t left = words_.data[w]; left; left &= left - 1) visit(64 * w + std::countr_zero(left));
  }
  /// From the last to the first; `visit` may insert nodes before the one that it is given.
  template <class Visit>
  constexpr void for_each_backwards(Visit visit) const {
    for (int w = words_.size; w-- > 0;)
      for (std::uint64_t done = 0; const std::uint64_t left = words_.data[w] & ~done;) {
        const int bit = 63 - std::countl_zero(left);
        done |= std::uint64_t{1} << bit;
        visit(64 * w + bit);
      }
  }
};

// Compilers count the steps of a constant evaluation, so all that is done for each kernel is done for its own nodes.
class scheduler {
  graph_view graph_;
  growing_array<scheduled_output> outputs_;
  growing_array<char> expensive_;
  /// The axes of which each process has a part.
  axis_set sharded_;
  // The kernel of each item: of the nodes, then of the outputs. For a reduction, that of its operand's loops.
  growing_array<int> kernel_of_;
  growing_array<char> stored_;
  growing_array<char> is_move_;
  /// The output that is written instead of a node's buffer.
  growing_array<int> in_place_;
  schedule_builder result_;

  static constexpr int none = -1;

  /// The items that want the same loops: those that are ready, and those that wait for the end of the group.
  struct loop_set {
    axis_set axes = 0;
    int ready = none;
    int waiting = none;
    int first = 0;
    /// Whether one of those that are ready leads to a reduction over a sharded axis.
    bool leads = false;
  };
  growing_array<loop_set> sets_;
  growing_array<int> set_of_;
  /// The next in the list that an item is in.
  growing_array<int> next_;
  /// How many operands of each item no kernel has yet, and which items use each node: from first_user_[i] on.
  growing_array<int> missing_;
  growing_array<int> users_;
  growing_array<int> first_user_;
  /// What the kernel reduces that is being filled is there for the next one only.
  int after_kernel_ = none;
  growing_array<int> ready_moves_;
  axis_set group_axis_ = 0;
  int group_begin_ = 0;
  /// What waits for the sums over the processes at the end of the phase, and the nodes that lead to such sums.
  int next_phase_ = none;
  growing_array<char> leads_;
  int phase_ = 0;
  int phase_begin_ = 0;

  constexpr const node& at(int i) const { return graph_.nodes[i]; }
  constexpr int operand(int i, int j) const { return graph_.edges[graph_.nodes[i].first + j]; }
  constexpr bool leaf(int i) const { return is_leaf(at(i).kind); }
  constexpr bool moves(int i) const { return at(i).kind == node_kind::apply && at(i).operation->moves; }
  /// The axes of the loops in which a node is computed or taken in.
  constexpr axis_set loops(int i) const { return at(i).axes | at(i).reduced; }

  constexpr int items() const { return graph_.size + outputs_.size; }
  constexpr bool is_output(int item) const { return item >= graph_.size; }
  constexpr const scheduled_output& output(int item) const { return outputs_[item - graph_.size]; }
  constexpr int count_operands(int item) const { return is_output(item) ? 1 : at(item).count; }
  constexpr int operand_of(int item, int j) const { return is_output(item) ? output(item).node : operand(item, j); }

 public:
  /// `expensive` tells of each node whether computing it once more costs more than keeping it.
  constexpr scheduler(graph_view graph, const growing_array<scheduled_output>& outputs,
                      const growing_array<char>& expensive, axis_set sharded)
      : graph_(graph),
        outputs_(outputs),
        expensive_(expensive),
        sharded_(sharded),
        kernel_of_(items(), none),
        stored_(graph.size, 0),
        in_place_(graph.size, none),
        set_of_(items(), none),
        next_(items(), none),
        missing_(items(), 0),
        first_user_(graph.size + 1, 0) {}

  constexpr schedule_builder run() {
    find_users();
    if (sharded_) find_leading();
    for (int i = 0; i < items(); ++i)
      if (is_output(i) || !leaf(i)) {
        set_of_[i] = find_set(is_output(i) ? output(i).axes : loops(i));
        if (missing_[i] == 0) add_ready(i);
      }
    form_kernels();
    is_move_ = growing_array<char>(result_.kernels.size, 0);
    for (int i = 0; i < graph_.size; ++i)
      if (moves(i)) is_move_[kernel_of_[i]] = 1;
    sink();
    choose_stored();
    choose_in_place();
    write_all_steps();
    write_buffers();
    drop_empty_kernels();
    return result_;
  }

 private:
  /// visit(item, node) for each operand that is computed.
  template <class Visit>
  constexpr void for_each_use(Visit visit) const {
    for (int i = 0; i < items(); ++i)
      for (int j = 0; j < count_operands(i); ++j)
        if (const int of = operand_of(i, j); !leaf(of)) visit(i, of);
  }
  constexpr void find_users() {
    for_each_use([&](int item, int of) { ++missing_[item], ++first_user_[of]; });
    int sum = 0;
    for (int i = 0; i <= graph_.size; ++i) {
      sum += first_user_[i];
      first_user_[i] = sum;
    }
    users_ = growing_array<int>(sum, 0);
    for_each_use([&](int item, int of) { users_[--first_user_[of]] = item; });
  }
  constexpr void find_leading() {
    leads_ = growing_array<char>(items(), 0);
    for (int i = graph_.size; i-- > 0;) {
      if (!leaf(i) && (at(i).reduced & sharded_)) leads_[i] = 1;
      for (int j = 0; leads_[i] && j < at(i).count; ++j) leads_[operand(i, j)] = 1;
    }
  }
  constexpr int find_set(axis_set axes) {
    for (int s = 0; s < sets_.size; ++s)
      if (sets_.data[s].axes == axes) return s;
    sets_.push_back({axes});
    return sets_.size - 1;
  }

  constexpr void add_ready(int item) {
    if (!is_output(item) && moves(item)) return ready_moves_.push_back(item);
    loop_set& to = sets_[set_of_[item]];
    if (to.ready == none || item < to.first) to.first = item;
    if (to.ready == none) to.leads = false;
    to.leads = to.leads || (sharded_ && leads_[item]);
    push(to.ready, item);
  }
  constexpr void push(int& list, int item) {
    next_[item] = list;
    list = item;
  }
  constexpr int pop(int& list) {
    const int item = list;
    list = next_[item];
    return item;
  }
  /// Takes an item into the last kernel.
  constexpr void place(int item) {
    const int k = result_.kernels.size - 1;
    kernel_of_[item] = k;
    if (is_output(item)) return;
    for (int u = first_user_[item]; u < first_user_[item + 1]; ++u) {
      const int user = users_[u];
      if (--missing_[user] != 0) continue;
      bool waits = false, next_kernel = false, next_phase = false;
      for (int j = 0; j < count_operands(user); ++j) {
        const int of = operand_of(user, j);
        next_phase = next_phase || ((at(of).reduced & sharded_) && kernel_of_[of] >= phase_begin_);
        if (kernel_of_[of] < group_begin_ || !at(of).reduced) continue;
        waits = waits || (at(of).reduced & group_axis_) != 0;
        next_kernel = next_kernel || kernel_of_[of] == k;
      }
      if (next_phase)
        push(next_phase_, user);
      else if (!is_output(user) && moves(user))
        ready_moves_.push_back(user);
      else if (waits)
        push(sets_[set_of_[user]].waiting, user);
      else if (next_kernel)
        push(after_kernel_, user);
      else
        add_ready(user);
    }
  }

  /// Takes, again and again, a set of loops and everything that is ready to be computed in them.
  constexpr void form_kernels() {
    while (true) {
      // Within a group first, as long as nothing waits for a sum over its axis.
      int best = smallest_ready(true);
      if (best == none) {
        group_axis_ = 0;
        group_begin_ = result_.kernels.size;
        for (int s = 0; s < sets_.size; ++s)
          while (sets_[s].waiting != none) add_ready(pop(sets_[s].waiting));
        best = ready_moves_.size > 0 ? none : smallest_ready(false);
        if (best == none && ready_moves_.size == 0) {
          if (next_phase_ == none) return;
          ++phase_;
          phase_begin_ = group_begin_;
          while (next_phase_ != none) add_ready(pop(next_phase_));
          best = ready_moves_.size > 0 ? none : smallest_ready(false);
        }
        ++result_.groups;
        if (best != none) group_axis_ = outermost(sets_[best].axes);
      }
      const axis_set axes = best == none ? axis_set{0} : sets_[best].axes;
      result_.kernels.push_back({axes, 0, 0, result_.groups - 1, phase_});
      if (best == none)
        place(ready_moves_[--ready_moves_.size]);
      else
        while (sets_[best].ready != none) place(pop(sets_[best].ready));
      while (after_kernel_ != none) add_ready(pop(after_kernel_));
    }
  }
  constexpr int smallest_ready(bool in_group) const {
    int best = none;
    for (int s = 0; s < sets_.size; ++s) {
      const loop_set& set = sets_.data[s];
      if (set.ready == none || (in_group && (group_axis_ == 0 || outermost(set.axes) != group_axis_))) continue;
      // What the other processes wait for comes first, so that the rest is computed while numbers are on their way.
      if (best != none && !in_group && set.leads != sets_.data[best].leads) {
        if (set.leads) best = s;
        continue;
      }
      const int more = best == none ? -1 : count_axes(set.axes) - count_axes(sets_.data[best].axes);
      if (more < 0 || (more == 0 && set.first < sets_.data[best].first)) best = s;
    }
    return best;
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
    for (int i = items() - 1; i >= 0; --i) {
      if (!is_output(i)) {
        if (leaf(i)) continue;
        if (!at(i).reduced && !moves(i) && !pinned[i] && first_use[i] != none) kernel_of_[i] = first_use[i];
      }
      for (int j = 0; j < count_operands(i); ++j) use(operand_of(i, j), kernel_of_[i]);
    }
  }

  /// What other kernels need is kept, unless it is cheap to compute once more there.
  constexpr void choose_stored() {
    growing_array<char> crosses(graph_.size, 0), other_loops(graph_.size, 0);
    for_each_use([&](int item, int i) {
      const int kernel = kernel_of_[item];
      if (kernel_of_[i] == kernel) return;
      crosses[i] = 1;
      if (result_.kernels[kernel].axes != loops(i) || at(i).reduced || is_move_[kernel]) other_loops[i] = 1;
    });
    for (int i = 0; i < graph_.size; ++i) {
      if (leaf(i)) continue;
      if (at(i).reduced || moves(i)) {
        stored_[i] = 1;
        continue;
      }
      const bool pair = at(i).operation->pair;
      stored_[i] = !pair && (other_loops[i] || (crosses[i] && (at(i).axes == 0 || is_costly(i))));
      // Operands of other loops that are not kept must be: the node could be computed again elsewhere.
      for (int j = 0; j < at(i).count; ++j)
        if (const int from = operand(i, j); !leaf(from) && loops(from) != loops(i)) stored_[from] = 1;
    }
  }
  /// Whether a node and what it is computed from, each counted once, are more than a few steps, or expensive ones.
  constexpr bool is_costly(int i) const {
    constexpr int limit = tuning::steps_again;
    int found[limit] = {i};
    int count = 1;
    for (int next = 0; next < count; ++next) {
      const int user = found[next];
      if (expensive_[user]) return true;
      for (int j = 0; j < at(user).count; ++j) {
        const int of = operand(user, j);
        if (leaf(of) || stored_[of] || loops(of) != loops(user)) continue;
        bool seen = false;
        for (int f = 0; f < count; ++f) seen = seen || found[f] == of;
        if (seen) continue;
        if (count == limit) return true;
        found[count++] = of;
      }
    }
    return false;
  }

  /// What is kept and is an output is kept there.
  constexpr void choose_in_place() {
    for (int o = 0; o < outputs_.size; ++o) {
      const int i = outputs_[o].node;
      if (!leaf(i) && stored_[i] && in_place_[i] == none && at(i).axes != 0 && at(i).axes == outputs_[o].axes)
        in_place_[i] = o;
    }
  }

  constexpr void write_all_steps() {
    const int kernels = result_.kernels.size;
    // The items of each kernel, in order.
    growing_array<int> first_member(kernels + 1, 0), members(items(), 0);
    for (int i = 0; i < items(); ++i)
      if (kernel_of_[i] != none) ++first_member[kernel_of_[i]];
    int sum = 0;
    for (int k = 0; k <= kernels; ++k) {
      sum += first_member[k];
      first_member[k] = sum;
    }
    for (int i = items(); i-- > 0;)
      if (kernel_of_[i] != none) members[--first_member[kernel_of_[i]]] = i;
    node_set needed(graph_.size);
    for (int k = 0; k < kernels; ++k) {
      result_.kernels[k].first_step = result_.steps.size;
      write_steps(k, members.data + first_member[k], members.data + first_member[k + 1], needed);
      result_.kernels[k].end_step = result_.steps.size;
    }
  }
  constexpr void write_steps(int k, const int* begin, const int* end, node_set& needed) {
    if (is_move_[k]) return result_.steps.push_back({step_kind::move, *begin});
    const axis_set axes = result_.kernels[k].axes;
    needed.clear();
    bool any = false;
    for (const int* item = begin; item != end; ++item) {
      if (is_output(*item)) {
        if (is_in_place(*item)) continue;
        needed.insert(output(*item).node);
      } else if (at(*item).reduced) {
        for (int j = 0; j < at(*item).count; ++j) needed.insert(operand(*item, j));
      } else if (stored_[*item]) {
        needed.insert(*item);
      } else {
        continue;
      }
      any = true;
    }
    if (!any) return;
    const auto computed_here = [&](int i) {
      return !leaf(i) && !at(i).reduced && (kernel_of_[i] == k || (!stored_[i] && at(i).axes == axes));
    };
    needed.for_each_backwards([&](int i) {
      if (computed_here(i))
        for (int j = 0; j < at(i).count; ++j) needed.insert(operand(i, j));
    });
    needed.for_each([&](int i) {
      if (!computed_here(i)) result_.steps.push_back({step_kind::load, i});
    });
    needed.for_each([&](int i) {
      if (computed_here(i)) result_.steps.push_back({step_kind::compute, i});
    });
    for (const int* item = begin; item != end; ++item) {
      if (is_output(*item)) {
        if (!is_in_place(*item)) result_.steps.push_back({step_kind::output, output(*item).node, *item - graph_.size});
      } else if (at(*item).reduced) {
        result_.steps.push_back({step_kind::reduce, *item});
      } else if (stored_[*item]) {
        result_.steps.push_back({step_kind::store, *item});
      }
    }
  }
  constexpr bool is_in_place(int item) const {
    const int i = output(item).node;
    return in_place_[i] == item - graph_.size;
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
      const bool block = in_place_[i] == none && (at(i).axes & outermost(loops(i))) != 0 && !leaves_group[i];
      result_.buffers.push_back({i, at(i).axes, block, at(i).reduced != 0, kernel_of_[i], in_place_[i]});
    }
  }

  /// Kernels of which nothing is left, since others compute it too or have it in place.
  constexpr void drop_empty_kernels() {
    growing_array<int> place(result_.kernels.size, none);
    int kept = 0, groups = 0, last = none;
    for (int k = 0; k < result_.kernels.size; ++k) {
      kernel from = result_.kernels[k];
      if (from.first_step == from.end_step) continue;
      if (from.group != last) ++groups;
      last = from.group;
      from.group = groups - 1;
      place[k] = kept;
      result_.kernels[kept++] = from;
    }
    result_.kernels.size = kept;
    result_.groups = groups;
    for (int b = 0; b < result_.buffers.size; ++b) result_.buffers[b].kernel = place[result_.buffers[b].kernel];
  }
};

}  // namespace detail

}  // namespace tapeless::program

#endif
