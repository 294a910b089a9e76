#ifndef TAPELESS_CORE_EXPRESSION_HPP
#define TAPELESS_CORE_EXPRESSION_HPP

#include <tapeless/core/always_inline.hpp>

#include <concepts>
#include <limits>
#include <type_traits>

namespace tapeless {

/// Built-in arithmetic types and every type that specialises `std::numeric_limits` (Boost.Multiprecision numbers).
template <class T>
concept Numeric = !std::is_array_v<T> && !std::is_reference_v<T> && std::numeric_limits<T>::is_specialized;

template <class T>
concept Real = Numeric<T> && !std::integral<T>;

/// Every formula type: `Variable`, `Constant`, `Number`, `Apply`, `StopGradient` and what derives from `named`.
template <class T>
concept Expression = requires { typename std::remove_cvref_t<T>::expression_type; };

/// A type that records operations when it is computed with: a formula or the argument of a traced function.
template <class T>
inline constexpr bool is_traced = false;
template <class T>
concept Symbolic = Expression<T> || is_traced<std::remove_cvref_t<T>>;

/// What may stand where an operand stands.
template <class T>
concept Operand = Symbolic<T> || Numeric<std::remove_cvref_t<T>>;

namespace detail {
template <class...>
inline constexpr bool always_false = false;
}

/// The base of symbolic types: turns their accidental use as a number into one message. A template, because two
/// empty bases of one type may not share an address and would give formulas a size.
template <class Derived>
struct not_a_number {
  constexpr operator double() const {
    static_assert(detail::always_false<Derived> || is_traced<Derived>,
                  "tapeless: a formula is not a number; give its variables values first: f(x = 1.0)");
    static_assert(
        detail::always_false<Derived> || !is_traced<Derived>,
        "tapeless: in a traced function values are not numbers yet; take arguments by `auto`, and write exp(x), "
        "not std::exp(x)");
    return 0.0;
  }
  constexpr explicit operator bool() const {
    static_assert(detail::always_false<Derived>,
                  "tapeless: a condition on formulas has no value yet, so `if`, `?:` and std::max cannot use it; write "
                  "where(condition, a, b), max(a, b) or min(a, b)");
    return false;
  }
};

/// The base of formulas: a formula is called with values for its variables, `f(x = 1.0, y = 2.0)`.
template <class Derived>
struct expression : not_a_number<Derived> {
  using expression_type = Derived;

  template <class... Bindings>
  TAPELESS_ALWAYS_INLINE constexpr auto operator()(const Bindings&... bindings) const {
    return evaluate(static_cast<const Derived&>(*this), bindings...);
  }
};

}  // namespace tapeless

#endif
