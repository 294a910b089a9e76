#pragma once

#include <tapeless/core/always_inline.hpp>
#include <tapeless/core/expression.hpp>
#include <tapeless/core/target.hpp>

#include <cstddef>
#include <type_traits>

// g++ 12 warns of its own header for AVX-512 (its bug 105593), wherever that is inlined, also in system headers.
#if defined(__AVX512F__) && defined(__GNUC__) && !defined(__clang__)
#define TAPELESS_LANES_PRAGMAS
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#ifdef TAPELESS_HAS_XSIMD
#include <xsimd/xsimd.hpp>
#endif

/// SIMD lanes: numbers that are computed with together, by the same operations as one number. Without xsimd, with
/// -ffast-math, or for number types that xsimd does not have, there is one lane, the number itself.
namespace tapeless::simd::inline TAPELESS_TARGET {

/// Whether a condition holds in any lane.
constexpr bool any(bool condition) { return condition; }

#ifdef TAPELESS_HAS_XSIMD

// xsimd 8 does not compile integer operations of AVX-512BW without optimisation; numbers do not need that extension.
#if defined(__AVX512BW__) && XSIMD_VERSION_MAJOR < 9
using architecture = xsimd::avx512dq;
#else
using architecture = xsimd::default_arch;
#endif
template <class T>
using batch = xsimd::batch<T, architecture>;

/// A condition of each lane.
template <class T>
struct mask {
  xsimd::batch_bool<T, architecture> value;

  TAPELESS_ALWAYS_INLINE friend mask operator&&(const mask& a, const mask& b) { return {a.value & b.value}; }
  TAPELESS_ALWAYS_INLINE friend mask operator||(const mask& a, const mask& b) { return {a.value | b.value}; }
  TAPELESS_ALWAYS_INLINE friend mask operator!(const mask& a) { return {!a.value}; }
};

template <class T>
struct lanes {
  using number = T;
  static constexpr std::size_t size = batch<T>::size;
  batch<T> value;

  lanes() = default;
  TAPELESS_ALWAYS_INLINE lanes(const batch<T>& numbers) : value(numbers) {}
  /// The same number in each lane.
  template <Numeric U>
  TAPELESS_ALWAYS_INLINE lanes(U same) : value(static_cast<T>(same)) {}

  /// A number for each lane.
  template <class... Ts>
  TAPELESS_ALWAYS_INLINE static lanes of(Ts... numbers) {
    return batch<T>{numbers...};
  }
  TAPELESS_ALWAYS_INLINE static lanes load(const T* from) { return batch<T>::load_unaligned(from); }
  TAPELESS_ALWAYS_INLINE void store(T* to) const { value.store_unaligned(to); }
  /// For calls of functions that are not always inlined: one that got the address of a value of a loop would keep all
  /// values of that loop in memory.
  TAPELESS_ALWAYS_INLINE batch<T> copy() const { return value; }

#if defined(__clang__) && (defined(__SSE2__) || defined(__aarch64__))
#define TAPELESS_LANES_OPERATOR(SYMBOL)                                                                                \
  TAPELESS_ALWAYS_INLINE friend lanes operator SYMBOL(const lanes& a, const lanes& b) {                                \
    TAPELESS_AS_WRITTEN return batch<T>(a.value.data SYMBOL b.value.data);                                             \
  }
#else
#define TAPELESS_LANES_OPERATOR(SYMBOL)                                                                                \
  TAPELESS_ALWAYS_INLINE friend lanes operator SYMBOL(const lanes& a, const lanes& b) { return a.value SYMBOL b.value; }
#endif
  TAPELESS_LANES_OPERATOR(+)
  TAPELESS_LANES_OPERATOR(-)
  TAPELESS_LANES_OPERATOR(*)
#ifdef __aarch64__
  // xsimd 8 multiplies floats with an estimate of the reciprocal: 0 / x is NaN.
  TAPELESS_ALWAYS_INLINE friend lanes operator/(const lanes& a, const lanes& b) {
    if constexpr (std::is_same_v<T, float> && size == 4)
      return batch<T>(vdivq_f32(a.value, b.value));
    else
      return a.value / b.value;
  }
#else
  TAPELESS_LANES_OPERATOR(/)
#endif
#undef TAPELESS_LANES_OPERATOR
  // xsimd 8 has 0 - x for this on the widest lanes; compilers make it a change of sign.
  TAPELESS_ALWAYS_INLINE friend lanes operator-(const lanes& a) { return a.value * batch<T>(T(-1)); }

#define TAPELESS_LANES_COMPARISON(SYMBOL)                                                                              \
  TAPELESS_ALWAYS_INLINE friend mask<T> operator SYMBOL(const lanes & a, const lanes & b) {                            \
    return {a.value SYMBOL b.value};                                                                                   \
  }
  TAPELESS_LANES_COMPARISON(<)
  TAPELESS_LANES_COMPARISON(<=)
  TAPELESS_LANES_COMPARISON(>)
  TAPELESS_LANES_COMPARISON(>=)
  TAPELESS_LANES_COMPARISON(==)
#undef TAPELESS_LANES_COMPARISON
  // xsimd 8 finds NaN equal to NaN here.
  TAPELESS_ALWAYS_INLINE friend mask<T> operator!=(const lanes& a, const lanes& b) { return !(a == b); }
};

template <class T>
TAPELESS_ALWAYS_INLINE lanes<T> select_lanes(const mask<T>& condition, const lanes<T>& a, const lanes<T>& b) {
  return xsimd::select(condition.value, a.value, b.value);
}

template <class T>
TAPELESS_ALWAYS_INLINE bool any(const mask<T>& condition) {
  return xsimd::any(condition.value);
}

namespace detail {

template <class F, class T, class... Ts>
[[gnu::noinline]] lanes<T> map_stored(F f, const lanes<T>& first, const Ts&... rest) {
  struct alignas(64) row {
    T at[lanes<T>::size];
    explicit row(const lanes<T>& from) { from.store(at); }
  };
  const auto run = [f](row&& to, const auto&... others) {
    for (std::size_t i = 0; i < lanes<T>::size; ++i) to.at[i] = f(to.at[i], others.at[i]...);
    return lanes<T>::load(to.at);
  };
  return run(row(first), row(rest)...);
}
}  // namespace detail

/// A function of numbers, lane by lane. The function called gets copies: the values of a loop whose address it would
/// know would all be kept in memory.
template <class F, class T, class... Ts>
TAPELESS_ALWAYS_INLINE lanes<T> number_by_number(F f, lanes<T> first, Ts... rest) {
  return detail::map_stored(f, first, rest...);
}

/// a b + c, a b - c and c - a b, with one rounding where the processor has that.
#if defined(__clang__) && defined(__SSE2__) && !defined(__FMA__) && !defined(__FMA4__) && !defined(__AVX512F__)
#define TAPELESS_LANES_PRODUCT_AND_SUM(NAME, FUSED, EXPRESSION)                                                        \
  template <class T>                                                                                                   \
  TAPELESS_ALWAYS_INLINE lanes<T> NAME(const lanes<T>& a, const lanes<T>& b, const lanes<T>& c) {                      \
    return EXPRESSION;                                                                                                 \
  }
#else
#define TAPELESS_LANES_PRODUCT_AND_SUM(NAME, FUSED, EXPRESSION)                                                        \
  template <class T>                                                                                                   \
  TAPELESS_ALWAYS_INLINE lanes<T> NAME(const lanes<T>& a, const lanes<T>& b, const lanes<T>& c) {                      \
    return xsimd::FUSED(a.value, b.value, c.value);                                                                    \
  }
#endif
TAPELESS_LANES_PRODUCT_AND_SUM(multiply_add, fma, a* b + c)
TAPELESS_LANES_PRODUCT_AND_SUM(multiply_subtract, fms, a* b - c)
TAPELESS_LANES_PRODUCT_AND_SUM(subtract_product, fnma, c - a * b)
#undef TAPELESS_LANES_PRODUCT_AND_SUM

/// The larger of each two, the smaller: NaN if one of them is.
template <class T>
TAPELESS_ALWAYS_INLINE lanes<T> larger_lanes(const lanes<T>& a, const lanes<T>& b) {
  return select_lanes(a > b || a != a, a, b);
}
template <class T>
TAPELESS_ALWAYS_INLINE lanes<T> smaller_lanes(const lanes<T>& a, const lanes<T>& b) {
  return select_lanes(a < b || a != a, a, b);
}

/// `x` within limits; NaN stays NaN.
template <class T>
TAPELESS_ALWAYS_INLINE lanes<T> clamp_lanes(const lanes<T>& x, const lanes<T>& low, const lanes<T>& high) {
  // If an operand is NaN these give the second.
  return xsimd::max(low.copy(), xsimd::min(high.copy(), x.copy()));
}

#if defined(__AVX512F__)
// xsimd 8 multiplies and adds in one instruction on narrower lanes only. The instructions for min and max give their
// second operand if one is NaN.
#define TAPELESS_LANES_512(T, SUFFIX)                                                                                  \
  TAPELESS_ALWAYS_INLINE lanes<T> multiply_add(const lanes<T>& a, const lanes<T>& b, const lanes<T>& c) {              \
    return batch<T>(_mm512_fmadd_##SUFFIX(a.value, b.value, c.value));                                                 \
  }                                                                                                                    \
  TAPELESS_ALWAYS_INLINE lanes<T> multiply_subtract(const lanes<T>& a, const lanes<T>& b, const lanes<T>& c) {         \
    return batch<T>(_mm512_fmsub_##SUFFIX(a.value, b.value, c.value));                                                 \
  }                                                                                                                    \
  TAPELESS_ALWAYS_INLINE lanes<T> subtract_product(const lanes<T>& a, const lanes<T>& b, const lanes<T>& c) {          \
    return batch<T>(_mm512_fnmadd_##SUFFIX(a.value, b.value, c.value));                                                \
  }                                                                                                                    \
  TAPELESS_ALWAYS_INLINE lanes<T> larger_lanes(const lanes<T>& a, const lanes<T>& b) {                                 \
    const auto a_is_number = _mm512_cmp_##SUFFIX##_mask(a.value, a.value, _CMP_ORD_Q);                                 \
    return batch<T>(_mm512_mask_max_##SUFFIX(a.value, a_is_number, a.value, b.value));                                 \
  }                                                                                                                    \
  TAPELESS_ALWAYS_INLINE lanes<T> smaller_lanes(const lanes<T>& a, const lanes<T>& b) {                                \
    const auto a_is_number = _mm512_cmp_##SUFFIX##_mask(a.value, a.value, _CMP_ORD_Q);                                 \
    return batch<T>(_mm512_mask_min_##SUFFIX(a.value, a_is_number, a.value, b.value));                                 \
  }                                                                                                                    \
  TAPELESS_ALWAYS_INLINE lanes<T> clamp_lanes(const lanes<T>& x, const lanes<T>& low, const lanes<T>& high) {          \
    return batch<T>(_mm512_max_##SUFFIX(low.value, _mm512_min_##SUFFIX(high.value, x.value)));                         \
  }
TAPELESS_LANES_512(double, pd)
TAPELESS_LANES_512(float, ps)
#undef TAPELESS_LANES_512
#endif

#endif

template <Numeric T>
TAPELESS_ALWAYS_INLINE T multiply_add(const T& a, const T& b, const T& c) {
  return a * b + c;
}
template <Numeric T>
TAPELESS_ALWAYS_INLINE T multiply_subtract(const T& a, const T& b, const T& c) {
  return a * b - c;
}
template <Numeric T>
TAPELESS_ALWAYS_INLINE T subtract_product(const T& a, const T& b, const T& c) {
  return c - a * b;
}

namespace detail {

template <class T>
struct lanes_of {
  using type = T;
  using mask_type = bool;
  static constexpr std::size_t size = 1;
};
#ifdef TAPELESS_HAS_XSIMD
template <class T>
  requires(std::is_same_v<T, float> || std::is_same_v<T, double>)
struct lanes_of<T> {
  using type = lanes<T>;
  using mask_type = mask<T>;
  static constexpr std::size_t size = lanes<T>::size;
};
#endif

}  // namespace detail

/// As many numbers of type `T` as one instruction takes.
template <class T>
using lanes_t = typename detail::lanes_of<T>::type;
template <class T>
using mask_t = typename detail::lanes_of<T>::mask_type;
template <class T>
inline constexpr std::size_t width = detail::lanes_of<T>::size;

}  // namespace tapeless::simd::inline TAPELESS_TARGET

#ifdef TAPELESS_LANES_PRAGMAS
#pragma GCC diagnostic pop
#undef TAPELESS_LANES_PRAGMAS
#endif
