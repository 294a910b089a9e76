#pragma once

#include <tapeless/core/target.hpp>

#include <limits>

namespace tapeless::detail::inline TAPELESS_TARGET {

// clang warns of infinity under -ffast-math, where what becomes of it is the user's choice; also of any function that
// is called `infinity`.
#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunknown-warning-option"
#pragma clang diagnostic ignored "-Wnan-infinity-disabled"
#endif
template <class T>
constexpr T infinity_of() {
  return std::numeric_limits<T>::infinity();
}
/// Not below any number: infinity or, with -ffinite-math-only, where to compute with it means nothing, the largest.
template <class T>
constexpr T upper_bound_of() {
#if defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ > 0
  return std::numeric_limits<T>::max();
#else
  return infinity_of<T>();
#endif
}
#ifdef __clang__
#pragma clang diagnostic pop
#endif

}  // namespace tapeless::detail::inline TAPELESS_TARGET
