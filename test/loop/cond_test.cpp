#include "../allocations.hpp"
#include "../counted_exp.hpp"
#include "check_derivatives.hpp"

#include <tapeless/tapeless.hpp>

#include <boost/hana/define_struct.hpp>
#include <boost/test/unit_test.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

// Branches of which one is computed: values against the same branch by hand, derivatives against closed forms and
// against differences of the function by hand.
using namespace tapeless;

using tapeless_test::check;
using tapeless_test::check_derivatives;
using tapeless_test::CountedExp;
using tapeless_test::exponentials;
using tapeless_test::h;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();

constexpr auto roots = [](auto x, auto y) {
  return cond(x > 0, [&](auto a) { return sqrt(a) * y; }, [&](auto a) { return sqrt(-a) + y * y; }, x);
};
static_assert(value(roots)(4.0, 3.0) == 6.0 && value(roots)(-4.0, 3.0) == 11.0);
static_assert(std::get<0>(gradient(roots)(4.0, 3.0)) == 0.75 && std::get<1>(gradient(roots)(4.0, 3.0)) == 2.0);
static_assert(std::get<0>(gradient(roots)(-4.0, 3.0)) == -0.25 && std::get<1>(gradient(roots)(-4.0, 3.0)) == 6.0);
static_assert(hessian(roots)(4.0, 3.0)[0][1] == 0.25 && hessian(roots)(-4.0, 3.0)[1][1] == 2.0);
static_assert(memory<double, double>(hessian(roots)).step == 0);

BOOST_AUTO_TEST_CASE(both_branches_have_their_derivatives) {
  const auto by_hand = [](double x, double y) { return x > 0 ? std::sqrt(x) * y : std::sqrt(-x) + y * y; };
  for (const double x : {0.7, -0.6}) check_derivatives(roots, by_hand, x, 1.3);
  const auto [by_x, by_y] = gradient(roots)(0.25f, 3.0f);
  static_assert(std::is_same_v<decltype(by_x), const float>);
  BOOST_TEST(by_x == 3.0f);
  BOOST_TEST(by_y == 0.5f);
  // The result meets functions of itself, before and after.
  constexpr auto around = [](auto x, auto y) {
    const auto z = sin(x * y);
    const auto r = cond(z * y > 0.1, [&] { return exp(z) * x; }, [&] { return cos(z) - y * x; });
    return r * r * z + log(1 + r * r);
  };
  for (const double x : {0.7, -0.6})
    check_derivatives(
        around,
        [](double p, double q) {
          const double z = std::sin(p * q), r = z * q > 0.1 ? std::exp(z) * p : std::cos(z) - q * p;
          return r * r * z + std::log(1 + r * r);
        },
        x, 1.3);
}

template <class T>
struct state {
  BOOST_HANA_DEFINE_STRUCT(state, (T, place), (T, speed));
};

BOOST_AUTO_TEST_CASE(results_are_structures) {
  constexpr auto f = [](auto x, auto y) {
    const auto array = cond(
        x > y, [](auto a, auto b) { return std::array{a * b, sin(a)}; },
        [](auto, auto) { return std::array<double, 2>{1.0, 2.0}; }, x, y);
    using number = decltype(x);
    const auto [pair, record] = cond(
        y > 0, [&] { return std::tuple(std::pair(x, array[0]), state<number>{x * y, array[1]}); },
        [&] { return std::tuple(std::pair(array[1], y), state<number>{y, x}); });
    return pair.first * record.place + pair.second * record.speed * array[1];
  };
  const auto by_hand = [](double x, double y) {
    const std::array<double, 2> a = x > y ? std::array{x * y, std::sin(x)} : std::array{1.0, 2.0};
    return y > 0 ? x * x * y + a[0] * a[1] * a[1] : a[1] * y + y * x * a[1];
  };
  for (const double x : {-0.8, 0.9})
    for (const double y : {-0.7, 0.6}) check_derivatives(f, by_hand, x, y);
}

BOOST_AUTO_TEST_CASE(a_constant_condition_chooses_at_once) {
  constexpr auto f = [](auto x) {
    const auto a = cond(true, [&] { return x * x; }, [&] { return 1.0; });
    const decltype(x) three = 3;
    return a * cond(three > 4, [&] { return std::array<double, 1>{0.0}; }, [&] { return std::array{x}; })[0];
  };
  static_assert(gradient(f)(2.0) == 12.0);
  static_assert(cost<double>(gradient(f)).total() <= 3);
  static_assert(cond(2 > 1, [](double a) { return a; }, [](double a) { return -a; }, 3.0) == 3.0);
}

BOOST_AUTO_TEST_CASE(only_the_branch_taken_is_computed) {
  constexpr auto f = [](auto x) {
    return cond(
        x > 0, [&] { return apply<CountedExp>(x); },
        [&] { return apply<CountedExp>(2 * x) + apply<CountedExp>(3 * x); });
  };
  const auto count = [](const auto& verb, double at) { return exponentials = 0, verb(at), exponentials; };
  BOOST_TEST(count(value(f), 0.5) == 1);
  BOOST_TEST(count(value(f), -0.5) == 2);
  BOOST_TEST(count(gradient(f), 0.5) == 1);
  BOOST_TEST(count(gradient(f), -0.5) == 2);
  // What several branches compute is computed in those that are taken.
  constexpr auto shared = [](auto x) {
    const auto e = [&] { return apply<CountedExp>(x); };
    const auto first = cond(x > 0, e, [&] { return x; });
    return first + cond(x > 1, [&] { return e() * x; }, [&] { return cond(x > -1, [&] { return 0 * x; }, e); });
  };
  BOOST_TEST(count(value(shared), 2.0) == 2);
  BOOST_TEST(count(value(shared), 0.5) == 1);
  BOOST_TEST(count(value(shared), -0.5) == 0);
  BOOST_TEST(count(value(shared), -2.0) == 1);
  check(value(shared)(2.0), 3 * std::exp(2.0)), check(value(shared)(-2.0), std::exp(-2.0) - 2);
  const std::size_t before = tapeless_test::allocations;
  static_cast<void>(hessian(roots)(0.3, 0.4));
  BOOST_TEST(tapeless_test::allocations == before);
}

BOOST_AUTO_TEST_CASE(nothing_leaves_the_other_branch) {
  // sqrt has an infinite slope at 0 and log no value below.
  constexpr auto guarded = [](auto x, auto y) {
    const auto root = sqrt(x);
    const auto inside = cond(x > 0, [&] { return log(x) * root * y; }, [&] { return 3 * y; });
    return inside * inside + cond(x > 0, [&] { return 1 / x + root; }, [&] { return y * 0.0; });
  };
  for (const double x : {0.0, -1.0, -inf}) {
    const auto [by_x, by_y] = gradient(guarded)(x, 2.0);
    BOOST_TEST(value(guarded)(x, 2.0) == 36.0);
    BOOST_TEST(by_x == 0.0);
    BOOST_TEST(by_y == 36.0);
    BOOST_TEST(jvp(guarded, tangent(1.0, 1.0))(x, 2.0) == 36.0);
    const auto second = hessian(guarded)(x, 2.0);
    BOOST_TEST(second[0][0] == 0.0);
    BOOST_TEST(second[0][1] == 0.0);
    BOOST_TEST(second[1][1] == 18.0);
  }
  // A NaN is not greater.
  BOOST_TEST(std::get<1>(gradient(guarded)(nan, 2.0)) == 36.0);
  // A factor behind the branch that is infinite.
  constexpr auto behind = [](auto x, auto y) {
    return sqrt(cond(y > 0, [&] { return x * x; }, [&] { return y * y; }));
  };
  BOOST_TEST(std::get<0>(gradient(behind)(0.0, -2.0)) == 0.0);
  BOOST_TEST(std::get<1>(gradient(behind)(0.0, -2.0)) == -1.0);
}

BOOST_AUTO_TEST_CASE(branches_stand_in_loops_and_hold_loops) {
  constexpr auto f = [](auto a, auto b, auto xs) {
    return scan(
        [&](auto c, auto x) {
          return cond(
              c * x > 0.1, [&] { return sin(a * c) + b * x; },
              [&] {
                return cond(x > 0, [&](auto y) { return y * y * b + a; }, [&](auto y) { return cos(y) * a; }, x + c);
              });
        },
        b, xs);
  };
  const std::vector<double> xs{1, -2, 0.5, 0.3, -0.2, 0.7};
  const auto by_hand = [&](double a, double b) {
    double c = b;
    for (const double x : xs)
      c = c * x > 0.1 ? std::sin(a * c) + b * x : x > 0 ? (x + c) * (x + c) * b + a : std::cos(x + c) * a;
    return c;
  };
  check_derivatives(f, by_hand, 0.4, 0.9, xs), check_derivatives(f, by_hand, -0.4, -0.2, xs);
  const auto by_sequence = gradient(f, wrt<2>)(0.4, 0.9, xs);
  for (std::size_t i = 0; i < xs.size(); ++i) {
    auto high = xs, low = xs;
    high[i] += h, low[i] -= h;
    check(by_sequence[i], (value(f)(0.4, 0.9, high) - value(f)(0.4, 0.9, low)) / (2 * h));
  }
  // The number of steps is no number of steps in the other branch.
  constexpr auto power = [](auto x, auto y, auto n) {
    return cond(
        n >= 0, [&] { return scan([&](auto c, auto) { return c * x; }, y, steps(n)); },
        [&] { return y / scan([&](auto c, auto) { return c * x; }, x, steps(-n - 1)); });
  };
  for (const int n : {3, 0, -2})
    check_derivatives(power, [n](double x, double y) { return y * std::pow(x, n); }, 1.2, 0.7, n);
  BOOST_CHECK_THROW(value(power)(1.2, 0.7, 0.5), std::invalid_argument);
  static_assert(value(power)(2.0, 3.0, -2) == 0.75);
  // A branch around a verb.
  constexpr auto slope = [](auto x, auto y) {
    return cond(x > 0, [&] { return gradient([](auto v) { return v * v * v; })(x) * y; }, [&] { return y; });
  };
  check_derivatives(slope, [](double x, double y) { return 3 * x * x * y; }, 0.7, 0.3);
  // And a verb around a branch.
  constexpr auto third = [](auto x, auto y) {
    return gradient([](auto v, auto w) { return cond(w > 0, [&] { return v * v * v * w; }, [&] { return v * w; }); },
                    wrt<0>)(x, y);
  };
  check_derivatives(third, [](double x, double y) { return 3 * x * x * y; }, 0.7, 0.3);
  check_derivatives(third, [](double, double y) { return y; }, 0.7, -0.3);
}

}  // namespace
