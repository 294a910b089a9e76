#ifndef TAPELESS_PROGRAM_RULE_HPP
#define TAPELESS_PROGRAM_RULE_HPP

#include <tapeless/program/activity.hpp>
#include <tapeless/program/program.hpp>
#include <tapeless/program/trace.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace tapeless::program {

/// Appends the partial derivative of a node with respect to operand number `which`.
using partial_function = int (*)(builder& graph, std::span<const int> operands, std::size_t which, int result);

/// Which rule a pass needs: that of one operation and one of its operands.
struct rule_key {
  const operation_info* operation;
  std::size_t which;
  constexpr bool operator==(const rule_key&) const = default;
};

namespace detail {

template <class Op, std::size_t Which>
constexpr int partial(builder& graph, std::span<const int> operands, std::size_t which, int result) {
  if constexpr (!requires { Op::partials; }) {
    static_assert(tapeless::detail::always_false<Op>,
                  "tapeless: an operation without a derivative rule is differentiated; give it "
                  "`partials = rules(...)` or put it behind stop_gradient");
    return 0;
  } else if constexpr (tapeless::detail::has_any_arity<Op>()) {
    return tapeless::detail::node_in(
        graph, Op::partials.rule(traced(graph, operands[which]), traced(graph, result), operand_list(graph, operands)));
  } else {
    static_assert(Which < tapeless::detail::arity<Op>,
                  "tapeless: an operation has fewer derivative rules than operands; rules(...) takes one an operand");
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return tapeless::detail::node_in(
          graph, std::get<Which>(Op::partials)(traced(graph, operands[I])..., traced(graph, result)));
    }(std::make_index_sequence<tapeless::detail::arity<Op>>{});
  }
}

}  // namespace detail

/// The derivative rules that differentiating `outputs` of a program by `variables` needs, each once: the rules of
/// operations behind stops are never instantiated. `Request` names program, outputs and variables.
template <class Request>
class rule_table {
  static constexpr std::vector<rule_key> collect() {
    const builder graph = thaw(Request::source());
    const std::vector<char> active = active_nodes(graph, Request::variables());
    const std::vector<char> needed = needed_nodes(graph, Request::outputs());
    std::vector<rule_key> found;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
      const node& n = graph.nodes[i];
      if (!active[i] || !needed[i] || n.kind != node_kind::apply || n.operation->algebra == algebra::where) continue;
      const auto operands = graph.operands(static_cast<int>(i));
      for (std::size_t which = 0; which < operands.size(); ++which) {
        if (!active[builder::at(operands[which])]) continue;
        const rule_key key{n.operation, n.operation->any_arity ? 0 : which};
        bool known = false;
        for (const rule_key& k : found) known = known || k == key;
        if (!known) found.push_back(key);
      }
    }
    return found;
  }
  static constexpr std::size_t count = [] { return collect().size(); }();
  static constexpr auto keys = [] {
    std::array<rule_key, count> result{};
    const std::vector<rule_key> collected = collect();
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = collected[i];
    return result;
  }();
  static constexpr auto functions = []<std::size_t... I>(std::index_sequence<I...>) {
    return std::array<partial_function, sizeof...(I)>{
        &detail::partial<operation_of<keys[I].operation>, keys[I].which>...};
  }(std::make_index_sequence<count>{});

 public:
  /// Appends the partial derivative of node `index` with respect to operand number `which`.
  static constexpr int partial(builder& graph, int index, std::size_t which) {
    const node n = graph.nodes[builder::at(index)];
    const auto view = graph.operands(index);
    const std::vector<int> operands(view.begin(), view.end());
    const rule_key key{n.operation, n.operation->any_arity ? 0 : which};
    std::size_t i = 0;
    while (!(keys[i] == key)) ++i;
    return functions[i](graph, operands, which, index);
  }
};

}  // namespace tapeless::program

#endif
