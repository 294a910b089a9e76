#pragma once

#include <tapeless/program/graph/builder.hpp>
#include <tapeless/program/graph/operation_info.hpp>

namespace tapeless::program {

/// An operation that is about to be appended, and what rewrite rules ask of its operands and append instead.
struct rewriter {
  builder& graph;
  const operation_info& operation;

  constexpr bool is(int index, opcode op) const { return graph.nodes.data[index].opcode == op; }
  constexpr bool is_same(int index) const { return applies(graph.nodes.data[index], operation); }
  constexpr int operand(int index, int i) const {
#ifdef TAPELESS_VERIFY
    if (i >= graph.nodes.data[index].count) __builtin_trap();
#endif
    return graph.operands(index)[i];
  }
  /// A sign can be taken out of it: it is one, or a negative constant.
  constexpr bool is_negative(int index) const {
    return is(index, opcode::negate) || (is(index, opcode::constant) && graph.constant_of(index)->exact() &&
                                         graph.constant_of(index)->numerator < 0);
  }
  constexpr bool is_sum(int index) const { return is(index, opcode::add) || is(index, opcode::subtract); }
  constexpr bool is_zero(int index) const {
    const constant_value* x = graph.constant_of(index);
    return x && x->is_numeric_zero();
  }
  constexpr bool is_power_of_two(int index) const {
    const constant_value* x = graph.constant_of(index);
    return x && x->exact() && power_of_two(*x);
  }
  static constexpr bool power_of_two(const constant_value& x) {
    return x.numerator > 0 && (x.numerator & (x.numerator - 1)) == 0 && (x.denominator & (x.denominator - 1)) == 0;
  }

  template <class... Is>
  constexpr int as_it_stands(Is... operands) {
    const int list[] = {operands...};
    return graph.append_as_is(operation, list, sizeof...(Is));
  }
  constexpr int negated(int index) { return graph.make<operation::Negate>(index); }
  /// A number in the place of a condition is true where it is not zero.
  constexpr int condition(int index) {
    if (const constant_value* x = graph.constant_of(index)) return graph.constant(x->is_numeric_zero() ? 0 : 1);
    return graph.nodes.data[index].condition ? index : graph.make<operation::NotEqual>(index, graph.constant(0));
  }
};

/// Rules in the order in which they are tried: functions of a rewriter and the operands.
// Each statement counts as a step of the constant evaluation: no function calls another here.
template <auto... Rules>
struct rule_list {
  /// What the first rule that holds makes of an operation on operands; -1 where none does.
  template <class... Is>
  static constexpr int first(rewriter& r, Is... operands) {
    int result = -1;
    static_cast<void>((((result = Rules(r, operands...)) >= 0) || ...));
    return result;
  }
  /// The same; the operation as it stands where no rule holds, with the operands of a commutative one in the order of
  /// their nodes.
  template <class... Is>
  static constexpr int fold(rewriter& r, Is... operands) {
    int result = -1;
    static_cast<void>((((result = Rules(r, operands...)) >= 0) || ...));
    if (result >= 0) return result;
    if constexpr (sizeof...(Is) == 2) {
      const int list[] = {operands...};
      if (r.operation.laws.commutative && list[1] < list[0]) return r.as_it_stands(list[1], list[0]);
    }
    return r.as_it_stands(operands...);
  }
};

}  // namespace tapeless::program
