#pragma once

#include <tapeless/program/graph/activity.hpp>
#include <tapeless/program/graph/operation_info.hpp>

/// Loops whose steps need nothing of each other: each adds to what it carries, and reads none of it. Their steps can be
/// made in any order, several at a time.
namespace tapeless::program {

/// What the steps of a loop do with a carry.
enum class carry_role : unsigned char {
  /// Something that the next step may need.
  state,
  /// They leave it as it is.
  same,
  /// They add to it, or subtract from it.
  sum,
  /// Under a condition they set it to a constant.
  flag,
};

namespace detail {

/// Whether the node adds to its operand number `which`, or subtracts from it.
constexpr bool may_go_on(const node& n, int which) {
  if (n.opcode == opcode::add) return true;
  if (n.opcode == opcode::subtract) return which == 0;
  return which == 2 && (applies(n, info<operation::MultiplyAdd>) || applies(n, info<operation::SubtractProduct>));
}

}  // namespace detail

/// What a body with the variables 0, 1, ... for its `carries`, and the same outputs for the next ones, does with each.
constexpr growing_array<carry_role> roles_of_carries(graph_view body, std::span<const int> outputs, int carries) {
  constexpr int none = -1, several = -2;
  growing_array<carry_role> roles(carries, carry_role::state);
  growing_array<int> uses(body.size, 0), first(carries, none), carry_in(body.size, none);
  for (const int output : outputs) ++uses[output];
  for (int i = 0; i < body.size; ++i) {
    const node& n = body.nodes[i];
    if (n.kind == node_kind::variable && n.leaf < carries) {
      first[n.leaf] = i;
      if (outputs[static_cast<std::size_t>(n.leaf)] == i)
        roles[n.leaf] = carry_role::same;
      else
        carry_in[i] = n.leaf;
    }
    // The carry that the node reads, of those that change.
    for (int j = 0; j < n.count; ++j) {
      const int operand = body.edges[n.first + j], read = carry_in[operand];
      ++uses[operand];
      if (read != none) carry_in[i] = carry_in[i] == none || carry_in[i] == read ? read : several;
    }
  }
  const auto operand = [&](int node, int j) { return body.edges[body.nodes[node].first + j]; };
  for (int k = 0; k < carries; ++k) {
    if (roles[k] == carry_role::same || first[k] < 0) continue;
    int at = outputs[static_cast<std::size_t>(k)];
    carry_role role = carry_role::sum;
    if (const node& last = body.nodes[at]; last.opcode == opcode::where && uses[at] == 1) {
      const bool kept = operand(at, 1) == first[k];
      if (body.nodes[operand(at, kept ? 2 : 1)].kind != node_kind::constant) continue;
      role = carry_role::flag, at = operand(at, kept ? 1 : 2);
    }
    // Back along the chain of sums, of which nothing else may use anything.
    while (at != first[k] && role == carry_role::sum && carry_in[at] == k && uses[at] == 1) {
      int next = at;
      for (int j = 0; j < body.nodes[at].count; ++j)
        if (carry_in[operand(at, j)] == k) next = detail::may_go_on(body.nodes[at], j) ? operand(at, j) : at;
      if (next == at) break;
      at = next;
    }
    if (at == first[k] && uses[at] == 1) roles[k] = role;
  }
  return roles;
}
/// The same as a constant, of the program `Body`.
template <class Body, int Carries>
inline constexpr auto roles_in =
    [] { return array_of<Carries>(roles_of_carries(Body::view(), Body::value.outputs, Carries)); }();

}  // namespace tapeless::program
