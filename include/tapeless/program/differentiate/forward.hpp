#pragma once

#include <tapeless/program/differentiate/loop_rules.hpp>
#include <tapeless/program/differentiate/rule.hpp>

#include <cstddef>
#include <span>

namespace tapeless::program {

/// Appends the tangent of node `index` to those of its operands.
template <class Request>
constexpr void append_tangent(builder& graph, int index, confluence& tangents) {
  const node n = graph.nodes.data[index];
  if (n.opcode == opcode::where) {
    const int* operands = graph.operands(index);
    const int condition = operands[0], branches[] = {operands[1], operands[2]};
    const guarded a = tangents.at(branches[0]), b = tangents.at(branches[1]);
    if (a.none() && b.none()) return;
    if (a.none() || b.none()) {
      const guarded& chosen = a.none() ? b : a;
      const int here = a.none() ? does_not_hold(graph, condition) : condition;
      return tangents.add(index, {chosen.node, both_hold(graph, here, chosen.where)});
    }
    const int where = where_chosen(graph, condition, a.where, b.where);
    return tangents.add(index, {graph.make<operation::Where>(condition, a.node, b.node), where});
  }
  if (n.operation->moves && !n.operation->of_matrices) {
    // The same elements of the tangents, and of the conditions under which these flow.
    growing_array<int> operands(graph.operands(index), n.count), conditions = operands;
    bool any = false, everywhere = true;
    for (int which = 0; which < n.count; ++which) {
      if (!move_of(graph, n, which)) continue;
      const guarded from = tangents.at(operands[which]);
      any = any || (!from.none() && !graph.is_absolute_zero(from.node));
      everywhere = everywhere && from.where == guarded::everywhere;
      operands[which] = from.none() ? graph.constant(0) : masked(graph, from, guarded::everywhere);
      conditions[which] = as_flag(graph, from.where);
    }
    if (!any) return;
    const growing_array<tensor_move> moves(graph.moves.data + n.access,
                                           graph.moves.data[n.access].has_indices() ? 1 : n.count);
    const auto moved = [&](const growing_array<int>& elements) {
      return graph.append_move(*n.operation, moves.data, elements.data, n.count);
    };
    const int tangent = moved(operands);
    if (everywhere) return tangents.add(index, {tangent});
    return tangents.add(index, {tangent, flag_holds(graph, moved(conditions)), true});
  }
  for (int which = 0; which < n.count; ++which) {
    if (!n.operation->passes_operand(which)) continue;
    const guarded from = tangents.at(graph.edges.data[n.first + which]);
    if (from.none()) continue;
    guarded arriving = n.operation->of_matrices
                           ? through_matrices(graph, index, which, from, true)
                           : rule_table<Request>::contribution(graph, index, which, from.node, direction::forward);
    if (graph.nodes.data[arriving.node].opcode == opcode::zero && graph.is_absolute_zero(arriving.node)) continue;
    if (from.where != guarded::everywhere && !n.operation->moves)
      arriving.where = both_hold(graph, arriving.where, from.where);
    tangents.add(index, n.reduced ? summed(graph, arriving, n.reduced) : arriving);
  }
}

constexpr bool is_of_loops(const builder& graph, int index) {
  const node& n = graph.nodes.data[index];
  return n.kind == node_kind::apply && n.operation->of_loops;
}
/// The same for a loop or one of its outputs.
template <class Request>
constexpr void append_loop_tangent(builder& graph, int index, confluence& tangents) {
  if constexpr (Request::source::value.has_sequences)
    loop_rules<Request, direction::forward>::apply(graph, index, tangents, [](int, const guarded&) {});
}

/// Forward differentiation, program to program: appends the tangents of `outputs`, with the conditions under which they
/// flow. `seeds` has the tangent of each node that is a variable of `Request::variables()`. Linear in the program's
/// size.
template <class Request>
constexpr growing_array<guarded> guarded_tangents(builder& graph, std::span<const int> outputs,
                                                  const growing_array<guarded>& seeds) {
  const growing_array<char> active = active_nodes(graph, Request::variables(), outputs);
  confluence tangents(graph, seeds.size);
  for (int i = 0; i < seeds.size; ++i)
    if (!seeds.data[i].none()) tangents.add(i, seeds.data[i]);
  for (int i = 0; i < seeds.size; ++i)
    if (active.data[i] && graph.nodes.data[i].kind != node_kind::variable)
      graph.has_sequences&& is_of_loops(graph, i) ? append_loop_tangent<Request>(graph, i, tangents)
                                                  : append_tangent<Request>(graph, i, tangents);
  growing_array<guarded> result;
  for (const int output : outputs) result.push_back(tangents.at(output));
  return result;
}

/// The same as numbers, zero where nothing flows.
template <class Request>
constexpr growing_array<int> forward_from(builder& graph, std::span<const int> outputs,
                                          const growing_array<guarded>& seeds) {
  const growing_array<guarded> tangents = guarded_tangents<Request>(graph, outputs, seeds);
  growing_array<int> result;
  for (int i = 0; i < tangents.size; ++i)
    result.push_back(number_of(graph, tangents[i], outputs[static_cast<std::size_t>(i)]));
  return result;
}

/// Forward differentiation variable by variable: each sweep visits what depends on its variable alone.
template <class Request>
class forward_sweeps {
  builder& graph_;
  growing_array<char> active_;
  // The active nodes that use each node.
  number_lists users_;
  // The first of the outputs that a node leads to.
  growing_array<int> first_output_;
  node_queue pending_;
  confluence tangents_;
  growing_array<int> visited_;

 public:
  constexpr explicit forward_sweeps(builder& graph)
      : graph_(graph),
        active_(active_nodes(graph, Request::variables(), Request::outputs())),
        first_output_(active_.size, active_.size),
        pending_(active_.size),
        tangents_(graph, active_.size) {
    const std::span<const int> outputs = Request::outputs();
    for (int i = static_cast<int>(outputs.size()) - 1; i >= 0; --i)
      first_output_[outputs[static_cast<std::size_t>(i)]] = i;
    users_ = number_lists(active_.size, [&](const auto& add) {
      for (int i = active_.size - 1; i >= 0; --i) {
        if (!active_.data[i]) continue;
        const node& n = graph.nodes.data[i];
        for (int j = 0; j < n.count; ++j) {
          if (!n.operation->passes_operand(j)) continue;
          const int operand = graph.edges.data[n.first + j];
          add(operand, i);
          if (first_output_.data[i] < first_output_.data[operand]) first_output_.data[operand] = first_output_.data[i];
        }
      }
    });
  }

  /// Appends the tangents, for the tangent `seed` of the node `variable`, of what leads to one of the first `wanted`
  /// outputs; gives these nodes in order.
  constexpr const growing_array<int>& run(int variable, int seed, int wanted) {
    tangents_.clear(visited_);
    visited_.size = 0;
    if (!active_[variable] || first_output_[variable] >= wanted) return visited_;
    tangents_.add(variable, {seed}), pending_.insert(variable);
    for (int i = pending_.pop_first(); i >= 0; i = pending_.pop_first()) {
      visited_.push_back(i);
      if (i != variable)
        graph_.has_sequences&& is_of_loops(graph_, i) ? append_loop_tangent<Request>(graph_, i, tangents_)
                                                      : append_tangent<Request>(graph_, i, tangents_);
      if (tangents_.at(i).none()) continue;
      for (int u = users_.first.data[i]; u < users_.first.data[i + 1]; ++u)
        if (first_output_.data[users_.all.data[u]] < wanted) pending_.insert(users_.all.data[u]);
    }
    return visited_;
  }
  /// The tangent of a node that the last sweep visited; -1 for none.
  constexpr int tangent(int index) {
    const guarded t = tangents_.at(index);
    return t.none() ? t.node : masked(graph_, t, guarded::everywhere);
  }
};

}  // namespace tapeless::program
