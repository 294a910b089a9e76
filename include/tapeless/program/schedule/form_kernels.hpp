#pragma once

#include <tapeless/program/graph/program.hpp>
#include <tapeless/program/rewrite/axes.hpp>

namespace tapeless::program {

struct kernel {
  axis_set axes = 0;
  int first_step = 0;
  int end_step = 0;
  int group = 0;
  int phase = 0;
  /// The first of the kernels that are equal to it; -1 until that is known.
  int form = -1;
};

/// An output and the axes that it is written over, which can be more than the node varies over.
struct scheduled_output {
  int node = 0;
  axis_set axes = 0;
};

namespace detail {

/// Which kernel computes each node: kernels and groups of them in the order in which they run. Items are the nodes and,
/// after them, the outputs.
// Compilers count the steps of a constant evaluation, so all that is done for each kernel is done for its own nodes.
class kernel_forming {
 public:
  constexpr kernel_forming(graph_view graph, const growing_array<scheduled_output>& outputs, axis_set sharded)
      : graph_(graph),
        outputs_(outputs),
        sharded_(sharded),
        kernel_of_(items(), none),
        set_of_(items(), none),
        next_(items(), none),
        missing_(items(), 0) {}

 protected:
  graph_view graph_;
  growing_array<scheduled_output> outputs_;
  /// The axes of which each process has a part.
  axis_set sharded_;
  growing_array<kernel> kernels_;
  int groups_ = 0;
  // The kernel of each item. For a reduction, that of its operand's loops.
  growing_array<int> kernel_of_;
  growing_array<char> is_move_;

  static constexpr int none = -1;

  constexpr const node& at(int i) const { return graph_.nodes[i]; }
  constexpr int operand(int i, int j) const { return graph_.edges[graph_.nodes[i].first + j]; }
  constexpr bool leaf(int i) const { return is_leaf(at(i).kind); }
  constexpr bool moves(int i) const { return at(i).kind == node_kind::apply && at(i).operation->moves; }
  /// The axes of the loops in which a node is computed or taken in.
  constexpr axis_set loops(int i) const { return at(i).axes | at(i).reduced; }

  constexpr int items() const { return graph_.size + outputs_.size; }
  constexpr bool is_output(int item) const { return item >= graph_.size; }
  constexpr const scheduled_output& output(int item) const { return outputs_[item - graph_.size]; }
  constexpr const int* first_operand(int item) const {
    return is_output(item) ? &output(item).node : graph_.edges + at(item).first;
  }

  /// visit(item, node) for each operand that is computed.
  template <class Visit>
  constexpr void for_each_use(Visit visit) const {
    const node* const nodes = graph_.nodes;
    for (int i = 0; i < graph_.size; ++i)
      for (const int *of = graph_.edges + nodes[i].first, *end = of + nodes[i].count; of != end; ++of)
        if (!is_leaf(nodes[*of].kind)) visit(i, *of);
    for (int o = 0; o < outputs_.size; ++o)
      if (const int of = outputs_.data[o].node; !is_leaf(nodes[of].kind)) visit(graph_.size + o, of);
  }
  /// Finds the kernels, and the one of each item.
  constexpr void form() {
    for_each_use([&](int item, int) { ++missing_[item]; });
    users_ =
        number_lists(graph_.size, [&](const auto& add) { for_each_use([&](int item, int of) { add(of, item); }); });
    if (sharded_) find_leading();
    for (int i = 0, set = 0; i < items(); ++i)
      if (is_output(i) || !leaf(i)) {
        set_of_[i] = set = find_set(is_output(i) ? output(i).axes : loops(i), set);
        if (missing_[i] == 0) add_ready(i);
      }
    form_kernels();
    is_move_ = growing_array<char>(kernels_.size, 0);
    for (int i = 0; i < graph_.size; ++i)
      if (moves(i)) is_move_[kernel_of_[i]] = 1;
    sink();
  }

 private:
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
  /// How many operands of each item no kernel has yet, and which items use each node.
  growing_array<int> missing_;
  number_lists users_;
  /// What the kernel reduces that is being filled is there for the next one only.
  int after_kernel_ = none;
  growing_array<int> ready_moves_;
  axis_set group_axis_ = 0;
  /// The sharded axis of the group's loops, if they have one: all or none, since rows may be none or come in parts.
  axis_set group_shards_ = 0;
  int group_begin_ = 0;
  /// What waits for the sums over the processes at the end of the phase, and the nodes that lead to such sums.
  int next_phase_ = none;
  growing_array<char> leads_;
  int phase_ = 0;
  int phase_begin_ = 0;

  constexpr void find_leading() {
    leads_ = growing_array<char>(items(), 0);
    for (int i = graph_.size; i-- > 0;) {
      if (!leaf(i) && (at(i).reduced & sharded_)) leads_[i] = 1;
      for (int j = 0; leads_[i] && j < at(i).count; ++j) leads_[operand(i, j)] = 1;
    }
  }
  constexpr int find_set(axis_set axes, int likely) {
    if (likely < sets_.size && sets_.data[likely].axes == axes) return likely;
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
    const int k = kernels_.size - 1;
    kernel_of_[item] = k;
    if (is_output(item)) return;
    for (int u = users_.first[item]; u < users_.first[item + 1]; ++u) {
      const int user = users_.all[u];
      if (--missing_[user] != 0) continue;
      bool waits = false, next_kernel = false, next_phase = false;
      const int* const operands = first_operand(user);
      for (int j = is_output(user) ? 1 : at(user).count; j-- > 0;) {
        const axis_set reduced = graph_.nodes[operands[j]].reduced;
        if (!reduced) continue;
        const int kernel = kernel_of_.data[operands[j]];
        next_phase = next_phase || ((reduced & sharded_) && kernel >= phase_begin_);
        if (kernel < group_begin_) continue;
        waits = waits || (reduced & group_axis_) != 0;
        next_kernel = next_kernel || kernel == k;
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
        group_begin_ = kernels_.size;
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
        ++groups_;
        if (best != none) group_axis_ = outermost(sets_[best].axes), group_shards_ = sets_[best].axes & sharded_;
      }
      const axis_set axes = best == none ? axis_set{0} : sets_[best].axes;
      kernels_.push_back({axes, 0, 0, groups_ - 1, phase_});
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
      if (set.ready == none || (in_group && (group_axis_ == 0 || outermost(set.axes) != group_axis_ ||
                                             (set.axes & sharded_) != group_shards_)))
        continue;
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
      if (is_move_.data[kernel] || kernels_.data[kernel].axes != at(i).axes) pinned.data[i] = 1;
      if (first_use.data[i] == none || kernel < first_use.data[i]) first_use.data[i] = kernel;
    };
    for (int o = outputs_.size; o-- > 0;) use(outputs_[o].node, kernel_of_[graph_.size + o]);
    for (int i = graph_.size; i-- > 0;) {
      const node& n = at(i);
      if (is_leaf(n.kind)) continue;
      if (!n.reduced && !pinned.data[i] && first_use.data[i] != none && !moves(i)) kernel_of_[i] = first_use[i];
      const int kernel = kernel_of_.data[i];
      for (int j = 0; j < n.count; ++j) use(graph_.edges[n.first + j], kernel);
    }
  }
};

}  // namespace detail

}  // namespace tapeless::program
