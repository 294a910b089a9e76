#ifndef TAPELESS_PROGRAM_FINISH_HPP
#define TAPELESS_PROGRAM_FINISH_HPP

#include <tapeless/program/activity.hpp>
#include <tapeless/program/program.hpp>
#include <tapeless/program/trace.hpp>

#include <span>

namespace tapeless::program {

/// What `outputs` need of a program, leaves first and operations in order.
constexpr builder prune(const builder& from, std::span<const int> outputs) {
  const growing_array<char> needed = needed_nodes(from, outputs);
  growing_array<int> moved(from.nodes.size, -1);
  builder to;
  to.variables = from.variables;
  to.numbers = from.numbers;
  to.too_large = from.too_large;
  for (const bool leaves : {true, false})
    for (int i = 0; i < from.nodes.size; ++i) {
      if (!needed.data[i] || (from.nodes.data[i].kind < node_kind::stop) != leaves) continue;
      // Written as it stands: the nodes are distinct already and nothing is appended later.
      node n = from.nodes.data[i];
      const int* operands = from.edges.data + n.first;
      n.first = to.edges.size;
      for (int j = 0; j < n.count; ++j) to.edges.push_back(moved.data[operands[j]]);
      if (n.kind == node_kind::constant) {
        to.constants.push_back(from.constants[n.leaf]);
        n.leaf = to.constants.size - 1;
      }
      moved.data[i] = to.nodes.size;
      to.nodes.push_back(n);
    }
  for (const int output : outputs) to.outputs.push_back(moved[output]);
  return to;
}

/// The program ready for evaluation: stops are their operands, every operation is one that has a value function (so
/// that derivatives and values share the parts of sigmoid, softplus, logsumexp, ...), and nothing is left that
/// `outputs` do not need.
template <class Source>
constexpr builder finish(std::span<const int> outputs) {
  constexpr graph_view from = Source::view();
  const growing_array<char> needed = needed_nodes(from, outputs);
  growing_array<int> moved(from.size, -1);
  builder to;
  to.expanding = true;
  to.variables = {Source::value.variables.data(), from.variables};
  to.numbers = Source::value.numbers;
  growing_array<int> operands;
  for (int i = 0; i < from.size; ++i) {
    if (!needed.data[i]) continue;
    const node& n = from.nodes[i];
    operands.size = 0;
    for (int j = 0; j < n.count; ++j) operands.push_back(moved.data[from.edges[n.first + j]]);
    switch (n.kind) {
      case node_kind::variable: moved.data[i] = to.variable(n.leaf); break;
      case node_kind::number: moved.data[i] = to.number(n.leaf); break;
      case node_kind::constant: moved.data[i] = to.constant(from.constants[n.leaf]); break;
      case node_kind::stop: moved.data[i] = operands.data[0]; break;
      case node_kind::apply: moved.data[i] = to.append(*n.operation, operands.data, operands.size); break;
    }
  }
  growing_array<int> moved_outputs;
  for (const int output : outputs) moved_outputs.push_back(moved[output]);
  return prune(to, {moved_outputs.begin(), moved_outputs.end()});
}

}  // namespace tapeless::program

#endif
