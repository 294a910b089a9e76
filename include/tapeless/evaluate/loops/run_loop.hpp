#pragma once

#include <tapeless/core/target.hpp>
#include <tapeless/evaluate/loops/checkpoints.hpp>
#include <tapeless/evaluate/loops/loop_values.hpp>
#include <tapeless/evaluate/loops/scan.hpp>
#ifdef TAPELESS_VERIFY
#include <tapeless/evaluate/loops/verified_loop.hpp>
#endif

#include <cstddef>
#include <tuple>
#include <utility>

/// A loop inside a program: its operands from the frame, and the histories of other loops from memory or computed
/// again.
namespace tapeless::scalar::inline TAPELESS_TARGET::detail {

template <class P, std::size_t I>
constexpr std::size_t operand_of(std::size_t which) {
  return static_cast<std::size_t>(P::value.operand(I, static_cast<int>(which)));
}
/// The operands of the loop that is node `I`, from the values of the frame.
template <class P, class T, std::size_t I, class Values>
constexpr auto operands_of_loop(const Values& values) {
  using Op = program::operation_of<P::value.nodes[I].operation>;
  constexpr operation::scan_shape shape = Op::shape;
  scan_operands<T, Op> all;
  all.steps = values.template value<operand_of<P, I>(0)>();
  in_blocks<shape.carries>([&]<std::size_t... K>(std::index_sequence<K...>) TAPELESS_INLINE_LAMBDA {
    ((value_in<K, T>(all.carry) = static_cast<T>(values.template value<operand_of<P, I>(1 + K)>())), ...);
  });
  in_blocks<shape.constants>([&]<std::size_t... K>(std::index_sequence<K...>) TAPELESS_INLINE_LAMBDA {
    ((value_in<K, T>(all.constants) = static_cast<T>(values.template value<operand_of<P, I>(1 + shape.carries + K)>())),
     ...);
  });
  in_blocks<shape.tables + shape.sequences>([&]<std::size_t... K>(std::index_sequence<K...>) TAPELESS_INLINE_LAMBDA {
    ((value_in<K, sequence_view<T>>(all.sequences) =
          values.template value<operand_of<P, I>(shape.first_table() + K)>()),
     ...);
  });
  return all;
}

/// Histories that a loop computes again, from the checkpoints of loop `I`, in the opposite order. They are used up in
/// the frame, which is no constant while its program runs; each of several loops that read the same, which `Shared`
/// says, has a copy.
template <class P, class T, std::size_t I, bool Shared>
struct replayed {
  using code = typename loop_at<P, I>::code;
  using Op = typename code::operation;
  static constexpr operation::scan_shape shape = Op::shape;
  using loop = scan_loop<code_again<Op, code::again>, T>;
  using state = loop_state<code, T>;
  using checkpoints = decltype(kept_states<code, T>::stack);
  scan_operands<T, Op> operands;
  std::conditional_t<Shared, checkpoints, checkpoints&> stack;
  std::size_t last;
  const state* now = nullptr;

  template <class Values>
  constexpr explicit replayed(const Values& values)
      : operands(operands_of_loop<P, T, I>(values)),
        stack(const_cast<checkpoints&>(values.template value<I>().kept.stack)),
        last(static_cast<std::size_t>(element_in_memory<T>::in_common(operands.steps)) - 1) {}

  constexpr std::size_t place(std::size_t i) const { return shape.reversed ? last - i : i; }
  constexpr void go_to(std::size_t t) {
    now = &stack.state_before(place(t), [this](state& before, std::size_t i) {
      register_file<T, shape.carries> carry;
      before.copy_to(carry);
      loop::step(operands, carry, place(i), no_histories{}, nullptr);
      before = state::of(carry);
    });
  }
};

/// The histories that loop `I` computes again while it goes.
template <class P, class T, std::size_t I>
class loop_histories {
  using again = program::replayed_loops<P, static_cast<int>(I)>;
  static constexpr int operand(int s) { return shape_of_loop<P>(I).first_sequence() + s; }
  template <std::size_t... K>
  static constexpr auto start(const auto& values, std::index_sequence<K...>) {
    return std::tuple<replayed<P, T, again::all[K], (program::times_replayed<P, again::all[K]> > 1)>...>(
        ((void)K, values)...);
  }
  using values_type = typename evaluation<P, T>::values;
  decltype(start(std::declval<const values_type&>(), again::places)) loops_;

 public:
  constexpr explicit loop_histories(const values_type& values) : loops_(start(values, again::places)) {}
  static constexpr bool reads(int s) { return again::of(operand(s)) >= 0; }
  template <int>
  static constexpr memory_place place() {
    return {};
  }
  constexpr void go_to(std::size_t t) {
    std::apply([&](auto&... each) { (each.go_to(t), ...); }, loops_);
  }
  template <int S>
  TAPELESS_ALWAYS_INLINE constexpr T value() const {
    constexpr int source = again::of(operand(S));
    constexpr auto place =
        static_cast<std::size_t>(carries_again<P, static_cast<std::size_t>(source)>.find(again::carry(operand(S))));
    return value_in<place, T>(std::get<again::place(source)>(loops_).now->numbers);
  }
};

/// What loop `I` reads of the steps of the loop before it whose histories it reads: a row of that loop's memory.
template <class P, class T, std::size_t I>
class row_of_history {
  using memory_type = element_in_memory<T>;
  using number = typename memory_type::number;
  static constexpr int source = source_of_histories<P, I>;
  using code = typename loop_at<P, static_cast<std::size_t>(source)>::code;
  const number* memory_;
  const number* row_;

  static constexpr int operand(int s) { return P::value.operand(I, shape_of_loop<P>(I).first_sequence() + s); }
  template <int Column>
  TAPELESS_ALWAYS_INLINE constexpr decltype(auto) at() const {
    return memory_type::read(row_ + Column * memory_type::width);
  }

 public:
  template <class Result>
  constexpr explicit row_of_history(const Result& from) : memory_(from.data()), row_(memory_) {}
  static constexpr bool reads(int s) { return reads_history_of(P::view(), operand(s), source); }
  constexpr void go_to(std::size_t t) {
    row_ = memory_ + static_cast<std::ptrdiff_t>(t) * (code::columns * memory_type::width);
  }
  template <int S>
  TAPELESS_ALWAYS_INLINE constexpr decltype(auto) value() const {
    return at<code::column(P::value[operand(S)].operation->output_read)>();
  }
  template <int S>
  static constexpr memory_place place() {
    if constexpr (reads(S))
      return {2, code::column(P::value[operand(S)].operation->output_read)};
    else
      return {};
  }
  template <int Node>
  static constexpr memory_place place_of_kept() {
    return {2, code::first_kept + code::kept.find(Node)};
  }
  TAPELESS_ALWAYS_INLINE const number* row() const { return row_; }
  template <int Node>
  TAPELESS_ALWAYS_INLINE constexpr decltype(auto) kept() const {
    return at<code::first_kept + code::kept.find(Node)>();
  }
};

/// The loop that is node `I` of a finished program, of which `values.value<j>()` is value number `j`.
template <class P, class T, std::size_t I>
struct loop_in_program {
  using Op = program::operation_of<P::value.nodes[I].operation>;
  static constexpr operation::scan_shape shape = Op::shape;
  using loop = scan_loop<typename loop_at<P, I>::code, T>;
  /// A short loop stands in the code around it: there the number of its steps is known, and its operands need no
  /// memory.
  static constexpr bool is_short = loop::body::value.nodes.size() <= 256;
#ifdef TAPELESS_VERIFY
  static_assert(program::is_sound<fault_of_loop<P, I>>);
#endif

  template <class Values>
  static constexpr auto histories(const Values& values) {
    if constexpr (program::replays_loops<P, static_cast<int>(I)>)
      return loop_histories<P, T, I>(values);
    else if constexpr (source_of_histories<P, I> >= 0)
      return row_of_history<P, T, I>(values.template value<static_cast<std::size_t>(source_of_histories<P, I>)>());
    else
      return no_histories{};
  }
};

template <class P, class T, std::size_t I, class Values, class Result>
TAPELESS_ALWAYS_INLINE constexpr void run_loop(const Values& values, Result& result) {
  using run = loop_in_program<P, T, I>;
  auto histories = run::histories(values);
  if constexpr (run::is_short)
    run::loop::run(operands_of_loop<P, T, I>(values), histories, result);
  else
    run::loop::run_apart(operands_of_loop<P, T, I>(values), histories, result);
}

}  // namespace tapeless::scalar::inline TAPELESS_TARGET::detail
