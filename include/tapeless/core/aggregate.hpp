#pragma once

#include <tapeless/core/expression.hpp>
#include <tapeless/core/tensor_binding.hpp>

#include <array>
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

template <class S>
inline constexpr std::size_t member_count_of = [] {
  if constexpr (Candidate<S>)
    return members_without_arrays<S>();
  else
    return std::size_t{0};
}();

/// References to the members of an aggregate.
template <class S>
constexpr auto members_as_tuple(S& aggregate) {
  constexpr std::size_t count = member_count_of<std::remove_const_t<S>>;
  if constexpr (count == 1) {
    auto& [m0] = aggregate;
    return std::tie(m0);
  } else if constexpr (count == 2) {
    auto& [m0, m1] = aggregate;
    return std::tie(m0, m1);
  } else if constexpr (count == 3) {
    auto& [m0, m1, m2] = aggregate;
    return std::tie(m0, m1, m2);
  } else if constexpr (count == 4) {
    auto& [m0, m1, m2, m3] = aggregate;
    return std::tie(m0, m1, m2, m3);
  } else if constexpr (count == 5) {
    auto& [m0, m1, m2, m3, m4] = aggregate;
    return std::tie(m0, m1, m2, m3, m4);
  } else if constexpr (count == 6) {
    auto& [m0, m1, m2, m3, m4, m5] = aggregate;
    return std::tie(m0, m1, m2, m3, m4, m5);
  } else if constexpr (count == 7) {
    auto& [m0, m1, m2, m3, m4, m5, m6] = aggregate;
    return std::tie(m0, m1, m2, m3, m4, m5, m6);
  } else if constexpr (count == 8) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7] = aggregate;
    return std::tie(m0, m1, m2, m3, m4, m5, m6, m7);
  } else if constexpr (count == 9) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8] = aggregate;
    return std::tie(m0, m1, m2, m3, m4, m5, m6, m7, m8);
  } else if constexpr (count == 10) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9] = aggregate;
    return std::tie(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9);
  } else if constexpr (count == 11) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10] = aggregate;
    return std::tie(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10);
  } else if constexpr (count == 12) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11] = aggregate;
    return std::tie(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11);
  } else if constexpr (count == 13) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12] = aggregate;
    return std::tie(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12);
  } else if constexpr (count == 14) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13] = aggregate;
    return std::tie(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13);
  } else if constexpr (count == 15) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14] = aggregate;
    return std::tie(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14);
  } else if constexpr (count == 16) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15] = aggregate;
    return std::tie(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15);
  } else if constexpr (count == 17) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16] = aggregate;
    return std::tie(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16);
  } else if constexpr (count == 18) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17] = aggregate;
    return std::tie(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17);
  } else if constexpr (count == 19) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18] = aggregate;
    return std::tie(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18);
  } else if constexpr (count == 20) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19] = aggregate;
    return std::tie(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19);
  } else if constexpr (count == 21) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20] = aggregate;
    return std::tie(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20);
  } else if constexpr (count == 22) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21] =
        aggregate;
    return std::tie(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21);
  } else if constexpr (count == 23) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22] =
        aggregate;
    return std::tie(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21,
                    m22);
  } else if constexpr (count == 24) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
           m23] = aggregate;
    return std::tie(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21,
                    m22, m23);
  } else if constexpr (count == 25) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24] = aggregate;
    return std::tie(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21,
                    m22, m23, m24);
  } else if constexpr (count == 26) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25] = aggregate;
    return std::tie(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21,
                    m22, m23, m24, m25);
  } else if constexpr (count == 27) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25, m26] = aggregate;
    return std::tie(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21,
                    m22, m23, m24, m25, m26);
  } else if constexpr (count == 28) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25, m26, m27] = aggregate;
    return std::tie(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21,
                    m22, m23, m24, m25, m26, m27);
  } else if constexpr (count == 29) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25, m26, m27, m28] = aggregate;
    return std::tie(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21,
                    m22, m23, m24, m25, m26, m27, m28);
  } else if constexpr (count == 30) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25, m26, m27, m28, m29] = aggregate;
    return std::tie(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21,
                    m22, m23, m24, m25, m26, m27, m28, m29);
  } else if constexpr (count == 31) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25, m26, m27, m28, m29, m30] = aggregate;
    return std::tie(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21,
                    m22, m23, m24, m25, m26, m27, m28, m29, m30);
  } else if constexpr (count == 32) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25, m26, m27, m28, m29, m30, m31] = aggregate;
    return std::tie(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21,
                    m22, m23, m24, m25, m26, m27, m28, m29, m30, m31);
  }
}

}  // namespace tapeless::detail
