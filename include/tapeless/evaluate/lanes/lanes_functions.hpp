#pragma once

#include <tapeless/core/always_inline.hpp>
#include <tapeless/core/target.hpp>
#include <tapeless/evaluate/lanes/lanes.hpp>
#include <tapeless/evaluate/lanes/lanes_libmvec.hpp>
#include <tapeless/math/exponential.hpp>
#include <tapeless/math/logarithm.hpp>
#include <tapeless/math/math.hpp>
#include <tapeless/math/polygamma.hpp>
#include <tapeless/math/tanh.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

/// Elementary functions of lanes: xsimd's where those are accurate, others here or, one by one, the C library's.
namespace tapeless::simd::inline TAPELESS_TARGET {

#ifdef TAPELESS_HAS_XSIMD

/// Whether xsimd's exponential, which makes integers of the lanes, is of no use: it converts doubles one by one.
template <class T>
TAPELESS_ALWAYS_INLINE bool has_unconvertible([[maybe_unused]] const lanes<T>& x) {
  if constexpr (std::is_same_v<T, double>)
    return tapeless::detail::rearranges_sums() || any(!(lanes<T>(xsimd::abs(x.value)) < T(1e18)));
  else
    return tapeless::detail::rearranges_sums();
}

// xsimd's are within 4 ulp (test/tensor/lanes_bounds.hpp), with the C library's special values, except for arguments as
// in `OUTSIDE`.
#define TAPELESS_LANES_FUNCTION(NAME, OUTSIDE)                                                                         \
  template <class T>                                                                                                   \
  TAPELESS_ALWAYS_INLINE lanes<T> NAME(const lanes<T>& x) {                                                            \
    if (OUTSIDE) [[unlikely]]                                                                                          \
      return number_by_number([](T number) { return std::NAME(number); }, x);                                          \
    return xsimd::NAME(x.copy());                                                                                      \
  }
TAPELESS_LANES_FUNCTION(abs, false)
TAPELESS_LANES_FUNCTION(sqrt, false)
#ifndef TAPELESS_HAS_LIBMVEC
TAPELESS_LANES_FUNCTION(cbrt, tapeless::detail::rearranges_sums() || any(abs(x) < std::numeric_limits<T>::min()))
#endif
TAPELESS_LANES_FUNCTION(expm1, any(x > T(std::is_same_v<T, float> ? 88 : 709) || x == T(0)) || has_unconvertible(x))
TAPELESS_LANES_FUNCTION(sinh, has_unconvertible(x))
TAPELESS_LANES_FUNCTION(cosh, has_unconvertible(x))
#undef TAPELESS_LANES_FUNCTION
#if defined(__aarch64__) && !defined(__ARM_FEATURE_SVE)
// xsimd 8 has an estimate for floats: sqrt(inf) is NaN.
TAPELESS_ALWAYS_INLINE lanes<float> sqrt(const lanes<float>& x) { return batch<float>(vsqrtq_f32(x.value)); }
#endif

// Next to a multiple of pi/2 xsimd's reduction of a double leaves too few digits.
#define TAPELESS_LANES_FUNCTION(NAME)                                                                                  \
  template <class T>                                                                                                   \
  TAPELESS_ALWAYS_INLINE lanes<T> NAME(const lanes<T>& x) {                                                            \
    const auto one_by_one = [&] { return number_by_number([](T number) { return std::NAME(number); }, x); };           \
    const lanes<T> size = abs(x);                                                                                      \
    if (tapeless::detail::rearranges_sums() || any(!(size < T(1e4)))) [[unlikely]]                                     \
      return one_by_one();                                                                                             \
    const lanes<T> y = xsimd::NAME(x.copy());                                                                          \
    if constexpr (std::is_same_v<T, double>)                                                                           \
      if (any(size > T(1) && (abs(y) < T(1e-9) || abs(y) > T(1e9)))) [[unlikely]]                                      \
        return one_by_one();                                                                                           \
    return y;                                                                                                          \
  }
TAPELESS_LANES_FUNCTION(sin)
TAPELESS_LANES_FUNCTION(cos)
TAPELESS_LANES_FUNCTION(tan)
#undef TAPELESS_LANES_FUNCTION

// Without an instruction for it, and with NEON, xsimd goes by integers and loses the sign of zeros.
#if (defined(__SSE2__) && !defined(__SSE4_1__)) || defined(__aarch64__)
#define TAPELESS_LANES_FUNCTION(NAME)                                                                                  \
  template <class T>                                                                                                   \
  TAPELESS_ALWAYS_INLINE lanes<T> NAME(const lanes<T>& x) {                                                            \
    if (tapeless::detail::rearranges_sums() || any(!(abs(x) < T(1 << 22)))) [[unlikely]]                               \
      return number_by_number([](T number) { return std::NAME(number); }, x);                                          \
    return xsimd::copysign(xsimd::NAME(x.copy()), x.value);                                                            \
  }
#else
#define TAPELESS_LANES_FUNCTION(NAME)                                                                                  \
  template <class T>                                                                                                   \
  TAPELESS_ALWAYS_INLINE lanes<T> NAME(const lanes<T>& x) {                                                            \
    return xsimd::NAME(x.copy());                                                                                      \
  }
#endif
TAPELESS_LANES_FUNCTION(floor)
TAPELESS_LANES_FUNCTION(ceil)
#undef TAPELESS_LANES_FUNCTION

template <class T>
TAPELESS_ALWAYS_INLINE lanes<T> nearest_integer(const lanes<T>& x) {
#if defined(__clang__) && !defined(__SSE4_1__)
  // What xsimd 8 has without an instruction, by operators that clang does not rearrange.
  const lanes<T> sign = xsimd::bitofsign(x.value), size = x.value ^ sign.value,
                 large(1 / std::numeric_limits<T>::epsilon());
  const lanes<T> rounded = size + large - large;
  return sign.value ^ select_lanes(size < large, rounded, size).value;
#else
  return xsimd::nearbyint(x.copy());
#endif
}

/// x 2^k for integers k from -1100 to 1100, overflow and subnormal numbers included.
template <class T>
TAPELESS_ALWAYS_INLINE lanes<T> scale(const lanes<T>& x, const lanes<T>& k) {
#if defined(__AVX512F__)
  if constexpr (std::is_same_v<T, double> && lanes<T>::size == 8) return batch<T>(_mm512_scalef_pd(x.value, k.value));
  if constexpr (std::is_same_v<T, float> && lanes<T>::size == 16) return batch<T>(_mm512_scalef_ps(x.value, k.value));
#endif
  // 2^n: in a number this large n + bias are the last bits of the mantissa, which a shift makes the exponent.
  const auto power = [](const lanes<T>& n) -> lanes<T> {
    using integers =
        xsimd::batch<std::conditional_t<std::is_same_v<T, double>, std::int64_t, std::int32_t>, architecture>;
    constexpr int digits = std::numeric_limits<T>::digits - 1;
    constexpr T large = T(std::int64_t{3} << (digits - 1)) + T(std::numeric_limits<T>::max_exponent - 1);
    return std::bit_cast<batch<T>>(std::bit_cast<integers>((n + large).value) << digits);
  };
  if (!any(abs(k) > T(std::numeric_limits<T>::max_exponent - 2))) [[likely]]
    return x * power(k);
  const lanes<T> half = nearest_integer(k * T(0.5));
  return x * power(half) * power(k - half);
}

/// e^x. xsimd's is infinite from 708.4 on and 0 from -708.4 on.
template <class T>
TAPELESS_ALWAYS_INLINE lanes<T> exp(const lanes<T>& x) {
  return math::exponential(x);
}

/// The hyperbolic tangent, within 2 ulp (float: 2.5): one exponential, and one division whose rounding is mended.
template <class T>
TAPELESS_ALWAYS_INLINE lanes<T> tanh(const lanes<T>& x) {
  const auto parts = math::parts_of_tanh(x);
  const lanes<T> sum = parts.less_one + T(2), lost = parts.less_one - (sum - T(2)) + parts.lost;
  const lanes<T> quotient = parts.less_one * parts.inverse;
  const lanes<T> rest = subtract_product(quotient, sum, parts.less_one) + subtract_product(quotient, lost, parts.lost);
  return xsimd::copysign(multiply_add(rest, parts.inverse, quotient).value, x.value);
}

template <class F, class T>
TAPELESS_ALWAYS_INLINE lanes<T> map_bits(const lanes<T>& x, const F& f) {
  using bits = typename math::detail::number_bits<T>::type;
  return std::bit_cast<batch<T>>(f(std::bit_cast<xsimd::batch<bits, architecture>>(x.value)));
}
template <class T>
TAPELESS_ALWAYS_INLINE lanes<T> log(const lanes<T>& x) {
  return math::natural_logarithm(x);
}
template <class T>
TAPELESS_ALWAYS_INLINE lanes<T> log1p(const lanes<T>& x) {
  // With such flags clang may take infinity, a constant in ours, for a number that never comes.
  if (tapeless::detail::rearranges_sums()) [[unlikely]]
    return number_by_number([](T number) { return std::log1p(number); }, x);
  return math::logarithm_of_one_plus(x);
}

#ifdef TAPELESS_HAS_LIBMVEC
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
  const auto tiny = finite && exponent < T(limits::min_exponent - 1);
  const lanes<T> base = select_lanes(overflow || zero, one, x);
  const lanes<T> root = libmvec_power(base, lanes<T>(select_lanes(tiny, y * T(0.5), y)));
  const lanes<T> result = select_lanes(tiny, root * root, root);
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
#endif

template <int N, class T>
lanes<T> polygamma_lanes(const lanes<T>& x) {
  return number_by_number([](T number) { return math::polygamma<N>(number); }, x);
}

#endif

}  // namespace tapeless::simd::inline TAPELESS_TARGET
