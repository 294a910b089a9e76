#ifndef TAPELESS_LAPACK_HPP
#define TAPELESS_LAPACK_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

/// Large matrices: `cholesky`, `solve` and their like of tensors, in formulas and functions, computed by LAPACK. The
/// last two axes are rows and columns; each matrix along the others is taken by itself, and those axes are broadcast.
/// Products, `dot(a, b)`, are BLAS's, as with cblas.hpp. Include this before a formula is evaluated, in all translation
/// units or in none, and link LAPACKE and a BLAS library with the C interface.
#include <tapeless/interop/lapack/determinant.hpp>
#include <tapeless/interop/lapack/solve.hpp>

namespace tapeless {

/// The lower triangular L with L L' = a of symmetric positive definite matrices, of which the lower triangle is read:
/// derivatives are by that alone. A matrix that is not positive definite gives NaN throughout. n^3/3 operations, its
/// adjoint 3 n^3: where it is only solved with, `solve<positive_definite>` and `log_det<positive_definite>` are faster.
template <Symbolic A>
constexpr auto cholesky(const A& a) {
  return apply<operation::Cholesky>(a);
}

/// The solution of a x = b, where `a` is `lower` or `upper` triangular: its other triangle is not read. `b` is a vector
/// or has matrices, whose columns are solved for. Not finite where a diagonal entry is 0.
template <class Part, Operand A, Operand B>
  requires(Symbolic<A> || Symbolic<B>)
constexpr auto solve_triangular(const A& a, const B& b) {
  return apply<operation::SolveTriangular<Part>>(a, b);
}

/// The solution of a x = b, for a vector `b` or for each column of matrices, by elimination with partial pivoting, or,
/// `solve<positive_definite>(a, b)`, by Cholesky's factorisation of the lower triangle. NaN where a pivot is exactly 0,
/// or the matrix not positive definite if it is said to be. A matrix is factorised once, whatever else is computed
/// with it, derivatives included.
template <class Kind = general, Operand A, Operand B>
  requires(Symbolic<A> || Symbolic<B>)
constexpr auto solve(const A& a, const B& b) {
  return apply<operation::Solve<Kind>>(a, b);
}

/// The inverse, NaN where `solve` is. `solve(a, b)` is cheaper and more accurate than inverse(a) times b.
template <class Kind = general, Symbolic A>
constexpr auto inverse(const A& a) {
  return apply<operation::Inverse<Kind>>(a);
}

/// The determinant. Its first derivatives are right for singular matrices too; there, the second are NaN.
template <Symbolic A>
constexpr auto det(const A& a) {
  return apply<operation::Det<general, false>>(a);
}

/// The logarithm of the determinant without overflow: NaN where that is negative, -infinity where a pivot is exactly 0;
/// the derivative by such a matrix is NaN. `log_det<positive_definite>(a)` is by Cholesky's factorisation of the lower
/// triangle, NaN unless `a` is positive definite.
template <class Kind = general, Symbolic A>
constexpr auto log_det(const A& a) {
  return apply<operation::Det<Kind, true>>(a);
}

namespace detail {

template <class>
inline constexpr bool has_derivatives_everywhere = false;

}  // namespace detail

/// Refused: the derivatives of eigenvectors and singular vectors divide by the differences of the values, so they do
/// not exist where two are equal and have no correct digit nearby.
#define TAPELESS_REFUSED_DECOMPOSITION(NAME)                                                                           \
  template <Symbolic A>                                                                                                \
  constexpr A NAME(const A& a) {                                                                                       \
    static_assert(detail::has_derivatives_everywhere<A>,                                                               \
                  "tapeless: " #NAME                                                                                   \
                  " has no derivatives where values repeat; use solve, det, log_det or inverse instead, or compute "   \
                  "it outside and bind the result as a constant");                                                     \
    return a;                                                                                                          \
  }
TAPELESS_REFUSED_DECOMPOSITION(eigh)
TAPELESS_REFUSED_DECOMPOSITION(svd)
#undef TAPELESS_REFUSED_DECOMPOSITION

}  // namespace tapeless

#endif
