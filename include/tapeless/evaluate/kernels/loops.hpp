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
  using V = typename F::V;
  using M = typename F::M;
  using pointers = typename F::pointers;
  using measures = typename F::measures;
  using load_frame = typename F::load_frame;
  using compute_frame = typename F::compute_frame;
  using accumulators = typename F::accumulators;
  using tables_type = typename F::tables_type;
  using places = typename F::places;
  static constexpr auto depth = F::depth;
  static constexpr auto width = F::width;
  static constexpr auto loads = F::loads;
  static constexpr auto computes = F::computes;
  static constexpr auto results = F::results;
  static constexpr auto lanes = static_cast<std::size_t>(width);
  static constexpr const program::node& node(int i) { return F::node(i); }
  static constexpr int operand(int i, int j) { return F::operand(i, j); }

  /// What a reduction is after it takes in its operand.
  template <std::size_t I, class X>
  TAPELESS_ALWAYS_INLINE static X take(const X& before, const load_frame& loaded, const compute_frame& computed) {
    constexpr int i = n::step(I).node;
    constexpr int x = operand(i, 0);
    if constexpr (F::fused.product[I] >= 0)
      return simd::multiply_add(F::template value<operand(x, 0)>(loaded, computed),
                                F::template value<operand(x, 1)>(loaded, computed), before);
    else
      return program::operation_of<node(i).operation>::combine(before, F::template value<x>(loaded, computed));
  }

  /// Takes the results of one iteration of the innermost loop.
  template <part Part, std::size_t R>
  TAPELESS_ALWAYS_INLINE static void finish_step(const pointers& p, const measures& t, const load_frame& loaded,
                                                 const compute_frame& computed, accumulators& gathered,
                                                 std::size_t count) {
    constexpr std::size_t I = loads + computes + R;
    constexpr program::step s = n::step(I);
    if constexpr (s.kind == step_kind::reduce) {
      constexpr axis_set reduced = node(s.node).reduced;
      if constexpr (n::first_gathered(reduced) == depth) {
        // Summed over outer loops only: the result is a row in memory.
        const auto before = F::template read<I, Part>(F::template pointer<I>(p), t, count);
        F::template write<I, Part>(F::as_number(take<I>(before, loaded, computed)), F::template pointer<I>(p), t,
                                   count);
      } else {
        auto& to = static_cast<typename F::template accumulator<R>&>(gathered).value;
        const auto all = take<I>(to, loaded, computed);
        if constexpr (Part == part::all || !n::varies(reduced))
          to = all;
        else if constexpr (is_mask<std::remove_const_t<decltype(all)>>)
          to = to || (all && simd::first<T>(count));
        else
          to = math::select(simd::first<T>(count), all, to);
      }
    } else {
      F::template write<I, Part>(F::as_number(F::template value<s.node>(loaded, computed)), F::template pointer<I>(p),
                                 t, count);
    }
  }
  template <part Part, std::size_t Begin, std::size_t... R>
  TAPELESS_ALWAYS_INLINE static void finish_block(const pointers& p, const measures& t, const load_frame& loaded,
                                                  const compute_frame& computed, accumulators& gathered,
                                                  std::size_t count, std::index_sequence<R...>) {
    (finish_step<Part, Begin + R>(p, t, loaded, computed, gathered, count), ...);
    if constexpr (constexpr std::size_t next = Begin + sizeof...(R); next < results)
      finish_block<Part, next>(p, t, loaded, computed, gathered, count, block<results - next>{});
  }
  template <part Part>
  TAPELESS_ALWAYS_INLINE static void finish(const pointers& p, const measures& t, const load_frame& loaded,
                                            const compute_frame& computed, accumulators& gathered, std::size_t count) {
    finish_block<Part, 0>(p, t, loaded, computed, gathered, count, block<results>{});
  }
  template <bool Begin, part Part, std::size_t R>
  TAPELESS_ALWAYS_INLINE static void gather_step(const pointers& p, const measures& t, accumulators& gathered,
                                                 std::size_t count) {
    constexpr std::size_t I = loads + computes + R;
    constexpr program::step s = n::step(I);
    constexpr axis_set reduced = node(s.node).reduced;
    using op = program::operation_of<node(s.node).operation>;
    auto& from = static_cast<typename F::template accumulator<R>&>(gathered).value;
    if constexpr (Begin) {
      from = as_value<std::remove_reference_t<decltype(from)>>(op::template neutral<T>());
    } else if constexpr (n::varies(reduced)) {
      T* to = F::template pointer<I>(p);
      const T all = lanes_to_one<op>(from);
      *to = n::accumulates(reduced) ? combine_numbers<op>(*to, all) : all;
    } else {
      if constexpr (n::accumulates(reduced))
        from = op::combine(F::template read<I, Part>(F::template pointer<I>(p), t, count), from);
      F::template write<I, Part>(F::as_number(from), F::template pointer<I>(p), t, count);
    }
  }
  template <class X, class N>
  TAPELESS_ALWAYS_INLINE static X as_value(const N& number) {
    if constexpr (std::is_same_v<X, M> && !std::is_same_v<M, bool>)
      return V(T(number)) != V(T(0));
    else
      return X(number);
  }
  template <class Op, class X>
  TAPELESS_ALWAYS_INLINE static T lanes_to_one(const X& x) {
    if constexpr (depth == 0 || width == 1)
      return static_cast<T>(x);
    else if constexpr (is_mask<X>)
      return simd::any(x) ? T(1) : T(0);
    else if constexpr (std::is_same_v<Op, operation::Sum>)
      return simd::add_lanes<T>(x);
    else
      return simd::combine_lanes<T>(
          x, [](T left, T right) TAPELESS_INLINE_LAMBDA { return combine_numbers<Op>(left, right); });
  }
  template <class Op>
  TAPELESS_ALWAYS_INLINE static T combine_numbers(T a, T b) {
    return static_cast<T>(Op::combine(a, b));
  }

  /// The reductions in registers whose lanes are gathered in all loops from number `Level` on.
  template <std::size_t Level>
  static constexpr auto gathered_in = choose<results>([](std::size_t r) {
    const program::step s = n::step(loads + computes + r);
    return Level < depth && s.kind == step_kind::reduce && n::first_gathered(node(s.node).reduced) == Level;
  });
  template <std::size_t Level, bool Begin, part Part, std::size_t First, std::size_t... R>
  TAPELESS_ALWAYS_INLINE static void gather_block(const pointers& p, const measures& t, accumulators& gathered,
                                                  [[maybe_unused]] std::size_t count, std::index_sequence<R...>) {
    constexpr auto& which = gathered_in<Level>;
    (gather_step<Begin, Part, which[First + R]>(p, t, gathered, count), ...);
    if constexpr (constexpr std::size_t next = First + sizeof...(R); next < which.size)
      gather_block<Level, Begin, Part, next>(p, t, gathered, count, block<which.size - next>{});
  }
  template <std::size_t Level, bool Begin, part Part>
  TAPELESS_ALWAYS_INLINE static void gather(const pointers& p, const measures& t, accumulators& gathered,
                                            std::size_t count) {
    gather_block<Level, Begin, Part, 0>(p, t, gathered, count, block<gathered_in<Level>.size>{});
  }

  /// Whether all that loop number `Level` does is to multiply what may be 1 in all of it, as its operation tells by the
  /// other operand. Then the loop may be left out.
  template <std::size_t Level>
  static constexpr bool may_rest = [] {
    for (std::size_t r = 0; r < results; ++r) {
      const program::step s = n::step(loads + computes + r);
      if (s.kind != step_kind::reduce || n::first_gathered(node(s.node).reduced) > Level) return false;
      const int factor = operand(s.node, 0);
      if (!program::applies(node(factor), program::info<operation::RootBeyondRange>)) return false;
      const int product = operand(factor, 1);
      bool is_loaded = false;
      for (std::size_t i = 0; i < loads; ++i)
        is_loaded = is_loaded || (n::step(i).node == product && n::level(node(product).axes) <= Level);
      if (!is_loaded) return false;
    }
    return results > 0;
  }();
  template <std::size_t... R>
  TAPELESS_ALWAYS_INLINE static bool rests(const load_frame& loaded, std::index_sequence<R...>) {
    return (operation::RootBeyondRange::is_one(
                F::template value<operand(operand(n::step(loads + computes + R).node, 0), 1)>(loaded, loaded)) &&
            ...);
  }

  /// Whether the only result is a number for each iteration of the loops outside the innermost one, whose lanes it has.
  static constexpr bool reduces_rows = [] {
    if (depth < 2 || results != 1 || n::step(n::steps - 1).kind != step_kind::reduce) return false;
    const axis_set reduced = node(n::step(n::steps - 1).node).reduced;
    return n::varies(reduced) && n::first_gathered(reduced) + 1 == depth && !n::accumulates(reduced);
  }();
  /// Writes that result of as many iterations of loop number `Level` as there are lanes, from number `index` on.
  template <std::size_t Level, class... Rows>
  TAPELESS_ALWAYS_INLINE static void write_rows(const pointers& p, const measures& t, std::ptrdiff_t index,
                                                const Rows&... rows) {
    constexpr std::size_t I = n::steps - 1;
    using op = program::operation_of<node(n::step(I).node).operation>;
    const std::ptrdiff_t stride = t.stride[I][Level];
    T* const to = F::template pointer<I>(p) + index * stride;
    const V all = [&]() TAPELESS_INLINE_LAMBDA -> V {
      if constexpr (std::is_same_v<op, operation::Sum>) {
        return simd::add_rows<T>(static_cast<const typename F::template accumulator<0>&>(rows).value...);
      } else {
        const T each[] = {lanes_to_one<op>(static_cast<const typename F::template accumulator<0>&>(rows).value)...};
        return simd::load<T>(each);
      }
    }();
    if (stride == 1) [[likely]]
      simd::store<T>(all, to);
    else
      simd::store_strided<T>(all, to, stride, static_cast<std::size_t>(width));
  }

  /// The reductions that stay in registers.
  static constexpr auto in_registers = choose<results>([](std::size_t r) {
    const program::step s = n::step(loads + computes + r);
    return s.kind == step_kind::reduce && n::first_gathered(node(s.node).reduced) < depth;
  });
  /// visit(accumulator, neutral value, function that adds it to that of `gathered`) for each reduction in registers.
  template <class Visit, std::size_t... R>
  TAPELESS_ALWAYS_INLINE static void each_accumulator(Visit visit, accumulators& of, accumulators& gathered,
                                                      std::index_sequence<R...>) {
    [[maybe_unused]] const auto one =
        [&]<std::size_t J>(std::integral_constant<std::size_t, J>) TAPELESS_INLINE_LAMBDA {
          using op = program::operation_of<node(n::step(loads + computes + J).node).operation>;
          auto& to = static_cast<typename F::template accumulator<J>&>(gathered).value;
          using Sum = std::remove_reference_t<decltype(to)>;
          visit(static_cast<typename F::template accumulator<J>&>(of).value, as_value<Sum>(op::template neutral<T>()),
                [&](const Sum& x) TAPELESS_INLINE_LAMBDA { to = op::combine(to, x); });
        };
    (one(std::integral_constant<std::size_t, in_registers[R]>{}), ...);
  }

  template <part Part>
  TAPELESS_ALWAYS_INLINE static void body(const pointers& p, const measures& t, const load_frame& loaded,
                                          accumulators& gathered, std::size_t count) {
    compute_frame computed;
    F::template compute_block<0>(loaded, computed, block<F::computing.size>{});
    finish<Part>(p, t, loaded, computed, gathered, count);
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
    if constexpr (may_rest<Level>)
      if (rests(loaded, std::make_index_sequence<results>{})) end = i;
    gather<Level, true, Part>(p, t, gathered, count);
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
    gather<Level, false, Part>(p, t, gathered, count);
  }

  /// Whether two iterations run step by step in turn.
  static constexpr bool interleaves = [] {
    if (depth == 0 || width == 1 || n::vector_level + 1 != depth) return false;
    int functions = 0;
    for (std::size_t i = 0; i < n::steps; ++i) {
      const program::node& of = node(n::step(i).node);
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
    F::template compute_two_block<0>(loaded_p, computed_p, loaded_q, computed_q, block<F::computing.size>{});
    finish<part::all>(p, t, loaded_p, computed_p, gathered, lanes);
    finish<part::all>(q, t, loaded_q, computed_q, gathered, lanes);
  }

  /// How many parts a sum is taken in.
  static constexpr std::size_t copies = []() -> std::size_t {
    bool reduces = false;
    for (std::size_t i = 0; i < n::steps; ++i) reduces = reduces || n::step(i).kind == step_kind::reduce;
    if (depth == 0 || !reduces) return 1;
    return computes <= tuning::sum_parts_steps && in_registers.size <= tuning::sum_parts_sums ? tuning::sum_parts : 1;
  }();

  /// Several iterations of the innermost loop at a time, each with accumulators of its own.
  template <part Part, std::size_t... C>
  TAPELESS_ALWAYS_INLINE static void unrolled(const pointers& p, const measures& t, const load_frame& loaded,
                                              accumulators& gathered, std::ptrdiff_t& i, std::ptrdiff_t end,
                                              std::size_t count, std::index_sequence<C...>) {
    constexpr std::size_t innermost = depth - 1;
    constexpr std::ptrdiff_t step = innermost == n::vector_level ? width : 1;
    constexpr std::ptrdiff_t steps = static_cast<std::ptrdiff_t>(copies) * step;
    constexpr auto all_accumulators = std::make_index_sequence<in_registers.size>{};
    struct : slot<C, accumulators>... {
    } more;
    // Outside of the folds: there they would be other types for each copy.
    constexpr auto reset = [](auto& to, auto neutral, auto) TAPELESS_INLINE_LAMBDA { to = neutral; };
    constexpr auto add = [](auto& from, auto, auto combine) TAPELESS_INLINE_LAMBDA { combine(from); };
    (each_accumulator(reset, static_cast<slot<C, accumulators>&>(more).value, gathered, all_accumulators), ...);
    for (; i + steps <= end; i += steps) {
      iteration<innermost, Part>(p, t, loaded, gathered, i, count);
      (iteration<innermost, Part>(p, t, loaded, static_cast<slot<C, accumulators>&>(more).value,
                                  i + static_cast<std::ptrdiff_t>(C + 1) * step, count),
       ...);
    }
    (each_accumulator(add, static_cast<slot<C, accumulators>&>(more).value, gathered, all_accumulators), ...);
  }

  /// Whether as many rows as there are lanes run side by side: where all that is done is to reduce each row to one
  /// number in few steps. Then what all rows need is read once, no sum waits for itself, and the lanes of all sums
  /// become one vector together.
  static constexpr bool takes_rows = [] {
    if (depth < 2 || width == 1 || n::vector_level + 1 != depth || computes > tuning::sum_parts_steps) return false;
    for (std::size_t i = 0; i < n::steps; ++i) {
      const program::node& of = node(n::step(i).node);
      if (of.condition ||
          (n::step(i).kind == step_kind::compute && of.operation->latency >= tuning::latency_of_function))
        return false;
    }
    return results == 1 && reduces_rows;
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
        gather<Level + 1, true, part::all>(row.p, t, row.gathered, lanes);
      };
      (begin(static_cast<slot<R, row_state>&>(all).value, R), ...);
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
  template <part Part>
  TAPELESS_ALWAYS_INLINE static void run_loops(const tables_type& t, const places& at, std::ptrdiff_t begin,
                                               std::ptrdiff_t end) {
    pointers p;
    F::template point_all<0>(p, t, at, block<F::in_memory.size>{});
    measures measured;
    measured.begin = begin, measured.end = end;
    [&]<std::size_t... Level>(std::index_sequence<Level...>) TAPELESS_INLINE_LAMBDA {
      (F::template measure_level<Level>(t, at, measured), ...);
    }(std::make_index_sequence<depth>{});
    load_frame loaded;
    accumulators gathered;
    F::template load_uniforms<0>(p, t, at, loaded, block<F::template loads_in<0>.size>{});
    if constexpr (depth == 0)
      body<Part>(p, measured, loaded, gathered, 1);
    else
      loop<0, Part>(p, measured, loaded, gathered, 1);
  }
  // A function of its own: what this path keeps in memory must not keep it out of the registers of the other.
  [[gnu::noinline]] static void run_strided(tables_argument<S, T> t, const places& at, std::ptrdiff_t begin) {
    run_loops<part::strided>(t, at, begin, t.end);
  }
  [[gnu::noinline]] static void run_apart(const tables_type& t, const places& at, std::ptrdiff_t end) {
    run_loops<part::all>(t, at, t.begin, end);
  }

 public:
  /// Runs the kernel number `Which`, which is equal to `K`.
  template <std::size_t Which>
  TAPELESS_ALWAYS_INLINE static void run(const tables_type& t) {
    constexpr const places& at = F::template places_of<Which>;
    if constexpr (depth == 0) {
      run_loops<part::all>(t, at, 0, 0);
    } else {
      std::ptrdiff_t rest = t.begin;
      if (F::is_contiguous(t, at)) [[likely]] {
        rest = leaves_rest ? t.end - (t.end - t.begin) % width : t.end;
        if constexpr (has_few_nests<S>)
          run_loops<part::all>(t, at, t.begin, rest);
        else
          run_apart(t, at, rest);
        if (!leaves_rest || rest == t.end) return;
      }
      if constexpr (F::may_be_strided || leaves_rest) run_strided(t, at, rest);
    }
  }
};

}  // namespace tapeless::loops::inline TAPELESS_TARGET::detail
