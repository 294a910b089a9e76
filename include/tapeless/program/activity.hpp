#ifndef TAPELESS_PROGRAM_ACTIVITY_HPP
#define TAPELESS_PROGRAM_ACTIVITY_HPP

#include <tapeless/program/builder.hpp>

#include <span>
#include <vector>

namespace tapeless::program {

/// For each node whether its value depends on one of the given variables along a path that no stop, no condition and
/// no constant cuts: the nodes that have tangents, and through which adjoints flow.
constexpr std::vector<char> active_nodes(const builder& graph, std::span<const int> variables) {
  std::vector<char> requested(graph.variables.size(), 0);
  for (const int v : variables)
    if (v >= 0) requested[builder::at(v)] = 1;
  std::vector<char> active(graph.nodes.size(), 0);
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const node& n = graph.nodes[i];
    if (n.kind == node_kind::variable) active[i] = requested[builder::at(n.leaf)];
    if (n.kind != node_kind::apply || n.condition) continue;
    const auto operands = graph.operands(static_cast<int>(i));
    // The condition of a selection carries no derivative.
    for (std::size_t j = n.operation->algebra == algebra::where ? 1 : 0; j < operands.size(); ++j)
      if (active[builder::at(operands[j])]) active[i] = 1;
  }
  return active;
}

/// For each node whether one of the outputs needs it.
constexpr std::vector<char> needed_nodes(const builder& graph, std::span<const int> outputs) {
  std::vector<char> needed(graph.nodes.size(), 0);
  for (const int output : outputs) needed[builder::at(output)] = 1;
  for (std::size_t i = graph.nodes.size(); i-- > 0;)
    if (needed[i])
      for (const int operand : graph.operands(static_cast<int>(i))) needed[builder::at(operand)] = 1;
  return needed;
}

}  // namespace tapeless::program

#endif
