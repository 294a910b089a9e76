#ifndef TAPELESS_TEST_TENSORFLOW_CHECK_HPP
#define TAPELESS_TEST_TENSORFLOW_CHECK_HPP

#include <tapeless/tensorflow.hpp>

#include <boost/test/unit_test.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tensorflow_test {

using namespace tapeless;
using tapeless::tensorflow::tf;
using tapeless::tensorflow::keywords::input;
using tapeless::tensorflow::keywords::name;

inline constexpr auto x = variable<"x">;
inline constexpr auto y = variable<"y">;
inline constexpr auto z = variable<"z">;
inline constexpr std::tuple all_variables{x, y, z};
inline constexpr auto scope = tapeless::tensorflow::Scope::NewRootScope();

inline constexpr double inf = std::numeric_limits<double>::infinity();
inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <class T>
inline constexpr bool is_zero = std::is_same_v<std::remove_cvref_t<T>, Zero>;

/// custom_gradient in formulas, where partial derivatives have names, and in functions.
template <class V, class P>
struct given_partial {
  V by;
  P value;
};
template <class V, class P>
constexpr auto by(const V& variable, const P& value) {
  return given_partial<V, P>{variable, value};
}
template <class E, class... Vs, class... Ps>
constexpr auto with_partials(const E& value, const given_partial<Vs, Ps>&... given) {
  if constexpr (Expression<E>)
    return custom_gradient(value, partials((given.by = given.value)...));
  else
    return custom_gradient(value, {partial_by<E>{given.by, given.value}...});
}

/// What TensorFlow gives for a formula of N numbers at a point; `none` are the variables that it has no gradient by.
template <std::size_t N>
struct expected {
  std::array<double, N> at;
  double value;
  std::array<double, N> gradient;
  std::array<bool, N> none;
  std::array<std::array<double, N>, N> hessian{};
  double along{};
  std::array<double, N> hvp{};
  double single_value{};
  std::array<double, N> single_gradient{};
};

/// The direction of `along` and `hvp`.
inline constexpr std::array direction{1.0, -0.5, 0.25};

/// Relative; what is smaller than 1e-15 may be the rounding error of a sum that is 0.
inline void check_close(const char* what, double computed, double expected, double tolerance = 1e-12) {
  const bool close = std::isnan(expected) ? std::isnan(computed)
                                          : computed == expected ||
                                                std::abs(computed - expected) <= tolerance * std::abs(expected) + 1e-15;
  BOOST_CHECK_MESSAGE(close, what << ": " << computed << " instead of " << expected);
}
template <std::size_t N>
void check_close(const char* what, const std::array<double, N>& computed, const std::array<double, N>& expected,
                 double tolerance = 1e-12) {
  for (std::size_t i = 0; i < N; ++i) check_close(what, computed[i], expected[i], tolerance);
}

/// Derivatives by the arguments of a function, which of one argument is a number.
template <std::size_t N, class Derivatives>
std::array<double, N> as_array(const Derivatives& derivatives) {
  if constexpr (N == 1)
    return {static_cast<double>(derivatives)};
  else
    return std::apply([](const auto&... each) { return std::array{static_cast<double>(each)...}; }, derivatives);
}

template <std::size_t N, std::size_t... I, class F>
void check_formula(const F& f, const expected<N>& e, std::index_sequence<I...>) {
  constexpr auto variables = wrt(std::get<I>(all_variables)...);
  const auto formula = f(std::get<I>(all_variables)...);
  const auto r = value_and_gradient(formula, variables)((std::get<I>(all_variables) = e.at[I])...);
  check_close("value of the formula", r.value, e.value);
  check_close("gradient of the formula", {static_cast<double>(r.gradient[std::get<I>(all_variables)])...}, e.gradient);
  // Where TensorFlow has None, the type is Zero.
  constexpr std::array zero{is_zero<decltype(r.gradient[std::get<I>(all_variables)])>...};
  for (std::size_t i = 0; i < N; ++i) BOOST_CHECK_MESSAGE(zero[i] || !e.none[i], "a gradient that TensorFlow lacks");
}

/// What is compared, besides value and gradient.
struct what {
  bool hessian = true, forward = true, single = true;
  bool formula = true;  // as a formula too, not as a function only
};

template <std::size_t N, what What, std::size_t... I, class F>
void check(const F& f, const expected<N>& e, std::index_sequence<I...> all) {
  if constexpr (What.formula)
    check_formula(f, e, all);
  else {
    const auto r = value_and_gradient(f)(e.at[I]...);
    check_close("value", r.value, e.value);
    check_close("gradient", as_array<N>(r.gradient), e.gradient);
  }
  if constexpr (What.single) {
    const auto r = value_and_gradient(f)(static_cast<float>(e.at[I])...);
    static_assert(std::is_same_v<std::remove_cvref_t<decltype(r.value)>, float>);
    check_close("value in single precision", static_cast<double>(r.value), e.single_value, 1e-5);
    check_close("gradient in single precision", as_array<N>(r.gradient), e.single_gradient, 1e-5);
  }
  if constexpr (What.hessian) {
    const std::array<std::array<double, N>, N> h = hessian(f)(e.at[I]...);
    for (std::size_t i = 0; i < N; ++i) check_close("Hessian", h[i], e.hessian[i]);
  }
  if constexpr (What.forward) {
    check_close("directional derivative", jvp(f, tangent(direction[I]...))(e.at[I]...), e.along);
    if constexpr (What.hessian)
      check_close("Hessian times direction", as_array<N>(hvp(f, tangent(direction[I]...))(e.at[I]...)), e.hvp);
  }
}

template <std::size_t N, what What = what{}, class F>
void check(const F& f, const expected<N>& e) {
  check<N, What>(f, e, std::make_index_sequence<N>{});
}

/// A gradient by x and y with a list of stops.
template <class Result>
void check_listed(const Result& r, double value, const std::array<double, 2>& gradient,
                  const std::array<bool, 2>& none) {
  check_close("value", r.value, value);
  check_close("gradient", {static_cast<double>(r.gradient[x]), static_cast<double>(r.gradient[y])}, gradient);
  constexpr std::array zero{is_zero<decltype(r.gradient[x])>, is_zero<decltype(r.gradient[y])>};
  for (std::size_t i = 0; i < 2; ++i) BOOST_CHECK_MESSAGE(zero[i] || !none[i], "a gradient that TensorFlow lacks");
}

/// The gradient by one of the variables: None is Zero, and a zero where it is asked to be a number.
template <bool None, class F, class Variables, class V, class... Bindings>
void check_unconnected(const F& f, Variables variables, const V& one, double derivative, const Bindings&... at) {
  const auto structural = gradient(f, variables)(at...);
  static_assert(is_zero<decltype(structural[one])> == None);
  check_close("gradient", static_cast<double>(structural[one]), derivative);
  const auto number = gradient(f, variables, unconnected::materialise)(at...);
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(number[one])>, double>);
  check_close("gradient as a number", number[one], derivative);
}

template <class T>
void check_type(T value) {
  static_assert(std::is_same_v<decltype(tf.stop_gradient(value)), T>);
  BOOST_TEST(tf.stop_gradient(value) == value);
}

}  // namespace tensorflow_test

#endif
