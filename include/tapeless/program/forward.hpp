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
  growing_array<int> of_variables(graph.variables.size, -1);
  for (int v = 0; v < seeds.size; ++v)
    if (const int variable = Request::variable_indices[static_cast<std::size_t>(v)]; variable >= 0)
      of_variables[variable] = seeds[v];
  growing_array<int> of_nodes(graph.nodes.size, -1);
  for (int i = 0; i < of_nodes.size; ++i)
    if (const node& n = graph.nodes.data[i]; n.kind == node_kind::variable) of_nodes[i] = of_variables[n.leaf];
  return forward_from<Request>(graph, outputs, std::move(of_nodes));
}

/// Forward differentiation variable by variable: each sweep visits what depends on its variable alone.
template <class Request>
class forward_sweeps {
  builder& graph_;
  growing_array<char> active_;
  // The active nodes that use node i: `users_` from `first_user_[i]` to `first_user_[i + 1]`.
  growing_array<int> first_user_, users_;
  // The first of the outputs that a node leads to.
  growing_array<int> first_output_;
  node_queue pending_;
  growing_array<int> tangent_, visited_;

 public:
  static constexpr int none = -1;

  constexpr explicit forward_sweeps(builder& graph)
      : graph_(graph),
        active_(active_nodes(graph, Request::variables(), Request::outputs())),
        first_user_(active_.size + 1, 0),
        first_output_(active_.size, active_.size),
        pending_(active_.size),
        tangent_(active_.size, none) {
    graph.reassociating = true;
    const std::span<const int> outputs = Request::outputs();
    for (int i = static_cast<int>(outputs.size()) - 1; i >= 0; --i)
      first_output_[outputs[static_cast<std::size_t>(i)]] = i;
    for (int i = active_.size - 1; i >= 0; --i) {
      if (!active_.data[i]) continue;
      const node& n = graph.nodes.data[i];
      for (int j = first_differentiated(n); j < n.count; ++j) {
        const int operand = graph.edges.data[n.first + j];
        ++first_user_.data[operand + 1];
        if (first_output_.data[i] < first_output_.data[operand]) first_output_.data[operand] = first_output_.data[i];
      }
    }
    for (int i = 0; i < active_.size; ++i) first_user_.data[i + 1] += first_user_.data[i];
    users_ = growing_array<int>(first_user_[active_.size], 0);
    growing_array<int> next = first_user_;
    for (int i = 0; i < active_.size; ++i) {
      if (!active_.data[i]) continue;
      const node& n = graph.nodes.data[i];
      for (int j = first_differentiated(n); j < n.count; ++j)
        users_.data[next.data[graph.edges.data[n.first + j]]++] = i;
    }
  }

  /// Appends the tangents, for the tangent `seed` of the node `variable`, of what leads to one of the first `wanted`
  /// outputs; gives these nodes in order.
  constexpr const growing_array<int>& run(int variable, int seed, int wanted) {
    for (const int i : visited_) tangent_.data[i] = none;
    visited_.size = 0;
    if (!active_[variable] || first_output_[variable] >= wanted) return visited_;
    tangent_[variable] = seed, pending_.insert(variable);
    for (int i = pending_.pop_first(); i >= 0; i = pending_.pop_first()) {
      visited_.push_back(i);
      if (i != variable) tangent_.data[i] = append_tangent<Request>(graph_, i, tangent_);
      if (tangent_.data[i] == none) continue;
      for (int u = first_user_.data[i]; u < first_user_.data[i + 1]; ++u)
        if (first_output_.data[users_.data[u]] < wanted) pending_.insert(users_.data[u]);
    }
    return visited_;
  }
  /// The tangent of a node that the last sweep visited; -1 for none.
  constexpr int tangent(int index) const { return tangent_.data[index]; }
};

}  // namespace tapeless::program

#endif
