#ifndef TAPELESS_PROGRAM_ACTIVITY_HPP
#define TAPELESS_PROGRAM_ACTIVITY_HPP

#include <tapeless/program/builder.hpp>

#include <span>

namespace tapeless::program {

/// For each node whether it lies on an open path from one of the variables to one of the outputs, one that no stop and
/// no condition cuts: the nodes that have tangents and adjoints, and whose derivative rules are looked at.
constexpr growing_array<char> active_nodes(graph_view graph, std::span<const int> variables,
                                           std::span<const int> outputs) {
  growing_array<char> from_variable(graph.variables, 0);
  for (const int v : variables)
    if (v >= 0) from_variable[v] = 1;
  growing_array<char> active(graph.size, 0);
  // The condition of a selection carries no derivative.
  const auto first_operand = [](const node& n) { return n.algebra == algebra::where ? 1 : 0; };
  for (int i = 0; i < graph.size; ++i) {
    const node& n = graph.nodes[i];
    if (n.kind == node_kind::variable) active.data[i] = n.leaf >= 0 && from_variable[n.leaf];
    if (n.kind != node_kind::apply || n.condition) continue;
    for (int j = first_operand(n); j < n.count; ++j)
      if (active.data[graph.edges[n.first + j]]) active.data[i] = 1;
  }
  growing_array<char> to_output(graph.size, 0);
  for (const int output : outputs) to_output[output] = 1;
  for (int i = graph.size - 1; i >= 0; --i) {
    if (!to_output.data[i]) active.data[i] = 0;
    if (!active.data[i]) continue;
    const node& n = graph.nodes[i];
    for (int j = first_operand(n); j < n.count; ++j) to_output.data[graph.edges[n.first + j]] = 1;
  }
  return active;
}

/// For each node whether one of the outputs needs it.
constexpr growing_array<char> needed_nodes(graph_view graph, std::span<const int> outputs) {
  growing_array<char> needed(graph.size, 0);
  for (const int output : outputs) needed[output] = 1;
  for (int i = graph.size - 1; i >= 0; --i) {
    if (!needed.data[i]) continue;
    const node& n = graph.nodes[i];
    for (int j = 0; j < n.count; ++j) needed.data[graph.edges[n.first + j]] = 1;
  }
  return needed;
}

}  // namespace tapeless::program

#endif
