#pragma once

#include <tapeless/program/lower/number_axes.hpp>
#include <tapeless/program/rewrite/sum_rules.hpp>

#include <string_view>

namespace tapeless::program {

/// What operations of matrices are made of. They take matrices along the last two axes, one for each place along the
/// others; these are broadcast.
class matrix_lowering : public numbered_axes {
 public:
  using numbered_axes::numbered_axes;
  using numbered_axes::require_length;

  /// Whether a value has matrices.
  constexpr bool has_matrices(const tensor_value& value) { return !refuse_if(value.rank < 2, fault::no_matrices); }
  constexpr void require_square(const tensor_value& value, std::string_view wanted_by) {
    if (value.rank >= 2) require_length(value.axes[value.rank - 2], value.axes[value.rank - 1], wanted_by);
  }
  /// Broadcasts the leading axes of two values together.
  constexpr void broadcast_leading(tensor_value& a, tensor_value& b) {
    unite_or_rename(part_of(a, 2), b, 2);
    tensor_value leading = joined(part_of(a, 2), part_of(b, 2));
    if (explicit_) separate(leading);
    lead_with(a, leading), lead_with(b, leading);
  }
  /// Broadcasts the leading axes of matrices to those of others.
  constexpr void lead_like(tensor_value& value, const tensor_value& other) {
    lead_with(value, {-1, other.rank - 2, other.axes});
  }
  /// A vector as a matrix of one column.
  static constexpr tensor_value as_column(tensor_value value) {
    if (value.rank == 1) value.axes[value.rank++] = -1;
    return value;
  }
  /// An axis that is longer by one than another.
  constexpr int longer_axis(int id) {
    const extent_sum length = length_of(id, 1);
    for (const axis_rule& rule : graph.axis_rules)
      if (rule.how == axis_rule::form::sum && rule.begin == length) return rule.axis;
    return counted_axis(length);
  }
  /// `Op` of matrices; the result has the axes of `result`.
  template <class Op, class... Values>
  constexpr tensor_value of_matrices(tensor_value result, const Values&... operands) {
    tensor_move reads[] = {{move_kind::read, access_of(operands), access_of(result), 0, {}}...};
    if ((varies_over_batch(operands.node) || ...))
      for (tensor_move& each : reads) lead_with_batch(each.from), lead_with_batch(each.to);
    const int nodes[] = {graph.as_number(operands.node)...};
    for (const tensor_value& value : {operands...})
      for (int i = value.rank > 2 ? value.rank - 2 : 0; i < value.rank; ++i) use(value.axes[i]);
    result.node = graph.append_move(info<Op>, reads, nodes, sizeof...(operands));
    return result;
  }

  /// The diagonals along the last two axes.
  constexpr tensor_value diagonal(tensor_value value) {
    if (!has_matrices(value)) return value;
    require_square(value, "diagonal and trace need square matrices");
    const int row = value.axes[value.rank - 2], column = value.axes[value.rank - 1];
    --value.rank;
    // Where one is not an axis the other has the extent 1.
    if (row < 0) value.axes[value.rank - 1] = column;
    if (row < 0 || column < 0) return value;
    const int i = index_along(graph, axis_of(row)), j = index_along(graph, axis_of(column));
    const int is_diagonal = graph.make<operation::Equal>(i, j);
    value.node = graph.make<operation::Where>(is_diagonal, value.node, graph.constant(0));
    value.node = sum_over(graph, value.node, along(value.node, column));
    return value;
  }
};

}  // namespace tapeless::program
