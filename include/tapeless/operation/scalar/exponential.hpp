#pragma once

#include <tapeless/operation/scalar/arithmetic.hpp>
#include <tapeless/operation/scalar/selection.hpp>

namespace tapeless::operation {

/// ln 2
TAPELESS_CONSTANT(LnTwo, "ln2", 0.693147180559945309417232121458176568L, math::log(T(2)))

/// ln 10
TAPELESS_CONSTANT(LnTen, "ln10", 2.302585092994045684017991454684364208L, math::log(T(10)))

/// e^x
TAPELESS_MATH_FUNCTION(Exp, exp, [](auto, auto y) { return y; }, {1.5}, {-0.25})

/// e^x of an operand of a logsumexp minus the result: a finished program shares its parts, see fold.hpp.
struct SoftmaxExp {
  static constexpr std::string_view name = "exp";
  static constexpr auto value = Exp::value;
  static constexpr rules partials{[](auto, auto y) { return y; }};
};

/// 2^x
TAPELESS_MATH_FUNCTION(Exp2, exp2, [](auto, auto y) { return y * mathematical_constant<LnTwo>; }, {1.5}, {-0.25})

/// e^x - 1, accurate near 0
TAPELESS_MATH_FUNCTION(Expm1, expm1, [](auto x, auto) { return exp(x); }, {1.5}, {-0.25})

/// The natural logarithm
TAPELESS_MATH_FUNCTION(Log, log, [](auto x, auto) { return 1_c / x; }, {1.5}, {0.25})

/// The logarithm to base 2
TAPELESS_MATH_FUNCTION(Log2, log2, [](auto x, auto) { return 1_c / (x * mathematical_constant<LnTwo>); }, {1.5}, {0.25})

/// The logarithm to base 10
TAPELESS_MATH_FUNCTION(Log10, log10, [](auto x, auto) { return 1_c / (x * mathematical_constant<LnTen>); }, {1.5},
                       {0.25})

/// log(1 + x), accurate near 0
TAPELESS_MATH_FUNCTION(Log1p, log1p, [](auto x, auto) { return 1_c / (1_c + x); }, {1.5}, {-0.25})

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
