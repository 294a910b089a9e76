#ifndef TAPELESS_EVALUATE_TENSOR_HPP
#define TAPELESS_EVALUATE_TENSOR_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/core/target.hpp>
#include <tapeless/evaluate/buffers.hpp>
#include <tapeless/evaluate/engine.hpp>
#include <tapeless/evaluate/loops.hpp>
#include <tapeless/evaluate/matrix_product.hpp>
#include <tapeless/evaluate/move_kernel.hpp>
#include <tapeless/evaluate/plan.hpp>
#include <tapeless/program/tuning.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace tapeless::loops::inline TAPELESS_TARGET {

/// Runs a plan. The references of accesses and outputs and the extents are set by the caller.
///
/// Everything but the loops themselves is known at compile time and inlined: the tables stay in registers.
template <class S, class T>
class executor {
  static constexpr std::ptrdiff_t width = static_cast<std::ptrdiff_t>(simd::width<T>);
  using buffers_type = buffers<S, T>;
  using tables_type = tables<S, T>;
  using block_sizes = typename buffers_type::block_sizes;

  static constexpr std::ptrdiff_t padded(std::ptrdiff_t n) { return (n + width - 1) / width * width; }

  template <std::size_t Group>
  TAPELESS_ALWAYS_INLINE static std::ptrdiff_t block_size(const tables_type& t) {
    constexpr bool products = has_library_product<Group>(std::make_index_sequence<S::count_kernels(Group)>{});
    return buffers_type::template block_size<Group, products ? tuning::product_block : tuning::block>(t);
  }

  template <std::size_t Group, class Engine>
  TAPELESS_ALWAYS_INLINE static void run_group(tables_type& t, const block_sizes& blocks, workspace<T>& memory,
                                               const Engine& engine) {
    constexpr int along = S::group_axis(Group);
    if constexpr (along < 0) {
      run_kernels<S::first_kernel(Group)>(t, std::make_index_sequence<S::count_kernels(Group)>{});
    } else {
      buffers_type::template fill<Group, false>(t);
      const std::ptrdiff_t extent = t.extent[static_cast<std::size_t>(along)];
      if constexpr (!std::is_same_v<Engine, sequential> && !S::moves(Group)) {
        std::ptrdiff_t inner = 1;
        for (std::size_t k = S::first_kernel(Group), end = k + S::count_kernels(Group); k < end; ++k) {
          std::ptrdiff_t iterations = 1;
          for (program::axis_set left = S::kernels[k].axes & ~program::axis(along); left; left &= left - 1)
            iterations *= t.extent[static_cast<std::size_t>(program::first_axis(left))];
          inner = std::max(inner, iterations);
        }
        const std::ptrdiff_t least =
            std::max((extent - 1) / tuning::most_parts + 1, (tuning::part_iterations - 1) / inner + 1);
        const std::ptrdiff_t part = padded(least);
        if (const std::ptrdiff_t parts = (extent - 1) / part + 1; parts > 1)
          return run_parts<Group>(t, blocks, memory, engine, part, parts);
      }
      run_part<Group>(t, blocks, 0, extent);
    }
  }
  /// Runs a group over a part of its axis.
  template <std::size_t Group>
  TAPELESS_ALWAYS_INLINE static void run_part(tables_type& t, const block_sizes& blocks, std::ptrdiff_t begin,
                                              std::ptrdiff_t end) {
    constexpr auto kernels = std::make_index_sequence<S::count_kernels(Group)>{};
    if constexpr (!S::is_blocked(Group)) {
      t.begin = begin, t.end = end;
      buffers_type::template fill<Group, true>(t);
      run_kernels<S::first_kernel(Group)>(t, kernels);
    } else {
      const std::ptrdiff_t block = std::max<std::ptrdiff_t>(blocks[Group], 1);
      for (t.begin = begin; t.begin < end; t.begin += block) {
        t.end = std::min(end, t.begin + block);
        buffers_type::template fill<Group, true>(t);
        run_kernels<S::first_kernel(Group)>(t, kernels);
      }
    }
  }

  /// Runs the parts of a group's axis by an engine, each with buffers of its own for what it reduces to and for what
  /// its kernels leave for each other; then takes the reductions together, part after part.
  template <std::size_t Group, class Engine>
  [[gnu::noinline]] static void run_parts(const tables_type& t, const block_sizes& blocks, workspace<T>& memory,
                                          const Engine& engine, std::ptrdiff_t part, std::ptrdiff_t parts) {
    constexpr int along = S::group_axis(Group);
    const std::ptrdiff_t extent = t.extent[static_cast<std::size_t>(along)];
    tables_type measured(t);
    const std::ptrdiff_t size = buffers_type::own(measured, blocks, nullptr, Group);
    T* const own = memory.reserve(static_cast<std::size_t>(size * parts));
    engine(parts, [&](std::ptrdiff_t i) {
      tables_type local(t);
      buffers_type::own(local, blocks, own + i * size, Group);
      buffers_type::template fill<Group, false>(local);
      run_part<Group>(local, blocks, i * part, std::min(extent, (i + 1) * part));
    });
    for (std::ptrdiff_t i = 0; i < parts; ++i) {
      buffers_type::own(measured, blocks, own + i * size, Group);
      buffers_type::template combine<Group>(t, measured);
    }
  }
  template <std::size_t K>
  static constexpr bool is_library_product() {
    if constexpr (blas<T>::available)
      return detail::matrix_products<S, T, K>::all;
    else
      return false;
  }
  template <std::size_t Group, std::size_t... K>
  static constexpr bool has_library_product(std::index_sequence<K...>) {
    return (is_library_product<S::first_kernel(Group) + K>() || ...);
  }
  template <std::size_t K>
  TAPELESS_ALWAYS_INLINE static void run_kernel(const tables_type& t) {
    constexpr program::step first = S::steps[static_cast<std::size_t>(S::kernels[K].first_step)];
    if constexpr (first.kind == program::step_kind::move)
      move_kernel<S, T>::template run<first.node>(t);
    else if constexpr (!is_library_product<K>())
      detail::kernel_code<S, T, K>::run(t);
    else if (!detail::matrix_products<S, T, K>::run(t))
      detail::kernel_code<S, T, K>::run(t);
  }

  template <std::size_t First, std::size_t... K>
  TAPELESS_ALWAYS_INLINE static void run_kernels(const tables_type& t, std::index_sequence<K...>) {
    (run_kernel<First + K>(t), ...);
  }

 public:
  TAPELESS_ALWAYS_INLINE static void run(tables_type& t, workspace<T>& memory) { run(t, memory, memory, sequential{}); }
  /// Runs all groups. `parts` is memory for what threads have for themselves.
  template <class Engine>
  TAPELESS_ALWAYS_INLINE static void run(tables_type& t, workspace<T>& memory, workspace<T>& parts,
                                         const Engine& engine) {
    run(t, memory, parts, engine, std::make_index_sequence<S::groups>{});
  }

 private:
  template <class Engine, std::size_t... G>
  TAPELESS_ALWAYS_INLINE static void run(tables_type& t, workspace<T>& memory, workspace<T>& parts,
                                         const Engine& engine, std::index_sequence<G...>) {
    const block_sizes blocks{block_size<G>(t)...};
    typename buffers_type::single_numbers numbers;
    buffers_type::place(t, blocks, memory, numbers);
    (run_group<G>(t, blocks, parts, engine), ...);
  }
};

}  // namespace tapeless::loops::inline TAPELESS_TARGET

#endif
