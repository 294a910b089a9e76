#pragma once

#include <tapeless/gradient/direction.hpp>
#include <tapeless/gradient/make_verb.hpp>
#include <tapeless/gradient/outputs.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

/// The verbs. Each says what it takes where it is called with something else.
namespace tapeless {

namespace detail {

inline constexpr verb gradient_verb{derives::gradient}, value_and_gradient_verb{derives::gradient, true},
    jacobian_verb{derives::jacobian}, value_and_jacobian_verb{derives::jacobian, true}, hessian_verb{derives::hessian},
    value_and_hessian_verb{derives::hessian, true}, jvp_verb{derives::tangent},
    value_and_jvp_verb{derives::tangent, true}, vjp_verb{derives::pullback}, hvp_verb{derives::hessian_product},
    sparse_jacobian_verb{derives::sparse_jacobian}, sparse_hessian_verb{derives::sparse_hessian};

/// A single formula counts as one output.
template <class F>
constexpr auto rows_of(const F& f) {
  if constexpr (Expression<F>)
    return outputs(f);
  else
    return f;
}

/// Whether there are as many cotangents as outputs.
template <class F, class Option>
inline constexpr bool has_cotangents_for = true;
template <class F, class... Ts>
  requires has_names<F>
inline constexpr bool has_cotangents_for<F, cotangents<Ts...>> = [] {
  constexpr std::size_t outputs = lowered<F>::value.outputs.size();
  return sizeof...(Ts) == outputs || (!argument_tangents<Ts...>::over_tensors && cotangents<Ts...>::size == outputs);
}();

/// The pattern of a sparse matrix, where it could be made.
template <class Entries>
constexpr auto pattern_of() {
  constexpr bool made = program::problem_of<typename Entries::all> == program::fault::none;
  static_assert(made,
                "tapeless: the program is too large for TAPELESS_MAX_NODES (default 16384) or for the compiler's limit "
                "(clang -fconstexpr-steps, g++ -fconstexpr-ops-limit) [TL231]");
  if constexpr (made)
    return Entries::pattern;
  else
    return no_result{};
}

}  // namespace detail

/// The value as a verb: `value(f)(x = 1.0)` is `f(x = 1.0)`, and `value(outputs(f, g))(x = 1.0)` is an array of both.
/// For a function, `value(f)(1.0, 2.0)` is the result of the function, computed by straight-line code: a number, an
/// array of the numbers in the result, or over tensors the same structure of tensors.
template <class F, class... Options>
constexpr auto value(const F& f, const Options&... options) {
  static_assert(detail::takes_operand<detail::value_verb, F, Options...>,
                "tapeless: value takes a formula, outputs(...), or a lambda or another function object [TL055]");
  return detail::make_verb<detail::value_verb>(f, options...);
}

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

/// The Jacobian without its structural zeros, the entries that are zero for all values. They are neither computed nor
/// stored: `sparse_jacobian(outputs(f1, f2), wrt(x, y))(x = 1.0, y = 2.0)` returns `j` with `j(i, x)`, the numbers
/// `j.values`, and the pattern in compressed rows, `j.row_begin` and `j.columns`, as constants of its type. For a
/// function the columns are numbers: `j(i, k)`.
template <class F, class... Options>
constexpr auto sparse_jacobian(const F& f, const Options&... options) {
  static_assert(detail::takes_operand<detail::sparse_jacobian_verb, F, Options...>,
                "tapeless: sparse_jacobian takes formulas and variables, sparse_jacobian(outputs(f1, f2), wrt(x, y)), "
                "or a lambda or another function object and positions, wrt<0> [TL048]");
  return detail::make_verb<detail::sparse_jacobian_verb>(detail::rows_of(f), options...);
}

/// The upper triangle of the Hessian without its structural zeros: `h(x, y)` in either order, `h.values`,
/// `h.row_begin`, `h.columns`. Rows and columns are in the order of `wrt`, or of the numbers in the function's
/// arguments.
template <class F, class... Options>
constexpr auto sparse_hessian(const F& f, const Options&... options) {
  static_assert(detail::takes_operand<detail::sparse_hessian_verb, F, Options...>,
                "tapeless: sparse_hessian takes a formula and variables, sparse_hessian(f, wrt(x, y)), or a lambda or "
                "another function object and positions, wrt<0>; for outputs(...) use sparse_jacobian [TL049]");
  return detail::make_verb<detail::sparse_hessian_verb>(f, options...);
}

/// The sparsity pattern without values: `sparsity(jacobian(outputs(f1, f2)))`, `sparsity(hessian(f))`; for a function
/// with arguments of the given types `sparsity<double, double>(jacobian(f))`.
template <detail::verb V, class F, class Variables, class Policy, class Seeds>
  requires(V.is_matrix())
constexpr auto sparsity(const formula_verb<V, F, Variables, Policy, Seeds>&) {
  using source = detail::lowered<F>;
  using variables = detail::indices_in_t<source, Variables>;
  return detail::pattern_of<detail::sparse_derivative_t<source, variables, V.scalar_valued()>>();
}
template <class Argument, class... Arguments, detail::verb V, class F, std::size_t... I, class Policy, class Seeds>
  requires(V.is_matrix())
constexpr auto sparsity(const function_verb<V, F, std::index_sequence<I...>, Policy, Seeds>&) {
  using layout = detail::argument_layout<std::remove_cvref_t<Argument>, std::remove_cvref_t<Arguments>...>;
  using source = detail::traced_program<F, Argument, Arguments...>;
  return []<std::size_t... P>(std::index_sequence<P...>) {
    using variables = typename layout::template variables<P...>;
    return detail::pattern_of<detail::sparse_derivative_t<source, variables, V.scalar_valued()>>();
  }(detail::positions_of<std::index_sequence<I...>, Argument, Arguments...>{});
}

}  // namespace tapeless
