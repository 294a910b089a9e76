#pragma once

#include <tapeless/gradient/make_verb.hpp>

namespace tapeless {

namespace detail {

inline constexpr verb hessian_verb{derives::hessian}, value_and_hessian_verb{derives::hessian, true};

}  // namespace detail

/// The Hessian of a formula: `hessian(f, wrt(x, y))(x = 1.0, y = 2.0)` returns the symmetric `h` with `h(x, y)`. It is
/// computed by forward differentiation of the gradient, with the same stops and selections, once for each pair of
/// variables. Over tensors, `h(x, y)` has the axes of x, then those of y; the cost is one forward sweep for each
/// element.
///
/// The Hessian of a function is a `std::array<std::array<T, n>, n>`, where n counts the numbers of the arguments in
/// order, including members of structs, or of the arguments selected by position: `hessian(f, wrt<0>)`. Over tensors it
/// has the form of `jax.hessian`: the gradient, with each number or tensor replaced by another gradient.
template <class F, class... Options>
constexpr auto hessian(const F& f, const Options&... options) {
  static_assert(detail::takes_operand<detail::hessian_verb, F, Options...>,
                "tapeless: hessian takes a formula and variables, hessian(f, wrt(x, y)), or a lambda or another "
                "function object, hessian([](auto a) { return a * a; }); for outputs(...) use jacobian [TL046]");
  return detail::make_verb<detail::hessian_verb>(f, options...);
}

/// The value, gradient and Hessian for Newton's method, which share subexpressions: `.value`, `.gradient`, `.hessian`.
template <class F, class... Options>
constexpr auto value_and_hessian(const F& f, const Options&... options) {
  static_assert(detail::takes_operand<detail::value_and_hessian_verb, F, Options...>,
                "tapeless: value_and_hessian takes a formula and variables, value_and_hessian(f, wrt(x, y)), or a "
                "lambda or another function object; for outputs(...) use value_and_jacobian [TL047]");
  return detail::make_verb<detail::value_and_hessian_verb>(f, options...);
}

}  // namespace tapeless
