#pragma once

#include <tapeless/operation/matrix/factorization.hpp>
#include <tapeless/operation/scalar/arithmetic.hpp>

#include <string_view>
#include <utility>

namespace tapeless::operation {

template <class Kind>
struct Solve;

/// x - f / f', a step of Newton's method for a number; for a vector, where f' is a matrix, LAPACK solves the system.
struct NewtonStep {
  static constexpr std::string_view name = "newton_step";
  static constexpr bool of_tensors = true;
  template <class Lowering, class Value, class Kind = general>
  static constexpr Value lower(Lowering& to, const Value& x, const Value& f, const Value& slope) {
    Value quotient[] = {f, slope};
    if (slope.rank == 0)
      quotient[0] = to.template apply<Divide>(quotient, std::make_index_sequence<2>{});
    else if constexpr (requires { Solve<Kind>::of_tensors; })
      quotient[0] = Solve<Kind>::lower(to, slope, f);
    else
      to.problem = decltype(to.problem)::system_without_lapack;
    Value difference[] = {x, quotient[0]};
    return to.template apply<Subtract>(difference, std::make_index_sequence<2>{});
  }
};

}  // namespace tapeless::operation
