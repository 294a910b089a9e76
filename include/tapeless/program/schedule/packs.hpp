#pragma once

#include <tapeless/program/graph/activity.hpp>
#include <tapeless/program/graph/operation_info.hpp>

#include <array>
#include <cstddef>
#include <span>

/// Operations of a finished program that look alike are laid side by side, in packs: the same operation on values of
/// the same height, so that none needs another. From outputs side by side, and from functions that look alike, to the
/// operands: those of a pack become a pack, lane by lane (superword-level parallelism: Larsen and Amarasinghe 2000).
namespace tapeless::program {

/// Where a step has an operand from: the pack of a step, lane by lane; one value for all lanes; or values one by one.
inline constexpr int same_value = -1, one_by_one = -2;

/// The steps in which `N` nodes are computed, each one operation or a pack of them. A pack of variables is a step too.
template <std::size_t N>
struct packing {
  struct pack_step {
    int first = 0;
    int count = 0;
    std::array<int, 3> sources{same_value, same_value, same_value};
  };
  int size = 0;
  std::array<pack_step, N> steps{};
  /// The nodes of the steps.
  int members_size = 0;
  std::array<int, 4 * N> members{};
  /// Of each operation the step, and the lane of its pack.
  std::array<int, N> step_of{}, lane_of{};
  /// Of each operation the operands, in the order in which they stand in packs.
  std::array<std::array<int, 3>, N> operands{};
  /// How many operations are in packs, and of these how many are functions and divisions.
  int packed = 0, expensive = 0;

  constexpr int member(std::size_t step, std::size_t lane) const {
    return members[static_cast<std::size_t>(steps[step].first) + lane];
  }
};

namespace detail {

/// Fewer values are left alone.
inline constexpr int least_pack = 4;

constexpr bool first_two_commute(const node& n) {
  return n.opcode == opcode::add || n.opcode == opcode::multiply || applies(n, info<operation::MultiplyAdd>) ||
         applies(n, info<operation::MultiplySubtract>) || applies(n, info<operation::SubtractProduct>);
}
/// Whether packs compute the operation, and as single numbers do but for the last digit.
constexpr bool can_be_packed(const node& n) {
  if (n.kind != node_kind::apply || n.sequence || n.count == 0 || n.count > 3) return false;
  const operation_info& op = *n.operation;
  return n.opcode == opcode::subtract || n.opcode == opcode::divide || n.opcode == opcode::negate ||
         n.opcode == opcode::where || first_two_commute(n) || op == info<operation::Less> ||
         op == info<operation::TimesInverse> || op == info<operation::Abs> || op == info<operation::Exp> ||
         op == info<operation::SoftmaxExp> || op == info<operation::Tanh> || op == info<operation::TanhSlope>;
}

/// Whether lanes compute it with as many instructions as one number takes.
constexpr bool runs_in_lanes(const node& n) {
  if (n.kind != node_kind::apply) return n.kind != node_kind::number && !n.sequence;
  const operation_info& op = *n.operation;
  if (n.sequence || op.two_lanes) return false;
  return op.cost.functions == 0 || can_be_packed(n) || op == info<operation::Log> || op == info<operation::Log1p> ||
         op == info<operation::Sqrt> || op == info<operation::Sign>;
}

template <std::size_t N>
class pack_former {
  graph_view from_;
  packing<N>& to_;
  // Of each node the length of the longest chain to it, its group, and its place there.
  growing_array<int> height_, group_, lane_;
  struct group {
    int first, count;
    std::array<int, 3> sources{same_value, same_value, same_value};
    bool joined = false, dropped = false;
    /// The first lane whose operands are not known to be computed, and the step that the group became.
    int next_lane = 0, step = -1;
  };
  growing_array<group> groups_;
  growing_array<int> members_;
  // Of each leaf the last group of leaves that begins with it, and of those the one before.
  growing_array<int> leaf_group_, previous_;

  constexpr int operand(int node, int which) const {
    return to_.operands[static_cast<std::size_t>(node)][static_cast<std::size_t>(which)];
  }
  constexpr bool alike(int a, int b) const {
    return same_operation(from_.nodes[a], from_.nodes[b]) && height_[a] == height_[b] && group_[a] == group_[b];
  }
  constexpr int distance(int a, int b) const {
    const bool leaves = from_.nodes[a].kind == node_kind::variable && from_.nodes[b].kind == node_kind::variable;
    const int apart = leaves ? from_.nodes[a].leaf - from_.nodes[b].leaf : a - b;
    return apart < 0 ? -apart : apart;
  }
  /// Whether the lanes can be a new group; then it is one.
  constexpr bool add_group(const int* lanes, int count) {
    if (count < least_pack) return false;
    const node& first = from_.nodes[lanes[0]];
    if (!can_be_packed(first)) return false;
    for (int l = 0; l < count; ++l)
      if (group_[lanes[l]] >= 0 || !same_operation(from_.nodes[lanes[l]], first) ||
          height_[lanes[l]] != height_[lanes[0]])
        return undo(lanes, l);
      else
        group_[lanes[l]] = groups_.size, lane_[lanes[l]] = l;
    groups_.push_back({members_.size, count}), members_.append(lanes, count);
    return true;
  }
  constexpr bool undo(const int* lanes, int count) {
    for (int l = 0; l < count; ++l) group_[lanes[l]] = -1;
    return false;
  }
  /// The group of leaves `lanes`.
  constexpr int group_of_leaves(const int* lanes, int count) {
    for (int g = leaf_group_[lanes[0]]; g >= 0; g = previous_[g]) {
      bool equal = groups_[g].count == count;
      for (int l = 1; l < count && equal; ++l) equal = members_[groups_[g].first + l] == lanes[l];
      if (equal) return g;
    }
    while (previous_.size <= groups_.size) previous_.push_back(-1);
    previous_[groups_.size] = leaf_group_[lanes[0]], leaf_group_[lanes[0]] = groups_.size;
    groups_.push_back({members_.size, count}), members_.append(lanes, count);
    return groups_.size - 1;
  }
  /// Puts the operands of a group in one order, and makes groups of those that can be.
  constexpr void extend(int g) {
    const int count = groups_[g].count, leader = members_[groups_[g].first];
    const node& n = from_.nodes[leader];
    if (first_two_commute(n))
      for (int l = 1; l < count; ++l) {
        const int at = members_[groups_[g].first + l], a = operand(leader, 0), b = operand(leader, 1),
                  p = operand(at, 0), q = operand(at, 1);
        const int straight = alike(a, p) + alike(b, q), crossed = alike(a, q) + alike(b, p);
        if (crossed > straight ||
            (crossed == straight && distance(a, q) + distance(b, p) < distance(a, p) + distance(b, q)))
          to_.operands[static_cast<std::size_t>(at)][0] = q, to_.operands[static_cast<std::size_t>(at)][1] = p;
      }
    growing_array<int> lanes(count, 0);
    for (int j = 0; j < n.count; ++j) {
      for (int l = 0; l < count; ++l) lanes[l] = operand(members_[groups_[g].first + l], j);
      add_group(lanes.data, count);
    }
  }
  /// Where operand `which` of a group comes from.
  constexpr int source(int g, int which) {
    const int first = groups_[g].first, count = groups_[g].count;
    growing_array<int> lanes(count, 0);
    bool same = true, leaves = true, aligned = true;
    for (int l = 0; l < count; ++l) {
      lanes[l] = operand(members_[first + l], which);
      same = same && lanes[l] == lanes[0];
      leaves = leaves && from_.nodes[lanes[l]].kind == node_kind::variable;
      aligned = aligned && group_[lanes[l]] == group_[lanes[0]] && lane_[lanes[l]] == l;
    }
    if (same) return same_value;
    if (leaves) return group_of_leaves(lanes.data, count);
    const int other = group_[lanes[0]];
    return aligned && other >= 0 && !groups_[other].dropped && groups_[other].count == count ? other : one_by_one;
  }

  constexpr void set_heights() {
    for (int i = 0; i < from_.size; ++i) {
      const node& n = from_.nodes[i];
      for (int j = 0; j < n.count; ++j) {
        const int x = from_.edges[n.first + j];
        if (j < 3) to_.operands[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = x;
        if (height_[i] <= height_[x]) height_[i] = height_[x] + 1;
      }
    }
  }
  constexpr void seed(std::span<const int> outputs) {
    // Neighbours among the outputs.
    const auto last = static_cast<int>(outputs.size());
    for (int begin = 0, end = 0; begin < last; begin = end) {
      const node& n = from_.nodes[outputs[static_cast<std::size_t>(begin)]];
      const int height = height_[outputs[static_cast<std::size_t>(begin)]];
      for (end = begin + 1; end < last; ++end) {
        const int next = outputs[static_cast<std::size_t>(end)];
        if (!same_operation(from_.nodes[next], n) || height_[next] != height) break;
      }
      add_group(outputs.data() + begin, end - begin);
    }
    extend_all(0);
    // Functions and divisions, of which each height has a list in the order of the nodes.
    growing_array<int> first(from_.size, -1), next(from_.size, -1), lanes;
    for (int i = from_.size; i-- > 0;)
      if (is_expensive(from_.nodes[i]) && can_be_packed(from_.nodes[i]))
        next[i] = first[height_[i]], first[height_[i]] = i;
    for (int i = 0; i < from_.size; ++i) {
      if (!is_expensive(from_.nodes[i]) || group_[i] >= 0) continue;
      lanes.size = 0;
      for (int k = i; k >= 0; k = next[k])
        if (same_operation(from_.nodes[k], from_.nodes[i]) && group_[k] < 0) lanes.push_back(k);
      const int groups = groups_.size;
      if (add_group(lanes.data, lanes.size)) extend_all(groups);
    }
  }
  constexpr void extend_all(int begin) {
    for (int g = begin; g < groups_.size; ++g) extend(g);
  }
  /// Finds the sources of groups, and drops those that would be put together one by one for a cheap operation.
  constexpr void join_groups() {
    for (int i = 0; i < from_.size; ++i) {
      const int g = group_[i];
      if (g < 0 || groups_[g].joined) continue;
      groups_[g].joined = true;
      const node& n = from_.nodes[i];
      int apart = 0;
      bool possible = true;
      for (int j = 0; j < n.count; ++j) {
        const int from = source(g, j);
        groups_[g].sources[static_cast<std::size_t>(j)] = from;
        apart += from == one_by_one;
        // Conditions are read lane by lane alone.
        possible = possible && (from >= 0 || !from_.nodes[operand(i, j)].condition);
      }
      groups_[g].dropped = !possible || (apart > 1 && !is_expensive(n));
    }
  }

  constexpr void emit(int g, int node) {
    auto& step = to_.steps[static_cast<std::size_t>(to_.size)];
    step.first = to_.members_size;
    step.count = g >= 0 ? groups_[g].count : 1;
    for (int l = 0; l < step.count; ++l) {
      const int member = g >= 0 ? members_[groups_[g].first + l] : node;
      to_.members[static_cast<std::size_t>(to_.members_size++)] = member;
      if (is_leaf(from_.nodes[member].kind)) continue;
      to_.step_of[static_cast<std::size_t>(member)] = to_.size;
      to_.lane_of[static_cast<std::size_t>(member)] = l;
    }
    if (g >= 0) {
      for (std::size_t j = 0; j < 3; ++j) {
        const int from = groups_[g].sources[j];
        step.sources[j] = from >= 0 ? groups_[from].step : from;
      }
      groups_[g].step = to_.size;
      const auto& leader = from_.nodes[to_.members[static_cast<std::size_t>(step.first)]];
      to_.packed += is_leaf(leader.kind) ? 0 : step.count;
      to_.expensive += is_expensive(leader) ? step.count : 0;
    }
    ++to_.size;
  }
  constexpr int live_group(int node) const {
    return group_[node] >= 0 && !groups_[group_[node]].dropped ? group_[node] : -1;
  }
  /// In the order of the nodes; a pack when all of its operands are known.
  constexpr void schedule() {
    growing_array<char> done(from_.size, 0);
    for (int i = 0; i < from_.size; ++i) done[i] = is_leaf(from_.nodes[i].kind);
    growing_array<int> waiting;
    for (int i = 0; i < from_.size; ++i) {
      waiting.push_back(i);
      while (waiting.size > 0) {
        const int at = waiting[waiting.size - 1], g = live_group(at);
        if (done[at]) {
          --waiting.size;
          continue;
        }
        const int before = waiting.size, count = g >= 0 ? groups_[g].count : 1;
        int l = g >= 0 ? groups_[g].next_lane : 0;
        for (; l < count && waiting.size == before; ++l) {
          const int member = g >= 0 ? members_[groups_[g].first + l] : at;
          const node& n = from_.nodes[member];
          for (int j = 0; j < n.count; ++j)
            if (const int x = from_.edges[n.first + j]; !done[x]) waiting.push_back(x);
        }
        if (g >= 0) groups_[g].next_lane = l;
        if (waiting.size > before) continue;
        --waiting.size;
        if (g >= 0)
          for (const int from : groups_[g].sources)
            if (from >= 0 && groups_[from].step < 0) emit(from, -1);
        emit(g, at);
        for (l = 0; l < count; ++l) done[g >= 0 ? members_[groups_[g].first + l] : at] = 1;
      }
    }
  }

 public:
  constexpr pack_former(graph_view from, packing<N>& to)
      : from_(from),
        to_(to),
        height_(from.size, 0),
        group_(from.size, -1),
        lane_(from.size, 0),
        leaf_group_(from.size, -1) {}
  constexpr void run(std::span<const int> outputs) {
    set_heights();
    seed(outputs);
    join_groups();
    schedule();
  }
};

}  // namespace detail

/// The steps of the finished program `P`.
template <class P>
inline constexpr auto packs_of = [] {
  packing<P::value.nodes.size()> formed;
  detail::pack_former<P::value.nodes.size()>(P::view(), formed).run(P::value.outputs);
  return formed;
}();

/// Whether packs hold most of what the program computes, functions and divisions among it. Arithmetic alone the
/// compilers put into vectors where that gains: the chain of equations of GradBench's `ode` took 1.4 times as long in
/// packs, whose lanes were put together anew for each link.
template <class P>
inline constexpr bool is_packed = [] {
  if constexpr (P::value.nodes.size() < 4 * detail::least_pack) {
    return false;
  } else {
    // Without forming packs where what can be in some is too little.
    int operations = 0, possible = 0, expensive = 0;
    for (const node& each : P::value.nodes) {
      const bool fits = detail::can_be_packed(each);
      operations += each.kind == node_kind::apply, possible += fits, expensive += fits && is_expensive(each);
    }
    if (2 * possible <= operations || 16 * expensive <= operations) return false;
    return 2 * packs_of<P>.packed > operations && 16 * packs_of<P>.expensive > operations;
  }
}();

}  // namespace tapeless::program
