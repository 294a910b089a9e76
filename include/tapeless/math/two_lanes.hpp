#pragma once

#include <tapeless/core/always_inline.hpp>
#include <tapeless/core/target.hpp>

#include <type_traits>

namespace tapeless::math::inline TAPELESS_TARGET {

/// Whether one instruction computes with two numbers of type `T`. Numbers of type float come four at a time.
#if (defined(__SSE2__) || defined(__aarch64__)) && !defined(__CUDACC__)
template <class T>
inline constexpr bool has_two_lanes = std::is_same_v<T, double>;
#else
template <class T>
inline constexpr bool has_two_lanes = false;
#endif

/// Two numbers in one register: a vector of GNU C, which nvcc does not know for a type that is a parameter.
#if defined(__CUDACC__)
template <class T>
struct two_lanes;
#elif defined(__clang__)
// clang cannot read the elements of a vector in constant evaluation; g++ leaves unions in memory.
template <class T>
union two_lanes {
  typedef T vector __attribute__((vector_size(2 * sizeof(T))));

  vector lanes;
  T elements[2];

  TAPELESS_ALWAYS_INLINE static constexpr two_lanes of(const T& first, const T& second) {
    if (std::is_constant_evaluated()) return {.elements = {first, second}};
    return {.lanes = vector{first, second}};
  }
  template <int I>
  TAPELESS_ALWAYS_INLINE constexpr T lane() const {
    return std::is_constant_evaluated() ? elements[I] : lanes[I];
  }
};
#else
template <class T>
struct two_lanes {
  typedef T vector __attribute__((vector_size(2 * sizeof(T))));

  vector lanes;

  TAPELESS_ALWAYS_INLINE static constexpr two_lanes of(const T& first, const T& second) {
    return {vector{first, second}};
  }
  template <int I>
  TAPELESS_ALWAYS_INLINE constexpr T lane() const {
    return lanes[I];
  }
};
#endif

template <class T>
inline constexpr bool is_two_lanes = false;
template <class T>
inline constexpr bool is_two_lanes<two_lanes<T>> = true;

/// Lane number `I`; a number is the same in both.
template <int I, class X>
TAPELESS_ALWAYS_INLINE constexpr auto lane_of(const X& x) {
  if constexpr (is_two_lanes<X>)
    return x.template lane<I>();
  else
    return x;
}

/// A number in both lanes; lanes as they are.
template <class T, class X>
TAPELESS_ALWAYS_INLINE typename two_lanes<T>::vector vector_of(const X& x) {
  if constexpr (is_two_lanes<X>)
    return x.lanes;
  else
    return two_lanes<T>::of(x, x).lanes;
}

/// `function` of each lane of the operands, numbers or pairs of lanes.
template <class T, class F, class... Xs>
TAPELESS_ALWAYS_INLINE constexpr two_lanes<T> in_two_lanes(const F& function, const Xs&... operands) {
  if (std::is_constant_evaluated())
    return two_lanes<T>::of(function(lane_of<0>(operands)...), function(lane_of<1>(operands)...));
  return {.lanes = function(vector_of<T>(operands)...)};
}

}  // namespace tapeless::math::inline TAPELESS_TARGET
