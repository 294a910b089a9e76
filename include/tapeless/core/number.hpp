#pragma once

#include <tapeless/core/expression.hpp>

#include <type_traits>

namespace tapeless {

/// A run-time number stored in a formula: the `2.5` of `2.5 * x`. It is converted to the type in which the formula is
/// evaluated, so `(2.5 * x)(x = 1.0f)` is a float.
template <Numeric T>
struct Number : expression<Number<T>> {
  T value;

  constexpr explicit Number(T number) : value(number) {}
};

/// The expression that stands for an operand: numbers become leaves, expressions stay themselves.
template <class T>
struct as_expression {
  using type = Number<T>;
};
template <Expression E>
struct as_expression<E> {
  using type = E;
};
template <class T>
using as_expression_t = typename as_expression<std::remove_cvref_t<T>>::type;

namespace detail {

template <class E>
inline constexpr bool is_number = false;
template <class T>
inline constexpr bool is_number<Number<T>> = true;

/// The number type a computation runs in: the common type of the real arguments; `double` if all are integers.
template <class... Ts>
struct common_real {
  using type = double;
};
template <class T, class... Ts>
  requires(!Real<T>)
struct common_real<T, Ts...> : common_real<Ts...> {};
template <Real T>
struct common_real<T> {
  using type = T;
};
template <Real T, class U, class... Ts>
  requires(!Real<U>)
struct common_real<T, U, Ts...> : common_real<T, Ts...> {};
template <Real T, Real U, class... Ts>
struct common_real<T, U, Ts...> : common_real<std::common_type_t<T, U>, Ts...> {};

/// What is computed of entries of type `T`.
template <class T>
using real_entry_t = std::conditional_t<Symbolic<T> || Real<T>, T, double>;

}  // namespace detail

}  // namespace tapeless
