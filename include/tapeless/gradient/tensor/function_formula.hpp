#pragma once

#include <tapeless/core/target.hpp>
#include <tapeless/gradient/function/argument_place.hpp>
#include <tapeless/gradient/function/trace_function.hpp>
#include <tapeless/gradient/tensor/tensor_argument.hpp>
#include <tapeless/program/lower/lower_tensors.hpp>
#include <tapeless/program/lower/recorded_lowering.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tapeless {

namespace program {

/// The leaves of the arguments `Args` of a function: the tensors and numbers in them, in their order. Those that are
/// bound to variables are named by their place; integers are numbers of the program, so that they may be indices and
/// extents.
template <class... Args>
struct function_leaves {
  using layout = tapeless::detail::argument_layout<Args...>;
  static constexpr std::size_t size = layout::size;

  template <std::size_t I>
  using type =
      std::remove_cvref_t<decltype(layout::template leaf<I>(std::declval<const std::tuple<const Args&...>&>()))>;
  template <std::size_t I>
  static constexpr bool is_index = std::integral<type<I>>;

  template <std::size_t I>
  static constexpr std::string_view name = tapeless::detail::place_of<layout, static_cast<int>(I)>.text();
  template <std::size_t I>
  using variable = Variable<fixed_string<name<I>.size() + 1>(name<I>)>;

  static constexpr auto names = []<std::size_t... I>(std::index_sequence<I...>) {
    return std::array<std::string_view, size>{(is_index<I> ? std::string_view() : name<I>)...};
  }(std::make_index_sequence<size>{});
};

}  // namespace program

namespace detail::inline TAPELESS_TARGET {

/// A function and its arguments in a call, as the formula over tensors that it computes.
template <class F, class... Args>
struct function_formula {
  std::tuple<const Args&...> arguments;
};

/// The integers among the arguments, in their order.
template <class T, class F, class... Args>
void numbers_of(const function_formula<F, Args...>& f, T*& to) {
  using leaves = program::function_leaves<Args...>;
  for_each_index<leaves::size>([&](auto i) {
    if constexpr (leaves::template is_index<i>) *to++ = static_cast<T>(leaves::layout::template leaf<i>(f.arguments));
  });
}

}  // namespace detail::inline TAPELESS_TARGET

namespace program::detail {

template <class F, class... Args>
struct lower_as<tapeless::detail::function_formula<F, Args...>> {
  static constexpr growing_array<tensor_value> run(tensor_lowering& to) {
    growing_array<tensor_value> leaves;
    for (const std::string_view name : function_leaves<Args...>::names)
      leaves.push_back(name.empty() ? to.scalar(to.graph.number(to.graph.numbers++)) : to.variable(name));
    return recorded_lowering<tapeless::detail::traced_program<F, Args...>>::run(to, leaves);
  }
};

}  // namespace program::detail
}  // namespace tapeless
