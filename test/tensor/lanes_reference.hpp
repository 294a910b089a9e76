#ifndef TAPELESS_TEST_TENSOR_LANES_REFERENCE_HPP
#define TAPELESS_TEST_TENSOR_LANES_REFERENCE_HPP

/// The functions of simd.hpp, computed with 40 digits and rounded once, to `long double`: a thousandth of an ulp of a
/// double. In a source file of its own, which is compiled once for all instruction sets.
namespace tapeless_test::reference {

long double sqrt(double x);
long double cbrt(double x);
long double exp(double x);
long double exp2(double x);
long double expm1(double x);
long double log(double x);
long double log2(double x);
long double log10(double x);
long double log1p(double x);
long double sin(double x);
long double cos(double x);
long double tan(double x);
long double asin(double x);
long double acos(double x);
long double atan(double x);
long double sinh(double x);
long double cosh(double x);
long double tanh(double x);
long double asinh(double x);
long double acosh(double x);
long double atanh(double x);
long double erf(double x);
long double erfc(double x);
long double lgamma(double x);
long double tgamma(double x);
long double digamma(double x);
long double trigamma(double x);
long double pow(double x, double y);
long double atan2(double y, double x);
long double hypot(double x, double y);

}  // namespace tapeless_test::reference

#endif
