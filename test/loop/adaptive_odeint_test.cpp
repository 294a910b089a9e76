#include <tapeless/tapeless.hpp>

#include <boost/hana/define_struct.hpp>
#include <boost/test/unit_test.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

// The choice of steps of odeint<adaptive> and odeint_at, against closed forms.
using namespace tapeless;

namespace {

void check(double got, double wanted, double tolerance) {
  BOOST_TEST_INFO(got << " " << wanted);
  BOOST_TEST(std::abs(got - wanted) <= tolerance * (1 + std::abs(wanted)));
}

// y[i] = (i + 1) exp(-k t / (i + 1)).
constexpr auto decaying = [](auto, auto y, auto k) {
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = -k / static_cast<double>(i + 1) * y[i];
  return y;
};
template <std::size_t N>
constexpr auto decayed = [](auto k, auto t1) {
  std::array<double, N> y0;
  for (std::size_t i = 0; i < N; ++i) y0[i] = static_cast<double>(i + 1);
  const auto last = odeint<adaptive>(decaying, y0, 0.0, t1, k, 1e-10);
  return last[0] + last[N - 1];
};

BOOST_AUTO_TEST_CASE(states_of_any_size) {
  const auto run = []<std::size_t N>(std::integral_constant<std::size_t, N>) {
    for (const double t1 : {2.0, -1.0}) {
      const auto r = value_and_gradient(decayed<N>, wrt<0>)(1.5, t1);
      const double n = N, first = std::exp(-1.5 * t1), last = n * std::exp(-1.5 * t1 / n);
      check(r.value, first + last, 1e-8);
      check(r.gradient, -t1 * first - t1 / n * last, 1e-7);
    }
  };
  run(std::integral_constant<std::size_t, 1>{});
  run(std::integral_constant<std::size_t, 3>{});
  run(std::integral_constant<std::size_t, 7>{});
}

// However often a state has the same number, it takes the same steps, as the error is a mean.
template <std::size_t N>
constexpr auto repeated = [](auto y0, auto k) {
  const auto slope = [](auto t, auto y, auto rate) {
    for (auto& one : y) one = rate * cos(5 * t) * one;
    return y;
  };
  std::array<decltype(1 * y0), N> start;
  start.fill(1 * y0);
  return odeint<adaptive>(slope, start, 0.0, 2.0, k, 1e-3)[N - 1];
};
BOOST_AUTO_TEST_CASE(the_error_is_a_mean) {
  const double y = value(repeated<1>)(0.7, 1.5);
  check(y, 0.7 * std::exp(0.3 * std::sin(10.0)), 1e-2);
  check(value(repeated<4>)(0.7, 1.5), y, 1e-13);
}

// A large state at rest beside one that swings: y1 = sin(w t).
template <class T>
struct beside {
  BOOST_HANA_DEFINE_STRUCT(beside, (T, large), (T, swinging));
};
constexpr auto swinging = [](auto t, auto y, auto w) {
  y.large = 0 * y.large;
  y.swinging = cos(w * t) * w;
  return y;
};
constexpr auto swung = [](auto w, auto start, auto tolerance, auto times) {
  const auto at = odeint_at(swinging, start, 0.0, times, w, tolerance);
  return odeint<adaptive>(swinging, start, 0.0, 1.0, w, tolerance).swinging +
         scan([](auto, auto y) { return y.swinging; }, 0.0, at);
};

BOOST_AUTO_TEST_CASE(each_number_is_measured_by_its_own_size) {
  for (const double large : {0.0, 1e3, 1e6})
    for (const double w : {20.0, 3.0}) {
      const auto r = value_and_gradient(swung, wrt<0>)(w, beside<double>{large, 0}, 1e-6, std::vector{0.5, 1.0});
      check(r.value, 2 * std::sin(w), 1e-5);
      check(r.gradient, 2 * std::cos(w), 1e-4);
    }
}

// Each step is exact to the tolerance, so the error at the end is proportional to it; with an absolute tolerance of
// zero, values far below 1 keep their digits.
constexpr auto shrunk = [](auto k, auto start, auto absolute, auto relative) {
  return odeint<adaptive>([](auto, auto y, auto rate) { return -rate * y; }, start, 0.0, 3.0, k,
                          std::array{absolute, relative});
};
BOOST_AUTO_TEST_CASE(absolute_and_relative_tolerance) {
  const double exact = std::exp(-3.9);
  for (const double relative : {1e-5, 1e-8, 1e-11}) {
    const auto r = value_and_gradient(shrunk, wrt<0>)(1.3, 1e-9, 0.0, relative);
    BOOST_TEST(std::abs(r.value / (1e-9 * exact) - 1) < 20 * relative);
    BOOST_TEST(std::abs(r.gradient / (-3e-9 * exact) - 1) < 100 * relative);
  }
  BOOST_TEST(std::abs(value_and_gradient(shrunk, wrt<0>)(1.3, 1e-9, 1e-2, 1e-2).value / (1e-9 * exact) - 1) < 10);
  for (const auto& [absolute, relative] : {std::pair(-1e-6, 1e-6), std::pair(1e-6, -1e-6), std::pair(0.0, 0.0)})
    BOOST_TEST(std::isnan(value_and_gradient(shrunk, wrt<0>)(1.3, 1.0, absolute, relative).value));
  const auto single = value_and_gradient(shrunk, wrt<0>)(1.3f, 1.0f, 1e-5f, 1e-5f);
  check(single.value, exact, 1e-4);
  check(single.gradient, -3 * exact, 1e-4);
}

// y = y0 (cos w, -sin w): what is 0 at first is measured by the absolute tolerance alone, however large its slope.
constexpr auto turned = [](auto w, auto y0, auto tolerance) {
  return odeint<adaptive>([](auto, auto y, auto rate) { return std::array{rate * y[1], -rate * y[0]}; },
                          std::array{y0, 0 * y0}, 0.0, 1.0, w, tolerance)[0];
};
BOOST_AUTO_TEST_CASE(large_slopes_beside_a_zero) {
  for (const double y0 : {1e3, 1e140, 1e149, 1e200, 1e300}) {
    const auto r = value_and_gradient(turned, wrt<0>)(0.7, y0, 1e-10);
    check(r.value / y0, std::cos(0.7), 1e-9);
    check(r.gradient / y0, -std::sin(0.7), 1e-9);
  }
  for (const float y0 : {1e3f, 1e14f, 1e20f, 1e36f}) {
    const auto r = value_and_gradient(turned, wrt<0>)(0.7f, y0, 1e-6f);
    check(r.value / y0, std::cos(0.7), 1e-5);
    check(r.gradient / y0, -std::sin(0.7), 1e-5);
  }
}

// y = k (1 - (1 + t) exp(-t)), from a slope of zero.
constexpr auto pulse = [](auto t, auto, auto k) { return k * t * exp(-t); };
constexpr auto from_rest = [](auto k, auto times) {
  const auto ys = odeint_at(pulse, 0.0, 0.0, times, k, 1e-8);
  return scan([](auto c, auto y) { return c + y; }, 0.0, ys);
};
constexpr auto all_from_rest = [](auto k, auto t1) { return odeint<adaptive>(pulse, 0.0, 0.0, t1, k, 1e-8); };
BOOST_AUTO_TEST_CASE(a_pulse_from_rest_is_seen) {
  const auto y = [](double t) { return 1 - (1 + t) * std::exp(-t); };
  const auto at = value_and_gradient(from_rest, wrt<0>)(3.0, std::vector{0.0, 0.5, 1.0, 2.0, 200.0});
  const double sum = y(0.5) + y(1) + y(2) + 1;
  check(at.value, 3 * sum, 1e-6);
  check(at.gradient, sum, 1e-6);
  for (const double t1 : {0.1, 2.0, 200.0, -2.0}) {
    const auto r = value_and_gradient(all_from_rest)(3.0, t1);
    check(r.value, 3 * y(t1), 1e-6);
    check(std::get<0>(r.gradient), y(t1), 1e-6);
    check(std::get<1>(r.gradient), 3 * t1 * std::exp(-t1), 1e-6);
  }
  check(value_and_gradient(all_from_rest)(3.0, 0.0).value, 0, 0);
}

// y' = y or -y in turn: log y goes up and down. Most steps over a jump are rejected, and as the next one does not grow
// again at once, fewer than 1500 attempts are made.
constexpr auto in_turn = [](auto k, auto t1) {
  const auto slope = [](auto t, auto y, auto speed) { return where(sin(speed * t) > 0, y, -1 * y); };
  return odeint<adaptive_steps<1500>>(slope, 1.0, 0.0, t1, k, 1e-6);
};
BOOST_AUTO_TEST_CASE(jumps_of_the_slope_take_no_more_attempts_than_they_need) {
  check(value(in_turn)(7.0, 20.0), std::exp(std::acos(std::cos(140.0)) / 7), 1e-2);
}

// y' = -1000 (y - cos t), whose solution from its slow part is (10^6 cos t + 1000 sin t) / (10^6 + 1).
constexpr auto stiff = [](auto t, auto y, auto k) { return -k * (y - cos(t)); };
template <class Method>
constexpr auto stiffly = [](auto k, auto y0, auto t1) { return odeint<Method>(stiff, y0, 0.0, t1, k, 1e-7); };
BOOST_AUTO_TEST_CASE(stiff_equations_take_many_steps_or_say_that_they_do_not_end) {
  const double k = 1000, d = k * k + 1;
  const auto slow = [&](double t) { return (k * k * std::cos(t) + k * std::sin(t)) / d; };
  const auto by_k = [&](double t) {
    return (2 * k * std::cos(t) + std::sin(t)) / d - 2 * k * (k * k * std::cos(t) + k * std::sin(t)) / (d * d);
  };
  for (const double y0 : {slow(0), 3.0}) {
    const auto r = value_and_gradient(stiffly<adaptive>, wrt<0>)(k, y0, 4.0);
    check(r.value, slow(4), 1e-6);
    check(r.gradient, by_k(4), 1e-6);
  }
  // Some 300 steps a unit of time: too many for 16 384.
  BOOST_TEST(std::isnan(value_and_gradient(stiffly<adaptive>, wrt<0>)(k, 1.0, 100.0).value));
  check(value(stiffly<adaptive_steps<100000>>)(k, 1.0, 100.0), slow(100), 1e-6);
}

// y = 1 / (1 / y0 - t).
constexpr auto growing = [](auto, auto y) { return square(y); };
constexpr auto grown_at = [](auto y0, auto times) {
  return scan([](auto, auto y) { return y; }, 0.0, odeint_at(growing, y0, 0.0, times, 1e-9));
};
constexpr auto grown = [](auto y0, auto t1) { return odeint<adaptive>(growing, y0, 0.0, t1, 1e-9); };
// sqrt(1 - t) ends at t = 1: y = (2 - 2 (1 - t)^1.5) / 3.
constexpr auto ending = [](auto k, auto t1) {
  return odeint<adaptive>([](auto t, auto, auto c) { return c * sqrt(1 - t); }, 0.0, 0.0, t1, k, 1e-6);
};
BOOST_AUTO_TEST_CASE(beyond_a_pole_and_where_there_is_no_slope_the_result_is_no_number) {
  for (const double t1 : {0.5, 0.99, -3.0}) {
    const auto r = value_and_gradient(grown, wrt<0>)(1.0, t1);
    check(r.value, 1 / (1 - t1), 1e-6);
    check(r.gradient, 1 / square(1 - t1), 1e-5);
    check(std::get<0>(value_and_gradient(grown_at)(1.0, std::vector{t1 / 2, t1}).gradient), 1 / square(1 - t1), 1e-5);
  }
  for (const double t1 : {1.0001, 1.5, 100.0}) {
    const auto r = value_and_gradient(grown, wrt<0>)(1.0, t1);
    BOOST_TEST(std::isnan(r.value));
    BOOST_TEST(std::isnan(r.gradient));
    const auto at = value_and_gradient(grown_at)(1.0, std::vector{0.5, t1});
    BOOST_TEST(std::isnan(at.value));
    BOOST_TEST(std::isnan(std::get<0>(at.gradient)));
  }
  // No stage lies beyond the end.
  check(value_and_gradient(ending, wrt<0>)(1.0, 1.0).value, 2. / 3, 1e-5);
  check(value_and_gradient(ending, wrt<0>)(1.0, 0.5).gradient, (2 - 2 * std::pow(0.5, 1.5)) / 3, 1e-5);
  BOOST_TEST(std::isnan(value_and_gradient(ending, wrt<0>)(1.0, 1.01).value));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  BOOST_TEST(std::isnan(value_and_gradient(grown, wrt<0>)(nan, 0.5).value));
  BOOST_TEST(std::isnan(value_and_gradient(grown, wrt<0>)(1.0, nan).value));
  BOOST_TEST(std::isnan(value_and_gradient(grown_at)(nan, std::vector{0.5}).value));
  BOOST_TEST(std::isnan(value_and_gradient(grown_at)(1.0, std::vector{nan, 0.5}).value));
}

BOOST_AUTO_TEST_CASE(times_go_in_one_direction) {
  const auto at = [](const std::vector<double>& times) { return value_and_gradient(grown_at)(1.0, times); };
  check(at({-0.5, -0.5, -0.7, -3, -3, -3}).value, 0.25, 1e-7);
  check(std::get<1>(at({-0.5, -0.5, -0.7, -3, -3, -3}).gradient)[5], 1. / 16, 1e-6);
  check(at({0, 0, 0.5, 0.5, 0.5}).value, 2, 1e-7);
  check(std::get<0>(at({0, 0, 0.5, 0.5, 0.5}).gradient), 4, 1e-6);
  check(at({0, 0}).value, 1, 0);
  check(std::get<0>(at({0, 0}).gradient), 1, 0);
  for (const auto& turning : {std::vector{5.0, 0.3}, std::vector{-0.5, 0.3}, std::vector{0.5, 0.2, 0.5}})
    BOOST_TEST(std::isnan(value_and_gradient(from_rest, wrt<0>)(3.0, turning).value));
}

// y(t) = exp(t - t0): where t is t0 too, no step is made, but the derivatives by t0 are those of the solution.
constexpr auto since_start = [](auto t0, auto times) {
  return sum(odeint_at([](auto, auto y) { return y; }, 1.0, t0, times, 1e-9));
};
BOOST_AUTO_TEST_CASE(second_derivatives_by_the_start_at_the_start) {
  for (const auto& times : {std::vector{0.5, 0.5}, std::vector{0.5, 0.75}, std::vector{0.5, 0.25}}) {
    const auto r = value_and_hessian(since_start, wrt<0>)(0.5, times);
    const double wanted = 1 + std::exp(times[1] - 0.5);
    check(r.value, wanted, 1e-6);
    check(r.gradient, -wanted, 1e-6);
    check(r.hessian[0][0], wanted, 1e-6);
  }
}

}  // namespace
