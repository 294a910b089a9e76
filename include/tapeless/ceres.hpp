#ifndef TAPELESS_CERES_HPP
#define TAPELESS_CERES_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

/// Cost functions of Ceres Solver whose derivatives are straight-line code.
#include <tapeless/gradient/function/function_call.hpp>
#include <tapeless/gradient/gradient.hpp>
#include <tapeless/gradient/jacobian.hpp>
#include <tapeless/gradient/refused.hpp>
#include <tapeless/interop/parameter_blocks.hpp>

#include <ceres/cost_function.h>
#include <ceres/first_order_function.h>
#include <ceres/sized_cost_function.h>

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tapeless {

/// A residual as Ceres calls it; made by `cost_function`.
template <class F, class Data, int Residuals, int... Blocks>
class ceres_cost_function;
template <class F, class... Data, int Residuals, int... Blocks>
class ceres_cost_function<F, std::tuple<Data...>, Residuals, Blocks...>
    : public ceres::SizedCostFunction<Residuals, Blocks...> {
  using call = detail::block_call<F, std::tuple<Data...>, Blocks...>;
  std::tuple<Data...> data_;

 public:
  explicit ceres_cost_function(const Data&... data) : data_(data...) {}

  bool Evaluate(const double* const* parameters, double* residuals, double** jacobians) const override {
    if (jacobians)
      call::values_and_jacobian(parameters, data_, residuals, jacobians);
    else
      call::values(parameters, data_, residuals);
    return true;
  }
};

/// A function to minimise as Ceres calls it; made by `first_order_function`.
template <class F, class Data, int N>
class ceres_first_order_function : public ceres::FirstOrderFunction {
  using call = detail::block_call<F, Data, N>;
  Data data_;

 public:
  explicit ceres_first_order_function(const Data& data) : data_(data) {}

  bool Evaluate(const double* parameters, double* cost, double* gradient) const override {
    if (gradient)
      call::values_and_jacobian(&parameters, data_, cost, &gradient);
    else
      call::values(&parameters, data_, cost);
    return true;
  }
  int NumParameters() const override { return N; }
};

/// A cost function for `ceres::Problem::AddResidualBlock`, which takes ownership, as with Ceres's AutoDiffCostFunction.
/// `cost_function<2, 9, 3>(f, seen)` has 2 residuals, and parameter blocks of 9 and 3 numbers. `f` is called with a
/// `std::array` for each block, then the data, which are constants. It returns a `std::array` of the residuals, or one
/// number. No derivatives are computed if Ceres wants only residuals.
template <int Residuals, int... Blocks, Function F, class... Data>
ceres::CostFunction* cost_function(const F&, const Data&... data) {
  using call = detail::block_call<F, std::tuple<Data...>, Blocks...>;
  static_assert(call::fits,
                "tapeless: the function does not accept what cost_function<residuals, blocks...> passes, a std::array "
                "for each block and the data; call jacobian(f) with these to see the error");
  if constexpr (call::fits) {
    static_assert(call::rows == Residuals,
                  "tapeless: cost_function: the function returns a different number of residuals");
    if constexpr (call::rows == Residuals)
      return new ceres_cost_function<F, std::tuple<Data...>, Residuals, Blocks...>(data...);
  }
  return nullptr;
}

/// A function for `ceres::GradientProblem`, which takes ownership. For `first_order_function<3>(f, data...)`, `f` is
/// called with a `std::array` of 3 numbers and the data.
template <int N, Function F, class... Data>
ceres::FirstOrderFunction* first_order_function(const F&, const Data&... data) {
  using call = detail::block_call<F, std::tuple<Data...>, N>;
  static_assert(call::fits && call::rows == 1,
                "tapeless: first_order_function<n> needs a function that takes a std::array of n numbers and the data "
                "and returns one number; call gradient(f) with these to see the error");
  if constexpr (call::fits)
    if constexpr (call::rows == 1)
      return new ceres_first_order_function<F, std::tuple<Data...>, N>(std::tuple<Data...>(data...));
  return nullptr;
}

}  // namespace tapeless

#endif
