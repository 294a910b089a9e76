#pragma once

#include <tapeless/core/always_inline.hpp>
#include <tapeless/core/target.hpp>
#include <tapeless/evaluate/kernels/kernel_reduce.hpp>
#include <tapeless/program/graph/tuning.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>

/// The loops of a schedule: each kernel is one nest, whose body is straight-line code on SIMD lanes.
namespace tapeless::loops::inline TAPELESS_TARGET {

namespace detail {

/// The loops of the kernel number `K` of the plan `S`.
template <class S, class T, std::size_t K>
class kernel_code {
  using F = kernel_frame<S, T, K>;
  using reduce = kernel_reduce<F>;
  using n = typename F::n;
  using pointers = typename F::pointers;
  using measures = typename F::measures;
  using load_frame = typename F::load_frame;
  using compute_frame = typename F::compute_frame;
  using accumulators = typename F::accumulators;
  using tables_type = typename F::tables_type;
  static constexpr auto depth = F::depth;
  static constexpr auto width = F::width;
  static constexpr auto computes = F::computes;
  static constexpr auto results = F::results;
  static constexpr auto lanes = static_cast<std::size_t>(width);

  template <part Part>
  TAPELESS_ALWAYS_INLINE static void body(const pointers& p, const measures& t, const load_frame& loaded,
                                          accumulators& gathered, std::size_t count) {
    compute_frame computed;
    F::compute_all(loaded, computed);
    reduce::template finish<Part>(p, t, loaded, computed, gathered, count);
  }

  template <std::size_t Level, part Part>
  TAPELESS_ALWAYS_INLINE static void iteration(const pointers& outer, const measures& t, load_frame loaded,
                                               accumulators& gathered, std::ptrdiff_t index, std::size_t count) {
    constexpr bool unit = Level == n::vector_level && Part != part::strided;
    const pointers p = F::template advance<Level>(outer, t, index, unit);
    F::template load_all<Level + 1, Part>(p, t, loaded, count);
    if constexpr (Level + 1 == depth)
      body<Part>(p, t, loaded, gathered, count);
    else
      loop<Level + 1, Part>(p, t, loaded, gathered, count);
  }

  /// Without masked loads and stores the elements that fill no lanes are read one by one, as those with strides are:
  /// where that is not once a row, the function for strides does it.
  static constexpr bool leaves_rest = depth == 1 && width > 1 && !simd::detail::has_masks<T>;

  template <std::size_t Level, part Part>
  TAPELESS_ALWAYS_INLINE static void loop(const pointers& p, const measures& t, const load_frame& loaded,
                                          accumulators& gathered, std::size_t count) {
    constexpr int along = n::order[Level];
    constexpr bool blocked = axis(along) == n::group_axis;
    std::ptrdiff_t i = blocked ? t.begin : 0;
    std::ptrdiff_t end = blocked ? t.end : t.extent[Level];
    if constexpr (reduce::template may_rest<Level>)
      if (reduce::rests(loaded, std::make_index_sequence<results>{})) end = i;
    reduce::template gather<Level, true, Part>(p, t, gathered, count);
    if constexpr (Level == n::vector_level) {
      if constexpr (Part == part::strided) {
        for (; i < end; i += width)
          iteration<Level, part::strided>(p, t, loaded, gathered, i,
                                          static_cast<std::size_t>(std::min(width, end - i)));
      } else {
        if constexpr (Level + 1 == depth && copies > 1)
          if (end - i >= static_cast<std::ptrdiff_t>(copies) * width)
            unrolled<part::all>(p, t, loaded, gathered, i, end, lanes, std::make_index_sequence<copies - 1>{});
        if constexpr (interleaves)
          for (; i + 2 * width <= end; i += 2 * width) two_iterations(p, t, loaded, loaded, gathered, i);
        for (; i + width <= end; i += width)
          iteration<Level, part::all>(p, t, loaded, gathered, i, static_cast<std::size_t>(width));
        if constexpr (!leaves_rest)
          if (i < end) iteration<Level, part::first>(p, t, loaded, gathered, i, static_cast<std::size_t>(end - i));
      }
    } else {
      if constexpr (Part != part::strided) {
        if constexpr (Level + 1 == depth && copies > 1)
          if (end - i >= static_cast<std::ptrdiff_t>(copies))
            unrolled<Part>(p, t, loaded, gathered, i, end, count, std::make_index_sequence<copies - 1>{});
        if constexpr (Level + 2 == depth && takes_rows)
          rows<Level>(p, t, loaded, i, end, std::make_index_sequence<lanes>{});
      }
      for (; i < end; ++i) iteration<Level, Part>(p, t, loaded, gathered, i, count);
    }
    reduce::template gather<Level, false, Part>(p, t, gathered, count);
  }

  /// Whether two iterations run step by step in turn.
  static constexpr bool interleaves = [] {
    if (depth == 0 || width == 1 || n::vector_level + 1 != depth) return false;
    int functions = 0;
    for (std::size_t i = 0; i < n::steps; ++i) {
      const program::node& of = F::node(n::step(i).node);
      if (n::step(i).kind == step_kind::reduce) return false;
      if (n::step(i).kind == step_kind::compute && of.count > 0 && of.operation->latency >= tuning::latency_of_function)
        ++functions;
    }
    return functions >= tuning::interleaved_functions;
  }();
  TAPELESS_ALWAYS_INLINE static void two_iterations(const pointers& outer, const measures& t, load_frame loaded_p,
                                                    load_frame loaded_q, accumulators& gathered, std::ptrdiff_t index) {
    constexpr std::size_t innermost = depth - 1;
    const pointers p = F::template advance<innermost>(outer, t, index, true);
    const pointers q = F::template advance<innermost>(outer, t, index + width, true);
    F::template load_all<depth, part::all>(p, t, loaded_p, lanes);
    F::template load_all<depth, part::all>(q, t, loaded_q, lanes);
    compute_frame computed_p, computed_q;
    F::compute_two(loaded_p, computed_p, loaded_q, computed_q);
    reduce::template finish<part::all>(p, t, loaded_p, computed_p, gathered, lanes);
    reduce::template finish<part::all>(q, t, loaded_q, computed_q, gathered, lanes);
  }

  /// How many parts a sum is taken in.
  static constexpr std::size_t copies = []() -> std::size_t {
    bool reduces = false;
    for (std::size_t i = 0; i < n::steps; ++i) reduces = reduces || n::step(i).kind == step_kind::reduce;
    if (depth == 0 || !reduces) return 1;
    return computes <= tuning::sum_parts_steps && reduce::in_registers.size <= tuning::sum_parts_sums
               ? tuning::sum_parts
               : 1;
  }();

  /// Several iterations of the innermost loop at a time, each with accumulators of its own.
  template <part Part, std::size_t... C>
  TAPELESS_ALWAYS_INLINE static void unrolled(const pointers& p, const measures& t, const load_frame& loaded,
                                              accumulators& gathered, std::ptrdiff_t& i, std::ptrdiff_t end,
                                              std::size_t count, std::index_sequence<C...>) {
    constexpr std::size_t innermost = depth - 1;
    constexpr std::ptrdiff_t step = innermost == n::vector_level ? width : 1;
    constexpr std::ptrdiff_t steps = static_cast<std::ptrdiff_t>(copies) * step;
    constexpr auto all_accumulators = std::make_index_sequence<reduce::in_registers.size>{};
    struct : slot<C, accumulators>... {
    } more;
    // Outside of the folds: there they would be other types for each copy.
    constexpr auto reset = [](auto& to, auto neutral, auto) TAPELESS_INLINE_LAMBDA { to = neutral; };
    constexpr auto add = [](auto& from, auto, auto combine) TAPELESS_INLINE_LAMBDA { combine(from); };
    (reduce::each_accumulator(reset, static_cast<slot<C, accumulators>&>(more).value, gathered, all_accumulators), ...);
    for (; i + steps <= end; i += steps) {
      iteration<innermost, Part>(p, t, loaded, gathered, i, count);
      (iteration<innermost, Part>(p, t, loaded, static_cast<slot<C, accumulators>&>(more).value,
                                  i + static_cast<std::ptrdiff_t>(C + 1) * step, count),
       ...);
    }
    (reduce::each_accumulator(add, static_cast<slot<C, accumulators>&>(more).value, gathered, all_accumulators), ...);
  }

  /// Whether as many rows as there are lanes run side by side: where all that is done is to reduce each row to one
  /// number in few steps. Then what all rows need is read once, no sum waits for itself, and the lanes of all sums
  /// become one vector together.
  static constexpr bool takes_rows = [] {
    if (depth < 2 || width == 1 || n::vector_level + 1 != depth || computes > tuning::sum_parts_steps) return false;
    for (std::size_t i = 0; i < n::steps; ++i) {
      const program::node& of = F::node(n::step(i).node);
      if (of.condition ||
          (n::step(i).kind == step_kind::compute && of.operation->latency >= tuning::latency_of_function))
        return false;
    }
    return F::results == 1 && reduce::reduces_rows;
  }();
  struct row_state {
    pointers p;
    load_frame loaded;
    accumulators gathered;
  };
  template <std::size_t Level, std::size_t... R>
  TAPELESS_ALWAYS_INLINE static void rows(const pointers& p, const measures& t, const load_frame& loaded,
                                          std::ptrdiff_t& i, std::ptrdiff_t end, std::index_sequence<R...>) {
    const std::ptrdiff_t extent = t.extent[Level + 1];
    if (extent * static_cast<std::ptrdiff_t>(sizeof(T)) >= tuning::rows_side_by_side) return;
    for (; i + width <= end; i += width) {
      struct : slot<R, row_state>... {
      } all;
      const auto begin = [&](row_state& row, std::size_t r) TAPELESS_INLINE_LAMBDA {
        row.p = F::template advance<Level>(p, t, i + static_cast<std::ptrdiff_t>(r), false);
        row.loaded = loaded;
        F::template load_all<Level + 1, part::all>(row.p, t, row.loaded, lanes);
        reduce::template gather<Level + 1, true, part::all>(row.p, t, row.gathered, lanes);
      };
      (begin(static_cast<slot<R, row_state>&>(all).value, R), ...);
      std::ptrdiff_t j = 0;
      const auto take = [&]<part Part>(row_state& row, std::size_t count) TAPELESS_INLINE_LAMBDA {
        iteration<Level + 1, Part>(row.p, t, row.loaded, row.gathered, j, count);
      };
      for (; j + width <= extent; j += width)
        (take.template operator()<part::all>(static_cast<slot<R, row_state>&>(all).value, lanes), ...);
      if (j < extent)
        (take.template operator()<part::first>(static_cast<slot<R, row_state>&>(all).value,
                                               static_cast<std::size_t>(extent - j)),
         ...);
      reduce::template write_rows<Level>(p, t, i, static_cast<slot<R, row_state>&>(all).value.gathered...);
    }
  }

  /// Runs the loops, the outermost one from `begin` to `end`.
  template <part Part>
  TAPELESS_ALWAYS_INLINE static void run_loops(const tables_type& t, std::ptrdiff_t begin, std::ptrdiff_t end) {
    pointers p;
    F::template point_all<0>(p, t, block<F::in_memory.size>{});
    measures measured;
    measured.begin = begin, measured.end = end;
    [&]<std::size_t... Level>(std::index_sequence<Level...>) TAPELESS_INLINE_LAMBDA {
      (F::template measure_level<Level>(t, measured), ...);
    }(std::make_index_sequence<depth>{});
    load_frame loaded;
    accumulators gathered;
    F::template load_uniforms<0>(p, t, loaded, block<F::template loads_in<0>.size>{});
    if constexpr (depth == 0)
      body<Part>(p, measured, loaded, gathered, 1);
    else
      loop<0, Part>(p, measured, loaded, gathered, 1);
  }
  // A function of its own: what this path keeps in memory must not keep it out of the registers of the other.
  [[gnu::noinline]] static void run_strided(tables_argument<S, T> t, std::ptrdiff_t begin) {
    run_loops<part::strided>(t, begin, t.end);
  }
  [[gnu::noinline]] static void run_apart(const tables_type& t, std::ptrdiff_t end) {
    run_loops<part::all>(t, t.begin, end);
  }

 public:
  TAPELESS_ALWAYS_INLINE static void run(const tables_type& t) {
    if constexpr (depth == 0) {
      run_loops<part::all>(t, 0, 0);
    } else {
      std::ptrdiff_t rest = t.begin;
      if (F::is_contiguous(t)) [[likely]] {
        rest = leaves_rest ? t.end - (t.end - t.begin) % width : t.end;
        if constexpr (has_few_nests<S>)
          run_loops<part::all>(t, t.begin, rest);
        else
          run_apart(t, rest);
        if (!leaves_rest || rest == t.end) return;
      }
      run_strided(t, rest);
    }
  }
};

}  // namespace detail

}  // namespace tapeless::loops::inline TAPELESS_TARGET
