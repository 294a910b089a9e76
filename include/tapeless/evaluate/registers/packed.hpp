#pragma once

#include <tapeless/core/always_inline.hpp>
#include <tapeless/core/target.hpp>
#include <tapeless/evaluate/lanes/pack.hpp>
#include <tapeless/evaluate/registers/scalar.hpp>
#include <tapeless/program/schedule/packs.hpp>
#ifdef TAPELESS_VERIFY
#include <tapeless/program/schedule/verify_packs.hpp>
#endif

#include <array>
#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

/// Straight-line code for a program most of whose operations look alike: packs of them.
namespace tapeless::scalar::inline TAPELESS_TARGET {

/// Where a number stands in memory: which array, and which element; no array where it does not.
struct memory_place {
  int array = -1;
  int element = 0;
};

/// The evaluation of the finished program `P::value`, of `detail::runs_in_packs`, in numbers of type `T`.
template <class P, class T, class Inputs>
class packed_evaluation;

#ifdef TAPELESS_HAS_PACKS

namespace detail {

/// Whether the program `P::value` is computed in packs of numbers of type `T`.
template <class P, class T>
constexpr bool runs_in_packs() {
  // `is_packed` may tell without forming packs.
  if constexpr ((std::same_as<T, double> || std::same_as<T, float>) && !P::value.has_sequences)
    if constexpr (program::is_packed<P>) return program::packs_of<P>.size <= static_cast<int>(inline_limit);
  return false;
}

/// What the steps of a program in packs are.
template <class P, class T, class Inputs>
struct packed_steps {
  static constexpr auto& all = program::packs_of<P>;
#ifdef TAPELESS_VERIFY
  static_assert(program::is_sound<program::find_fault(all, P::view())>);
#endif

  static constexpr program::node node_of(std::size_t step) { return P::value[all.member(step, 0)]; }
  template <std::size_t S, std::size_t... L>
  static constexpr bool adjacent(std::index_sequence<L...>) {
    constexpr memory_place places[] = {Inputs::template place<P::value[all.member(S, L)].leaf>()...};
    for (int lane = 0; lane < static_cast<int>(sizeof...(L)); ++lane)
      if (places[lane].array < 0 || places[lane].array != places[0].array ||
          places[lane].element != places[0].element + lane)
        return false;
    return true;
  }
  /// Whether step `S` reads variables that stand side by side in memory: it is no step then, but read where it is used.
  template <std::size_t S>
  static constexpr bool is_memory() {
    if constexpr (node_of(S).kind == program::node_kind::variable)
      return adjacent<S>(std::make_index_sequence<static_cast<std::size_t>(all.steps[S].count)>{});
    else
      return false;
  }
  template <std::size_t S>
  static constexpr auto type() {
    constexpr auto count = static_cast<std::size_t>(all.steps[S].count);
    if constexpr (count == 1)
      return std::type_identity<typename value_type<kind_of(node_of(S))>::template of<P, T, S>>{};
    else if constexpr (is_memory<S>())
      return std::type_identity<std::type_identity<pack<T, count>>>{};
    else if constexpr (node_of(S).condition)
      return std::type_identity<pack_mask<T, count>>{};
    else
      return std::type_identity<pack<T, count>>{};
  }
  template <std::size_t S>
  using slot_of = slot<S, typename decltype(type<S>())::type>;
};

template <class Steps, std::size_t Begin, class Indices>
struct packed_slots;
template <class Steps, std::size_t Begin, std::size_t... I>
struct packed_slots<Steps, Begin, std::index_sequence<I...>> : Steps::template slot_of<Begin + I>... {};
template <class Steps, std::size_t Block>
struct packed_block {
  packed_slots<Steps, Block * block_size,
               std::make_index_sequence<size_of_block(static_cast<std::size_t>(Steps::all.size), Block)>>
      block;
};
template <class Steps, class Blocks>
struct packed_frame;
template <class Steps, std::size_t... Block>
struct packed_frame<Steps, std::index_sequence<Block...>> : packed_block<Steps, Block>... {};

}  // namespace detail

template <class P, class T, class Inputs>
class packed_evaluation {
  using steps = detail::packed_steps<P, T, Inputs>;
  static constexpr std::size_t count = static_cast<std::size_t>(steps::all.size);
  using blocks = std::make_index_sequence<detail::blocks_of(count)>;
  detail::packed_frame<steps, blocks> frame_;
  const Inputs& inputs_;

  template <std::size_t S>
  TAPELESS_ALWAYS_INLINE auto& value() {
    return static_cast<typename steps::template slot_of<S>&>(
               static_cast<detail::packed_block<steps, S / detail::block_size>&>(frame_).block)
        .value;
  }
  template <std::size_t S>
  TAPELESS_ALWAYS_INLINE const auto& value() const {
    return const_cast<packed_evaluation&>(*this).template value<S>();
  }
  /// The value of one node.
  template <std::size_t Node>
  TAPELESS_ALWAYS_INLINE auto single() const {
    if constexpr (program::is_leaf(P::value.nodes[Node].kind)) {
      return detail::leaf<P, T, Node>(inputs_);
    } else {
      constexpr auto step = static_cast<std::size_t>(steps::all.step_of[Node]);
      if constexpr (steps::all.steps[step].count == 1)
        return value<step>();
      else
        return value<step>().template lane<static_cast<std::size_t>(steps::all.lane_of[Node])>();
    }
  }
  /// Operand `j` of the node in a lane of step `s`; the node itself where j is -1.
  static constexpr std::size_t operand_node(std::size_t s, std::size_t lane, int j) {
    const auto member = static_cast<std::size_t>(steps::all.member(s, lane));
    return j < 0 ? member : static_cast<std::size_t>(steps::all.operands[member][static_cast<std::size_t>(j)]);
  }
  template <std::size_t S, int J>
  TAPELESS_ALWAYS_INLINE auto gathered() const {
    return pack<T, static_cast<std::size_t>(steps::all.steps[S].count)>::gathered(
        [this](auto lane) TAPELESS_INLINE_LAMBDA { return this->template single<operand_node(S, lane.value, J)>(); });
  }
  template <std::size_t S, int Asked>
  TAPELESS_ALWAYS_INLINE auto operand() const {
    constexpr int J = Asked < steps::node_of(S).count ? Asked : 0;
    constexpr auto lanes = static_cast<std::size_t>(steps::all.steps[S].count);
    constexpr int source = steps::all.steps[S].sources[static_cast<std::size_t>(J)];
    if constexpr (steps::node_of(S).count == 0) {
      return T(0);
    } else if constexpr (lanes == 1) {
      return single<operand_node(S, 0, J)>();
    } else if constexpr (source == program::same_value) {
      return pack<T, lanes>(single<operand_node(S, 0, J)>());
    } else if constexpr (source == program::one_by_one) {
      return gathered<S, J>();
    } else {
      constexpr auto from = static_cast<std::size_t>(source);
      if constexpr (steps::template is_memory<from>())
        return pack<T, lanes>::load(inputs_.template address<steps::node_of(from).leaf>());
      else
        return value<from>();
    }
  }
  template <std::size_t S>
  TAPELESS_ALWAYS_INLINE void run() {
    constexpr program::node n = steps::node_of(S);
    if constexpr (n.kind == program::node_kind::apply)
      value<S>() =
          detail::operation_step<n.operation, n.count, T>::run(operand<S, 0>(), operand<S, 1>(), operand<S, 2>());
    else if constexpr (!steps::template is_memory<S>())
      value<S>() = gathered<S, -1>();
  }
  template <std::size_t Begin, std::size_t... I>
  TAPELESS_ALWAYS_INLINE void run_block(std::index_sequence<I...>) {
    (run<Begin + I>(), ...);
  }
  template <std::size_t... Block>
  TAPELESS_ALWAYS_INLINE void run_blocks(std::index_sequence<Block...>) {
    (run_block<Block * detail::block_size>(std::make_index_sequence<detail::size_of_block(count, Block)>{}), ...);
  }

  /// How many outputs from this one on, before `end`, are the lanes of a pack.
  static constexpr std::size_t pack_at(std::size_t output, std::size_t end) {
    const auto node = static_cast<std::size_t>(P::value.output(output));
    if (program::is_leaf(P::value.nodes[node].kind)) return 0;
    const auto step = static_cast<std::size_t>(steps::all.step_of[node]);
    const auto lanes = static_cast<std::size_t>(steps::all.steps[step].count);
    if (lanes == 1 || steps::all.lane_of[node] != 0 || output + lanes > end) return 0;
    for (std::size_t l = 0; l < lanes; ++l)
      if (P::value.output(output + l) != steps::all.member(step, l)) return 0;
    return lanes;
  }

 public:
  TAPELESS_ALWAYS_INLINE explicit packed_evaluation(const Inputs& inputs) : inputs_(inputs) { run_blocks(blocks{}); }

  /// Writes outputs from `Begin` to `End` side by side.
  template <std::size_t Begin, std::size_t End>
  TAPELESS_ALWAYS_INLINE void store(T* to) const {
    detail::in_blocks<End - Begin>([&]<std::size_t... O>(std::index_sequence<O...>) TAPELESS_INLINE_LAMBDA {
      (store_one<Begin + O, places_in_packs<Begin, End>[O]>(to + O), ...);
    });
  }

 private:
  /// Of each of these outputs how many of a pack begin there; 0 for a number, 1 for one within a pack.
  template <std::size_t Begin, std::size_t End>
  static constexpr auto places_in_packs = [] {
    std::array<std::size_t, End - Begin + 1> places{};
    for (std::size_t output = Begin; output < End;) {
      const std::size_t lanes = pack_at(output, End);
      for (std::size_t lane = 0; lane < (lanes ? lanes : 1); ++lane) places[output++ - Begin] = lane == 0 ? lanes : 1;
    }
    return places;
  }();
  template <std::size_t Output, std::size_t Lanes>
  TAPELESS_ALWAYS_INLINE void store_one(T* to) const {
    constexpr auto node = static_cast<std::size_t>(P::value.output(Output));
    if constexpr (Lanes == 0)
      *to = single<node>();
    else if constexpr (Lanes > 1)
      value<static_cast<std::size_t>(steps::all.step_of[node])>().store(to);
  }
};

#else

namespace detail {

template <class P, class T>
constexpr bool runs_in_packs() {
  return false;
}

}  // namespace detail

#endif

}  // namespace tapeless::scalar::inline TAPELESS_TARGET
