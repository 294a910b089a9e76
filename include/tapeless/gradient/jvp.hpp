#pragma once

#include <tapeless/gradient/direction.hpp>
#include <tapeless/gradient/make_verb.hpp>

namespace tapeless {

namespace detail {

inline constexpr verb jvp_verb{derives::tangent}, value_and_jvp_verb{derives::tangent, true},
    hvp_verb{derives::hessian_product};

}  // namespace detail

/// The Jacobian-vector product: `jvp(f, tangent(x = 1.0, y = 0.5))(x = 2.0, y = 3.0)` is the derivative of `f` in that
/// direction, by one forward sweep. For `outputs(...)` it is a `std::array`. For a function, `jvp(f, tangent(1.0,
/// 0.5))(2.0, 3.0)` has the shape of the function's value; with `wrt<0>`, there are tangents for that argument only.
template <class F, class... Options>
constexpr auto jvp(const F& f, const Options&... options) {
  static_assert(
      detail::takes_operand<detail::jvp_verb, F, Options...>,
      "tapeless: jvp takes a formula or outputs(...) and named tangents, jvp(f, tangent(x = 1.0)), or a lambda "
      "or another function object and tangents by position, jvp([](auto a) { return a * a; }, tangent(1.0)) [TL050]");
  return detail::make_verb<detail::jvp_verb>(f, options...);
}

/// The value and the Jacobian-vector product, by one forward sweep: `.value` and `.tangent`.
template <class F, class... Options>
constexpr auto value_and_jvp(const F& f, const Options&... options) {
  static_assert(
      detail::takes_operand<detail::value_and_jvp_verb, F, Options...>,
      "tapeless: value_and_jvp takes a formula or outputs(...) and named tangents, value_and_jvp(f, tangent(x "
      "= 1.0)), or a lambda or another function object and tangents by position [TL051]");
  return detail::make_verb<detail::value_and_jvp_verb>(f, options...);
}

/// The Hessian-vector product: `hvp(f, tangent(x = 1.0))(x = 2.0, y = 3.0)` returns `h` with `h[x]` and `h[y]`, the
/// derivative of the gradient in that direction. Cost: one forward sweep over the gradient; the Hessian is not formed.
/// For a function, `hvp(f, tangent(1.0, 0.5))(2.0, 3.0)` has the shapes of `gradient(f)`; with `wrt<0>`, the gradient
/// and the tangents are those of that argument only.
template <class F, class... Options>
constexpr auto hvp(const F& f, const Options&... options) {
  static_assert(detail::takes_operand<detail::hvp_verb, F, Options...>,
                "tapeless: hvp takes a formula and named tangents, hvp(f, tangent(x = 1.0)), or a lambda or another "
                "function object and tangents by position, hvp([](auto a) { return a * a; }, tangent(1.0)); for "
                "outputs(...) use jacobian [TL052]");
  return detail::make_verb<detail::hvp_verb>(f, options...);
}

}  // namespace tapeless
