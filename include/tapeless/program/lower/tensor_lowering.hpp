#pragma once

#include <tapeless/operation/gradient_surgery.hpp>
#include <tapeless/operation/scan.hpp>
#include <tapeless/operation/tensor/broadcast.hpp>
#include <tapeless/operation/tensor/over_axes.hpp>
#include <tapeless/operation/tensor/verb_inside.hpp>
#include <tapeless/program/graph/verify_independent_steps.hpp>
#include <tapeless/program/lower/einsum_letters.hpp>
#include <tapeless/program/lower/loop.hpp>
#include <tapeless/program/lower/lowering.hpp>
#include <tapeless/program/lower/matrix_lowering.hpp>
#include <tapeless/program/lower/reduced_axes.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tapeless::program {

template <class Source>
class recorded_lowering;

/// From formulas and the ranks of what is bound, to a program: what operations of tensors are made of.
class tensor_lowering : public matrix_lowering {
 public:
  using value_type = tensor_value;
  lowered_types<tensor_value> known;

  using matrix_lowering::matrix_lowering;

  constexpr tensor_value scalar(int node) const { return {node, 0, {}}; }
  constexpr tensor_value stop(tensor_value operand) {
    operand.node = graph.stop(operand.node);
    return operand;
  }

  template <class Op, std::size_t... I>
  constexpr tensor_value apply(tensor_value* operands, std::index_sequence<I...>) {
    constexpr int count = sizeof...(I);
    if constexpr (requires { Op::lower_list(*this, operands, count); })
      return Op::lower_list(*this, operands, count);
    else if constexpr (requires { Op::lower(*this, operands[I]...); })
      return Op::lower(*this, operands[I]...);
    else
      return apply(info<Op>, operands, count);
  }
  /// An operation element by element, its operands broadcast.
  constexpr tensor_value elementwise(const operation_info& operation, tensor_value* operands, int count) {
    tensor_value result{-1, 0, {}};
    growing_array<int> nodes;
    for (int i = 0; i < count; ++i) {
      result = align(result, operands[i]);
      nodes.push_back(operands[i].node);
    }
    if (explicit_) {
      separate(result);
      for (int i = 0; i < count; ++i) nodes[i] = spread(operands[i], result);
    }
    axis_set axes = 0;
    for (int i = 0; i < count; ++i) axes |= graph.nodes[nodes[i]].axes;
    result.node = graph.append(operation, nodes.data, nodes.size);
    // A rewrite must not lose an operand that the result is broadcast to: where(x < y, a, a) has the shape of all.
    if (axes & ~graph.nodes[result.node].axes) result.node = graph.append_unfolded(operation, nodes.data, nodes.size);
    return result;
  }

  /// `Kind` over the axes at `positions`, over all if there are none.
  template <class Kind>
  constexpr tensor_value over_axes(const tensor_value& operand, const int* positions = nullptr, int count = 0,
                                   bool keep = false) {
    std::array<bool, max_rank> chosen{};
    for (int i = 0; i < count; ++i) {
      const int position = at(operand, positions[i]);
      if (position >= 0 && chosen.data()[position]) problem = tensor_problem::axis_named_twice;
      if (position >= 0) chosen.data()[position] = true;
    }
    constexpr bool keeps = requires { Kind::keeps_axes; };
    axis_set reduced = 0, counted = 0;
    tensor_value result = operand;
    result.rank = 0;
    for (int i = 0; i < operand.rank; ++i) {
      const int id = operand.axes.data()[i];
      if (count > 0 && !chosen.data()[i]) {
        result.axes.data()[result.rank++] = id;
        continue;
      }
      if (id >= 0) {
        reduced |= along(operand.node, id), counted |= axis(axis_of(id));
        constexpr bool needs_element = requires { Kind::needs_element; };
        use(id, !needs_element                        ? extent_use::extreme::none
                : std::same_as<Kind, operation::AMin> ? extent_use::extreme::smallest
                                                      : extent_use::extreme::largest);
      }
      if (keeps) result.axes.data()[result.rank++] = id;
      if (!keeps && keep) result.axes.data()[result.rank++] = -1;
    }
    const reduced_axes axes(graph, reduced, counted);
    const traced x(graph, operand.node);
    if constexpr (requires { Kind::over(x, axes); })
      result.node = tapeless::detail::node_in(graph, traced(Kind::over(x, axes)));
    else if (reduced)
      result.node = graph.append_reduction(info<Kind>, operand.node, reduced);
    return result;
  }

  /// An operation of numbers: of one tensor those of any number of operands take all elements.
  constexpr tensor_value apply(const operation_info& applied, tensor_value* operands, int count) {
    if (count == 1) {
      if (applied == info<operation::Norm>) return over_axes<operation::NormOver>(operands[0]);
      if (applied == info<operation::LogSumExp>) return over_axes<operation::LogSumExpOver>(operands[0]);
      if (applied == info<operation::Max>) return over_axes<operation::AMax>(operands[0]);
      if (applied == info<operation::Min>) return over_axes<operation::AMin>(operands[0]);
    }
    return elementwise(applied, operands, count);
  }

  constexpr tensor_value dot(const tensor_value& a, const tensor_value& b) {
    tensor_value left = a, right = b;
    if (a.rank == 0 || b.rank == 0) return product(left, right);
    // [..., i, k] and [..., k, j] as [..., i, k, 1] and [..., 1, k, j]: aligned, multiplied and summed.
    if (refused(a.rank == max_rank || b.rank == max_rank, tensor_problem::rank_too_large)) return a;
    left.axes.data()[left.rank++] = -1;
    if (b.rank == 1) {
      right.axes.data()[right.rank++] = -1;
    } else {
      right = expand_dims(b, b.rank - 2);
    }
    const int inner = left.rank - 2;
    const tensor_value all = product(left, right);
    require_summed(left.axes.data()[inner], right.axes.data()[right.rank - 2]);
    const int contracted = all.axes.data()[all.rank - 2];
    tensor_value result{all.node, 0, {}};
    for (int i = 0; i < all.rank; ++i)
      if (const int back = all.rank - i; back > 3 || (back == 3 && a.rank > 1) || (back == 1 && b.rank > 1))
        result.axes.data()[result.rank++] = all.axes.data()[i];
    if (contracted >= 0) {
      use(contracted);
      result.node = sum_over(graph, all.node, along(all.node, contracted));
    }
    return result;
  }

  /// The sum of products that a subscript of NumPy's einsum tells, a letter an axis: of the first two operands, of that
  /// and the third, and so on. What no later operand nor the result has is summed as soon as it can be.
  constexpr tensor_value einsum(const tensor_value* operands, int count, std::string_view subscript) {
    einsum_subscript all(subscript);
    if (all.operands() != count) problem = tensor_problem::einsum_of_other_letters;
    if (problem != tensor_problem::none) return operands[0];
    if (count == 1) return einsum(operands[0], scalar(graph.constant(1)), {all.next(), {}, all.result()});
    tensor_value result = operands[0];
    const std::string_view first = all.next();
    growing_array<char> letters(first.data(), static_cast<int>(first.size()));
    for (int k = 1; k < count; ++k) {
      const auto text = [](const growing_array<char>& of) {
        return std::string_view(of.data, static_cast<std::size_t>(of.size));
      };
      const std::string_view next = all.next();
      const growing_array<char> kept = all.kept(text(letters), next);
      result = einsum(result, operands[k], {text(letters), next, text(kept)});
      letters = kept;
    }
    return result;
  }
  constexpr tensor_value einsum(const tensor_value& a, const tensor_value& b, const einsum_letters& letters) {
    if (letters.size > max_rank) problem = tensor_problem::rank_too_large;
    if (!letters.fit(a.rank, b.rank)) problem = tensor_problem::einsum_of_other_letters;
    if (problem != tensor_problem::none) return a;
    tensor_value left{a.node, letters.size, {}}, right{b.node, letters.size, {}};
    for (int i = 0; i < letters.size; ++i) {
      const int in_a = letters.in_first[i], in_b = letters.in_second[i];
      left.axes.data()[i] = in_a < 0 ? -1 : a.axes.data()[in_a];
      right.axes.data()[i] = in_b < 0 ? -1 : b.axes.data()[in_b];
    }
    tensor_value all = product(left, right);
    for (int i = 0; i < letters.size; ++i)
      if (letters.in_first[i] >= 0 && letters.in_second[i] >= 0)
        require_summed(left.axes.data()[i], right.axes.data()[i]);
    axis_set over = 0;
    for (int i = letters.kept; i < letters.size; ++i)
      if (const int id = all.axes.data()[i]; id >= 0) use(id), over |= along(all.node, id);
    all.rank = letters.kept;
    all.node = sum_over(graph, all.node, over);
    return all;
  }

  constexpr tensor_value outer(const tensor_value& a, const tensor_value& b) {
    if (refused(a.rank + b.rank > max_rank, tensor_problem::rank_too_large)) return a;
    tensor_value left{a.node, a.rank + b.rank, {}}, right{b.node, a.rank + b.rank, {}};
    for (int i = 0; i < a.rank + b.rank; ++i) {
      left.axes.data()[i] = i < a.rank ? a.axes.data()[i] : -1;
      right.axes.data()[i] = i < a.rank ? -1 : b.axes.data()[i - a.rank];
    }
    return product(left, right);
  }

  /// Position `axis` of a value, counted from the back where it is negative.
  constexpr int at(const tensor_value& value, int position) {
    const int from_front = position < 0 ? position + value.rank : position;
    if (from_front >= 0 && from_front < value.rank) return from_front;
    problem = tensor_problem::axis_out_of_range;
    return -1;
  }

  constexpr tensor_value transpose(const tensor_value& operand, const int* order, int count) {
    tensor_value result = operand;
    if (refused(count > 0 && count != operand.rank, tensor_problem::transpose_of_other_rank)) return result;
    std::array<bool, max_rank> seen{};
    for (int i = 0; i < operand.rank; ++i) {
      const int from = count > 0 ? at(operand, order[i]) : operand.rank - 1 - i;
      if (from < 0) return result;
      if (seen.data()[from]) problem = tensor_problem::axis_named_twice;
      seen.data()[from] = true;
      result.axes.data()[i] = operand.axes.data()[from];
    }
    return result;
  }

  constexpr tensor_value expand_dims(const tensor_value& operand, int position) {
    tensor_value result = operand;
    ++result.rank;
    if (refused(result.rank > max_rank, tensor_problem::rank_too_large)) return operand;
    const int place = at(result, position);
    for (int i = operand.rank; i > place && i > 0; --i) result.axes.data()[i] = operand.axes.data()[i - 1];
    if (place >= 0) result.axes.data()[place] = -1;
    return result;
  }

  /// Elements `begin` to `end` along an axis, to the last if there is no `end`, each or one in `step`; negative bounds
  /// count from the back.
  constexpr tensor_value slice(const tensor_value& operand, int along, const tensor_value& begin,
                               const tensor_value* end = nullptr, const tensor_value* step = nullptr) {
    const int position = at(operand, along);
    if (position < 0) return operand;
    extent_sum bound;
    if (end)
      bound = number_of(*end);
    else if (const int axis = operand.axes.data()[position]; axis >= 0)
      bound.axes.data()[bound.count++] = axis_of(axis);
    else
      bound.constant = 1;
    tensor_move move{move_kind::slice, access_of(operand), access_of(operand), position, number_of(begin)};
    if (step) move.step = {number_of(*step).constant, number_of(*step).number};
    use(operand.axes.data()[position]);
    tensor_value result = operand;
    result.axes.data()[position] = move.to.axes.data()[position] =
        new_axis({{}, axis_rule::form::range, move.begin, bound, move.from.axes.data()[position], 0, 1, {}, move.step});
    result.node = moved(move, operand.node);
    return result;
  }

  /// The elements at an index along the first axis, which the result lacks.
  constexpr tensor_value pick(const tensor_value& operand, const tensor_value& index) {
    if (at(operand, 0) < 0) return operand;
    if (of_step_ && index.rank == 0 && !graph.constant_of(index.node) &&
        graph.nodes[index.node].kind != node_kind::number)
      return take(operand, 0, index);
    const extent_sum begin = number_of(index, true);
    extent_sum end = begin;
    end.constant += 1;
    use(operand.axes.data()[0]);
    tensor_move move{move_kind::slice, access_of(operand), access_of(operand), 0, begin};
    const int along = move.from.axes.data()[0];
    // From the last element to the end.
    if (begin.number < 0 && begin.constant == -1) {
      end.constant = along < 0 ? 1 : 0;
      if (along >= 0) end.axes.data()[end.count++] = along;
    }
    // An axis that no value has: the call checks the range.
    new_axis({{}, axis_rule::form::range, begin, end, along}, 1);
    move.to.axes.data()[0] = -1;
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
    const int id = position < 0 ? -1 : operand.axes.data()[position];
    if (id < 0) return operand;
    use(id);
    tensor_value result = operand;
    result.axes.data()[position] = as_long_as(id);
    const traced factors = where(index_of(id) <= index_of(result.axes.data()[position]), number(operand), traced(1));
    const int node = tapeless::detail::node_in(graph, factors);
    result.node = graph.append_reduction(info<operation::Prod>, node, this->along(node, id));
    return result;
  }

  /// `before` and `after` elements around those along an axis: zeros, or `filling`.
  constexpr tensor_value pad(const tensor_value& operand, int along, const tensor_value& before,
                             const tensor_value& after, const tensor_value* filling = nullptr) {
    const int position = at(operand, along);
    if (filling && filling->rank > 0) problem = tensor_problem::filling_no_number;
    if (position < 0 || problem != tensor_problem::none) return operand;
    const int own = operand.axes.data()[position];
    const int parts[] = {counted_axis(number_of(before)), own, counted_axis(number_of(after))};
    use(own);
    growing_array<tensor_move> moves;
    growing_array<int> nodes;
    extent_sum begin;
    for (int k = 0; k < 3; ++k) {
      tensor_value part = operand;
      part.axes.data()[position] = parts[k];
      if (filling || k == 1) {
        moves.push_back({move_kind::pad, access_of(part), {}, position, begin});
        nodes.push_back(graph.as_number(k == 1 ? operand.node : filling->node));
      }
      add_length(begin, parts[k]);
    }
    tensor_value result = operand;
    result.axes.data()[position] = counted_axis(begin);
    return side_by_side(moves, nodes, result);
  }

  /// Broadcasts a value to the shape of another.
  constexpr tensor_value broadcast_like(const tensor_value& value, const tensor_value& shape) {
    if (refused(value.rank > shape.rank, tensor_problem::broadcast_to_smaller_rank)) return shape;
    tensor_value operands[] = {value, shape};
    for (tensor_value& operand : operands) operand.node = graph.as_number(operand.node);
    const tensor_value result = elementwise(info<operation::Broadcast>, operands, 2);
    for (int i = 0; i < result.rank; ++i)
      require_length(result.axes.data()[i], operands[1].axes.data()[i],
                     "broadcast_like needs a tensor that broadcasts to the shape of the other");
    return result;
  }

  /// The elements moved by at most `share` of 1 + their absolute values, by a chirp over the indices: as it has no
  /// pattern, it is orthogonal to nothing that programs compute.
  constexpr tensor_value displaced(const tensor_value& operand, double share) {
    traced phase = 1.0;
    double speed = 1;
    for (int i = 0; i < operand.rank; ++i, speed *= 1.618) phase = phase + speed * index_of(operand.axes.data()[i]);
    tensor_value result = operand;
    const traced x = number(operand);
    result.node = tapeless::detail::node_in(graph, x + share * (1 + abs(x)) * sin(phase * phase));
    return result;
  }

  /// A vector as the diagonal of a matrix, or the diagonal of a matrix.
  constexpr tensor_value diag(const tensor_value& operand) {
    if (operand.rank == 2) return diagonal(operand);
    if (refused(operand.rank != 1, tensor_problem::diag_of_other_rank)) return operand;
    tensor_value result{operand.node, 2, {operand.axes.data()[0], -1}};
    const int id = operand.axes.data()[0];
    if (id < 0) return result;
    use(id);
    const int column = result.axes.data()[1] = as_long_as(id);
    result.node = tapeless::detail::node_in(graph, where(index_of(id) == index_of(column), number(operand), traced(0)));
    return result;
  }
  /// Zeros above, or below, diagonal number `offset` of matrices.
  constexpr tensor_value triangle(const tensor_value& operand, const tensor_value& offset, bool is_lower) {
    if (!has_matrices(operand)) return operand;
    if (offset.rank > 0) problem = tensor_problem::bounds_not_numbers;
    const traced row = index_of(operand.axes.data()[operand.rank - 2]),
                 column = index_of(operand.axes.data()[operand.rank - 1]), last = row + traced(graph, offset.node);
    use(operand.axes.data()[operand.rank - 2]), use(operand.axes.data()[operand.rank - 1]);
    tensor_value result = operand;
    result.node =
        tapeless::detail::node_in(graph, where(is_lower ? column <= last : column >= last, number(operand), traced(0)));
    return result;
  }

  /// The sums, for each of `count` segments, of the elements along the first axis that `segments` say to be of it.
  constexpr tensor_value segment_sum(const tensor_value& operand, tensor_value segments, const tensor_value& count) {
    const int position = at(operand, 0);
    if (segments.rank != 1) problem = tensor_problem::indices_of_other_rank;
    if (position < 0 || segments.rank != 1) return operand;
    keep_explicit(segments, operand, 0);
    // Along one axis with what they sum.
    segments.rank = operand.rank;
    for (int i = 1; i < operand.rank; ++i) segments.axes.data()[i] = -1;
    unite_or_rename(operand, segments);
    require_length(operand.axes.data()[0], segments.axes.data()[0],
                   "segment_sum needs one index for each element along the first axis");
    tensor_value from = operand;
    from.axes.data()[0] = segments.axes.data()[0];
    if (explicit_) from.node = spread(operand, from);
    tensor_value result = operand;
    result.axes.data()[0] = counted_axis(number_of(count));
    tensor_move move{move_kind::put, access_of(from), access_of(result), 0, {}};
    move.segments = true;
    result.node = moved(move, from.node, segments.node);
    return result;
  }

  /// The elements at `indices` along an axis, which the axes of the indices replace.
  constexpr tensor_value take(const tensor_value& operand, int along, tensor_value indices) {
    const int position = at(operand, along);
    if (position < 0) return operand;
    if (refused(operand.rank - 1 + indices.rank > max_rank, tensor_problem::rank_too_large)) return operand;
    keep_explicit(indices, operand, position);
    if (indices.rank != 1) {
      constexpr std::ptrdiff_t all[] = {-1};
      tensor_value result{-1, operand.rank - 1 + indices.rank, {}};
      for (int i = 0; i < result.rank; ++i)
        result.axes.data()[i] = i < position                  ? operand.axes.data()[i]
                                : i < position + indices.rank ? indices.axes.data()[i - position]
                                                              : operand.axes.data()[i + 1 - indices.rank];
      const tensor_value taken = take(operand, position, reshape(indices, all, 1));
      result.node = moved({move_kind::reshape, access_of(taken), access_of(result), 0, {}}, taken.node);
      return result;
    }
    use(operand.axes.data()[position]);
    // Computed ones are looked at as many as they are.
    if (graph.nodes[indices.node].kind != node_kind::variable) use(indices.axes.data()[0]);
    tensor_value result = operand;
    result.axes.data()[position] = indices.axes.data()[0];
    result.node =
        moved({move_kind::take, access_of(operand), access_of(result), position, {}}, operand.node, indices.node);
    return result;
  }

  /// The same elements in row-major order with other extents, of which one may be -1: what is left.
  constexpr tensor_value reshape(const tensor_value& operand, const std::ptrdiff_t* extents, int count) {
    if (refused(count > max_rank, tensor_problem::rank_too_large)) return operand;
    tensor_value result{-1, count, {}};
    for (int i = 0; i < operand.rank; ++i) use(operand.axes.data()[i]);
    std::int64_t product = 1;
    int open = -1;
    for (int i = 0; i < count; ++i) {
      if (extents[i] < 0) {
        if (open >= 0) problem = tensor_problem::reshape_of_unknown_extents;
        open = i;
        continue;
      }
      product *= extents[i];
      const extent_sum length{extents[i], -1, 0, {}};
      result.axes.data()[i] = extents[i] == 1 ? -1 : new_axis({{}, axis_rule::form::sum, length}, extents[i]);
    }
    const tensor_access from = access_of(operand);
    if (open >= 0)
      result.axes.data()[open] = new_axis({{}, axis_rule::form::quotient, {}, {}, -1, from.set(), product});
    result.node = moved({move_kind::reshape, from, access_of(result), 0, {}}, operand.node);
    return result;
  }

  /// The operands one after the other along an axis.
  constexpr tensor_value concatenate(tensor_value* operands, int count, int along) {
    const int position = at(operands[0], along);
    if (position < 0) return operands[0];
    if (refused(count > extent_sum::max_count, tensor_problem::too_many_axes)) return operands[0];
    extent_sum begin;
    tensor_value result = operands[0];
    growing_array<int> nodes;
    growing_array<tensor_move> moves;
    for (int k = 0; k < count; ++k) {
      if (refused(operands[k].rank != result.rank, tensor_problem::axis_out_of_range)) return result;
      result.axes.data()[position] = -1;
      if (k > 0) unite_or_rename(result, operands[k], 0, position);
      // Everything but the axis along is the same.
      tensor_value shape = part_of(operands[k], 0, position);
      for (int i = 0; i < shape.rank; ++i) require_equal(result.axes.data()[i], shape.axes.data()[i]);
      const int own = operands[k].axes.data()[position];
      if (k > 0 && !explicit_) result = joined(result, shape);
      for (int i = 0; i < shape.rank; ++i) use(shape.axes.data()[i]);
      use(own);
      shape.axes.data()[position] = own;
      moves.push_back({move_kind::pad, access_of(shape), {}, position, begin});
      nodes.push_back(graph.as_number(shape.node));
      add_length(begin, own);
    }
    result.axes.data()[position] = counted_axis(begin);
    return side_by_side(moves, nodes, result);
  }

  /// Labels as rows of zeros with a 1 in the column that the label names.
  constexpr tensor_value one_hot(const tensor_value& labels, const tensor_value& classes) {
    if (refused(labels.rank == max_rank, tensor_problem::rank_too_large)) return labels;
    const int id = counted_axis(number_of(classes));
    tensor_value result = labels;
    result.axes.data()[result.rank++] = id;
    const int compared[] = {labels.node, index_along(graph, id)};
    const int selected[] = {graph.append(info<operation::Equal>, compared, 2), graph.constant(1), graph.constant(0)};
    result.node = graph.append(info<operation::Where>, selected, 3);
    return result;
  }

  /// How long a tensor is along its first axis.
  constexpr tensor_value length(const tensor_value& operand) {
    const int position = at(operand, 0), id = position < 0 ? -1 : operand.axes.data()[position];
    return scalar(id < 0 ? graph.constant(1) : extent_of(graph, axis_of(id)));
  }
  /// The loop `Loop`. A step is lowered for what it asks of shapes, and for those of what the loop gives; what it
  /// computes is not needed here.
  template <class Loop>
  constexpr tensor_value scan(const tensor_value* operands) {
    constexpr operation::scan_shape shape = Loop::shape;
    growing_array<tensor_value> given(operands, shape.operands()), of_step;
    if (shape.checkpoints != 0) problem = tensor_problem::checkpoints_of_tensors;
    if (given[0].rank > 0) problem = tensor_problem::condition_no_number;
    for (int k = shape.first_sequence(); k < given.size; ++k)
      if (given[k].rank == 0) problem = tensor_problem::loop_over_number;
    if (problem != tensor_problem::none) return keep_results({Loop::outputs, given[0]});
    if constexpr (adds_up<Loop>)
      if (!graph.plain && batch_axis_ < 0) {
        const tensor_lowering before = *this;
        const growing_array<tensor_value> sums = sums_of_steps<Loop>(given);
        if (sums.size > 0 && problem == tensor_problem::none) return keep_results(sums);
        *this = before;
      }
    const auto sequence = [&](int k) { return given[shape.first_sequence() + k]; };
    int steps = -1;
    // A branch is taken or not; other loops have an axis.
    if (!shape.once) {
      const int count = counted(given[0].node);
      const int most = most_of(count);
      steps = steps_of(most, shape.sequences == 0 ? nullptr : given.data + shape.first_sequence());
      steps_.push_back(steps);
      // All of the axis, or as many as are counted.
      given[0] = {most == count ? graph.constant(-1) : count, 1, {steps}};
    }
    for (int k = 1; k < shape.first_sequence(); ++k) of_step.push_back(given[k]);
    for (int k = 0; k < shape.sequences; ++k) {
      require_length(sequence(k).axes.data()[0], steps, "the sequences of a scan must be equally long");
      of_step.push_back(element_of(sequence(k)));
    }
    // No number of the call, so that nothing is taken for known that a step finds unknown.
    const int number = shape.once ? graph.constant(0) : extent_of(graph, axis_of(steps));
    of_step.push_back(scalar(graph.make<operation::Add>(number, graph.constant({0, 0, 0.5}))));
    const growing_array<tensor_value> results = lower_step<typename Loop::body>(of_step);
    if (problem != tensor_problem::none) return keep_results({Loop::outputs, given[0]});
    // What stands for the result of the other branch until that is computed.
    for (int k = 0; k < shape.carries && shape.once; ++k)
      if (graph.constant_of(given[1 + k].node))
        given[1 + k].rank = results[k].rank, given[1 + k].axes = results[k].axes;

    growing_array<tensor_move> reads;
    growing_array<int> nodes;
    bool of_batch = false;
    for (const tensor_value& value : given) {
      reads.push_back({move_kind::read, access_of(value), {access_kind::variable, 0, 0, {}}, 0, {}});
      nodes.push_back(graph.as_number(value.node));
      of_batch = of_batch || varies_over_batch(value.node);
      for (int i = 0; i < value.rank; ++i) use(value.axes.data()[i]);
    }
    for (tensor_move* read = reads.data; of_batch && read != reads.data + reads.size; ++read)
      lead_with_batch(read->from), lead_with_batch(read->to);
    const int loop = graph.append_move(info<Loop>, reads.data, nodes.data, nodes.size);
    growing_array<tensor_value> outputs;
    const auto output = [&](tensor_value shaped, int which) {
      tensor_move read{move_kind::read, reads[0].to, access_of(shaped), 0, {}};
      if (of_batch) lead_with_batch(read.to);
      shaped.node = graph.append_move(*detail::output_readers<Loop>[static_cast<std::size_t>(which)], &read, &loop, 1);
      outputs.push_back(shaped);
    };
    for (int k = 0; k < shape.carries; ++k) {
      const tensor_value &first = given[1 + k], &next = results[k];
      if (first.rank != next.rank)
        problem = shape.once             ? tensor_problem::branches_of_other_rank
                  : shape.ends && k == 0 ? tensor_problem::condition_no_number
                                         : tensor_problem::carry_of_other_rank;
      // Derivatives keep one for each step.
      if (reads[1 + k].from.rank == max_rank) problem = tensor_problem::rank_too_large;
      for (int i = 0; i < first.rank && problem == tensor_problem::none; ++i)
        require_length(first.axes.data()[i], next.axes.data()[i], "the carries of a scan must keep their shapes");
      output(first, k);
    }
    for (int k = shape.carries; k < results.size; ++k) {
      tensor_value stacked = results[k];
      if (k >= shape.first_kept() && !is_kept(stacked)) {
        outputs.push_back(stacked);
        continue;
      }
      if (stacked.rank == max_rank) {
        problem = tensor_problem::rank_too_large;
        break;
      }
      const int along = axis_of_stacked(steps, shape.sequences > 0 ? sequence(0).axes.data()[0] : steps, stacked);
      output(with_first_axis(stacked, along), k);
    }
    return keep_results(outputs);
  }

  /// Whether the steps of `Loop` only add to what they carry, and contain no loop and no matrix of their own, of which
  /// there would be one for each step.
  template <class Loop>
  static constexpr bool adds_up = [] {
    constexpr graph_view body = Loop::body::view();
    for (int i = 0; i < body.size; ++i)
      if (body.nodes[i].kind == node_kind::apply && body.nodes[i].operation->of_matrices) return false;
    for (const carry_role role : roles_in<typename Loop::body, Loop::shape.carries>)
      if (role != carry_role::same && role != carry_role::sum) return false;
    return true;
  }();
  /// What such a loop gives, as sums over an axis that the steps have like the elements of a batch; nothing where a
  /// step needs more than its own elements of the sequences, or reduces something to more than a number.
  template <class Loop>
  constexpr growing_array<tensor_value> sums_of_steps(growing_array<tensor_value> given) {
    constexpr operation::scan_shape shape = Loop::shape;
#ifdef TAPELESS_VERIFY
    constexpr bool only_adds = have_roles<typename Loop::body, shape.carries>;
    static_assert(is_sound<program_fault{only_adds ? program_rule::none : program_rule::steps}>);
#endif
    tensor_value* const sequences = given.data + shape.first_sequence();
    const int count = counted(given[0].node);
    const bool is_counted = graph.nodes[count].kind != node_kind::extent;
    if (is_counted && shape.sequences > 0) return {};
    const int steps = is_counted ? counted_axis(number_of({count, 0, {}})) : sequences[0].axes.data()[0];
    const auto has_steps = [&](int node) { return along(node, steps) != 0; };
    if (steps < 0) return {};
    for (int k = 1; k < shape.first_sequence(); ++k)
      if (has_steps(given[k].node)) return {};
    growing_array<tensor_value> of_step, outputs;
    constexpr auto& roles = roles_in<typename Loop::body, shape.carries>;
    const auto is = [&](int k, carry_role role) {
      return k < shape.carries && roles[static_cast<std::size_t>(k)] == role;
    };
    for (int k = 1; k < shape.first_sequence(); ++k)
      of_step.push_back(is(k - 1, carry_role::sum) ? scalar(graph.constant(0)) : given[k]);
    for (int k = 0; k < shape.sequences; ++k) {
      tensor_value element = sequences[k];
      int& own = element.axes.data()[0];
      require_length(own, steps, "the sequences of a scan must be equally long");
      if (own != steps && explicit_) {
        own = steps, separate(element);
        element.node = spread(sequences[k], element);
      }
      if (own < 0 || !unite(own, steps)) return {};
      of_step.push_back(without_first_axis(element));
    }
    of_step.push_back(scalar(index_along(graph, steps)));
    const int first_node = graph.nodes.size;
    batch_axis_ = steps;
    const growing_array<tensor_value> results = lower_step<typename Loop::body>(of_step);
    batch_axis_ = -1;
    // One after the other, the steps keep such a vector in the cache; here one a step would be in memory.
    for (int i = first_node; i < graph.nodes.size; ++i)
      if (graph.nodes[i].reduced && has_steps(i) && (graph.nodes[i].axes & ~along(i, steps))) return {};
    for (int k = 0; k < results.size && problem == tensor_problem::none; ++k) {
      tensor_value all = results[k];
      // What derivatives of a loop would take is no output of a sum.
      if (is(k, carry_role::same) || k >= shape.first_kept()) {
        outputs.push_back(is(k, carry_role::same) ? given[1 + k] : all);
        continue;
      }
      if (all.rank == max_rank || (!has_steps(all.node) && k >= shape.carries)) return {};
      all = with_first_axis(all, steps);
      if (k >= shape.carries) {
        outputs.push_back(all);
        continue;
      }
      constexpr int first[] = {0};
      tensor_value number_of_steps = scalar(extent_of(graph, steps));
      tensor_value terms[] = {given[1 + k], has_steps(all.node) ? over_axes<operation::Sum>(all, first, 1)
                                                                : product(results[k], number_of_steps)};
      if (terms[1].rank > terms[0].rank) return {};
      const tensor_value total = elementwise(info<operation::Add>, terms, 2);
      for (int i = 0; i < total.rank; ++i)
        require_length(terms[0].axes.data()[i], total.axes.data()[i], "the carries of a scan must keep their shapes");
      outputs.push_back(total);
    }
    return outputs;
  }

  /// A step of a loop, in which an element of a tensor may be picked by an index that is computed.
  template <class Body>
  constexpr growing_array<tensor_value> lower_step(const growing_array<tensor_value>& given) {
    const bool before = of_step_;
    of_step_ = true;
    const growing_array<tensor_value> results = recorded_lowering<Body>::run(*this, given);
    of_step_ = before;
    return results;
  }

  /// Whether loops keep a product: of matrices, whose axes all have more than one element for all that is known.
  static constexpr bool is_kept(const tensor_value& product) {
    for (int i = 0; i < product.rank; ++i)
      if (product.axes.data()[i] < 0) return false;
    return product.rank > 1 && product.rank < max_rank;
  }
  /// A product of a step, whose derivative is computed, with the value that the loop has kept.
  constexpr tensor_value kept_product(const tensor_value& kept, const tensor_value& product) {
    tensor_value operands[] = {kept, product, scalar(graph.constant(1))};
    return is_kept(product) && is_kept(kept) ? elementwise(info<operation::CustomGradient<1>>, operands, 3) : product;
  }

  /// How many verbs inside the function have been lowered: the number of the next.
  int calls = 0;
  /// Keeps what such a verb gives; the value stands for all of it.
  constexpr tensor_value keep_results(const growing_array<tensor_value>& results) {
    const int first = results_.size;
    results_.append(results.data, results.size);
    return {first, 0, {}};
  }
  constexpr tensor_value result_of_call(const tensor_value& kept, int which) const {
    return results_[kept.node + which];
  }
  /// Argument number `which` of a verb inside the function. An integer of the call has no derivative.
  constexpr tensor_value input(tensor_value argument, int call, int which) {
    if (graph.nodes[argument.node].kind == node_kind::number) return argument;
    for (int i = 0; i < argument.rank; ++i) use(argument.axes.data()[i]);
    const int node = graph.as_number(argument.node);
    const tensor_move as_it_is = of_verb(argument, argument, call, which);
    argument.node = graph.append_move(info<operation::VerbInput>, &as_it_is, &node, 1);
    return argument;
  }
  /// The derivative of `y`, a number, by that argument, `x`.
  constexpr tensor_value adjoint(const tensor_value& y, const tensor_value& x, int call, int which) {
    if (y.rank > 0) problem = tensor_problem::value_is_no_number;
    const int node = graph.as_number(y.node);
    const tensor_move laid_out = of_verb({y.node, 0, {}}, x, call, which);
    return {graph.append_move(info<operation::VerbAdjoint>, &laid_out, &node, 1), x.rank, x.axes};
  }
  /// The derivative of `y` along tangents of the arguments `xs`.
  constexpr tensor_value tangent(const tensor_value& y, const growing_array<tensor_value>& xs,
                                 const growing_array<tensor_value>& tangents, int call) {
    growing_array<int> nodes;
    growing_array<tensor_move> moves;
    const auto push = [&](const tensor_value& value, int which) {
      moves.push_back(of_verb(value, y, call, which));
      nodes.push_back(graph.as_number(value.node));
    };
    push(y, -1);
    for (int k = 0; k < xs.size; ++k) push(shaped_like(tangents[k], xs[k]), k);
    return {graph.append_move(info<operation::VerbTangent>, moves.data, nodes.data, nodes.size), y.rank, y.axes};
  }
  constexpr tensor_value sum(const tensor_value& a, const tensor_value& b) {
    tensor_value terms[] = {a, b};
    return elementwise(info<operation::Add>, terms, 2);
  }
  /// The sum of the products of the elements of `y` and its cotangent.
  constexpr tensor_value weighted(const tensor_value& y, const tensor_value& cotangent) {
    tensor_value weight = shaped_like(cotangent, y);
    return over_axes<operation::Sum>(product(y, weight));
  }

 private:
  growing_array<tensor_value> results_;
  bool of_step_ = false;

  /// The number of steps of a loop, which has no derivative.
  constexpr int counted(int operand) const {
    return graph.nodes[operand].kind == node_kind::stop ? graph.operands(operand)[0] : operand;
  }
  /// The most steps of a loop, where their number is counted: what a condition may let be none, or a smaller one of
  /// two.
  constexpr int most_of(int count) const {
    const node& n = graph.nodes[count];
    const int* const operands = graph.operands(count);
    const auto is_known = [&](int i) { return graph.constant_of(i) || graph.nodes[i].kind == node_kind::number; };
    if (n.opcode == opcode::where && is_known(operands[1])) return operands[1];
    for (int j = 0; applies(n, info<operation::Min>) && j < n.count; ++j)
      if (is_known(operands[j])) return operands[j];
    return count;
  }
  /// An axis for the steps of a loop, which nothing else has: as many as are asked for, or as a sequence has elements.
  constexpr int steps_of(int most, const tensor_value* sequence) {
    const int of_sequence = sequence ? sequence->axes.data()[0] : -1;
    if (graph.nodes[most].kind != node_kind::extent && !(sequence && of_sequence < 0))
      return counted_axis(number_of({most, 0, {}}));
    return as_long_as(of_sequence);
  }
  /// That of what a loop stacks, `element` in each step: the sequence's, unless the element has it.
  constexpr int axis_of_stacked(int steps, int sequence, const tensor_value& element) {
    bool has = sequence == steps;
    for (int i = 0; i < element.rank; ++i) has = has || is_one_axis(sequence, element.axes.data()[i]);
    return has ? as_long_as(steps) : sequence;
  }
  /// The first element of a sequence, if it has any: for the shape of all.
  constexpr tensor_value element_of(tensor_value sequence) {
    tensor_move move{move_kind::slice, access_of(sequence), access_of(sequence), 0, {}};
    move.to.axes.data()[0] = -1;
    sequence.node = moved(move, sequence.node);
    return without_first_axis(sequence);
  }

  /// How an operation of verbs reads a value and lays out its own. In a batch each element has a derivative.
  constexpr tensor_move of_verb(const tensor_value& from, const tensor_value& to, int call, int which) {
    tensor_move result{move_kind::read, access_of(from), access_of(to), call, {which, -1, 0, {}}};
    lead_with_batch(result.from), lead_with_batch(result.to);
    return result;
  }

  /// A tangent or a cotangent, which has the shape of what it belongs to.
  constexpr tensor_value shaped_like(tensor_value value, const tensor_value& like) {
    if (refused(value.rank != like.rank, tensor_problem::direction_of_other_shape)) return value;
    unite_or_rename(like, value);
    for (int i = 0; i < like.rank; ++i)
      require_length(like.axes.data()[i], value.axes.data()[i],
                     "a tangent or cotangent inside a function must have the shape of what it belongs to");
    return value;
  }
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
      to.axes.data()[to.count++] = axis_of(id);
    else
      to.constant += 1;
  }
  /// The index along an axis, also along one of extent 1.
  constexpr traced index_of(int id) { return id < 0 ? traced(0) : traced(graph, index_along(graph, axis_of(id))); }
  constexpr traced number(const tensor_value& value) { return traced(graph, graph.as_number(value.node)); }
  /// Elements moved along an axis that stays as long as it is.
  constexpr tensor_value moved_along(const tensor_value& operand, int along, tensor_move move) {
    const int position = at(operand, along);
    if (position < 0 || operand.axes.data()[position] < 0) return operand;
    use(operand.axes.data()[position]);
    move.from = move.to = access_of(operand);
    move.position = position;
    tensor_value result = operand;
    result.node = moved(move, operand.node);
    return result;
  }
  /// A number that a bound or an extent is given by. A loop hands numbers of the function to its steps as values, which
  /// can be indices.
  constexpr extent_sum number_of(const tensor_value& value, bool is_index = false) {
    const node& n = graph.nodes[value.node];
    if (n.kind == node_kind::number && of_step_ && !is_index) problem = tensor_problem::bound_in_step;
    if (n.kind == node_kind::number) return {0, n.leaf, 0, {}};
    const constant_value* constant = graph.constant_of(value.node);
    // In a function 0 is a literal.
    if (constant && constant->denominator == 0 && constant->literal == 0.0) return {};
    if (refused(!constant || constant->denominator != 1, tensor_problem::bounds_not_numbers)) return {};
    return {constant->numerator, -1, 0, {}};
  }

  /// Of which the second may get axes of its own.
  constexpr tensor_value product(const tensor_value& a, tensor_value& b) {
    tensor_value operands[] = {a, b};
    const tensor_value result = elementwise(info<operation::Multiply>, operands, 2);
    b = operands[1];
    return result;
  }
};

}  // namespace tapeless::program
