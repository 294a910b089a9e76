#pragma once
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/gradient/formula/lowered_formula.hpp>

#include <type_traits>

namespace tapeless {

namespace detail {

template <class F, class X>
constexpr bool occurs() {
  using source = lowered<std::remove_cvref_t<F>>;
  const int index = variable_index(source::value, std::remove_cvref_t<X>::name);
  return index >= 0;
}

template <class F, class X>
constexpr bool has_open_path() {
  using source = lowered<std::remove_cvref_t<F>>;
  const int index = variable_index(source::value, std::remove_cvref_t<X>::name);
  const int variables[] = {index};
  return program::active_nodes(source::view(), variables, source::value.outputs)[source::value.outputs[0]] != 0;
}

}  // namespace detail

/// Whether the variable `X` occurs in the formula `F` at all, stopped or not: whether `F` needs a value for it.
template <class F, class X>
inline constexpr bool contains = detail::occurs<F, X>();

/// Whether the derivative of `F` with respect to `X` can be nonzero: whether some path from `X` passes neither a stop
/// nor a condition.
template <class F, class X>
inline constexpr bool depends_on = detail::has_open_path<F, X>();

/// Whether `X` occurs in `F`, and every path from it goes through a stop or a condition.
template <class F, class X>
inline constexpr bool is_stopped = contains<F, X> && !depends_on<F, X>;

}  // namespace tapeless
