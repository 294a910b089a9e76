#pragma once

#include <tapeless/core/always_inline.hpp>
#include <tapeless/core/target.hpp>
#include <tapeless/evaluate/kernels/nest.hpp>
#include <tapeless/evaluate/kernels/tables.hpp>
#include <tapeless/math/math.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace tapeless::loops::inline TAPELESS_TARGET {

namespace detail {

/// What the kernel number `K` of the plan `S` computes with: the values of its steps, where their memory lies, and what
/// it needs of the tables.
template <class S, class T, std::size_t K>
struct kernel_frame {
  using plan = S;
  using number = T;
  using n = nest<S, K>;
  static constexpr std::size_t depth = n::depth;
  using V = std::conditional_t<depth == 0, T, simd::lanes_t<T>>;
  using M = std::conditional_t<depth == 0, bool, simd::mask_t<T>>;
  static constexpr std::ptrdiff_t width = depth == 0 ? 1 : static_cast<std::ptrdiff_t>(simd::width<T>);

  static constexpr const program::node& node(int i) { return S::nodes[static_cast<std::size_t>(i)]; }

  template <int I>
  using value_type =
      std::conditional_t<node(I).condition, M,
                         std::conditional_t<node(I).kind == program::node_kind::apply && node(I).operation->pair,
                                            math::number_pair<V>, V>>;

  // The values of the steps from `First` to `End`, by node.
  template <std::size_t First, class Indices>
  struct frame_of;
  template <std::size_t First, std::size_t... I>
  struct frame_of<First, std::index_sequence<I...>>
      : slot<static_cast<std::size_t>(n::step(First + I).node), value_type<n::step(First + I).node>>... {};

  static constexpr std::size_t count_steps(step_kind kind) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < n::steps; ++i) count += n::step(i).kind == kind;
    return count;
  }
  static constexpr std::size_t loads = count_steps(step_kind::load);
  static constexpr std::size_t computes = count_steps(step_kind::compute);
  static constexpr std::size_t results = n::steps - loads - computes;

  using load_frame = frame_of<0, std::make_index_sequence<loads>>;
  using compute_frame = frame_of<loads, std::make_index_sequence<computes>>;

  // Reductions come among the results: the others have empty accumulators.
  struct nothing {};
  template <std::size_t I>
  using accumulator = slot<I, std::conditional_t<n::step(loads + computes + I).kind == step_kind::reduce,
                                                 value_type<n::step(loads + computes + I).node>, nothing>>;
  template <class Indices>
  struct accumulators_of;
  template <std::size_t... I>
  struct accumulators_of<std::index_sequence<I...>> : accumulator<I>... {};
  using accumulators = accumulators_of<std::make_index_sequence<results>>;

  // Where the memory of each step lies, at the current iteration of the outer loops.
  template <class Indices>
  struct pointers_of;
  template <std::size_t... I>
  struct pointers_of<std::index_sequence<I...>> : slot<I, T*>... {};
  using pointers = pointers_of<std::make_index_sequence<n::steps>>;

  using tables_type = tables<S, T>;

  /// What a kernel needs of the tables besides pointers, copied once: what the loops write could change the tables, for
  /// all that a compiler knows.
  struct measures {
    static constexpr std::size_t levels = depth > 0 ? depth : 1;
    std::ptrdiff_t stride[n::steps][levels];
    std::ptrdiff_t extent[levels];
    std::ptrdiff_t begin, end;
  };

  static constexpr int reference_of(std::size_t i) {
    const program::step s = n::step(i);
    if (s.kind == step_kind::compute) return -1;
    if (s.kind == step_kind::output) return S::output_reference(s.output);
    return S::node_reference(s.node);
  }
  /// The axes that a step's memory has.
  static constexpr axis_set memory_axes(std::size_t i) {
    const program::step s = n::step(i);
    return s.kind == step_kind::output ? n::plan.axes : node(s.node).axes;
  }

  template <std::size_t I>
  TAPELESS_ALWAYS_INLINE static T*& pointer(pointers& p) {
    return static_cast<slot<I, T*>&>(p).value;
  }
  template <std::size_t I>
  TAPELESS_ALWAYS_INLINE static T* pointer(const pointers& p) {
    return static_cast<const slot<I, T*>&>(p).value;
  }

  template <int I, class Loads, class Computes>
  TAPELESS_ALWAYS_INLINE static const auto& value(const Loads& loaded, const Computes& computed) {
    using S0 = slot<static_cast<std::size_t>(I), value_type<I>>;
    if constexpr (std::is_base_of_v<S0, Loads>)
      return static_cast<const S0&>(loaded).value;
    else
      return static_cast<const S0&>(computed).value;
  }

  template <int I>
  TAPELESS_ALWAYS_INLINE static auto& loaded_value(load_frame& loaded) {
    return static_cast<slot<static_cast<std::size_t>(I), value_type<I>>&>(loaded).value;
  }
  static constexpr int operand(int i, int j) {
    const program::node& of = node(i);
    return j < of.count ? S::edges[static_cast<std::size_t>(of.first + j)]
                        : S::edges[static_cast<std::size_t>(of.first)];
  }
};

}  // namespace detail

}  // namespace tapeless::loops::inline TAPELESS_TARGET
