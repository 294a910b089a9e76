#ifndef TAPELESS_PROGRAM_FORWARD_HPP
#define TAPELESS_PROGRAM_FORWARD_HPP

#include <tapeless/program/rule.hpp>

#include <cstddef>
#include <span>
#include <utility>

namespace tapeless::program {

/// Appends the tangent of node `index`, given those of its operands, a node each; -1 for none. A selection selects
/// between the tangents of its branches, so nothing of the branch not taken enters.
template <class Request>
constexpr int append_tangent(builder& graph, int index, const growing_array<int>& tangent) {
  constexpr int none = -1;
  const node n = graph.nodes.data[index];
  if (n.algebra == algebra::where) {
    const int* operands = graph.operands(index);
    const int a = tangent[operands[1]], b = tangent[operands[2]];
    if (a == none && b == none) return none;
    const int selected[] = {operands[0], a == none ? graph.constant(0) : a, b == none ? graph.constant(0) : b};
    return graph.append(info<operation::Where>, selected, 3);
  }
  if (n.operation->moves) {
    // The same elements of the tangents.
    growing_array<int> operands(graph.operands(index), n.count);
    bool any = false;
    for (int which = 0; which < n.count; ++which) {
      if (!move_of(graph, n, which)) continue;
      const int from = tangent.data[operands[which]];
      any = any || (from != none && !graph.is_absolute_zero(from));
      operands[which] = from == none ? graph.constant(0) : from;
    }
    if (!any) return none;
    const growing_array<tensor_move> moves(graph.moves.data + n.access,
                                           graph.moves.data[n.access].has_indices() ? 1 : n.count);
    return graph.append_move(*n.operation, moves.data, operands.data, n.count);
  }
  int sum = none;
  for (int which = 0; which < n.count; ++which) {
    const int from = tangent.data[graph.edges.data[n.first + which]];
    if (from == none) continue;
    const int terms[] = {sum, rule_table<Request>::contribution(graph, index, which, from, direction::forward)};
    if (graph.is_absolute_zero(terms[1])) continue;
    sum = sum == none ? terms[1] : graph.append(info<operation::Add>, terms, 2);
  }
  return sum;
}

/// Forward differentiation, program to program: appends the tangents of `outputs` and gives their nodes. `seeds` has
/// the tangent of each node that is a variable of `Request::variables()`, a node too; -1 for none. Linear in the
/// program's size.
template <class Request>
constexpr growing_array<int> forward_from(builder& graph, std::span<const int> outputs, growing_array<int> seeds) {
  graph.reassociating = true;
  constexpr int none = -1;
  growing_array<int> tangent = std::move(seeds);
  const growing_array<char> active = active_nodes(graph, Request::variables(), outputs);
  for (int i = 0; i < tangent.size; ++i)
    if (active.data[i] && graph.nodes.data[i].kind != node_kind::variable)
      tangent.data[i] = append_tangent<Request>(graph, i, tangent);
  growing_array<int> result;
  for (const int output : outputs) {
    const int t = tangent[output];
    result.push_back(t == none ? graph.constant(0) : t);
  }
  return result;
}

/// The same for the tangents `seeds`, one for each of `Request::variables()`.
template <class Request>
constexpr growing_array<int> forward(builder& graph, std::span<const int> outputs, const growing_array<int>& seeds) {
  growing_array<int> of_nodes(graph.nodes.size, -1);
  for (int i = 0; i < of_nodes.size; ++i)
    if (const node& n = graph.nodes.data[i]; n.kind == node_kind::variable)
      for (int v = 0; v < seeds.size; ++v)
        if (Request::variable_indices[static_cast<std::size_t>(v)] == n.leaf) of_nodes[i] = seeds[v];
  return forward_from<Request>(graph, outputs, std::move(of_nodes));
}

}  // namespace tapeless::program

#endif
