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

using learning_cases = std::tuple<ID07, ID09, ID10, ID11, ID26n, ID27, ID34>;

BOOST_AUTO_TEST_SUITE(cases_learning)

BOOST_AUTO_TEST_CASE_TEMPLATE(every_case, Case, learning_cases) { check<Case>(); }

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace cases
