#pragma once

#include <tapeless/emit/source.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

/// The plan of a program over tensors, as values. A tensor of C lies row by row, whatever the layout of its C++ type,
/// and how long its axes are is a constant of the type, or a parameter: axes that must be equally long share one.
namespace tapeless::detail {

struct c_shape {
  int rank = 0;
  std::array<c_axis, 2 * program::max_rank> axes{};
};
/// A variable of a program over tensors, with the extents that its type tells, or the program around.
struct c_tensor : c_shape {
  /// The variable whose shape a tangent has, or the output whose shape a cotangent has; -1 of others.
  int like = -1, like_output = -1;
};

/// The axes of a program, `count` of them, and after them those of its variables, `max_rank` each. Which are equally
/// long is known from what reads them, and how the `values` lie in memory; the parameters have numbers in the order of
/// the variables.
constexpr program::growing_array<c_axis> c_axes_of(int count, std::span<const c_tensor> variables,
                                                   std::span<const program::tensor_access> accesses,
                                                   std::span<const program::tensor_access> values,
                                                   std::span<const program::axis_rule> rules, int depth = 0) {
  const int all = count + static_cast<int>(variables.size()) * program::max_rank;
  program::growing_array<int> parents, number(all, -1);
  for (int id = 0; id < all; ++id) parents.push_back(id);
  program::growing_array<c_axis> known(all, c_axis{});
  const auto of_variable = [&](int v, int k) { return count + v * program::max_rank + k; };
  const auto root = [&](int id) {
    while (parents[id] != id) id = parents[id];
    return id;
  };
  const auto is_known = [&](int id) { return known[root(id)].kind != c_axis::of::unknown; };
  const auto unite = [&](int i, int j) {
    i = root(i), j = root(j);
    if (!is_known(i) || (is_known(j) && known[i].is(1))) known[i] = known[j];
    parents[j] = i;
  };
  const auto for_each_axis = [&](const auto& visit) {
    for (int v = 0; v < static_cast<int>(variables.size()); ++v)
      for (int k = 0; k < variables[static_cast<std::size_t>(v)].rank; ++k)
        visit(variables[static_cast<std::size_t>(v)], k, of_variable(v, k));
  };
  for_each_axis([&](const c_tensor& tensor, int k, int own) {
    const std::size_t position = static_cast<std::size_t>(k);
    known[own] = tensor.axes[position];
    if (tensor.like >= 0) unite(of_variable(tensor.like, k), own);
    if (tensor.like_output < 0) return;
    const int id = values[static_cast<std::size_t>(tensor.like_output)].axes[position];
    id < 0 ? void(known[own] = {c_axis::of::constant, 1}) : unite(id, own);
  });
  for (const program::tensor_access& access : accesses)
    for (int k = 0; access.is_variable() && k < access.rank; ++k)
      if (const int id = access.axes[k]; id >= 0) unite(id, of_variable(access.of, k));
  using form = program::axis_rule::form;
  for (const program::axis_rule& rule : rules)
    if ((rule.how == form::equal || rule.how == form::sum) && rule.begin.count == 1 && rule.begin.constant == 0 &&
        rule.begin.number < 0)
      unite(rule.axis, rule.begin.axes[0]);
  int next = 0;
  for_each_axis([&](const c_tensor&, int, int own) {
    if (number[root(own)] < 0 && !is_known(own)) number[root(own)] = next++;
  });
  program::growing_array<c_axis> result;
  for (int id = 0; id < all; ++id) {
    const int of = root(id);
    if (is_known(of))
      result.push_back(known[of]);
    else if (number[of] >= 0)
      result.push_back({c_axis::of::parameter, number[of]});
    else {
      int found = 0;
      while (found < static_cast<int>(rules.size()) && root(rules[static_cast<std::size_t>(found)].axis) != of) ++found;
      result.push_back({c_axis::of::rule, found, depth});
    }
  }
  return result;
}

/// Which carry the history is of that node `i` reads, if a call computes it again; -1 of other nodes. In C all carries
/// are stored.
constexpr int c_history_read(const program::graph_view& view, int i) {
  const program::node& n = view.nodes[i];
  if (!program::reads_loop(n) || !view.moves[n.access].replayed) return -1;
  return n.operation->output_read - view.nodes[view.edges[n.first]].operation->shape->history(0);
}

}  // namespace tapeless::detail
