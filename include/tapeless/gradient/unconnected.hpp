#pragma once

#include <tapeless/gradient/formula/lowered_formula.hpp>
#include <tapeless/gradient/problem.hpp>
#include <tapeless/gradient/wrt.hpp>

#include <type_traits>

/// What a gradient returns for an unconnected variable: one that is absent from the formula, or whose paths are all
/// stopped.
namespace tapeless::unconnected {

/// The type `Zero`, which reads as 0.0: the default.
struct structural_policy {};
/// A zero of the number type.
struct materialise_policy {};
/// A compile error that names the variable.
struct strict_policy {};

inline constexpr structural_policy structural{};
inline constexpr materialise_policy materialise{};
inline constexpr strict_policy strict{};

}  // namespace tapeless::unconnected

namespace tapeless {

namespace detail {

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
inline constexpr bool contains =
    detail::variable_index(detail::lowered<std::remove_cvref_t<F>>::value, std::remove_cvref_t<X>::name) >= 0;

/// Whether the derivative of `F` with respect to `X` can be nonzero: whether some path from `X` passes neither a stop
/// nor a condition.
template <class F, class X>
inline constexpr bool depends_on = detail::has_open_path<F, X>();

/// Whether `X` occurs in `F`, and every path from it goes through a stop or a condition.
template <class F, class X>
inline constexpr bool is_stopped = contains<F, X> && !depends_on<F, X>;

namespace detail {

template <class Option>
inline constexpr bool is_policy =
    std::is_same_v<Option, unconnected::structural_policy> || std::is_same_v<Option, unconnected::materialise_policy> ||
    std::is_same_v<Option, unconnected::strict_policy>;

/// What is wrong with a gradient by variable `V` under the policy `strict`; `void` if nothing.
template <class F, class V>
constexpr auto connection_problem() {
  if constexpr (!contains<F, V>)
    return wrong<mistake::unconnected_variable_is_absent, V>{};
  else if constexpr (!depends_on<F, V>)
    return wrong<mistake::unconnected_variable_is_stopped, V>{};
  else
    return std::type_identity<void>{};
}

}  // namespace detail

}  // namespace tapeless
