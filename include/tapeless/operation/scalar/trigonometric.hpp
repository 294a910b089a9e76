#pragma once

#include <tapeless/math/range.hpp>
#include <tapeless/operation/scalar/exponential.hpp>
#include <tapeless/operation/scalar/power.hpp>

namespace tapeless::operation {

struct Sin {
  static constexpr std::string_view name = "sin";
  static constexpr auto value = [](const auto& x) TAPELESS_INLINE_LAMBDA { return math::sin(x); };
  static constexpr rules partials{[](auto x, auto) { return cos(x); }};
  static constexpr double samples[][1] = {{1.5}, {-0.25}};
};

struct Cos {
  static constexpr std::string_view name = "cos";
  static constexpr tapeless::laws laws{.even = true};
  static constexpr auto value = [](const auto& x) TAPELESS_INLINE_LAMBDA { return math::cos(x); };
  static constexpr rules partials{[](auto x, auto) { return -sin(x); }};
  static constexpr double samples[][1] = {{1.5}, {-0.25}};
};

/// Sine and cosine of one operand at once: what a program computes where it needs both. `First` and `Second` take the
/// pair apart.
struct SineCosine {
  static constexpr std::string_view name = "sincos";
  static constexpr bool pair = true;
  static constexpr auto value = [](const auto& x) TAPELESS_INLINE_LAMBDA { return math::sincos(x); };
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

struct Tan {
  static constexpr std::string_view name = "tan";
  static constexpr auto value = [](const auto& x) TAPELESS_INLINE_LAMBDA { return math::tan(x); };
  static constexpr rules partials{[](auto, auto y) { return 1_c + y * y; }};
  static constexpr double samples[][1] = {{1.2}, {-0.25}};
};

struct Asin {
  static constexpr std::string_view name = "asin";
  static constexpr auto value = [](const auto& x) TAPELESS_INLINE_LAMBDA { return math::asin(x); };
  static constexpr of_batch lanes{[](const auto& x) TAPELESS_INLINE_LAMBDA { return asin(x); }};
  static constexpr rules partials{[](auto x, auto) { return 1_c / sqrt((1_c - x) * (1_c + x)); }};
  static constexpr double samples[][1] = {{0.5}, {-0.25}};
};

struct Acos {
  static constexpr std::string_view name = "acos";
  static constexpr auto value = [](const auto& x) TAPELESS_INLINE_LAMBDA { return math::acos(x); };
  static constexpr of_batch lanes{[](const auto& x) TAPELESS_INLINE_LAMBDA { return acos(x); }};
  static constexpr rules partials{[](auto x, auto) { return -(1_c / sqrt((1_c - x) * (1_c + x))); }};
  static constexpr double samples[][1] = {{0.5}, {-0.25}};
};

struct Atan {
  static constexpr std::string_view name = "atan";
  static constexpr auto value = [](const auto& x) TAPELESS_INLINE_LAMBDA { return math::atan(x); };
  static constexpr of_batch lanes{[](const auto& x) TAPELESS_INLINE_LAMBDA { return atan(x); }};
  static constexpr rules partials{[](auto x, auto) { return 1_c / (1_c + x * x); }};
  static constexpr double samples[][1] = {{1.5}, {-0.25}};
};

/// x / (x^2 + y^2)
struct OverSquares {
  static constexpr std::string_view name = "over_squares";
  static constexpr auto value = [](const auto& x, const auto& y)
                                    TAPELESS_INLINE_LAMBDA { return math::over_squares(x, y); };
  static constexpr rules partials{[](auto x, auto y, auto r) {
                                    const auto s = apply<OverSquares>(y, x);
                                    return (s - r) * (s + r);
                                  },
                                  [](auto x, auto y, auto r) { return -(2_c * apply<OverSquares>(y, x) * r); }};
  static constexpr double samples[][2] = {{1.5, -0.25}, {-3.0, 2.0}};
};

/// The angle of the point (x, y), first operand y as in the C library.
struct Atan2 {
  static constexpr std::string_view name = "atan2";
  static constexpr auto value = [](const auto& y, const auto& x) TAPELESS_INLINE_LAMBDA { return math::atan2(y, x); };
  static constexpr rules partials{[](auto y, auto x, auto) { return apply<OverSquares>(x, y); },
                                  [](auto y, auto x, auto) { return -apply<OverSquares>(y, x); }};
  static constexpr double samples[][2] = {{1.5, -0.25}, {-3.0, 2.0}};
};

}  // namespace tapeless::operation
