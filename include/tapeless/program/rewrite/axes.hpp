#pragma once

#include <tapeless/operation/tensor/axis_reduction.hpp>
#include <tapeless/program/rewrite/fold.hpp>

#include <bit>
#include <cstdint>

namespace tapeless::program {

constexpr axis_set axis(int id) { return axis_set{1} << id; }
// The functions for bits take 64. Shifted in two steps: where no integer is longer, the set has no more.
constexpr std::uint64_t first_half(axis_set axes) { return static_cast<std::uint64_t>(axes); }
constexpr std::uint64_t last_half(axis_set axes) { return static_cast<std::uint64_t>(axes >> 32 >> 32); }
constexpr int first_axis(axis_set axes) {
  return first_half(axes) ? std::countr_zero(first_half(axes)) : 64 + std::countr_zero(last_half(axes));
}
constexpr int last_axis(axis_set axes) {
  return last_half(axes) ? 127 - std::countl_zero(last_half(axes)) : 63 - std::countl_zero(first_half(axes));
}
/// The set of the first axis alone; none of none.
constexpr axis_set outermost(axis_set axes) { return axes & -axes; }
constexpr int count_axes(axis_set axes) { return std::popcount(first_half(axes)) + std::popcount(last_half(axes)); }

/// The extent of an axis, as a number of the program: a variable that the call sets.
constexpr int extent_of(builder& graph, int axis) { return graph.read({access_kind::extent, axis, 0, {}}); }
/// The index along an axis, as a vector of the program: a variable that the call sets.
constexpr int index_along(builder& graph, int axis) { return graph.read({access_kind::index, axis, 1, {axis}}); }

/// Whether a condition holds anywhere along axes.
constexpr int any_over(builder& graph, int condition, axis_set axes) {
  return axes && !graph.constant_of(condition) ? graph.append_reduction(info<operation::Any>, condition, axes)
                                               : condition;
}

}  // namespace tapeless::program
