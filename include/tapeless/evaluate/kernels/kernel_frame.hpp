#pragma once

#include <tapeless/core/always_inline.hpp>
#include <tapeless/core/target.hpp>
#include <tapeless/evaluate/kernels/nest.hpp>
#include <tapeless/evaluate/kernels/tables.hpp>
#include <tapeless/math/math.hpp>

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace tapeless::loops::inline TAPELESS_TARGET::detail {

/// What the kernel number `K` of the plan `S`, and those equal to it, compute with: the values of their steps, where
/// their memory lies, how they read, write and step through that, and what they need of the tables.
template <class S, class T, std::size_t K>
struct kernel_frame {
  using plan = S;
  using number = T;
  using n = nest<S, K>;
  static constexpr std::size_t depth = n::depth;
  using V = std::conditional_t<depth == 0, T, simd::lanes_t<T>>;
  using M = std::conditional_t<depth == 0, bool, simd::mask_t<T>>;
  static constexpr std::ptrdiff_t width = depth == 0 ? 1 : static_cast<std::ptrdiff_t>(simd::width<T>);

  static constexpr const program::node& node(int i) { return S::program[i]; }

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

  /// What differs between equal kernels: the axis of each loop, and what each step reads or writes: a reference, or
  /// which extent or number.
  struct places {
    int step[n::steps]{};
    int axis[depth > 0 ? depth : 1]{};
  };
  static constexpr int place_of(const program::kernel& kernel, std::size_t i) {
    const program::step s = S::steps[static_cast<std::size_t>(kernel.first_step) + i];
    return s.kind == step_kind::compute  ? -1
           : s.kind == step_kind::output ? S::output_reference(s.output)
           : is_number(s)                ? node(s.node).leaf
                                         : S::node_reference(s.node);
  }
  /// Those of the kernel number `Which`, which is equal to `K`.
  template <std::size_t Which>
  static constexpr places places_of = [] {
    constexpr program::kernel kernel = S::kernels[Which];
    places result;
    for (std::size_t i = 0; i < n::steps; ++i) result.step[i] = place_of(kernel, i);
    const auto order = loop_order(kernel, S::steps.data(), S::nodes.data()).template order<depth>();
    for (std::size_t level = 0; level < depth; ++level) result.axis[level] = order[level];
    return result;
  }();
  static constexpr const places& own = places_of<K>;
  /// Where there are no others, all is known at compile time.
  template <std::size_t I>
  TAPELESS_ALWAYS_INLINE static std::size_t step_at([[maybe_unused]] const places& at) {
    if constexpr (has_equals<S, K>)
      return static_cast<std::size_t>(at.step[I]);
    else
      return static_cast<std::size_t>(own.step[I]);
  }
  template <std::size_t Level>
  TAPELESS_ALWAYS_INLINE static std::size_t axis_at([[maybe_unused]] const places& at) {
    if constexpr (has_equals<S, K>)
      return static_cast<std::size_t>(at.axis[Level]);
    else
      return static_cast<std::size_t>(own.axis[Level]);
  }
  static constexpr bool is_number(const program::step& s) {
    const program::node_kind kind = node(s.node).kind;
    return s.kind == step_kind::load && (kind == program::node_kind::number || kind == program::node_kind::extent);
  }
  static constexpr bool is_in_memory(std::size_t i) { return own.step[i] >= 0 && !is_number(n::step(i)); }
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

  template <int I>
  TAPELESS_ALWAYS_INLINE static auto& loaded_value(load_frame& loaded) {
    return static_cast<slot<static_cast<std::size_t>(I), value_type<I>>&>(loaded).value;
  }
  static constexpr int operand(int i, int j) { return S::program.operand(i, j < node(i).count ? j : 0); }

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
  TAPELESS_ALWAYS_INLINE static void load_uniform(const pointers& p, const tables_type& t, const places& at,
                                                  load_frame& loaded) {
    constexpr int i = n::step(I).node;
    auto& to = loaded_value<i>(loaded);
    if constexpr (node(i).kind == program::node_kind::constant)
      to = V(S::constants[static_cast<std::size_t>(node(i).leaf)].template as<T>());
    else if constexpr (node(i).kind == program::node_kind::number)
      to = V(t.numbers[step_at<I>(at)]);
    else if constexpr (node(i).kind == program::node_kind::extent)
      to = V(static_cast<T>(t.extent_as_number(step_at<I>(at))));
    else if constexpr (node(i).condition)
      to = M(V(*pointer<I>(p)) != V(T(0)));
    else
      to = V(*pointer<I>(p));
  }
  template <std::size_t Begin, std::size_t... I>
  TAPELESS_ALWAYS_INLINE static void load_uniforms(const pointers& p, const tables_type& t, const places& at,
                                                   load_frame& loaded, std::index_sequence<I...>) {
    constexpr auto& which = loads_in<0>;
    (load_uniform<which[Begin + I]>(p, t, at, loaded), ...);
    if constexpr (constexpr std::size_t next = Begin + sizeof...(I); next < which.size)
      load_uniforms<next>(p, t, at, loaded, block<which.size - next>{});
  }

  /// The steps whose memory varies along the axis of loop number `Level`.
  template <std::size_t Level>
  static constexpr auto varying =
      choose<n::steps>([](std::size_t i) { return is_in_memory(i) && (memory_axes(i) & axis(n::order[Level])) != 0; });
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

  static constexpr auto in_memory = choose<n::steps>([](std::size_t i) { return is_in_memory(i); });
  static constexpr auto along_lanes =
      choose<n::steps>([](std::size_t i) { return is_in_memory(i) && n::varies(memory_axes(i)); });

  template <std::size_t I>
  TAPELESS_ALWAYS_INLINE static const auto& memory(const tables_type& t, const places& at) {
    return t.references[step_at<I>(at)];
  }
  /// Whether the lanes read or write what the caller laid out.
  static constexpr bool may_be_strided = [] {
    for (std::size_t k = K; k < S::kernels.size(); ++k) {
      if (k != K && (!has_equals<S, K> || S::kernels[k].form != static_cast<int>(K))) continue;
      for (std::size_t i = 0; i < along_lanes.size; ++i)
        if (!S::is_buffer(place_of(S::kernels[k], along_lanes[i]))) return true;
    }
    return false;
  }();
  /// Whether everything that the lanes read and write is contiguous, or one element whatever its stride.
  TAPELESS_ALWAYS_INLINE static bool is_contiguous(const tables_type& t, const places& at) {
    return !may_be_strided || unit_strides<0>(t, at, block<along_lanes.size>{}) ||
           t.extent[axis_at<n::vector_level>(at)] == 1;
  }
  template <std::size_t Begin, std::size_t... I>
  TAPELESS_ALWAYS_INLINE static bool unit_strides(const tables_type& t, const places& at, std::index_sequence<I...>) {
    constexpr std::size_t next = Begin + sizeof...(I);
    const bool unit = ((memory<along_lanes[Begin + I]>(t, at).stride[axis_at<n::vector_level>(at)] == 1) && ...);
    if constexpr (next < along_lanes.size)
      return unit && unit_strides<next>(t, at, block<along_lanes.size - next>{});
    else
      return unit;
  }

  template <std::size_t Level, std::size_t Begin, std::size_t... I>
  TAPELESS_ALWAYS_INLINE static void measure(const tables_type& t, const places& at, measures& to,
                                             std::index_sequence<I...>) {
    constexpr auto& which = varying<Level>;
    ((to.stride[which[Begin + I]][Level] = memory<which[Begin + I]>(t, at).stride[axis_at<Level>(at)]), ...);
    if constexpr (constexpr std::size_t next = Begin + sizeof...(I); next < which.size)
      measure<Level, next>(t, at, to, block<which.size - next>{});
  }
  template <std::size_t Level>
  TAPELESS_ALWAYS_INLINE static void measure_level(const tables_type& t, const places& at, measures& to) {
    to.extent[Level] = t.extent[axis_at<Level>(at)];
    measure<Level, 0>(t, at, to, block<varying<Level>.size>{});
  }

  template <std::size_t I>
  TAPELESS_ALWAYS_INLINE static void point(pointers& p, const tables_type& t, const places& at) {
    pointer<I>(p) = memory<I>(t, at).data;
    // The buffer of a block begins with the block.
    if constexpr (S::is_block(own.step[I]))
      pointer<I>(p) -= t.begin * memory<I>(t, at).stride[axis_at<n::level(n::group_axis) - 1>(at)];
  }
  template <std::size_t Begin, std::size_t... I>
  TAPELESS_ALWAYS_INLINE static void point_all(pointers& p, const tables_type& t, const places& at,
                                               std::index_sequence<I...>) {
    (point<in_memory[Begin + I]>(p, t, at), ...);
    if constexpr (constexpr std::size_t next = Begin + sizeof...(I); next < in_memory.size)
      point_all<next>(p, t, at, block<in_memory.size - next>{});
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
              ? sum.opcode == program::opcode::add || sum.opcode == program::opcode::subtract
              : n::step(s).kind == step_kind::reduce && program::applies(sum, program::info<operation::Sum>);
      for (int j = 0; adds && j < sum.count && result.product[s] < 0; ++j) {
        const std::size_t factor = static_cast<std::size_t>(operand(n::step(s).node, j));
        if (uses[factor] == 1 && step_of[factor] > 0 && S::nodes[factor].opcode == program::opcode::multiply) {
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
    if constexpr (product >= 0) {
      constexpr int kind = of.opcode == program::opcode::add ? 2 : product;
      to = product_and_sum<kind>(value<operand(operand(i, product), 0)>(loaded, computed),
                                 value<operand(operand(i, product), 1)>(loaded, computed),
                                 value<operand(i, 1 - product)>(loaded, computed));
    } else if constexpr (of.count == 0) {
      to = V(operation_step<of.operation, 0, T>::run(0, 0, 0));
    } else {
      to = operation_step<of.operation, of.count, T>::run_on_copies(value<operand(i, 0)>(loaded, computed),
                                                                    value<operand(i, 1)>(loaded, computed),
                                                                    value<operand(i, 2)>(loaded, computed));
    }
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
  /// The same of two iterations, step by step in turn.
  template <std::size_t Begin, std::size_t... I>
  TAPELESS_ALWAYS_INLINE static void compute_two_block(const load_frame& loaded_p, compute_frame& computed_p,
                                                       const load_frame& loaded_q, compute_frame& computed_q,
                                                       std::index_sequence<I...>) {
    ((compute<computing[Begin + I]>(loaded_p, computed_p), compute<computing[Begin + I]>(loaded_q, computed_q)), ...);
    if constexpr (constexpr std::size_t next = Begin + sizeof...(I); next < computing.size)
      compute_two_block<next>(loaded_p, computed_p, loaded_q, computed_q, block<computing.size - next>{});
  }
};

}  // namespace tapeless::loops::inline TAPELESS_TARGET::detail
