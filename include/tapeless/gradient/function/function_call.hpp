#ifndef TAPELESS_GRADIENT_FUNCTION_FUNCTION_CALL_HPP
#define TAPELESS_GRADIENT_FUNCTION_FUNCTION_CALL_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/core/bound_function.hpp>
#include <tapeless/core/from_ceres.hpp>
#include <tapeless/core/target.hpp>
#include <tapeless/evaluate/engine.hpp>
#include <tapeless/gradient/formula/arguments.hpp>
#include <tapeless/gradient/function/argument_shape.hpp>
#include <tapeless/gradient/outputs.hpp>
#include <tapeless/gradient/unconnected.hpp>
#include <tapeless/program/loop.hpp>
#include <tapeless/program/pass.hpp>
#include <tapeless/program/trace.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tapeless {

/// What a verb made of a formula: it is called with named values.
template <class G>
concept Formula_verb = !Expression<G> && !is_outputs<G> && std::derived_from<G, called_with_values<G>>;

/// What is differentiated besides formulas: function objects, lambdas without captures among them.
template <class F>
concept Function = !Expression<F> && std::is_class_v<F> && !is_outputs<F> && !detail::is_reported<F> &&
                   !Formula_verb<F> && !Function_with_data<F>;

namespace detail {

/// What the name of a function template is for a verb: no object.
struct function_template {
  constexpr function_template(traced (*)(traced)) {}
  constexpr function_template(traced (*)(traced, traced)) {}
  constexpr function_template(traced (*)(traced, traced, traced)) {}
  constexpr function_template(traced (*)(const traced&)) {}
  constexpr function_template(traced (*)(const traced&, const traced&)) {}
};

}  // namespace detail

namespace error {

template <class F>
struct integer_has_no_derivative;
template <class F>
struct function_has_state;
template <class F>
struct position_without_argument;
template <class F>
struct function_takes_other_arguments;
template <class T>
struct function_returns_no_number;
template <class F>
struct function_not_run;
template <class F>
struct function_not_compiled;
template <class F>
struct ceres_functor_not_run;
template <class F>
struct function_called_by_name;
template <class F>
struct function_chains_comparisons;
template <class F>
struct function_computes_with_bits;
template <class F>
struct function_computes_with_array;
template <class F>
struct function_takes_numbers;
template <class F>
struct function_wants_number;
template <class F>
struct function_wants_condition;
template <class F>
struct function_meets_formula;
template <class F>
struct function_returns_array;
template <class F>
struct function_computes_with_sequence;
template <class F>
struct loop_over_number;
template <class F>
struct sequence_has_no_derivative;
template <class F>
struct tangents_differ;
template <class F>
struct function_wants_tensor;
template <class V>
struct unconnected_argument;

}  // namespace error

namespace detail::inline TAPELESS_TARGET {

/// A call of a verb of a function with tensors among its arguments: tensor_function.hpp.
template <class Verb, class F, class... Args>
struct tensor_function_call;

}  // namespace detail::inline TAPELESS_TARGET

namespace detail {

template <class R>
constexpr bool is_traceable_result() {
  if constexpr (Structure<R>)
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return (is_traceable_result<typename structure<R>::template member<I>>() && ...);
    }(std::make_index_sequence<structure<R>::size>{});
  else
    return std::same_as<R, traced> || Numeric<R> || is_constant<R>;
}

template <class F, class... Ts>
concept Traceable_with = requires(const F& f, const Ts&... arguments) { f(arguments...); };
/// Not if its body did not compile: clang says so once, and takes it for no function from then on.
template <class F, class... Ts>
concept Has_traced_result = requires { typename std::type_identity_t<decltype(F{}(Ts{}...))>; };

/// What keeps a function from being traced with arguments of these types; `void` if nothing.
template <class F, class... Args>
constexpr auto function_problem() {
  using arguments = decltype(first_problem(std::type_identity<typename shape_of<Args>::problem>{}...));
  if constexpr ((is_binding<Args> || ...))
    return std::type_identity<error::function_called_by_name<F>>{};
  else if constexpr (!std::is_void_v<typename arguments::type>)
    return arguments{};
  else if constexpr (!std::is_empty_v<F> || !std::default_initializable<F>)
    return std::type_identity<error::function_has_state<F>>{};
  else if constexpr (!Traceable_with<F, typename shape_of<Args>::traced_type...>)
    return std::type_identity<error::function_takes_other_arguments<F>>{};
  else if constexpr (!Has_traced_result<F, typename shape_of<Args>::traced_type...>)
    return std::type_identity<error::function_not_compiled<F>>{};
  else {
    using result = std::remove_cvref_t<decltype(F{}(typename shape_of<Args>::traced_type{}...))>;
    if constexpr (std::same_as<result, no_result>)
      return std::type_identity<error::reported<result>>{};
    else if constexpr (!is_traceable_result<result>())
      return std::type_identity<error::function_returns_no_number<result>>{};
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
  if constexpr (program::problem_of<Source> == none)
    return std::type_identity<void>{};
  else if constexpr (is_ceres<F> &&
                     (program::problem_of<Source> == number_wanted || program::problem_of<Source> == condition_wanted ||
                      program::problem_of<Source> == not_run))
    return std::type_identity<error::ceres_functor_not_run<F>>{};
  else if constexpr (program::problem_of<Source> == number_wanted &&
                     takes_numbers<F, Args...>(std::index_sequence_for<Args...>{}))
    return std::type_identity<error::function_takes_numbers<F>>{};
  else if constexpr (program::problem_of<Source> == number_wanted)
    return std::type_identity<error::function_wants_number<F>>{};
  else if constexpr (program::problem_of<Source> == comparison_chained)
    return std::type_identity<error::function_chains_comparisons<F>>{};
  else if constexpr (program::problem_of<Source> == bits_wanted)
    return std::type_identity<error::function_computes_with_bits<F>>{};
  else if constexpr (program::problem_of<Source> == array_met)
    return std::type_identity<error::function_computes_with_array<F>>{};
  else if constexpr (program::problem_of<Source> == condition_wanted)
    return std::type_identity<error::function_wants_condition<F>>{};
  else if constexpr (program::problem_of<Source> == formula_met)
    return std::type_identity<error::function_meets_formula<F>>{};
  else if constexpr (program::problem_of<Source> == tensor_wanted)
    return std::type_identity<error::function_wants_tensor<F>>{};
  else if constexpr (program::problem_of<Source> == sequence_met)
    return std::type_identity<error::function_computes_with_sequence<F>>{};
  else if constexpr (program::problem_of<Source> == sequence_wanted)
    return std::type_identity<error::loop_over_number<F>>{};
  else if constexpr (program::problem_of<Source> == not_run)
    return std::type_identity<error::function_not_run<F>>{};
  else
    return size_problem<Source>();
}

/// The numbers of a function's result become outputs, in their order.
template <class R>
constexpr void append_outputs(program::builder& graph, const R& result) {
  if constexpr (Structure<R>)
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (append_outputs(graph, structure<R>::template get<I>(result)), ...);
    }(std::make_index_sequence<structure<R>::size>{});
  else
    graph.outputs.push_back(node_in(graph, result));
}

/// Only loops read sequences.
constexpr void check_sequences(program::builder& graph) {
  for (const program::node& n : graph.nodes)
    for (int j = 0; j < n.count; ++j)
      if (n.kind == program::node_kind::apply && !n.operation->of_loops && n.operation->passes != 0 &&
          graph.nodes[graph.edges[n.first + j]].sequence && graph.misuse == program::fault::none)
        graph.misuse = program::fault::sequence_met;
  for (const int output : graph.outputs)
    if (graph.nodes[output].sequence && graph.misuse == program::fault::none)
      graph.misuse = program::fault::sequence_met;
}

/// Runs the function once, on nodes: the pass from a function to a program. `Args` are the types of its arguments.
template <bool OverTensors, class F, class... Args>
struct trace_function {
  static constexpr int variables = static_cast<int>(argument_layout<Args...>::size);
  static constexpr program::builder run() {
    program::builder graph;
    graph.variables = {variables, std::string_view()};
    graph.recording = OverTensors;
    int next = 0;
    const auto first = [&](std::size_t size) { return (next += static_cast<int>(size)) - static_cast<int>(size); };
    // Braces: the arguments are numbered from left to right.
    const std::tuple<typename shape_of<Args>::traced_type...> arguments{
        shape_of<Args>::trace(graph, first(shape_of<Args>::size))...};
    append_outputs(graph, std::apply(F{}, arguments));
    if (graph.has_sequences && !graph.recording) check_sequences(graph);
    return graph;
  }
};

/// Of a function with loops of run-time length: then tensors among its arguments are sequences that they read.
template <class F, class... Args>
inline constexpr bool records_loops =
    program::detail::measured<trace_function<(shape_of<Args>::over_tensors || ...), F, Args...>>.loops > 0;
template <bool Loops, class F, class... Args>
struct traced_pass {
  using type = trace_function<(shape_of<Args>::over_tensors || ...), F, Args...>;
};
template <class F, class... Args>
struct traced_pass<true, F, Args...> {
  using type = program::with_loops<trace_function<false, F, Args...>>;
};
template <class F, class... Args>
using traced_program = program::frozen<
    typename traced_pass<records_loops<F, std::remove_cvref_t<Args>...>, F, std::remove_cvref_t<Args>...>::type>;

/// Whether a call is one over tensors: those of a function with loops are the sequences that they read.
template <class F, class... Args>
constexpr bool is_over_tensors() {
  if constexpr (!(shape_of<Args>::over_tensors || ...))
    return false;
  else if constexpr (!(requires { shape_of<Args>::size; } && ...))
    return true;
  else if constexpr (!std::is_void_v<typename decltype(function_problem<F, Args...>())::type>)
    return true;
  else
    return !records_loops<F, Args...>;
}

/// Whether a loop reads the argument, where there is one.
template <class Arg>
constexpr bool is_loop_sequence() {
  return is_vector<Arg> || shape_of<Arg>::over_tensors;
}

/// What is wrong with the positions that a derivative is asked for; `void` if nothing.
template <class Verb, class F, class... Args, std::size_t... Positions>
constexpr auto position_problem(std::index_sequence<Positions...>) {
  using layout = argument_layout<Args...>;
  if constexpr (Verb::does.what == derives::nothing)
    return std::type_identity<void>{};
  else if constexpr (((Positions >= sizeof...(Args)) || ...))
    return std::type_identity<error::position_without_argument<F>>{};
  else if constexpr (((is_loop_sequence<typename type_at<Positions, Args...>::type>() &&
                       !is_over_tensors<F, Args...>()) ||
                      ...))
    return std::type_identity<error::sequence_has_no_derivative<F>>{};
  else if constexpr (((layout::sizes[Positions] == 0) || ...) && !Verb::passes_integers)
    return std::type_identity<error::integer_has_no_derivative<F>>{};
  else
    return std::type_identity<void>{};
}

/// What is wrong with a verb under its policy; `void` if nothing.
template <class Verb, class Source, class... Args, std::size_t... Positions>
constexpr auto unconnected_problem(std::index_sequence<Positions...>) {
  if constexpr (std::is_same_v<typename Verb::policy, unconnected::strict_policy>) {
    constexpr auto connected = []<int... I>(std::integer_sequence<int, I...>) {
      constexpr std::array<int, sizeof...(I)> variables{I...};
      const auto active = program::active_nodes(Source::view(), variables, Source::value.outputs);
      for (const int output : Source::value.outputs)
        if (active[output]) return true;
      return false;
    };
    using layout = argument_layout<Args...>;
    constexpr bool all = (connected(typename layout::template variables<Positions>{}) && ...);
    if constexpr (!all)
      return std::type_identity<error::unconnected_argument<Verb>>{};
    else
      return std::type_identity<void>{};
  } else {
    return std::type_identity<void>{};
  }
}

/// What is wrong with a call of the verb for the function's arguments at `Positions`. Each check rests on those before
/// it.
template <class Verb, class F, class... Args, std::size_t... Positions>
constexpr auto function_call_problem(std::index_sequence<Positions...> asked) {
  using function = decltype(function_problem<F, Args...>());
  using positions = decltype(position_problem<Verb, F, Args...>(asked));
  if constexpr (!std::is_void_v<typename function::type>)
    return function{};
  else if constexpr (!std::is_void_v<typename positions::type>)
    return positions{};
  else {
    using source = traced_program<F, Args...>;
    using variables = typename Verb::template variables<argument_layout<Args...>, Positions...>;
    using trace = decltype(trace_problem<F, source, Args...>());
    if constexpr (!std::is_void_v<typename trace::type>)
      return trace{};
    else if constexpr (Verb::does.of_one_number() && source::value.outputs.size() != 1)
      return std::type_identity<error::function_returns_array<F>>{};
    else if constexpr (!Verb::template fits<source, Positions...>(std::type_identity<std::tuple<Args...>>{}))
      return std::type_identity<error::tangents_differ<F>>{};
    else {
      using rule = decltype(first_problem(rule_problem<source, direction_of<Verb>>(variables{}),
                                          unconnected_problem<Verb, source, Args...>(asked)));
      if constexpr (!std::is_void_v<typename rule::type>)
        return rule{};
      else if constexpr (is_over_tensors<F, Args...>())
        return std::type_identity<typename tensor_function_call<Verb, F, Args...>::problem>{};
      else
        return size_problem<typename Verb::template evaluated<source, variables>>();
    }
  }
}

/// In what a verb's result for arguments of the types `Args` is handed over, where that is not `std::array`: a
/// specialisation has `convert`. Gradients have the types of their arguments anyway.
template <class Verb, class... Args>
struct result_container {};

/// No positions mean all arguments.
template <class Positions, class... Args>
using positions_of = std::conditional_t<Positions::size() == 0, std::index_sequence_for<Args...>, Positions>;

/// The call of what has the problem, if any, of a call with these arguments: an execution policy and `into(r)` come
/// before those of the function.
template <class Verb, class... Args>
struct function_call_of {
  using positions = positions_of<typename Verb::asked_positions, Args...>;
  using problem = typename decltype(function_call_problem<Verb, typename Verb::function, Args...>(positions{}))::type;

  template <class Engine>
  TAPELESS_ALWAYS_INLINE static constexpr auto run(const Engine& engine, const Verb& verb, const Args&... args) {
    if constexpr (is_over_tensors<typename Verb::function, Args...>())
      return tensor_function_call<Verb, typename Verb::function, Args...>::run(engine, verb, args...);
    else if constexpr (requires { result_container<Verb, Args...>::converts; })
      return result_container<Verb, Args...>::convert(verb.run(positions{}, args...));
    else
      return verb.run(positions{}, args...);
  }
  template <class Engine, class R>
  TAPELESS_ALWAYS_INLINE static constexpr void run_into(const Engine& engine, R& r, const Verb& verb,
                                                        const Args&... args) {
    constexpr bool fits = std::is_same_v<R, decltype(run(engine, verb, args...))>;
    static_assert(fits, "tapeless: into(r) takes the result of the same call: arguments of the same types");
    if constexpr (!fits) {
    } else if constexpr (is_over_tensors<typename Verb::function, Args...>()) {
      tensor_function_call<Verb, typename Verb::function, Args...>::run_into(engine, r, verb, args...);
    } else {
      r = run(engine, verb, args...);
    }
  }
};
template <class Verb, Execution_policy Policy, class... Args>
struct function_call_of<Verb, Policy, Args...> : function_call_of<Verb, Args...> {
  template <class Engine>
  static auto run(const Engine&, const Verb& verb, const Policy& policy, const Args&... args) {
    return function_call_of<Verb, Args...>::run(engine_of<Policy>{policy}, verb, args...);
  }
};
template <class Verb, class R, class... Args>
struct function_call_of<Verb, into_result<R>, Args...> : function_call_of<Verb, Args...> {
  template <class Engine>
  TAPELESS_ALWAYS_INLINE static constexpr void run(const Engine& engine, const Verb& verb, const into_result<R>& to,
                                                   const Args&... args) {
    function_call_of<Verb, Args...>::run_into(engine, *to.result, verb, args...);
  }
};

/// What is called with a function's arguments: checks them, and hands `Verb::run` the positions asked for. The verb
/// says what it does (`does`, `policy`), which variables it differentiates by (`variables`), and names the program it
/// evaluates (`evaluated`).
template <class Verb, class F, class Positions>
struct called_with_arguments {
  using function = F;
  using asked_positions = Positions;

  template <class... Args>
  TAPELESS_ALWAYS_INLINE constexpr auto operator()(const Args&... args) const {
    using call = function_call_of<Verb, Args...>;
    using problem = typename call::problem;
    static_assert(is_not<error::function_called_by_name, problem>,
                  "tapeless: a function is called with its arguments in their order, gradient(f)(1.0); names are for "
                  "formulas");
    static_assert(is_not<error::function_chains_comparisons, problem>,
                  "tapeless: 0 < x < 1 compares a condition with 1; write 0 < x && x < 1");
    static_assert(is_not<error::function_computes_with_bits, problem>,
                  "tapeless: values have no bits: write && and || for conditions, square(x) or pow(x, 3_c) for powers, "
                  "x - n * floor(x / n) for remainders");
    static_assert(is_not<error::function_computes_with_array, problem>,
                  "tapeless: a std::array is numbers, not a vector: compute with its elements, or pass a tensor (a "
                  "std::vector, a span or one of xtensor)");
    static_assert(is_not<error::argument_is_no_number, problem>,
                  "tapeless: the arguments of a traced function are floating-point numbers, integers, and std::arrays, "
                  "tuples and adapted structs of them");
    static_assert(is_not<error::struct_not_adapted, problem>,
                  "tapeless: an argument, or a member of one, is of a class that is no number; adapt the data members "
                  "of a struct: BOOST_HANA_ADAPT_STRUCT(name, members...)");
    static_assert(is_not<error::struct_has_other_members, problem>,
                  "tapeless: of a class template over the number type that is an argument, every member is adapted");
    static_assert(is_not<error::integer_has_no_derivative, problem>,
                  "tapeless: no derivative with respect to an integer; pass a floating-point number, 1.0, or name the "
                  "other arguments, wrt<0>");
    static_assert(is_not<error::sequence_has_no_derivative, problem>,
                  "tapeless: no derivative with respect to the sequence that a scan reads; name the other arguments, "
                  "wrt<0>");
    static_assert(is_not<error::function_computes_with_sequence, problem>,
                  "tapeless: a vector is a sequence that scan reads; a function with a scan computes with its elements "
                  "in the scan's body alone");
    static_assert(is_not<error::loop_over_number, problem>,
                  "tapeless: a scan runs over a vector or a tensor of rank 1, not over a number; a number of steps is "
                  "steps(n)");
    static_assert(is_not<error::loop_captures_sequence, problem>,
                  "tapeless: no derivative with respect to a stacked sequence that the body of another scan captures; "
                  "pass it to that scan");
    static_assert(
        is_not<error::function_has_state, problem>,
        "tapeless: a traced function is run by the compiler, so it has no captures and is no std::bind_front; "
        "let it take what it needs as its last arguments and bind them: "
        "gradient(bind_back([](auto x, auto c) { return c * x; }, c))(x)");
    static_assert(is_not<error::function_takes_other_arguments, problem>,
                  "tapeless: the function does not take these arguments; let it take them by `auto`, and read a struct "
                  "that is no class template by `const auto& [a, b] = p;` or by `p[&S::a]`");
    static_assert(is_not<error::function_returns_no_number, problem>,
                  "tapeless: a traced function returns a number, or an array, tuple or struct of numbers");
    static_assert(is_not<error::position_without_argument, problem>,
                  "tapeless: wrt<...> names an argument that the function does not have; they count from 0");
    static_assert(
        is_not<error::function_takes_numbers, problem>,
        "tapeless: a traced function takes its arguments by `auto`, not as double or int: they are no numbers "
        "yet; what decides how a loop runs is a constant, such as a template argument");
    static_assert(
        is_not<error::function_wants_number, problem>,
        "tapeless: in a traced function a value is no number yet and cannot become a double or an int; sum up "
        "in the type of an argument, decltype(x) s = 0, and write exp(x), not std::exp(x)");
    static_assert(
        is_not<error::function_wants_condition, problem>,
        "tapeless: in a traced function a condition has no value yet, so `if`, `?:`, a loop's bound, std::max "
        "and std::clamp cannot use it; write where(condition, a, b), max(a, b), min(a, b) or clamp(a, lo, "
        "hi), and let loops run to constants");
    static_assert(
        is_not<error::function_meets_formula, problem>,
        "tapeless: a traced function computes with its arguments and numbers, not with variables of formulas");
    static_assert(is_not<error::function_wants_tensor, problem>,
                  "tapeless: sum(x), dot(x, y), x[i] and their like are of tensors, and this is a number");
    static_assert(is_not<error::unconnected_argument, problem>,
                  "tapeless: every path from an argument goes through stop_gradient, or there is none "
                  "(unconnected::strict)");
    static_assert(is_not<error::call_not_over_tensors, problem>,
                  "tapeless: sparse_jacobian, sparse_hessian and check_gradient are of numbers, and an argument is a "
                  "tensor");
    static_assert(is_not<error::function_not_compiled, problem>,
                  "tapeless: the function's body does not compile, see above; all its returns have one type: "
                  "return decltype(x)(1.0), not 1.0, where others return what is computed with x");
    static_assert(
        is_not<error::function_not_run, problem>,
        "tapeless: the compiler cannot run the function: it calls or reads what is not constexpr (write "
        "exp(x), not std::exp(x), and constexpr double k = 3, not const double), reads a variable that has no "
        "value yet, leaves an array's bounds, or reaches the compiler's limit (clang "
        "-fconstexpr-steps, g++ -fconstexpr-ops-limit)");
    static_assert(
        is_not<error::ceres_functor_not_run, problem>,
        "tapeless: the compiler cannot run the Ceres functor: its operator() is constexpr and returns true; it calls "
        "sqrt(x), not std::sqrt(x) (`using std::sqrt;` before it does no harm), and no `if` or ?: depends on values: "
        "where(condition, a, b)");
    static_assert(is_not<error::function_returns_array, problem>,
                  "tapeless: a gradient and a Hessian are those of one number; for a function that returns an array "
                  "use jacobian");
    static_assert(
        is_not<error::tangents_differ, problem>,
        "tapeless: tangent gives a number for each number of the arguments, cotangent one for each of the result");
    static_assert(is_not<error::operation_without_rule, problem>,
                  "tapeless: an operation without a derivative rule is differentiated; give it `partials = rules(...)` "
                  "or put it behind stop_gradient");
    static_assert(
        is_not<error::derivative_prevented, problem>,
        "tapeless: a derivative is taken through prevent_gradient; its reason stands in PreventGradient<...>");
    static_assert(is_not<error::rule_for_adjoints_alone, problem>,
                  "tapeless: grad_clip and other operations with a rule for adjoints have none for tangents; "
                  "use gradient, jacobian or vjp");
    static_assert(
        is_not<error::program_too_large, problem>,
        "tapeless: with its derivatives the program has more nodes than TAPELESS_MAX_NODES, 16384 where it is "
        "not defined; define it larger before the first include, or split the function");
    static_assert(is_not<error::compiler_limit_reached, problem>,
                  "tapeless: the compiler ended the constant evaluation that makes the program; raise its limit, clang "
                  "-fconstexpr-steps=100000000, g++ -fconstexpr-ops-limit=1000000000 -fconstexpr-loop-limit=100000000"
                  ", or split the function");
    if constexpr (std::is_void_v<problem>)
      return call::run(loops::sequential{}, static_cast<const Verb&>(*this), args...);
    else
      return report_tensors<problem>();
  }
};

}  // namespace detail

}  // namespace tapeless

#endif
