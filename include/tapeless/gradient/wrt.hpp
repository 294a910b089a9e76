#ifndef TAPELESS_GRADIENT_WRT_HPP
#define TAPELESS_GRADIENT_WRT_HPP

#include <tapeless/core/variable.hpp>

#include <cstddef>
#include <type_traits>

namespace tapeless {

/// The variables that a derivative is taken with respect to.
template <class... Vs>
struct wrt_variables {
  static constexpr std::size_t size = sizeof...(Vs);
};

/// The arguments of a function, by position, that a derivative is taken with respect to.
template <std::size_t... I>
struct wrt_positions {};

namespace detail {

template <class... Ts>
inline constexpr bool are_distinct = true;
template <class T, class... Ts>
inline constexpr bool are_distinct<T, Ts...> = !(std::is_same_v<T, Ts> || ...) && are_distinct<Ts...>;

}  // namespace detail

/// `wrt(x, y)`: with respect to variables of a formula, in this order.
template <class V, class... Vs>
constexpr auto wrt(const V&, const Vs&...) {
  constexpr bool variables = is_variable<V> && (is_variable<Vs> && ...);
  static_assert(variables,
                "tapeless: wrt takes variables, such as `inline constexpr auto x = tapeless::variable<\"x\">;`");
  constexpr bool distinct = detail::are_distinct<V, Vs...>;
  static_assert(distinct, "tapeless: wrt names a variable twice");
  if constexpr (variables && distinct)
    return wrt_variables<V, Vs...>{};
  else
    return wrt_variables<>{};
}

/// `wrt<0, 2>`, without a call: with respect to arguments of a function, by position; the others count as constants.
template <std::size_t... I>
constexpr wrt_positions<I...> wrt() {
  return {};
}

/// The positions that the argument `wrt<0, 2>` of a verb, a function, names.
template <class Wrt>
struct positions {
  static_assert(
      detail::always_false<Wrt>,
      "tapeless: for a function, name arguments by position, wrt<0, 2> without a call; wrt(x, y) is for formulas");
};
template <std::size_t... I>
struct positions<wrt_positions<I...> (*)()> {
  using type = wrt_positions<I...>;
};
template <class Wrt>
using positions_t = typename positions<Wrt>::type;

}  // namespace tapeless

#endif
