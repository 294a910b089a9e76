// Infinities, NaN, signed zeros and subnormal numbers: the values are the C library's, the derivatives have the limits
// of their closed forms.
#include <tapeless/tapeless.hpp>

#include <boost/test/unit_test.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

using namespace tapeless;

namespace {

constexpr auto x = variable<"x">;
constexpr auto y = variable<"y">;

template <class T>
constexpr T infinity = std::numeric_limits<T>::infinity();
template <class T>
constexpr T quiet = std::numeric_limits<T>::quiet_NaN();
template <class T>
constexpr T tiny = std::numeric_limits<T>::denorm_min();

template <class T>
void same(const T& computed, const T& expected, const std::string& what) {
  const bool equal = std::isnan(expected) ? std::isnan(computed)
                                          : computed == expected && std::signbit(computed) == std::signbit(expected);
  BOOST_CHECK_MESSAGE(equal, what << ": " << computed << " instead of " << expected);
}

template <class T>
struct special {
  T at, value, slope;
};

/// The value at each place against the C library's, the slope against the table.
template <class T, class F, std::size_t N>
void check(const char* name, const F& f, const special<T> (&table)[N]) {
  for (const auto& [at, value, slope] : table) {
    const std::string where_ = std::string(name) + " at " + std::to_string(at);
    const auto here = value_and_gradient(f, wrt(x), unconnected::materialise)(x = at);
    same<T>(here.value, value, where_);
    same<T>(here.gradient[x], slope, where_ + ", slope");
    same<T>(static_cast<T>(jvp(f, tangent(x = T(1)))(x = at)), slope, where_ + ", forward");
    same<T>(stop_gradient(f)(x = at), value, where_ + ", stopped");
  }
  const auto nothing = value_and_gradient(f, wrt(x), unconnected::materialise)(x = quiet<T>);
  BOOST_CHECK_MESSAGE(std::isnan(static_cast<T>(nothing.value)), name << " of NaN");
}

template <class T>
void check_all() {
  constexpr T inf = infinity<T>, nan = quiet<T>, small = tiny<T>, half = std::numeric_limits<T>::min() / 2;
  const T overflown = 2 * std::log(std::numeric_limits<T>::max());
  check<T>("exp", exp(x),
           {{inf, inf, inf}, {-inf, 0, 0}, {-T(0), 1, 1}, {small, 1, 1}, {overflown, inf, inf}, {-overflown, 0, 0}});
  check<T>("exp2", exp2(x), {{inf, inf, inf}, {-inf, 0, 0}});
  check<T>("expm1", expm1(x), {{inf, inf, inf}, {-inf, -1, 0}, {-T(0), -T(0), 1}, {small, small, 1}});
  check<T>("log", log(x),
           {{inf, inf, 0}, {0, -inf, inf}, {-T(0), -inf, -inf}, {-1, nan, -1}, {half, std::log(half), 1 / half}});
  check<T>("log1p", log1p(x), {{inf, inf, 0}, {-1, -inf, inf}, {-T(0), -T(0), 1}, {small, small, 1}});
  check<T>("sqrt", sqrt(x),
           {{inf, inf, 0},
            {0, 0, inf},
            {-T(0), -T(0), -inf},
            {-1, nan, nan},
            {half, std::sqrt(half), T(0.5) / std::sqrt(half)}});
  check<T>("cbrt", cbrt(x), {{inf, inf, 0}, {-inf, -inf, 0}, {0, 0, inf}, {-T(0), -T(0), inf}});
  check<T>("sin", sin(x), {{inf, nan, nan}, {-T(0), -T(0), 1}, {small, small, 1}});
  check<T>("cos", cos(x), {{inf, nan, nan}, {small, 1, -small}});
  check<T>("tan", tan(x), {{inf, nan, nan}, {-T(0), -T(0), 1}, {small, small, 1}});
  check<T>("asin", asin(x), {{1, std::asin(T(1)), inf}, {-1, std::asin(T(-1)), inf}, {2, nan, nan}, {small, small, 1}});
  check<T>("acos", acos(x), {{1, 0, -inf}, {-1, std::acos(T(-1)), -inf}, {2, nan, nan}});
  check<T>("atan", atan(x),
           {{inf, std::atan(inf), 0}, {-inf, std::atan(-inf), 0}, {-T(0), -T(0), 1}, {small, small, 1}});
  check<T>("sinh", sinh(x), {{inf, inf, inf}, {-inf, -inf, inf}, {-T(0), -T(0), 1}, {small, small, 1}});
  check<T>("cosh", cosh(x), {{inf, inf, inf}, {-inf, inf, -inf}, {small, 1, small}});
  check<T>("tanh", tanh(x), {{inf, 1, 0}, {-inf, -1, 0}, {-T(0), -T(0), 1}, {small, small, 1}});
  check<T>("asinh", asinh(x), {{inf, inf, 0}, {-inf, -inf, 0}, {-T(0), -T(0), 1}, {small, small, 1}});
  check<T>("acosh", acosh(x), {{inf, inf, 0}, {1, 0, inf}, {0, nan, nan}});
  check<T>("atanh", atanh(x), {{1, inf, inf}, {-1, -inf, inf}, {-T(0), -T(0), 1}, {small, small, 1}});
  check<T>("erf", erf(x), {{inf, 1, 0}, {-inf, -1, 0}});
  check<T>("erfc", erfc(x), {{inf, 0, -T(0)}, {-inf, 2, -T(0)}});
  check<T>("lgamma", lgamma(x),
           {{inf, inf, inf}, {0, inf, -inf}, {-T(0), inf, inf}, {-1, inf, nan}, {1, 0, digamma(x)(x = T(1))}});
  check<T>("digamma", digamma(x), {{inf, inf, 0}, {-1, nan, inf}});
  check<T>("sigmoid", sigmoid(x), {{inf, 1, 0}, {-inf, 0, 0}, {overflown, 1, 0}, {-overflown, 0, 0}});
  check<T>("softplus", softplus(x), {{inf, inf, 1}, {-inf, 0, 0}});
  check<T>("abs", abs(x), {{inf, inf, 1}, {-inf, inf, -1}, {0, 0, 0}, {small, small, 1}, {-small, small, -1}});
  check<T>("square", square(x), {{inf, inf, inf}, {-inf, inf, -inf}, {small, 0, 2 * small}});
  check<T>("reciprocal", 1_c / x, {{inf, 0, -T(0)}, {0, inf, -inf}, {-T(0), -inf, -inf}, {small, inf, -inf}});
  check<T>("floor", floor(x), {{inf, inf, 0}, {-small, -1, 0}, {-T(0), -T(0), 0}});
  check<T>("round", round(x), {{-T(0.25), -T(0), 0}, {T(2.5), 3, 0}, {T(-2.5), -3, 0}});
  check<T>("relu", relu(x), {{inf, inf, 1}, {-inf, 0, 0}, {small, small, 1}, {-small, 0, 0}});
}

}  // namespace

BOOST_AUTO_TEST_CASE(single_precision) { check_all<float>(); }
BOOST_AUTO_TEST_CASE(double_precision) { check_all<double>(); }

BOOST_AUTO_TEST_CASE(two_operands) {
  constexpr double inf = infinity<double>;
  BOOST_TEST(pow(x, y)(x = 0.0, y = 0.0) == 1.0);
  BOOST_TEST(pow(x, y)(x = inf, y = -1.0) == 0.0);
  BOOST_TEST(std::isnan(pow(x, y)(x = -1.0, y = 0.5)));
  BOOST_TEST(gradient(pow(x, y), wrt(x))(x = 0.0, y = 2.0)[x] == 0.0);
  BOOST_TEST(gradient(pow(x, y), wrt(x))(x = 0.0, y = 1.0)[x] == 1.0);
  BOOST_TEST(hypot(x, y)(x = inf, y = quiet<double>) == inf);
  BOOST_TEST(hypot(x, y)(x = 3e300, y = 4e300) == 5e300);
  BOOST_TEST(gradient(hypot(x, y), wrt(x))(x = 3e300, y = 4e300)[x] == 0.6, boost::test_tools::tolerance(1e-15));
  BOOST_TEST(std::signbit(atan2(x, y)(x = -0.0, y = 1.0)));
  BOOST_TEST(atan2(x, y)(x = 0.0, y = -1.0) == std::atan2(0.0, -1.0));
  BOOST_TEST(gradient(atan2(x, y), wrt(x))(x = 0.0, y = 2.0)[x] == 0.5);
}
