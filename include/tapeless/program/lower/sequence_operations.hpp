#pragma once

#include <tapeless/operation/tensor/linear_algebra.hpp>
#include <tapeless/operation/tensor/over_axes.hpp>
#include <tapeless/operation/tensor/pick.hpp>
#include <tapeless/program/lower/record_loop.hpp>
#include <tapeless/program/lower/trace.hpp>

/// Operations on the sequences of a function with loops, as loops over them: of numbers by element, and those of
/// tensors of rank 1.
namespace tapeless::program {

namespace detail {

/// How an operation of tensors applies to sequences: `apply`; by default it does not.
template <class Op>
struct of_sequences {};
/// The kind of reduction that an operation of any number of operands is of a single sequence.
template <class Op>
struct of_all_elements {};

}  // namespace detail

/// Whether a node is a condition, or a sequence of them.
constexpr bool is_condition(const builder& graph, int index) {
  const node& n = graph.nodes[index];
  if (!n.sequence || !reads_loop(n)) return n.condition;
  const node& loop = graph.nodes[graph.edges[n.first]];
  return applies(loop, info<operation::RecordedScan>) && graph.loops[loop.leaf].conditions;
}

/// An operation of numbers, element by element; what is no sequence is the same for all elements.
constexpr int apply_by_element(builder& graph, const operation_info& applied, const int* operands, int count) {
  growing_array<int> sequences;
  for (int i = 0; i < count; ++i)
    if (graph.nodes[operands[i]].sequence) sequences.push_back(operands[i]);
  const int loop = record_loop(graph, {}, -1, {}, sequences, [&](recorded_loop& recorded) {
    growing_array<int> elements;
    int next = recorded.first_variable;
    for (int i = 0; i < count; ++i)
      elements.push_back(graph.nodes[operands[i]].sequence ? graph.variable(next++) : operands[i]);
    const int result = graph.append(applied, elements.data, count);
    recorded.conditions = graph.nodes[result].condition;
    recorded.results.push_back(graph.as_number(result));
  });
  return graph.append_of_loops(info<operation::ScanOutput<0, true>>, &loop, 1);
}

template <class Op>
constexpr int apply_to_sequences(builder& graph, const int* operands, int count) {
  bool any = false;
  for (int i = 0; i < count; ++i) any |= graph.nodes[operands[i]].sequence;
  if (!any || (info<Op>.keeps_shape && !graph.nodes[operands[0]].sequence)) return -1;
  if constexpr (requires { &detail::of_sequences<Op>::template apply<traced>; })
    return detail::of_sequences<Op>::template apply<traced>(graph, operands, count);
  else if constexpr (tapeless::detail::Tensor_operation<Op>)
    return -1;
  else {
    if constexpr (requires { &detail::of_all_elements<Op>::template apply<traced>; })
      if (count == 1) return detail::of_all_elements<Op>::template apply<traced>(graph, operands, 1);
    if constexpr (tapeless::detail::Ordering<Op>)
      if (is_condition(graph, operands[0]) != is_condition(graph, operands[1]))
        graph.misused(fault::comparison_chained);
    return apply_by_element(graph, info<Op>, operands, count);
  }
}

/// The axis of sequences of the same length, as what is computed from reductions sees it. `Number` is `traced`: a
/// template is compiled where it is used.
template <class Number>
class sequence_axis {
  builder& graph_;
  int length_;

  static constexpr int read(builder& graph, int loop, const operation_info& output) {
    return graph.append_of_loops(output, &loop, 1);
  }
  /// The first number that a loop over `x` carries at the end, where `step(carries, element)` pushes the next.
  template <class E, class Step>
  constexpr Number carry(const E& x, const growing_array<int>& init, int steps, const Step& step) const {
    const int sequence[] = {tapeless::detail::node_in(graph_, x)};
    const auto body = [&](recorded_loop& loop) {
      const auto variable = [&](int place) { return Number(graph_, graph_.variable(loop.first_variable + place)); };
      const auto next = [&](const Number& number) { loop.results.push_back(graph_.as_number(number.node_in(graph_))); };
      step(variable, variable(loop.carries), variable(loop.carries + 1), next);
    };
    return Number(graph_, read(graph_, record_loop(graph_, {}, steps, init, {sequence, 1}, body),
                               info<operation::ScanOutput<0, false>>));
  }
  template <class E, class Combine>
  constexpr Number fold(const E& x, int neutral, const Combine& combine) const {
    return carry(x, {1, graph_.constant(neutral)}, length_,
                 [&](const auto& carried, const Number& element, const Number&, const auto& next) {
                   next(combine(carried(0), element));
                 });
  }
  /// The element that comes before the others, where equal ones share the derivative.
  template <class E, class Before>
  constexpr Number first_of(const E& x, const Before& before) const {
    const int length[] = {length_};
    return carry(
        x, {2, graph_.constant(0)}, graph_.append(info<operation::LengthOfSome>, length, 1),
        [&](const auto& carried, const Number& element, const Number&, const auto& next) {
          const Number found = carried(0), count = carried(1);
          const Number comes = count == 0 || before(element, found) || element != element;
          const Number ties = element == found;
          next(where(comes, element, where(ties, apply<operation::ShareOfEqual>(found, element, count), found)));
          next(where(comes, 1, where(ties, count + 1, count)));
        });
  }

 public:
  constexpr sequence_axis(builder& graph, int sequence)
      : graph_(graph), length_(graph.append_as_is(info<operation::Length>, &sequence, 1)) {}

  template <class E>
  constexpr Number sum(const E& x) const {
    return fold(x, 0, [](const Number& all, const Number& element) { return Number(all + element); });
  }
  template <class E>
  constexpr Number prod(const E& x) const {
    return fold(x, 1, [](const Number& all, const Number& element) { return Number(all * element); });
  }
  template <class E>
  constexpr Number amax(const E& x) const {
    return first_of(x, [](const Number& one, const Number& other) { return Number(one > other); });
  }
  template <class E>
  constexpr Number amin(const E& x) const {
    return first_of(x, [](const Number& one, const Number& other) { return Number(one < other); });
  }
  constexpr Number extent() const { return Number(graph_, length_); }
  /// The numbers of the elements, from 0.
  constexpr Number index() const {
    const auto body = [&](recorded_loop& loop) { loop.results.push_back(graph_.variable(loop.first_variable)); };
    return Number(graph_,
                  read(graph_, record_loop(graph_, {}, length_, {}, {}, body), info<operation::ScanOutput<0, true>>));
  }
  template <class E>
  constexpr Number element(const E& x, const Number& index) const {
    const int operands[] = {index.node_in(graph_), length_};
    const Number number(graph_, graph_.append(info<operation::ElementNumber>, operands, 2));
    return carry(x, {1, graph_.constant(0)}, length_,
                 [&](const auto& carried, const Number& each, const Number& place, const auto& next) {
                   next(where(place == number, each, carried(0)));
                 });
  }
};

namespace detail {

template <class Kind>
struct over_all_elements {
  template <class Number>
  static constexpr int apply(builder& graph, const int* operands, int) {
    const Number x(graph, operands[0]);
    const sequence_axis<Number> axis(graph, operands[0]);
    using namespace operation;
    if constexpr (requires { Kind::over(x, axis); })
      return tapeless::detail::node_in(graph, Number(Kind::over(x, axis)));
    else if constexpr (std::is_same_v<Kind, Sum>)
      return axis.sum(x).node_in(graph);
    else if constexpr (std::is_same_v<Kind, tapeless::operation::Prod>)
      return axis.prod(x).node_in(graph);
    else if constexpr (std::is_same_v<Kind, AMax>)
      return axis.amax(x).node_in(graph);
    else if constexpr (std::is_same_v<Kind, AMin>)
      return axis.amin(x).node_in(graph);
    else
      return -1;
  }
};
template <class Kind, int... Axis>
  requires(sizeof...(Axis) < 2 && ((Axis == 0 || Axis == -1) && ...))
struct of_sequences<operation::OverAxes<Kind, false, Axis...>> : over_all_elements<Kind> {};
template <>
struct of_sequences<operation::Dot> {
  template <class Number>
  static constexpr int apply(builder& graph, const int* operands, int) {
    if (!graph.nodes[operands[0]].sequence || !graph.nodes[operands[1]].sequence) return -1;
    return sequence_axis<Number>(graph, operands[0])
        .sum(Number(graph, apply_by_element(graph, info<operation::Multiply>, operands, 2)))
        .node_in(graph);
  }
};
template <>
struct of_sequences<operation::Pick> {
  template <class Number>
  static constexpr int apply(builder& graph, const int* operands, int count) {
    if (count != 2 || graph.nodes[operands[1]].sequence || !graph.nodes[operands[0]].sequence) return -1;
    return sequence_axis<Number>(graph, operands[0])
        .element(Number(graph, operands[0]), Number(graph, operands[1]))
        .node_in(graph);
  }
};
template <>
struct of_all_elements<operation::Max> : over_all_elements<operation::AMax> {};
template <>
struct of_all_elements<operation::Min> : over_all_elements<operation::AMin> {};
template <>
struct of_all_elements<operation::Norm> : over_all_elements<operation::NormOver> {};
template <>
struct of_all_elements<operation::LogSumExp> : over_all_elements<operation::LogSumExpOver> {};

}  // namespace detail

}  // namespace tapeless::program
