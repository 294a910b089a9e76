#pragma once

#include <tapeless/core/always_inline.hpp>
#include <tapeless/core/expression.hpp>
#include <tapeless/core/fixed_string.hpp>
#include <tapeless/core/no_result.hpp>
#include <tapeless/core/tensor_binding.hpp>

#include <string_view>
#include <type_traits>

namespace tapeless {

// `Variable<Name>` for any name: what specialisations match.
#ifdef TAPELESS_EDG
template <class Name>
struct variable_of;
template <fixed_string Name>
using Variable = variable_of<TAPELESS_AS_NAME(Name)>;
#define TAPELESS_VARIABLE variable_of
#else
template <fixed_string Name>
struct Variable;
template <fixed_string Name>
using variable_of = Variable<Name>;
#define TAPELESS_VARIABLE Variable
#endif

/// A value for a variable: what `x = 1.0` gives.
template <class V, class T>
struct [[nodiscard]] binding {
  using variable_type = V;
  using value_type = T;
  T value;
};

/// A variable is its name: an empty type; `x = 1.0` binds a value to it.
template <TAPELESS_NAME Name>
struct TAPELESS_VARIABLE : expression<variable_of<Name>> {
  static constexpr std::string_view name = TAPELESS_NAME_TEXT(Name);

  template <class Value>
  TAPELESS_ALWAYS_INLINE constexpr auto operator=(Value&& value) const {
    using T = std::remove_cvref_t<Value>;
    if constexpr (is_tensor<T>) {
      static_assert(std::is_lvalue_reference_v<Value> || is_tensor_view<T>,
                    "tapeless: a variable cannot be bound to a temporary tensor; give the temporary a name [TL030]");
      if constexpr (std::is_lvalue_reference_v<Value>)
        return binding<TAPELESS_VARIABLE, tensor_reference<T>>{{__builtin_addressof(value)}};
      else
        return binding<TAPELESS_VARIABLE, tensor_view_value<T>>{{static_cast<Value&&>(value)}};
    } else if constexpr (Operand<T>) {
      return binding<TAPELESS_VARIABLE, T>{value};
    } else if constexpr (requires { value.bound_to(TAPELESS_VARIABLE{}); }) {
      // What says more about a value than its type: mpi::shard(rows).
      return value.bound_to(TAPELESS_VARIABLE{});
    } else {
      static_assert(detail::always_false<T>,
                    "tapeless: bind a variable to a number, f(x = 1.0), or with <tapeless/xtensor.hpp> to a tensor or "
                    "a view; bind an xarray as x = rank<2>(array) [TL029]");
      return detail::no_result{};
    }
  }
};

/// `inline constexpr auto x = tapeless::variable<"x">;`
template <fixed_string Name>
inline constexpr Variable<Name> variable{};
#undef TAPELESS_VARIABLE

template <class E>
inline constexpr bool is_variable = false;
template <TAPELESS_NAME Name>
inline constexpr bool is_variable<variable_of<Name>> = true;

template <class T>
inline constexpr bool is_binding = false;
template <class V, class T>
inline constexpr bool is_binding<binding<V, T>> = true;

}  // namespace tapeless
