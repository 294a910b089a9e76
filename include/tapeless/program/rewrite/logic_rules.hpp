#pragma once

#include <tapeless/program/rewrite/rewriter.hpp>

/// Rewrites of conditions, of selections, and of operations by laws of their own, as those of arithmetic_rules.hpp.
namespace tapeless::program::rewriting {

/// Whether `a` is `b` and something else.
constexpr bool implies(const rewriter& r, int a, int b) {
  return r.is(a, opcode::logical_and) && (r.operand(a, 0) == b || r.operand(a, 1) == b);
}
constexpr bool complementary(const rewriter& r, int a, int b) {
  return (r.is(a, opcode::logical_not) && r.operand(a, 0) == b) ||
         (r.is(b, opcode::logical_not) && r.operand(b, 0) == a);
}

constexpr bool is_choice_by(const rewriter& r, int branch, int condition) {
  return r.is(branch, opcode::where) && r.operand(branch, 0) == condition;
}

/// !c of a constant is a constant.
constexpr int not_constant(rewriter& r, int a) {
  return r.graph.constant_of(a) ? r.graph.constant(r.graph.is_absolute_zero(a) ? 1 : 0) : -1;
}

/// !!p is p.
constexpr int not_not(rewriter& r, int a) { return r.is(a, opcode::logical_not) ? r.operand(a, 0) : -1; }

/// p && true is p, p && false is false; p || false is p, p || true is true.
template <opcode Op>
constexpr int with_constant(rewriter& r, int a, int b) {
  constexpr bool dominates = Op == opcode::logical_and;
  return r.graph.constant_of(a)   ? r.graph.is_absolute_zero(a) == dominates ? a : b
         : r.graph.constant_of(b) ? r.graph.is_absolute_zero(b) == dominates ? b : a
                                  : -1;
}

/// Where p is q, or q and something else, p && q is p, and p || q is q.
template <opcode Op>
constexpr int with_implied(rewriter& r, int a, int b) {
  constexpr bool both = Op == opcode::logical_and;
  return a == b || implies(r, a, b) ? (both ? a : b) : implies(r, b, a) ? (both ? b : a) : -1;
}

/// p && !p is false, p || !p is true.
template <opcode Op>
constexpr int with_opposite(rewriter& r, int a, int b) {
  return complementary(r, a, b) ? r.graph.constant(Op == opcode::logical_and ? 0 : 1) : -1;
}

/// p && q || p && !q is p: the needs of the two branches of a nested selection.
constexpr int or_of_branches(rewriter& r, int a, int b) {
  if (!r.is(a, opcode::logical_and) || !r.is(b, opcode::logical_and)) return -1;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      if (r.operand(a, i) == r.operand(b, j) && complementary(r, r.operand(a, 1 - i), r.operand(b, 1 - j)))
        return r.operand(a, i);
  return -1;
}

/// where(c, a, b) of a constant c is the branch chosen.
constexpr int where_constant(rewriter& r, int c, int a, int b) {
  return !r.graph.constant_of(c) ? -1 : r.graph.is_absolute_zero(c) ? b : a;
}
/// where(c, a, a) is a.
constexpr int where_same(rewriter&, int, int a, int b) { return a == b ? a : -1; }
/// where(!c, a, b) is where(c, b, a).
constexpr int where_not(rewriter& r, int c, int a, int b) {
  return r.is(c, opcode::logical_not) ? r.graph.make<operation::Where>(r.operand(c, 0), b, a) : -1;
}
/// A choice that was made already is not made again: where(c, where(c, x, y), b) is where(c, x, b).
constexpr int where_chosen_already(rewriter& r, int c, int a, int b) {
  return is_choice_by(r, a, c)   ? r.graph.make<operation::Where>(c, r.operand(a, 1), b)
         : is_choice_by(r, b, c) ? r.graph.make<operation::Where>(c, a, r.operand(b, 2))
                                 : -1;
}

/// f(-x) is f(x) or -f(x), as the operation says of itself.
constexpr int sign_of_operand(rewriter& r, int a) {
  if (!(r.operation.laws.even || r.operation.laws.odd) || !r.is_negative(a)) return -1;
  const int positive[] = {r.negated(a)}, result = r.graph.append(r.operation, positive, 1);
  return r.operation.laws.even ? result : r.negated(result);
}

/// f(f(x)) is f(x).
constexpr int repeated(rewriter& r, int a) { return r.operation.laws.idempotent && r.is_same(a) ? a : -1; }

/// f(f(x)) is x.
constexpr int undone(rewriter& r, int a) { return r.operation.laws.involution && r.is_same(a) ? r.operand(a, 0) : -1; }

/// f(x, x) is x.
constexpr int same_twice(rewriter& r, int a, int b) { return r.operation.laws.idempotent && a == b ? a : -1; }

/// f(x, e) is x.
constexpr int with_identity(rewriter& r, int a, int b) {
  const laws& l = r.operation.laws;
  return l.identity == INT64_MIN                               ? -1
         : r.graph.is_constant(b, l.identity)                  ? a
         : l.commutative && r.graph.is_constant(a, l.identity) ? b
                                                               : -1;
}

/// Which term of what is subtracted is a logarithm; -1 if none.
constexpr int subtracted_logarithm(const rewriter& r, int a) {
  if (!r.is(a, opcode::subtract) || !r.is(r.operand(a, 1), opcode::add)) return -1;
  for (int i = 0; i < 2; ++i)
    if (applies(r.graph.nodes.data[r.operand(r.operand(a, 1), i)], info<operation::Log>)) return i;
  return -1;
}
/// For evaluation, e^(x - (shift + log s)) is e^(x - shift) / s: a softmax next to its logsumexp shares the
/// exponentials. Only derivatives contain it; within 1.5 ulp.
constexpr int softmax_of_shifted(rewriter& r, int a) {
  const int i = subtracted_logarithm(r, a);
  if (i < 0) return -1;
  const int x = r.operand(a, 0), sum = r.operand(a, 1), shift = r.operand(sum, 1 - i);
  const int inverse = r.graph.make<operation::Divide>(r.graph.constant(1), r.operand(r.operand(sum, i), 0));
  return r.graph.make<operation::Multiply>(r.graph.make<operation::Exp>(r.graph.make<operation::Subtract>(x, shift)),
                                           inverse);
}

constexpr bool is_term(const rewriter& r, int sum, int term) {
  // Operands stand before what is computed from them.
  growing_array<char> terms(sum + 1, 0);
  terms[sum] = 1;
  for (int i = sum; i > term; --i)
    if (terms.data[i] && (r.is(i, opcode::add) || applies(r.graph.nodes.data[i], info<operation::Sum>)))
      for (int j = 0; j < r.graph.nodes.data[i].count; ++j) terms.data[r.operand(i, j)] = 1;
  return term <= sum && terms[term];
}
/// The same for an exponential that a user wrote, where s is a sum that has e^(x - shift) as a term: where that is a
/// normal number, the quotient of the two is at least as accurate. No product with the inverse of s, which overflows
/// where all x are far below the shift.
constexpr int softmax_of_term(rewriter& r, int a) {
  const int i = subtracted_logarithm(r, a);
  if (i < 0) return -1;
  const int sum = r.operand(a, 1), s = r.operand(r.operand(sum, i), 0);
  const int difference[] = {r.operand(a, 0), r.operand(sum, 1 - i)};
  const int exponent = r.graph.find(info<operation::Subtract>, difference, 2);
  const int term = exponent < 0 ? -1 : r.graph.find(info<operation::Exp>, &exponent, 1);
  return term >= 0 && is_term(r, s, term) ? r.graph.make<operation::Divide>(term, s) : -1;
}

}  // namespace tapeless::program::rewriting
