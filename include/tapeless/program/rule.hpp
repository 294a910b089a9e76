#ifndef TAPELESS_PROGRAM_RULE_HPP
#define TAPELESS_PROGRAM_RULE_HPP

#include <tapeless/program/activity.hpp>
#include <tapeless/program/axes.hpp>
#include <tapeless/program/program.hpp>
#include <tapeless/program/trace.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <utility>

namespace tapeless::program {

/// The way a derivative goes through a node: tangents forward, adjoints backward.
enum class direction : bool { forward, backward };

/// Appends what reaches operand number `which` of node `result` from its adjoint, or the node from the operand's
/// tangent: `incoming` times the partial derivative.
using contribution_function = int (*)(builder& graph, int which, int result, int incoming, direction way);

/// Which rule a pass needs: that of one operation and one of its operands.
struct rule_key {
  const operation_info* operation = nullptr;
  int which = 0;
  constexpr bool operator==(const rule_key& other) const {
    return *operation == *other.operation && which == other.which;
  }
};

namespace detail {

template <class Op, int Which>
constexpr int contribution(builder& graph, [[maybe_unused]] int which, int result, int incoming,
                           [[maybe_unused]] direction way) {
  [[maybe_unused]] const int* operands = graph.operands(result);
  const traced factor(graph, incoming);
  if constexpr (!requires { Op::partials; }) {
    static_assert(tapeless::detail::always_false<Op>,
                  "tapeless: an operation without a derivative rule is differentiated; give it "
                  "`partials = rules(...)` or put it behind stop_gradient");
    return 0;
  } else if constexpr (tapeless::detail::Reduction<Op>) {
    const reduced_axes axes(graph, graph.nodes[result].reduced);
    const traced product =
        traced(factor * Op::partials.template get<0>()(traced(graph, operands[0]), traced(graph, result), axes));
    return tapeless::detail::node_in(graph, way == direction::forward ? axes.sum(product) : product);
  } else if constexpr (tapeless::detail::has_any_arity<Op>()) {
    return tapeless::detail::node_in(
        graph, factor * Op::partials.rule(traced(graph, operands[which]), traced(graph, result),
                                          operand_list(graph, operands, graph.nodes[result].count)));
  } else {
    static_assert(Which < static_cast<int>(tapeless::detail::arity<Op>),
                  "tapeless: an operation has fewer derivative rules than operands; rules(...) takes one an operand");
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      if constexpr (requires { Op::pullback; } && Which == 0)
        if (way == direction::backward)
          return tapeless::detail::node_in(graph,
                                           Op::pullback(factor, traced(graph, operands[I])..., traced(graph, result)));
      return tapeless::detail::node_in(
          graph, factor * Op::partials.template get<Which>()(traced(graph, operands[I])..., traced(graph, result)));
    }(std::make_index_sequence<tapeless::detail::arity<Op>>{});
  }
}

}  // namespace detail

/// The first operation, of those that differentiating `outputs` by `variables` goes through, that has no derivative
/// rule to use; null if there is none.
constexpr const operation_info* first_without_rule(graph_view graph, std::span<const int> variables,
                                                   std::span<const int> outputs) {
  const auto lacks_rule = [&](int i) {
    const node& n = graph.nodes[i];
    return n.kind == node_kind::apply && n.algebra != algebra::where && !n.condition && !n.operation->has_rule;
  };
  int first = 0;
  while (first < graph.size && !lacks_rule(first)) ++first;
  if (first == graph.size) return nullptr;
  const growing_array<char> active = active_nodes(graph, variables, outputs);
  for (int i = first; i < graph.size; ++i)
    if (active.data[i] && lacks_rule(i)) return graph.nodes[i].operation;
  return nullptr;
}

/// The move of operand number `which` of a node; none of indices.
constexpr const tensor_move* move_of(const builder& graph, const node& n, int which) {
  const tensor_move* first = graph.moves.data + n.access;
  if (!first->has_indices()) return first + which;
  return which == 0 ? first : nullptr;
}

/// What reaches operand number `which` of a node that moves elements from the node's adjoint.
constexpr int move_backward(builder& graph, int index, int which, int incoming) {
  if (graph.is_absolute_zero(incoming)) return incoming;
  const node n = graph.nodes.data[index];
  const tensor_move back = move_of(graph, n, which)->transposed();
  const int operands[] = {incoming, n.count > 1 ? graph.operands(index)[1] : 0};
  return graph.append_move(*n.operation, &back, operands, back.has_indices() ? 2 : 1);
}

/// The derivative rules that differentiating `outputs` of a program by `variables` needs, each once: the rules of
/// operations behind stops are never instantiated. `Request` names program, outputs and variables.
template <class Request>
class rule_table {
  static constexpr growing_array<rule_key> collect() {
    constexpr graph_view graph = Request::source::view();
    const growing_array<char> active = active_nodes(graph, Request::variables(), Request::outputs());
    growing_array<rule_key> found;
    for (int i = 0; i < graph.size; ++i) {
      const node& n = graph.nodes[i];
      if (!active.data[i] || n.kind != node_kind::apply || n.algebra == algebra::where || n.operation->moves) continue;
      for (int which = 0; which < n.count; ++which) {
        if (!active.data[graph.edges[n.first + which]]) continue;
        const rule_key key = key_of(n, which);
        bool known = false;
        for (int k = 0; k < found.size && !known; ++k) known = found.data[k] == key;
        if (!known) found.push_back(key);
      }
    }
    return found;
  }
  static constexpr rule_key key_of(const node& n, int which) {
    return {n.operation, n.operation->any_arity ? 0 : which};
  }

  static constexpr std::size_t count = [] { return static_cast<std::size_t>(collect().size); }();
  static constexpr auto keys = [] {
    std::array<rule_key, count> table{};
    const growing_array<rule_key> collected = collect();
    for (std::size_t key = 0; key < count; ++key) table[key] = collected.data[key];
    return table;
  }();
  static constexpr auto functions = []<std::size_t... I>(std::index_sequence<I...>) {
    return std::array<contribution_function, count>{
        &detail::contribution<operation_of<keys[I].operation>, keys[I].which>...};
  }(std::make_index_sequence<count>{});

 public:
  /// Appends the contribution of or to operand number `which` of node `index`.
  static constexpr int contribution(builder& graph, int index, int which, int incoming, direction way) {
    const node& n = graph.nodes.data[index];
    const int key = n.operation->any_arity ? 0 : which;
    const rule_key* k = keys.data();
    while (*k != rule_key{n.operation, key}) ++k;
    return functions.data()[k - keys.data()](graph, which, index, incoming, way);
  }
};

}  // namespace tapeless::program

#endif
