#pragma once

#include <tapeless/core/target.hpp>
#include <tapeless/core/thread_memory.hpp>
#include <tapeless/evaluate/kernels/matrix_product.hpp>
#include <tapeless/evaluate/memory/move.hpp>
#include <tapeless/evaluate/memory/workspace.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <type_traits>

/// The matrices along the last two axes of tensors, one after the other.
namespace tapeless::loops::inline TAPELESS_TARGET {

/// The matrix at a place along the leading axes of a tensor.
template <class T>
matrix<T> matrix_at(const strided<T>& tensor, const std::array<std::ptrdiff_t, program::max_rank>& at) {
  const auto row = static_cast<std::size_t>(tensor.rank - 2);
  std::ptrdiff_t offset = 0;
  for (std::size_t i = 0; i < row; ++i) offset += at[i] * tensor.strides[i];
  return matrix<T>{tensor.data + offset, tensor.extents[row], tensor.extents[row + 1], tensor.strides[row],
                   tensor.strides[row + 1]}
      .with_used_strides();
}

/// visit(place) for each place along the leading axes of a tensor whose last `Inner` axes are those of an element.
template <int Inner = 2, class T, class Visit>
void for_each_matrix(const strided<T>& tensor, Visit visit) {
  strided<T> leading = tensor;
  leading.rank -= Inner;
  leading.for_each(visit);
}

template <class T>
void copy_matrix(const matrix<T>& to, const matrix<T>& from) {
  for (std::ptrdiff_t i = 0; i < to.rows; ++i)
    copy_row(to.data + i * to.row, to.column, from.data + i * from.row, from.column, to.columns);
}
/// visit(element, mirrored element) for each element below the diagonal, in tiles: one of the two lies across the rows.
template <class T, class Visit>
void for_each_mirrored(const matrix<T>& m, Visit visit) {
  constexpr std::ptrdiff_t tile = 32;
  for (std::ptrdiff_t first_row = 0; first_row < m.rows; first_row += tile)
    for (std::ptrdiff_t first = 0; first <= first_row; first += tile)
      for (std::ptrdiff_t i = first_row; i < std::min(first_row + tile, m.rows); ++i)
        for (std::ptrdiff_t j = first; j < std::min(first + tile, i); ++j)
          visit(m.data[i * m.row + j * m.column], m.data[j * m.row + i * m.column]);
}
template <class T>
void fill_matrix(const matrix<T>& to, T number) {
  for (std::ptrdiff_t i = 0; i < to.rows; ++i)
    for (std::ptrdiff_t j = 0; j < to.columns; ++j) to.data[i * to.row + j * to.column] = number;
}

/// Memory of this thread, used again by later calls; each `Number` is memory of its own.
template <class T, int Number>
T* memory_of_thread(std::ptrdiff_t size) {
  return tapeless::detail::of_thread<workspace<T>, std::integral_constant<int, Number>>().reserve(
      static_cast<std::size_t>(size));
}

/// The matrix by rows without gaps in memory of this thread; its elements are not copied.
template <int Number, class T>
matrix<T> matrix_of_thread(const matrix<T>& like) {
  return {memory_of_thread<T, Number>(like.rows * like.columns), like.rows, like.columns, like.columns, 1};
}
/// A matrix as it stands if a library can read it, by rows or by columns; else a copy.
template <int Number, class T>
matrix<T> readable(const matrix<T>& m) {
  if (m.by_rows() || m.transposed().by_rows()) return m;
  const matrix<T> copy = matrix_of_thread<Number>(m);
  copy_matrix(copy, m);
  return copy;
}
/// compute(matrix, place) for each matrix of a tensor, in memory of this thread where a library cannot write it as it
/// stands.
template <class T, class Compute>
void write_each_matrix(const strided<T>& to, Compute compute) {
  for_each_matrix(to, [&](const auto& at) {
    const matrix<T> place = matrix_at(to, at);
    if (place.by_rows() || place.transposed().by_rows()) return compute(place, at);
    const matrix<T> copy = matrix_of_thread<0>(place);
    compute(copy, at);
    copy_matrix(place, copy);
  });
}

}  // namespace tapeless::loops::inline TAPELESS_TARGET
