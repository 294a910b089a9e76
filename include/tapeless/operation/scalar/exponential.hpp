#pragma once

#include <tapeless/operation/scalar/arithmetic.hpp>
#include <tapeless/operation/scalar/selection.hpp>

namespace tapeless::operation {

/// ln 2
TAPELESS_CONSTANT(LnTwo, "ln2", 0.693147180559945309417232121458176568L, math::log(T(2)))

/// ln 10
TAPELESS_CONSTANT(LnTen, "ln10", 2.302585092994045684017991454684364208L, math::log(T(10)))

/// e^x
struct Exp {
  static constexpr std::string_view name = "exp";
  static constexpr auto value = [](const auto& x) TAPELESS_INLINE_LAMBDA { return math::exp(x); };
  static constexpr rules partials{[](auto, auto y) { return y; }};
  static constexpr double samples[][1] = {{1.5}, {-0.25}};
};

/// e^x of an operand of a logsumexp minus the result: a finished program shares its parts, see fold.hpp.
struct SoftmaxExp {
  static constexpr std::string_view name = "exp";
  static constexpr auto value = Exp::value;
  static constexpr rules partials{[](auto, auto y) { return y; }};
};

/// 2^x
struct Exp2 {
  static constexpr std::string_view name = "exp2";
  static constexpr auto value = [](const auto& x) TAPELESS_INLINE_LAMBDA { return math::exp2(x); };
  static constexpr rules partials{[](auto, auto y) { return y * mathematical_constant<LnTwo>; }};
  static constexpr double samples[][1] = {{1.5}, {-0.25}};
};

/// e^x - 1, accurate near 0
struct Expm1 {
  static constexpr std::string_view name = "expm1";
  static constexpr auto value = [](const auto& x) TAPELESS_INLINE_LAMBDA { return math::expm1(x); };
  static constexpr rules partials{[](auto x, auto) { return exp(x); }};
  static constexpr double samples[][1] = {{1.5}, {-0.25}};
};

/// The natural logarithm
struct Log {
  static constexpr std::string_view name = "log";
  static constexpr auto value = [](const auto& x) TAPELESS_INLINE_LAMBDA { return math::log(x); };
  static constexpr rules partials{[](auto x, auto) { return 1_c / x; }};
  static constexpr double samples[][1] = {{1.5}, {0.25}};
};

/// The logarithm to base 2
struct Log2 {
  static constexpr std::string_view name = "log2";
  static constexpr auto value = [](const auto& x) TAPELESS_INLINE_LAMBDA { return math::log2(x); };
  static constexpr rules partials{[](auto x, auto) { return 1_c / (x * mathematical_constant<LnTwo>); }};
  static constexpr double samples[][1] = {{1.5}, {0.25}};
};

/// The logarithm to base 10
struct Log10 {
  static constexpr std::string_view name = "log10";
  static constexpr auto value = [](const auto& x) TAPELESS_INLINE_LAMBDA { return math::log10(x); };
  static constexpr rules partials{[](auto x, auto) { return 1_c / (x * mathematical_constant<LnTen>); }};
  static constexpr double samples[][1] = {{1.5}, {0.25}};
};

/// log(1 + x), accurate near 0
struct Log1p {
  static constexpr std::string_view name = "log1p";
  static constexpr auto value = [](const auto& x) TAPELESS_INLINE_LAMBDA { return math::log1p(x); };
  static constexpr rules partials{[](auto x, auto) { return 1_c / (1_c + x); }};
  static constexpr double samples[][1] = {{1.5}, {-0.25}};
};

/// 1 / (1 + e^-x), written so that no exponential overflows
struct Sigmoid {
  static constexpr std::string_view name = "sigmoid";
  static constexpr auto expand = [](auto x) {
    const auto e = exp(-abs(x));
    return where(x < 0_c, e, 1_c) / (1_c + e);
  };
  // y * (1 - y) would lose the small tail of large x.
  static constexpr rules partials{[](auto x, auto y) { return y * sigmoid(-x); }};
  static constexpr double samples[][1] = {{1.5}, {-0.25}, {-30.0}};
};

/// log(1 + e^x), written so that no exponential overflows
struct Softplus {
  static constexpr std::string_view name = "softplus";
  static constexpr auto expand = [](auto x) { return relu(x) + log1p(exp(-abs(x))); };
  static constexpr rules partials{[](auto x, auto) { return sigmoid(x); }};
  static constexpr double samples[][1] = {{1.5}, {-0.25}, {-30.0}};
};

}  // namespace tapeless::operation
