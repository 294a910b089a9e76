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
};

}  // namespace tapeless::detail::inline TAPELESS_TARGET
