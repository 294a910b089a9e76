#pragma once

#include <tapeless/core/target.hpp>
#include <tapeless/evaluate/lanes/simd.hpp>
#include <tapeless/evaluate/registers/step.hpp>
#include <tapeless/program/schedule/schedule.hpp>

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace tapeless::loops::inline TAPELESS_TARGET {

using program::axis;
using program::axis_set;
using program::step_kind;

namespace detail {

using tapeless::detail::operation_step;
using tapeless::detail::slot;

template <std::size_t N>
struct index_list {
  std::size_t at[N > 0 ? N : 1]{};
  std::size_t size = 0;
  constexpr std::size_t operator[](std::size_t i) const { return at[i]; }
};
/// The numbers below `N` for which `test` is true.
template <std::size_t N, class Test>
constexpr index_list<N> choose(Test test) {
  index_list<N> result;
  for (std::size_t i = 0; i < N; ++i)
    if (test(i)) result.at[result.size++] = i;
  return result;
}

// Each fold is over a block, and calls the next.
template <std::size_t Left>
using block =
    std::make_index_sequence<(Left < tapeless::detail::steps_of_block ? Left : tapeless::detail::steps_of_block)>;

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

  /// The axes from the outermost loop to the innermost.
  template <std::size_t Depth>
  constexpr std::array<int, Depth> order() const {
    std::array<int, Depth> result{};
    std::size_t next = 0;
    for (axis_set left : {outer, inner})
      for (; left; left &= left - 1) result[next++] = program::first_axis(left);
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
  /// Whether a reduction's result is added to by more than one pass over the gathered loops, or by parts of a group.
  constexpr bool accumulates(axis_set reduced) const {
    return (reduced & (outer | inner) & (~gathered(reduced) | program::outermost(outer | inner))) != 0;
  }
};

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
  static constexpr int vector_axis = loops.vector_axis;
  static constexpr bool varies(axis_set axes) { return depth > 0 && (axes & axis(vector_axis)) != 0; }

  static constexpr std::array<int, depth> order = loops.order<depth>();
  static constexpr std::size_t vector_level = [] {
    std::size_t level = 0;
    while (level < depth && order[level] != vector_axis) ++level;
    return level;
  }();
  /// The innermost loop that a value over `axes` changes in, counted from 1; 0 if it changes in none.
  static constexpr std::size_t level(axis_set axes) {
    std::size_t result = 0;
    for (std::size_t l = 0; l < depth; ++l)
      if (axes & axis(order[l])) result = l + 1;
    return result;
  }
  /// A reduction's lanes are gathered in all loops from this one on.
  static constexpr std::size_t first_gathered(axis_set reduced) {
    return depth - static_cast<std::size_t>(program::count_axes(loops.gathered(reduced)));
  }
  static constexpr bool accumulates(axis_set reduced) { return loops.accumulates(reduced); }
};

/// Which lanes of an iteration stand for elements, and how those lie in memory: all of them or the first ones, one
/// after the other, or with strides.
enum class part { all, first, strided };

template <class V>
inline constexpr bool is_mask = std::is_same_v<V, bool>;
#ifdef TAPELESS_HAS_XSIMD
template <class T>
inline constexpr bool is_mask<simd::mask<T>> = true;
#endif

}  // namespace detail

}  // namespace tapeless::loops::inline TAPELESS_TARGET
