#pragma once

#include <tapeless/core/apply.hpp>
#include <tapeless/core/number.hpp>
#include <tapeless/core/stop_gradient.hpp>
#include <tapeless/core/variable.hpp>
#include <tapeless/gradient/outputs.hpp>
#include <tapeless/gradient/wrt.hpp>
#include <tapeless/program/pass/pass.hpp>

#include <array>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tapeless::detail {

template <class F>
struct lowering_of : std::type_identity<program::frozen<program::lower_formulas<F>>> {};
template <class... Fs>
struct lowering_of<output_list<Fs...>> : std::type_identity<program::frozen<program::lower_formulas<Fs...>>> {};
/// The program of the values of a formula or of several.
template <class F>
using lowered = typename lowering_of<F>::type;

/// The index of a variable in a program; -1 if the program does not have it.
template <class Program>
constexpr int variable_index(const Program& p, std::string_view name) {
  for (std::size_t i = 0; i < p.variables.size(); ++i)
    if (p.variables[i] == name) return static_cast<int>(i);
  return -1;
}

template <class Source, std::size_t I>
using variable_at = Variable<fixed_string<Source::value.variables[I].size() + 1>(Source::value.variables[I])>;

/// The variables of a lowered formula, in order of first appearance.
template <class Source>
constexpr std::size_t count_variables() {
  if constexpr (program::problem_of<Source> == program::fault::none)
    return Source::value.variables.size();
  else
    return 0;
}
template <class Source, class = std::make_index_sequence<count_variables<Source>()>>
struct all_variables;
template <class Source, std::size_t... I>
struct all_variables<Source, std::index_sequence<I...>> {
  using type = wrt_variables<variable_at<Source, I>...>;
};

/// The indices of variables in a lowered formula.
template <class Source, class... Vs>
std::integer_sequence<int, variable_index(Source::value, Vs::name)...> indices_in(wrt_variables<Vs...>);
template <class Source, class Variables>
using indices_in_t = decltype(indices_in<Source>(Variables{}));

template <class Source>
inline constexpr bool takes_tensors = [] {
  for (const program::node& each : Source::value.nodes)
    if (each.kind == program::node_kind::apply && each.operation->of_tensors) return true;
  return false;
}();

/// The run-time numbers of a formula, in the order of its lowering.
template <class T, class E>
TAPELESS_ALWAYS_INLINE constexpr void numbers_of(const E& e, T*& to) {
  if constexpr (std::is_empty_v<E>)
    return;
  else if constexpr (is_number<E>)
    *to++ = static_cast<T>(e.value);
  else if constexpr (is_stop<E>)
    numbers_of(e.operand, to);
  else if constexpr (is_outputs<E>)
    std::apply([&](const auto&... each) { (numbers_of(each, to), ...); }, e.formulas);
  else
    [&]<std::size_t... I>(std::index_sequence<I...>) TAPELESS_INLINE_LAMBDA {
      (numbers_of(e.template operand<I>(), to), ...);
    }(std::make_index_sequence<E::arity>{});
}

/// What a formula is evaluated with: the values bound to its variables and the numbers it carries.
template <class T, class Source, class Variables, class... Bindings>
class bound_inputs;
template <class T, class Source, class... Us, class... Bindings>
class bound_inputs<T, Source, wrt_variables<Us...>, Bindings...> {
  std::tuple<const Bindings&...> bindings_;
  std::array<T, static_cast<std::size_t>(Source::value.numbers)> numbers_{};

 public:
  template <class F>
  TAPELESS_ALWAYS_INLINE constexpr explicit bound_inputs(const F& wrapped, const Bindings&... bindings)
      : bindings_(bindings...) {
    if constexpr (Source::value.numbers > 0) {
      T* to = numbers_.data();
      numbers_of(wrapped, to);
    }
  }

  constexpr const auto& numbers() const { return numbers_; }

  template <int I>
  TAPELESS_ALWAYS_INLINE constexpr T variable() const {
    using V = typename type_at<static_cast<std::size_t>(I), Us...>::type;
    return immediate<T>(std::get<position_in<V, typename Bindings::variable_type...>()>(bindings_).value);
  }
  template <int I>
  TAPELESS_ALWAYS_INLINE constexpr T number() const {
    return numbers_[static_cast<std::size_t>(I)];
  }
};

}  // namespace tapeless::detail
