#pragma once

#include <tapeless/operation/scan.hpp>
#include <tapeless/program/graph/program.hpp>
#include <tapeless/program/rewrite/fold.hpp>

/// What derivatives do with sequences as a whole: loops without carries.
namespace tapeless::program {

namespace detail {

struct sum_of_elements {
  static constexpr builder run() {
    builder graph;
    graph.variables = {3, ""};
    const int terms[] = {graph.variable(0), graph.variable(1)};
    graph.outputs.push_back(graph.append(info<operation::Add>, terms, 2));
    return graph;
  }
};
struct masked_element {
  static constexpr builder run() {
    builder graph;
    graph.variables = {3, ""};
    const int selected[] = {graph.variable(0), graph.variable(1), graph.constant(0)};
    graph.outputs.push_back(graph.append(info<operation::Where>, selected, 3));
    return graph;
  }
};
struct either_element {
  static constexpr builder run() {
    builder graph;
    graph.variables = {3, ""};
    const int selected[] = {graph.variable(0), graph.constant(1), graph.variable(1)};
    graph.outputs.push_back(graph.append(info<operation::Where>, selected, 3));
    return graph;
  }
};

inline constexpr operation::scan_shape by_element{0, 0, 0, 2, 1}, mask_shape{0, 1, 0, 1, 1};
template <class Body>
constexpr int element_by_element(builder& graph, int a, int b) {
  const int operands[] = {graph.append_as_is(info<operation::Length>, &a, 1), a, b};
  const int loop = graph.append_of_loops(info<operation::Scan<frozen<Body>, by_element>>, operands, 3);
  return graph.append_of_loops(info<operation::ScanOutput<0, true>>, &loop, 1);
}

}  // namespace detail

/// The number of elements of a sequence.
constexpr int length_of(builder& graph, int sequence) {
  return graph.append_as_is(info<operation::Length>, &sequence, 1);
}
/// `count` zeros.
constexpr int zeros(builder& graph, int count) {
  const int operands[] = {graph.constant(0), count};
  return graph.append_of_loops(info<operation::Repeat>, operands, 2);
}
constexpr int sum_of_sequences(builder& graph, int a, int b) {
  return detail::element_by_element<detail::sum_of_elements>(graph, a, b);
}
/// The sequence, and zeros where the condition does not hold: a condition, or a sequence of 0 and 1, one an element.
constexpr int masked_sequence(builder& graph, int condition, int sequence) {
  if (graph.nodes[condition].sequence)
    return detail::element_by_element<detail::masked_element>(graph, condition, sequence);
  const int operands[] = {length_of(graph, sequence), graph.as_number(condition), sequence};
  const int loop =
      graph.append_of_loops(info<operation::Scan<frozen<detail::masked_element>, detail::mask_shape>>, operands, 3);
  return graph.append_of_loops(info<operation::ScanOutput<0, true>>, &loop, 1);
}
/// Where one of two conditions holds, of which at least one is a sequence of 0 and 1.
constexpr int either_in_sequence(builder& graph, int a, int b) {
  const auto spread = [&](int condition, int like) {
    if (graph.nodes[condition].sequence) return condition;
    const int operands[] = {graph.as_number(condition), length_of(graph, like)};
    return graph.append_of_loops(info<operation::Repeat>, operands, 2);
  };
  return detail::element_by_element<detail::either_element>(graph, spread(a, b), spread(b, a));
}

}  // namespace tapeless::program
