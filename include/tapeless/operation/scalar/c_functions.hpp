#pragma once

#include <tapeless/operation/scalar/gamma.hpp>
#include <tapeless/operation/scalar/reduction.hpp>

/// The remaining functions of C's math.h.
namespace tapeless {

namespace operation {

/// Towards zero
struct Trunc {
  static constexpr std::string_view name = "trunc";
  static constexpr auto value = [](const auto& x) TAPELESS_INLINE_LAMBDA {
    using T = std::remove_cvref_t<decltype(x)>;
    return math::select(x < T(0), math::ceil(x), math::floor(x));
  };
  static constexpr bool passes(int) { return false; }
  static constexpr rules partials{[](auto, auto) { return 0_c; }};
  static constexpr double samples[][1] = {{1.75}, {-0.25}, {-2.75}};
};

/// The remainder of x / y with the sign of x. Its derivative by y is the quotient, an integer, times -1.
struct Fmod {
  TAPELESS_COMPUTED_BY(fmod)
  static constexpr rules partials{[](auto, auto, auto) { return 1_c; },
                                  [](auto x, auto y, auto r) { return round((r - x) / y); }};
  static constexpr double samples[][2] = {{7.25, 2.0}, {-7.25, 1.5}, {0.5, -3.0}};
};

/// |x| with the sign of y, that of a zero included; a NaN counts as positive.
struct Copysign {
  static constexpr std::string_view name = "copysign";
  static constexpr bool passes(int operand) { return operand == 0; }
  static constexpr auto value = [](const auto& x, const auto& y) TAPELESS_INLINE_LAMBDA {
    using T = std::remove_cvref_t<decltype(x)>;
    const T size = math::abs(x), of_zero = math::divide(T(1), y);
    return math::select(math::select(y == T(0), of_zero, y) < T(0), -size, size);
  };
  static constexpr rules partials{[](auto x, auto y, auto) { return sign(x) * apply<Copysign>(1_c, y); },
                                  [](auto, auto, auto) { return 0_c; }};
  static constexpr double samples[][2] = {{1.5, -0.25}, {-3.0, 2.0}, {-3.0, -2.0}};
};

/// The gamma function
TAPELESS_MATH_FUNCTION(Tgamma, tgamma, [](auto x, auto y) { return y * digamma(x); }, {1.5}, {0.25}, {-2.75}, {6.5})

}  // namespace operation

/// The larger of two numbers; if one is NaN, the other. (`max` returns NaN instead.) Ties share the derivative, as in
/// `max`.
template <Operand... Es>
  requires(sizeof...(Es) == 2)
constexpr auto fmax(Es... es) {
  return [](const auto& one, const auto& two) {
    return where(one != one, two, where(two != two, one, max(one, two)));
  }(es...);
}
/// The smaller of two numbers; if one is NaN, the other. Ties share the derivative, as in `min`.
template <Operand... Es>
  requires(sizeof...(Es) == 2)
constexpr auto fmin(Es... es) {
  return [](const auto& one, const auto& two) {
    return where(one != one, two, where(two != two, one, min(one, two)));
  }(es...);
}

/// x y + z. It is rounded once if the compiler may use the processor's fused operation, otherwise twice.
template <Operand... Es>
  requires(sizeof...(Es) == 3 && (Symbolic<Es> || ...))
constexpr auto fma(Es... es) {
  return [](const auto& one, const auto& two, const auto& added) { return one * two + added; }(es...);
}

/// sqrt(x^2 + y^2 + z^2) without overflow; gradient 0 at the origin.
TAPELESS_FUNCTION_OF(3, hypot, operation::Norm)

}  // namespace tapeless
