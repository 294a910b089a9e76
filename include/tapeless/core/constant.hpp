#pragma once

#include <tapeless/core/expression.hpp>
#include <tapeless/core/target.hpp>

#include <concepts>
#include <cstdint>
#include <limits>

namespace tapeless {

/// The compile-time constant `Numerator / Denominator` in lowest terms, as part of the formula's type.
///
/// `Constant<0>` is an absolute zero: `0_c * e` is `0_c` for every `e`, and `e` is not evaluated. Combined with a plain
/// number, a constant computes and compares immediately, so that a structurally zero derivative reads as 0.0.
template <std::intmax_t Numerator, std::intmax_t Denominator = 1>
struct Constant : called_with_values<Constant<Numerator, Denominator>> {
  static_assert(Denominator > 0 && detail::gcd(Numerator, Denominator) == 1,
                "tapeless: write constant<n, d>, which reduces the fraction [TL005]");
  using expression_type = Constant;

  static constexpr std::intmax_t numerator = Numerator;
  static constexpr std::intmax_t denominator = Denominator;

  /// The constant rounded to `T`.
  template <Real T>
  static constexpr T as() {
    return static_cast<T>(Numerator) / static_cast<T>(Denominator);
  }

  constexpr operator double() const { return as<double>(); }
  constexpr explicit operator bool() const { return Numerator != 0; }
  /// For number types that are classes: Boost.Multiprecision's.
  template <Numeric T>
    requires std::is_class_v<T>
  constexpr explicit operator T() const {
    return as<T>();
  }
};

/// `constant<2>`, `constant<1, 3>`: an integer or a fraction as a type.
template <std::intmax_t Numerator, std::intmax_t Denominator = 1>
  requires(Denominator != 0)
inline constexpr Constant<(Denominator < 0 ? -Numerator : Numerator) / detail::gcd(Numerator, Denominator),
                          (Denominator < 0 ? -Denominator : Denominator) / detail::gcd(Numerator, Denominator)>
    constant{};

using Zero = Constant<0>;
using One = Constant<1>;

template <class E>
inline constexpr bool is_constant = false;
template <std::intmax_t N, std::intmax_t D>
inline constexpr bool is_constant<Constant<N, D>> = true;

namespace detail::inline TAPELESS_TARGET {

/// A constant or a number as a `T`.
template <class T, class V>
constexpr T immediate(const V& v) {
  if constexpr (is_constant<V> && Real<T>)
    return V::template as<T>();
  else
    return static_cast<T>(v);
}

}  // namespace detail::inline TAPELESS_TARGET

template <class E>
inline constexpr bool is_zero = std::same_as<E, Zero>;
template <class E>
inline constexpr bool is_one = std::same_as<E, One>;

namespace detail {

// A variable, so that constant evaluation does not count the digits at each use.
template <char... Digits>
inline constexpr std::intmax_t decimal = [] {
  std::intmax_t result = 0;
  for (const char digit : {Digits...}) {
    if (digit == '\'') continue;
    if (digit < '0' || digit > '9' || result > (std::numeric_limits<std::intmax_t>::max() - (digit - '0')) / 10)
      return std::intmax_t{-1};
    result = 10 * result + (digit - '0');
  }
  return result;
}();

}  // namespace detail

namespace literals {

/// `2_c` is `constant<2>`.
template <char... Digits>
constexpr auto operator""_c() {
  static_assert(detail::decimal<Digits...> >= 0,
                "tapeless: _c takes a decimal integer; write constant<1, 3> for a fraction [TL006]");
  return constant<detail::decimal<Digits...>>;
}

}  // namespace literals
using namespace literals;

}  // namespace tapeless
