#pragma once

#include <tapeless/core/target.hpp>
#include <tapeless/program/schedule/schedule.hpp>

#include <cstddef>

namespace tapeless::loops::inline TAPELESS_TARGET {

using program::axis;
using program::axis_set;
using program::step_kind;

namespace detail {

/// In what order the loops of a kernel run, from its steps and the nodes of its program: the outer ones first, and both
/// in the order of their numbers.
struct loop_order {
  /// The axis whose elements the lanes hold: the last, which is contiguous in most tensors.
  int vector_axis = -1;
  axis_set outer = 0;
  /// Where everything is reduced over the same axes and not over the vector axis, those are the inner loops: then the
  /// sums stay in registers.
  axis_set inner = 0;

  constexpr loop_order(const program::kernel& kernel, const program::step* steps, const program::node* nodes) {
    if (kernel.axes) vector_axis = program::last_axis(kernel.axes);
    axis_set common = 0;
    bool first = true, same = true;
    for (int i = kernel.first_step; i < kernel.end_step; ++i) {
      if (steps[i].kind != step_kind::reduce) continue;
      const axis_set reduced = nodes[steps[i].node].reduced;
      if (!first && reduced != common) same = false;
      common = reduced, first = false;
    }
    if (same && kernel.axes && !(common & axis(vector_axis))) inner = common;
    outer = kernel.axes & ~inner;
  }

  constexpr std::size_t depth() const { return static_cast<std::size_t>(program::count_axes(outer | inner)); }
  /// The axis of loop number `level`, the outermost of which is number 0.
  constexpr int axis_of(std::size_t level) const {
    for (axis_set left : {outer, inner})
      for (; left; left &= left - 1)
        if (level-- == 0) return program::first_axis(left);
    return -1;
  }
  /// Whether a value over `axes` differs from lane to lane.
  constexpr bool varies(axis_set axes) const { return vector_axis >= 0 && (axes & axis(vector_axis)) != 0; }
  /// The innermost loop that a value over `axes` changes in, counted from 1; 0 if it changes in none.
  constexpr std::size_t level(axis_set axes) const {
    std::size_t result = 0, loop = 0;
    for (axis_set left : {outer, inner})
      for (; left; left &= left - 1)
        if (++loop; axes & axis(program::first_axis(left))) result = loop;
    return result;
  }
  /// The innermost loops as far as they are all over axes of `reduced`: there a reduction's lanes are gathered.
  constexpr axis_set gathered(axis_set reduced) const {
    axis_set result = 0;
    for (axis_set left : {inner, outer})
      for (; left; left &= ~axis(program::last_axis(left))) {
        if (!(reduced & axis(program::last_axis(left)))) return result;
        result |= axis(program::last_axis(left));
      }
    return result;
  }
  /// A reduction's lanes are gathered in all loops from this one on.
  constexpr std::size_t first_gathered(axis_set reduced) const {
    return depth() - static_cast<std::size_t>(program::count_axes(gathered(reduced)));
  }
  /// Whether a reduction's result is added to by more than one pass over the gathered loops, or by parts of a group.
  constexpr bool accumulates(axis_set reduced) const {
    return (reduced & (outer | inner) & (~gathered(reduced) | program::outermost(outer | inner))) != 0;
  }
};

/// Whether the kernel that writes a buffer of the plan `S` adds to it piece by piece.
template <class S>
constexpr bool accumulates(const program::buffer& b) {
  return b.reduction && loop_order(S::kernels[S::kernel_of(b)], S::steps.data(), S::nodes.data())
                            .accumulates(S::program[b.node].reduced);
}

/// One nest of loops: what the kernel number `K` of the plan `S` does, known at compile time.
template <class S, std::size_t K>
struct nest {
  static constexpr program::kernel plan = S::kernels[K];
  static constexpr auto& nodes = S::nodes;
  static constexpr std::size_t depth = static_cast<std::size_t>(program::count_axes(plan.axes));
  static constexpr axis_set group_axis = program::outermost(plan.axes);

  static constexpr program::step step(std::size_t i) { return S::steps[static_cast<std::size_t>(plan.first_step) + i]; }
  static constexpr std::size_t steps = static_cast<std::size_t>(plan.end_step - plan.first_step);

  static constexpr loop_order loops{plan, S::steps.data(), nodes.data()};
  /// The loop over the axis whose elements the lanes hold.
  static constexpr std::size_t vector_level = depth > 0 ? loops.level(axis(loops.vector_axis)) - 1 : 0;
};

}  // namespace detail

}  // namespace tapeless::loops::inline TAPELESS_TARGET
