#pragma once

#include <tapeless/core/sequence.hpp>
#include <tapeless/core/target.hpp>
#include <tapeless/evaluate/registers/packed.hpp>
#include <tapeless/evaluate/registers/scalar.hpp>
#include <tapeless/operation/scan.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

/// What a step of a loop reads: the carries, in registers, what the body captures, and elements of sequences.
namespace tapeless::scalar::inline TAPELESS_TARGET::detail {

/// Numbers that stay in registers: a member each.
template <class T, class Indices>
struct registers;
template <class T, std::size_t... I>
struct registers<T, std::index_sequence<I...>> : slot<I, T>... {};
/// More than there are registers.
template <class T, int N>
struct number_array {
  T at[N];
};
inline constexpr int most_in_registers = 32;
template <class T, int N>
using register_file = std::conditional_t<(N > most_in_registers), number_array<T, (N > 0 ? N : 1)>,
                                         registers<T, std::make_index_sequence<static_cast<std::size_t>(N)>>>;
template <std::size_t I, class T, class File>
TAPELESS_ALWAYS_INLINE constexpr auto& value_in(File& of) {
  if constexpr (requires { of.at; })
    return of.at[I];
  else
    return of.template slot<I, T>::value;
}

/// An output of a program as a number: an absolute zero is a type, a condition 1 or 0.
template <class T, class Output>
TAPELESS_ALWAYS_INLINE constexpr T as_number(const Output& output) {
  if constexpr (std::is_same_v<Output, T>)
    return output;
  else if constexpr (std::is_same_v<Output, typename computes_in<T>::condition> && !std::is_same_v<Output, bool>)
    return math::select(output, T(1), T(0));
  else
    return T(static_cast<typename computes_in<T>::number>(output));
}

/// The operands of a loop: the number of steps, numbers, and sequences.
template <class T, class Op>
struct scan_operands {
  T steps;
  register_file<T, Op::shape.carries> carry;
  register_file<T, Op::shape.constants> constants;
  register_file<sequence_view<T>, Op::shape.tables + Op::shape.sequences> sequences;

  template <int I>
  TAPELESS_ALWAYS_INLINE constexpr const sequence_view<T>& sequence() const {
    return value_in<static_cast<std::size_t>(I), sequence_view<T>>(sequences);
  }
};

/// The values of the body's variables in a step. Elements that are read here for the first time have others next to
/// them, `Ahead` elements on, that a later run of the loop reads in its step of this number.
template <class T, class Op, class Histories, std::ptrdiff_t Ahead>
struct step_inputs {
  const scan_operands<T, Op>& operands;
  const register_file<T, Op::shape.carries>& carry;
  std::size_t step;
  const Histories& histories;

  template <int I>
  TAPELESS_ALWAYS_INLINE constexpr auto variable() const {
    constexpr operation::scan_shape s = Op::shape;
    if constexpr (I < s.carries)
      return value_in<static_cast<std::size_t>(I), T>(carry);
    else if constexpr (I < s.carries + s.constants)
      return value_in<static_cast<std::size_t>(I - s.carries), T>(operands.constants);
    else if constexpr (I < s.carries + s.constants + s.tables)
      return operands.template sequence<I - s.carries - s.constants>();
    else if constexpr (I < s.operands() - 1 && Histories::reads(I - s.first_sequence() + 1))
      return histories.template value<I - s.first_sequence() + 1>();
    else if constexpr (I < s.operands() - 1) {
      const auto& from = operands.template sequence<I - s.carries - s.constants>();
      if constexpr (Ahead > 0 && !s.reversed) from.prefetch(step, Ahead);
      return from[step];
    } else if constexpr (I == s.operands() - 1)
      return static_cast<T>(step);
    else
      return histories.template kept<I - s.operands()>();
  }

  /// Where a variable that is a number stands in memory: among many carries, many constants, or in a row of histories.
  template <int I>
  static constexpr memory_place place() {
    constexpr operation::scan_shape s = Op::shape;
    if constexpr (I < s.carries)
      return s.carries > most_in_registers ? memory_place{0, I} : memory_place{};
    else if constexpr (I < s.carries + s.constants)
      return s.constants > most_in_registers ? memory_place{1, I - s.carries} : memory_place{};
    else if constexpr (I >= s.first_sequence() - 1 && I < s.operands() - 1)
      return Histories::template place<I - s.first_sequence() + 1>();
    else if constexpr (I >= s.operands())
      return Histories::template place_of_kept<I - s.operands()>();
    else
      return {};
  }
  template <int I>
  TAPELESS_ALWAYS_INLINE const T* address() const {
    constexpr memory_place at = place<I>();
    if constexpr (at.array == 0)
      return carry.at + at.element;
    else if constexpr (at.array == 1)
      return operands.constants.at + at.element;
    else
      return histories.row() + at.element;
  }
};

/// The histories that a loop reads, where they are in memory.
struct no_histories {
  static constexpr bool reads(int) { return false; }
  template <int>
  static constexpr memory_place place() {
    return {};
  }
  constexpr void go_to(std::size_t) {}
};

}  // namespace tapeless::scalar::inline TAPELESS_TARGET::detail
