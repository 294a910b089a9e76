#pragma once

#include <tapeless/interop/lapack/matrix_product.hpp>
#include <tapeless/operation/matrix/factorization.hpp>

#include <cstddef>
#include <limits>
#include <string_view>
#include <type_traits>

/// Cholesky's factorisation and triangular solves: Giles, "Collected matrix derivative results for forward and reverse
/// mode algorithmic differentiation" (2008); Murray, "Differentiation of the Cholesky decomposition" (2016).
namespace tapeless::operation {

/// The solution of a x = b, of which the half `Part` of a is read.
template <class Part>
struct SolveTriangular {
  static constexpr std::string_view name = "solve_triangular";
  static constexpr bool of_tensors = true;
  static constexpr bool of_matrices = true;
  static constexpr bool is_lower = std::is_same_v<Part, tapeless::lower>;
  using other = SolveTriangular<std::conditional_t<is_lower, tapeless::upper, tapeless::lower>>;

  template <class Lowering, class Value>
  static constexpr Value lower(Lowering& to, Value a, const Value& right) {
    Value b = Lowering::as_column(right);
    if (!to.has_matrices(a) || !to.has_matrices(b)) return right;
    to.require_square(a, "solve_triangular needs square matrices");
    to.require_length(b.axes[b.rank - 2], a.axes[a.rank - 2],
                      "solve_triangular needs a right-hand side with as many rows as the matrix");
    to.broadcast_leading(a, b);
    Value x = to.template of_matrices<SolveTriangular>(b, a, b);
    if (right.rank == 1) --x.rank;
    return x;
  }
  template <class T>
  static void compute(const loops::strided<T>& to, const loops::strided<T>& a, const loops::strided<T>& b) {
    loops::write_each_matrix(to, [&](const loops::matrix<T>& x, const auto& at) {
      loops::copy_matrix(x, loops::matrix_at(b, at));
      loops::lapack<T>::substitute(loops::readable<1>(loops::matrix_at(a, at)), is_lower, false, x);
    });
  }

  static constexpr matrix_value half(const matrix_value& m) {
    return is_lower ? lower_part(m) : lower_part(m.transposed()).transposed();
  }
  static constexpr matrix_value pullback(int which, const matrix_value& adjoint, const matrix_value& x,
                                         const matrix_value* m) {
    const matrix_value by_b = matrix_value::of<other>(m[1], m[0].transposed(), adjoint);
    return which == 1 ? by_b : -half(product(m[0], by_b, x.transposed()));
  }
  static constexpr matrix_value tangent(int which, const matrix_value& t, const matrix_value& x,
                                        const matrix_value* m) {
    return which == 1 ? matrix_value::of<SolveTriangular>(x, m[0], t)
                      : -matrix_value::of<SolveTriangular>(x, m[0], product(m[1], half(t), x));
  }
};

/// Cholesky's factor, lower triangular; NaN where a matrix is not positive definite.
struct Cholesky {
  static constexpr std::string_view name = "cholesky";
  static constexpr bool of_tensors = true;
  static constexpr bool of_matrices = true;

  template <class Lowering, class Value>
  static constexpr Value lower(Lowering& to, const Value& a) {
    if (!to.has_matrices(a)) return a;
    to.require_square(a, "cholesky needs square matrices");
    return to.template of_matrices<Cholesky>(a, a);
  }
  template <class T>
  static void compute(const loops::strided<T>& to, const loops::strided<T>& from) {
    loops::write_each_matrix(to, [&](const loops::matrix<T>& l, const auto& at) {
      const loops::matrix<T> a = loops::matrix_at(from, at);
      for (std::ptrdiff_t i = 0; i < a.rows; ++i)
        for (std::ptrdiff_t j = 0; j < a.columns; ++j)
          l.data[i * l.row + j * l.column] = j <= i ? a.data[i * a.row + j * a.column] : T(0);
      if (!loops::lapack<T>::cholesky(l)) loops::fill_matrix(l, std::numeric_limits<T>::quiet_NaN());
    });
  }

  static constexpr matrix_value pullback(int, const matrix_value& adjoint, const matrix_value& l,
                                         const matrix_value* a) {
    using half = MatrixPart<matrix_part::half_lower>;
    using backward = SolveTriangular<tapeless::upper>;
    const matrix_value p = matrix_value::of<half>(a[0], product(a[0], l.transposed(), lower_part(adjoint)));
    // S = L^-T P L^-1, in two steps: L' Q = P, L' S' = Q'.
    const matrix_value q = matrix_value::of<backward>(a[0], l.transposed(), p);
    const matrix_value s = matrix_value::of<backward>(a[0], l.transposed(), q.transposed());
    return matrix_value::of<MatrixPart<matrix_part::folded>>(a[0], s);
  }
  static constexpr matrix_value tangent(int, const matrix_value& t, const matrix_value& l, const matrix_value*) {
    using half = MatrixPart<matrix_part::half_lower>;
    using forward = SolveTriangular<tapeless::lower>;
    // L phi(L^-1 A L^-T)
    const matrix_value once = matrix_value::of<forward>(l, l, mirrored(t));
    const matrix_value twice = matrix_value::of<forward>(l, l, once.transposed());
    return product(l, l, matrix_value::of<half>(l, twice));
  }
};

}  // namespace tapeless::operation
