#pragma once

#include <tapeless/core/always_inline.hpp>
#include <tapeless/core/target.hpp>
#include <tapeless/evaluate/kernels/step_lists.hpp>
#include <tapeless/evaluate/kernels/tables.hpp>

#include <cstddef>
#include <utility>

namespace tapeless::loops::inline TAPELESS_TARGET::detail {

/// What the kernel number `K` of the plan `S`, and those equal to it, compute with: the values of their steps, where
/// their memory lies, how they read, write and step through that, and what they need of the tables.
///
/// What all steps of a list do is one expression, in the braces of an array: it may have any number of steps, and each
/// has no function of its own, which would cost more to compile than what is in it.
template <class S, class T, std::size_t K>
struct kernel_frame {
  using n = kernel_steps<S, K>;
  using list = step_list;
  static constexpr std::size_t depth = n::depth;
  static constexpr std::ptrdiff_t width = depth == 0 ? 1 : static_cast<std::ptrdiff_t>(simd::width<T>);
  using types = iteration_types<T, depth != 0>;
  static constexpr const auto& table = n::table;

  static constexpr std::size_t count_steps(step_kind kind) {
    std::size_t count = 0;
    for (std::size_t s = 0; s < n::steps; ++s) count += n::step(s).kind == kind;
    return count;
  }
  static constexpr std::size_t loads = count_steps(step_kind::load);
  static constexpr std::size_t values = loads + count_steps(step_kind::compute);
  static constexpr std::size_t results = n::steps - values;

  template <std::size_t I>
  using value_of = decltype(step_slot<types, table.step[I].kind, I>::value);
  template <class Steps>
  struct slots_of;
  template <std::size_t... I>
  struct slots_of<std::index_sequence<I...>> : step_slot<types, table.step[I].kind, I>... {};
  /// What the steps load, and with that what they compute. What is computed is not copied with what is loaded: g++
  /// would keep a frame that is large in memory.
  using load_frame = slots_of<std::make_index_sequence<loads>>;
  using frame = slots_of<std::make_index_sequence<values>>;
  /// The reductions that stay in registers.
  using accumulators = slots_of<typename n::template steps_of<list::gathered>>;

  // Where the memory of each step lies, at the current iteration of the outer loops.
  template <class Steps>
  struct pointers_of;
  template <std::size_t... I>
  struct pointers_of<std::index_sequence<I...>> : slot<I, T*>... {};
  using pointers = pointers_of<typename n::template steps_of<list::in_memory>>;

  using tables_type = tables<S, T>;
  using places = typename n::places;

  /// What a kernel needs of the tables besides pointers, copied once: what the loops write could change the tables, for
  /// all that a compiler knows.
  struct measures {
    static constexpr std::size_t levels = depth > 0 ? depth : 1;
    std::ptrdiff_t stride[n::steps][levels];
    std::ptrdiff_t extent[levels];
    std::ptrdiff_t begin, end;
  };

  static constexpr part read_as(std::size_t step, part lanes) { return table.step[step].varies ? lanes : part::same; }

  /// Loads the values of the steps `I`.
  template <part Part, std::size_t... I>
  TAPELESS_ALWAYS_INLINE static void load(const pointers& p, const measures& t, load_frame& to, std::size_t count,
                                          std::index_sequence<I...>) {
    [[maybe_unused]] const bool done[] = {
        (to.detail::template step_slot<types, table.step[I].kind, I>::value = read<read_as(I, Part), value_of<I>>(
             p.detail::template slot<I, T*>::value, t.stride[I] + n::vector_level, count),
         true)...};
  }
  /// Loads what is the same in all loops.
  template <std::size_t... C, std::size_t... N, std::size_t... E>
  TAPELESS_ALWAYS_INLINE static void load_numbers([[maybe_unused]] const tables_type& t,
                                                  [[maybe_unused]] const places& at, load_frame& to,
                                                  std::index_sequence<C...>, std::index_sequence<N...>,
                                                  std::index_sequence<E...>) {
    [[maybe_unused]] const bool done[] = {
        true,
        (to.detail::template step_slot<types, table.step[C].kind, C>::value =
             in_all_lanes<value_of<C>>(S::constants[static_cast<std::size_t>(n::node_of(C).leaf)].template as<T>()),
         true)...,
        (to.detail::template step_slot<types, table.step[N].kind, N>::value =
             in_all_lanes<value_of<N>>(t.numbers[at.step[N]]),
         true)...,
        (to.detail::template step_slot<types, table.step[E].kind, E>::value =
             in_all_lanes<value_of<E>>(static_cast<T>(t.extent_as_number(static_cast<std::size_t>(at.step[E])))),
         true)...};
  }

  /// The pointers at iteration `index` of loop number `Level`, along which those of the steps `I` change.
  // By value, as frames: a copy made inside of what comes by reference would be one in memory.
  template <std::size_t Level, std::size_t... I>
  TAPELESS_ALWAYS_INLINE static pointers advance(pointers p, [[maybe_unused]] const measures& t,
                                                 [[maybe_unused]] std::ptrdiff_t index, [[maybe_unused]] bool unit,
                                                 std::index_sequence<I...>) {
    [[maybe_unused]] const bool done[] = {
        true, (p.detail::template slot<I, T*>::value += unit ? index : index * t.stride[I][Level], true)...};
    return p;
  }

  /// Whether the lanes read or write what the caller laid out.
  static constexpr bool may_be_strided = [] {
    for (std::size_t k = K; k < S::kernels.size(); ++k) {
      if (k != K && (!has_equals<S, K> || S::kernels[k].form != static_cast<int>(K))) continue;
      for (std::size_t i = 0; i < table.size[list::along_lanes]; ++i)
        if (!S::is_buffer(n::place_of(S::kernels[k], table.at[list::along_lanes * n::steps + i]))) return true;
    }
    return false;
  }();
  /// Whether everything that the lanes read and write is contiguous, or one element whatever its stride.
  TAPELESS_ALWAYS_INLINE static bool is_contiguous(const tables_type& t, const places& at) {
    if constexpr (may_be_strided)
      return has_unit_strides(t, at, typename n::template steps_of<list::along_lanes>{}) ||
             t.extent[at.axis[n::vector_level]] == 1;
    else
      return true;
  }
  template <std::size_t... I>
  TAPELESS_ALWAYS_INLINE static bool has_unit_strides(const tables_type& t, const places& at,
                                                      std::index_sequence<I...>) {
    const int along = at.axis[n::vector_level];
    bool unit = true;
    [[maybe_unused]] const bool done[] = {(unit = unit && t.references[at.step[I]].stride[along] == 1)...};
    return unit;
  }

  template <std::size_t Level, std::size_t... I>
  TAPELESS_ALWAYS_INLINE static void measure(const tables_type& t, const places& at, measures& to,
                                             std::index_sequence<I...>) {
    const int along = at.axis[Level];
    to.extent[Level] = t.extent[along];
    [[maybe_unused]] const bool done[] = {true,
                                          (to.stride[I][Level] = t.references[at.step[I]].stride[along], true)...};
  }
  template <std::size_t... I, std::size_t... B>
  TAPELESS_ALWAYS_INLINE static void point(pointers& p, const tables_type& t, const places& at,
                                           std::index_sequence<I...>, std::index_sequence<B...>) {
    [[maybe_unused]] const bool done[] = {
        true, (p.detail::template slot<I, T*>::value = t.references[at.step[I]].data, true)...,
        // The buffer of a block begins with the block.
        (p.detail::template slot<B, T*>::value -=
         t.begin * t.references[at.step[B]].stride[at.axis[n::loops.level(n::group_axis) - 1]],
         true)...};
  }

  /// Takes over what is loaded, one by one: as a whole it would be copied in memory.
  template <std::size_t... I>
  TAPELESS_ALWAYS_INLINE static void take_over(frame& to, const load_frame& from, std::index_sequence<I...>) {
    [[maybe_unused]] const bool done[] = {true,
                                          (to.detail::template step_slot<types, table.step[I].kind, I>::value =
                                               from.detail::template step_slot<types, table.step[I].kind, I>::value,
                                           true)...};
  }
  /// Computes the steps `I` with the operands `A`, `B` and `C`.
  template <std::size_t... I, std::size_t... A, std::size_t... B, std::size_t... C>
  TAPELESS_ALWAYS_INLINE static void compute(frame& of, std::index_sequence<I...>, std::index_sequence<A...>,
                                             std::index_sequence<B...>, std::index_sequence<C...>) {
    [[maybe_unused]] const bool done[] = {true,
                                          (of.detail::template step_slot<types, table.step[I].kind, I>::value =
                                               lane_step<table.step[I].operation, table.step[I].form, T>::run(
                                                   of.detail::template step_slot<types, table.step[A].kind, A>::value,
                                                   of.detail::template step_slot<types, table.step[B].kind, B>::value,
                                                   of.detail::template step_slot<types, table.step[C].kind, C>::value),
                                           true)...};
  }
  /// The same of two iterations, step by step in turn.
  template <std::size_t... I, std::size_t... A, std::size_t... B, std::size_t... C>
  TAPELESS_ALWAYS_INLINE static void compute_two(frame& p, frame& q, std::index_sequence<I...>,
                                                 std::index_sequence<A...>, std::index_sequence<B...>,
                                                 std::index_sequence<C...>) {
    const auto compute_both = [&](auto... step) TAPELESS_INLINE_LAMBDA {
      compute(p, step...);
      compute(q, step...);
    };
    [[maybe_unused]] const bool done[] = {(compute_both(std::index_sequence<I>{}, std::index_sequence<A>{},
                                                        std::index_sequence<B>{}, std::index_sequence<C>{}),
                                           true)...};
  }
};

}  // namespace tapeless::loops::inline TAPELESS_TARGET::detail
