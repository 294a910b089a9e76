#ifndef TAPELESS_GRADIENT_GRADIENT_HPP
#define TAPELESS_GRADIENT_GRADIENT_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/core/freeze.hpp>
#include <tapeless/core/target.hpp>
#include <tapeless/evaluate/engine.hpp>
#include <tapeless/gradient/evaluate.hpp>
#include <tapeless/gradient/function.hpp>
#include <tapeless/gradient/result.hpp>
#include <tapeless/gradient/unconnected.hpp>
#include <tapeless/gradient/wrt.hpp>

#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tapeless {

namespace detail {

/// The program with output 0, the value, and a further output a requested variable.
template <class Source, class Variables>
struct gradient_program;
template <class Source, class... Vs>
struct gradient_program<Source, wrt_variables<Vs...>> {
  using type = program::frozen<program::append_gradient<Source, variable_index(Source::value, Vs::name)...>>;
};
template <class Source, int... Variables>
struct gradient_program<Source, std::integer_sequence<int, Variables...>> {
  using type = program::frozen<program::append_gradient<Source, Variables...>>;
};

/// Output number `I` of an evaluation as a derivative: where the policy says so, an absolute zero as a number.
template <class Policy, std::size_t I, class P, class T>
TAPELESS_ALWAYS_INLINE constexpr auto read_derivative(const scalar::evaluation<P, T>& done) {
  if constexpr (std::is_same_v<Policy, unconnected::materialise_policy>)
    return static_cast<T>(done.template output<I>());
  else
    return done.template output<I>();
}

/// The derivatives by variables from the outputs of an evaluation, `First` on.
template <class Policy, class Variables, std::size_t First, class Evaluation, std::size_t... I>
TAPELESS_ALWAYS_INLINE constexpr auto read_gradient(const Evaluation& done, std::index_sequence<I...>) {
  return gradient_map<Variables, decltype(read_derivative<Policy, First + I>(done))...>(
      read_derivative<Policy, First + I>(done)...);
}
template <class Policy, class Variables, std::size_t First, class Evaluation>
TAPELESS_ALWAYS_INLINE constexpr auto read_gradient(const Evaluation& done) {
  return read_gradient<Policy, Variables, First>(done, std::make_index_sequence<Variables::size>{});
}

template <class F>
struct formula_variables {
  using type = typename all_variables<lowered<F>>::type;
};

}  // namespace detail

namespace detail::inline TAPELESS_TARGET {

/// The same over tensors: tensor.hpp.
template <class F, class Variables, bool WithValue, class Policy>
struct tensor_gradient;

}  // namespace detail::inline TAPELESS_TARGET

/// The gradient of a formula as a function of its variables' values; made by `gradient` and `value_and_gradient`.
template <class F, class Variables, bool WithValue, class Policy = unconnected::structural_policy>
class formula_gradient;
template <class F, class... Vs, bool WithValue, class Policy>
class formula_gradient<F, wrt_variables<Vs...>, WithValue, Policy>
    : public called_with_values<formula_gradient<F, wrt_variables<Vs...>, WithValue, Policy>> {
 public:
  using source = detail::lowered<F>;
  using requested = wrt_variables<Vs...>;
  template <class Source>
  using evaluated = program::finished<typename detail::gradient_program<Source, requested>::type, WithValue ? 0 : 1,
                                      sizeof...(Vs) + 1>;
  static constexpr bool of_one_number = true;

  constexpr explicit formula_gradient(const F& wrapped) : f_(wrapped) {}
  constexpr const F& wrapped() const { return f_; }

  using called_with_values<formula_gradient>::operator();

  /// The same into an existing result.
  template <class Result, class... Bindings>
  constexpr void operator()(const into_result<Result>& result, const Bindings&... bindings) const {
    // What is wrong with the values, the call without a result reports.
    if constexpr (!std::is_void_v<detail::call_problem_t<formula_gradient, Bindings...>>) {
      static_cast<void>((*this)(bindings...));
    } else {
      using over_tensors = detail::tensor_gradient<F, requested, WithValue, Policy>;
      constexpr bool fits = std::is_same_v<Result, typename over_tensors::template result<Bindings...>>;
      static_assert(fits, "tapeless: into(r) takes the result of the same call: variables bound to the same types");
      if constexpr (fits) over_tensors::run(loops::sequential{}, f_, result, bindings...);
    }
  }

  /// The same over tensors on several threads, `step(std::execution::par, into(r), X = data)`: tapeless/parallel.hpp.
  template <detail::Execution_policy Threads, class... Args>
  auto operator()(const Threads& policy, const Args&... args) const {
    return run_threads(policy, args...);
  }

 private:
  friend called_with_values<formula_gradient>;
  [[no_unique_address]] F f_;

  template <class Threads, class Result, class... Bindings>
  void run_threads(const Threads& policy, const into_result<Result>& result, const Bindings&... bindings) const {
    if constexpr (!std::is_void_v<detail::call_problem_t<formula_gradient, Bindings...>>)
      static_cast<void>((*this)(bindings...));
    else
      detail::tensor_gradient<F, requested, WithValue, Policy>::run(detail::engine_of<Threads>{policy}, f_, result,
                                                                    bindings...);
  }
  template <class Threads, class... Bindings>
  auto run_threads(const Threads& policy, const Bindings&... bindings) const {
    if constexpr (!std::is_void_v<detail::call_problem_t<formula_gradient, Bindings...>>)
      return (*this)(bindings...);
    else
      return detail::tensor_gradient<F, requested, WithValue, Policy>::run(detail::engine_of<Threads>{policy}, f_,
                                                                           bindings...);
  }

  template <class... Bindings>
  TAPELESS_ALWAYS_INLINE constexpr auto run(const Bindings&... bindings) const {
    if constexpr ((detail::is_tensor_argument<Bindings> || ...))
      return detail::tensor_gradient<F, requested, WithValue, Policy>::run(loops::sequential{}, f_, bindings...);
    else {
      using T = detail::evaluation_type_t<F, Bindings...>;
      const auto done = detail::evaluate_program<T, source, evaluated<source>>(f_, bindings...);
      if constexpr (WithValue)
        return value_and_gradient_result<decltype(done.template output<0>()),
                                         decltype(detail::read_gradient<Policy, requested, 1>(done))>{
            done.template output<0>(), detail::read_gradient<Policy, requested, 1>(done)};
      else
        return detail::read_gradient<Policy, requested, 0>(done);
    }
  }
};

/// The gradient of a traced function as a function of its arguments; made by `gradient` and `value_and_gradient`.
/// `Positions` are the arguments whose gradient is asked for; all if there are none.
template <class F, bool WithValue, std::size_t... Positions>
class function_gradient : public detail::function_verb<function_gradient<F, WithValue, Positions...>, F, Positions...> {
  friend detail::function_verb<function_gradient<F, WithValue, Positions...>, F, Positions...>;

 public:
  static constexpr bool one_output = true;
  template <class Source, class Variables>
  using evaluated = program::finished<typename detail::gradient_program<Source, Variables>::type, WithValue ? 0 : 1,
                                      1 + Variables::size()>;

 private:
  template <std::size_t... P, class... Args>
  TAPELESS_ALWAYS_INLINE static constexpr auto run(std::index_sequence<P...>, const Args&... args) {
    using T = detail::function_real_t<Args...>;
    using layout = detail::argument_layout<Args...>;
    using program = evaluated<detail::traced_program<F, Args...>, typename layout::template variables<P...>>;
    constexpr std::size_t first = WithValue ? 1 : 0;
    const scalar::evaluation<program, T> done(detail::function_inputs<T, Args...>{args...});
    if constexpr (WithValue)
      return value_and_gradient_result<T, decltype(layout::template read<T, first, P...>(done))>{
          static_cast<T>(done.template output<0>()), layout::template read<T, first, P...>(done)};
    else
      return layout::template read<T, first, P...>(done);
  }
};

namespace detail {

template <class F, bool WithValue, std::size_t... I>
constexpr auto function_gradient_of(wrt_positions<I...>) {
  return function_gradient<F, WithValue, I...>{};
}

template <bool WithValue, class Policy, class F, class... Vs>
constexpr auto formula_gradient_of(const F& f, wrt_variables<Vs...>) {
  return formula_gradient<F, wrt_variables<Vs...>, WithValue, Policy>(f);
}

// Takes the options one by one: a policy, or subexpressions to stop.
template <bool WithValue, class Policy, class F, class... Vs, class Option, class... Options>
constexpr auto formula_gradient_of(const F& f, wrt_variables<Vs...> variables, const Option&,
                                   const Options&... options) {
  return formula_gradient_of<WithValue, Option>(f, variables, options...);
}
template <bool WithValue, class Policy, class F, class... Vs, class... Hs, class... Options>
constexpr auto formula_gradient_of(const F& f, wrt_variables<Vs...> variables, const stop_list<Hs...>&,
                                   const Options&... options) {
  // What is asked for keeps its direct partial derivative.
  return formula_gradient_of<WithValue, Policy>(
      stopping<F, std::conditional_t<is_one_of<Hs, Vs...>, void, Hs>...>::of(f), variables, options...);
}

/// What is wrong with a gradient under its policy; `void` if nothing.
template <class G>
struct policy_problem {
  using type = void;
};
template <class F, class... Vs, bool WithValue>
struct policy_problem<formula_gradient<F, wrt_variables<Vs...>, WithValue, unconnected::strict_policy>> {
  using type = typename decltype(first_problem(connection_problem<F, Vs>()...))::type;
};

/// Whether what an option names occurs in the formula.
template <class F, class Option>
inline constexpr bool names_parts_of = true;
template <class F, class... Hs>
inline constexpr bool names_parts_of<F, stop_list<Hs...>> = (occurs_in<F, Hs>::value && ...);

template <class Option>
inline constexpr bool is_option = is_policy<Option>;
template <class... Hs>
inline constexpr bool is_option<stop_list<Hs...>> = true;

}  // namespace detail

/// The gradient of a formula: `gradient(f, wrt(x, y))(x = 1.0, y = 2.0)` gives `g` with `g[x]`, `g[y]`; without `wrt`,
/// that with respect to all variables. What is stopped or absent is `Zero`, or as a policy says:
/// `gradient(f, wrt(x), unconnected::strict)`; `stop_gradients(h, k)` names subexpressions that count as constants.
/// Cost: one forward and one reverse sweep, as straight-line code; the value is not kept where no derivative needs it.
template <Expression F, class... Vs, class... Options>
constexpr auto gradient(const F& f, wrt_variables<Vs...> variables, const Options&... options) {
  constexpr bool known = (detail::is_option<Options> && ...);
  static_assert(known,
                "tapeless: after wrt(...) come unconnected::structural, materialise or strict, and stop_gradients");
  constexpr bool named = (detail::names_parts_of<F, Options> && ...);
  static_assert(named,
                "tapeless: stop_gradients names a formula that does not occur in this one; name a part just as it "
                "stands there: x * y is not y * x");
  if constexpr (!known || !named)
    return detail::no_result{};
  else {
    const auto result = detail::formula_gradient_of<false, unconnected::structural_policy>(f, variables, options...);
    using problem = typename detail::policy_problem<std::remove_const_t<decltype(result)>>::type;
    static_assert(detail::is_not<error::unconnected_variable_is_absent, problem>,
                  "tapeless: the formula does not contain this variable (unconnected::strict)");
    static_assert(detail::is_not<error::unconnected_variable_is_stopped, problem>,
                  "tapeless: every path from this variable goes through stop_gradient (unconnected::strict)");
    return result;
  }
}
template <Expression F>
constexpr auto gradient(const F& f) {
  return gradient(f, typename detail::formula_variables<F>::type{});
}

/// The gradient of a function: `gradient([](auto x, auto y) { return x * sin(y); })(1.0, 2.0)` gives the partial
/// derivatives in the order of the arguments: a tuple, or for one argument the partial itself. That of a `std::array`
/// is a `std::array`, of an adapted struct the same struct. `gradient(f, wrt<0, 2>)` takes arguments by position.
template <Function F>
constexpr auto gradient(const F&) {
  return function_gradient<F, false>{};
}
template <Function F, Position_list Wrt>
constexpr auto gradient(const F&, Wrt) {
  return detail::function_gradient_of<F, false>(std::invoke_result_t<Wrt>{});
}
template <class... Options>
constexpr detail::no_result gradient(detail::function_template, const Options&...) {
  static_assert(
      detail::always_false<Options...>,
      "tapeless: the name of a function template is no object; give gradient a lambda: [](auto x) { return f(x); }");
  return {};
}
template <Formula_verb G, class... Options>
constexpr auto gradient(const G&, const Options&...) {
  static_assert(
      detail::always_false<G>,
      "tapeless: of a gradient there is no gradient; second derivatives are hessian(f, wrt(x, y))(...), further "
      "ones gradient(derivative(f, x))");
  return detail::no_result{};
}
template <class... Ts>
constexpr auto gradient(const Ts&...) {
  static_assert(detail::is_reported<Ts...>,
                "tapeless: gradient takes a formula and variables, gradient(f, wrt(x, y)), or a lambda or another "
                "function object and positions, gradient([](auto a) { return a * a; }, wrt<0>); outputs(...) have a "
                "jacobian");
  return detail::no_result{};
}

/// Value and gradient, sharing their work: the result has `.value` and `.gradient` (as `gradient` gives it, with the
/// same options).
template <Expression F, class... Vs, class... Options>
constexpr auto value_and_gradient(const F& f, wrt_variables<Vs...> variables, const Options&... options) {
  constexpr bool known = (detail::is_option<Options> && ...);
  static_assert(known,
                "tapeless: after wrt(...) come unconnected::structural, materialise or strict, and stop_gradients");
  constexpr bool named = (detail::names_parts_of<F, Options> && ...);
  static_assert(named,
                "tapeless: stop_gradients names a formula that does not occur in this one; name a part just as it "
                "stands there: x * y is not y * x");
  if constexpr (!known || !named)
    return detail::no_result{};
  else {
    const auto result = detail::formula_gradient_of<true, unconnected::structural_policy>(f, variables, options...);
    using problem = typename detail::policy_problem<std::remove_const_t<decltype(result)>>::type;
    static_assert(detail::is_not<error::unconnected_variable_is_absent, problem>,
                  "tapeless: the formula does not contain this variable (unconnected::strict)");
    static_assert(detail::is_not<error::unconnected_variable_is_stopped, problem>,
                  "tapeless: every path from this variable goes through stop_gradient (unconnected::strict)");
    return result;
  }
}
template <Expression F>
constexpr auto value_and_gradient(const F& f) {
  return value_and_gradient(f, typename detail::formula_variables<F>::type{});
}
template <Function F>
constexpr auto value_and_gradient(const F&) {
  return function_gradient<F, true>{};
}
template <Function F, Position_list Wrt>
constexpr auto value_and_gradient(const F&, Wrt) {
  return detail::function_gradient_of<F, true>(std::invoke_result_t<Wrt>{});
}
template <class... Options>
constexpr detail::no_result value_and_gradient(detail::function_template, const Options&...) {
  static_assert(detail::always_false<Options...>,
                "tapeless: the name of a function template is no object; give value_and_gradient a lambda: [](auto x) "
                "{ return f(x); }");
  return {};
}
template <Formula_verb G, class... Options>
constexpr auto value_and_gradient(const G&, const Options&...) {
  static_assert(
      detail::always_false<G>,
      "tapeless: of a gradient there is no gradient; second derivatives are hessian(f, wrt(x, y))(...), further "
      "ones gradient(derivative(f, x))");
  return detail::no_result{};
}
template <class... Ts>
constexpr auto value_and_gradient(const Ts&...) {
  static_assert(detail::is_reported<Ts...>,
                "tapeless: value_and_gradient takes a formula and variables, value_and_gradient(f, wrt(x, y)), or a "
                "lambda or another function object and positions, wrt<0>; outputs(...) have a value_and_jacobian");
  return detail::no_result{};
}

}  // namespace tapeless

#endif
