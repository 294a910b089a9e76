#ifndef TAPELESS_GRADIENT_FUNCTION_HPP
#define TAPELESS_GRADIENT_FUNCTION_HPP

#include <tapeless/gradient/arguments.hpp>
#include <tapeless/program/pass.hpp>
#include <tapeless/program/trace.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tapeless {

/// What is differentiated besides formulas: function objects, lambdas without captures among them.
template <class F>
concept Function = !Expression<F> && std::is_class_v<F>;

namespace error {

template <class F>
struct function_has_state {
  static_assert(
      detail::always_false<F>,
      "tapeless: a traced function is run by the compiler, so it has no captures and no members; pass what it "
      "needs as arguments");
};
template <class F>
struct function_takes_other_arguments {
  static_assert(detail::always_false<F>,
                "tapeless: the function cannot be traced with these arguments; let it take them by `auto` and compute "
                "with them by operators and by functions found by argument-dependent lookup (exp(x), not std::exp(x))");
};
template <class T>
struct function_returns_no_number {
  static_assert(detail::always_false<T>, "tapeless: a traced function returns a number or a std::array of numbers");
};
template <class T>
struct argument_is_no_number {
  static_assert(detail::always_false<T>,
                "tapeless: the arguments of a traced function are floating-point numbers or std::arrays of them");
};

}  // namespace error

namespace detail {

/// The shape of an argument of a traced function: a number or an array of numbers.
template <class T>
struct shape_of {
  static constexpr bool valid = Real<T>;
  static constexpr std::size_t size = 1;
  using number = T;
  using traced_type = traced;

  static constexpr traced trace(program::builder& graph, int first) { return traced(graph, graph.variable(first)); }
  template <std::size_t I>
  TAPELESS_ALWAYS_INLINE static constexpr const T& element(const T& argument) {
    return argument;
  }
  /// The argument's gradient from the outputs of an evaluation: of the argument's shape, in numbers of type `U`.
  template <class U, std::size_t First, class Evaluation>
  TAPELESS_ALWAYS_INLINE static constexpr U read(const Evaluation& done) {
    return static_cast<U>(done.template output<First>());
  }
};
template <class T, std::size_t N>
struct shape_of<std::array<T, N>> {
  static constexpr bool valid = Real<T>;
  static constexpr std::size_t size = N;
  using number = T;
  using traced_type = std::array<traced, N>;

  static constexpr traced_type trace(program::builder& graph, int first) {
    traced_type result;
    for (std::size_t i = 0; i < N; ++i) result[i] = traced(graph, graph.variable(first + static_cast<int>(i)));
    return result;
  }
  template <std::size_t I>
  TAPELESS_ALWAYS_INLINE static constexpr const T& element(const std::array<T, N>& argument) {
    return argument[I];
  }
  template <class U, std::size_t First, class Evaluation>
  TAPELESS_ALWAYS_INLINE static constexpr std::array<U, N> read(const Evaluation& done) {
    return elements<U, First>(done, std::make_index_sequence<N>{});
  }

 private:
  template <class U, std::size_t First, class Evaluation, std::size_t... I>
  TAPELESS_ALWAYS_INLINE static constexpr std::array<U, N> elements(const Evaluation& done, std::index_sequence<I...>) {
    return {static_cast<U>(done.template output<First + I>())...};
  }
};

/// How the numbers of the arguments `Args` follow each other as the variables of a traced program.
template <class... Args>
struct argument_layout {
  template <std::size_t P>
  using shape = shape_of<typename type_at<P, Args...>::type>;

  static constexpr std::size_t size = (shape_of<Args>::size + ... + 0);
  static constexpr std::array<std::size_t, sizeof...(Args)> sizes{shape_of<Args>::size...};

  static constexpr std::size_t first(std::size_t position) {
    std::size_t result = 0;
    for (std::size_t p = 0; p < position; ++p) result += sizes[p];
    return result;
  }
  /// The argument that variable number `variable` belongs to.
  static constexpr std::size_t position(std::size_t variable) {
    std::size_t p = 0;
    while (variable >= first(p + 1)) ++p;
    return p;
  }
  /// How many numbers the positions `Ps` before the first that is `P` have.
  template <std::size_t P, std::size_t... Ps>
  static constexpr std::size_t size_before = [] {
    std::size_t result = 0;
    static_cast<void>(((Ps == P ? true : (result += sizes[Ps], false)) || ...));
    return result;
  }();

  template <std::size_t... P>
  static constexpr auto variable_indices() {
    std::array<int, (sizes[P] + ... + 0)> result{};
    std::size_t next = 0;
    const auto append = [&](std::size_t begin, std::size_t count) {
      for (std::size_t end = begin + count; begin < end; ++begin) result[next++] = static_cast<int>(begin);
    };
    (append(first(P), sizes[P]), ...);
    return result;
  }
  template <std::size_t... P, std::size_t... I>
  static constexpr auto to_sequence(std::index_sequence<I...>) {
    constexpr auto indices = variable_indices<P...>();
    return std::integer_sequence<int, indices[I]...>{};
  }
  /// The variables of the arguments at positions `P`, in order.
  template <std::size_t... P>
  using variables = decltype(to_sequence<P...>(std::make_index_sequence<(sizes[P] + ... + 0)>{}));
};

/// What a traced program is evaluated with: the numbers of its arguments.
template <class T, class... Args>
struct function_inputs {
  std::tuple<const Args&...> arguments;

  constexpr explicit function_inputs(const Args&... args) : arguments(args...) {}

  template <int I>
  TAPELESS_ALWAYS_INLINE constexpr T variable() const {
    using layout = argument_layout<Args...>;
    constexpr std::size_t index = static_cast<std::size_t>(I);
    constexpr std::size_t position = layout::position(index);
    return static_cast<T>(layout::template shape<position>::template element<index - layout::first(position)>(
        std::get<position>(arguments)));
  }
};

template <class R>
inline constexpr bool is_traceable_result = std::same_as<R, traced> || Numeric<R> || is_constant<R>;
template <class T, std::size_t N>
inline constexpr bool is_traceable_result<std::array<T, N>> = is_traceable_result<T>;

/// Whether the function can be run by the compiler. Asked only of functions whose result is a plain number: those that
/// left the program, by std::exp say.
template <class F, class... Ts>
concept Constant_function = requires { typename std::integral_constant<int, (static_cast<void>(F{}(Ts{}...)), 0)>; };

template <class Arg>
constexpr auto function_argument_problem() {
  if constexpr (shape_of<Arg>::valid)
    return std::type_identity<void>{};
  else
    return std::type_identity<error::argument_is_no_number<Arg>>{};
}

/// What keeps a function from being traced with arguments of these types; `void` if nothing.
template <class F, class... Args>
constexpr auto function_problem() {
  constexpr auto arguments = first_problem(function_argument_problem<Args>()...);
  if constexpr (!std::is_void_v<typename decltype(arguments)::type>)
    return arguments;
  else if constexpr (!std::is_empty_v<F> || !std::default_initializable<F>)
    return std::type_identity<error::function_has_state<F>>{};
  else if constexpr (!std::invocable<F, typename shape_of<Args>::traced_type...>)
    return std::type_identity<error::function_takes_other_arguments<F>>{};
  else {
    using result = std::remove_cvref_t<std::invoke_result_t<F, typename shape_of<Args>::traced_type...>>;
    if constexpr (!is_traceable_result<result>)
      return std::type_identity<error::function_returns_no_number<result>>{};
    else if constexpr (Numeric<result>) {
      if constexpr (Constant_function<F, typename shape_of<Args>::traced_type...>)
        return std::type_identity<void>{};
      else
        return std::type_identity<error::function_takes_other_arguments<F>>{};
    } else
      return std::type_identity<void>{};
  }
}
template <class F, class... Args>
using function_problem_t = typename decltype(function_problem<F, Args...>())::type;

/// Runs the function once, on nodes: the pass from a function to a program. `Args` are the types of its arguments.
template <class F, class... Args>
struct trace_function {
  static constexpr program::builder run() {
    program::builder graph;
    graph.variables = {static_cast<int>(argument_layout<Args...>::size), std::string_view()};
    int next = 0;
    const auto first = [&](std::size_t size) { return (next += static_cast<int>(size)) - static_cast<int>(size); };
    // Braces: the arguments are numbered from left to right.
    const std::tuple<typename shape_of<Args>::traced_type...> arguments{
        shape_of<Args>::trace(graph, first(shape_of<Args>::size))...};
    const auto output = [&](const auto& result) { graph.outputs.push_back(node_in(graph, result)); };
    const auto result = std::apply(F{}, arguments);
    if constexpr (is_array<std::remove_const_t<decltype(result)>>)
      for (const auto& r : result) output(r);
    else
      output(result);
    return graph;
  }
};

template <class F, class... Args>
using traced_program = program::frozen<trace_function<F, std::remove_cvref_t<Args>...>>;

/// The call of a verb's result for a traced function: checks the arguments, and hands `Verb::run` the positions asked
/// for, all if `Positions` are none.
template <class Verb, class F, std::size_t... Positions>
struct function_verb {
  template <class... Args>
  TAPELESS_ALWAYS_INLINE constexpr auto operator()(const Args&... args) const {
    using problem = function_problem_t<F, Args...>;
    if constexpr (!std::is_void_v<problem>)
      return report<problem>();
    else if constexpr (sizeof...(Positions) == 0)
      return Verb::run(std::index_sequence_for<Args...>{}, args...);
    else
      return Verb::run(std::index_sequence<Positions...>{}, args...);
  }
};

template <class... Args>
using function_real_t = common_real_t<typename shape_of<Args>::number...>;

}  // namespace detail

}  // namespace tapeless

#endif
