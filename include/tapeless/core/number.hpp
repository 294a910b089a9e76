#ifndef TAPELESS_CORE_NUMBER_HPP
#define TAPELESS_CORE_NUMBER_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/core/expression.hpp>

#include <concepts>
#include <type_traits>

namespace tapeless {

/// A run-time number that a formula carries: the `2.5` of `2.5 * x`. It is converted to the type the formula is
/// evaluated in, so `(2.5 * x)(x = 1.0f)` is a float.
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

}  // namespace tapeless

#endif
