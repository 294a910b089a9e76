#pragma once

#include <tapeless/core/constant.hpp>
#include <tapeless/core/target.hpp>
#include <tapeless/core/variable.hpp>
#include <tapeless/evaluate/traced.hpp>
#include <tapeless/gradient/formula/lowered_formula.hpp>
#include <tapeless/gradient/problem.hpp>

#include <concepts>
#include <limits>
#include <type_traits>

namespace tapeless {

namespace detail {

/// Whether a value of a call is a tensor.
template <class T>
inline constexpr bool is_tensor_argument = false;
template <class V, class T>
inline constexpr bool is_tensor_argument<binding<V, T>> = is_bound_tensor<T>;
template <class T>
inline constexpr bool is_integer = std::numeric_limits<T>::is_integer;
template <class T>
  requires is_bound_tensor<T>
inline constexpr bool is_integer<T> = std::numeric_limits<typename T::tensor_type::value_type>::is_integer;

/// A verb of formulas over tensors: tensor_formula.hpp.
inline namespace TAPELESS_TARGET {
template <class Verb>
struct tensor_verb;
}

/// What is wrong with one of the values of a call; `void` if nothing.
template <class B>
constexpr auto argument_problem() {
  if constexpr (is_reported<B>)
    return wrong<mistake::reported, B>{};
  else if constexpr (Expression<B>)
    return wrong<mistake::argument_is_formula, B>{};
  else if constexpr (!is_binding<B>)
    return wrong<mistake::argument_is_no_binding, B>{};
  else if constexpr (!Numeric<typename B::value_type> && !is_bound_tensor<typename B::value_type> &&
                     !is_traced<typename B::value_type> && !is_constant<typename B::value_type>)
    return wrong<mistake::variable_bound_to_formula, typename B::variable_type>{};
  else
    return std::type_identity<void>{};
}
template <class B, class... Bindings, class... Vs, class... Us>
constexpr auto binding_problem(wrt_variables<Vs...> /*requested*/, wrt_variables<Us...> /*formula*/) {
  using V = typename B::variable_type;
  if constexpr ((0 + ... + std::same_as<V, typename Bindings::variable_type>) > 1)
    return wrong<mistake::variable_bound_twice, V>{};
  else if constexpr (!is_one_of<V, Us...> && !is_one_of<V, Vs...>)
    return wrong<mistake::variable_not_in_formula, V>{};
  else if constexpr (is_one_of<V, Vs...> && is_integer<typename B::value_type>)
    return wrong<mistake::derivative_by_integer, V>{};
  else
    return std::type_identity<void>{};
}
/// What is wrong with the values of a call of a program with the variables `Us`, differentiated by `Vs`, along tangents
/// of `Ds`.
template <class... Bindings, class... Vs, class... Us, class... Ds>
constexpr auto bindings_problem([[maybe_unused]] wrt_variables<Vs...> requested,
                                [[maybe_unused]] wrt_variables<Us...> formula,
                                [[maybe_unused]] wrt_variables<Ds...> directions) {
  return first_problem(
      binding_problem<binding<Ds, double>, binding<Ds, double>...>(directions, directions)...,
      wrong_unless<is_one_of<Ds, Us...>, mistake::tangent_not_in_formula, Ds>{}...,
      binding_problem<Bindings, Bindings...>(requested, formula)...,
      wrong_unless<is_one_of<Us, typename Bindings::variable_type...>, mistake::variable_without_value, Us>{}...);
}

template <class Source>
inline constexpr bool shares_too_much = false;
template <class... Fs>
inline constexpr bool shares_too_much<program::frozen<program::lower_formulas<Fs...>>> =
    is_one_of<error::formula_too_large, Fs...>;
/// Whether a variable of `G` may be bound to a tensor.
template <class G>
inline constexpr bool runs_over_tensors = requires { requires G::over_tensors; };

/// What is wrong with a call of `G`, which names its program (`source`), the variables it differentiates by
/// (`requested`) and the program it evaluates (`evaluated`). Each check rests on those before it.
template <class G, class... Bindings>
constexpr auto call_problem() {
  using source = typename G::source;
  using requested = typename G::requested;
  using arguments = decltype(first_problem(argument_problem<Bindings>()...));
  if constexpr (!std::is_void_v<typename arguments::type>)
    return arguments{};
  else if constexpr (shares_too_much<source>)
    return wrong<mistake::formula_shares_too_much, requested>{};
  else if constexpr (program::problem_of<source> != program::fault::none)
    return size_problem<source>();
  else {
    using variables = typename all_variables<source>::type;
    using bindings = decltype(bindings_problem<Bindings...>(requested{}, variables{}, typename G::directions{}));
    using rule = decltype(rule_problem<source, direction_of<G>>(indices_in_t<source, requested>{}));
    if constexpr (!std::is_void_v<typename bindings::type>)
      return bindings{};
    else if constexpr ((is_tensor_argument<Bindings> || ...) && !runs_over_tensors<G>)
      return wrong<mistake::call_not_over_tensors, G>{};
    else if constexpr ((is_traced<typename Bindings::value_type> || ...) && requires { G::of_elements; })
      return wrong<program::tensor_problem::batched_inside, void>{};
    else if constexpr (takes_tensors<source> && requires { G::of_elements; })
      return wrong<mistake::elements_are_no_tensors, requested>{};
    else if constexpr (takes_tensors<source> && (is_traced<typename Bindings::value_type> || ...))
      return wrong<program::tensor_problem::formula_inside, void>{};
    else if constexpr (takes_tensors<source> && !(is_tensor_argument<Bindings> || ...))
      return wrong<program::tensor_problem::no_tensor_bound, void>{};
    else if constexpr (!std::is_void_v<typename rule::type>)
      return rule{};
    else if constexpr ((is_tensor_argument<Bindings> || ...) && !requires { G::of_elements; })
      return tensor_verb<G>::template find_problem<Bindings...>();
    else
      return size_problem<typename G::template evaluated<source>>();
  }
}

}  // namespace detail

}  // namespace tapeless
