#pragma once

#include <tapeless/operation/scan.hpp>
#include <tapeless/operation/tensor/linear_algebra.hpp>
#include <tapeless/program/graph/builder.hpp>
#include <tapeless/program/graph/operation_info.hpp>

#include <utility>

/// Loops as functions record them, on nodes.
namespace tapeless::program {

/// What the body computes in every step, apart from what it takes from around it. In a branch that is all that it
/// computes, even if another branch computes it too.
constexpr void find_captures(const builder& graph, recorded_loop& loop, int first_node) {
  const bool over_tensors = graph.mode() == stage::recording;
  // What stands before is from around it, apart from lengths of tensors: those are of axes, not values.
  const int base = loop.once || over_tensors ? 0 : first_node, size = graph.nodes.size;
  growing_array<char> inside(size - base, 0), needed(size - base, 0);
  const int last_variable = loop.first_variable + loop.carries + loop.sequences;
  const auto is_inside = [&](int i) { return i >= base && inside[i - base]; };
  const auto all_inside = [&](int begin, int end) {
    for (int i = begin; i < end; ++i) inside[i] = graph.nodes[i].kind != node_kind::variable;
  };
  if (loop.once) {
    all_inside(loop.first_node = first_node, loop.last_node = size);
    for (const recorded_loop& other : graph.loops) all_inside(other.first_node, other.last_node);
  }
  for (int i = 0; over_tensors && i < size; ++i)
    if (const node& n = graph.nodes[i]; applies(n, info<operation::Length>) || n.kind == node_kind::stop)
      inside[i] |= n.kind == node_kind::apply || inside[graph.edges[n.first]];
  for (int i = first_node; i < size; ++i) {
    const node& n = graph.nodes[i];
    char& here = inside[i - base];
    if (n.kind == node_kind::variable) here = n.leaf >= loop.first_variable && n.leaf <= last_variable;
    for (int j = 0; j < n.count; ++j) here |= is_inside(graph.edges[n.first + j]);
  }
  const auto capture = [&](int i) {
    const node& n = graph.nodes[i];
    growing_array<int>& list = n.sequence ? loop.tables : loop.constants;
    if (n.kind == node_kind::constant) return;
    for (const int other : list)
      if (other == i) return;
    list.push_back(i);
  };
  const auto need = [&](int i) { is_inside(i) ? void(needed[i - base] = 1) : capture(i); };
  for (const int result : loop.results) need(result);
  for (int i = size - 1; i >= base; --i)
    for (int j = 0; needed[i - base] && j < graph.nodes[i].count; ++j) need(graph.edges[graph.nodes[i].first + j]);
  // A product costs more to compute once more than to keep; loops with checkpoints keep nothing of each step.
  for (int i = first_node; over_tensors && !loop.once && loop.checkpoints == 0 && i < size; ++i)
    if (is_inside(i) && needed[i] && applies(graph.nodes[i], info<operation::Dot>))
      loop.results.push_back(i), ++loop.stacked, ++loop.kept;
}

/// Notes a fault unless two runs of a body have the same results.
constexpr void expect_same(builder& graph, const growing_array<int>& first, const growing_array<int>& second) {
  bool same = first.size >= second.size;
  for (int i = 0; i < second.size && same; ++i) same = first.data[i] == second.data[i];
  if (!same) graph.misused(fault::body_left);
}

/// Runs a body: `run(results)` appends its nodes. Then once more: unless it changes what it captures, it has the
/// same results. The loops in it are taken for those of the first run.
template <class Run>
constexpr void run_twice(builder& graph, growing_array<int>& results, const Run& run) {
  const int loops = graph.loops.size, variables = graph.variables.size, found = graph.found.size;
  ++graph.bodies;
  run(results);
  // A body around this one runs it again.
  if (!graph.loops_before.size && graph.misuse == fault::none) {
    if (graph.loops.size > loops) graph.loops_before = graph.loops;
    graph.loops.size = loops, graph.variables.size = variables, graph.found_again = found;
    growing_array<int> again;
    run(again);
    expect_same(graph, results, again);
    graph.loops_before = {}, graph.found_again = -1;
  }
  --graph.bodies;
}

/// Records a loop that carries numbers from `init` on and reads `sequences`: `body(loop)` appends the nodes of a step,
/// of which the variables stand from `loop.first_variable` on, and puts those of the next carries and of what is
/// stacked into `loop.results`. With no `steps`, -1, there is one for each element.
template <class Body>
constexpr int record_loop(builder& graph, recorded_loop loop, int steps, const growing_array<int>& init,
                          const growing_array<int>& sequences, const Body& body) {
  growing_array<int> operands;
  operands.push_back(graph.stop(steps < 0 ? graph.append_as_is(info<operation::Length>, sequences.data, 1) : steps));
  operands.append(init.data, init.size);
  loop.carries = init.size, loop.sequences = sequences.size, loop.first_variable = graph.variables.size;
  for (int k = 0; k <= loop.carries + loop.sequences; ++k) graph.variables.push_back("");
  const int first_node = graph.nodes.size;
  body(loop);
  if (const int number = graph.loops.size; number < graph.loops_before.size) {
    expect_same(graph, graph.loops_before[number].results, loop.results);
    loop = graph.loops_before[number];
  } else {
    loop.stacked = loop.results.size - loop.carries;
    find_captures(graph, loop, first_node);
  }
  for (const growing_array<int>* numbers : {&operands, &loop.results})
    for (const int node : *numbers)
      if (graph.nodes[node].sequence) graph.misused(fault::sequence_met);
  for (const int node : loop.constants) operands.push_back(graph.as_number(node));
  operands.append(loop.tables.data, loop.tables.size), operands.append(sequences.data, sequences.size);
  const int number = graph.loops.size;
  graph.loops.push_back(std::move(loop));
  return graph.append_of_loops(info<operation::RecordedScan>, operands.data, operands.size, number);
}

}  // namespace tapeless::program
