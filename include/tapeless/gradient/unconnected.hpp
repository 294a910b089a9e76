#pragma once
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/gradient/dependence.hpp>
#include <tapeless/gradient/wrt.hpp>

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

namespace error {

template <class V>
struct unconnected_variable_is_absent;
template <class V>
struct unconnected_variable_is_stopped;

}  // namespace error

namespace detail {

template <class Option>
inline constexpr bool is_policy = false;
template <>
inline constexpr bool is_policy<unconnected::structural_policy> = true;
template <>
inline constexpr bool is_policy<unconnected::materialise_policy> = true;
template <>
inline constexpr bool is_policy<unconnected::strict_policy> = true;

/// What is wrong with a gradient by variable `V` under the policy `strict`; `void` if nothing.
template <class F, class V>
constexpr auto connection_problem() {
  if constexpr (!contains<F, V>)
    return std::type_identity<error::unconnected_variable_is_absent<V>>{};
  else if constexpr (!depends_on<F, V>)
    return std::type_identity<error::unconnected_variable_is_stopped<V>>{};
  else
    return std::type_identity<void>{};
}

}  // namespace detail

}  // namespace tapeless
