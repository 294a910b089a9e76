#ifndef TAPELESS_PROGRAM_FORWARD_HPP
#define TAPELESS_PROGRAM_FORWARD_HPP

#include <tapeless/program/rule.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace tapeless::program {

/// Forward differentiation, program to program: appends the tangents of `outputs` for the tangents `seeds` (nodes, one
/// for each of `Request::variables()`; -1 for none) and gives their nodes. A selection selects between the tangents of
/// its branches, so nothing of the branch not taken enters. Linear in the program's size.
template <class Request>
constexpr std::vector<int> forward(builder& graph, std::span<const int> outputs, std::span<const int> seeds) {
  const std::vector<char> active = active_nodes(graph, Request::variables());
  const std::vector<char> needed = needed_nodes(graph, outputs);
  constexpr int none = -1;
  std::vector<int> tangent(active.size(), none);
  const auto append = [&]<class Op>(std::type_identity<Op>, auto... operands) {
    const int list[] = {operands...};
    return graph.append(info<Op>, list);
  };
  for (std::size_t i = 0; i < tangent.size(); ++i) {
    const int index = static_cast<int>(i);
    const node n = graph.nodes[i];
    if (!active[i] || !needed[i]) continue;
    if (n.kind == node_kind::variable) {
      for (std::size_t v = 0; v < seeds.size(); ++v)
        if (Request::variables()[v] == n.leaf) tangent[i] = seeds[v];
      continue;
    }
    const auto tangent_of = [&](std::size_t which) { return tangent[builder::at(graph.operands(index)[which])]; };
    if (n.operation->algebra == algebra::where) {
      const int a = tangent_of(1), b = tangent_of(2);
      if (a != none || b != none)
        tangent[i] = append(std::type_identity<operation::Where>{}, graph.operands(index)[0],
                            a == none ? graph.constant(0) : a, b == none ? graph.constant(0) : b);
      continue;
    }
    for (std::size_t which = 0; which < builder::at(n.count); ++which) {
      const int from = tangent_of(which);
      if (from == none) continue;
      const int contribution = append(std::type_identity<operation::Multiply>{}, from,
                                      rule_table<Request>::partial(graph, index, which));
      if (graph.is_absolute_zero(contribution)) continue;
      tangent[i] =
          tangent[i] == none ? contribution : append(std::type_identity<operation::Add>{}, tangent[i], contribution);
    }
  }
  std::vector<int> result;
  for (const int output : outputs) {
    const int t = tangent[builder::at(output)];
    result.push_back(t == none ? graph.constant(0) : t);
  }
  return result;
}

}  // namespace tapeless::program

#endif
