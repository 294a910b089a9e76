#pragma once

#include <tapeless/math/range.hpp>
#include <tapeless/operation/scalar/exponential.hpp>
#include <tapeless/operation/scalar/reduction.hpp>

namespace tapeless::operation {

TAPELESS_MATH_FUNCTION(Sin, sin, [](auto x, auto) { return cos(x); }, {1.5}, {-0.25})

struct Cos {
  TAPELESS_COMPUTED_BY(cos)
  static constexpr tapeless::laws laws{.even = true};
  static constexpr rules partials{[](auto x, auto) { return -sin(x); }};
  static constexpr double samples[][1] = {{1.5}, {-0.25}};
};

/// Sine and cosine of one operand at once: what a program computes where it needs both. `First` and `Second` take the
/// pair apart.
struct SineCosine {
  TAPELESS_COMPUTED_BY(sincos)
  static constexpr bool pair = true;
};
struct First {
  static constexpr std::string_view name = "first";
  static constexpr operation_counts cost{};
  static constexpr auto value = [](const auto& pair) TAPELESS_INLINE_LAMBDA { return pair.first; };
};
struct Second {
  static constexpr std::string_view name = "second";
  static constexpr operation_counts cost{};
  static constexpr auto value = [](const auto& pair) TAPELESS_INLINE_LAMBDA { return pair.second; };
};

TAPELESS_MATH_FUNCTION(Tan, tan, [](auto, auto y) { return 1_c + y * y; }, {1.2}, {-0.25})

/// One that SIMD lanes compute by xsimd's function of that name.
#define TAPELESS_BATCH_FUNCTION(OPERATION, NAME, RULE, ...)                                                            \
  struct OPERATION {                                                                                                   \
    TAPELESS_COMPUTED_BY(NAME)                                                                                         \
    static constexpr of_batch lanes{[](const auto& x) TAPELESS_INLINE_LAMBDA { return NAME(x); }};                     \
    static constexpr rules partials{RULE};                                                                             \
    static constexpr double samples[][1] = {__VA_ARGS__};                                                              \
  };
TAPELESS_BATCH_FUNCTION(Asin, asin, [](auto x, auto) { return 1_c / sqrt((1_c - x) * (1_c + x)); }, {0.5}, {-0.25})
TAPELESS_BATCH_FUNCTION(Acos, acos, [](auto x, auto) { return -(1_c / sqrt((1_c - x) * (1_c + x))); }, {0.5}, {-0.25})
TAPELESS_BATCH_FUNCTION(Atan, atan, [](auto x, auto) { return 1_c / (1_c + x * x); }, {1.5}, {-0.25})

/// x / (x^2 + y^2)
struct OverSquares {
  TAPELESS_COMPUTED_BY(over_squares)
  static constexpr rules partials{[](auto x, auto y, auto r) {
                                    const auto s = apply<OverSquares>(y, x);
                                    return (s - r) * (s + r);
                                  },
                                  [](auto x, auto y, auto r) { return -(2_c * apply<OverSquares>(y, x) * r); }};
  static constexpr double samples[][2] = {{1.5, -0.25}, {-3.0, 2.0}};
};

/// The angle of the point (x, y), first operand y as in the C library.
struct Atan2 {
  TAPELESS_COMPUTED_BY(atan2)
  static constexpr rules partials{[](auto y, auto x, auto) { return apply<OverSquares>(x, y); },
                                  [](auto y, auto x, auto) { return -apply<OverSquares>(y, x); }};
  static constexpr double samples[][2] = {{1.5, -0.25}, {-3.0, 2.0}};
};

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

TAPELESS_BATCH_FUNCTION(Asinh, asinh, [](auto x, auto) { return 1_c / norm(x, 1_c); }, {1.5}, {-0.25})
TAPELESS_MATH_FUNCTION(Acosh, acosh, [](auto x, auto) { return 1_c / (sqrt(x - 1_c) * sqrt(x + 1_c)); }, {1.5}, {3.25})
TAPELESS_BATCH_FUNCTION(Atanh, atanh, [](auto x, auto) { return 1_c / ((1_c - x) * (1_c + x)); }, {0.5}, {-0.25})
#undef TAPELESS_BATCH_FUNCTION

}  // namespace tapeless::operation
