#ifndef TAPELESS_EVALUATE_SCALAR_HPP
#define TAPELESS_EVALUATE_SCALAR_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/core/always_inline.hpp>
#include <tapeless/core/sequence.hpp>
#include <tapeless/core/target.hpp>
#include <tapeless/evaluate/step.hpp>
#include <tapeless/math/math.hpp>
#include <tapeless/program/program.hpp>

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

/// Straight-line scalar code for a program: each node's value has a place of its own, and one expression assigns a
/// block of nodes in order.
namespace tapeless::scalar::inline TAPELESS_TARGET {

/// What is computed in: numbers, of type `T`, and conditions; SIMD lanes specialise it.
template <class T>
struct computes_in {
  using number = T;
  using condition = bool;
};

namespace detail {

using tapeless::detail::operation_step;
using tapeless::detail::slot;

enum class value_kind : unsigned char { number, condition, pair, sequence, loop };
constexpr value_kind kind_of(const program::node& n) {
  if (n.sequence) return value_kind::sequence;
  if (n.condition) return value_kind::condition;
  if (n.kind != program::node_kind::apply) return value_kind::number;
  return n.operation->pair ? value_kind::pair : n.operation->is_loop() ? value_kind::loop : value_kind::number;
}

template <class T, value_kind Kind, const program::operation_info* Loop>
struct value_type {
  using type = T;
};
template <class T>
struct value_type<T, value_kind::condition, nullptr> {
  using type = typename computes_in<T>::condition;
};
template <class T>
struct value_type<T, value_kind::pair, nullptr> {
  using type = math::number_pair<T>;
};
template <class T>
struct value_type<T, value_kind::sequence, nullptr> {
  using type = sequence<T>;
};
/// Loops of run-time length: scan.hpp.
template <class Op, class T>
struct scan_result;
template <class T, const program::operation_info* Loop>
struct value_type<T, value_kind::loop, Loop> {
  using type = scan_result<program::operation_of<Loop>, T>;
};
template <class P, class T, std::size_t I, class Values>
constexpr auto run_loop(const Values& values);

constexpr const program::operation_info* loop_of(const program::node& n) {
  return kind_of(n) == value_kind::loop ? n.operation : nullptr;
}

/// The place of node `I` of the program `P::value` in the frame.
template <class P, class T, std::size_t I>
using slot_at = slot<I, typename value_type<T, kind_of(P::value.nodes[I]), loop_of(P::value.nodes[I])>::type>;

inline constexpr std::size_t block_size = tapeless::detail::steps_of_block;
constexpr std::size_t blocks_of(std::size_t count) { return (count + block_size - 1) / block_size; }
constexpr std::size_t size_of_block(std::size_t count, std::size_t block) {
  const std::size_t left = count - block * block_size;
  return left < block_size ? left : block_size;
}

/// The values of a block of nodes of the program `P::value`.
template <class P, class T, std::size_t Begin, class Indices>
struct frame_block;
template <class P, class T, std::size_t Begin, std::size_t... I>
struct frame_block<P, T, Begin, std::index_sequence<I...>> : slot_at<P, T, Begin + I>... {};

/// Those of all nodes. A block is a member: to find a base class compilers look at all that there are, and at theirs.
template <class P, class T, std::size_t Block>
struct block_slot {
  frame_block<P, T, Block * block_size, std::make_index_sequence<size_of_block(P::value.nodes.size(), Block)>> block;
};
template <class P, class T, class Blocks>
struct frame;
template <class P, class T, std::size_t... Block>
struct frame<P, T, std::index_sequence<Block...>> : block_slot<P, T, Block>... {};

// The operands of each node, where it has fewer than three the node itself: read at compile time once a use.
template <class P>
inline constexpr auto operands_of = [] {
  std::array<std::size_t[3], P::value.nodes.size()> table{};
  for (std::size_t node = 0; node < table.size(); ++node)
    for (int which = 0; which < 3; ++which)
      table[node][which] = static_cast<std::size_t>(P::value.operand(node, which));
  return table;
}();

template <class P, class T, std::size_t I, int J>
using operand_slot = slot_at<P, T, operands_of<P>[I][J]>;

// clang folds at most 256 operands in one expression. The types stand here in full: an alias for them would be
// instantiated three times a node.
template <class P, class T, std::size_t Begin, class Frame, std::size_t... I>
TAPELESS_ALWAYS_INLINE constexpr void run_block(Frame& f, std::index_sequence<I...>) {
  ((static_cast<slot_at<P, T, Begin + I>&>(static_cast<block_slot<P, T, (Begin + I) / block_size>&>(f).block).value =
        operation_step<P::value.nodes[Begin + I].operation, P::value.nodes[Begin + I].count,
                       typename computes_in<T>::number>::
            run(static_cast<operand_slot<P, T, Begin + I, 0>&>(
                    static_cast<block_slot<P, T, operands_of<P>[Begin + I][0] / block_size>&>(f).block)
                    .value,
                static_cast<operand_slot<P, T, Begin + I, 1>&>(
                    static_cast<block_slot<P, T, operands_of<P>[Begin + I][1] / block_size>&>(f).block)
                    .value,
                static_cast<operand_slot<P, T, Begin + I, 2>&>(
                    static_cast<block_slot<P, T, operands_of<P>[Begin + I][2] / block_size>&>(f).block)
                    .value)),
   ...);
}

template <class P, class T, std::size_t Begin, std::size_t Count, class Frame, std::size_t... Block>
TAPELESS_ALWAYS_INLINE constexpr void run_blocks(Frame& f, std::index_sequence<Block...>) {
  (run_block<P, T, Begin + Block * block_size>(f, std::make_index_sequence<size_of_block(Count, Block)>{}), ...);
}

template <class P, class T, std::size_t I, class Inputs>
TAPELESS_ALWAYS_INLINE constexpr auto leaf(const Inputs& inputs) {
  constexpr program::node n = P::value.nodes[I];
  if constexpr (n.kind == program::node_kind::variable)
    return inputs.template variable<n.leaf>();
  else if constexpr (n.kind == program::node_kind::number)
    return inputs.template number<n.leaf>();
  else
    return T(P::value.constants[static_cast<std::size_t>(n.leaf)].template as<typename computes_in<T>::number>());
}

/// The values of a frame, for what has more operands than a step.
template <class P, class T, class Frame>
struct frame_values {
  const Frame& frame;

  template <std::size_t I>
  TAPELESS_ALWAYS_INLINE constexpr const auto& value() const {
    return static_cast<const slot_at<P, T, I>&>(static_cast<const block_slot<P, T, I / block_size>&>(frame).block)
        .value;
  }
};

/// The first loop among the nodes from `Begin` to `End`; `End` if there is none.
template <class P, std::size_t Begin, std::size_t End>
inline constexpr std::size_t first_loop = [] {
  std::size_t i = Begin;
  while (i < End && !(P::value.nodes[i].operation && P::value.nodes[i].operation->outputs > 0)) ++i;
  return i;
}();

template <class P, class T, std::size_t Begin, class Frame, class Inputs, std::size_t... I>
TAPELESS_ALWAYS_INLINE constexpr void set_block(Frame& f, const Inputs& inputs, std::index_sequence<I...>) {
  ((static_cast<slot_at<P, T, Begin + I>&>(static_cast<block_slot<P, T, Begin / block_size>&>(f).block).value =
        leaf<P, T, Begin + I>(inputs)),
   ...);
}

template <class P, class T, std::size_t Count, class Frame, class Inputs, std::size_t... Block>
TAPELESS_ALWAYS_INLINE constexpr void set_leaves(Frame& f, const Inputs& inputs, std::index_sequence<Block...>) {
  (set_block<P, T, Block * block_size>(f, inputs, std::make_index_sequence<size_of_block(Count, Block)>{}), ...);
}

template <class P>
constexpr std::size_t count_leaves() {
  std::size_t leaves = 0;
  for (const program::node& n : P::value.nodes) leaves += n.kind < program::node_kind::stop;
  return leaves;
}

}  // namespace detail

/// Says that an evaluation is to compute its outputs part by part.
struct in_parts {};

/// The evaluation of the finished program `P::value` in numbers of type `T`. `inputs.variable<i>()` and
/// `inputs.number<i>()` give the values of the variables and of the formula's run-time numbers. No allocation; usable
/// in constant evaluation.
template <class P, class T>
class evaluation {
  static constexpr std::size_t nodes = P::value.nodes.size();
  static constexpr std::size_t leaves = detail::count_leaves<P>();
  using frame_type = detail::frame<P, T, std::make_index_sequence<detail::blocks_of(nodes)>>;
  frame_type frame_;

  template <std::size_t Begin, std::size_t End>
  TAPELESS_ALWAYS_INLINE constexpr void run() {
    constexpr std::size_t loop = detail::first_loop<P, Begin, End>;
    detail::run_blocks<P, T, Begin, loop - Begin>(frame_, std::make_index_sequence<detail::blocks_of(loop - Begin)>{});
    if constexpr (loop < End) {
      using values = detail::frame_values<P, T, frame_type>;
      static_cast<detail::slot_at<P, T, loop>&>(
          static_cast<detail::block_slot<P, T, loop / detail::block_size>&>(frame_).block)
          .value = detail::run_loop<P, T, loop>(values{frame_});
      run<loop + 1, End>();
    }
  }
  /// The number of nodes up to the last of the first `count` outputs, leaves at least.
  static constexpr std::size_t nodes_for(std::size_t count) {
    std::size_t end = leaves;
    for (std::size_t i = 0; i < count; ++i)
      if (const auto node = static_cast<std::size_t>(P::value.output(i)); node >= end) end = node + 1;
    return end;
  }

 public:
  /// Computes everything.
  template <class Inputs>
  TAPELESS_ALWAYS_INLINE constexpr explicit evaluation(const Inputs& inputs) : evaluation(inputs, in_parts{}) {
    run<leaves, nodes>();
  }
  /// Reads the inputs; `compute` does the rest.
  template <class Inputs>
  TAPELESS_ALWAYS_INLINE constexpr evaluation(const Inputs& inputs, in_parts) {
    detail::set_leaves<P, T, leaves>(frame_, inputs, std::make_index_sequence<detail::blocks_of(leaves)>{});
  }
  /// Computes outputs `Begin` to `End`, after all before `Begin`. Results that are written as soon as they are known
  /// leave the registers to those to come.
  template <std::size_t Begin, std::size_t End>
  TAPELESS_ALWAYS_INLINE constexpr void compute() {
    run<nodes_for(Begin), nodes_for(End)>();
  }

  /// Output number `I`: a `T`, a `bool` for a condition, and the type `Zero` for an absolute zero.
  template <std::size_t I>
  TAPELESS_ALWAYS_INLINE constexpr auto output() const {
    constexpr int node = P::value.output(I);
    if constexpr (P::value.is_absolute_zero(node))
      return Zero{};
    else
      return static_cast<const detail::slot_at<P, T, static_cast<std::size_t>(node)>&>(
                 static_cast<const detail::block_slot<P, T, static_cast<std::size_t>(node) / detail::block_size>&>(
                     frame_)
                     .block)
          .value;
  }
};

}  // namespace tapeless::scalar::inline TAPELESS_TARGET

#endif
