#pragma once

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

/// Of each variable of a program whether the number of steps of a loop in it, or in the body of one, depends on it:
/// lanes run together where it is the same in all. Lengths of sequences are not looked at.
template <class P>
struct step_counts {
  using loops = loops_in<P>;

  template <std::size_t K>
  static constexpr void mark_operands(growing_array<char>& marked) {
    using loop = typename loops::template operation<K>;
    const int* operands = loops::view.edges + loops::view.nodes[loops::nodes[K]].first;
    constexpr auto& inner = step_counts<typename loop::body>::of_variables;
    marked[operands[0]] = 1;
    for (int v = 0; v < loop::shape.operands() - 1; ++v)
      if (inner[static_cast<std::size_t>(v)]) marked[operands[1 + v]] = 1;
  }
  static constexpr auto of_variables = []<std::size_t... K>(std::index_sequence<K...>) {
    constexpr graph_view view = loops::view;
    growing_array<char> marked(view.size, 0);
    (mark_operands<K>(marked), ...);
    std::array<bool, static_cast<std::size_t>(view.variables) + 1> result{};
    for (int i = view.size - 1; i >= 0; --i) {
      const node& n = view.nodes[i];
      if (!marked[i] || n.sequence) continue;
      if (n.kind == node_kind::variable) result[static_cast<std::size_t>(n.leaf)] = true;
      for (int j = 0; j < n.count; ++j) marked[view.edges[n.first + j]] = 1;
    }
    return result;
  }(loops::all);
};

}  // namespace tapeless::program
