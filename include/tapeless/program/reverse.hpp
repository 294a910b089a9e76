#ifndef TAPELESS_PROGRAM_REVERSE_HPP
#define TAPELESS_PROGRAM_REVERSE_HPP

#include <tapeless/program/axes.hpp>
#include <tapeless/program/forward.hpp>
#include <tapeless/program/rule.hpp>

#include <cstddef>
#include <span>

namespace tapeless::program {

namespace detail {

/// Where each active node is needed for the derivative of the outputs: a condition, as a node, or everywhere, or
/// nowhere. A node is needed where one of its uses is, and a branch of a selection only where it is chosen.
class needs {
  builder& graph_;
  growing_array<int> need_;

  template <class Op, class... Is>
  constexpr int make(Is... operands) {
    const int list[] = {operands...};
    return graph_.append(info<Op>, list, sizeof...(Is));
  }

 public:
  static constexpr int nowhere = -1;
  static constexpr int everywhere = -2;

  constexpr needs(builder& graph, const growing_array<char>& active, std::span<const int> outputs)
      : graph_(graph), need_(active.size, nowhere) {
    for (const int output : outputs) need_[output] = everywhere;
    for (int i = active.size - 1; i >= 0; --i) {
      if (!active.data[i] || need_.data[i] == nowhere) continue;
      const node n = graph_.nodes.data[i];
      // A variable's derivative is an output: it must be right everywhere.
      if (n.kind == node_kind::variable) need_[i] = everywhere;
      if (n.kind != node_kind::apply) continue;
      for (int which = 0; which < n.count; ++which) {
        const int operand = graph_.edges.data[n.first + which];
        // Moved elements stand elsewhere: a need has no meaning for their places before.
        if (active.data[operand]) widen(operand, n.operation->moves ? everywhere : of_use(i, which));
      }
    }
  }

  constexpr int operator[](int index) const { return need_.data[index]; }

  /// Where node `index` uses its operand number `which`.
  constexpr int of_use(int index, int which) {
    const int need = need_.data[index];
    if (graph_.nodes.data[index].algebra != algebra::where || which == 0) return need;
    const int condition = graph_.operands(index)[0];
    const int chosen = which == 1 ? condition : make<operation::Not>(condition);
    return need == everywhere ? chosen : make<operation::And>(need, chosen);
  }

 private:
  constexpr void widen(int index, int by) {
    if (by >= 0) by = any_over(graph_, by, graph_.nodes.data[by].axes & ~graph_.nodes.data[index].axes);
    int& need = need_.data[index];
    if (need == by) return;
    if (need == nowhere)
      need = by;
    else if (need == everywhere || by == everywhere)
      need = everywhere;
    else if (const int both = make<operation::Or>(need, by); graph_.is_constant(both, 1))
      need = everywhere;
    else
      need = both;
  }
};

/// The functions of one number inside a program: nodes that depend on the variables through one other node alone, their
/// source. Where several sweeps go through a program, the derivative of such a node by its source is appended once, by
/// forward differentiation, and each sweep takes it in one step.
template <class Request>
class functions_of_one {
  growing_array<int> source_;
  growing_array<int> derivative_;

 public:
  constexpr functions_of_one(builder& graph, const growing_array<char>& active, bool wanted)
      : source_(active.size, -1), derivative_(active.size, -1) {
    if (!wanted) return;
    for (int i = 0; i < active.size; ++i) {
      if (!active.data[i]) continue;
      const int source = source_.data[i] = source_of(graph, active, i);
      if (source == i) continue;
      derivative_.data[source] = graph.constant(1);
      derivative_.data[i] = append_tangent<Request>(graph, i, derivative_);
    }
  }

  /// The source of a node, the node itself if it has no other.
  constexpr int source(int index) const { return source_.data[index]; }
  /// The derivative of a node by its source, a node; -1 where it is zero.
  constexpr int derivative(int index) const { return derivative_.data[index]; }

 private:
  constexpr int source_of(const builder& graph, const growing_array<char>& active, int index) const {
    const node& n = graph.nodes.data[index];
    if (n.kind != node_kind::apply || n.operation->has_pullback) return index;
    int source = -1;
    for (int which = n.algebra == algebra::where ? 1 : 0; which < n.count; ++which) {
      const int operand = graph.edges.data[n.first + which];
      if (!active.data[operand]) continue;
      if (source >= 0 && source != source_.data[operand]) return index;
      source = source_.data[operand];
    }
    return source;
  }
};

}  // namespace detail

/// Reverse differentiation, program to program: appends the adjoints of `outputs`, seeded with the nodes `seeds`, and
/// gives for each node that stood in the program the node of its adjoint; -1 where nothing flows.
///
/// Only nodes on an open path from one of `Request::variables()` get adjoints, the first contribution is an assignment,
/// and a contribution that leaves the branch of a selection is masked on its way out, so that no NaN of a branch not
/// taken enters. What an operand was broadcast over is summed. Linear in the program's size.
template <class Request>
constexpr growing_array<int> adjoints(builder& graph, std::span<const int> outputs, std::span<const int> seeds) {
  graph.reassociating = true;
  const growing_array<char> active = active_nodes(graph, Request::variables(), outputs);
  constexpr int none = -1;
  growing_array<int> adjoint(active.size, none);
  const auto contribute = [&](int to, int contribution) {
    const int terms[] = {adjoint.data[to], contribution};
    adjoint.data[to] = terms[0] == none ? contribution : graph.append(info<operation::Add>, terms, 2);
  };
  // What flows where `use` holds, to a node that is needed where `need` holds.
  const auto masked = [&](int contribution, int use, int need) {
    if (use == need || use == detail::needs::everywhere) return contribution;
    const int selected[] = {use, contribution, graph.constant(0)};
    return graph.append(info<operation::Where>, selected, 3);
  };
  bool any = false;
  for (std::size_t i = 0; i < outputs.size(); ++i)
    if (active[outputs[i]]) contribute(outputs[i], seeds[i]), any = true;
  if (any) {
    detail::needs need(graph, active, outputs);
    // In a single sweep, adjoints that meet before they pass such functions are cheaper.
    const bool one_of_several = outputs.size() < Request::outputs().size();
    const detail::functions_of_one<Request> functions(graph, active, one_of_several);
    for (int i = active.size - 1; i >= 0; --i) {
      if (!active.data[i]) continue;
      const node n = graph.nodes.data[i];
      const int from = adjoint.data[i];
      if (n.kind != node_kind::apply || from == none) continue;
      if (one_of_several && functions.source(i) != i) {
        const int source = functions.source(i), factors[] = {from, functions.derivative(i)};
        if (factors[1] != none)
          contribute(source, masked(graph.append(info<operation::Multiply>, factors, 2), need[i], need[source]));
        continue;
      }
      const bool selection = n.algebra == algebra::where;
      for (int which = selection ? 1 : 0; which < n.count; ++which) {
        const int operand = graph.edges.data[n.first + which];
        if (!active.data[operand]) continue;
        const bool moves = n.operation->moves;
        if (moves && !move_of(graph, n, which)) continue;
        int contribution = selection ? from
                           : moves   ? move_backward(graph, i, which, masked(from, need[i], detail::needs::everywhere))
                                     : rule_table<Request>::contribution(graph, i, which, from, direction::backward);
        if (graph.is_absolute_zero(contribution)) continue;
        if (!moves) contribution = masked(contribution, need.of_use(i, which), need[operand]);
        const axis_set varying = moves ? move_of(graph, n, which)->from.set() : n.axes | n.reduced;
        const axis_set broadcast = varying & ~graph.nodes.data[operand].axes;
        contribute(operand, sum_over(graph, contribution, broadcast));
      }
    }
  }
  return adjoint;
}

/// The derivatives of `outputs`, weighted with `seeds`, by each of `Request::variables()`: nodes of the program, which
/// reverse differentiation appends; an absolute zero where nothing flows.
template <class Request>
constexpr growing_array<int> reverse(builder& graph, std::span<const int> outputs, std::span<const int> seeds) {
  constexpr int none = -1;
  growing_array<int> variable_nodes(graph.variables.size, none);
  for (int i = 0; i < graph.nodes.size; ++i)
    if (const node& n = graph.nodes.data[i]; n.kind == node_kind::variable) variable_nodes[n.leaf] = i;
  const growing_array<int> adjoint = adjoints<Request>(graph, outputs, seeds);
  growing_array<int> result;
  for (const int v : Request::variables()) {
    const int node = v < 0 ? none : variable_nodes[v];
    const int derivative = node == none ? none : adjoint[node];
    result.push_back(derivative == none ? graph.constant(0) : derivative);
  }
  return result;
}

}  // namespace tapeless::program

#endif
