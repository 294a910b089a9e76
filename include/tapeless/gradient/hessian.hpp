#ifndef TAPELESS_GRADIENT_HESSIAN_HPP
#define TAPELESS_GRADIENT_HESSIAN_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/gradient/make_verb.hpp>

namespace tapeless {

namespace detail {

inline constexpr verb hessian_verb{derives::hessian}, value_and_hessian_verb{derives::hessian, true};

}  // namespace detail

/// The Hessian of a formula: `hessian(f, wrt(x, y))(x = 1.0, y = 2.0)` gives `h` with `h(x, y)`, symmetric. Each pair
/// of variables is computed once: forward differentiation of the gradient, stops and selections as in the gradient.
/// Over tensors `h(x, y)` has the axes of x, then those of y; one product with an element of a variable after the
/// other.
///
/// Of a function it is `std::array<std::array<T, n>, n>`; n counts the numbers of the arguments in their order, of a
/// struct those of its members, or of the arguments named by position: `hessian(f, wrt<0>)`. Over tensors it is as
/// `jax.hessian` gives it: in the shape of the gradient, where a number or tensor is replaced by such a gradient.
template <class F, class... Options>
constexpr auto hessian(const F& f, const Options&... options) {
  constexpr bool fits = detail::takes_operand<detail::hessian_verb, F, Options...>;
  static_assert(fits || detail::is_reported<F, Options...>,
                "tapeless: hessian takes a formula and variables, hessian(f, wrt(x, y)), or a lambda or another "
                "function object, hessian([](auto a) { return a * a; }); for outputs(...) use jacobian");
  if constexpr (fits)
    return detail::make_verb<detail::hessian_verb>(f, options...);
  else
    return detail::no_result{};
}

/// Value, gradient and Hessian, sharing their work: `.value`, `.gradient`, `.hessian`, as Newton's method takes them.
template <class F, class... Options>
constexpr auto value_and_hessian(const F& f, const Options&... options) {
  constexpr bool fits = detail::takes_operand<detail::value_and_hessian_verb, F, Options...>;
  static_assert(fits || detail::is_reported<F, Options...>,
                "tapeless: value_and_hessian takes a formula and variables, value_and_hessian(f, wrt(x, y)), or a "
                "lambda or another function object; for outputs(...) use value_and_jacobian");
  if constexpr (fits)
    return detail::make_verb<detail::value_and_hessian_verb>(f, options...);
  else
    return detail::no_result{};
}

}  // namespace tapeless

#endif
