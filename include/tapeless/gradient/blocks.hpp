#pragma once

#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tapeless {

namespace detail {

template <std::size_t First, std::size_t Size, class T, std::size_t Columns, std::size_t Rows>
constexpr auto columns_of(const std::array<std::array<T, Columns>, Rows>& matrix) {
  std::array<std::array<T, Size>, Rows> result{};
  for (std::size_t i = 0; i < Rows; ++i)
    for (std::size_t j = 0; j < Size; ++j) result[i][j] = matrix[i][First + j];
  return result;
}

/// f.operator()<number, first column, size>() of each block, in their order.
template <std::size_t... Sizes, class F>
constexpr auto for_blocks(const F& f) {
  constexpr auto first = [](std::size_t block) {
    constexpr std::array<std::size_t, sizeof...(Sizes)> sizes{Sizes...};
    std::size_t result = 0;
    for (std::size_t i = 0; i < block; ++i) result += sizes[i];
    return result;
  };
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    if constexpr ((std::is_void_v<decltype(f.template operator()<I, first(I), Sizes>())> || ...))
      (f.template operator()<I, first(I), Sizes>(), ...);
    else
      return std::tuple(f.template operator()<I, first(I), Sizes>()...);
  }(std::make_index_sequence<sizeof...(Sizes)>{});
}

}  // namespace detail

/// Splits a function's Jacobian into the columns of each argument: `const auto [camera, point] = blocks<9, 3>(j);` for
/// arguments of 9 and 3 numbers. Each block is a `std::array` of rows.
template <std::size_t... Sizes, class T, std::size_t Columns, std::size_t Rows>
constexpr auto blocks(const std::array<std::array<T, Columns>, Rows>& jacobian) {
  static_assert((Sizes + ... + 0) == Columns,
                "tapeless: the sizes of the blocks must add up to the number of columns of the Jacobian [TL068]");
  return detail::for_blocks<Sizes...>(
      [&]<std::size_t, std::size_t First, std::size_t Size>() { return detail::columns_of<First, Size>(jacobian); });
}

/// The same, written row by row to the addresses `to[0]`, `to[1]`, ..., as Ceres expects. A block with a null pointer
/// is skipped; if `to` is null, all are.
template <std::size_t... Sizes, class T, std::size_t Columns, std::size_t Rows, class U>
constexpr void blocks(const std::array<std::array<T, Columns>, Rows>& jacobian, U* const* to) {
  static_assert((Sizes + ... + 0) == Columns,
                "tapeless: the sizes of the blocks must add up to the number of columns of the Jacobian [TL068]");
  if (!to) return;
  detail::for_blocks<Sizes...>([&]<std::size_t I, std::size_t First, std::size_t Size>() {
    if (U* at = to[I])
      for (std::size_t i = 0; i < Rows; ++i)
        for (std::size_t j = 0; j < Size; ++j) *at++ = static_cast<U>(jacobian[i][First + j]);
  });
}

}  // namespace tapeless
