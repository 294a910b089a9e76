#ifndef TAPELESS_PROGRAM_BUILDER_HPP
#define TAPELESS_PROGRAM_BUILDER_HPP

#include <tapeless/program/node.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace tapeless::program {

class builder;

/// Operations whose algebra the program knows.
enum class algebra : unsigned char {
  none, add, subtract, multiply, divide, negate, less, less_equal, greater, greater_equal, equal, not_equal,
  logical_and, logical_or, logical_not, where, abs, even_function, power,
};

/// What the program knows of an operation, as a value; `operation_of` leads back to the operation's type.
struct operation_info {
  std::string_view name;
  tapeless::program::algebra algebra;
  bool condition;
  std::uint64_t hash;
  /// Its derivative rule is one for any number of operands.
  bool any_arity;
  /// The same result from simpler operations; null for an operation that has a value function.
  int (*expand)(builder& graph, std::span<const int> operands);
};

/// The most nodes a program may have. Compilers end a constant evaluation after a number of steps
/// (clang: 1,048,576); this is what fits.
inline constexpr std::size_t max_nodes = 16384;

/// Grows a program: appends nodes, each distinct one once (hash-consing), after the rewrites of fold.hpp.
class builder {
 public:
  std::vector<node> nodes;
  std::vector<int> edges;
  std::vector<constant_value> constants;
  std::vector<std::string_view> variables;
  std::vector<int> outputs;
  int numbers = 0;
  /// More nodes were asked for than a program may have; appending has stopped.
  bool too_large = false;
  /// Append operations in their simplest form and drop stops: how a program is made ready for evaluation.
  bool expanding = false;

  static constexpr std::size_t at(int index) { return static_cast<std::size_t>(index); }

 private:
  // Member templates stand before their uses: clang instantiates a constexpr function where it is used or not at all.
  std::vector<int> table_ = std::vector<int>(64, -1);
  std::vector<std::uint64_t> hashes_;

  static constexpr std::uint64_t mix(std::uint64_t seed, std::uint64_t value) {
    seed = (seed ^ value) * 0x9e3779b97f4a7c15u;
    return seed ^ (seed >> 29);
  }

  // Literals are the same if their bits are: -0.0 is not 0.0, and NaN equals itself.
  static constexpr bool same(const constant_value& a, const constant_value& b) {
    return a.numerator == b.numerator && a.denominator == b.denominator &&
           std::bit_cast<std::uint64_t>(a.literal) == std::bit_cast<std::uint64_t>(b.literal);
  }

  template <class Equal, class Make>
  constexpr int find_or_append(std::uint64_t hash, Equal equal, Make make) {
    std::size_t slot = hash & (table_.size() - 1);
    for (; table_[slot] >= 0; slot = (slot + 1) & (table_.size() - 1)) {
      const int candidate = table_[slot];
      if (hashes_[at(candidate)] == hash && equal(nodes[at(candidate)])) return candidate;
    }
    if (nodes.size() >= max_nodes) {
      too_large = true;
      return 0;
    }
    const int index = static_cast<int>(nodes.size());
    nodes.push_back(make());
    hashes_.push_back(hash);
    table_[slot] = index;
    if (2 * nodes.size() > table_.size()) grow();
    return index;
  }

  constexpr void grow() {
    table_.assign(4 * table_.size(), -1);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      std::size_t slot = hashes_[i] & (table_.size() - 1);
      while (table_[slot] >= 0) slot = (slot + 1) & (table_.size() - 1);
      table_[slot] = static_cast<int>(i);
    }
  }

  constexpr int intern(node n, std::span<const int> operands) {
    std::uint64_t hash = mix(n.operation ? n.operation->hash : static_cast<std::uint64_t>(n.kind),
                             static_cast<std::uint64_t>(n.leaf));
    for (const int operand : operands) hash = mix(hash, static_cast<std::uint64_t>(operand));
    return find_or_append(
        hash,
        [&](const node& other) {
          if (other.kind != n.kind || other.operation != n.operation || other.leaf != n.leaf ||
              at(other.count) != operands.size())
            return false;
          for (std::size_t i = 0; i < operands.size(); ++i)
            if (edges[at(other.first) + i] != operands[i]) return false;
          return true;
        },
        [&] {
          n.first = static_cast<int>(edges.size());
          n.count = static_cast<int>(operands.size());
          for (const int operand : operands) edges.push_back(operand);
          return n;
        });
  }

 public:
  constexpr int variable(int index) { return intern({node_kind::variable, false, nullptr, 0, 0, index}, {}); }
  constexpr int number(int index) { return intern({node_kind::number, false, nullptr, 0, 0, index}, {}); }
  constexpr int stop(int operand) {
    if (expanding || nodes[at(operand)].kind == node_kind::stop || nodes[at(operand)].kind == node_kind::constant)
      return operand;
    const int operands[] = {operand};
    return intern({node_kind::stop, nodes[at(operand)].condition, nullptr, 0, 0, 0}, operands);
  }
  constexpr int constant(const constant_value& value) {
    const std::uint64_t hash =
        mix(mix(static_cast<std::uint64_t>(value.numerator), static_cast<std::uint64_t>(value.denominator)),
            std::bit_cast<std::uint64_t>(value.literal));
    return find_or_append(
        hash,
        [&](const node& other) {
          return other.kind == node_kind::constant && same(constants[at(other.leaf)], value);
        },
        [&] {
          constants.push_back(value);
          return node{node_kind::constant, false, nullptr, 0, 0, static_cast<int>(constants.size()) - 1};
        });
  }
  constexpr int constant(std::int64_t integer) { return constant(constant_value{integer, 1, 0.0}); }

  /// The operation on nodes, simplified; defined in fold.hpp.
  constexpr int append(const operation_info& operation, std::span<const int> operands);
  /// The operation on nodes as it stands, shared with an equal one.
  constexpr int append_as_is(const operation_info& operation, std::span<const int> operands) {
    return intern({node_kind::apply, operation.condition, &operation, 0, 0, 0}, operands);
  }

  /// Appends a node of another program as it stands.
  constexpr void restore(const node& n, const int* from_edges, const constant_value* from_constants) {
    if (n.kind == node_kind::constant)
      constant(from_constants[n.leaf]);
    else
      intern({n.kind, n.condition, n.operation, 0, 0, n.leaf}, {from_edges + n.first, at(n.count)});
  }

  constexpr std::span<const int> operands(int index) const {
    const node& n = nodes[at(index)];
    return {edges.data() + n.first, static_cast<std::size_t>(n.count)};
  }
  constexpr const constant_value* constant_of(int index) const {
    const node& n = nodes[at(index)];
    return n.kind == node_kind::constant ? &constants[at(n.leaf)] : nullptr;
  }
  constexpr bool is_constant(int index, std::int64_t integer) const {
    const constant_value* value = constant_of(index);
    return value && value->is(integer);
  }
  constexpr bool is_absolute_zero(int index) const { return is_constant(index, 0); }
  constexpr algebra algebra_of(int index) const {
    const node& n = nodes[at(index)];
    return n.operation ? n.operation->algebra : algebra::none;
  }
};

}  // namespace tapeless::program

#endif
