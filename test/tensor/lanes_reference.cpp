#include "lanes_reference.hpp"

#include <boost/math/special_functions/acosh.hpp>
#include <boost/math/special_functions/asinh.hpp>
#include <boost/math/special_functions/atanh.hpp>
#include <boost/math/special_functions/cbrt.hpp>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/expm1.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/special_functions/log1p.hpp>
#include <boost/math/special_functions/trigamma.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>

#include <algorithm>

namespace tapeless_test::reference {

namespace {

using wide = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<40>, boost::multiprecision::et_off>;

long double rounded(const wide& x) { return static_cast<long double>(x); }

}  // namespace

// The number type's own functions.
#define TAPELESS_TEST_DEFINE(NAME)                                                                                     \
  long double NAME(double x) { return rounded(NAME(wide(x))); }
TAPELESS_TEST_DEFINE(sqrt)
TAPELESS_TEST_DEFINE(exp)
TAPELESS_TEST_DEFINE(exp2)
TAPELESS_TEST_DEFINE(log)
TAPELESS_TEST_DEFINE(log10)
TAPELESS_TEST_DEFINE(sin)
TAPELESS_TEST_DEFINE(cos)
TAPELESS_TEST_DEFINE(tan)
TAPELESS_TEST_DEFINE(asin)
TAPELESS_TEST_DEFINE(acos)
TAPELESS_TEST_DEFINE(atan)
TAPELESS_TEST_DEFINE(cosh)
#undef TAPELESS_TEST_DEFINE
// Boost.Math's, accurate near zeros as well.
#define TAPELESS_TEST_DEFINE(NAME)                                                                                     \
  long double NAME(double x) { return rounded(boost::math::NAME(wide(x))); }
TAPELESS_TEST_DEFINE(cbrt)
TAPELESS_TEST_DEFINE(expm1)
TAPELESS_TEST_DEFINE(log1p)
TAPELESS_TEST_DEFINE(asinh)
TAPELESS_TEST_DEFINE(acosh)
TAPELESS_TEST_DEFINE(atanh)
TAPELESS_TEST_DEFINE(erf)
TAPELESS_TEST_DEFINE(erfc)
TAPELESS_TEST_DEFINE(lgamma)
TAPELESS_TEST_DEFINE(tgamma)
TAPELESS_TEST_DEFINE(digamma)
TAPELESS_TEST_DEFINE(trigamma)
#undef TAPELESS_TEST_DEFINE

long double log2(double x) { return rounded(log(wide(x)) / log(wide(2))); }
long double sinh(double x) {
  const wide up = boost::math::expm1(abs(wide(x)));
  return rounded((x < 0 ? -1 : 1) * (up + up / (up + 1)) / 2);
}
long double tanh(double x) {
  const wide up = boost::math::expm1(wide(2 * std::clamp(x, -100.0, 100.0)));
  return rounded(up / (up + 2));
}
long double pow(double x, double y) { return rounded(pow(wide(x), wide(y))); }
long double atan2(double y, double x) { return rounded(atan2(wide(y), wide(x))); }
long double hypot(double x, double y) { return rounded(sqrt(wide(x) * wide(x) + wide(y) * wide(y))); }

}  // namespace tapeless_test::reference
