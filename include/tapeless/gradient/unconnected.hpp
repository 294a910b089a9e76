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

/// Whether the variable `X` occurs in the formula `F` at all, stopped or not: whether `F` needs a value for it.
template <class F, class X>
inline constexpr bool contains =
    detail::variable_index(detail::lowered<std::remove_cvref_t<F>>::value, std::remove_cvref_t<X>::name) >= 0;

/// Whether the derivative of `F` with respect to `X` can be nonzero: whether some path from `X` passes neither a stop
/// nor a condition.
template <class F, class X>
inline constexpr bool depends_on = detail::has_open_path<detail::lowered<std::remove_cvref_t<F>>>(
    detail::indices_in_t<detail::lowered<std::remove_cvref_t<F>>, wrt_variables<std::remove_cvref_t<X>>>{});

/// Whether `X` occurs in `F`, and every path from it goes through a stop or a condition.
template <class F, class X>
inline constexpr bool is_stopped = contains<F, X> && !depends_on<F, X>;

namespace detail {

template <class Option>
inline constexpr bool is_policy =
    std::is_same_v<Option, unconnected::structural_policy> || std::is_same_v<Option, unconnected::materialise_policy> ||
    std::is_same_v<Option, unconnected::strict_policy>;

}  // namespace detail

}  // namespace tapeless
