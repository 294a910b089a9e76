#pragma once
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

/// Large matrices: `cholesky`, `solve` and similar operations on tensors, in formulas and functions, computed by
/// LAPACK. The last two axes are rows and columns. The operations apply to each matrix along the other axes, which are
/// broadcast. Products, `dot(a, b)`, use BLAS, as with cblas.hpp. Include this header before a formula is evaluated, in
/// all translation units or in none, and link LAPACKE and a BLAS library with the C interface.
#include <tapeless/interop/lapack/determinant.hpp>
#include <tapeless/interop/lapack/factors.hpp>

namespace tapeless {

/// The lower triangular L with L L' = a of symmetric positive definite matrices. Only the lower triangle is read, and
/// derivatives are with respect to it. A matrix that is not positive definite gives NaN in all entries. Cost: n^3/3
/// operations, the adjoint 3 n^3. If you only need solutions, `solve<positive_definite>` and
/// `log_det<positive_definite>` are faster.
template <Symbolic A>
constexpr auto cholesky(const A& a) {
  return apply<operation::Cholesky>(a);
}

/// The solution of a x = b, where `a` is `lower` or `upper` triangular; its other triangle is not read. `b` is a
/// vector, or has matrices, whose columns are solved for. The result is not finite if a diagonal entry is 0.
template <class Part, Operand A, Operand B>
  requires(Symbolic<A> || Symbolic<B>)
constexpr auto solve_triangular(const A& a, const B& b) {
  return apply<operation::SolveTriangular<Part>>(a, b);
}

/// The solution of a x = b, for a vector `b` or for each column of matrices, by elimination with partial pivoting.
/// `solve<positive_definite>(a, b)` uses the Cholesky factorisation of the lower triangle. The result is NaN if a pivot
/// is exactly 0, or with `positive_definite` if the matrix is not. Each matrix is factorised once for everything
/// computed with it, derivatives included.
template <class Kind = general, Operand A, Operand B>
  requires(Symbolic<A> || Symbolic<B>)
constexpr auto solve(const A& a, const B& b) {
  return apply<operation::Solve<Kind>>(a, b);
}

/// The inverse; NaN under the same conditions as `solve`. `solve(a, b)` is cheaper and more accurate than inverse(a)
/// times b.
template <class Kind = general, Symbolic A>
constexpr auto inverse(const A& a) {
  return apply<operation::Inverse<Kind>>(a);
}

/// The determinant. For singular matrices, first derivatives are correct, and second derivatives are NaN.
template <Symbolic A>
constexpr auto det(const A& a) {
  return apply<operation::Det<general, false>>(a);
}

/// The logarithm of the determinant, without overflow. It is NaN if the determinant is negative, and -infinity with a
/// NaN derivative if a pivot is exactly 0. `log_det<positive_definite>(a)` uses the Cholesky factorisation of the lower
/// triangle, and is NaN unless `a` is positive definite.
template <class Kind = general, Symbolic A>
constexpr auto log_det(const A& a) {
  return apply<operation::Det<Kind, true>>(a);
}

/// Rejected: the derivatives of eigenvectors and singular vectors divide by the differences of the values. So they do
/// not exist where two values are equal, and have no correct digit nearby.
#define TAPELESS_REFUSED_DECOMPOSITION(NAME)                                                                           \
  template <Symbolic A>                                                                                                \
  constexpr A NAME(const A& a) {                                                                                       \
    static_assert(detail::always_false<A>,                                                                             \
                  "tapeless: " #NAME                                                                                   \
                  " has no derivatives where values repeat; use solve, det, log_det or inverse instead, or compute "   \
                  "it outside and bind the result as a constant [TL170]");                                             \
    return a;                                                                                                          \
  }
TAPELESS_REFUSED_DECOMPOSITION(eigh)
TAPELESS_REFUSED_DECOMPOSITION(svd)
#undef TAPELESS_REFUSED_DECOMPOSITION

}  // namespace tapeless
