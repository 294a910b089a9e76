#include <tapeless/tapeless.hpp>

#include <boost/hana/define_struct.hpp>
#include <boost/test/unit_test.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

// Differential equations and fixed points in traced functions, against closed forms.
using namespace tapeless;

namespace {

void check(double got, double wanted, double tolerance) {
  BOOST_TEST_INFO(got << " " << wanted);
  BOOST_TEST(std::abs(got - wanted) <= tolerance * (1 + std::abs(wanted)));
}

template <class T>
struct swinging {
  BOOST_HANA_DEFINE_STRUCT(swinging, (T, place), (T, speed));
};

// y' = -k y + t with y(t0) = y0: y = c exp(-k (t - t0)) + t / k - 1 / k^2.
constexpr auto relaxing = [](auto t, auto y, auto k) { return t - k * y; };
constexpr auto relaxed = [](auto y0, auto t0, auto t1, auto k, auto n) { return odeint(relaxing, y0, t0, t1, n, k); };
struct relaxation {
  double y, by_y0, by_t0, by_t1, by_k;
  relaxation(double y0, double t0, double t1, double k) {
    const double e = std::exp(-k * (t1 - t0)), c = y0 - t0 / k + 1 / (k * k);
    y = c * e + t1 / k - 1 / (k * k);
    by_y0 = e;
    by_t0 = -e * (t0 - k * y0);
    by_t1 = t1 - k * y;
    by_k = (t0 / (k * k) - 2 / (k * k * k)) * e - c * (t1 - t0) * e - t1 / (k * k) + 2 / (k * k * k);
  }
};

BOOST_AUTO_TEST_CASE(errors_of_the_fixed_steps_fall_with_the_fourth_power) {
  const relaxation exact(2, 0.5, 2, 0.7);
  const auto errors = [&](int n) {
    const auto [value, gradient] = value_and_gradient(relaxed, wrt<0, 1, 2, 3>)(2.0, 0.5, 2.0, 0.7, n);
    const auto [a, b, c, d] = gradient;
    return std::array{value - exact.y, a - exact.by_y0, b - exact.by_t0, c - exact.by_t1, d - exact.by_k};
  };
  const auto coarse = errors(20), fine = errors(40);
  for (std::size_t i = 0; i < coarse.size(); ++i) {
    BOOST_TEST(std::abs(coarse[i]) < 1e-5);
    BOOST_TEST(std::abs(coarse[i] / fine[i] - 16) < 2);
  }
  for (const double error : errors(1000)) BOOST_TEST(std::abs(error) < 1e-12);
  const auto none = value_and_gradient(relaxed, wrt<0, 2>)(2.0, 0.5, 2.0, 0.7, 0);
  check(none.value, 2, 0);
  check(std::get<0>(none.gradient), 1, 0);
  check(std::get<1>(none.gradient), 0, 0);
  BOOST_CHECK_THROW(value_and_gradient(relaxed, wrt<0>)(2.0, 0.5, 2.0, 0.7, -3), std::invalid_argument);
}

constexpr auto oscillating = [](auto, auto y, auto w) {
  auto slope = y;
  slope.place = y.speed;
  slope.speed = -w * w * y.place;
  return slope;
};
template <class Memory>
constexpr auto swing = [](auto w, auto start, auto n) {
  const auto end = odeint<Memory>(oscillating, start, 0.0, 2.0, n, w);
  return end.place + 0 * end.speed;
};

BOOST_AUTO_TEST_CASE(a_state_is_a_struct_and_second_derivatives_are_right) {
  const swinging<double> start{1, 0};
  const double w = 1.5;
  const auto stored = value_and_gradient(swing<store_all>, wrt<0>)(w, start, 2000);
  check(stored.value, std::cos(2 * w), 1e-11);
  check(stored.gradient, -2 * std::sin(2 * w), 1e-11);
  check(hessian(swing<store_all>, wrt<0>)(w, start, 2000)[0][0], -4 * std::cos(2 * w), 1e-10);
  check(gradient(swing<checkpoints<5>>, wrt<0>)(w, start, 2000), stored.gradient, 0);
  check(gradient(swing<store_all>, wrt<1>)(w, start, 2000).speed, std::sin(2 * w) / w, 1e-11);
}

BOOST_AUTO_TEST_CASE(a_state_is_a_pair) {
  static constexpr auto slope = [](auto, auto y, auto w) { return std::pair(y.second, -w * w * y.first); };
  constexpr auto place = [](auto w) {
    return odeint<checkpoints<5>>(slope, std::pair(1.0, 0.0 * w), 0.0, 2.0, 2000, w).first;
  };
  const auto [value, gradient] = value_and_gradient(place)(1.5);
  check(value, std::cos(3.0), 1e-11);
  check(gradient, -2 * std::sin(3.0), 1e-11);
}

constexpr auto relaxed_as_asked = [](auto y0, auto t0, auto t1, auto k, auto tolerance) {
  return odeint<adaptive>(relaxing, y0, t0, t1, k, tolerance);
};
constexpr auto oscillating_pair = [](auto, auto y, auto w) { return std::array{y[1], -w * w * y[0]}; };
constexpr auto swing_as_asked = [](auto w, auto t0, auto t1, auto tolerance) {
  return odeint<adaptive>(oscillating_pair, std::array{1.0, 0.0}, t0, t1, w, tolerance)[0];
};

// y0' = p y1, y1' = 1 from (1, 0): at 1, y0 is 1 + p / 2.
BOOST_AUTO_TEST_CASE(a_slope_is_a_tuple_of_as_many_numbers) {
  constexpr auto end = [](auto p) {
    const auto slope = [](auto, auto y, auto rate) { return std::tuple{rate * y[1], 1.0}; };
    return odeint(slope, std::array{1.0, 0.0}, 0.0, 1.0, 4, p)[0];
  };
  BOOST_TEST(gradient(end)(3.0) == 0.5, boost::test_tools::tolerance(1e-15));
}

BOOST_AUTO_TEST_CASE(a_slope_captures_what_the_derivative_is_by) {
  constexpr auto fixed = [](auto k) { return odeint([&](auto, auto y) { return -k * y; }, 1.0, 0.0, 1.0, 1000); };
  constexpr auto chosen = [](auto k) {
    return odeint<adaptive>([&](auto, auto y) { return std::array{y[1], -k * k * y[0]}; }, std::array{1, 0}, 0, 1,
                            std::array{1e-12, 1e-12})[0];
  };
  check(gradient(fixed)(0.5), -std::exp(-0.5), 1e-10);
  check(gradient(chosen)(0.5), -std::sin(0.5), 1e-10);
}

BOOST_AUTO_TEST_CASE(adaptive_steps_keep_the_tolerance) {
  for (const double end : {2.0, 0.5, -1.5}) {
    const relaxation exact(2, 0.5, end, 0.7);
    const auto [value, gradient] = value_and_gradient(relaxed_as_asked, wrt<0, 1, 2, 3>)(2.0, 0.5, end, 0.7, 1e-10);
    check(value, exact.y, 1e-9);
    check(std::get<0>(gradient), exact.by_y0, 1e-8);
    check(std::get<1>(gradient), exact.by_t0, 1e-8);
    check(std::get<2>(gradient), exact.by_t1, 1e-8);
    check(std::get<3>(gradient), exact.by_k, 1e-8);
  }
  const double w = 1.3, x = w * 5.5;
  for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10}) {
    const auto [value, gradient] = value_and_gradient(swing_as_asked, wrt<0, 1, 2>)(w, 0.5, 6.0, tolerance);
    check(value, std::cos(x), 20 * tolerance);
    check(std::get<0>(gradient), -5.5 * std::sin(x), 40 * tolerance);
    check(std::get<1>(gradient), w * std::sin(x), 20 * tolerance);
    check(std::get<2>(gradient), -w * std::sin(x), 20 * tolerance);
  }
  // A tolerance that is far too large lets large errors pass: it is what the steps follow.
  const double loose = value_and_gradient(swing_as_asked, wrt<0>)(w, 0.5, 6.0, 1e-2).value;
  BOOST_TEST(std::abs(loose - std::cos(x)) > 1e-6);
}

BOOST_AUTO_TEST_CASE(where_no_step_is_short_enough_the_result_is_no_number) {
  const auto impossible = value_and_gradient(swing_as_asked, wrt<0>)(1.3, 0.5, 6.0, -1.0);
  BOOST_TEST(std::isnan(impossible.value));
  BOOST_TEST(std::isnan(impossible.gradient));
  // y' = y^2 has a pole at t = 1 / y0.
  constexpr auto pole = [](auto y0, auto tolerance) {
    return odeint<adaptive>([](auto, auto y, auto one) { return one * y * y; }, y0, 0.0, 2.0, 1.0, tolerance);
  };
  BOOST_TEST(std::isnan(value_and_gradient(pole, wrt<0>)(1.0, 1e-8).value));
  check(value_and_gradient(pole, wrt<0>)(0.25, 1e-10).value, 0.5, 1e-9);
  check(value_and_gradient(pole, wrt<0>)(0.25, 1e-10).gradient, 4, 1e-7);
}

BOOST_AUTO_TEST_CASE(a_fixed_point_has_the_derivatives_of_the_implicit_function) {
  constexpr auto kepler = [](auto mean, auto e) {
    return fixed_point<2>([](auto x, auto m, auto c) { return m + c * sin(x); }, mean, mean, e);
  };
  // From any x one comes back to m = x - e sin(x).
  const double x = 1.3, e = 0.3, m = x - e * std::sin(x), slope = 1 - e * std::cos(x);
  const auto [value, gradient] = value_and_gradient(kepler)(m, e);
  check(value, x, 1e-15);
  check(std::get<0>(gradient), 1 / slope, 1e-14);
  check(std::get<1>(gradient), std::sin(x) / slope, 1e-14);
  const auto rows = hessian(kepler)(m, e);
  check(rows[0][0], -e * std::sin(x) / (slope * slope * slope), 1e-12);
  const auto single = value_and_gradient(kepler)(static_cast<float>(m), 0.3f);
  check(single.value, x, 1e-6);
  check(std::get<0>(single.gradient), 1 / slope, 1e-6);
}

BOOST_AUTO_TEST_CASE(a_fixed_point_depends_on_arguments_only) {
  constexpr auto f = [](auto a) { return a * fixed_point([](auto x) { return cos(x); }, a); };
  const auto [value, gradient] = value_and_gradient(f)(0.5);
  check(gradient, 0.7390851332151607, 1e-15);
  check(value, gradient / 2, 1e-15);
}

BOOST_AUTO_TEST_CASE(a_fixed_point_of_an_array) {
  // x = (p x1 / 2 + 1, q x0 / 2): x0 = 1 / (1 - p q / 4), x1 = q x0 / 2.
  constexpr auto f = [](auto p, auto q, auto start) {
    const auto x = fixed_point([](auto y, auto a, auto b) { return std::array{a * y[1] / 2 + 1, b * y[0] / 2}; },
                               std::array{start, start}, p, q);
    return x[0] + 3 * x[1];
  };
  const double p = 0.9, q = 1.4, d = 1 - p * q / 4;
  const auto [value, gradient] = value_and_gradient(f)(p, q, 5.0);
  check(value, (1 + 1.5 * q) / d, 1e-14);
  check(std::get<0>(gradient), (1 + 1.5 * q) * q / 4 / (d * d), 1e-14);
  check(std::get<1>(gradient), 1.5 / d + (1 + 1.5 * q) * p / 4 / (d * d), 1e-14);
  check(std::get<2>(gradient), 0, 0);
}

BOOST_AUTO_TEST_CASE(values_at_requested_times) {
  // y = a cos(w (t - t0)) + b sin(w (t - t0)) / w, added up with weights 1 + t.
  constexpr auto f = [](auto a, auto b, auto w, auto t0, auto times) {
    const auto ys = odeint_at([](auto, auto y, auto frequency) { return std::array{y[1], -square(frequency) * y[0]}; },
                              std::array{a, b}, t0, times, w, 1e-10);
    return scan([&](auto c, auto y, auto t) { return c + y[0] * (1 + t); }, 0.0, ys, times);
  };
  const double a = 0.8, b = 0.5, w = 1.3, t0 = 0.2;
  // Where it begins, several within a step and twice the same, and far away.
  for (const std::vector<double>& times :
       {std::vector<double>{0.2, 0.5, 0.55, 0.56, 0.56, 1.7, 9, 9.01}, std::vector<double>{3}, std::vector<double>{}}) {
    const auto [value, gradient] = value_and_gradient(f)(a, b, w, t0, times);
    double sum = 0, by_a = 0, by_b = 0, by_w = 0, by_t0 = 0;
    for (std::size_t i = 0; i < times.size(); ++i) {
      const double s = times[i] - t0, weight = 1 + times[i], cosine = std::cos(w * s), sine = std::sin(w * s);
      const double y = a * cosine + b * sine / w, slope = -a * w * sine + b * cosine;
      sum += weight * y, by_a += weight * cosine, by_b += weight * sine / w, by_t0 -= weight * slope;
      by_w += weight * (-a * s * sine + b * s * cosine / w - b * sine / (w * w));
      check(std::get<4>(gradient)[i], y + weight * slope, 1e-6);
    }
    check(value, sum, 1e-8);
    check(std::get<0>(gradient), by_a, 1e-7);
    check(std::get<1>(gradient), by_b, 1e-7);
    check(std::get<2>(gradient), by_w, 1e-7);
    check(std::get<3>(gradient), by_t0, 1e-7);
  }
  // A time before those that were asked for.
  BOOST_TEST(std::isnan(value_and_gradient(f)(a, b, w, t0, std::vector<double>{5, 0.3}).value));
  // No step is short enough.
  constexpr auto explodes = [](auto y0, auto times) {
    return scan([](auto c, auto y) { return c + y; }, 0.0,
                odeint_at([](auto, auto y) { return y * y; }, y0, 0.0, times, 1e-8));
  };
  check(value_and_gradient(explodes)(1.0, std::vector<double>{0.5}).value, 2, 1e-7);
  BOOST_TEST(std::isnan(value_and_gradient(explodes)(1.0, std::vector<double>{0.5, 1.5}).value));
}

BOOST_AUTO_TEST_CASE(without_a_fixed_point_the_result_is_no_number) {
  constexpr auto f = [](auto a) { return fixed_point([](auto x, auto p) { return p * x + 1; }, 1.0, a); };
  check(value_and_gradient(f)(0.5).value, 2, 1e-15);
  check(value_and_gradient(f)(0.5).gradient, 4, 1e-14);
  check(value_and_gradient(f)(-0.99).gradient, 1 / (1.99 * 1.99), 1e-14);
  for (const double a : {1.0, -1.0, 2.0}) {
    BOOST_TEST(std::isnan(value_and_gradient(f)(a).value));
    BOOST_TEST(std::isnan(value_and_gradient(f)(a).gradient));
  }
}

// Nothing is stored.
constexpr auto stationary = [](auto a) { return fixed_point([](auto x, auto p) { return cos(p * x); }, a, a); };
static_assert(memory<double>(gradient(stationary)).step == 0);
static_assert(gradient([](auto a) { return fixed_point([](auto x, auto b) { return (x + b / x) / 2; }, a, a); })(4.0) ==
              0.25);

}  // namespace
