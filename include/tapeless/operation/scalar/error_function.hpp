#pragma once

#include <tapeless/operation/scalar/exponential.hpp>

namespace tapeless::operation {

/// 2 / sqrt(pi)
TAPELESS_CONSTANT(TwoOverSqrtPi, "2/sqrt(pi)", 1.128379167095512573896158903121545172L,
                  T(2) / math::sqrt(math::acos(T(-1))))

/// The error function
struct Erf {
  static constexpr std::string_view name = "erf";
  static constexpr auto value = [](const auto& x) TAPELESS_INLINE_LAMBDA { return math::erf(x); };
  static constexpr rules partials{[](auto x, auto) { return mathematical_constant<TwoOverSqrtPi> * exp(-(x * x)); }};
  static constexpr double samples[][1] = {{1.5}, {-0.25}};
};

/// 1 - erf(x), accurate for large x
struct Erfc {
  static constexpr std::string_view name = "erfc";
  static constexpr auto value = [](const auto& x) TAPELESS_INLINE_LAMBDA { return math::erfc(x); };
  static constexpr rules partials{[](auto x, auto) { return -(mathematical_constant<TwoOverSqrtPi> * exp(-(x * x))); }};
  static constexpr double samples[][1] = {{1.5}, {-0.25}};
};

/// erfc(x) and e^(-x x), which has the same exponential in it: a pair.
struct ErfcGaussian {
  static constexpr std::string_view name = "erfc_gaussian";
  static constexpr bool pair = true;
  static constexpr auto value = [](const auto& x) TAPELESS_INLINE_LAMBDA { return math::erfc_gaussian(x); };
};

}  // namespace tapeless::operation
