// Cases of PyTensor.
#include "check.hpp"

namespace cases {
namespace {

// tests/test_gradient.py TestZeroGrad.test_grad, first expression
struct PY01 : value_case {
  static constexpr auto f = [](auto x) { return x * stop_gradient(x); };
  static constexpr std::tuple variables{variable<"x">};
  static constexpr std::array point{1.7};
  static constexpr double value = 2.8899999999999997;
  static constexpr std::array gradient{1.7};
  static constexpr square_matrix<1> hessian{};
};

// tests/test_gradient.py TestZeroGrad.test_grad, second expression
struct PY02 : value_case {
  static constexpr auto f = [](auto x) { return x * stop_gradient(exp(x)); };
  static constexpr std::tuple variables{variable<"x">};
  static constexpr std::array point{1.7};
  static constexpr double value = 9.30571056593624;
  static constexpr std::array gradient{5.4739473917272};
  static constexpr square_matrix<1> hessian{};
};

// tests/test_gradient.py TestZeroGrad.test_grad, third expression
struct PY03 : value_case {
  static constexpr auto f = [](auto x) { return stop_gradient(x); };
  static constexpr std::tuple variables{variable<"x">};
  static constexpr std::array point{1.7};
  static constexpr double value = 1.7;
  static constexpr std::array gradient{0.0};
  static constexpr square_matrix<1> hessian{};
  static constexpr std::tuple structural_zero{variable<"x">};
};

// tests/test_gradient.py TestZeroGrad.test_grad, fourth expression: the second derivative is 2x at the
// frozen factor, not 4x
struct PY04 : value_case {
  static constexpr auto f = [](auto x) { return pow(x, constant<2>) * stop_gradient(x); };
  static constexpr std::tuple variables{variable<"x">};
  static constexpr std::array point{1.7};
  static constexpr double value = 4.912999999999999;
  static constexpr std::array gradient{5.779999999999999};
  static constexpr square_matrix<1> hessian{{{3.4}}};
};

// tests/test_gradient.py test_disconnected_paths
struct PY06 : value_case {
  static constexpr auto f = [](auto a, auto b) { return a + stop_gradient(b); };
  static constexpr std::tuple variables{variable<"a">, variable<"b">};
  static constexpr std::array point{0.3, -0.8};
  static constexpr double value = -0.5;
  static constexpr std::array gradient{1.0, 0.0};
  static constexpr square_matrix<2> hessian{};
  static constexpr std::tuple structural_zero{variable<"b">};
};

// pytensor/gradient.py grad_scale docstring, scale -1
struct PY09 : value_case {
  static constexpr auto f = [](auto x) { return 2 * stop_gradient(sin(x)) - sin(x); };
  static constexpr std::tuple variables{variable<"x">};
  static constexpr std::array point{2.0};
  static constexpr double value = 0.9092974268256817;
  static constexpr std::array gradient{0.4161468365471424};
  static constexpr square_matrix<1> hessian{{{0.9092974268256817}}};
};

// tests/test_gradient.py test_grad_constant: the direct partial is kept
struct PY10 : value_case {
  static constexpr auto f = [](auto x, auto y) { return x + y; };
  static constexpr std::tuple variables{variable<"x">, variable<"y">};
  static constexpr std::array point{1.0, 0.5};
  static constexpr double value = 1.5;
  static constexpr std::array gradient{1.0, 1.0};
  static constexpr square_matrix<2> hessian{};
};

// tests/scalar/test_basic.py test_grad_abs: the derivative of abs at 0 is 0
struct PY11 : value_case {
  static constexpr auto f = [](auto a) { return 0.5 * (a + abs(a)); };
  static constexpr std::tuple variables{variable<"a">};
  static constexpr std::array point{0.0};
  static constexpr double value = 0.0;
  static constexpr std::array gradient{0.5};
  static constexpr square_matrix<1> hessian{};
};

// tests/test_gradient.py test_grad_clip: the adjoint 4 clipped to 1, written with stops
struct PY12 : value_case {
  static constexpr auto f = [](auto x) {
    return stop_gradient(pow(x, constant<2>)) + stop_gradient(min(max(2 * x, -1), 1)) * (x - stop_gradient(x));
  };
  static constexpr std::tuple variables{variable<"x">};
  static constexpr std::array point{2.0};
  static constexpr double value = 4.0;
  static constexpr std::array gradient{1.0};
  static constexpr square_matrix<1> hessian{};
};

using pytensor_cases = std::tuple<PY01, PY02, PY03, PY04, PY06, PY09, PY10, PY11, PY12>;

BOOST_AUTO_TEST_SUITE(cases_pytensor)

BOOST_AUTO_TEST_CASE_TEMPLATE(every_case, Case, pytensor_cases) { check<Case>(); }

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace cases
