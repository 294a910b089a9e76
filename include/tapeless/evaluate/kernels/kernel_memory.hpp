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
  template <std::size_t Level, part Part>
  TAPELESS_ALWAYS_INLINE static void load_all(const pointers& p, const measures& t, load_frame& loaded,
                                              std::size_t count) {
    for_each_in<loads_in<Level>>([&]<std::size_t I>() TAPELESS_INLINE_LAMBDA {
      F::template loaded_value<n::step(I).node>(loaded) = read<I, Part>(F::template pointer<I>(p), t, count);
    });
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
  TAPELESS_ALWAYS_INLINE static void load_uniforms(const pointers& p, const tables_type& t, load_frame& loaded) {
    for_each_in<loads_in<0>>([&]<std::size_t I>() TAPELESS_INLINE_LAMBDA { load_uniform<I>(p, t, loaded); });
  }

  static constexpr bool is_extent(int i) { return node(i).kind == program::node_kind::extent; }

  /// The steps whose memory varies along the axis of loop number `Level`.
  template <std::size_t Level>
  static constexpr auto varying = choose<n::steps>(
      [](std::size_t i) { return reference_of(i) >= 0 && (memory_axes(i) & axis(n::order[Level])) != 0; });
  // By value, as load frames: a copy made inside of what comes by reference would be one in memory.
  template <std::size_t Level>
  TAPELESS_ALWAYS_INLINE static pointers advance(pointers p, const measures& t, std::ptrdiff_t index, bool unit) {
    for_each_in<varying<Level>>([&]<std::size_t I>() TAPELESS_INLINE_LAMBDA {
      F::template pointer<I>(p) += unit ? index : index * t.stride[I][Level];
    });
    return p;
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
    constexpr auto along = static_cast<std::size_t>(n::vector_axis);
    bool unit = true;
    for_each_in<along_lanes>([&]<std::size_t I>()
                                 TAPELESS_INLINE_LAMBDA { unit = unit && memory<I>(t).stride[along] == 1; });
    return unit || t.extent[along] == 1;
  }

  template <std::size_t Level>
  TAPELESS_ALWAYS_INLINE static void measure_level(const tables_type& t, measures& to) {
    constexpr auto along = static_cast<std::size_t>(n::order[Level]);
    to.extent[Level] = t.extent[along];
    for_each_in<varying<Level>>([&]<std::size_t I>()
                                    TAPELESS_INLINE_LAMBDA { to.stride[I][Level] = memory<I>(t).stride[along]; });
  }

  template <std::size_t I>
  TAPELESS_ALWAYS_INLINE static void point(pointers& p, const tables_type& t) {
    F::template pointer<I>(p) = memory<I>(t).data;
    // The buffer of a block begins with the block.
    if constexpr (S::is_block(reference_of(I)))
      F::template pointer<I>(p) -=
          t.begin * memory<I>(t).stride[static_cast<std::size_t>(program::first_axis(n::group_axis))];
  }
  TAPELESS_ALWAYS_INLINE static void point_all(pointers& p, const tables_type& t) {
    for_each_in<in_memory>([&]<std::size_t I>() TAPELESS_INLINE_LAMBDA { point<I>(p, t); });
  }
};

}  // namespace detail

}  // namespace tapeless::loops::inline TAPELESS_TARGET
