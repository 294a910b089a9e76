#pragma once

#include <tapeless/program/rewrite/arithmetic_rules.hpp>
#include <tapeless/program/rewrite/logic_rules.hpp>

namespace tapeless::program {

namespace rewriting {

/// The rules of each operation. Those of sums over axes are in sum_rules.hpp, those of moves in move_rules.hpp.
using of_negate = rule_list<negative_of_constant, negative_of_negative, negative_of_difference, negative_of_selection,
                            negative_of_multiple>;
using of_not = rule_list<not_constant, not_not>;
using of_softmax = rule_list<softmax_of_shifted>;
using of_exp = rule_list<softmax_of_term>;
using of_function = rule_list<sign_of_operand, repeated, undone>;
using of_add =
    rule_list<sum_with_zero, sum_of_negatives, sum_with_negative, sum_of_selections, sum_of_doubles<operation::Add>>;
using of_subtract = rule_list<difference_with_zero, zero_minus, minus_negative, negative_minus,
                              sum_of_doubles<operation::Subtract>, reversed_difference>;
using of_multiply =
    rule_list<product_with_zero, product_with_one, product_of_negative<operation::Multiply>, scaled_product>;
using of_divide = rule_list<quotient_by_one, zero_over, product_of_negative<operation::Divide>,
                            quotient_by_power_of_two, shared_inverse, quotient_by_uniform>;
using of_power = rule_list<power_zero, power_one, integer_power>;
template <opcode Op, auto... Others>
using of_logic = rule_list<with_constant<Op>, with_implied<Op>, with_opposite<Op>, Others...>;
using of_and = of_logic<opcode::logical_and>;
using of_or = of_logic<opcode::logical_or, or_of_branches>;
using of_two_operands = rule_list<same_twice, with_identity>;
using of_where = rule_list<where_constant, where_same, where_not, where_chosen_already>;

constexpr int fold_unary(builder& graph, const operation_info& operation, int a) {
  rewriter r{graph, operation};
  if (operation.opcode == opcode::negate) return of_negate::fold(r, a);
  if (operation.opcode == opcode::logical_not) return of_not::fold(r, r.condition(a));
  if (graph.mode() == stage::evaluation && operation == info<operation::SoftmaxExp>) {
    const int shared = of_softmax::first(r, a);
    return shared >= 0 ? shared : r.graph.make<operation::Exp>(a);
  }
  if (graph.mode() == stage::evaluation && operation == info<operation::Exp>) return of_exp::fold(r, a);
  return of_function::fold(r, a);
}

constexpr int fold_binary(builder& graph, const operation_info& operation, int a, int b) {
  rewriter r{graph, operation};
  if (graph.nodes.data[a].kind == node_kind::constant && graph.nodes.data[b].kind == node_kind::constant)
    if (const constant_value *x = graph.constant_of(a), *y = graph.constant_of(b); x->exact() && y->exact())
      if (const auto c = detail::fold_constants(operation.opcode, *x, *y); c.exact()) return graph.constant(c);
  switch (operation.opcode) {
    case opcode::add: return of_add::fold(r, a, b);
    case opcode::subtract: return of_subtract::fold(r, a, b);
    case opcode::multiply: return of_multiply::fold(r, a, b);
    case opcode::divide: return of_divide::fold(r, a, b);
    case opcode::power: return of_power::fold(r, a, b);
    case opcode::greater: return r.graph.make<operation::Less>(b, a);
    case opcode::greater_equal: return r.graph.make<operation::LessEqual>(b, a);
    case opcode::logical_and: return of_and::fold(r, r.condition(a), r.condition(b));
    case opcode::logical_or: return of_or::fold(r, r.condition(a), r.condition(b));
    default: return of_two_operands::fold(r, a, b);
  }
}

constexpr int fold_selection(builder& graph, const operation_info& operation, int c, int a, int b) {
  rewriter r{graph, operation};
  return of_where::fold(r, r.condition(c), a, b);
}

}  // namespace rewriting

constexpr int builder::as_number(int index) {
  if (!nodes.data[index].condition) return index;
  const int selected[] = {index, constant(1), constant(constant_value{0, 0, 0.0})};
  return append_as_is(info<operation::Where>, selected, 3);
}

constexpr int builder::append_reduction(const operation_info& operation, int operand, axis_set reduced) {
  if (!operation.condition) operand = as_number(operand);
  node n = operation_node(operation, 1);
  n.reduced = reduced;
  return intern(n, &operand);
}

constexpr int builder::append(const operation_info& operation, const int* operands, int count) {
  // Sums and products of ordinary nodes, the bulk of every program, only take the order of their operands.
  if (count == 2 && (operation.opcode == opcode::add || operation.opcode == opcode::multiply) && !has_conditions &&
      !too_large && !nodes.data[operands[0]].shapes && !nodes.data[operands[1]].shapes &&
      !(mode_ == stage::derivative && operation.opcode == opcode::add && is_double(operands[0]) &&
        is_double(operands[1]))) {
    const int ordered[] = {operands[0] < operands[1] ? operands[0] : operands[1],
                           operands[0] < operands[1] ? operands[1] : operands[0]};
    return intern(operation_node(operation, 2), ordered);
  }
  if (count == 2 && !has_conditions && !too_large &&
      !(operation.of_loops || (mode_ == stage::evaluation && operation.is_composite)))
    return append_binary(operation, operands[0], operands[1]);
  if (too_large) return 0;
  if (plain) return append_plainly(operation, operands, count);
  if (has_conditions && operation.opcode != opcode::logical_not && operation.opcode != opcode::logical_and &&
      operation.opcode != opcode::logical_or) {
    const int first = operation.opcode == opcode::where ? 1 : 0;
    for (int i = first; i < count; ++i) {
      if (!nodes.data[operands[i]].condition) continue;
      growing_array<int> converted(operands, count);
      for (int j = first; j < count; ++j) converted.data[j] = as_number(operands[j]);
      return append(operation, converted.data, count);
    }
  }
  if (operation.of_loops || (mode_ == stage::evaluation && operation.is_composite))
    return operation.of_loops ? append_of_loops(operation, operands, count) : operation.expand(*this, operands, count);
  if (operation.opcode == opcode::where)
    return rewriting::fold_selection(*this, operation, operands[0], operands[1], operands[2]);
  if (count == 1) {
    const node& operand = nodes.data[operands[0]];
    if (!operand.shapes && operation.opcode != opcode::logical_not &&
        (operation.opcode != opcode::negate
             ? mode_ != stage::evaluation
             : operand.opcode != opcode::subtract && (operand.opcode != opcode::multiply || operand.axes == 0)))
      return append_as_is(operation, operands, 1);
    return rewriting::fold_unary(*this, operation, operands[0]);
  }
  return count == 2 ? append_binary(operation, operands[0], operands[1]) : append_as_is(operation, operands, count);
}

/// The operation as it stands, where conditions and numbers are taken for each other.
constexpr int builder::append_unfolded(const operation_info& operation, const int* operands, int count) {
  const opcode kind = operation.opcode;
  const bool logical = kind == opcode::logical_not || kind == opcode::logical_and || kind == opcode::logical_or;
  growing_array<int> converted(operands, count);
  for (int i = 0; i < count; ++i) {
    const int compared[] = {operands[i], constant(0)};
    if (!logical && (kind != opcode::where || i > 0))
      converted[i] = as_number(operands[i]);
    else if (!nodes[operands[i]].condition)
      converted[i] = append_as_is(info<operation::NotEqual>, compared, 2);
  }
  return append_as_is(operation, converted.data, count);
}

/// No rewrite but what exact constants mean: they are computed exactly, and an exact 0 times anything, or over anything
/// but itself, is 0.
constexpr int builder::append_plainly(const operation_info& operation, const int* operands, int count) {
  if (operation.of_loops) return append_of_loops(operation, operands, count);
  if (mode_ == stage::evaluation && operation.is_composite) return operation.expand(*this, operands, count);
  const opcode kind = operation.opcode;
  const int a = count > 0 ? operands[0] : 0, b = count > 1 ? operands[1] : 0;
  if (const constant_value *x = constant_of(a), *y = constant_of(b); count == 2 && x && y && x->exact() && y->exact())
    if (const auto folded = detail::fold_constants(kind, *x, *y); folded.exact()) return constant(folded);
  if (count == 1 && kind == opcode::negate && is_absolute_zero(a)) return a;
  if (count == 2 && kind == opcode::multiply && (is_absolute_zero(a) || is_absolute_zero(b))) return constant(0);
  if (count == 2 && kind == opcode::divide && is_absolute_zero(a) && !is_absolute_zero(b)) return a;
  if (count == 2 && (kind == opcode::add || kind == opcode::subtract)) {
    if (is_absolute_zero(b)) return as_number(a);
    if (kind == opcode::add && is_absolute_zero(a)) return as_number(b);
  }
  return append_unfolded(operation, operands, count);
}

constexpr int builder::append_binary(const operation_info& operation, int a, int b) {
  const opcode left = nodes.data[a].opcode, right = nodes.data[b].opcode;
  const int as_they_stand[] = {a, b}, reversed[] = {b, a}, ordered[] = {a < b ? a : b, a < b ? b : a};
  if (operation.opcode == opcode::none) return append_as_is(operation, as_they_stand, 2);
  if (operation.opcode == opcode::add || operation.opcode == opcode::multiply)
    if (!nodes.data[a].shapes && !nodes.data[b].shapes && !(mode_ == stage::derivative && is_double(a) && is_double(b)))
      return append_as_is(operation, ordered, 2);
  // Differences of them only meet their negatives.
  if (operation.opcode == opcode::subtract && !nodes.data[a].shapes && !nodes.data[b].shapes &&
      !(mode_ == stage::derivative && is_double(a) && is_double(b))) {
    const int negative = find(operation, reversed, 2);
    return negative < 0 ? append_as_is(operation, as_they_stand, 2)
                        : append_as_is(info<operation::Negate>, &negative, 1);
  }
  // So do most products with a constant: one that is positive and not 1, and a factor that is no product itself.
  if (operation.opcode == opcode::multiply && (left == opcode::constant) != (right == opcode::constant)) {
    const constant_value& v = constants.data[nodes.data[left == opcode::constant ? a : b].leaf];
    const opcode other = left == opcode::constant ? right : left;
    if (!nodes.data[left == opcode::constant ? b : a].shapes && other != opcode::multiply &&
        (v.denominator == 0 || (v.numerator > 0 && v.numerator != v.denominator)))
      return append_as_is(operation, ordered, 2);
  }
  return rewriting::fold_binary(*this, operation, a, b);
}

}  // namespace tapeless::program
