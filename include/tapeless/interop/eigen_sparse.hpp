#pragma once

#include <tapeless/gradient/result/assembled_results.hpp>
#include <tapeless/gradient/verbs.hpp>

#include <Eigen/SparseCore>

#include <array>
#include <cstddef>

namespace tapeless {

namespace detail {

template <std::size_t N>
constexpr std::array<int, N> as_ints(const std::array<std::size_t, N>& from) {
  std::array<int, N> result{};
  for (std::size_t i = 0; i < N; ++i) result[i] = static_cast<int>(from[i]);
  return result;
}

/// The pattern in the integers that Eigen takes by default.
template <class Entries>
struct eigen_pattern {
  static constexpr auto row_begin = as_ints(Entries::pattern.row_begin);
  static constexpr auto columns = as_ints(Entries::pattern.columns);
};

template <class Program>
inline constexpr std::size_t program_columns = 0;
template <class Pass>
inline constexpr std::size_t program_columns<program::frozen<Pass>> = Pass::variables().size();

}  // namespace detail

/// The result of `sparse_jacobian(f)(...)` or `sparse_hessian(f)(...)` as an Eigen sparse matrix. For a Hessian it is
/// the upper triangle: use `selfadjointView<Eigen::Upper>()` for the whole.
template <class Entries, class T>
Eigen::SparseMatrix<T, Eigen::RowMajor> to_eigen(const sparse_matrix<Entries, T>& from) {
  using pattern = detail::eigen_pattern<Entries>;
  return Eigen::Map<const Eigen::SparseMatrix<T, Eigen::RowMajor>>(
      static_cast<Eigen::Index>(Entries::rows),
      static_cast<Eigen::Index>(detail::program_columns<typename Entries::all>),
      static_cast<Eigen::Index>(Entries::count), pattern::row_begin.data(), pattern::columns.data(),
      from.values.data());
}

/// A view of an assembled matrix with this many columns, without a copy. The matrix must stay alive, and the indices of
/// its elements must be signed.
template <class T, class Index>
Eigen::Map<const Eigen::SparseMatrix<T, Eigen::RowMajor, Index>> as_eigen(const compressed_rows<T, Index>& from,
                                                                          std::size_t columns) {
  return {static_cast<Eigen::Index>(from.row_begin.size()) - 1,
          static_cast<Eigen::Index>(columns),
          static_cast<Eigen::Index>(from.values.size()),
          from.row_begin.data(),
          from.columns.data(),
          from.values.data()};
}
template <class T, class Index>
auto as_eigen(compressed_rows<T, Index>&&, std::size_t) = delete;  // tapeless: give the temporary matrix a name [TL228]

}  // namespace tapeless
