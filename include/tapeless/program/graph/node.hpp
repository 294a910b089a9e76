#pragma once

#include <tapeless/core/always_inline.hpp>
#include <tapeless/core/constant.hpp>
#include <tapeless/core/expression.hpp>
#include <tapeless/operation/definition/properties.hpp>
#include <tapeless/program/graph/fault.hpp>

#include <bit>
#include <cstdint>
#include <string_view>

namespace tapeless::operation {

struct scan_shape;

}  // namespace tapeless::operation

namespace tapeless::program {

struct operation_info;

/// Leaves, of which `extent` and `index` are how long an axis is and the index along it, which the call sets; a stop;
/// an operation.
enum class node_kind : unsigned char { variable, extent, index, number, constant, stop, apply };

/// Whether a leaf is read by an access, where the program is one over tensors.
constexpr bool is_read(node_kind kind) {
  return kind == node_kind::variable || kind == node_kind::extent || kind == node_kind::index;
}
constexpr bool is_leaf(node_kind kind) { return kind != node_kind::stop && kind != node_kind::apply; }

using operation::opcode;

/// A set of axes, one bit an axis. Every axis of a program over tensors has a number of its own: an elementwise
/// operation has the axes of all its operands, so that broadcasting needs no operation, and a reduction has fewer.
#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 axis_set;
#else
using axis_set = std::uint64_t;
#endif
inline constexpr int most_axes = 8 * sizeof(axis_set);

/// One value of a program: a leaf (the variable, axis, run-time number or constant with number `leaf`), a stop, or an
/// operation on `count` operands, whose node indices stand in the program's edges from `first` on.
// Its members have no initializers, or clang would run them for each element of an array that is not written yet.
struct node {
  node_kind kind;
  program::opcode opcode;
  bool condition;
  const operation_info* operation;
  int first;
  int count;
  int leaf;
  /// The axes that the value varies over; none for a number.
  axis_set axes;
  /// The axes that a reduction reduces.
  axis_set reduced;
  /// How a leaf that is a tensor is read: an index into the program's accesses. Of a move of elements, an index
  /// into the program's moves: of the first, where several operands are moved.
  int access;
  /// A sequence of numbers, which a loop of run-time length reads or writes.
  bool sequence;
  /// Rewrites of what is built on the node look at it: it is a constant, a sign, a selection or the like.
  bool shapes;
  /// How long the value is waited for: about the time, in that of a product, of the longest chain of operations to it.
  /// Before the node has operands, the operation's own.
  int depth;
  /// That of the kind, the operation and the operands: where the builder's table has the node. Before the node has
  /// operands, that of the others.
  std::uint64_t hash;
};
constexpr node leaf_node(node_kind kind, int leaf) {
  return {kind,  opcode::none,
          false, nullptr,
          0,     0,
          leaf,  0,
          0,     0,
          false, kind == node_kind::constant,
          0,     static_cast<std::uint64_t>(kind) + 0xabc98388fb8fac03u * static_cast<std::uint64_t>(leaf)};
}

/// The place of an entry in a matrix.
struct matrix_place {
  int row = 0;
  int column = 0;
};

inline constexpr int max_rank = 6;

/// The axes of a value. It is used as an array, and copied as one of std::array, whose index costs clang more steps of
/// a constant expression.
struct axis_list {
  int data[max_rank]{};

  constexpr bool operator==(const axis_list&) const = default;
  constexpr operator int*() { return data; }
  constexpr operator const int*() const { return data; }
};

/// What an access reads: a variable, the extent of an axis or the index along it; or how an output lies in memory.
enum class access_kind : unsigned char { variable, extent, index, output };

/// A way to read a tensor, the variable, axis or output with number `of`: which axis of the program each of its axes
/// is; -1 for an axis of extent 1, which is not an axis of the program.
struct tensor_access {
  access_kind kind{};
  int of = 0;
  int rank = 0;
  axis_list axes;

  constexpr bool operator==(const tensor_access&) const = default;
  constexpr bool is_variable() const { return kind == access_kind::variable; }
  constexpr axis_set set() const {
    axis_set result = 0;
    for (int i = 0; i < rank; ++i)
      if (axes[i] >= 0) result |= axis_set{1} << axes[i];
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
  TAPELESS_ALWAYS_INLINE constexpr T as() const {
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
  // With -ffinite-math-only no comparison tells what is finite.
  if ((std::bit_cast<std::uint64_t>(literal) >> 52 & 0x7ff) == 0x7ff) return {0, 0, literal};
  for (std::int64_t denominator = 1; denominator <= 1024; denominator *= 2, scaled *= 2) {
    if (scaled == 0.0 || !(-exact_limit < scaled && scaled < exact_limit)) break;
    const auto integer = static_cast<std::int64_t>(scaled);
    if (static_cast<double>(integer) == scaled) return {integer, denominator, 0.0};
  }
  return {0, 0, literal};
}

/// An integer: a constant, plus a number that the formula carries, plus the extents of some axes.
struct extent_sum {
  static constexpr int max_count = 16;
  std::int64_t constant = 0;
  int number = -1;
  int count = 0;
  int axes[max_count]{};

  constexpr bool operator==(const extent_sum&) const = default;
};

enum class move_kind : unsigned char {
  /// A range along an axis, and back into a tensor of zeros. Operands that are moved into ranges side by side are
  /// concatenated.
  slice,
  pad,
  /// The elements that indices name along an axis, and back, added up.
  take,
  put,
  /// The same elements in the same order in another shape.
  reshape,
  /// Elements repeated along axes of extent 1, where the other tensor is longer, and back, added up. Only in programs
  /// whose axes are explicit: where axes are unified, loops do it.
  broadcast,
  sum_to,
  /// Elements moved on along an axis, those that leave it at its end to its beginning; and back.
  roll,
  unroll,
  /// The sums of the elements up to each along an axis, and of those from each on.
  accumulate,
  accumulate_back,
  /// No move: how an operation of matrices reads an operand and lays out its result.
  read,
};

/// How far the elements of a range lie apart, backwards where it is negative: a constant, or a number that the formula
/// carries.
struct range_step {
  std::int64_t constant = 1;
  int number = -1;

  constexpr bool operator==(const range_step&) const = default;
};

/// A linear operation that computes nothing but sums: elements of one tensor become elements of another.
struct tensor_move {
  move_kind kind{};
  tensor_access from, to;
  /// The axis along which a range or indices choose.
  int position = 0;
  /// Where a range begins, or how far elements are moved on.
  extent_sum begin{};
  range_step step{};
  /// Indices are those of segments, which do not count from the back.
  bool segments = false;
  /// It reads a history that loops compute again: nothing lies there.
  bool replayed = false;
  /// Zeros stand between the ranges that several operands are moved into, too.
  bool gaps = false;
  /// Of an adjoint it tells where it flows.
  bool reached = false;

  constexpr bool operator==(const tensor_move&) const = default;

  /// Whether zeros stand around what `count` operands are moved into.
  constexpr bool leaves_gaps(int count) const { return kind == move_kind::pad && (count == 1 || gaps); }
  /// Whether a second operand says which elements are moved.
  constexpr bool has_indices() const { return kind == move_kind::take || kind == move_kind::put; }
  constexpr tensor_move transposed() const {
    using enum move_kind;
    constexpr move_kind other[] = {pad,  slice,           put,       take, reshape, sum_to, broadcast, unroll,
                                   roll, accumulate_back, accumulate};
    return {other[static_cast<int>(kind)], to, from, position, begin, step, segments};
  }
};

/// How long an axis is that no variable has: `begin` alone, the range from `begin` to `end` of another axis, 1 for its
/// element at `begin`, the product of the extents of some axes over a number, or what the two axes of `begin` are
/// broadcast to. Or else that an axis must be as long as `begin`.
struct axis_rule {
  enum class form : unsigned char { sum, range, element, quotient, broadcast, equal };
  int axis = 0;
  form how{};
  extent_sum begin, end{};
  int of = -1;
  axis_set factors = 0;
  std::int64_t divisor = 1;
  /// What wants axes to be equally long, for the message; empty where operands simply meet.
  std::string_view wanted_by{};
  /// That of a range.
  range_step step{};

  constexpr bool operator==(const axis_rule&) const = default;
};

/// A place of a program where it matters how long a value is along an axis. The loops take all that is unified with the
/// axis for equally long; `own` are the axes, before they were unified, that the value's own extent is broadcast from.
struct extent_use {
  int axis = 0;
  axis_set own = 0;
  /// Whether others are unified with the axis, so that a call must compare.
  bool compared = false;
  /// Whether that is an error which nothing can be broadcast to.
  bool strict = false;
  /// The name of the reduction that is not one over no elements; empty where there is none.
  std::string_view reduction{};

  constexpr bool operator==(const extent_use&) const = default;
};

/// What an axis, before it was unified, is: that of a variable at a position, or of a rule.
struct axis_source {
  int variable = -1;
  int position = 0;
  int rule = -1;

  constexpr bool operator==(const axis_source&) const = default;
};

class builder;

/// A loop that a loop of derivatives runs as well: of its own operands which of that loop's each is, -1 where it has no
/// counterpart, and the operations that read that loop's carries from it. None where there are no operands.
struct loop_beside {
  const operation_info* loop = nullptr;
  int count = 0;
  const int* operands = nullptr;
  const operation_info* const* outputs = nullptr;
};

/// What the program knows of an operation, as a value; `operation_of` leads back to the operation's type.
struct operation_info {
  static constexpr std::uint64_t all_operands = ~std::uint64_t{0};

  std::string_view name;
  program::opcode opcode{};
  tapeless::laws laws{};
  operation_counts cost{};
  int latency = 1;
  /// Rewrites of what is built on its result look at it.
  bool shapes = false;
  bool condition;
  /// Its value is a pair of numbers.
  bool pair;
  /// Its value is two numbers that are computed alike.
  bool two_lanes;
  std::uint64_t hash = 0;
  /// Its derivative rule is one for any number of operands.
  bool any_arity;
  /// What keeps it from being differentiated: it has no derivative rule, or none that may be used.
  fault without_rule;
  constexpr bool has_rule() const { return without_rule == fault::none; }
  /// It has derivative rules, and these are none of the library's.
  bool rules_of_user = false;
  /// Its rule for adjoints is not the transpose of that for tangents.
  bool has_pullback = false;
  /// The first such operation in the body of a loop, on a path from what the loop is given to what it gives.
  const operation_info* pullback_in_body = nullptr;
  bool stop_in_body = false;
  /// Which operands a derivative goes through: bit i for operands i, i + 64, ...
  std::uint64_t passes = all_operands;
  /// It takes tensors where they lie, not element by element: it moves them, or computes with matrices.
  bool moves = false;
  /// It computes with matrices. `matrix_rule` appends what reaches operand `which` of node `index` from its adjoint, or
  /// the node from the operand's tangent.
  bool of_matrices;
  int (*matrix_rule)(builder& graph, int index, int which, int incoming, bool forward) = nullptr;
  /// It is one of tensors, not of numbers.
  bool of_tensors;
  /// It is a verb inside a function, of a function with loops.
  bool calls_loops = false;
  /// It has no value function; `expand` appends the same result from simpler operations.
  bool is_composite;
  int (*expand)(builder& graph, const int* operands, int count) = nullptr;
  /// It has the shape of its first operand: others are broadcast to it, not it to them.
  bool keeps_shape = false;
  /// Its value is a sequence of numbers.
  bool sequence;
  /// A loop over a program of its own has this many outputs, which operations of their own read; others have none.
  int outputs = 0;
  /// Which output of a loop it reads; -1 if none.
  int output_read = -1;

  /// It is a loop or computes with sequences. The derivatives of loops have rules for all operands at once.
  bool of_loops;
  loop_beside beside{};
  /// What a loop with a body takes and gives.
  const tapeless::operation::scan_shape* shape = nullptr;

  /// It makes a number of numbers, as most do.
  bool ordinary = false;

  constexpr bool is_loop() const { return outputs > 0; }
  constexpr bool reads_loop() const { return output_read >= 0; }
  /// Operations are the same if they stand at one address. By name first: with -fsanitize=undefined it is no constant
  /// for g++ whether the addresses of two operations differ, nor whether one is null.
  constexpr bool operator==(const operation_info& other) const { return hash == other.hash && this == &other; }

  constexpr bool passes_operand(int i) const { return (passes >> (i % 64) & 1) != 0; }
};

constexpr node operation_node(const operation_info& operation, int count) {
  return {node_kind::apply, operation.opcode,  operation.condition, &operation, 0, count, 0, 0, 0, 0, false,
          operation.shapes, operation.latency, operation.hash};
}
constexpr bool applies(const node& n, const operation_info& operation) {
  return n.kind == node_kind::apply && *n.operation == operation;
}
constexpr bool same_operation(const node& a, const node& b) {
  return a.kind == b.kind && (a.kind != node_kind::apply || *a.operation == *b.operation);
}
constexpr bool is_loop(const node& n) { return n.kind == node_kind::apply && n.operation->is_loop(); }
constexpr bool contains_loops(const node& n) {
  return is_loop(n) || (n.kind == node_kind::apply && n.operation->calls_loops);
}
constexpr bool reads_loop(const node& n) { return n.kind == node_kind::apply && n.operation->reads_loop(); }

}  // namespace tapeless::program
