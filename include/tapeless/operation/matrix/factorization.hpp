#pragma once

#include <tapeless/core/stop_gradient.hpp>
#include <tapeless/core/target.hpp>
#include <tapeless/math/math.hpp>
#include <tapeless/operation/matrix/matrix.hpp>
#include <tapeless/operation/scalar/arithmetic.hpp>
#include <tapeless/operation/scalar/exponential.hpp>
#include <tapeless/operation/scalar/selection.hpp>

#include <array>
#include <cstddef>
#include <type_traits>

/// Determinants, inverses and linear systems of small matrices, for plain numbers and for values in a traced function.
/// Pivots are selected by conditional exchanges, since comparisons have no value while a function is traced.
namespace tapeless {

// Types, which a user's variable of the same name does not shadow.
/// `solve_triangular<lower>(l, b)` and `<upper>`: which half of a triangular matrix is read.
struct lower {};
struct upper {};

/// `solve<general>(a, b)`, the default: nothing is known about the square matrix.
struct general {};
/// `solve<positive_definite>(a, b)`: the matrix is symmetric and positive definite. Only the lower triangle is read, by
/// Cholesky factorisation.
struct positive_definite {};

namespace detail::inline TAPELESS_TARGET {

template <class T, class C>
constexpr T choose(const C& condition, const T& a, const T& b) {
  return where(condition, a, b);
}
template <class T>
constexpr T magnitude(const T& x) {
  return choose<T>(x < T(0), -x, x);
}

/// x - a b, which with the infinities and NaN of a singular matrix is a constant expression too: for plain numbers,
/// only functions and `apply` give them there, not operators.
template <class T>
constexpr T less_product(const T& x, const T& a, const T& b) {
  if constexpr (Symbolic<T>)
    return x - a * b;
  else
    return math::subtract_product(a, b, x);
}

template <class U, class T, std::size_t R, std::size_t C>
constexpr matrix<U, R, C> entries_as(const matrix<T, R, C>& a) {
  matrix<U, R, C> result{};
  for (std::size_t i = 0; i < R; ++i)
    for (std::size_t j = 0; j < C; ++j) result[i][j] = U(a[i][j]);
  return result;
}
/// A vector as a matrix of one column, and back.
template <class U, class T, std::size_t N>
constexpr matrix<U, N, 1> as_column(const std::array<T, N>& b) {
  matrix<U, N, 1> result{};
  for (std::size_t i = 0; i < N; ++i) result[i][0] = U(b[i]);
  return result;
}
template <class T, std::size_t N>
constexpr std::array<T, N> from_column(const matrix<T, N, 1>& b) {
  std::array<T, N> result{};
  for (std::size_t i = 0; i < N; ++i) result[i] = b[i][0];
  return result;
}

/// Gauss's elimination: `a` becomes upper triangular, but for the entries below its diagonal, which are not written.
/// The pivot, the largest of its column, comes up by exchanges. Returns the sign of the permutation.
template <class T, std::size_t N, std::size_t M>
constexpr T eliminate(matrix<T, N, N>& a, matrix<T, N, M>& b) {
  const auto exchange = [](const auto& condition, T& first, T& second) {
    const T was = first;
    first = choose<T>(condition, second, was);
    second = choose<T>(condition, was, second);
  };
  T sign(1);
  for (std::size_t k = 0; k < N; ++k) {
    for (std::size_t i = k + 1; i < N; ++i) {
      const auto is_larger = magnitude(a[i][k]) > magnitude(a[k][k]);
      for (std::size_t j = k; j < N; ++j) exchange(is_larger, a[k][j], a[i][j]);
      for (std::size_t j = 0; j < M; ++j) exchange(is_larger, b[k][j], b[i][j]);
      sign = choose<T>(is_larger, -sign, sign);
    }
    const T inverse = apply<operation::Divide>(T(1), a[k][k]);
    for (std::size_t i = k + 1; i < N; ++i) {
      const T factor = apply<operation::Multiply>(a[i][k], inverse);
      for (std::size_t j = k + 1; j < N; ++j) a[i][j] = less_product(a[i][j], factor, a[k][j]);
      for (std::size_t j = 0; j < M; ++j) b[i][j] = less_product(b[i][j], factor, b[k][j]);
    }
  }
  return sign;
}

/// Replaces `b` by the solution of a x = b, a's other triangle taken for zeros. `transposed`: of a' x = b.
template <class Part, bool Transposed = false, class T, std::size_t N, std::size_t M>
constexpr void substitute(const matrix<T, N, N>& a, matrix<T, N, M>& b) {
  constexpr bool forward = std::is_same_v<Part, lower> != Transposed;
  for (std::size_t step = 0; step < N; ++step) {
    const std::size_t i = forward ? step : N - 1 - step;
    const T inverse = apply<operation::Divide>(T(1), a[i][i]);
    for (std::size_t m = 0; m < M; ++m) {
      T left = b[i][m];
      for (std::size_t done = 0; done < step; ++done) {
        const std::size_t j = forward ? done : N - 1 - done;
        left = less_product(left, Transposed ? a[j][i] : a[i][j], b[j][m]);
      }
      b[i][m] = apply<operation::Multiply>(left, inverse);
    }
  }
}

template <class Kind, class T, std::size_t N, std::size_t M>
constexpr matrix<T, N, M> solved(matrix<T, N, N> a, matrix<T, N, M> b);

}  // namespace detail::inline TAPELESS_TARGET

inline namespace TAPELESS_TARGET {

/// The lower triangular L with L L' = a of a symmetric positive definite matrix. Only the lower triangle is read, and
/// derivatives are with respect to it. Above the diagonal L is 0. If `a` is not positive definite, L is NaN (or, if a
/// pivot is exactly 0, not finite) from the column of that pivot on.
template <Operand E, std::size_t N, std::size_t M>
constexpr auto cholesky(const std::array<std::array<E, M>, N>& a) {
  static_assert(N == M, "tapeless: cholesky needs a square matrix [TL137]");
  using T = detail::real_entry_t<E>;
  detail::matrix<T, N, N> l{};
  for (std::size_t i = 0; i < N; ++i)
    for (std::size_t j = i + 1; j < N; ++j) l[i][j] = detail::known<T, 0>();
  for (std::size_t j = 0; j < (N < M ? N : M); ++j) {
    T pivot(a[j][j]);
    for (std::size_t k = 0; k < j; ++k) pivot = detail::less_product(pivot, l[j][k], l[j][k]);
    l[j][j] = sqrt(pivot);
    const T inverse = apply<operation::Divide>(T(1), l[j][j]);
    for (std::size_t i = j + 1; i < N; ++i) {
      T left(a[i][j]);
      for (std::size_t k = 0; k < j; ++k) left = detail::less_product(left, l[i][k], l[j][k]);
      l[i][j] = apply<operation::Multiply>(left, inverse);
    }
  }
  return l;
}

/// The solution of a x = b, where `a` is `lower` or `upper` triangular: `solve_triangular<lower>(l, b)`. The other
/// triangle is not read. `b` is a vector, or a matrix whose columns are solved for. The result is not finite if a
/// diagonal entry is 0.
template <class Part, Operand A, Operand B, std::size_t N, std::size_t C, std::size_t R, std::size_t M>
constexpr auto solve_triangular(const std::array<std::array<A, C>, N>& a, const std::array<std::array<B, M>, R>& b) {
  static_assert(N == C, "tapeless: solve_triangular needs a square matrix [TL138]");
  static_assert(N == R, "tapeless: solve_triangular needs a right-hand side with as many rows as the matrix [TL139]");
  using T = detail::real_entry_t<detail::common_entry_t<A, B>>;
  auto x = detail::entries_as<T>(b);
  if constexpr (N == C && N == R) detail::substitute<Part>(detail::entries_as<T>(a), x);
  return x;
}
template <class Part, Operand A, Operand B, std::size_t N, std::size_t C, std::size_t R>
constexpr auto solve_triangular(const std::array<std::array<A, C>, N>& a, const std::array<B, R>& b) {
  return detail::from_column(solve_triangular<Part>(a, detail::as_column<detail::common_entry_t<A, B>>(b)));
}

/// The determinant. Up to 4 x 4 it is a polynomial of the entries, without a division: its error is a few rounding
/// units of the sum of the magnitudes of its terms, and its derivatives are correct for singular matrices too. From 5 x
/// 5 on it uses elimination with pivoting, and is NaN if a pivot other than the last is exactly 0.
template <Operand E, std::size_t N, std::size_t M>
constexpr auto det(const std::array<std::array<E, M>, N>& a) {
  static_assert(N == M && N > 0, "tapeless: det needs a square matrix [TL140]");
  using T = detail::real_entry_t<E>;
  if constexpr (N != M) {
    return T(0);
  } else if constexpr (!std::is_same_v<T, E>) {
    return det(detail::entries_as<T>(a));
  } else if constexpr (N == 1) {
    return a[0][0];
  } else if constexpr (N <= 4) {
    // The minors of the last two rows, and those of the first ones.
    const auto minor_of = [&](std::size_t row, std::size_t i, std::size_t j) -> T {
      return a[row][i] * a[row + 1][j] - a[row][j] * a[row + 1][i];
    };
    if constexpr (N == 2)
      return minor_of(0, 0, 1);
    else if constexpr (N == 3)
      return T(a[0][0] * minor_of(1, 1, 2) - a[0][1] * minor_of(1, 0, 2) + a[0][2] * minor_of(1, 0, 1));
    else
      return T(minor_of(0, 0, 1) * minor_of(2, 2, 3) - minor_of(0, 0, 2) * minor_of(2, 1, 3) +
               minor_of(0, 0, 3) * minor_of(2, 1, 2) + minor_of(0, 1, 2) * minor_of(2, 0, 3) -
               minor_of(0, 1, 3) * minor_of(2, 0, 2) + minor_of(0, 2, 3) * minor_of(2, 0, 1));
  } else {
    auto u = detail::entries_as<T>(a);
    detail::matrix<T, N, 0> none{};
    T product = detail::eliminate(u, none);
    for (std::size_t i = 0; i < N; ++i) product = apply<operation::Multiply>(product, u[i][i]);
    return product;
  }
}

/// The logarithm of the determinant, without overflow. It is NaN if the determinant is negative, and -infinity or NaN
/// if it is 0. `log_det<positive_definite>(a)` uses Cholesky factorisation: it is cheaper, and NaN unless `a` is
/// positive definite.
template <class Kind = general, Operand E, std::size_t N, std::size_t M>
constexpr auto log_det(const std::array<std::array<E, M>, N>& a) {
  static_assert(N == M && N > 0, "tapeless: log_det needs a square matrix [TL141]");
  using T = detail::real_entry_t<E>;
  T sum(0);
  if constexpr (N == M && std::is_same_v<Kind, positive_definite>) {
    const auto l = cholesky(a);
    for (std::size_t i = 0; i < N; ++i) sum = apply<operation::Add>(sum, log(l[i][i]));
    sum = apply<operation::Multiply>(T(2), sum);
  } else if constexpr (N == M) {
    auto u = detail::entries_as<T>(a);
    detail::matrix<T, N, 0> none{};
    T sign = detail::eliminate(u, none);
    for (std::size_t i = 0; i < N; ++i) {
      const auto is_negative = u[i][i] < T(0);
      sign = detail::choose<T>(is_negative, -sign, sign);
      sum = apply<operation::Add>(sum, log(detail::choose<T>(is_negative, -u[i][i], u[i][i])));
    }
    sum = apply<operation::Add>(sum, log(sign));
  }
  return sum;
}

/// The solution of a x = b, for a vector `b` or for each column of a matrix. Up to 2 x 2 it uses Cramer's rule,
/// otherwise elimination with partial pivoting, which is backward stable in practice. `solve<positive_definite>(a, b)`
/// uses Cholesky factorisation. If `a` is singular, or with `positive_definite` is not positive definite, the result is
/// not finite. As in every such method, rounding can hide that a matrix is singular.
template <class Kind = general, Operand A, Operand B, std::size_t N, std::size_t C, std::size_t R, std::size_t M>
constexpr auto solve(const std::array<std::array<A, C>, N>& a, const std::array<std::array<B, M>, R>& b) {
  static_assert(N == C, "tapeless: solve needs a square matrix [TL142]");
  static_assert(N == R, "tapeless: solve needs a right-hand side with as many rows as the matrix [TL143]");
  using T = detail::real_entry_t<detail::common_entry_t<A, B>>;
  if constexpr (N == C && N == R)
    return detail::solved<Kind>(detail::entries_as<T>(a), detail::entries_as<T>(b));
  else
    return detail::matrix<T, R, M>{};
}
template <class Kind = general, Operand A, Operand B, std::size_t N, std::size_t C, std::size_t R>
constexpr auto solve(const std::array<std::array<A, C>, N>& a, const std::array<B, R>& b) {
  return detail::from_column(solve<Kind>(a, detail::as_column<detail::common_entry_t<A, B>>(b)));
}

/// The inverse. Up to 3 x 3 it uses cofactors, whose relative error can reach the rounding unit times the square of the
/// condition number, otherwise elimination with partial pivoting. `inverse<positive_definite>(a)` uses Cholesky
/// factorisation. The result is not finite if `a` is singular. `solve(a, b)` is cheaper and more accurate than
/// inverse(a) times b.
template <class Kind = general, Operand E, std::size_t N, std::size_t M>
constexpr auto inverse(const std::array<std::array<E, M>, N>& a) {
  static_assert(N == M && N > 0, "tapeless: inverse needs a square matrix [TL144]");
  using T = detail::real_entry_t<E>;
  if constexpr (N != M) {
    return detail::matrix<T, N, M>{};
  } else if constexpr (N == 3 && std::is_same_v<Kind, general>) {
    auto m = detail::entries_as<T>(a);
    // Of the matrix over its size, a constant of which the inverse does not depend: the square of a determinant, which
    // derivatives take, would leave the range early.
    T size(0);
    for (const auto& row : m)
      for (const T& entry : row) size = size + detail::magnitude(entry);
    const T unit = stop_gradient(T(1) / size);
    for (auto& row : m)
      for (T& entry : row) entry = entry * unit;
    detail::matrix<T, 3, 3> cofactors{};
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) {
        const std::size_t r = (j + 1) % 3, s = (j + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
        cofactors[i][j] = m[r][c] * m[s][d] - m[r][d] * m[s][c];
      }
    const T scale = apply<operation::Divide>(
        unit, T(m[0][0] * cofactors[0][0] + m[0][1] * cofactors[1][0] + m[0][2] * cofactors[2][0]));
    for (auto& row : cofactors)
      for (T& entry : row) entry = apply<operation::Multiply>(entry, scale);
    return cofactors;
  } else {
    return solve<Kind>(a, identity<T, N>());
  }
}

}  // namespace TAPELESS_TARGET

namespace detail::inline TAPELESS_TARGET {

template <class Kind, class T, std::size_t N, std::size_t M>
constexpr matrix<T, N, M> solved(matrix<T, N, N> a, matrix<T, N, M> b) {
  if constexpr (std::is_same_v<Kind, positive_definite>) {
    const auto l = cholesky(a);
    substitute<lower>(l, b);
    substitute<lower, true>(l, b);
  } else if constexpr (N == 2) {
    // Quotients: the derivative of a common factor 1 / det, its square, leaves the range where entries are below 1e-77.
    const T d = det(a);
    for (std::size_t m = 0; m < M; ++m) {
      const T first = b[0][m], second = b[1][m];
      b[0][m] = apply<operation::Divide>(T(a[1][1] * first - a[0][1] * second), d);
      b[1][m] = apply<operation::Divide>(T(a[0][0] * second - a[1][0] * first), d);
    }
  } else {
    static_cast<void>(eliminate(a, b));
    substitute<upper>(a, b);
  }
  return b;
}

}  // namespace detail::inline TAPELESS_TARGET

}  // namespace tapeless
