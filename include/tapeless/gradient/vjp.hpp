#pragma once

#include <tapeless/gradient/direction.hpp>
#include <tapeless/gradient/make_verb.hpp>

namespace tapeless {

namespace detail {

inline constexpr verb vjp_verb{derives::pullback};

/// Whether there are as many cotangents as outputs.
template <class F, class Option>
inline constexpr bool has_cotangents_for = true;
template <class F, class... Ts>
  requires has_names<F>
inline constexpr bool has_cotangents_for<F, cotangents<Ts...>> = [] {
  constexpr std::size_t outputs = lowered<F>::value.outputs.size();
  return sizeof...(Ts) == outputs || (!argument_tangents<Ts...>::over_tensors && cotangents<Ts...>::size == outputs);
}();

}  // namespace detail

/// The vector-Jacobian product: `vjp(outputs(f1, f2), cotangent(1.0, 0.5))(x = 2.0, y = 3.0)` returns `g` with `g[x]`
/// and `g[y]`, the derivatives of the weighted sum of the outputs, by one reverse sweep. `vjp(f, wrt(x),
/// cotangent(1.0))` selects variables. A single formula has one cotangent; over tensors it is a tensor of the formula's
/// shape.
///
/// For a function, `vjp(f, cotangent(1.0, 0.5))(2.0, 3.0)` returns the `gradient` of the weighted sum of the function's
/// results; `vjp(f, wrt<0>, cotangent(1.0, 0.5))` selects arguments by position.
template <class F, class... Options>
constexpr auto vjp(const F& f, const Options&... options) {
  static_assert(detail::takes_operand<detail::vjp_verb, F, Options...>,
                "tapeless: vjp takes outputs and a cotangent for each, vjp(outputs(f1, f2), cotangent(1.0, 0.5)), a "
                "formula and one cotangent, or a lambda or another function object and cotangents [TL053]");
  constexpr bool matching =
      !detail::takes_operand<detail::vjp_verb, F, Options...> || (detail::has_cotangents_for<F, Options> && ...);
  static_assert(matching, "tapeless: vjp needs one cotangent for each output [TL054]");
  if constexpr (matching)
    return detail::make_verb<detail::vjp_verb>(f, options...);
  else
    return detail::no_result{};
}

}  // namespace tapeless
