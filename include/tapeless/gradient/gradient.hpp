#pragma once

#include <tapeless/gradient/make_verb.hpp>

namespace tapeless {

namespace detail {

inline constexpr verb gradient_verb{derives::gradient}, value_and_gradient_verb{derives::gradient, true};

}  // namespace detail

/// The gradient of a formula: `gradient(f, wrt(x, y))(x = 1.0, y = 2.0)` returns `g` with `g[x]` and `g[y]`. Without
/// `wrt`, it is the gradient with respect to all variables. The derivative with respect to a variable that is absent or
/// stopped has the type `Zero`, unless a policy says otherwise: `gradient(f, wrt(x), unconnected::strict)`.
/// `stop_gradients(h, k)` treats subexpressions as constants.
///
/// The gradient of a function: `gradient([](auto x, auto y) { return x * sin(y); })(1.0, 2.0)` returns a tuple of the
/// partial derivatives in the order of the arguments, or for one argument just its derivative. The derivative with
/// respect to a `std::array`, an adapted struct or a tensor has the same type and shape. `gradient(f, wrt<0, 2>)`
/// selects arguments by position.
///
/// Cost: one forward and one reverse sweep, as straight-line code. The value is not computed unless a derivative needs
/// it.
template <class F, class... Options>
constexpr auto gradient(const F& f, const Options&... options) {
  static_assert(
      detail::takes_operand<detail::gradient_verb, F, Options...>,
      "tapeless: gradient takes a formula and variables, gradient(f, wrt(x, y)), or a lambda or another function "
      "object and positions, gradient([](auto a) { return a * a; }, wrt<0>); for outputs(...) use jacobian [TL039]");
  return detail::make_verb<detail::gradient_verb>(f, options...);
}
template <class... Options>
constexpr detail::no_result gradient(detail::function_template, const Options&...) {
  static_assert(
      detail::always_false<Options...>,
      "tapeless: a function template is not an object; give gradient a lambda: [](auto x) { return f(x); } [TL041]");
  return {};
}
template <Formula_verb G, class... Options>
constexpr auto gradient(const G&, const Options&...) {
  static_assert(detail::always_false<G>,
                "tapeless: a gradient has no gradient; for second derivatives use hessian(f, wrt(x, y)), for higher "
                "ones gradient(derivative(f, x)) [TL043]");
  return detail::no_result{};
}

/// The value and the gradient, which share subexpressions: `.value`, and `.gradient` as `gradient` returns it, with the
/// same options.
template <class F, class... Options>
constexpr auto value_and_gradient(const F& f, const Options&... options) {
  static_assert(
      detail::takes_operand<detail::value_and_gradient_verb, F, Options...>,
      "tapeless: value_and_gradient takes a formula and variables, value_and_gradient(f, wrt(x, y)), or a "
      "lambda or another function object and positions, wrt<0>; for outputs(...) use value_and_jacobian [TL040]");
  return detail::make_verb<detail::value_and_gradient_verb>(f, options...);
}
template <class... Options>
constexpr detail::no_result value_and_gradient(detail::function_template, const Options&...) {
  static_assert(detail::always_false<Options...>,
                "tapeless: a function template is not an object; give value_and_gradient a lambda: [](auto x) { return "
                "f(x); } [TL042]");
  return {};
}
template <Formula_verb G, class... Options>
constexpr auto value_and_gradient(const G& g, const Options&... options) {
  return gradient(g, options...);
}

}  // namespace tapeless
