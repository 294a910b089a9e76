#pragma once

#include <tapeless/gradient/jacobian.hpp>

namespace tapeless {

namespace detail {

inline constexpr verb sparse_jacobian_verb{derives::sparse_jacobian}, sparse_hessian_verb{derives::sparse_hessian};

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
