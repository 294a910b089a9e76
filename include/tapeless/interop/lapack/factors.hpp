#pragma once

#include <tapeless/interop/lapack/cholesky.hpp>

#include <cmath>
#include <cstddef>
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

}  // namespace tapeless::operation
