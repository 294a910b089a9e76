#pragma once

#include <tapeless/program/graph/activity.hpp>
#include <tapeless/program/lower/broadcasting.hpp>

#include <string_view>

namespace tapeless::program {

/// Axes with the numbers that they have in the program that comes out: one a set of unified axes, from the outermost to
/// the innermost loop.
class numbered_axes : public broadcasting {
 public:
  constexpr numbered_axes(const leaf_description* leaves, int count, bool is_explicit = false)
      : broadcasting(is_explicit), leaves_(leaves, count) {
    for (int i = 0; i < count; ++i)
      if (leaves[i].of_batch && batch_axis_ < 0) batch_axis_ = new_axis(-1, {});
  }

  /// The value of a further variable, with an axis for each extent but 1.
  constexpr tensor_value variable(std::string_view name) {
    const int v = graph.variables.size;
    graph.variables.push_back(name);
    const leaf_description& leaf = leaf_of(v);
    tensor_access access{access_kind::variable, v, leaf.rank, {}};
    tensor_value result{-1, 0, {}};
    for (int i = 0; i < leaf.rank; ++i) {
      int& id = access.axes[i];
      if (leaf.of_batch && i == 0) {
        id = batch_axis_, sources_[id] = {v, 0, -1};
        continue;
      }
      id = leaf.extents.data()[i] == 1 ? -1 : new_axis(leaf.extents.data()[i], {v, i, -1});
      result.axes[result.rank++] = id;
    }
    result.node = graph.read(access);
    return result;
  }

  /// The program whose outputs are `values`.
  constexpr builder finish(const tensor_value* values, int count) {
    for (int i = 0; i < count; ++i)
      for (int k = 0; k < values[i].rank; ++k) use(values[i].axes[k]);
    const growing_array<int> order = order_axes(values, count);
    const renumbered how{{}, order};
    builder to;
    to.stay_plain(graph.plain);
    to.variables = graph.variables;
    to.numbers = graph.numbers;
    for (const axis_rule& rule : graph.axis_rules) to.axis_rules.push_back(how.rule(rule));
    to.axis_sources = sources_;
    to.compares_extents = !explicit_ && meets_rules();
    for (extent_use u : uses_) {
      u.compared = !explicit_ && !covers(u.own, root(u.axis), u.strict);
      if (u.compared && !covers(u.own, root(u.axis))) to.compares_extents = true;
      u.axis = how.axis_number(u.axis);
      bool known = !u.compared && u.reduction.empty();
      for (int i = 0; i < to.extent_uses.size && !known; ++i) known = to.extent_uses[i] == u;
      if (!known) to.extent_uses.push_back(u);
    }
    growing_array<int> moved(graph.nodes.size, -1);
    copy_nodes(to, graph, growing_array<char>(graph.nodes.size, 1), moved, how);
    for (int i = 0; i < count; ++i) {
      to.outputs.push_back(moved[values[i].node]);
      // How the value lies in memory.
      tensor_access access{access_kind::output, i, values[i].rank, values[i].axes};
      lead_with_batch(access);
      to.accesses.push_back(how.access(access));
    }
    return to;
  }

 protected:
  /// Of the steps of loops, which no variable has. Derivatives keep the carries step by step, so these axes come before
  /// those of a carry.
  growing_array<int> steps_;

 private:
  growing_array<leaf_description> leaves_;

  constexpr const leaf_description& leaf_of(int variable) const {
    int i = 0;
    while (i + 1 < leaves_.size && leaves_[i].name != graph.variables[variable]) ++i;
    return leaves_[i];
  }

  /// The number of each axis, that of the root of its set: the order of the loops, in which the contiguous axes of the
  /// variables come last, as far as the outputs `values` need them.
  constexpr growing_array<int> order_axes(const tensor_value* values, int count) const {
    const int ids = sources_.size;
    growing_array<int> number(roots_.size, -1);
    if (explicit_) {
      for (int i = 0; i < ids; ++i) number[i] = i;
      return number;
    }
    growing_array<int> votes(ids * ids, 0);
    growing_array<int> wanted;
    for (int i = 0; i < count; ++i) wanted.push_back(values[i].node);
    const growing_array<char> needed = needed_nodes(graph, {wanted.begin(), wanted.end()});
    for (int node = 0; node < needed.size; ++node) {
      if (!needed[node] || graph.nodes[node].kind != node_kind::variable) continue;
      const tensor_access& access = graph.accesses[graph.nodes[node].access];
      if (!access.is_variable()) continue;
      const bool column_major = leaf_of(access.of).column_major;
      for (int i = 0; i < access.rank; ++i)
        for (int j = i + 1; j < access.rank; ++j) {
          const int a = access.axes[column_major ? j : i], b = access.axes[column_major ? i : j];
          if (a >= 0 && b >= 0) votes[root(a) * ids + root(b)] += 1;
        }
    }
    int next = 0;
    if (steps_.size > 0 && batch_axis_ >= 0) number[root(batch_axis_)] = next++;
    for (const int steps : steps_)
      if (number[root(steps)] < 0) number[root(steps)] = next++;
    growing_array<int> open, against(ids, 0);
    for (int i = 0; i < ids; ++i)
      if (root(i) == i && number.data[i] < 0) open.push_back(i);
    const auto lead = [&](int i, int j) { return votes.data[i * ids + j] - votes.data[j * ids + i]; };
    for (const int i : open)
      for (const int j : open) against.data[i] += lead(j, i);
    // An axis of many tensors is rather an outer one: rows, not columns.
    for (;; ++next) {
      int best = -1;
      for (const int i : open)
        if (number.data[i] < 0 && (best < 0 || against.data[i] < against.data[best])) best = i;
      if (best < 0) break;
      number.data[best] = next;
      for (const int i : open) against.data[i] -= lead(best, i);
    }
    for (int i = 0; i < roots_.size; ++i)
      if (roots_[i] >= 0) number[i] = number[root(i)];
    return number;
  }
};

}  // namespace tapeless::program
