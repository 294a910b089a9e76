#pragma once

#include <array>
#include <cstddef>
#include <tuple>

namespace tapeless {

/// Splits a function's Jacobian into the columns of each argument: `const auto [camera, point] = blocks<9, 3>(j);` for
/// arguments of 9 and 3 numbers. Each block is a `std::array` of rows.
template <std::size_t... Sizes, class T, std::size_t Columns, std::size_t Rows>
constexpr auto blocks(const std::array<std::array<T, Columns>, Rows>& jacobian) {
  static_assert((Sizes + ... + 0) == Columns,
                "tapeless: the sizes of the blocks must add up to the number of columns of the Jacobian [TL068]");
  std::size_t first = 0;
  const auto take_columns = [&]<std::size_t Size>() {
    std::array<std::array<T, Size>, Rows> result{};
    for (std::size_t i = 0; i < Rows; ++i)
      for (std::size_t j = 0; j < Size; ++j) result[i][j] = jacobian[i][first + j];
    first += Size;
    return result;
  };
  // Braces: the blocks are taken from left to right.
  return std::tuple<std::array<std::array<T, Sizes>, Rows>...> { take_columns.template operator()<Sizes>()... };
}

/// The same, written row by row to the addresses `to[0]`, `to[1]`, ..., as Ceres expects. A block with a null pointer
/// is skipped; if `to` is null, all are.
template <std::size_t... Sizes, class T, std::size_t Columns, std::size_t Rows, class U>
constexpr void blocks(const std::array<std::array<T, Columns>, Rows>& jacobian, U* const* to) {
  static_assert((Sizes + ... + 0) == Columns,
                "tapeless: the sizes of the blocks must add up to the number of columns of the Jacobian [TL068]");
  if (!to) return;
  std::size_t first = 0;
  const auto write_columns = [&]<std::size_t Size>(U* at) {
    if (at)
      for (std::size_t i = 0; i < Rows; ++i)
        for (std::size_t j = 0; j < Size; ++j) *at++ = static_cast<U>(jacobian[i][first + j]);
    first += Size;
  };
  (write_columns.template operator()<Sizes>(*to++), ...);
}

}  // namespace tapeless
