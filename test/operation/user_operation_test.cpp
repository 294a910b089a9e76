// Operations that a user defines outside the library, and operations that cannot be differentiated behind stops.
#include <tapeless/tapeless.hpp>

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <string_view>
#include <type_traits>

namespace user {

using namespace tapeless::literals;

/// x / (1 + |x|)
struct Softsign {
  static constexpr std::string_view name = "softsign";
  static constexpr auto value = [](const auto& x) { return x / (1 + tapeless::math::abs(x)); };
  static constexpr tapeless::rules partials{[](auto x, auto) { return 1_c / square(1_c + abs(x)); }};
};
template <tapeless::Symbolic E>
constexpr auto softsign(const E& x) {
  return tapeless::apply<Softsign>(x);
}

/// The same by simpler operations.
struct SoftsignOfParts {
  static constexpr std::string_view name = "softsign_of_parts";
  static constexpr auto expand = [](auto x) { return x / (1_c + abs(x)); };
  static constexpr tapeless::rules partials = Softsign::partials;
};

/// x^2 / 2 + e x, in which e is a formula of a constant.
struct WithFormula {
  static constexpr std::string_view name = "with_formula";
  static constexpr auto expand = [](auto x) { return x * (x / exp(log(2_c)) + where(x > 0_c, exp(1_c), exp(1_c))); };
  static constexpr tapeless::rules partials{[](auto x, auto) { return x + exp(1_c); }};
};

/// The sum of any number of operands.
struct Total {
  static constexpr std::string_view name = "total";
  static constexpr auto expand = [](auto operands) {
    return operands.template fold<0>([](auto operand) { return operand; },
                                     [](auto left, auto right) { return left + right; });
  };
  static constexpr tapeless::rule_for_each partials{[](auto, auto, auto) { return 1_c; }};
};

/// a b / (a + b), as of resistances side by side: its laws and its cost are its own.
struct Parallel {
  static constexpr std::string_view name = "parallel";
  static constexpr tapeless::laws laws{.commutative = true};
  static constexpr tapeless::operation_counts cost{.additions = 1, .multiplications = 1, .divisions = 1};
  static constexpr auto value = [](const auto& a, const auto& b) { return a * b / (a + b); };
  static constexpr tapeless::rules partials{[](auto a, auto, auto r) { return square(r / a); },
                                            [](auto, auto b, auto r) { return square(r / b); }};
};
/// The larger magnitude: of operands that are not negative, 0 changes nothing.
struct Extent {
  static constexpr std::string_view name = "extent";
  static constexpr tapeless::laws laws{.commutative = true, .identity = 0, .idempotent = true};
  static constexpr auto value = [](const auto& a, const auto& b) { return tapeless::math::larger(a, b); };
};
struct Flip {
  static constexpr std::string_view name = "flip";
  static constexpr tapeless::laws laws{.odd = true, .involution = true};
  static constexpr auto value = [](const auto& a) { return 1 / a; };
};
struct Bump {
  static constexpr std::string_view name = "bump";
  static constexpr tapeless::laws laws{.even = true};
  static constexpr auto value = [](const auto& a) { return 1 / (1 + a * a); };
};

/// Its rule does not compile.
struct Poison {
  static constexpr std::string_view name = "poison";
  static constexpr auto value = [](const auto& x) { return 3 * x; };
  static constexpr tapeless::rules partials{[](auto x, auto) {
    static_assert(sizeof(x) == 0, "poison is differentiated");
    return x;
  }};
};
template <tapeless::Symbolic E>
constexpr auto poison(const E& x) {
  return tapeless::apply<Poison>(x);
}

/// It has no rule.
struct LastDigit {
  static constexpr std::string_view name = "last_digit";
  static constexpr auto value = [](double x) { return std::fmod(std::floor(x), 10.0); };
};
/// Nor has this, of simpler operations.
struct ProductOfParts {
  static constexpr std::string_view name = "product_of_parts";
  static constexpr auto expand = [](auto a, auto b) { return a * b; };
};

}  // namespace user

using namespace tapeless;
using user::poison;
using user::softsign;

namespace {

constexpr auto x = variable<"x">;
constexpr auto y = variable<"y">;

}  // namespace

BOOST_AUTO_TEST_CASE(own_operation) {
  // Closed forms: f = x / (1 + x), f' = 1 / (1 + x)^2, f'' = -2 / (1 + x)^3 for x > 0; x = 3.
  const auto check = [](const auto& f) {
    const auto [value, g] = value_and_gradient(f)(x = 3.0);
    BOOST_TEST(value == 0.75);
    BOOST_TEST(g[x] == 0.0625);
    BOOST_TEST(hessian(f)(x = 3.0)(x, x) == -0.03125);
    BOOST_TEST(jvp(f, tangent(x = 2.0))(x = 3.0) == 0.125);
    BOOST_TEST(derivative(f, x)(x = 3.0) == 0.0625);
  };
  check(softsign(x));
  check(apply<user::SoftsignOfParts>(x));
  const auto traced_here = value_and_gradient([](auto a) { return softsign(a) * a; })(3.0);
  BOOST_TEST(traced_here.value == 2.25);
  BOOST_TEST(traced_here.gradient == 0.75 + 3 * 0.0625);
  static_assert(softsign(x)(x = 1.0) == 0.5);
}

// Each law saves what it promises, and `cost` counts what the operation says of itself.
BOOST_AUTO_TEST_CASE(own_laws_and_cost) {
  constexpr auto both = apply<user::Parallel>(x, y) * apply<user::Parallel>(y, x);
  static_assert(cost(both) == operation_counts{.additions = 1, .multiplications = 2, .divisions = 1});
  const auto [value, g] = value_and_gradient(both)(x = 2.0, y = 6.0);
  BOOST_TEST(value == 2.25);  // (12 / 8)^2
  BOOST_TEST(g[x] == 2 * 1.5 * 0.5625);
  BOOST_TEST(g[y] == 2 * 1.5 * 0.0625);

  static_assert(cost(apply<user::Extent>(x, y)).functions == 1);
  static_assert(cost(apply<user::Extent>(x, x)).total() == 0);
  static_assert(cost(apply<user::Extent>(x, 0_c)).total() == 0 && cost(apply<user::Extent>(0_c, x)).total() == 0);
  static_assert(cost(apply<user::Extent>(x, y) + apply<user::Extent>(y, x)).functions == 1);

  static_assert(cost(apply<user::Flip>(apply<user::Flip>(x))).total() == 0);
  static_assert(cost(y - apply<user::Flip>(-x)) == operation_counts{.additions = 1, .functions = 1});
  BOOST_TEST(apply<user::Flip>(-x)(x = 4.0) == -0.25);
  static_assert(cost(apply<user::Bump>(-x)) == operation_counts{.functions = 1});
  static_assert(cost(apply<user::Bump>(x - y) + apply<user::Bump>(y - x)).functions == 1);
}

// Such a formula counted as 0.
BOOST_AUTO_TEST_CASE(formulas_of_constants) {
  const double e = std::exp(1.0), value_there = 1.5 * (0.75 + e), slope = 1.5 + e;
  const auto check = [&](const auto& found, double gradient) {
    BOOST_TEST(found.value == value_there, boost::test_tools::tolerance(1e-15));
    BOOST_TEST(gradient == slope, boost::test_tools::tolerance(1e-15));
  };
  const auto of_formula = value_and_gradient(apply<user::WithFormula>(x))(x = 1.5);
  check(of_formula, of_formula.gradient[x]);
  const auto of_function = value_and_gradient([](auto a) { return apply<user::WithFormula>(a); })(1.5);
  check(of_function, of_function.gradient);
  BOOST_TEST(apply<user::WithFormula>(x)(x = 1.5) == value_there, boost::test_tools::tolerance(1e-15));
  const auto plain = value_and_gradient([](auto a) { return a * (exp(1_c) + a / exp(log(2_c))); })(1.5);
  check(plain, plain.gradient);
  // Beside a number that has met no argument yet.
  const auto early = value_and_gradient([](auto a) {
    const decltype(a) two = 2.0;
    return a * (two * exp(1_c) / two + a / (two * exp(log(2_c)) - two));
  })(1.5);
  check(early, early.gradient);
}

BOOST_AUTO_TEST_CASE(any_number_of_operands) {
  const auto [value, g] = value_and_gradient(apply<user::Total>(x, y, 3_c, x))(x = 1.0, y = 3.5);
  BOOST_TEST(value == 8.5);
  BOOST_TEST(g[x] == 2.0);
  BOOST_TEST(g[y] == 1.0);
}

BOOST_AUTO_TEST_CASE(poison_behind_a_stop) {
  constexpr auto f = x * stop_gradient(poison(x) + sin(poison(y)));
  static_assert(std::is_same_v<derivative_t<decltype(f), std::remove_const_t<decltype(y)>>, Zero>);
  const auto g = value_and_gradient(f)(x = 2.0, y = 0.0);
  BOOST_TEST(g.value == 12.0);
  BOOST_TEST(g.gradient[x] == 6.0);
  BOOST_TEST(g.gradient[y] == 0.0);
  BOOST_TEST(hessian(f)(x = 2.0, y = 0.0)(x, x) == 0.0);
  BOOST_TEST(jvp(f, tangent(x = 1.0))(x = 2.0, y = 0.0) == 6.0);
  // A formula with poison may be evaluated, and differentiated with respect to what is not behind it.
  BOOST_TEST(gradient(poison(x) * y, wrt(y))(x = 2.0, y = 5.0)[y] == 6.0);
  BOOST_TEST(gradient([](auto a) { return a * stop_gradient(poison(a)); })(2.0) == 6.0);
  BOOST_TEST(gradient([](auto a, auto b) { return where(poison(a) > 0, b, -b); }, wrt<1>)(2.0, 1.0) == 1.0);
}

BOOST_AUTO_TEST_CASE(no_rule_behind_a_stop) {
  BOOST_TEST(gradient(x * stop_gradient(apply<user::LastDigit>(x)))(x = 27.5)[x] == 7.0);
  static_assert(value(apply<user::ProductOfParts>(x, y))(x = 3.0, y = 2.0) == 6.0);
  BOOST_TEST(gradient(x * stop_gradient(apply<user::ProductOfParts>(x, y)), wrt(x))(x = 3.0, y = 2.0)[x] == 6.0);
  BOOST_TEST(gradient([](auto a) { return a * stop_gradient(apply<user::ProductOfParts>(a, a + 1)); })(2.0) == 6.0);
}
