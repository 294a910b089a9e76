#pragma once

#include <tapeless/gradient/formula/formula_inputs.hpp>
#include <tapeless/gradient/tensor/bound_tensor.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace tapeless::detail::inline TAPELESS_TARGET {

/// What a call reads of the program `P`. Copies: whoever reads the program itself has its nodes in the object file, and
/// with them the functions of the passes that they lead to, three quarters of the code of a small loss.
template <class P>
struct program_at_call {
  static constexpr auto accesses = P::value.accesses;
  static constexpr auto moves = P::value.moves;
  static constexpr auto axis_rules = P::value.axis_rules;
  static constexpr auto axis_sources = P::value.axis_sources;
  static constexpr auto extent_uses = P::value.extent_uses;
  static constexpr auto edges = P::value.edges;
  static constexpr auto nodes = [] {
    std::array<node_in_message, P::value.nodes.size()> result{};
    for (std::size_t i = 0; i < result.size(); ++i) {
      const program::node& n = P::value.nodes[i];
      result[i] = {{}, n.axes, n.reduced, n.first, n.count};
      if (n.kind == program::node_kind::apply) result[i].operation = n.operation->name;
      if (n.kind == program::node_kind::apply) result[i].moves = n.operation->moves;
      if (n.kind == program::node_kind::variable) result[i].access = n.access;
    }
    return result;
  }();

 private:
  static constexpr program::growing_array<chosen_move> find_chosen() {
    program::growing_array<chosen_move> found;
    for (const program::node& n : P::value.nodes) {
      if (n.kind != program::node_kind::apply || !n.operation->moves ||
          !P::value.moves[static_cast<std::size_t>(n.access)].has_indices())
        continue;
      const program::node& from = P::value[P::value.edges[static_cast<std::size_t>(n.first) + 1]];
      if (from.kind == program::node_kind::variable) found.push_back({n.access, from.leaf});
    }
    return found;
  }

 public:
  static constexpr auto chosen = [] {
    std::array<chosen_move, static_cast<std::size_t>(find_chosen().size)> result{};
    program::detail::fill(result, find_chosen());
    return result;
  }();
};

/// The program `P` that runs and `Source` that was lowered, as extents see them.
template <class P, class Source, class Own = program_at_call<P>, class Lowered = program_at_call<Source>>
inline constexpr program_of_extents extents_of_programs{{Own::accesses.data(), Own::accesses.size()},
                                                        {Own::axis_rules.data(), Own::axis_rules.size()},
                                                        {Own::moves.data(), Own::moves.size()},
                                                        {Own::chosen.data(), Own::chosen.size()},
                                                        {Lowered::accesses.data(), Lowered::accesses.size()},
                                                        {Lowered::axis_sources.data(), Lowered::axis_sources.size()},
                                                        {Lowered::extent_uses.data(), Lowered::extent_uses.size()},
                                                        {Lowered::nodes.data(), Lowered::nodes.size()},
                                                        {Lowered::edges.data(), Lowered::edges.size()}};

/// How long the axes of a call are.
template <class S, class Source, class T>
class tensor_inputs : public tensor_binding<S, Source, T> {
  using binding = tensor_binding<S, Source, T>;
  using binding::moves_elements;
  using typename binding::tables_type;
  static constexpr bool compares = [] {
    for (const program::extent_use& use : Source::value.extent_uses)
      if (use.compared) return true;
    return false;
  }();
  /// The axes along which a largest element is looked for; of sharded ones other processes may have some.
  static constexpr program::axis_set needs_elements = [] {
    program::axis_set result = 0;
    for (const program::extent_use& use : Source::value.extent_uses)
      if (use.reduction != program::extent_use::extreme::none) result |= program::axis(use.axis);
    return result & ~S::sharded;
  }();

 public:
  using binding::tensors, binding::indices, binding::bounds;

  /// Takes the extent of each axis of the program from the tensors that have it, where those of extent 1 are broadcast;
  /// whether the loops can run with them. Where they cannot, the arrays may still be computed one by one, or `fail`
  /// says what does not fit.
  TAPELESS_ALWAYS_INLINE bool measure(tables_type& t) const {
    if constexpr (moves_elements) t.bounds = bounds.data();
    std::ranges::fill(t.extent, 1);
    bool fits = true, exact = true;
    [&]<std::size_t... A>(std::index_sequence<A...>) {
      (measure_access<A>(t, fits), ...);
    }(std::make_index_sequence<S::accesses>{});
    if constexpr (S::program.axis_rules.size() > 0) fits = fits && measure_rules(t);
    if constexpr (compares) {
      [&]<std::size_t... A>(std::index_sequence<A...>) {
        (look_for_broadcast<A>(t, exact), ...);
      }(std::make_index_sequence<S::accesses>{});
      if (!exact) [[unlikely]]
        fits = fits && compare(*this, t);
    }
    if constexpr (S::program.moves.size() > 0) fits = fits && check_moves(t);
    if constexpr (needs_elements != 0)
      if (fits && !have_elements(t, std::make_index_sequence<S::axes>{})) [[unlikely]]
        check_elements(*this, t);
    return fits;
  }
  /// The same of any program, in memory: of the finished program `P` that is made from `Lowered`.
  template <class P = typename S::source, class Lowered = Source>
  extents_at_call at_call(std::ptrdiff_t* extent) const {
    return {extents_of_programs<P, Lowered>, tensors.data(), indices.data(), bounds.data(), extent};
  }
  [[noreturn]] TAPELESS_ALWAYS_INLINE void fail(const tables_type& t) const { fail(*this, t); }

 private:
  // Functions that are not part of the caller's get copies: what they refer to is not kept in registers.
  [[noreturn, gnu::noinline, gnu::cold]] static void fail(tensor_inputs inputs, loops::tables_argument<S, T> given) {
    tables_type t(given);
    inputs.at_call(t.extent).fail(S::axes);
  }
  [[gnu::noinline]] static bool compare(tensor_inputs inputs, loops::tables_argument<S, T> given) {
    tables_type t(given);
    return inputs.at_call(t.extent).compare();
  }
  [[gnu::noinline, gnu::cold]] static void check_elements(tensor_inputs inputs, loops::tables_argument<S, T> given) {
    tables_type t(given);
    inputs.at_call(t.extent).check_elements(S::sharded);
  }
  [[gnu::noinline]] bool measure_rules(tables_type& t) const { return at_call(t.extent).measure_rules(); }
  [[gnu::noinline]] bool check_moves(tables_type& t) const { return at_call(t.extent).check_moves(); }

  template <std::size_t... Axis>
  TAPELESS_ALWAYS_INLINE static bool have_elements(const tables_type& t, std::index_sequence<Axis...>) {
    return (((needs_elements & program::axis(static_cast<int>(Axis))) == 0 || t.extent[Axis] != 0) && ...);
  }
  template <std::size_t A>
  TAPELESS_ALWAYS_INLINE void measure_access(tables_type& t, bool& fits) const {
    constexpr program::tensor_access access = S::program.accesses[A];
    if constexpr (access.is_variable())
      for_each_axis<S, A>([&](std::size_t axis, std::size_t id) TAPELESS_INLINE_LAMBDA {
        const std::ptrdiff_t extent = tensors[static_cast<std::size_t>(access.of)].extents[axis];
        if (t.extent[id] == 1)
          t.extent[id] = extent;
        else if (extent != 1 && extent != t.extent[id])
          fits = false;
      });
  }
  template <std::size_t A>
  TAPELESS_ALWAYS_INLINE void look_for_broadcast(const tables_type& t, bool& exact) const {
    constexpr program::tensor_access access = S::program.accesses[A];
    if constexpr (access.is_variable())
      for_each_axis<S, A>([&](std::size_t axis, std::size_t id) TAPELESS_INLINE_LAMBDA {
        exact = exact && tensors[static_cast<std::size_t>(access.of)].extents[axis] == t.extent[id];
      });
  }
};

}  // namespace tapeless::detail::inline TAPELESS_TARGET
