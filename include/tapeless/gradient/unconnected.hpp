#ifndef TAPELESS_GRADIENT_UNCONNECTED_HPP
#define TAPELESS_GRADIENT_UNCONNECTED_HPP

#include <tapeless/gradient/dependence.hpp>
#include <tapeless/gradient/wrt.hpp>

/// What a gradient gives for a variable that no open path leads to the formula: one that is absent, or stopped.
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
struct unconnected_variable_is_absent {
  static_assert(detail::always_false<V>, "tapeless: the formula does not contain this variable (unconnected::strict)");
};
template <class V>
struct unconnected_variable_is_stopped {
  static_assert(detail::always_false<V>,
                "tapeless: every path from this variable goes through stop_gradient (unconnected::strict)");
};

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

template <class F, class V>
constexpr bool check_connected() {
  if constexpr (!contains<F, V>)
    static_cast<void>(error::unconnected_variable_is_absent<V>{});
  else if constexpr (!depends_on<F, V>)
    static_cast<void>(error::unconnected_variable_is_stopped<V>{});
  return depends_on<F, V>;
}

}  // namespace detail

}  // namespace tapeless

#endif
