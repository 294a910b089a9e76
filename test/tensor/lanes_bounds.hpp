#ifndef TAPELESS_TEST_TENSOR_LANES_BOUNDS_HPP
#define TAPELESS_TEST_TENSOR_LANES_BOUNDS_HPP

#include <tapeless/evaluate/lanes/simd.hpp>
#include <tapeless/operation/scalar/trigonometric.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

namespace tapeless_test {

/// The distance in units of the last place that `T` has for the exact result.
template <class T>
double ulps(T computed, long double exact) {
  using limits = std::numeric_limits<T>;
  int exponent = 0;
  std::frexp(std::max(std::fabs(exact), static_cast<long double>(limits::min())), &exponent);
  return static_cast<double>(std::fabs(static_cast<long double>(computed) - exact) /
                             std::ldexp(1.0L, exponent - limits::digits));
}

/// An operation that says itself what lanes compute.
template <class Op, class T>
T in_lanes(const T& x) {
  if constexpr (std::is_floating_point_v<T>)
    return Op::value(x);
  else
    return Op::lanes(x);
}

}  // namespace tapeless_test

/// CASE(NAME, LANES, SCALAR, FROM, TO, DOUBLE_BOUND, FLOAT_BOUND) for each function of one number that the C library
/// has: what is computed of lanes `x`, the scalar function, and the bounds in ulp that are stated between two
/// arguments.
#define TAPELESS_TEST_FUNCTION(CASE, NAME, ...) CASE(NAME, tapeless::math::NAME(x), std::NAME(x), __VA_ARGS__)
#define TAPELESS_TEST_OPERATION(CASE, NAME, OPERATION, ...)                                                            \
  CASE(NAME, tapeless_test::in_lanes<tapeless::operation::OPERATION>(x), std::NAME(x), __VA_ARGS__)
#define TAPELESS_TEST_FUNCTIONS(CASE)                                                                                  \
  TAPELESS_TEST_FUNCTION(CASE, exp, -80, 80, 1.1, 1.5)                                                                 \
  TAPELESS_TEST_FUNCTION(CASE, exp2, -80, 80, 2, 1.5)                                                                  \
  TAPELESS_TEST_FUNCTION(CASE, expm1, -80, 80, 2.5, 2.5)                                                               \
  TAPELESS_TEST_FUNCTION(CASE, log, 1e-30, 1e30, 1, 1)                                                                 \
  TAPELESS_TEST_FUNCTION(CASE, log2, 1e-30, 1e30, 2, 3)                                                                \
  TAPELESS_TEST_FUNCTION(CASE, log10, 1e-30, 1e30, 2, 4)                                                               \
  TAPELESS_TEST_FUNCTION(CASE, log1p, -0.999, 1e30, 1, 1)                                                              \
  TAPELESS_TEST_FUNCTION(CASE, sqrt, 0, 1e30, 0.5, 0.5)                                                                \
  TAPELESS_TEST_FUNCTION(CASE, cbrt, -1e30, 1e30, 3, 3)                                                                \
  TAPELESS_TEST_FUNCTION(CASE, sin, -9999, 9999, 2.5, 2.5)                                                             \
  TAPELESS_TEST_FUNCTION(CASE, cos, -9999, 9999, 2.5, 2.5)                                                             \
  TAPELESS_TEST_FUNCTION(CASE, tan, -9999, 9999, 3, 4)                                                                 \
  TAPELESS_TEST_OPERATION(CASE, asin, Asin, -1, 1, 1.5, 2.5)                                                           \
  TAPELESS_TEST_OPERATION(CASE, acos, Acos, -1, 1, 1.5, 2)                                                             \
  TAPELESS_TEST_OPERATION(CASE, atan, Atan, -1e30, 1e30, 2.5, 2.5)                                                     \
  TAPELESS_TEST_FUNCTION(CASE, sinh, -80, 80, 2, 3)                                                                    \
  TAPELESS_TEST_FUNCTION(CASE, cosh, -80, 80, 2, 3)                                                                    \
  TAPELESS_TEST_FUNCTION(CASE, tanh, -1e30, 1e30, 2, 2.5)                                                              \
  TAPELESS_TEST_OPERATION(CASE, asinh, Asinh, -1e30, 1e30, 2, 4)                                                       \
  TAPELESS_TEST_FUNCTION(CASE, acosh, 1, 1e30, 2.5, 2.5)                                                               \
  TAPELESS_TEST_OPERATION(CASE, atanh, Atanh, -0.9999, 0.9999, 2, 2)                                                   \
  TAPELESS_TEST_FUNCTION(CASE, erf, -1e30, 1e30, 2.5, 2.5)                                                             \
  TAPELESS_TEST_FUNCTION(CASE, erfc, -1e30, 9, 4, 4.5)                                                                 \
  TAPELESS_TEST_FUNCTION(CASE, lgamma, 1e-30, 100, 3, 4)                                                               \
  TAPELESS_TEST_FUNCTION(CASE, tgamma, 0.01, 30, 5, 5)

#endif
