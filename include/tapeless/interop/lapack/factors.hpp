#pragma once

#include <tapeless/interop/lapack/cholesky.hpp>

#include <cmath>
#include <cstddef>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>

/// Factors of large matrices, and what is computed with them while they last.
namespace tapeless::operation {

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

/// A product that stays in the range of numbers where parts of it do not: fraction times 2^exponent.
template <class T>
struct scaled_number {
  T fraction;
  int exponent = 0;

  void multiply(T factor) {
    for (T* const part : {&factor, &fraction}) {
      int shift = 0;
      *part = std::frexp(*part, &shift);
      exponent += shift;
    }
    fraction *= factor;
  }
  T times(T factor) const { return std::ldexp(fraction * factor, exponent); }
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
    scaled_number<T> result{sign()};
    for (std::ptrdiff_t i = 0; i < size(); ++i) result.multiply(pivot(i));
    return result.times(T(1));
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
    shape.axes[a.rank - 2] = to.longer_axis(a.axes[a.rank - 2]);
    return to.template of_matrices<Factors>(shape, a);
  }
}

/// The solution of a x = b, or a' x = b, of the operands (factors of a, b, a). Its derivatives are solutions by the
/// same factors: Giles (2008).
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
    loops::write_each_matrix(to, [&](const loops::matrix<T>& x, const auto& at) {
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

/// What users call: factors, and the solution by them.
template <class Kind>
struct Solve {
  static constexpr std::string_view name = "solve";
  static constexpr bool of_tensors = true;
  template <class Lowering, class Value>
  static constexpr Value lower(Lowering& to, Value a, const Value& right) {
    Value b = Lowering::as_column(right);
    if (!to.has_matrices(a) || !to.has_matrices(b)) return right;
    to.require_length(b.axes[b.rank - 2], a.axes[a.rank - 2],
                      "solve needs a right-hand side with as many rows as the matrix");
    Value factors = lower_factors<Kind>(to, a, "solve needs square matrices");
    to.broadcast_leading(a, b);
    to.lead_like(factors, a);
    Value x = to.template of_matrices<SolveFactorised<Kind>>(b, factors, b, a);
    if (right.rank == 1) --x.rank;
    return x;
  }
};

}  // namespace tapeless::operation
