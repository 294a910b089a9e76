#pragma once

#include <tapeless/math/polygamma.hpp>
#include <tapeless/operation/definition/functions.hpp>
#include <tapeless/operation/scalar/arithmetic.hpp>
#include <tapeless/operation/scalar/exponential.hpp>

namespace tapeless {

namespace operation {

/// 2 / sqrt(pi)
TAPELESS_CONSTANT(TwoOverSqrtPi, "2/sqrt(pi)", 1.128379167095512573896158903121545172L,
                  T(2) / math::sqrt(math::acos(T(-1))))

/// The error function
TAPELESS_MATH_FUNCTION(Erf, erf, [](auto x, auto) { return mathematical_constant<TwoOverSqrtPi> * exp(-(x * x)); },
                       {1.5}, {-0.25})

/// 1 - erf(x), accurate for large x
TAPELESS_MATH_FUNCTION(Erfc, erfc, [](auto x, auto) { return -(mathematical_constant<TwoOverSqrtPi> * exp(-(x * x))); },
                       {1.5}, {-0.25})

/// erfc(x) and e^(-x x), which has the same exponential in it: a pair.
struct ErfcGaussian {
  TAPELESS_COMPUTED_BY(erfc_gaussian)
  static constexpr bool pair = true;
};

/// The derivative of order N + 1 of log |gamma(x)|
template <int N>
struct Polygamma {
  static constexpr std::string_view name = N == 0 ? "digamma" : N == 1 ? "trigamma" : "polygamma";
  static constexpr auto value = [](const auto& x) TAPELESS_INLINE_LAMBDA {
    if constexpr (requires { polygamma_lanes<N>(x); })
      return polygamma_lanes<N>(x);
    else
      return math::polygamma<N>(x);
  };
  static constexpr rules partials{[](auto x, auto) { return apply<Polygamma<N + 1>>(x); }};
  static constexpr double samples[][1] = {{1.5}, {0.25}, {-2.75}, {20.5}};
};

/// log |gamma(x)|
TAPELESS_MATH_FUNCTION(Lgamma, lgamma, [](auto x, auto) { return apply<Polygamma<0>>(x); }, {1.5}, {0.25}, {-2.75},
                       {20.5})

}  // namespace operation

/// The derivative of lgamma, for float, double and long double.
TAPELESS_FUNCTION_OF(1, digamma, operation::Polygamma<0>)
/// The derivative of digamma, for float, double and long double.
TAPELESS_FUNCTION_OF(1, trigamma, operation::Polygamma<1>)

}  // namespace tapeless
