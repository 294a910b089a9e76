#pragma once

#include <tapeless/program/graph/node.hpp>

#include <cstdint>
#include <string_view>

namespace tapeless::program {

class builder;

struct operation_info;

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
  std::uint64_t hash;
  /// Its derivative rule is one for any number of operands.
  bool any_arity;
  /// It has a derivative rule, and one that may be used.
  bool has_rule;
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
  /// It has no value function; `expand` appends the same result from simpler operations.
  bool is_composite;
  int (*expand)(builder& graph, const int* operands, int count) = nullptr;
  /// Its value is a sequence of numbers.
  bool sequence;
  /// A loop over a program of its own has this many outputs, which operations of their own read; others have none.
  int outputs = 0;
  /// Which output of a loop it reads; -1 if none.
  int output_read = -1;

  /// It is a loop or computes with sequences. The derivatives of loops have rules for all operands at once.
  bool of_loops;
  loop_beside beside{};

  constexpr bool is_loop() const { return outputs > 0; }
  constexpr bool reads_loop() const { return output_read >= 0; }
  /// Operations are the same if they stand at one address. By name first: with -fsanitize=undefined it is no constant
  /// for g++ whether the addresses of two operations differ, nor whether one is null.
  constexpr bool operator==(const operation_info& other) const { return hash == other.hash && this == &other; }

  constexpr bool passes_operand(int i) const { return (passes >> (i % 64) & 1) != 0; }
};

constexpr bool applies(const node& n, const operation_info& operation) {
  return n.kind == node_kind::apply && *n.operation == operation;
}
constexpr bool same_operation(const node& a, const node& b) {
  return a.kind == b.kind && (a.kind != node_kind::apply || *a.operation == *b.operation);
}
constexpr bool is_loop(const node& n) { return n.kind == node_kind::apply && n.operation->is_loop(); }
constexpr bool reads_loop(const node& n) { return n.kind == node_kind::apply && n.operation->reads_loop(); }

}  // namespace tapeless::program
