#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstddef>

#include "check_against.hpp"

/// Loops over tensors that end by themselves: the loops written by hand, and closed forms.
using namespace tapeless;
using namespace tapeless_test;

BOOST_AUTO_TEST_SUITE(loops_that_end)

BOOST_AUTO_TEST_CASE(while_a_norm_is_large) {
  static constexpr auto f = [](const auto& w, const auto& x0, const auto& most) {
    return sum(
        while_loop([](auto x) { return sum(square(x)) > 0.1; }, [&](auto x) { return tanh(dot(w, x)); }, x0, most));
  };
  static constexpr auto at_most_fifty = [](const auto& w, const auto& x0) { return f(w, x0, 50); };
  const auto by_hand = [](int most) {
    return [most](const matrix& w, row x) {
      for (int k = 0; k < most && xt::sum(x * x)() > 0.1; ++k) x = xt::tanh(times(w, x));
      return xt::sum(x)();
    };
  };
  const matrix w = {{0.6, 0.1}, {-0.2, 0.5}};
  check_against<2>("some steps", at_most_fifty, by_hand(50), w, row{1., 0.7});
  check_against("no step", at_most_fifty, by_hand(50), w, row{0.1, 0.07});
  for (const int most : {0, 1, 2})
    nearly(value(f)(w, row{1., 0.7}, most), by_hand(most)(w, row{1., 0.7}), "at most", 1e-13);
}

BOOST_AUTO_TEST_CASE(a_fixed_point) {
  static constexpr auto f = [](const auto& w, const auto& b) {
    return sum(square(fixed_point([](auto x, auto v, auto c) { return tanh(dot(v, x) + c); }, 0 * b, w, b)));
  };
  const auto by_hand = [](const matrix& w, const row& b) {
    row x = 0 * b;
    for (int k = 0; k < 300; ++k) x = xt::tanh(times(w, x) + b);
    return xt::sum(x * x)();
  };
  check_against<2>("fixed point", f, by_hand, matrix(0.6 * random<matrix>({3, 3}, 1)), random<row>({3}, 2));
}

BOOST_AUTO_TEST_CASE(the_start_of_a_fixed_point_has_no_part_in_derivatives) {
  // From the fixed point itself, and with a start and a right-hand side that only one direction of several is needed
  // for.
  static constexpr auto f = [](const auto& b, const auto& start) {
    return dot(b, fixed_point([](auto x, auto c) { return 0.5 * tanh(x - mean(x)) + c; }, start, b));
  };
  for (const row& b : {row{0.3, -0.2, 0.4}, row{0.7, 0.7, 0.7}}) {
    row x = b;
    for (int k = 0; k < 200; ++k) x = 0.5 * xt::tanh(x - xt::mean(x)()) + b;
    // b' x with x' = (I - D (I - 1 1'/3))^-1, D = diag(0.5 (1 - tanh^2)); by u' = u' D (I - 1 1'/3) + b' for that.
    row u = b;
    for (int k = 0; k < 200; ++k) {
      const row d = 0.5 * u * (1 - xt::square(xt::tanh(x - xt::mean(x)())));
      u = b + d - xt::mean(d)();
    }
    for (const row& start : {row{0., 0., 0.}, x, row{5., 1., -3.}}) {
      const row slopes = gradient(f, wrt<0>)(b, start);
      for (std::size_t i = 0; i < 3; ++i) nearly(slopes(i), x(i) + u(i), "by b", 1e-11);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_fixed_point_that_is_turned_around) {
  // A rotation in coordinates of other lengths, contracted: every few steps, x moves further than in the step before.
  static constexpr auto f = [](const auto& a, const auto& b) {
    return sum(fixed_point([](auto x, auto m, auto c) { return dot(m, x) + c; }, 0 * b, a, b));
  };
  for (const double angle : {0.3, 1.0, 2.5}) {
    const double c = 0.8 * std::cos(angle), s = 0.8 * std::sin(angle), determinant = (1 - c) * (1 - c) + s * s;
    const matrix a = {{c, -9 * s}, {s / 9, c}};
    const row b = {0.3, -0.2};
    const row x = {((1 - c) * b(0) - 9 * s * b(1)) / determinant, (s / 9 * b(0) + (1 - c) * b(1)) / determinant};
    const row u = {(1 - c + s / 9) / determinant, (1 - c - 9 * s) / determinant};
    const auto [value, slopes] = value_and_gradient(f)(a, b);
    nearly(value, x(0) + x(1), "value", 1e-11);
    const auto single = value_and_gradient(f)(xt::xtensor<float, 2>(a), xt::xtensor<float, 1>(b));
    nearly(single.value, x(0) + x(1), "of floats", 1e-4);
    for (std::size_t i = 0; i < 2; ++i) {
      nearly(std::get<1>(slopes)(i), u(i), "by b", 1e-11);
      for (std::size_t j = 0; j < 2; ++j) nearly(std::get<0>(slopes)(i, j), u(i) * x(j), "by a", 1e-11);
    }
  }
}

BOOST_AUTO_TEST_CASE(fixed_points_of_matrices_of_floats) {
  static constexpr auto f = [](const auto& w, const auto& b) {
    return sum(fixed_point([](auto x, auto v, auto c) { return tanh(dot(x, v) + c); }, 0 * b, w, b));
  };
  const matrix w = {{0.6, 0.1}, {-0.2, 0.5}}, b = {{0.3, -0.2}, {1.5, 0.0}, {-0.7, 0.4}};
  const auto exact = value_and_gradient(f)(w, b);
  const auto [value, slopes] = value_and_gradient(f)(xt::xtensor<float, 2>(w), xt::xtensor<float, 2>(b));
  nearly(value, exact.value, "value", 1e-5);
  for (std::size_t i = 0; i < 4; ++i)
    nearly(std::get<0>(slopes).data()[i], std::get<0>(exact.gradient).data()[i], "by w", 1e-4);
}

BOOST_AUTO_TEST_SUITE_END()
