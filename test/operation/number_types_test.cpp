// Every operation in other number types than double, against definitions in 100 digits: float, long double and 50
// decimal digits.
#include "definitions.hpp"

#include <tapeless/tapeless.hpp>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/multiprecision/cpp_int.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <type_traits>

using namespace tapeless;
using tapeless_test::defined;
using reference = boost::multiprecision::cpp_bin_float_100;
using fifty_digits = boost::multiprecision::cpp_bin_float_50;

namespace {

constexpr auto x = variable<"x">;
constexpr auto y = variable<"y">;
const reference step("1e-20");

/// The gamma function, its logarithm and the derivatives, and the series of the normal distribution's tail stop at a
/// long double of 64 digits.
template <class Op>
inline constexpr bool in_fifty_digits = true;
template <>
inline constexpr bool in_fifty_digits<operation::Lgamma> = false;
template <>
inline constexpr bool in_fifty_digits<operation::Tgamma> = false;
template <>
inline constexpr bool in_fifty_digits<operation::LogNormalCdf> = false;
template <>
inline constexpr bool in_fifty_digits<operation::NormalHazard> = false;
template <int N>
inline constexpr bool in_fifty_digits<operation::Polygamma<N>> = false;

template <class Op, class T>
void close(const T& computed, const reference& expected, const char* what) {
  const reference scale = abs(expected) > 1 ? reference(abs(expected)) : reference(1);
  const reference error = abs(static_cast<reference>(computed) - expected) / scale;
  const auto epsilon = static_cast<reference>(std::numeric_limits<T>::epsilon());
  const reference allowed = 100 * (in_fifty_digits<Op> ? epsilon : std::max<reference>(epsilon, 0x1p-63));
  BOOST_CHECK_MESSAGE(error <= allowed, what << ": off by " << static_cast<double>(error));
}

template <class Op, class T>
void check() {
  for (const auto& sample : Op::samples) {
    const T a = static_cast<T>(sample[0]);
    if constexpr (detail::arity<Op> == 1) {
      BOOST_TEST_CONTEXT(std::string(Op::name) << " at " << sample[0]) {
        const auto exact = [](const reference& at) { return defined<Op>::template at<reference>(at, 0); };
        const auto here = value_and_gradient(apply<Op>(x), wrt(x), unconnected::materialise)(x = a);
        static_assert(std::is_same_v<std::remove_cvref_t<decltype(here.value)>, T>);
        static_assert(std::is_same_v<std::remove_cvref_t<decltype(here.gradient[x])>, T>);
        close<Op>(here.value, exact(sample[0]), "value");
        close<Op>(here.gradient[x], tapeless_test::first_difference(exact, reference(sample[0]), step), "derivative");
      }
    } else {
      BOOST_TEST_CONTEXT(std::string(Op::name) << " at " << sample[0] << ", " << sample[1]) {
        const T b = static_cast<T>(sample[1]);
        const auto in_first = [&](const reference& at) { return defined<Op>::template at<reference>(at, sample[1]); };
        const auto in_second = [&](const reference& at) { return defined<Op>::template at<reference>(sample[0], at); };
        const auto here = value_and_gradient(apply<Op>(x, y), wrt(x, y), unconnected::materialise)(x = a, y = b);
        close<Op>(here.value, in_first(sample[0]), "value");
        close<Op>(here.gradient[x], tapeless_test::first_difference(in_first, reference(sample[0]), step), "by x");
        close<Op>(here.gradient[y], tapeless_test::first_difference(in_second, reference(sample[1]), step), "by y");
      }
    }
  }
}

template <class T, class... Ops>
void check_all(operation::list<Ops...>) {
  const auto one = []<class Op>(std::type_identity<Op>) {
    if constexpr (std::is_floating_point_v<T> || in_fifty_digits<Op>) check<Op, T>();
  };
  (one(std::type_identity<Ops>{}), ...);
}

}  // namespace

BOOST_AUTO_TEST_CASE(single_precision) { check_all<float>(operation::all{}); }
BOOST_AUTO_TEST_CASE(extended_precision) { check_all<long double>(operation::all{}); }
BOOST_AUTO_TEST_CASE(fifty_decimal_digits) { check_all<fifty_digits>(operation::all{}); }

// Integers of a library and the compiler's own are integers: arithmetic is in real numbers.
BOOST_AUTO_TEST_CASE(integers_are_not_real) {
  using integer = boost::multiprecision::cpp_int;
  static_assert(Numeric<integer> && !Real<integer>);
  static_assert(!Real<int> && !Real<bool> && Real<boost::multiprecision::cpp_rational>);
  BOOST_TEST((x / y)(x = integer(1), y = integer(2)) == 0.5);
  BOOST_TEST((integer(3) * x)(x = 0.5) == 1.5);
  BOOST_TEST(gradient(x / y, wrt(x))(x = 1.0, y = integer(4))[x] == 0.25);
  BOOST_TEST(value_and_gradient([](auto a, auto b) { return a / b; }, wrt<0>)(1.0, integer(4)).gradient == 0.25);
#ifdef __SIZEOF_INT128__
  __extension__ using wide = __int128;
  static_assert(!Real<wide>);
  BOOST_TEST((x / y)(x = wide(1), y = wide(2)) == 0.5);
#endif
}

// The functions of arrays and matrices called with integers, without a verb: as with doubles, by hand.
BOOST_AUTO_TEST_CASE(arrays_of_integers) {
  static_assert(norm(std::array{3, 4}) == 5 && norm(std::array{true, false}) == 1 && mean(std::array{1, 2}) == 1.5);
  BOOST_TEST(norm(std::array{1, 1}) == 1.4142135623730951, boost::test_tools::tolerance(1e-15));
  BOOST_TEST(logsumexp(std::array{true, true}) == 1.6931471805599454, boost::test_tools::tolerance(1e-15));
  static_assert(sum(std::array{2000000000, 2000000000}) == 4e9 && sum(std::array{true, true, true}) == 3);
  static_assert(cumsum(std::array{true, true}) == std::array{1.0, 2.0});
  static_assert(max(std::array{1U, 3U}) == 3 && min(std::array{'b', 'a'}) == 'a');
  static_assert(dot(std::array{100000, 1}, std::array{100000, 1}) == 10000000001.0);
  static_assert(cross(std::array{0U, 0U, 1U}, std::array{0U, 1U, 1U}) == std::array{-1.0, 0.0, 0.0});
  static_assert(outer(std::array{100000}, std::array{100000})[0][0] == 1e10);
  constexpr std::array large{std::array{100000, 1}, std::array{1, 100000}};
  static_assert(det(large) == 9999999999.0 && matmul(large, large)[0][0] == 10000000001.0);
  static_assert(det(std::array{std::array{0U, 1U}, std::array{1U, 0U}}) == -1);
  static_assert(trace(std::array{std::array{true, false}, std::array{false, true}}) == 2);
  static_assert(quaternion_product(std::array{1U, 1U, 0U, 1U}, std::array{1U, 1U, 0U, 1U}) ==
                std::array{-1.0, 2.0, 0.0, 2.0});
  static_assert(unit_quaternion_rotate_point(std::array{0U, 1U, 0U, 0U}, std::array{1U, 2U, 3U}) ==
                std::array{1.0, -2.0, -3.0});
  // (w^2 + x^2 - y^2 - z^2) / (w^2 + x^2 + y^2 + z^2)
  BOOST_TEST(quaternion_to_rotation_matrix(std::array{1, 1, 0, 1})[0][0] == 1.0 / 3,
             boost::test_tools::tolerance(1e-15));
  // Real numbers decide the type, as in an operation.
  static_assert(std::is_same_v<decltype(sum(std::array{1.0F})), float>);
  static_assert(std::is_same_v<decltype(dot(std::array{1.0F}, std::array{1})), float>);
}
