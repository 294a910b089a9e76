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

  constexpr explicit needs(builder& graph) : graph_(graph), need_(graph.nodes.size, nowhere) {}

  /// Those of the nodes of a sweep, from the last to the first.
  constexpr void find(const growing_array<int>& swept, const growing_array<char>& active,
                      std::span<const int> outputs) {
    for (const int i : swept) need_.data[i] = nowhere;
    for (const int output : outputs) need_[output] = everywhere;
    for (const int i : swept) {
      if (need_.data[i] == nowhere) continue;
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
  growing_array<char> known_;

 public:
  constexpr functions_of_one(const builder& graph, const growing_array<char>& active)
      : source_(active.size, -1), derivative_(active.size, -1), known_(active.size, 0) {
    for (int i = 0; i < active.size; ++i)
      if (active.data[i]) source_.data[i] = source_of(graph, active, i);
  }

  /// Appends the derivatives of the nodes of a sweep, from the last to the first, as far as there are none.
  constexpr void append(builder& graph, const growing_array<int>& swept) {
    for (int k = swept.size - 1; k >= 0; --k) {
      const int i = swept.data[k], source = source_.data[i];
      if (source == i || known_.data[i]) continue;
      derivative_.data[source] = graph.constant(1), known_.data[i] = 1;
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
    for (int which = first_differentiated(n); which < n.count; ++which) {
      const int operand = graph.edges.data[n.first + which];
      if (!active.data[operand]) continue;
      if (source >= 0 && source != source_.data[operand]) return index;
      source = source_.data[operand];
    }
    return source;
  }
};

}  // namespace detail

/// Reverse differentiation, program to program, of some outputs of `Request` at a time: a sweep appends the adjoints of
/// the nodes it visits. What all sweeps share is found once, and a sweep visits what its outputs depend on alone.
///
/// Only nodes on an open path from one of `Request::variables()` get adjoints, the first contribution is an assignment,
/// and a contribution that leaves the branch of a selection is masked on its way out, so that no NaN of a branch not
/// taken enters. What an operand was broadcast over is summed. A sweep is linear in the number of nodes that it visits.
template <class Request>
class reverse_sweeps {
  builder& graph_;
  growing_array<char> active_;
  growing_array<int> adjoint_, visited_;
  node_queue pending_;
  detail::needs need_;
  // In a single sweep, adjoints that meet before they pass functions of one number are cheaper.
  bool one_of_several_;
  detail::functions_of_one<Request> functions_;

  constexpr void contribute(int to, int contribution) {
    const int terms[] = {adjoint_.data[to], contribution};
    adjoint_.data[to] = terms[0] == none ? contribution : graph_.append(info<operation::Add>, terms, 2);
  }
  // What flows where `use` holds, to a node that is needed where `need` holds.
  constexpr int masked(int contribution, int use, int need) {
    if (use == need || use == detail::needs::everywhere) return contribution;
    const int selected[] = {use, contribution, graph_.constant(0)};
    return graph_.append(info<operation::Where>, selected, 3);
  }

  /// The active nodes that `outputs` depend on, from the last to the first. Whether there are selections among them.
  constexpr bool visit(std::span<const int> outputs) {
    bool selections = false;
    for (const int output : outputs)
      if (active_[output]) pending_.insert(output);
    for (int i = pending_.pop_last(); i >= 0; i = pending_.pop_last()) {
      visited_.push_back(i);
      const node& n = graph_.nodes.data[i];
      selections |= n.algebra == algebra::where;
      for (int which = first_differentiated(n); which < n.count; ++which)
        if (const int operand = graph_.edges.data[n.first + which]; active_.data[operand]) pending_.insert(operand);
    }
    return selections;
  }

  constexpr void propagate(int i, bool selections) {
    const node n = graph_.nodes.data[i];
    const int from = adjoint_.data[i];
    if (n.kind != node_kind::apply || from == none) return;
    if (one_of_several_ && functions_.source(i) != i) {
      const int source = functions_.source(i), factors[] = {from, functions_.derivative(i)};
      if (factors[1] == none) return;
      const int product = graph_.append(info<operation::Multiply>, factors, 2);
      return contribute(source, selections ? masked(product, need_[i], need_[source]) : product);
    }
    const bool selection = n.algebra == algebra::where, moves = n.operation->moves;
    for (int which = selection; which < n.count; ++which) {
      const int operand = graph_.edges.data[n.first + which];
      if (!active_.data[operand] || (moves && !move_of(graph_, n, which))) continue;
      int contribution = selection ? from
                         : moves   ? move_backward(graph_, i, which,
                                                 selections ? masked(from, need_[i], detail::needs::everywhere) : from)
                                   : rule_table<Request>::contribution(graph_, i, which, from, direction::backward);
      if (graph_.is_absolute_zero(contribution)) continue;
      if (selections && !moves) contribution = masked(contribution, need_.of_use(i, which), need_[operand]);
      const axis_set varying = moves ? move_of(graph_, n, which)->from.set() : n.axes | n.reduced;
      const axis_set broadcast = varying & ~graph_.nodes.data[operand].axes;
      contribute(operand, broadcast ? sum_over(graph_, contribution, broadcast) : contribution);
    }
  }

 public:
  static constexpr int none = -1;

  constexpr explicit reverse_sweeps(builder& graph, bool one_of_several = true)
      : graph_(graph),
        active_(active_nodes(graph, Request::variables(), Request::outputs())),
        adjoint_(active_.size, none),
        pending_(active_.size),
        need_(graph),
        one_of_several_(one_of_several),
        functions_(graph, active_) {
    graph.reassociating = true;
  }

  /// Appends the adjoints of `outputs`, seeded with the nodes `seeds`; gives the nodes visited, from the last to the
  /// first.
  constexpr const growing_array<int>& run(std::span<const int> outputs, std::span<const int> seeds) {
    for (const int i : visited_) adjoint_.data[i] = none;
    visited_.size = 0;
    const bool selections = visit(outputs);
    if (selections) need_.find(visited_, active_, outputs);
    if (one_of_several_) functions_.append(graph_, visited_);
    for (std::size_t i = 0; i < outputs.size(); ++i)
      if (active_[outputs[i]]) contribute(outputs[i], seeds[i]);
    for (const int i : visited_) propagate(i, selections);
    return visited_;
  }
  /// The adjoint of a node that the last sweep visited, a node; -1 where nothing flows.
  constexpr int adjoint(int index) const { return adjoint_.data[index]; }
};

/// For each node that stood in the program the node of its adjoint in one sweep; -1 where nothing flows.
template <class Request>
constexpr growing_array<int> adjoints(builder& graph, std::span<const int> outputs, std::span<const int> seeds) {
  growing_array<int> result(graph.nodes.size, -1);
  reverse_sweeps<Request> sweeps(graph, false);
  for (const int i : sweeps.run(outputs, seeds)) result[i] = sweeps.adjoint(i);
  return result;
}

/// The derivatives of `outputs`, weighted with `seeds`, by each of `Request::variables()`: nodes of the program, which
/// reverse differentiation appends; an absolute zero where nothing flows.
template <class Request>
constexpr growing_array<int> reverse(builder& graph, std::span<const int> outputs, std::span<const int> seeds) {
  growing_array<int> of_variables(graph.variables.size, -1);
  reverse_sweeps<Request> sweeps(graph, false);
  for (const int i : sweeps.run(outputs, seeds))
    if (const node& n = graph.nodes.data[i]; n.kind == node_kind::variable) of_variables[n.leaf] = sweeps.adjoint(i);
  growing_array<int> result;
  for (const int v : Request::variables()) {
    const int derivative = v < 0 ? -1 : of_variables[v];
    result.push_back(derivative < 0 ? graph.constant(0) : derivative);
  }
  return result;
}

}  // namespace tapeless::program

#endif
