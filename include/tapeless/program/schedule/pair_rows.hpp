#pragma once

#include <tapeless/operation/two_lanes.hpp>
#include <tapeless/program/graph/tuning.hpp>
#include <tapeless/program/pass/pass.hpp>

#include <span>
#include <type_traits>
#include <utility>

/// Rows of a Jacobian that are computed alike are computed two at a time, in the two lanes of one register: reverse
/// sweeps for two outputs append much the same operations twice. So are neighbouring entries of a gradient. Compilers
/// find some of these pairs where the user stores the results side by side, and others not.
namespace tapeless::program {

namespace detail {

/// Operations that one instruction does in two lanes.
template <class... Ops>
struct operations_in_lanes {
  static constexpr bool contain(const node& n) { return (applies(n, info<Ops>) || ...); }
  static constexpr const operation_info& in_two_lanes(const node& n) {
    const operation_info* result = n.operation;
    static_cast<void>(((applies(n, info<Ops>) && (result = &info<operation::InTwoLanes<Ops>>, true)) || ...));
    return *result;
  }
};
using lane_operations =
    operations_in_lanes<operation::Add, operation::Subtract, operation::Multiply, operation::MultiplyAdd,
                        operation::MultiplySubtract, operation::SubtractProduct, operation::Divide, operation::Negate>;

/// Pairs of nodes with the same operation, whose operands are the same node, a pair themselves, or two numbers that
/// are put side by side.
class node_pairing {
  graph_view from_;
  // Of each node of a pair the other one, and whether it is in the second lane.
  growing_array<int> other_;
  growing_array<char> is_second_;
  // The factors of the second node are in the opposite order.
  growing_array<char> crossed_;
  // Lists of pairs at a node of theirs: what is left to look at, and what is put side by side.
  struct entry {
    int first, second, next;
    int written = -1;
  };
  growing_array<entry> entries_;
  growing_array<int> waiting_, side_by_side_;
  // How others read the nodes of pairs, in the new program.
  growing_array<char> read_alone_;
  growing_array<int> moved_, paired_;
  writer out_;

  int saved_ = 0;

 public:
  constexpr explicit node_pairing(graph_view from)
      : from_(from),
        other_(from.size, -1),
        is_second_(from.size, 0),
        crossed_(from.size, 0),
        waiting_(from.size, -1),
        side_by_side_(from.size, -1),
        read_alone_(from.size, 0),
        moved_(from.size, -1),
        paired_(from.size, -1) {}

  constexpr bool can_pair(int x, int y) const {
    return lane_operations::contain(from_.nodes[x]) && applies(from_.nodes[y], *from_.nodes[x].operation);
  }
  /// Suggests that two nodes are computed side by side.
  constexpr void suggest(int first, int second) {
    if (first == second) return;
    int& newest = waiting_.data[first > second ? first : second];
    entries_.push_back({first, second, newest}), newest = entries_.size - 1;
  }
  /// Finds pairs from those suggested down to their operands, then leaves those that save nothing.
  constexpr void find_pairs() {
    for (int i = from_.size - 1; i >= 0; --i)
      for (int e = waiting_.data[i]; e >= 0; e = entries_.data[e].next) pair(entries_.data[e]);
    for (int i = 0; i < from_.size; ++i)
      if (other_.data[i] >= 0 && other_.data[i] < i) keep_or_part(is_second_.data[i] ? other_.data[i] : i);
    for (int i = 0; i < from_.size; ++i) find_reads(i);
    for (int i = 0; i < from_.size; ++i) saved_ -= other_.data[i] >= 0 && is_second_.data[i] && read_alone_.data[i];
  }
  /// How many operations the pairs save, less those that put numbers side by side or take them out of the second lane.
  constexpr int saved() const { return saved_; }
  /// The program with its pairs; none if a pair would depend on itself by way of another.
  constexpr builder write(builder&& empty, std::span<const int> outputs) {
    out_.to = std::move(empty);
    for (const int output : outputs) read_alone_.data[output] = 1;
    for (int i = 0; i < from_.size; ++i)
      if (is_leaf(from_.nodes[i].kind)) moved_.data[i] = out_.write(from_.nodes[i], nullptr);
    growing_array<int> pending;
    growing_array<char> begun(from_.size, 0);
    for (int i = 0; i < from_.size; ++i)
      if (!write_with_operands(i, pending, begun)) return builder(stage::evaluation);
    for (const int output : outputs) out_.to.outputs.push_back(moved_.data[output]);
    return std::move(out_.to);
  }

 private:
  constexpr const int* operands(int i) const { return from_.edges + from_.nodes[i].first; }
  /// Operand number `which` of the second node of the pair of `first`, in the order of those of `first`.
  constexpr int operand_of_second(int first, int which) const {
    return operands(other_.data[first])[which < 2 && crossed_.data[first] ? 1 - which : which];
  }
  constexpr bool is_pair(int first, int second) const {
    return other_.data[first] == second && is_second_.data[second];
  }

  constexpr void pair(const entry suggested) {
    const int a = suggested.first, b = suggested.second;
    const node& first = from_.nodes[a];
    if (other_.data[a] >= 0 || other_.data[b] >= 0 || !can_pair(a, b)) return;
    other_.data[a] = b, other_.data[b] = a, is_second_.data[b] = 1;
    const bool commutes = first.count == 3 || first.operation->laws.commutative;
    const int *x = operands(a), *y = operands(b);
    crossed_.data[a] =
        commutes && likeness(x[0], y[1]) + likeness(x[1], y[0]) > likeness(x[0], y[0]) + likeness(x[1], y[1]);
    for (int which = 0; which < first.count; ++which) suggest(x[which], operand_of_second(a, which));
  }
  /// How well two nodes fit as operands of a pair: the same one, a pair, a pair to be, or to be put side by side.
  constexpr int likeness(int x, int y) const {
    if (x == y || is_pair(x, y)) return 3;
    if (other_.data[x] >= 0 || other_.data[y] >= 0) return 0;
    return can_pair(x, y) ? 2 : 1;
  }
  /// A pair saves one operation. It costs one to put two numbers side by side.
  constexpr void keep_or_part(int first) {
    const int count = from_.nodes[first].count;
    int costs = 0;
    for (int which = 0; which < count; ++which)
      costs += is_new(operands(first)[which], operand_of_second(first, which));
    if (costs > 1) {
      other_.data[other_.data[first]] = -1, other_.data[first] = -1;
      return;
    }
    saved_ += 1 - costs;
    for (int which = 0; which < count; ++which)
      if (const int x = operands(first)[which], y = operand_of_second(first, which); is_new(x, y))
        entries_.push_back({x, y, side_by_side_.data[x]}), side_by_side_.data[x] = entries_.size - 1;
  }
  constexpr bool is_new(int x, int y) const { return x != y && !is_pair(x, y) && entry_of(x, y) < 0; }
  constexpr int entry_of(int x, int y) const {
    int e = side_by_side_.data[x];
    while (e >= 0 && entries_.data[e].second != y) e = entries_.data[e].next;
    return e;
  }

  constexpr void find_reads(int i) {
    for (int which = 0; which < from_.nodes[i].count; ++which) {
      const int x = operands(i)[which];
      if (other_.data[i] < 0)
        read_alone_.data[x] = 1;
      else if (!is_second_.data[i] && !is_pair(x, operand_of_second(i, which)))
        read_alone_.data[x] = read_alone_.data[operand_of_second(i, which)] = 1;
    }
  }

  /// The node that stands for its pair.
  constexpr int leader(int i) const { return other_.data[i] >= 0 && is_second_.data[i] ? other_.data[i] : i; }

  constexpr bool write_with_operands(int last, growing_array<int>& pending, growing_array<char>& begun) {
    bool acyclic = true;
    const auto demand = [&](int operand) {
      const int i = leader(operand);
      if (moved_.data[i] < 0 && paired_.data[i] < 0) acyclic = acyclic && !begun.data[i], pending.push_back(i);
    };
    demand(last);
    while (acyclic && pending.size > 0) {
      const int i = pending.data[pending.size - 1];
      if (begun.data[i] || moved_.data[i] >= 0) {
        --pending.size;
        if (moved_.data[i] < 0 && paired_.data[i] < 0) other_.data[i] < 0 ? write_alone(i) : write_pair(i);
        continue;
      }
      begun.data[i] = 1;
      for (int which = 0; which < from_.nodes[i].count; ++which) {
        demand(operands(i)[which]);
        if (other_.data[i] >= 0) demand(operand_of_second(i, which));
      }
    }
    return acyclic;
  }
  constexpr void write_alone(int i) { moved_.data[i] = out_.copy(from_.nodes[i], operands(i), moved_.data); }
  constexpr void write_pair(int first) {
    const node& n = from_.nodes[first];
    int list[3] = {};
    for (int which = 0; which < n.count; ++which) {
      const int x = operands(first)[which], y = operand_of_second(first, which);
      list[which] = x == y ? moved_.data[x] : is_pair(x, y) ? paired_.data[x] : put_side_by_side(x, y);
    }
    const int second = other_.data[first];
    const int both = out_.write(lane_operations::in_two_lanes(n), list, n.count);
    paired_.data[first] = paired_.data[second] = both;
    if (read_alone_.data[first]) moved_.data[first] = out_.write(info<operation::Lane<0>>, &both, 1);
    if (read_alone_.data[second]) moved_.data[second] = out_.write(info<operation::Lane<1>>, &both, 1);
  }
  constexpr int put_side_by_side(int x, int y) {
    int& written = entries_.data[entry_of(x, y)].written;
    const int list[] = {moved_.data[x], moved_.data[y]};
    return written = written < 0 ? out_.write(info<operation::SideBySide>, list, 2) : written;
  }
};

/// The matrix of derivatives that a pass appends, where it is one to look for pairs in.
struct matrix_size {
  int rows = 0, columns = 0;
};
template <class Pass>
inline constexpr matrix_size paired_matrix{};
template <class Source, int... Variables>
inline constexpr matrix_size paired_matrix<append_jacobian<Source, Variables...>>{
    static_cast<int>(Source::value.outputs.size()), sizeof...(Variables)};
// Neighbouring derivatives of one output clang finds itself, more than two at a time; g++ does not.
#ifndef __clang__
template <class Source, int... Variables>
inline constexpr matrix_size paired_matrix<append_gradient<Source, Variables...>>{sizeof...(Variables), 1};
#endif

}  // namespace detail

/// Pairs each row of the matrix of derivatives at the end of `Finished` with the next one where they are alike.
template <class Finished, int Rows, int Columns>
struct pair_rows {
  using source = Finished;

  static constexpr builder run() {
    const auto& from = Finished::value;
    const int* const values = from.outputs.data();
    const int* const entries = values + from.outputs.size() - Rows * Columns;
    const bool one_value_a_row = entries - values == Rows;
    detail::node_pairing pairing(Finished::view());
    for (int row = 0; row + 1 < Rows; ++row) {
      const int *const first = entries + row * Columns, *const second = first + Columns;
      if (!are_alike(pairing, first, second)) continue;
      if (one_value_a_row) pairing.suggest(values[row], values[row + 1]);
      for (int column = 0; column < Columns; ++column) pairing.suggest(first[column], second[column]);
      ++row;
    }
    pairing.find_pairs();
    builder to(stage::evaluation);
    if (pairing.saved() <= 0) return to;
    to.variables = {from.variables.data(), static_cast<int>(from.variables.size())};
    to.constants = {from.constants.data(), static_cast<int>(from.constants.size())};
    to.numbers = from.numbers;
    to.has_conditions = from.has_conditions, to.has_sequences = from.has_sequences;
    return pairing.write(std::move(to), from.outputs);
  }

 private:
  /// Whether most entries of two rows are the same or results of the same operation.
  static constexpr bool are_alike(const detail::node_pairing& pairing, const int* first, const int* second) {
    int alike = 0;
    for (int column = 0; column < Columns; ++column)
      alike += first[column] == second[column] || pairing.can_pair(first[column], second[column]);
    return 2 * alike > Columns;
  }
};

/// The program to evaluate for a finished one in numbers of type `T`: with rows in pairs where that saves operations.
template <class P, class T>
struct paired {
  using type = P;
};
template <class Pass, std::size_t Begin, std::size_t End, class T>
  requires(math::has_two_lanes<T> && detail::paired_matrix<Pass>.rows > 1)
struct paired<finished<frozen<Pass>, Begin, End>, T> {
  static constexpr auto find() {
    using from = finished<frozen<Pass>, Begin, End>;
    if constexpr (from::value.nodes.size() <= tuning::paired_nodes) {
      using pairs = frozen<pair_rows<from, detail::paired_matrix<Pass>.rows, detail::paired_matrix<Pass>.columns>>;
      return std::type_identity<std::conditional_t<pairs::value.nodes.size() != 0, pairs, from>>{};
    } else
      return std::type_identity<from>{};
  }
  using type = typename decltype(find())::type;
};

}  // namespace tapeless::program
