// What an engineer's code brings along: functions that are called with plain numbers too, lists of variables.
#include <tapeless/tapeless.hpp>

#include <boost/hana/define_struct.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/test/unit_test.hpp>

#include <array>
#include <cmath>
#include <tuple>
#include <type_traits>

namespace tt = boost::test_tools;

namespace user {

// A directive in the function, as the documentation has it.
constexpr auto piecewise = [](auto x) {
  using namespace tapeless;
  return where(x > 0, exp(x), square(x));
};

using tapeless::clamp;
using tapeless::logsumexp;
using tapeless::max;
using tapeless::min;
using tapeless::norm;
using tapeless::relu;
using tapeless::sigmoid;
using tapeless::softplus;
using tapeless::stop_gradient;
using tapeless::where;
// Those of the library that are the standard's by name are named in full: of a double, C's are found else.
constexpr auto many = [](auto x, auto y) {
  return sigmoid(x) + max(x, y, 0.5) * min(x, y) + norm(x, y) + logsumexp(x, y, 1) + clamp(x, 0.0, 1.0) + relu(-y) +
         softplus(y) + tapeless::pow(x, 2) + tapeless::hypot(x, y) + tapeless::atan2(y, x) + tapeless::sin(x) +
         stop_gradient(y) + where(x < y, 2, 3) / 4 + tapeless::lgamma(y) + tapeless::sqrt(4);
};
template <class T>
T expected(T x, T y) {
  return 1 / (1 + std::exp(-x)) + std::fmax(std::fmax(x, y), T(0.5)) * std::fmin(x, y) + std::sqrt(x * x + y * y) +
         std::log(std::exp(x) + std::exp(y) + std::exp(T(1))) + std::fmin(std::fmax(x, T(0)), T(1)) +
         std::fmax(-y, T(0)) + std::log(1 + std::exp(y)) + x * x + std::hypot(x, y) + std::atan2(y, x) + std::sin(x) +
         y + (x < y ? T(2) : T(3)) / 4 + std::lgamma(y) + 2;
}

constexpr auto surgery = [](auto x) {
  using namespace tapeless;
  return grad_scale(x, 3) + grad_reverse(x) + grad_clip(x, -1, 1) + straight_through(tapeless::round(x), x) +
         custom_gradient(x * x, {{x, 5 * x}}) + prevent_gradient<"none">(x) * 2;
};

}  // namespace user

BOOST_AUTO_TEST_CASE(functions_of_plain_numbers) {
  BOOST_TEST(user::piecewise(-3.0) == 9.0);
  BOOST_TEST(user::piecewise(2.0) == std::exp(2.0));
  BOOST_TEST(tapeless::gradient(user::piecewise)(-3.0) == -6.0);
  static_assert(std::is_same_v<decltype(user::piecewise(-3.0f)), float>);
  static_assert(tapeless::sigmoid(0.0) == 0.5 && tapeless::max(1.0, 3.0, 2.0) == 3.0 && tapeless::pow(2.0, 3) == 8.0 &&
                tapeless::exp(0.0) == 1.0 && tapeless::square(3) == 9.0);

  for (const double x : {1.5, 0.25, 3.0}) {
    BOOST_TEST(user::many(x, 2.5) == user::expected(x, 2.5), tt::tolerance(1e-15));
    BOOST_TEST(user::many(x, 2.5) == tapeless::value_and_gradient(user::many)(x, 2.5).value, tt::tolerance(1e-15));
  }
  static_assert(user::many(1.5, 2.5) > 0);
  // A literal is a double, as elsewhere in C++.
  BOOST_TEST(static_cast<float>(user::many(1.5f, 2.5f)) == user::expected(1.5f, 2.5f), tt::tolerance(1e-6f));
  static_assert(std::is_same_v<decltype(tapeless::hypot(1.5f, 2.5f)), float>);

  BOOST_TEST(user::surgery(1.75) == 1.75 - 0 + 1.75 + 1.75 + 2 + 1.75 * 1.75 + 3.5);

  using wide = boost::multiprecision::cpp_bin_float_50;
  const wide third = wide(1) / 3;
  BOOST_TEST(abs(tapeless::sigmoid(third) - 1 / (1 + exp(-third))) < wide("1e-48"));
  BOOST_TEST(abs(tapeless::max(third, third + 1) - third - 1) == 0);
}

// Constants beside numbers count as numbers; numbers alone that are no reals count as doubles.
BOOST_AUTO_TEST_CASE(types_of_plain_numbers) {
  using namespace tapeless;
  static_assert(std::is_same_v<decltype(max(2.5f, 1_c)), float>);
  static_assert(std::is_same_v<decltype(where(true, 1_c, 0_c)), double>);
  static_assert(std::is_same_v<decltype(where(true, 1, 2)), double>);
  static_assert(std::is_same_v<decltype(where(true, false, true)), bool>);
  static_assert(max(2.5f, 1_c) == 2.5f && where(false, 1_c, 0_c) == 0.0 && tapeless::pow(3.0, 2_c) == 9.0);
  BOOST_TEST(std::isnan(max(std::nan(""), 1.0)));
}

namespace standard {

// Both namespaces: where both have a function of numbers, the standard's is called.
using namespace std;
using namespace tapeless;
const auto numbers = std::tuple(sqrt(2), pow(2.0, 3), pow(2, 3), exp(1), abs(-2.5), max(2, 3), hypot(3, 4), atan2(1, 2),
                                sqrt(2.0f), clamp(7, 1, 5), sigmoid(0.0));
static_assert(is_same_v<remove_cvref_t<decltype(max(2, 3))>, int>);
static_assert(is_same_v<decltype(sqrt(2.0f)), float>);

}  // namespace standard

BOOST_AUTO_TEST_CASE(with_the_standard_library) {
  BOOST_TEST(std::get<1>(standard::numbers) == 8.0);
  BOOST_TEST(std::get<4>(standard::numbers) == 2.5);
  BOOST_TEST(std::get<6>(standard::numbers) == 5.0);
  BOOST_TEST(std::get<9>(standard::numbers) == 5);
}

namespace regression {

struct line {
  BOOST_HANA_DEFINE_STRUCT(line, (double, slope), (double, offset));
};

}  // namespace regression

BOOST_AUTO_TEST_CASE(lists_of_variables) {
  using namespace tapeless;
  constexpr auto w = variable<"w">;
  constexpr auto b = variable<"b">;
  constexpr auto x = variable<"x">;
  constexpr auto parameters = variables(w, b);
  constexpr auto f = square(w * x + b);
  constexpr regression::line p{2, 1};
  // (2 * 3 + 1)^2, 2 * 7 * 3, 2 * 7
  constexpr auto r = value_and_gradient(f, wrt(parameters))(x = 3.0, parameters = p);
  static_assert(r.value == 49 && r.gradient[w] == 42 && r.gradient[b] == 14);
  static_assert(r.gradient[parameters] == std::tuple(42.0, 14.0));
  static_assert(f(parameters = std::array{2.0, 1.0}, x = 3.0) == 49);
  static_assert(jvp(f, tangent(parameters = std::tuple(1.0, 1.0)))(parameters = p, x = 3.0) == 56);
  static_assert(std::is_same_v<decltype(wrt(parameters, x)), decltype(wrt(w, b, x))>);
  constexpr auto next = transform_leaves([](double a, double da) { return a - da; }, p, r.gradient[parameters]);
  static_assert(next.slope == -40 && next.offset == -13);
  const auto [gw, gb] = gradient(f, wrt(w, b))(parameters = std::tuple(2.0, 1.0), x = 3.0);
  BOOST_TEST(gw == 42);
  BOOST_TEST(gb == 14);
  const auto [absent, gx] = gradient(square(x), wrt(w, x))(x = 3.0);
  static_assert(std::is_same_v<std::remove_const_t<decltype(absent)>, Zero>);
  BOOST_TEST(gx == 6);
}
