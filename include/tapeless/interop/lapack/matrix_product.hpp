#pragma once

#include <tapeless/interop/lapack.hpp>
#include <tapeless/program/differentiate/matrix_rule.hpp>

#include <cstddef>
#include <string_view>

/// Products and triangles of large matrices. What a symmetric matrix is read of is its lower triangle: its adjoint is
/// folded onto that, its tangent mirrored from it.
namespace tapeless::operation {

using program::matrix_value;

/// What becomes of a square matrix element by element.
enum class matrix_part {
  lower,       ///< the lower triangle; zeros above
  half_lower,  ///< the same, with half of the diagonal
  folded,      ///< the upper triangle added to the lower one
  mirrored,    ///< the lower triangle in the place of the upper one too
};
template <matrix_part Part>
struct MatrixPart {
  static constexpr std::string_view name = "matrix_part";
  static constexpr bool of_matrices = true;

  template <class T>
  static void fold_in_place(const loops::matrix<T>& m) {
    loops::for_each_mirrored(m, [](T& lower, T& upper) { lower += upper, upper = 0; });
  }
  template <class T>
  static void compute(const loops::strided<T>& to, const loops::strided<T>& from) {
    loops::for_each_matrix(to, [&](const auto& at) {
      const loops::matrix<T> m = loops::matrix_at(to, at), a = loops::matrix_at(from, at);
      const auto element = [&](std::ptrdiff_t i, std::ptrdiff_t j) { return a.data[i * a.row + j * a.column]; };
      for (std::ptrdiff_t i = 0; i < m.rows; ++i)
        for (std::ptrdiff_t j = 0; j < m.columns; ++j) {
          T& result = m.data[i * m.row + j * m.column];
          if (i == j)
            result = Part == matrix_part::half_lower ? element(i, j) / 2 : element(i, j);
          else if (Part == matrix_part::mirrored)
            result = i > j ? element(i, j) : element(j, i);
          else
            result = i < j ? T(0) : Part == matrix_part::folded ? element(i, j) + element(j, i) : element(i, j);
        }
    });
  }

  using transposed = MatrixPart<Part == matrix_part::folded     ? matrix_part::mirrored
                                : Part == matrix_part::mirrored ? matrix_part::folded
                                                                : Part>;
  static constexpr matrix_value pullback(int, const matrix_value& adjoint, const matrix_value&, const matrix_value* a) {
    return matrix_value::of<transposed>(a[0], adjoint);
  }
  static constexpr matrix_value tangent(int, const matrix_value& t, const matrix_value& result, const matrix_value*) {
    return matrix_value::of<MatrixPart>(result, t);
  }
};
constexpr matrix_value lower_part(const matrix_value& m) {
  return matrix_value::of<MatrixPart<matrix_part::lower>>(m, m);
}
constexpr matrix_value mirrored(const matrix_value& m) {
  return matrix_value::of<MatrixPart<matrix_part::mirrored>>(m, m);
}

/// a b, folded where the result is the adjoint of a symmetric matrix.
template <bool Folded = false>
struct MatrixProduct {
  // By the parameter, or clang would need derivatives before the class is complete, and not ask for them again.
  using unfolded = MatrixProduct<Folded && false>;
  static constexpr std::string_view name = "matrix_product";
  static constexpr bool of_matrices = true;

  template <class T>
  static void compute(const loops::strided<T>& to, const loops::strided<T>& a, const loops::strided<T>& b) {
    if (Folded && a.extents[static_cast<std::size_t>(a.rank - 1)] == 1)
      return loops::for_each_matrix(to, [&](const auto& at) {
        folded_outer(loops::matrix_at(to, at), loops::matrix_at(a, at), loops::matrix_at(b, at));
      });
    loops::write_each_matrix(to, [&](const loops::matrix<T>& m, const auto& at) {
      loops::lapack<T>::multiply(m, loops::readable<1>(loops::matrix_at(a, at)),
                                 loops::readable<2>(loops::matrix_at(b, at)));
      if constexpr (Folded) MatrixPart<matrix_part::folded>::fold_in_place(m);
    });
  }
  /// Of a column and a row, in one pass.
  template <class T>
  static void folded_outer(const loops::matrix<T>& to, const loops::matrix<T>& a, const loops::matrix<T>& b) {
    for (std::ptrdiff_t i = 0; i < to.rows; ++i) {
      T* const row = to.data + i * to.row;
      const T left = a.data[i * a.row], right = b.data[i * b.column];
      for (std::ptrdiff_t j = 0; j < i; ++j)
        row[j * to.column] = left * b.data[j * b.column] + a.data[j * a.row] * right;
      row[i * to.column] = left * right;
      for (std::ptrdiff_t j = i + 1; j < to.columns; ++j) row[j * to.column] = 0;
    }
  }
  static constexpr matrix_value pullback(int which, const matrix_value& adjoint, const matrix_value&,
                                         const matrix_value* m) {
    const matrix_value whole = Folded ? mirrored(adjoint) : adjoint;
    return which == 0 ? matrix_value::of<unfolded>(m[0], whole, m[1].transposed())
                      : matrix_value::of<unfolded>(m[1], m[0].transposed(), whole);
  }
  static constexpr matrix_value tangent(int which, const matrix_value& t, const matrix_value& result,
                                        const matrix_value* m) {
    return which == 0 ? matrix_value::of<MatrixProduct>(result, t, m[1])
                      : matrix_value::of<MatrixProduct>(result, m[0], t);
  }
};
/// a b in the place of `like`.
constexpr matrix_value product(const matrix_value& like, const matrix_value& a, const matrix_value& b) {
  return matrix_value::of<MatrixProduct<>>(like, a, b);
}
constexpr matrix_value folded_product(const matrix_value& like, const matrix_value& a, const matrix_value& b) {
  return matrix_value::of<MatrixProduct<true>>(like, a, b);
}

}  // namespace tapeless::operation
