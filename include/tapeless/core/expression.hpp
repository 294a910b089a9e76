#pragma once

#include <tapeless/core/always_inline.hpp>

#include <concepts>
#include <cstddef>
#include <limits>
#include <type_traits>

namespace tapeless {

/// Built-in arithmetic types and every type that specialises `std::numeric_limits` (Boost.Multiprecision numbers).
template <class T>
concept Numeric = !std::is_array_v<T> && !std::is_reference_v<T> && std::numeric_limits<T>::is_specialized;

namespace detail {

// Compilers evaluate it in fewer steps than std::gcd.
constexpr long long gcd(long long a, long long b) { return b == 0 ? (a < 0 ? -a : a) : gcd(b, a % b); }

/// SIMD lanes of numbers. A number may have a member type of that name too, as Boost's have.
template <class T>
concept Lanes = !Numeric<T> && requires { typename T::number; };

}  // namespace detail

/// Numbers that are not integers, including types of other libraries. Arithmetic and derivatives use these.
template <class T>
concept Real = Numeric<T> && !std::numeric_limits<T>::is_integer;

namespace detail {

/// `std::complex`, and what is like it, known without its header.
template <class T>
concept Complex_number = requires(const T& z) {
  requires Real<typename T::value_type> && sizeof(T) == 2 * sizeof(typename T::value_type);
  { z.real() } -> std::same_as<typename T::value_type>;
  { z.imag() } -> std::same_as<typename T::value_type>;
};

}  // namespace detail

/// Every formula type: `Variable`, `Constant`, `Number`, `Apply`, `StopGradient` and what derives from `named`.
template <class T>
concept Expression = requires { typename std::remove_cvref_t<T>::expression_type; };

/// A type that records operations: a formula or the argument of a traced function.
template <class T>
inline constexpr bool is_traced = false;
template <class T>
concept Symbolic = Expression<T> || is_traced<std::remove_cvref_t<T>>;

/// Everything that can be an operand.
template <class T>
concept Operand = Symbolic<T> || Numeric<std::remove_cvref_t<T>>;

namespace detail {

template <class...>
inline constexpr bool always_false = false;

template <class T, class... Ts>
inline constexpr bool is_one_of = (std::is_same_v<T, Ts> || ...);
/// The position of `T` among `Ts`, 0 if it is none of them.
template <class T, class... Ts>
constexpr std::size_t position_in() {
  std::size_t index = 0;
  return ((std::is_same_v<T, Ts> ? true : (++index, false)) || ...) ? index : 0;
}
/// Whether `T` is a type that the class template `C` makes of types.
template <template <class...> class C, class T>
inline constexpr bool is_instance_of = false;
template <template <class...> class C, class... Ts>
inline constexpr bool is_instance_of<C, C<Ts...>> = true;

}  // namespace detail

/// What is called with values for variables, `f(x = 1.0, y = 2.0)`: formulas, and what the verbs make of them. The call
/// checks the values, once for all of them; it is defined in formula_call.hpp. A template, because two empty bases of
/// one type may not share an address and would give formulas a size.
template <class Derived>
struct called_with_values {
  /// Before the values may stand an execution policy and `into(r)`.
  template <class... Args>
  TAPELESS_ALWAYS_INLINE constexpr auto operator()(const Args&... args) const;
};

/// The base of formulas.
template <class Derived>
struct expression : called_with_values<Derived> {
  using expression_type = Derived;

  constexpr operator double() const {
    static_assert(detail::always_false<Derived>,
                  "tapeless: a formula is not a number; give its variables values first: f(x = 1.0) [TL001]");
    return 0.0;
  }
  constexpr explicit operator bool() const {
    static_assert(detail::always_false<Derived>,
                  "tapeless: a condition on formulas has no value yet, so `if`, `?:` and std::max cannot use it; write "
                  "where(condition, a, b), max(a, b) or min(a, b) [TL002]");
    return false;
  }
};

}  // namespace tapeless
