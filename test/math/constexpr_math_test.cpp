// SPDX-License-Identifier: BSL-1.0
// Accuracy of the functions for constant evaluation, measured at run time, where they do the same arithmetic: against
// Boost.Multiprecision with 50 decimal digits, 90 where long double has 113 binary ones, for sin, cos and tan of large
// numbers 400.
#include <tapeless/math/constexpr_math.hpp>

#include <algorithm>
#include <boost/math/special_functions.hpp>
#include <boost/multiprecision/cpp_dec_float.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <random>
#include <tuple>
#include <vector>

namespace mp = boost::multiprecision;
namespace m = tapeless::constexpr_math;

namespace {

using Decimal = mp::number<mp::cpp_dec_float<std::numeric_limits<long double>::digits <= 64 ? 50 : 90>, mp::et_off>;
using LongDecimal = mp::number<mp::cpp_dec_float<400>, mp::et_off>;
using Types = std::tuple<float, double, long double>;

constexpr int count = 100;

template <class T>
using limits = std::numeric_limits<T>;

/// The distance of a result from the reference in units in the last place of the reference.
template <class T, class D>
double ulps(T got, const D& reference) {
  int exponent = 0;
  std::frexp(static_cast<T>(reference), &exponent);
  const int last_place = std::max(exponent, limits<T>::min_exponent) - limits<T>::digits;
  return static_cast<double>(abs(D(got) - reference) / D(std::ldexp(T(1), last_place)));
}

/// `count` numbers equally likely anywhere between two bounds, and the bounds.
template <class T>
std::vector<T> between(T low, T high) {
  std::mt19937_64 random(count);
  std::vector<T> points = {low, high};
  for (int i = 0; i < count; ++i)
    points.push_back(std::clamp(low + (high - low) * (static_cast<T>(random() >> 11) * T(0x1p-53)), low, high));
  return points;
}

/// `count` numbers with random binary exponents in a range, added to `centre`, half of them negated if `both`.
template <class T>
std::vector<T> scattered(int low, int high, bool both, T centre = 0) {
  std::mt19937_64 random(count);
  std::vector<T> points;
  for (int i = 0; i < count; ++i) {
    const T significand = 1 + static_cast<T>(random() >> 11) * T(0x1p-53);
    const T x = std::ldexp(significand, low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1)));
    points.push_back(centre + (both && i % 2 == 0 ? -x : x));
  }
  return points;
}

template <class T>
constexpr int lowest = limits<T>::min_exponent - limits<T>::digits;  // binary exponent of the smallest subnormal number

template <class T>
constexpr int highest = limits<T>::max_exponent - 1;

/// A function differs by at most one ulp from its reference.
template <class D = Decimal, class T, class Function, class Reference>
void check(Function function, Reference reference, std::initializer_list<std::vector<T>> sets) {
  for (const std::vector<T>& points : sets)
    for (const T x : points) BOOST_TEST_CONTEXT("x = " << x) BOOST_TEST(ulps(function(x), D(reference(D(x)))) <= 1);
}

/// The same for two arguments, taken in pairs.
template <class T, class Function, class Reference>
void check(Function function, Reference reference, const std::vector<T>& xs, const std::vector<T>& ys) {
  for (std::size_t i = 0; i < xs.size(); ++i) BOOST_TEST_CONTEXT("x = " << xs[i] << ", y = " << ys[i])
  BOOST_TEST(ulps(function(xs[i], ys[i]), Decimal(reference(Decimal(xs[i]), Decimal(ys[i])))) <= 1);
}

using D = Decimal;

/// Just below the x where exp(x) overflows.
template <class T>
const T exp_bound = std::log(limits<T>::max()) * (1 - 2 * limits<T>::epsilon());

BOOST_AUTO_TEST_SUITE(constexpr_math)

BOOST_AUTO_TEST_CASE_TEMPLATE(roots, T, Types) {
  const auto positive = scattered<T>(lowest<T>, highest<T>, false);
  const auto any = scattered<T>(lowest<T>, highest<T>, true);
  check<D, T>([](T x) { return m::sqrt(x); }, [](D x) { return sqrt(x); }, {positive});
  check<D, T>([](T x) { return m::cbrt(x); }, [](D x) { return cbrt(x); }, {any});
  const auto length = [](D x, D y) { return sqrt(x * x + y * y); };
  const auto hypot = [](T x, T y) { return m::hypot(x, y); };
  check<T>(hypot, length, scattered<T>(-20, 20, true), between<T>(-1000, 1000));
  auto tail = any;
  for (T& x : tail) x *= T(0.3);
  check<T>(hypot, length, any, tail);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(exponentials, T, Types) {
  const T bound = exp_bound<T>;
  const auto near_zero = scattered<T>(lowest<T>, 4, true);
  check<D, T>([](T x) { return m::exp(x); }, [](D x) { return exp(x); }, {between<T>(-bound - 10, bound), near_zero});
  check<D, T>([](T x) { return m::exp2(x); }, [](D x) { return pow(D(2), x); },
              {between<T>(lowest<T>, highest<T>), scattered<T>(-60, 4, true)});
  check<D, T>([](T x) { return m::expm1(x); }, [](D x) { return boost::math::expm1(x); },
              {between<T>(-70, 70), between<T>(-1, 1), near_zero});
}

BOOST_AUTO_TEST_CASE_TEMPLATE(logarithms, T, Types) {
  const auto all = scattered<T>(lowest<T>, highest<T>, false);
  const auto near_one = scattered<T>(-limits<T>::digits, -2, true, 1);
  check<D, T>([](T x) { return m::log(x); }, [](D x) { return log(x); }, {all, near_one});
  check<D, T>([](T x) { return m::log2(x); }, [](D x) { return log(x) / log(D(2)); }, {all, near_one});
  check<D, T>([](T x) { return m::log10(x); }, [](D x) { return log(x) / log(D(10)); }, {all, near_one});
  check<D, T>([](T x) { return m::log1p(x); }, [](D x) { return boost::math::log1p(x); },
              {all, scattered<T>(lowest<T>, -1, true)});
}

BOOST_AUTO_TEST_CASE_TEMPLATE(powers, T, Types) {
  const auto power = [](T x, T y) { return m::pow(x, y); };
  const auto reference = [](D x, D y) { return pow(x, y); };
  check<T>(power, reference, between<T>(T(0.001), 10), between<T>(-10, 10));
  // The whole range of results, from bases anywhere and bases near one.
  for (const auto& bases :
       {scattered<T>(lowest<T>, highest<T>, false), scattered<T>(2 - limits<T>::digits, -2, true, 1)}) {
    auto exponents = between<T>(lowest<T>, highest<T>);
    exponents.resize(bases.size());
    for (std::size_t i = 0; i < bases.size(); ++i) exponents[i] /= std::log2(bases[i]);
    check<T>(power, reference, bases, exponents);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(trigonometric, T, Types) {
  const auto sin = [](T x) { return m::sin(x); };
  const auto cos = [](T x) { return m::cos(x); };
  const auto tan = [](T x) { return m::tan(x); };
  std::vector<T> multiples;
  for (int k = 1; k < count; ++k) multiples.push_back(static_cast<T>(k) * T(1.57079632679489661923L));
  for (const auto& points : {between<T>(-8, 8), scattered<T>(lowest<T>, 3, true), multiples}) {
    check<D, T>(sin, [](D x) { return D(mp::sin(x)); }, {points});
    check<D, T>(cos, [](D x) { return D(mp::cos(x)); }, {points});
    check<D, T>(tan, [](D x) { return D(mp::tan(x)); }, {points});
  }
  auto large = scattered<T>(10, std::min(highest<T>, 1023), true);
  large.resize(40);
  using L = LongDecimal;
  check<L, T>(sin, [](L x) { return L(mp::sin(x)); }, {large});
  check<L, T>(cos, [](L x) { return L(mp::cos(x)); }, {large});
  check<L, T>(tan, [](L x) { return L(mp::tan(x)); }, {large});
}

BOOST_AUTO_TEST_CASE_TEMPLATE(inverse_trigonometric, T, Types) {
  const auto small = scattered<T>(lowest<T>, -1, true);
  const auto near_one = scattered<T>(-limits<T>::digits, -2, false, -1);
  check<D, T>([](T x) { return m::asin(x); }, [](D x) { return asin(x); }, {between<T>(-1, 1), small, near_one});
  check<D, T>([](T x) { return m::acos(x); }, [](D x) { return acos(x); }, {between<T>(-1, 1), small, near_one});
  const auto all = scattered<T>(lowest<T>, highest<T>, true);
  check<D, T>([](T x) { return m::atan(x); }, [](D x) { return atan(x); }, {between<T>(-2, 2), all});
  const auto angle = [](T y, T x) { return m::atan2(y, x); };
  const auto reference = [](D y, D x) { return atan2(y, x); };
  check<T>(angle, reference, scattered<T>(-30, 10, true), between<T>(-5, 5));
  check<T>(angle, reference, all, between<T>(-5, 5));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(hyperbolic, T, Types) {
  const T bound = exp_bound<T>;
  const auto small = scattered<T>(lowest<T>, 3, true);
  const auto wide = between<T>(-bound, bound + T(0.5));
  check<D, T>([](T x) { return m::sinh(x); }, [](D x) { return sinh(x); }, {between<T>(-3, 3), small, wide});
  check<D, T>([](T x) { return m::cosh(x); }, [](D x) { return cosh(x); }, {between<T>(-3, 3), small, wide});
  check<D, T>([](T x) { return m::tanh(x); }, [](D x) { return tanh(x); }, {between<T>(-3, 3), small});
}

BOOST_AUTO_TEST_CASE_TEMPLATE(inverse_hyperbolic, T, Types) {
  const auto all = scattered<T>(lowest<T>, highest<T>, true);
  check<D, T>([](T x) { return m::asinh(x); }, [](D x) { return boost::math::asinh(x); }, {between<T>(-3, 3), all});
  check<D, T>(
      [](T x) { return m::acosh(x); }, [](D x) { return boost::math::acosh(x); },
      {between<T>(1, 3), scattered<T>(1, highest<T>, false), scattered<T>(1 - limits<T>::digits, -2, false, 1)});
  check<D, T>([](T x) { return m::atanh(x); }, [](D x) { return boost::math::atanh(x); },
              {between<T>(T(-0.99), T(0.99)), scattered<T>(lowest<T>, -1, true),
               scattered<T>(-limits<T>::digits, -2, false, -1)});
}

BOOST_AUTO_TEST_CASE_TEMPLATE(error_functions, T, Types) {
  const T last = std::sqrt(exp_bound<T>);  // erfc is subnormal soon after
  check<D, T>([](T x) { return m::erf(x); }, [](D x) { return boost::math::erf(x); },
              {between<T>(-3, 3), between<T>(-8, 8), scattered<T>(lowest<T>, 2, true)});
  check<D, T>([](T x) { return m::erfc(x); }, [](D x) { return boost::math::erfc(x); },
              {between<T>(-3, 3), between<T>(T(1.75), T(2.25)), between<T>(0, last), scattered<T>(lowest<T>, 1, true)});
}

BOOST_AUTO_TEST_CASE_TEMPLATE(log_gamma, T, Types) {
  // In extended precision the stored coefficients of 64 digits limit the accuracy.
  const double lost = std::ldexp(1., std::max(0, limits<T>::digits - 64));
  const double bound = limits<T>::digits > 53 ? 2 * lost : 1;
  for (const auto& points :
       {between<T>(T(0.001), 3), between<T>(2, 30), scattered<T>(2 - limits<T>::digits, -3, true, 1),
        scattered<T>(3 - limits<T>::digits, -3, true, 2), scattered<T>(-60, 60, false)})
    for (const T x : points)
      BOOST_TEST_CONTEXT("x = " << x) BOOST_TEST(ulps(m::lgamma(x), D(boost::math::lgamma(D(x)))) <= bound);
  for (const T x : between<T>(T(-30.3), T(-0.01))) {
    const D reference = boost::math::lgamma(D(x));
    const D error = abs(D(m::lgamma(x)) - reference) / limits<T>::epsilon();
    BOOST_TEST_CONTEXT("x = " << x) BOOST_TEST(static_cast<double>(error - lost * abs(reference)) <= lost / 8);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
