#ifndef TAPELESS_PROGRAM_FINISH_HPP
#define TAPELESS_PROGRAM_FINISH_HPP

#include <tapeless/program/activity.hpp>
#include <tapeless/program/program.hpp>
#include <tapeless/program/trace.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace tapeless::program {

/// What `outputs` need of a program, leaves first and operations in order.
constexpr builder prune(const builder& from, std::span<const int> outputs) {
  const std::vector<char> needed = needed_nodes(from, outputs);
  std::vector<int> moved(from.nodes.size(), -1);
  builder to;
  to.variables = from.variables;
  to.numbers = from.numbers;
  to.too_large = from.too_large;
  for (const bool leaves : {true, false})
    for (std::size_t i = 0; i < from.nodes.size(); ++i) {
      const node& n = from.nodes[i];
      const bool leaf = n.kind != node_kind::apply && n.kind != node_kind::stop;
      if (!needed[i] || leaf != leaves) continue;
      std::vector<int> operands;
      for (const int operand : from.operands(static_cast<int>(i))) operands.push_back(moved[builder::at(operand)]);
      node copy = n;
      copy.first = 0;
      to.restore(copy, operands.data(), from.constants.data());
      moved[i] = static_cast<int>(to.nodes.size()) - 1;
    }
  for (const int output : outputs) to.outputs.push_back(moved[builder::at(output)]);
  return to;
}

/// The program ready for evaluation: stops are their operands, every operation is one that has a value function (so
/// that derivatives and values share the parts of sigmoid, softplus, logsumexp, ...), and nothing is left that
/// `outputs` do not need.
constexpr builder finish(const builder& from, std::span<const int> outputs) {
  const std::vector<char> needed = needed_nodes(from, outputs);
  std::vector<int> moved(from.nodes.size(), -1);
  builder to;
  to.expanding = true;
  to.variables = from.variables;
  to.numbers = from.numbers;
  for (std::size_t i = 0; i < from.nodes.size(); ++i) {
    if (!needed[i]) continue;
    const node& n = from.nodes[i];
    std::vector<int> operands;
    for (const int operand : from.operands(static_cast<int>(i))) operands.push_back(moved[builder::at(operand)]);
    switch (n.kind) {
      case node_kind::variable: moved[i] = to.variable(n.leaf); break;
      case node_kind::number: moved[i] = to.number(n.leaf); break;
      case node_kind::constant: moved[i] = to.constant(from.constants[builder::at(n.leaf)]); break;
      case node_kind::stop: moved[i] = operands[0]; break;
      case node_kind::apply: moved[i] = to.append(*n.operation, operands); break;
    }
  }
  std::vector<int> moved_outputs;
  for (const int output : outputs) moved_outputs.push_back(moved[builder::at(output)]);
  return prune(to, moved_outputs);
}

}  // namespace tapeless::program

#endif
