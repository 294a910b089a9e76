#pragma once

#include <tapeless/core/target.hpp>
#include <tapeless/evaluate/lanes/lanes_functions.hpp>

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#ifdef TAPELESS_HAS_XSIMD

/// The error function and its complement on SIMD lanes: xsimd's erfc is off by 10^7 ulp in its tail.
namespace tapeless::simd::inline TAPELESS_TARGET {

namespace detail {

/// Polynomials fitted to the functions, constant term first; relative error below 2e-17 (float: 5e-9).
template <class T>
struct error_function_fit {
  /// erf(x) / x - 1 in x^2, |x| <= 1/2.
  static constexpr T erf[] = {0.12837916709551256959,   -0.37612638903183473544,   0.11283791670925353147,
                              -0.026866170632887929351, 0.0052239773730214700169,  -8.5482977536749668828e-4,
                              1.2053335124353740746e-4, -1.4845849259707869768e-5, 1.4725865480556743912e-6};
  /// (1 + 2 x) e^(x^2) erfc(x) in (x - center) / (x + center), 0 <= x <= limit.
  static constexpr T center = 4, limit = 28;
  static constexpr T erfc[] = {
      1.2329951186255525067,     -0.13962111684056289354,   0.015379652102620741303,   0.068097054254737323901,
      -0.10103906603635213169,   0.093732834996794115895,   -0.066330365811529384089,  0.037167515562492865974,
      -0.016197734059115007082,  0.0050319697558954261144,  -7.577733414133300446e-4,  -1.9925550755614952137e-4,
      1.506222439483029924e-4,   -2.4403169244974074952e-5, -1.1224789135154700706e-5, 5.7178872846321852018e-6,
      3.0135049944875394771e-7,  -8.351619688696847075e-7,  6.2707271571983108779e-8,  1.1534943745754157287e-7,
      -7.7154186144178301303e-9, -1.3670989863347382443e-8, -1.8206098680308683344e-9};
};
template <>
struct error_function_fit<float> {
  static constexpr float erf[] = {0.1283791656f, -0.37612609007f, 0.11282831428f, -0.026757732735f, 0.0047190825672f};
  static constexpr float center = 3, limit = 11;
  static constexpr float erfc[] = {1.2530080586f,    -0.13562115555f,   -0.047562372955f, 0.12964685754f,
                                   -0.11927094405f,  0.068292748114f,   -0.023800059009f, 0.0025729044604f,
                                   0.0020097823268f, -7.7589742296e-4f, -2.6900680224e-4f};
};

/// The first half of the digits.
template <class T>
TAPELESS_ALWAYS_INLINE lanes<T> first_digits(const lanes<T>& x) {
  using bits = std::conditional_t<std::is_same_v<T, double>, std::uint64_t, std::uint32_t>;
  using integers = xsimd::batch<bits, architecture>;
  constexpr bits mask = ~bits{0} << (std::numeric_limits<T>::digits / 2 + 1);
  return std::bit_cast<batch<T>>(std::bit_cast<integers>(x.value) & integers(mask));
}

/// erf where |x| <= 1/2.
template <class T>
TAPELESS_ALWAYS_INLINE lanes<T> erf_of_small(const lanes<T>& x) {
  return multiply_add(x, math::detail::polynomial(x * x, error_function_fit<T>::erf), x);
}

/// erfc of x >= 0, less accurate below 1/2, and e^(-x x).
template <class T>
TAPELESS_ALWAYS_INLINE math::number_pair<lanes<T>> erfc_of_positive(const lanes<T>& argument) {
  using fit = error_function_fit<T>;
  // The sum makes a signalling NaN a quiet one: the first digits of the other are infinity's.
  const lanes<T> x = clamp_lanes(argument, lanes<T>(T(0)), lanes<T>(fit::limit)) + T(0);
  // In two parts, of which the first is exact: a rounded square would be off by as many ulp of the result as it is
  // large.
  const lanes<T> high = first_digits(x);
  const auto power = math::scaled_exponential(-(high * high), (high - x) * (high + x));
  const lanes<T> ratio = math::detail::polynomial((x - fit::center) / (x + fit::center), fit::erfc) / (x + x + T(1));
  return {scale(multiply_add(power.excess, ratio, ratio), power.exponent), scale(power.excess + T(1), power.exponent)};
}

}  // namespace detail

/// erfc within 4.5 ulp, subnormal results included, and e^(-x x) within 1.1 ulp (float: 1.5).
template <class T>
TAPELESS_ALWAYS_INLINE math::number_pair<lanes<T>> erfc_gaussian_lanes(const lanes<T>& x) {
  const lanes<T> size = abs(x);
  const auto [positive, gaussian] = detail::erfc_of_positive(size);
  const lanes<T> large = select_lanes(x < T(0), T(2) - positive, positive);
  return {select_lanes(size < T(0.5), T(1) - detail::erf_of_small(x), large), gaussian};
}
template <class T>
TAPELESS_ALWAYS_INLINE lanes<T> erfc(const lanes<T>& x) {
  return erfc_gaussian_lanes(x).first;
}

/// Within 2.5 ulp.
template <class T>
TAPELESS_ALWAYS_INLINE lanes<T> erf(const lanes<T>& x) {
  const lanes<T> size = abs(x), inner = detail::erf_of_small(x);
  if (!any(size > T(0.5))) return inner;
  const lanes<T> large = T(1) - detail::erfc_of_positive(size).first;
  return select_lanes(size > T(0.5), select_lanes(x < T(0), -large, large), inner);
}

}  // namespace tapeless::simd::inline TAPELESS_TARGET

#endif
