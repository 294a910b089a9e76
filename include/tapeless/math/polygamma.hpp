#pragma once

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
    return math::log(x) - (inverse / 2 + sum);
  } else {
    T power = N % 2 == 0 ? T(-1) : T(1);
    for (int i = 0; i < N; ++i) power *= inverse;
    return power * (T(factorial(N - 1)) + (T(factorial(N)) * inverse / 2 + sum));
  }
}

/// psi(3/2 + t/2) / (3/2 + t/2 - root) for |t| <= 1: a Chebyshev series as a polynomial, with a relative error of
/// 2e-21.
inline constexpr long double digamma_fit[] = {
    0.951055876031832879711L,      -0.211813710640730248168L,     0.0601356210601967286341L,
    -0.0185506153817396585632L,    0.00593679527830715705662L,    -0.00193506666474128079192L,
    0.000636888030286620690152L,   -0.000210748412809204771015L,  0.0000699501892060696648412L,
    -0.0000232582331100010941729L, 0.00000774122913984925916428L, -0.00000257813171337413728411L,
    8.58925136702574565724e-7L,    -2.8621931929228047401e-7L,    9.5388666582267942535e-8L,
    -3.17903512182030610256e-8L,   1.05957857269712581383e-8L,    -3.53604334550654288671e-9L,
    1.17904341211384126028e-9L,    -3.87531632657423629997e-10L,  1.28814103633826273818e-10L,
    -4.77368327423787537917e-11L,  1.61284738643842273257e-11L,   -2.64468765554869911859e-12L,
    8.06346239647161821718e-13L,   -1.17926879144225753274e-12L,  4.04660973263528034606e-13L};

/// psi(1 + x) for x >= 0.
template <class T>
constexpr T digamma_of_one_plus(T x) {
  if (x >= 9) return polygamma_asymptotic<0>(1 + x);
  // psi(1 + x) = psi(x) + 1 / x, the smallest terms first. All arguments are exact.
  T sum = 0;
  for (; x >= 1; x -= 1) sum += 1 / x;
  // The root minus 1, in parts of 30 bits: the difference keeps its digits next to it.
  constexpr T first = T(495673741) / 1073741824, second = T(381566830) / 1073741824 / 1073741824;
  constexpr T third = static_cast<T>(9.01631209325869591861e-20L);
  const T from_root = ((x - first) - second) - third;
  // Even and odd powers apart, so that two chains run at a time.
  const T t = 2 * x - 1, square = t * t;
  T even = static_cast<T>(digamma_fit[26]), odd = static_cast<T>(digamma_fit[25]);
  for (int i = 24; i > 0; i -= 2) {
    even = even * square + static_cast<T>(digamma_fit[i]);
    odd = odd * square + static_cast<T>(digamma_fit[i - 1]);
  }
  return sum + from_root * (static_cast<T>(digamma_fit[0]) + (odd * t + even * square));
}

/// The derivative of order N of cot(y) as a polynomial in c = cot(y), whose derivative is -(1 + c^2).
template <int N>
struct cotangent_derivative {
  double of_power[N + 2]{};
  constexpr cotangent_derivative() {
    of_power[1] = 1;
    for (int n = 0; n < N; ++n) {
      double next[N + 2]{};
      for (int k = 1; k <= n + 1; ++k) {
        next[k - 1] -= k * of_power[k];
        next[k + 1] -= k * of_power[k];
      }
      for (int k = 0; k < N + 2; ++k) of_power[k] = next[k];
    }
  }
};

/// pi cot(pi t) for |t| <= 1/2
template <class T>
constexpr T pi_cotangent(T t) {
  const T size = math::abs(t);
  const T value = size > T(0.25) ? pi<T> * math::tan(pi<T> * (T(0.5) - size)) : divide(pi<T>, math::tan(pi<T> * size));
  return t < 0 ? -value : value;
}

/// For double and long double, x not 0, -1, -2, ...
template <int N, class T>
constexpr T polygamma(T x) {
  using limits = std::numeric_limits<T>;
  // The largest number stands for infinity, which -ffast-math knows no comparison with.
  if (x > limits::max()) return N == 0 ? x : T(0);
  [[maybe_unused]] const T from_pole = x - math::round(x);
  if constexpr (N == 0) {
    if (x < 0) return subtract(digamma_of_one_plus(-x), pi_cotangent(from_pole));
    return x < 1 ? subtract(digamma_of_one_plus(x), divide(T(1), x))
                 : (x < 10 ? digamma_of_one_plus(x - 1) : polygamma_asymptotic<0>(x));
  } else {
    if (x < 0) {
      const T rest = N % 2 == 0 ? polygamma<N>(1 - x) : -polygamma<N>(1 - x);
      if constexpr (N == 1) {
        const T quotient = divide(pi<T>, math::sin(pi<T> * from_pole));
        return add(multiply(quotient, quotient), rest);
      } else {
        constexpr cotangent_derivative<N> polynomial;
        const T c = divide(pi_cotangent(from_pole), pi<T>);
        T value = 0;
        for (int k = N + 1; k >= 0; --k) value = add(multiply(value, c), T(polynomial.of_power[k]));
        for (int i = 0; i <= N; ++i) value = multiply(value, pi<T>);
        return subtract(rest, value);
      }
    }
    // The smallest terms first.
    int steps = 0;
    while (x + static_cast<T>(steps) < 16) ++steps;
    T sum = polygamma_asymptotic<N>(x + static_cast<T>(steps));
    const T factor = static_cast<T>((N % 2 == 0 ? -1 : 1) * factorial(N));
    while (--steps >= 0) {
      const T term = x + static_cast<T>(steps);
      T power = term;
      for (int i = 0; i < N; ++i) power = multiply(power, term);
      sum = add(sum, divide(factor, power));
    }
    return sum;
  }
}

}  // namespace detail

/// The polygamma function psi^(N), the derivative of order N + 1 of lgamma, for float, double and long double: by its
/// recurrence (6.3.5, 6.4.6 of Abramowitz and Stegun) and the asymptotic series, digamma between 1 and 2 by a
/// polynomial; of negative numbers by reflection (6.3.7, 6.4.7). digamma is within 4 ulp of positive numbers, next to
/// its root too, and of negative ones within 4 ulp of the larger of its two terms, so that relative errors grow next to
/// its roots there; trigamma is within 6 ulp. At the poles 0, -1, -2, ... digamma is NaN (at 0 infinite, with the sign
/// against that of the zero) and trigamma +infinity. Cost: some 40 multiplications and at most 9 divisions or a
/// logarithm, for N > 0 some 20 divisions. A long double of 113 digits gets 64.
template <int N, class T>
constexpr T polygamma(T x) {
  static_assert(std::is_floating_point_v<T>,
                "tapeless: lgamma has derivatives for float, double and long double only [TL015]");
  using limits = std::numeric_limits<T>;
  if (x != x) return x;
  if (x < limits::lowest()) return limits::quiet_NaN();
  if (x <= 0 && math::round(x) == x) {
    if (N % 2 != 0) return tapeless::detail::infinity_of<T>();
    if (N == 0 && x == 0) return math::divide(T(-1), x);
    return limits::quiet_NaN();
  }
  if constexpr (std::is_same_v<T, float>)
    return constexpr_math::detail::round_to<float>(
        constexpr_math::detail::double_word<double>(detail::polygamma<N>(static_cast<double>(x))));
  else
    return detail::polygamma<N>(x);
}

}  // namespace tapeless::math::inline TAPELESS_TARGET
