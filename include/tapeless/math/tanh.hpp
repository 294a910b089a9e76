#pragma once

#include <tapeless/core/always_inline.hpp>
#include <tapeless/core/target.hpp>
#include <tapeless/math/exponential.hpp>

#include <type_traits>

/// What tanh and its slope are made of, of SIMD lanes of any kind. Where both are computed, compilers compute it once.
namespace tapeless::math::inline TAPELESS_TARGET {

/// Of a = |x|: e^(-2 a), e^(-2 a) - 1 and what that lost in rounding, and 1 / (1 + e^(-2 a)).
template <class L>
struct tanh_parts {
  L power, less_one, lost, inverse;
};
template <class L>
TAPELESS_ALWAYS_INLINE tanh_parts<L> parts_of_tanh(const L& x) {
  using T = typename L::number;
  constexpr T low = std::is_same_v<T, float> ? T(-104) : T(-746);
  const auto of = scaled_exponential(clamp_lanes(abs(x) * L(T(-2)), L(low), L(T(0))));
  const L scaled = scale(L(T(1)), of.exponent), base = scaled - L(T(1));
  const L less_one = multiply_add(scaled, of.excess, base);
  return {multiply_add(scaled, of.excess, scaled), less_one, multiply_add(scaled, of.excess, base - less_one),
          L(T(1)) / (less_one + L(T(2)))};
}
/// 1 - tanh(x)^2 to the ends of the range.
template <class L>
TAPELESS_ALWAYS_INLINE L slope_of_tanh(const L& x) {
  const auto parts = parts_of_tanh(x);
  return parts.power * L(typename L::number(4)) * (parts.inverse * parts.inverse);
}

}  // namespace tapeless::math::inline TAPELESS_TARGET
