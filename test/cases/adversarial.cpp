// Adversarial training: attacks that are not differentiated through.
#include "check.hpp"

namespace cases {
namespace {

// adversarial training by the exact inner maximiser, not stopped: the envelope theorem makes the gradient
// that of the stopped form
struct ID19n : value_case {
  static constexpr int symbolic_order = 1;
  static constexpr auto f = [](auto w1, auto w2) {
    auto k = -sigmoid(-(w1 * 1.0 - w2 * 0.5));
    auto g1 = k * w1;
    auto g2 = k * w2;
    auto n = norm(g1, g2);
    auto x1 = 1.0 + 0.5 * g1 / n;
    auto x2 = -0.5 + 0.5 * g2 / n;
    return softplus(-(w1 * x1 + w2 * x2));
  };
  static constexpr std::tuple variables{variable<"w1">, variable<"w2">};
  static constexpr std::array point{0.8, -0.6};
  static constexpr double value = 0.4374879504858856;
  static constexpr std::array gradient{-0.21260621626452272, 0.07086873875484091};
  static constexpr square_matrix<2> hessian{
      {{0.14614419144375343, 0.05758837765101021}, {0.05758837765101021, 0.12254135162601175}}};
};

// adversarial training by one plain ascent step: the stop changes the gradient
struct ID19r : value_case {
  static constexpr auto f = [](auto w1, auto w2) {
    auto k = -sigmoid(-(w1 * 1.0 - w2 * 0.5));
    auto x1 = stop_gradient(1.0 + 0.5 * k * w1);
    auto x2 = stop_gradient(-0.5 + 0.5 * k * w2);
    return softplus(-(w1 * x1 + w2 * x2));
  };
  static constexpr std::tuple variables{variable<"w1">, variable<"w2">};
  static constexpr std::array point{0.8, -0.6};
  static constexpr double value = 0.3200112824742043;
  static constexpr std::array gradient{-0.24650173299354636, 0.11641151083569196};
  static constexpr square_matrix<2> hessian{
      {{0.16111410191735323, -0.07608683230484947}, {-0.07608683230484947, 0.03593233603571199}}};
};

// the same without the stop
struct ID19rn : value_case {
  static constexpr auto f = [](auto w1, auto w2) {
    auto k = -sigmoid(-(w1 * 1.0 - w2 * 0.5));
    auto x1 = 1.0 + 0.5 * k * w1;
    auto x2 = -0.5 + 0.5 * k * w2;
    return softplus(-(w1 * x1 + w2 * x2));
  };
  static constexpr std::tuple variables{variable<"w1">, variable<"w2">};
  static constexpr std::array point{0.8, -0.6};
  static constexpr double value = 0.3200112824742043;
  static constexpr std::array gradient{-0.24480078885164827, 0.10872168310366169};
  static constexpr square_matrix<2> hessian{
      {{0.15803270270443945, -0.025678236336373717}, {-0.025678236336373717, 0.07215812326458242}}};
};

// virtual adversarial training, KL(sg(p(x)) || p(x + r))
struct ID35 : value_case {
  static constexpr auto f = [](auto w) {
    auto p = sigmoid(w * 1.2);
    auto q = sigmoid(w * 1.5);
    return stop_gradient(p) * (log(stop_gradient(p)) - log(q)) +
           (1 - stop_gradient(p)) * (log(1 - stop_gradient(p)) - log(1 - q));
  };
  static constexpr std::tuple variables{variable<"w">};
  static constexpr std::array point{0.9};
  static constexpr double value = 0.006587473998348318;
  static constexpr std::array gradient{0.07145346729208576};
  static constexpr square_matrix<1> hessian{{{0.3678474640848458}}};
};

using adversarial_cases = std::tuple<ID19n, ID19r, ID19rn, ID35>;

BOOST_AUTO_TEST_SUITE(cases_adversarial)

BOOST_AUTO_TEST_CASE_TEMPLATE(every_case, Case, adversarial_cases) { check<Case>(); }

// generic attack: the stop matters
BOOST_AUTO_TEST_CASE(RL10) {
  check_equal(value_of<ID19r>(), value_of<ID19rn>());
  check_different(gradient_of<ID19r>(), gradient_of<ID19rn>());
  check_different(hessian_of<ID19r>(), hessian_of<ID19rn>());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace cases
