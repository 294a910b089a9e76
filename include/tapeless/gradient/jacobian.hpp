#pragma once

#include <tapeless/gradient/make_verb.hpp>
#include <tapeless/gradient/outputs.hpp>

namespace tapeless {

namespace detail {

inline constexpr verb jacobian_verb{derives::jacobian}, value_and_jacobian_verb{derives::jacobian, true};

/// A single formula counts as one output.
template <class F>
constexpr auto rows_of(const F& f) {
  if constexpr (Expression<F>)
    return outputs(f);
  else
    return f;
}

}  // namespace detail

/// The Jacobian of formulas: `jacobian(outputs(f1, f2), wrt(x, y))(x = 1.0, y = 2.0)` returns `j` with `j(i, x)`. A
/// single formula gives one row. Cost: one reverse sweep for each output or one forward sweep for each variable,
/// whichever are fewer; all sweeps share one program. Over tensors, `j(i, x)` has the axes of output i, then those of
/// x, and the call counts the numbers of both sides.
///
/// The Jacobian of a function that returns a `std::array` is a `std::array<std::array<T, n>, m>` with one row for each
/// output, where n counts the numbers of the arguments, or of those selected by position: `jacobian(f, wrt<0>)`. With
/// respect to a sequence, in a function with loops, `j[i]` is the gradient of output i, such as a `std::vector`, by one
/// reverse sweep for each output; with respect to several arguments, one of them a sequence, a tuple of gradients. Over
/// tensors it has the form of `jax.jacobian`: the result of the function, with each number or tensor replaced by a
/// gradient.
template <class F, class... Options>
constexpr auto jacobian(const F& f, const Options&... options) {
  static_assert(detail::takes_operand<detail::jacobian_verb, F, Options...>,
                "tapeless: jacobian takes formulas and variables, jacobian(outputs(f1, f2), wrt(x, y)), or a lambda or "
                "another function object and positions, wrt<0> [TL044]");
  return detail::make_verb<detail::jacobian_verb>(detail::rows_of(f), options...);
}

/// The values and the Jacobian, which share subexpressions: `.value`, a `std::array`, and `.jacobian`.
template <class F, class... Options>
constexpr auto value_and_jacobian(const F& f, const Options&... options) {
  static_assert(detail::takes_operand<detail::value_and_jacobian_verb, F, Options...>,
                "tapeless: value_and_jacobian takes formulas and variables, value_and_jacobian(outputs(f1, f2), wrt(x, "
                "y)), or a lambda or another function object and positions, wrt<0> [TL045]");
  return detail::make_verb<detail::value_and_jacobian_verb>(detail::rows_of(f), options...);
}

}  // namespace tapeless
