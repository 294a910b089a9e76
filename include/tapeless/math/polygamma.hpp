#ifndef TAPELESS_MATH_POLYGAMMA_HPP
#define TAPELESS_MATH_POLYGAMMA_HPP

#include <tapeless/core/target.hpp>
#include <tapeless/math/infinity.hpp>
#include <tapeless/math/math.hpp>

#include <limits>
#include <type_traits>

namespace tapeless::math::inline TAPELESS_TARGET {

namespace detail {

constexpr double factorial(int n) {
  double result = 1;
  for (int i = 2; i <= n; ++i) result *= i;
  return result;
}

template <class T>
inline constexpr T pi = static_cast<T>(3.141592653589793238462643383279502884L);

/// psi^(N) of a large argument: Abramowitz and Stegun 6.3.18 and 6.4.11, up to the Bernoulli number B_20.
template <int N, class T>
constexpr T polygamma_asymptotic(T x) {
  constexpr T bernoulli[] = {T(1) / 6,       T(-1) / 30, T(1) / 42,      T(-1) / 30,     T(5) / 66,
                             T(-691) / 2730, T(7) / 6,   T(-3617) / 510, T(43867) / 798, T(-174611) / 330};
  const T inverse = 1 / x, square = inverse * inverse;
  T sum = 0;
  for (int k = 10; k >= 1; --k) {
    // (2k + N - 1)! / (2k)!
    T ratio = N == 0 ? T(1) / static_cast<T>(2 * k) : T(1);
    for (int i = 2 * k + 1; i <= 2 * k + N - 1; ++i) ratio *= static_cast<T>(i);
    sum = sum * square + bernoulli[k - 1] * ratio;
  }
  sum *= square;
  if constexpr (N == 0) {
    return math::log(x) - inverse / 2 - sum;
  } else {
    T power = N % 2 == 0 ? T(-1) : T(1);
    for (int i = 0; i < N; ++i) power *= inverse;
    return power * (T(factorial(N - 1)) + T(factorial(N)) * inverse / 2 + sum);
  }
}

}  // namespace detail

/// The polygamma function psi^(N), the derivative of order N + 1 of lgamma, for float, double and long double: by its
/// recurrence (6.3.5, 6.4.6 of Abramowitz and Stegun) up to 16, then by the asymptotic series; digamma and trigamma of
/// negative numbers by reflection (6.3.7, 6.4.7). A few ulp, near the roots of digamma a few ulp of 1. At the poles 0,
/// -1, -2, ... digamma is NaN (at 0 infinite, with the sign against that of the zero) and trigamma +infinity. Cost: a
/// logarithm and some 20 divisions; for N > 1 a negative argument takes as many steps as it is large.
template <int N, class T>
constexpr T polygamma(T x) {
  static_assert(std::is_floating_point_v<T>,
                "tapeless: the derivatives of lgamma are there for float, double and long double");
  using limits = std::numeric_limits<T>;
  if (x != x) return x;
  if (x == tapeless::detail::infinity_of<T>()) return N == 0 ? x : T(0);
  if (x == -tapeless::detail::infinity_of<T>()) return limits::quiet_NaN();
  const T nearest = math::round(x);
  if (x <= 0 && nearest == x) {
    if (N % 2 != 0) return tapeless::detail::infinity_of<T>();
    if (N == 0 && x == 0) return math::divide(T(-1), x);
    return limits::quiet_NaN();
  }
  if constexpr (N == 0) {
    if (x < 0) return polygamma<0>(1 - x) - detail::pi<T> / math::tan(detail::pi<T> * (x - nearest));
  } else if constexpr (N == 1) {
    if (x < 0) {
      const T quotient = detail::pi<T> / math::sin(detail::pi<T> * (x - nearest));
      return quotient * quotient - polygamma<1>(1 - x);
    }
  }
  T sum = 0;
  for (; x < 16; x += 1) {
    T power = x;
    for (int i = 0; i < N; ++i) power *= x;
    sum = math::add(sum, math::divide(T(1), power));
  }
  const T factor = static_cast<T>((N % 2 == 0 ? 1 : -1) * detail::factorial(N));
  return detail::polygamma_asymptotic<N>(x) - factor * sum;
}

}  // namespace tapeless::math::inline TAPELESS_TARGET

#endif
