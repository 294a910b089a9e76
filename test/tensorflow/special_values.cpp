// Made by generate.py from TensorFlow 2.21.0 and JAX 0.10.2; not edited by hand.
// NaN and infinity pass through a stop's value and into no derivative.
// 19 cases.
#include "check.hpp"

namespace tensorflow_test {

BOOST_AUTO_TEST_CASE(sum_with_nan) {
  constexpr auto f = [](auto a, auto b) { return a * a + stop_gradient(b); };
  check<2>(f, {.at = {1.5, nan},
               .value = nan,
               .gradient = {3, 0},
               .none = {false, true},
               .hessian = {{{2, 0}, {0, 0}}},
               .along = 3,
               .hvp = {2, 0},
               .single_value = nan,
               .single_gradient = {3, 0}});
}

BOOST_AUTO_TEST_CASE(product_with_nan) {
  constexpr auto f = [](auto a, auto b) { return a * stop_gradient(b); };
  check<2, what{.hessian = false, .forward = false}>(f, {.at = {1.5, nan},
                                                         .value = nan,
                                                         .gradient = {nan, 0},
                                                         .none = {false, true},
                                                         .single_value = nan,
                                                         .single_gradient = {nan, 0}});
}

BOOST_AUTO_TEST_CASE(sum_with_inf) {
  constexpr auto f = [](auto a, auto b) { return a * a + stop_gradient(b); };
  check<2>(f, {.at = {1.5, inf},
               .value = inf,
               .gradient = {3, 0},
               .none = {false, true},
               .hessian = {{{2, 0}, {0, 0}}},
               .along = 3,
               .hvp = {2, 0},
               .single_value = inf,
               .single_gradient = {3, 0}});
}

BOOST_AUTO_TEST_CASE(product_with_inf) {
  constexpr auto f = [](auto a, auto b) { return a * stop_gradient(b); };
  check<2, what{.hessian = false, .forward = false}>(f, {.at = {1.5, inf},
                                                         .value = inf,
                                                         .gradient = {inf, 0},
                                                         .none = {false, true},
                                                         .single_value = inf,
                                                         .single_gradient = {inf, 0}});
}

BOOST_AUTO_TEST_CASE(sum_with_minus_inf) {
  constexpr auto f = [](auto a, auto b) { return a * a + stop_gradient(b); };
  check<2>(f, {.at = {1.5, -inf},
               .value = -inf,
               .gradient = {3, 0},
               .none = {false, true},
               .hessian = {{{2, 0}, {0, 0}}},
               .along = 3,
               .hvp = {2, 0},
               .single_value = -inf,
               .single_gradient = {3, 0}});
}

BOOST_AUTO_TEST_CASE(product_with_minus_inf) {
  constexpr auto f = [](auto a, auto b) { return a * stop_gradient(b); };
  check<2, what{.hessian = false, .forward = false}>(f, {.at = {1.5, -inf},
                                                         .value = -inf,
                                                         .gradient = {-inf, 0},
                                                         .none = {false, true},
                                                         .single_value = -inf,
                                                         .single_gradient = {-inf, 0}});
}

BOOST_AUTO_TEST_CASE(log_of_negative) {
  constexpr auto f = [](auto a, auto b) { return a * b + stop_gradient(log(b)); };
  check<2, what{.forward = false}>(f, {.at = {1.5, -1},
                                       .value = nan,
                                       .gradient = {-1, 1.5},
                                       .none = {false, false},
                                       .hessian = {{{0, 1}, {1, 0}}},
                                       .single_value = nan,
                                       .single_gradient = {-1, 1.5}});
  check<2, what{.forward = false}>(f, {.at = {1.5, 0},
                                       .value = -inf,
                                       .gradient = {0, 1.5},
                                       .none = {false, false},
                                       .hessian = {{{0, 1}, {1, 0}}},
                                       .single_value = -inf,
                                       .single_gradient = {0, 1.5}});
}

BOOST_AUTO_TEST_CASE(quotient_by_0) {
  constexpr auto f = [](auto a, auto b) { return a + stop_gradient(a / b); };
  check<2, what{.forward = false}>(f, {.at = {1.5, 0},
                                       .value = inf,
                                       .gradient = {1, 0},
                                       .none = {false, true},
                                       .hessian = {{{0, 0}, {0, 0}}},
                                       .single_value = inf,
                                       .single_gradient = {1, 0}});
  check<2, what{.forward = false}>(f, {.at = {0, 0},
                                       .value = nan,
                                       .gradient = {1, 0},
                                       .none = {false, true},
                                       .hessian = {{{0, 0}, {0, 0}}},
                                       .single_value = nan,
                                       .single_gradient = {1, 0}});
}

BOOST_AUTO_TEST_CASE(overflow) {
  constexpr auto f = [](auto a, auto b) { return a * b + stop_gradient(exp(a)); };
  check<2>(f, {.at = {1000, 2},
               .value = inf,
               .gradient = {2, 1000},
               .none = {false, false},
               .hessian = {{{0, 1}, {1, 0}}},
               .along = -498,
               .hvp = {-0.5, 1},
               .single_value = inf,
               .single_gradient = {2, 1000}});
}

BOOST_AUTO_TEST_CASE(sqrt_at_0) {
  constexpr auto f = [](auto a) { return a + stop_gradient(sqrt(a)); };
  check<1, what{.forward = false}>(f, {.at = {0},
                                       .value = 0,
                                       .gradient = {1},
                                       .none = {false},
                                       .hessian = {{{0}}},
                                       .single_value = 0,
                                       .single_gradient = {1}});
}

BOOST_AUTO_TEST_CASE(root_of_negative_selected) {
  constexpr auto f = [](auto a, auto b) { return where(a > stop_gradient(sqrt(b)), a * b, b); };
  check<2>(f, {.at = {1.5, -1},
               .value = -1,
               .gradient = {-0.0, 1},
               .none = {false, false},
               .hessian = {{{0, 0}, {0, 0}}},
               .along = -0.5,
               .hvp = {-0.0, 0},
               .single_value = -1,
               .single_gradient = {-0.0, 1}});
  check<2>(f, {.at = {1.5, 1},
               .value = 1.5,
               .gradient = {1, 1.5},
               .none = {false, false},
               .hessian = {{{0, 1}, {1, 0}}},
               .along = 0.25,
               .hvp = {-0.5, 1},
               .single_value = 1.5,
               .single_gradient = {1, 1.5}});
}

BOOST_AUTO_TEST_CASE(minus_0) {
  constexpr auto f = [](auto a, auto b) { return b / stop_gradient(a); };
  check<2, what{.hessian = false, .forward = false}>(f, {.at = {-0.0, 1},
                                                         .value = inf,
                                                         .gradient = {0, inf},
                                                         .none = {true, false},
                                                         .single_value = inf,
                                                         .single_gradient = {0, inf}});
  check<2, what{.hessian = false, .forward = false}>(f, {.at = {0, 1},
                                                         .value = inf,
                                                         .gradient = {0, inf},
                                                         .none = {true, false},
                                                         .single_value = inf,
                                                         .single_gradient = {0, inf}});
}

BOOST_AUTO_TEST_CASE(difference_with_stop_of_inf) {
  constexpr auto f = [](auto a) { return a - stop_gradient(a); };
  check<1, what{.forward = false}>(f, {.at = {inf},
                                       .value = nan,
                                       .gradient = {1},
                                       .none = {false},
                                       .hessian = {{{0}}},
                                       .single_value = nan,
                                       .single_gradient = {1}});
  check<1, what{.forward = false}>(f, {.at = {1.5},
                                       .value = 0,
                                       .gradient = {1},
                                       .none = {false},
                                       .hessian = {{{0}}},
                                       .single_value = 0,
                                       .single_gradient = {1}});
}

BOOST_AUTO_TEST_CASE(reciprocal_of_stop) {
  constexpr auto f = [](auto a, auto b) { return b / stop_gradient(a * a); };
  check<2, what{.hessian = false, .forward = false, .single = false}>(
      f, {.at = {1e-200, 1}, .value = inf, .gradient = {0, inf}, .none = {true, false}});
}

}  // namespace tensorflow_test
