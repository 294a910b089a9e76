// Infinities and NaN beside and behind a stop.
#include "check.hpp"

namespace cases {
namespace {

// the infinite derivative behind the stop never meets a 0
struct NA01 : value_case {
  static constexpr auto f = [](auto x, auto y) { return x + stop_gradient(sqrt(y)); };
  static constexpr std::tuple variables{variable<"x">, variable<"y">};
  static constexpr std::array point{2.0, 0.0};
  static constexpr double value = 2.0;
  static constexpr std::array gradient{1.0, 0.0};
  static constexpr square_matrix<2> hessian{};
  static constexpr std::tuple structural_zero{variable<"y">};
};

// an infinite stopped value is kept
struct NA02 : value_case {
  static constexpr auto f = [](auto x, auto y) { return x + stop_gradient(log(y)); };
  static constexpr std::tuple variables{variable<"x">, variable<"y">};
  static constexpr std::array point{2.0, 0.0};
  static constexpr double value = -infinity;
  static constexpr std::array gradient{1.0, 0.0};
  static constexpr square_matrix<2> hessian{};
  static constexpr std::tuple structural_zero{variable<"y">};
};

// NaN passes through the value and not into the derivative
struct NA03 : value_case {
  static constexpr auto f = [](auto x) { return stop_gradient(sqrt(x)); };
  static constexpr std::tuple variables{variable<"x">};
  static constexpr std::array point{-1.0};
  static constexpr double value = not_a_number;
  static constexpr std::array gradient{0.0};
  static constexpr square_matrix<1> hessian{};
  static constexpr std::tuple structural_zero{variable<"x">};
};

// 0 * inf is NaN in the value, inf in the partial
struct NA04 : value_case {
  static constexpr auto f = [](auto x, auto y) { return x * stop_gradient(1 / y); };
  static constexpr std::tuple variables{variable<"x">, variable<"y">};
  static constexpr std::array point{0.0, 0.0};
  static constexpr double value = not_a_number;
  static constexpr std::array gradient{infinity, 0.0};
  static constexpr square_matrix<2> hessian{};
  static constexpr std::tuple structural_zero{variable<"y">};
};

// a singular derivative whose argument is stopped
struct NA05 : value_case {
  static constexpr auto f = [](auto x) { return sqrt(stop_gradient(x)); };
  static constexpr std::tuple variables{variable<"x">};
  static constexpr std::array point{0.0};
  static constexpr double value = 0.0;
  static constexpr std::array gradient{0.0};
  static constexpr square_matrix<1> hessian{};
  static constexpr std::tuple structural_zero{variable<"x">};
};

// the stopped base of a power: 8 log 2 for the exponent
struct NA07 : value_case {
  static constexpr auto f = [](auto x, auto y) { return pow(stop_gradient(x), y); };
  static constexpr std::tuple variables{variable<"x">, variable<"y">};
  static constexpr std::array point{2.0, 3.0};
  static constexpr double value = 8.0;
  static constexpr std::array gradient{0.0, 5.545177444479562};
  static constexpr square_matrix<2> hessian{{{0.0, 0.0}, {0.0, 3.8436241113456115}}};
  static constexpr std::tuple structural_zero{variable<"x">};
};

using special_values_cases = std::tuple<NA01, NA02, NA03, NA04, NA05, NA07>;

BOOST_AUTO_TEST_SUITE(cases_special_values)

BOOST_AUTO_TEST_CASE_TEMPLATE(every_case, Case, special_values_cases) { check<Case>(); }

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace cases
