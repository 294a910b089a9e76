#pragma once

#include <tapeless/core/target.hpp>
#include <tapeless/gradient/function/function_problems.hpp>
#include <tapeless/gradient/tensor/function_formula.hpp>
#include <tapeless/gradient/tensor/tensor_call.hpp>
#include <tapeless/gradient/tensor/tensor_formula.hpp>
#include <tapeless/gradient/tensor/tensor_matrix.hpp>

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tapeless::detail::inline TAPELESS_TARGET {

/// The calls of the verb `V` of the function `F` with tensors among its arguments: those of its formula, `Call`, and
/// where their results go.
template <verb V, class F, class Positions, class Seeds, class... Args>
struct tensor_function_verb;
template <verb V, class F, std::size_t... P, class Given, class... Args>
struct tensor_function_verb<V, F, std::index_sequence<P...>, Given, Args...> {
  using leaves = program::function_leaves<Args...>;
  using layout = typename leaves::layout;
  using formula = function_formula<F, Args...>;
  template <std::size_t I>
  using variable = typename leaves::template variable<I>;
  template <std::size_t I>
  using leaf = typename leaves::template type<I>;
  using returned = std::remove_cvref_t<decltype(F{}(std::declval<typename shape_of<Args>::traced_type>()...))>;
  static constexpr std::size_t outputs = traced_program<F, Args...>::value.outputs.size();

  /// A leaf of an argument, or of a tangent or cotangent, as a binding of the variable `U`.
  template <class U, class X>
  static auto bind_as(const X& value) {
    if constexpr (is_tensor<X>)
      return std::tuple<binding<U, tensor_reference<X>>>{{{__builtin_addressof(value)}}};
    else if constexpr (is_constant<X>)
      return std::tuple<binding<U, double>>{{static_cast<double>(value)}};
    else
      return std::tuple<binding<U, X>>{{value}};
  }
  template <std::size_t I>
  static auto bind(const formula& f) {
    if constexpr (leaves::template is_index<I>)
      return std::tuple<>{};
    else
      return bind_as<variable<I>>(leaves::template get<I>(f.arguments));
  }
  static auto bind_all(const formula& f) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return std::tuple_cat(bind<I>(f)...);
    }(std::make_index_sequence<leaves::size>{});
  }
  using bindings = decltype(bind_all(std::declval<const formula&>()));

  using indices = std::conditional_t<V.what == derives::nothing || V.what == derives::tangent,
                                     std::integer_sequence<int>, typename layout::template variables<P...>>;

  // Tangents and cotangents.
  template <std::size_t I, class Layout, class Values>
  static const auto& given_leaf(const Values& values) {
    constexpr std::size_t position = Layout::position(I);
    return Layout::template shape<position>::template element<I - Layout::first(position)>(std::get<position>(values));
  }
  template <class U, class X>
  static auto bind_unless_zero(const X& value) {
    if constexpr (is_zero<X>)
      return std::tuple<>{};
    else
      return bind_as<U>(value);
  }
  static auto bind_given(const Given& given) {
    if constexpr (V.takes_tangents()) {
      return given.apply([](const auto&... values) {
        const std::tuple<decltype(values)...> all(values...);
        return [&]<int... I, int... Place>(std::integer_sequence<int, I...>, std::integer_sequence<int, Place...>) {
          return std::tuple_cat(bind_unless_zero<variable<static_cast<std::size_t>(I)>>(
              given_leaf<static_cast<std::size_t>(Place), typename Given::layout>(all))...);
        }(typename layout::template variables<P...>{}, layout::template places<P...>());
      });
    } else if constexpr (V.what == derives::pullback) {
      return given.weights.apply([](const auto&... values) {
        using given_layout = argument_layout<std::remove_cvref_t<decltype(values)>...>;
        const std::tuple<decltype(values)...> all(values...);
        return [&]<std::size_t... K>(std::index_sequence<K...>) {
          return std::tuple_cat(bind_as<cotangent_variable>(given_leaf<K, given_layout>(all))...);
        }(std::make_index_sequence<outputs>{});
      });
    } else {
      return std::tuple<>{};
    }
  }
  using seeds = decltype(bind_given(std::declval<const Given&>()));

  template <class Indices>
  struct variables_of;
  template <int... I>
  struct variables_of<std::integer_sequence<int, I...>> {
    using type = wrt_variables<variable<static_cast<std::size_t>(I)>...>;
  };
  using variables = typename variables_of<indices>::type;

  template <class Bindings>
  struct with_bindings;
  template <class... Bindings>
  struct with_bindings<std::tuple<Bindings...>> {
    using lowering = tensor_lowering<formula, Bindings...>;
    template <verb W, class Variables, class Policy, class Seeds>
    using call = tensor_call<W, formula, Variables, Policy, wrt_variables<>, Seeds, Bindings...>;
    using operand = tensor_program<formula, Bindings...>;
    template <class Variables>
    using matrix = tensor_matrix<V, formula, Variables, Bindings...>;
  };
  using bound = with_bindings<bindings>;
  using call = typename bound::template call<V, variables, unconnected::materialise_policy, seeds>;
  using cotangents = std::conditional_t<V.what == derives::pullback, seeds, std::tuple<>>;

  /// What is wrong with the program, given that the function can be traced; `void` if nothing.
  static constexpr auto find_problem() {
    using enum program::tensor_problem;
    if constexpr (bound::lowering::problem != none)
      return std::type_identity<error::tensors_do_not_fit<bound::lowering::problem>>{};
    else if constexpr (V.is_sparse())
      return std::type_identity<error::call_not_over_tensors<F>>{};
    else if constexpr (V.scalar_valued() && bound::operand::rank_of(0) != 0)
      return std::type_identity<error::tensors_do_not_fit<value_is_no_number>>{};
    else if constexpr (V.is_matrix())
      return bound::template matrix<variables>::find_problem();
    else if constexpr (!have_shapes_of<typename bound::operand, cotangents>)
      return std::type_identity<error::tensors_do_not_fit<cotangent_of_other_shape>>{};
    else
      return loops_problem<typename call::P, typename call::S>();
  }
};

}  // namespace tapeless::detail::inline TAPELESS_TARGET
