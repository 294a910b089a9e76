#ifndef TAPELESS_TEST_TENSOR_LANES_REFERENCE_HPP
#define TAPELESS_TEST_TENSOR_LANES_REFERENCE_HPP

/// The functions of simd.hpp, computed with 40 digits and rounded once, to `long double`: a thousandth of an ulp of a
/// double. In a source file of its own, which is compiled once for all instruction sets.
namespace tapeless_test::reference {

#define TAPELESS_TEST_UNARY_FUNCTIONS(X)                                                                               \
  X(sqrt)                                                                                                              \
  X(cbrt)                                                                                                              \
  X(exp)                                                                                                               \
  X(exp2)                                                                                                              \
  X(expm1) X(log) X(log2) X(log10) X(log1p) X(sin) X(cos) X(tan) X(asin) X(acos) X(atan) X(sinh) X(cosh) X(tanh)       \
      X(asinh) X(acosh) X(atanh) X(erf) X(erfc) X(lgamma) X(digamma) X(trigamma)
#define TAPELESS_TEST_BINARY_FUNCTIONS(X) X(pow) X(atan2) X(hypot)

#define TAPELESS_TEST_DECLARE(NAME) long double NAME(double x);
TAPELESS_TEST_UNARY_FUNCTIONS(TAPELESS_TEST_DECLARE)
#undef TAPELESS_TEST_DECLARE
#define TAPELESS_TEST_DECLARE(NAME) long double NAME(double x, double y);
TAPELESS_TEST_BINARY_FUNCTIONS(TAPELESS_TEST_DECLARE)
#undef TAPELESS_TEST_DECLARE

}  // namespace tapeless_test::reference

#endif
