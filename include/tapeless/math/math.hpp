#ifndef TAPELESS_MATH_MATH_HPP
#define TAPELESS_MATH_MATH_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/core/always_inline.hpp>
#include <tapeless/core/target.hpp>
#include <tapeless/math/constexpr_math.hpp>

#include <cmath>
#include <type_traits>

/// Elementary functions of numbers: the C library at run time, `constexpr_math` inside constant evaluation, and
/// functions found by argument-dependent lookup for every other number type (multiprecision, SIMD lanes).
namespace tapeless::math::inline TAPELESS_TARGET {

#define TAPELESS_MATH_UNARY(NAME)                                                                                      \
  template <class T>                                                                                                   \
  TAPELESS_ALWAYS_INLINE constexpr T NAME(const T& x) {                                                                \
    if constexpr (std::is_floating_point_v<T>) {                                                                       \
      if (std::is_constant_evaluated()) return constexpr_math::NAME(x);                                                \
      return std::NAME(x);                                                                                             \
    } else {                                                                                                           \
      using std::NAME;                                                                                                 \
      return NAME(x);                                                                                                  \
    }                                                                                                                  \
  }
#define TAPELESS_MATH_BINARY(NAME)                                                                                     \
  template <class T>                                                                                                   \
  TAPELESS_ALWAYS_INLINE constexpr T NAME(const T& x, const T& y) {                                                    \
    if constexpr (std::is_floating_point_v<T>) {                                                                       \
      if (std::is_constant_evaluated()) return constexpr_math::NAME(x, y);                                             \
      return std::NAME(x, y);                                                                                          \
    } else {                                                                                                           \
      using std::NAME;                                                                                                 \
      return NAME(x, y);                                                                                               \
    }                                                                                                                  \
  }

TAPELESS_MATH_UNARY(abs)
TAPELESS_MATH_UNARY(floor)
TAPELESS_MATH_UNARY(ceil)
TAPELESS_MATH_UNARY(round)
TAPELESS_MATH_UNARY(sqrt)
TAPELESS_MATH_UNARY(cbrt)
TAPELESS_MATH_UNARY(exp)
TAPELESS_MATH_UNARY(exp2)
TAPELESS_MATH_UNARY(expm1)
TAPELESS_MATH_UNARY(log)
TAPELESS_MATH_UNARY(log2)
TAPELESS_MATH_UNARY(log10)
TAPELESS_MATH_UNARY(log1p)
TAPELESS_MATH_UNARY(sin)
TAPELESS_MATH_UNARY(cos)
TAPELESS_MATH_UNARY(tan)
TAPELESS_MATH_UNARY(asin)
TAPELESS_MATH_UNARY(acos)
TAPELESS_MATH_UNARY(atan)
TAPELESS_MATH_UNARY(sinh)
TAPELESS_MATH_UNARY(cosh)
TAPELESS_MATH_UNARY(tanh)
TAPELESS_MATH_UNARY(asinh)
TAPELESS_MATH_UNARY(acosh)
TAPELESS_MATH_UNARY(atanh)
TAPELESS_MATH_UNARY(erf)
TAPELESS_MATH_UNARY(erfc)
TAPELESS_MATH_UNARY(lgamma)
TAPELESS_MATH_UNARY(tgamma)
TAPELESS_MATH_BINARY(pow)
TAPELESS_MATH_BINARY(atan2)
TAPELESS_MATH_BINARY(hypot)
TAPELESS_MATH_BINARY(fmod)

/// condition ? a : b, for SIMD lanes one by one.
template <class Condition, class T>
TAPELESS_ALWAYS_INLINE constexpr T select(const Condition& condition, const T& a, const T& b) {
  if constexpr (std::is_arithmetic_v<Condition>)
    return condition != Condition(0) ? a : b;
  else
    return select_lanes(condition, a, b);
}

/// The larger of two numbers, NaN if one of them is.
template <class T>
TAPELESS_ALWAYS_INLINE constexpr T larger(const T& a, const T& b) {
  if constexpr (requires { larger_lanes(a, b); })
    return larger_lanes(a, b);
  else
    return select(a != a, a, select(a > b, a, b));
}

/// The smaller of two numbers, NaN if one of them is.
template <class T>
TAPELESS_ALWAYS_INLINE constexpr T smaller(const T& a, const T& b) {
  if constexpr (requires { smaller_lanes(a, b); })
    return smaller_lanes(a, b);
  else
    return select(a != a, a, select(a < b, a, b));
}

// Compilers reject 1.0 / 0.0, inf - inf and overflow inside constant expressions; constexpr_math gives what IEEE gives.
#define TAPELESS_MATH_OPERATOR(NAME, SYMBOL)                                                                           \
  template <class T>                                                                                                   \
  TAPELESS_ALWAYS_INLINE constexpr T NAME(const T& x, const T& y) {                                                    \
    if constexpr (std::is_floating_point_v<T>) {                                                                       \
      if (std::is_constant_evaluated()) return constexpr_math::NAME(x, y);                                             \
    }                                                                                                                  \
    return x SYMBOL y;                                                                                                 \
  }

TAPELESS_MATH_OPERATOR(add, +)
TAPELESS_MATH_OPERATOR(subtract, -)
TAPELESS_MATH_OPERATOR(multiply, *)
TAPELESS_MATH_OPERATOR(divide, /)

#undef TAPELESS_MATH_OPERATOR

// Compilers join a product and a sum in one instruction if they stand in one expression.
#define TAPELESS_MATH_PRODUCT_AND_SUM(NAME, EXPRESSION, SUM)                                                           \
  template <class T>                                                                                                   \
  TAPELESS_ALWAYS_INLINE constexpr T NAME(const T& x, const T& y, const T& z) {                                        \
    if constexpr (std::is_floating_point_v<T>) {                                                                       \
      if (std::is_constant_evaluated()) return SUM;                                                                    \
    }                                                                                                                  \
    return EXPRESSION;                                                                                                 \
  }

/// x y + z, x y - z and z - x y, with one rounding where the compiler may and the processor can.
TAPELESS_MATH_PRODUCT_AND_SUM(multiply_add, x* y + z, add(multiply(x, y), z))
TAPELESS_MATH_PRODUCT_AND_SUM(multiply_subtract, x* y - z, subtract(multiply(x, y), z))
TAPELESS_MATH_PRODUCT_AND_SUM(subtract_product, z - x * y, subtract(z, multiply(x, y)))

#undef TAPELESS_MATH_PRODUCT_AND_SUM

/// Two results of one computation.
template <class T>
struct number_pair {
  T first, second;
};

/// Sine and cosine: from one call where the C library has one (glibc), whose results are those of sin and cos.
template <class T>
TAPELESS_ALWAYS_INLINE constexpr number_pair<T> sincos(const T& x) {
#if defined(__GLIBC__) && defined(_GNU_SOURCE)
  if constexpr (std::is_floating_point_v<T>)
    if (!std::is_constant_evaluated()) {
      number_pair<T> result;
      if constexpr (std::is_same_v<T, float>)
        ::sincosf(x, &result.first, &result.second);
      else if constexpr (std::is_same_v<T, double>)
        ::sincos(x, &result.first, &result.second);
      else
        ::sincosl(x, &result.first, &result.second);
      return result;
    }
#endif
  return {sin(x), cos(x)};
}

/// erfc(x) and e^(-x x).
template <class T>
TAPELESS_ALWAYS_INLINE constexpr number_pair<T> erfc_gaussian(const T& x) {
  if constexpr (requires { erfc_gaussian_lanes(x); })
    return erfc_gaussian_lanes(x);
  else
    return {erfc(x), exp(T(-multiply(x, x)))};
}

#undef TAPELESS_MATH_UNARY
#undef TAPELESS_MATH_BINARY

}  // namespace tapeless::math::inline TAPELESS_TARGET

#endif
