#ifndef TAPELESS_INTEROP_LAPACK_OPERATIONS_HPP
#define TAPELESS_INTEROP_LAPACK_OPERATIONS_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/interop/lapack.hpp>
#include <tapeless/operation/factorization.hpp>
#include <tapeless/program/matrix_rule.hpp>

#include <cmath>
#include <cstddef>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>

/// What is computed with large matrices, and their closed-form derivatives: Giles, "Collected matrix derivative results
/// for forward and reverse mode algorithmic differentiation" (2008); of Cholesky's factor Murray, "Differentiation of
/// the Cholesky decomposition" (2016). What a symmetric matrix is read of is its lower triangle: its adjoint is folded
/// onto that, its tangent mirrored from it.
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
  static constexpr std::string_view name = "matrix_product";
  static constexpr bool of_matrices = true;

  template <class T>
  static void compute(const loops::strided<T>& to, const loops::strided<T>& a, const loops::strided<T>& b) {
    loops::for_each_matrix(to, [&](const auto& at) {
      if (Folded && a.extents[static_cast<std::size_t>(a.rank - 1)] == 1)
        return folded_outer(loops::matrix_at(to, at), loops::matrix_at(a, at), loops::matrix_at(b, at));
      loops::written<0>(loops::matrix_at(to, at), [&](const loops::matrix<T>& m) {
        loops::lapack<T>::multiply(m, loops::readable<1>(loops::matrix_at(a, at)),
                                   loops::readable<2>(loops::matrix_at(b, at)));
        if constexpr (Folded) MatrixPart<matrix_part::folded>::fold_in_place(m);
      });
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
    return which == 0 ? matrix_value::of<MatrixProduct<>>(m[0], whole, m[1].transposed())
                      : matrix_value::of<MatrixProduct<>>(m[1], m[0].transposed(), whole);
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
    to.require_square(a, "solve_triangular takes square matrices");
    to.require_length(b.axes.data()[b.rank - 2], a.axes.data()[a.rank - 2],
                      "solve_triangular takes a right side of as many rows as the matrix has");
    to.broadcast_leading(a, b);
    Value x = to.template of_matrices<SolveTriangular>(b, a, b);
    if (right.rank == 1) --x.rank;
    return x;
  }
  template <class T>
  static void compute(const loops::strided<T>& to, const loops::strided<T>& a, const loops::strided<T>& b) {
    loops::for_each_matrix(to, [&](const auto& at) {
      loops::written<0>(loops::matrix_at(to, at), [&](const loops::matrix<T>& x) {
        loops::copy_matrix(x, loops::matrix_at(b, at));
        loops::lapack<T>::substitute(loops::readable<1>(loops::matrix_at(a, at)), is_lower, false, x);
      });
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
    to.require_square(a, "cholesky takes square matrices");
    return to.template of_matrices<Cholesky>(a, a);
  }
  template <class T>
  static void compute(const loops::strided<T>& to, const loops::strided<T>& from) {
    loops::for_each_matrix(to, [&](const auto& at) {
      loops::written<0>(loops::matrix_at(to, at), [&](const loops::matrix<T>& l) {
        const loops::matrix<T> a = loops::matrix_at(from, at);
        for (std::ptrdiff_t i = 0; i < a.rows; ++i)
          for (std::ptrdiff_t j = 0; j < a.columns; ++j)
            l.data[i * l.row + j * l.column] = j <= i ? a.data[i * a.row + j * a.column] : T(0);
        if (!loops::lapack<T>::cholesky(l)) loops::fill_matrix(l, std::numeric_limits<T>::quiet_NaN());
      });
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

/// A general matrix as L and U, and a row that tells the exchanges of columns: lapack.hpp says more. Nothing is
/// differentiated through it: what computes with it has the matrix as an operand too.
struct Factors {
  static constexpr std::string_view name = "factors";
  static constexpr bool of_matrices = true;
  static constexpr bool passes(int) { return false; }

  template <class T>
  static void compute(const loops::strided<T>& to, const loops::strided<T>& from) {
    loops::for_each_matrix(to, [&](const auto& at) {
      const loops::matrix<T> f = loops::matrix_at(to, at), a = loops::matrix_at(from, at);
      const loops::matrix<T> work =
          f.by_rows() ? loops::matrix<T>{f.data, a.rows, a.columns, f.row, 1} : loops::matrix_of_thread<0>(a);
      loops::copy_matrix(work, a);
      lapack_int* const pivots = loops::memory_of_thread<lapack_int, 0>(a.rows);
      loops::lapack<T>::factorise(work, pivots);
      if (!f.by_rows()) loops::copy_matrix({f.data, a.rows, a.columns, f.row, f.column}, work);
      for (std::ptrdiff_t i = 0; i < a.rows; ++i) f.data[a.rows * f.row + i * f.column] = static_cast<T>(pivots[i]);
    });
  }
  static constexpr matrix_value pullback(int, const matrix_value& adjoint, const matrix_value&, const matrix_value*) {
    return adjoint;
  }
  static constexpr matrix_value tangent(int, const matrix_value& t, const matrix_value&, const matrix_value*) {
    return t;
  }
};

/// A matrix' factors as `Factors` left them.
template <class T>
struct factors_of_matrix {
  loops::matrix<T> l_and_u;
  const T* pivots;
  std::ptrdiff_t stride;

  factors_of_matrix(const loops::strided<T>& factors, const auto& at) {
    const loops::matrix<T> f = loops::matrix_at(factors, at);
    l_and_u = {f.data, f.columns, f.columns, f.row, f.column};
    pivots = f.data + f.columns * f.row, stride = f.column;
  }
  std::ptrdiff_t size() const { return l_and_u.rows; }
  T& pivot(std::ptrdiff_t i) const { return l_and_u.data[i * (l_and_u.row + l_and_u.column)]; }
  std::ptrdiff_t exchanged(std::ptrdiff_t i) const { return static_cast<std::ptrdiff_t>(pivots[i * stride]); }
  bool singular() const {
    for (std::ptrdiff_t i = 0; i < size(); ++i)
      if (pivot(i) == 0) return true;
    return false;
  }
  T sign() const {
    T result = 1;
    for (std::ptrdiff_t i = 0; i < size(); ++i)
      if (exchanged(i) != i) result = -result;
    return result;
  }
  T determinant() const {
    T result = sign();
    for (std::ptrdiff_t i = 0; i < size(); ++i) result *= pivot(i);
    return result;
  }
  void exchange_rows(const loops::matrix<T>& x, std::ptrdiff_t i) const {
    for (std::ptrdiff_t j = 0; j < x.columns; ++j)
      std::swap(x.data[i * x.row + j * x.column], x.data[exchanged(i) * x.row + j * x.column]);
  }
  void solve(const loops::matrix<T>& x, bool transposed) const {
    using lapack = loops::lapack<T>;
    const loops::matrix<T> f = loops::readable<1>(l_and_u);
    if (!transposed) {
      lapack::substitute(f, true, false, x);
      lapack::substitute(f, false, true, x);
      for (std::ptrdiff_t i = size(); i-- > 0;) exchange_rows(x, i);
    } else {
      for (std::ptrdiff_t i = 0; i < size(); ++i) exchange_rows(x, i);
      lapack::substitute(f.transposed(), true, true, x);
      lapack::substitute(f.transposed(), false, false, x);
    }
  }
  /// The inverse, by rows; the factors are copied there already.
  void invert(const loops::matrix<T>& to) const {
    lapack_int* const at = loops::memory_of_thread<lapack_int, 0>(size());
    for (std::ptrdiff_t i = 0; i < size(); ++i) at[i] = static_cast<lapack_int>(exchanged(i));
    loops::lapack<T>::invert(to, at);
  }
};

/// The factorisation of a matrix of the kind `Kind`: each matrix is factorised once, whatever is computed with it.
template <class Kind, class Lowering, class Value>
constexpr Value lower_factors(Lowering& to, const Value& a, std::string_view wanted) {
  to.require_square(a, wanted);
  if constexpr (std::is_same_v<Kind, positive_definite>) {
    return to.template of_matrices<Cholesky>(a, a);
  } else {
    Value shape = a;
    shape.axes.data()[a.rank - 2] = to.longer_axis(a.axes.data()[a.rank - 2]);
    return to.template of_matrices<Factors>(shape, a);
  }
}

/// The solution of a x = b, or a' x = b, of the operands (factors of a, b, a).
template <class Kind, bool Transposed = false>
struct SolveFactorised {
  static constexpr std::string_view name = "solve";
  static constexpr bool of_matrices = true;
  static constexpr bool passes(int which) { return which != 0; }
  static constexpr bool symmetric = std::is_same_v<Kind, positive_definite>;
  using adjoint_operation = SolveFactorised<Kind, !Transposed && !symmetric>;

  template <class T>
  static void compute(const loops::strided<T>& to, const loops::strided<T>& factors, const loops::strided<T>& b,
                      const loops::strided<T>&) {
    loops::for_each_matrix(to, [&](const auto& at) {
      loops::written<0>(loops::matrix_at(to, at), [&](const loops::matrix<T>& x) {
        loops::copy_matrix(x, loops::matrix_at(b, at));
        if constexpr (symmetric) {
          const loops::matrix<T> l = loops::readable<1>(loops::matrix_at(factors, at));
          loops::lapack<T>::substitute(l, true, false, x);
          loops::lapack<T>::substitute(l.transposed(), false, false, x);
        } else {
          const factors_of_matrix<T> f(factors, at);
          if (f.singular())
            loops::fill_matrix(x, std::numeric_limits<T>::quiet_NaN());
          else
            f.solve(x, Transposed);
        }
      });
    });
  }

  static constexpr matrix_value pullback(int which, const matrix_value& adjoint, const matrix_value& x,
                                         const matrix_value* m) {
    const matrix_value by_b = matrix_value::of<adjoint_operation>(m[1], m[0], adjoint, m[2]);
    if (which == 1) return by_b;
    if constexpr (symmetric) return -folded_product(m[2], by_b, x.transposed());
    return Transposed ? -product(m[2], x, by_b.transposed()) : -product(m[2], by_b, x.transposed());
  }
  static constexpr matrix_value tangent(int which, const matrix_value& t, const matrix_value& x,
                                        const matrix_value* m) {
    if (which == 1) return matrix_value::of<SolveFactorised>(x, m[0], t, m[2]);
    const matrix_value of_a = symmetric ? mirrored(t) : Transposed ? t.transposed() : t;
    return -matrix_value::of<SolveFactorised>(x, m[0], product(m[1], of_a, x), m[2]);
  }
};

/// The inverse of the operands (factors of a, a); of a symmetric matrix folded where it is an adjoint.
template <class Kind, bool Folded = false>
struct InverseFactorised {
  static constexpr std::string_view name = "inverse";
  static constexpr bool of_matrices = true;
  static constexpr bool passes(int which) { return which != 0; }
  static constexpr bool symmetric = std::is_same_v<Kind, positive_definite>;

  template <class T>
  static void compute(const loops::strided<T>& to, const loops::strided<T>& factors, const loops::strided<T>&) {
    loops::for_each_matrix(to, [&](const auto& at) {
      const loops::matrix<T> place = loops::matrix_at(to, at);
      if constexpr (symmetric)
        loops::written<0>(place,
                          [&](const loops::matrix<T>& m) { symmetric_inverse(m, loops::matrix_at(factors, at)); });
      else
        general_inverse(place, factors_of_matrix<T>(factors, at));
    });
  }

  static constexpr matrix_value pullback(int, const matrix_value& adjoint, const matrix_value& result,
                                         const matrix_value* m) {
    if constexpr (symmetric) {
      const matrix_value n = inverse(m), whole = Folded ? mirrored(adjoint) : adjoint;
      return -folded_product(m[1], product(m[1], n, whole), n);
    } else {
      const matrix_value n = result.transposed();
      return -product(m[1], product(m[1], n, adjoint), n);
    }
  }
  static constexpr matrix_value tangent(int, const matrix_value& t, const matrix_value& result, const matrix_value* m) {
    if constexpr (symmetric) {
      const matrix_value n = inverse(m);
      return -matrix_value::of<MatrixProduct<Folded>>(result, product(m[1], n, mirrored(t)), n);
    } else {
      return -product(result, product(m[1], result, t), result);
    }
  }

 private:
  static constexpr matrix_value inverse(const matrix_value* m) {
    return matrix_value::of<InverseFactorised<Kind>>(m[1], m[0], m[1]);
  }
  template <class T>
  static void symmetric_inverse(const loops::matrix<T>& m, const loops::matrix<T>& l) {
    loops::copy_matrix(m, l);
    if (m.rows > 0 && std::isnan(m.data[0])) return;
    loops::lapack<T>::invert_cholesky(m);
    if constexpr (Folded)
      for (std::ptrdiff_t i = 0; i < m.rows; ++i)
        for (std::ptrdiff_t j = 0; j < i; ++j) m.data[i * m.row + j * m.column] *= 2;
    else
      loops::for_each_mirrored(m, [](const T& lower, T& upper) { upper = lower; });
  }
  template <class T>
  static void general_inverse(const loops::matrix<T>& to, const factors_of_matrix<T>& f) {
    if (f.singular()) return loops::fill_matrix(to, std::numeric_limits<T>::quiet_NaN());
    const loops::matrix<T> work = to.by_rows() ? to : loops::matrix_of_thread<0>(to);
    loops::copy_matrix(work, f.l_and_u);
    f.invert(work);
    if (!to.by_rows()) loops::copy_matrix(to, work);
  }
};

/// The matrix of cofactors, det(a) a^-T, of the operands (factors of a, a). Where a pivot is 0 it is taken for one of
/// the rounding unit times the largest pivot: cofactors are polynomials, which that moves by as much.
struct Cofactors {
  static constexpr std::string_view name = "cofactors";
  static constexpr bool of_matrices = true;
  static constexpr bool passes(int which) { return which != 0; }

  template <class T>
  static void compute(const loops::strided<T>& to, const loops::strided<T>& factors, const loops::strided<T>&) {
    loops::for_each_matrix(to, [&](const auto& at) {
      const factors_of_matrix<T> f(factors, at);
      const loops::matrix<T> inverse = loops::matrix_of_thread<0>(f.l_and_u);
      loops::copy_matrix(inverse, f.l_and_u);
      T largest = 0, det = f.sign();
      for (std::ptrdiff_t i = 0; i < f.size(); ++i) largest = std::max(largest, std::abs(f.pivot(i)));
      for (std::ptrdiff_t i = 0; i < f.size(); ++i) {
        T& pivot = inverse.data[i * (inverse.row + 1)];
        if (pivot == 0) pivot = std::numeric_limits<T>::epsilon() * (largest > 0 ? largest : T(1));
        det *= pivot;
      }
      f.invert(inverse);
      for (std::ptrdiff_t i = 0; i < inverse.rows * inverse.columns; ++i) inverse.data[i] *= det;
      loops::copy_matrix(loops::matrix_at(to, at), inverse.transposed());
    });
  }
  // By those of det(a) and a^-T.
  static constexpr matrix_value pullback(int, const matrix_value& adjoint, const matrix_value& result,
                                         const matrix_value* m) {
    const matrix_value n = inverse_transposed(m);
    return (adjoint * result).total() * n + -product(m[1], product(m[1], result, adjoint.transposed()), n);
  }
  static constexpr matrix_value tangent(int, const matrix_value& t, const matrix_value& result, const matrix_value* m) {
    const matrix_value n = inverse_transposed(m);
    return (t * n).total() * result + -product(result, product(m[1], result, t.transposed()), n);
  }

 private:
  static constexpr matrix_value inverse_transposed(const matrix_value* m) {
    return matrix_value::of<InverseFactorised<general>>(m[1].transposed(), m[0], m[1]).transposed();
  }
};

/// The determinant, or its logarithm, of the operands (factors of a, a).
template <class Kind, bool Log>
struct Determinant {
  static constexpr std::string_view name = Log ? "log_det" : "det";
  static constexpr bool of_matrices = true;
  static constexpr bool passes(int which) { return which != 0; }
  static constexpr bool symmetric = std::is_same_v<Kind, positive_definite>;

  template <class T>
  static void compute(const loops::strided<T>& to, const loops::strided<T>& factors, const loops::strided<T>&) {
    loops::for_each_matrix<0>(to, [&](const auto& at) { to.data[to.offset(at)] = of_factors(factors, at); });
  }
  static constexpr matrix_value pullback(int, const matrix_value& adjoint, const matrix_value&, const matrix_value* m) {
    return adjoint * slopes(m);
  }
  static constexpr matrix_value tangent(int, const matrix_value& t, const matrix_value&, const matrix_value* m) {
    return (t * slopes(m)).total();
  }

 private:
  static constexpr matrix_value slopes(const matrix_value* m) {
    if constexpr (!Log)
      return matrix_value::of<Cofactors>(m[1], m[0], m[1]);
    else if constexpr (symmetric)
      return matrix_value::of<InverseFactorised<Kind, true>>(m[1], m[0], m[1]);
    else
      return matrix_value::of<InverseFactorised<Kind>>(m[1].transposed(), m[0], m[1]).transposed();
  }
  template <class T>
  static T of_factors(const loops::strided<T>& factors, const auto& at) {
    if constexpr (symmetric) {
      const loops::matrix<T> l = loops::matrix_at(factors, at);
      T sum = 0;
      for (std::ptrdiff_t i = 0; i < l.rows; ++i) sum += std::log(l.data[i * (l.row + l.column)]);
      return 2 * sum;
    } else {
      const factors_of_matrix<T> f(factors, at);
      if constexpr (!Log) return f.determinant();
      T sum = 0, sign = f.sign();
      for (std::ptrdiff_t i = 0; i < f.size(); ++i) {
        sum += std::log(std::abs(f.pivot(i)));
        if (f.pivot(i) < 0) sign = -sign;
      }
      return sign < 0 && !f.singular() ? std::numeric_limits<T>::quiet_NaN() : sum;
    }
  }
};

// What users call.

template <class Kind>
struct Solve {
  static constexpr std::string_view name = "solve";
  static constexpr bool of_tensors = true;
  template <class Lowering, class Value>
  static constexpr Value lower(Lowering& to, Value a, const Value& right) {
    Value b = Lowering::as_column(right);
    if (!to.has_matrices(a) || !to.has_matrices(b)) return right;
    to.require_length(b.axes.data()[b.rank - 2], a.axes.data()[a.rank - 2],
                      "solve takes a right side of as many rows as the matrix has");
    Value factors = lower_factors<Kind>(to, a, "solve takes square matrices");
    to.broadcast_leading(a, b);
    to.lead_like(factors, a);
    Value x = to.template of_matrices<SolveFactorised<Kind>>(b, factors, b, a);
    if (right.rank == 1) --x.rank;
    return x;
  }
};
template <class Kind>
struct Inverse {
  static constexpr std::string_view name = "inverse";
  static constexpr bool of_tensors = true;
  template <class Lowering, class Value>
  static constexpr Value lower(Lowering& to, const Value& a) {
    if (!to.has_matrices(a)) return a;
    const Value factors = lower_factors<Kind>(to, a, "inverse takes square matrices");
    return to.template of_matrices<InverseFactorised<Kind>>(a, factors, a);
  }
};
template <class Kind, bool Log>
struct Det {
  static constexpr std::string_view name = Log ? "log_det" : "det";
  static constexpr bool of_tensors = true;
  template <class Lowering, class Value>
  static constexpr Value lower(Lowering& to, const Value& a) {
    if (!to.has_matrices(a)) return a;
    const Value factors =
        lower_factors<Kind>(to, a, Log ? "log_det takes square matrices" : "det takes square matrices");
    Value numbers = a;
    numbers.rank -= 2;
    return to.template of_matrices<Determinant<Kind, Log>>(numbers, factors, a);
  }
};

}  // namespace tapeless::operation

#endif
