#pragma once

#include <tapeless/program/rewrite/rewriter.hpp>

#include <cstdint>

namespace tapeless::program::detail {

inline constexpr constant_value inexact{0, 0, 0.0};

/// n / d in lowest terms; not exact unless the parts are so in double (below 2^53).
constexpr constant_value ratio(std::int64_t n, std::int64_t d) {
  if (d == 0) return inexact;
  if (d < 0) n = -n, d = -d;
  if (d != 1) {
    const std::int64_t divisor = tapeless::detail::gcd(n, d);
    n /= divisor, d /= divisor;
  }
  constexpr std::int64_t limit = std::int64_t{1} << 53;
  return n <= -limit || n >= limit || d >= limit ? inexact : constant_value{n, d, 0.0};
}

/// The result of an operation on two exact constants; not exact where it would round or overflow.
constexpr constant_value fold_constants(opcode op, const constant_value& a, const constant_value& b) {
  constexpr std::int64_t limit = std::int64_t{1} << 31;
  if (a.numerator <= -limit || a.numerator >= limit || a.denominator <= -limit || a.denominator >= limit ||
      b.numerator <= -limit || b.numerator >= limit || b.denominator <= -limit || b.denominator >= limit)
    return inexact;
  const std::int64_t left = a.numerator * b.denominator, right = b.numerator * a.denominator;
  switch (op) {
    case opcode::add: return ratio(left + right, a.denominator * b.denominator);
    case opcode::subtract: return ratio(left - right, a.denominator * b.denominator);
    case opcode::multiply: return ratio(a.numerator * b.numerator, a.denominator * b.denominator);
    case opcode::divide: return ratio(left, right);
    case opcode::less: return ratio(left < right, 1);
    case opcode::less_equal: return ratio(left <= right, 1);
    case opcode::equal: return ratio(left == right, 1);
    case opcode::not_equal: return ratio(left != right, 1);
    default: return inexact;
  }
}

}  // namespace tapeless::program::detail

/// The rewrites of a program. Each looks at the operands of the operation that is appended and, where its precondition
/// holds, appends what stands for it; else it gives -1. All keep the value in IEEE arithmetic, up to overflow and
/// underflow between two factors of which one is a power of two, and the sign of a zero that 0 was added to or that a
/// difference of equal numbers has; those that round otherwise say so. `e - e` is not folded: it is NaN for infinities.
/// Signs move outward, so that equal values meet.
namespace tapeless::program::rewriting {

constexpr bool has_zero_branch(const rewriter& r, int selection) {
  return r.graph.is_absolute_zero(r.operand(selection, 1)) || r.graph.is_absolute_zero(r.operand(selection, 2));
}
/// The operand of a product before a loop that lacks an axis of the other; -1 if none does.
constexpr int uniform_factor(const rewriter& r, int product) {
  if (r.graph.mode() != stage::evaluation || !r.is(product, opcode::multiply)) return -1;
  const axis_set first = r.graph.nodes.data[r.operand(product, 0)].axes,
                 second = r.graph.nodes.data[r.operand(product, 1)].axes;
  return first == second ? -1 : (first & ~second) == 0 ? 0 : (second & ~first) == 0 ? 1 : -1;
}
constexpr bool are_doubles_in_derivative(const rewriter& r, int a, int b) {
  return r.graph.mode() == stage::derivative && r.graph.is_double(a) && r.graph.is_double(b);
}
/// The operand of a product that the constant `outer` is folded with; -1 if none.
constexpr int scaled_factor(const rewriter& r, int outer, int product) {
  if (!r.is(outer, opcode::constant) || !r.is(product, opcode::multiply)) return -1;
  const constant_value& c = *r.graph.constant_of(outer);
  if (!c.exact()) return -1;
  for (int i = 0; i < 2; ++i) {
    const constant_value* d = r.graph.constant_of(r.operand(product, i));
    if (d && d->exact() && (rewriter::power_of_two(c) || rewriter::power_of_two(*d)) &&
        detail::fold_constants(opcode::multiply, c, *d).exact())
      return i;
  }
  return -1;
}

/// -c of a constant is a constant.
constexpr int negative_of_constant(rewriter& r, int a) {
  const constant_value* x = r.graph.constant_of(a);
  return x ? r.graph.constant({-x->numerator, x->denominator, x->exact() ? 0.0 : -x->literal}) : -1;
}

/// -(-x) is x.
constexpr int negative_of_negative(rewriter& r, int a) { return r.is(a, opcode::negate) ? r.operand(a, 0) : -1; }

/// -(x - y) is y - x.
constexpr int negative_of_difference(rewriter& r, int a) {
  if (!r.is(a, opcode::subtract)) return -1;
  const int reversed[] = {r.operand(a, 1), r.operand(a, 0)};
  return r.graph.append_as_is(info<operation::Subtract>, reversed, 2);
}

/// The sign of a selection with a zero in one branch goes to the other.
constexpr int negative_of_selection(rewriter& r, int a) {
  if (!r.is(a, opcode::where) || !has_zero_branch(r, a)) return -1;
  const int condition = r.operand(a, 0), first = r.operand(a, 1), second = r.operand(a, 2);
  return r.graph.make<operation::Where>(condition, r.negated(first), r.negated(second));
}

/// Before a loop, -(u x) is (-u) x of a u that is the same along an axis: one sign for all.
constexpr int negative_of_multiple(rewriter& r, int a) {
  const int i = uniform_factor(r, a);
  if (i < 0) return -1;
  const int x = r.operand(a, 1 - i), u = r.negated(r.operand(a, i));
  const int ordered[] = {u < x ? u : x, u < x ? x : u};
  return r.graph.append_as_is(info<operation::Multiply>, ordered, 2);
}

/// x + 0 is x.
constexpr int sum_with_zero(rewriter& r, int a, int b) {
  return r.is(a, opcode::zero) ? b : r.is(b, opcode::zero) ? a : -1;
}

/// (-x) + (-y) is -(x + y).
constexpr int sum_of_negatives(rewriter& r, int a, int b) {
  return r.is(a, opcode::negate) && r.is(b, opcode::negate)
             ? r.negated(r.graph.make<operation::Add>(r.operand(a, 0), r.operand(b, 0)))
             : -1;
}

/// x + (-y) is x - y.
constexpr int sum_with_negative(rewriter& r, int a, int b) {
  return r.is(b, opcode::negate)   ? r.graph.make<operation::Subtract>(a, r.operand(b, 0))
         : r.is(a, opcode::negate) ? r.graph.make<operation::Subtract>(b, r.operand(a, 0))
                                   : -1;
}

/// Contributions of the two branches of one condition need one selection.
constexpr int sum_of_selections(rewriter& r, int a, int b) {
  if (!r.is(a, opcode::where) || !r.is(b, opcode::where) || r.operand(a, 0) != r.operand(b, 0) ||
      !has_zero_branch(r, a) || !has_zero_branch(r, b))
    return -1;
  const int condition = r.operand(a, 0);
  const int first = r.graph.make<operation::Add>(r.operand(a, 1), r.operand(b, 1));
  return r.graph.make<operation::Where>(condition, first,
                                        r.graph.make<operation::Add>(r.operand(a, 2), r.operand(b, 2)));
}

/// In derivatives, 2 x + 2 y is 2 (x + y), and 2 x - 2 y is 2 (x - y): twos move outward, where a sum takes them along.
template <class Op>
constexpr int sum_of_doubles(rewriter& r, int a, int b) {
  if (a == b || !are_doubles_in_derivative(r, a, b)) return -1;
  const int sum = r.graph.make<Op>(r.operand(a, 0), r.operand(b, 0));
  return r.graph.make<operation::Add>(sum, sum);
}

/// x - 0 is x.
constexpr int difference_with_zero(rewriter& r, int a, int b) { return r.is_zero(b) ? a : -1; }

/// 0 - x is -x.
constexpr int zero_minus(rewriter& r, int a, int b) { return r.graph.is_absolute_zero(a) ? r.negated(b) : -1; }

/// x - (-y) is x + y.
constexpr int minus_negative(rewriter& r, int a, int b) {
  return r.is(b, opcode::negate) ? r.graph.make<operation::Add>(a, r.operand(b, 0)) : -1;
}

/// (-x) - y is -(x + y).
constexpr int negative_minus(rewriter& r, int a, int b) {
  return r.is(a, opcode::negate) ? r.negated(r.graph.make<operation::Add>(r.operand(a, 0), b)) : -1;
}

/// Of a difference and its negative one is enough: the sign moves on to where it may vanish.
constexpr int reversed_difference(rewriter& r, int a, int b) {
  const int reversed[] = {b, a}, found = r.graph.find(info<operation::Subtract>, reversed, 2);
  return found < 0 ? -1 : r.graph.append_as_is(info<operation::Negate>, &found, 1);
}

/// 0 x is 0, of the exact zero.
constexpr int product_with_zero(rewriter& r, int a, int b) {
  return r.graph.is_absolute_zero(a) || r.graph.is_absolute_zero(b) ? r.graph.constant(0) : -1;
}

/// 1 x is x.
constexpr int product_with_one(rewriter& r, int a, int b) {
  return r.graph.is_constant(a, 1) ? b : r.graph.is_constant(b, 1) ? a : -1;
}

/// (-x) y is -(x y), and (-x) / y is -(x / y).
template <class Op>
constexpr int product_of_negative(rewriter& r, int a, int b) {
  return r.is_negative(a)   ? r.negated(r.graph.make<Op>(r.negated(a), b))
         : r.is_negative(b) ? r.negated(r.graph.make<Op>(a, r.negated(b)))
                            : -1;
}

/// c (d x) is (c d) x of constants c and d of which one is a power of two, which rounds alike.
constexpr int scaled_product(rewriter& r, int a, int b) {
  const int left = scaled_factor(r, a, b), i = left >= 0 ? left : scaled_factor(r, b, a);
  if (i < 0) return -1;
  const int outer = left >= 0 ? a : b, product = left >= 0 ? b : a;
  const auto folded = detail::fold_constants(opcode::multiply, *r.graph.constant_of(outer),
                                             *r.graph.constant_of(r.operand(product, i)));
  return r.graph.make<operation::Multiply>(r.graph.constant(folded), r.operand(product, 1 - i));
}

/// x / 1 is x.
constexpr int quotient_by_one(rewriter& r, int a, int b) { return r.graph.is_constant(b, 1) ? a : -1; }

/// 0 / x is 0, unless x is 0 too.
constexpr int zero_over(rewriter& r, int a, int b) {
  return r.graph.is_absolute_zero(a) && !r.graph.is_absolute_zero(b) ? a : -1;
}

/// Division by a power of two and multiplication by its inverse round alike.
constexpr int quotient_by_power_of_two(rewriter& r, int a, int b) {
  if (!r.is_power_of_two(b)) return -1;
  const constant_value& y = *r.graph.constant_of(b);
  return r.graph.make<operation::Multiply>(a, r.graph.constant({y.denominator, y.numerator, 0.0}));
}

/// Derivatives share the inverse of what a value was divided by: 1/2 / b is 1/2 * (1 / b), which rounds alike.
constexpr int shared_inverse(rewriter& r, int a, int b) {
  if (r.graph.mode() != stage::derivative || !r.is_power_of_two(a)) return -1;
  const int operands[] = {r.graph.find_constant(1), b};
  const int inverse = operands[0] < 0 ? -1 : r.graph.find(info<operation::Divide>, operands, 2);
  return inverse < 0 ? -1 : r.graph.make<operation::Multiply>(a, inverse);
}

/// Before a loop, one division instead of one an element, of what is the same along an axis; within 1.5 ulp.
constexpr int quotient_by_uniform(rewriter& r, int a, int b) {
  const axis_set axes = r.graph.nodes.data[b].axes, loops = r.graph.nodes.data[a].axes;
  if (r.graph.mode() != stage::evaluation || axes == loops || (axes & ~loops) != 0) return -1;
  const int operands[] = {a, b, r.graph.make<operation::Divide>(r.graph.constant(1), b)};
  return r.graph.append_as_is(info<operation::UniformQuotient>, operands, 3);
}

/// x^0 is 1.
constexpr int power_zero(rewriter& r, int, int b) { return r.is_zero(b) ? r.graph.constant(1) : -1; }

/// x^1 is x.
constexpr int power_one(rewriter& r, int a, int b) { return r.graph.is_constant(b, 1) ? a : -1; }

/// For evaluation, an integer exponent n of moderate size makes a product by repeated squaring, within |n| ulp.
constexpr int integer_power(rewriter& r, int a, int b) {
  constexpr std::int64_t largest = 64;
  const constant_value* constant = r.graph.constant_of(b);
  if (r.graph.mode() != stage::evaluation || !constant || constant->denominator != 1 ||
      constant->numerator < -largest || constant->numerator > largest)
    return -1;
  const std::int64_t exponent = constant->numerator;
  int product = r.graph.constant(1);
  for (std::int64_t n = exponent < 0 ? -exponent : exponent; n > 0; n /= 2) {
    if (n % 2 != 0) product = r.graph.make<operation::Multiply>(product, a);
    if (n > 1) a = r.graph.make<operation::Multiply>(a, a);
  }
  return exponent < 0 ? r.graph.make<operation::Divide>(r.graph.constant(1), product) : product;
}

}  // namespace tapeless::program::rewriting
