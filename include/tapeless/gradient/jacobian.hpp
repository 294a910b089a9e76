#ifndef TAPELESS_GRADIENT_JACOBIAN_HPP
#define TAPELESS_GRADIENT_JACOBIAN_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/gradient/make_verb.hpp>
#include <tapeless/gradient/outputs.hpp>

namespace tapeless {

namespace detail {

inline constexpr verb jacobian_verb{derives::jacobian}, value_and_jacobian_verb{derives::jacobian, true};

/// A formula alone is one output.
template <class F>
constexpr auto rows_of(const F& f) {
  if constexpr (Expression<F>)
    return outputs(f);
  else
    return f;
}

}  // namespace detail

/// The Jacobian of formulas: `jacobian(outputs(f1, f2), wrt(x, y))(x = 1.0, y = 2.0)` gives `j` with `j(i, x)`; a
/// formula alone is one row. By reverse sweeps, one an output, or forward sweeps, one a variable, whichever are fewer;
/// all share one program. Over tensors `j(i, x)` has the axes of output i, then those of x.
///
/// Of a function that returns a `std::array` it is `std::array<std::array<T, n>, m>`, a row an output; n counts the
/// numbers of the arguments, or of those named by position: `jacobian(f, wrt<0>)`. Over tensors it is as `jax.jacobian`
/// gives it: what the function returns, where a number or tensor is replaced by the shape of the gradient.
template <class F, class... Options>
constexpr auto jacobian(const F& f, const Options&... options) {
  constexpr bool fits = detail::takes_operand<detail::jacobian_verb, F, Options...>;
  static_assert(fits || detail::is_reported<F, Options...>,
                "tapeless: jacobian takes formulas and variables, jacobian(outputs(f1, f2), wrt(x, y)), or a lambda or "
                "another function object and positions, wrt<0>");
  if constexpr (fits)
    return detail::make_verb<detail::jacobian_verb>(detail::rows_of(f), options...);
  else
    return detail::no_result{};
}

/// Values and Jacobian, sharing their work: the result has `.value`, a `std::array`, and `.jacobian`.
template <class F, class... Options>
constexpr auto value_and_jacobian(const F& f, const Options&... options) {
  constexpr bool fits = detail::takes_operand<detail::value_and_jacobian_verb, F, Options...>;
  static_assert(fits || detail::is_reported<F, Options...>,
                "tapeless: value_and_jacobian takes formulas and variables, value_and_jacobian(outputs(f1, f2), wrt(x, "
                "y)), or a lambda or another function object and positions, wrt<0>");
  if constexpr (fits)
    return detail::make_verb<detail::value_and_jacobian_verb>(detail::rows_of(f), options...);
  else
    return detail::no_result{};
}

}  // namespace tapeless

#endif
