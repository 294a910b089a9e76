#ifndef TAPELESS_PROGRAM_REVERSE_HPP
#define TAPELESS_PROGRAM_REVERSE_HPP

#include <tapeless/program/rule.hpp>

#include <cstddef>
#include <vector>

namespace tapeless::program {

namespace detail {

/// Where each active node is needed for the derivative of one output: a condition, as a node, or everywhere, or
/// nowhere. A node is needed where one of its uses is, and a branch of a selection only where it is chosen.
class needs {
  builder& graph_;
  std::vector<int> need_;

  template <class Op, class... Is>
  constexpr int make(Is... operands) {
    const int list[] = {operands...};
    return graph_.append(info<Op>, list);
  }

 public:
  static constexpr int nowhere = -1;
  static constexpr int everywhere = -2;

  constexpr needs(builder& graph, const std::vector<char>& active, int output)
      : graph_(graph), need_(active.size(), nowhere) {
    need_[builder::at(output)] = everywhere;
    for (int i = output; i >= 0; --i) {
      const node n = graph_.nodes[builder::at(i)];
      if (!active[builder::at(i)] || (*this)[i] == nowhere) continue;
      // A variable's derivative is an output: it must be right everywhere.
      if (n.kind == node_kind::variable) need_[builder::at(i)] = everywhere;
      if (n.kind != node_kind::apply) continue;
      for (std::size_t which = 0; which < builder::at(n.count); ++which) {
        const int operand = graph_.operands(i)[which];
        if (active[builder::at(operand)]) widen(operand, of_use(i, which));
      }
    }
  }

  constexpr int operator[](int index) const { return need_[builder::at(index)]; }

  /// Where node `index` uses its operand number `which`.
  constexpr int of_use(int index, std::size_t which) {
    const int need = (*this)[index];
    if (graph_.algebra_of(index) != algebra::where || which == 0) return need;
    const int condition = graph_.operands(index)[0];
    const int chosen = which == 1 ? condition : make<operation::Not>(condition);
    return need == everywhere ? chosen : make<operation::And>(need, chosen);
  }

 private:
  constexpr void widen(int index, int by) {
    int& need = need_[builder::at(index)];
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

}  // namespace detail

/// Reverse differentiation, program to program: appends the adjoints of `output` (seeded with the node `seed`) and
/// gives, for each of `Request::variables()`, the node of the derivative; an absolute zero where nothing flows.
///
/// Only active nodes get adjoints, the first contribution is an assignment, and a contribution that leaves the branch
/// of a selection is masked on its way out, so that no NaN of a branch not taken enters. Linear in the program's size.
template <class Request>
constexpr std::vector<int> reverse(builder& graph, int output, int seed) {
  const std::vector<char> active = active_nodes(graph, Request::variables());
  constexpr int none = -1;
  std::vector<int> adjoint(active.size(), none);
  std::vector<int> variable_nodes(graph.variables.size(), none);
  const auto append = [&]<class Op>(std::type_identity<Op>, auto... operands) {
    const int list[] = {operands...};
    return graph.append(info<Op>, list);
  };
  if (active[builder::at(output)]) {
    detail::needs need(graph, active, output);
    adjoint[builder::at(output)] = seed;
    for (int i = output; i >= 0; --i) {
      const node n = graph.nodes[builder::at(i)];
      if (!active[builder::at(i)]) continue;
      if (n.kind == node_kind::variable) variable_nodes[builder::at(n.leaf)] = i;
      const int from = adjoint[builder::at(i)];
      if (n.kind != node_kind::apply || from == none) continue;
      const bool selection = n.operation->algebra == algebra::where;
      for (std::size_t which = selection ? 1 : 0; which < builder::at(n.count); ++which) {
        const int operand = graph.operands(i)[which];
        if (!active[builder::at(operand)]) continue;
        int contribution = from;
        if (!selection)
          contribution = append(std::type_identity<operation::Multiply>{}, from,
                                rule_table<Request>::partial(graph, i, which));
        if (graph.is_absolute_zero(contribution)) continue;
        if (const int use = need.of_use(i, which); use != need[operand])
          contribution =
              append(std::type_identity<operation::Where>{}, use, contribution, graph.constant(0));
        int& to = adjoint[builder::at(operand)];
        to = to == none ? contribution : append(std::type_identity<operation::Add>{}, to, contribution);
      }
    }
  }
  std::vector<int> result;
  for (const int v : Request::variables()) {
    const int node = v < 0 ? none : variable_nodes[builder::at(v)];
    const int derivative = node == none ? none : adjoint[builder::at(node)];
    result.push_back(derivative == none ? graph.constant(0) : derivative);
  }
  return result;
}

}  // namespace tapeless::program

#endif
