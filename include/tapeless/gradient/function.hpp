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

namespace tapeless {

/// What is differentiated besides formulas: function objects, lambdas without captures among them.
template <class F>
concept Function = !Expression<F> && std::is_class_v<F>;

namespace error {

template <class F>
struct function_has_state {
  static_assert(detail::always_false<F>,
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

/// The shape of an argument or result of a traced function: a number or an array of numbers.
template <class T>
struct shape_of {
  static constexpr bool valid = Real<T>;
  static constexpr std::size_t size = 1;
  using number = T;
  using traced_type = traced;

  static constexpr traced trace(program::builder& graph, int first) { return traced(graph, graph.variable(first)); }
  template <class U>
  static constexpr void write(const T& from, U*& to) {
    *to++ = static_cast<U>(from);
  }
  /// The argument's gradient: as the argument, in numbers of type `U`.
  template <class U>
  static constexpr U read(const U*& from) {
    return *from++;
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
  template <class U>
  static constexpr void write(const std::array<T, N>& from, U*& to) {
    for (const T& x : from) *to++ = static_cast<U>(x);
  }
  template <class U>
  static constexpr std::array<U, N> read(const U*& from) {
    std::array<U, N> result;
    for (U& x : result) x = *from++;
    return result;
  }
};

template <class R>
inline constexpr bool is_traceable_result = std::same_as<R, traced> || Numeric<R> || is_constant<R>;
template <class T, std::size_t N>
inline constexpr bool is_traceable_result<std::array<T, N>> = is_traceable_result<T>;

template <class F, class... Args>
constexpr bool check_function() {
  if constexpr (!(shape_of<Args>::valid && ...))
    ((void)std::conditional_t<shape_of<Args>::valid, std::type_identity<Args>, error::argument_is_no_number<Args>>{},
     ...);
  else if constexpr (!std::is_empty_v<F> || !std::default_initializable<F>)
    static_cast<void>(error::function_has_state<F>{});
  else if constexpr (!std::invocable<F, typename shape_of<Args>::traced_type...>)
    static_cast<void>(error::function_takes_other_arguments<F>{});
  else {
    using result = std::invoke_result_t<F, typename shape_of<Args>::traced_type...>;
    if constexpr (is_traceable_result<std::remove_cvref_t<result>>)
      return true;
    else
      static_cast<void>(error::function_returns_no_number<result>{});
  }
  return false;
}

/// Runs the function once, on nodes: the pass from a function to a program. `Args` are the types of its arguments.
template <class F, class... Args>
struct trace_function {
  static constexpr program::builder run() {
    program::builder graph;
    graph.variables = {static_cast<int>((shape_of<Args>::size + ... + 0)), std::string_view()};
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

/// The arguments' numbers, one after the other.
template <class T, class... Args>
constexpr auto flatten(const Args&... args) {
  std::array<T, (shape_of<Args>::size + ... + 0)> result{};
  T* to = result.data();
  (shape_of<Args>::write(args, to), ...);
  return result;
}

template <class... Args>
using function_real_t = common_real_t<typename shape_of<Args>::number...>;

}  // namespace detail

}  // namespace tapeless

#endif
