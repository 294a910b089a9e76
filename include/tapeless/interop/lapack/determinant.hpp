#pragma once

#include <tapeless/interop/lapack/factors.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string_view>
#include <type_traits>

/// Inverses and determinants by factors, and their derivatives: Giles (2008).
namespace tapeless::operation {

/// The inverse of the operands (factors of a, a); of a symmetric matrix folded where it is an adjoint.
template <class Kind, bool Folded = false>
struct InverseFactorised {
  static constexpr std::string_view name = "inverse";
  static constexpr bool of_matrices = true;
  static constexpr bool passes(int which) { return which != 0; }
  static constexpr bool symmetric = std::is_same_v<Kind, positive_definite>;

  template <class T>
  static void compute(const loops::strided<T>& to, const loops::strided<T>& factors, const loops::strided<T>&) {
    if constexpr (symmetric)
      loops::write_each_matrix(
          to, [&](const loops::matrix<T>& m, const auto& at) { symmetric_inverse(m, loops::matrix_at(factors, at)); });
    else
      loops::for_each_matrix(
          to, [&](const auto& at) { general_inverse(loops::matrix_at(to, at), factors_of_matrix<T>(factors, at)); });
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
      T largest = 0;
      scaled_number<T> det{f.sign()};
      for (std::ptrdiff_t i = 0; i < f.size(); ++i) largest = std::max(largest, std::abs(f.pivot(i)));
      for (std::ptrdiff_t i = 0; i < f.size(); ++i) {
        T& pivot = inverse.data[i * (inverse.row + 1)];
        if (pivot == 0)
          pivot = largest > 0 ? std::numeric_limits<T>::epsilon() * largest : std::numeric_limits<T>::min();
        det.multiply(pivot);
      }
      f.invert(inverse);
      for (std::ptrdiff_t i = 0; i < inverse.rows * inverse.columns; ++i) inverse.data[i] = det.times(inverse.data[i]);
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

/// What users call: factors, and what is computed by them.
template <class Kind>
struct Inverse {
  static constexpr std::string_view name = "inverse";
  static constexpr bool of_tensors = true;
  template <class Lowering, class Value>
  static constexpr Value lower(Lowering& to, const Value& a) {
    if (!to.has_matrices(a)) return a;
    const Value factors = lower_factors<Kind>(to, a, "inverse needs square matrices");
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
        lower_factors<Kind>(to, a, Log ? "log_det needs square matrices" : "det needs square matrices");
    Value numbers = a;
    numbers.rank -= 2;
    return to.template of_matrices<Determinant<Kind, Log>>(numbers, factors, a);
  }
};

}  // namespace tapeless::operation
