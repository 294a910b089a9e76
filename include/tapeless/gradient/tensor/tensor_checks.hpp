#ifndef TAPELESS_GRADIENT_TENSOR_TENSOR_CHECKS_HPP
#define TAPELESS_GRADIENT_TENSOR_TENSOR_CHECKS_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/gradient/tensor/bound_tensor.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tapeless::detail::inline TAPELESS_TARGET {

/// A node, for a message.
struct node_in_message {
  std::string_view operation;
  program::axis_set axes = 0, reduced = 0;
  int first = 0, count = 0;
  /// Of a variable, -1 otherwise.
  int access = -1;
  bool moves = false;
};

/// What a call reads of the program `P`. Copies: whoever reads the program itself has its nodes in the object file, and
/// with them the functions of the passes that they lead to, three quarters of the code of a small loss.
template <class P>
struct program_at_call {
  static constexpr auto accesses = P::value.accesses;
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
};

/// Of which operation two tensors are operands along an axis, for a message.
[[gnu::cold]] inline std::string where_axes_meet(const node_in_message* nodes, std::size_t count, const int* edges,
                                                 const program::tensor_access* accesses, int id,
                                                 const program::tensor_access& a, const program::tensor_access& b) {
  // For each node whether it has this axis of the one, of the other.
  std::vector<unsigned> has(count);
  const node_in_message* meeting = nullptr;
  for (std::size_t i = 0; i < count; ++i) {
    const node_in_message& n = nodes[i];
    unsigned& to = has[i];
    if (n.access >= 0) to = (accesses[n.access] == a) | (accesses[n.access] == b) * 2u;
    for (int j = 0; j < n.count; ++j) to |= has[static_cast<std::size_t>(edges[n.first + j])];
    if (to == 3 && !meeting) meeting = &n;
    // What dot is made of.
    if (meeting && n.reduced == program::axis(id) && nodes + edges[n.first] == meeting)
      return ", operands of dot or multiply";
    if ((n.axes & program::axis(id)) == 0) to = 0;
  }
  if (!meeting || meeting->operation.empty()) return "";
  return ", operands of " + (meeting->moves ? "concatenate" : std::string(meeting->operation));
}

/// What may not fit about the extents of a call, and what is said of it.
template <class S, class Source, class T>
class tensor_checks : public tensor_binding<S, Source, T> {
 protected:
  using at_run_time = program_at_call<Source>;
  using typename tensor_binding<S, Source, T>::tables_type;

 public:
  using tensor_binding<S, Source, T>::tensors, tensor_binding<S, Source, T>::indices,
      tensor_binding<S, Source, T>::bounds;

  [[noreturn]] TAPELESS_ALWAYS_INLINE void fail(const tables_type& t) const { fail(*this, t); }

 protected:
  [[noreturn, gnu::noinline, gnu::cold]] static void fail(tensor_checks inputs, loops::tables_argument<S, T> given) {
    tables_type t(given);
    inputs.fail_with(t);
  }
  [[noreturn]] void fail_with(tables_type& t) const {
    std::ranges::fill(t.extent, 1);
    for (std::size_t a = 0; a < S::accesses; ++a) {
      const program::tensor_access& access = S::program.accesses[a];
      if (!access.is_variable()) continue;
      for (std::size_t i = 0; i < static_cast<std::size_t>(access.rank); ++i) {
        if (access.axes[i] < 0) continue;
        std::ptrdiff_t& whole = t.extent[static_cast<std::size_t>(access.axes[i])];
        const std::ptrdiff_t extent = tensors[static_cast<std::size_t>(access.of)].extents[i];
        if (whole == 1)
          whole = extent;
        else if (extent != 1 && extent != whole)
          shapes_differ(*this, access.axes[i], whole, a);
      }
    }
    for (const program::axis_rule& rule : S::program.axis_rules) {
      const std::ptrdiff_t extent = extent_of(at_call{bounds.data(), t.extent}, rule, rule.wanted_by.empty());
      std::ptrdiff_t& whole = t.extent[static_cast<std::size_t>(rule.axis)];
      if (extent < 0 && !rule.wanted_by.empty())
        refuse(rule.wanted_by, whole, loops::value_of(at_call{bounds.data(), t.extent}, rule.begin),
               tensors_with(rule.axis));
      if (whole != 1 && whole != extent) axis_differs(t, rule.axis, extent);
      whole = extent;
    }
    for (const program::tensor_move& move : S::program.moves)
      if (move.kind == program::move_kind::reshape) check_reshape(t.extent, move);
    for (const program::extent_use& use : at_run_time::extent_uses)
      if (use.strict && own_extent(t, use) != t.extent[static_cast<std::size_t>(use.axis)])
        not_equal(own_extent(t, use), t.extent[static_cast<std::size_t>(use.axis)]);
    throw std::invalid_argument(
        "tapeless: cannot broadcast an extent of 1, as the formula has too many axes to tell its uses apart; split the "
        "formula");
  }

  struct at_call {
    const loops::bound_number* bounds;
    const std::ptrdiff_t* extent;
  };
  [[noreturn, gnu::noinline, gnu::cold]] static void not_equal(std::ptrdiff_t a, std::ptrdiff_t b) {
    throw std::invalid_argument("tapeless: operands of concatenate or dot have extents " + std::to_string(a) + " and " +
                                std::to_string(b) + " along an axis where they must be equal");
  }
  [[noreturn, gnu::noinline, gnu::cold]] static void refuse(std::string_view wanted_by, std::ptrdiff_t a,
                                                            std::ptrdiff_t b, const std::string& tensors_there) {
    throw std::invalid_argument("tapeless: " + std::string(wanted_by) + "; their extents are " + std::to_string(a) +
                                " and " + std::to_string(b) + tensors_there);
  }
  /// The bound tensors that have an axis, for a message.
  std::string tensors_with(int id) const {
    std::string result;
    for (const program::tensor_access& access : S::program.accesses)
      if (access.is_variable() && (access.set() & program::axis(id)) != 0)
        result += ", " + shape_text(tensors[static_cast<std::size_t>(access.of)]);
    return result;
  }
  /// What a rule makes an axis; -1 where it does not fit, or, if that alone tells, an exception.
  static std::ptrdiff_t extent_of(const at_call& call, const program::axis_rule& rule, bool throws) {
    using form = program::axis_rule::form;
    const auto extent_at = [&](int axis) { return axis < 0 ? std::ptrdiff_t{1} : call.extent[axis]; };
    switch (rule.how) {
      case form::sum: {
        const std::ptrdiff_t extent = loops::value_of(call, rule.begin);
        if (extent < 0 && throws)
          throw std::invalid_argument("tapeless: one_hot of " + std::to_string(extent) + " classes");
        return extent;
      }
      case form::range: {
        const std::ptrdiff_t whole = extent_at(rule.of);
        const std::ptrdiff_t first = loops::value_of(call, rule.begin), last = loops::value_of(call, rule.end);
        const std::ptrdiff_t begin = first < 0 ? first + whole : first, end = last < 0 ? last + whole : last;
        if (begin >= 0 && end >= begin && whole >= end) return end - begin;
        if (throws)
          throw std::out_of_range("tapeless: slice: " + std::to_string(first) + " to " + std::to_string(last) +
                                  " is out of range for an axis of extent " + std::to_string(whole));
        return -1;
      }
      case form::quotient: {
        std::ptrdiff_t extent = 1;
        for (program::axis_set left = rule.factors; left; left &= left - 1)
          extent *= extent_at(program::first_axis(left));
        return rule.divisor != 0 ? extent / static_cast<std::ptrdiff_t>(rule.divisor) : extent;
      }
      case form::broadcast: {
        const std::ptrdiff_t a = extent_at(rule.begin.axes[0]), b = extent_at(rule.begin.axes[1]);
        return a == b || b == 1 ? a : a == 1 ? b : -1;
      }
      case form::equal: {
        const std::ptrdiff_t extent = extent_at(rule.axis), other = loops::value_of(call, rule.begin);
        if (extent != other && throws && !rule.wanted_by.empty()) refuse(rule.wanted_by, extent, other, "");
        // Of two that no tensor is broadcast to, `fail` tells the names.
        if (extent != other && throws && (extent == 1 || other == 1)) not_equal(extent, other);
        return extent == other ? extent : -1;
      }
    }
    return -1;
  }

  std::ptrdiff_t own_extent(const tables_type& t, const program::extent_use& use) const {
    std::ptrdiff_t own = 1;
    for (program::axis_set left = use.own; left; left &= left - 1) {
      const program::axis_source& from = at_run_time::axis_sources[static_cast<std::size_t>(program::first_axis(left))];
      const std::ptrdiff_t extent =
          from.rule >= 0
              ? t.extent[static_cast<std::size_t>(at_run_time::axis_rules[static_cast<std::size_t>(from.rule)].axis)]
              : tensors[static_cast<std::size_t>(from.variable)].extents[static_cast<std::size_t>(from.position)];
      if (extent != 1) own = extent;
    }
    return own;
  }
  static std::ptrdiff_t extent_at(const std::ptrdiff_t* extent, const program::tensor_access& access, std::size_t i) {
    return access.axes[i] < 0 ? 1 : extent[access.axes[i]];
  }
  static std::ptrdiff_t size_of(const std::ptrdiff_t* extent, const program::tensor_access& access) {
    std::ptrdiff_t result = 1;
    for (std::size_t i = 0; i < static_cast<std::size_t>(access.rank); ++i) result *= extent_at(extent, access, i);
    return result;
  }
  static void check_reshape(const std::ptrdiff_t* extent, const program::tensor_move& move) {
    if (size_of(extent, move.from) == size_of(extent, move.to)) [[likely]]
      return;
    const auto text = [&](const program::tensor_access& access) {
      std::string result = "(";
      for (std::size_t i = 0; i < static_cast<std::size_t>(access.rank); ++i)
        result += (i ? ", " : "") + std::to_string(extent_at(extent, access, i));
      return result + ")";
    };
    throw std::invalid_argument("tapeless: cannot reshape " + text(move.from) + " to " + text(move.to));
  }
  /// The moves of a program by indices that are bound, and the variables that these are.
  struct chosen_move {
    std::size_t move, variable;
  };
  template <class P>
  static constexpr program::growing_array<chosen_move> find_chosen() {
    program::growing_array<chosen_move> found;
    for (const program::node& n : P::value.nodes) {
      if (n.kind != program::node_kind::apply || !n.operation->moves) continue;
      const auto move = static_cast<std::size_t>(n.access), edge = static_cast<std::size_t>(n.first) + 1;
      if (!P::value.moves[move].has_indices()) continue;
      const program::node& from = P::value[P::value.edges[edge]];
      if (from.kind == program::node_kind::variable) found.push_back({move, static_cast<std::size_t>(from.leaf)});
    }
    return found;
  }
  template <class P>
  static constexpr auto chosen_moves = [] {
    std::array<chosen_move, static_cast<std::size_t>(find_chosen<P>().size)> result{};
    const auto found = find_chosen<P>();
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = found.data[i];
    return result;
  }();
  /// Indices that are bound are looked at before anything is computed.
  template <class P>
  void check_indices(const std::ptrdiff_t* extent) const {
    for (const chosen_move& each : chosen_moves<P>) {
      const program::tensor_move& move = P::value.moves[each.move];
      const bound_tensor<T>& tensor = tensors[each.variable];
      const std::ptrdiff_t length = extent_at(extent, move.kind == program::move_kind::take ? move.from : move.to,
                                              static_cast<std::size_t>(move.position));
      const std::ptrdiff_t* const at = indices[each.variable].data;
      for (std::ptrdiff_t i = 0; at && i < tensor.extents[0]; ++i)
        if (at[i] < -length || at[i] >= length)
          throw std::out_of_range("tapeless: take: index " + std::to_string(at[i]) + " in " + shape_text(tensor) +
                                  " is not valid for an axis of extent " + std::to_string(length));
    }
  }

  template <class P, std::size_t... U>
  TAPELESS_ALWAYS_INLINE void check_elements([[maybe_unused]] const std::ptrdiff_t* extent,
                                             std::index_sequence<U...>) const {
    (check_element<P, U>(extent), ...);
  }
  /// A largest element needs an element.
  template <class P, std::size_t U>
  TAPELESS_ALWAYS_INLINE void check_element([[maybe_unused]] const std::ptrdiff_t* extent) const {
    constexpr program::extent_use use = P::value.extent_uses[U];
    // Of a sharded axis other processes may have some; what all have together is checked when that is known.
    if constexpr (use.reduction != program::extent_use::extreme::none && (S::sharded & program::axis(use.axis)) == 0)
      if (extent[use.axis] == 0) [[unlikely]]
        no_elements(*this, use, program_at_call<P>::axis_sources.data());
  }
  [[noreturn, gnu::noinline, gnu::cold]] static void no_elements(tensor_checks inputs, const program::extent_use& use,
                                                                 const program::axis_source* sources) {
    std::string text = use.reduction == program::extent_use::extreme::smallest ? "tapeless: amin" : "tapeless: amax";
    text += " over no elements";
    for (program::axis_set left = use.own; left; left &= left - 1) {
      const program::axis_source& from = sources[program::first_axis(left)];
      if (from.variable < 0) continue;
      const bound_tensor<T>& tensor = inputs.tensors[static_cast<std::size_t>(from.variable)];
      if (tensor.extents[static_cast<std::size_t>(from.position)] == 0)
        throw std::invalid_argument(text + ": " + shape_text(tensor));
    }
    throw std::invalid_argument(text);
  }
  [[noreturn, gnu::noinline, gnu::cold]] void axis_differs(const tables_type& t, int axis,
                                                           std::ptrdiff_t extent) const {
    const auto has_axis = [axis](const program::tensor_access& access) {
      return (access.set() & program::axis(axis)) != 0;
    };
    std::string maker = "one_hot", other = "one of extent " + std::to_string(t.extent[static_cast<std::size_t>(axis)]);
    for (std::size_t m = S::program.moves.size(); m-- > 0;) {
      constexpr const char* names[] = {"slice", "concatenate", "take", "take", "reshape"};
      const program::tensor_move& move = S::program.moves[m];
      if (move.kind != program::move_kind::read && has_axis(move.to) && !has_axis(move.from))
        maker = names[static_cast<int>(move.kind)];
    }
    for (const program::tensor_access& access : S::program.accesses)
      if (access.is_variable() && has_axis(access)) other = shape_text(tensors[static_cast<std::size_t>(access.of)]);
    throw std::invalid_argument("tapeless: the shapes do not broadcast: an axis of extent " + std::to_string(extent) +
                                " from " + maker + " and " + other);
  }
  [[noreturn, gnu::noinline, gnu::cold]] static void shapes_differ(tensor_checks inputs, int id,
                                                                   std::ptrdiff_t expected, std::size_t access) {
    const auto tensor = [&](std::size_t which) -> const bound_tensor<T>& {
      return inputs.tensors[static_cast<std::size_t>(S::program.accesses[which].of)];
    };
    std::size_t other = access;
    for (std::size_t a = S::accesses; a-- > 0;) {
      const program::tensor_access& seen = S::program.accesses[a];
      if (!seen.is_variable()) continue;
      for (std::size_t i = 0; i < static_cast<std::size_t>(seen.rank); ++i)
        if (seen.axes[i] == id && tensor(a).extents[i] == expected) other = a;
    }
    throw std::invalid_argument(
        "tapeless: the shapes do not broadcast: " + shape_text(tensor(other)) + " and " + shape_text(tensor(access)) +
        where_axes_meet(at_run_time::nodes.data(), at_run_time::nodes.size(), at_run_time::edges.data(),
                        at_run_time::accesses.data(), id, S::program.accesses[other], S::program.accesses[access]));
  }
};

}  // namespace tapeless::detail::inline TAPELESS_TARGET

#endif
