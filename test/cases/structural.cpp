// What stopping means to types: absorption of Zero, idempotence, containers, kept value types and bit patterns.
#include <tapeless/tapeless.hpp>

#include <boost/test/unit_test.hpp>

#include <array>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace cases {
namespace {

using tapeless::constant;
using tapeless::derivative_t;
using tapeless::One;
using tapeless::stop_gradient;
using tapeless::StopGradient;
using tapeless::Zero;

constexpr auto x = tapeless::variable<"x">;
constexpr auto y = tapeless::variable<"y">;
using X = std::remove_const_t<decltype(x)>;
using Y = std::remove_const_t<decltype(y)>;

constexpr auto e = sin(x) * y;
using E = std::remove_const_t<decltype(e)>;

constexpr double infinity = std::numeric_limits<double>::infinity();

// Whether the call is well-formed where it is tested, not only where it is instantiated.
template <class T>
concept Stoppable = requires(const T& object) { stop_gradient(object); };

BOOST_AUTO_TEST_SUITE(cases_structural)

BOOST_AUTO_TEST_CASE(ST01_stopping_twice_is_stopping_once) {
  static_assert(std::same_as<decltype(stop_gradient(e)), StopGradient<E>>);
  static_assert(std::same_as<decltype(stop_gradient(stop_gradient(e))), StopGradient<E>>);
  static_assert(std::same_as<decltype(StopGradient{e}), StopGradient<E>>);
  static_assert(std::same_as<std::remove_cvref_t<decltype(stop_gradient(e).operand)>, E>);
  BOOST_TEST(stop_gradient(stop_gradient(e))(x = 0.3, y = 2.0) == e(x = 0.3, y = 2.0));
}

BOOST_AUTO_TEST_CASE(ST03_a_constant_needs_no_stop) {
  static_assert(std::same_as<decltype(stop_gradient(constant<2>)), tapeless::Constant<2>>);
  static_assert(std::same_as<decltype(stop_gradient(constant<1, 3>)), tapeless::Constant<1, 3>>);
  static_assert(std::same_as<decltype(stop_gradient(Zero{})), Zero>);
  static_assert(std::same_as<decltype(stop_gradient(One{})), One>);
  BOOST_TEST(static_cast<double>(stop_gradient(constant<2>)) == 2.0);
}

BOOST_AUTO_TEST_CASE(ST04_a_sum_absorbs_zero) {
  static_assert(std::same_as<derivative_t<decltype(x + stop_gradient(e)), X>, One>);
  static_assert(std::same_as<derivative_t<decltype(stop_gradient(e) + x), X>, One>);
  static_assert(std::same_as<derivative_t<decltype(x - stop_gradient(e)), X>, One>);
  static_assert(std::same_as<derivative_t<decltype(x + stop_gradient(e)), Y>, Zero>);
  static_assert(std::same_as<derivative_t<StopGradient<E>, X>, Zero>);
  const double slope = tapeless::gradient(x + stop_gradient(e), tapeless::wrt(x))(x = 0.3, y = 2.0)[x];
  BOOST_TEST(slope == 1.0);
}

BOOST_AUTO_TEST_CASE(ST05_a_product_keeps_the_stopped_factor) {
  static_assert(std::same_as<derivative_t<decltype(x * stop_gradient(e)), X>, StopGradient<E>>);
  static_assert(std::same_as<derivative_t<decltype(stop_gradient(e) * x), X>, StopGradient<E>>);
  static_assert(std::same_as<derivative_t<decltype(x * stop_gradient(e)), Y>, Zero>);
  static_assert(std::same_as<derivative_t<derivative_t<decltype(x * stop_gradient(e)), X>, X>, Zero>);
  BOOST_TEST(tapeless::derivative(x * stop_gradient(e), x)(x = 0.3, y = 2.0) == e(x = 0.3, y = 2.0));
}

BOOST_AUTO_TEST_CASE(ST07_zero_is_absolute) {
  static_assert(std::same_as<decltype(Zero{} * e), Zero>);
  static_assert(std::same_as<decltype(e * Zero{}), Zero>);
  static_assert(std::same_as<decltype(Zero{} / e), Zero>);
  static_assert(std::same_as<decltype(Zero{} + e), E>);
  static_assert(std::same_as<decltype(e + Zero{}), E>);
  static_assert(std::same_as<decltype(e - Zero{}), E>);
  static_assert(std::same_as<decltype(One{} * e), E>);
  static_assert(std::same_as<decltype(e * One{}), E>);
  // The factor is dropped with its variables, so there is nothing left to evaluate or to bind.
  static_assert(static_cast<double>((Zero{} * log(x))()) == 0.0);
  static_assert(static_cast<double>((Zero{} * (1.0 / x))()) == 0.0);
  const double beside_infinity = (y + Zero{} * log(x))(y = 2.0);
  BOOST_TEST(beside_infinity == 2.0);
  BOOST_TEST(static_cast<double>(Zero{} * infinity) == 0.0);
  BOOST_TEST(static_cast<double>(std::numeric_limits<double>::quiet_NaN() * Zero{}) == 0.0);
}

BOOST_AUTO_TEST_CASE(ST08_a_number_that_is_zero_is_not_absolute) {
  BOOST_TEST(std::isnan((x * y)(x = 0.0, y = infinity)));
  BOOST_TEST(std::isnan((0.0 * y)(y = infinity)));
  BOOST_TEST(std::isnan((stop_gradient(x) * y)(x = 0.0, y = infinity)));
  static_assert(!std::same_as<derivative_t<decltype(0.0 * y), Y>, Zero>);

  const auto by_variable = tapeless::value_and_gradient(x * y, tapeless::wrt(x, y))(x = 0.0, y = infinity);
  BOOST_TEST(std::isnan(by_variable.value));
  BOOST_TEST(by_variable.gradient[x] == infinity);
  BOOST_TEST(by_variable.gradient[y] == 0.0);

  // The factor 0.0 of a traced function is known when it is compiled and still is a number.
  const auto traced = tapeless::value_and_gradient([](auto a) { return 0.0 * a; })(infinity);
  BOOST_TEST(std::isnan(traced.value));
  BOOST_TEST(traced.gradient == 0.0);
  const auto chained = tapeless::value_and_gradient([](auto a) { return 0.0 * log(a); })(0.0);
  BOOST_TEST(std::isnan(chained.value));
  BOOST_TEST(std::isnan(chained.gradient));
}

BOOST_AUTO_TEST_CASE(ST09_integers_and_conditions_keep_their_type) {
  static_assert(std::same_as<decltype(stop_gradient(3)), int>);
  static_assert(std::same_as<decltype(stop_gradient(true)), bool>);
  static_assert(std::same_as<decltype(stop_gradient(2.5f)), float>);
  static_assert(stop_gradient(3) == 3 && stop_gradient(true));

  static_assert(std::same_as<decltype(stop_gradient(x)(x = 3)), decltype(x(x = 3))>);
  static_assert(std::same_as<decltype(stop_gradient(x < y)(x = 1.0, y = 2.0)), bool>);
  static_assert(stop_gradient(x < y)(x = 1.0, y = 2.0));
  static_assert(!stop_gradient(x < y)(x = 2.0, y = 1.0));
  static_assert(std::same_as<derivative_t<decltype(stop_gradient(x < y)), X>, Zero>);
  static_assert(std::same_as<derivative_t<decltype(stop_gradient(round(x))), X>, Zero>);
  static_assert(std::same_as<derivative_t<decltype(x * stop_gradient(3)), Y>, Zero>);
  BOOST_TEST((stop_gradient(3) * x)(x = 0.5) == 1.5);

  // A stopped condition chooses like the condition itself.
  const auto chosen = tapeless::gradient(where(stop_gradient(x < y), x * x, y), tapeless::wrt(x, y));
  const auto below = chosen(x = 1.0, y = 2.0);
  BOOST_TEST(below[x] == 2.0);
  BOOST_TEST(below[y] == 0.0);
  const auto above = chosen(x = 3.0, y = 2.0);
  BOOST_TEST(above[x] == 0.0);
  BOOST_TEST(above[y] == 1.0);
}

BOOST_AUTO_TEST_CASE(ST10_containers_are_mapped_leaf_by_leaf) {
  const auto tuple = stop_gradient(std::tuple{x, e, std::tuple{y, 2, constant<3>}});
  static_assert(std::same_as<
                std::remove_const_t<decltype(tuple)>,
                std::tuple<StopGradient<X>, StopGradient<E>, std::tuple<StopGradient<Y>, int, tapeless::Constant<3>>>>);
  const auto array = stop_gradient(std::array{x * y, x * y});
  static_assert(std::same_as<std::remove_const_t<decltype(array)>, std::array<StopGradient<decltype(x * y)>, 2>>);
  static_assert(std::same_as<decltype(stop_gradient(std::array{1.0, 2.0})), std::array<double, 2>>);

  BOOST_TEST(std::get<1>(tuple)(x = 0.3, y = 2.0) == e(x = 0.3, y = 2.0));
  BOOST_TEST(std::get<1>(std::get<2>(tuple)) == 2);
  BOOST_TEST((array[0] + x)(x = 3.0, y = 2.0) == 9.0);

  // a * sg(a) + b * sg(a * b), in a traced function
  const auto [by_a, by_b] = tapeless::gradient([](auto a, auto b) {
    const auto [stopped_a, product] = stop_gradient(std::tuple{a, a * b});
    return a * stopped_a + b * product;
  })(3.0, 2.0);
  BOOST_TEST(by_a == 3.0);
  BOOST_TEST(by_b == 6.0);
  const auto [by_first, by_second] = tapeless::gradient([](auto a, auto b) {
    const auto stopped = stop_gradient(std::array{a, a * b});
    return a * stopped[0] + b * stopped[1];
  })(3.0, 2.0);
  BOOST_TEST(by_first == 3.0);
  BOOST_TEST(by_second == 6.0);
}

BOOST_AUTO_TEST_CASE(ST11_the_value_is_the_same_bit_pattern) {
  static_assert(std::same_as<decltype(stop_gradient(x)(x = 1.0f)), float>);
  static_assert(std::same_as<decltype(stop_gradient(x)(x = 1.0)), double>);
  static_assert(std::same_as<decltype(stop_gradient(x)(x = 1.0L)), long double>);

  const double denormal = std::numeric_limits<double>::denorm_min();
  const double payload = std::bit_cast<double>(std::uint64_t{0x7ff8'0000'0000'beefU});
  for (const double number : {-0.0, 0.0, denormal, -denormal, 3.0 * denormal, infinity, -infinity, payload, -payload,
                              std::numeric_limits<double>::max(), std::numeric_limits<double>::min(), 0.1}) {
    const auto bits = std::bit_cast<std::uint64_t>(number);
    BOOST_TEST(std::bit_cast<std::uint64_t>(stop_gradient(number)) == bits);
    BOOST_TEST(std::bit_cast<std::uint64_t>(stop_gradient(x)(x = number)) == bits);
    const auto beside_gradient = tapeless::value_and_gradient(stop_gradient(x), tapeless::wrt(x))(x = number);
    BOOST_TEST(std::bit_cast<std::uint64_t>(beside_gradient.value) == bits);
    const auto traced = tapeless::value_and_gradient([](auto a) { return stop_gradient(a); })(number);
    BOOST_TEST(std::bit_cast<std::uint64_t>(traced.value) == bits);
    BOOST_TEST(static_cast<double>(traced.gradient) == 0.0);
  }
}

BOOST_AUTO_TEST_CASE(ST13_a_name_changes_nothing_but_printing) {
  const auto named = stop_gradient<"target">(e);
  static_assert(std::same_as<derivative_t<decltype(named), X>, Zero>);
  static_assert(std::same_as<decltype(stop_gradient<"target">(constant<2>)), tapeless::Constant<2>>);
  BOOST_TEST(named(x = 0.3, y = 2.0) == stop_gradient(e)(x = 0.3, y = 2.0));
  const auto with_name = tapeless::value_and_gradient(x * named, tapeless::wrt(x, y))(x = 0.3, y = 2.0);
  const auto without = tapeless::value_and_gradient(x * stop_gradient(e), tapeless::wrt(x, y))(x = 0.3, y = 2.0);
  BOOST_TEST(with_name.value == without.value);
  BOOST_TEST(with_name.gradient[x] == without.gradient[x]);
  static_assert(std::same_as<std::remove_cvref_t<decltype(with_name.gradient[y])>, Zero>);
}

// Instruction by instruction: codegen.object_file.
BOOST_AUTO_TEST_CASE(ST12_a_stop_costs_nothing) {
  constexpr auto f = [](auto a, auto b) { return exp(a) * b + sin(a * b); };
  static_assert(tapeless::cost(f(stop_gradient(x), y)) == tapeless::cost(f(x, y)));
  static_assert(tapeless::cost(stop_gradient(f(x, stop_gradient(y)))) == tapeless::cost(f(x, y)));
  BOOST_TEST(f(stop_gradient(x), y)(x = 0.3, y = 2.0) == f(x, y)(x = 0.3, y = 2.0));
}

// z = x + y with y = 2 x: held fixed, y leaves the partial derivatives (1, 1) instead of the total (3, 1).
BOOST_AUTO_TEST_CASE(ST15_a_stopped_node_keeps_its_own_partial) {
  constexpr auto change = tapeless::variable<"change">;
  const auto total = tapeless::gradient(x + (2 * x + change), tapeless::wrt(x, change))(x = 1.0, change = 0.0);
  BOOST_TEST(total[x] == 3.0);
  BOOST_TEST(total[change] == 1.0);
  const auto partial =
      tapeless::gradient(x + (stop_gradient(2 * x) + change), tapeless::wrt(x, change))(x = 1.0, change = 0.0);
  BOOST_TEST(partial[x] == 1.0);
  BOOST_TEST(partial[change] == 1.0);

  // A list of stops is the formula with each of them stopped, by type.
  constexpr auto doubled = constant<2> * x;
  constexpr auto listed =
      tapeless::gradient(x + (doubled + change), tapeless::wrt(x, change), tapeless::stop_gradients(doubled));
  constexpr auto written = tapeless::gradient(x + (stop_gradient(doubled) + change), tapeless::wrt(x, change));
  static_assert(std::same_as<decltype(listed), decltype(written)>);
  BOOST_TEST(listed(x = 1.0, change = 0.0)[x] == 1.0);
  BOOST_TEST(listed(x = 1.0, change = 0.0)[change] == 1.0);
  // So is a variable held fixed; one that is asked for keeps its direct partial derivative.
  constexpr auto product = x * y * y;
  static_assert(std::same_as<decltype(tapeless::gradient(product, tapeless::wrt(x), tapeless::stop_gradients(y))),
                             decltype(tapeless::gradient(x * stop_gradient(y) * stop_gradient(y), tapeless::wrt(x)))>);
  const auto both = tapeless::gradient(product, tapeless::wrt(x, y), tapeless::stop_gradients(x, y));
  BOOST_TEST(both(x = 3.0, y = 2.0)[x] == 4.0);
  BOOST_TEST(both(x = 3.0, y = 2.0)[y] == 12.0);
}

// ER02, ER03, ER05, ER06 and ER07 do not compile: test/negative/case_*.cpp.
BOOST_AUTO_TEST_CASE(ER04_one_open_path_is_a_connection) {
  using tapeless::unconnected::strict;
  BOOST_TEST(tapeless::gradient(x + stop_gradient(x), tapeless::wrt(x), strict)(x = 2.0)[x] == 1.0);
}

BOOST_AUTO_TEST_CASE(ER06_what_is_no_operand_cannot_be_stopped) {
  static_assert(Stoppable<X> && Stoppable<E> && Stoppable<double> && Stoppable<int>);
  static_assert(!Stoppable<std::string>);
  static_assert(!Stoppable<decltype([](double a) { return a; })>);
  BOOST_TEST(true);
}

BOOST_AUTO_TEST_CASE(ER07_an_integer_counts_as_a_constant) {
  const auto by_x = tapeless::gradient(x * y, tapeless::wrt(x))(x = 2.0, y = 3);
  BOOST_TEST(by_x[x] == 3.0);
  static_assert(std::same_as<derivative_t<decltype(x * 3), Y>, Zero>);
  // As a member of what is asked for it has a partial derivative, zero.
  const auto [by_a, by_n] =
      tapeless::gradient([](auto p) { return std::get<0>(p) * std::get<1>(p); })(std::tuple{2.0, 3});
  BOOST_TEST(by_a == 3.0);
  BOOST_TEST(by_n == 0);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace cases
