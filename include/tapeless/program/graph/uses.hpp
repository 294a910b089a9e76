#pragma once

#include <tapeless/program/graph/activity.hpp>
#include <tapeless/program/graph/program.hpp>

#include <array>
#include <cstddef>
#include <span>

namespace tapeless::program {

/// One way in which a program reads a variable: a derivative by the variable has a piece for each.
struct variable_use {
  int variable = 0;
  int node = 0;
  int access = 0;
};

/// The uses of `variables` that `outputs` depend on, in their order. A formula is lowered with axes that give way to
/// others: the reads with those are left behind.
constexpr growing_array<variable_use> variable_uses(graph_view graph, std::span<const int> outputs,
                                                    std::span<const int> variables) {
  const growing_array<char> used = needed_nodes(graph, outputs);
  growing_array<variable_use> result;
  for (const int v : variables)
    for (int i = 0; i < graph.size; ++i)
      if (const node& n = graph.nodes[i]; v >= 0 && used[i] && n.kind == node_kind::variable && n.leaf == v)
        result.push_back({v, i, n.access});
  return result;
}

template <class Source, int... Variables>
struct uses_of {
  static constexpr std::array<int, sizeof...(Variables)> variables{Variables...};
  static constexpr auto value = as_array(
      [] { return variable_uses(Source::view(), Source::value.outputs, {variables.data(), variables.size()}); });
  static constexpr std::size_t count = value.size();
};

/// The access of output number `output` of a lowered formula.
template <class Source>
constexpr int access_of_output(std::size_t output) {
  int index = 0;
  for (const tensor_access& access : Source::value.accesses) {
    if (access.kind == access_kind::output && access.of == static_cast<int>(output)) break;
    ++index;
  }
  return index;
}

}  // namespace tapeless::program
