#pragma once

#include <tapeless/core/always_inline.hpp>
#include <tapeless/core/target.hpp>
#include <tapeless/program/graph/program.hpp>

#include <cstddef>

/// What straight-line code is made of, that for numbers and that for lanes.
namespace tapeless::detail::inline TAPELESS_TARGET {

/// The place of value number `I`. A frame has one base class a value: compilers keep those in registers, and leave the
/// elements of an array in memory.
template <std::size_t I, class V>
struct slot {
  V value;
};

/// How many steps one expression has at most: clang folds 256 operands.
inline constexpr std::size_t steps_of_block = 64;

/// The operation `Info` on values. The number of parameters is fixed, so that one pack expansion covers every arity.
template <const program::operation_info* Info, int Count, class T>
struct operation_step {
  using operation = program::operation_of<Info>;
  static constexpr bool has_lanes = requires { operation::lanes; };
  template <class A, class B, class C>
  TAPELESS_ALWAYS_INLINE static constexpr auto run(const A& a, const B& b, const C& c) {
    if constexpr (Count == 0)
      return operation::template constant<T>();
    else if constexpr (has_lanes && Lanes<A>)
      return run_on_lanes(a, b, c);
    else if constexpr (Count == 1)
      return operation::value(a);
    else if constexpr (Count == 2)
      return operation::value(a, b);
    else
      return operation::value(a, b, c);
  }
  /// By the function that the operation has for lanes.
  template <class A, class B, class C>
  TAPELESS_ALWAYS_INLINE static auto run_on_lanes(const A& a, const B& b, const C& c) {
    if constexpr (Count == 1)
      return operation::lanes(a);
    else if constexpr (Count == 2)
      return operation::lanes(a, b);
    else
      return operation::lanes(a, b, c);
  }
  /// The same on copies: if the compiler leaves the operation out of line, and it got the address of a value of a loop,
  /// all values of the loop would be kept in memory.
  template <class A, class B, class C>
  TAPELESS_ALWAYS_INLINE static auto run_on_copies(const A& first, const B& second, const C& third) {
    if constexpr (const A a = first; Count < 2)
      return run(a, a, a);
    else if constexpr (const B b = second; Count == 2)
      return run(a, b, b);
    else
      return run(a, b, C(third));
  }
};

}  // namespace tapeless::detail::inline TAPELESS_TARGET
