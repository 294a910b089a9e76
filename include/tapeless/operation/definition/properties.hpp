#pragma once

#include <cstdint>

namespace tapeless {

/// What holds of an operation for all numbers, bit for bit but for the sign of a zero: programs are simplified by it.
struct laws {
  /// f(a, b) is f(b, a), so that both are computed once.
  bool commutative = false;
  /// f(x, identity) is x; f(identity, x) too where f is commutative. INT64_MIN: there is none.
  std::int64_t identity = INT64_MIN;
  /// f(-x) is f(x), or -f(x): a sign vanishes or moves outward.
  bool even = false, odd = false;
  /// f(f(x)) is f(x); of two operands f(x, x) is x.
  bool idempotent = false;
  /// f(f(x)) is x.
  bool involution = false;
};

/// How many operations of each kind are executed.
struct operation_counts {
  int additions = 0;  ///< sums and differences
  int multiplications = 0;
  int divisions = 0;
  int negations = 0;
  int comparisons = 0;  ///< comparisons and logical operations
  int selections = 0;   ///< where, max, min
  int functions = 0;    ///< exp, sin, pow, ...; sine and cosine of one operand count once

  constexpr int total() const {
    return additions + multiplications + divisions + negations + comparisons + selections + functions;
  }
  constexpr operation_counts& operator+=(const operation_counts& other) {
    additions += other.additions, multiplications += other.multiplications, divisions += other.divisions;
    negations += other.negations, comparisons += other.comparisons, selections += other.selections;
    functions += other.functions;
    return *this;
  }
  constexpr bool operator==(const operation_counts&) const = default;
};

namespace operation {

/// The operations of numbers that rewrites of a program know by themselves; `zero` and `constant` are no operations but
/// leaves that rewrites look for.
enum class opcode : unsigned char {
  none,
  /// None of these, but it has laws of its own.
  lawful,
  zero,
  constant,
  add,
  subtract,
  multiply,
  divide,
  negate,
  power,
  where,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,
  logical_not,
  logical_and,
  logical_or,
};

}  // namespace operation

}  // namespace tapeless
