#pragma once

#include <tapeless/core/target.hpp>
#include <tapeless/gradient/number_type.hpp>
#include <tapeless/gradient/outputs.hpp>
#include <tapeless/gradient/problem.hpp>
#include <tapeless/gradient/tensor/storage.hpp>
#include <tapeless/program/lower/lower_tensors.hpp>
#include <tapeless/program/pass/verbs_inside.hpp>

#include <cstddef>
#include <type_traits>

namespace tapeless::detail::inline TAPELESS_TARGET {

template <class Binding, class Traits = tensor_traits<bound_t<Binding>>,
          class Leaf = typename leaf_of_traits<typename Binding::variable_type, Traits>::type>
using bound_leaf = std::conditional_t<requires { requires Traits::of_batch; }, program::batch_leaf<Leaf>, Leaf>;
/// The formulas of an operand over tensors.
template <class F>
using formulas_of = std::conditional_t<is_outputs<F>, F, output_list<F>>;
template <class F, class... Bindings>
using tensor_lowering = program::lower_tensors<formulas_of<F>, bound_leaf<Bindings>...>;

template <class... Bindings>
struct tensor_number {
  template <class B>
  using element = typename tensor_traits<bound_t<B>>::element;
  template <class B>
  using tensor_element = std::conditional_t<tensor_traits<bound_t<B>>::rank == 0, int, element<B>>;
  static constexpr bool any_real_tensor = (Real<tensor_element<Bindings>> || ...);
  using type = std::conditional_t<any_real_tensor, common_real_t<tensor_element<Bindings>...>,
                                  common_real_t<element<Bindings>...>>;
};

template <program::tensor_problem Problem, class F>
constexpr bool has_no_problem() {
  if constexpr (Problem != program::tensor_problem::none) report<error::at<Problem, F>>();
  return true;
}

/// What the verbs have in common for the formulas, or the function, `F` with tensors bound to its variables.
template <class F, class... Bindings>
struct tensor_program {
  using lowering = tensor_lowering<F, Bindings...>;
  // The public function reports what is wrong with its operand; here, what only a derivative of a loop's step has.
  static_assert(has_no_problem<lowering::problem, F>());

  using source = program::verbs_resolved_t<program::frozen<lowering>>;
  /// The same program with explicit axes, for calls whose extents do not fit the loops.
  using explicit_lowering = program::lower_tensors_explicitly<formulas_of<F>, bound_leaf<Bindings>...>;
  /// Only of a lowering without a problem a program is looked at: others are cut short.
  using explicit_source =
      typename program::verbs_resolved<program::frozen<explicit_lowering>,
                                       explicit_lowering::problem == program::tensor_problem::none &&
                                           !std::is_same_v<source, program::frozen<lowering>>>::type;
  using T = typename tensor_number<Bindings...>::type;
  static constexpr std::size_t outputs = source::value.outputs.size();
  static constexpr int rank_of(std::size_t output) {
    return source::value.accesses[static_cast<std::size_t>(program::access_of_output<source>(output))].rank;
  }
  /// The extent of an output that the types tell: -1 where only the call knows.
  static constexpr std::ptrdiff_t extent_of(std::size_t output, std::size_t position) {
    const int id =
        source::value.accesses[static_cast<std::size_t>(program::access_of_output<source>(output))].axes[position];
    std::ptrdiff_t result = id < 0 ? 1 : -1;
    const auto look = [&](int variable, const auto& extents) {
      for (const program::tensor_access& access : source::value.accesses)
        for (std::size_t i = 0; access.is_variable() && access.of == variable && i < extents.size(); ++i)
          if (access.axes[i] == id && extents[i] > 1) result = extents[i];
    };
    if (id >= 0)
      (look(variable_index(source::value, Bindings::variable_type::name), bound_leaf<Bindings>::extents), ...);
    return result;
  }

  template <class V, class B>
  static constexpr auto pick() {
    if constexpr (std::is_same_v<typename B::variable_type, V>)
      return std::type_identity<typename tensor_traits<bound_t<B>>::template result<T>>{};
    else
      return std::type_identity<void>{};
  }
  template <class V>
  static constexpr auto find_shaped() {
    using found = typename decltype(first_problem(pick<V, Bindings>()...))::type;
    return std::type_identity<std::conditional_t<std::is_void_v<found>, T, found>>{};
  }
  /// A container of the shape of a variable; a number if it is not bound.
  template <class V>
  using shaped = typename decltype(find_shaped<V>())::type;
};

/// Whether cotangents have the shapes of the outputs of `Operand`, as far as the types tell. A fixed extent of 1 is
/// left to the call: an output that is broadcast elsewhere may have it too.
template <class Operand, class Cotangent>
constexpr bool has_shape_of(std::size_t output) {
  using traits = tensor_traits<Cotangent>;
  bool result = traits::rank == Operand::rank_of(output);
  for (std::size_t i = 0; result && i < traits::extents.size(); ++i)
    if (const std::ptrdiff_t extent = Operand::extent_of(output, i); extent >= 0 && traits::extents[i] >= 0)
      result = traits::extents[i] == 1 || traits::extents[i] == extent;
  return result;
}
template <class Operand, class Seeds>
inline constexpr bool have_shapes_of = true;
template <class Operand, class... Seeds>
inline constexpr bool have_shapes_of<Operand, std::tuple<Seeds...>> = [] {
  std::size_t output = 0;
  return (has_shape_of<Operand, bound_t<Seeds>>(output++) && ...);
}();

}  // namespace tapeless::detail::inline TAPELESS_TARGET
