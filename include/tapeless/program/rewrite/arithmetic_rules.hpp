#pragma once

#include <tapeless/program/rewrite/fold_constants.hpp>
#include <tapeless/program/rewrite/rewriter.hpp>

#include <cstdint>

/// The rewrites of a program, each with the precondition under which it holds: `holds` looks at the operands of the
/// operation that is appended, `result` appends what stands for it. All keep the value in IEEE arithmetic, up to
/// overflow and underflow between two factors of which one is a power of two, and the sign of a zero that 0 was added
/// to or that a difference of equal numbers has; those that round otherwise say so. `e - e` is not folded: it is NaN
/// for infinities. Signs move outward, so that equal values meet.
namespace tapeless::program::rewriting {

constexpr bool has_zero_branch(const rewriter& r, int selection) {
  return r.graph.is_absolute_zero(r.operand(selection, 1)) || r.graph.is_absolute_zero(r.operand(selection, 2));
}

/// -c of a constant is a constant.
struct negative_of_constant {
  static constexpr bool holds(const rewriter& r, int a) { return r.graph.constant_of(a) != nullptr; }
  static constexpr int result(rewriter& r, int a) {
    const constant_value x = *r.graph.constant_of(a);
    return r.graph.constant({-x.numerator, x.denominator, x.exact() ? 0.0 : -x.literal});
  }
};

/// -(-x) is x.
struct negative_of_negative {
  static constexpr bool holds(const rewriter& r, int a) { return r.is(a, opcode::negate); }
  static constexpr int result(rewriter& r, int a) { return r.operand(a, 0); }
};

/// -(x - y) is y - x.
struct negative_of_difference {
  static constexpr bool holds(const rewriter& r, int a) { return r.is(a, opcode::subtract); }
  static constexpr int result(rewriter& r, int a) {
    const int reversed[] = {r.operand(a, 1), r.operand(a, 0)};
    return r.graph.append_as_is(info<operation::Subtract>, reversed, 2);
  }
};

/// The sign of a selection with a zero in one branch goes to the other.
struct negative_of_selection {
  static constexpr bool holds(const rewriter& r, int a) { return r.is(a, opcode::where) && has_zero_branch(r, a); }
  static constexpr int result(rewriter& r, int a) {
    const int condition = r.operand(a, 0), first = r.operand(a, 1), second = r.operand(a, 2);
    return r.make<operation::Where>(condition, r.negated(first), r.negated(second));
  }
};

/// Before a loop, -(u x) is (-u) x of a u that is the same along an axis: one sign for all.
struct negative_of_multiple {
  static constexpr bool holds(const rewriter& r, int a) {
    return r.graph.mode() == stage::evaluation && r.is(a, opcode::multiply) && uniform_factor(r, a) >= 0;
  }
  static constexpr int result(rewriter& r, int a) {
    const int i = uniform_factor(r, a), u = r.negated(r.operand(a, i)), x = r.operand(a, 1 - i);
    const int ordered[] = {u < x ? u : x, u < x ? x : u};
    return r.graph.append_as_is(info<operation::Multiply>, ordered, 2);
  }
  /// The operand of a product that lacks an axis of the other; -1 if none does.
  static constexpr int uniform_factor(const rewriter& r, int product) {
    const axis_set first = r.graph.nodes.data[r.operand(product, 0)].axes,
                   second = r.graph.nodes.data[r.operand(product, 1)].axes;
    return first == second ? -1 : (first & ~second) == 0 ? 0 : (second & ~first) == 0 ? 1 : -1;
  }
};

/// x + 0 is x.
struct sum_with_zero {
  static constexpr bool holds(const rewriter& r, int a, int b) {
    return r.is(a, opcode::zero) || r.is(b, opcode::zero);
  }
  static constexpr int result(rewriter& r, int a, int b) { return r.is(a, opcode::zero) ? b : a; }
};

/// (-x) + (-y) is -(x + y).
struct sum_of_negatives {
  static constexpr bool holds(const rewriter& r, int a, int b) {
    return r.is(a, opcode::negate) && r.is(b, opcode::negate);
  }
  static constexpr int result(rewriter& r, int a, int b) {
    return r.negated(r.make<operation::Add>(r.operand(a, 0), r.operand(b, 0)));
  }
};

/// x + (-y) is x - y.
struct sum_with_negative {
  static constexpr bool holds(const rewriter& r, int a, int b) {
    return r.is(a, opcode::negate) || r.is(b, opcode::negate);
  }
  static constexpr int result(rewriter& r, int a, int b) {
    return r.is(b, opcode::negate) ? r.make<operation::Subtract>(a, r.operand(b, 0))
                                   : r.make<operation::Subtract>(b, r.operand(a, 0));
  }
};

/// Contributions of the two branches of one condition need one selection.
struct sum_of_selections {
  static constexpr bool holds(const rewriter& r, int a, int b) {
    return r.is(a, opcode::where) && r.is(b, opcode::where) && r.operand(a, 0) == r.operand(b, 0) &&
           has_zero_branch(r, a) && has_zero_branch(r, b);
  }
  static constexpr int result(rewriter& r, int a, int b) {
    const int condition = r.operand(a, 0);
    const int first = r.make<operation::Add>(r.operand(a, 1), r.operand(b, 1));
    return r.make<operation::Where>(condition, first, r.make<operation::Add>(r.operand(a, 2), r.operand(b, 2)));
  }
};

/// In derivatives, 2 x + 2 y is 2 (x + y): twos move outward, where a sum takes them along.
struct sum_of_doubles {
  static constexpr bool holds(const rewriter& r, int a, int b) {
    return r.graph.mode() == stage::derivative && a != b && r.graph.is_double(a) && r.graph.is_double(b);
  }
  static constexpr int result(rewriter& r, int a, int b) {
    const int sum = r.make<operation::Add>(r.operand(a, 0), r.operand(b, 0));
    return r.make<operation::Add>(sum, sum);
  }
};

/// x - 0 is x.
struct difference_with_zero {
  static constexpr bool holds(const rewriter& r, int, int b) { return r.is_zero(b); }
  static constexpr int result(rewriter&, int a, int) { return a; }
};

/// 0 - x is -x.
struct zero_minus {
  static constexpr bool holds(const rewriter& r, int a, int) { return r.graph.is_absolute_zero(a); }
  static constexpr int result(rewriter& r, int, int b) { return r.negated(b); }
};

/// x - (-y) is x + y.
struct minus_negative {
  static constexpr bool holds(const rewriter& r, int, int b) { return r.is(b, opcode::negate); }
  static constexpr int result(rewriter& r, int a, int b) { return r.make<operation::Add>(a, r.operand(b, 0)); }
};

/// (-x) - y is -(x + y).
struct negative_minus {
  static constexpr bool holds(const rewriter& r, int a, int) { return r.is(a, opcode::negate); }
  static constexpr int result(rewriter& r, int a, int b) {
    return r.negated(r.make<operation::Add>(r.operand(a, 0), b));
  }
};

/// In derivatives, 2 x - 2 y is 2 (x - y).
struct difference_of_doubles {
  static constexpr bool holds(const rewriter& r, int a, int b) { return sum_of_doubles::holds(r, a, b); }
  static constexpr int result(rewriter& r, int a, int b) {
    const int difference = r.make<operation::Subtract>(r.operand(a, 0), r.operand(b, 0));
    return r.make<operation::Add>(difference, difference);
  }
};

/// Of a difference and its negative one is enough: the sign moves on to where it may vanish.
struct reversed_difference {
  static constexpr bool holds(const rewriter& r, int a, int b) {
    const int reversed[] = {b, a};
    return r.graph.find(info<operation::Subtract>, reversed, 2) >= 0;
  }
  static constexpr int result(rewriter r, int a, int b) {
    const int reversed[] = {b, a};
    return r.negated_as_it_stands(r.graph.find(info<operation::Subtract>, reversed, 2));
  }
};

/// 0 x is 0, of the exact zero.
struct product_with_zero {
  static constexpr bool holds(const rewriter& r, int a, int b) {
    return r.graph.is_absolute_zero(a) || r.graph.is_absolute_zero(b);
  }
  static constexpr int result(rewriter& r, int, int) { return r.graph.constant(0); }
};

/// 1 x is x.
struct product_with_one {
  static constexpr bool holds(const rewriter& r, int a, int b) {
    return r.graph.is_constant(a, 1) || r.graph.is_constant(b, 1);
  }
  static constexpr int result(rewriter& r, int a, int b) { return r.graph.is_constant(a, 1) ? b : a; }
};

/// (-x) y is -(x y).
struct product_of_negative {
  static constexpr bool holds(const rewriter& r, int a, int b) { return r.is_negative(a) || r.is_negative(b); }
  static constexpr int result(rewriter& r, int a, int b) {
    return r.negated(r.is_negative(a) ? r.make<operation::Multiply>(r.negated(a), b)
                                      : r.make<operation::Multiply>(a, r.negated(b)));
  }
};

/// c (d x) is (c d) x of constants c and d of which one is a power of two, which rounds alike.
struct scaled_product {
  static constexpr bool holds(const rewriter& r, int a, int b) { return is_scaled(r, a, b) || is_scaled(r, b, a); }
  static constexpr int result(rewriter& r, int a, int b) {
    const bool left = is_scaled(r, a, b);
    const int outer = left ? a : b, product = left ? b : a, i = inner_factor(r, outer, product);
    const auto folded = detail::fold_constants(opcode::multiply, *r.graph.constant_of(outer),
                                               *r.graph.constant_of(r.operand(product, i)));
    return r.make<operation::Multiply>(r.graph.constant(*folded), r.operand(product, 1 - i));
  }
  static constexpr bool is_scaled(const rewriter& r, int outer, int product) {
    return r.is(outer, opcode::constant) && r.is(product, opcode::multiply) && inner_factor(r, outer, product) >= 0;
  }
  /// The operand of a product that the constant `outer` is folded with; -1 if none.
  static constexpr int inner_factor(const rewriter& r, int outer, int product) {
    const constant_value& c = *r.graph.constant_of(outer);
    if (!c.exact()) return -1;
    for (int i = 0; i < 2; ++i) {
      const constant_value* d = r.graph.constant_of(r.operand(product, i));
      if (d && d->exact() && (rewriter::power_of_two(c) || rewriter::power_of_two(*d)) &&
          detail::fold_constants(opcode::multiply, c, *d))
        return i;
    }
    return -1;
  }
};

/// x / 1 is x.
struct quotient_by_one {
  static constexpr bool holds(const rewriter& r, int, int b) { return r.graph.is_constant(b, 1); }
  static constexpr int result(rewriter&, int a, int) { return a; }
};

/// 0 / x is 0, unless x is 0 too.
struct zero_over {
  static constexpr bool holds(const rewriter& r, int a, int b) {
    return r.graph.is_absolute_zero(a) && !r.graph.is_absolute_zero(b);
  }
  static constexpr int result(rewriter&, int a, int) { return a; }
};

/// (-x) / y is -(x / y).
struct quotient_of_negative {
  static constexpr bool holds(const rewriter& r, int a, int b) { return r.is_negative(a) || r.is_negative(b); }
  static constexpr int result(rewriter& r, int a, int b) {
    return r.negated(r.is_negative(a) ? r.make<operation::Divide>(r.negated(a), b)
                                      : r.make<operation::Divide>(a, r.negated(b)));
  }
};

/// Division by a power of two and multiplication by its inverse round alike.
struct quotient_by_power_of_two {
  static constexpr bool holds(const rewriter& r, int, int b) { return r.is_power_of_two(b); }
  static constexpr int result(rewriter& r, int a, int b) {
    const constant_value y = *r.graph.constant_of(b);
    return r.make<operation::Multiply>(a, r.graph.constant({y.denominator, y.numerator, 0.0}));
  }
};

/// Derivatives share the inverse of what a value was divided by: 1/2 / b is 1/2 * (1 / b), which rounds alike.
struct shared_inverse {
  static constexpr bool holds(const rewriter& r, int a, int b) {
    return r.graph.mode() == stage::derivative && r.is_power_of_two(a) && inverse(r, b) >= 0;
  }
  static constexpr int result(rewriter& r, int a, int b) { return r.make<operation::Multiply>(a, inverse(r, b)); }
  static constexpr int inverse(const rewriter& r, int b) {
    const int operands[] = {r.graph.find_constant(1), b};
    return operands[0] < 0 ? -1 : r.graph.find(info<operation::Divide>, operands, 2);
  }
};

/// Before a loop, one division instead of one an element, of what is the same along an axis; within 1.5 ulp.
struct quotient_by_uniform {
  static constexpr bool holds(const rewriter& r, int a, int b) {
    const axis_set axes = r.graph.nodes.data[b].axes, loops = r.graph.nodes.data[a].axes;
    return r.graph.mode() == stage::evaluation && axes != loops && (axes & ~loops) == 0;
  }
  static constexpr int result(rewriter& r, int a, int b) {
    const int operands[] = {a, b, r.make<operation::Divide>(r.graph.constant(1), b)};
    return r.graph.append_as_is(info<operation::UniformQuotient>, operands, 3);
  }
};

/// x^0 is 1.
struct power_zero {
  static constexpr bool holds(const rewriter& r, int, int b) { return r.is_zero(b); }
  static constexpr int result(rewriter& r, int, int) { return r.graph.constant(1); }
};

/// x^1 is x.
struct power_one {
  static constexpr bool holds(const rewriter& r, int, int b) { return r.graph.is_constant(b, 1); }
  static constexpr int result(rewriter&, int a, int) { return a; }
};

/// For evaluation, an integer exponent n of moderate size makes a product by repeated squaring, within |n| ulp.
struct integer_power {
  static constexpr bool holds(const rewriter& r, int, int b) {
    const constant_value* exponent = r.graph.constant_of(b);
    return r.graph.mode() == stage::evaluation && exponent && exponent->denominator == 1 &&
           -largest <= exponent->numerator && exponent->numerator <= largest;
  }
  static constexpr int result(rewriter& r, int a, int b) {
    const std::int64_t exponent = r.graph.constant_of(b)->numerator;
    int product = r.graph.constant(1);
    for (std::int64_t n = exponent < 0 ? -exponent : exponent; n > 0; n /= 2) {
      if (n % 2 != 0) product = r.make<operation::Multiply>(product, a);
      if (n > 1) a = r.make<operation::Multiply>(a, a);
    }
    return exponent < 0 ? r.make<operation::Divide>(r.graph.constant(1), product) : product;
  }
  static constexpr std::int64_t largest = 64;
};

}  // namespace tapeless::program::rewriting
