// Made by generate.py from TensorFlow 2.21.0 and JAX 0.10.2; not edited by hand.
// What the pages, and others, stop gradients for.
// 17 cases.
#include "check.hpp"

namespace tensorflow_test {

BOOST_AUTO_TEST_CASE(expectation_maximisation) {
  // the M-step of a mixture of two normal distributions with means x and y, given one point
  constexpr auto f = [](auto a, auto b) {
    return stop_gradient(exp(-0.5 * square(0.7 - a)) / (exp(-0.5 * square(0.7 - a)) + exp(-0.5 * square(0.7 - b)))) *
               square(0.7 - a) +
           (1.0 -
            stop_gradient(exp(-0.5 * square(0.7 - a)) / (exp(-0.5 * square(0.7 - a)) + exp(-0.5 * square(0.7 - b))))) *
               square(0.7 - b);
  };
  check<2>(f, {.at = {0.5, -1},
               .value = 0.592554972798001,
               .gradient = {-0.32244842487045594, -0.659188388601124},
               .none = {false, false},
               .hessian = {{{1.61224212435228, 0}, {0, 0.38775787564772}}},
               .along = 0.007145769430106086,
               .hvp = {1.61224212435228, -0.19387893782386},
               .single_value = 0.592555046081543,
               .single_gradient = {-0.32244840264320374, -0.659188449382782}});
}

BOOST_AUTO_TEST_CASE(contrastive_divergence) {
  // free energies of data and of a reconstruction that counts as given
  constexpr auto f = [](auto a, auto b) {
    return -(1.0 * b + softplus(1.0 * a)) -
           -(stop_gradient(sigmoid(a * sigmoid(a) + b)) * b + softplus(stop_gradient(sigmoid(a * sigmoid(a) + b)) * a));
  };
  check<2>(f, {.at = {0.5, -1},
               .value = 0.4718286620655078,
               .gradient = {-0.44136831174433844, -0.665693325713043},
               .none = {false, false},
               .hessian = {{{-0.20725773307168013, 0}, {0, 0}}},
               .along = -0.10852164888781696,
               .hvp = {-0.20725773307168013, 0},
               .single_value = 0.4718286395072937,
               .single_gradient = {-0.44136834144592285, -0.6656933426856995}});
}

BOOST_AUTO_TEST_CASE(adversarial_training) {
  // the example is not differentiated through
  constexpr auto f = [](auto a) { return softplus(-a * stop_gradient(0.8 - 0.1 * tanh(a))); };
  check<1>(f, {.at = {0.5},
               .value = 0.5223521497997897,
               .gradient = {-0.3066985203093333},
               .none = {false},
               .hessian = {{{0.13712176905341208}}},
               .along = -0.3066985203093333,
               .hvp = {0.13712176905341208},
               .single_value = 0.5223520994186401,
               .single_gradient = {-0.3066985309123993}});
  check<1>(f, {.at = {-1.5},
               .value = 1.5692264775729126,
               .gradient = {-0.7051041422630328},
               .none = {false},
               .hessian = {{{0.13073384067465366}}},
               .along = -0.7051041422630328,
               .hvp = {0.13073384067465366},
               .single_value = 1.5692265033721924,
               .single_gradient = {-0.7051041722297668}});
}

BOOST_AUTO_TEST_CASE(adversarial_not_stopped) {
  constexpr auto f = [](auto a) { return softplus(-a * (0.8 - 0.1 * tanh(a))); };
  check<1>(f, {.at = {0.5},
               .value = 0.5223521497997897,
               .gradient = {-0.2906991766585103},
               .none = {false},
               .hessian = {{{0.17239886907184293}}},
               .along = -0.2906991766585103,
               .hvp = {0.17239886907184293},
               .single_value = 0.5223520994186401,
               .single_gradient = {-0.29069918394088745}});
  check<1>(f, {.at = {-1.5},
               .value = 1.5692264775729126,
               .gradient = {-0.7265665024636071},
               .none = {false},
               .hessian = {{{0.12857691270521104}}},
               .along = -0.7265665024636072,
               .hvp = {0.12857691270521104},
               .single_value = 1.5692265033721924,
               .single_gradient = {-0.7265664935112}});
}

BOOST_AUTO_TEST_CASE(temporal_difference) {
  constexpr auto f = [](auto a, auto b) { return square(0.3 + 0.9 * stop_gradient(a * 0.2 + b) - (a * 0.7 + b)); };
  check<2>(f, {.at = {0.5, -1},
               .value = 0.019600000000000003,
               .gradient = {-0.196, -0.28},
               .none = {false, false},
               .hessian = {{{0.9799999999999999, 1.4}, {1.4, 2}}},
               .along = -0.055999999999999994,
               .hvp = {0.2799999999999999, 0.3999999999999999},
               .single_value = 0.01960001327097416,
               .single_gradient = {-0.19600005447864532, -0.28000009059906006}});
}

BOOST_AUTO_TEST_CASE(policy_gradient) {
  // actor and critic
  constexpr auto f = [](auto a, auto b) { return -log(sigmoid(a)) * stop_gradient(1.5 - b) + square(1.5 - b); };
  check<2>(f, {.at = {0.5, -1},
               .value = 7.435192460450267,
               .gradient = {-0.9438516719953636, -5},
               .none = {false, false},
               .hessian = {{{0.5875092805039862, 0}, {0, 2}}},
               .along = 1.5561483280046362,
               .hvp = {0.5875092805039861, -1},
               .single_value = 7.435192108154297,
               .single_gradient = {-0.9438515901565552, -5}});
}

BOOST_AUTO_TEST_CASE(ppo_ratio) {
  constexpr auto f = [](auto a) { return exp(a - stop_gradient(a)) * 1.5; };
  check<1>(f, {.at = {0.5},
               .value = 1.5,
               .gradient = {1.5},
               .none = {false},
               .hessian = {{{1.5}}},
               .along = 1.5,
               .hvp = {1.5},
               .single_value = 1.5,
               .single_gradient = {1.5}});
}

BOOST_AUTO_TEST_CASE(dice) {
  constexpr auto f = [](auto a, auto b) { return exp(log(sigmoid(a)) - stop_gradient(log(sigmoid(a)))) * b * a; };
  check<2>(f, {.at = {0.5, -1},
               .value = -0.5,
               .gradient = {-1.1887703343990728, 0.5},
               .none = {false, false},
               .hessian = {{{-0.7088479597937691, 1.1887703343990728}, {1.1887703343990728, 0}}},
               .along = -1.4387703343990728,
               .hvp = {-1.3032331269933055, 1.1887703343990728},
               .single_value = -0.5,
               .single_gradient = {-1.1887702941894531, 0.5}});
}

BOOST_AUTO_TEST_CASE(vector_quantisation) {
  // codebook, commitment, and the decoder's loss passed straight through
  constexpr auto f = [](auto a, auto b) {
    return square(stop_gradient(a) - b) + 0.25 * square(a - stop_gradient(b)) + sin(a + stop_gradient(b - a));
  };
  check<2>(f, {.at = {0.5, 0.8},
               .value = 0.8298560908995228,
               .gradient = {0.5467067093471654, 0.6000000000000001},
               .none = {false, false},
               .hessian = {{{-0.2173560908995228, 0}, {0, 2}}},
               .along = 0.24670670934716532,
               .hvp = {-0.2173560908995228, -1},
               .single_value = 0.8298560976982117,
               .single_gradient = {0.5467066764831543, 0.6000000238418579}});
}

BOOST_AUTO_TEST_CASE(distillation) {
  constexpr auto f = [](auto a, auto b) {
    return -stop_gradient(sigmoid(b)) * log(sigmoid(a)) - stop_gradient(sigmoid(-b)) * log(sigmoid(-a));
  };
  check<2>(f, {.at = {0.5, 1.5},
               .value = 0.5652897460832847,
               .gradient = {-0.1951151449917891, 0},
               .none = {false, true},
               .hessian = {{{0.23500371220159447, 0}, {0, 0}}},
               .along = -0.19511514499178917,
               .hvp = {0.23500371220159447, 0},
               .single_value = 0.5652897357940674,
               .single_gradient = {-0.19511514902114868, 0}});
}

BOOST_AUTO_TEST_CASE(similarity_of_stopped) {
  constexpr auto f = [](auto a, auto b) { return -(tanh(a) * stop_gradient(b) + tanh(b) * stop_gradient(a)); };
  check<2>(f, {.at = {0.5, 1.5},
               .value = -1.1457498627124478,
               .gradient = {-1.179671599448891, -0.09035331946182429},
               .none = {false, false},
               .hessian = {{{1.090292972075381, 0}, {0, 0.16356629864377395}}},
               .along = -1.1344949397179789,
               .hvp = {1.090292972075381, -0.08178314932188697},
               .single_value = -1.145749807357788,
               .single_gradient = {-1.1796716451644897, -0.09035325050354004}});
}

BOOST_AUTO_TEST_CASE(stopped_normalisation) {
  constexpr auto f = [](auto a, auto b) { return a / stop_gradient(sqrt(a * a + b * b)); };
  check<2>(f, {.at = {3, 4},
               .value = 0.6,
               .gradient = {0.2, 0},
               .none = {false, true},
               .hessian = {{{0, 0}, {0, 0}}},
               .along = 0.2,
               .hvp = {0, 0},
               .single_value = 0.6000000238418579,
               .single_gradient = {0.20000000298023224, 0}});
}

BOOST_AUTO_TEST_CASE(reweighted_least_squares) {
  constexpr auto f = [](auto a) { return square(a - 1.0) / stop_gradient(sqrt(square(a - 1.0) + 0.01)); };
  check<1>(f, {.at = {0.4},
               .value = 0.5918363542992863,
               .gradient = {-1.9727878476642877},
               .none = {false},
               .hessian = {{{3.2879797461071463}}},
               .along = -1.9727878476642875,
               .hvp = {3.2879797461071463},
               .single_value = 0.5918363928794861,
               .single_gradient = {-1.9727879762649536}});
}

BOOST_AUTO_TEST_CASE(newton_step) {
  // the derivative of a root by its last Newton step
  constexpr auto f = [](auto a, auto b) {
    return stop_gradient(sqrt(a)) - (square(stop_gradient(sqrt(a))) - a) / (2.0 * stop_gradient(sqrt(a))) * b;
  };
  check<2>(f, {.at = {2, 1},
               .value = 1.414213562373095,
               .gradient = {0.35355339059327373, -1.570092458683775e-16},
               .none = {false, false},
               .hessian = {{{0, 0.35355339059327373}, {0.35355339059327373, 0}}},
               .along = 0.3535533905932738,
               .hvp = {-0.17677669529663687, 0.35355339059327373},
               .single_value = 1.4142135381698608,
               .single_gradient = {0.3535533845424652, 4.214684778958144e-08}});
}

BOOST_AUTO_TEST_CASE(last_iterate_detached) {
  constexpr auto f = [](auto a) { return stop_gradient(cos(a)) + a - stop_gradient(a); };
  check<1>(f, {.at = {0.4},
               .value = 0.921060994002885,
               .gradient = {1},
               .none = {false},
               .hessian = {{{0}}},
               .along = 1,
               .hvp = {0},
               .single_value = 0.9210610389709473,
               .single_gradient = {1}});
}

}  // namespace tensorflow_test
