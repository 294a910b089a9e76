#pragma once

#include <tapeless/program/differentiate/guarded.hpp>
#include <tapeless/program/differentiate/matrix_rule.hpp>
#include <tapeless/program/graph/activity.hpp>
#include <tapeless/program/graph/program.hpp>
#include <tapeless/program/lower/reduced_axes.hpp>
#include <tapeless/program/lower/sequence_operations.hpp>
#include <tapeless/program/lower/trace.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <utility>

namespace tapeless::program {

/// The way a derivative goes through a node: tangents forward, adjoints backward.
enum class direction : bool { forward, backward };

/// Which rule a pass needs: that of one operation and one of its operands.
struct rule_key {
  const operation_info* operation = nullptr;
  int which = 0;
  constexpr bool operator==(const rule_key& other) const {
    return *operation == *other.operation && which == other.which;
  }
};

namespace detail {

/// incoming * partial: the factors 1 and -1, those of sums and differences, need no product.
template <class Partial>
constexpr guarded times(builder& graph, int incoming, const Partial& partial) {
  if constexpr (is_one<Partial>)
    return {incoming};
  else if constexpr (std::is_same_v<Partial, Constant<-1>>)
    return {graph.make<operation::Negate>(incoming)};
  else {
    const int node = tapeless::detail::node_in(graph, partial);
    if (graph.nodes.data[node].opcode != opcode::where) return {graph.make<operation::Multiply>(incoming, node)};
    const guarded chosen = chosen_part(graph, node);
    return {graph.make<operation::Multiply>(incoming, chosen.node), chosen.where};
  }
}

/// What reaches an operand where the partial derivative is constant, `Partial`.
template <class Partial>
constexpr guarded constant_contribution(builder& graph, int, int, int incoming, direction) {
  return times(graph, incoming, Partial{});
}
template <class Op>
constexpr guarded reduction_contribution(builder& graph, int, int result, int incoming, direction) {
  const reduced_axes axes(graph, graph.nodes.data[result].reduced);
  const int operand = graph.operands(result)[0];
  return times(graph, incoming, Op::partials.template get<0>()(traced(graph, operand), traced(graph, result), axes));
}
template <class Op>
constexpr guarded contribution_of_any_arity(builder& graph, int which, int result, int incoming, direction) {
  const int* operands = graph.operands(result);
  return times(graph, incoming,
               Op::partials.rule(traced(graph, operands[which]), traced(graph, result),
                                 operand_list(graph, operands, graph.nodes.data[result].count)));
}
template <class Op, int Which, std::size_t... I>
constexpr guarded contribution(builder& graph, int, int result, int incoming, direction) {
  const int* operands = graph.operands(result);
  return times(graph, incoming,
               Op::partials.template get<Which>()(traced(graph, operands[I])..., traced(graph, result)));
}
template <class Op, std::size_t... I>
constexpr guarded pullback_contribution(builder& graph, int which, int result, int incoming, direction way) {
  if (way == direction::forward) return contribution<Op, 0, I...>(graph, which, result, incoming, way);
  const int* operands = graph.operands(result);
  return {tapeless::detail::node_in(
      graph, Op::pullback(traced(graph, incoming), traced(graph, operands[I])..., traced(graph, result)))};
}

/// The contribution where the partial derivative is 1.
constexpr guarded whole_contribution(builder&, int, int, int incoming, direction) { return {incoming}; }

/// What appends what reaches operand number `which` of node `result` from its adjoint, or the node from the operand's
/// tangent: `incoming` times the partial derivative. Whether there is nothing to append: that is 1.
struct contribution_rule {
  guarded (*function)(builder& graph, int which, int result, int incoming, direction way);
  bool is_whole = false;
};

/// That of an operation whose rule is wrong as `What` says: there is none, it must not be used, does not take what it
/// gets, or gives no number.
template <fault What>
constexpr guarded no_contribution(builder& graph, int, int, int incoming, direction) {
  graph.misused(What);
  return {incoming};
}

// Not a lambda in its only use: nvcc loses the alias in it.
template <class Op, int Which, std::size_t... I>
constexpr contribution_rule contribution_by_partial(std::index_sequence<I...>) {
  if constexpr (requires { Op::pullback; } && Which == 0)
    return {&pullback_contribution<Op, I...>};
  else if constexpr (!requires {
                       requires Which < static_cast<int>(sizeof...(I));
                       { Op::partials.template get<Which>()((static_cast<void>(I), traced())..., traced()) } -> Operand;
                     })
    return {&no_contribution<fault::number_wanted>};
  else {
    using partial = decltype(Op::partials.template get<Which>()((static_cast<void>(I), traced())..., traced()));
    if constexpr (is_one<partial>)
      return {&whole_contribution, true};
    else if constexpr (is_constant<partial>)
      return {&constant_contribution<partial>};
    else
      return {&contribution<Op, Which, I...>};
  }
}

/// The rule for one operation and one of its operands. Each kind is a function of its own, since clang counts the
/// statements of a choice made by `if constexpr` too.
template <class Op, int Which>
constexpr contribution_rule contribution_by_rule() {
  if constexpr (tapeless::detail::Prevented<Op>) {
    return {&no_contribution<fault::derivative_prevented>};
  } else if constexpr (!requires { Op::partials; }) {
    return {&no_contribution<fault::operation_without_rule>};
  } else if constexpr (tapeless::detail::Reduction<Op>) {
    return {&reduction_contribution<Op>};
  } else if constexpr (tapeless::detail::has_any_arity<Op>()) {
    return {&contribution_of_any_arity<Op>};
  } else {
    return contribution_by_partial<Op, Which>(std::make_index_sequence<tapeless::detail::arity<Op>>{});
  }
}

}  // namespace detail

/// The first operation, of those that differentiating `outputs` by `variables` goes through, that has no derivative
/// rule to use, for tangents none that agrees with that for adjoints; null if there is none.
constexpr const operation_info* first_without_rule(graph_view graph, std::span<const int> variables,
                                                   std::span<const int> outputs, direction way) {
  const auto lacks_rule = [&](int i) {
    const node& n = graph.nodes[i];
    return wants_rule(n) && (!n.operation->has_rule() || (way == direction::forward && pullback_of(n)));
  };
  const int first = first_active(graph, variables, outputs, lacks_rule);
  if (first < 0) return nullptr;
  const node& n = graph.nodes[first];
  return n.operation->has_rule() ? pullback_of(n) : n.operation;
}

/// The move of operand number `which` of a node; none of indices.
constexpr const tensor_move* move_of(const builder& graph, const node& n, int which) {
  const tensor_move* first = graph.moves.data + n.access;
  if (!first->has_indices()) return first + which;
  return which == 0 ? first : nullptr;
}

/// What reaches operand number `which` of a node that moves elements from the node's adjoint. A condition moves along.
constexpr guarded move_backward(builder& graph, int index, int which, const guarded& incoming) {
  if (graph.nodes.data[index].operation->of_matrices) return through_matrices(graph, index, which, incoming, false);
  if (graph.is_absolute_zero(incoming.node)) return {incoming.node};
  const node n = graph.nodes.data[index];
  const tensor_move back = move_of(graph, n, which)->transposed();
  const auto moved = [&](int elements) {
    const int operands[] = {elements, n.count > 1 ? graph.operands(index)[1] : 0};
    return graph.append_move(*n.operation, &back, operands, back.has_indices() ? 2 : 1);
  };
  const int adjoint = moved(masked(graph, incoming, guarded::everywhere));
  if (incoming.where == guarded::everywhere) return {adjoint};
  return {adjoint, flag_holds(graph, moved(graph.as_number(incoming.where))), true};
}

/// The derivative rules that differentiating `outputs` of a program by `variables` needs, each once: the rules of
/// operations behind stops are never instantiated. `Request` names program, outputs and variables.
template <class Request>
class rule_table {
  static constexpr rule_key key_of(const node& n, int which) {
    return {n.operation, n.operation->any_arity ? 0 : which};
  }
  /// Rules, and for each edge of the program the number of its own.
  struct table {
    std::array<rule_key, Request::source::value.edges.size()> keys{};
    std::array<int, Request::source::value.edges.size()> of_edges{};
    int count = 0;
  };
  static constexpr table collect() {
    constexpr graph_view graph = Request::source::view();
    const char* const active = active_in<Request>.data();
    table found;
    rule_key* const keys = found.keys.data();
    int* const of_edges = found.of_edges.data();
    // Rules with the same remainder of the hash of their operations: the newest, and the one before each.
    constexpr std::uint64_t chains = 32;
    growing_array<int> newest(static_cast<int>(chains), -1), before;
    for (int i = 0; i < graph.size; ++i) {
      const node& n = graph.nodes[i];
      if (!active[i] || n.kind != node_kind::apply || n.opcode == opcode::where || n.operation->moves ||
          n.operation->of_loops)
        continue;
      for (int which = 0; which < n.count; ++which) {
        if (!active[graph.edges[n.first + which]] || !n.operation->passes_operand(which)) continue;
        const rule_key key = key_of(n, which);
        int& chain = newest.data[(n.operation->hash + static_cast<std::uint64_t>(key.which)) % chains];
        int k = chain;
        while (k >= 0 && !(keys[k] == key)) k = before.data[k];
        if (k < 0) k = found.count++, before.push_back(chain), chain = k, keys[k] = key;
        of_edges[n.first + which] = k;
      }
    }
    return found;
  }
  static constexpr table rules = collect();
  static constexpr auto count = static_cast<std::size_t>(rules.count);
  static constexpr auto functions = []<std::size_t... I>(std::index_sequence<I...>) {
    return std::array<detail::contribution_rule, count>{
        detail::contribution_by_rule<operation_of<rules.keys[I].operation>, rules.keys[I].which>()...};
  }(std::make_index_sequence<count>{});
  static constexpr const int* rule_of_edge = rules.of_edges.data();
  static constexpr const detail::contribution_rule* by_number = functions.data();

 public:
  /// Appends what flows through operand number `which` of node `index`, and where it flows.
  static constexpr guarded contribution(builder& graph, int index, int which, int incoming, direction way) {
    const detail::contribution_rule& rule = by_number[rule_of_edge[graph.nodes.data[index].first + which]];
    return rule.is_whole ? guarded{incoming} : rule.function(graph, which, index, incoming, way);
  }
};

}  // namespace tapeless::program
