#pragma once

#include <tapeless/operation/scalar/exponential.hpp>

namespace tapeless::operation {

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

}  // namespace tapeless::operation
