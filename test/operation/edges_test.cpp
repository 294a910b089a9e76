// Kinks, ties, infinities, NaN, signed zeros: what doc/semantics.md fixes.
#include <tapeless/tapeless.hpp>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/test/unit_test.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <type_traits>

using namespace tapeless;

namespace {

constexpr auto x = variable<"x">;
constexpr auto y = variable<"y">;
constexpr auto z = variable<"z">;
constexpr double infinity = std::numeric_limits<double>::infinity();
const double quiet = std::numeric_limits<double>::quiet_NaN();

template <class F>
double slope(const F& f, double at) {
  return gradient(f, wrt(x))(x = at)[x];
}

}  // namespace

BOOST_AUTO_TEST_CASE(kinks) {
  BOOST_TEST(slope(abs(x), 0.0) == 0.0);
  BOOST_TEST(slope(relu(x), 0.0) == 0.0);
  BOOST_TEST(slope(sqrt(x), 0.0) == infinity);
  BOOST_TEST(slope(cbrt(x), 0.0) == infinity);
  BOOST_TEST(slope(norm(x, 0.0), 0.0) == 0.0);
  BOOST_TEST(slope(hypot(x, 0.0), 0.0) == 0.0);
  BOOST_TEST(slope(sign(x), 0.0) == 0.0);
  BOOST_TEST(slope(floor(x), 2.0) == 0.0);
  BOOST_TEST(slope(pow(x, constant<2>), 0.0) == 0.0);
  BOOST_TEST(slope(pow(x, constant<-2>), 2.0) == -0.25);
  BOOST_TEST(slope(pow(x, constant<0>) + x, 0.0) == 1.0);
  BOOST_TEST(pow(x, constant<-3>)(x = 2.0) == 0.125);
  const auto power = gradient(pow(x, y))(x = 0.0, y = 0.0);
  BOOST_TEST(power[x] == 0.0);
  BOOST_TEST(power[y] == 0.0);
  const auto h = hessian(norm(x, y))(x = 0.0, y = 0.0);
  BOOST_TEST(h(x, x) == 0.0);
  BOOST_TEST(h(x, y) == 0.0);
}

BOOST_AUTO_TEST_CASE(ties) {
  const auto three = gradient(max(x, y, z))(x = 2.0, y = 2.0, z = 2.0);
  BOOST_TEST(three[x] == 1.0 / 3);
  BOOST_TEST(three[z] == 1.0 / 3);
  const auto two = gradient(min(x, y, z))(x = 1.0, y = 2.0, z = 1.0);
  BOOST_TEST(two[x] == 0.5);
  BOOST_TEST(two[y] == 0.0);
  const auto folded = gradient(max(max(x, y), z))(x = 2.0, y = 2.0, z = 2.0);
  BOOST_TEST(folded[x] == 0.25);
  BOOST_TEST(folded[z] == 0.5);
  BOOST_TEST(slope(max(x, x), 1.0) == 1.0);
  BOOST_TEST(std::isnan(max(x, y)(x = quiet, y = 1.0)));
  BOOST_TEST(std::isnan(max(x, y)(x = 1.0, y = quiet)));
  BOOST_TEST(std::isnan(min(x, y)(x = 1.0, y = quiet)));
}

BOOST_AUTO_TEST_CASE(no_nan_from_the_branch_not_taken) {
  // Each branch is singular at 0, where the other is chosen.
  BOOST_TEST(slope(where(x < 1, x, sqrt(x)), 0.0) == 1.0);
  BOOST_TEST(slope(where(x > 0, log(x), 2.0 * x), 0.0) == 2.0);
  BOOST_TEST(slope(where(x == 0, 1_c, sin(x) / x), 0.0) == 0.0);
  BOOST_TEST(slope(where(x > 0, sqrt(x), where(x < 0, sqrt(-x), 3.0 * x)), 0.0) == 3.0);
  // sqrt(x) is shared by two branches that are not taken, and 0 * infinity is inside.
  const auto shared = sqrt(x);
  BOOST_TEST(slope(where(x > 0, shared * shared, where(x > 1, shared, x * x + x)), 0.0) == 1.0);
  BOOST_TEST(slope(where(x > 0, 0.0 * (1_c / x), x), 0.0) == 1.0);
  // Second order, forward and through functions.
  BOOST_TEST(hessian(where(x > 0, x * sqrt(x), x * x))(x = 0.0)(x, x) == 2.0);
  BOOST_TEST(jvp(where(x > 0, sqrt(x), x), tangent(x = 1.0))(x = 0.0) == 1.0);
  BOOST_TEST(gradient([](auto a) { return where(a > 0, sqrt(a) * log(a), 5 * a); })(0.0) == 5.0);
  const auto both = gradient(where(x > y, sqrt(x - y), x * y))(x = 2.0, y = 2.0);
  BOOST_TEST(both[x] == 2.0);
  BOOST_TEST(both[y] == 2.0);
}

// jax.nn.logsumexp: an operand of -inf weighs nothing; the operand of +inf, and all where all are -inf, have none.
BOOST_AUTO_TEST_CASE(logsumexp_at_infinities) {
  const auto weights = gradient([](auto a, auto b) { return logsumexp(a, b); });
  const auto [none, all] = weights(-INFINITY, 1.0);
  BOOST_TEST(none == 0.0);
  BOOST_TEST(all == 1.0);
  const auto [infinite, finite] = weights(INFINITY, 1.0);
  BOOST_TEST(std::isnan(infinite));
  BOOST_TEST(finite == 0.0);
  const auto [first, second] = weights(-INFINITY, -INFINITY);
  BOOST_TEST((std::isnan(first) && std::isnan(second)));
}

BOOST_AUTO_TEST_CASE(numbers_are_not_structure) {
  BOOST_TEST(std::isnan((0.0 * x)(x = infinity)));
  BOOST_TEST(std::isnan(([](auto e) { return e - e; }(x))(x = infinity)));
  static_assert(std::is_same_v<std::remove_const_t<decltype(0_c * log(x))>, Zero>);
  BOOST_TEST(std::isnan(gradient([](auto a) { return 0.0 * exp(a); })(1e4)));
  BOOST_TEST(std::isnan(log(x)(x = -1.0)));
  BOOST_TEST(log(x)(x = 0.0) == -infinity);
  BOOST_TEST(std::signbit(stop_gradient(x * y)(x = -0.0, y = 1.0)));
  constexpr double tiny = std::numeric_limits<double>::denorm_min();
  BOOST_TEST(stop_gradient(x + 0_c)(x = tiny) == tiny);
  BOOST_TEST(slope(x * stop_gradient(1_c / x), infinity) == 0.0);
  BOOST_TEST(slope(x + stop_gradient(log(x)), 0.0) == 1.0);
}

BOOST_AUTO_TEST_CASE(number_types) {
  const auto f = 2.5 * x * exp(x) / (1 + square(x));
  const auto single = value_and_gradient(f)(x = 0.5f);
  static_assert(std::is_same_v<decltype(single.value), float>);
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(single.gradient[x])>, float>);
  const auto extended = value_and_gradient(f)(x = 0.5L);
  static_assert(std::is_same_v<decltype(extended.value), long double>);
  BOOST_TEST(std::abs(static_cast<long double>(single.gradient[x]) - extended.gradient[x]) < 1e-6L);

  using wide = boost::multiprecision::cpp_bin_float_50;
  const wide at = wide(1) / 3;
  // f' = 2.5 e^x (1 + x + x^2 + x^3 - 2 x^2) / (1 + x^2)^2
  const wide expected = wide(5) / 2 * exp(at) * (1 + at - at * at + at * at * at) / pow(wide(1 + at * at), 2);
  const auto many = value_and_gradient(f)(x = at);
  BOOST_TEST(abs(many.gradient[x] - expected) < wide("1e-48"));
  const auto traced_many = value_and_gradient([](auto a) { return constant<5, 2> * a * exp(a) / (1 + a * a); })(at);
  BOOST_TEST(abs(traced_many.gradient - expected) < wide("1e-48"));
  BOOST_TEST(abs(gradient(erf(x))(x = at)[x] - 2 / sqrt(acos(wide(-1))) * exp(-at * at)) < wide("1e-48"));
  // Integers are real numbers in arithmetic, and stay what they are behind a stop alone.
  BOOST_TEST((x / y)(x = 1, y = 2) == 0.5);
  static_assert(std::is_same_v<decltype(stop_gradient(x)(x = 3)), int>);
  static_assert(std::is_same_v<decltype(stop_gradient(x < y)(x = 1.0, y = 2.0)), bool>);
}

BOOST_AUTO_TEST_CASE(comparisons_count_as_0_and_1) {
  constexpr auto both = (x > 1) + (y > 1);
  static_assert(std::is_same_v<decltype(both(x = 2.0, y = 3.0)), double>);
  static_assert(both(x = 2.0, y = 3.0) == 2.0 && both(x = 2.0, y = 0.0) == 1.0 && both(x = 2.0f, y = 3.0f) == 2.0f);
  static_assert(where(x > 0, (x > 1) + (y > 1), 0_c)(x = 2.0, y = 3.0) == 2.0);
  static_assert(where(x > 0, x > 1, y > 1)(x = 2.0, y = 0.0) == 1.0);
  BOOST_TEST(((x > 1) * x)(x = 2.0) == 2.0);
  BOOST_TEST((x / (y > 1))(x = 2.0, y = 0.0) == infinity);
  BOOST_TEST((-(x > 1))(x = 2.0) == -1.0);
  BOOST_TEST(((x > 1) == (y > 1))(x = 2.0, y = 3.0));
  BOOST_TEST(((x > 1) < (y > 1))(x = 0.0, y = 3.0));
  BOOST_TEST((!(x > 1) + !(y > 1))(x = 0.0, y = 0.0) == 2.0);
  BOOST_TEST(((x > 1 && y > 1) + (x > 1 || y > 1))(x = 2.0, y = 0.0) == 1.0);
  BOOST_TEST((max(x > 1, y > 1) + norm(x > 1, y > 1))(x = 2.0, y = 2.0) == 1 + std::sqrt(2.0));
  BOOST_TEST((exp(x > 1) * y)(x = 2.0, y = 0.5) == std::exp(1.0) / 2, boost::test_tools::tolerance(1e-15));
  BOOST_TEST((stop_gradient(x > 1) * y)(x = 2.0, y = 0.5) == 0.5);
  // 0 is a number here: no factor vanishes, but a literal one leaves no bool either.
  BOOST_TEST(std::isnan(((x < 1) * x)(x = infinity)));
  static_assert(std::is_same_v<decltype((1_c * (x > 1))(x = 2.0)), double>);
  static_assert(std::is_same_v<decltype(((x > 1) - 0_c)(x = 2.0)), double>);

  const auto r = value_and_gradient((x > 1) * x * y, wrt(x, y))(x = 2.0, y = 3.0);
  BOOST_TEST(r.value == 6.0);
  BOOST_TEST(r.gradient[x] == 3.0);
  BOOST_TEST(r.gradient[y] == 2.0);
  static_assert(
      std::is_same_v<std::remove_cvref_t<decltype(gradient((y > 1) * x, wrt(x))(x = 2.0, y = 3.0)[x])>, double>);
  BOOST_TEST(hessian((y > 1) * x * x, wrt(x))(x = 2.0, y = 3.0)(x, x) == 2.0);
  BOOST_TEST(jvp((y > 1) * x * x, tangent(x = 1.0))(x = 2.0, y = 3.0) == 4.0);
  static_assert(std::is_same_v<decltype(derivative((y > 1) * x, x)(y = 3.0)), double>);
  BOOST_TEST(derivative((y > 1) * x, x)(y = 3.0) == 1.0);

  constexpr auto count = [](auto a) {
    decltype(a) n = 0;
    for (const double t : {1.0, 2.0, 3.0}) n += a > t;
    return n * a;
  };
  static_assert(value_and_gradient(count)(4.0).value == 12.0 && value_and_gradient(count)(2.5).gradient == 2.0);
  static_assert(
      std::is_same_v<decltype(value_and_gradient([](auto a) { return 1_c * (a > 1.0); })(2.0).value), double>);
  const auto single = value_and_gradient([](auto a, auto b) { return (a > b) * a + exp(a < b) * b; })(2.0f, 1.0f);
  BOOST_TEST(single.value == 3.0f);
  BOOST_TEST(std::get<1>(single.gradient) == 1.0f);
}

// Products keep their order, in values and in derivatives: d/dw of x y + (y z) (x w) is (y z) x.
BOOST_AUTO_TEST_CASE(products_in_order) {
  constexpr auto w = variable<"w">;
  const auto f = x * y + (y * z) * (x * w);
  BOOST_TEST(gradient(f, wrt(w))(x = 1e-200, y = 1e-200, z = 1e300, w = 1.0)[w] == 1e-200 * 1e300 * 1e-200);
  BOOST_TEST(gradient(f, wrt(w))(x = 1e-25f, y = 1e-25f, z = 1e30f, w = 1.0f)[w] == 1e-25f * 1e30f * 1e-25f);
  const auto g = tanh(x * y) + (y * z) * (x * w);
  BOOST_TEST(gradient(g, wrt(w))(x = 1e200, y = 1e200, z = 1e-300, w = 1e-100)[w] == 1e200 * 1e-300 * 1e200);
}

// What a user wrote is computed as it stands, whatever else is computed.
BOOST_AUTO_TEST_CASE(exponentials_as_written) {
  const auto p = exp(x - y);
  const auto q = exp(x - (y + log(z)));
  const double expected = std::exp(-800 - std::log(1e-300));
  BOOST_TEST((p + q)(x = -800.0, y = 0.0, z = 1e-300) == expected);
  BOOST_TEST(gradient(p + q, wrt(x))(x = -800.0, y = 0.0, z = 1e-300)[x] == expected);
  BOOST_TEST(std::isnan((p + q)(x = 1.0, y = 0.0, z = -1.0)));
  const auto guarded = where(x - y < 80, p, 0_c) + q;
  BOOST_TEST(guarded(x = 90.0f, y = 0.0f, z = 1e30f) == std::exp(90.0f - std::log(1e30f)));
}
