#pragma once

#include <tapeless/core/always_inline.hpp>
#include <tapeless/core/target.hpp>
#include <tapeless/evaluate/kernels/kernel_frame.hpp>
#include <tapeless/program/graph/tuning.hpp>

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <utility>

/// The loops of a schedule: each kernel is one nest, whose body is straight-line code on SIMD lanes.
namespace tapeless::loops::inline TAPELESS_TARGET::detail {

/// The loops of the kernel number `K` of the plan `S`, and of those equal to it, and what they do with the results of
/// their iterations: they write them, or take them into reductions.
template <class S, class T, std::size_t K>
class kernel_code {
  using F = kernel_frame<S, T, K>;
  using n = typename F::n;
  using list = step_list;
  using types = typename F::types;
  using pointers = typename F::pointers;
  using measures = typename F::measures;
  using load_frame = typename F::load_frame;
  using frame = typename F::frame;
  using accumulators = typename F::accumulators;
  using tables_type = typename F::tables_type;
  using places = typename F::places;
  template <std::size_t List>
  using steps_of = typename n::template steps_of<List>;
  template <int Which, std::size_t List>
  using operands_of = typename n::template operands_of<Which, List>;
  static constexpr auto depth = F::depth;
  static constexpr auto width = F::width;
  static constexpr auto lanes = static_cast<std::size_t>(width);
  static constexpr std::make_index_sequence<depth> levels{};
  static constexpr const auto& table = F::table;
  static constexpr axis_set reduced(std::size_t step) { return n::node_of(step).reduced; }
  template <std::size_t I>
  using reduction = reduction_step<table.step[I].operation, table.step[I].form, T>;

  static constexpr bool takes_all(std::size_t step, part which) {
    return which == part::all || !n::loops.varies(reduced(step));
  }
  /// Writes the results `X` of an iteration as the steps `W`, and takes those of `A` and `B` into the reductions `I` in
  /// registers, and of `C` and `D` into the reductions `M` over outer loops only, which are rows in memory.
  template <part Part, std::size_t... W, std::size_t... X, std::size_t... I, std::size_t... A, std::size_t... B,
            std::size_t... M, std::size_t... C, std::size_t... D>
  TAPELESS_ALWAYS_INLINE static void finish([[maybe_unused]] const pointers& p, [[maybe_unused]] const measures& t,
                                            const frame& computed, [[maybe_unused]] accumulators& gathered,
                                            [[maybe_unused]] std::size_t count, std::index_sequence<W...>,
                                            std::index_sequence<X...>, std::index_sequence<I...>,
                                            std::index_sequence<A...>, std::index_sequence<B...>,
                                            std::index_sequence<M...>, std::index_sequence<C...>,
                                            std::index_sequence<D...>) {
    [[maybe_unused]] const bool done[] = {
        true,
        (write<Part>(computed.detail::template step_slot<types, table.step[X].kind, X>::value,
                     p.detail::template slot<W, T*>::value, t.stride[W] + n::vector_level, count),
         true)...,
        (reduction<I>::template take<takes_all(I, Part)>(
             gathered.detail::template step_slot<types, table.step[I].kind, I>::value,
             computed.detail::template step_slot<types, table.step[A].kind, A>::value,
             computed.detail::template step_slot<types, table.step[B].kind, B>::value, count),
         true)...,
        (reduction<M>::template take_in_memory<typename F::template value_of<M>, F::read_as(M, Part), Part>(
             p.detail::template slot<M, T*>::value,
             computed.detail::template step_slot<types, table.step[C].kind, C>::value,
             computed.detail::template step_slot<types, table.step[D].kind, D>::value, t.stride[M] + n::vector_level,
             count),
         true)...};
  }

  template <std::size_t... I>
  TAPELESS_ALWAYS_INLINE static void begin_sums(accumulators& gathered, std::index_sequence<I...>) {
    [[maybe_unused]] const bool done[] = {
        true, (reduction<I>::begin(gathered.detail::template step_slot<types, table.step[I].kind, I>::value), true)...};
  }
  template <std::size_t... I>
  TAPELESS_ALWAYS_INLINE static void join_sums(accumulators& gathered, const accumulators& more,
                                               std::index_sequence<I...>) {
    [[maybe_unused]] const bool done[] = {
        true, (reduction<I>::join(gathered.detail::template step_slot<types, table.step[I].kind, I>::value,
                                  more.detail::template step_slot<types, table.step[I].kind, I>::value),
               true)...};
  }
  /// Writes the reductions.
  template <part Part, std::size_t... I>
  TAPELESS_ALWAYS_INLINE static void end_sums(const pointers& p, const measures& t, accumulators& gathered,
                                              std::size_t count, std::index_sequence<I...>) {
    [[maybe_unused]] const bool done[] = {
        (reduction<I>::template end<n::loops.varies(reduced(I)), n::loops.accumulates(reduced(I)), F::read_as(I, Part),
                                    Part>(gathered.detail::template step_slot<types, table.step[I].kind, I>::value,
                                          p.detail::template slot<I, T*>::value, t.stride[I] + n::vector_level, count),
         true)...};
  }

  /// Whether all that loop number `Level` does is to multiply what may be 1 in all of it, as its operation tells by the
  /// other operand. Then the loop may be left out.
  template <std::size_t Level>
  static constexpr bool may_rest = [] {
    for (std::size_t s = F::values; s < n::steps; ++s) {
      if (n::step(s).kind != step_kind::reduce || n::loops.first_gathered(reduced(s)) > Level) return false;
      const std::size_t factor = table.step[s].operand[0], tells = table.step[factor].operand[1];
      if (!program::applies(n::node_of(factor), program::info<operation::RootBeyondRange>) ||
          n::step(tells).kind != step_kind::load || n::loops.level(n::node_of(tells).axes) > Level)
        return false;
    }
    return F::results > 0;
  }();
  template <std::size_t... A>
  TAPELESS_ALWAYS_INLINE static bool rests(const load_frame& loaded, std::index_sequence<A...>) {
    return (operation::RootBeyondRange::is_one(
                loaded.detail::template step_slot<types, table.step[table.step[A].operand[1]].kind,
                                                  table.step[A].operand[1]>::value) &&
            ...);
  }

  /// Whether the only result is a number for each iteration of the loops outside the innermost one, whose lanes it has.
  static constexpr bool reduces_rows = [] {
    if (depth < 2 || F::results != 1 || n::step(n::steps - 1).kind != step_kind::reduce) return false;
    const axis_set over = reduced(n::steps - 1);
    return n::loops.varies(over) && n::loops.first_gathered(over) + 1 == depth && !n::loops.accumulates(over);
  }();
  /// Writes that result of as many iterations of loop number `Level` as there are lanes, from number `index` on.
  template <std::size_t Level, class... Rows>
  TAPELESS_ALWAYS_INLINE static void write_rows(const pointers& p, const measures& t, std::ptrdiff_t index,
                                                const Rows&... rows) {
    constexpr std::size_t I = n::steps - 1;
    const std::ptrdiff_t stride = t.stride[I][Level];
    T* const to = p.detail::template slot<I, T*>::value + index * stride;
    const auto all = reduction<I>::of_rows(rows.detail::template step_slot<types, table.step[I].kind, I>::value...);
    if (stride == 1) [[likely]]
      simd::store<T>(all, to);
    else
      simd::store_strided<T>(all, to, stride, static_cast<std::size_t>(width));
  }

  template <std::size_t Level, part Part>
  TAPELESS_ALWAYS_INLINE static void iteration(const pointers& outer, const measures& t, load_frame loaded,
                                               accumulators& gathered, std::ptrdiff_t index, std::size_t count) {
    constexpr bool unit = Level == n::vector_level && Part != part::strided;
    const pointers p = F::template advance<Level>(outer, t, index, unit, steps_of<list::varying(Level)>{});
    if constexpr (table.size[list::loaded(Level + 1)] > 0)
      F::template load<Part>(p, t, loaded, count, steps_of<list::loaded(Level + 1)>{});
    if constexpr (Level + 1 < depth) {
      loop<Level + 1, Part>(p, t, loaded, gathered, count);
    } else {
      frame values;
      F::take_over(values, loaded, std::make_index_sequence<F::loads>{});
      F::compute(values, steps_of<list::computed>{}, operands_of<0, list::computed>{}, operands_of<1, list::computed>{},
                 operands_of<2, list::computed>{});
      finish<Part>(p, t, values, gathered, count, steps_of<list::written>{}, operands_of<0, list::written>{},
                   steps_of<list::gathered>{}, operands_of<0, list::gathered>{}, operands_of<1, list::gathered>{},
                   steps_of<list::accumulated>{}, operands_of<0, list::accumulated>{},
                   operands_of<1, list::accumulated>{});
    }
  }

  /// Without masked loads and stores the elements that fill no lanes are read one by one, as those with strides are:
  /// where that is not once a row, the function for strides does it.
  static constexpr bool leaves_rest = depth == 1 && width > 1 && !simd::detail::has_masks<T>;

  template <std::size_t Level, part Part>
  TAPELESS_ALWAYS_INLINE static void loop(const pointers& p, const measures& t, const load_frame& loaded,
                                          accumulators& gathered, std::size_t count) {
    constexpr bool blocked = axis(n::loops.axis_of(Level)) == n::group_axis;
    std::ptrdiff_t i = blocked ? t.begin : 0;
    std::ptrdiff_t end = blocked ? t.end : t.extent[Level];
    if constexpr (may_rest<Level>)
      if (rests(loaded, operands_of<0, list::gathered>{})) end = i;
    constexpr std::size_t gathered_here = list::gathered_in(Level);
    if constexpr (table.size[gathered_here] > 0) begin_sums(gathered, steps_of<gathered_here>{});
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
        // g++ warns of the other comparison where it unrolled a loop of one lane.
        for (; width == 1 ? end - i >= width : i + width <= end; i += width)
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
    if constexpr (table.size[gathered_here] > 0) end_sums<Part>(p, t, gathered, count, steps_of<gathered_here>{});
  }

  static constexpr bool is_function(std::size_t s) {
    const program::node& of = n::node_of(s);
    return n::step(s).kind == step_kind::compute && of.count > 0 &&
           of.operation->latency >= tuning::latency_of_function;
  }
  static constexpr bool reduces = table.size[list::gathered] + table.size[list::accumulated] > 0;
  /// Whether two iterations run step by step in turn.
  static constexpr bool interleaves = [] {
    if (depth == 0 || width == 1 || n::vector_level + 1 != depth || reduces) return false;
    int functions = 0;
    for (std::size_t s = 0; s < n::steps; ++s) functions += is_function(s);
    return functions >= tuning::interleaved_functions;
  }();
  TAPELESS_ALWAYS_INLINE static void two_iterations(const pointers& outer, const measures& t, load_frame loaded_p,
                                                    load_frame loaded_q, accumulators& gathered, std::ptrdiff_t index) {
    constexpr std::size_t innermost = depth - 1;
    const pointers p = F::template advance<innermost>(outer, t, index, true, steps_of<list::varying(innermost)>{});
    const pointers q =
        F::template advance<innermost>(outer, t, index + width, true, steps_of<list::varying(innermost)>{});
    if constexpr (table.size[list::loaded(depth)] > 0) {
      F::template load<part::all>(p, t, loaded_p, lanes, steps_of<list::loaded(depth)>{});
      F::template load<part::all>(q, t, loaded_q, lanes, steps_of<list::loaded(depth)>{});
    }
    frame values_p, values_q;
    F::take_over(values_p, loaded_p, std::make_index_sequence<F::loads>{});
    F::take_over(values_q, loaded_q, std::make_index_sequence<F::loads>{});
    F::compute_two(values_p, values_q, steps_of<list::computed>{}, operands_of<0, list::computed>{},
                   operands_of<1, list::computed>{}, operands_of<2, list::computed>{});
    constexpr std::index_sequence<> none;
    finish<part::all>(p, t, values_p, gathered, lanes, steps_of<list::written>{}, operands_of<0, list::written>{}, none,
                      none, none, none, none, none);
    finish<part::all>(q, t, values_q, gathered, lanes, steps_of<list::written>{}, operands_of<0, list::written>{}, none,
                      none, none, none, none, none);
  }

  /// How many parts a sum is taken in.
  static constexpr std::size_t computes = F::values - F::loads;
  static constexpr std::size_t copies = [] {
    const bool is_short = computes <= tuning::sum_parts_steps && table.size[list::gathered] <= tuning::sum_parts_sums;
    return depth > 0 && reduces && is_short ? tuning::sum_parts : 1;
  }();

  /// Several iterations of the innermost loop at a time, each with accumulators of its own.
  template <part Part, std::size_t... C>
  TAPELESS_ALWAYS_INLINE static void unrolled(const pointers& p, const measures& t, const load_frame& loaded,
                                              accumulators& gathered, std::ptrdiff_t& i, std::ptrdiff_t end,
                                              std::size_t count, std::index_sequence<C...>) {
    constexpr std::size_t innermost = depth - 1;
    constexpr std::ptrdiff_t step = innermost == n::vector_level ? width : 1;
    constexpr std::ptrdiff_t steps = static_cast<std::ptrdiff_t>(copies) * step;
    struct : slot<C, accumulators>... {
    } more;
    (begin_sums(static_cast<slot<C, accumulators>&>(more).value, steps_of<list::gathered>{}), ...);
    for (; i + steps <= end; i += steps) {
      iteration<innermost, Part>(p, t, loaded, gathered, i, count);
      (iteration<innermost, Part>(p, t, loaded, static_cast<slot<C, accumulators>&>(more).value,
                                  i + static_cast<std::ptrdiff_t>(C + 1) * step, count),
       ...);
    }
    (join_sums(gathered, static_cast<slot<C, accumulators>&>(more).value, steps_of<list::gathered>{}), ...);
  }

  /// Whether as many rows as there are lanes run side by side: where all that is done is to reduce each row to one
  /// number in few steps. Then what all rows need is read once, no sum waits for itself, and the lanes of all sums
  /// become one vector together.
  static constexpr bool takes_rows = [] {
    if (!reduces_rows || width == 1 || n::vector_level + 1 != depth || computes > tuning::sum_parts_steps) return false;
    for (std::size_t s = 0; s < n::steps; ++s)
      if (n::node_of(s).condition || is_function(s)) return false;
    return true;
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
      const auto begin_row = [&](row_state& row, std::size_t r) TAPELESS_INLINE_LAMBDA {
        row.p = F::template advance<Level>(p, t, i + static_cast<std::ptrdiff_t>(r), false,
                                           steps_of<list::varying(Level)>{});
        row.loaded = loaded;
        if constexpr (table.size[list::loaded(Level + 1)] > 0)
          F::template load<part::all>(row.p, t, row.loaded, lanes, steps_of<list::loaded(Level + 1)>{});
        begin_sums(row.gathered, steps_of<list::gathered>{});
      };
      (begin_row(static_cast<slot<R, row_state>&>(all).value, R), ...);
      std::ptrdiff_t j = 0;
      const auto take_lanes = [&]<part Part>(row_state& row, std::size_t count) TAPELESS_INLINE_LAMBDA {
        iteration<Level + 1, Part>(row.p, t, row.loaded, row.gathered, j, count);
      };
      for (; j + width <= extent; j += width)
        (take_lanes.template operator()<part::all>(static_cast<slot<R, row_state>&>(all).value, lanes), ...);
      if (j < extent)
        (take_lanes.template operator()<part::first>(static_cast<slot<R, row_state>&>(all).value,
                                                     static_cast<std::size_t>(extent - j)),
         ...);
      write_rows<Level>(p, t, i, static_cast<slot<R, row_state>&>(all).value.gathered...);
    }
  }

  /// Runs the loops, the outermost one from `begin` to `end`.
  template <part Part, std::size_t... Level>
  TAPELESS_ALWAYS_INLINE static void run_loops(const tables_type& t, const places& given, std::ptrdiff_t begin,
                                               std::ptrdiff_t end, std::index_sequence<Level...>) {
    // Where there are no equal kernels, all is known at compile time.
    const places& at = has_equals<S, K> ? given : n::template places_of<K>;
    pointers p;
    F::point(p, t, at, steps_of<list::in_memory>{}, steps_of<list::blocks>{});
    measures measured;
    measured.begin = begin, measured.end = end;
    (F::template measure<Level>(t, at, measured, steps_of<list::varying(Level)>{}), ...);
    load_frame loaded;
    accumulators gathered;
    F::load_numbers(t, at, loaded, steps_of<list::constants>{}, steps_of<list::numbers>{}, steps_of<list::extents>{});
    if constexpr (table.size[list::loaded(0)] > 0)
      F::template load<part::same>(p, measured, loaded, 1, steps_of<list::loaded(0)>{});
    if constexpr (depth == 0)
      iteration<0, Part>(p, measured, loaded, gathered, 0, 1);
    else
      loop<0, Part>(p, measured, loaded, gathered, 1);
  }
  // A function of its own: what this path keeps in memory must not keep it out of the registers of the other.
  [[gnu::noinline]] static void run_strided(tables_argument<S, T> t, const places& at, std::ptrdiff_t begin) {
    run_loops<part::strided>(t, at, begin, t.end, levels);
  }
  [[gnu::noinline]] static void run_apart(const tables_type& t, const places& at, std::ptrdiff_t end) {
    run_loops<part::all>(t, at, t.begin, end, levels);
  }

 public:
  /// Runs the kernel number `Which`, which is equal to `K`.
  template <std::size_t Which>
  TAPELESS_ALWAYS_INLINE static void run(const tables_type& t) {
    constexpr const places& at = n::template places_of<Which>;
    if constexpr (depth == 0) {
      run_loops<part::all>(t, at, 0, 0, levels);
    } else {
      std::ptrdiff_t rest = t.begin;
      if (F::is_contiguous(t, at)) [[likely]] {
        rest = leaves_rest ? t.end - (t.end - t.begin) % width : t.end;
        if constexpr (has_few_nests<S>)
          run_loops<part::all>(t, at, t.begin, rest, levels);
        else
          run_apart(t, at, rest);
        if (!leaves_rest || rest == t.end) return;
      }
      if constexpr (F::may_be_strided || leaves_rest) run_strided(t, at, rest);
    }
  }
};

}  // namespace tapeless::loops::inline TAPELESS_TARGET::detail
