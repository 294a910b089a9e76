#pragma once

#include <tapeless/operation/scalar/arithmetic.hpp>
#include <tapeless/operation/scalar/selection.hpp>

namespace tapeless {

namespace operation {

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

/// x^y. An exponent that is an integer constant makes it a product; a stopped or constant exponent never
/// instantiates the logarithm. At x = 0 the derivative in y counts as 0, and that in x too if y = 0.
struct Pow {
  TAPELESS_COMPUTED_BY(pow)
  static constexpr auto role = opcode::power;
  static constexpr rules partials{[](auto x, auto y, auto r) {
                                    // At y = 0 the same in a form that does not overflow, not a constant: the
                                    // derivative of this by y is not 0.
                                    return where(y == 0_c, where(x == 0_c, 0_c, y / x * r), y * pow(x, y - 1_c));
                                  },
                                  [](auto x, auto, auto r) { return where(x == 0_c, 0_c, r * log(x)); }};
  static constexpr double samples[][2] = {{1.5, -0.25}, {0.3, 2.0}, {2.0, 3.5}};
};

/// x * x
struct Square {
  static constexpr std::string_view name = "square";
  static constexpr auto expand = [](auto x) { return x * x; };
  static constexpr rules partials{[](auto x, auto) { return 2_c * x; }};
  static constexpr double samples[][1] = {{1.5}, {-0.25}};
};

/// The square root; its derivative at 0 is +infinity.
TAPELESS_MATH_FUNCTION(Sqrt, sqrt, [](auto, auto y) { return (constant<1, 2> / y); }, {1.5}, {0.25})

/// The cube root; its derivative at 0 is +infinity.
TAPELESS_MATH_FUNCTION(Cbrt, cbrt, [](auto, auto y) { return (constant<1, 3> / (y * y)); }, {1.5}, {-0.25})

/// sqrt(x^2 + y^2) without overflow; gradient 0 at the origin.
struct Hypot {
  TAPELESS_COMPUTED_BY(hypot)
  static constexpr rules partials{[](auto x, auto, auto r) { return where(r == 0_c, 0_c, x / r); },
                                  [](auto, auto y, auto r) { return where(r == 0_c, 0_c, y / r); }};
  static constexpr double samples[][2] = {{1.5, -0.25}, {-3.0, 2.0}};
};

}  // namespace operation

/// x to the power y; `pow(x, constant<3>)` is a product.
template <Operand... Es>
  requires(sizeof...(Es) == 2)
TAPELESS_ALWAYS_INLINE constexpr auto pow(Es... es) {
  return []<class X, class Y>(const X& base, const Y& exponent) {
    if constexpr (is_zero<Y>)
      return One{};
    else if constexpr (is_one<Y>)
      return detail::as_number(base);
    else
      return apply<operation::Pow>(base, exponent);
  }(es...);
}

}  // namespace tapeless
