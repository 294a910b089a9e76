#pragma once

#include <tapeless/core/from_ceres.hpp>
#include <tapeless/evaluate/kernels/engine.hpp>
#include <tapeless/gradient/call_options.hpp>
#include <tapeless/gradient/function/verb_inside.hpp>
#include <tapeless/gradient/problem.hpp>
#include <tapeless/gradient/unconnected.hpp>

#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tapeless::detail {

/// Not if its body did not compile: clang says so once, and takes it for no function from then on.
template <class F, class... Ts>
concept Has_traced_result = requires { typename std::type_identity_t<decltype(F{}(Ts{}...))>; };

/// What keeps a function from being traced with arguments of these types; `void` if nothing.
template <class F, class... Args>
constexpr auto function_problem() {
  using arguments = decltype(first_problem(std::type_identity<typename shape_of<Args>::problem>{}...));
  if constexpr ((is_binding<Args> || ...))
    return wrong<fault::function_called_by_name, F>{};
  else if constexpr (!std::is_void_v<typename arguments::type>)
    return arguments{};
  else if constexpr (!std::is_empty_v<F> || !std::default_initializable<F>)
    return wrong<fault::function_has_state, F>{};
  // No concept: clang would name it in two more notes to each mistake in the function's body.
  else if constexpr (!requires(const F& f, const typename shape_of<Args>::traced_type&... traced) { f(traced...); })
    return wrong<fault::function_takes_other_arguments, F>{};
  else if constexpr (!Has_traced_result<F, typename shape_of<Args>::traced_type...>)
    return wrong<fault::function_not_compiled, F>{};
  else {
    using result = std::remove_cvref_t<decltype(F{}(typename shape_of<Args>::traced_type{}...))>;
    if constexpr (is_reported<result>)
      return wrong<fault::reported, result>{};
    else if constexpr (!is_traceable_result<result>())
      return wrong<fault::function_returns_no_number, result>{};
    else
      return std::type_identity<void>{};
  }
}

template <class R, class F, class... Parameters>
constexpr bool has_number(R (F::*)(Parameters...) const) {
  return (Numeric<std::remove_cvref_t<Parameters>> || ...);
}
/// The same for a function without `auto`.
template <class F>
constexpr bool has_only_numbers() {
  if constexpr (requires { has_number(&F::operator()); })
    return has_number(&F::operator());
  else
    return false;
}
/// Whether a parameter of the function is a number, `double x` or `int n`, where an argument is a `traced`.
template <class F, class... Deduced>
constexpr bool has_number() {
  if constexpr (has_only_numbers<F>())
    return true;
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
    return wrong<fault::ceres_functor_not_run, F>{};
  else if constexpr (found == number_wanted && takes_numbers<F, Args...>(std::index_sequence_for<Args...>{}))
    return wrong<fault::function_takes_numbers, F>{};
  else if constexpr (found == tensor_wanted && records_loops<F, Args...>)
    return wrong<fault::loop_wants_tensor, F>{};
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
    return is_traced_over_tensors<F, Args...>();
}

/// Inside another function the arguments of a verb are numbers or tensors: the function that is called last tells.
template <class F, class... Args>
inline constexpr bool takes_tensors_inside = [] {
  if constexpr ((Traced_argument<Args> || ...)) {
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
    std::conditional_t<takes_tensors_inside<F, Args...>, program_inside<F, Args...>, traced_program<F, Args...>>;

/// Whether a loop reads the argument, where there is one.
template <class Arg>
constexpr bool is_loop_sequence() {
  return is_vector<Arg> || is_matrix_rows<Arg> || shape_of<Arg>::over_tensors;
}
/// Whether a matrix of derivatives by the argument has no place to be: of a sequence they are rows of a tensor, or of
/// numbers a Jacobian's.
template <class Verb, class Arg, class F, class... Args>
constexpr bool lacks_matrix() {
  if constexpr (!is_loop_sequence<Arg>())
    return false;
  else
    return is_over_tensors<F, Args...>() ? Record_sequence<Arg> : Verb::does.what != derives::jacobian;
}

/// What is wrong with the positions that a derivative is asked for; `void` if nothing.
template <class Verb, class F, class... Args, std::size_t... Positions>
constexpr auto position_problem(std::index_sequence<Positions...>) {
  using layout = argument_layout<Args...>;
  if constexpr (Verb::does.what == derives::nothing)
    return std::type_identity<void>{};
  else if constexpr (((Positions >= sizeof...(Args)) || ...))
    return wrong<fault::position_without_argument, F>{};
  else if constexpr (Verb::does.is_matrix() &&
                     (lacks_matrix<Verb, typename type_at<Positions, Args...>::type, F, Args...>() || ...))
    return wrong<fault::sequence_has_no_derivative, F>{};
  else if constexpr (((layout::sizes[Positions] == 0 && layout::template shape<Positions>::size != 0) || ...) &&
                     !Verb::does.passes_integers())
    return wrong<fault::integer_has_no_derivative, F>{};
  else
    return std::type_identity<void>{};
}

/// What is wrong with a verb under its policy; `void` if nothing.
template <class Verb, class Source, class... Args, std::size_t... Positions>
constexpr auto unconnected_problem(std::index_sequence<Positions...>) {
  if constexpr (std::is_same_v<typename Verb::policy, unconnected::strict_policy>) {
    using layout = argument_layout<Args...>;
    constexpr bool all = (has_open_path<Source>(typename layout::template variables<Positions>{}) && ...);
    return wrong_unless<all, fault::unconnected_argument, Verb>{};
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
      return wrong<fault::call_not_over_tensors, F>{};
    else if constexpr (Verb::does.checked && program::has_stop_in_loop(source::view()))
      return wrong<fault::stop_in_loop_not_held, F>{};
    else if constexpr (Verb::does.scalar_valued() && source::value.outputs.size() != 1)
      return wrong<fault::function_returns_array, F>{};
    else if constexpr (!Verb::template fits<source, Positions...>(std::type_identity<std::tuple<Args...>>{}))
      return wrong<fault::tangents_differ, F>{};
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
    return std::type_identity<typename call_over_tensors<Verb, Args...>::problem>{};
  else if constexpr (takes_tensors_inside<F, Args...>)
    return std::type_identity<void>{};
  else
    return size_problem<typename Verb::template evaluated<
        traced_program<F, Args...>, typename Verb::template variables<argument_layout<Args...>, Positions...>>>();
}
/// In what a verb's result for arguments of the types `Args` is handed over, where that is not `std::array`: a
/// specialisation has `convert`. Gradients have the types of their arguments anyway.
template <class Verb, class... Args>
struct result_container {};

/// No positions mean all arguments.
template <class Positions, class... Args>
using positions_of = std::conditional_t<Positions::size() == 0, std::index_sequence_for<Args...>, Positions>;

/// The call of a verb of a function with its arguments, in loops of numbers where they can run the function.
template <class Verb, class... Args>
struct function_call_as_it_is {
  using verb_called = Verb;
  using positions = positions_of<typename Verb::asked_positions, Args...>;
  using problem = typename decltype(function_call_problem<Verb, typename Verb::function, Args...>(positions{}))::type;

  template <class Engine, class To>
  TAPELESS_ALWAYS_INLINE static constexpr auto run(const Engine& engine, const To& to, const Verb& verb,
                                                   const Args&... args) {
    if constexpr (is_over_tensors<typename Verb::function, Args...>())
      return call_over_tensors<Verb, Args...>::run(engine, to, verb, args...);
    else if constexpr (!std::is_same_v<To, new_result>)
      *to.result = run(engine, new_result{}, verb, args...);
    else if constexpr (is_compared<Engine>)
      return verb.run_numbers(engine, positions{}, args...);
    else if constexpr (requires { result_container<Verb, Args...>::converts; })
      return result_container<Verb, Args...>::convert(verb.run(positions{}, args...));
    else
      return verb.run(positions{}, args...);
  }
};

template <class Verb, class... Args>
constexpr auto find_function_call() {
  using call = function_call_as_it_is<Verb, Args...>;
  using problem = typename call::problem;
  if constexpr ((!is_not<fault::loop_captures_sequence, problem> ||
                 !is_not<fault::sequence_has_no_derivative, problem>) &&
                (shape_of<Args>::over_tensors || ...) && requires { typename Verb::over_tensors; }) {
    using instead = function_call_as_it_is<typename Verb::over_tensors, Args...>;
    return std::type_identity<std::conditional_t<std::is_void_v<typename instead::problem>, instead, call>>{};
  } else {
    return std::type_identity<call>{};
  }
}
/// The call of a verb of a function with its arguments.
template <class Verb, class... Args>
struct function_call : decltype(find_function_call<Verb, Args...>())::type {};

/// A verb of a function.
template <class G>
concept Function_verb = requires { typename G::asked_positions; };

/// Says what is wrong with a loop or an equation in the function.
template <class Problem>
constexpr void report_loop() {
  static_assert(
      is_not<fault::scan_over_numbers, Problem>,
      "tapeless: scan(body, init, xs...) runs over vectors and tensors that are arguments of the function, "
      "over what a scan stacked, over steps(n), or over std::arrays of one length; called with plain numbers, write "
      "value(f)(...) [TL109]");
  static_assert(is_not<fault::scan_start_unfit, Problem>,
                "tapeless: the carry of a scan must be a number, or an array, tuple or adapted struct of numbers "
                "[TL110]");
  static_assert(is_not<fault::scan_body_unfit, Problem>,
                "tapeless: the body of a scan must take the carry and one element of each sequence, by `auto`, or "
                "does not compile with them, as an error above says [TL111]");
  static_assert(is_not<fault::scan_changes_shape, Problem>,
                "tapeless: the body of a scan must return the next carry, of the shape of the first, or "
                "std::pair{carry, y} [TL112]");
  static_assert(is_not<fault::scan_stacks_no_numbers, Problem>,
                "tapeless: what a scan stacks must be a number, or an array, tuple or adapted struct of numbers "
                "[TL113]");
  static_assert(is_not<fault::checkpoints_unfit, Problem>,
                "tapeless: checkpoints<count> needs a count from 1 to 10000; with 32, 7140 steps run three times at "
                "most [TL253]");
  static_assert(is_not<fault::while_start_unfit, Problem>,
                "tapeless: the carry of a while_loop must be a number, or an array, tuple or adapted struct of numbers "
                "[TL116]");
  static_assert(is_not<fault::while_functions_unfit, Problem>,
                "tapeless: the condition and the body of a while_loop must take the carry, by `auto` [TL117]");
  static_assert(is_not<fault::while_changes_shape, Problem>,
                "tapeless: the body of a while_loop must return the next carry, of the shape of the first [TL118]");
  static_assert(is_not<fault::while_without_most, Problem>,
                "tapeless: give the most steps of a while_loop: while_loop(condition, body, init, most) [TL258]");
  static_assert(is_not<fault::call_unfit, Problem>,
                "tapeless: call(f, args...) takes numbers, arrays, tuples and adapted structs of them, and sequences "
                "[TL114]");
  static_assert(is_not<fault::call_has_captures, Problem>,
                "tapeless: the function of a call is compiled once, so it cannot have captures; pass what it needs: "
                "call(f, args...) [TL115]");
  static_assert(is_not<fault::cond_chooses_nothing, Problem>,
                "tapeless: cond(c, f, g, args...) takes a condition, such as x > 0, first [TL119]");
  static_assert(is_not<fault::branches_unfit, Problem>,
                "tapeless: cond(c, f, g, args...) calls f(args...) and g(args...), which take them by `auto` [TL120]");
  static_assert(is_not<fault::branches_differ, Problem>,
                "tapeless: both functions of cond(c, f, g, args...) must return a number, or an array, tuple or "
                "adapted struct of numbers, of the same shape [TL121]");
  static_assert(is_not<fault::fixed_point_start_unfit, Problem>,
                "tapeless: fixed_point(f, x0, args...) starts from a number or a std::array of numbers [TL122]");
  static_assert(is_not<fault::fixed_point_has_captures, Problem>,
                "tapeless: the function of a fixed_point cannot have captures; pass what it needs: fixed_point(f, "
                "x0, args...) [TL123]");
  static_assert(is_not<fault::fixed_point_changes_shape, Problem>,
                "tapeless: the function of a fixed_point takes x and args, and must return the same type as x [TL124]");
  static_assert(is_not<fault::root_changes_shape, Problem>,
                "tapeless: the function of implicit_root(f, x0, args...) must return as many numbers as x0 has, in the "
                "same shape [TL257]");
  static_assert(
      is_not<fault::root_without_order, Problem>,
      "tapeless: implicit_root<n> and fixed_point<n> have derivatives up to order n; n must be at least 1 [TL125]");
  static_assert(is_not<fault::root_unfit, Problem>,
                "tapeless: implicit_root takes a formula and its variable, implicit_root(f, x) or implicit_root(f, x = "
                "e), or a function without captures of x and args, implicit_root(f, x0, args...) [TL127]");
  static_assert(is_not<fault::odeint_start_unfit, Problem>,
                "tapeless: odeint(f, y0, t0, t1, n, args...) starts from a number, or an array, tuple or adapted "
                "struct of numbers [TL128]");
  static_assert(is_not<fault::odeint_at_unfit, Problem>,
                "tapeless: odeint_at(f, y0, t0, times, args..., tolerance) starts from a number, or an array, tuple or "
                "adapted struct of numbers; the times are a sequence, an argument of the function [TL129]");
  static_assert(is_not<fault::slope_unfit, Problem>,
                "tapeless: the f of odeint and odeint_at must take the time, the state and args..., by `auto`; for "
                "odeint_at and odeint<adaptive>, the tolerance is the last argument [TL254]");
  static_assert(is_not<fault::slope_changes_shape, Problem>,
                "tapeless: the f of odeint and odeint_at must return the derivative of the state, of the shape of y0 "
                "[TL255]");
  static_assert(is_not<fault::tolerance_unfit, Problem>,
                "tapeless: the tolerance of odeint_at and odeint<adaptive> must be a number, or std::array{absolute, "
                "relative} [TL256]");
}

/// What is called with a function's arguments: checks them, and hands `Verb::run` the positions asked for. The verb
/// says what it does (`does`, `policy`), which variables it differentiates by (`variables`), and names the program it
/// evaluates (`evaluated`).
template <class Verb, class F, class Positions>
struct called_with_arguments {
  using function = F;
  using asked_positions = Positions;

  template <class... Args>
  TAPELESS_ALWAYS_INLINE constexpr auto operator()(const Args&... args) const {
    using call = call_with_options<function_call, Verb, Args...>;
    // From here first: compilers print how they came to a mistake in the function's body.
    if constexpr (std::is_same_v<typename call::of_values, function_call<Verb, Args...>>)
      static_assert(sizeof(function_problem<F, Args...>()) > 0);
    using found = typename call::of_values::problem;
    constexpr bool misused = !std::is_void_v<found> && (Traced_argument<Args> || ...);
    using problem = std::conditional_t<misused, void, found>;
    static_assert(is_not<fault::function_called_by_name, problem>,
                  "tapeless: call a function with arguments by position, gradient(f)(1.0); only formulas take named "
                  "values [TL070]");
    static_assert(is_not<fault::comparison_chained, problem>,
                  "tapeless: 0 < x < 1 compares a condition with 1; write 0 < x && x < 1 [TL010]");
    static_assert(is_not<fault::bits_wanted, problem>,
                  "tapeless: &, |, ^ and % do not work on the values of a traced function: write && and || for "
                  "conditions, square(x) or pow(x, 3_c) for powers, x - n * floor(x / n) for remainders [TL071]");
    static_assert(is_not<fault::array_met, problem>,
                  "tapeless: operations do not apply to a std::array as a whole: compute with its elements, or pass a "
                  "tensor (a std::vector, a span or an xtensor container) [TL072]");
    static_assert(is_not<fault::order_wanted, problem>,
                  "tapeless: complex numbers have no order; compare abs(z), real(z) or imag(z) [TL278]");
    static_assert(
        is_not<fault::complex_met, problem>,
        "tapeless: asin, relu, prod, amax, sort, softmax, solve and the like are for real numbers and tensors; "
        "of a complex z take real(z), imag(z) or abs(z) [TL283]");
    static_assert(is_not<fault::argument_is_no_number, problem>,
                  "tapeless: the arguments of a traced function must be floating-point numbers, integers, or "
                  "std::arrays, tuples and adapted structs of them; of a pointer pass std::span(p, n) [TL073]");
    static_assert(
        is_not<fault::struct_not_adapted, problem>,
        "tapeless: an argument, or a member of one, has a class type that is not a number; adapt the data "
        "members of a struct: BOOST_HANA_ADAPT_STRUCT(name, members...); elements are numbers, no bool, in "
        "std::array, std::vector, a span or an xtensor container of fixed rank: rank<2>(array), xt::eval(lazy) "
        "[TL074]");
    static_assert(is_not<fault::struct_has_other_members, problem>,
                  "tapeless: an argument is a class template over the number type with a member that is not adapted; "
                  "adapt every member [TL075]");
    static_assert(is_not<fault::integer_has_no_derivative, problem>,
                  "tapeless: no derivative with respect to an integer; pass a floating-point number, 1.0, or name the "
                  "other arguments, wrt<0> [TL077]");
    static_assert(
        is_not<fault::sequence_has_no_derivative, problem>,
        "tapeless: a Hessian or sparse matrix with respect to a sequence, or in batched a Jacobian, has no fixed "
        "number of columns, nor has over tensors a Jacobian by a sequence of arrays or structs; use gradient, vjp, jvp "
        "or hvp, or name the other arguments, wrt<0> [TL078]");
    static_assert(
        is_not<fault::sequence_met, problem>,
        "tapeless: in a function with loops, a vector is a sequence, and here one stands where a number does: as "
        "a result, a carry or a number of steps; write sum(x) or x[0], or scan its elements [TL079]");
    static_assert(is_not<fault::sequence_wanted, problem>,
                  "tapeless: a scan runs over a vector or a tensor of rank 1, not over a number; write steps(n) for a "
                  "number of steps [TL080]");
    static_assert(
        is_not<fault::loop_captures_sequence, problem>,
        "tapeless: no derivative with respect to a sequence that the body of another loop captures, or a branch "
        "of cond; pass it to that scan, or read it outside of the branch [TL081]");
    static_assert(is_not<fault::function_has_state, problem>,
                  "tapeless: the compiler runs a traced function, so it cannot have captures or be a std::bind_front; "
                  "pass what it needs as its last arguments and bind them: gradient(bind_back([](auto x, auto c) { "
                  "return c * x; }, c))(x) [TL082]");
    static_assert(is_not<fault::function_takes_other_arguments, problem>,
                  "tapeless: the function does not accept these arguments, or does not compile with them, as an error "
                  "above says (write clamp(x, a, b), not std::clamp, and std::array<decltype(x), 2>{x, 0.0}, not "
                  "std::array{x, 0.0}; decltype(q[0]) is a reference); declare its parameters `auto`, and read a "
                  "struct that is not a class template "
                  "by `const auto& [a, b] = p;` or by `p[&S::a]` [TL083]");
    static_assert(is_not<fault::function_returns_no_number, problem>,
                  "tapeless: a traced function must return a number, or an array, tuple or struct of numbers [TL084]");
    static_assert(
        is_not<fault::position_without_argument, problem>,
        "tapeless: wrt<...> names an argument that the function does not have; positions count from 0 [TL085]");
    static_assert(is_not<fault::function_takes_numbers, problem>,
                  "tapeless: declare the parameters of a traced function `auto`, not double or int: they have no "
                  "values yet; a loop bound must be a constant, such as a template argument [TL086]");
    static_assert(
        is_not<fault::number_wanted, problem>,
        "tapeless: in a traced function a value is not a number yet and cannot be converted to double or "
        "int; declare all parameters `auto`, sum in the type of an argument, decltype(x) s = 0, and write exp(x), not "
        "std::exp(x); to choose from an array, write where(i == 0, x[0], x[1]) [TL087]");
    static_assert(is_not<fault::condition_wanted, problem>,
                  "tapeless: in a traced function a condition has no value yet, so `if`, `?:`, a loop's bound, "
                  "std::max and std::clamp cannot use it; write where(condition, a, b), max(a, b), min(a, b) or "
                  "clamp(a, lo, hi), and use constants as loop bounds [TL088]");
    static_assert(
        is_not<fault::formula_met, problem>,
        "tapeless: a traced function cannot use variables of formulas; pass their values as arguments [TL089]");
    static_assert(
        is_not<fault::tensor_wanted, problem>,
        "tapeless: sum(x), dot(x, y), x[i] and similar operations need a tensor, and this is a number [TL090]");
    static_assert(
        is_not<fault::loop_wants_tensor, problem>,
        "tapeless: in a function with loops, a vector is a sequence: there are sum, mean, prod, amax, amin, "
        "argmax, norm, logsumexp, softmax, dot(x, y), x[i] and operations element by element, but no other "
        "operations of tensors, and none of numbers; a carry is a number, or an array or struct of numbers [TL091]");
    static_assert(is_not<fault::body_left, problem>,
                  "tapeless: the body of a scan or while_loop, or a branch of cond, is run once, so it cannot change "
                  "variables outside of it; return what the next step or the function needs, in the carry [TL267]");
    static_assert(is_not<fault::length_wanted, problem>,
                  "tapeless: a vector has no length yet where the compiler runs the function, so no x.size() and no "
                  "loop over its elements: write scan([&](auto s, auto e) { return s + f(e); }, 0.0, x), or over "
                  "tensors sum(f(x)); for a fixed number of elements pass a std::array [TL093]");
    static_assert(is_not<fault::constant_changed, problem>,
                  "tapeless: decltype(x[0]) is a reference; write std::remove_cvref_t<decltype(x[0])> s = 0, or auto s "
                  "= 0 * x[0] [TL094]");
    static_assert(
        is_not<fault::element_assigned, problem>,
        "tapeless: an element or a slice of a tensor or sequence is a value, and assigning to it would change "
        "nothing; make a new tensor, concatenate<0>(y, slice<0>(x, 1)), stack<0>(a, b) or where(c, y, x), or "
        "pass a std::array [TL279]");
    static_assert(is_not<fault::freeze_met, problem>,
                  "tapeless: freeze stops variables of a formula; in a function write stop_gradient(x), or name the "
                  "arguments that derivatives are wanted by, wrt<0> [TL284]");
    static_assert(is_not<fault::indices_known, problem>,
                  "tapeless: the indices of take are an argument of the function, or a variable that gets them in the "
                  "call; one that is known is slice<0>(x, 1, 2) [TL261]");
    static_assert(
        is_not<fault::partials_unfit, problem>,
        "tapeless: give custom_gradient partials by name, without braces, custom_gradient(f, x = dx, y = dy), "
        "and in a function in pairs, custom_gradient(f(a, b), {{a, da}, {b, db}}) [TL023]");
    static_assert(is_not<fault::operation_undefined, problem>,
                  "tapeless: an operation lacks what it needs to be applied to so many operands: it has a static "
                  "constexpr name, a value or an expand that takes them, and partials = rules(...) with one rule for "
                  "each of them [TL105]");
    static_assert(is_not<fault::unconnected_argument, problem>,
                  "tapeless: every path from an argument goes through stop_gradient, or the result does not depend on "
                  "it (unconnected::strict) [TL095]");
    static_assert(is_not<fault::call_not_over_tensors, problem>,
                  "tapeless: sparse_jacobian, sparse_hessian and check_gradient do not support tensors, and an "
                  "argument is a tensor [TL096]");
    static_assert(
        is_not<fault::stop_in_loop_not_held, problem>,
        "tapeless: check_gradient cannot hold what a stop inside a loop or a call has in each step; check the "
        "function without that stop, or compare_engines [TL211]");
    static_assert(is_not<fault::function_not_compiled, problem>,
                  "tapeless: the function's body does not compile, see the errors above; if its return types differ, "
                  "write return decltype(x)(1.0) instead of return 1.0; write "
                  "std::array<decltype(x), 2>{x, 0.0}, not std::array{x, 0.0}; decltype(q[0]) is a reference [TL097]");
    static_assert(
        is_not<fault::not_run, problem>,
        "tapeless: the compiler cannot run the function: it calls or reads what is not constexpr (write "
        "exp(x), not std::exp(x), tapeless::exp(0.5) of a plain number, and constexpr double k = 3, not const double), "
        "reads a variable that has no "
        "value yet, leaves an array's bounds, is wrong (an error above says so; decltype(q[0]) is a reference), "
        "captures a name from auto [a, b] with clang (write [&a = a, &b = b], not [&]), or "
        "reaches the compiler's limit (clang -fconstexpr-steps, g++ -fconstexpr-ops-limit) [TL098]");
    static_assert(is_not<fault::ceres_functor_not_run, problem>,
                  "tapeless: the compiler cannot run the Ceres functor: make its operator() constexpr and return true; "
                  "call sqrt(x), not std::sqrt(x) (a preceding `using std::sqrt;` does no harm); write "
                  "where(condition, a, b) instead of an `if` or ?: on values [TL220]");
    static_assert(is_not<fault::function_returns_array, problem>,
                  "tapeless: gradient and hessian need a function that returns one number; for a function that returns "
                  "an array use jacobian [TL099]");
    static_assert(is_not<fault::tangents_differ, problem>,
                  "tapeless: tangent needs one number for each number of the arguments, cotangent one for each number "
                  "of the result [TL100]");
    if constexpr (misused)
      return misused_inside<fault_of<found>>(args...);
    else if constexpr (std::is_void_v<problem>)
      return call::type::run(loops::sequential{}, new_result{}, static_cast<const Verb&>(*this), args...);
    else
      return report_loop<problem>(), report<problem>();
  }
};

}  // namespace tapeless::detail
