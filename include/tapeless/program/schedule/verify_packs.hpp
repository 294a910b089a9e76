#pragma once

#include <tapeless/program/schedule/packs.hpp>

/// Whether steps in packs compute their program, as evaluate/registers/packed.hpp runs them: one after the other, lane
/// by lane.
namespace tapeless::program {

enum class pack_rule : unsigned char {
  none,
  /// Each operation is in one lane of one step.
  one_place,
  /// The lanes of a pack have one operation.
  alike,
  /// Operands are computed in steps before: so no lane of a pack needs another, and no pack itself.
  order,
  /// The operands are those of the node, but for the order where that does not matter, and come from where the step
  /// says.
  sources,
};

struct pack_fault {
  pack_rule rule = pack_rule::none;
  int step = -1, node = -1;
};

/// The first step of a packing that does not compute its nodes.
template <std::size_t N>
constexpr pack_fault find_fault(const packing<N>& packs, graph_view graph) {
  growing_array<char> known(graph.size, 0);
  for (int i = 0; i < graph.size; ++i) known[i] = is_leaf(graph.nodes[i].kind);
  for (int s = 0; s < packs.size; ++s) {
    const auto& step = packs.steps.data()[s];
    const int* const lanes = packs.members.data() + step.first;
    const node& leader = graph.nodes[lanes[0]];
    for (int l = 0; l < step.count; ++l) {
      const int i = lanes[l];
      const node& n = graph.nodes[i];
      if (!same_operation(n, leader) || n.condition != leader.condition) return {pack_rule::alike, s, i};
      if (is_leaf(n.kind)) continue;
      if (known[i] || packs.step_of.data()[i] != s || packs.lane_of.data()[i] != l) return {pack_rule::one_place, s, i};
      for (int j = 0; j < n.count; ++j)
        if (!known[graph.edges[n.first + j]]) return {pack_rule::order, s, i};
      if (n.count > 3) continue;
      const int *const from = graph.edges + n.first, *const taken = packs.operands.data()[i].data();
      const bool crossed = n.count > 1 && detail::first_two_commute(n) && taken[0] == from[1] && taken[1] == from[0];
      for (int j = 0; j < n.count; ++j) {
        if (taken[j] != from[crossed && j < 2 ? 1 - j : j]) return {pack_rule::sources, s, i};
        const int source = step.sources.data()[j];
        if (source == same_value ? taken[j] != packs.operands.data()[lanes[0]].data()[j]
                                 : source != one_by_one &&
                                       (source < 0 || source >= s || packs.steps.data()[source].count != step.count ||
                                        packs.members.data()[packs.steps.data()[source].first + l] != taken[j]))
          return {pack_rule::sources, s, i};
      }
    }
    for (int l = 0; l < step.count; ++l) known[lanes[l]] = 1;
  }
  for (int i = 0; i < graph.size; ++i)
    if (!known[i]) return {pack_rule::one_place, -1, i};
  return {};
}

}  // namespace tapeless::program
