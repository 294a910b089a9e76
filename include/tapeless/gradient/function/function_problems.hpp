#pragma once

#include <tapeless/core/from_ceres.hpp>
#include <tapeless/core/target.hpp>
#include <tapeless/gradient/function/trace_function.hpp>
#include <tapeless/gradient/problem.hpp>
#include <tapeless/gradient/unconnected.hpp>

#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tapeless {

namespace detail::inline TAPELESS_TARGET {

/// A call of a verb of a function with tensors among its arguments: tensor_function.hpp.
template <class Verb, class F, class... Args>
struct tensor_function_call;

}  // namespace detail::inline TAPELESS_TARGET

namespace detail {

/// Not if its body did not compile: clang says so once, and takes it for no function from then on.
template <class F, class... Ts>
concept Has_traced_result = requires { typename std::type_identity_t<decltype(F{}(Ts{}...))>; };

/// What keeps a function from being traced with arguments of these types; `void` if nothing.
template <class F, class... Args>
constexpr auto function_problem() {
  using arguments = decltype(first_problem(std::type_identity<typename shape_of<Args>::problem>{}...));
  if constexpr ((is_binding<Args> || ...))
    return wrong<mistake::function_called_by_name, F>{};
  else if constexpr (!std::is_void_v<typename arguments::type>)
    return arguments{};
  else if constexpr (!std::is_empty_v<F> || !std::default_initializable<F>)
    return wrong<mistake::function_has_state, F>{};
  // No concept: clang would name it in two more notes to each mistake in the function's body.
  else if constexpr (!requires(const F& f, const typename shape_of<Args>::traced_type&... traced) { f(traced...); })
    return wrong<mistake::function_takes_other_arguments, F>{};
  else if constexpr (!Has_traced_result<F, typename shape_of<Args>::traced_type...>)
    return wrong<mistake::function_not_compiled, F>{};
  else {
    using result = std::remove_cvref_t<decltype(F{}(typename shape_of<Args>::traced_type{}...))>;
    if constexpr (std::same_as<result, no_result>)
      return wrong<mistake::reported, result>{};
    else if constexpr (!is_traceable_result<result>())
      return wrong<mistake::function_returns_no_number, result>{};
    else
      return std::type_identity<void>{};
  }
}

template <class R, class F, class... Parameters>
constexpr bool has_number(R (F::*)(Parameters...) const) {
  return (Numeric<std::remove_cvref_t<Parameters>> || ...);
}
/// Whether a parameter of the function is a number, `double x` or `int n`, where an argument is a `traced`.
template <class F, class... Deduced>
constexpr bool has_number() {
  if constexpr (requires { has_number(&F::operator()); })
    return has_number(&F::operator());
  else if constexpr (requires { has_number(&F::template operator()<Deduced...>); })
    return has_number(&F::template operator()<Deduced...>);
  else
    return false;
}
template <class F, class... Args, std::size_t... I>
constexpr bool takes_numbers(std::index_sequence<I...>) {
  // As many parameters are deduced as are `auto`.
  const auto with_first = []<std::size_t... J>(std::index_sequence<J...>) {
    return has_number<F, typename shape_of<typename type_at<J, Args...>::type>::traced_type...>();
  };
  return (with_first(std::make_index_sequence<I>{}) || ... || false);
}

/// What is wrong with what the function did; `void` if nothing.
template <class F, class Source, class... Args>
constexpr auto trace_problem() {
  using enum program::fault;
  constexpr program::fault found = program::problem_of<Source>;
  if constexpr (found == none)
    return std::type_identity<void>{};
  else if constexpr (is_ceres<F> && (found == number_wanted || found == condition_wanted || found == not_run))
    return wrong<mistake::ceres_functor_not_run, F>{};
  else if constexpr (found == number_wanted && takes_numbers<F, Args...>(std::index_sequence_for<Args...>{}))
    return wrong<mistake::function_takes_numbers, F>{};
  else if constexpr (found == tensor_wanted && records_loops<F, Args...>)
    return wrong<mistake::loop_wants_tensor, F>{};
  else if constexpr (found != too_large && found != sequence_captured)
    return wrong<found, F>{};
  else
    return size_problem<Source>();
}
/// Whether a call is one over tensors: those of a function with loops of numbers are the sequences that they read.
template <class F, class... Args>
constexpr bool is_over_tensors() {
  if constexpr (!(shape_of<Args>::over_tensors || ...))
    return false;
  else if constexpr (!(requires { shape_of<Args>::size; } && ...))
    return true;
  else if constexpr (!std::is_void_v<typename decltype(function_problem<F, Args...>())::type>)
    return true;
  else
    return !records_loops<F, Args...> || has_loops_over_tensors<F, Args...>();
}

/// Inside another function the arguments of a verb are numbers or tensors: the function that is called last tells.
template <class F, class... Args>
inline constexpr bool takes_tensors_inside = [] {
  if constexpr ((is_traced<typename shape_of<Args>::number> || ...)) {
    constexpr program::fault of_numbers = program::problem_of<traced_program<F, Args...>>;
    if constexpr (of_numbers == program::fault::tensor_wanted)
      return true;
    else if constexpr (wants_loops_over_tensors(of_numbers))
      return records_loops_inside<F, Args...>;
  }
  return false;
}();
template <class F, class... Args>
using checked_program =
    typename std::conditional_t<takes_tensors_inside<F, Args...>, std::type_identity<program_inside<F, Args...>>,
                                std::type_identity<traced_program<F, Args...>>>::type;

/// Whether a loop reads the argument, where there is one.
template <class Arg>
constexpr bool is_loop_sequence() {
  return is_vector<Arg> || is_matrix_rows<Arg> || shape_of<Arg>::over_tensors;
}

/// What is wrong with the positions that a derivative is asked for; `void` if nothing.
template <class Verb, class F, class... Args, std::size_t... Positions>
constexpr auto position_problem(std::index_sequence<Positions...>) {
  using layout = argument_layout<Args...>;
  if constexpr (Verb::does.what == derives::nothing)
    return std::type_identity<void>{};
  else if constexpr (((Positions >= sizeof...(Args)) || ...))
    return wrong<mistake::position_without_argument, F>{};
  else if constexpr (Verb::does.is_matrix() && Verb::does.what != derives::jacobian &&
                     ((is_loop_sequence<typename type_at<Positions, Args...>::type>() &&
                       !is_over_tensors<F, Args...>()) ||
                      ...))
    return wrong<mistake::sequence_has_no_derivative, F>{};
  else if constexpr (((layout::sizes[Positions] == 0) || ...) && !Verb::does.passes_integers())
    return wrong<mistake::integer_has_no_derivative, F>{};
  else
    return std::type_identity<void>{};
}

/// What is wrong with a verb under its policy; `void` if nothing.
template <class Verb, class Source, class... Args, std::size_t... Positions>
constexpr auto unconnected_problem(std::index_sequence<Positions...>) {
  if constexpr (std::is_same_v<typename Verb::policy, unconnected::strict_policy>) {
    using layout = argument_layout<Args...>;
    constexpr bool all = (has_open_path<Source>(typename layout::template variables<Positions>{}) && ...);
    return wrong_unless<all, mistake::unconnected_argument, Verb>{};
  } else {
    return std::type_identity<void>{};
  }
}

/// What is wrong with a call of the verb for the function's arguments at `Positions` before anything is made of the
/// function's program. Each check rests on those before it.
template <class Verb, class F, class... Args, std::size_t... Positions>
constexpr auto traced_call_problem(std::index_sequence<Positions...> asked) {
  using function = decltype(function_problem<F, Args...>());
  using positions = decltype(position_problem<Verb, F, Args...>(asked));
  if constexpr (!std::is_void_v<typename function::type>)
    return function{};
  else if constexpr (!std::is_void_v<typename positions::type>)
    return positions{};
  else {
    using source = checked_program<F, Args...>;
    using trace = decltype(trace_problem<F, source, Args...>());
    if constexpr (!std::is_void_v<typename trace::type>)
      return trace{};
    else if constexpr (Verb::does.of_numbers() && takes_tensors_inside<F, Args...>)
      return wrong<mistake::call_not_over_tensors, F>{};
    else if constexpr (Verb::does.checked && program::has_stop_in_loop(source::view()))
      return wrong<mistake::stop_in_loop_not_held, F>{};
    else if constexpr (Verb::does.scalar_valued() && source::value.outputs.size() != 1)
      return wrong<mistake::function_returns_array, F>{};
    else if constexpr (!Verb::template fits<source, Positions...>(std::type_identity<std::tuple<Args...>>{}))
      return wrong<mistake::tangents_differ, F>{};
    else
      return first_problem(rule_problem<source, direction_of<Verb>>(
                               typename Verb::template variables<argument_layout<Args...>, Positions...>{}),
                           unconnected_problem<Verb, source, Args...>(asked));
  }
}
/// The same with what is made of it.
template <class Verb, class F, class... Args, std::size_t... Positions>
constexpr auto function_call_problem(std::index_sequence<Positions...> asked) {
  using traced_call = decltype(traced_call_problem<Verb, F, Args...>(asked));
  if constexpr (!std::is_void_v<typename traced_call::type>)
    return traced_call{};
  else if constexpr (is_over_tensors<F, Args...>())
    return std::type_identity<typename tensor_function_call<Verb, F, Args...>::problem>{};
  else if constexpr (takes_tensors_inside<F, Args...>)
    return std::type_identity<void>{};
  else
    return size_problem<typename Verb::template evaluated<
        traced_program<F, Args...>, typename Verb::template variables<argument_layout<Args...>, Positions...>>>();
}
}  // namespace detail

}  // namespace tapeless
