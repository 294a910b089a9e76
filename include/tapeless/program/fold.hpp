#ifndef TAPELESS_PROGRAM_FOLD_HPP
#define TAPELESS_PROGRAM_FOLD_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/program/builder.hpp>
#include <tapeless/program/operation_info.hpp>

#include <cstdint>
#include <numeric>
#include <optional>

namespace tapeless::program {

namespace detail {

/// n / d in lowest terms, if the parts stay exact in double (below 2^53).
constexpr std::optional<constant_value> ratio(std::int64_t n, std::int64_t d) {
  if (d == 0) return {};
  if (d < 0) n = -n, d = -d;
  if (d != 1) {
    const std::int64_t divisor = std::gcd(n, d);
    n /= divisor, d /= divisor;
  }
  constexpr std::int64_t limit = std::int64_t{1} << 53;
  if (n <= -limit || n >= limit || d >= limit) return {};
  return constant_value{n, d, 0.0};
}

/// The exact result of an operation on two exact constants; nothing where it would round or overflow.
constexpr std::optional<constant_value> fold_constants(algebra op, const constant_value& a, const constant_value& b) {
  constexpr std::int64_t limit = std::int64_t{1} << 31;
  if (a.numerator <= -limit || a.numerator >= limit || a.denominator <= -limit || a.denominator >= limit ||
      b.numerator <= -limit || b.numerator >= limit || b.denominator <= -limit || b.denominator >= limit)
    return {};
  const std::int64_t left = a.numerator * b.denominator, right = b.numerator * a.denominator;
  switch (op) {
    case algebra::add: return ratio(left + right, a.denominator * b.denominator);
    case algebra::subtract: return ratio(left - right, a.denominator * b.denominator);
    case algebra::multiply: return ratio(a.numerator * b.numerator, a.denominator * b.denominator);
    case algebra::divide: return ratio(left, right);
    case algebra::less: return ratio(left < right, 1);
    case algebra::less_equal: return ratio(left <= right, 1);
    case algebra::equal: return ratio(left == right, 1);
    case algebra::not_equal: return ratio(left != right, 1);
    default: return {};
  }
}

/// The rewrites of a program: all keep the value in IEEE arithmetic, up to overflow and underflow between two factors
/// of which one is a power of two, and the sign of a zero that 0 was added to or that a difference of equal numbers
/// has. `SoftmaxExp` alone, which only a derivative contains, becomes a quotient, and a division by what is the same
/// along an axis a product, within 1.5 ulp. `e - e` is not folded: it is NaN for infinities. Signs move outward and
/// operands of commutative operations take a fixed order, so that equal values meet.
class rewriter {
  builder& g_;
  const operation_info& operation_;

  constexpr bool is(int index, algebra op) const { return g_.nodes.data[index].algebra == op; }
  constexpr int operand(int index, int i) const { return g_.operands(index)[i]; }
  template <class Op, class... Is>
  constexpr int make(Is... operands) {
    const int list[] = {operands...};
    return g_.append(info<Op>, list, sizeof...(Is));
  }
  template <class... Is>
  constexpr int as_is(const operation_info& op, Is... operands) {
    const int list[] = {operands...};
    return g_.append_as_is(op, list, sizeof...(Is));
  }

 public:
  constexpr rewriter(builder& graph, const operation_info& operation) : g_(graph), operation_(operation) {}

  constexpr int unary(int a) {
    if (g_.expanding && operation_ == info<operation::SoftmaxExp>) return softmax_exponential(a);
    switch (operation_.algebra) {
      case algebra::negate: return negate(a);
      case algebra::logical_not: return logical_not(a);
      default: return by_laws(a);
    }
  }

  constexpr int binary(int a, int b) {
    if (g_.nodes.data[a].kind == node_kind::constant && g_.nodes.data[b].kind == node_kind::constant)
      if (const constant_value *x = g_.constant_of(a), *y = g_.constant_of(b); x->exact() && y->exact())
        if (const auto folded = fold_constants(operation_.algebra, *x, *y)) return g_.constant(*folded);
    switch (operation_.algebra) {
      case algebra::add: return add(a, b);
      case algebra::subtract: return subtract(a, b);
      case algebra::multiply: return multiply(a, b);
      case algebra::divide: return divide(a, b);
      case algebra::greater: return make<operation::Less>(b, a);
      case algebra::greater_equal: return make<operation::LessEqual>(b, a);
      case algebra::logical_and: return logical_and(condition(a), condition(b));
      case algebra::logical_or: return logical_or(condition(a), condition(b));
      case algebra::power: return power(a, b);
      default: return by_laws(a, b);
    }
  }

  constexpr int where(int c, int a, int b) {
    c = condition(c);
    if (g_.constant_of(c)) return g_.is_absolute_zero(c) ? b : a;
    if (a == b) return a;
    if (is(c, algebra::logical_not)) return where(operand(c, 0), b, a);
    if (is(a, algebra::where) && operand(a, 0) == c) return where(c, operand(a, 1), b);
    if (is(b, algebra::where) && operand(b, 0) == c) return where(c, a, operand(b, 2));
    return as_is(info<operation::Where>, c, a, b);
  }

 private:
  /// What an operation's own laws say.
  constexpr int by_laws(int a) {
    const laws& l = operation_.laws;
    if ((l.even || l.odd) && negative(a)) {
      const int result = unary(positive(a));
      return l.even ? result : negate(result);
    }
    if (l.idempotent && applies(g_.nodes.data[a], operation_)) return a;
    if (l.involution && applies(g_.nodes.data[a], operation_)) return operand(a, 0);
    return as_is(operation_, a);
  }
  constexpr int by_laws(int a, int b) {
    const laws& l = operation_.laws;
    if (l.idempotent && a == b) return a;
    if (l.identity && g_.is_constant(b, *l.identity)) return a;
    if (l.identity && l.commutative && g_.is_constant(a, *l.identity)) return b;
    return l.commutative && b < a ? as_is(operation_, b, a) : as_is(operation_, a, b);
  }

  /// e^(x - (shift + log s)) as e^(x - shift) / s: a softmax next to its logsumexp shares the exponentials.
  constexpr int softmax_exponential(int difference) {
    if (is(difference, algebra::subtract) && is(operand(difference, 1), algebra::add))
      for (int i = 0; i < 2; ++i) {
        const int x = operand(difference, 0), shift = operand(operand(difference, 1), 1 - i);
        const int logarithm = operand(operand(difference, 1), i);
        if (!applies(g_.nodes.data[logarithm], info<operation::Log>)) continue;
        const int inverse = make<operation::Divide>(g_.constant(1), operand(logarithm, 0));
        return make<operation::Multiply>(make<operation::Exp>(make<operation::Subtract>(x, shift)), inverse);
      }
    return make<operation::Exp>(difference);
  }

  constexpr int negate(int a) {
    const algebra kind = g_.nodes.data[a].algebra;
    if (!g_.nodes.data[a].shapes && kind != algebra::subtract) return as_is(info<operation::Negate>, a);
    if (const constant_value* x = g_.constant_of(a))
      return g_.constant({-x->numerator, x->denominator, x->exact() ? 0.0 : -x->literal});
    if (kind == algebra::negate) return operand(a, 0);
    if (kind == algebra::subtract) return as_is(info<operation::Subtract>, operand(a, 1), operand(a, 0));
    if (kind == algebra::where && has_zero_branch(a))
      return where(operand(a, 0), make<operation::Negate>(operand(a, 1)), make<operation::Negate>(operand(a, 2)));
    return as_is(info<operation::Negate>, a);
  }

  constexpr int add(int a, int b) {
    const algebra left = g_.nodes.data[a].algebra, right = g_.nodes.data[b].algebra;
    if (left == algebra::zero || right == algebra::zero) return left == algebra::zero ? b : a;
    if (left == algebra::negate && right == algebra::negate)
      return negate(make<operation::Add>(operand(a, 0), operand(b, 0)));
    if (right == algebra::negate) return make<operation::Subtract>(a, operand(b, 0));
    if (left == algebra::negate) return make<operation::Subtract>(b, operand(a, 0));
    // Contributions of the two branches of one condition need one selection.
    if (left == algebra::where && right == algebra::where && operand(a, 0) == operand(b, 0) && has_zero_branch(a) &&
        has_zero_branch(b))
      return where(operand(a, 0), make<operation::Add>(operand(a, 1), operand(b, 1)),
                   make<operation::Add>(operand(a, 2), operand(b, 2)));
    // Twos move outward, where a sum takes them along.
    if (g_.differentiating && g_.is_double(a) && g_.is_double(b) && a != b) {
      const int sum = make<operation::Add>(operand(a, 0), operand(b, 0));
      return make<operation::Add>(sum, sum);
    }
    return a <= b ? as_is(info<operation::Add>, a, b) : as_is(info<operation::Add>, b, a);
  }

  constexpr int subtract(int a, int b) {
    if (numeric_zero(b)) return a;
    if (g_.is_absolute_zero(a)) return negate(b);
    if (is(b, algebra::negate)) return make<operation::Add>(a, operand(b, 0));
    if (is(a, algebra::negate)) return negate(make<operation::Add>(operand(a, 0), b));
    if (g_.differentiating && g_.is_double(a) && g_.is_double(b) && a != b) {
      const int difference = make<operation::Subtract>(operand(a, 0), operand(b, 0));
      return make<operation::Add>(difference, difference);
    }
    // Of a difference and its negative one is enough: the sign moves on to where it may vanish.
    const int reversed[] = {b, a};
    if (const int existing = g_.find(info<operation::Subtract>, reversed, 2); existing >= 0)
      return as_is(info<operation::Negate>, existing);
    return as_is(info<operation::Subtract>, a, b);
  }

  constexpr int multiply(int a, int b) {
    const algebra left = g_.nodes.data[a].algebra, right = g_.nodes.data[b].algebra;
    if (left == algebra::zero || right == algebra::zero)
      if (g_.is_absolute_zero(a) || g_.is_absolute_zero(b)) return g_.constant(0);
    if (left == algebra::constant && g_.is_constant(a, 1)) return b;
    if (right == algebra::constant && g_.is_constant(b, 1)) return a;
    if (negative(a)) return negate(make<operation::Multiply>(positive(a), b));
    if (negative(b)) return negate(make<operation::Multiply>(a, positive(b)));
    if (left == algebra::constant && right == algebra::multiply)
      if (const int scaled = scale(a, b); scaled >= 0) return scaled;
    if (right == algebra::constant && left == algebra::multiply)
      if (const int scaled = scale(b, a); scaled >= 0) return scaled;
    return a <= b ? as_is(info<operation::Multiply>, a, b) : as_is(info<operation::Multiply>, b, a);
  }

  /// c * (d * e) as (c * d) * e, of a constant c, where c or d is a power of two, which rounds alike; -1 elsewhere.
  constexpr int scale(int c, int product) {
    const constant_value* outer = g_.constant_of(c);
    if (!outer->exact()) return -1;
    for (int i = 0; i < 2; ++i) {
      const constant_value* inner = g_.constant_of(operand(product, i));
      if (!inner || !inner->exact() || (!power_of_two(*outer) && !power_of_two(*inner))) continue;
      if (const auto folded = fold_constants(algebra::multiply, *outer, *inner))
        return make<operation::Multiply>(g_.constant(*folded), operand(product, 1 - i));
    }
    return -1;
  }
  static constexpr bool power_of_two(const constant_value& x) {
    return x.numerator > 0 && (x.numerator & (x.numerator - 1)) == 0 && (x.denominator & (x.denominator - 1)) == 0;
  }

  constexpr int divide(int a, int b) {
    if (g_.is_constant(b, 1)) return a;
    if (g_.is_absolute_zero(a) && !g_.is_absolute_zero(b)) return a;
    if (negative(a)) return negate(make<operation::Divide>(positive(a), b));
    if (negative(b)) return negate(make<operation::Divide>(a, positive(b)));
    // Division by a power of two and multiplication by its inverse round alike.
    if (const constant_value* y = g_.constant_of(b); y && y->exact() && power_of_two(*y))
      return make<operation::Multiply>(a, g_.constant({y->denominator, y->numerator, 0.0}));
    // Derivatives share the inverse of what a value was divided by: 1/2 / b is 1/2 * (1 / b), which rounds alike.
    if (const constant_value* x = g_.constant_of(a); g_.differentiating && x && x->exact() && power_of_two(*x)) {
      const int inverse[] = {g_.constant(1), b};
      if (const int existing = g_.find(info<operation::Divide>, inverse, 2); existing >= 0)
        return make<operation::Multiply>(a, existing);
    }
    // One division before a loop instead of one an element; within 1.5 ulp of the quotient.
    if (g_.expanding && uniform(b, a)) {
      const int tiny = g_.append_as_is(info<operation::SmallestNormal>, nullptr, 0);
      const int operands[] = {b, tiny, g_.constant(std::int64_t{1} << 62)};
      const int scale = g_.append_as_is(info<operation::InverseScale>, operands, 3);
      return make<operation::Multiply>(make<operation::Multiply>(a, scale),
                                       make<operation::Divide>(g_.constant(1), make<operation::Multiply>(b, scale)));
    }
    return as_is(info<operation::Divide>, a, b);
  }
  /// Whether `a` is the same along an axis of `in`.
  constexpr bool uniform(int a, int in) const {
    const axis_set axes = g_.nodes.data[a].axes, loops = g_.nodes.data[in].axes;
    return axes != loops && (axes & ~loops) == 0;
  }

  /// An integer exponent of moderate size makes a product by repeated squaring.
  constexpr int power(int x, int y) {
    const constant_value* exponent = g_.constant_of(y);
    constexpr std::int64_t limit = 64;
    if (exponent && exponent->is_numeric_zero()) return g_.constant(1);
    if (!exponent || exponent->denominator != 1 || exponent->numerator < -limit || exponent->numerator > limit)
      return as_is(info<operation::Pow>, x, y);
    if (!g_.expanding) return exponent->is(1) ? x : as_is(info<operation::Pow>, x, y);
    const bool inverse = exponent->numerator < 0;
    int product = g_.constant(1);
    int square = x;
    for (std::int64_t n = inverse ? -exponent->numerator : exponent->numerator; n > 0; n /= 2) {
      if (n % 2 != 0) product = make<operation::Multiply>(product, square);
      if (n > 1) square = make<operation::Multiply>(square, square);
    }
    return inverse ? make<operation::Divide>(g_.constant(1), product) : product;
  }

  constexpr int logical_not(int a) {
    a = condition(a);
    if (g_.constant_of(a)) return g_.constant(g_.is_absolute_zero(a) ? 1 : 0);
    if (is(a, algebra::logical_not)) return operand(a, 0);
    return as_is(info<operation::Not>, a);
  }

  constexpr int logical_and(int a, int b) {
    if (g_.constant_of(a)) return g_.is_absolute_zero(a) ? a : b;
    if (g_.constant_of(b)) return g_.is_absolute_zero(b) ? b : a;
    if (a == b || implies(a, b)) return a;
    if (implies(b, a)) return b;
    if (complementary(a, b)) return g_.constant(0);
    return a <= b ? as_is(info<operation::And>, a, b) : as_is(info<operation::And>, b, a);
  }

  constexpr int logical_or(int a, int b) {
    if (g_.constant_of(a)) return g_.is_absolute_zero(a) ? b : a;
    if (g_.constant_of(b)) return g_.is_absolute_zero(b) ? a : b;
    if (a == b || implies(b, a)) return a;
    if (implies(a, b)) return b;
    if (complementary(a, b)) return g_.constant(1);
    // p && q || p && !q is p: the needs of the two branches of a nested selection.
    if (is(a, algebra::logical_and) && is(b, algebra::logical_and))
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j)
          if (operand(a, i) == operand(b, j) && complementary(operand(a, 1 - i), operand(b, 1 - j)))
            return operand(a, i);
    return a <= b ? as_is(info<operation::Or>, a, b) : as_is(info<operation::Or>, b, a);
  }

  /// Whether `a` is `b` and something else.
  constexpr bool implies(int a, int b) const {
    return is(a, algebra::logical_and) && (operand(a, 0) == b || operand(a, 1) == b);
  }
  constexpr bool complementary(int a, int b) const {
    return (is(a, algebra::logical_not) && operand(a, 0) == b) || (is(b, algebra::logical_not) && operand(b, 0) == a);
  }
  /// A number in the place of a condition is true where it is not zero.
  constexpr int condition(int a) {
    if (const constant_value* x = g_.constant_of(a)) return g_.constant(x->is_numeric_zero() ? 0 : 1);
    if (g_.nodes.data[a].condition) return a;
    return make<operation::NotEqual>(a, g_.constant(0));
  }
  constexpr bool numeric_zero(int a) const {
    const constant_value* x = g_.constant_of(a);
    return x && x->is_numeric_zero();
  }
  constexpr bool has_zero_branch(int a) const {
    return g_.is_absolute_zero(operand(a, 1)) || g_.is_absolute_zero(operand(a, 2));
  }
  constexpr bool negative(int a) const {
    const constant_value* x = g_.constant_of(a);
    return is(a, algebra::negate) || (x && x->exact() && x->numerator < 0);
  }
  constexpr int positive(int a) { return negate(a); }
};

}  // namespace detail

constexpr int builder::as_number(int index) {
  if (!nodes.data[index].condition) return index;
  const int selected[] = {index, constant(1), constant(constant_value{0, 0, 0.0})};
  return append_as_is(info<operation::Where>, selected, 3);
}

constexpr int builder::append_reduction(const operation_info& operation, int operand, axis_set reduced) {
  if (!operation.condition) operand = as_number(operand);
  node n{node_kind::apply, operation.algebra, operation.condition, &operation, 0, 1, 0};
  n.reduced = reduced;
  return intern(n, &operand);
}

constexpr int builder::append(const operation_info& operation, const int* operands, int count) {
  // Sums and products of ordinary nodes, the bulk of every program, only take the order of their operands.
  if (count == 2 && (operation.algebra == algebra::add || operation.algebra == algebra::multiply) && !has_conditions &&
      !too_large && !nodes.data[operands[0]].shapes && !nodes.data[operands[1]].shapes &&
      !(differentiating && operation.algebra == algebra::add && is_double(operands[0]) && is_double(operands[1]))) {
    const int ordered[] = {operands[0] < operands[1] ? operands[0] : operands[1],
                           operands[0] < operands[1] ? operands[1] : operands[0]};
    return intern({node_kind::apply, operation.algebra, false, &operation, 0, 2, 0}, ordered);
  }
  if (count == 2 && !has_conditions && !too_large && !(operation.of_loops || (expanding && operation.is_composite)))
    return append_binary(operation, operands[0], operands[1]);
  if (too_large) return 0;
  if (has_conditions && operation.algebra != algebra::logical_not && operation.algebra != algebra::logical_and &&
      operation.algebra != algebra::logical_or) {
    const int first = operation.algebra == algebra::where ? 1 : 0;
    for (int i = first; i < count; ++i) {
      if (!nodes.data[operands[i]].condition) continue;
      growing_array<int> converted(operands, count);
      for (int j = first; j < count; ++j) converted.data[j] = as_number(operands[j]);
      return append(operation, converted.data, count);
    }
  }
  if (operation.of_loops || (expanding && operation.is_composite))
    return operation.of_loops ? append_of_loops(operation, operands, count) : operation.expand(*this, operands, count);
  if (operation.algebra == algebra::where)
    return detail::rewriter(*this, operation).where(operands[0], operands[1], operands[2]);
  if (count == 1) {
    const node& operand = nodes.data[operands[0]];
    if (!operand.shapes && operation.algebra != algebra::logical_not &&
        (operation.algebra == algebra::negate ? operand.algebra != algebra::subtract : !expanding))
      return append_as_is(operation, operands, 1);
    return detail::rewriter(*this, operation).unary(operands[0]);
  }
  return count == 2 ? append_binary(operation, operands[0], operands[1]) : append_as_is(operation, operands, count);
}

constexpr int builder::append_binary(const operation_info& operation, int a, int b) {
  const algebra left = nodes.data[a].algebra, right = nodes.data[b].algebra;
  const int as_they_stand[] = {a, b}, ordered[] = {a < b ? a : b, a < b ? b : a};
  if (operation.algebra == algebra::none) return append_as_is(operation, as_they_stand, 2);
  if (operation.algebra == algebra::add || operation.algebra == algebra::multiply)
    if (!nodes.data[a].shapes && !nodes.data[b].shapes && !(differentiating && is_double(a) && is_double(b)))
      return append_as_is(operation, ordered, 2);
  // So do most products with a constant: one that is positive and not 1, and a factor that is no product itself.
  if (operation.algebra == algebra::multiply && (left == algebra::constant) != (right == algebra::constant)) {
    const constant_value& v = constants.data[nodes.data[left == algebra::constant ? a : b].leaf];
    const algebra other = left == algebra::constant ? right : left;
    if (!nodes.data[left == algebra::constant ? b : a].shapes && other != algebra::multiply &&
        (v.denominator == 0 || (v.numerator > 0 && v.numerator != v.denominator)))
      return append_as_is(operation, ordered, 2);
  }
  return detail::rewriter(*this, operation).binary(a, b);
}

}  // namespace tapeless::program

#endif
