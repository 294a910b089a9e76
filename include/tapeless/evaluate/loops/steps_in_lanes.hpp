#pragma once

#include <tapeless/core/always_inline.hpp>
#include <tapeless/core/target.hpp>
#include <tapeless/evaluate/lanes/pack.hpp>
#include <tapeless/evaluate/loops/step_inputs.hpp>
#include <tapeless/program/graph/independent_steps.hpp>
#include <tapeless/program/graph/tuning.hpp>
#include <tapeless/program/schedule/packs.hpp>

#include <bit>
#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

/// Several steps of a loop at a time, one a lane, where steps need nothing of each other. What they add up is the sum
/// of the lanes', so that it may differ in the last digits from that of the steps one after the other.
namespace tapeless::scalar::inline TAPELESS_TARGET {

#ifdef TAPELESS_HAS_PACKS
template <class T, std::size_t N>
struct computes_in<pack<T, N>> {
  using number = T;
  using condition = pack_mask<T, N>;
};
#endif

namespace detail {

/// What the steps of the loop `Code` do with its carries.
template <class Code>
inline constexpr auto& roles_in = program::roles_in<typename Code::body, Code::operation::shape.carries>;

/// Whether lanes compute all of the body of the loop `Code`, and it keeps no carry.
template <class Code>
inline constexpr bool fits_lanes = [] {
  constexpr operation::scan_shape shape = Code::operation::shape;
  constexpr auto& body = Code::body::value;
  if (shape.ends || shape.once || shape.checkpoints > 0 || Code::kept.size() > 0 ||
      body.nodes.size() > tuning::nodes_in_lanes)
    return false;
  for (int k = 0; k < shape.carries; ++k)
    if (Code::live[shape.history(k)]) return false;
  for (const program::node& n : body.nodes)
    if (!program::detail::runs_in_lanes(n)) return false;
  return true;
}();
/// How many steps of the loop `Code` are made at a time: with more than one register, the processor has more to do
/// while it waits for results.
template <class Code, class T>
inline constexpr std::size_t steps_at_a_time = [] {
#ifdef TAPELESS_HAS_PACKS
  if constexpr (fits_lanes<Code> && (std::same_as<T, double> || std::same_as<T, float>)) {
    for (const program::carry_role role : roles_in<Code>)
      if (role == program::carry_role::state) return std::size_t{1};
    return (register_bytes < 32 ? 32 : register_bytes) / sizeof(T);
  }
#endif
  return std::size_t{1};
}();

/// Makes those steps of a loop that fill lanes.
template <class Loop>
struct steps_in_lanes;

#ifdef TAPELESS_HAS_PACKS

/// The carries and the variables of the body in steps `step` and those behind it.
template <class T, class Op, std::size_t N>
struct inputs_of_steps {
  using lanes = pack<T, N>;
  const scan_operands<T, Op>& operands;
  const register_file<lanes, Op::shape.carries>& carry;
  std::size_t step;

  template <int I>
  TAPELESS_ALWAYS_INLINE lanes variable() const {
    constexpr operation::scan_shape s = Op::shape;
    if constexpr (I < s.carries)
      return value_in<static_cast<std::size_t>(I), lanes>(carry);
    else if constexpr (I < s.carries + s.constants)
      return lanes(value_in<static_cast<std::size_t>(I - s.carries), T>(operands.constants));
    else if constexpr (I < s.operands() - 1) {
      const auto& from = operands.template sequence<I - s.carries - s.constants>();
      const T* const first = from.data + static_cast<std::ptrdiff_t>(step) * from.stride;
      if (from.stride == 1) return lanes::load(first);
      return lanes::gathered([first, stride = from.stride](auto lane) TAPELESS_INLINE_LAMBDA {
        return first[static_cast<std::ptrdiff_t>(lane.value) * stride];
      });
    } else
      return lanes(static_cast<T>(step)) +
             lanes::gathered([](auto lane) TAPELESS_INLINE_LAMBDA { return static_cast<T>(lane.value); });
  }
};

/// The carry that is `first` before the first step, in lanes.
template <program::carry_role Role, std::size_t N, class T>
TAPELESS_ALWAYS_INLINE pack<T, N> in_lanes(T first) {
  if constexpr (Role != program::carry_role::sum) return first;
  T each[N];
  for (T& other : each) other = -T(0);
  each[0] = first;
  return pack<T, N>::load(each);
}
/// The carry after the last step, from those of the lanes.
template <program::carry_role Role, class T, std::size_t N>
TAPELESS_ALWAYS_INLINE T of_lanes(const pack<T, N>& last, T first) {
  if constexpr (Role == program::carry_role::same) return first;
  T each[N];
  last.store(each);
  if constexpr (Role == program::carry_role::flag) {
    // Of the lanes that set it. It may have been NaN.
    const auto bits = [](T number) { return std::bit_cast<integer_of<T>>(number); };
    for (const T& set : each)
      if (bits(set) != bits(first)) return set;
    return first;
  } else {
    for (std::size_t half = N / 2; half > 0; half /= 2)
      for (std::size_t i = 0; i < half; ++i) each[i] += each[half + i];
    return each[0];
  }
}

template <class Loop>
struct steps_in_lanes {
  using T = typename Loop::number;
  using Op = typename Loop::Op;
  static constexpr operation::scan_shape shape = Op::shape;
  static constexpr std::size_t lanes = steps_at_a_time<typename Loop::code, T>;
  static constexpr auto& roles = roles_in<typename Loop::code>;
  using V = pack<T, lanes>;
  using carries = register_file<T, shape.carries>;

  /// Of `n` steps those that come first; how many they are.
  static std::size_t run(const scan_operands<T, Op>& operands, carries& carry, T* memory, std::size_t n) {
    const std::size_t count = n - n % lanes, begin = shape.reversed ? n - count : 0;
    register_file<V, shape.carries> now;
    in_blocks<shape.carries>([&]<std::size_t... K>(std::index_sequence<K...>) TAPELESS_INLINE_LAMBDA {
      ((value_in<K, V>(now) = in_lanes<roles[K], lanes>(value_in<K, T>(carry))), ...);
    });
    for (std::size_t t = begin; t < begin + count; t += lanes) {
      const evaluation<typename Loop::body, V> done(inputs_of_steps<T, Op, lanes>{operands, now, t});
      in_blocks<shape.carries>([&]<std::size_t... K>(std::index_sequence<K...>) TAPELESS_INLINE_LAMBDA {
        ((value_in<K, V>(now) = as_number<V>(done.template output<K>())), ...);
      });
      if constexpr (Loop::columns > 0)
        in_blocks<shape.stacked>([&]<std::size_t... Y>(std::index_sequence<Y...>) TAPELESS_INLINE_LAMBDA {
          (store<shape.carries + static_cast<int>(Y)>(memory + t * Loop::columns, done), ...);
        });
    }
    in_blocks<shape.carries>([&]<std::size_t... K>(std::index_sequence<K...>) TAPELESS_INLINE_LAMBDA {
      ((value_in<K, T>(carry) = of_lanes<roles[K]>(value_in<K, V>(now), value_in<K, T>(carry))), ...);
    });
    return count;
  }
  template <int Output, class Done>
  TAPELESS_ALWAYS_INLINE static void store(T* rows, const Done& done) {
    if constexpr (Loop::code::live[Output]) {
      const V numbers = as_number<V>(done.template output<Loop::place_in_body(Output)>());
      if constexpr (Loop::columns == 1) return numbers.store(rows);
      T each[lanes];
      numbers.store(each);
      for (std::size_t l = 0; l < lanes; ++l) rows[l * Loop::columns + Loop::code::column(Output)] = each[l];
    }
  }
};

#endif

}  // namespace detail

}  // namespace tapeless::scalar::inline TAPELESS_TARGET
