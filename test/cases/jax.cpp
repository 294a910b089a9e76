// Cases of JAX and HIPS autograd.
#include "check.hpp"

namespace cases {
namespace {

// tests/lax_autodiff_test.py testStopGradient
struct JX02 : value_case {
  static constexpr auto f = [](auto x) { return stop_gradient(x); };
  static constexpr std::tuple variables{variable<"x">};
  static constexpr std::array point{3.0};
  static constexpr double value = 3.0;
  static constexpr std::array gradient{0.0};
  static constexpr square_matrix<1> hessian{};
  static constexpr std::tuple structural_zero{variable<"x">};
};

// jax/_src/lax/lax.py, stop_gradient docstring
struct JX03 : value_case {
  static constexpr auto f = [](auto x) { return pow(stop_gradient(x), constant<2>); };
  static constexpr std::tuple variables{variable<"x">};
  static constexpr std::array point{3.0};
  static constexpr double value = 9.0;
  static constexpr std::array gradient{0.0};
  static constexpr square_matrix<1> hessian{};
  static constexpr std::tuple structural_zero{variable<"x">};
};

// docs/higher-order.md: straight-through estimator, in the form whose value is exactly round(x)
struct JX05 : value_case {
  static constexpr auto f = [](auto x) { return x - stop_gradient(x) + stop_gradient(round(x)); };
  static constexpr std::tuple variables{variable<"x">};
  static constexpr std::array point{3.2};
  static constexpr double value = 3.0;
  static constexpr std::array gradient{1.0};
  static constexpr square_matrix<1> hessian{};
};

// tests/lax_scipy_test.py testLogSumExpWhereGrad: the masked element does not take part
struct JX06 : value_case {
  static constexpr auto f = [](auto x1, auto x2, auto x3, auto x4, auto /*x5*/) {
    auto m = stop_gradient(max(x1, x2, x3, x4));
    return log(exp(x1 - m) + exp(x2 - m) + exp(x3 - m) + exp(x4 - m)) + m;
  };
  static constexpr std::tuple variables{variable<"x1">, variable<"x2">, variable<"x3">, variable<"x4">, variable<"x5">};
  static constexpr std::array point{0.0, 0.0, 0.0, 0.0, 100.0};
  static constexpr double value = 1.3862943611198906;
  static constexpr std::array gradient{0.25, 0.25, 0.25, 0.25, 0.0};
  static constexpr square_matrix<5> hessian{{{0.1875, -0.0625, -0.0625, -0.0625, 0.0},
                                             {-0.0625, 0.1875, -0.0625, -0.0625, 0.0},
                                             {-0.0625, -0.0625, 0.1875, -0.0625, 0.0},
                                             {-0.0625, -0.0625, -0.0625, 0.1875, 0.0},
                                             {0.0, 0.0, 0.0, 0.0, 0.0}}};
  static constexpr std::tuple structural_zero{variable<"x5">};
};

// issue 13600: a tie is shared evenly
struct JX08 : value_case {
  static constexpr auto f = [](auto x1, auto x2) { return max(x1, x2); };
  static constexpr std::tuple variables{variable<"x1">, variable<"x2">};
  static constexpr std::array point{1.0, 1.0};
  static constexpr double value = 1.0;
  static constexpr std::array gradient{0.5, 0.5};
  static constexpr square_matrix<2> hessian{};
};

// HIPS autograd tests/test_numpy.py test_min_3_way_equality: nested binary maxima weigh a tie (1/4, 1/4,
// 1/2), the n-ary one evenly
struct JX08c : value_case {
  static constexpr auto f = [](auto x1, auto x2, auto x3) { return max(max(x1, x2), x3); };
  static constexpr std::tuple variables{variable<"x1">, variable<"x2">, variable<"x3">};
  static constexpr std::array point{2.0, 2.0, 2.0};
  static constexpr double value = 2.0;
  static constexpr std::array gradient{0.25, 0.25, 0.5};
  static constexpr square_matrix<3> hessian{};
};

// HIPS autograd tests/test_numpy.py test_max_equal_values: the total derivative is 1, not 2
struct JX08d : value_case {
  static constexpr auto f = [](auto x) { return max(x, x); };
  static constexpr std::tuple variables{variable<"x">};
  static constexpr std::array point{1.0};
  static constexpr double value = 1.0;
  static constexpr std::array gradient{1.0};
  static constexpr square_matrix<1> hessian{};
};

// PyTorch issue 184572: the tie rule gives 1/2 where relu gives 0
struct JX09b : value_case {
  static constexpr auto f = [](auto x) { return max(x, 0); };
  static constexpr std::tuple variables{variable<"x">};
  static constexpr std::array point{0.0};
  static constexpr double value = 0.0;
  static constexpr std::array gradient{0.5};
  static constexpr square_matrix<1> hessian{};
};

// tests/lax_autodiff_test.py testPowIntPowerAtZero2
struct JX11 : value_case {
  static constexpr auto f = [](auto x) { return pow(x, constant<0>) + x; };
  static constexpr std::tuple variables{variable<"x">};
  static constexpr std::array point{3.14};
  static constexpr double value = 4.140000000000001;
  static constexpr std::array gradient{1.0};
  static constexpr square_matrix<1> hessian{};
};

// tests/lax_autodiff_test.py testPowIntPowerAtZero, the exponent stopped: a constant power 0, no logarithm
struct JX12s : value_case {
  static constexpr auto f = [](auto x, auto y) { return pow(x, stop_gradient(y)); };
  static constexpr std::tuple variables{variable<"x">, variable<"y">};
  static constexpr std::array point{4.0, 0.0};
  static constexpr double value = 1.0;
  static constexpr std::array gradient{0.0, 0.0};
  static constexpr square_matrix<2> hessian{};
  static constexpr std::tuple structural_zero{variable<"y">};
};

// issues 347 and 5798: the branch not taken must not leak its NaN
struct JX14 : value_case {
  static constexpr auto f = [](auto x) { return where(x < 1, x, sqrt(x)); };
  static constexpr std::tuple variables{variable<"x">};
  static constexpr std::array point{0.0};
  static constexpr double value = 0.0;
  static constexpr std::array gradient{1.0};
  static constexpr square_matrix<1> hessian{};
};

// issue 13710: stopping a tuple stops every member of it
struct JX16b : value_case {
  static constexpr auto f = [](auto theta, auto x) {
    return stop_gradient(theta) * stop_gradient(pow(theta, constant<5>) * x);
  };
  static constexpr std::tuple variables{variable<"theta">, variable<"x">};
  static constexpr std::array point{0.9, 2.0};
  static constexpr double value = 1.062882;
  static constexpr std::array gradient{0.0, 0.0};
  static constexpr square_matrix<2> hessian{};
  static constexpr std::tuple structural_zero{variable<"theta">, variable<"x">};
};

// tests/api_test.py test_leak_checker_remat3_linearize_zero_tangent_output
struct JX18 : value_case {
  static constexpr auto f = [](auto x) { return sin(x) + stop_gradient(x) * 2.0; };
  static constexpr std::tuple variables{variable<"x">};
  static constexpr std::array point{3.0};
  static constexpr double value = 6.141120008059867;
  static constexpr std::array gradient{-0.9899924966004454};
  static constexpr square_matrix<1> hessian{{{-0.1411200080598672}}};
};

// issue 10994, Gauss-Newton: the inner function made linear with stopped coefficients gives the Hessian
// g'^2 = 9 instead of 13.5
struct JX19 : value_case {
  static constexpr auto f = [](auto x) {
    auto g = pow(x, constant<2>) / 2;
    auto gp = x;
    return 0.5 * pow(stop_gradient(g) + stop_gradient(gp) * (x - stop_gradient(x)), constant<2>);
  };
  static constexpr std::tuple variables{variable<"x">};
  static constexpr std::array point{3.0};
  static constexpr double value = 10.125;
  static constexpr std::array gradient{13.5};
  static constexpr square_matrix<1> hessian{{{9.0}}};
};

// the same without stops: the full Hessian
struct JX19f : value_case {
  static constexpr auto f = [](auto x) {
    auto g = pow(x, constant<2>) / 2;
    return 0.5 * pow(g, constant<2>);
  };
  static constexpr std::tuple variables{variable<"x">};
  static constexpr std::array point{3.0};
  static constexpr double value = 10.125;
  static constexpr std::array gradient{13.5};
  static constexpr square_matrix<1> hessian{{{13.5}}};
};

using jax_cases =
    std::tuple<JX02, JX03, JX05, JX06, JX08, JX08c, JX08d, JX09b, JX11, JX12s, JX14, JX16b, JX18, JX19, JX19f>;

BOOST_AUTO_TEST_SUITE(cases_jax)

BOOST_AUTO_TEST_CASE_TEMPLATE(every_case, Case, jax_cases) { check<Case>(); }

// Gauss-Newton surrogate: same gradient, PSD Hessian
BOOST_AUTO_TEST_CASE(RL13) {
  check_equal(value_of<JX19>(), value_of<JX19f>());
  check_equal(gradient_of<JX19>(), gradient_of<JX19f>());
  check_different(hessian_of<JX19>(), hessian_of<JX19f>());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace cases
