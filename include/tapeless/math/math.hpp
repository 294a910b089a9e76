#pragma once

#include <tapeless/core/always_inline.hpp>
#include <tapeless/core/target.hpp>
#include <tapeless/math/constexpr_math.hpp>

#include <cmath>
#include <type_traits>

/// Elementary functions of numbers: the C library at run time, `constexpr_math` inside constant evaluation, and
/// functions found by argument-dependent lookup for every other number type (multiprecision, SIMD lanes).
namespace tapeless::math::inline TAPELESS_TARGET {

// The builtin and not `std::is_constant_evaluated`: g++ keeps code of functions that no call reaches once that is
// inlined.
// SIMD lanes that have no function of that name take the C library's number by number.
#define TAPELESS_MATH_OF_1(NAME)                                                                                       \
  template <class T>                                                                                                   \
  TAPELESS_ALWAYS_INLINE constexpr T NAME(const T& x) {                                                                \
    using std::NAME;                                                                                                   \
    if constexpr (std::is_floating_point_v<T>) {                                                                       \
      if (__builtin_is_constant_evaluated()) return constexpr_math::NAME(x);                                           \
      return NAME(x);                                                                                                  \
    } else if constexpr (requires { NAME(x); }) {                                                                      \
      return NAME(x);                                                                                                  \
    } else {                                                                                                           \
      return number_by_number([](auto number) { return std::NAME(number); }, x);                                       \
    }                                                                                                                  \
  }
#define TAPELESS_MATH_OF_2(NAME)                                                                                       \
  template <class T>                                                                                                   \
  TAPELESS_ALWAYS_INLINE constexpr T NAME(const T& x, const T& y) {                                                    \
    using std::NAME;                                                                                                   \
    if constexpr (std::is_floating_point_v<T>) {                                                                       \
      if (__builtin_is_constant_evaluated()) return constexpr_math::NAME(x, y);                                        \
      return NAME(x, y);                                                                                               \
    } else if constexpr (requires { NAME(x, y); }) {                                                                   \
      return NAME(x, y);                                                                                               \
    } else {                                                                                                           \
      return number_by_number([](auto first, auto second) { return std::NAME(first, second); }, x, y);                 \
    }                                                                                                                  \
  }

#define TAPELESS_C_FUNCTION(NAME, OPERATION, COUNT) TAPELESS_MATH_OF_##COUNT(NAME)
#include <tapeless/core/function_list.hpp>
TAPELESS_MATH_OF_2(pow)

/// condition ? a : b, for SIMD lanes one by one.
template <class Condition, class T>
TAPELESS_ALWAYS_INLINE constexpr T select(const Condition& condition, const T& a, const T& b) {
  if constexpr (std::is_arithmetic_v<Condition>)
    return condition != Condition(0) ? a : b;
  else
    return select_lanes(condition, a, b);
}

/// Whether the compiler knows the number, and that it is not NaN: then one comparison decides.
template <class T>
TAPELESS_ALWAYS_INLINE constexpr bool is_known_number(const T& number) {
  return __builtin_constant_p(number) && number == number;
}

/// The larger of two numbers, NaN if one of them is.
template <class T>
TAPELESS_ALWAYS_INLINE constexpr T larger(const T& a, const T& b) {
  if constexpr (requires { larger_lanes(a, b); }) {
    return larger_lanes(a, b);
  } else {
    if constexpr (std::is_floating_point_v<T>)
      if (is_known_number(b)) return a <= b ? b : a;
    return select(a != a, a, select(a > b, a, b));
  }
}

/// The smaller of two numbers, NaN if one of them is.
template <class T>
TAPELESS_ALWAYS_INLINE constexpr T smaller(const T& a, const T& b) {
  if constexpr (requires { smaller_lanes(a, b); }) {
    return smaller_lanes(a, b);
  } else {
    if constexpr (std::is_floating_point_v<T>)
      if (is_known_number(b)) return a >= b ? b : a;
    return select(a != a, a, select(a < b, a, b));
  }
}

// Compilers reject 1.0 / 0.0, inf - inf and overflow inside constant expressions; constexpr_math gives what IEEE gives.
#define TAPELESS_MATH_OPERATOR(NAME, SYMBOL)                                                                           \
  template <class T>                                                                                                   \
  TAPELESS_ALWAYS_INLINE constexpr T NAME(const T& x, const T& y) {                                                    \
    if constexpr (std::is_floating_point_v<T>) {                                                                       \
      if (__builtin_is_constant_evaluated()) return constexpr_math::NAME(x, y);                                        \
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
      if (__builtin_is_constant_evaluated()) return SUM;                                                               \
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
    if (!__builtin_is_constant_evaluated()) {
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

#undef TAPELESS_MATH_OF_1
#undef TAPELESS_MATH_OF_2

}  // namespace tapeless::math::inline TAPELESS_TARGET
