// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tapeless/core/target.hpp>
#include <tapeless/math/infinity.hpp>

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

/// Elementary functions for constant evaluation. They give what IEEE 754 and Annex F of the C standard give: for
/// NaN, infinities, signed zeros, overflow and gradual underflow too, and no argument makes a constant evaluation
/// fail. At run time the C library is the faster choice.
///
/// Method: argument reduction and short series in double-word arithmetic, an unevaluated sum of two numbers with
/// twice the digits (Dekker 1971; Joldes, Muller, Popescu, "Tight and rigorous error bounds for basic building
/// blocks of double-word arithmetic", ACM TOMS 44, 2017). `float` is computed with words of `double`.
///
/// Accuracy, measured: below 0.51 ulp where the result is normal and below 0.8 where it is subnormal, in float, double
/// and long double of 64 and 113 digits; for lgamma and tgamma see there.
/// Cost: 100 to 650 of the 2^20 steps that clang gives to one evaluation, for lgamma up to 1100.
namespace tapeless::constexpr_math::inline TAPELESS_TARGET {

template <class T>
concept floating = std::is_floating_point_v<T>;

template <floating T>
inline constexpr T infinity = detail::infinity_of<T>();

template <floating T>
inline constexpr T not_a_number = std::numeric_limits<T>::quiet_NaN();

template <floating T>
constexpr bool isnan(T x) {
  return x != x;
}

template <floating T>
constexpr bool isinf(T x) {
  return x == infinity<T> || x == -infinity<T>;
}

/// The magnitude of `magnitude` with the sign of `sign`; the builtins are constant expressions in g++ and clang.
template <floating T>
constexpr T copysign(T magnitude, T sign) {
  if constexpr (std::is_same_v<T, float>)
    return __builtin_copysignf(magnitude, sign);
  else if constexpr (std::is_same_v<T, double>)
    return __builtin_copysign(magnitude, sign);
  else
    return __builtin_copysignl(magnitude, sign);
}

template <floating T>
constexpr bool signbit(T x) {
  return copysign(T(1), x) < 0;
}

template <floating T>
constexpr T abs(T x) {
  return copysign(x, T(1));
}

/// Towards zero. Adding and subtracting 2^(digits-1) rounds to the nearest integer; correct it if that went up.
template <floating T>
constexpr T trunc(T x) {
  constexpr T integral = 1 / std::numeric_limits<T>::epsilon();
  const T magnitude = abs(x);
  if (!(magnitude < integral)) return x;  // an integer already, infinite or NaN
  const T nearest = (magnitude + integral) - integral;
  return copysign(nearest > magnitude ? nearest - 1 : nearest, x);
}

/// To the next integer not above.
template <floating T>
constexpr T floor(T x) {
  const T whole = trunc(x);
  return whole > x ? whole - 1 : whole;
}

/// To the next integer not below.
template <floating T>
constexpr T ceil(T x) {
  return -floor(-x);
}

/// To the nearest integer, halves away from zero.
template <floating T>
constexpr T round(T x) {
  const T whole = trunc(x);
  if (whole == x || isnan(x)) return x;
  return abs(x - whole) >= T(0.5) ? whole + copysign(T(1), x) : whole;
}

namespace detail {

/// `at[k]` is 2^(2^k), as far as the exponent range goes.
template <class T>
struct binary_powers {
  static constexpr int count = std::bit_width(unsigned{std::numeric_limits<T>::max_exponent}) - 1;
  T at[count];

  constexpr binary_powers() : at{2} {
    for (int k = 1; k < count; ++k) at[k] = at[k - 1] * at[k - 1];
  }
};

template <class T>
inline constexpr binary_powers<T> powers{};

/// 2^n for |n| < max_exponent.
template <class T>
constexpr T power_of_two(int n) {
  T result = 1;
  const int m = n < 0 ? -n : n;
  for (int k = 0; (m >> k) != 0; ++k)
    if ((m >> k) & 1) result = n < 0 ? result / powers<T>.at[k] : result * powers<T>.at[k];
  return result;
}

// Variable templates, because clang would evaluate a constexpr local variable again at each call.
template <class T>
inline constexpr T half_range = power_of_two<T>(std::numeric_limits<T>::max_exponent / 2);

template <class T>
inline constexpr int digits = std::numeric_limits<T>::digits;

}  // namespace detail

/// a + b. In a constant expression compilers reject overflow (g++), a NaN result (both) and a NaN operand (clang).
/// Halves add without overflow and, near the overflow threshold, round as the sum does.
template <floating T>
constexpr T add(T a, T b) {
  constexpr T half = std::numeric_limits<T>::max() / 2;
  if (-half < a && a < half && -half < b && b < half) return a + b;
  if (isnan(a) || isnan(b) || (isinf(a) && b == -a)) return not_a_number<T>;
  if (isinf(a)) return a;
  if (isinf(b)) return b;
  const T middle = a / 2 + b / 2;
  return abs(middle) > half ? copysign(infinity<T>, middle) : a + b;
}

/// a - b, likewise.
template <floating T>
constexpr T subtract(T a, T b) {
  return add(a, -b);
}

/// a * b, likewise. Overflow shows in the product of the scaled factors, which rounds as the product itself does.
template <floating T>
constexpr T multiply(T a, T b) {
  constexpr T h = detail::half_range<T>;
  if (-h < a && a < h && -h < b && b < h) return a * b;
  if (isnan(a) || isnan(b) || (isinf(a) && b == 0) || (a == 0 && isinf(b))) return not_a_number<T>;
  const T p = abs(a), q = abs(b);
  if (isinf(a) || isinf(b) || (p / h) * (q / h) >= 1) return signbit(a) == signbit(b) ? infinity<T> : -infinity<T>;
  return a * b;
}

/// a / b, likewise, and the compilers reject b = 0 too. A quotient below 2^max_exponent does not round up to it.
template <floating T>
constexpr T divide(T a, T b) {
  constexpr T h = detail::half_range<T>;
  if (-h < a && a < h && (b > 1 / h || b < -1 / h)) return a / b;
  if (isnan(a) || isnan(b) || (isinf(a) && isinf(b)) || (a == 0 && b == 0)) return not_a_number<T>;
  const T p = abs(a), q = abs(b);
  if (isinf(a) || b == 0 || (q < 1 && p / h >= q * h)) return signbit(a) == signbit(b) ? infinity<T> : -infinity<T>;
  return a / b;
}

namespace detail {

template <class W>
struct double_word;

/// a + b exactly (Knuth).
template <class W>
constexpr double_word<W> two_sum(W a, W b) {
  const W s = a + b, t = s - a;
  return {s, (a - (s - t)) + (b - t)};
}

/// a + b exactly if |a| >= |b| or a is zero (Dekker).
template <class W>
constexpr double_word<W> fast_two_sum(W a, W b) {
  const W s = a + b;
  return {s, b - (s - a)};
}

template <class W>
inline constexpr W splitter = power_of_two<W>((digits<W> + 1) / 2) + 1;

/// a * b exactly, barring underflow (Dekker, with Veltkamp's splitting); |a| and |b| far from overflow.
template <class W>
constexpr double_word<W> two_product(W a, W b) {
  const W p = a * b, s = splitter<W> * a, t = splitter<W> * b;
  const W a1 = s - (s - a), a2 = a - a1, b1 = t - (t - b), b2 = b - b1;
  return {p, a2 * b2 - (((p - a1 * b1) - a2 * b1) - a1 * b2)};
}

/// The unevaluated sum high + low, |low| <= ulp(high) / 2. Operations have relative errors of a few 2^(-2 digits).
template <class W>
struct double_word {
  W high, low;

  constexpr double_word(W high_word = 0, W low_word = 0) : high(high_word), low(low_word) {}

  friend constexpr double_word operator-(double_word a) { return {-a.high, -a.low}; }

  friend constexpr double_word operator+(double_word a, double_word b) {
    const double_word s = two_sum(a.high, b.high), t = two_sum(a.low, b.low);
    const double_word v = fast_two_sum(s.high, s.low + t.high);
    return fast_two_sum(v.high, t.low + v.low);
  }

  friend constexpr double_word operator-(double_word a, double_word b) { return a + -b; }

  friend constexpr double_word operator*(double_word a, double_word b) {
    const double_word p = two_product(a.high, b.high);
    return fast_two_sum(p.high, p.low + (a.high * b.low + a.low * b.high));
  }

  friend constexpr double_word operator/(double_word a, double_word b) {
    const W q = a.high / b.high;
    return fast_two_sum(q, (a - b * q).high / b.high);
  }

  /// Times a power of two: exact.
  constexpr double_word scaled_by(W power) const { return {high * power, low * power}; }
};

/// The words that a function of T works with.
template <class T>
using word = std::conditional_t<std::is_same_v<T, float>, double, T>;

/// value * 2^exponent.
template <class W>
struct scaled {
  double_word<W> value;
  int exponent;
};

/// a > 0 as a value in [1, 2) and an exponent, subnormal numbers included.
template <class W>
constexpr scaled<W> normalise(double_word<W> a) {
  int exponent = 0;
  if (a.high < std::numeric_limits<W>::min()) {
    a = a.scaled_by(1 / std::numeric_limits<W>::epsilon());
    exponent = 1 - digits<W>;
  }
  for (int k = powers<W>.count - 1; k >= 0; --k) {
    const W p = powers<W>.at[k];
    if (a.high >= p) {
      a = a.scaled_by(1 / p);
      exponent += 1 << k;
    } else if (a.high * p < 2) {
      a = a.scaled_by(p);
      exponent -= 1 << k;
    }
  }
  return {a, exponent};
}

/// x * 2^n with at most one rounding for |x| >= 1/4, infinite or zero where that is out of range.
template <class W>
constexpr W scale(W x, int n) {
  constexpr int limit = 2 * (std::numeric_limits<W>::max_exponent - 1);
  if (n > limit) n = limit;
  if (n < -limit) n = -limit;
  return multiply(multiply(x, power_of_two<W>(n / 2)), power_of_two<W>(n - n / 2));
}

/// The number of type T nearest to x * 2^exponent.
template <class T, class W>
constexpr T round_to(double_word<W> x, int exponent = 0) {
  const W r = exponent == 0 ? x.high : scale(x.high, exponent);
  if constexpr (std::is_same_v<T, W>) {
    return r;
  } else {
    constexpr W overflow = W(std::numeric_limits<T>::max()) * (1 + W(std::numeric_limits<T>::epsilon()) / 4);
    return static_cast<T>(abs(r) >= overflow ? copysign(infinity<W>, r) : r);
  }
}

/// Below this x + O(x^3) rounds to x.
template <class T>
inline constexpr T small_bound = power_of_two<T>(-(digits<T> / 2 + 5));

/// Below this x + O(x^2) rounds to x.
template <class T>
inline constexpr T tiny_bound = power_of_two<T>(-(digits<T> + 8));

/// The sum of 32-bit digits after the point, most significant first.
template <class W>
constexpr double_word<W> fraction(const std::uint32_t* digit, int count, W start = 0) {
  double_word<W> sum = start;
  W unit = 1;
  for (int i = 0; i < count; ++i) {
    unit /= 4294967296;
    const double_word<W> s = two_sum(sum.high, static_cast<W>(digit[i]) * unit);
    sum = fast_two_sum(s.high, s.low + sum.low);
  }
  return sum;
}

// Leading binary digits of constants, from any multiple-precision program.
inline constexpr std::uint32_t ln_two_digits[] = {0xb17217f7, 0xd1cf79ab, 0xc9e3b398,
                                                  0x03f2f6af, 0x40f34326, 0x7298b62d};
inline constexpr std::uint32_t one_minus_euler_digits[] = {0x6c3b981c, 0x824f385b, 0x2e41c07e,
                                                           0xfead34a9, 0x5e3133c5, 0x09a33fe6};
inline constexpr std::uint32_t two_over_pi_digits[] = {
    0,          0,          0,          0,          0,  // the integer part, for reduce_angle
    0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561,
    0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484,
    0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f,
    0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b,
    0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab, 0xf0cfbc20, 0x9af4361d};

template <class W>
inline constexpr double_word<W> ln_two = fraction<W>(ln_two_digits, 6);

template <class W>
inline constexpr double_word<W> half_pi = 1 / fraction<W>(two_over_pi_digits + 5, 8);

template <class W>
inline constexpr double_word<W> pi = half_pi<W>.scaled_by(2);

/// Series coefficients, indexed by n.
template <class W>
struct coefficients {
  static constexpr int size = 72;
  double_word<W> reciprocal[size];            ///< 1 / n
  double_word<W> reciprocal_factorial[size];  ///< 1 / n!
  double_word<W> error[size];                 ///< 1 / (n! (2n + 1))

  constexpr coefficients() {
    reciprocal_factorial[0] = error[0] = 1;
    for (int n = 1; n < size; ++n) {
      reciprocal[n] = double_word<W>(1) / n;
      reciprocal_factorial[n] = reciprocal_factorial[n - 1] / n;
      error[n] = reciprocal_factorial[n] / (2 * n + 1);
    }
  }
};

template <class W>
inline constexpr coefficients<W> series{};

/// Sum of c[i * stride] x^i for 0 <= i <= degree. Only the first `head` terms need the second word: the others are
/// too small for their rounding errors to matter.
template <class W>
constexpr double_word<W> polynomial(const double_word<W>* c, int stride, int degree, int head, double_word<W> x) {
  W tail = 0;
  for (int i = degree; i >= head; --i) tail = tail * x.high + c[i * stride].high;
  double_word<W> sum = tail;
  for (int i = head - 1; i >= 0; --i) {
    const double_word<W> p = two_product(sum.high, x.high), s = two_sum(c[i * stride].high, p.high);
    sum = fast_two_sum(s.high, s.low + (p.low + (sum.high * x.low + sum.low * x.high) + c[i * stride].low));
  }
  return sum;
}

/// sqrt(a) for a > 0: Newton's iteration in one word, one correction in two.
template <class W>
constexpr scaled<W> scaled_square_root(double_word<W> a) {
  auto [m, exponent] = normalise(a);
  if (exponent % 2 != 0) {
    m = m.scaled_by(2);
    --exponent;
  }
  W y = (m.high + 1) / 2;
  for (int i = 0; i < 5; ++i) y = (y + m.high / y) / 2;
  return {fast_two_sum(y, (m - two_product(y, y)).high / (2 * y)), exponent / 2};
}

/// sqrt(a) for a >= 0.
template <class W>
constexpr double_word<W> square_root(double_word<W> a) {
  if (a.high == 0) return a;
  const auto [value, exponent] = scaled_square_root(a);
  return value.scaled_by(power_of_two<W>(exponent));
}

/// exp(r) for |r| <= ln(2) / 2: Taylor.
template <class W>
constexpr double_word<W> exp_series(double_word<W> r) {
  return polynomial(series<W>.reciprocal_factorial, 1, digits<W> / 3, 4, r);
}

/// exp(x) for |x| < 2^16: x = k ln(2) + r.
template <class W>
constexpr scaled<W> exponential(double_word<W> x) {
  const W k = round(x.high / ln_two<W>.high);
  return {exp_series(x - ln_two<W> * k), static_cast<int>(k)};
}

/// exp(x) - 1 for |x| <= digits.
template <class W>
constexpr double_word<W> exponential_minus_one(double_word<W> x) {
  if (2 * abs(x.high) < ln_two<W>.high)
    return x * polynomial(series<W>.reciprocal_factorial + 1, 1, digits<W> / 3, 4, x);
  const auto [value, exponent] = exponential(x);
  return value.scaled_by(power_of_two<W>(exponent)) - 1;
}

/// Beyond this exp, sinh and cosh overflow or are zero in any type.
inline constexpr int exp_range = 1 << 15;

/// exp(a) / 2 for a > 0.
template <class T, class W>
constexpr T half_exponential(W a) {
  if (a > exp_range) return infinity<T>;
  const auto [value, exponent] = exponential<W>(a);
  return round_to<T>(value, exponent - 1);
}

/// a = m 2^e with m near 1; value is ln(m) = 2 artanh((m - 1) / (m + 1)), exponent e.
template <class W>
constexpr scaled<W> scaled_logarithm(double_word<W> a) {
  auto [m, exponent] = normalise(a);
  if (m.high > W(1.4142)) {
    m = m.scaled_by(W(0.5));
    ++exponent;
  }
  const double_word<W> s = (m - 1) / (m + 1);
  const double_word<W> artanh = s * polynomial(series<W>.reciprocal + 1, 2, digits<W> / 4 + 2, 5, s * s);
  return {artanh.scaled_by(2), exponent};
}

/// ln(a) for a > 0, to 2^-(digits + 16) relative.
template <class W>
constexpr double_word<W> logarithm(double_word<W> a) {
  const auto [value, exponent] = scaled_logarithm(a);
  return ln_two<W> * exponent + value;
}

template <class W>
inline constexpr double_word<W> one_over_ln_ten = 1 / logarithm<W>(10);

/// Beyond this 1 is lost beside x^2.
template <class W>
inline constexpr W large_bound = power_of_two<W>(digits<W>);

/// ln(2a), which is asinh(a) and acosh(a) for large a.
template <class T, class W>
constexpr T logarithm_of_twice(W a) {
  return round_to<T>(logarithm<W>(a) + ln_two<W>);
}

/// What log, log2, log10 have in common where the argument is not positive and finite.
template <class T>
constexpr T logarithm_limit(T x) {
  if (isnan(x) || x > 0) return x;
  return x == 0 ? -infinity<T> : not_a_number<T>;
}

/// sin(r) for |r| <= pi / 4, less accurately to pi / 2: Taylor.
template <class W>
constexpr double_word<W> sine_series(double_word<W> r) {
  return r * polynomial(series<W>.reciprocal_factorial + 1, 2, digits<W> / 5, 4, -(r * r));
}

/// cos(r) likewise.
template <class W>
constexpr double_word<W> cosine_series(double_word<W> r) {
  return polynomial(series<W>.reciprocal_factorial, 2, digits<W> / 5 + 1, 4, -(r * r));
}

/// x = quadrant pi / 2 + angle with |angle| <= pi / 4.
template <class W>
struct reduced_angle {
  double_word<W> angle;
  unsigned quadrant;
};

/// Exact reduction for 0 <= x < 2^1024 (Payne and Hanek 1983): x is an integer M times 2^s; of 2/pi times 2^s only
/// the digits from weight 2 downwards matter modulo 4, and of these five words more than M has, eight for 113 digits.
template <class W>
constexpr reduced_angle<W> reduce_angle(W x) {
  if (x <= W(0.785)) return {x, 0};
  constexpr int limbs = (digits<W> + 31) / 32, words = limbs * 5 / 2 + 2;
  const auto [m, exponent] = normalise<W>(x);
  const int shift = (exponent + 31) % 32;
  const std::uint32_t* const digit = two_over_pi_digits + (exponent + 31) / 32 + 4 - limbs;
  std::uint32_t turns[words] = {};
  W rest = m.high * 2147483648;
  for (int limb = 0; limb < limbs; ++limb) {
    const std::uint64_t factor = static_cast<std::uint64_t>(rest);
    rest = (rest - static_cast<W>(factor)) * 4294967296;
    std::uint64_t carry = 0;
    const int moved = limbs - 1 - limb;
    for (int k = words - 1; k >= moved; --k) {
      const std::uint64_t window = ((std::uint64_t{digit[k]} << 32 | digit[k + 1]) << shift) >> 32;
      carry += factor * window + turns[k - moved];
      turns[k - moved] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
  }
  const unsigned quadrant = static_cast<unsigned>((std::uint64_t{turns[0]} + (1u << 29)) >> 30);
  const W start = static_cast<W>(turns[0]) - static_cast<W>(std::uint64_t{quadrant} << 30);
  const double_word<W> part = fraction<W>(turns + 1, words - 1, start);
  return {(part * half_pi<W>).scaled_by(W(1) / (1 << 30)), quadrant};
}

/// Where the stored digits of 2/pi end.
template <class T>
inline constexpr T reduction_limit = std::numeric_limits<T>::max_exponent > 1024 ? 2 * power_of_two<T>(1023)
                                                                                 : infinity<T>;

/// sin(x + quarter pi / 2) for x >= 0.
template <class W>
constexpr double_word<W> sine(reduced_angle<W> x, unsigned quarter) {
  const unsigned quadrant = x.quadrant + quarter;
  const double_word<W> value = quadrant % 2 == 0 ? sine_series(x.angle) : cosine_series(x.angle);
  return quadrant % 4 < 2 ? value : -value;
}

/// `at[k]` is arctan(k / 8).
template <class W>
struct arctangents {
  double_word<W> at[9];

  constexpr arctangents() {
    for (int k = 1; k < 9; ++k) {
      const double_word<W> t = double_word<W>(8) / (64 + k * (k - 1));
      at[k] = at[k - 1] + series_of(t);
    }
  }

  /// arctan(t) for |t| <= 1 / 8.
  static constexpr double_word<W> series_of(double_word<W> t) {
    return t * polynomial(series<W>.reciprocal + 1, 2, digits<W> / 6 + 3, 4, -(t * t));
  }
};

template <class W>
inline constexpr arctangents<W> arctangent{};

/// The angle of the point (x, y) for x, y >= 0, not both zero, far from overflow and underflow:
/// arctan(t) = arctan(c) + arctan((t - c) / (1 + t c)) with c the nearest multiple of 1/8.
template <class W>
constexpr double_word<W> angle(double_word<W> y, double_word<W> x) {
  const bool steep = y.high > x.high;
  const double_word<W> p = steep ? x : y, q = steep ? y : x;
  const W k = round(8 * (p.high / q.high)), c = k / 8;
  const double_word<W> t = c == 0 ? p / q : (p - q * c) / (q + p * c);
  const double_word<W> value = arctangent<W>.at[static_cast<int>(k)] + arctangent<W>.series_of(t);
  return steep ? half_pi<W> - value : value;
}

/// sqrt(1 - a^2) for 0 <= a <= 1.
template <class W>
constexpr double_word<W> other_leg(W a) {
  return square_root(two_sum(W(1), -a) * two_sum(W(1), a));
}

template <class W>
inline constexpr double_word<W> two_over_sqrt_pi = 2 / square_root(pi<W>);

/// erf(x) for |x| <= 2: Taylor; the larger x, the more terms need both words.
template <class W>
constexpr double_word<W> error_series(W x) {
  const double_word<W> z = two_product(x, x);
  const int head = 4 + static_cast<int>(3 * z.high);
  return x * (two_over_sqrt_pi<W> * polynomial(series<W>.error, 1, digits<W> / 2 + 12, head, -z));
}

/// erfc(x) = x exp(-z) / sqrt(pi) / (z + 1/2 - 1/2 / (z + 5/2 - 3 / (z + 9/2 - ...))), z = x^2, for 2 <= x <= 128:
/// the even part of Laplace's continued fraction (DLMF 7.9.1), partial numerators k (2k - 1) / 2. Its error after n
/// steps falls like exp(-4 x sqrt(n)); rounding errors of the deeper levels are damped.
template <class W>
constexpr scaled<W> complementary_error(W x) {
  constexpr W enough = W(0.03) * (digits<W> + 13) * (digits<W> + 13);
  const double_word<W> z = two_product(x, x);
  int k = digits<W> / 7 + static_cast<int>(enough / z.high);
  W deep = z.high + 2 * k + W(0.5);
  for (; k > 2; --k) deep = z.high + (2 * k - W(1.5)) - k * (k - W(0.5)) / deep;
  double_word<W> level = deep;
  for (; k > 0; --k) level = z + (2 * k - W(1.5)) - k * (k - W(0.5)) / level;
  const auto [value, exponent] = exponential(-z);
  return {value * x * two_over_sqrt_pi<W> / level.scaled_by(2), exponent};
}

/// Coefficients of u^k, k >= 1, in ln(Gamma(2 - u)) = (euler - 1) u + sum over k >= 2 of (zeta(k) - 1) u^k / k
/// (DLMF 5.7.3).
template <class W>
struct log_gamma_coefficients {
  static constexpr int size = 40;
  double_word<W> at[size];

  constexpr log_gamma_coefficients() {
    // (zeta(k) - 1) 2^(k - 2) as a 64-bit fraction, from k = 2.
    constexpr std::uint64_t zeta[] = {
        0xa51a6625307d3230, 0x6774009e00c42706, 0x544c8ab1f6120daf, 0x4ba0c7653e66dbd1, 0x470984c092448f7d,
        0x4465b4299e711b53, 0x42cdabe18e5ba2f9, 0x41cf9ec0b5ab817f, 0x412e33a5bb97e181, 0x40c637c91665511c,
        0x408296cb34c1066e, 0x40564e845def5831, 0x40392bcad3855878, 0x4025ef2fc46fb42a, 0x4019337ac8bc3ce8,
        0x4010c1cda19a034d, 0x400b2654dd132e4a, 0x40076c23e6e92791, 0x4004f165119ba621, 0x40034aeaca04849d,
        0x4002319b3b1df2ea, 0x4001763c4e163169, 0x4000f967ff7847da, 0x4000a63a9558cc8b, 0x40006ecc5b336640,
        0x400049dae421129f, 0x4000313b416b8ae5, 0x400020d1806a1aaf, 0x400015e0aabaf855, 0x40000e959c66e59b,
        0x400009b8fd913d35, 0x4000067b490804b8, 0x400004522b594a43, 0x400002e16f904e07, 0x400001eb9e5ffb2f,
        0x40000147be3fe610, 0x400000da7e7fe59f, 0x40000091a97feac7, 0x400000611b9545bb, 0x40000040bd03833d,
    };
    at[0] = -fraction<W>(one_minus_euler_digits, 6);
    W unit = 1;
    for (int k = 2; k <= size; ++k) {
      const std::uint32_t digit[] = {static_cast<std::uint32_t>(zeta[k - 2] >> 32),
                                     static_cast<std::uint32_t>(zeta[k - 2])};
      at[k - 1] = (fraction<W>(digit, 2) / k).scaled_by(unit);
      unit /= 2;
    }
  }
};

template <class W>
inline constexpr log_gamma_coefficients<W> log_gamma_series{};

/// ln(Gamma(2 + t)) for |t| <= 1/2.
template <class W>
constexpr double_word<W> log_gamma_of_two_plus(W t) {
  constexpr int last = log_gamma_coefficients<W>::size - 1, wanted = digits<W> / 2 + 4;
  return polynomial(log_gamma_series<W>.at, 1, wanted < last ? wanted : last, 4, double_word<W>(-t)) * -t;
}

template <class W>
inline constexpr double_word<W> half_log_two_pi = logarithm(pi<W>.scaled_by(2)).scaled_by(W(0.5));

/// ln(Gamma(a)) for a >= 9: Stirling's series (DLMF 5.11.1) with B_2k / (2k (2k - 1)) up to k = 10.
template <class W>
constexpr double_word<W> stirling(W a) {
  constexpr W numerator[] = {1, -1, 1, -1, 1, -691, 1, -3617, 43867, -174611};
  constexpr W denominator[] = {12, 360, 1260, 1680, 1188, 360360, 156, 122400, 244188, 125400};
  const W r = 1 / a, square = r * r;
  W sum = 0;
  for (int k = 9; k >= 0; --k) sum = sum * square + numerator[k] / denominator[k];
  return two_sum(a, W(-0.5)) * logarithm<W>(a) - a + half_log_two_pi<W> + sum * r;
}

}  // namespace detail

/// Newton's iteration in one word, one correction in two: correctly rounded but for rare near-ties.
template <floating T>
constexpr T sqrt(T x) {
  if (isnan(x) || x == 0 || x == infinity<T>) return x;
  if (x < 0) return not_a_number<T>;
  const auto [value, exponent] = detail::scaled_square_root<detail::word<T>>(x);
  return detail::round_to<T>(value, exponent);
}

/// The real cube root: Newton's iteration in one word, one correction in two.
template <floating T>
constexpr T cbrt(T x) {
  if (isnan(x) || x == 0 || isinf(x)) return x;
  using W = detail::word<T>;
  auto [m, exponent] = detail::normalise<W>(abs(x));
  for (; exponent % 3 != 0; --exponent) m = m.scaled_by(2);
  W y = 1 + (m.high - 1) / 7;
  for (int i = 0; i < 5; ++i) y = (2 * y + m.high / (y * y)) / 3;
  const detail::double_word<W> cube = detail::two_product(y, y) * y;
  return copysign(detail::round_to<T>(detail::fast_two_sum(y, (m - cube).high / (3 * y * y)), exponent / 3), x);
}

/// sqrt(x^2 + y^2), scaled by a power of two.
template <floating T>
constexpr T hypot(T x, T y) {
  if (isinf(x) || isinf(y)) return infinity<T>;
  if (isnan(x) || isnan(y)) return not_a_number<T>;
  using W = detail::word<T>;
  const W p = abs(x), q = abs(y);
  if (x == 0 || y == 0) return abs(x == 0 ? y : x);
  const auto [m, exponent] = detail::normalise<W>(p > q ? p : q);
  const W n = detail::scale(p > q ? q : p, -exponent);
  return detail::round_to<T>(detail::square_root(m * m + detail::two_product(n, n)), exponent);
}

/// 2^k exp(r) with x = k ln(2) + r.
template <floating T>
constexpr T exp(T x) {
  if (isnan(x)) return x;
  if (abs(x) > detail::exp_range) return x > 0 ? infinity<T> : T(0);
  const auto [value, exponent] = detail::exponential<detail::word<T>>(x);
  return detail::round_to<T>(value, exponent);
}

/// 2^k exp((x - k) ln(2)) with k the integer nearest to x.
template <floating T>
constexpr T exp2(T x) {
  if (isnan(x)) return x;
  if (abs(x) > detail::exp_range) return x > 0 ? infinity<T> : T(0);
  using W = detail::word<T>;
  const W k = round(W(x));
  return detail::round_to<T>(detail::exp_series(detail::ln_two<W> * (x - k)), static_cast<int>(k));
}

/// exp(x) - 1, by its own series where |x| < ln(2) / 2.
template <floating T>
constexpr T expm1(T x) {
  if (isnan(x) || abs(x) < detail::tiny_bound<T>) return x;
  using W = detail::word<T>;
  if (x > detail::digits<W>) return exp(x);
  if (x < -detail::digits<W>) return -1;
  return detail::round_to<T>(detail::exponential_minus_one<W>(x));
}

/// ln(2) e + 2 artanh((m - 1) / (m + 1)) with x = m 2^e.
template <floating T>
constexpr T log(T x) {
  if (!(x > 0) || isinf(x)) return detail::logarithm_limit(x);
  return detail::round_to<T>(detail::logarithm<detail::word<T>>(x));
}

/// Exact for powers of two.
template <floating T>
constexpr T log2(T x) {
  if (!(x > 0) || isinf(x)) return detail::logarithm_limit(x);
  using W = detail::word<T>;
  const auto [value, exponent] = detail::scaled_logarithm<W>(x);
  return detail::round_to<T>(value / detail::ln_two<W> + exponent);
}

/// Exact for powers of ten.
template <floating T>
constexpr T log10(T x) {
  if (!(x > 0) || isinf(x)) return detail::logarithm_limit(x);
  using W = detail::word<T>;
  return detail::round_to<T>(detail::logarithm<W>(x) * detail::one_over_ln_ten<W>);
}

/// ln(1 + x) with the sum in two words.
template <floating T>
constexpr T log1p(T x) {
  if (isnan(x) || abs(x) < detail::tiny_bound<T>) return x;
  if (!(x > -1) || isinf(x)) return detail::logarithm_limit(x + 1);
  using W = detail::word<T>;
  return detail::round_to<T>(detail::logarithm(detail::two_sum<W>(1, x)));
}

/// exp(y ln|x|), with the sign of x if y is odd.
template <floating T>
constexpr T pow(T x, T y) {
  if (y == 0 || x == 1) return 1;
  if (isnan(x) || isnan(y)) return not_a_number<T>;
  using W = detail::word<T>;
  const W a = abs(x);
  const bool grows = (a > 1) == (y > 0);
  const bool odd = trunc(y) == y && trunc(y / 2) != y / 2;
  const T sign = odd ? copysign(T(1), x) : T(1);
  if (a == 1 && (isinf(y) || trunc(y) == y)) return sign;
  if (a == 0 || isinf(x) || isinf(y)) return copysign(grows ? infinity<T> : T(0), sign);
  if (x < 0 && trunc(y) != y) return not_a_number<T>;
  // |ln(a)| is at least 2^-digits, so that a larger y overflows or underflows.
  const bool huge = abs(W(y)) > detail::large_bound<W> * detail::exp_range;
  const detail::double_word<W> t = huge ? y : detail::logarithm<W>(a) * y;
  if (huge || abs(t.high) > detail::exp_range) return copysign(grows ? infinity<T> : T(0), sign);
  const auto [value, exponent] = detail::exponential(t);
  return copysign(detail::round_to<T>(value, exponent), sign);
}

/// Taylor series after reduction by pi / 2. NaN for long double beyond 2^1024, where the stored digits of 2 / pi end;
/// so cos and tan.
template <floating T>
constexpr T sin(T x) {
  if (abs(x) < detail::small_bound<T>) return x;
  if (!(abs(x) < detail::reduction_limit<T>)) return not_a_number<T>;
  using W = detail::word<T>;
  const T value = detail::round_to<T>(detail::sine(detail::reduce_angle<W>(abs(x)), 0));
  return signbit(x) ? -value : value;
}

/// sin(x + pi / 2) after the same reduction.
template <floating T>
constexpr T cos(T x) {
  if (!(abs(x) < detail::reduction_limit<T>)) return not_a_number<T>;
  using W = detail::word<T>;
  return detail::round_to<T>(detail::sine(detail::reduce_angle<W>(abs(x)), 1));
}

/// sin(x) / cos(x) after the same reduction.
template <floating T>
constexpr T tan(T x) {
  if (abs(x) < detail::small_bound<T>) return x;
  if (!(abs(x) < detail::reduction_limit<T>)) return not_a_number<T>;
  const auto reduced = detail::reduce_angle<detail::word<T>>(abs(x));
  const T value = detail::round_to<T>(detail::sine(reduced, 0) / detail::sine(reduced, 1));
  return signbit(x) ? -value : value;
}

/// The angle of the point (sqrt(1 - x^2), x).
template <floating T>
constexpr T asin(T x) {
  if (isnan(x) || abs(x) < detail::small_bound<T>) return x;
  if (abs(x) > 1) return not_a_number<T>;
  const detail::word<T> a = abs(x);
  return copysign(detail::round_to<T>(detail::angle<detail::word<T>>(a, detail::other_leg(a))), x);
}

/// The angle of the point (x, sqrt(1 - x^2)).
template <floating T>
constexpr T acos(T x) {
  if (isnan(x) || abs(x) > 1) return not_a_number<T>;
  using W = detail::word<T>;
  const W a = abs(x);
  const detail::double_word<W> value = detail::angle<W>(detail::other_leg(a), a);
  return detail::round_to<T>(x < 0 ? detail::pi<W> - value : value);
}

/// The angle of the point (x, y) in [-pi, pi].
template <floating T>
constexpr T atan2(T y, T x) {
  if (isnan(x) || isnan(y)) return not_a_number<T>;
  using W = detail::word<T>;
  const bool left = signbit(x);
  detail::double_word<W> value = 0;
  if (isinf(x) && isinf(y)) {
    value = detail::half_pi<W>.scaled_by(W(0.5));
  } else if (x == 0 || isinf(y)) {
    if (y != 0) value = detail::half_pi<W>;
  } else if (y != 0 && !isinf(x)) {
    const auto [p, p_exponent] = detail::normalise<W>(abs(y));
    const auto [q, q_exponent] = detail::normalise<W>(abs(x));
    const int difference = p_exponent - q_exponent, beyond = detail::digits<W> + 8;
    if (difference < -beyond && !left) return copysign(detail::round_to<T>(p / q, difference), y);
    if (difference > beyond)
      value = detail::half_pi<W>;
    else if (difference >= -beyond)
      value = detail::angle(p.scaled_by(detail::power_of_two<W>(difference)), q);
  }
  return copysign(detail::round_to<T>(left ? detail::pi<W> - value : value), y);
}

/// The angle of the point (1, x).
template <floating T>
constexpr T atan(T x) {
  return abs(x) < detail::small_bound<T> ? x : atan2(x, T(1));
}

/// (u + u / (u + 1)) / 2 with u = exp(|x|) - 1, and the sign of x.
template <floating T>
constexpr T sinh(T x) {
  if (isnan(x) || isinf(x) || abs(x) < detail::small_bound<T>) return x;
  using W = detail::word<T>;
  const W a = abs(x);
  if (a > detail::digits<W>) return copysign(detail::half_exponential<T>(a), x);
  const detail::double_word<W> u = detail::exponential_minus_one<W>(a);
  return copysign(detail::round_to<T>((u + u / (u + 1)).scaled_by(W(0.5))), x);
}

/// (e + 1 / e) / 2 with e = exp(|x|).
template <floating T>
constexpr T cosh(T x) {
  if (isnan(x)) return x;
  using W = detail::word<T>;
  const W a = abs(x);
  if (a > detail::digits<W>) return detail::half_exponential<T>(a);
  const detail::double_word<W> e = detail::exponential_minus_one<W>(a) + 1;
  return detail::round_to<T>((e + 1 / e).scaled_by(W(0.5)));
}

/// u / (u + 2) with u = exp(2x) - 1.
template <floating T>
constexpr T tanh(T x) {
  if (isnan(x) || abs(x) < detail::small_bound<T>) return x;
  using W = detail::word<T>;
  const W a = abs(x);
  if (2 * (a / detail::digits<W>) > 1) return copysign(T(1), x);
  const detail::double_word<W> u = detail::exponential_minus_one<W>(2 * a);
  return copysign(detail::round_to<T>(u / (u + 2)), x);
}

/// ln(1 + w) with w = x + x^2 / (1 + sqrt(1 + x^2)).
template <floating T>
constexpr T asinh(T x) {
  if (isnan(x) || isinf(x) || abs(x) < detail::small_bound<T>) return x;
  using W = detail::word<T>;
  const W a = abs(x);
  if (a > detail::large_bound<W>) return copysign(detail::logarithm_of_twice<T>(a), x);
  const detail::double_word<W> square = detail::two_product(a, a);
  const detail::double_word<W> w = square / (detail::square_root(square + 1) + 1) + a;
  return copysign(detail::round_to<T>(detail::logarithm(w + 1)), x);
}

/// ln(1 + w) with w = u + sqrt(u (u + 2)), u = x - 1.
template <floating T>
constexpr T acosh(T x) {
  if (isnan(x) || x < 1) return not_a_number<T>;
  if (isinf(x)) return x;
  using W = detail::word<T>;
  if (x > detail::large_bound<W>) return detail::logarithm_of_twice<T, W>(x);
  const detail::double_word<W> u = detail::two_sum<W>(x, -1);
  return detail::round_to<T>(detail::logarithm(u + detail::square_root(u * (u + 2)) + 1));
}

/// ln((1 + x) / (1 - x)) / 2.
template <floating T>
constexpr T atanh(T x) {
  if (isnan(x) || abs(x) < detail::small_bound<T>) return x;
  if (abs(x) >= 1) return abs(x) == 1 ? copysign(infinity<T>, x) : not_a_number<T>;
  using W = detail::word<T>;
  const W a = abs(x);
  const detail::double_word<W> ratio = detail::two_sum<W>(1, a) / detail::two_sum<W>(1, -a);
  return copysign(detail::round_to<T>(detail::logarithm(ratio).scaled_by(W(0.5))), x);
}

/// Taylor series for |x| <= 2, else 1 - erfc(x).
template <floating T>
constexpr T erf(T x) {
  if (isnan(x) || x == 0) return x;
  using W = detail::word<T>;
  const W a = abs(x);
  if (a > 12) return copysign(T(1), x);
  if (abs(x) < detail::small_bound<T>) {
    constexpr int shift = 2 * detail::digits<W>;  // room for the second word below a number near underflow
    return detail::round_to<T>(detail::two_over_sqrt_pi<W> * (x * detail::power_of_two<W>(shift)), -shift);
  }
  if (a <= 2) return detail::round_to<T>(detail::error_series<W>(x));
  const auto [value, exponent] = detail::complementary_error(a);
  return copysign(detail::round_to<T>(1 - value.scaled_by(detail::power_of_two<W>(exponent))), x);
}

/// 1 - erf(x) for |x| <= 2, else Laplace's continued fraction.
template <floating T>
constexpr T erfc(T x) {
  if (isnan(x)) return x;
  using W = detail::word<T>;
  const W a = abs(x);
  if (a > 128) return x < 0 ? T(2) : T(0);
  if (a <= 2) return detail::round_to<T>(1 - detail::error_series<W>(x));
  const auto [value, exponent] = detail::complementary_error(a);
  if (x > 0) return detail::round_to<T>(value, exponent);
  return a > 12 ? T(2) : detail::round_to<T>(2 - value.scaled_by(detail::power_of_two<W>(exponent)));
}

namespace detail {

/// ln|Gamma(x)| in two words, x no pole and below 2^digits.
template <floating T>
constexpr double_word<word<T>> log_gamma(T x) {
  using W = word<T>;
  const W a = abs(x), nearest = round(W(x)), t = x - nearest;
  if (abs(nearest) < 10) {
    const int n = static_cast<int>(nearest);
    double_word<W> product = 1;
    for (int j = n < 2 ? n : 2; j < (n < 2 ? 2 : n); ++j) product = product * two_sum<W>(j, t);
    if (product.high < 0) product = -product;
    const double_word<W> log_product = logarithm(product), shifted = log_gamma_of_two_plus(t);
    return n < 2 ? shifted - log_product : shifted + log_product;
  }
  const double_word<W> value = stirling(a);
  if (x > 0) return value;
  const double_word<W> sine = sine_series(pi<W> * abs(t));
  return logarithm(pi<W> / (sine * a)) - value;
}

}  // namespace detail

/// ln|Gamma(x)|. For |x| < 9.5 by recurrence from [1.5, 2.5], else Stirling's series and reflection (DLMF 5.5.3).
/// Below 0.51 ulp for x > 0, in long double 2 ulp of 64 digits, of which the coefficients are stored. For x < 0 it has
/// zeros between the integers; there the error is below 1 ulp plus epsilon / 8.
template <floating T>
constexpr T lgamma(T x) {
  if (isnan(x)) return x;
  if (isinf(x) || (x <= 0 && trunc(x) == x)) return infinity<T>;
  using W = detail::word<T>;
  const W a = abs(x);
  const auto [m, exponent] = detail::normalise<W>(a);
  if (exponent > detail::digits<W> + 8) return detail::round_to<T>((detail::logarithm<W>(a) - 1) * m, exponent);
  return detail::round_to<T>(detail::log_gamma(x));
}

/// Gamma(x), the exponential of the same logarithm.
template <floating T>
constexpr T tgamma(T x) {
  if (isnan(x) || x == 0) return x == 0 ? copysign(infinity<T>, x) : x;
  const bool negative = x < 0;
  if (negative && trunc(x) == x) return not_a_number<T>;
  constexpr T range = 2000;  // beyond it is infinite or 0 in any type
  if (x > range) return infinity<T>;
  const T down = floor(x);
  const T sign = negative && trunc(down / 2) != down / 2 ? T(-1) : T(1);
  if (x < -range) return sign * T(0);
  const auto [value, exponent] = detail::exponential(detail::log_gamma(x));
  return sign * detail::round_to<T>(value, exponent);
}

/// The remainder of x / y towards zero, exact: long division of the significands by digits of nearly a word.
template <floating T>
constexpr T fmod(T x, T y) {
  if (isnan(x) || isnan(y) || isinf(x) || y == 0) return not_a_number<T>;
  if (abs(x) < abs(y)) return x;
  using W = detail::word<T>;
  const auto [dividend, high] = detail::normalise<W>(abs(x));
  const auto [divisor, low] = detail::normalise<W>(abs(y));
  W rest = dividend.high;
  const W d = divisor.high;
  if (rest >= d) rest -= d;
  for (int exponent = high; exponent > low;) {
    const int step = exponent - low < detail::digits<W> - 4 ? exponent - low : detail::digits<W> - 4;
    rest *= detail::power_of_two<W>(step);
    const detail::double_word<W> product = detail::two_product(trunc(rest / d), d);
    rest = (rest - product.high) - product.low;
    if (rest < 0) rest += d;
    if (rest >= d) rest -= d;
    exponent -= step;
  }
  return copysign(detail::round_to<T>(detail::double_word<W>(rest), low), x);
}

}  // namespace tapeless::constexpr_math::inline TAPELESS_TARGET
