#pragma once

#include <tapeless/evaluate/lanes/lanes_functions.hpp>

#include <limits>

#ifdef TAPELESS_HAS_LIBMVEC

namespace tapeless::simd::inline TAPELESS_TARGET {

namespace detail {

/// x^y for x > 0 where results leave the range of normal numbers in some lanes, which glibc's function computes one by
/// one: there by the square of x^(y / 2), or not at all where the result is 0 or infinite.
template <class T>
[[gnu::noinline]] lanes<T> power_beyond_range(const lanes<T>& x, const lanes<T>& y) {
  using limits = std::numeric_limits<T>;
  const lanes<T> one(T(1)), exponent = y * log2(x);
  const auto finite = abs(exponent) <= limits::max();
  const auto overflow = finite && exponent > T(limits::max_exponent + 1);
  const auto zero = finite && exponent <= T(limits::min_exponent - limits::digits - 1);
  const auto small = finite && exponent < T(limits::min_exponent - 1);
  const lanes<T> base = select_lanes(overflow || zero, one, x);
  const lanes<T> root = libmvec_power(base, lanes<T>(select_lanes(small, y * T(0.5), y)));
  const lanes<T> result = select_lanes(small, root * root, root);
  return select_lanes(overflow, lanes<T>(limits::infinity()), select_lanes(zero, lanes<T>(T(0)), result));
}

/// x^y from |x|^y: odd powers of negative x are negative, and those that are no integers NaN where x is finite.
template <class T>
[[gnu::noinline]] lanes<T> with_sign(const lanes<T>& power, const lanes<T>& x, const lanes<T>& inverse,
                                     const lanes<T>& y) {
  using limits = std::numeric_limits<T>;
  const lanes<T> half = y * T(0.5);
  const auto negative = x < T(0) || inverse < T(0), integer = floor(y) == y;
  const lanes<T> result = select_lanes(negative && integer && floor(half) != half, lanes<T>(-power), power);
  return select_lanes(x < T(0) && x >= limits::lowest() && !integer, lanes<T>(limits::quiet_NaN()), result);
}

}  // namespace detail

/// x^y. glibc's function computes negative bases, and results that are no normal numbers, one by one.
template <class T>
TAPELESS_ALWAYS_INLINE lanes<T> pow(const lanes<T>& x, const lanes<T>& y) {
  const lanes<T> size = abs(x), inverse = T(1) / x;
  // |log(size)| <= max(size, 1 / size) - 1, so that this keeps |y log(size)| within the range.
  const lanes<T> bound = abs(y) * (select_lanes(size > T(1), size, abs(inverse)) - T(1));
  const bool beyond = any(bound > T(0.69) * T(std::numeric_limits<T>::max_exponent - 3));
  const lanes<T> power = beyond ? detail::power_beyond_range(size, y) : libmvec_power(size, y);
  return any(x < T(0) || inverse < T(0)) ? detail::with_sign(power, x, inverse, y) : power;
}

}  // namespace tapeless::simd::inline TAPELESS_TARGET

#endif
