#pragma once

#include <tapeless/operation/tensor/linear_algebra.hpp>

#include <string_view>

namespace tapeless {

namespace operation {

template <int Axis>
struct CumSum {
  static constexpr std::string_view name = "cumsum";
  static constexpr auto lower = [](auto& to, const auto& operand) { return to.cumsum(operand, Axis); };
};

template <int Axis>
struct CumProd {
  static constexpr std::string_view name = "cumprod";
  static constexpr auto lower = [](auto& to, const auto& operand) { return to.cumprod(operand, Axis); };
};

}  // namespace operation

/// The sums of the first, the first two, ... elements along an axis, `cumsum<0>(e)`, in this order; one pass. Its
/// adjoint is the same from the last element on.
template <int Axis, Symbolic E>
constexpr auto cumsum(const E& e) {
  return apply<operation::CumSum<Axis>>(e);
}

/// The products of the first, the first two, ... elements along an axis, `cumprod<0>(e)`. The derivatives are correct
/// if elements are 0. For n elements the time is proportional to n^2: each product is one of its own, as `prod`.
template <int Axis, Symbolic E>
constexpr auto cumprod(const E& e) {
  return apply<operation::CumProd<Axis>>(e);
}

}  // namespace tapeless
