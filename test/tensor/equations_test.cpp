#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstddef>
#include <tuple>

#include "check_against.hpp"

/// Differential equations over tensors: closed forms.
using namespace tapeless;
using namespace tapeless_test;

BOOST_AUTO_TEST_SUITE(equations)

BOOST_AUTO_TEST_CASE(an_equation_of_tensors) {
  // y' = A y, a rotation.
  static constexpr auto f = [](const auto& a, const auto& y0) {
    return odeint([](auto, auto y, auto m) { return dot(m, y); }, y0, 0.0, 1.0, 20, a);
  };
  const matrix a = {{0., 1.}, {-1., 0.}};
  const row at_end = value(f)(a, row{1., 0.});
  nearly(at_end(0), std::cos(1.0), "y", 1e-6), nearly(at_end(1), -std::sin(1.0), "y", 1e-6);
  const auto [by_a, by_y] = vjp(f, cotangent(row{1., 0.}))(a, row{1., 0.});
  nearly(by_y(0), std::cos(1.0), "by y0", 1e-6), nearly(by_y(1), std::sin(1.0), "by y0", 1e-6);
}

BOOST_AUTO_TEST_CASE(an_equation_of_tensors_to_a_tolerance) {
  // y' = A y + b. Rows and columns of A lie along axes of their own, and y along both in turn.
  static constexpr auto f = [](const auto& a, const auto& b, const auto& y0, const auto& t1) {
    return odeint<adaptive>([](auto, auto y, auto m, auto c) { return dot(m, y) + c; }, y0, 0.0, t1, a, b, 1e-10);
  };
  const matrix a = {{0., 1.}, {-1., 0.}};
  const row b{0.25, 0.5};
  for (const double t : {0.0, 1.0, -2.0}) {
    const double c = std::cos(t), s = std::sin(t);
    const row at_end = value(f)(a, b, row{1., 0.}, t);
    nearly(at_end(0), 0.5 + 0.5 * c + 0.25 * s, "y", 1e-9), nearly(at_end(1), -0.25 + 0.25 * c - 0.5 * s, "y", 1e-9);
    const auto [by_a, by_b, by_y, by_t] = vjp(f, cotangent(row{1., 0.}))(a, b, row{1., 0.}, t);
    nearly(by_b(0), s, "by b", 1e-9), nearly(by_b(1), 1 - c, "by b", 1e-9);
    nearly(by_y(0), c, "by y0", 1e-9), nearly(by_y(1), s, "by y0", 1e-9);
    nearly(by_t, 0.25 * c - 0.5 * s, "by t1", 1e-8);
  }
}

BOOST_AUTO_TEST_CASE(an_equation_of_tensors_and_numbers_to_a_tolerance) {
  // x' = -k x, z' = sum(x): z = z0 + sum(x0) (1 - exp(-k t)) / k. The error is one of all numbers alike.
  static constexpr auto f = [](const auto& x0, const auto& z0, const auto& k) {
    const auto slope = [](auto, auto y, auto rate) {
      return std::tuple(-1 * rate * std::get<0>(y), sum(std::get<0>(y)));
    };
    return std::get<1>(odeint<adaptive>(slope, std::tuple(1 * x0, 1 * z0), 0.0, 2.0, k, 1e-11));
  };
  const matrix x = {{0.5, 0.1, 0.3}, {0.2, 0.4, 0.9}};
  const auto [z, by_x, by_z, by_k] = [&] {
    const auto r = value_and_gradient(f)(x, 0.7, 1.5);
    return std::tuple(r.value, std::get<0>(r.gradient), std::get<1>(r.gradient), std::get<2>(r.gradient));
  }();
  const double decay = std::exp(-3.0), total = xt::sum(x)();
  nearly(z, 0.7 + total * (1 - decay) / 1.5, "z", 1e-9);
  for (const double one : by_x) nearly(one, (1 - decay) / 1.5, "by x0", 1e-9);
  nearly(by_z, 1.0, "by z0", 1e-12);
  nearly(by_k, total * (2 * decay / 1.5 - (1 - decay) / 2.25), "by k", 1e-8);
}

BOOST_AUTO_TEST_CASE(an_equation_of_tensors_at_times) {
  // y' = -w y of each element, y = y0 exp(-w (t - t0)), in any order of times.
  static constexpr auto f = [](const auto& y0, const auto& t0, const auto& times, const auto& w, const auto& seen) {
    const auto slope = [](auto, auto y, auto rate) { return -1 * rate * y; };
    return sum(seen * odeint_at(slope, y0, t0, times, w, 1e-11));
  };
  const row y0{1.0, -2.0}, w{0.25, 1.5};
  const matrix seen = {{1.0, 2.0}, {0.5, -1.0}, {0.25, 4.0}, {-3.0, 1.0}};
  const row some{0.75, 2.0, 2.0, -0.5}, none = xt::zeros<double>({0});
  const double t0 = 0.5;
  static constexpr auto derivatives = value_and_gradient(f, wrt<0, 1, 2, 3>);
  const auto check = [&](const row& times) {
    const matrix weights = xt::view(seen, xt::range(0, times.size()));
    const auto [value, slopes] = derivatives(y0, t0, times, w, weights);
    const auto& [by_y, by_t0, by_times, by_w] = slopes;
    double total = 0, at_t0 = 0;
    row by_time = xt::zeros<double>({times.size()}), y = xt::zeros<double>({2}), rate = y;
    for (std::size_t k = 0; k < times.size(); ++k)
      for (std::size_t i = 0; i < 2; ++i) {
        const double decay = seen(k, i) * std::exp(-w(i) * (times(k) - t0));
        total += decay * y0(i), y(i) += decay, rate(i) -= (times(k) - t0) * decay * y0(i);
        by_time(k) -= w(i) * decay * y0(i), at_t0 += w(i) * decay * y0(i);
      }
    nearly(value, total, "value", 1e-9), nearly(by_t0, at_t0, "by t0", 1e-8);
    for (std::size_t i = 0; i < 2; ++i) nearly(by_y(i), y(i), "by y0", 1e-9), nearly(by_w(i), rate(i), "by w", 1e-8);
    for (std::size_t k = 0; k < times.size(); ++k) nearly(by_times(k), by_time(k), "by a time", 1e-8);
  };
  check(some), check(none);
}

BOOST_AUTO_TEST_CASE(the_error_is_a_mean) {
  // However often a state has the same number, it takes the same steps.
  static constexpr auto slope = [](auto t, auto y, auto k) { return k * cos(5 * t) * y; };
  static constexpr auto one = [](const auto& y0, const auto& k) {
    return odeint<adaptive>(slope, y0, 0.0, 2.0, k, 1e-3);
  };
  static constexpr auto several = [](const auto& y0, const auto& z0, const auto& k) {
    const auto both = [](auto t, auto y, auto rate) {
      return std::tuple(slope(t, std::get<0>(y), rate), slope(t, std::get<1>(y), rate));
    };
    const auto last = odeint<adaptive>(both, std::tuple(1 * y0, 1 * z0), 0.0, 2.0, k, 1e-3);
    return std::get<0>(last) * std::get<1>(last);
  };
  const double y = value(one)(0.7, 1.5);
  nearly(y, 0.7 * std::exp(0.3 * std::sin(10.0)), "y", 1e-2);
  for (const double z : value(one)(row{0.7, 0.7, 0.7}, 1.5)) nearly(z, y, "alike", 1e-13);
  for (const double z : value(several)(matrix{{0.7, 0.7}, {0.7, 0.7}}, 0.7, 1.5)) nearly(z, y * y, "both", 1e-13);
}

BOOST_AUTO_TEST_SUITE_END()
