#ifndef TAPELESS_GRADIENT_TENSOR_VJP_HPP
#define TAPELESS_GRADIENT_TENSOR_VJP_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/core/variable.hpp>
#include <tapeless/gradient/tensor.hpp>
#include <tapeless/gradient/vjp.hpp>
#include <tapeless/operation/axis_reduction.hpp>

#include <array>
#include <cstddef>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace tapeless {

/// The cotangent of a formula over tensors: a tensor of its shape, which stays where it is.
template <class Binding>
struct tensor_cotangent {
  Binding binding;
};
// For clang 16.
template <class Binding>
tensor_cotangent(const Binding&) -> tensor_cotangent<Binding>;

/// `cotangent(u)` with a tensor `u` that stays alive.
template <class Tensor>
  requires is_tensor<std::remove_cvref_t<Tensor>>
constexpr auto cotangent(Tensor&& tensor) {
  return tensor_cotangent{variable<"the cotangent"> = static_cast<Tensor&&>(tensor)};
}

/// The pullback of a formula over tensors as a function of its variables' values; made by `vjp`.
template <class F, class Variables, class Binding>
class tensor_vjp : public called_with_values<tensor_vjp<F, Variables, Binding>> {
  using weighted_sum = decltype(sum(std::declval<const F&>() * std::declval<const typename Binding::variable_type&>()));

 public:
  using source = detail::lowered<F>;
  using requested = Variables;
  static constexpr bool over_tensors = true;

  constexpr tensor_vjp(const F& wrapped, const Binding& given) : f_(wrapped), cotangent_(given) {}

 private:
  friend called_with_values<tensor_vjp>;
  F f_;
  Binding cotangent_;

  template <class... Bindings>
  auto run(const Bindings&... bindings) const {
    using values = detail::tensor_program<F, Bindings...>;
    constexpr int rank = tensor_traits<detail::bound_t<Binding>>::rank;
    constexpr bool of_one_rank = values::value_rank == rank;
    static_assert(of_one_rank, "tapeless: the cotangent of vjp has the rank of the formula");
    if constexpr (!of_one_rank) {
      return detail::no_result{};
    } else {
      // A cotangent is not broadcast, and nothing is broadcast to it.
      using evaluation = typename detail::tensor_evaluation<F>::template call<Bindings...>;
      const auto shape = evaluation::results::value_shape(f_, bindings...);
      const auto& given = detail::bound<typename Binding::value_type>::get(cotangent_.value);
      std::array<std::ptrdiff_t, program::max_rank> extents{};
      for (int i = 0; i < rank; ++i)
        extents[static_cast<std::size_t>(i)] = tensor_traits<detail::bound_t<Binding>>::extent(given, i);
      if (shape != extents)
        throw std::invalid_argument(
            "tapeless: the cotangent has the shape of the formula: " + detail::shape_text(shape, rank) +
            " and the cotangent " + detail::shape_text(extents, rank));
      return detail::tensor_gradient<weighted_sum, Variables, false, unconnected::structural_policy>::run(
          loops::sequential{}, sum(f_ * typename Binding::variable_type{}), bindings..., cotangent_);
    }
  }
};

/// The vector-Jacobian product over tensors: `vjp(tanh(dot(X, w)), wrt(w), cotangent(u))(X = x, w = v)` gives `g` with
/// `g[w]`, the derivatives of the sum of the formula's elements weighted by `u`, which has the formula's shape. By one
/// reverse sweep.
template <Expression F, class... Vs, class Binding>
constexpr auto vjp(const F& f, wrt_variables<Vs...>, const tensor_cotangent<Binding>& weights) {
  return tensor_vjp<F, wrt_variables<Vs...>, Binding>(f, weights.binding);
}
template <Expression F, class Binding>
constexpr auto vjp(const F& f, const tensor_cotangent<Binding>& weights) {
  return vjp(f, typename detail::formula_variables<F>::type{}, weights);
}

}  // namespace tapeless

#endif
