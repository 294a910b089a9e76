#pragma once

#include <tapeless/evaluate/kernels/engine.hpp>
#include <tapeless/gradient/call_options.hpp>
#include <tapeless/gradient/function/function_problems.hpp>
#include <tapeless/gradient/problem.hpp>

#include <type_traits>
#include <utility>

namespace tapeless::detail {

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
  using positions = positions_of<typename Verb::asked_positions, Args...>;
  using problem = typename decltype(function_call_problem<Verb, typename Verb::function, Args...>(positions{}))::type;

  template <class Engine, class To>
  TAPELESS_ALWAYS_INLINE static constexpr auto run(const Engine& engine, const To& to, const Verb& verb,
                                                   const Args&... args) {
    if constexpr (is_over_tensors<typename Verb::function, Args...>())
      return tensor_function_call<Verb, typename Verb::function, Args...>::run(engine, to, verb, args...);
    else if constexpr (!std::is_same_v<To, new_result>)
      *to.result = run(engine, new_result{}, verb, args...);
    else if constexpr (is_compared<Engine>)
      return engine.compare_function(verb, positions{}, args...);
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
  if constexpr ((!is_not<mistake::loop_captures_sequence, problem> ||
                 !is_not<mistake::sequence_has_no_derivative, problem>) &&
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
    using problem = typename call::of_values::problem;
    using program::fault;
    static_assert(is_not<mistake::function_called_by_name, problem>,
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
    static_assert(is_not<mistake::argument_is_no_number, problem>,
                  "tapeless: the arguments of a traced function must be floating-point numbers, integers, or "
                  "std::arrays, tuples and adapted structs of them [TL073]");
    static_assert(is_not<mistake::struct_not_adapted, problem>,
                  "tapeless: an argument, or a member of one, has a class type that is not a number; adapt the data "
                  "members of a struct: BOOST_HANA_ADAPT_STRUCT(name, members...) [TL074]");
    static_assert(is_not<mistake::struct_has_other_members, problem>,
                  "tapeless: an argument is a class template over the number type with a member that is not adapted; "
                  "adapt every member [TL075]");
    static_assert(is_not<mistake::integer_has_no_derivative, problem>,
                  "tapeless: no derivative with respect to an integer; pass a floating-point number, 1.0, or name the "
                  "other arguments, wrt<0> [TL077]");
    static_assert(
        is_not<mistake::sequence_has_no_derivative, problem>,
        "tapeless: a Hessian or sparse matrix with respect to a sequence, or in batched a Jacobian, has no fixed "
        "number of columns; use gradient, vjp, jvp or hvp, or name the other arguments, wrt<0> [TL078]");
    static_assert(
        is_not<fault::sequence_met, problem>,
        "tapeless: in a function with loops, a vector is a sequence, and here one stands where a number does: as "
        "a result, a carry or a number of steps; write sum(x) or x[0], or scan its elements [TL079]");
    static_assert(is_not<fault::sequence_wanted, problem>,
                  "tapeless: a scan runs over a vector or a tensor of rank 1, not over a number; write steps(n) for a "
                  "number of steps [TL080]");
    static_assert(
        is_not<mistake::loop_captures_sequence, problem>,
        "tapeless: no derivative with respect to a sequence that the body of another loop captures, or a branch "
        "of cond; pass it to that scan, or read it outside of the branch [TL081]");
    static_assert(is_not<mistake::function_has_state, problem>,
                  "tapeless: the compiler runs a traced function, so it cannot have captures or be a std::bind_front; "
                  "pass what it needs as its last arguments and bind them: gradient(bind_back([](auto x, auto c) { "
                  "return c * x; }, c))(x) [TL082]");
    static_assert(is_not<mistake::function_takes_other_arguments, problem>,
                  "tapeless: the function does not accept these arguments, or does not compile with them, as an error "
                  "above says (write clamp(x, a, b), not std::clamp, and std::array<decltype(x), 2>{x, 0.0}, not "
                  "std::array{x, 0.0}; decltype(q[0]) is a reference); declare its parameters `auto`, and read a "
                  "struct that is not a class template "
                  "by `const auto& [a, b] = p;` or by `p[&S::a]` [TL083]");
    static_assert(is_not<mistake::function_returns_no_number, problem>,
                  "tapeless: a traced function must return a number, or an array, tuple or struct of numbers [TL084]");
    static_assert(
        is_not<mistake::position_without_argument, problem>,
        "tapeless: wrt<...> names an argument that the function does not have; positions count from 0 [TL085]");
    static_assert(is_not<mistake::function_takes_numbers, problem>,
                  "tapeless: declare the parameters of a traced function `auto`, not double or int: they have no "
                  "values yet; a loop bound must be a constant, such as a template argument [TL086]");
    static_assert(is_not<fault::number_wanted, problem>,
                  "tapeless: in a traced function a value is not a number yet and cannot be converted to double or "
                  "int; sum in the type of an argument, decltype(x) s = 0, and write exp(x), not std::exp(x) [TL087]");
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
        is_not<mistake::loop_wants_tensor, problem>,
        "tapeless: in a function with loops, a vector is a sequence: there are sum, mean, prod, amax, amin, "
        "argmax, norm, logsumexp, softmax, dot(x, y), x[i] and operations element by element, but no other "
        "operations of tensors, and none of numbers; a carry is a number, or an array or struct of numbers [TL091]");
    static_assert(is_not<fault::numbers_wanted, problem>,
                  "tapeless: odeint_at does not work in functions over tensors; odeint with a number "
                  "of steps does [TL092]");
    static_assert(is_not<fault::length_wanted, problem>,
                  "tapeless: a vector has no length yet where the compiler runs the function, so no x.size() and no "
                  "loop over its elements: write scan([&](auto s, auto e) { return s + f(e); }, 0.0, x), or over "
                  "tensors sum(f(x)); for a fixed number of elements pass a std::array [TL093]");
    static_assert(is_not<fault::constant_changed, problem>,
                  "tapeless: decltype(x[0]) is a reference; write std::remove_cvref_t<decltype(x[0])> s = 0, or auto s "
                  "= 0 * x[0] [TL094]");
    static_assert(is_not<mistake::unconnected_argument, problem>,
                  "tapeless: every path from an argument goes through stop_gradient, or the result does not depend on "
                  "it (unconnected::strict) [TL095]");
    static_assert(is_not<mistake::call_not_over_tensors, problem>,
                  "tapeless: sparse_jacobian, sparse_hessian and check_gradient do not support tensors, and an "
                  "argument is a tensor [TL096]");
    static_assert(
        is_not<mistake::stop_in_loop_not_held, problem>,
        "tapeless: check_gradient cannot hold what a stop inside a loop or a call has in each step; check the "
        "function without that stop, or compare_engines [TL211]");
    static_assert(is_not<mistake::function_not_compiled, problem>,
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
    static_assert(is_not<mistake::ceres_functor_not_run, problem>,
                  "tapeless: the compiler cannot run the Ceres functor: make its operator() constexpr and return true; "
                  "call sqrt(x), not std::sqrt(x) (a preceding `using std::sqrt;` does no harm); write "
                  "where(condition, a, b) instead of an `if` or ?: on values [TL220]");
    static_assert(is_not<mistake::function_returns_array, problem>,
                  "tapeless: gradient and hessian need a function that returns one number; for a function that returns "
                  "an array use jacobian [TL099]");
    static_assert(is_not<mistake::tangents_differ, problem>,
                  "tapeless: tangent needs one number for each number of the arguments, cotangent one for each number "
                  "of the result [TL100]");
    if constexpr (std::is_void_v<problem>)
      return call::type::run(loops::sequential{}, new_result{}, static_cast<const Verb&>(*this), args...);
    else
      return report<problem>();
  }
};

}  // namespace tapeless::detail
