#pragma once

#include <tapeless/core/expression.hpp>
#include <tapeless/core/tensor_binding.hpp>

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

/// Support for plain structs: their members are counted by what initialises them, and read by structured bindings.
namespace tapeless::detail {

inline constexpr std::size_t max_members = 32;

/// What initialises any member, but is no copy of the struct.
template <class S>
struct any_member {
  template <class T>
    requires(!std::is_same_v<std::remove_cvref_t<T>, S>)
  operator T() const;
};
template <class S>
struct any_base {
  template <class T>
    requires(!std::is_same_v<T, S> && std::is_base_of_v<T, S>)
  operator T() const;
};
struct any_number {
  template <class T>
    requires std::is_arithmetic_v<T>
  operator T() const;
};
template <class S, std::size_t>
using any_at = any_member<S>;

template <class S, std::size_t... I>
constexpr bool has_as_many(std::index_sequence<I...>) {
  return requires { S{any_at<S, I>{}...}; };
}
/// Whether member number `sizeof...(I)` is a C array of numbers, whose elements count as members: alone in braces a
/// number initialises all of it, and those after it are too many.
template <class S, std::size_t... I, std::size_t... J>
constexpr bool is_c_array(std::index_sequence<I...>, std::index_sequence<J...>) {
  return requires { S{any_at<S, I>{}..., any_number{}, any_at<S, J>{}...}; } &&
         !requires { S{any_at<S, I>{}..., {any_number{}}, any_at<S, J>{}...}; };
}

template <class S, std::size_t Count = 0>
constexpr std::size_t count_members() {
  if constexpr (Count <= max_members && has_as_many<S>(std::make_index_sequence<Count + 1>{}))
    return count_members<S, Count + 1>();
  else
    return Count;
}
/// The number of members of an aggregate; 0 if it has bases, C arrays or more than 32.
template <class S>
constexpr std::size_t members_without_arrays() {
  constexpr std::size_t count = count_members<S>();
  constexpr bool arrays = []<std::size_t... I>(std::index_sequence<I...>) {
    return (is_c_array<S>(std::make_index_sequence<I>{}, std::make_index_sequence<count - 1 - I>{}) || ... || false);
  }(std::make_index_sequence<count>{});
  return arrays || count > max_members ? 0 : count;
}

/// An aggregate that can be read member by member: it has no base classes, and cannot be taken apart in another way.
template <class T>
concept Candidate =
    std::is_class_v<T> && std::is_aggregate_v<T> && !std::is_empty_v<T> && !Symbolic<T> && !Numeric<T> &&
    !is_tensor<T> && !requires { std::tuple_size<T>::value; } && !requires { T{any_base<T>{}}; };

/// References to the members of an aggregate; nothing where they do not bind, to bit-fields and with some compilers to
/// members of packed structs. References to const would bind to copies.
template <std::size_t Count, class S>
constexpr auto members_as_tuple(S& aggregate) {
#define TAPELESS_MEMBERS(COUNT, ...)                                                                                   \
  if constexpr (Count == COUNT) {                                                                                      \
    auto& [__VA_ARGS__] = aggregate;                                                                                   \
    if constexpr (requires { std::tie(__VA_ARGS__); }) return std::tie(__VA_ARGS__);                                   \
  }
  TAPELESS_MEMBERS(1, a)
  TAPELESS_MEMBERS(2, a, b)
  TAPELESS_MEMBERS(3, a, b, c)
  TAPELESS_MEMBERS(4, a, b, c, d)
  TAPELESS_MEMBERS(5, a, b, c, d, e)
  TAPELESS_MEMBERS(6, a, b, c, d, e, f)
  TAPELESS_MEMBERS(7, a, b, c, d, e, f, g)
  TAPELESS_MEMBERS(8, a, b, c, d, e, f, g, h)
  TAPELESS_MEMBERS(9, a, b, c, d, e, f, g, h, i)
  TAPELESS_MEMBERS(10, a, b, c, d, e, f, g, h, i, j)
  TAPELESS_MEMBERS(11, a, b, c, d, e, f, g, h, i, j, k)
  TAPELESS_MEMBERS(12, a, b, c, d, e, f, g, h, i, j, k, l)
  TAPELESS_MEMBERS(13, a, b, c, d, e, f, g, h, i, j, k, l, m)
  TAPELESS_MEMBERS(14, a, b, c, d, e, f, g, h, i, j, k, l, m, n)
  TAPELESS_MEMBERS(15, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o)
  TAPELESS_MEMBERS(16, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p)
  TAPELESS_MEMBERS(17, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q)
  TAPELESS_MEMBERS(18, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r)
  TAPELESS_MEMBERS(19, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s)
  TAPELESS_MEMBERS(20, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t)
  TAPELESS_MEMBERS(21, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u)
  TAPELESS_MEMBERS(22, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v)
  TAPELESS_MEMBERS(23, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w)
  TAPELESS_MEMBERS(24, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x)
  TAPELESS_MEMBERS(25, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y)
  TAPELESS_MEMBERS(26, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z)
  TAPELESS_MEMBERS(27, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, A)
  TAPELESS_MEMBERS(28, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, A, B)
  TAPELESS_MEMBERS(29, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, A, B, C)
  TAPELESS_MEMBERS(30, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, A, B, C, D)
  TAPELESS_MEMBERS(31, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, A, B, C, D, E)
  TAPELESS_MEMBERS(32, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, A, B, C, D, E, F)
#undef TAPELESS_MEMBERS
}

template <class S>
inline constexpr std::size_t member_count_of = [] {
  if constexpr (Candidate<S>) {
    constexpr std::size_t count = members_without_arrays<S>();
    return std::is_void_v<decltype(members_as_tuple<count>(std::declval<S&>()))> ? 0 : count;
  } else {
    return std::size_t{0};
  }
}();

}  // namespace tapeless::detail
