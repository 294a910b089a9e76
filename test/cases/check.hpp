// What a case is and what is checked of it.
//
// A case is one generic lambda with its expected numbers. Applied to variables, the lambda gives a nested formula;
// handed to the library as it is, it is a traced function. Both must have the expected value, gradient and Hessian;
// reverse, forward and symbolic differentiation must agree, at run time and in constant evaluation.
//
// Expected numbers are the nearest doubles of second-order jets in 60-digit arithmetic, a stopped jet losing its
// derivatives; special values are what IEEE arithmetic gives.
#ifndef TAPELESS_TEST_CASES_CHECK_HPP
#define TAPELESS_TEST_CASES_CHECK_HPP

#include <tapeless/tapeless.hpp>

#include <boost/test/unit_test.hpp>

#include <array>
#include <cstddef>
#include <ios>
#include <limits>
#include <sstream>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace cases {

using tapeless::constant;
using tapeless::variable;

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

template <std::size_t n>
using square_matrix = std::array<std::array<double, n>, n>;

// What a case inherits unless it says otherwise.
struct value_case {
  static constexpr std::tuple<> structural_zero{};
  // How often it is differentiated by types, as far as these stay small enough to be compiled in reasonable time.
  static constexpr int symbolic_order = 2;
};

template <class Case>
inline constexpr std::size_t dimension = Case::point.size();

template <class Case, std::size_t i>
inline constexpr auto variable_at = std::get<i>(Case::variables);

template <class Case, std::size_t i>
using variable_at_t = std::remove_const_t<decltype(variable_at<Case, i>)>;

template <class Case>
inline constexpr auto formula = std::apply(Case::f, Case::variables);

template <class Case>
using formula_t = std::remove_const_t<decltype(formula<Case>)>;

template <class F, class X>
inline constexpr bool structurally_zero = std::is_same_v<tapeless::derivative_t<F, X>, tapeless::Zero>;

// function(0, ..., n - 1), the indices being constants
template <std::size_t n, class Function>
constexpr auto with_indices(Function function) {
  return [&]<std::size_t... i>(std::index_sequence<i...>) {
    return function(std::integral_constant<std::size_t, i>{}...);
  }(std::make_index_sequence<n>{});
}

template <class Case>
using point_of = std::array<double, dimension<Case>>;

// Where a case is evaluated at run time: what compilers know they would evaluate themselves, in the end as well as on
// the way.
template <class Case>
point_of<Case> run_time_point() {
  point_of<Case> point{};
  for (std::size_t i = 0; i < point.size(); ++i) {
    const volatile double coordinate = Case::point[i];
    point[i] = coordinate;
  }
  return point;
}

template <class Case>
constexpr auto all_bindings(const point_of<Case>& point) {
  return with_indices<dimension<Case>>([&](auto... i) { return std::tuple{(variable_at<Case, i> = point[i])...}; });
}

template <class Case, class F, std::size_t i>
constexpr auto binding_if_used(const point_of<Case>& point) {
  if constexpr (tapeless::contains<F, variable_at_t<Case, i>>) {
    return std::tuple{variable_at<Case, i> = point[i]};
  } else {
    return std::tuple<>{};
  }
}

// To bind what a formula does not contain is an error, and a derivative may have lost some of the variables.
template <class Case, class F>
constexpr auto used_bindings(const point_of<Case>& point) {
  return with_indices<dimension<Case>>(
      [&](auto... i) { return std::tuple_cat(binding_if_used<Case, F, i>(point)...); });
}

template <class Case, class F>
double value_at(const F& f, const point_of<Case>& point) {
  return static_cast<double>(std::apply(f, used_bindings<Case, F>(point)));
}

template <std::size_t n>
struct value_with_gradient {
  double value;
  std::array<double, n> gradient;
};

template <class Case>
constexpr auto formula_value_and_gradient(const point_of<Case>& point) {
  return with_indices<dimension<Case>>([&](auto... i) {
    return std::apply(tapeless::value_and_gradient(formula<Case>, tapeless::wrt(variable_at<Case, i>...)),
                      all_bindings<Case>(point));
  });
}

template <class Case>
constexpr auto formula_first_order(const point_of<Case>& point) {
  return with_indices<dimension<Case>>([&](auto... i) {
    const auto result = formula_value_and_gradient<Case>(point);
    return value_with_gradient<dimension<Case>>{static_cast<double>(result.value),
                                                {static_cast<double>(result.gradient[variable_at<Case, i>])...}};
  });
}

template <class Case>
auto formula_hessian(const point_of<Case>& point) {
  return with_indices<dimension<Case>>([&](auto... i) {
    const auto result =
        std::apply(tapeless::hessian(formula<Case>, tapeless::wrt(variable_at<Case, i>...)), all_bindings<Case>(point));
    const auto row = [&](auto x) { return std::array{static_cast<double>(result(x, variable_at<Case, i>))...}; };
    return square_matrix<dimension<Case>>{row(variable_at<Case, i>)...};
  });
}

template <class Case>
constexpr auto traced_first_order(const point_of<Case>& point) {
  const auto result = std::apply(tapeless::value_and_gradient(Case::f), point);
  const double value = static_cast<double>(result.value);
  if constexpr (dimension<Case> == 1) {
    return value_with_gradient<1>{value, {static_cast<double>(result.gradient)}};
  } else {
    return with_indices<dimension<Case>>([&](auto... i) {
      return value_with_gradient<dimension<Case>>{value, {static_cast<double>(std::get<i>(result.gradient))...}};
    });
  }
}

template <class Case>
square_matrix<dimension<Case>> traced_hessian(const point_of<Case>& point) {
  return std::apply(tapeless::hessian(Case::f), point);
}

template <class Case>
double value_of() {
  return formula_first_order<Case>(run_time_point<Case>()).value;
}

template <class Case>
auto gradient_of() {
  return formula_first_order<Case>(run_time_point<Case>()).gradient;
}

template <class Case>
auto hessian_of() {
  return formula_hessian<Case>(run_time_point<Case>());
}

// A tangent for a variable that a formula does not contain is an error too; the derivative is 0.
template <class Case, class Index>
double tangent_along(Index i, const point_of<Case>& point) {
  if constexpr (!tapeless::contains<formula_t<Case>, variable_at_t<Case, i>>)
    return 0;
  else
    return static_cast<double>(std::apply(tapeless::jvp(formula<Case>, tapeless::tangent(variable_at<Case, i> = 1.0)),
                                          used_bindings<Case, formula_t<Case>>(point)));
}

template <class Case>
auto forward_gradient(const point_of<Case>& point) {
  return with_indices<dimension<Case>>([&](auto... i) { return std::array{tangent_along<Case>(i, point)...}; });
}

template <class Case>
auto symbolic_gradient(const point_of<Case>& point) {
  return with_indices<dimension<Case>>([&](auto... i) {
    return std::array{value_at<Case>(tapeless::derivative(formula<Case>, variable_at<Case, i>), point)...};
  });
}

template <std::size_t n>
struct gradient_with_hessian {
  std::array<double, n> gradient;
  square_matrix<n> hessian;
};

// Reverse over symbolic: the partial derivatives as formulas, and their gradients, which share their work.
template <class Case>
auto symbolic_gradient_and_hessian(const point_of<Case>& point) {
  constexpr std::size_t n = dimension<Case>;
  return with_indices<n>([&](auto... i) {
    const auto partials = tapeless::outputs(tapeless::derivative(formula<Case>, variable_at<Case, i>)...);
    const auto result = std::apply(tapeless::value_and_jacobian(partials, tapeless::wrt(variable_at<Case, i>...)),
                                   all_bindings<Case>(point));
    const auto row = [&](auto r) {
      return std::array{static_cast<double>(result.jacobian(r, variable_at<Case, i>))...};
    };
    return gradient_with_hessian<n>{{static_cast<double>(result.value[i])...}, square_matrix<n>{row(i)...}};
  });
}

constexpr bool finite(double x) {
  return std::numeric_limits<double>::lowest() <= x && x <= std::numeric_limits<double>::max();
}

// Relative to the expected number, absolute where that is 0; NaN and the infinities by class.
constexpr bool agree(double actual, double expected) {
  if (expected != expected) return actual != actual;
  if (!finite(expected)) return actual == expected;
  const double tolerance = expected == 0.0 ? 1e-12 : 1e-12 * (expected < 0.0 ? -expected : expected);
  return -tolerance <= actual - expected && actual - expected <= tolerance;
}

template <class T, std::size_t n>
constexpr bool agree(const std::array<T, n>& actual, const std::array<T, n>& expected) {
  for (std::size_t i = 0; i < n; ++i) {
    if (!agree(actual[i], expected[i])) return false;
  }
  return true;
}

inline std::string printed(double number) {
  std::ostringstream out;
  out.precision(17);
  out << number;
  return out.str();
}

template <class T, std::size_t n>
std::string printed(const std::array<T, n>& numbers) {
  std::string out;
  for (const T& number : numbers) out += (out.empty() ? "(" : ", ") + printed(number);
  return out + ")";
}

template <class Numbers>
void check_agree(const char* what, const Numbers& actual, const Numbers& expected) {
  BOOST_CHECK_MESSAGE(agree(actual, expected), what << " is " << printed(actual) << ", expected " << printed(expected));
}

template <class Numbers>
void check_equal(const Numbers& a, const Numbers& b) {
  BOOST_CHECK_MESSAGE(agree(a, b), printed(a) << " differs from " << printed(b));
}

template <class Numbers>
void check_different(const Numbers& a, const Numbers& b) {
  BOOST_CHECK_MESSAGE(!agree(a, b), printed(a) << " equals " << printed(b));
}

template <class Case>
constexpr void check_structural_zeros() {
  using gradient = decltype(formula_value_and_gradient<Case>(Case::point).gradient);
  std::apply(
      [](auto... x) {
        static_assert((structurally_zero<formula_t<Case>, decltype(x)> && ...));
        static_assert(
            (std::is_same_v<std::remove_cvref_t<decltype(std::declval<gradient>()[x])>, tapeless::Zero> && ...));
      },
      Case::structural_zero);
}

template <class Case>
constexpr void check_constant_evaluation() {
  constexpr auto of_formula = formula_first_order<Case>(Case::point);
  static_assert(agree(of_formula.value, Case::value));
  static_assert(agree(of_formula.gradient, Case::gradient));
  constexpr auto traced = traced_first_order<Case>(Case::point);
  static_assert(agree(traced.value, Case::value));
  static_assert(agree(traced.gradient, Case::gradient));
}

template <class Case>
void check() {
  check_structural_zeros<Case>();
  check_constant_evaluation<Case>();

  const auto point = run_time_point<Case>();
  check_agree("value of the formula", value_at<Case>(formula<Case>, point), Case::value);
  const auto of_formula = formula_first_order<Case>(point);
  check_agree("value beside the gradient", of_formula.value, Case::value);
  check_agree("gradient", of_formula.gradient, Case::gradient);
  check_agree("Hessian", formula_hessian<Case>(point), Case::hessian);
  check_agree("forward gradient", forward_gradient<Case>(point), Case::gradient);
  if constexpr (Case::symbolic_order == 2) {
    const auto symbolic = symbolic_gradient_and_hessian<Case>(point);
    check_agree("symbolic gradient", symbolic.gradient, Case::gradient);
    check_agree("gradients of the symbolic gradient", symbolic.hessian, Case::hessian);
  } else if constexpr (Case::symbolic_order == 1) {
    check_agree("symbolic gradient", symbolic_gradient<Case>(point), Case::gradient);
  }

  const auto traced = traced_first_order<Case>(point);
  check_agree("value of the traced function", traced.value, Case::value);
  check_agree("gradient of the traced function", traced.gradient, Case::gradient);
  check_agree("Hessian of the traced function", traced_hessian<Case>(point), Case::hessian);
}

}  // namespace cases

#endif
