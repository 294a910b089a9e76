// Cases of PyTorch, MXNet, Zygote, Enzyme, CppAD and wrenfold.
#include "check.hpp"

namespace cases {
namespace {

// PyTorch test/test_autograd.py test_detach
struct TO02 : value_case {
  static constexpr auto f = [](auto x, auto y) { return y + stop_gradient(2 * x); };
  static constexpr std::tuple variables{variable<"x">, variable<"y">};
  static constexpr std::array point{0.35, 0.6};
  static constexpr double value = 1.2999999999999998;
  static constexpr std::array gradient{0.0, 1.0};
  static constexpr square_matrix<2> hessian{};
  static constexpr std::tuple structural_zero{variable<"x">};
};

// PyTorch: the norm of a stopped vector at 0
struct TO03s : value_case {
  static constexpr auto f = [](auto x, auto y, auto z) { return z * norm(stop_gradient(x), stop_gradient(y)); };
  static constexpr std::tuple variables{variable<"x">, variable<"y">, variable<"z">};
  static constexpr std::array point{0.0, 0.0, 2.0};
  static constexpr double value = 0.0;
  static constexpr std::array gradient{0.0, 0.0, 0.0};
  static constexpr square_matrix<3> hessian{};
  static constexpr std::tuple structural_zero{variable<"x">, variable<"y">};
};

// MXNet tests/python/unittest/test_symbol.py test_blockgrad
struct MX01 : value_case {
  static constexpr auto f = [](auto a) { return stop_gradient(2 * a); };
  static constexpr std::tuple variables{variable<"a">};
  static constexpr std::array point{1.0};
  static constexpr double value = 2.0;
  static constexpr std::array gradient{0.0};
  static constexpr square_matrix<1> hessian{};
  static constexpr std::tuple structural_zero{variable<"a">};
};

// MXNet BlockGrad documentation, first element
struct MX02 : value_case {
  static constexpr auto f = [](auto a, auto b) { return stop_gradient(3 * b) + a; };
  static constexpr std::tuple variables{variable<"a">, variable<"b">};
  static constexpr std::array point{1.0, 0.0};
  static constexpr double value = 1.0;
  static constexpr std::array gradient{1.0, 0.0};
  static constexpr square_matrix<2> hessian{};
  static constexpr std::tuple structural_zero{variable<"b">};
};

// MXNet BlockGrad documentation, second element
struct MX02b : value_case {
  static constexpr auto f = [](auto a, auto b) { return stop_gradient(3 * b) + a; };
  static constexpr std::tuple variables{variable<"a">, variable<"b">};
  static constexpr std::array point{2.0, 1.0};
  static constexpr double value = 5.0;
  static constexpr std::array gradient{1.0, 0.0};
  static constexpr square_matrix<2> hessian{};
  static constexpr std::tuple structural_zero{variable<"b">};
};

// Zygote src/deprecated.jl, dropgrad docstring
struct ZY01 : value_case {
  static constexpr auto f = [](auto a, auto b) { return stop_gradient(a) * b; };
  static constexpr std::tuple variables{variable<"a">, variable<"b">};
  static constexpr std::array point{2.0, 3.0};
  static constexpr double value = 6.0;
  static constexpr std::array gradient{0.0, 2.0};
  static constexpr square_matrix<2> hessian{};
  static constexpr std::tuple structural_zero{variable<"a">};
};

// Zygote test/deprecated.jl
struct ZY03 : value_case {
  static constexpr auto f = [](auto x) { return stop_gradient(x * x); };
  static constexpr std::tuple variables{variable<"x">};
  static constexpr std::array point{1.0};
  static constexpr double value = 1.0;
  static constexpr std::array gradient{0.0};
  static constexpr square_matrix<1> hessian{};
  static constexpr std::tuple structural_zero{variable<"x">};
};

// Enzyme.jl test/ignore_derivatives.jl N_stop
struct EN02 : value_case {
  static constexpr auto f = [](auto x, auto t1, auto t2) {
    return t1 * stop_gradient(pow(x, constant<2>)) + t2 * stop_gradient(x);
  };
  static constexpr std::tuple variables{variable<"x">, variable<"t1">, variable<"t2">};
  static constexpr std::array point{-0.3, -4.0, 4.0};
  static constexpr double value = -1.5599999999999998;
  static constexpr std::array gradient{0.0, 0.09, -0.3};
  static constexpr square_matrix<3> hessian{};
  static constexpr std::tuple structural_zero{variable<"x">};
};

// Enzyme.jl docs/src/notebooks/ignore_derivatives.jl simulate: the path through time is kept, the one
// through the controller is cut
struct EN03 : value_case {
  static constexpr auto f = [](auto t1, auto t2) {
    const auto x0 = -0.3;
    auto x1 = x0 + t1 * tapeless::stop_gradient(x0 * x0) + t2 * tapeless::stop_gradient(x0);
    auto x2 = x1 + t1 * stop_gradient(pow(x1, constant<2>)) + t2 * stop_gradient(x1);
    auto x3 = x2 + t1 * stop_gradient(pow(x2, constant<2>)) + t2 * stop_gradient(x2);
    auto x4 = x3 + t1 * stop_gradient(pow(x3, constant<2>)) + t2 * stop_gradient(x3);
    return 0.5 * pow(x4 - 2.0, constant<2>);
  };
  static constexpr std::tuple variables{variable<"t1">, variable<"t2">};
  static constexpr std::array point{0.5, 0.25};
  static constexpr double value = 2.8939523762062622;
  static constexpr std::array gradient{-1.14069717853236, 3.2995938784342953};
  static constexpr square_matrix<2> hessian{
      {{0.22481193260295496, -0.6502936016463986}, {-0.6502936016463986, 1.8810468085299783}}};
};

// CppAD example/general/var2par.cpp
struct CP01 : value_case {
  static constexpr auto f = [](auto x, auto y) { return -y * stop_gradient(x); };
  static constexpr std::tuple variables{variable<"x">, variable<"y">};
  static constexpr std::array point{3.0, 4.0};
  static constexpr double value = -12.0;
  static constexpr std::array gradient{0.0, -3.0};
  static constexpr square_matrix<2> hessian{};
  static constexpr std::tuple structural_zero{variable<"x">};
};

// CppAD example/general/var2par.cpp at a second point: Var2Par would keep the recorded 3, a stop is
// evaluated again
struct CP01b : value_case {
  static constexpr auto f = [](auto x, auto y) { return -y * stop_gradient(x); };
  static constexpr std::tuple variables{variable<"x">, variable<"y">};
  static constexpr std::array point{6.0, 7.0};
  static constexpr double value = -42.0;
  static constexpr std::array gradient{0.0, -6.0};
  static constexpr square_matrix<2> hessian{};
  static constexpr std::tuple structural_zero{variable<"x">};
};

// wrenfold pull request 290: only the last Newton step is differentiated, which is exact to first order
// only
struct WF02 : value_case {
  static constexpr auto f = [](auto a) {
    const auto s = tapeless::stop_gradient(1.4142135623730951);
    return s - (s * s - a) / (2 * s);
  };
  static constexpr std::tuple variables{variable<"a">};
  static constexpr std::array point{2.0};
  static constexpr double value = 1.4142135623730951;
  static constexpr std::array gradient{0.35355339059327373};
  static constexpr square_matrix<1> hessian{};
};

using other_libraries_cases = std::tuple<TO02, TO03s, MX01, MX02, MX02b, ZY01, ZY03, EN02, EN03, CP01, CP01b, WF02>;

BOOST_AUTO_TEST_SUITE(cases_other_libraries)

BOOST_AUTO_TEST_CASE_TEMPLATE(every_case, Case, other_libraries_cases) { check<Case>(); }

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace cases
