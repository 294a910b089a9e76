#pragma once

#include <tapeless/core/always_inline.hpp>
#include <tapeless/core/target.hpp>
#include <tapeless/evaluate/kernels/kernel_frame.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace tapeless::loops::inline TAPELESS_TARGET {

namespace detail {

/// How the kernel of the frame `F` reads and writes, and how it steps through its memory.
template <class F>
struct kernel_memory {
  using S = typename F::plan;
  using T = typename F::number;
  using n = typename F::n;
  using V = typename F::V;
  using M = typename F::M;
  using pointers = typename F::pointers;
  using measures = typename F::measures;
  using load_frame = typename F::load_frame;
  using tables_type = typename F::tables_type;
  static constexpr auto depth = F::depth;
  static constexpr auto loads = F::loads;
  static constexpr const program::node& node(int i) { return F::node(i); }
  static constexpr int reference_of(std::size_t i) { return F::reference_of(i); }
  static constexpr axis_set memory_axes(std::size_t i) { return F::memory_axes(i); }

  /// Reads the memory of step `I`, which stands at `from`.
  template <std::size_t I, part Part>
  TAPELESS_ALWAYS_INLINE static auto read(const T* from, const measures& t, std::size_t count) {
    constexpr int i = n::step(I).node;
    const auto number = [&]() TAPELESS_INLINE_LAMBDA -> V {
      if constexpr (!n::varies(memory_axes(I)))
        return V(*from);
      else if constexpr (depth == 0)
        return *from;
      else if constexpr (Part == part::all)
        return simd::load<T>(from);
      else if constexpr (Part == part::first)
        return simd::load_first<T>(from, count);
      else
        return simd::load_strided<T>(from, t.stride[I][n::vector_level], count);
    };
    if constexpr (node(i).condition)
      return M(number() != V(T(0)));
    else
      return number();
  }

  template <std::size_t I, part Part>
  TAPELESS_ALWAYS_INLINE static void write(const V& x, T* to, const measures& t, std::size_t count) {
    if constexpr (depth == 0)
      *to = x;
    else if constexpr (Part == part::all)
      simd::store<T>(x, to);
    else if constexpr (Part == part::first)
      simd::store_first<T>(x, to, count);
    else
      simd::store_strided<T>(x, to, t.stride[I][n::vector_level], count);
  }

  template <class X>
  TAPELESS_ALWAYS_INLINE static V as_number(const X& x) {
    if constexpr (is_mask<X>)
      return math::select(x, V(T(1)), V(T(0)));
    else
      return x;
  }

  /// Loads the values that change last in loop number `Level`, counted from 1.
  template <std::size_t Level>
  static constexpr auto loads_in =
      choose<loads>([](std::size_t i) { return n::level(node(n::step(i).node).axes) == Level; });
  template <std::size_t Level, part Part, std::size_t Begin, std::size_t... I>
  TAPELESS_ALWAYS_INLINE static void load_block(const pointers& p, const measures& t, load_frame& loaded,
                                                [[maybe_unused]] std::size_t count, std::index_sequence<I...>) {
    constexpr auto& which = loads_in<Level>;
    ((F::template loaded_value<n::step(which[Begin + I]).node>(loaded) =
          read<which[Begin + I], Part>(F::template pointer<which[Begin + I]>(p), t, count)),
     ...);
    if constexpr (constexpr std::size_t next = Begin + sizeof...(I); next < which.size)
      load_block<Level, Part, next>(p, t, loaded, count, block<which.size - next>{});
  }
  template <std::size_t Level, part Part>
  TAPELESS_ALWAYS_INLINE static void load_all(const pointers& p, const measures& t, load_frame& loaded,
                                              std::size_t count) {
    load_block<Level, Part, 0>(p, t, loaded, count, block<loads_in<Level>.size>{});
  }
  /// Loads what is the same in all loops.
  template <std::size_t I>
  TAPELESS_ALWAYS_INLINE static void load_uniform(const pointers& p, const tables_type& t, load_frame& loaded) {
    constexpr int i = n::step(I).node;
    auto& to = F::template loaded_value<i>(loaded);
    if constexpr (node(i).kind == program::node_kind::constant)
      to = V(S::constants[static_cast<std::size_t>(node(i).leaf)].template as<T>());
    else if constexpr (node(i).kind == program::node_kind::number)
      to = V(t.numbers[static_cast<std::size_t>(node(i).leaf)]);
    else if constexpr (is_extent(i))
      to = V(static_cast<T>(t.template extent_as_number<node(i).leaf>()));
    else if constexpr (node(i).condition)
      to = M(V(*F::template pointer<I>(p)) != V(T(0)));
    else
      to = V(*F::template pointer<I>(p));
  }
  template <std::size_t Begin, std::size_t... I>
  TAPELESS_ALWAYS_INLINE static void load_uniforms(const pointers& p, const tables_type& t, load_frame& loaded,
                                                   std::index_sequence<I...>) {
    constexpr auto& which = loads_in<0>;
    (load_uniform<which[Begin + I]>(p, t, loaded), ...);
    if constexpr (constexpr std::size_t next = Begin + sizeof...(I); next < which.size)
      load_uniforms<next>(p, t, loaded, block<which.size - next>{});
  }

  static constexpr bool is_extent(int i) { return node(i).kind == program::node_kind::extent; }

  /// The steps whose memory varies along the axis of loop number `Level`.
  template <std::size_t Level>
  static constexpr auto varying = choose<n::steps>(
      [](std::size_t i) { return reference_of(i) >= 0 && (memory_axes(i) & axis(n::order[Level])) != 0; });
  // By value, as load frames: a copy made inside of what comes by reference would be one in memory.
  template <std::size_t Level, std::size_t Begin, std::size_t... I>
  TAPELESS_ALWAYS_INLINE static pointers advance(pointers p, const measures& t, std::ptrdiff_t index,
                                                 [[maybe_unused]] bool unit, std::index_sequence<I...>) {
    constexpr auto& which = varying<Level>;
    ((F::template pointer<which[Begin + I]>(p) += unit ? index : index * t.stride[which[Begin + I]][Level]), ...);
    if constexpr (constexpr std::size_t next = Begin + sizeof...(I); next < which.size)
      return advance<Level, next>(p, t, index, unit, block<which.size - next>{});
    else
      return p;
  }
  template <std::size_t Level>
  TAPELESS_ALWAYS_INLINE static pointers advance(const pointers& p, const measures& t, std::ptrdiff_t index,
                                                 bool unit) {
    return advance<Level, 0>(p, t, index, unit, block<varying<Level>.size>{});
  }

  static constexpr auto in_memory = choose<n::steps>([](std::size_t i) { return reference_of(i) >= 0; });
  static constexpr auto along_lanes =
      choose<n::steps>([](std::size_t i) { return reference_of(i) >= 0 && n::varies(memory_axes(i)); });

  template <std::size_t I>
  TAPELESS_ALWAYS_INLINE static const auto& memory(const tables_type& t) {
    return t.references[static_cast<std::size_t>(reference_of(I))];
  }
  /// Whether everything that the lanes read and write is contiguous, or one element whatever its stride.
  TAPELESS_ALWAYS_INLINE static bool is_contiguous(const tables_type& t) {
    return unit_strides<0>(t, block<along_lanes.size>{}) || t.extent[static_cast<std::size_t>(n::vector_axis)] == 1;
  }
  template <std::size_t Begin, std::size_t... I>
  TAPELESS_ALWAYS_INLINE static bool unit_strides(const tables_type& t, std::index_sequence<I...>) {
    constexpr std::size_t next = Begin + sizeof...(I);
    const bool unit =
        ((memory<along_lanes[Begin + I]>(t).stride[static_cast<std::size_t>(n::vector_axis)] == 1) && ...);
    if constexpr (next < along_lanes.size)
      return unit && unit_strides<next>(t, block<along_lanes.size - next>{});
    else
      return unit;
  }

  template <std::size_t Level, std::size_t Begin, std::size_t... I>
  TAPELESS_ALWAYS_INLINE static void measure(const tables_type& t, measures& to, std::index_sequence<I...>) {
    constexpr auto& which = varying<Level>;
    ((to.stride[which[Begin + I]][Level] =
          memory<which[Begin + I]>(t).stride[static_cast<std::size_t>(n::order[Level])]),
     ...);
    if constexpr (constexpr std::size_t next = Begin + sizeof...(I); next < which.size)
      measure<Level, next>(t, to, block<which.size - next>{});
  }
  template <std::size_t Level>
  TAPELESS_ALWAYS_INLINE static void measure_level(const tables_type& t, measures& to) {
    to.extent[Level] = t.extent[static_cast<std::size_t>(n::order[Level])];
    measure<Level, 0>(t, to, block<varying<Level>.size>{});
  }

  template <std::size_t I>
  TAPELESS_ALWAYS_INLINE static void point(pointers& p, const tables_type& t) {
    F::template pointer<I>(p) = memory<I>(t).data;
    // The buffer of a block begins with the block.
    if constexpr (S::is_block(reference_of(I)))
      F::template pointer<I>(p) -=
          t.begin * memory<I>(t).stride[static_cast<std::size_t>(program::first_axis(n::group_axis))];
  }
  template <std::size_t Begin, std::size_t... I>
  TAPELESS_ALWAYS_INLINE static void point_all(pointers& p, const tables_type& t, std::index_sequence<I...>) {
    (point<in_memory[Begin + I]>(p, t), ...);
    if constexpr (constexpr std::size_t next = Begin + sizeof...(I); next < in_memory.size)
      point_all<next>(p, t, block<in_memory.size - next>{});
  }
};

}  // namespace detail

}  // namespace tapeless::loops::inline TAPELESS_TARGET
