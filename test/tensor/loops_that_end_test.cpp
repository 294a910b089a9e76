#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstddef>

#include "check_against.hpp"

/// Loops over tensors that end by themselves, and equations: the loops written by hand, and closed forms.
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

BOOST_AUTO_TEST_SUITE_END()
