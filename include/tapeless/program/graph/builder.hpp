#pragma once

#include <tapeless/program/graph/fault.hpp>
#include <tapeless/program/graph/growing_array.hpp>
#include <tapeless/program/graph/node.hpp>
#include <tapeless/program/graph/tuning.hpp>

#include <bit>
#include <cstdint>
#include <string_view>

namespace tapeless::program {

/// A program to read: that of a builder or a finished one.
struct graph_view {
  const node* nodes;
  const int* edges;
  const constant_value* constants;
  const tensor_access* accesses;
  const tensor_move* moves;
  int size;
  int variables;
  bool over_tensors;
};

/// The most nodes a program may have, derivatives included; TAPELESS_MAX_NODES may be defined to be another number.
/// Compilers end a constant evaluation after a number of steps too (clang: 1,048,576), which larger programs reach.
#ifndef TAPELESS_MAX_NODES
#define TAPELESS_MAX_NODES 16384
#endif
inline constexpr int max_nodes = TAPELESS_MAX_NODES;
static_assert(
    max_nodes > 0,
    "tapeless: TAPELESS_MAX_NODES, the most nodes that a program may have, must be a positive integer [TL235]");

/// A loop that a traced function recorded: its body's variables, what they start from, and the nodes that a step gives.
struct recorded_loop {
  /// The variables of the carries, of the elements of the sequences and of the step's number.
  int first_variable = 0;
  int carries = 0, sequences = 0, stacked = 0, kept = 0;
  int checkpoints = 0;
  bool ends = false;
  /// It is a branch: its steps are at most one, and all nodes from `first_node` to `last_node` are its own.
  bool once = false;
  int first_node = 0, last_node = 0;
  /// It stacks conditions, as 0 and 1.
  bool conditions = false;
  /// What the body computes: the next carries, then the numbers to be stacked, of which the last are kept.
  growing_array<int> results;
  /// What it captures: numbers, and after them sequences.
  growing_array<int> constants, tables;
};

/// What nodes are appended for, which decides how they are rewritten.
enum class stage : unsigned char {
  /// What a user wrote keeps its values.
  formula,
  /// Nodes may be tensors of ranks that are not known yet: a traced function's operations are kept as they stand.
  recording,
  /// Rewrites that could change the last bit of a value are for derivatives alone.
  derivative,
  /// A program is made ready: operations in their simplest form, no stops.
  evaluation,
};

class builder;

/// What derivatives do element by element with two sequences, each a loop: they add them, set one to zero where a
/// condition does not hold, and find where one of two conditions holds. Only programs with loops have these.
struct element_loops {
  int (*sum)(builder& graph, int a, int b);
  int (*masked)(builder& graph, int condition, int sequence);
  int (*either)(builder& graph, int a, int b);
};
/// Defined in differentiate/sequence.hpp, and instantiated where there are loops.
template <class Graph>
constexpr element_loops loops_over_elements();

/// Grows a program: appends nodes, each distinct one once (hash-consing), after the rewrites of fold.hpp.
class builder {
 public:
  constexpr explicit builder(stage mode = stage::formula) : mode_(mode) {}
  constexpr stage mode() const { return mode_; }

  growing_array<node> nodes;
  growing_array<int> edges;
  growing_array<constant_value> constants;
  growing_array<std::string_view> variables;
  growing_array<int> outputs;
  growing_array<tensor_access> accesses;
  growing_array<tensor_move> moves;
  growing_array<axis_rule> axis_rules;
  /// Where the outputs at the end stand that are the entries of a sparse matrix.
  growing_array<matrix_place> places;
  growing_array<extent_use> extent_uses;
  growing_array<axis_source> axis_sources;
  /// Some values can, at a call, be shorter than the loops take them for, and that is no error.
  bool compares_extents = false;
  /// The loops of a traced function, inner ones before those around them.
  growing_array<recorded_loop> loops;
  /// While the body of a loop runs, and then again (record_loop.hpp): the loops as they were recorded first, and which
  /// nodes rewrites looked for and found, of which those that came later must not be found the second time.
  growing_array<recorded_loop> loops_before;
  growing_array<int> found;
  int bodies = 0;
  int found_again = -1;
  int numbers = 0;
  /// More nodes were asked for than a program may have; appending has stopped.
  bool too_large = false;
  /// What a traced function did that no program can.
  fault misuse = fault::none;
  /// The first fault is the one that is reported.
  constexpr void misused(fault how) {
    if (misuse == fault::none) misuse = how;
  }
  /// So many variables are arguments that a verb gets inside a traced function: that of them which a loop reads is a
  /// sequence.
  int open_arguments = 0;
  /// Conditions, or loops and sequences, are among the nodes.
  bool has_conditions = false, has_sequences = false;
  element_loops by_element{};
  /// Nothing is rewritten: operations stand as they were written and derived, for the plain evaluator.
  bool plain = false;
  // Appending looks at programs with conditions by itself: others need not ask.
  constexpr void stay_plain(bool stays = true) { plain |= stays, has_conditions |= stays; }

  constexpr int variable(int index) { return intern(leaf_node(node_kind::variable, index), nullptr); }
  /// The leaf that `access` reads: a variable that is a tensor, an extent or an index.
  constexpr int read(const tensor_access& access) {
    int index = 0;
    while (index < accesses.size && !(accesses[index] == access)) ++index;
    if (index == accesses.size) accesses.push_back(access);
    const node_kind kind = access.kind == access_kind::extent  ? node_kind::extent
                           : access.kind == access_kind::index ? node_kind::index
                                                               : node_kind::variable;
    node n = leaf_node(kind, access.of);
    n.axes = access.set();
    n.access = index;
    return intern(n, nullptr);
  }
  constexpr int sequence_variable(int index) {
    const int result = variable(index);
    // What is recorded has axes later on.
    if (mode_ != stage::recording) nodes.data[result].sequence = has_sequences = true;
    return result;
  }
  /// Whether a loop can read the node.
  constexpr bool can_be_sequence(int index) {
    if (mode_ == stage::recording) return true;
    node& n = nodes.data[index];
    if (n.kind == node_kind::variable && n.leaf < open_arguments) n.sequence = has_sequences = true;
    return n.sequence;
  }
  constexpr int number(int index) { return intern(leaf_node(node_kind::number, index), nullptr); }
  constexpr int stop(int operand) {
    const node& of = nodes[operand];
    if (mode_ == stage::evaluation || of.kind == node_kind::stop || of.kind == node_kind::constant) return operand;
    node n = leaf_node(node_kind::stop, 0);
    n.condition = of.condition, n.count = 1, n.depth = tuning::latency_of_function;
    const int result = intern(n, &operand);
    nodes.data[result].sequence = nodes.data[operand].sequence;
    return result;
  }
  constexpr int constant(const constant_value& value) {
    int& newest = constant_chain(value);
    for (int i = newest; i >= 0; i = next_constant_.data[i])
      if (constants.data[i].numerator == value.numerator && constants.data[i].denominator == value.denominator &&
          (value.denominator != 0 || equal_bits(constants.data[i].literal, value.literal)))
        return constant_nodes_.data[i];
    next_constant_.push_back(newest);
    newest = constants.size;
    constants.push_back(value);
    node n = leaf_node(node_kind::constant, constants.size - 1);
    n.opcode = value.is_numeric_zero() ? opcode::zero : opcode::constant;
    constant_nodes_.push_back(intern(n, nullptr));
    return constant_nodes_[constants.size - 1];
  }
  /// The node of an integer; -1 where the program has none.
  constexpr int find_constant(std::int64_t integer) {
    for (int i = constant_chains_.data[chain_of({integer, 1, 0.0})]; i >= 0; i = next_constant_.data[i])
      if (constants.data[i].is(integer)) return as_at_first(constant_nodes_.data[i]);
    return as_at_first(-1);
  }
  constexpr int constant(std::int64_t integer) { return constant(constant_value{integer, 1, 0.0}); }

  /// The operation on nodes, simplified; defined in fold.hpp.
  constexpr int append(const operation_info& operation, const int* operands, int count);
  template <class Op, class... Is>
  constexpr int make(Is... operands);
  constexpr int append_binary(const operation_info& operation, int a, int b);
  constexpr int append_plainly(const operation_info& operation, const int* operands, int count);
  constexpr int append_unfolded(const operation_info& operation, const int* operands, int count);
  /// The operation on nodes as it stands, shared with an equal one.
  constexpr int append_as_is(const operation_info& operation, const int* operands, int count) {
    return has_conditions |= operation.condition, intern(operation_node(operation, count), operands);
  }
  /// An operation of loops, which are as they stand. Of a loop that the function recorded, whose body has no type yet,
  /// `loop` is the number: `operation` stands for them all.
  constexpr int append_of_loops(const operation_info& operation, const int* operands, int count, int loop = 0) {
    node n = operation_node(operation, count);
    n.leaf = loop;
    const int result = intern(n, operands);
    // What is recorded has axes later on.
    nodes.data[result].sequence = operation.sequence && mode_ != stage::recording, has_sequences = true;
    return result;
  }
  /// The node as a number, as which a condition is 0 or 1. Not an absolute 0: 0 times infinity is NaN.
  constexpr int as_number(int index);
  /// The reduction of an operand over some of its axes; defined in fold.hpp.
  constexpr int append_reduction(const operation_info& operation, int operand, axis_set reduced);
  /// Elements of an operand as those of another tensor; of several operands, each by a move of its own, or of the
  /// first, where the second is the indices.
  constexpr int append_move(const operation_info& operation, const tensor_move* list, const int* operands, int count) {
    const int length = list->has_indices() ? 1 : count;
    const auto stands_at = [&](int index) {
      for (int k = 0; k < length; ++k)
        if (!(moves.data[index + k] == list[k])) return false;
      return true;
    };
    int index = 0;
    while (index + length <= moves.size && !stands_at(index)) ++index;
    if (index + length > moves.size) {
      index = moves.size;
      for (int k = 0; k < length; ++k) moves.push_back(list[k]);
    }
    node n = operation_node(operation, count);
    n.access = index;
    n.axes = list->to.set();
    has_sequences |= operation.of_loops;
    return intern(n, operands);
  }
  /// The node with this operation on these operands, or -1.
  constexpr int find(const operation_info& operation, const int* operands, int count) const {
    node n = operation_node(operation, count);
    return place_of(n, operands) - 1;
  }
  constexpr int find(const operation_info& operation, const int* operands, int count) {
    return as_at_first(static_cast<const builder&>(*this).find(operation, operands, count));
  }
  /// The reduction of an operand over some of its axes, or -1.
  constexpr int find_reduction(const operation_info& operation, int operand, axis_set reduced) {
    node n = operation_node(operation, 1);
    n.reduced = reduced;
    return as_at_first(place_of(n, &operand) - 1);
  }
  /// Takes the nodes of a finished program as they stand, at the same indices. Only for one without nodes.
  constexpr void restore(graph_view from, int edge_count, int constant_count) {
    nodes.reserve(2 * from.size), edges.reserve(2 * edge_count);
    nodes.append(from.nodes, from.size), edges.append(from.edges, edge_count);
    constants.append(from.constants, constant_count), constant_nodes_ = growing_array<int>(constant_count, -1);
    for (int i = 0; i < from.size; ++i)
      from.nodes[i].kind == node_kind::constant ? void(constant_nodes_.data[from.nodes[i].leaf] = i) : void();
    for (int i = 0; i < constant_count; ++i) {
      int& newest = constant_chain(constants.data[i]);
      next_constant_.push_back(newest), newest = i;
    }
    int size = table_.size;
    while (size < 4 * from.size) size *= 2;
    grow_table(size);
  }

  constexpr operator graph_view() const {
    return {nodes.data, edges.data, constants.data, accesses.data,
            moves.data, nodes.size, variables.size, accesses.size > 0};
  }

  constexpr const int* operands(int index) const { return edges.data + nodes.data[index].first; }
  constexpr const constant_value* constant_of(int index) const {
    return nodes.data[index].kind == node_kind::constant ? constants.data + nodes.data[index].leaf : nullptr;
  }
  constexpr bool is_constant(int index, std::int64_t integer) const {
    const node& n = nodes.data[index];
    return n.kind == node_kind::constant && constants.data[n.leaf].is(integer);
  }
  /// x + x
  constexpr bool is_double(int index) const {
    const node& n = nodes.data[index];
    return n.opcode == opcode::add && edges.data[n.first] == edges.data[n.first + 1];
  }
  constexpr bool is_absolute_zero(int index) const {
    return nodes.data[index].opcode == opcode::zero && is_constant(index, 0);
  }

 private:
  constexpr int as_at_first(int node) {
    if (found_again >= 0) return found_again < found.size ? found.data[found_again++] : node;
    if (bodies > 0) found.push_back(node);
    return node;
  }

  stage mode_;
  // Numbers of nodes by their hash, from 1: 0 is a free slot.
  growing_array<int> table_ = growing_array<int>(128, 0);
  growing_array<int> constant_nodes_;
  growing_array<int> constant_chains_ = growing_array<int>(64, -1);
  growing_array<int> next_constant_;

  constexpr int& constant_chain(const constant_value& value) { return constant_chains_.data[chain_of(value)]; }
  static constexpr std::uint64_t chain_of(const constant_value& value) {
    std::uint64_t key = static_cast<std::uint64_t>(value.numerator) * 0x9e3779b97f4a7c15u +
                        static_cast<std::uint64_t>(value.denominator);
    if (value.denominator == 0) key = std::bit_cast<std::uint64_t>(value.literal) * 0x9e3779b97f4a7c15u;
    return (key ^ (key >> 32)) % 64;
  }
  /// -0.0 is not 0.0, and a NaN is itself.
  static constexpr bool equal_bits(double a, double b) {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
  }

  // The functions below run for each node of each pass: few expressions and statements, which take clang time, and of
  // which it counts the latter.

  /// The place in the table of a node, or where it belongs; tells the node its hash.
  constexpr int& place_of(node& n, const int* operands) const {
    std::uint64_t hash = n.hash;
    n.count > 2 ? void(hash += hash_of_operands(n, operands))
                : void(hash += n.count ? first_factor * static_cast<std::uint64_t>(operands[0]) +
                                             second_factor * static_cast<std::uint64_t>(operands[n.count - 1])
                                       : 0);
    n.hash = hash ^= hash >> 32;
    int* const table = table_.data;
    const node* const all = nodes.data;
    const std::uint64_t mask = static_cast<std::uint64_t>(table_.size - 1);
    while (table[hash & mask] &&
           (all[table[hash & mask] - 1].hash != n.hash || !equal(all[table[hash & mask] - 1], n, operands)))
      ++hash;
    return table[hash & mask];
  }
  static constexpr std::uint64_t first_factor = 0x9e3779b97f4a7c15u, second_factor = 0xd1b54a32d192ed03u;
  static constexpr std::uint64_t hash_of_operands(const node& n, const int* operands) {
    std::uint64_t hash = 0;
    for (int i = 0; i < n.count; ++i)
      hash = (hash ^ (hash >> 32) ^ static_cast<std::uint64_t>(operands[i])) * first_factor;
    return hash;
  }

  constexpr int intern(node n, const int* operands) {
    int& place = place_of(n, operands);
    if (place) return place - 1;
    if (nodes.size >= max_nodes) return too_large = true, 0;
    return place = nodes.size + 1, n.first = edges.size, n.count ? append_operands(n, operands) : void(),
           nodes.push_back(n), 2 * nodes.size > table_.size ? grow_table(4 * table_.size) : void(), nodes.size - 1;
  }
  constexpr void append_operands(node& n, const int* operands) {
    const node* const all = nodes.data;
    const int first = operands[0], second = operands[n.count > 1], a = all[first].depth, b = all[second].depth;
    n.depth += a > b ? a : b, edges.append_pair(first, second), edges.size -= n.count == 1,
        n.count > 2 || accesses.size ? append_rest(n, operands) : void();
  }
  /// Of a node that may have axes: those of its operands, unless it moves elements.
  constexpr void append_rest(node& n, const int* operands) {
    const axis_set inherited = n.kind == node_kind::apply && n.operation->moves ? 0 : ~axis_set{};
    for (int i = 2; i < n.count; ++i) edges.push_back(operands[i]);
    for (int i = 0; i < n.count; ++i) n.axes |= nodes.data[operands[i]].axes & inherited;
    n.axes &= ~n.reduced;
  }

  constexpr bool equal(const node& a, const node& b, const int* operands) const {
    return same_operation(a, b) && a.leaf == b.leaf && a.count == b.count && a.reduced == b.reduced &&
           a.access == b.access && (a.count < 1 || edges.data[a.first] == operands[0]) &&
           (a.count < 2 || edges.data[a.first + 1] == operands[1]) && (a.count < 3 || equal_rest(a, operands));
  }
  constexpr bool equal_rest(const node& a, const int* operands) const {
    for (int i = 2; i < a.count; ++i)
      if (edges.data[a.first + i] != operands[i]) return false;
    return true;
  }

  constexpr void grow_table(int size) {
    table_ = growing_array<int>(size, 0);
    const std::uint64_t mask = static_cast<std::uint64_t>(size - 1);
    std::uint64_t slot = 0;
    for (int i = 0; i < nodes.size; table_.data[slot] = ++i)
      for (slot = nodes.data[i].hash & mask; table_.data[slot];) slot = (slot + 1) & mask;
  }
};

/// A seed, a further variable of a program: a tangent or a cotangent.
constexpr int append_variable(builder& graph, bool sequence = false) {
  graph.variables.push_back("");
  const int index = graph.variables.size - 1;
  return sequence ? graph.sequence_variable(index) : graph.variable(index);
}
/// The same, a tensor that is read as `access` says.
constexpr int append_variable(builder& graph, tensor_access access) {
  graph.variables.push_back("");
  access.kind = access_kind::variable, access.of = graph.variables.size - 1;
  return graph.read(access);
}

}  // namespace tapeless::program
