#pragma once

#include <tapeless/core/variable.hpp>
#include <tapeless/gradient/outputs.hpp>
#include <tapeless/gradient/wrt.hpp>
#include <tapeless/program/pass/pass.hpp>

#include <cstddef>
#include <string_view>
#include <utility>

namespace tapeless::detail {

template <class F>
struct lowering_of {
  using type = program::frozen<program::lower_formulas<F>>;
};
template <class... Fs>
struct lowering_of<output_list<Fs...>> {
  using type = program::frozen<program::lower_formulas<Fs...>>;
};
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
template <class Source, class Variables>
struct indices_in;
template <class Source, class... Vs>
struct indices_in<Source, wrt_variables<Vs...>> {
  using type = std::integer_sequence<int, variable_index(Source::value, Vs::name)...>;
};
template <class Source, class Variables>
using indices_in_t = typename indices_in<Source, Variables>::type;

template <class Source>
inline constexpr bool takes_tensors = [] {
  for (const program::node& each : Source::value.nodes)
    if (each.kind == program::node_kind::apply && each.operation->of_tensors) return true;
  return false;
}();

}  // namespace tapeless::detail
