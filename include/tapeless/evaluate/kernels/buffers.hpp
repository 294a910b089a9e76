#pragma once

#include <tapeless/core/always_inline.hpp>
#include <tapeless/core/target.hpp>
#include <tapeless/evaluate/kernels/nest.hpp>
#include <tapeless/evaluate/kernels/tables.hpp>
#include <tapeless/evaluate/lanes/lanes.hpp>
#include <tapeless/evaluate/memory/index.hpp>
#include <tapeless/evaluate/memory/move.hpp>
#include <tapeless/evaluate/memory/workspace.hpp>
#include <tapeless/program/graph/tuning.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace tapeless::loops::inline TAPELESS_TARGET {

/// The number of elements of a tensor over `axes`, which are `extent` long but `block` along axis `along`.
constexpr std::ptrdiff_t count_elements(const std::ptrdiff_t* extent, program::axis_set axes, int along,
                                        std::ptrdiff_t block) {
  std::ptrdiff_t result = 1;
  for (; axes; axes &= axes - 1) {
    const int a = program::first_axis(axes);
    result *= a == along ? block : extent[a];
  }
  return result;
}

/// The buffers of the plan `S`: how long the blocks of its groups are, where the buffers lie, and what they hold before
/// a kernel adds to them.
///
/// For few nests every step is a statement of its own, so that the tables stay in registers. For many the steps are
/// loops over constant tables: one by one they were a function of thousands of stores between calls, each of which
/// could read what was stored, and g++ took minutes.
template <class S, class T>
class buffers {
  static constexpr std::size_t count = S::buffers.size();
  static constexpr auto all = std::make_index_sequence<count>{};
  static constexpr std::ptrdiff_t width = static_cast<std::ptrdiff_t>(simd::width<T>);
  /// Buffers begin at multiples of this many numbers.
  static constexpr std::ptrdiff_t line = static_cast<std::ptrdiff_t>(tuning::line / sizeof(T)) > 0
                                             ? static_cast<std::ptrdiff_t>(tuning::line / sizeof(T))
                                             : 1;
  using tables_type = tables<S, T>;

  struct description {
    std::size_t reference = 0;
    std::size_t group = 0;
    program::axis_set axes = 0;
    /// The axis along which it holds a block only, -1 if there is none.
    int along = -1;
    bool block = false;
    /// Whether it lies in other memory.
    bool is_placed = false;
    /// Whether kernels add to it piece by piece.
    bool accumulated = false;
    bool reduces_shards = false;
  };
  static constexpr auto described = [] {
    std::array<description, count> result{};
    for (std::size_t b = 0; b < count; ++b) {
      const program::buffer& made = S::buffers[b];
      const std::size_t group = S::group_of(made);
      result[b] = {S::buffer_reference(b),
                   group,
                   made.axes,
                   made.block ? S::group_axis(group) : -1,
                   made.block,
                   made.output >= 0 || made.within >= 0,
                   detail::accumulates<S>(made),
                   S::reduces_shards(made)};
    }
    return result;
  }();

  struct buffer_list {
    std::size_t at[count > 0 ? count : 1]{};
    std::size_t size = 0;
  };
  /// The buffers of a group that kernels add to piece by piece, those of blocks or the others; or only those over
  /// shards.
  static constexpr buffer_list accumulated(std::size_t group, bool block, bool of_shards = false) {
    buffer_list found;
    for (std::size_t b = 0; b < count; ++b)
      if (described[b].accumulated && described[b].block == block && described[b].group == group &&
          (!of_shards || described[b].reduces_shards))
        found.at[found.size++] = b;
    return found;
  }
  /// The buffers that lie within other memory: slices, or what lies within a result.
  static constexpr buffer_list parts_of_others(bool slices) {
    buffer_list found;
    for (std::size_t b = 0; b < count; ++b)
      if (S::buffers[b].within >= 0 && (S::buffers[b].within < S::buffers[b].node) == slices)
        found.at[found.size++] = b;
    return found;
  }

  template <std::size_t B>
  using operation_of = program::operation_of<S::program[S::buffers[B].node].operation>;

  template <program::axis_set Axes, int Along>
  TAPELESS_ALWAYS_INLINE static std::ptrdiff_t elements([[maybe_unused]] const tables_type& t,
                                                        [[maybe_unused]] std::ptrdiff_t block) {
    if constexpr (Axes == 0) {
      return 1;
    } else {
      constexpr int a = program::first_axis(Axes);
      constexpr program::axis_set inner = Axes & (Axes - 1);
      const std::ptrdiff_t extent = a == Along ? block : t.extent[a];
      if constexpr (inner == 0)
        return extent;
      else
        return extent * elements<inner, Along>(t, block);
    }
  }
  static std::ptrdiff_t rounded(std::ptrdiff_t numbers) { return (numbers + line - 1) / line * line; }

 public:
  using block_sizes = std::ptrdiff_t[S::groups > 0 ? S::groups : 1];
  /// Buffers of one number are not in the workspace: the compiler knows that nothing else refers to them.
  using single_numbers = T[count > 0 ? count : 1];

  /// The iterations of a group's axis in a block of at most `Bytes`, if what it holds allows that.
  template <std::size_t Group, std::ptrdiff_t Bytes>
  TAPELESS_ALWAYS_INLINE static std::ptrdiff_t block_size(const tables_type& t) {
    constexpr int along = S::group_axis(Group);
    if constexpr (along < 0) {
      return 0;
    } else {
      const std::ptrdiff_t extent = t.extent[static_cast<std::size_t>(along)];
      if constexpr (!S::is_blocked(Group)) {
        return extent;
      } else {
        const std::ptrdiff_t numbers = numbers_along<Group>(t);
        constexpr std::ptrdiff_t limit = Bytes / static_cast<std::ptrdiff_t>(sizeof(T));
        // Mostly all fits, and a division takes as long as a loop over a few elements.
        if (numbers * extent <= limit) return extent;
        return std::min(extent, std::max(limit / numbers / width * width, 2 * width));
      }
    }
  }

  /// Sets where the buffers lie.
  TAPELESS_ALWAYS_INLINE static void place(tables_type& t, const block_sizes& blocks, workspace<T>& memory,
                                           single_numbers& numbers) {
    if constexpr (has_few_nests<S>)
      place(t, blocks, memory, numbers, all);
    else
      place_all(t, blocks, memory, numbers);
    // Slices can be of what lies within a result: that comes first.
    place_within<false>(t);
    place_within<true>(t);
  }

  /// Reductions that are added to piece by piece begin with what they are over no elements: at the beginning of their
  /// group, or of each block; or only those over shards. Those of a `Part` do so if others begin with a variable.
  template <std::size_t Group, bool Block, bool OfShards = false, bool Part = false>
  TAPELESS_ALWAYS_INLINE static void fill(const tables_type& t) {
    constexpr buffer_list found = accumulated(Group, Block, OfShards);
    if constexpr (found.size > 0)
      [&]<std::size_t... I>(std::index_sequence<I...>)
          TAPELESS_INLINE_LAMBDA { (begin<found.at[I], Part>(t), ...); }(std::make_index_sequence<found.size>{});
  }

  /// Lets the buffers that a part of `Group` has for itself begin at `memory`; their size. Parts are those of the
  /// group's axis, or `of_shards`, which then add to memory of all rows each at its own.
  static std::ptrdiff_t own(tables_type& t, const block_sizes& blocks, T* memory, std::size_t group,
                            bool of_shards = false) {
    std::ptrdiff_t size = 0;
    for (const description& b : described) {
      if (b.group != group || !(b.block || (of_shards ? b.reduces_shards : b.accumulated))) continue;
      t.references[b.reference].data = memory ? memory + size : nullptr;
      size += rounded(count_elements(t.extent, b.axes, b.along, blocks[group]));
    }
    return size;
  }
  /// Lets the blocks of a group lie without gaps for the extents of a part.
  static void lay_out_blocks(tables_type& t, const block_sizes& blocks, std::size_t group) {
    for (const description& b : described)
      if (b.group == group && b.block) set_strides(t, b, blocks[group]);
  }
  /// Takes what a part of `Group` reduced together with what all before it did.
  template <std::size_t Group>
  static void combine(const tables_type& to, const tables_type& part) {
    constexpr buffer_list found = accumulated(Group, false);
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (combine_one<found.at[I]>(to, part), ...);
    }(std::make_index_sequence<found.size>{});
  }

 private:
  /// What one iteration of a group's axis reads and leaves.
  template <std::size_t Group>
  TAPELESS_ALWAYS_INLINE static std::ptrdiff_t numbers_along(const tables_type& t) {
    static constexpr auto held = S::held(Group);
    constexpr int along = S::group_axis(Group);
    std::ptrdiff_t numbers = 0;
    if constexpr (has_few_nests<S>)
      [&]<std::size_t... I>(std::index_sequence<I...>) TAPELESS_INLINE_LAMBDA {
        ((numbers += elements<S::reference_axes(held.at[I]), along>(t, 1)), ...);
      }(std::make_index_sequence<held.size>{});
    else
      for (std::size_t i = 0; i < held.size; ++i)
        numbers += count_elements(t.extent, S::reference_axes(held.at[i]), along, 1);
    return numbers;
  }

  template <std::size_t... B>
  TAPELESS_ALWAYS_INLINE static void place(tables_type& t, const block_sizes& blocks, workspace<T>& memory,
                                           [[maybe_unused]] T* numbers, std::index_sequence<B...>) {
    [[maybe_unused]] std::ptrdiff_t begin[sizeof...(B) + 1];
    std::ptrdiff_t size = 0;
    ((begin[B] = size, size += numbers_of<B>(t, blocks)), ...);
    [[maybe_unused]] T* const first = size > 0 ? memory.reserve(static_cast<std::size_t>(size)) : nullptr;
    ((described[B].axes == 0    ? void(t.references[described[B].reference].data = numbers + B)
      : !described[B].is_placed ? void(t.references[described[B].reference].data = first + begin[B])
                                : void()),
     ...);
  }
  /// How many numbers of the workspace buffer `B` takes; sets its strides.
  template <std::size_t B>
  TAPELESS_ALWAYS_INLINE static std::ptrdiff_t numbers_of(tables_type& t, const block_sizes& blocks) {
    constexpr description made = described[B];
    if constexpr (made.axes != 0 && !made.is_placed) {
      set_strides<made.reference, made.axes, made.along>(t, blocks[made.group]);
      return rounded(elements<made.axes, made.along>(t, blocks[made.group]));
    } else {
      return 0;
    }
  }
  template <std::size_t Reference, program::axis_set Axes, int Along>
  TAPELESS_ALWAYS_INLINE static void set_strides(tables_type& t, std::ptrdiff_t block) {
    constexpr program::axis_set inner = Axes & (Axes - 1);
    t.references[Reference].stride[program::first_axis(Axes)] = elements<inner, Along>(t, block);
    if constexpr (inner != 0) set_strides<Reference, inner, Along>(t, block);
  }
  static void set_strides(tables_type& t, const description& b, std::ptrdiff_t block) {
    for (program::axis_set left = b.axes; left; left &= left - 1)
      t.references[b.reference].stride[program::first_axis(left)] =
          count_elements(t.extent, left & (left - 1), b.along, block);
  }
  [[gnu::noinline]] static void place_all(tables_type& t, const block_sizes& blocks, workspace<T>& memory, T* numbers) {
    std::array<std::ptrdiff_t, count> begin{};
    std::ptrdiff_t size = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const description& b = described[i];
      if (b.axes == 0 || b.is_placed) continue;
      set_strides(t, b, blocks[b.group]);
      begin[i] = size;
      size += rounded(count_elements(t.extent, b.axes, b.along, blocks[b.group]));
    }
    T* const first = size > 0 ? memory.reserve(static_cast<std::size_t>(size)) : nullptr;
    for (std::size_t i = 0; i < count; ++i)
      if (described[i].axes == 0)
        t.references[described[i].reference].data = numbers + i;
      else if (!described[i].is_placed)
        t.references[described[i].reference].data = first + begin[i];
  }

  template <bool Slices>
  TAPELESS_ALWAYS_INLINE static void place_within([[maybe_unused]] tables_type& t) {
    constexpr buffer_list found = parts_of_others(Slices);
    if constexpr (found.size > 0)
      [&]<std::size_t... I>(std::index_sequence<I...>)
          TAPELESS_INLINE_LAMBDA { (place_one_within<found.at[I]>(t), ...); }(std::make_index_sequence<found.size>{});
  }
  template <std::size_t B>
  TAPELESS_ALWAYS_INLINE static void place_one_within(tables_type& t) {
    constexpr program::buffer made = S::buffers[B];
    constexpr program::range_move range(S::source::view(), made.node, made.within);
    constexpr program::tensor_access whole = range.whole(), part = range.part();
    constexpr program::tensor_move move = *range.move;
    constexpr auto along = static_cast<std::size_t>(whole.axes[move.position]);
    const auto& from = t.references[S::node_reference(made.within)];
    auto& to = t.references[described[B].reference];
    // What has no elements may lie nowhere.
    to.data = from.data ? from.data + begin_of(t, move, t.extent[along]) * from.stride[along] : nullptr;
    [&]<std::size_t... K>(std::index_sequence<K...>) TAPELESS_INLINE_LAMBDA {
      ((part.axes[K] < 0 ? void()
                         : void(to.stride[std::max(part.axes[K], 0)] = from.stride[std::max(whole.axes[K], 0)])),
       ...);
    }(std::make_index_sequence<static_cast<std::size_t>(part.rank)>{});
  }
  template <std::size_t B, bool Part>
  TAPELESS_ALWAYS_INLINE static void begin(const tables_type& t) {
    if constexpr (constexpr int base = S::buffers[B].base; base >= 0 && !Part)
      copy_base(t, described[B], static_cast<std::size_t>(S::node_reference(base)));
    else
      fill_neutral<B>(t);
  }
  [[gnu::noinline]] static void copy_base(tables_argument<S, T> t, const description& made, std::size_t base) {
    const auto &to = t.references[made.reference], &from = t.references[base];
    // A loop lets what it carries lie where it lay.
    if (to.data == from.data) return;
    strided<T> target{to.data}, source{from.data};
    for (program::axis_set left = made.axes; left; left &= left - 1) {
      const int id = program::first_axis(left);
      const auto i = static_cast<std::size_t>(target.rank++);
      target.extents[i] = t.extent[id], target.strides[i] = to.stride[id], source.strides[i] = from.stride[id];
    }
    copy(target, source);
  }
  template <std::size_t B>
  TAPELESS_ALWAYS_INLINE static void fill_neutral(const tables_type& t) {
    constexpr description made = described[B];
    const T neutral = static_cast<T>(operation_of<B>::template neutral<T>());
    T* const to = t.references[made.reference].data;
    if constexpr (made.axes == 0)
      *to = neutral;
    else if constexpr (has_few_nests<S>)
      std::fill_n(to, elements<made.axes, made.along>(t, t.end - t.begin), neutral);
    else
      fill_with(t, made, neutral);
  }
  [[gnu::noinline]] static void fill_with(const tables_type& t, const description& made, T neutral) {
    std::fill_n(t.references[made.reference].data, count_elements(t.extent, made.axes, made.along, t.end - t.begin),
                neutral);
  }

  template <std::size_t B>
  static void combine_one(const tables_type& to, const tables_type& part) {
    const description& made = described[B];
    T* const all_before = to.references[made.reference].data;
    const T* const more = part.references[made.reference].data;
    const std::ptrdiff_t numbers = count_elements(to.extent, made.axes, -1, 0);
    for (std::ptrdiff_t i = 0; i < numbers; ++i)
      all_before[i] = static_cast<T>(operation_of<B>::combine(all_before[i], more[i]));
  }
};

}  // namespace tapeless::loops::inline TAPELESS_TARGET
