#ifndef TAPELESS_CORE_STOP_GRADIENT_HPP
#define TAPELESS_CORE_STOP_GRADIENT_HPP

#include <tapeless/core/apply.hpp>
#include <tapeless/core/constant.hpp>
#include <tapeless/core/expression.hpp>
#include <tapeless/core/fixed_string.hpp>
#include <tapeless/core/number.hpp>

#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tapeless {

/// The value of `E`, and a derivative that is the type `Zero` for every variable and every order: the backward code
/// behind it is never instantiated. `operand` reads the stopped formula back. The name is for printing only.
template <class E, fixed_string Name = "">
struct StopGradient : expression<StopGradient<E, Name>> {
  using operand_type = E;
  static constexpr std::string_view name = Name.view();

  [[no_unique_address]] E operand;

  constexpr StopGradient() = default;
  template <Operand T>
    requires std::is_same_v<as_expression_t<T>, E>
  constexpr explicit StopGradient(const T& stopped) : operand(stopped) {}
};
template <Operand T>
StopGradient(const T&) -> StopGradient<as_expression_t<T>>;

template <class E>
inline constexpr bool is_stop = false;
template <class E, fixed_string Name>
inline constexpr bool is_stop<StopGradient<E, Name>> = true;

namespace detail {

template <class E, fixed_string Name>
inline constexpr std::size_t written_size<StopGradient<E, Name>> = 1 + written_size<E>;

template <class T>
inline constexpr bool is_tuple = false;
template <class... Ts>
inline constexpr bool is_tuple<std::tuple<Ts...>> = true;
template <class T>
inline constexpr bool is_array = false;
template <class T, std::size_t N>
inline constexpr bool is_array<std::array<T, N>> = true;

template <class T>
concept Structure = is_tuple<T> || is_array<T>;

}  // namespace detail

/// Stops the gradient: the value of `e`, bit for bit and computed anew at each evaluation, whose derivative is `Zero`.
///
/// A formula becomes `StopGradient<E>`; a stop, a constant and a plain number (of any type, `int` and `bool`
/// included) are returned as they are, since their derivative is zero already; tuples and arrays are mapped element
/// by element. No run-time cost. The optional name only shows in printed formulas.
/// The operation is `tf.stop_gradient` of TensorFlow and `jax.lax.stop_gradient` of JAX.
template <fixed_string Name = "", Expression E>
constexpr auto stop_gradient(const E& e) {
  if constexpr (is_constant<E> || is_stop<E>)
    return e;
  else
    return StopGradient<E, Name>(e);
}
template <fixed_string Name = "", Numeric T>
constexpr T stop_gradient(const T& number) {
  return number;
}
template <fixed_string Name = "", detail::Structure T>
constexpr auto stop_gradient(const T& structure) {
  return std::apply(
      [](const auto&... elements) {
        if constexpr (detail::is_array<T>)
          return std::array{stop_gradient<Name>(elements)...};
        else
          return std::tuple{stop_gradient<Name>(elements)...};
      },
      structure);
}

}  // namespace tapeless

#endif
