#pragma once

#include <tapeless/operation/scan.hpp>
#include <tapeless/program/graph/program.hpp>
#include <tapeless/program/rewrite/fold.hpp>

/// What derivatives do with sequences as a whole: loops without carries.
namespace tapeless::program {

/// The number of elements of a sequence.
constexpr int length_of(builder& graph, int sequence) {
  return graph.append_as_is(info<operation::Length>, &sequence, 1);
}
/// `count` times the same number.
constexpr int repeat(builder& graph, int number, int count) {
  const int operands[] = {number, count};
  return graph.append_of_loops(info<operation::Repeat>, operands, 2);
}
constexpr int zeros(builder& graph, int count) { return repeat(graph, graph.constant(0), count); }

namespace detail {

/// A loop's body that computes `Element` of two numbers.
template <int (*Element)(builder&, int, int)>
struct element_body {
  static constexpr builder run() {
    builder graph;
    graph.variables = {3, ""};
    const int a = graph.variable(0), b = graph.variable(1);
    graph.outputs.push_back(Element(graph, a, b));
    return graph;
  }
};
constexpr int sum_of_elements(builder& graph, int a, int b) { return graph.make<operation::Add>(a, b); }
constexpr int masked_element(builder& graph, int condition, int element) {
  return graph.make<operation::Where>(condition, element, graph.constant(0));
}
constexpr int either_element(builder& graph, int a, int b) {
  return graph.make<operation::Where>(a, graph.constant(1), b);
}

/// `Element` of the elements of two sequences, or of a number and those of a sequence.
template <int (*Element)(builder&, int, int), bool OfNumber = false>
constexpr int element_by_element(builder& graph, int a, int b) {
  constexpr operation::scan_shape shape{0, OfNumber ? 1 : 0, 0, OfNumber ? 1 : 2, 1};
  const int operands[] = {length_of(graph, OfNumber ? b : a), a, b};
  const int loop = graph.append_of_loops(info<operation::Scan<frozen<element_body<Element>>, shape>>, operands, 3);
  return graph.append_of_loops(info<operation::ScanOutput<0, true>>, &loop, 1);
}

}  // namespace detail

/// The sequence, and zeros where the condition does not hold: a condition, or a sequence of 0 and 1, one an element.
template <class Graph>
constexpr int masked_sequence(Graph& graph, int condition, int sequence) {
  using namespace detail;
  if (graph.nodes[condition].sequence) return element_by_element<masked_element>(graph, condition, sequence);
  return element_by_element<masked_element, true>(graph, graph.as_number(condition), sequence);
}
/// Where one of two conditions holds, of which at least one is a sequence of 0 and 1.
template <class Graph>
constexpr int either_in_sequence(Graph& graph, int a, int b) {
  const auto spread = [&](int condition, int like) {
    return graph.nodes[condition].sequence ? condition
                                           : repeat(graph, graph.as_number(condition), length_of(graph, like));
  };
  return detail::element_by_element<detail::either_element>(graph, spread(a, b), spread(b, a));
}
template <class Graph>
constexpr element_loops loops_over_elements() {
  return {&detail::element_by_element<detail::sum_of_elements>, &masked_sequence<Graph>, &either_in_sequence<Graph>};
}

}  // namespace tapeless::program
