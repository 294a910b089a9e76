#ifndef TAPELESS_PROGRAM_NODE_HPP
#define TAPELESS_PROGRAM_NODE_HPP

#include <tapeless/core/constant.hpp>
#include <tapeless/core/expression.hpp>

#include <array>
#include <cstdint>

namespace tapeless::program {

struct operation_info;

enum class node_kind : unsigned char { variable, number, constant, stop, apply };

/// What the rewrites of the program know of a node; those from `zero` to `logical_or` can change what is built on it.
enum class algebra : unsigned char {
  none,
  add,
  subtract,
  multiply,
  divide,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,
  even_function,
  power,
  zero,
  constant,
  negate,
  where,
  abs,
  logical_not,
  logical_and,
  logical_or,
};

/// A set of axes, one bit an axis. Every axis of a program over tensors has a number of its own: an elementwise
/// operation has the axes of all its operands, so that broadcasting needs no operation, and a reduction has fewer.
using axis_set = std::uint64_t;

/// One value of a program: a leaf (the variable, run-time number or constant with index `leaf`), a stop, or an
/// operation on `count` operands, whose node indices stand in the program's edges from `first` on.
struct node {
  node_kind kind{};
  program::algebra algebra{};
  bool condition = false;
  const operation_info* operation = nullptr;
  int first = 0;
  int count = 0;
  int leaf = 0;
  /// The axes that the value varies over; none for a number.
  axis_set axes = 0;
  /// The axes that a reduction reduces.
  axis_set reduced = 0;
  /// How a variable that is a tensor is read: an index into the program's accesses.
  int access = 0;
};

inline constexpr int max_rank = 6;

/// A way to read a variable that is a tensor: which axis of the program each of its axes is; -1 for an axis of extent
/// 1, which is not an axis of the program.
struct tensor_access {
  int variable = 0;
  int rank = 0;
  std::array<int, max_rank> axes{};

  constexpr bool operator==(const tensor_access&) const = default;
  constexpr axis_set set() const {
    axis_set result = 0;
    for (int i = 0; i < rank; ++i)
      if (axes.data()[i] >= 0) result |= axis_set{1} << axes.data()[i];
    return result;
  }
};

/// A constant of a program: the exact ratio of two integers, or, with denominator 0, a literal. A literal zero is a
/// number like others (0.0 * inf is NaN); only the exact zero is absolute.
struct constant_value {
  std::int64_t numerator = 0;
  std::int64_t denominator = 1;
  double literal = 0.0;

  constexpr bool exact() const { return denominator != 0; }
  constexpr bool is(std::int64_t value) const { return denominator == 1 && numerator == value; }
  constexpr bool is_numeric_zero() const { return is(0) || (denominator == 0 && literal == 0.0); }

  /// The constant rounded to `T`. A ratio is divided in `T` or in double, whichever is wider.
  template <class T>
  constexpr T as() const {
    if (!exact()) return static_cast<T>(literal);
    if (denominator == 1) return static_cast<T>(numerator);
    if constexpr (std::is_same_v<T, float>)
      return static_cast<float>(as<double>());
    else
      return static_cast<T>(numerator) / static_cast<T>(denominator);
  }
};

/// Numbers written in a traced function: those with few binary digits are exact ratios, zeros and all others literals.
template <Numeric T>
constexpr constant_value constant_from(const T& number) {
  const double literal = static_cast<double>(number);
  constexpr double exact_limit = 9007199254740992.0;  // 2^53
  double scaled = literal;
  for (std::int64_t denominator = 1; denominator <= 1024; denominator *= 2, scaled *= 2) {
    if (scaled == 0.0 || !(-exact_limit < scaled && scaled < exact_limit)) break;
    const auto integer = static_cast<std::int64_t>(scaled);
    if (static_cast<double>(integer) == scaled) return {integer, denominator, 0.0};
  }
  return {0, 0, literal};
}

}  // namespace tapeless::program

#endif
