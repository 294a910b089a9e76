#pragma once

#include <tapeless/interop/lapack/factors.hpp>

#include <limits>
#include <string_view>
#include <type_traits>

/// Solutions of linear systems by factors; their derivatives are solutions by the same factors: Giles (2008).
namespace tapeless::operation {

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
