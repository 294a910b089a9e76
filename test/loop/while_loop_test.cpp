#include "../message_of.hpp"
#include "check_derivatives.hpp"

#include <tapeless/tapeless.hpp>

#include <boost/hana/define_struct.hpp>
#include <boost/test/unit_test.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

// Loops that run while a condition holds: values against the same loop by hand, derivatives against differences of that
// and closed forms.
using namespace tapeless;

using tapeless_test::check;
using tapeless_test::check_derivatives;
using tapeless_test::message_of;

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

constexpr auto doubled = [](auto x, auto most) {
  return while_loop([](auto c) { return c < 100; }, [](auto c) { return 2 * c; }, x, most);
};
static_assert(value(doubled)(3.0, 50) == 192.0 && gradient(doubled, wrt<0>)(3.0, 50) == 64.0);
static_assert(value(doubled)(3.0, 4) == 48.0 && gradient(doubled, wrt<0>)(3.0, 4) == 16.0);
static_assert(value(doubled)(3.0, 0) == 3.0 && gradient(doubled, wrt<0>)(100.0, 50) == 1.0);

BOOST_AUTO_TEST_CASE(steps_are_made_while_the_condition_holds) {
  constexpr auto f = [](auto x, auto rate) {
    const auto [t, y, count] =
        while_loop([&](const auto& c) { return std::get<1>(c) * rate < 3 && std::get<0>(c) < 4; },
                   [&](const auto& c) {
                     const auto& [time, old, n] = c;
                     return std::tuple(time + rate, old + 0.3 * (sin(old) * rate + x), n + 1);
                   },
                   std::tuple(0.0, x, 0), 1000);
    return y * y * t + count;
  };
  const auto by_hand = [](double x, double rate) {
    double t = 0, y = x, count = 0;
    while (y * rate < 3 && t < 4) {
      y += 0.3 * (std::sin(y) * rate + x);
      t += rate, ++count;
    }
    return y * y * t + count;
  };
  check_derivatives<7>(f, by_hand, 0.7, 0.31);
  check_derivatives<7>(f, by_hand, 0.01, 0.62);
  check_derivatives<7>(f, by_hand, 4.0, 1.0);
  constexpr auto kept = [](auto x, auto rate) {
    return while_loop<checkpoints<2>>([](auto c) { return c < 8; }, [&](auto c) { return c + sin(c) * rate + x; }, x,
                                      99);
  };
  check_derivatives<7>(
      kept,
      [](double x, double rate) {
        double c = x;
        while (c < 8) c += std::sin(c) * rate + x;
        return c;
      },
      0.7, 0.31);
}

BOOST_AUTO_TEST_CASE(floats_and_numbers_of_steps) {
  const auto by_x = gradient(doubled, wrt<0>)(3.0f, 50);
  static_assert(std::is_same_v<decltype(by_x), const float>);
  BOOST_TEST(by_x == 64.0f);
  // With nothing to double there are no more than the steps allowed.
  BOOST_TEST(value(doubled)(0.0, 123) == 0.0);
  BOOST_TEST(value(doubled)(-1.0, 3) == -8.0);
  BOOST_CHECK_THROW(value(doubled)(3.0, -1), std::invalid_argument);
  BOOST_CHECK_THROW(value(doubled)(3.0, 2.5), std::invalid_argument);
  BOOST_TEST(message_of<std::invalid_argument>([] { value(doubled)(0.0f, 1 << 25); }) ==
             "tapeless: a loop of 16777216 steps is too long: numbers of its type count steps below 16777216");
}

BOOST_AUTO_TEST_CASE(as_many_steps_as_it_takes) {
  // 3, 6, ..., 192
  for (const std::int64_t most : {std::int64_t{16777217}, INT64_MAX}) {
    BOOST_TEST(value(doubled)(3.0, most) == 192.0);
    BOOST_TEST(value(doubled)(3.0f, most) == 192.0f);
    BOOST_TEST(gradient(doubled, wrt<0>)(3.0f, most) == 64.0f);
  }
  BOOST_TEST(value(doubled)(3.0, 1e300) == 192.0);
  BOOST_TEST(value(doubled)(200.0, INT64_MAX) == 200.0);
}

BOOST_AUTO_TEST_CASE(more_steps_than_numbers_count) {
  constexpr auto grown = [](auto x, auto n) { return scan([](auto c, auto) { return 2 * c; }, x, steps(n)); };
  const auto refused = [&](auto x, auto n) { return message_of<std::invalid_argument>([&] { value(grown)(x, n); }); };
  BOOST_TEST(refused(1.0f, 16777218) ==
             "tapeless: a loop of 16777218 steps is too long: numbers of its type count steps below 16777216");
  BOOST_TEST(refused(1.0f, 16777217) ==
             "tapeless: a loop of 16777216 steps is too long: numbers of its type count steps below 16777216");
  BOOST_TEST(refused(1.0, 1e300) ==
             "tapeless: a loop of 1e+300 steps is too long: numbers of its type count steps below 9007199254740992");
  BOOST_TEST(refused(1.0, 2.5) == "tapeless: the number of steps of a loop must be a nonnegative integer, not 2.5");
  BOOST_TEST(refused(1.0f, -1e30f) ==
             "tapeless: the number of steps of a loop must be a nonnegative integer, not -1.00000002e+30");
}

BOOST_AUTO_TEST_CASE(nan_ends_it) {
  constexpr auto f = [](auto x, auto y) {
    const auto [c, n] = while_loop([](const auto& s) { return s[0] > -10; },
                                   [&](const auto& s) { return std::array{sqrt(s[0]) - 1 + 0 * y, s[1] + y}; },
                                   std::array{x, 0 * y}, 100);
    return std::array{c, n};
  };
  // 4 -> 1 -> 0 -> -1 -> NaN
  const auto ended = value(f)(4.0, 3.0);
  BOOST_TEST(std::isnan(ended[0]));
  BOOST_TEST(ended[1] == 12.0);
  BOOST_TEST(value(f)(nan, 3.0)[1] == 0.0);
  BOOST_TEST(jacobian(f)(4.0, 3.0)[1][1] == 4.0);
}

template <class T>
struct ball {
  BOOST_HANA_DEFINE_STRUCT(ball, (T, height), (T, speed));
};

BOOST_AUTO_TEST_CASE(carries_are_structures_and_loops_nest) {
  // How high a ball is when it comes down, in steps.
  constexpr auto fall = [](auto speed, auto g) {
    using number = decltype(speed);
    return while_loop([](const auto& b) { return b.height >= 0; },
                      [&](const auto& b) { return ball<number>{b.height + 0.1 * b.speed, b.speed - 0.1 * g}; },
                      ball<number>{0.0, speed}, 1000)
        .height;
  };
  // After n steps: 0.1 n v - 0.01 g n (n - 1) / 2.
  const auto by_hand = [](double v, double g) {
    double n = 0;
    while (0.1 * n * v - 0.005 * g * n * (n - 1) >= -1e-12) ++n;
    return 0.1 * n * v - 0.005 * g * n * (n - 1);
  };
  check(value(fall)(3.3, 9.81), by_hand(3.3, 9.81), 1e-12);
  check(std::get<0>(gradient(fall)(3.3, 9.81)), 0.1 * 8);
  check(std::get<1>(gradient(fall)(3.3, 9.81)), -0.005 * 56);
  // A pair is a carry like others. In each step of a scan, and in another such loop.
  constexpr auto nested = [](auto a, auto b, auto xs) {
    return scan(
        [&](auto sum, auto x) {
          const auto last = while_loop(
              [&](const auto& c) { return c.first < x; },
              [&](const auto& c) {
                return std::pair(c.first + a, while_loop([](auto d) { return d > 1; }, [&](auto d) { return d * b; },
                                                         c.second * c.first + sum, 50));
              },
              std::pair(a * b, sum), 20);
          return last.second * b + last.first;
        },
        a, xs);
  };
  const std::vector<double> xs{1, 0.1, 0.7};
  check_derivatives<7>(
      nested,
      [&](double a, double b) {
        double sum = a;
        for (const double x : xs) {
          double first = a * b, second = sum;
          while (first < x) {
            second = second * first + sum;
            while (second > 1) second *= b;
            first += a;
          }
          sum = second * b + first;
        }
        return sum;
      },
      0.43, 0.81, xs);
  // All that it starts from is constant.
  constexpr auto captured = [](auto a) {
    return while_loop([&](auto c) { return c < 10; }, [&](auto c) { return c + a; }, 1, 100);
  };
  static_assert(gradient(captured)(2.0) == 5.0);
}

}  // namespace
