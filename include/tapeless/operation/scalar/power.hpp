#pragma once

#include <tapeless/operation/scalar/exponential.hpp>
#include <tapeless/operation/scalar/selection.hpp>

namespace tapeless {

namespace operation {

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
