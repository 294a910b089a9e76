#pragma once

#include <tapeless/core/always_inline.hpp>
#include <tapeless/core/target.hpp>

#include <type_traits>

/// The exponential function of SIMD lanes of any kind: `L` has arithmetic, and found by its namespace `multiply_add`,
/// `nearest_integer`, `clamp_lanes` and `scale`, x 2^k.
namespace tapeless::math::inline TAPELESS_TARGET {

namespace detail {

/// 1 / 2!, 1 / 3!, ...
template <class T, int Degree>
struct inverse_factorials {
  T at[Degree + 1]{};
  constexpr inverse_factorials() {
    double factorial = 1;
    for (int n = 2; n <= Degree; ++n) at[n] = static_cast<T>(1 / (factorial *= n));
  }
};
template <class T>
inline constexpr inverse_factorials<T, std::is_same_v<T, float> ? 7 : 13> exponential_coefficients;

}  // namespace detail

/// (1 + excess) 2^exponent
template <class L>
struct scaled_lanes {
  L excess, exponent;
};

/// e^(x + low). x = k ln 2 + r, and the Taylor polynomial in r.
template <class L, class... Low>
TAPELESS_ALWAYS_INLINE scaled_lanes<L> scaled_exponential(const L& x, const Low&... low) {
  using T = typename L::number;
  constexpr bool single = std::is_same_v<T, float>;
  const L k = nearest_integer(x * L(T(1.44269504088896340736)));
  // ln 2 in two parts, of which the first has zeros at its end.
  constexpr T ln2_high = single ? T(0.693359375) : T(0.693147180369123816490);
  constexpr T ln2_low = single ? T(-2.12194440e-4) : T(1.90821492927058770002e-10);
  const L r = (multiply_add(k, L(-ln2_low), multiply_add(k, L(-ln2_high), x)) + ... + low);
  constexpr auto& coefficients = detail::exponential_coefficients<T>;
  constexpr int degree = single ? 7 : 13;
  // In r^2, even and odd powers apart, so that two chains run at a time.
  const L square = r * r;
  L odd = L(coefficients.at[degree]), even = L(coefficients.at[degree - 1]);
  for (int n = degree - 2; n > 1; n -= 2) {
    odd = multiply_add(odd, square, L(coefficients.at[n]));
    even = multiply_add(even, square, L(coefficients.at[n - 1]));
  }
  return {multiply_add(multiply_add(odd, r, even), square, r), k};
}

/// e^x, within 1.1 ulp (float: 1.5), and what the C library's is up to the ends of the range.
template <class L>
TAPELESS_ALWAYS_INLINE L exponential(const L& x) {
  using T = typename L::number;
  constexpr bool single = std::is_same_v<T, float>;
  constexpr T high = single ? T(89) : T(710), low = single ? T(-104) : T(-746);
  const auto power = scaled_exponential(clamp_lanes(x, L(low), L(high)));
  return scale(power.excess + L(T(1)), power.exponent);
}

}  // namespace tapeless::math::inline TAPELESS_TARGET
