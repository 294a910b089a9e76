#pragma once

#include <tapeless/gradient/function/argument_shape.hpp>
#include <tapeless/program/lower/loop.hpp>
#include <tapeless/program/lower/sequence_operations.hpp>
#include <tapeless/program/lower/trace.hpp>
#include <tapeless/program/pass/pass.hpp>

#include <concepts>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tapeless::detail {

template <class R>
constexpr bool is_traceable_result() {
  if constexpr (Structure<R>)
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return (is_traceable_result<typename structure<R>::template member<I>>() && ...);
    }(std::make_index_sequence<structure<R>::size>{});
  else
    return is_traced<R> || Numeric<R> || is_constant<R>;
}

/// Only loops read sequences.
constexpr void check_sequences(program::builder& graph) {
  for (const program::node& n : graph.nodes)
    for (int j = 0; j < n.count; ++j)
      if (n.kind == program::node_kind::apply && !n.operation->of_loops && n.operation->passes != 0 &&
          graph.nodes[graph.edges[n.first + j]].sequence)
        graph.misused(program::fault::sequence_met);
  for (const int output : graph.outputs)
    if (graph.nodes[output].sequence) graph.misused(program::fault::sequence_met);
}

/// What depends on the variables of a loop's body stays in it.
constexpr void check_bodies(program::builder& graph, int arguments) {
  const auto needed = program::needed_nodes(graph, {graph.outputs.begin(), graph.outputs.end()});
  for (int i = 0; i < graph.nodes.size; ++i)
    if (const program::node& n = graph.nodes[i];
        needed[i] && n.kind == program::node_kind::variable && n.leaf >= arguments)
      graph.misused(program::fault::body_left);
}

/// Runs the function once, on nodes: the pass from a function to a program. `Args` are the types of its arguments.
template <bool OverTensors, class F, class... Args>
struct trace_function {
  static constexpr bool is_recording = OverTensors;
  static constexpr int variables = static_cast<int>(argument_layout<Args...>::size);
  static constexpr program::builder run(bool plain = false) {
    program::builder graph(OverTensors ? program::stage::recording : program::stage::formula);
    graph.stay_plain(plain);
    graph.variables = {variables, std::string_view()};
    if constexpr ((can_be_sequence<Args> || ...)) graph.open_arguments = variables;
    int next = 0;
    const auto first = [&](std::size_t size) { return (next += static_cast<int>(size)) - static_cast<int>(size); };
    // Braces: the arguments are numbered from left to right.
    const std::tuple<typename shape_of<Args>::traced_type...> arguments{
        shape_of<Args>::trace(graph, first(shape_of<Args>::size))...};
    for_each_leaf(std::apply(F{}, arguments), [&](const auto& leaf) { graph.outputs.push_back(node_in(graph, leaf)); });
    if (graph.has_sequences && !OverTensors) check_sequences(graph);
    if (graph.loops.size > 0) check_bodies(graph, variables);
    return graph;
  }
};

/// Of a function with loops of run-time length: then tensors among its arguments are sequences that they read.
template <class F, class... Args>
inline constexpr bool records_loops =
    program::detail::measured<trace_function<(shape_of<Args>::over_tensors || ...), F, Args...>>.has_loops;
/// The same where the arguments may be tensors, inside another function: there a `call` is no loop.
template <class F, class... Args>
inline constexpr bool records_loops_inside = program::detail::measured<trace_function<true, F, Args...>>.has_loops;
template <bool OverTensors, bool Loops, class F, class... Args>
using traced_by =
    program::frozen<std::conditional_t<Loops, program::with_loops<trace_function<OverTensors, F, Args...>>,
                                       trace_function<OverTensors, F, Args...>>>;
template <class F, class... Args>
using program_inside = traced_by<true, records_loops_inside<F, Args...>, F, Args...>;
/// Whether that is what loops of numbers cannot do with sequences.
constexpr bool wants_loops_over_tensors(program::fault found) {
  using enum program::fault;
  return found == tensor_wanted || found == sequence_met || found == sequence_wanted;
}
/// `F`, for derivatives that loops of numbers do not have.
template <class F>
struct with_loops_over_tensors {
  template <class... Args>
  constexpr auto operator()(const Args&... args) const -> decltype(F{}(args...)) {
    return F{}(args...);
  }
};
/// Whether a function is recorded over tensors: those among its arguments are sequences for loops of numbers, unless it
/// does more with them than these can.
template <class F, class... Args>
constexpr bool is_traced_over_tensors() {
  if constexpr (!(shape_of<Args>::over_tensors || ...))
    return false;
  else if constexpr (!records_loops<F, Args...> || is_instance_of<with_loops_over_tensors, F> ||
                     (has_matrix<Args>() || ...))
    return true;
  else
    return wants_loops_over_tensors(program::problem_of<traced_by<false, true, F, Args...>>);
}
template <class F, class... Args>
using traced_as_given = traced_by<is_traced_over_tensors<F, Args...>(), records_loops<F, Args...>, F, Args...>;
template <class F, class... Args>
using traced_program = traced_as_given<F, std::remove_cvref_t<Args>...>;

}  // namespace tapeless::detail
