#pragma once

#include <tapeless/program/graph/builder.hpp>

#include <bit>
#include <cstdint>
#include <span>

namespace tapeless::program {

/// For each node whether it lies on an open path from one of the variables to one of the outputs, one that no stop and
/// no operand without derivative cuts: the nodes that have tangents and adjoints, and whose derivative rules are looked
/// at.
constexpr growing_array<char> active_nodes(graph_view graph, std::span<const int> variables,
                                           std::span<const int> outputs) {
  growing_array<char> from_variable(graph.variables, 0);
  for (const int v : variables)
    if (v >= 0) from_variable[v] = 1;
  growing_array<char> active(graph.size, 0), to_output(graph.size, 0);
  const node* const nodes = graph.nodes;
  const int* const edges = graph.edges;
  const auto any_active = [&](const node& n) {
    bool any = false;
    for (int j = 0; j < n.count; ++j) any = any || (active.data[edges[n.first + j]] && n.operation->passes_operand(j));
    return any;
  };
  const auto pass_on = [&](const node& n) {
    for (int j = 0; j < n.count; ++j)
      if (n.operation->passes_operand(j)) to_output.data[edges[n.first + j]] = 1;
  };
  // Operations of one or two operands that all have derivatives, the usual ones, take one statement: clang counts them.
  constexpr auto all = operation_info::all_operands;
  for (int i = 0; i < graph.size; ++i)
    active.data[i] = nodes[i].kind == node_kind::variable ? from_variable.data[nodes[i].leaf] != 0
                     : nodes[i].kind != node_kind::apply || nodes[i].condition || nodes[i].count == 0 ? false
                     : nodes[i].count <= 2 && nodes[i].operation->passes == all
                         ? active.data[edges[nodes[i].first]] || active.data[edges[nodes[i].first + nodes[i].count - 1]]
                         : any_active(nodes[i]);
  for (const int output : outputs) to_output[output] = 1;
  for (int i = graph.size - 1; i >= 0; --i)
    !(active.data[i] = active.data[i] && to_output.data[i]) || nodes[i].count == 0 ? void()
    : nodes[i].count <= 2 && nodes[i].operation->passes == all
        ? void(to_output.data[edges[nodes[i].first]] = to_output.data[edges[nodes[i].first + nodes[i].count - 1]] = 1)
        : pass_on(nodes[i]);
  return active;
}

/// Those between the variables and the outputs of a request, in its source.
template <class Request>
inline constexpr auto active_in = [] {
  constexpr graph_view view = Request::source::view();
  return array_of<view.size>(active_nodes(view, Request::variables(), Request::outputs()));
}();

/// The first of the active nodes for which `holds(i)`; -1 if there is none, which costs no look at the paths.
template <class Holds>
constexpr int first_active(graph_view graph, std::span<const int> variables, std::span<const int> outputs,
                           const Holds& holds) {
  int first = 0;
  while (first < graph.size && !holds(first)) ++first;
  if (first == graph.size) return -1;
  const growing_array<char> active = active_nodes(graph, variables, outputs);
  while (first < graph.size && !(active.data[first] && holds(first))) ++first;
  return first < graph.size ? first : -1;
}

/// Whether derivatives go through the node by the rule of its operation.
constexpr bool wants_rule(const node& n) {
  return n.kind == node_kind::apply && n.opcode != opcode::where && !n.condition;
}

/// The operation of a node, or in the body of a loop that it is, whose rule for adjoints is not the transpose of that
/// for tangents; null if there is none.
constexpr const operation_info* pullback_of(const node& n) {
  if (n.kind != node_kind::apply) return nullptr;
  return n.operation->has_pullback ? n.operation : n.operation->pullback_in_body;
}
/// The first of those on a path from any variable to the outputs.
constexpr const operation_info* first_pullback(graph_view graph, std::span<const int> outputs) {
  growing_array<int> variables(graph.variables, 0);
  for (int v = 0; v < variables.size; ++v) variables[v] = v;
  const int first = first_active(graph, {variables.begin(), variables.end()}, outputs,
                                 [&](int i) { return pullback_of(graph.nodes[i]) != nullptr; });
  return first < 0 ? nullptr : pullback_of(graph.nodes[first]);
}
/// Whether `holds` of any node.
template <class Holds>
constexpr bool any_node(graph_view graph, const Holds& holds) {
  for (int i = 0; i < graph.size; ++i)
    if (holds(graph.nodes[i])) return true;
  return false;
}
/// Whether there is a stop in the body of a loop; whether there is any.
constexpr bool has_stop_in_loop(graph_view graph) {
  return any_node(graph, [](const node& n) { return n.kind == node_kind::apply && n.operation->stop_in_body; });
}
constexpr bool has_stop(graph_view graph) {
  return has_stop_in_loop(graph) || any_node(graph, [](const node& n) { return n.kind == node_kind::stop; });
}

/// Whether a program has loops, or calls functions that have some.
constexpr bool contains_loops(graph_view graph) {
  return any_node(graph, [](const node& n) { return contains_loops(n); });
}

/// Whether computing a value once more costs more than keeping it.
constexpr bool is_expensive(const node& n) {
  return n.kind == node_kind::apply && n.count > 0 && n.operation->latency >= tuning::latency_of_division;
}

/// For each node whether one of the outputs needs it.
constexpr growing_array<char> needed_nodes(graph_view graph, std::span<const int> outputs) {
  growing_array<char> needed(graph.size, 0);
  for (const int output : outputs) needed[output] = 1;
  const node* const nodes = graph.nodes;
  const int* const edges = graph.edges;
  const auto need_all = [&](const node& n) {
    for (int j = 0; j < n.count; ++j) needed.data[edges[n.first + j]] = 1;
  };
  for (int i = graph.size - 1; i >= 0; --i)
    nodes[i].count == 0 || !needed.data[i] ? void()
    : nodes[i].count <= 2
        ? void(needed.data[edges[nodes[i].first]] = needed.data[edges[nodes[i].first + nodes[i].count - 1]] = 1)
        : need_all(nodes[i]);
  return needed;
}

/// The node of each variable, -1 where the program has none; over tensors the last that reads it.
constexpr growing_array<int> nodes_of_variables(graph_view graph) {
  growing_array<int> result(graph.variables, -1);
  for (int i = 0; i < graph.size; ++i)
    if (graph.nodes[i].kind == node_kind::variable) result.data[graph.nodes[i].leaf] = i;
  return result;
}

/// Nodes yet to be visited, in order of their indices: one bit a node, so that a sweep costs what it visits and next to
/// nothing for all other nodes.
class node_queue {
  growing_array<std::uint64_t> words_;
  // No node waits before the first of these words, and none behind the last.
  int first_, last_ = -1;

  constexpr int take(int word, int bit) {
    words_.data[word] &= ~(std::uint64_t{1} << bit);
    return 64 * word + bit;
  }

 public:
  constexpr explicit node_queue(int nodes) : words_((nodes + 63) / 64, 0), first_(words_.size) {}

  constexpr void insert(int node) {
    const int word = node / 64;
    words_.data[word] |= std::uint64_t{1} << node % 64, first_ = word < first_ ? word : first_,
                                                        last_ = word > last_ ? word : last_;
  }
  /// Takes out the first node or the last; -1 where there is none.
  constexpr int pop_first() {
    while (first_ <= last_ && words_.data[first_] == 0) ++first_;
    if (first_ <= last_) return take(first_, std::countr_zero(words_.data[first_]));
    first_ = words_.size, last_ = -1;
    return -1;
  }
  constexpr int pop_last() {
    while (first_ <= last_ && words_.data[last_] == 0) --last_;
    if (first_ <= last_) return take(last_, 63 - std::countl_zero(words_.data[last_]));
    first_ = words_.size, last_ = -1;
    return -1;
  }
};

}  // namespace tapeless::program
