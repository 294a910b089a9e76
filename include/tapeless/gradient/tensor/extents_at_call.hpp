#pragma once

#include <tapeless/core/message.hpp>
#include <tapeless/core/target.hpp>
#include <tapeless/evaluate/memory/index.hpp>
#include <tapeless/gradient/tensor/bound_tensor.hpp>
#include <tapeless/program/graph/node.hpp>
#include <tapeless/program/rewrite/axes.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
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

/// A move by indices that are bound, and the variable that these are.
struct chosen_move {
  int move, variable;
};

/// Elements one after the other. Not std::span: one made of each array would instantiate more than all else here.
template <class T>
struct elements_of_array {
  const T* first = nullptr;
  std::size_t count = 0;

  constexpr const T* begin() const { return first; }
  constexpr const T* end() const { return first + count; }
  constexpr std::size_t size() const { return count; }
  constexpr const T& operator[](std::size_t i) const { return first[i]; }
};

/// What a call reads of a program to know how long its axes are: of the finished program, and of the lowered one, which
/// it was made from.
struct program_of_extents {
  elements_of_array<program::tensor_access> accesses;
  elements_of_array<program::axis_rule> rules;
  elements_of_array<program::tensor_move> moves;
  elements_of_array<chosen_move> chosen;
  elements_of_array<program::tensor_access> lowered_accesses;
  elements_of_array<program::axis_source> sources;
  elements_of_array<program::extent_use> uses;
  // For messages.
  elements_of_array<node_in_message> nodes;
  elements_of_array<int> edges;
};

/// How long the axes of a program are at a call, and what does not fit about that. None of it depends on the types of
/// the call: one instance serves all.
struct extents_at_call {
  const program_of_extents& program;
  const bound_tensor* tensors;
  const loops::indices_at_call* indices;
  const loops::bound_number* bounds;
  std::ptrdiff_t* extent;

  /// The extents of axes that no variable has.
  [[nodiscard]] bool measure_rules() const {
    for (const program::axis_rule& rule : program.rules) {
      const std::ptrdiff_t own = extent_of(rule, false);
      std::ptrdiff_t& whole = extent[rule.axis];
      if (own < 0 || (whole != 1 && whole != own)) return false;
      whole = own;
    }
    // What a rule was measured by may have become longer since.
    for (const program::axis_rule& rule : program.rules)
      if (extent_of(rule, false) != extent[rule.axis]) return false;
    return true;
  }
  /// Whether every value is as long as the loops take it for, wherever that matters.
  [[nodiscard]] bool compare() const {
    for (const program::extent_use& use : program.uses)
      if (use.compared && own_extent(use) != extent[use.axis]) return false;
    return true;
  }
  /// Whether what is reshaped fits; an exception where an index does not.
  [[nodiscard]] bool check_moves() const {
    if (misfitting_reshape()) return false;
    check_indices();
    return true;
  }
  /// The extents where axes are explicit; whether all that meets is broadcast.
  [[nodiscard]] bool measure_explicit() const {
    // Several tensors have that of a batch.
    if (measure_tensors(program.lowered_accesses)) return false;
    for (const program::axis_rule& rule : program.rules) {
      const std::ptrdiff_t length = extent_of(rule, true);
      if (length < 0) return false;
      extent[rule.axis] = length;
    }
    check_reshapes();
    check_elements();
    check_indices();
    return true;
  }
  /// A largest element needs an element; not of axes of which others may have some.
  void check_elements(program::axis_set but_of = 0) const {
    for (const program::extent_use& use : program.uses)
      if (!use.reduction.empty() && extent[use.axis] == 0 && (but_of & program::axis(use.axis)) == 0) no_elements(use);
  }

  /// The extents of the axes where those of 1 are broadcast, as `tensor_inputs` finds them; whether all fits.
  [[nodiscard]] bool measure(program::axis_set sharded) const {
    if (measure_tensors(program.accesses) || !measure_rules() || !compare() || !check_moves()) return false;
    check_elements(sharded);
    return true;
  }
  /// The cotangent of an output, whose shape is known.
  void check_cotangent(const bound_tensor& cotangent, const program::tensor_access& output) const {
    bool same = cotangent.rank == output.rank;
    for (std::size_t i = 0; same && i < static_cast<std::size_t>(output.rank); ++i)
      same = cotangent.extents[i] == extent_at(output, i);
    if (!same)
      raise<std::invalid_argument>({"the cotangent must have the shape of the formula: ", text(output), " and ",
                                    shape_text(cotangent.extents, cotangent.rank)});
  }

  /// Says what does not fit.
  [[noreturn]] void fail(std::size_t axes) const {
    std::fill_n(extent, axes, 1);
    if (const axis_of_access found = measure_tensors(program.accesses)) shapes_differ(found.axis, *found.access);
    for (const program::axis_rule& rule : program.rules) {
      const std::ptrdiff_t own = extent_of(rule, rule.wanted_by.empty());
      std::ptrdiff_t& whole = extent[rule.axis];
      if (own < 0 && !rule.wanted_by.empty())
        refuse(rule.wanted_by, whole, loops::value_of(*this, rule.begin), tensors_with(rule.axis));
      if (whole != 1 && whole != own) axis_differs(rule.axis, own);
      whole = own;
    }
    check_reshapes();
    for (const program::extent_use& use : program.uses)
      if (use.strict && own_extent(use) != extent[use.axis]) not_equal(own_extent(use), extent[use.axis]);
    raise<std::invalid_argument>(
        {"cannot broadcast an extent of 1, as the formula has too many axes to tell its uses apart; split the "
         "formula"});
  }

 private:
  const bound_tensor& tensor(int variable) const { return tensors[variable]; }
  std::string text(const program::tensor_access& access) const {
    std::array<std::ptrdiff_t, program::max_rank> extents{};
    for (std::size_t i = 0; i < static_cast<std::size_t>(access.rank); ++i) extents[i] = extent_at(access, i);
    return shape_text(extents, access.rank);
  }

  struct axis_of_access {
    const program::tensor_access* access = nullptr;
    int axis = -1;
    explicit operator bool() const { return access != nullptr; }
  };
  /// Gives axes, whose extents are 1 before, those of their tensors, where 1 is broadcast. The first that has another.
  [[nodiscard]] axis_of_access measure_tensors(const elements_of_array<program::tensor_access>& accesses) const {
    for (const program::tensor_access& access : accesses)
      for (std::size_t i = 0; access.is_variable() && i < static_cast<std::size_t>(access.rank); ++i) {
        const std::ptrdiff_t own = tensor(access.of).extents[i];
        if (own == 1 || access.axes[i] < 0) continue;
        std::ptrdiff_t& whole = extent[access.axes[i]];
        if (whole != 1 && whole != own) return {&access, access.axes[i]};
        whole = own;
      }
    return {};
  }

  /// What a rule makes an axis; -1 where it does not fit, or, if that alone tells, an exception.
  std::ptrdiff_t extent_of(const program::axis_rule& rule, bool throws) const {
    using form = program::axis_rule::form;
    const auto extent_at = [&](int axis) { return loops::extent_of(extent, axis); };
    switch (rule.how) {
      case form::sum: {
        const std::ptrdiff_t sum = loops::value_of(*this, rule.begin);
        if (sum < 0 && throws)
          raise<std::invalid_argument>(
              {"a number of steps, or an extent of one_hot, pad or segment_sum, cannot be negative: ", sum});
        return sum;
      }
      case form::range: {
        const std::ptrdiff_t whole = extent_at(rule.of);
        const std::ptrdiff_t first = loops::value_of(*this, rule.begin), last = loops::value_of(*this, rule.end);
        const std::ptrdiff_t step = loops::value_of(*this, rule.step);
        if (step == 0) raise<std::invalid_argument>({"slice: the step must not be 0"});
        std::ptrdiff_t begin = first < 0 ? first + whole : first, end = last < 0 ? last + whole : last;
        // Backwards the same of an axis that begins at its end.
        if (step < 0) begin = whole - 1 - begin, end = whole - 1 - end;
        if (begin >= 0 && end >= begin && whole >= end)
          return end == begin ? 0 : 1 + (end - begin - 1) / (step < 0 ? -step : step);
        if (throws)
          raise<std::out_of_range>({"slice: ", first, " to ", last, " is out of range for an axis of extent ", whole});
        return -1;
      }
      case form::element: {
        const std::ptrdiff_t whole = extent_at(rule.of), index = loops::value_of(*this, rule.begin);
        if (index >= -whole && index < whole) return 1;
        if (throws) raise<std::out_of_range>({"index ", index, " is not valid for an axis of extent ", whole});
        return -1;
      }
      case form::quotient: {
        std::ptrdiff_t product = 1;
        for (program::axis_set left = rule.factors; left; left &= left - 1)
          product *= extent_at(program::first_axis(left));
        return rule.divisor != 0 ? product / static_cast<std::ptrdiff_t>(rule.divisor) : product;
      }
      case form::broadcast: {
        const std::ptrdiff_t a = extent_at(rule.begin.axes[0]), b = extent_at(rule.begin.axes[1]);
        return a == b || b == 1 ? a : a == 1 ? b : -1;
      }
      case form::equal: {
        const std::ptrdiff_t own = extent_at(rule.axis), other = loops::value_of(*this, rule.begin);
        if (own != other && throws && !rule.wanted_by.empty()) refuse(rule.wanted_by, own, other, "");
        // Of two that no tensor is broadcast to, `fail` tells the names.
        if (own != other && throws && (own == 1 || other == 1)) not_equal(own, other);
        return own == other ? own : -1;
      }
    }
    return -1;
  }
  std::ptrdiff_t own_extent(const program::extent_use& use) const {
    std::ptrdiff_t own = 1;
    for (program::axis_set left = use.own; left; left &= left - 1) {
      const program::axis_source& from = program.sources[static_cast<std::size_t>(program::first_axis(left))];
      const std::ptrdiff_t length = from.rule >= 0
                                        ? extent[program.rules[static_cast<std::size_t>(from.rule)].axis]
                                        : tensor(from.variable).extents[static_cast<std::size_t>(from.position)];
      if (length != 1) own = length;
    }
    return own;
  }
  std::ptrdiff_t extent_at(const program::tensor_access& access, std::size_t i) const {
    return loops::extent_of(extent, access.axes[i]);
  }
  std::ptrdiff_t size_of(const program::tensor_access& access) const {
    std::ptrdiff_t result = 1;
    for (std::size_t i = 0; i < static_cast<std::size_t>(access.rank); ++i) result *= extent_at(access, i);
    return result;
  }

  /// None if what is reshaped fits.
  const program::tensor_move* misfitting_reshape() const {
    for (const program::tensor_move& move : program.moves)
      if (move.kind == program::move_kind::reshape && size_of(move.from) != size_of(move.to)) return &move;
    return nullptr;
  }
  void check_reshapes() const {
    if (const program::tensor_move* const move = misfitting_reshape())
      raise<std::invalid_argument>({"cannot reshape ", text(move->from), " to ", text(move->to)});
  }
  /// Indices that are bound are looked at before anything is computed.
  void check_indices() const {
    for (const chosen_move& each : program.chosen) {
      const program::tensor_move& move = program.moves[static_cast<std::size_t>(each.move)];
      const std::ptrdiff_t length = extent_at(move.kind == program::move_kind::take ? move.from : move.to,
                                              static_cast<std::size_t>(move.position));
      const std::ptrdiff_t* const at = indices[each.variable].data;
      for (std::ptrdiff_t i = 0; at && i < tensor(each.variable).extents[0]; ++i)
        if (at[i] < (move.segments ? 0 : -length) || at[i] >= length)
          raise<std::out_of_range>({move.segments ? "segment_sum" : "take", ": index ", at[i], " in ",
                                    shape_text(tensor(each.variable)), " is not valid for an axis of extent ", length});
    }
  }
  [[noreturn]] void no_elements(const program::extent_use& use) const {
    for (program::axis_set left = use.own; left; left &= left - 1) {
      const program::axis_source& from = program.sources[static_cast<std::size_t>(program::first_axis(left))];
      if (from.variable >= 0 && tensor(from.variable).extents[static_cast<std::size_t>(from.position)] == 0)
        raise<std::invalid_argument>({use.reduction, " over no elements: ", shape_text(tensor(from.variable))});
    }
    raise<std::invalid_argument>({use.reduction, " over no elements"});
  }

  [[noreturn]] static void not_equal(std::ptrdiff_t a, std::ptrdiff_t b) {
    raise<std::invalid_argument>(
        {"operands of concatenate or dot have extents ", a, " and ", b, " along an axis where they must be equal"});
  }
  [[noreturn]] static void refuse(std::string_view wanted_by, std::ptrdiff_t a, std::ptrdiff_t b,
                                  const std::string& tensors_there) {
    raise<std::invalid_argument>({wanted_by, "; their extents are ", a, " and ", b, tensors_there});
  }
  /// The bound tensors that have an axis, for a message.
  std::string tensors_with(int id) const {
    std::string result;
    for (const program::tensor_access& access : program.accesses)
      if (access.is_variable() && (access.set() & program::axis(id)) != 0)
        result = message({result, ", ", shape_text(tensor(access.of))});
    return result;
  }
  [[noreturn]] void axis_differs(int axis, std::ptrdiff_t own) const {
    const auto has_axis = [axis](const program::tensor_access& access) {
      return (access.set() & program::axis(axis)) != 0;
    };
    const char* maker = "one_hot";
    std::string other = message({"one of extent ", extent[axis]});
    for (std::size_t m = program.moves.size(); m-- > 0;) {
      constexpr const char* names[] = {"slice", "concatenate", "take", "segment_sum", "reshape"};
      const program::tensor_move& move = program.moves[m];
      if (move.kind != program::move_kind::read && has_axis(move.to) && !has_axis(move.from))
        maker = names[static_cast<int>(move.kind)];
    }
    for (const program::tensor_access& access : program.accesses)
      if (access.is_variable() && has_axis(access)) other = shape_text(tensor(access.of));
    raise<std::invalid_argument>(
        {"the shapes do not broadcast: an axis of extent ", own, " from ", maker, " and ", other});
  }
  [[noreturn]] void shapes_differ(int id, const program::tensor_access& access) const {
    // The first that the axis has its extent from.
    const auto has_extent = [&](const program::tensor_access& seen) {
      for (std::size_t i = 0; seen.is_variable() && i < static_cast<std::size_t>(seen.rank); ++i)
        if (seen.axes[i] == id && tensor(seen.of).extents[i] == extent[id]) return true;
      return false;
    };
    const program::tensor_access& other = *std::find_if(program.accesses.begin(), program.accesses.end(), has_extent);
    raise<std::invalid_argument>({"the shapes do not broadcast: ", shape_text(tensor(other.of)), " and ",
                                  shape_text(tensor(access.of)), where_axes_meet(id, other, access)});
  }
  /// Of which operation two tensors are operands along an axis, for a message.
  std::string where_axes_meet(int id, const program::tensor_access& a, const program::tensor_access& b) const {
    // For each node whether it has this axis of the one, of the other.
    std::vector<unsigned> has(program.nodes.size());
    const node_in_message* meeting = nullptr;
    for (std::size_t i = 0; i < has.size(); ++i) {
      const node_in_message& n = program.nodes[i];
      const auto operand = [&](int j) {
        return static_cast<std::size_t>(program.edges[static_cast<std::size_t>(n.first + j)]);
      };
      unsigned& to = has[i];
      if (n.access >= 0) {
        const program::tensor_access& own = program.lowered_accesses[static_cast<std::size_t>(n.access)];
        to = (own == a) | (own == b) * 2u;
      }
      for (int j = 0; j < n.count; ++j) to |= has[operand(j)];
      if (to == 3 && !meeting) meeting = &n;
      // What dot is made of.
      if (meeting && n.reduced == program::axis(id) && &program.nodes[operand(0)] == meeting)
        return ", operands of dot or multiply";
      if ((n.axes & program::axis(id)) == 0) to = 0;
    }
    if (!meeting || meeting->operation.empty()) return "";
    return message({", operands of ", meeting->moves ? "concatenate" : meeting->operation});
  }
};

}  // namespace tapeless::detail::inline TAPELESS_TARGET
