#pragma once

#include <tapeless/core/apply.hpp>
#include <tapeless/core/constant.hpp>
#include <tapeless/core/expression.hpp>
#include <tapeless/core/fixed_string.hpp>
#include <tapeless/core/map_structure.hpp>
#include <tapeless/core/number.hpp>

#include <cstddef>
#include <type_traits>

namespace tapeless {

/// The value of `E`, and the derivative type `Zero` for every variable and every order: the backward code behind it is
/// never instantiated. `operand` returns the stopped formula. The name is for printing only.
template <class E, TAPELESS_NAME Name = TAPELESS_AS_NAME(fixed_string(""))>
struct [[nodiscard]] StopGradient : expression<StopGradient<E, Name>> {
  using operand_type = E;
  static constexpr std::string_view name = TAPELESS_NAME_TEXT(Name);

  [[no_unique_address]] E operand;

  constexpr StopGradient() = default;
  template <Operand T>
    requires std::is_same_v<as_expression_t<T>, E>
  constexpr explicit StopGradient(const T& of) : operand(of) {}
};
template <Operand T>
StopGradient(const T&) -> StopGradient<as_expression_t<T>>;

template <class E>
inline constexpr bool is_stop = false;
template <class E, TAPELESS_NAME Name>
inline constexpr bool is_stop<StopGradient<E, Name>> = true;

namespace detail {

template <class E, TAPELESS_NAME Name>
inline constexpr std::size_t written_size<StopGradient<E, Name>> = 1 + written_size<E>;

template <class T>
inline constexpr bool is_stoppable = Expression<T> || Numeric<T> || Structure<T>;

}  // namespace detail

/// Stops the gradient: the value of `e`, bit for bit and computed at each evaluation, with the derivative `Zero`.
///
/// A formula becomes `StopGradient<E>`. A stop, a constant and a plain number (of any type, including `int` and `bool`)
/// are returned unchanged, since their derivative is zero already. Tuples, arrays and adapted structs are mapped member
/// by member; members that are not numbers pass unchanged. There is no run-time cost. The optional name only appears in
/// printed formulas. The operation corresponds to `tf.stop_gradient` in TensorFlow and `jax.lax.stop_gradient` in JAX.
template <fixed_string Name = fixed_string(""), class T>
  requires detail::is_stoppable<T>
constexpr auto stop_gradient(const T& e) {
  if constexpr (is_constant<T> || is_stop<T> || Numeric<T>)
    return e;
  else if constexpr (Expression<T>)
    return StopGradient<T, TAPELESS_AS_NAME(Name)>(e);
  else
    return detail::map_symbols([](const auto& member) { return stop_gradient<Name>(member); }, e);
}
// Compilers quote the line that says what to do.
template <fixed_string Name = fixed_string(""), class T>
  requires(!detail::is_stoppable<T> && !is_traced<T>)
T stop_gradient(const T&) = delete;  // tapeless: not a number or formula; adapt a struct that is no aggregate [TL004]

}  // namespace tapeless
