#pragma once

#include <tapeless/math/range.hpp>
#include <tapeless/operation/scalar/exponential.hpp>
#include <tapeless/operation/scalar/power.hpp>
#include <tapeless/operation/scalar/reduction.hpp>

namespace tapeless::operation {

TAPELESS_MATH_FUNCTION(Sinh, sinh, [](auto x, auto) { return cosh(x); }, {1.5}, {-0.25})

struct Cosh {
  TAPELESS_COMPUTED_BY(cosh)
  static constexpr tapeless::laws laws{.even = true};
  static constexpr rules partials{[](auto x, auto) { return sinh(x); }};
  static constexpr double samples[][1] = {{1.5}, {-0.25}};
};

/// 1 - y^2 of x and y = tanh(x), accurate where y is next to 1. A function of x alone: the rule of y has its share.
struct TanhSlope {
  TAPELESS_COMPUTED_BY(tanh_slope)
  static constexpr bool passes(int operand) { return operand == 0; }
  static constexpr rules partials{[](auto, auto y, auto slope) { return -(2_c * y * slope); },
                                  [](auto, auto, auto) { return 0_c; }};
};

TAPELESS_MATH_FUNCTION(Tanh, tanh, [](auto x, auto y) { return apply<TanhSlope>(x, y); }, {1.5}, {-0.25})

struct Asinh {
  TAPELESS_COMPUTED_BY(asinh)
  static constexpr of_batch lanes{[](const auto& x) TAPELESS_INLINE_LAMBDA { return asinh(x); }};
  static constexpr rules partials{[](auto x, auto) { return 1_c / norm(x, 1_c); }};
  static constexpr double samples[][1] = {{1.5}, {-0.25}};
};

TAPELESS_MATH_FUNCTION(Acosh, acosh, [](auto x, auto) { return 1_c / (sqrt(x - 1_c) * sqrt(x + 1_c)); }, {1.5}, {3.25})

struct Atanh {
  TAPELESS_COMPUTED_BY(atanh)
  static constexpr of_batch lanes{[](const auto& x) TAPELESS_INLINE_LAMBDA { return atanh(x); }};
  static constexpr rules partials{[](auto x, auto) { return 1_c / ((1_c - x) * (1_c + x)); }};
  static constexpr double samples[][1] = {{0.5}, {-0.25}};
};

}  // namespace tapeless::operation
