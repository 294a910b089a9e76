#pragma once

#include <tapeless/core/constant.hpp>
#include <tapeless/core/variable.hpp>
#include <tapeless/core/variable_list.hpp>
#include <tapeless/evaluate/kernels/engine.hpp>
#include <tapeless/evaluate/traced.hpp>
#include <tapeless/gradient/call_options.hpp>
#include <tapeless/gradient/formula/lowered_formula.hpp>
#include <tapeless/gradient/function/verb_inside.hpp>
#include <tapeless/gradient/number_type.hpp>
#include <tapeless/gradient/problem.hpp>
#include <tapeless/gradient/unconnected.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <limits>
#include <type_traits>
#include <utility>

namespace tapeless {

template <detail::verb V, class F, class Variables, class Policy, class Seeds>
class formula_verb;

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

/// What is wrong with one of the values of a call; `void` if nothing.
template <class B>
constexpr auto argument_problem() {
  if constexpr (is_reported<B>)
    return wrong<fault::reported, B>{};
  else if constexpr (Expression<B>)
    return wrong<fault::argument_is_formula, B>{};
  else if constexpr (!is_binding<B>)
    return wrong<fault::argument_is_no_binding, B>{};
  else if constexpr (!Numeric<typename B::value_type> && !is_bound_tensor<typename B::value_type> &&
                     !is_traced<typename B::value_type> && !is_constant<typename B::value_type>)
    return wrong<fault::variable_bound_to_formula, typename B::variable_type>{};
  else
    return std::type_identity<void>{};
}
template <class B, class... Bindings, class... Vs, class... Us>
constexpr auto binding_problem(wrt_variables<Vs...> /*requested*/, wrt_variables<Us...> /*formula*/) {
  using V = typename B::variable_type;
  if constexpr ((0 + ... + std::same_as<V, typename Bindings::variable_type>) > 1)
    return wrong<fault::variable_bound_twice, V>{};
  else if constexpr (!is_one_of<V, Us...> && !is_one_of<V, Vs...>)
    return wrong<fault::variable_not_in_formula, V>{};
  else if constexpr (is_one_of<V, Vs...> && is_integer<typename B::value_type>)
    return wrong<fault::derivative_by_integer, V>{};
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
      wrong_unless<is_one_of<Ds, Us...>, fault::tangent_not_in_formula, Ds>{}...,
      binding_problem<Bindings, Bindings...>(requested, formula)...,
      wrong_unless<is_one_of<Us, typename Bindings::variable_type...>, fault::variable_without_value, Us>{}...);
}

template <class Source>
inline constexpr bool shares_too_much = false;
template <class... Fs>
inline constexpr bool shares_too_much<program::frozen<program::lower_formulas<Fs...>>> =
    is_one_of<error::formula_too_large, Fs...>;

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
    return wrong<fault::formula_shares_too_much, requested>{};
  else if constexpr (program::problem_of<source> != fault::none)
    return size_problem<source>();
  else {
    using variables = typename all_variables<source>::type;
    using bindings = decltype(bindings_problem<Bindings...>(requested{}, variables{}, typename G::directions{}));
    using rule = decltype(rule_problem<source, direction_of<G>>(indices_in_t<source, requested>{}));
    if constexpr (!std::is_void_v<typename bindings::type>)
      return bindings{};
    else if constexpr ((is_tensor_argument<Bindings> || ...) && !requires { requires G::over_tensors; })
      return wrong<fault::call_not_over_tensors, G>{};
    else if constexpr ((is_traced<typename Bindings::value_type> || ...) && requires { G::of_elements; })
      return wrong<fault::batched_inside, void>{};
    else if constexpr (takes_tensors<source> && requires { G::of_elements; })
      return wrong<fault::elements_are_no_tensors, requested>{};
    else if constexpr (takes_tensors<source> && (is_traced<typename Bindings::value_type> || ...))
      return wrong<fault::formula_inside, void>{};
    else if constexpr (takes_tensors<source> && !(is_tensor_argument<Bindings> || ...))
      return wrong<fault::no_tensor_bound, void>{};
    else if constexpr (!std::is_void_v<typename rule::type>)
      return rule{};
    else if constexpr ((is_tensor_argument<Bindings> || ...) && !requires { G::of_elements; })
      return std::type_identity<typename call_over_tensors<G, Bindings...>::problem>{};
    else
      return size_problem<typename G::template evaluated<source>>();
  }
}

// A formula that is a leaf, stopped or named, has the value of the leaf in its own type: an int stays an int.
template <class E>
constexpr auto leaf_of(const E& e) {
  if constexpr (requires { typename E::definition; })
    return leaf_of(typename E::definition{});
  else if constexpr (is_stop<E>)
    return leaf_of(e.operand);
  else
    return e;
}

// The numbers a formula carries decide the type only where no variable does.
template <class F>
struct numbers_real : common_real<> {};
template <class T>
struct numbers_real<Number<T>> : common_real<T> {};
template <class E, TAPELESS_NAME Name>
struct numbers_real<StopGradient<E, Name>> : numbers_real<E> {};
template <class... Fs>
struct numbers_real<output_list<Fs...>> : common_real<typename numbers_real<Fs>::type...> {};
template <class Op, class... Es>
struct numbers_real<Apply<Op, Es...>> : common_real<typename numbers_real<Es>::type...> {};

/// The number type of a formula's evaluation: the common type of its variables' real values.
template <class F, class... Bindings>
using evaluation_type_t = typename std::conditional_t<sizeof...(Bindings) == 0, numbers_real<F>,
                                                      common_number<typename Bindings::value_type...>>::type;

/// What a verb takes besides its operand where it takes neither tangents nor cotangents.
struct no_seeds {
  using variables = wrt_variables<>;
  using layout = argument_layout<>;
  static constexpr std::size_t size = 0;

  template <class F>
  constexpr auto apply(const F& f) const {
    return f();
  }
  template <class T>
  static constexpr std::array<T, 0> numbers() {
    return {};
  }
};

/// Formulas as what is called: the verb of their values.
template <class F>
using value_of = formula_verb<value_verb, F, wrt_variables<>, unconnected::structural_policy, no_seeds>;
template <class G>
using called = std::conditional_t<Expression<G> || is_outputs<G>, value_of<G>, G>;

/// `Count` numbers from the outputs of an evaluation, `First` on.
template <class T, std::size_t Count, std::size_t First, class Evaluation>
TAPELESS_ALWAYS_INLINE constexpr std::array<T, Count> read_array(const Evaluation& done) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) TAPELESS_INLINE_LAMBDA {
    return std::array<T, Count>{static_cast<T>(done.template output<First + I>())...};
  }(std::make_index_sequence<Count>{});
}

/// The call of a formula or a verb with values.
template <class G, class... Args>
struct formula_call {
  using problem = typename decltype(call_problem<called<G>, Args...>())::type;

  template <class Engine, class To>
  TAPELESS_ALWAYS_INLINE static constexpr auto run(const Engine& engine, const To& to, const G& g,
                                                   const Args&... args) {
    if constexpr (!std::is_same_v<To, new_result> && !(is_tensor_argument<Args> || ...))
      *to.result = run(engine, new_result{}, g, args...);
    else if constexpr (!Expression<G> && !is_outputs<G>)
      return g.run(engine, to, args...);
    else if constexpr (is_number<decltype(leaf_of(g))>)
      return leaf_of(g).value;
    else if constexpr (is_variable<decltype(leaf_of(g))> && !(is_tensor_argument<Args> || ...))
      return [](const auto& binding) { return binding.value; }(args...);
    else
      return value_of<G>(g).run(engine, to, args...);
  }
};

struct no_problem {
  using problem = void;
};

}  // namespace detail

template <class Derived>
template <class... Args>
TAPELESS_ALWAYS_INLINE constexpr auto called_with_values<Derived>::operator()(const Args&... args) const {
  // Lists are taken apart first.
  constexpr bool has_lists = (is_binding_list<Args> || ...);
  using call = detail::call_with_options<detail::formula_call, Derived, Args...>;
  using problem = typename std::conditional_t<has_lists, detail::no_problem, typename call::of_values>::problem;
  using detail::is_not;
  using program::fault;
  static_assert(is_not<fault::argument_is_no_binding, problem>,
                "tapeless: call a formula with named values: f(x = 1.0, y = 2.0) [TL026]");
  static_assert(
      is_not<fault::argument_is_formula, problem>,
      "tapeless: call a formula with named values; this argument is a formula (x == 1.0 instead of x = 1.0?) [TL027]");
  static_assert(is_not<fault::variable_bound_to_formula, problem>,
                "tapeless: a variable is bound to a formula; bind it to a number: x = 1.0 [TL028]");
  static_assert(is_not<fault::formula_shares_too_much, problem>,
                "tapeless: the formula repeats shared parts until its type's name has more than 100000 parts; name its "
                "steps, `struct step : named<step, decltype(e)> {};`, or write a function [TL008]");
  static_assert(is_not<fault::variable_bound_twice, problem>,
                "tapeless: a variable has two values or two tangents; give it one [TL032]");
  static_assert(is_not<fault::variable_not_in_formula, problem>,
                "tapeless: a value is given for a variable that the formula does not contain [TL033]");
  static_assert(is_not<fault::tangent_not_in_formula, problem>,
                "tapeless: a tangent is given for a variable that the formula does not contain [TL034]");
  static_assert(is_not<fault::derivative_by_integer, problem>,
                "tapeless: no derivative with respect to an integer; bind a floating-point number: x = 1.0 [TL036]");
  static_assert(is_not<fault::variable_without_value, problem>,
                "tapeless: a variable of the formula has no value; bind every variable: f(x = 1.0, y = 2.0) [TL035]");
  static_assert(is_not<fault::call_not_over_tensors, problem>,
                "tapeless: sparse_jacobian, sparse_hessian and check_gradient do not support tensors, and a tensor is "
                "bound [TL037]");
  static_assert(is_not<fault::elements_are_no_tensors, problem>,
                "tapeless: batched calls a formula of numbers with each element of arrays; sum(f), dot(f, g) and "
                "similar operations need whole tensors: call the verb without batched [TL038]");
  const Derived& called = static_cast<const Derived&>(*this);
  constexpr bool problem_is_inside = !is_not<fault::formula_inside, problem> || !is_not<fault::batched_inside, problem>;
  if constexpr (has_lists)
    return detail::with_bindings(called, args...);
  else if constexpr (std::is_void_v<problem>)
    return call::type::run(loops::sequential{}, detail::new_result{}, called, args...);
  else if constexpr (problem_is_inside)
    return detail::misused_inside<detail::fault_of<problem>>(args...);
  else
    return detail::report<problem>();
}

/// The value of a formula: `evaluate(f, x = 1.0)` is `f(x = 1.0)`. It is computed in the common type of the real
/// values given, double if there is none; a formula that is a stopped or named leaf keeps the leaf's type. Straight
/// line code, no allocation; in constant evaluation where the values are constants.
template <Expression F, class... Bindings>
TAPELESS_ALWAYS_INLINE constexpr auto evaluate(const F& f, const Bindings&... bindings) {
  return f(bindings...);
}

}  // namespace tapeless
