#pragma once

#include <tapeless/program/graph/activity.hpp>
#include <tapeless/program/graph/tuning.hpp>
#include <tapeless/program/schedule/form_kernels.hpp>

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

/// Memory for a node that kernel number `kernel` leaves for later ones: for one block of its group, or for all. Where
/// an output is the node, it is that output's memory. It can be a range of the memory of node number `within`: a slice
/// lies in what it is of, and what is padded or concatenated in the result. A sum that begins with variable `base` is
/// the output that is the sum of both.
struct buffer {
  int node = 0;
  axis_set axes = 0;
  bool block = false;
  bool reduction = false;
  int kernel = 0;
  int output = -1;
  int within = -1;
  int base = -1;
};

/// The move between a node and the one that it lies within: of which of them it is, and of which operand. A node that
/// is moved several times lies where the first one puts it.
struct range_move {
  const tensor_move* move = nullptr;
  bool slices = false;
  int operand = 0;

  constexpr range_move(graph_view graph, int part, int whole) : slices(whole < part) {
    const node& n = graph.nodes[slices ? part : whole];
    while (!slices && graph.edges[n.first + operand] != part) ++operand;
    move = graph.moves + n.access + operand;
  }
  constexpr const tensor_access& part() const { return slices ? move->to : move->from; }
  constexpr const tensor_access& whole() const { return slices ? move->from : move->to; }
};

struct schedule_builder {
  growing_array<step> steps;
  growing_array<kernel> kernels;
  growing_array<buffer> buffers;
  int groups = 0;
};

namespace detail {

/// What kernels keep for others, and the steps of each.
class scheduler : kernel_forming {
  growing_array<char> expensive_;
  growing_array<char> stored_;
  /// The output that is written instead of a node's buffer.
  growing_array<int> in_place_;
  /// The node in whose memory a node lies, and the one that a sum begins with.
  growing_array<int> within_, base_;
  /// What lies in memory for later groups, or to be moved.
  growing_array<char> kept_long_;
  schedule_builder result_;

 public:
  /// `expensive` tells of each node whether computing it once more costs more than keeping it.
  constexpr scheduler(graph_view graph, const growing_array<scheduled_output>& outputs,
                      const growing_array<char>& expensive, axis_set sharded)
      : kernel_forming(graph, outputs, sharded),
        expensive_(expensive),
        stored_(graph.size, 0),
        in_place_(graph.size, none),
        within_(graph.size, none),
        base_(graph.size, none),
        kept_long_(graph.size, 0) {}

  constexpr schedule_builder run() {
    form();
    result_.kernels = kernels_, result_.groups = groups_;
    choose_stored();
    choose_in_place();
    choose_bases();
    choose_within();
    write_all_steps();
    find_kept_long();
    share_outputs();
    write_buffers();
    drop_empty_kernels();
    return result_;
  }

 private:
  /// What other kernels need is kept, unless it is cheap to compute once more there.
  constexpr void choose_stored() {
    growing_array<char> crosses(graph_.size, 0), other_loops(graph_.size, 0);
    for_each_use([&](int item, int i) {
      const int kernel = kernel_of_[item];
      if (kernel_of_[i] == kernel) return;
      crosses[i] = 1;
      if (result_.kernels[kernel].axes != loops(i)) other_loops[i] = 1;
    });
    for (int i = 0; i < graph_.size; ++i) {
      if (leaf(i)) continue;
      if (at(i).reduced || moves(i)) {
        stored_[i] = 1;
        continue;
      }
      const bool pair = at(i).operation->pair;
      stored_[i] = !pair && (other_loops[i] || (crosses[i] && (at(i).axes == 0 || is_costly(i))));
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

  /// What nothing but an output adds to a variable begins with that, if it is added up piece by piece.
  constexpr void choose_bases() {
    if (sharded_) return;
    growing_array<int> uses(graph_.size, 0);
    for_each_use([&](int, int i) { ++uses[i]; });
    for (int o = 0; o < outputs_.size; ++o) {
      const int total = outputs_[o].node;
      const axis_set axes = outputs_[o].axes;
      if (axes == 0 || at(total).opcode != opcode::add || at(total).axes != axes || uses[total] != 1) continue;
      const int which = leaf(operand(total, 0)) ? 1 : 0, sum = operand(total, which), base = operand(total, 1 - which);
      if (applies(at(sum), info<tapeless::operation::Sum>) && uses[sum] == 1 && at(sum).axes == axes &&
          (at(sum).reduced & outermost(loops(sum))) && at(base).kind == node_kind::variable && at(base).axes == axes)
        base_[sum] = base, in_place_[sum] = in_place_[total] = o;
    }
  }
  /// Slices lie in what they are of, and what is moved side by side in the result, so that nothing is moved.
  constexpr void choose_within() {
    if (sharded_) return;
    const auto moves_ranges = [&](int i, move_kind kind) {
      return moves(i) && !at(i).operation->of_matrices && !at(i).operation->of_loops &&
             graph_.moves[at(i).access].kind == kind;
    };
    const auto lies_within = [&](int part, int whole) {
      return in_place_[part] == none && within_[part] == none && can_lie_within(part, whole);
    };
    for (int i = 0; i < graph_.size; ++i)
      for (int j = 0; moves_ranges(i, move_kind::pad) && j < at(i).count; ++j)
        if (const int x = operand(i, j); !leaf(x) && !moves(x) && !at(x).reduced && lies_within(x, i)) within_[x] = i;
    for (int i = 0; i < graph_.size; ++i)
      if (moves_ranges(i, move_kind::slice) && lies_within(i, operand(i, 0))) within_[i] = operand(i, 0);
  }
  /// Whether a node that lies in the memory of another is read and written as fast as one without gaps: its last axis
  /// is the last in memory, and axes that a product of matrices could take as one lie like one.
  constexpr bool can_lie_within(int part, int whole) const {
    const range_move range(graph_, part, whole);
    const node& host = at(whole);
    const axis_set axes = range.part().set();
    const bool is_variable = host.kind == node_kind::variable;
    if ((leaf(whole) && !is_variable) || axes == 0 || at(part).axes != axes || host.axes != range.whole().set() ||
        range.move->step != range_step{} || range.whole().axes[range.move->position] < 0)
      return false;
    const tensor_access read = is_variable ? graph_.accesses[host.access] : tensor_access{};
    const int first = is_variable ? read.axes[0] : first_axis(host.axes),
              last = is_variable ? read.axes[read.rank - 1] : last_axis(host.axes);
    int k = 0;
    while (range.part().axes[k] != last_axis(axes)) ++k;
    return range.whole().axes[k] == last &&
           (count_axes(axes) <= 2 || range.whole().axes[range.move->position] == first);
  }

  constexpr void write_all_steps() {
    const int kernels = result_.kernels.size;
    // The items of each kernel, in order.
    const number_lists members(kernels, [&](const auto& add) {
      for (int i = items(); i-- > 0;)
        if (kernel_of_[i] != none) add(kernel_of_[i], i);
    });
    node_queue needed(graph_.size), loaded = needed, computed = needed;
    for (int k = 0; k < kernels; ++k) {
      result_.kernels[k].first_step = result_.steps.size;
      write_steps(k, members.all.data + members.first[k], members.all.data + members.first[k + 1], needed, loaded,
                  computed);
      result_.kernels[k].end_step = result_.steps.size;
    }
  }
  constexpr void write_steps(int k, const int* begin, const int* end, node_queue& needed, node_queue& loaded,
                             node_queue& computed) {
    if (is_move_[k]) return result_.steps.push_back({step_kind::move, *begin});
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
    for (int i = needed.pop_last(); i >= 0; i = needed.pop_last()) {
      const node& n = graph_.nodes[i];
      // What is not stored varies over these axes, by choose_stored.
      if (is_leaf(n.kind) || n.reduced || (kernel_of_.data[i] != k && stored_.data[i])) {
        loaded.insert(i);
        continue;
      }
      computed.insert(i);
      for (int j = 0; j < n.count; ++j) needed.insert(graph_.edges[n.first + j]);
    }
    for (int i = loaded.pop_first(); i >= 0; i = loaded.pop_first()) result_.steps.push_back({step_kind::load, i});
    for (int i = computed.pop_first(); i >= 0; i = computed.pop_first())
      result_.steps.push_back({step_kind::compute, i});
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

  constexpr void find_kept_long() {
    for (int i = 0; i < graph_.size; ++i) {
      if (!moves(i)) continue;
      kept_long_[i] = 1;
      for (int j = 0; j < at(i).count; ++j) kept_long_[operand(i, j)] = 1;
    }
    for (const kernel& k : result_.kernels)
      for (int s = k.first_step; s < k.end_step; ++s) {
        const step& use = result_.steps[s];
        if (use.kind != step_kind::load || leaf(use.node)) continue;
        const kernel& from = result_.kernels[kernel_of_[use.node]];
        if (from.group != k.group) kept_long_[use.node] = 1;
      }
  }

  /// When each node's memory is read for the last time, none if it is not, and when each output's is written to for the
  /// first: 2 k is before kernel number k, 2 k + 1 while it runs.
  struct memory_uses {
    growing_array<int> last_read, first_write;
  };
  constexpr memory_uses find_memory_uses() const {
    memory_uses found{{graph_.size, none}, {outputs_.size, never()}};
    for (int k = 0, group_begin = 0, group_end = 0; k < result_.kernels.size; ++k) {
      const int group = result_.kernels[k].group;
      if (k == group_end) group_begin = k;
      while (group_end < result_.kernels.size && result_.kernels[group_end].group == group) ++group_end;
      // Of ranges in other memory a block reads and writes other elements than those at its own place.
      const auto read = [&](int i) {
        if (found.last_read[i] < 2 * k + 1) found.last_read[i] = 2 * k + 1;
        while ((i = within_[i]) != none) found.last_read[i] = 2 * group_end;
      };
      for (int s = result_.kernels[k].first_step; s < result_.kernels[k].end_step; ++s) {
        const step& st = result_.steps[s];
        if (st.kind == step_kind::load) read(st.node);
        for (int j = 0; st.kind == step_kind::move && j < at(st.node).count; ++j) read(operand(st.node, j));
        const int written = st.kind == step_kind::output                                  ? st.output
                            : st.kind == step_kind::load || st.kind == step_kind::compute ? none
                                                                                          : in_place_[holder(st.node)];
        // What is reduced begins with its group: there its memory is filled, or replaced by that of a part.
        const bool early = st.kind == step_kind::reduce || within_[st.node] != none;
        const int when = early ? 2 * group_begin : 2 * k + 1;
        if (written != none && when < found.first_write[written]) found.first_write[written] = when;
      }
    }
    return found;
  }
  /// The node whose memory holds a node.
  constexpr int holder(int i) const {
    while (within_[i] != none) i = within_[i];
    return i;
  }
  constexpr int never() const { return 2 * result_.kernels.size; }
  /// Lets what is kept long lie in an output's memory before that is written to. An output that is a leaf may be zero
  /// by structure, and have no memory.
  constexpr void share_outputs() {
    auto [last_read, first_write] = find_memory_uses();
    for (int i = graph_.size; i-- > 0;) {
      if (leaf(i) || !stored_[i] || !kept_long_[i] || at(i).axes == 0 || at(i).reduced || moves(i) ||
          within_[i] != none)
        continue;
      for (int o = 0; o < outputs_.size && in_place_[i] == none; ++o)
        if (const int write = first_write[o];
            write < never() && outputs_[o].axes == at(i).axes && !leaf(outputs_[o].node) &&
            (last_read[i] < write || (last_read[i] == write && gives_way(i, write / 2))))
          in_place_[i] = o, first_write[o] = 2 * kernel_of_[i] + 1;
    }
  }
  /// Whether a kernel that reads a node may write to its memory: at each place after it has read it, or since it puts
  /// other elements into it.
  constexpr bool gives_way(int i, int kernel) const {
    const int moved = result_.steps[result_.kernels[kernel].first_step].node;
    if (!is_move_[kernel]) return result_.kernels[kernel].axes == at(i).axes;
    return at(moved).count == 3 && !at(moved).operation->of_matrices && operand(moved, 0) != i &&
           operand(moved, 1) != i && graph_.moves[at(moved).access].has_indices();
  }

  constexpr void write_buffers() {
    for (int i = 0; i < graph_.size; ++i) {
      if (leaf(i) || !stored_[i]) continue;
      const bool block = in_place_[i] == none && (at(i).axes & outermost(loops(i))) != 0 && !kept_long_[i];
      result_.buffers.push_back(
          {i, at(i).axes, block, at(i).reduced != 0, kernel_of_[i], in_place_[i], within_[i], base_[i]});
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
