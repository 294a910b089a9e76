#ifndef TAPELESS_TEST_OPERATION_DEFINITIONS_HPP
#define TAPELESS_TEST_OPERATION_DEFINITIONS_HPP

#include <tapeless/operation/list.hpp>

#include <boost/math/constants/constants.hpp>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>

/// The operations in numbers of many digits, by their definitions and by Boost.
namespace tapeless_test {

template <class Op>
struct defined;
#define DEFINE(OPERATION, ...)                                                                                         \
  template <>                                                                                                          \
  struct defined<tapeless::operation::OPERATION> {                                                                     \
    template <class R>                                                                                                 \
    static R at([[maybe_unused]] const R& a, [[maybe_unused]] const R& b) {                                            \
      return __VA_ARGS__;                                                                                              \
    }                                                                                                                  \
  };
DEFINE(Add, a + b)
DEFINE(Subtract, a - b)
DEFINE(Multiply, a* b)
DEFINE(Divide, a / b)
DEFINE(Negate, -a)
DEFINE(Sign, a > 0 ? R(1) : R(-1))
DEFINE(Abs, abs(a))
DEFINE(Relu, a > 0 ? a : R(0))
DEFINE(Floor, floor(a))
DEFINE(Ceil, ceil(a))
DEFINE(Round, round(a))
DEFINE(Pow, pow(a, b))
DEFINE(Square, a* a)
DEFINE(Sqrt, sqrt(a))
DEFINE(Cbrt, a < 0 ? R(-pow(-a, R(1) / 3)) : R(pow(a, R(1) / 3)))
DEFINE(Hypot, sqrt(a* a + b * b))
DEFINE(Exp, exp(a))
DEFINE(Exp2, pow(R(2), a))
DEFINE(Expm1, exp(a) - 1)
DEFINE(Log, log(a))
DEFINE(Log2, log(a) / log(R(2)))
DEFINE(Log10, log10(a))
DEFINE(Log1p, log(1 + a))
DEFINE(Sigmoid, 1 / (1 + exp(-a)))
DEFINE(Softplus, log(1 + exp(a)))
DEFINE(Sin, sin(a))
DEFINE(Cos, cos(a))
DEFINE(Tan, tan(a))
DEFINE(Asin, asin(a))
DEFINE(Acos, acos(a))
DEFINE(Atan, atan(a))
DEFINE(Atan2, atan2(a, b))
DEFINE(Sinh, sinh(a))
DEFINE(Cosh, cosh(a))
DEFINE(Tanh, tanh(a))
DEFINE(Asinh, a < 0 ? R(-log(-a + sqrt(a * a + 1))) : R(log(a + sqrt(a * a + 1))))
DEFINE(Acosh, log(a + sqrt(a * a - 1)))
DEFINE(Atanh, log((1 + a) / (1 - a)) / 2)
DEFINE(Erf, boost::math::erf(a))
DEFINE(Erfc, boost::math::erfc(a))
DEFINE(Lgamma, boost::math::lgamma(a))
DEFINE(Polygamma<0>, boost::math::digamma(a))
DEFINE(Polygamma<1>, boost::math::trigamma(a))
DEFINE(Trunc, a < 0 ? R(ceil(a)) : R(floor(a)))
DEFINE(Fmod, fmod(a, b))
DEFINE(Copysign, (a < 0) == (b < 0) ? a : R(-a))
DEFINE(Tgamma, boost::math::tgamma(a))
DEFINE(NormalCdf, boost::math::erfc(R(-a / sqrt(R(2)))) / 2)
DEFINE(LogNormalCdf, log(boost::math::erfc(R(-a / sqrt(R(2)))) / 2))
DEFINE(NormalHazard, exp(-a* a / 2) / sqrt(boost::math::constants::pi<R>() / 2) / boost::math::erfc(R(-a / sqrt(R(2)))))
#undef DEFINE

template <class F, class R>
R first_difference(F f, const R& at, const R& step) {
  return (8 * (f(at + step) - f(at - step)) - (f(at + 2 * step) - f(at - 2 * step))) / (12 * step);
}
template <class F, class R>
R second_difference(F f, const R& at, const R& step) {
  return (f(at + step) - 2 * f(at) + f(at - step)) / (step * step);
}

}  // namespace tapeless_test

#endif
