// Stops as the literature on learning uses them: frozen targets, distillation, attacks.
#include "check.hpp"

namespace cases {
namespace {

// VQ-VAE: the decoder gradient goes to the encoder output z, none to the code e
struct ID07 : value_case {
  static constexpr auto f = [](auto z, auto e) {
    auto q = z + stop_gradient(e - z);
    return pow(q - 5.0, constant<2>);
  };
  static constexpr std::tuple variables{variable<"z">, variable<"e">};
  static constexpr std::array point{1.3, 2.0};
  static constexpr double value = 9.0;
  static constexpr std::array gradient{-6.0, 0.0};
  static constexpr square_matrix<2> hessian{{{2.0, 0.0}, {0.0, 0.0}}};
  static constexpr std::tuple structural_zero{variable<"e">};
};

// BYOL: the squared distance of two normalised vectors, one of them stopped
struct ID09 : value_case {
  static constexpr auto f = [](auto pa, auto pb, auto za, auto zb) {
    return pow(pa / norm(pa, pb) - stop_gradient(za / norm(za, zb)), constant<2>) +
           pow(pb / norm(pa, pb) - stop_gradient(zb / norm(za, zb)), constant<2>);
  };
  static constexpr std::tuple variables{variable<"pa">, variable<"pb">, variable<"za">, variable<"zb">};
  static constexpr std::array point{1.0, 0.5, 0.3, 1.1};
  static constexpr double value = 0.6664102810603486;
  static constexpr std::array gradient{0.5961930508200795, -1.192386101640159, 0.0, 0.0};
  static constexpr square_matrix<4> hessian{{{-0.740534526281783, 0.28868295092340696, 0.0, 0.0},
                                             {0.28868295092340696, 1.807406301433504, 0.0, 0.0},
                                             {0.0, 0.0, 0.0, 0.0},
                                             {0.0, 0.0, 0.0, 0.0}}};
  static constexpr std::tuple structural_zero{variable<"za">, variable<"zb">};
};

// temporal difference learning (rlax td_learning): the target is stopped
struct ID10 : value_case {
  static constexpr auto f = [](auto vtm1, auto r, auto vt) { return stop_gradient(r + 0.5 * vt) - vtm1; };
  static constexpr std::tuple variables{variable<"vtm1">, variable<"r">, variable<"vt">};
  static constexpr std::array point{1.0, -1.0, 1.0};
  static constexpr double value = -1.5;
  static constexpr std::array gradient{-1.0, 0.0, 0.0};
  static constexpr square_matrix<3> hessian{};
  static constexpr std::tuple structural_zero{variable<"r">, variable<"vt">};
};

// Q-learning: the target with its maximum is stopped
struct ID11 : value_case {
  static constexpr auto f = [](auto q, auto qn1, auto qn2, auto r) {
    return 0.5 * pow(stop_gradient(r + 0.9 * max(qn1, qn2)) - q, constant<2>);
  };
  static constexpr std::tuple variables{variable<"q">, variable<"qn1">, variable<"qn2">, variable<"r">};
  static constexpr std::array point{1.0, 2.0, 3.0, 0.5};
  static constexpr double value = 2.42;
  static constexpr std::array gradient{-2.2, 0.0, 0.0, 0.0};
  static constexpr square_matrix<4> hessian{
      {{1.0, 0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 0.0}}};
  static constexpr std::tuple structural_zero{variable<"qn1">, variable<"qn2">, variable<"r">};
};

// adversarial training by the exact inner maximiser, not stopped: the envelope theorem makes the gradient
// that of the stopped form
struct ID19n : value_case {
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

// a recurrence unrolled over three steps, nothing stopped
struct ID26n : value_case {
  static constexpr auto f = [](auto w) {
    auto h1 = tanh(w * 0.5 + 0.3);
    auto h2 = tanh(w * h1 + 0.1);
    auto h3 = tanh(w * h2 - 0.2);
    return pow(h3, constant<2>);
  };
  static constexpr std::tuple variables{variable<"w">};
  static constexpr std::array point{0.9};
  static constexpr double value = 0.09999898226530426;
  static constexpr std::array gradient{0.6375050137735302};
  static constexpr square_matrix<1> hessian{{{2.0773037159879535}}};
};

// knowledge distillation, KL(sg(p) || q): none for the teacher t, q - p for the student s
struct ID27 : value_case {
  static constexpr auto f = [](auto t, auto s) {
    auto p = sigmoid(t);
    auto q = sigmoid(s);
    return stop_gradient(p) * (log(stop_gradient(p)) - log(q)) +
           stop_gradient(1 - p) * (log(stop_gradient(1 - p)) - log(1 - q));
  };
  static constexpr std::tuple variables{variable<"t">, variable<"s">};
  static constexpr std::array point{0.7, -0.2};
  static constexpr double value = 0.09632181544748343;
  static constexpr std::array gradient{0.0, -0.218021769480644};
  static constexpr square_matrix<2> hessian{{{0.0, 0.0}, {0.0, 0.24751657271185995}}};
  static constexpr std::tuple structural_zero{variable<"t">};
};

// first-order MAML: the inner gradient is stopped
struct ID34 : value_case {
  static constexpr auto f = [](auto t) { return pow(t - 0.1 * stop_gradient(2 * t * 3.0) - 1.0, constant<2>); };
  static constexpr std::tuple variables{variable<"t">};
  static constexpr std::array point{0.5};
  static constexpr double value = 0.64;
  static constexpr std::array gradient{-1.6};
  static constexpr square_matrix<1> hessian{{{2.0}}};
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

using learning_cases = std::tuple<ID07, ID09, ID10, ID11, ID19n, ID26n, ID27, ID34, ID19r, ID19rn, ID35>;

BOOST_AUTO_TEST_SUITE(cases_learning)

BOOST_AUTO_TEST_CASE_TEMPLATE(every_case, Case, learning_cases) { check<Case>(); }

// generic attack: the stop matters
BOOST_AUTO_TEST_CASE(RL10) {
  check_equal(value_of<ID19r>(), value_of<ID19rn>());
  check_different(gradient_of<ID19r>(), gradient_of<ID19rn>());
  check_different(hessian_of<ID19r>(), hessian_of<ID19rn>());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace cases
