#pragma once
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

/// Cost functions of Ceres Solver whose derivatives are straight-line code.
#include <tapeless/interop/parameter_blocks.hpp>
#include <tapeless/tapeless.hpp>

#include <ceres/cost_function.h>
#include <ceres/first_order_function.h>
#include <ceres/types.h>

#include <cstddef>
#include <stdexcept>
#include <utility>

namespace tapeless {

/// A residual as Ceres calls it; made by `cost_function`.
template <class Bound, int... Blocks>
class ceres_cost_function : public ceres::CostFunction {
  using call = detail::block_call<Bound, Blocks...>;
  Bound function_;
  typename call::sizes_type sizes_;

 public:
  ceres_cost_function(const Bound& function, const typename call::sizes_type& sizes, int residuals)
      : function_(function), sizes_(sizes) {
    set_num_residuals(static_cast<int>(call::count_rows(function_, sizes)));
    if (residuals >= 0 && residuals != num_residuals())
      tapeless::detail::raise<std::invalid_argument>(
          {"the function returns ", num_residuals(), " residuals, and the cost function has ", residuals});
    mutable_parameter_block_sizes()->assign(sizes.begin(), sizes.end());
  }

  bool Evaluate(const double* const* parameters, double* residuals, double** jacobians) const override {
    call::evaluate(function_, parameters, sizes_, residuals, static_cast<std::size_t>(num_residuals()), jacobians);
    return true;
  }
};

/// A function to minimise as Ceres calls it; made by `first_order_function`.
template <class Bound, int N>
class ceres_first_order_function : public ceres::FirstOrderFunction {
  using call = detail::block_call<Bound, N>;
  Bound function_;
  typename call::sizes_type size_;

 public:
  ceres_first_order_function(const Bound& function, int size) : function_(function), size_{size} {
    static_cast<void>(call::count_rows(function_, size_));
  }

  bool Evaluate(const double* parameters, double* cost, double* gradient) const override {
    call::evaluate(function_, &parameters, size_, cost, 1, gradient ? &gradient : nullptr);
    return true;
  }
  int NumParameters() const override { return size_[0]; }
};

/// A cost function for `ceres::Problem::AddResidualBlock`, which takes ownership, as with Ceres's AutoDiffCostFunction.
/// `cost_function<2, 9, 3>(f, seen)` has 2 residuals, and parameter blocks of 9 and 3 numbers. `f` is called with a
/// `std::array` for each block, then the data, which are constants: they are copied, or with `std::ref(data)` read
/// where they lie. It returns a `std::array` of the residuals, or one number, or with `ceres::DYNAMIC` residuals a
/// vector. No derivatives are computed if Ceres wants only residuals. Throws `std::invalid_argument` if the sizes of
/// the data do not fit: where there are such, f is called once with zeros.
template <int Residuals, int... Blocks, class F, class... Data>
ceres::CostFunction* cost_function(const F& f, const Data&... data) {
  using bound = detail::with_data_t<F, Data...>;
  using call = detail::block_call<bound, Blocks...>;
  if constexpr (call::fits) {
    static_assert(Residuals < 0 || call::rows == 0 || static_cast<int>(call::rows) == Residuals,
                  "tapeless: cost_function: the function returns a different number of residuals [TL221]");
    return new ceres_cost_function<bound, Blocks...>(detail::with_data(f, data...), call::sizes, Residuals);
  } else {
    return nullptr;
  }
}

/// A cost function as `cost_function` makes it, with parameter blocks whose sizes are known at run time:
/// `dynamic_cost_function(f, {3, n}, data...)`. `f` is called with a vector for each block.
template <class F, std::size_t Count, class... Data>
ceres::CostFunction* dynamic_cost_function(const F& f, const int (&sizes)[Count], const Data&... data) {
  return [&]<std::size_t... B>(std::index_sequence<B...>) -> ceres::CostFunction* {
    using bound = detail::with_data_t<F, Data...>;
    if constexpr (detail::block_call<bound, (B < Count ? ceres::DYNAMIC : 0)...>::fits)
      return new ceres_cost_function<bound, (B < Count ? ceres::DYNAMIC : 0)...>(detail::with_data(f, data...),
                                                                                 std::to_array(sizes), ceres::DYNAMIC);
    else
      return nullptr;
  }(std::make_index_sequence<Count>{});
}

namespace detail {

template <int N, class F, class... Data>
ceres::FirstOrderFunction* make_first_order_function(int size, const F& f, const Data&... data) {
  using bound = with_data_t<F, Data...>;
  using call = block_call<bound, N>;
  if constexpr (call::fits) {
    static_assert(call::rows == 1, "tapeless: first_order_function needs a function that returns one number [TL222]");
    return new ceres_first_order_function<bound, N>(with_data(f, data...), size);
  } else {
    return nullptr;
  }
}

}  // namespace detail

/// A function for `ceres::GradientProblem`, which takes ownership. For `first_order_function<3>(f, data...)`, `f` is
/// called with a `std::array` of 3 numbers and the data; for `first_order_function(f, n, data...)`, with a vector of n.
template <int N, class F, class... Data>
ceres::FirstOrderFunction* first_order_function(const F& f, const Data&... data) {
  return detail::make_first_order_function<N>(N, f, data...);
}
template <class F, class... Data>
ceres::FirstOrderFunction* first_order_function(const F& f, int n, const Data&... data) {
  return detail::make_first_order_function<ceres::DYNAMIC>(n, f, data...);
}

}  // namespace tapeless
