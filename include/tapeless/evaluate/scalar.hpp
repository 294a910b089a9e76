#ifndef TAPELESS_EVALUATE_SCALAR_HPP
#define TAPELESS_EVALUATE_SCALAR_HPP

#include <tapeless/program/program.hpp>

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

#if defined(__GNUC__) || defined(__clang__)
#define TAPELESS_ALWAYS_INLINE [[gnu::always_inline]] inline
#else
#define TAPELESS_ALWAYS_INLINE inline
#endif

/// Straight-line scalar code for a program: each node's value is a member of its own, which compilers keep in
/// registers (the elements of an array they leave in memory), and one expression assigns a block of nodes in order.
namespace tapeless::scalar {

namespace detail {

template <std::size_t I, class T>
struct slot {
  T value;
};

template <class T, bool Condition>
using value_t = std::conditional_t<Condition, bool, T>;

/// The values of all nodes of the program `P::value`.
template <class P, class T, class Indices>
struct frame;
template <class P, class T, std::size_t... I>
struct frame<P, T, std::index_sequence<I...>> : slot<I, value_t<T, P::value.nodes[I].condition>>... {};

template <std::size_t I, class V>
TAPELESS_ALWAYS_INLINE constexpr V& at(slot<I, V>& s) {
  return s.value;
}

// An operation on values, with a fixed number of parameters so that one pack expansion covers every arity.
template <const program::operation_info* Info, int Count, class T>
struct step {
  using operation = program::operation_of<Info>;
  template <class A, class B, class C>
  TAPELESS_ALWAYS_INLINE static constexpr auto run(const A& a, const B& b, const C& c) {
    if constexpr (Count == 0)
      return operation::template constant<T>();
    else if constexpr (Count == 1)
      return operation::value(a);
    else if constexpr (Count == 2)
      return operation::value(a, b);
    else
      return operation::value(a, b, c);
  }
};

template <class P, class T, std::size_t I, int J>
using operand_slot = slot<static_cast<std::size_t>(P::value.operand(I, J)),
                          value_t<T, P::value[P::value.operand(I, J)].condition>>;

template <class P, class T, std::size_t I>
using own_slot = slot<I, value_t<T, P::value.nodes[I].condition>>;

template <class P, class T, std::size_t Begin, class Frame, std::size_t... I>
TAPELESS_ALWAYS_INLINE constexpr void run_block(Frame& f, std::index_sequence<I...>) {
  ((static_cast<own_slot<P, T, Begin + I>&>(f).value =
        step<P::value.nodes[Begin + I].operation, P::value.nodes[Begin + I].count, T>::run(
            static_cast<operand_slot<P, T, Begin + I, 0>&>(f).value,
            static_cast<operand_slot<P, T, Begin + I, 1>&>(f).value,
            static_cast<operand_slot<P, T, Begin + I, 2>&>(f).value)),
   ...);
}

// clang folds at most 256 operands in one expression.
inline constexpr std::size_t block_size = 64;

template <class P, class T, std::size_t Begin, std::size_t Count, class Frame, std::size_t... Block>
TAPELESS_ALWAYS_INLINE constexpr void run_blocks(Frame& f, std::index_sequence<Block...>) {
  (run_block<P, T, Begin + Block * block_size>(
       f, std::make_index_sequence<(Count - Block * block_size < block_size ? Count - Block * block_size
                                                                            : block_size)>{}),
   ...);
}

template <class P, class T, std::size_t I, class Inputs, class Numbers>
TAPELESS_ALWAYS_INLINE constexpr T leaf(const Inputs& inputs, const Numbers& numbers) {
  constexpr program::node n = P::value.nodes[I];
  if constexpr (n.kind == program::node_kind::variable)
    return inputs[static_cast<std::size_t>(n.leaf)];
  else if constexpr (n.kind == program::node_kind::number)
    return numbers[static_cast<std::size_t>(n.leaf)];
  else
    return P::value.constants[static_cast<std::size_t>(n.leaf)].template as<T>();
}

template <class P, class T, class Frame, class Inputs, class Numbers, std::size_t... I>
TAPELESS_ALWAYS_INLINE constexpr void set_leaves(Frame& f, const Inputs& inputs, const Numbers& numbers,
                                                 std::index_sequence<I...>) {
  ((static_cast<own_slot<P, T, I>&>(f).value = leaf<P, T, I>(inputs, numbers)), ...);
}

template <class P>
constexpr std::size_t count_leaves() {
  std::size_t leaves = 0;
  for (const program::node& n : P::value.nodes)
    leaves += n.kind != program::node_kind::apply && n.kind != program::node_kind::stop;
  return leaves;
}

}  // namespace detail

/// Evaluates the finished program `P::value` in numbers of type `T` and gives `consume(outputs...)`: one argument an
/// output, a `T` or, for a condition, a `bool`. `inputs` holds the variables' values, `numbers` the formula's run-time
/// numbers, both as `T`. No allocation; usable in constant evaluation.
template <class P, class T, class Inputs, class Numbers, class Consume>
TAPELESS_ALWAYS_INLINE constexpr auto run(const Inputs& inputs, const Numbers& numbers, Consume consume) {
  constexpr std::size_t nodes = P::value.nodes.size();
  constexpr std::size_t leaves = detail::count_leaves<P>();
  constexpr std::size_t blocks = (nodes - leaves + detail::block_size - 1) / detail::block_size;
  detail::frame<P, T, std::make_index_sequence<nodes>> f;
  detail::set_leaves<P, T>(f, inputs, numbers, std::make_index_sequence<leaves>{});
  detail::run_blocks<P, T, leaves, nodes - leaves>(f, std::make_index_sequence<blocks>{});
  return [&]<std::size_t... O>(std::index_sequence<O...>) {
    return consume(detail::at<static_cast<std::size_t>(P::value.output(O))>(f)...);
  }(std::make_index_sequence<P::value.outputs.size()>{});
}

}  // namespace tapeless::scalar

#endif
