#pragma once

#include <tapeless/operation/tensor/axis_reduction.hpp>
#include <tapeless/program/rewrite/fold.hpp>

#include <bit>

namespace tapeless::program {

constexpr axis_set axis(int id) { return axis_set{1} << id; }
constexpr int first_axis(axis_set axes) { return std::countr_zero(axes); }
constexpr int last_axis(axis_set axes) { return 63 - std::countl_zero(axes); }
/// The set of the first axis alone; none of none.
constexpr axis_set outermost(axis_set axes) { return axes & -axes; }
constexpr int count_axes(axis_set axes) { return std::popcount(axes); }

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
