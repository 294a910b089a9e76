#pragma once

#include <tapeless/core/expression.hpp>
#include <tapeless/core/target.hpp>
#include <tapeless/math/math.hpp>
#include <tapeless/math/tanh.hpp>

#include <limits>
#include <type_traits>

/// What leaves the range of the numbers on its way, or loses its digits, in a form that does not: ordinary operands pay
/// for a comparison or two. Where a sum of squares leaves the range, the operands are scaled by a power of two.
namespace tapeless::math::inline TAPELESS_TARGET {

namespace detail {

/// The number type of a number, and of SIMD lanes of numbers.
template <class T>
struct element {
  using type = T;
};
template <tapeless::detail::Lanes T>
struct element<T> {
  using type = typename T::number;
};
template <class T>
using element_t = typename element<T>::type;

constexpr bool everywhere(bool condition) { return condition; }
template <class Mask>
TAPELESS_ALWAYS_INLINE bool everywhere(const Mask& condition) {
  return !any(!condition);
}

template <class T, class... Ts>
TAPELESS_ALWAYS_INLINE constexpr T sum_of_squares(const T& first, const Ts&... rest) {
  T sum = multiply(first, first);
  ((sum = add(sum, multiply(rest, rest))), ...);
  return sum;
}

/// Whether no square overflowed and none that counts lost digits. A type of unbounded exponents has no such limits.
template <class T>
TAPELESS_ALWAYS_INLINE constexpr auto is_sound(const T& sum_of_squares) {
  using limits = std::numeric_limits<element_t<T>>;
  if constexpr (std::is_floating_point_v<element_t<T>>)
    return sum_of_squares >= T(limits::min() / limits::epsilon()) && sum_of_squares <= T(limits::max());
  else
    return true;
}

template <class T>
constexpr T three_quarters_of_range() {
  T result = 2;
  for (int i = 1; i < 3 * (std::numeric_limits<T>::max_exponent / 4); ++i) result *= 2;
  return result;
}

/// A power of two that brings the operands where their squares keep their digits, and its inverse.
template <class T, class Condition>
TAPELESS_ALWAYS_INLINE constexpr number_pair<T> scale_of_squares(const T& sum, const Condition& sound) {
  using N = element_t<T>;
  constexpr N large = three_quarters_of_range<N>();
  const T factor = select(sound, T(N(1)), select(sum > T(N(1)), T(1 / large), T(large)));
  return {factor, T(N(1)) / factor};
}

}  // namespace detail

/// Whether a number has all its digits: it is neither subnormal nor infinite, 0 or NaN.
template <class T>
TAPELESS_ALWAYS_INLINE constexpr auto is_normal(const T& x) {
  using limits = std::numeric_limits<detail::element_t<T>>;
  if constexpr (std::is_floating_point_v<detail::element_t<T>>) {
    const T size = abs(x);
    return size >= T(limits::min()) && size <= T(limits::max());
  } else {
    return true;
  }
}

/// sqrt(|x|) with the sign of x.
template <class T>
TAPELESS_ALWAYS_INLINE constexpr T signed_root(const T& x) {
  const T root = sqrt(abs(x));
  return select(x < T(detail::element_t<T>(0)), T(-root), root);
}

/// y / b, given 1 / b: their product, within 1.5 ulp, unless the inverse lost digits or overflowed.
template <class T>
TAPELESS_ALWAYS_INLINE constexpr T product_with_inverse(const T& y, const T& b, const T& inverse) {
  const T product = multiply(y, inverse);
  const auto normal = is_normal(inverse);
  if (detail::everywhere(normal)) [[likely]]
    return product;
  return select(normal, product, divide(y, b));
}

/// The same where y is of lanes, whose divisions are dear; of numbers the quotient.
template <class T>
TAPELESS_ALWAYS_INLINE constexpr T times_inverse(const T& y, const T& b, [[maybe_unused]] const T& inverse) {
  if constexpr (tapeless::detail::Lanes<T>)
    return product_with_inverse(y, b, inverse);
  else
    return divide(y, b);
}

/// sqrt(a^2 + b^2) and sqrt(a^2 + b^2 + c^2)
template <class T, class... Ts>
TAPELESS_ALWAYS_INLINE constexpr T norm(const T& first, const Ts&... rest) {
  const T sum = detail::sum_of_squares(first, rest...);
  const auto sound = detail::is_sound(sum);
  if (detail::everywhere(sound)) [[likely]]
    return sqrt(sum);
  if constexpr (std::is_floating_point_v<detail::element_t<T>>) {
    const auto [factor, inverse] = detail::scale_of_squares(sum, sound);
    return multiply(sqrt(detail::sum_of_squares(multiply(first, factor), multiply(rest, factor)...)), inverse);
  } else {
    return sqrt(sum);
  }
}

/// x / (x^2 + y^2)
template <class T>
TAPELESS_ALWAYS_INLINE constexpr T over_squares(const T& x, const T& y) {
  const T sum = detail::sum_of_squares(x, y);
  const auto sound = detail::is_sound(sum);
  if (detail::everywhere(sound)) [[likely]]
    return divide(x, sum);
  if constexpr (std::is_floating_point_v<detail::element_t<T>>) {
    const T factor = detail::scale_of_squares(sum, sound).first, scaled = multiply(x, factor);
    return multiply(divide(scaled, detail::sum_of_squares(scaled, multiply(y, factor))), factor);
  } else {
    return divide(x, sum);
  }
}

/// 1 - tanh(x)^2, given y = tanh(x): the difference has no digits left where y is next to 1.
template <class T>
TAPELESS_ALWAYS_INLINE constexpr T tanh_slope(const T& x, const T& y) {
  using N = detail::element_t<T>;
  const T one = T(N(1)), square = multiply(y, y);
  const auto accurate = square < T(N(0.9375));
  if (detail::everywhere(accurate)) return one - square;
  if constexpr (tapeless::detail::Lanes<T>) return select(accurate, subtract(one, square), slope_of_tanh(x));
  const T e = exp(multiply(T(N(-2)), abs(x))), sum = add(one, e);
  return select(accurate, subtract(one, square), divide(multiply(T(N(4)), e), multiply(sum, sum)));
}

}  // namespace tapeless::math::inline TAPELESS_TARGET
