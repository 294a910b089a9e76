#pragma once

#include <tapeless/core/target.hpp>
#include <tapeless/evaluate/kernels/matrices.hpp>
#include <tapeless/interop/cblas.hpp>

#include <lapacke.h>

#include <cmath>
#include <cstddef>
#include <type_traits>

/// Factorisations by LAPACK, in place, of matrices that lie by rows or by columns. A matrix by rows is the transposed
/// of one by columns, which LAPACK works on: nothing is copied.
namespace tapeless::loops::inline TAPELESS_TARGET {

template <class T>
struct lapack {
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>,
                "tapeless: matrix operations on tensors need float or double, as LAPACK does [TL169]");

  template <class F, class G>
  static constexpr auto either(F of_float, G of_double) {
    if constexpr (std::is_same_v<T, float>)
      return of_float;
    else
      return of_double;
  }
  static lapack_int size(std::ptrdiff_t n) { return static_cast<lapack_int>(n); }
  static std::ptrdiff_t leading(const matrix<T>& m) { return m.by_rows() ? m.row : m.column; }

  /// The lower triangle of a matrix becomes its Cholesky factor; whether it was positive definite.
  static bool cholesky(const matrix<T>& a) {
    const auto potrf = either(&LAPACKE_spotrf_work, &LAPACKE_dpotrf_work);
    if (a.rows == 0) return true;
    if (potrf(LAPACK_COL_MAJOR, a.by_rows() ? 'U' : 'L', size(a.rows), a.data, size(leading(a))) != 0) return false;
    for (std::ptrdiff_t i = 0; i < a.rows; ++i)
      if (const T pivot = a.data[i * (a.row + a.column)]; !(pivot > 0) || !std::isfinite(pivot)) return false;
    return true;
  }
  /// The lower triangle of a Cholesky factor becomes that of the inverse of what it is the factor of.
  static void invert_cholesky(const matrix<T>& l) {
    const auto potri = either(&LAPACKE_spotri_work, &LAPACKE_dpotri_work);
    if (l.rows > 0) potri(LAPACK_COL_MAJOR, l.by_rows() ? 'U' : 'L', size(l.rows), l.data, size(leading(l)));
  }

  /// A matrix by rows becomes L and, right of the diagonal, U with A P = L U, where U's diagonal is of ones and P
  /// exchanges column j with column pivots[j], one after the other.
  static void factorise(const matrix<T>& a, lapack_int* pivots) {
    const auto getrf = either(&LAPACKE_sgetrf_work, &LAPACKE_dgetrf_work);
    if (a.rows > 0) getrf(LAPACK_COL_MAJOR, size(a.rows), size(a.rows), a.data, size(a.row), pivots);
    for (std::ptrdiff_t i = 0; i < a.rows; ++i) --pivots[i];
  }
  /// Such a factorisation becomes the inverse.
  static void invert(const matrix<T>& f, lapack_int* pivots) {
    const auto getri = either(&LAPACKE_sgetri_work, &LAPACKE_dgetri_work);
    if (f.rows == 0) return;
    for (std::ptrdiff_t i = 0; i < f.rows; ++i) ++pivots[i];
    constexpr lapack_int block = 64;
    const lapack_int n = size(f.rows);
    getri(LAPACK_COL_MAJOR, n, f.data, size(f.row), pivots, memory_of_thread<T, 7>(n * block), n * block);
  }

  /// Replaces `b` by the solution of a x = b, where `a` is lower or upper triangular.
  static void substitute(const matrix<T>& a, bool is_lower, bool unit_diagonal, const matrix<T>& b) {
    if (b.rows == 0 || b.columns == 0) return;
    const bool vector = b.columns == 1, by_rows = vector ? a.by_rows() : b.by_rows();
    const bool flipped = a.by_rows() != by_rows;
    const auto order = by_rows ? CblasRowMajor : CblasColMajor;
    const auto half = is_lower != flipped ? CblasLower : CblasUpper;
    const auto as = flipped ? CblasTrans : CblasNoTrans;
    const auto diagonal = unit_diagonal ? CblasUnit : CblasNonUnit;
    if (vector)
      either(&cblas_strsv, &cblas_dtrsv)(order, half, as, diagonal, size(a.rows), a.data, size(leading(a)), b.data,
                                         size(b.row));
    else
      either(&cblas_strsm, &cblas_dtrsm)(order, CblasLeft, half, as, diagonal, size(b.rows), size(b.columns), T(1),
                                         a.data, size(leading(a)), b.data, size(leading(b)));
  }

  /// to = a b.
  static void multiply(const matrix<T>& to, const matrix<T>& a, const matrix<T>& b) {
    if (to.rows == 0 || to.columns == 0) return;
    if (a.columns == 0) return fill_matrix(to, T(0));
    if (to.by_rows())
      blas<T>::product(a, b, T(0), to);
    else
      blas<T>::product(b.transposed(), a.transposed(), T(0), to.transposed());
  }
};

}  // namespace tapeless::loops::inline TAPELESS_TARGET
