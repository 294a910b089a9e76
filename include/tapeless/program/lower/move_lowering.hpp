#pragma once

#include <tapeless/operation/tensor/broadcast.hpp>
#include <tapeless/program/lower/reduction_lowering.hpp>

#include <cstddef>
#include <cstdint>

namespace tapeless::program {

/// Elements of tensors that are elsewhere in the result.
class move_lowering : public reduction_lowering {
 public:
  using reduction_lowering::reduction_lowering;

  /// Elements `begin` to `end` along an axis, to the last if there is no `end`, each or one in `step`; negative bounds
  /// count from the back.
  constexpr tensor_value slice(const tensor_value& operand, int along, const tensor_value& begin,
                               const tensor_value* end = nullptr, const tensor_value* step = nullptr) {
    const int position = at(operand, along);
    if (position < 0) return operand;
    extent_sum bound;
    if (end)
      bound = number_of(*end);
    else if (const int axis = operand.axes[position]; axis >= 0)
      bound.axes[bound.count++] = axis_of(axis);
    else
      bound.constant = 1;
    tensor_move move{move_kind::slice, access_of(operand), access_of(operand), position, number_of(begin)};
    if (step) move.step = {number_of(*step).constant, number_of(*step).number};
    use(operand.axes[position]);
    tensor_value result = operand;
    result.axes[position] = move.to.axes[position] =
        new_axis({{}, axis_rule::form::range, move.begin, bound, move.from.axes[position], 0, 1, {}, move.step});
    result.node = moved(move, operand.node);
    return result;
  }

  /// The elements at an index along the first axis, which the result lacks.
  constexpr tensor_value pick(const tensor_value& operand, const tensor_value& index) {
    if (at(operand, 0) < 0) return operand;
    if (of_step_ && index.rank == 0 && !graph.constant_of(index.node) &&
        graph.nodes[index.node].kind != node_kind::number)
      return take(operand, 0, index);
    use(operand.axes[0]);
    tensor_move move{move_kind::slice, access_of(operand), access_of(operand), 0, number_of(index, true)};
    // An axis that no value has: the call checks the index.
    new_axis({{}, axis_rule::form::element, move.begin, {}, move.from.axes[0]}, 1);
    move.to.axes[0] = -1;
    tensor_value result = without_first_axis(operand);
    result.node = moved(move, operand.node);
    return result;
  }

  /// The elements in reverse order along an axis.
  constexpr tensor_value flip(const tensor_value& operand, int along) {
    return moved_along(operand, along, {move_kind::slice, {}, {}, 0, {-1, -1, 0, {}}, {-1, -1}});
  }
  /// The elements moved on along an axis, those that leave it at its end to its beginning.
  constexpr tensor_value roll(const tensor_value& operand, int along, const tensor_value& by) {
    return moved_along(operand, along, {move_kind::roll, {}, {}, 0, number_of(by)});
  }
  /// The sums of the elements up to each along an axis.
  constexpr tensor_value cumsum(const tensor_value& operand, int along) {
    return moved_along(operand, along, {move_kind::accumulate, {}, {}, 0});
  }
  /// The products of the elements up to each along an axis: of rows, each with ones from some element on.
  constexpr tensor_value cumprod(const tensor_value& operand, int along) {
    const int position = at(operand, along);
    const int id = position < 0 ? -1 : operand.axes[position];
    if (id < 0) return operand;
    use(id);
    tensor_value result = operand;
    result.axes[position] = as_long_as(id);
    const traced factors = where(index_of(id) <= index_of(result.axes[position]), number(operand), traced(1));
    const int node = tapeless::detail::node_in(graph, factors);
    result.node = graph.append_reduction(info<operation::Prod>, node, this->along(node, id));
    return result;
  }

  /// `before` and `after` elements around those along an axis: zeros, or `filling`.
  constexpr tensor_value pad(const tensor_value& operand, int along, const tensor_value& before,
                             const tensor_value& after, const tensor_value* filling = nullptr) {
    const int position = at(operand, along);
    refuse_if(filling && filling->rank > 0, fault::filling_no_number);
    if (position < 0 || refused()) return operand;
    const int own = operand.axes[position];
    const int parts[] = {counted_axis(number_of(before)), own, counted_axis(number_of(after))};
    use(own);
    growing_array<tensor_move> moves;
    growing_array<int> nodes;
    extent_sum begin;
    for (int k = 0; k < 3; ++k) {
      tensor_value part = operand;
      part.axes[position] = parts[k];
      if (filling || k == 1) {
        moves.push_back({move_kind::pad, access_of(part), {}, position, begin});
        nodes.push_back(graph.as_number(k == 1 ? operand.node : filling->node));
      }
      add_length(begin, parts[k]);
    }
    tensor_value result = operand;
    result.axes[position] = counted_axis(begin);
    return side_by_side(moves, nodes, result);
  }

  /// Broadcasts a value to the shape of another.
  constexpr tensor_value broadcast_like(const tensor_value& value, const tensor_value& shape) {
    if (refuse_if(value.rank > shape.rank, fault::broadcast_to_smaller_rank)) return shape;
    tensor_value operands[] = {value, shape};
    for (tensor_value& operand : operands) operand.node = graph.as_number(operand.node);
    const tensor_value result = elementwise(info<operation::Broadcast>, operands, 2);
    for (int i = 0; i < result.rank; ++i)
      require_length(result.axes[i], operands[1].axes[i],
                     "broadcast_like needs a tensor that broadcasts to the shape of the other");
    return result;
  }

  /// A vector as the diagonal of a matrix, or the diagonal of a matrix.
  constexpr tensor_value diag(const tensor_value& operand) {
    if (operand.rank == 2) return diagonal(operand);
    if (refuse_if(operand.rank != 1, fault::diag_of_other_rank)) return operand;
    tensor_value result{operand.node, 2, {operand.axes[0], -1}};
    const int id = operand.axes[0];
    if (id < 0) return result;
    use(id);
    const int column = result.axes[1] = as_long_as(id);
    result.node = tapeless::detail::node_in(graph, where(index_of(id) == index_of(column), number(operand), traced(0)));
    return result;
  }
  /// Zeros above, or below, diagonal number `offset` of matrices.
  constexpr tensor_value triangle(const tensor_value& operand, const tensor_value& offset, bool is_lower) {
    if (!has_matrices(operand)) return operand;
    refuse_if(offset.rank > 0, fault::bounds_not_numbers);
    const traced row = index_of(operand.axes[operand.rank - 2]), column = index_of(operand.axes[operand.rank - 1]),
                 last = row + traced(graph, offset.node);
    use(operand.axes[operand.rank - 2]), use(operand.axes[operand.rank - 1]);
    tensor_value result = operand;
    result.node =
        tapeless::detail::node_in(graph, where(is_lower ? column <= last : column >= last, number(operand), traced(0)));
    return result;
  }

  /// The sums, for each of `count` segments, of the elements along the first axis that `segments` say to be of it.
  constexpr tensor_value segment_sum(const tensor_value& operand, tensor_value segments, const tensor_value& count) {
    const int position = at(operand, 0);
    refuse_if(segments.rank != 1, fault::indices_of_other_rank);
    if (position < 0 || segments.rank != 1) return operand;
    keep_explicit(segments, operand, 0);
    // Along one axis with what they sum.
    segments.rank = operand.rank;
    for (int i = 1; i < operand.rank; ++i) segments.axes[i] = -1;
    unite_or_rename(operand, segments);
    require_length(operand.axes[0], segments.axes[0],
                   "segment_sum needs one index for each element along the first axis");
    tensor_value from = operand;
    from.axes[0] = segments.axes[0];
    if (explicit_) from.node = spread(operand, from);
    tensor_value result = operand;
    result.axes[0] = counted_axis(number_of(count));
    tensor_move move{move_kind::put, access_of(from), access_of(result), 0, {}};
    move.segments = true;
    result.node = moved(move, from.node, segments.node);
    return result;
  }

  /// The elements at `indices` along an axis, which the axes of the indices replace.
  constexpr tensor_value take(const tensor_value& operand, int along, tensor_value indices) {
    const int position = at(operand, along);
    if (position < 0) return operand;
    if (refuse_if(operand.rank - 1 + indices.rank > max_rank, fault::rank_too_large)) return operand;
    keep_explicit(indices, operand, position);
    if (indices.rank != 1) {
      constexpr std::ptrdiff_t all[] = {-1};
      tensor_value result{-1, operand.rank - 1 + indices.rank, {}};
      for (int i = 0; i < result.rank; ++i)
        result.axes[i] = i < position                  ? operand.axes[i]
                         : i < position + indices.rank ? indices.axes[i - position]
                                                       : operand.axes[i + 1 - indices.rank];
      const tensor_value taken = take(operand, position, reshape(indices, all, 1));
      result.node = moved({move_kind::reshape, access_of(taken), access_of(result), 0, {}}, taken.node);
      return result;
    }
    use(operand.axes[position]);
    // Computed ones are looked at as many as they are.
    if (graph.nodes[indices.node].kind != node_kind::variable) use(indices.axes[0]);
    tensor_value result = operand;
    result.axes[position] = indices.axes[0];
    result.node =
        moved({move_kind::take, access_of(operand), access_of(result), position, {}}, operand.node, indices.node);
    return result;
  }

  /// The same elements in row-major order with other extents, of which one may be -1: what is left.
  constexpr tensor_value reshape(const tensor_value& operand, const std::ptrdiff_t* extents, int count) {
    if (refuse_if(count > max_rank, fault::rank_too_large)) return operand;
    tensor_value result{-1, count, {}};
    for (int i = 0; i < operand.rank; ++i) use(operand.axes[i]);
    std::int64_t product = 1;
    int open = -1;
    for (int i = 0; i < count; ++i) {
      if (extents[i] < 0) {
        refuse_if(open >= 0, fault::reshape_of_unknown_extents);
        open = i;
        continue;
      }
      product *= extents[i];
      const extent_sum length{extents[i], -1, 0, {}};
      result.axes[i] = extents[i] == 1 ? -1 : new_axis({{}, axis_rule::form::sum, length}, extents[i]);
    }
    const tensor_access from = access_of(operand);
    if (open >= 0) result.axes[open] = new_axis({{}, axis_rule::form::quotient, {}, {}, -1, from.set(), product});
    result.node = moved({move_kind::reshape, from, access_of(result), 0, {}}, operand.node);
    return result;
  }

  /// The operands one after the other along an axis.
  constexpr tensor_value concatenate(tensor_value* operands, int count, int along) {
    const int position = at(operands[0], along);
    if (position < 0) return operands[0];
    if (refuse_if(count > extent_sum::max_count, fault::too_many_axes)) return operands[0];
    extent_sum begin;
    tensor_value result = operands[0];
    growing_array<int> nodes;
    growing_array<tensor_move> moves;
    for (int k = 0; k < count; ++k) {
      if (refuse_if(operands[k].rank != result.rank, fault::axis_out_of_range)) return result;
      result.axes[position] = -1;
      if (k > 0) unite_or_rename(result, operands[k], 0, position);
      // Everything but the axis along is the same.
      tensor_value shape = part_of(operands[k], 0, position);
      for (int i = 0; i < shape.rank; ++i) require_equal(result.axes[i], shape.axes[i]);
      const int own = operands[k].axes[position];
      if (k > 0 && !explicit_) result = joined(result, shape);
      for (int i = 0; i < shape.rank; ++i) use(shape.axes[i]);
      use(own);
      shape.axes[position] = own;
      moves.push_back({move_kind::pad, access_of(shape), {}, position, begin});
      nodes.push_back(graph.as_number(shape.node));
      add_length(begin, own);
    }
    result.axes[position] = counted_axis(begin);
    return side_by_side(moves, nodes, result);
  }

  /// Labels as rows of zeros with a 1 in the column that the label names.
  constexpr tensor_value one_hot(const tensor_value& labels, const tensor_value& classes) {
    if (refuse_if(labels.rank == max_rank, fault::rank_too_large)) return labels;
    const int id = counted_axis(number_of(classes));
    tensor_value result = labels;
    result.axes[result.rank++] = id;
    const int compared[] = {labels.node, index_along(graph, id)};
    const int selected[] = {graph.append(info<operation::Equal>, compared, 2), graph.constant(1), graph.constant(0)};
    result.node = graph.append(info<operation::Where>, selected, 3);
    return result;
  }

  /// How many steps a loop over a tensor has.
  constexpr tensor_value length(const tensor_value& operand) {
    const bool none = refuse_if(operand.rank == 0, fault::loop_over_number);
    return scalar(none || operand.axes[0] < 0 ? graph.constant(1) : extent_of(graph, axis_of(operand.axes[0])));
  }

 protected:
  bool of_step_ = false;
  /// A number that a bound or an extent is given by. A loop hands numbers of the function to its steps as values, which
  /// can be indices.
  constexpr extent_sum number_of(const tensor_value& value, bool is_index = false) {
    const node& n = graph.nodes[value.node];
    refuse_if(n.kind == node_kind::number && of_step_ && !is_index, fault::bound_in_step);
    if (n.kind == node_kind::number) return {0, n.leaf, 0, {}};
    const constant_value* constant = graph.constant_of(value.node);
    // In a function 0 is a literal.
    if (constant && constant->denominator == 0 && constant->literal == 0.0) return {};
    if (refuse_if(!constant || constant->denominator != 1, fault::bounds_not_numbers)) return {};
    return {constant->numerator, -1, 0, {}};
  }

 private:
  /// Nodes that are moved into ranges of one value.
  constexpr tensor_value side_by_side(growing_array<tensor_move>& moves, const growing_array<int>& nodes,
                                      tensor_value result) {
    bool of_batch = false;
    for (const int each : nodes) of_batch = of_batch || varies_over_batch(each);
    for (tensor_move* move = moves.data; move != moves.data + moves.size; ++move) {
      move->to = access_of(result);
      if (of_batch) lead_with_batch(move->from), lead_with_batch(move->to), ++move->position;
    }
    result.node = graph.append_move(info<operation::Move>, moves.data, nodes.data, moves.size);
    return result;
  }
  constexpr void add_length(extent_sum& to, int id) const {
    if (id >= 0)
      to.axes[to.count++] = axis_of(id);
    else
      to.constant += 1;
  }
  /// Elements moved along an axis that stays as long as it is.
  constexpr tensor_value moved_along(const tensor_value& operand, int along, tensor_move move) {
    const int position = at(operand, along);
    if (position < 0 || operand.axes[position] < 0) return operand;
    use(operand.axes[position]);
    move.from = move.to = access_of(operand);
    move.position = position;
    tensor_value result = operand;
    result.node = moved(move, operand.node);
    return result;
  }
};

}  // namespace tapeless::program
