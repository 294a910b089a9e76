#pragma once

#include <tapeless/core/always_inline.hpp>
#include <tapeless/core/sequence.hpp>
#include <tapeless/core/target.hpp>
#include <tapeless/evaluate/registers/step.hpp>
#include <tapeless/math/math.hpp>
#include <tapeless/math/two_lanes.hpp>
#include <tapeless/program/graph/program.hpp>

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
  static constexpr bool all(bool c) { return c; }
};

namespace detail {

using tapeless::detail::operation_step;
using tapeless::detail::slot;

enum class value_kind : unsigned char { number, condition, pair, two_lanes, sequence, history, loop, constant };
constexpr value_kind kind_of(const program::node& n) {
  if (n.sequence) return value_kind::sequence;
  if (n.condition) return value_kind::condition;
  if (n.kind == program::node_kind::constant) return value_kind::constant;
  if (n.kind != program::node_kind::apply) return value_kind::number;
  if (n.operation->two_lanes) return value_kind::two_lanes;
  return n.operation->pair ? value_kind::pair : n.operation->is_loop() ? value_kind::loop : value_kind::number;
}

/// Loops: scan.hpp. What they keep has a place in the frame if the number of steps is a constant.
template <class P, std::size_t I>
struct loop_at;
template <class Code, class T, std::size_t InFrame>
struct scan_result;
template <class P, class T, std::size_t I>
constexpr std::size_t numbers_in_frame();
template <class P, class T, std::size_t I, class Values, class Result>
TAPELESS_ALWAYS_INLINE constexpr void run_loop(const Values& values, Result& result);

/// The type of the values of a kind, the same template for all nodes but loops.
template <value_kind Kind>
struct value_type {
  template <class P, class T, std::size_t I>
  using of = T;
};
template <>
struct value_type<value_kind::condition> {
  template <class P, class T, std::size_t I>
  using of = typename computes_in<T>::condition;
};
template <>
struct value_type<value_kind::pair> {
  template <class P, class T, std::size_t I>
  using of = math::number_pair<T>;
};
template <>
struct value_type<value_kind::two_lanes> {
  template <class P, class T, std::size_t I>
  using of = math::two_lanes<T>;
};
template <>
struct value_type<value_kind::sequence> {
  template <class P, class T, std::size_t I>
  using of = sequence<T>;
};
/// A sequence that a loop leaves, and only loops read: they find it there.
struct left_in_loop {
  constexpr left_in_loop& operator=(const auto&) { return *this; }
};
template <>
struct value_type<value_kind::history> {
  template <class P, class T, std::size_t I>
  using of = left_in_loop;
};
template <>
struct value_type<value_kind::loop> {
  template <class P, class T, std::size_t I>
  using of = scan_result<typename loop_at<P, I>::code, T, numbers_in_frame<P, T, I>()>;
};

/// What is read at compile time of each node: its kind, its operation, and its operands, where it has fewer than three
/// itself. In plain arrays: to index others is a call.
template <std::size_t Nodes>
struct node_table {
  value_kind kind[Nodes];
  const program::operation_info* operation[Nodes];
  int count[Nodes];
  std::size_t operand[3][Nodes];
};
template <class P>
inline constexpr auto table_of = [] {
  node_table<P::value.nodes.size()> table{};
  const program::graph_view program = P::view();
  for (int i = 0; i < program.size; ++i) {
    const program::node& n = program.nodes[i];
    const int* const operands = program.edges + n.first;
    table.kind[i] = kind_of(n), table.operation[i] = n.operation, table.count[i] = n.count;
    for (int which = 0; which < 3; ++which)
      table.operand[which][i] = static_cast<std::size_t>(which < n.count ? operands[which] : i);
    if (n.sequence && program::reads_loop(n)) table.kind[i] = value_kind::history;
    for (int which = 0; which < n.count && !program::is_loop(n); ++which)
      if (table.kind[operands[which]] == value_kind::history) table.kind[operands[which]] = value_kind::sequence;
  }
  return table;
}();

/// The place of node `I` of the program `P::value` in the frame. Of that name for each node: compilers look it up at
/// each use.
template <class P, class T, std::size_t I>
struct slot_at {
  typename value_type<table_of<P>.kind[I]>::template of<P, T, I> value;
};
/// Whether constants take no place in the frame.
#ifdef __CUDACC__
// On a device, constants of classes have no address.
template <class T>
inline constexpr bool has_static_constants = false;
#else
template <class T>
inline constexpr bool has_static_constants = std::is_floating_point_v<T>;
#endif
template <class P, class T, std::size_t I>
  requires(has_static_constants<T> && table_of<P>.kind[I] == value_kind::constant)
struct slot_at<P, T, I> {
  static constexpr T value = T(P::value.constants[static_cast<std::size_t>(P::value.nodes[I].leaf)].template as<T>());
};

/// Few: to find a value compilers look at all of its block, and at all blocks.
inline constexpr std::size_t block_size = 16;
constexpr std::size_t blocks_of(std::size_t count) { return (count + block_size - 1) / block_size; }
constexpr std::size_t size_of_block(std::size_t count, std::size_t block) {
  const std::size_t left = count - block * block_size;
  return left < block_size ? left : block_size;
}

template <std::size_t Begin, std::size_t... I>
constexpr std::index_sequence<Begin + I...> beginning_at(std::index_sequence<I...>) {
  return {};
}
/// `f` with the numbers below `Count` as template arguments, so many at a time as clang takes in one expression.
template <std::size_t Count, std::size_t Begin = 0, class F>
TAPELESS_ALWAYS_INLINE constexpr void in_blocks(const F& f) {
  constexpr std::size_t left = Count - Begin, size = left < 128 ? left : 128;
  if constexpr (size > 0) f(beginning_at<Begin>(std::make_index_sequence<size>{}));
  if constexpr (size < left) in_blocks<Count, Begin + size>(f);
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

template <class P, std::size_t Near>
TAPELESS_ALWAYS_INLINE constexpr bool is_far(std::size_t node) {
  return node < Near && P::value.nodes[node].kind != program::node_kind::constant;
}
// The nodes `I` with the operands `A`, `B` and `C`. Nodes from `Near` on and constants stand in the frame `late`,
// others in `early`; where all are in one frame it is both.
template <class P, class T, std::size_t Near, class Frame, std::size_t... I, std::size_t... A, std::size_t... B,
          std::size_t... C>
TAPELESS_ALWAYS_INLINE constexpr void run_steps(Frame& late, Frame& early, std::index_sequence<I...>,
                                                std::index_sequence<A...>, std::index_sequence<B...>,
                                                std::index_sequence<C...>) {
  ((late.detail::template block_slot<P, T, I / block_size>::block.detail::template slot_at<P, T, I>::value =
        operation_step<table_of<P>.operation[I], table_of<P>.count[I], typename computes_in<T>::number>::run(
            (is_far<P, Near>(A) ? early : late)
                .detail::template block_slot<P, T, A / block_size>::block.detail::template slot_at<P, T, A>::value,
            (is_far<P, Near>(B) ? early : late)
                .detail::template block_slot<P, T, B / block_size>::block.detail::template slot_at<P, T, B>::value,
            (is_far<P, Near>(C) ? early : late)
                .detail::template block_slot<P, T, C / block_size>::block.detail::template slot_at<P, T, C>::value)),
   ...);
}
/// The nodes of a block and their operands. A class: for each function that is inlined into another, g++ goes over all
/// the code once more.
template <class P, std::size_t Begin, class Indices>
struct block_nodes;
template <class P, std::size_t Begin, std::size_t... I>
struct block_nodes<P, Begin, std::index_sequence<I...>> {
  using all = std::index_sequence<Begin + I...>;
  template <int Which>
  using operands = std::index_sequence<table_of<P>.operand[Which][Begin + I]...>;
};
template <class P, std::size_t Begin, std::size_t Count, std::size_t Block>
using nodes_of_block =
    block_nodes<P, Begin + Block * block_size, std::make_index_sequence<size_of_block(Count, Block)>>;

template <class P, class T, std::size_t Begin, std::size_t Count, std::size_t Near, class Frame, std::size_t... Block>
TAPELESS_ALWAYS_INLINE constexpr void run_blocks(Frame& late, Frame& early, std::index_sequence<Block...>) {
  constexpr std::size_t fold = 256, split = fold * block_size;  // clang takes no fold over more
  if constexpr (sizeof...(Block) <= fold) {
    (run_steps<P, T, Near>(late, early, typename nodes_of_block<P, Begin, Count, Block>::all{},
                           typename nodes_of_block<P, Begin, Count, Block>::template operands<0>{},
                           typename nodes_of_block<P, Begin, Count, Block>::template operands<1>{},
                           typename nodes_of_block<P, Begin, Count, Block>::template operands<2>{}),
     ...);
  } else {
    run_blocks<P, T, Begin, split, Near>(late, early, std::make_index_sequence<fold>{});
    run_blocks<P, T, Begin + split, Count - split, Near>(late, early,
                                                         std::make_index_sequence<sizeof...(Block) - fold>{});
  }
}

/// With g++ a program with more nodes is computed by several functions, each for so many. In one function g++ compares
/// each access to the frame with those before: its work grows with the square of the nodes, that of clang does not. But
/// between functions values, and all inputs, are in memory.
#ifdef __clang__
inline constexpr std::size_t inline_limit = program::max_nodes, part_size = inline_limit;
#else
inline constexpr std::size_t inline_limit = 768, part_size = 256;
#endif

/// Of each node the last that uses it; of an output, the number of nodes.
template <class P>
inline constexpr auto last_uses = [] {
  std::array<std::size_t, P::value.nodes.size()> last{};
  const program::graph_view of = P::view();
  std::size_t* const uses = last.data();
  for (std::size_t node = 0; node < last.size(); ++node)
    for (int which = 0; which < of.nodes[node].count; ++which) uses[of.edges[of.nodes[node].first + which]] = node;
  for (const int output : P::value.outputs) uses[output] = last.size();
  return last;
}();

/// The nodes from `Begin` to `End` that others need, or whoever reads the outputs.
template <class P, std::size_t Begin, std::size_t End>
inline constexpr auto needed_later = program::as_array([] {
  program::growing_array<std::size_t> needed;
  for (std::size_t node = Begin; node < End; ++node)
    if (last_uses<P>[node] >= End) needed.push_back(node);
  return needed;
});

template <class P, class T, std::size_t Begin, std::size_t End, class Frame, std::size_t... K>
TAPELESS_ALWAYS_INLINE constexpr void keep(const Frame& from, Frame& to, std::index_sequence<K...>) {
  constexpr auto& kept = needed_later<P, Begin, End>;
  ((static_cast<slot_at<P, T, kept[K]>&>(static_cast<block_slot<P, T, kept[K] / block_size>&>(to).block).value =
        static_cast<const slot_at<P, T, kept[K]>&>(
            static_cast<const block_slot<P, T, kept[K] / block_size>&>(from).block)
            .value),
   ...);
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

/// The nodes that are constants.
template <class P>
inline constexpr auto constants_of = program::as_array([] {
  program::growing_array<std::size_t> constants;
  for (std::size_t node = 0; node < P::value.nodes.size(); ++node)
    if (P::value.nodes[node].kind == program::node_kind::constant) constants.push_back(node);
  return constants;
});

template <class P, class T, class Frame, std::size_t... K>
TAPELESS_ALWAYS_INLINE constexpr void set_constants(Frame& f, std::index_sequence<K...>) {
  constexpr auto& nodes = constants_of<P>;
  if constexpr (!has_static_constants<T>)
    ((static_cast<slot_at<P, T, nodes[K]>&>(static_cast<block_slot<P, T, nodes[K] / block_size>&>(f).block).value =
          leaf<P, T, nodes[K]>(f)),
     ...);
}

/// The first loop among the nodes from `Begin` to `End`; `End` if there is none.
template <class P, std::size_t Begin, std::size_t End>
inline constexpr std::size_t first_loop = [] {
  std::size_t first = P::value.has_sequences ? Begin : End;
  while (first < End && !program::is_loop(P::view().nodes[first])) ++first;
  return first;
}();

/// A function of its own for a part of a program. Its values are local and need no memory, but for those that are
/// needed later; constants are its own too, so that the compiler knows them. Numbers that are made by constructors
/// stand in the frame, since only some of a local one are used, and so do those beside loops, whose results may be
/// large.
template <class P, class T, std::size_t Begin, std::size_t End, class Frame>
[[gnu::noinline]] constexpr void run_part(Frame& f) {
  constexpr std::make_index_sequence<blocks_of(End - Begin)> blocks;
  if constexpr (std::is_trivially_default_constructible_v<T> &&
                first_loop<P, 0, P::value.nodes.size()> == P::value.nodes.size()) {
    Frame local;
    set_constants<P, T>(local, std::make_index_sequence<constants_of<P>.size()>{});
    run_blocks<P, T, Begin, End - Begin, Begin>(local, f, blocks);
    keep<P, T, Begin, End>(local, f, std::make_index_sequence<needed_later<P, Begin, End>.size()>{});
  } else
    run_blocks<P, T, Begin, End - Begin, 0>(f, f, blocks);
}
template <class P, class T, std::size_t Begin, std::size_t End, class Frame, std::size_t... Part>
TAPELESS_ALWAYS_INLINE constexpr void run_parts(Frame& f, std::index_sequence<Part...>) {
  (run_part<P, T, Begin + Part * part_size,
            (Begin + (Part + 1) * part_size < End ? Begin + (Part + 1) * part_size : End)>(f),
   ...);
}

/// The values of a frame, for what has more operands than a step. Constants are known, whatever a loop writes.
template <class P, class T, class Frame>
struct frame_values {
  const Frame& frame;

  template <std::size_t I>
  TAPELESS_ALWAYS_INLINE constexpr decltype(auto) value() const {
    if constexpr (P::value.nodes[I].kind == program::node_kind::constant)
      return leaf<P, T, I>(frame);
    else if constexpr (P::value.nodes[I].sequence && program::reads_loop(P::value.nodes[I]))
      return value<table_of<P>.operand[0][I]>().template output<table_of<P>.operation[I]->output_read>();
    else
      return (static_cast<const slot_at<P, T, I>&>(static_cast<const block_slot<P, T, I / block_size>&>(frame).block)
                  .value);
  }
};

template <class P, class T, std::size_t I, class Inputs>
TAPELESS_ALWAYS_INLINE constexpr void set_leaf(slot_at<P, T, I>& to, const Inputs& inputs) {
  if constexpr (!has_static_constants<T> || table_of<P>.kind[I] != value_kind::constant)
    to.value = leaf<P, T, I>(inputs);
}
template <class P, class T, std::size_t Begin, class Frame, class Inputs, std::size_t... I>
TAPELESS_ALWAYS_INLINE constexpr void set_block(Frame& f, const Inputs& inputs, std::index_sequence<I...>) {
  (set_leaf<P, T, Begin + I>(static_cast<block_slot<P, T, Begin / block_size>&>(f).block, inputs), ...);
}

template <class P, class T, std::size_t Count, class Frame, class Inputs, std::size_t... Block>
TAPELESS_ALWAYS_INLINE constexpr void set_leaves(Frame& f, const Inputs& inputs, std::index_sequence<Block...>) {
  (set_block<P, T, Block * block_size>(f, inputs, std::make_index_sequence<size_of_block(Count, Block)>{}), ...);
}

template <class P>
constexpr std::size_t count_leaves() {
  std::size_t leaves = 0;
  for (const program::node& n : P::value.nodes) leaves += program::is_leaf(n.kind);
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

  template <class, class, std::size_t>
  friend class evaluations;

  template <std::size_t Begin, std::size_t End>
  TAPELESS_ALWAYS_INLINE constexpr void run() {
    constexpr std::size_t loop = detail::first_loop<P, Begin, End>, count = loop - Begin;
    if constexpr (nodes > detail::inline_limit)
      detail::run_parts<P, T, Begin, loop>(
          frame_, std::make_index_sequence<(count + detail::part_size - 1) / detail::part_size>{});
    else if constexpr (count > 0)
      detail::run_blocks<P, T, Begin, count, 0>(frame_, frame_, std::make_index_sequence<detail::blocks_of(count)>{});
    if constexpr (loop < End) {
      detail::run_loop<P, T, loop>(values{frame_}, place<loop>());
      run<loop + 1, End>();
    }
  }
  template <std::size_t I>
  TAPELESS_ALWAYS_INLINE constexpr auto& place() {
    return static_cast<detail::slot_at<P, T, I>&>(
               static_cast<detail::block_slot<P, T, I / detail::block_size>&>(frame_).block)
        .value;
  }
  /// The number of nodes up to the last of the first `count` outputs, leaves at least.
  static constexpr std::size_t nodes_for(std::size_t count) {
    std::size_t end = leaves;
    for (std::size_t i = 0; i < count; ++i)
      if (const auto node = static_cast<std::size_t>(P::value.output(i)); node >= end) end = node + 1;
    return end;
  }

 public:
  using values = detail::frame_values<P, T, frame_type>;

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

  /// Output number `I`: a `T`, a `bool` for a condition, the type `Zero` for an absolute zero; of a sequence a view.
  template <std::size_t I>
  TAPELESS_ALWAYS_INLINE constexpr auto output() const {
    constexpr auto node = static_cast<std::size_t>(P::value.output(I));
    if constexpr (P::value.is_absolute_zero(P::value.output(I)))
      return Zero{};
    else if constexpr (P::value.nodes[node].sequence)
      return values{frame_}.template value<node>().view();
    else
      return values{frame_}.template value<node>();
  }
};

}  // namespace tapeless::scalar::inline TAPELESS_TARGET
