// Identities that stopped gradients satisfy: score functions, straight-through and curvature gadgets.
#include "check.hpp"

namespace cases {
namespace {

// DiCE magic box: value 1 and every derivative 1
struct ID01 : value_case {
  static constexpr auto f = [](auto x) { return exp(x - stop_gradient(x)); };
  static constexpr std::tuple variables{variable<"x">};
  static constexpr std::array point{0.37};
  static constexpr double value = 1.0;
  static constexpr std::array gradient{1.0};
  static constexpr square_matrix<1> hessian{{{1.0}}};
};

// magic box of a log-probability l: gradient l', Hessian l'' + l'^2
struct ID02 : value_case {
  static constexpr auto f = [](auto t) {
    auto lp = -softplus(-t);
    return exp(lp - stop_gradient(lp));
  };
  static constexpr std::tuple variables{variable<"t">};
  static constexpr std::array point{0.3};
  static constexpr double value = 1.0;
  static constexpr std::array gradient{0.425557483188341};
  static constexpr square_matrix<1> hessian{{{-0.06335914019315073}}};
};

// DiCE expectation over a Bernoulli variable with outcomes 3 and -1: exact to every order
struct ID03 : value_case {
  static constexpr auto f = [](auto t) {
    auto p = sigmoid(t);
    auto l1 = -softplus(-t);
    auto l0 = -softplus(t);
    return stop_gradient(p) * exp(l1 - stop_gradient(l1)) * 3 + stop_gradient(1 - p) * exp(l0 - stop_gradient(l0)) * -1;
  };
  static constexpr std::tuple variables{variable<"t">};
  static constexpr std::array point{0.3};
  static constexpr double value = 1.297770067246636;
  static constexpr std::array gradient{0.9778332467629834};
  static constexpr square_matrix<1> hessian{{{-0.14558473582230497}}};
};

// the expectation itself
struct ID03r : value_case {
  static constexpr auto f = [](auto t) {
    auto p = sigmoid(t);
    return 3 * p - (1 - p);
  };
  static constexpr std::tuple variables{variable<"t">};
  static constexpr std::array point{0.3};
  static constexpr double value = 1.297770067246636;
  static constexpr std::array gradient{0.9778332467629834};
  static constexpr square_matrix<1> hessian{{{-0.14558473582230497}}};
};

// REINFORCE surrogate: only the gradient is that of the expectation
struct ID04 : value_case {
  static constexpr auto f = [](auto t) {
    auto p = sigmoid(t);
    auto l1 = -softplus(-t);
    auto l0 = -softplus(t);
    return stop_gradient(p) * 3 * l1 + stop_gradient(1 - p) * -1 * l0;
  };
  static constexpr std::tuple variables{variable<"t">};
  static constexpr std::array point{0.3};
  static constexpr double value = -0.5917583979359434;
  static constexpr std::array gradient{0.9778332467629834};
  static constexpr square_matrix<1> hessian{{{-0.31725067960189834}}};
};

// additive surrogate f + sg(f) (l - sg(l)): the Hessian misses l'^2
struct ID05 : value_case {
  static constexpr auto f = [](auto t) {
    auto p = sigmoid(t);
    auto l1 = -softplus(-t);
    auto l0 = -softplus(t);
    return stop_gradient(p) * (3 + 3 * (l1 - stop_gradient(l1))) +
           stop_gradient(1 - p) * (-1 - (l0 - stop_gradient(l0)));
  };
  static constexpr std::tuple variables{variable<"t">};
  static constexpr std::array point{0.3};
  static constexpr double value = 1.297770067246636;
  static constexpr std::array gradient{0.9778332467629834};
  static constexpr square_matrix<1> hessian{{{-0.31725067960189834}}};
};

// f(sg(x)) and sg(f(x)) agree
struct ID31 : value_case {
  static constexpr auto f = [](auto x) { return sin(stop_gradient(x)) * x - stop_gradient(sin(x)) * x; };
  static constexpr std::tuple variables{variable<"x">};
  static constexpr std::array point{0.8};
  static constexpr double value = 0.0;
  static constexpr std::array gradient{0.0};
  static constexpr square_matrix<1> hessian{};
};

// straight-through far from the rounded value: x + sg(sign(x) - x) would give 0
struct ID33 : value_case {
  static constexpr auto f = [](auto x) { return x - stop_gradient(x) + stop_gradient(sign(x)); };
  static constexpr std::tuple variables{variable<"x">};
  static constexpr std::array point{1e+17};
  static constexpr double value = 1.0;
  static constexpr std::array gradient{1.0};
  static constexpr square_matrix<1> hessian{};
};

// a proximal term to its own stopped copy: curvature only
struct ID36 : value_case {
  static constexpr auto f = [](auto x) { return pow(x - stop_gradient(x), constant<2>); };
  static constexpr std::tuple variables{variable<"x">};
  static constexpr std::array point{1.7};
  static constexpr double value = 0.0;
  static constexpr std::array gradient{0.0};
  static constexpr square_matrix<1> hessian{{{2.0}}};
};

// value 0, gradient 2.5, Hessian 0
struct ID37 : value_case {
  static constexpr auto f = [](auto x) { return 2.5 * (x - stop_gradient(x)); };
  static constexpr std::tuple variables{variable<"x">};
  static constexpr std::array point{1.7};
  static constexpr double value = 0.0;
  static constexpr std::array gradient{2.5};
  static constexpr square_matrix<1> hessian{};
};

using identities_cases = std::tuple<ID01, ID02, ID03, ID03r, ID04, ID05, ID31, ID33, ID36, ID37>;

BOOST_AUTO_TEST_SUITE(cases_identities)

BOOST_AUTO_TEST_CASE_TEMPLATE(every_case, Case, identities_cases) { check<Case>(); }

// DiCE is exact to every order
BOOST_AUTO_TEST_CASE(RL01) {
  check_equal(value_of<ID03>(), value_of<ID03r>());
  check_equal(gradient_of<ID03>(), gradient_of<ID03r>());
  check_equal(hessian_of<ID03>(), hessian_of<ID03r>());
}

// plain REINFORCE surrogate: first order only
BOOST_AUTO_TEST_CASE(RL02) {
  check_equal(gradient_of<ID04>(), gradient_of<ID03r>());
  check_different(value_of<ID04>(), value_of<ID03r>());
  check_different(hessian_of<ID04>(), hessian_of<ID03r>());
}

// additive surrogate: value and first order only
BOOST_AUTO_TEST_CASE(RL03) {
  check_equal(value_of<ID05>(), value_of<ID03r>());
  check_equal(gradient_of<ID05>(), gradient_of<ID03r>());
  check_different(hessian_of<ID05>(), hessian_of<ID03r>());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace cases
