#ifndef TAPELESS_PROGRAM_ACTIVITY_HPP
#define TAPELESS_PROGRAM_ACTIVITY_HPP

#include <tapeless/program/builder.hpp>

#include <span>

namespace tapeless::program {

/// For each node whether its value depends on one of the given variables along a path that no stop, no condition and
/// no constant cuts: the nodes that have tangents, and through which adjoints flow.
constexpr growing_array<char> active_nodes(const builder& graph, std::span<const int> variables) {
  growing_array<char> requested(graph.variables.size, 0);
  for (const int v : variables)
    if (v >= 0) requested[v] = 1;
  growing_array<char> active(graph.nodes.size, 0);
  for (int i = 0; i < graph.nodes.size; ++i) {
    const node& n = graph.nodes.data[i];
    if (n.kind == node_kind::variable) active.data[i] = requested[n.leaf];
    if (n.kind != node_kind::apply || n.condition) continue;
    // The condition of a selection carries no derivative.
    for (int j = n.algebra == algebra::where ? 1 : 0; j < n.count; ++j)
      if (active.data[graph.edges.data[n.first + j]]) active.data[i] = 1;
  }
  return active;
}

/// For each node whether one of the outputs needs it.
constexpr growing_array<char> needed_nodes(const builder& graph, std::span<const int> outputs) {
  growing_array<char> needed(graph.nodes.size, 0);
  for (const int output : outputs) needed[output] = 1;
  for (int i = graph.nodes.size - 1; i >= 0; --i) {
    if (!needed.data[i]) continue;
    const node& n = graph.nodes.data[i];
    for (int j = 0; j < n.count; ++j) needed.data[graph.edges.data[n.first + j]] = 1;
  }
  return needed;
}

}  // namespace tapeless::program

#endif
