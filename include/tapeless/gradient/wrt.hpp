#pragma once

#include <tapeless/core/variable.hpp>
#include <tapeless/core/variable_list.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

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

/// What an option says to differentiate by, `void` if nothing. `wrt<0, 2>` is the name of a function.
template <class Option>
struct wrt_of : std::type_identity<void> {};
template <class... Vs>
struct wrt_of<wrt_variables<Vs...>> : std::type_identity<wrt_variables<Vs...>> {};
template <std::size_t... I>
struct wrt_of<wrt_positions<I...>()> : std::type_identity<std::index_sequence<I...>> {};
template <std::size_t... I>
struct wrt_of<wrt_positions<I...> (*)()> : wrt_of<wrt_positions<I...>()> {};
template <class Option>
inline constexpr bool is_positions = !std::is_void_v<typename wrt_of<Option>::type> && !std::is_class_v<Option>;

template <class... Ts>
inline constexpr bool are_distinct = true;
template <class T, class... Ts>
inline constexpr bool are_distinct<T, Ts...> = !(std::is_same_v<T, Ts> || ...) && are_distinct<Ts...>;

template <class... Vs>
constexpr auto wrt_distinct(variable_list<Vs...>) {
  constexpr bool distinct = are_distinct<Vs...>;
  static_assert(distinct, "tapeless: wrt names a variable twice [TL057]");
  if constexpr (distinct)
    return wrt_variables<Vs...>{};
  else
    return wrt_variables<>{};
}

template <class Positions>
inline constexpr bool are_distinct_positions = true;
template <std::size_t... I>
inline constexpr bool are_distinct_positions<std::index_sequence<I...>> =
    are_distinct<std::integral_constant<std::size_t, I>...>;

template <class V>
inline constexpr bool is_for_wrt = is_variable<V> || is_instance_of<variable_list, V>;

// Lists and variables become one list.
template <class... Us>
constexpr variable_list<Us...> joined(variable_list<Us...> list) {
  return list;
}
template <class... Us, class V, class... Rest>
constexpr auto joined(variable_list<Us...>, const V&, const Rest&... rest) {
  return joined(variable_list<Us..., V>{}, rest...);
}
template <class... Us, class... Vs, class... Rest>
constexpr auto joined(variable_list<Us...>, const variable_list<Vs...>&, const Rest&... rest) {
  return joined(variable_list<Us..., Vs...>{}, rest...);
}

}  // namespace detail

/// `wrt(x, y)`: differentiate with respect to these variables of a formula, in this order. A list, `variables(x, y)`,
/// stands for each of its variables.
template <class V, class... Vs>
constexpr auto wrt(const V& first, const Vs&... rest) {
  constexpr bool known = detail::is_for_wrt<V> && (detail::is_for_wrt<Vs> && ...);
  static_assert(known,
                "tapeless: wrt takes variables, such as `inline constexpr auto x = tapeless::variable<\"x\">;`, of a "
                "function wrt<0> [TL058]");
  if constexpr (known)
    return detail::wrt_distinct(detail::joined(variable_list<>{}, first, rest...));
  else
    return wrt_variables<>{};
}

/// `wrt<0, 2>`, without a call: differentiate with respect to these arguments of a function, by position. The others
/// are constants.
template <std::size_t... I>
constexpr wrt_positions<I...> wrt() {
  return {};
}

/// `wrt<x>` is neither: a verb's message then says to write `wrt(x)`.
template <auto V, auto... Vs>
  requires(is_variable<std::remove_cv_t<decltype(V)>>)
constexpr wrt_variables<> wrt() {
  return {};
}

}  // namespace tapeless
