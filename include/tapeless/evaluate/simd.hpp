#ifndef TAPELESS_EVALUATE_SIMD_HPP
#define TAPELESS_EVALUATE_SIMD_HPP

#include <tapeless/core/always_inline.hpp>
#include <tapeless/core/expression.hpp>
#include <tapeless/math/math.hpp>

#include <cmath>
#include <cstddef>
#include <limits>
#include <type_traits>

#if !defined(TAPELESS_NO_XSIMD) && __has_include(<xsimd/xsimd.hpp>)
#define TAPELESS_HAS_XSIMD 1
#include <xsimd/xsimd.hpp>
#endif

/// SIMD lanes: numbers that are computed with together, by the same operations as one number. Without xsimd, or for
/// number types that it does not have, there is one lane, the number itself.
namespace tapeless::simd {

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

  friend mask operator&&(const mask& a, const mask& b) { return {a.value & b.value}; }
  friend mask operator||(const mask& a, const mask& b) { return {a.value | b.value}; }
  friend mask operator!(const mask& a) { return {!a.value}; }
};

template <class T>
struct lanes {
  using number = T;
  static constexpr std::size_t size = batch<T>::size;
  batch<T> value;

  lanes() = default;
  lanes(const batch<T>& numbers) : value(numbers) {}
  /// The same number in each lane.
  template <Numeric U>
  lanes(U same) : value(static_cast<T>(same)) {}

  static lanes load(const T* from) { return batch<T>::load_unaligned(from); }
  void store(T* to) const { value.store_unaligned(to); }

#define TAPELESS_LANES_OPERATOR(SYMBOL)                                                                                \
  friend lanes operator SYMBOL(const lanes& a, const lanes& b) { return a.value SYMBOL b.value; }
  TAPELESS_LANES_OPERATOR(+)
  TAPELESS_LANES_OPERATOR(-)
  TAPELESS_LANES_OPERATOR(*)
  TAPELESS_LANES_OPERATOR(/)
#undef TAPELESS_LANES_OPERATOR
  friend lanes operator-(const lanes& a) { return -a.value; }

#define TAPELESS_LANES_COMPARISON(SYMBOL)                                                                              \
  friend mask<T> operator SYMBOL(const lanes & a, const lanes & b) { return {a.value SYMBOL b.value}; }
  TAPELESS_LANES_COMPARISON(<)
  TAPELESS_LANES_COMPARISON(<=)
  TAPELESS_LANES_COMPARISON(>)
  TAPELESS_LANES_COMPARISON(>=)
  TAPELESS_LANES_COMPARISON(==)
  TAPELESS_LANES_COMPARISON(!=)
#undef TAPELESS_LANES_COMPARISON
};

template <class T>
lanes<T> select_lanes(const mask<T>& condition, const lanes<T>& a, const lanes<T>& b) {
  return xsimd::select(condition.value, a.value, b.value);
}

template <class T>
bool any(const mask<T>& condition) {
  return xsimd::any(condition.value);
}

namespace detail {

/// A function of numbers, lane by lane.
template <class F, class T, class... Ts>
lanes<T> map(F f, const lanes<T>& first, const Ts&... rest) {
  struct alignas(64) row {
    T at[lanes<T>::size];
    explicit row(const lanes<T>& from) { from.store(at); }
  };
  const auto run = [f](row to, const auto&... others) {
    for (std::size_t i = 0; i < lanes<T>::size; ++i) to.at[i] = f(to.at[i], others.at[i]...);
    return lanes<T>::load(to.at);
  };
  return run(row(first), row(rest)...);
}

}  // namespace detail

// xsimd's are within 2.5 ulp, with the C library's special values, where the argument is not outside the range given.
#define TAPELESS_LANES_FUNCTION(NAME, OUTSIDE)                                                                         \
  template <class T>                                                                                                   \
  lanes<T> NAME(const lanes<T>& x) {                                                                                   \
    [[maybe_unused]] constexpr T largest_argument = std::is_same_v<T, float> ? T(87) : T(708);                         \
    if (OUTSIDE) [[unlikely]]                                                                                          \
      return detail::map([](T number) { return std::NAME(number); }, x);                                               \
    return xsimd::NAME(x.value);                                                                                       \
  }
TAPELESS_LANES_FUNCTION(abs, false)
TAPELESS_LANES_FUNCTION(floor, false)
TAPELESS_LANES_FUNCTION(ceil, false)
TAPELESS_LANES_FUNCTION(sqrt, false)
TAPELESS_LANES_FUNCTION(cbrt, any(!(abs(x) > std::numeric_limits<T>::min()) || x - x != T(0)))
TAPELESS_LANES_FUNCTION(exp, any(abs(x) > largest_argument))
TAPELESS_LANES_FUNCTION(expm1, any(abs(x) > largest_argument))
TAPELESS_LANES_FUNCTION(log, any(!(x >= std::numeric_limits<T>::min())))
TAPELESS_LANES_FUNCTION(log1p, any(!(x > T(-1)) || x == T(0) || x - x != T(0)))
TAPELESS_LANES_FUNCTION(sin, any(!(abs(x) < T(1e4))))
TAPELESS_LANES_FUNCTION(cos, any(!(abs(x) < T(1e4))))
TAPELESS_LANES_FUNCTION(tan, any(!(abs(x) < T(1e4))))
TAPELESS_LANES_FUNCTION(asin, any(!(abs(x) < T(1))))
TAPELESS_LANES_FUNCTION(acos, any(!(abs(x) < T(1))))
TAPELESS_LANES_FUNCTION(atan, any(x - x != T(0)))
TAPELESS_LANES_FUNCTION(sinh, any(!(abs(x) < largest_argument)))
TAPELESS_LANES_FUNCTION(cosh, any(!(abs(x) < largest_argument)))
TAPELESS_LANES_FUNCTION(tanh, any(x - x != T(0)))
TAPELESS_LANES_FUNCTION(asinh, any(!(abs(x) < T(1e8))))
TAPELESS_LANES_FUNCTION(atanh, any(!(abs(x) < T(1))))
#undef TAPELESS_LANES_FUNCTION

// Those that xsimd lacks or that are off by more (pow: 638 ulp, erfc: 10^7).
#define TAPELESS_LANES_ONE_BY_ONE(NAME)                                                                                \
  template <class T, class... Ts>                                                                                      \
  lanes<T> NAME(const lanes<T>& x, const Ts&... more) {                                                                \
    return detail::map([](const auto&... numbers) { return std::NAME(numbers...); }, x, more...);                      \
  }
TAPELESS_LANES_ONE_BY_ONE(round)
TAPELESS_LANES_ONE_BY_ONE(exp2)
TAPELESS_LANES_ONE_BY_ONE(log2)
TAPELESS_LANES_ONE_BY_ONE(log10)
TAPELESS_LANES_ONE_BY_ONE(acosh)
TAPELESS_LANES_ONE_BY_ONE(erf)
TAPELESS_LANES_ONE_BY_ONE(erfc)
TAPELESS_LANES_ONE_BY_ONE(lgamma)
TAPELESS_LANES_ONE_BY_ONE(pow)
TAPELESS_LANES_ONE_BY_ONE(atan2)
TAPELESS_LANES_ONE_BY_ONE(hypot)
#undef TAPELESS_LANES_ONE_BY_ONE

#endif

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

/// The first `count` lanes from memory, the others 1: a number that every function takes without harm.
template <class T>
TAPELESS_ALWAYS_INLINE lanes_t<T> load_first(const T* from, std::ptrdiff_t stride, std::size_t count) {
  if constexpr (width<T> == 1)
    return *from;
  else {
#if defined(__AVX512F__)
    if (stride == 1) {
      if constexpr (std::is_same_v<T, double> && width<T> == 8)
        return batch<double>(_mm512_mask_loadu_pd(_mm512_set1_pd(1.0), static_cast<__mmask8>((1u << count) - 1), from));
      else if constexpr (std::is_same_v<T, float> && width<T> == 16)
        return batch<float>(
            _mm512_mask_loadu_ps(_mm512_set1_ps(1.0f), static_cast<__mmask16>((1u << count) - 1), from));
    }
#endif
    alignas(64) T row[width<T>];
    for (std::size_t i = 0; i < width<T>; ++i)
      row[i] = i < count ? from[static_cast<std::ptrdiff_t>(i) * stride] : T(1);
    return lanes_t<T>::load(row);
  }
}

/// Writes the first `count` lanes.
template <class T>
TAPELESS_ALWAYS_INLINE void store_first(const lanes_t<T>& x, T* to, std::ptrdiff_t stride, std::size_t count) {
  if constexpr (width<T> == 1)
    *to = x;
  else {
    alignas(64) T row[width<T>];
    x.store(row);
    for (std::size_t i = 0; i < count; ++i) to[static_cast<std::ptrdiff_t>(i) * stride] = row[i];
  }
}

template <class T>
TAPELESS_ALWAYS_INLINE lanes_t<T> load(const T* from) {
  if constexpr (width<T> == 1)
    return *from;
  else
    return lanes_t<T>::load(from);
}
template <class T>
TAPELESS_ALWAYS_INLINE void store(const lanes_t<T>& x, T* to) {
  if constexpr (width<T> == 1)
    *to = x;
  else
    x.store(to);
}

/// True in the first `count` lanes.
template <class T>
TAPELESS_ALWAYS_INLINE mask_t<T> first(std::size_t count) {
  if constexpr (width<T> == 1)
    return true;
  else {
    struct alignas(64) numbers {
      T at[width<T>];
    };
    static constexpr numbers index = [] {
      numbers result{};
      for (std::size_t i = 0; i < width<T>; ++i) result.at[i] = static_cast<T>(i);
      return result;
    }();
    return lanes_t<T>::load(index.at) < lanes_t<T>(static_cast<T>(count));
  }
}

/// All lanes, from the first to the last half and half, as one number.
template <class T, class Combine>
TAPELESS_ALWAYS_INLINE T combine_lanes(const lanes_t<T>& x, [[maybe_unused]] Combine combine) {
  if constexpr (width<T> == 1)
    return x;
  else {
    alignas(64) T row[width<T>];
    x.store(row);
    for (std::size_t half = width<T> / 2; half > 0; half /= 2)
      for (std::size_t i = 0; i < half; ++i) row[i] = combine(row[i], row[i + half]);
    return row[0];
  }
}
template <class T>
TAPELESS_ALWAYS_INLINE T add_lanes(const lanes_t<T>& x) {
#ifdef TAPELESS_HAS_XSIMD
  if constexpr (width<T> > 1) {
    // The name since xsimd 9, and the one before.
    if constexpr (requires { reduce_add(x.value); })
      return reduce_add(x.value);
    else
      return hadd(x.value);
  }
#endif
  return combine_lanes<T>(x, [](T left, T right) { return left + right; });
}

}  // namespace tapeless::simd

#endif
