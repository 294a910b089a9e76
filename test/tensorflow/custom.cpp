// Made by generate.py from TensorFlow 2.21.0 and JAX 0.10.2; not edited by hand.
// Values with other derivatives: custom_gradient, grad_pass_through, PreventGradient.
// 26 cases.
#include "check.hpp"

namespace tensorflow_test {

BOOST_AUTO_TEST_CASE(log1pexp) {
  // the example of tf.custom_gradient
  constexpr auto f = [](auto a) { return with_partials(log(1.0 + exp(a)), by(a, 1.0 - 1.0 / (1.0 + exp(a)))); };
  check<1>(f, {.at = {0.5},
               .value = 0.9740769841801067,
               .gradient = {0.6224593312018546},
               .none = {false},
               .hessian = {{{0.2350037122015945}}},
               .along = 0.6224593312018545,
               .hvp = {0.2350037122015945},
               .single_value = 0.9740769863128662,
               .single_gradient = {0.6224592924118042}});
  check<1>(f, {.at = {-3},
               .value = 0.04858735157374196,
               .gradient = {0.047425873177566635},
               .none = {false},
               .hessian = {{{0.045176659730912144}}},
               .along = 0.04742587317756679,
               .hvp = {0.045176659730912144},
               .single_value = 0.04858732968568802,
               .single_gradient = {0.04742586612701416}});
  check<1>(f, {.at = {100},
               .value = 100,
               .gradient = {1},
               .none = {false},
               .hessian = {{{3.7200759760208356e-44}}},
               .along = 1,
               .hvp = {3.7200759760208356e-44},
               .single_value = inf,
               .single_gradient = {1}});
}

BOOST_AUTO_TEST_CASE(log1pexp_plain) {
  constexpr auto f = [](auto a) { return log(1.0 + exp(a)); };
  check<1>(f, {.at = {0.5},
               .value = 0.9740769841801067,
               .gradient = {0.6224593312018545},
               .none = {false},
               .hessian = {{{0.23500371220159452}}},
               .along = 0.6224593312018545,
               .hvp = {0.2350037122015945},
               .single_value = 0.9740769863128662,
               .single_gradient = {0.622459352016449}});
  check<1>(f, {.at = {-3},
               .value = 0.04858735157374196,
               .gradient = {0.04742587317756679},
               .none = {false},
               .hessian = {{{0.045176659730912144}}},
               .along = 0.04742587317756679,
               .hvp = {0.04517665973091214},
               .single_value = 0.04858732968568802,
               .single_gradient = {0.04742587357759476}});
}

BOOST_AUTO_TEST_CASE(of_one) {
  constexpr auto f = [](auto a, auto b) { return with_partials(a * a, by(a, 0.5 * a)) * b; };
  check<2>(f, {.at = {1.5, -2},
               .value = -4.5,
               .gradient = {-1.5, 2.25},
               .none = {false, false},
               .hessian = {{{-1, 0.75}, {0.75, 0}}},
               .along = -2.625,
               .hvp = {-1.375, 0.75},
               .single_value = -4.5,
               .single_gradient = {-1.5, 2.25}});
}

BOOST_AUTO_TEST_CASE(of_two) {
  constexpr auto f = [](auto a, auto b) { return with_partials(a * b, by(a, exp(a) * b), by(b, exp(a))) * a; };
  check<2>(f, {.at = {1.5, -2},
               .value = -4.5,
               .gradient = {-16.445067211014194, 6.722533605507097},
               .none = {false, false},
               .hessian = {{{-31.371823492366453, 11.204222675845163}, {11.204222675845163, 0}}},
               .along = -19.806334013767742,
               .hvp = {-36.97393483028903, 11.204222675845163},
               .single_value = -4.5,
               .single_gradient = {-16.445066452026367, 6.722533226013184}});
}

BOOST_AUTO_TEST_CASE(of_no_function) {
  // Differs: partial derivatives of no function: a Hessian here is symmetric, each pair computed once
  constexpr auto f = [](auto a, auto b) { return with_partials(a * b, by(a, cos(b)), by(b, exp(a))) * a; };
  // TensorFlow: hessian {{-0.8322936730942848, 5.845635210576587}, {11.204222675845163, 0}}
  check<2, what{.forward = false}>(f, {.at = {1.5, -2},
                                       .value = -4.5,
                                       .gradient = {-3.6242202548207136, 6.722533605507097},
                                       .none = {false, false},
                                       .hessian = {{{-0.8322936730942848, 5.845635210576587}, {5.845635210576587, 0}}},
                                       .single_value = -4.5,
                                       .single_gradient = {-3.6242202548207136, 6.722533605507097}});
}

BOOST_AUTO_TEST_CASE(stopped_partial) {
  constexpr auto f = [](auto a, auto b) { return with_partials(sin(a), by(a, stop_gradient(cos(a)))) * b; };
  check<2>(f, {.at = {1.5, -2},
               .value = -1.994989973208109,
               .gradient = {-0.1414744033354058, 0.9974949866040544},
               .none = {false, false},
               .hessian = {{{0, 0.0707372016677029}, {0.0707372016677029, 0}}},
               .along = -0.640221896637433,
               .hvp = {-0.03536860083385145, 0.0707372016677029},
               .single_value = -1.9949899911880493,
               .single_gradient = {-0.1414743959903717, 0.9974949955940247}});
}

BOOST_AUTO_TEST_CASE(stopped_result) {
  constexpr auto f = [](auto a) { return stop_gradient(with_partials(a * a, by(a, cos(a)))) * a; };
  check<1>(f, {.at = {1.5},
               .value = 3.375,
               .gradient = {2.25},
               .none = {false},
               .hessian = {{{0}}},
               .along = 2.25,
               .hvp = {0},
               .single_value = 3.375,
               .single_gradient = {2.25}});
}

BOOST_AUTO_TEST_CASE(product_by_one_variable) {
  constexpr auto f = [](auto a, auto b) {
    return stop_gradient(a) * b + stop_gradient(a * a * b) * (a - stop_gradient(a));
  };
  check<2>(f, {.at = {2.1, 3.1},
               .value = 6.510000000000001,
               .gradient = {13.671000000000001, 2.1},
               .none = {false, false},
               .hessian = {{{0, 0}, {0, 0}}},
               .along = 12.621,
               .hvp = {0, 0},
               .single_value = 6.5099992752075195,
               .single_gradient = {13.670997619628906, 2.0999999046325684}});
}

BOOST_AUTO_TEST_CASE(pass_through_round) {
  // tf.grad_pass_through
  constexpr auto f = [](auto a) { return square(straight_through(round(a), a)); };
  check<1>(f, {.at = {1.3},
               .value = 1,
               .gradient = {2},
               .none = {false},
               .hessian = {{{2}}},
               .along = 2,
               .hvp = {2},
               .single_value = 1,
               .single_gradient = {2}});
  check<1>(f, {.at = {-0.8},
               .value = 1,
               .gradient = {-2},
               .none = {false},
               .hessian = {{{2}}},
               .along = -2,
               .hvp = {2},
               .single_value = 1,
               .single_gradient = {-2}});
}

BOOST_AUTO_TEST_CASE(pass_through_sign) {
  constexpr auto f = [](auto a, auto b) { return straight_through(sign(a), a) * b; };
  check<2>(f, {.at = {1.3, 2},
               .value = 2,
               .gradient = {2, 1},
               .none = {false, false},
               .hessian = {{{0, 1}, {1, 0}}},
               .along = 1.5,
               .hvp = {-0.5, 1},
               .single_value = 2,
               .single_gradient = {2, 1}});
  check<2>(f, {.at = {-0.8, 2},
               .value = -2,
               .gradient = {2, -1},
               .none = {false, false},
               .hessian = {{{0, 1}, {1, 0}}},
               .along = 2.5,
               .hvp = {-0.5, 1},
               .single_value = -2,
               .single_gradient = {2, -1}});
}

BOOST_AUTO_TEST_CASE(pass_through_square) {
  constexpr auto f = [](auto a) { return sin(straight_through(square(a), a)); };
  check<1>(f, {.at = {0.8},
               .value = 0.5971954413623921,
               .gradient = {0.8020957578842925},
               .none = {false},
               .hessian = {{{-0.5971954413623921}}},
               .along = 0.8020957578842925,
               .hvp = {-0.5971954413623921},
               .single_value = 0.5971955060958862,
               .single_gradient = {0.8020957112312317}});
}

BOOST_AUTO_TEST_CASE(binarised) {
  constexpr auto f = [](auto a, auto b) { return straight_through(where(sigmoid(a) > 0.5, 1.0, 0.0), sigmoid(a)) * b; };
  check<2>(f, {.at = {1.3, 2},
               .value = 2,
               .gradient = {0.3365967249381205, 1},
               .none = {false, false},
               .hessian = {{{-0.19242223832973684, 0.16829836246906024}, {0.16829836246906024, 0}}},
               .along = -0.16340327506187952,
               .hvp = {-0.276571419564267, 0.16829836246906024},
               .single_value = 2,
               .single_gradient = {0.33659666776657104, 1}});
  check<2>(f, {.at = {-1.3, 2},
               .value = 0,
               .gradient = {0.3365967249381205, 0},
               .none = {false, false},
               .hessian = {{{0.19242223832973687, 0.16829836246906024}, {0.16829836246906024, 0}}},
               .along = 0.3365967249381205,
               .hvp = {0.10827305709520675, 0.16829836246906024},
               .single_value = 0,
               .single_gradient = {0.3365967273712158, 0}});
}

BOOST_AUTO_TEST_CASE(straight_through_by_stop) {
  constexpr auto f = [](auto a) { return a * a + stop_gradient(floor(a * a) - a * a); };
  check<1>(f, {.at = {1.3},
               .value = 1,
               .gradient = {2.6},
               .none = {false},
               .hessian = {{{2}}},
               .along = 2.6,
               .hvp = {2},
               .single_value = 1,
               .single_gradient = {2.5999999046325684}});
}

BOOST_AUTO_TEST_CASE(reversed) {
  constexpr auto f = [](auto a, auto b) { return square(grad_scale(a * b, -1.0)); };
  check<2>(f, {.at = {1.5, -2},
               .value = 9,
               .gradient = {-12, 9},
               .none = {false, false},
               .hessian = {{{8, 0}, {0, 4.5}}},
               .along = -16.5,
               .hvp = {8, -2.25},
               .single_value = 9,
               .single_gradient = {-12, 9}});
}

BOOST_AUTO_TEST_CASE(scaled) {
  constexpr auto f = [](auto a, auto b) { return square(grad_scale(sin(a), 0.25)) * b; };
  check<2>(f, {.at = {1.5, -2},
               .value = -1.9899924966004454,
               .gradient = {-0.0705600040299336, 0.9949962483002227},
               .none = {false, false},
               .hessian = {{{0.9937453103752784, 0.0352800020149668}, {0.0352800020149668, 0}}},
               .along = -0.568058128180045,
               .hvp = {0.9761053093677949, 0.0352800020149668},
               .single_value = -1.9899924993515015,
               .single_gradient = {-0.07056000083684921, 0.9949962496757507}});
}

BOOST_AUTO_TEST_CASE(clipped) {
  constexpr auto f = [](auto a, auto b) { return square(grad_clip(a * b, -1.0, 2.0)); };
  check<2, what{.hessian = false, .forward = false}>(f, {.at = {1.5, -2},
                                                         .value = 9,
                                                         .gradient = {2, -1.5},
                                                         .none = {false, false},
                                                         .single_value = 9,
                                                         .single_gradient = {2, -1.5}});
  check<2, what{.hessian = false, .forward = false}>(f, {.at = {1.5, 2},
                                                         .value = 9,
                                                         .gradient = {4, 3},
                                                         .none = {false, false},
                                                         .single_value = 9,
                                                         .single_gradient = {4, 3}});
  check<2, what{.hessian = false, .forward = false}>(f, {.at = {0.5, 0.5},
                                                         .value = 0.0625,
                                                         .gradient = {0.25, 0.25},
                                                         .none = {false, false},
                                                         .single_value = 0.0625,
                                                         .single_gradient = {0.25, 0.25}});
}

BOOST_AUTO_TEST_CASE(value_of_log_derivatives_of_cube) {
  constexpr auto f = [](auto a) {
    return stop_gradient(log(a)) + (pow(a, constant<3>) - stop_gradient(pow(a, constant<3>)));
  };
  check<1>(f, {.at = {2},
               .value = 0.6931471805599453,
               .gradient = {12},
               .none = {false},
               .hessian = {{{12}}},
               .along = 12,
               .hvp = {12},
               .single_value = 0.6931471824645996,
               .single_gradient = {12}});
}

BOOST_AUTO_TEST_CASE(prevented_behind_stop) {
  constexpr auto f = [](auto a, auto b) {
    return stop_gradient(prevent_gradient<"not to be differentiated">(a * b)) * a;
  };
  check<2>(f, {.at = {1.5, -2},
               .value = -4.5,
               .gradient = {-3, 0},
               .none = {false, true},
               .hessian = {{{0, 0}, {0, 0}}},
               .along = -3,
               .hvp = {0, 0},
               .single_value = -4.5,
               .single_gradient = {-3, 0}});
}

}  // namespace tensorflow_test
