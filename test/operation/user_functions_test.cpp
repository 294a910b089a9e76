// A user's own function template that has the name of one of ours: the user's is called, of traced values, of formulas
// and of numbers, and never is a call ambiguous. All of these compute 3 x, or 3 x + 5 y, which none of ours does.
#include <tapeless/tapeless.hpp>

#include <boost/test/unit_test.hpp>

#include <tuple>

using namespace tapeless;

namespace {

#define USERS_OF_1(NAME, TEMPLATE, RESULT, PARAMETER)                                                                  \
  TEMPLATE constexpr RESULT NAME(PARAMETER x) { return x * 3; }
#define USERS_OF_2(NAME, TEMPLATE, RESULT, PARAMETER)                                                                  \
  TEMPLATE constexpr RESULT NAME(PARAMETER x, PARAMETER y) { return x * 3 + y * 5; }
#define CALL_1(NAME, X, Y) NAME(X)
#define CALL_2(NAME, X, Y) NAME(X, Y)

#define OTHERS(USE) USE(fabs, , 1) USE(pow, , 2) USE(fmax, , 2) USE(fmin, , 2)

namespace by_value {
#define TAPELESS_FUNCTION(NAME, OPERATION, COUNT) USERS_OF_##COUNT(NAME, template <class T>, T, T)
#include <tapeless/core/function_list.hpp>
#define TAPELESS_FUNCTION(NAME, OPERATION, COUNT) USERS_OF_##COUNT(NAME, template <class T>, T, T)
OTHERS(TAPELESS_FUNCTION)
#undef TAPELESS_FUNCTION
constexpr auto all = [](const auto& x, const auto& y) {
  return 0.0
#define TAPELESS_FUNCTION(NAME, OPERATION, COUNT) +CALL_##COUNT(NAME, x, y)
#include <tapeless/core/function_list.hpp>
#define TAPELESS_FUNCTION(NAME, OPERATION, COUNT) +CALL_##COUNT(NAME, x, y)
      OTHERS(TAPELESS_FUNCTION);
#undef TAPELESS_FUNCTION
};
}  // namespace by_value

namespace by_reference {
#define TAPELESS_FUNCTION(NAME, OPERATION, COUNT) USERS_OF_##COUNT(NAME, template <class T>, auto, const T&)
#include <tapeless/core/function_list.hpp>
#define TAPELESS_FUNCTION(NAME, OPERATION, COUNT) USERS_OF_##COUNT(NAME, template <class T>, auto, const T&)
OTHERS(TAPELESS_FUNCTION)
#undef TAPELESS_FUNCTION
constexpr auto all = [](const auto& x, const auto& y) {
  return 0.0
#define TAPELESS_FUNCTION(NAME, OPERATION, COUNT) +CALL_##COUNT(NAME, x, y)
#include <tapeless/core/function_list.hpp>
#define TAPELESS_FUNCTION(NAME, OPERATION, COUNT) +CALL_##COUNT(NAME, x, y)
      OTHERS(TAPELESS_FUNCTION);
#undef TAPELESS_FUNCTION
};
}  // namespace by_reference

// Of operands of different types too.
namespace by_auto {
#define TAPELESS_FUNCTION(NAME, OPERATION, COUNT) USERS_OF_##COUNT(NAME, , auto, auto)
#include <tapeless/core/function_list.hpp>
#define TAPELESS_FUNCTION(NAME, OPERATION, COUNT) USERS_OF_##COUNT(NAME, , auto, auto)
OTHERS(TAPELESS_FUNCTION)
#undef TAPELESS_FUNCTION
constexpr auto all = [](const auto& x, const auto& y) {
  return 0.0
#define TAPELESS_FUNCTION(NAME, OPERATION, COUNT) +CALL_##COUNT(NAME, x, y)
#include <tapeless/core/function_list.hpp>
#define TAPELESS_FUNCTION(NAME, OPERATION, COUNT) +CALL_##COUNT(NAME, x, y)
      OTHERS(TAPELESS_FUNCTION);
#undef TAPELESS_FUNCTION
};
}  // namespace by_auto

namespace by_forwarding {
#define TAPELESS_FUNCTION(NAME, OPERATION, COUNT) USERS_OF_##COUNT(NAME, , auto, auto&&)
#include <tapeless/core/function_list.hpp>
#define TAPELESS_FUNCTION(NAME, OPERATION, COUNT) USERS_OF_##COUNT(NAME, , auto, auto&&)
OTHERS(TAPELESS_FUNCTION)
#undef TAPELESS_FUNCTION
constexpr auto all = [](const auto& x, const auto& y) {
  return 0.0
#define TAPELESS_FUNCTION(NAME, OPERATION, COUNT) +CALL_##COUNT(NAME, x, y)
#include <tapeless/core/function_list.hpp>
#define TAPELESS_FUNCTION(NAME, OPERATION, COUNT) +CALL_##COUNT(NAME, x, y)
      OTHERS(TAPELESS_FUNCTION);
#undef TAPELESS_FUNCTION
};
}  // namespace by_forwarding

namespace of_three {
template <class T>
constexpr T fma(T x, T y, T z) {
  return x + 2 * y + 4 * z;
}
template <class T>
constexpr auto clamp(const T& x, const T& low, const T& high) {
  return x + 2 * low + 4 * high;
}
template <class T>
constexpr T hypot(const T& x, const T& y, const T& z) {
  return x + 2 * y + 4 * z;
}
template <class X, class Y, class Z>
constexpr auto normal_lpdf(const X& x, const Y& y, const Z& z) {
  return x + 2 * y + 4 * z;
}
constexpr auto all = [](const auto& x) {
  return fma(x, x, x) + clamp(x, x, x) + hypot(x, x, x) + normal_lpdf(x, 1.0, x);
};
}  // namespace of_three

#define TAPELESS_FUNCTION(NAME, OPERATION, COUNT) +1
constexpr int functions = 0
#include <tapeless/core/function_list.hpp>
#define TAPELESS_FUNCTION(NAME, OPERATION, COUNT) +1
    OTHERS(TAPELESS_FUNCTION);
#undef TAPELESS_FUNCTION
#define TAPELESS_FUNCTION(NAME, OPERATION, COUNT) +(COUNT - 1)
constexpr int of_two = 0
#include <tapeless/core/function_list.hpp>
#define TAPELESS_FUNCTION(NAME, OPERATION, COUNT) +(COUNT - 1)
    OTHERS(TAPELESS_FUNCTION);
#undef TAPELESS_FUNCTION

template <class All>
void check(All all) {
  const auto g = gradient(all)(0.25, 0.5);
  BOOST_TEST(std::get<0>(g) == 3.0 * functions);
  BOOST_TEST(std::get<1>(g) == 5.0 * of_two);
  BOOST_TEST(all(0.25, 0.5) == 0.75 * functions + 2.5 * of_two);
  constexpr auto x = variable<"x">;
  BOOST_TEST(gradient(all(x, x), wrt(x))(x = 0.25)[x] == 3.0 * functions + 5.0 * of_two);
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_function) {
  check(by_reference::all);
  check(by_auto::all);
  check(by_forwarding::all);
  // The result has the operands' type, which no formula's function has.
  const auto g = gradient(by_value::all)(0.25, 0.5);
  BOOST_TEST(std::get<0>(g) == 3.0 * functions);
  BOOST_TEST(std::get<1>(g) == 5.0 * of_two);
}

BOOST_AUTO_TEST_CASE(beside_numbers) {
  const auto g = gradient([](auto x) { return by_auto::all(x, 2.0) + by_auto::all(0.5, x); })(0.25);
  BOOST_TEST(g == 3.0 * functions + 5.0 * of_two);
}

// Of two traced values `max` and `min` are ours, which those of the standard library need; a qualified call is not.
namespace of_larger {
template <class T>
constexpr T max(const T& x, const T& y) {
  return x + 2 * y;
}
constexpr auto found = [](const auto& x, const auto& y) { return max(x, y); };
constexpr auto qualified = [](const auto& x, const auto& y) { return of_larger::max(x, y); };
}  // namespace of_larger

BOOST_AUTO_TEST_CASE(max_and_min) {
  BOOST_TEST(std::get<1>(gradient(of_larger::found)(0.25, 0.5)) == 1.0);
  BOOST_TEST(std::get<1>(gradient(of_larger::qualified)(0.25, 0.5)) == 2.0);
}

BOOST_AUTO_TEST_CASE(of_three_operands) { BOOST_TEST(gradient(of_three::all)(0.25) == 26.0); }
