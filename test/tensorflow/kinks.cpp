// Made by generate.py from TensorFlow 2.21.0 and JAX 0.10.2; not edited by hand.
// Where a function has no derivative, and branches that are not taken.
// 40 cases.
#include "check.hpp"

namespace tensorflow_test {

BOOST_AUTO_TEST_CASE(reduce_max) {
  constexpr auto f = [](auto a, auto b, auto c) { return max(a, b, c) * max(a, b, c); };
  check<3, what{.hessian = false}>(f, {.at = {1, 2, 3},
                                       .value = 9,
                                       .gradient = {0, 0, 6},
                                       .none = {false, false, false},
                                       .along = 1.5,
                                       .single_value = 9,
                                       .single_gradient = {0, 0, 6}});
  check<3, what{.hessian = false}>(f, {.at = {3, 3, 1},
                                       .value = 9,
                                       .gradient = {3, 3, 0},
                                       .none = {false, false, false},
                                       .along = 1.5,
                                       .single_value = 9,
                                       .single_gradient = {3, 3, 0}});
  check<3, what{.hessian = false}>(f,
                                   {.at = {2, 2, 2},
                                    .value = 4,
                                    .gradient = {1.3333333333333333, 1.3333333333333333, 1.3333333333333333},
                                    .none = {false, false, false},
                                    .along = 1,
                                    .single_value = 4,
                                    .single_gradient = {1.3333333730697632, 1.3333333730697632, 1.3333333730697632}});
}

BOOST_AUTO_TEST_CASE(reduce_min) {
  constexpr auto f = [](auto a, auto b, auto c) { return min(a, b, c); };
  check<3, what{.hessian = false}>(f, {.at = {1, 2, 3},
                                       .value = 1,
                                       .gradient = {1, 0, 0},
                                       .none = {false, false, false},
                                       .along = 1,
                                       .single_value = 1,
                                       .single_gradient = {1, 0, 0}});
  check<3, what{.hessian = false}>(f, {.at = {3, 1, 1},
                                       .value = 1,
                                       .gradient = {0, 0.5, 0.5},
                                       .none = {false, false, false},
                                       .along = -0.125,
                                       .single_value = 1,
                                       .single_gradient = {0, 0.5, 0.5}});
  check<3, what{.hessian = false}>(f,
                                   {.at = {2, 2, 2},
                                    .value = 2,
                                    .gradient = {0.3333333333333333, 0.3333333333333333, 0.3333333333333333},
                                    .none = {false, false, false},
                                    .along = 0.25,
                                    .single_value = 2,
                                    .single_gradient = {0.3333333432674408, 0.3333333432674408, 0.3333333432674408}});
}

BOOST_AUTO_TEST_CASE(reduce_max_stopped) {
  constexpr auto f = [](auto a, auto b, auto c) { return stop_gradient(max(a, b, c)) * a; };
  check<3>(f, {.at = {1, 2, 3},
               .value = 3,
               .gradient = {3, 0, 0},
               .none = {false, true, true},
               .hessian = {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}},
               .along = 3,
               .hvp = {0, 0, 0},
               .single_value = 3,
               .single_gradient = {3, 0, 0}});
  check<3>(f, {.at = {3, 3, 1},
               .value = 9,
               .gradient = {3, 0, 0},
               .none = {false, true, true},
               .hessian = {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}},
               .along = 3,
               .hvp = {0, 0, 0},
               .single_value = 9,
               .single_gradient = {3, 0, 0}});
}

BOOST_AUTO_TEST_CASE(maximum_of_two) {
  constexpr auto f = [](auto a, auto b) { return max(a * a, b); };
  check<2>(f, {.at = {2, 1},
               .value = 4,
               .gradient = {4, 0},
               .none = {false, false},
               .hessian = {{{2, 0}, {0, 0}}},
               .along = 4,
               .hvp = {2, 0},
               .single_value = 4,
               .single_gradient = {4, 0}});
  check<2>(f, {.at = {1, 2},
               .value = 2,
               .gradient = {0, 1},
               .none = {false, false},
               .hessian = {{{0, 0}, {0, 0}}},
               .along = -0.5,
               .hvp = {0, 0},
               .single_value = 2,
               .single_gradient = {0, 1}});
}

BOOST_AUTO_TEST_CASE(maximum_tie) {
  // Differs: ties are even here, as in tf.reduce_max and JAX; tf.maximum takes its first operand
  // JAX differs: even
  constexpr auto f = [](auto a, auto b) { return max(a, b); };
  // TensorFlow: gradient {1, 0}
  check<2, what{.hessian = false, .forward = false}>(f, {.at = {2, 2},
                                                         .value = 2,
                                                         .gradient = {0.5, 0.5},
                                                         .none = {false, false},
                                                         .single_value = 2,
                                                         .single_gradient = {0.5, 0.5}});
}

BOOST_AUTO_TEST_CASE(relu_at_0) {
  constexpr auto f = [](auto a) { return relu(a); };
  check<1>(f, {.at = {0},
               .value = 0,
               .gradient = {0},
               .none = {false},
               .hessian = {{{0}}},
               .along = 0,
               .hvp = {0},
               .single_value = 0,
               .single_gradient = {0}});
}

BOOST_AUTO_TEST_CASE(abs_at_0) {
  constexpr auto f = [](auto a) { return abs(a) * a; };
  check<1, what{.hessian = false}>(
      f,
      {.at = {0}, .value = 0, .gradient = {0}, .none = {false}, .along = 0, .single_value = 0, .single_gradient = {0}});
}

BOOST_AUTO_TEST_CASE(sign_and_floor) {
  constexpr auto f = [](auto a, auto b) { return sign(a) * b + floor(b) * a; };
  check<2>(f, {.at = {0.7, 1.3},
               .value = 2,
               .gradient = {1, 1},
               .none = {false, false},
               .hessian = {{{0, 0}, {0, 0}}},
               .along = 0.5,
               .hvp = {0, 0},
               .single_value = 2,
               .single_gradient = {1, 1}});
  check<2>(f, {.at = {-0.7, -1.3},
               .value = 2.7,
               .gradient = {-2, -1},
               .none = {false, false},
               .hessian = {{{0, 0}, {0, 0}}},
               .along = -1.5,
               .hvp = {0, 0},
               .single_value = 2.6999998092651367,
               .single_gradient = {-2, -1}});
}

BOOST_AUTO_TEST_CASE(limited) {
  constexpr auto f = [](auto a) { return clamp(a, -1.0, 1.0) * a; };
  check<1>(f, {.at = {0.5},
               .value = 0.25,
               .gradient = {1},
               .none = {false},
               .hessian = {{{2}}},
               .along = 1,
               .hvp = {2},
               .single_value = 0.25,
               .single_gradient = {1}});
  check<1>(f, {.at = {2},
               .value = 2,
               .gradient = {1},
               .none = {false},
               .hessian = {{{0}}},
               .along = 1,
               .hvp = {0},
               .single_value = 2,
               .single_gradient = {1}});
  check<1>(f, {.at = {-3},
               .value = 3,
               .gradient = {-1},
               .none = {false},
               .hessian = {{{0}}},
               .along = -1,
               .hvp = {0},
               .single_value = 3,
               .single_gradient = {-1}});
}

BOOST_AUTO_TEST_CASE(limited_at_bound) {
  // Differs: a tie with the bound is even
  // JAX differs: even
  constexpr auto f = [](auto a) { return clamp(a, -1.0, 1.0); };
  // TensorFlow: gradient {1}
  check<1, what{.hessian = false, .forward = false}>(
      f, {.at = {1}, .value = 1, .gradient = {0.5}, .none = {false}, .single_value = 1, .single_gradient = {0.5}});
  // TensorFlow: gradient {1}
  check<1, what{.hessian = false, .forward = false}>(
      f, {.at = {-1}, .value = -1, .gradient = {0.5}, .none = {false}, .single_value = -1, .single_gradient = {0.5}});
}

BOOST_AUTO_TEST_CASE(rounded) {
  constexpr auto f = [](auto a) { return round(a) + a; };
  check<1>(f, {.at = {1.3},
               .value = 2.3,
               .gradient = {1},
               .none = {false},
               .hessian = {{{0}}},
               .along = 1,
               .hvp = {0},
               .single_value = 2.299999952316284,
               .single_gradient = {1}});
  check<1>(f, {.at = {-0.8},
               .value = -1.8,
               .gradient = {1},
               .none = {false},
               .hessian = {{{0}}},
               .along = 1,
               .hvp = {0},
               .single_value = -1.7999999523162842,
               .single_gradient = {1}});
  check<1>(f, {.at = {2.6},
               .value = 5.6,
               .gradient = {1},
               .none = {false},
               .hessian = {{{0}}},
               .along = 1,
               .hvp = {0},
               .single_value = 5.599999904632568,
               .single_gradient = {1}});
}

BOOST_AUTO_TEST_CASE(round_of_half) {
  // Differs: halves go away from 0 as in C, not to the even
  constexpr auto f = [](auto a) { return round(a) + a; };
  // TensorFlow: value 0.5
  check<1, what{.hessian = false}>(f, {.at = {0.5},
                                       .value = 1.5,
                                       .gradient = {1},
                                       .none = {false},
                                       .along = 1,
                                       .single_value = 1.5,
                                       .single_gradient = {1}});
  // TensorFlow: value 4.5
  check<1, what{.hessian = false}>(f, {.at = {2.5},
                                       .value = 5.5,
                                       .gradient = {1},
                                       .none = {false},
                                       .along = 1,
                                       .single_value = 5.5,
                                       .single_gradient = {1}});
}

BOOST_AUTO_TEST_CASE(sqrt_at_0) {
  constexpr auto f = [](auto a) { return sqrt(a); };
  check<1, what{.hessian = false}>(f, {.at = {0},
                                       .value = 0,
                                       .gradient = {inf},
                                       .none = {false},
                                       .along = inf,
                                       .single_value = 0,
                                       .single_gradient = {inf}});
}

BOOST_AUTO_TEST_CASE(norm_of_two) {
  constexpr auto f = [](auto a, auto b) { return norm(a, b); };
  check<2>(f, {.at = {3, -4},
               .value = 5,
               .gradient = {0.6000000000000001, -0.8},
               .none = {false, false},
               .hessian = {{{0.128, 0.096}, {0.09600000000000003, 0.072}}},
               .along = 1,
               .hvp = {0.08000000000000002, 0.06},
               .single_value = 5,
               .single_gradient = {0.6000000238418579, -0.800000011920929}});
}

BOOST_AUTO_TEST_CASE(norm_at_origin) {
  // Differs: the gradient of a norm at the origin is 0, not 0 / 0
  constexpr auto f = [](auto a, auto b) { return norm(a, b); };
  // TensorFlow: gradient {nan, nan}
  check<2, what{.hessian = false, .forward = false}>(f, {.at = {0, 0},
                                                         .value = 0,
                                                         .gradient = {0, 0},
                                                         .none = {false, false},
                                                         .single_value = 0,
                                                         .single_gradient = {0, 0}});
}

BOOST_AUTO_TEST_CASE(log_of_branch_not_taken) {
  constexpr auto f = [](auto a) { return where(a > 0.0, log(a), -1.0); };
  check<1>(f, {.at = {2},
               .value = 0.6931471805599453,
               .gradient = {0.5},
               .none = {false},
               .hessian = {{{-0.25}}},
               .along = 0.5,
               .hvp = {-0.25},
               .single_value = 0.6931471824645996,
               .single_gradient = {0.5}});
  check<1>(f, {.at = {-1},
               .value = -1,
               .gradient = {-0.0},
               .none = {false},
               .hessian = {{{0}}},
               .along = 0,
               .hvp = {-0.0},
               .single_value = -1,
               .single_gradient = {-0.0}});
}

BOOST_AUTO_TEST_CASE(log_of_branch_not_taken_at_0) {
  // Differs: nothing of the branch not taken enters, not an infinity times 0 either
  // JAX differs: NaN in other places
  constexpr auto f = [](auto a) { return where(a > 0.0, log(a), a); };
  // TensorFlow: gradient {nan}; hessian {{0}}
  check<1, what{.forward = false}>(f, {.at = {0},
                                       .value = 0,
                                       .gradient = {1},
                                       .none = {false},
                                       .hessian = {{{0}}},
                                       .single_value = 0,
                                       .single_gradient = {1}});
}

BOOST_AUTO_TEST_CASE(sqrt_of_branch_not_taken) {
  // Differs: nothing of the branch not taken enters, not an infinity times 0 either
  // JAX differs: NaN in other places
  constexpr auto f = [](auto a) { return where(a > 0.0, sqrt(a), a); };
  // TensorFlow: gradient {1}; hessian {{nan}}
  check<1, what{.forward = false}>(f, {.at = {-1},
                                       .value = -1,
                                       .gradient = {1},
                                       .none = {false},
                                       .hessian = {{{0}}},
                                       .single_value = -1,
                                       .single_gradient = {1}});
  // TensorFlow: gradient {1}; hessian {{nan}}
  check<1, what{.forward = false}>(f, {.at = {0},
                                       .value = 0,
                                       .gradient = {1},
                                       .none = {false},
                                       .hessian = {{{0}}},
                                       .single_value = 0,
                                       .single_gradient = {1}});
}

BOOST_AUTO_TEST_CASE(quotient_of_branch_not_taken) {
  // Differs: nothing of the branch not taken enters, not an infinity times 0 either
  // JAX differs: NaN in other places
  constexpr auto f = [](auto a, auto b) { return where(a > 0.0, b / a, b); };
  // TensorFlow: gradient {nan, nan}; hessian {{nan, nan}, {nan, 0}}
  check<2, what{.forward = false}>(f, {.at = {0, 2},
                                       .value = 2,
                                       .gradient = {0, 1},
                                       .none = {false, false},
                                       .hessian = {{{0, 0}, {0, 0}}},
                                       .single_value = 2,
                                       .single_gradient = {0, 1}});
}

BOOST_AUTO_TEST_CASE(exp_of_branch_not_taken) {
  // Differs: nothing of the branch not taken enters, not an infinity times 0 either
  constexpr auto f = [](auto a) { return where(a < 100.0, exp(a), a); };
  // TensorFlow: gradient {nan}; hessian {{nan}}
  check<1, what{.forward = false}>(f, {.at = {1000},
                                       .value = 1000,
                                       .gradient = {1},
                                       .none = {false},
                                       .hessian = {{{0}}},
                                       .single_value = 1000,
                                       .single_gradient = {1}});
}

BOOST_AUTO_TEST_CASE(stopped_branch_not_taken) {
  // Differs: nothing of the branch not taken enters, not an infinity times 0 either
  constexpr auto f = [](auto a) { return where(a > 0.0, stop_gradient(sqrt(a)) * a, a); };
  // TensorFlow: gradient {nan}
  check<1, what{.forward = false}>(f, {.at = {-1},
                                       .value = -1,
                                       .gradient = {1},
                                       .none = {false},
                                       .hessian = {{{0}}},
                                       .single_value = -1,
                                       .single_gradient = {1}});
}

BOOST_AUTO_TEST_CASE(guarded_twice) {
  // TensorFlow's way around it
  constexpr auto f = [](auto a) { return where(a > 0.0, sqrt(where(a > 0.0, a, 1.0)), a); };
  check<1>(f, {.at = {-1},
               .value = -1,
               .gradient = {1},
               .none = {false},
               .hessian = {{{0}}},
               .along = 1,
               .hvp = {0},
               .single_value = -1,
               .single_gradient = {1}});
  check<1>(f, {.at = {4},
               .value = 2,
               .gradient = {0.25},
               .none = {false},
               .hessian = {{{-0.03125}}},
               .along = 0.25,
               .hvp = {-0.03125},
               .single_value = 2,
               .single_gradient = {0.25}});
}

BOOST_AUTO_TEST_CASE(stopped_branch) {
  constexpr auto f = [](auto a, auto b) { return where(a > b, stop_gradient(a) * b, a * stop_gradient(b)); };
  check<2>(f, {.at = {2, 1},
               .value = 2,
               .gradient = {0, 2},
               .none = {false, false},
               .hessian = {{{0, 0}, {0, 0}}},
               .along = -1,
               .hvp = {0, 0},
               .single_value = 2,
               .single_gradient = {0, 2}});
  check<2>(f, {.at = {1, 2},
               .value = 2,
               .gradient = {2, 0},
               .none = {false, false},
               .hessian = {{{0, 0}, {0, 0}}},
               .along = 2,
               .hvp = {0, 0},
               .single_value = 2,
               .single_gradient = {2, 0}});
}

}  // namespace tensorflow_test
