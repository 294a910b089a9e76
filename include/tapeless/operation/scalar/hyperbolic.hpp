#pragma once

#include <tapeless/math/range.hpp>
#include <tapeless/operation/scalar/exponential.hpp>
#include <tapeless/operation/scalar/power.hpp>
#include <tapeless/operation/scalar/reduction.hpp>

namespace tapeless::operation {

struct Sinh {
  static constexpr std::string_view name = "sinh";
  static constexpr auto value = [](const auto& x) TAPELESS_INLINE_LAMBDA { return math::sinh(x); };
  static constexpr rules partials{[](auto x, auto) { return cosh(x); }};
  static constexpr double samples[][1] = {{1.5}, {-0.25}};
};

struct Cosh {
  static constexpr std::string_view name = "cosh";
  static constexpr tapeless::laws laws{.even = true};
  static constexpr auto value = [](const auto& x) TAPELESS_INLINE_LAMBDA { return math::cosh(x); };
  static constexpr rules partials{[](auto x, auto) { return sinh(x); }};
  static constexpr double samples[][1] = {{1.5}, {-0.25}};
};

/// 1 - y^2 of x and y = tanh(x), accurate where y is next to 1. A function of x alone: the rule of y has its share.
struct TanhSlope {
  static constexpr std::string_view name = "tanh_slope";
  static constexpr bool passes(int operand) { return operand == 0; }
  static constexpr auto value = [](const auto& x, const auto& y)
                                    TAPELESS_INLINE_LAMBDA { return math::tanh_slope(x, y); };
  static constexpr rules partials{[](auto, auto y, auto slope) { return -(2_c * y * slope); },
                                  [](auto, auto, auto) { return 0_c; }};
};

struct Tanh {
  static constexpr std::string_view name = "tanh";
  static constexpr auto value = [](const auto& x) TAPELESS_INLINE_LAMBDA { return math::tanh(x); };
  static constexpr rules partials{[](auto x, auto y) { return apply<TanhSlope>(x, y); }};
  static constexpr double samples[][1] = {{1.5}, {-0.25}};
};

struct Asinh {
  static constexpr std::string_view name = "asinh";
  static constexpr auto value = [](const auto& x) TAPELESS_INLINE_LAMBDA { return math::asinh(x); };
  static constexpr of_batch lanes{[](const auto& x) TAPELESS_INLINE_LAMBDA { return asinh(x); }};
  static constexpr rules partials{[](auto x, auto) { return 1_c / norm(x, 1_c); }};
  static constexpr double samples[][1] = {{1.5}, {-0.25}};
};

struct Acosh {
  static constexpr std::string_view name = "acosh";
  static constexpr auto value = [](const auto& x) TAPELESS_INLINE_LAMBDA { return math::acosh(x); };
  static constexpr rules partials{[](auto x, auto) { return 1_c / (sqrt(x - 1_c) * sqrt(x + 1_c)); }};
  static constexpr double samples[][1] = {{1.5}, {3.25}};
};

struct Atanh {
  static constexpr std::string_view name = "atanh";
  static constexpr auto value = [](const auto& x) TAPELESS_INLINE_LAMBDA { return math::atanh(x); };
  static constexpr of_batch lanes{[](const auto& x) TAPELESS_INLINE_LAMBDA { return atanh(x); }};
  static constexpr rules partials{[](auto x, auto) { return 1_c / ((1_c - x) * (1_c + x)); }};
  static constexpr double samples[][1] = {{0.5}, {-0.25}};
};

}  // namespace tapeless::operation
