// Cases of TensorFlow and TensorFlow Probability.
#include "check.hpp"

namespace cases {
namespace {

// tensorflow/python/ops/gradients_test.py testStopGradient; None there, the type Zero here
struct TF01 : value_case {
  static constexpr auto f = [](auto x) { return stop_gradient(x); };
  static constexpr std::tuple variables{variable<"x">};
  static constexpr std::array point{1.0};
  static constexpr double value = 1.0;
  static constexpr std::array gradient{0.0};
  static constexpr square_matrix<1> hessian{};
  static constexpr std::tuple structural_zero{variable<"x">};
};

// tensorflow/python/ops/gradients_test.py testDependentYs, with the second output stopped
struct TF03 : value_case {
  static constexpr auto f = [](auto x) {
    auto y = x * x;
    auto y1 = y * y;
    auto y2 = y1 * y1;
    return y + stop_gradient(y2);
  };
  static constexpr std::tuple variables{variable<"x">};
  static constexpr std::array point{3.0};
  static constexpr double value = 6570.0;
  static constexpr std::array gradient{6.0};
  static constexpr square_matrix<1> hessian{{{2.0}}};
};

// tensorflow/python/ops/gradients_test.py testPartialDerivatives: the total derivative is 3
struct TF04a : value_case {
  static constexpr auto f = [](auto x) {
    auto y = 2 * x;
    return x + y;
  };
  static constexpr std::tuple variables{variable<"x">};
  static constexpr std::array point{1.0};
  static constexpr double value = 3.0;
  static constexpr std::array gradient{3.0};
  static constexpr square_matrix<1> hessian{};
};

// tensorflow/python/ops/gradients_test.py testPartialDerivatives: the partial derivative is 1
struct TF04b : value_case {
  static constexpr auto f = [](auto x) {
    auto y = 2 * x;
    return x + stop_gradient(y);
  };
  static constexpr std::tuple variables{variable<"x">};
  static constexpr std::array point{1.0};
  static constexpr double value = 3.0;
  static constexpr std::array gradient{1.0};
  static constexpr square_matrix<1> hessian{};
};

// tensorflow/python/ops/gradients_test.py testStopGradients, the chain a -> b -> c -> d, linear, with a
// stopped
struct TF05lin_a : value_case {
  static constexpr auto f = [](auto a0) {
    auto a = stop_gradient(a0);
    auto b = 2 * a + 1;
    auto c = 3 * a + 5 * b + 7;
    auto d = 11 * b + 13 * c + 17;
    return d;
  };
  static constexpr std::tuple variables{variable<"a0">};
  static constexpr std::array point{2.0};
  static constexpr double value = 566.0;
  static constexpr std::array gradient{0.0};
  static constexpr square_matrix<1> hessian{};
  static constexpr std::tuple structural_zero{variable<"a0">};
};

// tensorflow/python/ops/gradients_test.py testStopGradients, the chain a -> b -> c -> d, linear, with d
// stopped
struct TF05lin_d : value_case {
  static constexpr auto f = [](auto a0) {
    auto a = a0;
    auto b = 2 * a + 1;
    auto c = 3 * a + 5 * b + 7;
    auto d = stop_gradient(11 * b + 13 * c + 17);
    return d;
  };
  static constexpr std::tuple variables{variable<"a0">};
  static constexpr std::array point{2.0};
  static constexpr double value = 566.0;
  static constexpr std::array gradient{0.0};
  static constexpr square_matrix<1> hessian{};
  static constexpr std::tuple structural_zero{variable<"a0">};
};

// tensorflow/python/ops/gradients_test.py testStopGradients, the chain a -> b -> c -> d, linear, with a and
// b stopped
struct TF05lin_ab : value_case {
  static constexpr auto f = [](auto a0) {
    auto a = stop_gradient(a0);
    auto b = stop_gradient(2 * a + 1);
    auto c = 3 * a + 5 * b + 7;
    auto d = 11 * b + 13 * c + 17;
    return d;
  };
  static constexpr std::tuple variables{variable<"a0">};
  static constexpr std::array point{2.0};
  static constexpr double value = 566.0;
  static constexpr std::array gradient{0.0};
  static constexpr square_matrix<1> hessian{};
  static constexpr std::tuple structural_zero{variable<"a0">};
};

// tensorflow/python/ops/gradients_test.py testStopGradients, the chain a -> b -> c -> d, linear, with a and
// c stopped
struct TF05lin_ac : value_case {
  static constexpr auto f = [](auto a0) {
    auto a = stop_gradient(a0);
    auto b = 2 * a + 1;
    auto c = stop_gradient(3 * a + 5 * b + 7);
    auto d = 11 * b + 13 * c + 17;
    return d;
  };
  static constexpr std::tuple variables{variable<"a0">};
  static constexpr std::array point{2.0};
  static constexpr double value = 566.0;
  static constexpr std::array gradient{0.0};
  static constexpr square_matrix<1> hessian{};
  static constexpr std::tuple structural_zero{variable<"a0">};
};

// tensorflow/python/ops/gradients_test.py testStopGradients, the chain a -> b -> c -> d, nonlinear, nothing
// stopped
struct TF05tanh_none : value_case {
  static constexpr auto f = [](auto a0) {
    auto a = a0;
    auto b = tanh(0.5 * a + 0.1);
    auto c = tanh(0.3 * a + 0.7 * b - 0.2);
    auto d = tanh(1.1 * b - 0.9 * c + 0.2);
    return d;
  };
  static constexpr std::tuple variables{variable<"a0">};
  static constexpr std::array point{0.4};
  static constexpr double value = 0.3880347238838285;
  static constexpr std::array gradient{-0.03946202810538219};
  static constexpr square_matrix<1> hessian{{{0.015705561461441572}}};
};

// tensorflow/python/ops/gradients_test.py testStopGradients, the chain a -> b -> c -> d, nonlinear, with b
// stopped
struct TF05tanh_b : value_case {
  static constexpr auto f = [](auto a0) {
    auto a = a0;
    auto b = stop_gradient(tanh(0.5 * a + 0.1));
    auto c = tanh(0.3 * a + 0.7 * b - 0.2);
    auto d = tanh(1.1 * b - 0.9 * c + 0.2);
    return d;
  };
  static constexpr std::tuple variables{variable<"a0">};
  static constexpr std::array point{0.4};
  static constexpr double value = 0.3880347238838285;
  static constexpr std::array gradient{-0.2258597803339093};
  static constexpr square_matrix<1> hessian{{{-0.029899478387239192}}};
};

// tensorflow/python/ops/gradients_test.py testStopGradients, the chain a -> b -> c -> d, nonlinear, with c
// stopped
struct TF05tanh_c : value_case {
  static constexpr auto f = [](auto a0) {
    auto a = a0;
    auto b = tanh(0.5 * a + 0.1);
    auto c = stop_gradient(tanh(0.3 * a + 0.7 * b - 0.2));
    auto d = tanh(1.1 * b - 0.9 * c + 0.2);
    return d;
  };
  static constexpr std::tuple variables{variable<"a0">};
  static constexpr std::array point{0.4};
  static constexpr double value = 0.3880347238838285;
  static constexpr std::array gradient{0.4275391575977313};
  static constexpr square_matrix<1> hessian{{{-0.29155093231601203}}};
};

// tensorflow/python/ops/gradients_test.py testStopGradients, the chain a -> b -> c -> d, nonlinear, with b
// and c stopped
struct TF05tanh_bc : value_case {
  static constexpr auto f = [](auto a0) {
    auto a = a0;
    auto b = stop_gradient(tanh(0.5 * a + 0.1));
    auto c = stop_gradient(tanh(0.3 * a + 0.7 * b - 0.2));
    auto d = tanh(1.1 * b - 0.9 * c + 0.2);
    return d;
  };
  static constexpr std::tuple variables{variable<"a0">};
  static constexpr std::array point{0.4};
  static constexpr double value = 0.3880347238838285;
  static constexpr std::array gradient{0.0};
  static constexpr square_matrix<1> hessian{};
  static constexpr std::tuple structural_zero{variable<"a0">};
};

// tensorflow/python/ops/gradients_test.py testStopGradients, the chain a -> b -> c -> d, nonlinear, with d
// stopped
struct TF05tanh_d : value_case {
  static constexpr auto f = [](auto a0) {
    auto a = a0;
    auto b = tanh(0.5 * a + 0.1);
    auto c = tanh(0.3 * a + 0.7 * b - 0.2);
    auto d = stop_gradient(tanh(1.1 * b - 0.9 * c + 0.2));
    return d;
  };
  static constexpr std::tuple variables{variable<"a0">};
  static constexpr std::array point{0.4};
  static constexpr double value = 0.3880347238838285;
  static constexpr std::array gradient{0.0};
  static constexpr square_matrix<1> hessian{};
  static constexpr std::tuple structural_zero{variable<"a0">};
};

// tensorflow/python/ops/gradients_test.py testStopGradients on 2-vectors with a quadratic head, nothing
// stopped
struct TF05mat_none : value_case {
  static constexpr int symbolic_order = 1;
  static constexpr auto f = [](auto a1, auto a2) {
    auto b1 = 0.5 * a1 - 0.25 * a2 + 0.1;
    auto b2 = 0.75 * a1 + 0.5 * a2 - 0.3;
    auto s1 = b1;
    auto s2 = b2;
    auto c1 = 0.2 * a1 + 0.4 * a2 + 0.6 * s1 - 0.8 * s2 + 0.05;
    auto c2 = -0.3 * a1 + 0.9 * a2 + 0.7 * s1 + 0.1 * s2 - 0.15;
    auto t1 = c1;
    auto t2 = c2;
    auto d = pow(0.4 * s1 + 0.3 * s2 + 0.2 * t1 - 0.1 * t2, constant<2>) +
             pow(0.6 * s1 - 0.5 * s2 + 0.9 * t1 + 0.8 * t2, constant<2>);
    return d;
  };
  static constexpr std::tuple variables{variable<"a1">, variable<"a2">};
  static constexpr std::array point{0.7, -1.3};
  static constexpr double value = 0.22374124999999995;
  static constexpr std::array gradient{0.2621625, 0.004012500000000003};
  static constexpr square_matrix<2> hessian{
      {{0.3165625, -0.05618750000000003}, {-0.05618750000000003, 0.02106250000000003}}};
};

// tensorflow/python/ops/gradients_test.py testStopGradients on 2-vectors with a quadratic head, b and c
// stopped
struct TF05mat_bc : value_case {
  static constexpr auto f = [](auto a1, auto a2) {
    auto b1 = 0.5 * a1 - 0.25 * a2 + 0.1;
    auto b2 = 0.75 * a1 + 0.5 * a2 - 0.3;
    auto s1 = stop_gradient(b1);
    auto s2 = stop_gradient(b2);
    auto c1 = 0.2 * a1 + 0.4 * a2 + 0.6 * s1 - 0.8 * s2 + 0.05;
    auto c2 = -0.3 * a1 + 0.9 * a2 + 0.7 * s1 + 0.1 * s2 - 0.15;
    auto t1 = stop_gradient(c1);
    auto t2 = stop_gradient(c2);
    auto d = pow(0.4 * s1 + 0.3 * s2 + 0.2 * t1 - 0.1 * t2, constant<2>) +
             pow(0.6 * s1 - 0.5 * s2 + 0.9 * t1 + 0.8 * t2, constant<2>);
    return d;
  };
  static constexpr std::tuple variables{variable<"a1">, variable<"a2">};
  static constexpr std::array point{0.7, -1.3};
  static constexpr double value = 0.22374124999999995;
  static constexpr std::array gradient{0.0, 0.0};
  static constexpr square_matrix<2> hessian{};
  static constexpr std::tuple structural_zero{variable<"a1">, variable<"a2">};
};

// tensorflow/python/eager/backprop_test.py testUnconnectedGradientsNestedDefunZeros: the stop sits in an
// inner function
struct TF06 : value_case {
  static constexpr auto f = [](auto x) {
    auto square_of_x = x * x;
    return stop_gradient(square_of_x);
  };
  static constexpr std::tuple variables{variable<"x">};
  static constexpr std::array point{1.0};
  static constexpr double value = 1.0;
  static constexpr std::array gradient{0.0};
  static constexpr square_matrix<1> hessian{};
  static constexpr std::tuple structural_zero{variable<"x">};
};

// tensorflow/python/eager/backprop_test.py testUnconnectedGradientsZeros: x is declared and not used
struct TF07 : value_case {
  static constexpr auto f = [](auto /*x*/, auto y) { return 2 * y; };
  static constexpr std::tuple variables{variable<"x">, variable<"y">};
  static constexpr std::array point{1.0, 3.0};
  static constexpr double value = 6.0;
  static constexpr std::array gradient{0.0, 2.0};
  static constexpr square_matrix<2> hessian{};
  static constexpr std::tuple structural_zero{variable<"x">};
};

// tensorflow/python/ops/gradients_test.py GradPassThroughTest: the value of the wrapped operation, the
// gradient of its input
struct TF12a : value_case {
  static constexpr auto f = [](auto z) {
    auto w = pow(z, constant<2>);
    return stop_gradient(w) + (w - stop_gradient(w));
  };
  static constexpr std::tuple variables{variable<"z">};
  static constexpr std::array point{3.0};
  static constexpr double value = 9.0;
  static constexpr std::array gradient{6.0};
  static constexpr square_matrix<1> hessian{{{2.0}}};
};

// tensorflow/python/ops/gradients_test.py GradPassThroughTest: a variable inside the wrapped operation
// receives no gradient
struct TF12b : value_case {
  static constexpr auto f = [](auto x, auto z) { return stop_gradient(x * z) + (z - stop_gradient(z)); };
  static constexpr std::tuple variables{variable<"x">, variable<"z">};
  static constexpr std::array point{1.0, 3.0};
  static constexpr double value = 3.0;
  static constexpr std::array gradient{0.0, 1.0};
  static constexpr square_matrix<2> hessian{};
  static constexpr std::tuple structural_zero{variable<"x">};
};

// tensorflow_probability/python/math/custom_gradient_test.py test_works_correctly_fx_gx_manually_stopped: a
// custom gradient x^2 y for x only, y keeps its own path
struct TF15 : value_case {
  static constexpr auto f = [](auto x, auto y) {
    return stop_gradient(x) * y + stop_gradient(pow(x, constant<2>) * y) * (x - stop_gradient(x));
  };
  static constexpr std::tuple variables{variable<"x">, variable<"y">};
  static constexpr std::array point{2.1, 3.1};
  static constexpr double value = 6.510000000000001;
  static constexpr std::array gradient{13.671000000000001, 2.1};
  static constexpr square_matrix<2> hessian{};
};

// tensorflow_probability/python/vi/csiszar_divergence.py: the value of log x with all derivatives of x^3
struct TF16 : value_case {
  static constexpr auto f = [](auto x) {
    auto a = log(x);
    auto d = pow(x, constant<3>);
    return stop_gradient(a) + (d - stop_gradient(d));
  };
  static constexpr std::tuple variables{variable<"x">};
  static constexpr std::array point{2.0};
  static constexpr double value = 0.6931471805599453;
  static constexpr std::array gradient{12.0};
  static constexpr square_matrix<1> hessian{{{12.0}}};
};

// tf.stop_gradient documentation: one component of the stable softmax
struct TF17 : value_case {
  static constexpr auto f = [](auto x1, auto x2, auto x3) {
    auto m = stop_gradient(max(x1, x2, x3));
    return exp(x1 - m) / (exp(x1 - m) + exp(x2 - m) + exp(x3 - m));
  };
  static constexpr std::tuple variables{variable<"x1">, variable<"x2">, variable<"x3">};
  static constexpr std::array point{1.0, 2.0, 3.0};
  static constexpr double value = 0.09003057317038046;
  static constexpr std::array gradient{0.08192506906499322, -0.022033044520174298, -0.059892024544818935};
  static constexpr square_matrix<3> hessian{{{0.06717354721510453, -0.018065749266494693, -0.049107797948609845},
                                             {-0.018065749266494693, -0.01124881792396521, 0.0293145671904599},
                                             {-0.049107797948609845, 0.0293145671904599, 0.019793230758149944}}};
};

// tf.stop_gradient documentation: where the naive softmax overflows to inf / inf = NaN
struct TF18 : value_case {
  static constexpr auto f = [](auto x1, auto x2, auto x3) {
    auto m = stop_gradient(max(x1, x2, x3));
    return exp(x2 - m) / (exp(x1 - m) + exp(x2 - m) + exp(x3 - m));
  };
  static constexpr std::tuple variables{variable<"x1">, variable<"x2">, variable<"x3">};
  static constexpr std::array point{1000.0, 1001.0, 999.0};
  static constexpr double value = 0.6652409557748219;
  static constexpr std::array gradient{-0.16280340198980442, 0.22269542653462335, -0.059892024544818935};
  static constexpr square_matrix<3> hessian{{{-0.08311814668683555, 0.053803579496375646, 0.0293145671904599},
                                             {0.053803579496375646, -0.0735968102545256, 0.019793230758149944},
                                             {0.0293145671904599, 0.019793230758149944, -0.049107797948609845}}};
};

// tf.stop_gradient documentation: before normalisation the stop can be seen; without it the gradient at the
// largest input would be (0, 0)
struct TF20 : value_case {
  static constexpr auto f = [](auto x1, auto x2) { return exp(x1 - stop_gradient(max(x1, x2))); };
  static constexpr std::tuple variables{variable<"x1">, variable<"x2">};
  static constexpr std::array point{2.0, 1.0};
  static constexpr double value = 1.0;
  static constexpr std::array gradient{1.0, 0.0};
  static constexpr square_matrix<2> hessian{{{1.0, 0.0}, {0.0, 0.0}}};
  static constexpr std::tuple structural_zero{variable<"x2">};
};

using tensorflow_cases = std::tuple<TF01, TF03, TF04a, TF04b, TF05lin_a, TF05lin_d, TF05lin_ab, TF05lin_ac,
                                    TF05tanh_none, TF05tanh_b, TF05tanh_c, TF05tanh_bc, TF05tanh_d, TF05mat_none,
                                    TF05mat_bc, TF06, TF07, TF12a, TF12b, TF15, TF16, TF17, TF18, TF20>;

BOOST_AUTO_TEST_SUITE(cases_tensorflow)

BOOST_AUTO_TEST_CASE_TEMPLATE(every_case, Case, tensorflow_cases) { check<Case>(); }

// partial vs total derivative
BOOST_AUTO_TEST_CASE(RL19) {
  check_equal(value_of<TF04b>(), value_of<TF04a>());
  check_different(gradient_of<TF04b>(), gradient_of<TF04a>());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace cases
