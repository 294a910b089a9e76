#ifndef TAPELESS_EVALUATE_SIMD_HPP
#define TAPELESS_EVALUATE_SIMD_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/core/always_inline.hpp>
#include <tapeless/core/expression.hpp>
#include <tapeless/core/target.hpp>
#include <tapeless/math/math.hpp>
#include <tapeless/math/polygamma.hpp>

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

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

  TAPELESS_ALWAYS_INLINE static lanes load(const T* from) { return batch<T>::load_unaligned(from); }
  TAPELESS_ALWAYS_INLINE void store(T* to) const { value.store_unaligned(to); }
  /// For calls of functions that are not always inlined: one that got the address of a value of a loop would keep all
  /// values of that loop in memory.
  TAPELESS_ALWAYS_INLINE batch<T> copy() const { return value; }

#define TAPELESS_LANES_OPERATOR(SYMBOL)                                                                                \
  TAPELESS_ALWAYS_INLINE friend lanes operator SYMBOL(const lanes& a, const lanes& b) { return a.value SYMBOL b.value; }
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
/// A function of numbers, lane by lane. The function called gets copies: the values of a loop whose address it would
/// know would all be kept in memory.
template <class F, class T, class... Ts>
TAPELESS_ALWAYS_INLINE lanes<T> map(F f, lanes<T> first, Ts... rest) {
  return map_stored(f, first, rest...);
}

}  // namespace detail

/// Whether xsimd's exponential, which makes integers of the lanes, is undefined for one: it converts doubles one by
/// one.
template <class T>
TAPELESS_ALWAYS_INLINE bool has_unconvertible([[maybe_unused]] const lanes<T>& x) {
  if constexpr (std::is_same_v<T, double>)
    return any(!(lanes<T>(xsimd::abs(x.value)) < T(1e18)));
  else
    return false;
}

// xsimd's are within 3.5 ulp (test/tensor/lanes_test.cpp has the bounds), with the C library's special values, except
// for arguments as in `OUTSIDE`.
#define TAPELESS_LANES_FUNCTION(NAME, OUTSIDE)                                                                         \
  template <class T>                                                                                                   \
  TAPELESS_ALWAYS_INLINE lanes<T> NAME(const lanes<T>& x) {                                                            \
    if (OUTSIDE) [[unlikely]]                                                                                          \
      return detail::map([](T number) { return std::NAME(number); }, x);                                               \
    return xsimd::NAME(x.copy());                                                                                      \
  }
TAPELESS_LANES_FUNCTION(abs, false)
TAPELESS_LANES_FUNCTION(sqrt, false)
TAPELESS_LANES_FUNCTION(cbrt, any(abs(x) < std::numeric_limits<T>::min()))
TAPELESS_LANES_FUNCTION(expm1, any(x > T(std::is_same_v<T, float> ? 88 : 709) || x == T(0)) || has_unconvertible(x))
TAPELESS_LANES_FUNCTION(asin, false)
TAPELESS_LANES_FUNCTION(acos, false)
TAPELESS_LANES_FUNCTION(atan, false)
TAPELESS_LANES_FUNCTION(sinh, has_unconvertible(x))
TAPELESS_LANES_FUNCTION(cosh, has_unconvertible(x))
TAPELESS_LANES_FUNCTION(tanh, has_unconvertible(x))
TAPELESS_LANES_FUNCTION(asinh, false)
TAPELESS_LANES_FUNCTION(atanh, false)
#undef TAPELESS_LANES_FUNCTION
#if defined(__aarch64__) && !defined(__ARM_FEATURE_SVE)
// xsimd 8 has an estimate for floats: sqrt(inf) is NaN.
TAPELESS_ALWAYS_INLINE lanes<float> sqrt(const lanes<float>& x) { return batch<float>(vsqrtq_f32(x.value)); }
#endif

// Next to a multiple of pi/2 xsimd's reduction of a double leaves too few digits.
#define TAPELESS_LANES_FUNCTION(NAME)                                                                                  \
  template <class T>                                                                                                   \
  TAPELESS_ALWAYS_INLINE lanes<T> NAME(const lanes<T>& x) {                                                            \
    const auto one_by_one = [&] { return detail::map([](T number) { return std::NAME(number); }, x); };                \
    const lanes<T> size = abs(x);                                                                                      \
    if (any(!(size < T(1e4)))) [[unlikely]]                                                                            \
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
    if (any(!(abs(x) < T(1 << 22)))) [[unlikely]]                                                                      \
      return detail::map([](T number) { return std::NAME(number); }, x);                                               \
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

/// a b + c, a b - c and c - a b, with one rounding where the processor has that.
template <class T>
TAPELESS_ALWAYS_INLINE lanes<T> multiply_add(const lanes<T>& a, const lanes<T>& b, const lanes<T>& c) {
  return xsimd::fma(a.value, b.value, c.value);
}
template <class T>
TAPELESS_ALWAYS_INLINE lanes<T> multiply_subtract(const lanes<T>& a, const lanes<T>& b, const lanes<T>& c) {
  return xsimd::fms(a.value, b.value, c.value);
}
template <class T>
TAPELESS_ALWAYS_INLINE lanes<T> subtract_product(const lanes<T>& a, const lanes<T>& b, const lanes<T>& c) {
  return xsimd::fnma(a.value, b.value, c.value);
}

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

/// log(1 + x); xsimd loses the sign of -0.
template <class T>
TAPELESS_ALWAYS_INLINE lanes<T> log1p(const lanes<T>& x) {
  return select_lanes(x == T(0), x, lanes<T>(xsimd::log1p(x.copy())));
}

namespace detail {

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
  const lanes<T> half = xsimd::nearbyint((k * T(0.5)).value);
  return x * power(half) * power(k - half);
}

}  // namespace detail

namespace detail {

/// (1 + excess) 2^exponent
template <class T>
struct scaled_lanes {
  lanes<T> excess, exponent;
};

/// Even and odd powers apart, so that two chains run at a time, and the constant last, rounded with the sum alone.
template <class T, std::size_t N>
TAPELESS_ALWAYS_INLINE lanes<T> polynomial(const lanes<T>& x, const T (&coefficients)[N]) {
  constexpr std::size_t last_even = (N - 1) / 2 * 2, last_odd = N / 2 * 2 - 1;
  const lanes<T> square = x * x;
  lanes<T> even = coefficients[last_even], odd = coefficients[last_odd];
  for (std::size_t n = last_even; n >= 4; n -= 2) even = multiply_add(even, square, lanes<T>(coefficients[n - 2]));
  for (std::size_t n = last_odd; n >= 3; n -= 2) odd = multiply_add(odd, square, lanes<T>(coefficients[n - 2]));
  return multiply_add(even, square, odd * x) + coefficients[0];
}

/// 1 / 2!, 1 / 3!, ...
template <class T, int Degree>
struct inverse_factorials {
  T at[Degree + 1]{};
  constexpr inverse_factorials() {
    double factorial = 1;
    for (int n = 2; n <= Degree; ++n) at[n] = static_cast<T>(1 / (factorial *= n));
  }
};

/// e^(x + low). x = k ln 2 + r, and the Taylor polynomial in r.
template <class T, class... Low>
TAPELESS_ALWAYS_INLINE scaled_lanes<T> exponential(const lanes<T>& x, const Low&... low) {
  constexpr bool single = std::is_same_v<T, float>;
  const lanes<T> k = xsimd::nearbyint((x * T(1.44269504088896340736)).value);
  // ln 2 in two parts, of which the first has zeros at its end.
  constexpr T ln2_high = single ? T(0.693359375) : T(0.693147180369123816490);
  constexpr T ln2_low = single ? T(-2.12194440e-4) : T(1.90821492927058770002e-10);
  const lanes<T> r = (multiply_add(k, lanes<T>(-ln2_low), multiply_add(k, lanes<T>(-ln2_high), x)) + ... + low);
  constexpr int degree = single ? 7 : 13;
  static constexpr inverse_factorials<T, degree> coefficients;
  // In r^2, even and odd powers apart, so that two chains run at a time.
  const lanes<T> square = r * r;
  lanes<T> odd = coefficients.at[degree], even = coefficients.at[degree - 1];
  for (int n = degree - 2; n > 1; n -= 2) {
    odd = multiply_add(odd, square, lanes<T>(coefficients.at[n]));
    even = multiply_add(even, square, lanes<T>(coefficients.at[n - 1]));
  }
  const lanes<T> rest = multiply_add(odd, r, even);
  return {multiply_add(rest, square, r), k};
}

}  // namespace detail

/// e^x, within 1.1 ulp (float: 1.5). xsimd's is infinite from 708.4 on and 0 from -708.4 on; this one is what the C
/// library's is up to the ends of the range.
template <class T>
TAPELESS_ALWAYS_INLINE lanes<T> exp(const lanes<T>& argument) {
  constexpr bool single = std::is_same_v<T, float>;
  constexpr T high = single ? T(89) : T(710), low = single ? T(-104) : T(-746);
  const auto power = detail::exponential(clamp_lanes(argument, lanes<T>(low), lanes<T>(high)));
  return detail::scale(power.excess + T(1), power.exponent);
}

namespace detail {

/// (log(1 + f) - (s f + ...)) in s^2, s = f / (2 + f), for sqrt(1/2) <= 1 + f < sqrt(2): those of the C library
/// (SunPro).
template <class T>
inline constexpr T log_coefficients[] = {0.6666666666666735130, 0.3999999999940941908, 0.2857142874366239149,
                                         0.2222219843214978396, 0.1818357216161805012, 0.1531383769920937332,
                                         0.1479819860511658591};
template <>
inline constexpr float log_coefficients<float>[] = {0.66666662693f, 0.40000972152f, 0.28498786688f, 0.24279078841f};

}  // namespace detail

/// The natural logarithm, within 1 ulp. x = (1 + f) 2^k.
template <class T>
TAPELESS_ALWAYS_INLINE lanes<T> log(const lanes<T>& x) {
  if (any(x < std::numeric_limits<T>::min())) [[unlikely]]
    return detail::map([](T number) { return std::log(number); }, x);
  using bits = std::conditional_t<std::is_same_v<T, double>, std::uint64_t, std::uint32_t>;
  using integers = xsimd::batch<bits, architecture>;
  constexpr int digits = std::numeric_limits<T>::digits - 1;
  // Counted from sqrt(1/2), numbers with the same k have the same exponent.
  constexpr bits least = std::bit_cast<bits>(static_cast<T>(0.70710678118654752440));
  constexpr T two_to_digits = static_cast<T>(std::uint64_t{1} << digits);
  const integers counted = std::bit_cast<integers>(x.value) + integers(std::bit_cast<bits>(T(1)) - least);
  const lanes<T> biased = std::bit_cast<batch<T>>((counted >> digits) | integers(std::bit_cast<bits>(two_to_digits)));
  const lanes<T> k = biased - (two_to_digits + T(std::numeric_limits<T>::max_exponent - 1));
  const lanes<T> f =
      lanes<T>(std::bit_cast<batch<T>>((counted & integers((bits{1} << digits) - 1)) + integers(least))) - T(1);
  const lanes<T> s = f / (f + T(2)), square = s * s, half = f * f * T(0.5);
  const lanes<T> rest = square * detail::polynomial(square, detail::log_coefficients<T>);
  constexpr T ln2_high = std::is_same_v<T, float> ? T(0.693359375) : T(0.693147180369123816490);
  constexpr T ln2_low = std::is_same_v<T, float> ? T(-2.12194440e-4) : T(1.90821492927058770002e-10);
  const lanes<T> low = multiply_add(s, half + rest, k * ln2_low);
  const lanes<T> y = multiply_add(k, lanes<T>(ln2_high), f - (half - low));
  return select_lanes(x <= std::numeric_limits<T>::max(), y, x);
}

// Those that xsimd lacks or that are off by more (pow: 638 ulp).
#define TAPELESS_LANES_ONE_BY_ONE(NAME)                                                                                \
  template <class T, class... Ts>                                                                                      \
  TAPELESS_ALWAYS_INLINE lanes<T> NAME(const lanes<T>& x, const Ts&... more) {                                         \
    return detail::map([](const auto&... numbers) { return std::NAME(numbers...); }, x, more...);                      \
  }
TAPELESS_LANES_ONE_BY_ONE(round)
TAPELESS_LANES_ONE_BY_ONE(exp2)
TAPELESS_LANES_ONE_BY_ONE(log2)
TAPELESS_LANES_ONE_BY_ONE(log10)
TAPELESS_LANES_ONE_BY_ONE(acosh)
TAPELESS_LANES_ONE_BY_ONE(lgamma)
TAPELESS_LANES_ONE_BY_ONE(pow)
TAPELESS_LANES_ONE_BY_ONE(atan2)
TAPELESS_LANES_ONE_BY_ONE(hypot)
#undef TAPELESS_LANES_ONE_BY_ONE
template <int N, class T>
lanes<T> polygamma_lanes(const lanes<T>& x) {
  return detail::map([](T number) { return math::polygamma<N>(number); }, x);
}

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

namespace detail {

/// Masked loads and stores, where the instruction set has them.
#if defined(TAPELESS_HAS_XSIMD) && defined(__AVX512F__)
template <class T>
inline constexpr bool has_masks = sizeof(T) * width<T> == 64;
template <class T>
using mask_bits = std::conditional_t<width<T> == 8, __mmask8, __mmask16>;
template <class T>
TAPELESS_ALWAYS_INLINE mask_bits<T> first_bits(std::size_t count) {
  return static_cast<mask_bits<T>>((1u << count) - 1);
}
#elif defined(TAPELESS_HAS_XSIMD) && defined(__AVX2__)
template <class T>
inline constexpr bool has_masks = sizeof(T) * width<T> == 32;
#else
template <class T>
inline constexpr bool has_masks = false;
#endif

}  // namespace detail

/// True in the first `count` lanes.
template <class T>
TAPELESS_ALWAYS_INLINE mask_t<T> first(std::size_t count) {
  if constexpr (width<T> == 1) {
    return true;
#if defined(TAPELESS_HAS_XSIMD) && defined(__AVX512F__)
  } else if constexpr (detail::has_masks<T>) {
    return {xsimd::batch_bool<T, architecture>(detail::first_bits<T>(count))};
#endif
  } else {
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

/// The first `count` lanes from memory, the others 1: a number that every function takes without harm.
template <class T>
TAPELESS_ALWAYS_INLINE lanes_t<T> load_strided(const T* from, std::ptrdiff_t stride, std::size_t count) {
  if constexpr (width<T> == 1) {
    return *from;
  } else {
    alignas(64) T row[width<T>];
    for (std::size_t i = 0; i < width<T>; ++i)
      row[i] = i < count ? from[static_cast<std::ptrdiff_t>(i) * stride] : T(1);
    return lanes_t<T>::load(row);
  }
}
template <class T>
TAPELESS_ALWAYS_INLINE lanes_t<T> load_first(const T* from, std::size_t count) {
  if constexpr (!detail::has_masks<T>) return load_strided<T>(from, 1, count);
#if defined(TAPELESS_HAS_XSIMD) && defined(__AVX512F__)
  else if constexpr (std::is_same_v<T, double>)
    return batch<T>(_mm512_mask_loadu_pd(_mm512_set1_pd(1.0), detail::first_bits<T>(count), from));
  else
    return batch<T>(_mm512_mask_loadu_ps(_mm512_set1_ps(1.0f), detail::first_bits<T>(count), from));
#elif defined(TAPELESS_HAS_XSIMD) && defined(__AVX2__)
  else if constexpr (const auto all = first<T>(count).value; std::is_same_v<T, double>)
    return batch<T>(_mm256_blendv_pd(_mm256_set1_pd(1.0), _mm256_maskload_pd(from, _mm256_castpd_si256(all)), all));
  else
    return batch<T>(_mm256_blendv_ps(_mm256_set1_ps(1.0f), _mm256_maskload_ps(from, _mm256_castps_si256(all)), all));
#endif
}

/// Writes the first `count` lanes.
template <class T>
TAPELESS_ALWAYS_INLINE void store_strided(const lanes_t<T>& x, T* to, std::ptrdiff_t stride, std::size_t count) {
  if constexpr (width<T> == 1) {
    *to = x;
  } else {
    alignas(64) T row[width<T>];
    x.store(row);
    for (std::size_t i = 0; i < count; ++i) to[static_cast<std::ptrdiff_t>(i) * stride] = row[i];
  }
}
template <class T>
TAPELESS_ALWAYS_INLINE void store_first(const lanes_t<T>& x, T* to, std::size_t count) {
  if constexpr (!detail::has_masks<T>) store_strided<T>(x, to, 1, count);
#if defined(TAPELESS_HAS_XSIMD) && defined(__AVX512F__)
  else if constexpr (std::is_same_v<T, double>)
    _mm512_mask_storeu_pd(to, detail::first_bits<T>(count), x.value);
  else
    _mm512_mask_storeu_ps(to, detail::first_bits<T>(count), x.value);
#elif defined(TAPELESS_HAS_XSIMD) && defined(__AVX2__)
  else if constexpr (std::is_same_v<T, double>)
    _mm256_maskstore_pd(to, _mm256_castpd_si256(first<T>(count).value), x.value);
  else
    _mm256_maskstore_ps(to, _mm256_castps_si256(first<T>(count).value), x.value);
#endif
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
#if defined(__AVX512F__)
    if constexpr (std::is_same_v<T, double> && width<T> == 8) return _mm512_reduce_add_pd(x.value);
    if constexpr (std::is_same_v<T, float> && width<T> == 16) return _mm512_reduce_add_ps(x.value);
#endif
    // The name since xsimd 9, and the one before.
    if constexpr (requires { reduce_add(x.value); })
      return reduce_add(x.copy());
    else
      return hadd(x.copy());
  }
#endif
  return combine_lanes<T>(x, [](T left, T right) { return left + right; });
}

}  // namespace tapeless::simd::inline TAPELESS_TARGET

#include <tapeless/evaluate/lanes_error_function.hpp>

#endif
