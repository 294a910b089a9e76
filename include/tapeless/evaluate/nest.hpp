#ifndef TAPELESS_EVALUATE_NEST_HPP
#define TAPELESS_EVALUATE_NEST_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/core/always_inline.hpp>
#include <tapeless/core/target.hpp>
#include <tapeless/evaluate/simd.hpp>
#include <tapeless/evaluate/step.hpp>
#include <tapeless/program/schedule.hpp>

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

/// One nest of loops: what the kernel number `K` of the plan `S` does, known at compile time.
template <class S, std::size_t K>
struct nest {
  static constexpr program::kernel plan = S::kernels[K];
  static constexpr auto& nodes = S::nodes;
  static constexpr std::size_t depth = static_cast<std::size_t>(program::count_axes(plan.axes));
  static constexpr axis_set group_axis = program::outermost(plan.axes);

  static constexpr program::step step(std::size_t i) { return S::steps[static_cast<std::size_t>(plan.first_step) + i]; }
  static constexpr std::size_t steps = static_cast<std::size_t>(plan.end_step - plan.first_step);

  /// The axis whose elements the lanes hold: the last, which is contiguous in most tensors.
  static constexpr int vector_axis = [] {
    int last = -1;
    for (axis_set left = plan.axes; left; left &= left - 1) last = program::first_axis(left);
    return last;
  }();
  static constexpr bool varies(axis_set axes) { return depth > 0 && (axes & axis(vector_axis)) != 0; }

  /// Where everything is reduced over the same axes and not over the vector axis, those are the inner loops: then the
  /// sums stay in registers.
  static constexpr axis_set inner = [] {
    axis_set common = 0;
    bool first = true, same = true;
    for (std::size_t i = 0; i < steps; ++i) {
      if (step(i).kind != step_kind::reduce) continue;
      const axis_set reduced = nodes[static_cast<std::size_t>(step(i).node)].reduced;
      if (!first && reduced != common) same = false;
      common = reduced, first = false;
    }
    return same && !varies(common) ? common : axis_set{0};
  }();
  /// The axes from the outermost loop to the innermost.
  static constexpr std::array<int, depth> order = [] {
    std::array<int, depth> result{};
    std::size_t next = 0;
    for (const bool innermost : {false, true})
      for (axis_set left = plan.axes; left; left &= left - 1)
        if (((inner & axis(program::first_axis(left))) != 0) == innermost) result[next++] = program::first_axis(left);
    return result;
  }();
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
    std::size_t result = depth;
    while (result > 0 && (reduced & axis(order[result - 1]))) --result;
    return result;
  }
  /// Whether a reduction's result is added to by more than one pass over the gathered loops.
  static constexpr bool accumulates(axis_set reduced) {
    for (std::size_t l = 0; l < first_gathered(reduced); ++l)
      if (reduced & axis(order[l])) return true;
    return (reduced & group_axis) != 0;
  }
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

#endif
