#pragma once

#include <tapeless/core/always_inline.hpp>
#include <tapeless/core/target.hpp>

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

/// Logarithms of SIMD lanes of any kind: `L` has arithmetic and comparisons, and found by its namespace `multiply_add`,
/// `select_lanes`, `any`, `number_by_number`, and `map_bits`, a function of the bits of its numbers.
namespace tapeless::math::inline TAPELESS_TARGET {

namespace detail {

/// Even and odd powers apart, so that two chains run at a time, and the constant last, rounded with the sum alone.
template <class L, class T, std::size_t N>
TAPELESS_ALWAYS_INLINE L polynomial(const L& x, const T (&coefficients)[N]) {
  constexpr std::size_t last_even = (N - 1) / 2 * 2, last_odd = N / 2 * 2 - 1;
  const L square = x * x;
  L even = coefficients[last_even], odd = coefficients[last_odd];
  for (std::size_t n = last_even; n >= 4; n -= 2) even = multiply_add(even, square, L(coefficients[n - 2]));
  for (std::size_t n = last_odd; n >= 3; n -= 2) odd = multiply_add(odd, square, L(coefficients[n - 2]));
  return multiply_add(even, square, odd * x) + L(coefficients[0]);
}

/// (log(1 + f) - (s f + ...)) in s^2, s = f / (2 + f), for sqrt(1/2) <= 1 + f < sqrt(2): those of the C library
/// (SunPro).
template <class T>
inline constexpr T log_coefficients[] = {0.6666666666666735130, 0.3999999999940941908, 0.2857142874366239149,
                                         0.2222219843214978396, 0.1818357216161805012, 0.1531383769920937332,
                                         0.1479819860511658591};
template <>
inline constexpr float log_coefficients<float>[] = {0.66666662693f, 0.40000972152f, 0.28498786688f, 0.24279078841f};

/// A number as bits: x = (1 + f) 2^k. Counted from sqrt(1/2), numbers with the same k have the same exponent.
template <class T>
struct number_bits {
  using type = std::conditional_t<std::is_same_v<T, double>, std::uint64_t, std::uint32_t>;
  static constexpr int digits = std::numeric_limits<T>::digits - 1;
  static constexpr type bias = std::numeric_limits<T>::max_exponent - 1, fraction = (type{1} << digits) - 1;
  static constexpr type least = std::bit_cast<type>(static_cast<T>(0.70710678118654752440));
  static constexpr type offset = std::bit_cast<type>(T(1)) - least;
  static constexpr T two_to_digits = static_cast<T>(std::uint64_t{1} << digits);
  static constexpr type integer = std::bit_cast<type>(two_to_digits);
};

/// log(x + low) of an x that is no subnormal number, and a `low` that is no more than its rounding error.
template <class L, class... Low>
TAPELESS_ALWAYS_INLINE L logarithm(const L& x, const Low&... low) {
  using T = typename L::number;
  using of = number_bits<T>;
  const L k = map_bits(x, [](const auto& bits)
                              TAPELESS_INLINE_LAMBDA { return ((bits + of::offset) >> of::digits) | of::integer; }) -
              L(of::two_to_digits + T(of::bias));
  const L f = map_bits(x, [](const auto& bits)
                              TAPELESS_INLINE_LAMBDA { return ((bits + of::offset) & of::fraction) + of::least; }) -
              L(T(1));
  const L s = f / (f + L(T(2))), square = s * s, half = f * f * L(T(0.5));
  const L rest = square * polynomial(square, log_coefficients<T>);
  constexpr T ln2_high = std::is_same_v<T, float> ? T(0.693359375) : T(0.693147180369123816490);
  constexpr T ln2_low = std::is_same_v<T, float> ? T(-2.12194440e-4) : T(1.90821492927058770002e-10);
  // low / x = 2 low 2^-k (1 / 2 - s + s^2 - ...), where s is below 0.18 and low so small that this is enough.
  [[maybe_unused]] const auto quotient = [&](const L& rounding) TAPELESS_INLINE_LAMBDA -> L {
    const L power = map_bits(x, [](const auto& bits) TAPELESS_INLINE_LAMBDA {
      return ((2 * of::bias + 1) - ((bits + of::offset) >> of::digits)) << of::digits;
    });
    return rounding * power * multiply_add(s, s - L(T(1)), L(T(0.5)));
  };
  const L tail = multiply_add(s, half + rest, ((k * L(ln2_low)) + ... + quotient(low)));
  const L y = multiply_add(k, L(ln2_high), f - (half - tail));
  return select_lanes(x <= L(std::numeric_limits<T>::max()), y, x);
}

}  // namespace detail

/// The natural logarithm, within 1 ulp.
template <class L>
TAPELESS_ALWAYS_INLINE L natural_logarithm(const L& x) {
  using T = typename L::number;
  if (any(x < L(std::numeric_limits<T>::min()))) [[unlikely]]
    return number_by_number([](T number) { return std::log(number); }, x);
  return detail::logarithm(x);
}

/// log(1 + x), within 1 ulp: the logarithm of the rounded sum and of what it lost, with one division.
template <class L>
TAPELESS_ALWAYS_INLINE L logarithm_of_one_plus(const L& x) {
  using T = typename L::number;
  const L one = T(1), sum = x + one;
  const auto x_is_larger = x > one;
  const L low = select_lanes(x_is_larger, one, x) - (sum - select_lanes(x_is_larger, x, one));
  const L y = select_lanes(x == L(T(0)), x, detail::logarithm(sum, low));
  const L infinite = -std::numeric_limits<T>::infinity(), none = std::numeric_limits<T>::quiet_NaN();
  return select_lanes(x > L(T(-1)), y, select_lanes(x == L(T(-1)), infinite, none));
}

}  // namespace tapeless::math::inline TAPELESS_TARGET
