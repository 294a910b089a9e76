// Every function that is known by its name: its name, its operation, and of how many operands. No include guard:
// whoever derives something from the list defines TAPELESS_FUNCTION, or TAPELESS_C_FUNCTION for those that the C
// library has too, and includes it.
#ifndef TAPELESS_FUNCTION
#define TAPELESS_FUNCTION(NAME, OPERATION, COUNT)
#endif
#ifndef TAPELESS_C_FUNCTION
#define TAPELESS_C_FUNCTION(NAME, OPERATION, COUNT) TAPELESS_FUNCTION(NAME, OPERATION, COUNT)
#endif

/// -1, 0 or 1 for negative, zero or positive x; derivative `Zero`.
TAPELESS_FUNCTION(sign, Sign, 1)
/// |x|; derivative sign(x), which is 0 at 0.
TAPELESS_C_FUNCTION(abs, Abs, 1)
/// max(x, 0); the derivative is 1 for x > 0, otherwise 0.
TAPELESS_FUNCTION(relu, Relu, 1)
/// The largest integer not above x; derivative `Zero`.
TAPELESS_C_FUNCTION(floor, Floor, 1)
/// The smallest integer not below x; derivative `Zero`.
TAPELESS_C_FUNCTION(ceil, Ceil, 1)
/// The nearest integer, with halves away from zero like `std::round`; derivative `Zero`.
TAPELESS_C_FUNCTION(round, Round, 1)
/// x * x.
TAPELESS_FUNCTION(square, Square, 1)
/// The square root; NaN below 0, with derivative +infinity at 0.
TAPELESS_C_FUNCTION(sqrt, Sqrt, 1)
/// The real cube root; derivative +infinity at 0.
TAPELESS_C_FUNCTION(cbrt, Cbrt, 1)
/// sqrt(x^2 + y^2) without overflow; gradient 0 at the origin.
TAPELESS_C_FUNCTION(hypot, Hypot, 2)
/// e^x; overflows to infinity, as in the C library.
TAPELESS_C_FUNCTION(exp, Exp, 1)
/// 2^x; overflows to infinity, as in the C library.
TAPELESS_C_FUNCTION(exp2, Exp2, 1)
/// e^x - 1, accurate near 0.
TAPELESS_C_FUNCTION(expm1, Expm1, 1)
/// The natural logarithm; -infinity at 0, NaN below.
TAPELESS_C_FUNCTION(log, Log, 1)
/// The logarithm to base 2; -infinity at 0, NaN below.
TAPELESS_C_FUNCTION(log2, Log2, 1)
/// The logarithm to base 10; -infinity at 0, NaN below.
TAPELESS_C_FUNCTION(log10, Log10, 1)
/// log(1 + x), accurate near 0; -infinity at -1, NaN below.
TAPELESS_C_FUNCTION(log1p, Log1p, 1)
/// The logistic function 1 / (1 + e^-x); finite and accurate for every x.
TAPELESS_FUNCTION(sigmoid, Sigmoid, 1)
/// log(1 + e^x); finite and accurate for every x; its derivative is the sigmoid.
TAPELESS_FUNCTION(softplus, Softplus, 1)
/// The sine of an angle in radians; NaN at infinity.
TAPELESS_C_FUNCTION(sin, Sin, 1)
/// The cosine of an angle in radians; NaN at infinity.
TAPELESS_C_FUNCTION(cos, Cos, 1)
/// The tangent of an angle in radians; NaN at infinity.
TAPELESS_C_FUNCTION(tan, Tan, 1)
/// The arc sine, in [-pi/2, pi/2]; NaN outside [-1, 1].
TAPELESS_C_FUNCTION(asin, Asin, 1)
/// The arc cosine, in [0, pi]; NaN outside [-1, 1].
TAPELESS_C_FUNCTION(acos, Acos, 1)
/// The arc tangent, in [-pi/2, pi/2].
TAPELESS_C_FUNCTION(atan, Atan, 1)
/// `atan2(y, x)`: the angle of the point (x, y), in (-pi, pi].
TAPELESS_C_FUNCTION(atan2, Atan2, 2)
/// The hyperbolic sine.
TAPELESS_C_FUNCTION(sinh, Sinh, 1)
/// The hyperbolic cosine.
TAPELESS_C_FUNCTION(cosh, Cosh, 1)
/// The hyperbolic tangent.
TAPELESS_C_FUNCTION(tanh, Tanh, 1)
/// The inverse of sinh.
TAPELESS_C_FUNCTION(asinh, Asinh, 1)
/// The inverse of cosh, nonnegative; NaN below 1.
TAPELESS_C_FUNCTION(acosh, Acosh, 1)
/// The inverse of tanh; infinite at -1 and 1, NaN outside.
TAPELESS_C_FUNCTION(atanh, Atanh, 1)
/// The error function.
TAPELESS_C_FUNCTION(erf, Erf, 1)
/// 1 - erf(x), accurate where that is small.
TAPELESS_C_FUNCTION(erfc, Erfc, 1)
/// log |gamma(x)|; +infinity at 0, -1, -2, ... Its derivative is digamma.
TAPELESS_C_FUNCTION(lgamma, Lgamma, 1)
/// The nearest integer towards zero; derivative `Zero`.
TAPELESS_FUNCTION(trunc, Trunc, 1)
/// The gamma function, for float, double and long double. Over tensors, the C library computes one element after
/// another, as for lgamma.
TAPELESS_C_FUNCTION(tgamma, Tgamma, 1)
/// The remainder of x / y with the sign of x: x - trunc(x / y) y; NaN for y = 0. Its derivatives are 1 and
/// -trunc(x / y). Over tensors, the C library computes one element after another.
TAPELESS_C_FUNCTION(fmod, Fmod, 2)
/// |x| with the sign of y. The derivative with respect to y is `Zero`, and with respect to x at 0 it is 0.
TAPELESS_FUNCTION(copysign, Copysign, 2)
/// The probability that a standard normal variable is below x. Its relative error is x^2 times that of x.
TAPELESS_FUNCTION(normal_cdf, NormalCdf, 1)
/// The logarithm of `normal_cdf(x)`, also where that underflows. The relative error of the value and of the derivative,
/// the inverse Mills ratio, is about 1e-14.
TAPELESS_FUNCTION(log_normal_cdf, LogNormalCdf, 1)

#undef TAPELESS_C_FUNCTION
#undef TAPELESS_FUNCTION
