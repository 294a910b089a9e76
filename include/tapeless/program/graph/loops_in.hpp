#pragma once

#include <tapeless/operation/scan.hpp>
#include <tapeless/program/graph/program.hpp>

#include <array>
#include <cstddef>

namespace tapeless::program {

/// The loops of a program: their nodes, and their operations as types.
template <class P>
struct loops_in {
  static constexpr graph_view view = P::view();
  static constexpr auto nodes = as_array([] {
    growing_array<int> found;
    for (int i = 0; i < view.size; ++i)
      if (is_loop(view.nodes[i])) found.push_back(i);
    return found;
  });
  static constexpr std::size_t count = nodes.size();
  static constexpr std::make_index_sequence<count> all{};
  template <std::size_t K>
  using operation = operation_of<view.nodes[nodes[K]].operation>;
};

/// Whether node `i` reads a history that is computed again, from the checkpoints of its loop. That is where no other
/// kind of operation reads the history, a loop reads it in the opposite order alone, and its own loop reads none such.
constexpr bool is_replayed(graph_view graph, int i) {
  const node& n = graph.nodes[i];
  if (!reads_loop(n)) return false;
  const node& loop = graph.nodes[graph.edges[n.first]];
  const operation::scan_shape& shape = *loop.operation->shape;
  if (shape.checkpoints == 0 || n.operation->output_read < shape.history(0)) return false;
  for (int j = shape.first_table(); j < loop.count; ++j)
    if (is_replayed(graph, graph.edges[loop.first + j])) return false;
  for (int user = i + 1; user < graph.size; ++user) {
    const node& u = graph.nodes[user];
    for (int j = 0; j < u.count; ++j)
      if (graph.edges[u.first + j] == i &&
          (!is_loop(u) || u.operation->shape->reversed == shape.reversed || j < u.operation->shape->first_sequence()))
        return false;
  }
  return true;
}

/// The loop whose history node `i` of a finished program reads, if that is computed again; -1 for other nodes.
constexpr int replayed_by(graph_view graph, int i) {
  const node& n = graph.nodes[i];
  if (!reads_loop(n)) return -1;
  return (n.operation->moves ? graph.moves[n.access].replayed : is_replayed(graph, i)) ? graph.edges[n.first] : -1;
}
/// The loops whose histories loop `loop` of a finished program computes again, each once.
constexpr growing_array<int> loops_replayed(graph_view graph, int loop) {
  const node& n = graph.nodes[loop];
  growing_array<int> found;
  for (int j = 1; j < n.count; ++j) {
    const int source = replayed_by(graph, graph.edges[n.first + j]);
    bool is_new = source >= 0;
    for (const int other : found) is_new = is_new && other != source;
    if (is_new) found.push_back(source);
  }
  return found;
}
template <class P, int I>
inline constexpr bool replays_loops = loops_replayed(P::view(), I).size > 0;
/// The loops whose histories loop `I` of the finished program `P` computes again.
template <class P, int I>
struct replayed_loops {
  /// The one that operand `j` is a history of, and the number of the carry.
  static constexpr int of(int j) { return replayed_by(P::view(), P::value.operand(I, j)); }
  static constexpr int carry(int j) {
    return P::value[P::value.operand(I, j)].operation->output_read - P::value[of(j)].operation->shape->history(0);
  }
  /// All of them, each once.
  static constexpr auto all = as_array([] { return loops_replayed(P::view(), I); });
  static constexpr std::make_index_sequence<all.size()> places{};
  static constexpr std::size_t place(int loop) {
    std::size_t result = 0;
    while (result < all.size() && all[result] != loop) ++result;
    return result;
  }
};
/// How many loops compute histories of loop `I` of the finished program `P` again.
template <class P, int I>
inline constexpr int times_replayed = []<std::size_t... K>(std::index_sequence<K...>) {
  return ((replayed_loops<P, loops_in<P>::nodes[K]>::place(I) < replayed_loops<P, loops_in<P>::nodes[K]>::all.size()) +
          ... + 0);
}(loops_in<P>::all);

/// Of each variable of a program whether the number of steps of a loop in it, or in the body of one, depends on it, or
/// an index of a sequence: lanes run together where it is the same in all. Not asked are lengths of sequences, and
/// branches, of which each lane takes its own. Of the body of a loop, the first outputs are the next `Carries`
/// variables.
template <class P, int Carries = 0>
struct step_counts {
  using loops = loops_in<P>;

  template <std::size_t K>
  static constexpr void mark_operands(growing_array<char>& marked) {
    using loop = typename loops::template operation<K>;
    const int* operands = loops::view.edges + loops::view.nodes[loops::nodes[K]].first;
    constexpr auto& inner = step_counts<typename loop::body, loop::shape.carries>::of_variables;
    if (!loop::shape.once) marked[operands[0]] = 1;
    for (int v = 0; v < loop::shape.operands() - 1; ++v)
      if (inner[static_cast<std::size_t>(v)]) marked[operands[1 + v]] = 1;
  }
  static constexpr auto of_variables = []<std::size_t... K>(std::index_sequence<K...>) {
    constexpr graph_view view = loops::view;
    growing_array<char> marked(view.size, 0);
    (mark_operands<K>(marked), ...);
    for (int i = 0; i < view.size; ++i)
      if (applies(view.nodes[i], info<tapeless::operation::ElementNumber>)) marked[view.edges[view.nodes[i].first]] = 1;
    std::array<bool, static_cast<std::size_t>(view.variables) + 1> result{};
    for (bool changed = true; changed;) {
      changed = false;
      for (int i = view.size - 1; i >= 0; --i) {
        const node& n = view.nodes[i];
        if (!marked[i] || applies(n, info<tapeless::operation::Length>)) continue;
        if (n.kind == node_kind::variable) result[static_cast<std::size_t>(n.leaf)] = true;
        for (int j = 0; j < n.count; ++j) marked[view.edges[n.first + j]] = 1;
      }
      for (int k = 0; k < Carries; ++k)
        if (char& next = marked[P::value.output(k)]; result[static_cast<std::size_t>(k)] && !next)
          next = changed = true;
    }
    return result;
  }(loops::all);
};

}  // namespace tapeless::program
