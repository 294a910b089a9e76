#pragma once

#include <tapeless/program/differentiate/forward.hpp>
#include <tapeless/program/differentiate/loop_rules.hpp>
#include <tapeless/program/differentiate/rule.hpp>
#include <tapeless/program/rewrite/axes.hpp>

#include <cstddef>
#include <span>

namespace tapeless::program {

namespace detail {

/// The functions of one number inside a program: nodes that depend on the variables through one other node alone, their
/// source. Where several sweeps go through a program, the derivative of such a node by its source is appended once, by
/// forward differentiation, and each sweep takes it in one step.
template <class Request>
class functions_of_one {
  growing_array<int> source_;
  confluence derivatives_;
  growing_array<char> known_;

 public:
  constexpr functions_of_one(builder& graph, const growing_array<char>& active, int size)
      : source_(size, -1), derivatives_(graph, size), known_(size, 0) {
    for (int i = 0; i < size; ++i)
      if (active.data[i]) source_.data[i] = source_of(graph, active, i);
  }

  /// Appends the derivatives of the nodes of a sweep, from the last to the first, as far as there are none.
  constexpr void append(builder& graph, const growing_array<int>& swept) {
    for (int k = swept.size - 1; k >= 0; --k) {
      const int i = swept.data[k], source = source_.data[i];
      if (source == i || known_.data[i]) continue;
      known_.data[i] = 1;
      if (derivatives_.at(source).none()) derivatives_.add(source, {graph.constant(1)});
      append_tangent<Request>(graph, i, derivatives_);
    }
  }

  /// The source of a node, the node itself if it has no other.
  constexpr int source(int index) const { return source_.data[index]; }
  /// The derivative of a node by its source.
  constexpr guarded derivative(int index) { return derivatives_.at(index); }

 private:
  constexpr int source_of(const builder& graph, const growing_array<char>& active, int index) const {
    const node& n = graph.nodes.data[index];
    if (n.kind != node_kind::apply || n.operation->has_pullback || n.operation->of_loops) return index;
    int source = -1;
    for (int which = 0; which < n.count; ++which) {
      const int operand = graph.edges.data[n.first + which];
      if (!active.data[operand] || !n.operation->passes_operand(which)) continue;
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
/// and nothing flows through branches that are not chosen. What an operand was broadcast over is summed. A sweep is
/// linear in the number of nodes that it visits.
template <class Request>
class reverse_sweeps {
  builder& graph_;
  growing_array<char> active_;
  confluence adjoints_;
  growing_array<int> visited_;
  node_queue pending_;
  // In a single sweep, adjoints that meet before they pass functions of one number are cheaper.
  bool one_of_several_;
  detail::functions_of_one<Request> functions_;
  // The variables whose adjoints keep their conditions.
  growing_array<char> conditional_;

  // A variable's derivative is an output: it must be right everywhere.
  constexpr guarded masked_at(int to, const guarded& arriving) {
    const node& n = graph_.nodes.data[to];
    return n.kind == node_kind::variable && !(conditional_.size && conditional_[n.leaf])
               ? guarded{masked(graph_, arriving, guarded::everywhere)}
               : arriving;
  }
  constexpr void contribute(int to, const guarded& arriving) {
    adjoints_.add(to, arriving.where == guarded::everywhere ? arriving : masked_at(to, arriving));
  }

  /// Visits the active nodes that `outputs` depend on, from the last to the first.
  constexpr void visit(std::span<const int> outputs) {
    for (const int output : outputs)
      if (active_[output]) pending_.insert(output);
    for (int i = pending_.pop_last(); i >= 0; i = pending_.pop_last()) {
      visited_.push_back(i);
      const node& n = graph_.nodes.data[i];
      const int* operands = graph_.edges.data + n.first;
      for (int which = 0; which < n.count; ++which)
        active_.data[operands[which]] && n.operation->passes_operand(which) ? pending_.insert(operands[which]) : void();
    }
  }

  /// A loop asks its outputs for their adjoints.
  constexpr void propagate_loop(int i) {
    if constexpr (Request::source::value.has_sequences)
      loop_rules<Request, direction::backward>::apply(
          graph_, i, adjoints_, [&](int operand, const guarded& arriving) { contribute(operand, arriving); });
  }

  constexpr void propagate(int i) {
    const node n = graph_.nodes.data[i];
    const guarded from = adjoints_.at(i);
    if (n.kind != node_kind::apply || n.operation->of_loops || from.none())
      return is_loop(n) ? propagate_loop(i) : void();
    if (one_of_several_ && functions_.source(i) != i) {
      const guarded derivative = functions_.derivative(i);
      if (derivative.none()) return;
      return contribute(functions_.source(i), {graph_.make<operation::Multiply>(from.node, derivative.node),
                                               both_hold(graph_, from.where, derivative.where)});
    }
    if (is_log_of_quotient(n, from)) return propagate_to_quotient(graph_.edges.data[n.first], from.node);
    for (int which = 0; which < n.count; ++which)
      if (const int operand = graph_.edges.data[n.first + which];
          active_.data[operand] && n.operation->passes >> (which % 64) & 1) {
        const guarded to = n.opcode == opcode::where || n.operation->moves
                               ? selected_or_moved(i, which, from)
                               : rule_table<Request>::contribution(graph_, i, which, from.node, direction::backward);
        if (to.none() || (graph_.nodes.data[to.node].opcode == opcode::zero && graph_.is_absolute_zero(to.node)))
          continue;
        guarded arriving = from.where != guarded::everywhere || n.axes || n.reduced || n.operation->moves
                               ? at_operand(n, which, from, to)
                               : to;
        if (n.opcode == opcode::multiply && operand == graph_.edges.data[n.first + 1 - which] &&
            !graph_.nodes.data[arriving.node].sequence) {
          // What a square contributes by either of its operands.
          arriving.node = graph_.make<operation::Add>(arriving.node, arriving.node);
          return contribute(operand, arriving);
        }
        contribute(operand, arriving);
      }
  }
  /// log(a / b), where nothing else follows from the quotient: its derivatives are 1 / a and -1 / b.
  constexpr bool is_log_of_quotient(const node& n, const guarded& from) {
    if (n.opcode != opcode::none || graph_.accesses.size || from.where != guarded::everywhere ||
        !applies(n, info<operation::Log>))
      return false;
    const int quotient = graph_.edges.data[n.first];
    return graph_.nodes.data[quotient].opcode == opcode::divide && adjoints_.at(quotient).none() &&
           !graph_.constant_of(graph_.operands(quotient)[0]);
  }
  constexpr void propagate_to_quotient(int quotient, int adjoint) {
    for (int which = 0; which < 2; ++which) {
      const int operand = graph_.operands(quotient)[which];
      if (!active_.data[operand]) continue;
      const int inverse = graph_.make<operation::Divide>(graph_.constant(1), operand);
      const int product = graph_.make<operation::Multiply>(adjoint, inverse);
      contribute(operand, {which == 0 ? product : graph_.make<operation::Negate>(product)});
    }
  }
  constexpr guarded selected_or_moved(int i, int which, const guarded& from) {
    const node n = graph_.nodes.data[i];
    if (n.opcode == opcode::where) {
      const int condition = graph_.operands(i)[0];
      return {from.node, which == 1 ? condition : does_not_hold(graph_, condition)};
    }
    return move_of(graph_, n, which) ? move_backward(graph_, i, which, from) : guarded{};
  }
  /// A contribution as what is added to the operand's adjoint: only where the node's own flows, and summed over the
  /// axes that the operand lacks.
  constexpr guarded at_operand(const node& n, int which, const guarded& from, guarded to) {
    const bool moves = n.operation->moves;
    if (!moves && from.where != guarded::everywhere) to.where = both_hold(graph_, to.where, from.where);
    const axis_set varying = moves ? move_of(graph_, n, which)->from.set() : n.axes | n.reduced;
    const axis_set over = varying & ~graph_.nodes.data[graph_.edges.data[n.first + which]].axes;
    return over ? summed(graph_, to, over) : to;
  }

 public:
  constexpr explicit reverse_sweeps(builder& graph, bool one_of_several = true,
                                    const growing_array<char>& conditional = {})
      : graph_(graph),
        active_(active_nodes(graph, Request::variables(), Request::outputs())),
        adjoints_(graph, active_.size),
        pending_(active_.size),
        one_of_several_(one_of_several),
        functions_(graph, active_, one_of_several ? active_.size : 0),
        conditional_(conditional) {}

  /// Appends the adjoints of `outputs`, seeded with the nodes `seeds`; gives the nodes visited, from the last to the
  /// first.
  constexpr const growing_array<int>& run(std::span<const int> outputs, std::span<const int> seeds) {
    adjoints_.clear(visited_);
    visited_.size = 0;
    visit(outputs);
    if (one_of_several_) functions_.append(graph_, visited_);
    for (std::size_t i = 0; i < outputs.size(); ++i)
      if (active_[outputs[i]]) contribute(outputs[i], {seeds[i]});
    for (const int i : visited_) propagate(i);
    return visited_;
  }
  /// The same for the only sweep, which visits all active nodes.
  template <class Seed>
  constexpr void run_once(std::span<const int> outputs, std::span<const Seed> seeds) {
    for (std::size_t i = 0; i < outputs.size(); ++i)
      if (active_[outputs[i]]) contribute(outputs[i], guarded{seeds[i]});
    for (int i = active_.size - 1; i >= 0; --i) active_.data[i] ? propagate(i) : void();
  }
  /// The adjoint of a variable that the last sweep visited.
  constexpr guarded adjoint(int index) { return adjoints_.at(index); }
};

/// The adjoint of each node that stood in the program and is a variable, in one sweep; those of the variables
/// `conditional` keep the conditions under which they flow.
template <class Request, class Seed>
constexpr growing_array<guarded> adjoints(builder& graph, std::span<const int> outputs, std::span<const Seed> seeds,
                                          const growing_array<char>& conditional = {}) {
  growing_array<guarded> result(graph.nodes.size, guarded{});
  reverse_sweeps<Request> sweeps(graph, false, conditional);
  sweeps.run_once(outputs, seeds);
  for (int i = 0; i < result.size; ++i)
    if (graph.nodes.data[i].kind == node_kind::variable) result[i] = sweeps.adjoint(i);
  return result;
}

/// The same of each of `Request::variables()`, numbers.
template <class Request>
constexpr growing_array<guarded> guarded_adjoints(builder& graph, std::span<const int> outputs,
                                                  std::span<const guarded> seeds,
                                                  const growing_array<char>& conditional) {
  const growing_array<int> of_variables = nodes_of_variables(graph);
  const growing_array<guarded> adjoint = adjoints<Request>(graph, outputs, seeds, conditional);
  growing_array<guarded> result;
  for (const int v : Request::variables()) result.push_back(of_variables[v] < 0 ? guarded{} : adjoint[of_variables[v]]);
  return result;
}

/// The derivatives of `outputs`, weighted with `seeds`, by each of `Request::variables()`: nodes of the program, which
/// reverse differentiation appends; an absolute zero where nothing flows, and by a sequence one of zeros.
template <class Request>
constexpr growing_array<int> reverse(builder& graph, std::span<const int> outputs, std::span<const int> seeds) {
  const growing_array<int> of_variables = nodes_of_variables(graph);
  const growing_array<guarded> adjoint = adjoints<Request>(graph, outputs, seeds);
  growing_array<int> result;
  for (const int v : Request::variables()) {
    const int node = v < 0 ? -1 : of_variables[v];
    result.push_back(node < 0 ? graph.constant(0) : number_of(graph, adjoint[node], node));
  }
  return result;
}

}  // namespace tapeless::program
