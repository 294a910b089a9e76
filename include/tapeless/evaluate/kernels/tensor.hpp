#pragma once

#include <tapeless/core/target.hpp>
#include <tapeless/evaluate/kernels/buffers.hpp>
#include <tapeless/evaluate/kernels/engine.hpp>
#include <tapeless/evaluate/kernels/loops.hpp>
#include <tapeless/evaluate/kernels/matrix_product.hpp>
#include <tapeless/evaluate/kernels/move_kernel.hpp>
#include <tapeless/evaluate/kernels/phase_sums.hpp>
#include <tapeless/evaluate/kernels/plan.hpp>
#include <tapeless/program/graph/tuning.hpp>
#ifdef TAPELESS_VERIFY
#include <tapeless/evaluate/kernels/verified_plan.hpp>
#endif

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace tapeless::loops::inline TAPELESS_TARGET {

/// Runs a plan. The references of accesses and outputs and the extents are set by the caller.
///
/// Everything but the loops themselves is known at compile time and inlined: the tables stay in registers.
template <class S, class T>
class executor {
  static_assert(S::exists(),
                "tapeless: the compiler stopped the constant evaluation that plans the loops; raise its limit, clang "
                "-fconstexpr-steps=100000000, g++ -fconstexpr-ops-limit=1000000000, or split the formula [TL233]");
#ifdef TAPELESS_VERIFY
  static_assert(program::is_sound<fault_of<S>>);
#endif
  static constexpr std::ptrdiff_t width = static_cast<std::ptrdiff_t>(simd::width<T>);
  using buffers_type = buffers<S, T>;
  using tables_type = tables<S, T>;
  using block_sizes = typename buffers_type::block_sizes;

  static constexpr std::ptrdiff_t padded(std::ptrdiff_t n) { return (n + width - 1) / width * width; }

  template <std::size_t Group, std::size_t... K>
  static std::index_sequence<S::first_kernel(Group) + K...> numbered(std::index_sequence<K...>);
  template <std::size_t Group>
  static constexpr decltype(numbered<Group>(std::make_index_sequence<S::count_kernels(Group)>{})) kernels_of{};
  template <std::size_t K>
  static constexpr bool is_library_product() {
    if constexpr (blas<T>::available)
      return detail::matrix_products<S, T, K>::all;
    else
      return false;
  }
  template <std::size_t... K>
  static constexpr bool has_library_product(std::index_sequence<K...>) {
    return (is_library_product<K>() || ...);
  }
  /// How many bytes a block of a group may hold.
  template <std::size_t Group>
  static constexpr std::ptrdiff_t block_bytes =
      has_library_product(kernels_of<Group>) ? tuning::product_block : tuning::block;

  /// Blocks of ordered sums are those of a part, however many rows there are.
  template <std::size_t Group, class Engine>
  TAPELESS_ALWAYS_INLINE static std::ptrdiff_t shared_block_size(const tables_type& t, const Engine& engine) {
    if constexpr (Engine::ordered) {
      tables_type of_part(t);
      of_part.extent[program::first_axis(S::sharded)] = engine.part_length();
      return buffers_type::template block_size<Group, block_bytes<Group>>(of_part);
    } else {
      return buffers_type::template block_size<Group, block_bytes<Group>>(t);
    }
  }

  template <std::size_t Group, class Engine>
  TAPELESS_ALWAYS_INLINE static void run_group(tables_type& t, const block_sizes& blocks, workspace<T>& memory,
                                               const Engine& engine) {
    constexpr int along = S::group_axis(Group);
    if constexpr (along < 0) {
      run_kernels(t, kernels_of<Group>);
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
  TAPELESS_ALWAYS_INLINE static void run_part(tables_type& t, [[maybe_unused]] const block_sizes& blocks,
                                              std::ptrdiff_t begin, std::ptrdiff_t end) {
    if constexpr (!S::is_blocked(Group)) {
      t.begin = begin, t.end = end;
      buffers_type::template fill<Group, true>(t);
      run_kernels(t, kernels_of<Group>);
    } else {
      const std::ptrdiff_t block = std::max<std::ptrdiff_t>(blocks[Group], 1);
      for (t.begin = begin; t.begin < end; t.begin += block) {
        t.end = std::min(end, t.begin + block);
        buffers_type::template fill<Group, true>(t);
        run_kernels(t, kernels_of<Group>);
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
    tapeless::detail::run_parts_by(engine, parts, [&](std::ptrdiff_t i) {
      tables_type local(t);
      buffers_type::own(local, blocks, own + i * size, Group);
      buffers_type::template fill<Group, false, false, true>(local);
      run_part<Group>(local, blocks, i * part, std::min(extent, (i + 1) * part));
    });
    for (std::ptrdiff_t i = 0; i < parts; ++i) {
      buffers_type::own(measured, blocks, own + i * size, Group);
      buffers_type::template combine<Group>(t, measured);
    }
  }

  /// Runs a group on the rows of this process; sums over processes begin once all that they need is computed, and end
  /// where the next phase begins.
  template <std::size_t Group, class Engine>
  TAPELESS_ALWAYS_INLINE static void run_in_phase(tables_type& t, const block_sizes& blocks, workspace<T>& memory,
                                                  const Engine& engine) {
    constexpr int phase = S::phase_of(Group);
    if constexpr (S::begins_phase(Group)) finish<phase - 1>(t, engine);
    if constexpr (Engine::ordered && reduces_shards(Group))
      run_ordered<Group>(t, blocks, memory, engine);
    else
      run_group<Group>(t, blocks, memory, engine.local);
    if constexpr (S::completes_phase(Group)) {
      using sums = phase_sums<S, T, phase, Engine::ordered>;
      constexpr bool last = Group + 1 == S::groups || S::begins_phase(Group + 1);
      if (!engine.alone()) {
        const std::span<T> buffer = engine.template buffer<T>(phase, sums::size(t, engine.pieces()));
        sums::pack(t, buffer.data(), engine.rank());
        engine.start(buffer, !last);
      }
    }
    if constexpr (Group + 1 == S::groups && static_cast<std::size_t>(phase) + 1 == S::phases) finish<phase>(t, engine);
  }
  template <int Phase, class Engine>
  static void finish(const tables_type& t, const Engine& engine) {
    using sums = phase_sums<S, T, Phase, Engine::ordered>;
    if (engine.alone() && !Engine::ordered) return;
    const std::span<T> buffer = engine.template buffer<T>(Phase, sums::size(t, engine.pieces()));
    if (!engine.alone()) engine.finish(buffer);
    sums::unpack(t, buffer.data(), engine.pieces());
  }
  static constexpr bool reduces_shards(std::size_t group) {
    for (const program::buffer& b : S::buffers)
      if (S::reduces_shards(b) && S::group_of(b) == group) return true;
    return false;
  }

  /// Runs a group on parts of the rows that do not depend on how many processes or threads there are, and takes their
  /// reductions together in an order that does not either.
  template <std::size_t Group, class Engine>
  [[gnu::noinline]] static void run_ordered(const tables_type& t, const block_sizes& blocks, workspace<T>& memory,
                                            const Engine& engine) {
    using sums = phase_sums<S, T, S::phase_of(Group), true>;
    constexpr bool threads = !std::is_same_v<std::remove_cvref_t<decltype(engine.local)>, sequential>;
    constexpr std::size_t along = static_cast<std::size_t>(program::first_axis(S::sharded));
    const std::ptrdiff_t rows = t.extent[along], length = engine.part_length();
    const std::ptrdiff_t parts = (rows + length - 1) / length;
    const std::ptrdiff_t at_once = threads ? std::min(parts, tuning::most_parts) : 1;
    buffers_type::template fill<Group, false>(t);
    tables_type measured(t);
    const std::ptrdiff_t size = buffers_type::own(measured, blocks, nullptr, Group, true);
    // After what the parts have for themselves comes the stack, with a place for each piece and one more.
    const std::ptrdiff_t numbers = sums::template numbers<false>(t);
    constexpr std::ptrdiff_t places = 2 * 8 * sizeof(std::ptrdiff_t);
    T* const own = memory.reserve(static_cast<std::size_t>(size * at_once + numbers * places));
    T* const stack = own + size * at_once;
    piece_list merged;
    const auto place = [&](std::size_t i) { return stack + static_cast<std::ptrdiff_t>(i) * numbers; };
    const auto merge = [&](std::size_t into, std::size_t from) {
      sums::template combine<static_cast<int>(Group)>(t, place(into), place(from));
    };
    for (std::ptrdiff_t first = 0; first < parts; first += at_once) {
      const auto run = [&](std::ptrdiff_t i) {
        const std::ptrdiff_t begin = (first + i) * length;
        tables_type local(t);
        buffers_type::own(local, blocks, own + i * size, Group, true);
        local.extent[along] = std::min(length, rows - begin);
        buffers_type::lay_out_blocks(local, blocks, Group);
        move_to_row(local, begin);
        buffers_type::template fill<Group, false, true>(local);
        run_part<Group>(local, blocks, 0, local.extent[S::group_axis(Group)]);
      };
      const std::ptrdiff_t now = std::min(at_once, parts - first);
      if constexpr (threads)
        engine.local(now, run);
      else
        run(0);
      for (std::ptrdiff_t i = 0; i < now; ++i) {
        buffers_type::own(measured, blocks, own + i * size, Group, true);
        sums::template copy_combined<static_cast<int>(Group)>(measured, place(merged.size()));
        push(merged, {engine.first_part() + first + i, 1}, merge);
      }
    }
    T* const to = engine.template buffer<T>(S::phase_of(Group), sums::size(t, engine.pieces())).data();
    for (std::size_t i = 0; i < merged.size(); ++i)
      sums::template copy_group<static_cast<int>(Group)>(
          t, place(i), to + (engine.first_piece() + static_cast<std::ptrdiff_t>(i)) * numbers);
  }
  /// Lets what lies along the sharded axis begin at a row, but for the blocks of a part.
  static void move_to_row(tables_type& t, std::ptrdiff_t row) {
    constexpr int along = program::first_axis(S::sharded);
    for (std::size_t r = 0; r < S::references; ++r) {
      auto& reference = t.references[r];
      if ((S::reference_axes(r) & program::axis(along)) && !S::is_block(static_cast<int>(r)) && reference.data)
        reference.data += reference.stride[along] * row;
    }
  }

  // Functions that are inlined into each other are few: g++ goes over all their code once for each.
  template <std::size_t... K>
  TAPELESS_ALWAYS_INLINE static void run_kernels(const tables_type& t, std::index_sequence<K...>) {
    (run_kernel<K>(t), ...);
  }
  template <std::size_t K>
  TAPELESS_ALWAYS_INLINE static void run_kernel(const tables_type& t) {
    constexpr program::step first = S::steps[static_cast<std::size_t>(S::kernels[K].first_step)];
    if constexpr (first.kind == program::step_kind::move) {
      move_kernel<S, T>::template run<first.node>(t);
    } else {
      if constexpr (is_library_product<K>())
        if (detail::matrix_products<S, T, K>::run(t)) return;
      detail::kernel_code<S, T, form_of<S, K>>::template run<K>(t);
    }
  }

 public:
  static constexpr std::make_index_sequence<S::groups> groups{};
  /// Runs all `groups`. `parts` is memory for what threads have for themselves.
  template <class Engine, std::size_t... G>
  TAPELESS_ALWAYS_INLINE static void run(tables_type& t, workspace<T>& memory, workspace<T>& parts,
                                         const Engine& engine, std::index_sequence<G...>) {
    if constexpr (S::sharded != 0) {
      const block_sizes blocks{shared_block_size<G>(t, engine)...};
      typename buffers_type::single_numbers numbers;
      buffers_type::place(t, blocks, memory, numbers);
      (run_in_phase<G>(t, blocks, parts, engine), ...);
    } else {
      const block_sizes blocks{buffers_type::template block_size<G, block_bytes<G>>(t)...};
      typename buffers_type::single_numbers numbers;
      buffers_type::place(t, blocks, memory, numbers);
      (run_group<G>(t, blocks, parts, engine), ...);
    }
  }
};

}  // namespace tapeless::loops::inline TAPELESS_TARGET
