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

/// !c of a constant is a constant.
struct not_constant {
  static constexpr bool holds(const rewriter& r, int a) { return r.graph.constant_of(a) != nullptr; }
  static constexpr int result(rewriter& r, int a) { return r.graph.constant(r.graph.is_absolute_zero(a) ? 1 : 0); }
};

/// !!p is p.
struct not_not {
  static constexpr bool holds(const rewriter& r, int a) { return r.is(a, opcode::logical_not); }
  static constexpr int result(rewriter& r, int a) { return r.operand(a, 0); }
};

/// p && true is p, p && false is false.
struct and_constant {
  static constexpr bool holds(const rewriter& r, int a, int b) {
    return r.graph.constant_of(a) || r.graph.constant_of(b);
  }
  static constexpr int result(rewriter& r, int a, int b) {
    if (r.graph.constant_of(a)) return r.graph.is_absolute_zero(a) ? a : b;
    return r.graph.is_absolute_zero(b) ? b : a;
  }
};

/// p && q is p where p is q, or q and something else.
struct and_implied {
  static constexpr bool holds(const rewriter& r, int a, int b) {
    return a == b || implies(r, a, b) || implies(r, b, a);
  }
  static constexpr int result(rewriter& r, int a, int b) { return a == b || implies(r, a, b) ? a : b; }
};

/// p && !p is false.
struct contradiction {
  static constexpr bool holds(const rewriter& r, int a, int b) { return complementary(r, a, b); }
  static constexpr int result(rewriter& r, int, int) { return r.graph.constant(0); }
};

/// p || true is true, p || false is p.
struct or_constant {
  static constexpr bool holds(const rewriter& r, int a, int b) {
    return r.graph.constant_of(a) || r.graph.constant_of(b);
  }
  static constexpr int result(rewriter& r, int a, int b) {
    if (r.graph.constant_of(a)) return r.graph.is_absolute_zero(a) ? b : a;
    return r.graph.is_absolute_zero(b) ? a : b;
  }
};

/// p || q is p where q is p, or p and something else.
struct or_implied {
  static constexpr bool holds(const rewriter& r, int a, int b) { return and_implied::holds(r, a, b); }
  static constexpr int result(rewriter& r, int a, int b) { return a == b || implies(r, b, a) ? a : b; }
};

/// p || !p is true.
struct tautology {
  static constexpr bool holds(const rewriter& r, int a, int b) { return complementary(r, a, b); }
  static constexpr int result(rewriter& r, int, int) { return r.graph.constant(1); }
};

/// p && q || p && !q is p: the needs of the two branches of a nested selection.
struct or_of_branches {
  static constexpr bool holds(const rewriter& r, int a, int b) { return shared(r, a, b) >= 0; }
  static constexpr int result(rewriter& r, int a, int b) { return shared(r, a, b); }
  static constexpr int shared(const rewriter& r, int a, int b) {
    if (!r.is(a, opcode::logical_and) || !r.is(b, opcode::logical_and)) return -1;
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j)
        if (r.operand(a, i) == r.operand(b, j) && complementary(r, r.operand(a, 1 - i), r.operand(b, 1 - j)))
          return r.operand(a, i);
    return -1;
  }
};

/// where(c, a, b) of a constant c is the branch chosen.
struct where_constant {
  static constexpr bool holds(const rewriter& r, int c, int, int) { return r.graph.constant_of(c) != nullptr; }
  static constexpr int result(rewriter& r, int c, int a, int b) { return r.graph.is_absolute_zero(c) ? b : a; }
};
/// where(c, a, a) is a.
struct where_same {
  static constexpr bool holds(const rewriter&, int, int a, int b) { return a == b; }
  static constexpr int result(rewriter&, int, int a, int) { return a; }
};
/// where(!c, a, b) is where(c, b, a).
struct where_not {
  static constexpr bool holds(const rewriter& r, int c, int, int) { return r.is(c, opcode::logical_not); }
  static constexpr int result(rewriter& r, int c, int a, int b) {
    return r.make<operation::Where>(r.operand(c, 0), b, a);
  }
};
/// A choice that was made already is not made again: where(c, where(c, x, y), b) is where(c, x, b).
struct where_chosen_already {
  static constexpr bool holds(const rewriter& r, int c, int a, int b) { return chosen(r, c, a) || chosen(r, c, b); }
  static constexpr int result(rewriter& r, int c, int a, int b) {
    return chosen(r, c, a) ? r.make<operation::Where>(c, r.operand(a, 1), b)
                           : r.make<operation::Where>(c, a, r.operand(b, 2));
  }
  static constexpr bool chosen(const rewriter& r, int c, int branch) {
    return r.is(branch, opcode::where) && r.operand(branch, 0) == c;
  }
};

/// f(-x) is f(x) or -f(x), as the operation says of itself.
struct sign_of_operand {
  static constexpr bool holds(const rewriter& r, int a) {
    return (r.operation.laws.even || r.operation.laws.odd) && r.is_negative(a);
  }
  static constexpr int result(rewriter& r, int a) {
    const int positive[] = {r.negated(a)}, result = r.graph.append(r.operation, positive, 1);
    return r.operation.laws.even ? result : r.negated(result);
  }
};

/// f(f(x)) is f(x).
struct repeated {
  static constexpr bool holds(const rewriter& r, int a) { return r.operation.laws.idempotent && r.is_same(a); }
  static constexpr int result(rewriter&, int a) { return a; }
};

/// f(f(x)) is x.
struct undone {
  static constexpr bool holds(const rewriter& r, int a) { return r.operation.laws.involution && r.is_same(a); }
  static constexpr int result(rewriter& r, int a) { return r.operand(a, 0); }
};

/// f(x, x) is x.
struct same_twice {
  static constexpr bool holds(const rewriter& r, int a, int b) { return r.operation.laws.idempotent && a == b; }
  static constexpr int result(rewriter&, int a, int) { return a; }
};

/// f(x, e) is x.
struct with_identity {
  static constexpr bool holds(const rewriter& r, int a, int b) {
    const laws& l = r.operation.laws;
    return l.identity &&
           (r.graph.is_constant(b, *l.identity) || (l.commutative && r.graph.is_constant(a, *l.identity)));
  }
  static constexpr int result(rewriter& r, int a, int b) {
    return r.graph.is_constant(b, *r.operation.laws.identity) ? a : b;
  }
};

/// For evaluation, e^(x - (shift + log s)) is e^(x - shift) / s: a softmax next to its logsumexp shares the
/// exponentials. Only derivatives contain it; within 1.5 ulp.
struct softmax_of_shifted {
  static constexpr bool holds(const rewriter& r, int a) { return logarithm(r, a) >= 0; }
  static constexpr int result(rewriter& r, int a) {
    const int i = logarithm(r, a), x = r.operand(a, 0), sum = r.operand(a, 1), shift = r.operand(sum, 1 - i);
    const int inverse = r.make<operation::Divide>(r.graph.constant(1), r.operand(r.operand(sum, i), 0));
    return r.make<operation::Multiply>(r.make<operation::Exp>(r.make<operation::Subtract>(x, shift)), inverse);
  }
  /// Which term of what is subtracted is a logarithm; -1 if none.
  static constexpr int logarithm(const rewriter& r, int a) {
    if (!r.is(a, opcode::subtract) || !r.is(r.operand(a, 1), opcode::add)) return -1;
    for (int i = 0; i < 2; ++i)
      if (applies(r.graph.nodes.data[r.operand(r.operand(a, 1), i)], info<operation::Log>)) return i;
    return -1;
  }
};

/// The same for an exponential that a user wrote, where s is a sum that has e^(x - shift) as a term: where that is a
/// normal number, the quotient of the two is at least as accurate. No product with the inverse of s, which overflows
/// where all x are far below the shift.
struct softmax_of_term {
  static constexpr bool holds(const rewriter& r, int a) {
    const int i = softmax_of_shifted::logarithm(r, a);
    if (i < 0) return false;
    const int sum = r.operand(a, 1), difference[] = {r.operand(a, 0), r.operand(sum, 1 - i)};
    const int exponent = r.graph.find(info<operation::Subtract>, difference, 2);
    const int term = exponent < 0 ? -1 : r.graph.find(info<operation::Exp>, &exponent, 1);
    return term >= 0 && is_term(r, r.operand(r.operand(sum, i), 0), term);
  }
  static constexpr int result(rewriter& r, int a) {
    const int i = softmax_of_shifted::logarithm(r, a), sum = r.operand(a, 1), s = r.operand(r.operand(sum, i), 0);
    const int difference = r.make<operation::Subtract>(r.operand(a, 0), r.operand(sum, 1 - i));
    return r.make<operation::Divide>(r.make<operation::Exp>(difference), s);
  }

 private:
  static constexpr bool is_term(const rewriter& r, int sum, int term) {
    // Operands stand before what is computed from them.
    growing_array<char> terms(sum + 1, 0);
    terms[sum] = 1;
    for (int i = sum; i > term; --i)
      if (terms.data[i] && (r.is(i, opcode::add) || applies(r.graph.nodes.data[i], info<operation::Sum>)))
        for (int j = 0; j < r.graph.nodes.data[i].count; ++j) terms.data[r.operand(i, j)] = 1;
    return term <= sum && terms[term];
  }
};

}  // namespace tapeless::program::rewriting
