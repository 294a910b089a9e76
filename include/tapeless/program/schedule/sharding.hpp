#pragma once

#include <tapeless/program/graph/fault.hpp>
#include <tapeless/program/graph/program.hpp>
#include <tapeless/program/rewrite/axes.hpp>

#include <array>
#include <cstddef>

/// Tensors of which each process has some rows: which axes of a program are divided, and whether what a process
/// computes from its rows, with its reductions summed over the processes, is what all rows together give.
namespace tapeless::program {

/// The first axes of the variables at `indices`; `Source` is the program before the verb's derivatives.
template <class Source, std::size_t N>
constexpr axis_set sharded_axes(const std::array<int, N>& indices) {
  axis_set result = 0;
  for (const tensor_access& access : Source::value.accesses)
    for (const int index : indices)
      if (access.is_variable() && access.of == index && access.rank > 0 && access.axes[0] >= 0)
        result |= axis(access.axes[0]);
  return result;
}

/// Whether rows stay what they are in a move: it chooses along other axes.
constexpr bool moves_within_rows(const tensor_move& move, axis_set sharded) {
  if (((move.from.set() | move.to.set()) & sharded) == 0) return true;
  using enum move_kind;
  if (move.kind == reshape || move.kind == sum_to || move.kind == broadcast || move.kind == read) return false;
  for (int i = 0; i < max_rank; ++i) {
    const auto axis_in = [&](const tensor_access& access) { return i < access.rank ? access.axes[i] : -1; };
    const int from = axis_in(move.from), to = axis_in(move.to);
    const axis_set both = (from < 0 ? 0 : axis(from)) | (to < 0 ? 0 : axis(to));
    if ((both & sharded) && (from != to || i == move.position)) return false;
  }
  return true;
}

/// What is wrong with a finished program `P` made from `Source`, where the variables at `indices` are sharded.
template <class Source, class P, std::size_t N>
constexpr fault sharding_problem(const std::array<int, N>& indices) {
  using enum fault;
  const axis_set sharded = sharded_axes<Source>(indices);
  const auto is_sharded = [&](int variable) {
    for (const int index : indices)
      if (index == variable) return true;
    return false;
  };
  for (const tensor_access& access : Source::value.accesses) {
    if (!access.is_variable()) continue;
    if (is_sharded(access.of)) {
      if (access.rank == 0 || access.axes[0] < 0) return shard_without_rows;
      for (std::size_t i = 1; i < static_cast<std::size_t>(access.rank); ++i)
        if (access.axes[i] >= 0 && (axis(access.axes[i]) & sharded)) return shards_meet_shards;
    } else if (access.of < static_cast<int>(Source::value.variables.size())) {
      if (access.set() & sharded) return whole_meets_shards;
    }
  }
  for (int i = 0; i < static_cast<int>(P::value.nodes.size()); ++i) {
    const node& n = P::value[i];
    if (count_axes((n.axes | n.reduced) & sharded) > 1) return shards_meet_shards;
    // The index along an axis is that in the whole tensor.
    if (n.kind == node_kind::index && (n.axes & sharded)) return shards_reordered;
    for (int j = 0; n.kind == node_kind::apply && n.operation->of_matrices && j < n.count; ++j)
      if ((P::value[P::value.operand(i, j)].axes | n.axes) & sharded) return shards_reordered;
  }
  for (const tensor_move& move : P::value.moves)
    if (!moves_within_rows(move, sharded)) return shards_reordered;
  for (const axis_rule& rule : P::value.axis_rules) {
    const axis_set own = axis(rule.axis) | (rule.of < 0 ? 0 : axis(rule.of)) | rule.factors;
    if (own & sharded) return shards_reordered;
  }
  return none;
}

}  // namespace tapeless::program
