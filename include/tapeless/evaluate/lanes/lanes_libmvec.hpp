#pragma once

#include <tapeless/core/always_inline.hpp>
#include <tapeless/core/target.hpp>
#include <tapeless/evaluate/lanes/lanes.hpp>

#include <type_traits>

#ifdef TAPELESS_HAS_LIBMVEC

// The names are those of the vector ABI of x86-64; what links the C library's functions of numbers links these.
#if defined(__AVX512F__)
#define TAPELESS_LIBMVEC(KIND, NAME) _ZGVeN8##KIND##_##NAME, _ZGVeN16##KIND##_##NAME##f
#define TAPELESS_LIBMVEC_TYPES __m512d, __m512
#elif defined(__AVX2__)
#define TAPELESS_LIBMVEC(KIND, NAME) _ZGVdN4##KIND##_##NAME, _ZGVdN8##KIND##_##NAME##f
#define TAPELESS_LIBMVEC_TYPES __m256d, __m256
#elif defined(__AVX__)
#define TAPELESS_LIBMVEC(KIND, NAME) _ZGVcN4##KIND##_##NAME, _ZGVcN8##KIND##_##NAME##f
#define TAPELESS_LIBMVEC_TYPES __m256d, __m256
#else
#define TAPELESS_LIBMVEC(KIND, NAME) _ZGVbN2##KIND##_##NAME, _ZGVbN4##KIND##_##NAME##f
#define TAPELESS_LIBMVEC_TYPES __m128d, __m128
#endif
#define TAPELESS_LIBMVEC_EXPAND(MACRO, ...) MACRO(__VA_ARGS__)
#define TAPELESS_LIBMVEC_DECLARE_V(OF_DOUBLES, OF_FLOATS, DOUBLES, FLOATS)                                             \
  DOUBLES OF_DOUBLES(DOUBLES) noexcept;                                                                                \
  FLOATS OF_FLOATS(FLOATS) noexcept;
#define TAPELESS_LIBMVEC_DECLARE_VV(OF_DOUBLES, OF_FLOATS, DOUBLES, FLOATS)                                            \
  DOUBLES OF_DOUBLES(DOUBLES, DOUBLES) noexcept;                                                                       \
  FLOATS OF_FLOATS(FLOATS, FLOATS) noexcept;
extern "C" {
TAPELESS_LIBMVEC_EXPAND(TAPELESS_LIBMVEC_DECLARE_V, TAPELESS_LIBMVEC(v, cbrt), TAPELESS_LIBMVEC_TYPES)
TAPELESS_LIBMVEC_EXPAND(TAPELESS_LIBMVEC_DECLARE_V, TAPELESS_LIBMVEC(v, exp2), TAPELESS_LIBMVEC_TYPES)
TAPELESS_LIBMVEC_EXPAND(TAPELESS_LIBMVEC_DECLARE_V, TAPELESS_LIBMVEC(v, log2), TAPELESS_LIBMVEC_TYPES)
TAPELESS_LIBMVEC_EXPAND(TAPELESS_LIBMVEC_DECLARE_V, TAPELESS_LIBMVEC(v, log10), TAPELESS_LIBMVEC_TYPES)
TAPELESS_LIBMVEC_EXPAND(TAPELESS_LIBMVEC_DECLARE_V, TAPELESS_LIBMVEC(v, acosh), TAPELESS_LIBMVEC_TYPES)
TAPELESS_LIBMVEC_EXPAND(TAPELESS_LIBMVEC_DECLARE_VV, TAPELESS_LIBMVEC(vv, pow), TAPELESS_LIBMVEC_TYPES)
TAPELESS_LIBMVEC_EXPAND(TAPELESS_LIBMVEC_DECLARE_VV, TAPELESS_LIBMVEC(vv, atan2), TAPELESS_LIBMVEC_TYPES)
TAPELESS_LIBMVEC_EXPAND(TAPELESS_LIBMVEC_DECLARE_VV, TAPELESS_LIBMVEC(vv, hypot), TAPELESS_LIBMVEC_TYPES)
}

/// What xsimd lacks or has with more than 4 ulp, by the vector functions of glibc. SLEEF's are more accurate, 0.8
/// ulp, and take two to four times as long.
namespace tapeless::simd::inline TAPELESS_TARGET {

namespace detail {

template <class T, class Double, class Float, class... Lanes>
TAPELESS_ALWAYS_INLINE lanes<T> libmvec(Double of_doubles, Float of_floats, const Lanes&... x) {
  if constexpr (std::is_same_v<T, double>)
    return batch<T>(of_doubles(x.value...));
  else
    return batch<T>(of_floats(x.value...));
}

}  // namespace detail

#define TAPELESS_LANES_LIBMVEC(KIND, NAME) TAPELESS_LANES_LIBMVEC_AS(NAME, KIND, NAME)
#define TAPELESS_LANES_LIBMVEC_AS(OURS, KIND, NAME)                                                                    \
  template <class T, class... Ts>                                                                                      \
  TAPELESS_ALWAYS_INLINE lanes<T> OURS(const lanes<T>& x, const Ts&... more) {                                         \
    return detail::libmvec<T>(TAPELESS_LIBMVEC(KIND, NAME), x, more...);                                               \
  }
TAPELESS_LANES_LIBMVEC(v, cbrt)
TAPELESS_LANES_LIBMVEC(v, exp2)
TAPELESS_LANES_LIBMVEC(v, log2)
TAPELESS_LANES_LIBMVEC(v, log10)
TAPELESS_LANES_LIBMVEC(v, acosh)
TAPELESS_LANES_LIBMVEC_AS(libmvec_power, vv, pow)
TAPELESS_LANES_LIBMVEC(vv, atan2)
TAPELESS_LANES_LIBMVEC(vv, hypot)
#undef TAPELESS_LANES_LIBMVEC_AS
#undef TAPELESS_LANES_LIBMVEC
#undef TAPELESS_LIBMVEC_DECLARE_VV
#undef TAPELESS_LIBMVEC_DECLARE_V
#undef TAPELESS_LIBMVEC_EXPAND
#undef TAPELESS_LIBMVEC_TYPES
#undef TAPELESS_LIBMVEC

}  // namespace tapeless::simd::inline TAPELESS_TARGET

#endif
