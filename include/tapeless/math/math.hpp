#ifndef TAPELESS_MATH_MATH_HPP
#define TAPELESS_MATH_MATH_HPP

#include <tapeless/math/constexpr_math.hpp>

#include <cmath>
#include <type_traits>

/// Elementary functions of numbers: the C library at run time, `constexpr_math` inside constant evaluation, and
/// functions found by argument-dependent lookup for every other number type (multiprecision, SIMD lanes).
namespace tapeless::math {

#define TAPELESS_MATH_UNARY(NAME)                                                                                      \
  template <class T>                                                                                                   \
  constexpr T NAME(const T& x) {                                                                                       \
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
  constexpr T NAME(const T& x, const T& y) {                                                                           \
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
TAPELESS_MATH_BINARY(pow)
TAPELESS_MATH_BINARY(atan2)
TAPELESS_MATH_BINARY(hypot)

/// condition ? a : b, for SIMD lanes one by one.
template <class Condition, class T>
constexpr T select(const Condition& condition, const T& a, const T& b) {
  if constexpr (std::is_arithmetic_v<Condition>)
    return condition != Condition(0) ? a : b;
  else
    return select_lanes(condition, a, b);
}

/// The larger of two numbers, NaN if one of them is.
template <class T>
constexpr T larger(const T& a, const T& b) {
  if constexpr (requires { larger_lanes(a, b); })
    return larger_lanes(a, b);
  else
    return select(a > b || a != a, a, b);
}

/// The smaller of two numbers, NaN if one of them is.
template <class T>
constexpr T smaller(const T& a, const T& b) {
  if constexpr (requires { smaller_lanes(a, b); })
    return smaller_lanes(a, b);
  else
    return select(a < b || a != a, a, b);
}

/// Sine and cosine of one number.
template <class T>
struct sine_cosine {
  T first, second;
};

/// Both from one call where the C library has one (glibc), whose results are those of sin and cos.
template <class T>
constexpr sine_cosine<T> sincos(const T& x) {
#if defined(__GLIBC__) && defined(_GNU_SOURCE)
  if constexpr (std::is_floating_point_v<T>)
    if (!std::is_constant_evaluated()) {
      sine_cosine<T> result;
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

#undef TAPELESS_MATH_UNARY
#undef TAPELESS_MATH_BINARY

// Compilers reject 1.0 / 0.0, inf - inf and overflow inside constant expressions; constexpr_math gives what IEEE gives.
#define TAPELESS_MATH_OPERATOR(NAME, SYMBOL)                                                                           \
  template <class T>                                                                                                   \
  constexpr T NAME(const T& x, const T& y) {                                                                           \
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

}  // namespace tapeless::math

#endif
