#pragma once

#include <tapeless/program/differentiate/loop_derivatives.hpp>
#include <tapeless/program/graph/activity.hpp>
#include <tapeless/program/pass/finish.hpp>

#include <array>
#include <cstddef>

/// The body of a loop as it is evaluated. A loop can keep values of its steps for a later loop whose steps compute them
/// too, as a way back computes what it needs of the step: those that tensor loops would keep. That is chosen where
/// programs are made ready, so that derivatives know nothing of it.
namespace tapeless::program {

namespace detail {

/// Nodes or variables of a program; -1 for none. No element is zero: see `flags`.
template <std::size_t N>
struct index_tuple {
  int plus_two[N + 1];
  constexpr index_tuple() {
    for (int& each : plus_two) each = 1;
  }
  constexpr void set(int i, int index) { plus_two[i] = index + 2; }
  constexpr int size() const { return static_cast<int>(N); }
  constexpr int operator[](int i) const { return plus_two[i] - 2; }
  constexpr int find(int index) const {
    for (int i = 0; i < size(); ++i)
      if ((*this)[i] == index) return i;
    return -1;
  }
};
using no_nodes = index_tuple<0>;

template <class Op>
using output_flags = flags<static_cast<std::size_t>(Op::outputs)>;

/// Which nodes of a loop's body are computed: the next carries, and of what is stacked the part that is read.
template <class Op, output_flags<Op> Live, std::size_t Size>
constexpr growing_array<int> live_results(const std::array<int, Size>& outputs) {
  growing_array<int> result;
  for (int i = 0; i < Op::shape.carries + Op::shape.stacked; ++i)
    if (i < Op::shape.carries || Live[i]) result.push_back(outputs[static_cast<std::size_t>(i)]);
  return result;
}

/// Adds to carries of a loop those that their next values need.
template <class Op>
constexpr void add_needed_carries(growing_array<char>& carries) {
  for (bool grows = true; grows;) {
    growing_array<int> next;
    for (int k = 0; k < Op::shape.carries; ++k)
      if (carries[k]) next.push_back(Op::body::value.output(k));
    const growing_array<char> needed = needed_nodes(Op::body::view(), {next.begin(), next.end()});
    grows = false;
    for (int i = 0; i < needed.size; ++i)
      if (const node& n = Op::body::view().nodes[i];
          needed[i] && n.kind == node_kind::variable && n.leaf < Op::shape.carries && !carries[n.leaf])
        carries[n.leaf] = grows = true;
  }
}

/// The body of a loop in operations that have value functions, all that it computes.
template <class Op>
struct expanded_body {
  static constexpr builder run() { return expanded(Op::body::value, Op::body::value.outputs); }
};

/// Whether steps of the loop compute anything that could be kept.
template <class Op>
inline constexpr bool computes_expensively = [] {
  for (const node& each : Op::body::value.nodes)
    if (each.kind == node_kind::apply && !each.operation->of_loops &&
        (is_expensive(each) || each.operation->is_composite))
      return true;
  return false;
}();

/// Of each node of the expanded body whether the loop can keep its values: it computes them in every step anew, and
/// computing them once more costs more than keeping them.
template <class Op, output_flags<Op> Live>
constexpr growing_array<char> values_to_keep() {
  using source = frozen<expanded_body<Op>>;
  constexpr graph_view view = source::view();
  const growing_array<int> results = live_results<Op, Live>(source::value.outputs);
  growing_array<char> changes(view.size, 0), all = needed_nodes(view, {results.begin(), results.end()});
  for (int i = 0; i < view.size; ++i) {
    const node& n = view.nodes[i];
    if (n.kind == node_kind::variable)
      changes[i] = n.leaf < Op::shape.carries || n.leaf >= Op::shape.first_sequence() - 1;
    for (int j = 0; j < n.count; ++j) changes[i] |= changes[view.edges[n.first + j]];
    all[i] = all[i] && changes[i] && is_expensive(n) && !n.condition && !n.sequence && !n.operation->of_loops;
  }
  return all;
}

}  // namespace detail

/// The body of the loop `Op` that computes the next carries, what is read of the stacked outputs, and the nodes `Kept`
/// of the expanded body.
template <class Op, detail::output_flags<Op> Live, auto Kept = detail::no_nodes{}>
struct finish_body {
  static constexpr builder run() {
    if constexpr (Kept.size() == 0) {
      const growing_array<int> wanted = detail::live_results<Op, Live>(Op::body::value.outputs);
      return finish(Op::body::value, {wanted.begin(), wanted.end()});
    } else {
      using source = frozen<detail::expanded_body<Op>>;
      growing_array<int> wanted = detail::live_results<Op, Live>(source::value.outputs);
      for (int k = 0; k < Kept.size(); ++k) wanted.push_back(Kept[k]);
      return prune(source::thaw(stage::evaluation), {wanted.begin(), wanted.end()});
    }
  }
};

/// The body of the loop `Op` that computes the next values of the carries `Again` alone, which need no others. Nobody
/// reads the others: they are copies of the first.
template <class Op, auto Again>
struct finish_body_again {
  static constexpr builder run() {
    constexpr auto& outputs = Op::body::value.outputs;
    growing_array<int> wanted(Op::shape.carries, outputs[static_cast<std::size_t>(Again[0])]);
    for (int k = 0; k < Again.size(); ++k) wanted[Again[k]] = outputs[static_cast<std::size_t>(Again[k])];
    return finish(Op::body::value, {wanted.begin(), wanted.end()});
  }
};

/// The same of a loop after the loop `Earlier`: what that can keep is not computed but read. `Variables` says of each
/// variable which of the earlier body has the same value in the same step. Node i of that body, expanded, is a variable
/// where it is read, the i-th behind those of the loop.
template <class Op, detail::output_flags<Op> Live, auto Kept, class Earlier, detail::output_flags<Earlier> EarlierLive,
          auto Variables>
struct finish_later_body {
  // The nodes of the earlier body come first, so that equal ones of this are found to be those.
  static constexpr builder run(builder graph = frozen<detail::expanded_body<Earlier>>::thaw(stage::evaluation)) {
    using source = frozen<detail::expanded_body<Op>>;
    constexpr graph_view from = source::view();
    constexpr int own = Earlier::shape.operands(), kept = own + Op::shape.operands(), last = from.size;
    graph.variables = {kept, ""};
    growing_array<int> moved(last, -1);
    for (int i = 0; i < last; ++i)
      if (const node& n = from.nodes[i]; n.kind == node_kind::variable) {
        const int as = Variables[n.leaf] < 0 ? own + n.leaf : Variables[n.leaf];
        moved[i] = n.sequence ? graph.sequence_variable(as) : graph.variable(as);
      }
    copy_nodes(graph, from, growing_array<char>(last, 1), moved, copied_for_evaluation());
    growing_array<int> wanted;
    for (const int result : detail::live_results<Op, Live>(source::value.outputs)) wanted.push_back(moved[result]);
    for (int k = 0; k < Kept.size(); ++k) wanted.push_back(moved[Kept[k]]);

    const growing_array<char> keeps = detail::values_to_keep<Earlier, EarlierLive>();
    for (int i = 0; i < keeps.size; ++i)
      if (keeps[i]) graph.nodes[i] = leaf_node(node_kind::variable, kept + i);
    builder result = prune(graph, {wanted.begin(), wanted.end()});
    // By the numbers of this loop's variables.
    growing_array<int> variable(own, -1);
    for (int v = 0; v < Variables.size(); ++v)
      if (Variables[v] >= 0) variable[Variables[v]] = v;
    for (int i = 0; i < result.nodes.size; ++i) {
      node& n = result.nodes[i];
      if (n.kind == node_kind::variable) n.leaf = n.leaf >= own ? n.leaf - own : variable[n.leaf];
    }
    return result;
  }
};

}  // namespace tapeless::program
