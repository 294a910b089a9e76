#ifndef TAPELESS_CORE_VARIABLE_HPP
#define TAPELESS_CORE_VARIABLE_HPP

#include <tapeless/core/expression.hpp>
#include <tapeless/core/fixed_string.hpp>

#include <string_view>
#include <type_traits>

namespace tapeless {

template <fixed_string Name>
struct Variable;

/// A value for a variable: what `x = 1.0` gives.
template <class V, class T>
struct binding {
  using variable_type = V;
  using value_type = T;
  T value;
};

/// A variable is its name: an empty type; `x = 1.0` binds a value to it.
template <fixed_string Name>
struct Variable : expression<Variable<Name>> {
  static constexpr std::string_view name = Name.view();

  template <class T>
  constexpr auto operator=(const T& value) const {
    static_assert(Operand<T>, "tapeless: a variable is bound to a number: f(x = 1.0)");
    return binding<Variable, T>{value};
  }
};

/// `inline constexpr auto x = tapeless::variable<"x">;`
template <fixed_string Name>
inline constexpr Variable<Name> variable{};

template <class E>
inline constexpr bool is_variable = false;
template <fixed_string Name>
inline constexpr bool is_variable<Variable<Name>> = true;

template <class T>
inline constexpr bool is_binding = false;
template <class V, class T>
inline constexpr bool is_binding<binding<V, T>> = true;

}  // namespace tapeless

#endif
