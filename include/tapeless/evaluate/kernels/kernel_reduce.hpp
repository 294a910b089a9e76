#pragma once

#include <tapeless/core/always_inline.hpp>
#include <tapeless/core/target.hpp>
#include <tapeless/evaluate/kernels/kernel_frame.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace tapeless::loops::inline TAPELESS_TARGET {

namespace detail {

/// What the kernel of the frame `F` does with the results of its iterations: it writes them, or takes them into
/// reductions.
template <class F>
struct kernel_reduce {
  using T = typename F::number;
  using n = typename F::n;
  using V = typename F::V;
  using M = typename F::M;
  using pointers = typename F::pointers;
  using measures = typename F::measures;
  using load_frame = typename F::load_frame;
  using compute_frame = typename F::compute_frame;
  using accumulators = typename F::accumulators;
  static constexpr auto depth = F::depth;
  static constexpr auto width = F::width;
  static constexpr auto loads = F::loads;
  static constexpr auto computes = F::computes;
  static constexpr auto results = F::results;
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
  template <std::size_t Level, bool Begin, part Part, std::size_t R>
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
    (gather_step<Level, Begin, Part, which[First + R]>(p, t, gathered, count), ...);
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
};

}  // namespace detail

}  // namespace tapeless::loops::inline TAPELESS_TARGET
