#ifndef TAPELESS_EVALUATE_LOOPS_HPP
#define TAPELESS_EVALUATE_LOOPS_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/core/always_inline.hpp>
#include <tapeless/core/target.hpp>
#include <tapeless/evaluate/nest.hpp>
#include <tapeless/evaluate/simd.hpp>
#include <tapeless/evaluate/tables.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

/// The loops of a schedule: each kernel is one nest, whose body is straight-line code on SIMD lanes.
namespace tapeless::loops::inline TAPELESS_TARGET {

namespace detail {

/// The code of a kernel.
template <class S, class T, std::size_t K>
class kernel_code {
  using n = nest<S, K>;
  static constexpr std::size_t depth = n::depth;
  using V = std::conditional_t<depth == 0, T, simd::lanes_t<T>>;
  using M = std::conditional_t<depth == 0, bool, simd::mask_t<T>>;
  static constexpr std::ptrdiff_t width = depth == 0 ? 1 : static_cast<std::ptrdiff_t>(simd::width<T>);

  static constexpr const program::node& node(int i) { return S::nodes[static_cast<std::size_t>(i)]; }

  static constexpr bool is_extent(int i) {
    return node(i).kind == program::node_kind::variable && node(i).leaf < 0 && node(i).axes == 0;
  }

  template <int I>
  using value_type =
      std::conditional_t<node(I).condition, M,
                         std::conditional_t<node(I).kind == program::node_kind::apply && node(I).operation->pair,
                                            math::number_pair<V>, V>>;

  // The values of the steps from `First` to `End`, by node.
  template <std::size_t First, class Indices>
  struct frame_of;
  template <std::size_t First, std::size_t... I>
  struct frame_of<First, std::index_sequence<I...>>
      : slot<static_cast<std::size_t>(n::step(First + I).node), value_type<n::step(First + I).node>>... {};

  static constexpr std::size_t count_steps(step_kind kind) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < n::steps; ++i) count += n::step(i).kind == kind;
    return count;
  }
  static constexpr std::size_t loads = count_steps(step_kind::load);
  static constexpr std::size_t computes = count_steps(step_kind::compute);
  static constexpr std::size_t results = n::steps - loads - computes;

  using load_frame = frame_of<0, std::make_index_sequence<loads>>;
  using compute_frame = frame_of<loads, std::make_index_sequence<computes>>;

  // Reductions come among the results: the others have empty accumulators.
  struct nothing {};
  template <std::size_t I>
  using accumulator = slot<I, std::conditional_t<n::step(loads + computes + I).kind == step_kind::reduce,
                                                 value_type<n::step(loads + computes + I).node>, nothing>>;
  template <class Indices>
  struct accumulators_of;
  template <std::size_t... I>
  struct accumulators_of<std::index_sequence<I...>> : accumulator<I>... {};
  using accumulators = accumulators_of<std::make_index_sequence<results>>;

  // Where the memory of each step lies, at the current iteration of the outer loops.
  template <class Indices>
  struct pointers_of;
  template <std::size_t... I>
  struct pointers_of<std::index_sequence<I...>> : slot<I, T*>... {};
  using pointers = pointers_of<std::make_index_sequence<n::steps>>;

  using tables_type = tables<S, T>;

  /// What a kernel needs of the tables besides pointers, copied once: what the loops write could change the tables, for
  /// all that a compiler knows.
  struct measures {
    static constexpr std::size_t levels = depth > 0 ? depth : 1;
    std::ptrdiff_t stride[n::steps][levels];
    std::ptrdiff_t extent[levels];
    std::ptrdiff_t begin, end;
  };

  static constexpr int reference_of(std::size_t i) {
    const program::step s = n::step(i);
    if (s.kind == step_kind::compute) return -1;
    if (s.kind == step_kind::output) return S::output_reference(s.output);
    return S::node_reference(s.node);
  }
  /// The axes that a step's memory has.
  static constexpr axis_set memory_axes(std::size_t i) {
    const program::step s = n::step(i);
    return s.kind == step_kind::output ? n::plan.axes : node(s.node).axes;
  }

  template <std::size_t I>
  TAPELESS_ALWAYS_INLINE static T*& pointer(pointers& p) {
    return static_cast<slot<I, T*>&>(p).value;
  }
  template <std::size_t I>
  TAPELESS_ALWAYS_INLINE static T* pointer(const pointers& p) {
    return static_cast<const slot<I, T*>&>(p).value;
  }

  template <int I, class Loads, class Computes>
  TAPELESS_ALWAYS_INLINE static const auto& value(const Loads& loaded, const Computes& computed) {
    using S0 = slot<static_cast<std::size_t>(I), value_type<I>>;
    if constexpr (std::is_base_of_v<S0, Loads>)
      return static_cast<const S0&>(loaded).value;
    else
      return static_cast<const S0&>(computed).value;
  }

  static constexpr int operand(int i, int j) {
    const program::node& of = node(i);
    return j < of.count ? S::edges[static_cast<std::size_t>(of.first + j)]
                        : S::edges[static_cast<std::size_t>(of.first)];
  }

  /// Which operand of a step is a product that it computes with its sum, with one rounding: one that nothing else uses.
  /// -1 where there is none. And whether a step is such a product.
  struct fusion {
    int product[n::steps]{};
    bool dissolved[n::steps]{};
  };
  static constexpr fusion fused = [] {
    fusion result{};
    std::array<int, S::nodes.size()> uses{}, step_of{};
    for (std::size_t s = 0; s < n::steps; ++s) {
      const int i = n::step(s).node;
      if (n::step(s).kind == step_kind::compute) step_of[static_cast<std::size_t>(i)] = static_cast<int>(s);
      if (n::step(s).kind == step_kind::compute || n::step(s).kind == step_kind::reduce)
        for (int j = 0; j < node(i).count; ++j) ++uses[static_cast<std::size_t>(operand(i, j))];
      else if (n::step(s).kind != step_kind::load)
        ++uses[static_cast<std::size_t>(i)];
    }
    for (std::size_t s = 0; s < n::steps; ++s) {
      result.product[s] = -1;
      if (depth == 0 || n::step(s).kind == step_kind::load) continue;
      const program::node& sum = node(n::step(s).node);
      const bool adds =
          n::step(s).kind == step_kind::compute
              ? sum.algebra == program::algebra::add || sum.algebra == program::algebra::subtract
              : n::step(s).kind == step_kind::reduce && program::applies(sum, program::info<operation::Sum>);
      for (int j = 0; adds && j < sum.count && result.product[s] < 0; ++j) {
        const std::size_t factor = static_cast<std::size_t>(operand(n::step(s).node, j));
        if (uses[factor] == 1 && step_of[factor] > 0 && S::nodes[factor].algebra == program::algebra::multiply) {
          result.product[s] = j;
          result.dissolved[step_of[factor]] = true;
        }
      }
    }
    return result;
  }();
  /// a b - c, c - a b, a b + c.
  template <int Kind>
  TAPELESS_ALWAYS_INLINE static V product_and_sum(const V& a, const V& b, const V& c) {
    if constexpr (Kind == 0)
      return simd::multiply_subtract(a, b, c);
    else if constexpr (Kind == 1)
      return simd::subtract_product(a, b, c);
    else
      return simd::multiply_add(a, b, c);
  }

  template <std::size_t I>
  TAPELESS_ALWAYS_INLINE static void compute(const load_frame& loaded, compute_frame& computed) {
    constexpr int i = n::step(loads + I).node;
    constexpr program::node of = node(i);
    constexpr int product = fused.product[loads + I];
    auto& to = static_cast<slot<static_cast<std::size_t>(i), value_type<i>>&>(computed).value;
    if constexpr (product >= 0)
      to = product_and_sum < of.algebra == program::algebra::add
               ? 2
               : product > (value<operand(operand(i, product), 0)>(loaded, computed),
                            value<operand(operand(i, product), 1)>(loaded, computed),
                            value<operand(i, 1 - product)>(loaded, computed));
    else if constexpr (of.count == 0)
      to = operation_step<of.operation, 0, T, V>::run(0, 0, 0);
    else
      to = operation_step<of.operation, of.count, T, V>::run(value<operand(i, 0)>(loaded, computed),
                                                             value<operand(i, 1)>(loaded, computed),
                                                             value<operand(i, 2)>(loaded, computed));
  }

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

  template <int I>
  TAPELESS_ALWAYS_INLINE static auto& loaded_value(load_frame& loaded) {
    return static_cast<slot<static_cast<std::size_t>(I), value_type<I>>&>(loaded).value;
  }
  /// Loads the values that change last in loop number `Level`, counted from 1.
  template <std::size_t Level>
  static constexpr auto loads_in =
      choose<loads>([](std::size_t i) { return n::level(node(n::step(i).node).axes) == Level; });
  template <std::size_t Level, part Part, std::size_t Begin, std::size_t... I>
  TAPELESS_ALWAYS_INLINE static void load_block(const pointers& p, const measures& t, load_frame& loaded,
                                                [[maybe_unused]] std::size_t count, std::index_sequence<I...>) {
    constexpr auto& which = loads_in<Level>;
    ((loaded_value<n::step(which[Begin + I]).node>(loaded) =
          read<which[Begin + I], Part>(pointer<which[Begin + I]>(p), t, count)),
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
    auto& to = loaded_value<i>(loaded);
    if constexpr (node(i).kind == program::node_kind::constant)
      to = V(S::constants[static_cast<std::size_t>(node(i).leaf)].template as<T>());
    else if constexpr (node(i).kind == program::node_kind::number)
      to = V(t.numbers[static_cast<std::size_t>(node(i).leaf)]);
    else if constexpr (is_extent(i))
      to = V(static_cast<T>(t.extent[static_cast<std::size_t>(-1 - node(i).leaf)]));
    else if constexpr (node(i).condition)
      to = M(V(*pointer<I>(p)) != V(T(0)));
    else
      to = V(*pointer<I>(p));
  }
  template <std::size_t Begin, std::size_t... I>
  TAPELESS_ALWAYS_INLINE static void load_uniforms(const pointers& p, const tables_type& t, load_frame& loaded,
                                                   std::index_sequence<I...>) {
    constexpr auto& which = loads_in<0>;
    (load_uniform<which[Begin + I]>(p, t, loaded), ...);
    if constexpr (constexpr std::size_t next = Begin + sizeof...(I); next < which.size)
      load_uniforms<next>(p, t, loaded, block<which.size - next>{});
  }

  template <class X>
  TAPELESS_ALWAYS_INLINE static V as_number(const X& x) {
    if constexpr (is_mask<X>)
      return math::select(x, V(T(1)), V(T(0)));
    else
      return x;
  }

  /// What a reduction is after it takes in its operand.
  template <std::size_t I, class X>
  TAPELESS_ALWAYS_INLINE static X take(const X& before, const load_frame& loaded, const compute_frame& computed) {
    constexpr int i = n::step(I).node;
    constexpr int x = operand(i, 0);
    if constexpr (fused.product[I] >= 0)
      return simd::multiply_add(value<operand(x, 0)>(loaded, computed), value<operand(x, 1)>(loaded, computed), before);
    else
      return program::operation_of<node(i).operation>::combine(before, value<x>(loaded, computed));
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
        const auto before = read<I, Part>(pointer<I>(p), t, count);
        write<I, Part>(as_number(take<I>(before, loaded, computed)), pointer<I>(p), t, count);
      } else {
        auto& to = static_cast<accumulator<R>&>(gathered).value;
        const auto all = take<I>(to, loaded, computed);
        if constexpr (Part == part::all || !n::varies(reduced))
          to = all;
        else if constexpr (is_mask<std::remove_const_t<decltype(all)>>)
          to = to || (all && simd::first<T>(count));
        else
          to = math::select(simd::first<T>(count), all, to);
      }
    } else {
      write<I, Part>(as_number(value<s.node>(loaded, computed)), pointer<I>(p), t, count);
    }
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

  /// The steps that compute something of their own.
  static constexpr auto computing = choose<computes>([](std::size_t i) { return !fused.dissolved[loads + i]; });
  template <std::size_t Begin, std::size_t... I>
  TAPELESS_ALWAYS_INLINE static void compute_block(const load_frame& loaded, compute_frame& computed,
                                                   std::index_sequence<I...>) {
    (compute<computing[Begin + I]>(loaded, computed), ...);
    if constexpr (constexpr std::size_t next = Begin + sizeof...(I); next < computing.size)
      compute_block<next>(loaded, computed, block<computing.size - next>{});
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
  template <part Part>
  TAPELESS_ALWAYS_INLINE static void body(const pointers& p, const measures& t, const load_frame& loaded,
                                          accumulators& gathered, std::size_t count) {
    compute_frame computed;
    compute_block<0>(loaded, computed, block<computing.size>{});
    finish<Part>(p, t, loaded, computed, gathered, count);
  }

  /// The steps whose memory varies along the axis of loop number `Level`.
  template <std::size_t Level>
  static constexpr auto varying = choose<n::steps>(
      [](std::size_t i) { return reference_of(i) >= 0 && (memory_axes(i) & axis(n::order[Level])) != 0; });
  // By value, as load frames: a copy made inside of what comes by reference would be one in memory.
  template <std::size_t Level, std::size_t Begin, std::size_t... I>
  TAPELESS_ALWAYS_INLINE static pointers advance(pointers p, const measures& t, std::ptrdiff_t index,
                                                 [[maybe_unused]] bool unit, std::index_sequence<I...>) {
    constexpr auto& which = varying<Level>;
    ((pointer<which[Begin + I]>(p) += unit ? index : index * t.stride[which[Begin + I]][Level]), ...);
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

  template <std::size_t Level, bool Begin, part Part, std::size_t R>
  TAPELESS_ALWAYS_INLINE static void gather_step(const pointers& p, const measures& t, accumulators& gathered,
                                                 std::size_t count) {
    constexpr std::size_t I = loads + computes + R;
    constexpr program::step s = n::step(I);
    constexpr axis_set reduced = node(s.node).reduced;
    using op = program::operation_of<node(s.node).operation>;
    auto& from = static_cast<accumulator<R>&>(gathered).value;
    if constexpr (Begin) {
      from = as_value<std::remove_reference_t<decltype(from)>>(op::template neutral<T>());
    } else if constexpr (n::varies(reduced)) {
      T* to = pointer<I>(p);
      const T all = lanes_to_one<op>(from);
      *to = n::accumulates(reduced) ? combine_numbers<op>(*to, all) : all;
    } else {
      if constexpr (n::accumulates(reduced)) from = op::combine(read<I, Part>(pointer<I>(p), t, count), from);
      write<I, Part>(as_number(from), pointer<I>(p), t, count);
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

  template <std::size_t Level, part Part>
  TAPELESS_ALWAYS_INLINE static void iteration(const pointers& outer, const measures& t, load_frame loaded,
                                               accumulators& gathered, std::ptrdiff_t index, std::size_t count) {
    constexpr bool unit = Level == n::vector_level && Part != part::strided;
    const pointers p = advance<Level>(outer, t, index, unit);
    load_all<Level + 1, Part>(p, t, loaded, count);
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
    const std::ptrdiff_t end = blocked ? t.end : t.extent[Level];
    gather<Level, true, Part>(p, t, gathered, count);
    if constexpr (Level == n::vector_level) {
      if constexpr (Part == part::strided) {
        for (; i < end; i += width)
          iteration<Level, part::strided>(p, t, loaded, gathered, i,
                                          static_cast<std::size_t>(std::min(width, end - i)));
      } else {
        if constexpr (copies > 1)
          if (end - i >= static_cast<std::ptrdiff_t>(copies) * width)
            unrolled(p, t, loaded, gathered, i, end, std::make_index_sequence<copies - 1>{});
        if constexpr (interleaves)
          for (; i + 2 * width <= end; i += 2 * width) two_iterations(p, t, loaded, loaded, gathered, i);
        for (; i + width <= end; i += width)
          iteration<Level, part::all>(p, t, loaded, gathered, i, static_cast<std::size_t>(width));
        if constexpr (!leaves_rest)
          if (i < end) iteration<Level, part::first>(p, t, loaded, gathered, i, static_cast<std::size_t>(end - i));
      }
    } else {
      for (; i < end; ++i) iteration<Level, Part>(p, t, loaded, gathered, i, count);
    }
    gather<Level, false, Part>(p, t, gathered, count);
  }

  /// Two iterations step by step in turn: for bodies of several elementary functions, of which the processor could not
  /// look far enough ahead to begin the next iteration.
  static constexpr bool interleaves = [] {
    if (depth == 0 || width == 1 || n::vector_level + 1 != depth) return false;
    int functions = 0;
    for (std::size_t i = 0; i < n::steps; ++i) {
      const program::node& of = node(n::step(i).node);
      if (n::step(i).kind == step_kind::reduce) return false;
      if (n::step(i).kind == step_kind::compute && of.count > 0 && of.algebra == program::algebra::none) ++functions;
    }
    return functions >= 3;
  }();
  template <std::size_t Begin, std::size_t... I>
  TAPELESS_ALWAYS_INLINE static void compute_two(const load_frame& loaded_p, compute_frame& computed_p,
                                                 const load_frame& loaded_q, compute_frame& computed_q,
                                                 std::index_sequence<I...>) {
    ((compute<computing[Begin + I]>(loaded_p, computed_p), compute<computing[Begin + I]>(loaded_q, computed_q)), ...);
    if constexpr (constexpr std::size_t next = Begin + sizeof...(I); next < computing.size)
      compute_two<next>(loaded_p, computed_p, loaded_q, computed_q, block<computing.size - next>{});
  }
  TAPELESS_ALWAYS_INLINE static void two_iterations(const pointers& outer, const measures& t, load_frame loaded_p,
                                                    load_frame loaded_q, accumulators& gathered, std::ptrdiff_t index) {
    constexpr std::size_t innermost = depth - 1, lanes = static_cast<std::size_t>(width);
    const pointers p = advance<innermost>(outer, t, index, true);
    const pointers q = advance<innermost>(outer, t, index + width, true);
    load_all<depth, part::all>(p, t, loaded_p, lanes);
    load_all<depth, part::all>(q, t, loaded_q, lanes);
    compute_frame computed_p, computed_q;
    compute_two<0>(loaded_p, computed_p, loaded_q, computed_q, block<computing.size>{});
    finish<part::all>(p, t, loaded_p, computed_p, gathered, lanes);
    finish<part::all>(q, t, loaded_q, computed_q, gathered, lanes);
  }

  /// The reductions that stay in registers.
  static constexpr auto in_registers = choose<results>([](std::size_t r) {
    const program::step s = n::step(loads + computes + r);
    return s.kind == step_kind::reduce && n::first_gathered(node(s.node).reduced) < depth;
  });
  /// Sums in several parts hide the time that one addition waits for the one before; where a body is large, the
  /// processor finds other work.
  static constexpr std::size_t copies = [] {
    bool reduces = false;
    for (std::size_t i = 0; i < n::steps; ++i) reduces = reduces || n::step(i).kind == step_kind::reduce;
    if (depth == 0 || !reduces || n::vector_level + 1 != depth) return 1;
    return computes <= 12 && in_registers.size <= 16 ? 4 : 1;
  }();

  /// Several iterations at a time, each with accumulators of its own.
  template <std::size_t... C>
  TAPELESS_ALWAYS_INLINE static void unrolled(const pointers& p, const measures& t, const load_frame& loaded,
                                              accumulators& gathered, std::ptrdiff_t& i, std::ptrdiff_t end,
                                              std::index_sequence<C...>) {
    constexpr std::size_t innermost = depth - 1;
    constexpr auto lanes = static_cast<std::size_t>(width);
    constexpr auto all_accumulators = std::make_index_sequence<in_registers.size>{};
    struct : slot<C, accumulators>... {
    } more;
    const auto copy =
        [&]<std::size_t J>(std::integral_constant<std::size_t, J>)
            TAPELESS_INLINE_LAMBDA -> accumulators& { return static_cast<slot<J, accumulators>&>(more).value; };
    (each_accumulator([](auto& to, auto neutral, auto) TAPELESS_INLINE_LAMBDA { to = neutral; },
                      copy(std::integral_constant<std::size_t, C>{}), gathered, all_accumulators),
     ...);
    for (; i + static_cast<std::ptrdiff_t>(copies) * width <= end; i += static_cast<std::ptrdiff_t>(copies) * width) {
      iteration<innermost, part::all>(p, t, loaded, gathered, i, lanes);
      (iteration<innermost, part::all>(p, t, loaded, copy(std::integral_constant<std::size_t, C>{}),
                                       i + static_cast<std::ptrdiff_t>(C + 1) * width, lanes),
       ...);
    }
    (each_accumulator([](auto& from, auto, auto combine) TAPELESS_INLINE_LAMBDA { combine(from); },
                      copy(std::integral_constant<std::size_t, C>{}), gathered, all_accumulators),
     ...);
  }
  /// visit(accumulator, neutral value, function that adds it to that of `gathered`) for each reduction in registers.
  template <class Visit, std::size_t... R>
  TAPELESS_ALWAYS_INLINE static void each_accumulator(Visit visit, accumulators& of, accumulators& gathered,
                                                      std::index_sequence<R...>) {
    [[maybe_unused]] const auto one =
        [&]<std::size_t J>(std::integral_constant<std::size_t, J>) TAPELESS_INLINE_LAMBDA {
          using op = program::operation_of<node(n::step(loads + computes + J).node).operation>;
          auto& to = static_cast<accumulator<J>&>(gathered).value;
          using X = std::remove_reference_t<decltype(to)>;
          visit(static_cast<accumulator<J>&>(of).value, as_value<X>(op::template neutral<T>()),
                [&](const X& x) TAPELESS_INLINE_LAMBDA { to = op::combine(to, x); });
        };
    (one(std::integral_constant<std::size_t, in_registers[R]>{}), ...);
  }

  static constexpr auto in_memory = choose<n::steps>([](std::size_t i) { return reference_of(i) >= 0; });
  static constexpr auto along_lanes =
      choose<n::steps>([](std::size_t i) { return reference_of(i) >= 0 && n::varies(memory_axes(i)); });

  template <std::size_t I>
  TAPELESS_ALWAYS_INLINE static const auto& memory(const tables_type& t) {
    return t.references[static_cast<std::size_t>(reference_of(I))];
  }
  /// Whether everything that the lanes read and write is contiguous.
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
    pointer<I>(p) = memory<I>(t).data;
    // The buffer of a block begins with the block.
    if constexpr (S::is_block(reference_of(I)))
      pointer<I>(p) -= t.begin * memory<I>(t).stride[static_cast<std::size_t>(program::first_axis(n::group_axis))];
  }
  template <std::size_t Begin, std::size_t... I>
  TAPELESS_ALWAYS_INLINE static void point_all(pointers& p, const tables_type& t, std::index_sequence<I...>) {
    (point<in_memory[Begin + I]>(p, t), ...);
    if constexpr (constexpr std::size_t next = Begin + sizeof...(I); next < in_memory.size)
      point_all<next>(p, t, block<in_memory.size - next>{});
  }

  /// Runs the loops, the outermost one from `begin` to `end`.
  template <part Part>
  TAPELESS_ALWAYS_INLINE static void run_loops(const tables_type& t, std::ptrdiff_t begin, std::ptrdiff_t end) {
    pointers p;
    point_all<0>(p, t, block<in_memory.size>{});
    measures measured;
    measured.begin = begin, measured.end = end;
    [&]<std::size_t... Level>(std::index_sequence<Level...>)
        TAPELESS_INLINE_LAMBDA { (measure_level<Level>(t, measured), ...); }(std::make_index_sequence<depth>{});
    load_frame loaded;
    accumulators gathered;
    load_uniforms<0>(p, t, loaded, block<loads_in<0>.size>{});
    if constexpr (depth == 0)
      body<Part>(p, measured, loaded, gathered, 1);
    else
      loop<0, Part>(p, measured, loaded, gathered, 1);
  }
  // A function of its own: what this path keeps in memory must not keep it out of the registers of the other.
  [[gnu::noinline]] static void run_strided(tables_argument<S, T> t, std::ptrdiff_t begin) {
    run_loops<part::strided>(t, begin, t.end);
  }
  TAPELESS_ALWAYS_INLINE static void run_inline(const tables_type& t) {
    if constexpr (depth == 0) {
      run_loops<part::all>(t, 0, 0);
    } else {
      std::ptrdiff_t rest = t.begin;
      if (unit_strides<0>(t, block<along_lanes.size>{})) [[likely]] {
        rest = leaves_rest ? t.end - (t.end - t.begin) % width : t.end;
        run_loops<part::all>(t, t.begin, rest);
        if (!leaves_rest || rest == t.end) return;
      }
      run_strided(t, rest);
    }
  }
  [[gnu::noinline]] static void run_apart(const tables_type& t) { run_inline(t); }

 public:
  TAPELESS_ALWAYS_INLINE static void run(const tables_type& t) {
    if constexpr (depth == 0 || has_few_nests<S>)
      run_inline(t);
    else
      run_apart(t);
  }
};

}  // namespace detail

}  // namespace tapeless::loops::inline TAPELESS_TARGET

#endif
