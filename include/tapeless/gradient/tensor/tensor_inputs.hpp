#ifndef TAPELESS_GRADIENT_TENSOR_TENSOR_INPUTS_HPP
#define TAPELESS_GRADIENT_TENSOR_TENSOR_INPUTS_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/gradient/formula/formula_inputs.hpp>
#include <tapeless/gradient/tensor/tensor_checks.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace tapeless::detail::inline TAPELESS_TARGET {

/// How long the axes of a call are.
template <class S, class Source, class T>
class tensor_inputs : public tensor_checks<S, Source, T> {
  using checks = tensor_checks<S, Source, T>;
  using checks::moves_elements, checks::extent_of, checks::own_extent, checks::size_of, checks::check_reshape;
  using typename checks::tables_type, typename checks::at_call;
  static constexpr bool compares = [] {
    for (const program::extent_use& use : Source::value.extent_uses)
      if (use.compared) return true;
    return false;
  }();

 public:
  using checks::tensors, checks::indices, checks::bounds;

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
        fits = fits && compare_extents(*this, t);
    }
    if constexpr (S::program.moves.size() > 0) fits = fits && check_moves(t);
    if (fits)
      this->template check_elements<Source>(t.extent, std::make_index_sequence<Source::value.extent_uses.size()>{});
    return fits;
  }

  /// The extents of the axes of `Apart`, the program of `Source` with axes apart, whose finished form is `P`; whether
  /// all that meets is broadcast.
  template <class Apart, class P>
  [[gnu::cold]] bool measure_apart(std::ptrdiff_t* extent) const {
    for (const program::tensor_access& access : program_at_call<Apart>::accesses) {
      if (!access.is_variable()) continue;
      for (std::size_t i = 0; i < static_cast<std::size_t>(access.rank); ++i)
        if (access.axes[i] >= 0) extent[access.axes[i]] = tensors[static_cast<std::size_t>(access.of)].extents[i];
    }
    const at_call call{bounds.data(), extent};
    for (const program::axis_rule& rule : program_at_call<Apart>::axis_rules) {
      const std::ptrdiff_t length = extent_of(call, rule, true);
      if (length < 0) return false;
      extent[rule.axis] = length;
    }
    for (const program::tensor_move& move : P::value.moves)
      if (move.kind == program::move_kind::reshape) check_reshape(extent, move);
    this->template check_elements<Apart>(extent, std::make_index_sequence<Apart::value.extent_uses.size()>{});
    this->template check_indices<P>(extent);
    return true;
  }

 private:
  /// The extents of axes that no variable has.
  [[gnu::noinline]] bool measure_rules(tables_type& t) const {
    std::array<std::ptrdiff_t, S::program.axis_rules.size()> own{};
    for (std::size_t i = 0; i < own.size(); ++i) {
      const program::axis_rule& rule = S::program.axis_rules[i];
      own[i] = extent_of(at_call{bounds.data(), t.extent}, rule, false);
      std::ptrdiff_t& whole = t.extent[static_cast<std::size_t>(rule.axis)];
      if (own[i] < 0 || (whole != 1 && whole != own[i])) return false;
      whole = own[i];
    }
    for (std::size_t i = 0; i < own.size(); ++i)
      if (own[i] != t.extent[static_cast<std::size_t>(S::program.axis_rules[i].axis)]) return false;
    return true;
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
  /// Whether every value is as long as the loops take it for, wherever that matters.
  // Here and where calls fail on copies: what functions of their own refer to is not kept in registers.
  [[gnu::noinline]] static bool compare_extents(tensor_inputs inputs, loops::tables_argument<S, T> t) {
    for (const program::extent_use& use : program_at_call<Source>::extent_uses)
      if (use.compared && inputs.own_extent(t, use) != t.extent[static_cast<std::size_t>(use.axis)]) return false;
    return true;
  }
  [[gnu::noinline]] bool check_moves(const tables_type& t) const {
    for (const program::tensor_move& move : S::program.moves)
      if (move.kind == program::move_kind::reshape && size_of(t.extent, move.from) != size_of(t.extent, move.to))
        return false;
    this->template check_indices<typename S::source>(t.extent);
    return true;
  }
};

}  // namespace tapeless::detail::inline TAPELESS_TARGET

#endif
