#pragma once

#include <tapeless/operation/tensor/over_axes.hpp>
#include <tapeless/operation/tensor/verb_inside.hpp>
#include <tapeless/program/lower/einsum_letters.hpp>
#include <tapeless/program/lower/lowering.hpp>
#include <tapeless/program/lower/matrix_lowering.hpp>
#include <tapeless/program/lower/reduced_axes.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>

namespace tapeless::program {

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
    if constexpr (requires { Op::lower(*this, operands[I]...); })
      return Op::lower(*this, operands[I]...);
    else
      return apply(info<Op>, operands, sizeof...(I));
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
    if (a.rank == max_rank || b.rank == max_rank) {
      problem = tensor_problem::rank_too_large;
      return a;
    }
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

  /// The sum of products that a subscript of NumPy's einsum tells: a letter an axis.
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
    if (a.rank + b.rank > max_rank) {
      problem = tensor_problem::rank_too_large;
      return a;
    }
    tensor_value left{a.node, a.rank + b.rank, {}}, right{b.node, a.rank + b.rank, {}};
    for (int i = 0; i < a.rank + b.rank; ++i) {
      left.axes.data()[i] = i < a.rank ? a.axes.data()[i] : -1;
      right.axes.data()[i] = i < a.rank ? -1 : b.axes.data()[i - a.rank];
    }
    return product(left, right);
  }

  constexpr tensor_value transpose(const tensor_value& operand, const int* order, int count) {
    tensor_value result = operand;
    if (count > 0 && count != operand.rank) {
      problem = tensor_problem::transpose_of_other_rank;
      return result;
    }
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
    if (result.rank > max_rank) {
      problem = tensor_problem::rank_too_large;
      return operand;
    }
    const int place = at(result, position);
    for (int i = operand.rank; i > place && i > 0; --i) result.axes.data()[i] = operand.axes.data()[i - 1];
    if (place >= 0) result.axes.data()[place] = -1;
    return result;
  }

  /// Elements `begin` to `end` along an axis, to the last if there is no `end`; negative bounds count from the back.
  constexpr tensor_value slice(const tensor_value& operand, int along, const tensor_value& begin,
                               const tensor_value* end = nullptr) {
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
    use(operand.axes.data()[position]);
    const int id = new_axis(-1, of_next_rule());
    tensor_value result = operand;
    result.axes.data()[position] = move.to.axes.data()[position] = id;
    graph.axis_rules.push_back(
        {id, axis_rule::form::range, number_of(begin), bound, move.from.axes.data()[position], 0, 1});
    result.node = moved(move, operand.node);
    return result;
  }

  /// The elements at an index along the first axis, which the result lacks.
  constexpr tensor_value pick(const tensor_value& operand, const tensor_value& index) {
    if (at(operand, 0) < 0) return operand;
    const extent_sum begin = number_of(index);
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
    graph.axis_rules.push_back({new_axis(1, of_next_rule()), axis_rule::form::range, begin, end, along, 0, 1});
    move.to.axes.data()[0] = -1;
    tensor_value result = operand;
    result.node = moved(move, operand.node);
    --result.rank;
    for (int i = 0; i < result.rank; ++i) result.axes.data()[i] = operand.axes.data()[i + 1];
    return result;
  }

  /// The elements at `indices` along an axis.
  constexpr tensor_value take(const tensor_value& operand, int along, tensor_value indices) {
    const int position = at(operand, along);
    if (indices.rank != 1) problem = tensor_problem::indices_of_other_rank;
    if (position < 0 || indices.rank != 1) return operand;
    keep_explicit(indices, operand, position);
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
    if (count > max_rank) {
      problem = tensor_problem::rank_too_large;
      return operand;
    }
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
      result.axes.data()[i] = extents[i] == 1 ? -1 : new_axis(extents[i], of_next_rule());
      if (extents[i] != 1)
        graph.axis_rules.push_back(
            {result.axes.data()[i], axis_rule::form::sum, {extents[i], -1, 0, {}}, {}, -1, 0, 1});
    }
    const tensor_access from = access_of(operand);
    if (open >= 0) {
      result.axes.data()[open] = new_axis(-1, of_next_rule());
      graph.axis_rules.push_back(
          {result.axes.data()[open], axis_rule::form::quotient, {}, {}, -1, from.set(), product});
    }
    result.node = moved({move_kind::reshape, from, access_of(result), 0, {}}, operand.node);
    return result;
  }

  /// The operands one after the other along an axis.
  constexpr tensor_value concatenate(tensor_value* operands, int count, int along) {
    const int position = at(operands[0], along);
    if (position < 0) return operands[0];
    if (count > extent_sum::max_count) {
      problem = tensor_problem::too_many_axes;
      return operands[0];
    }
    extent_sum begin;
    tensor_value result = operands[0];
    growing_array<int> nodes;
    growing_array<tensor_move> moves;
    for (int k = 0; k < count; ++k) {
      if (operands[k].rank != result.rank) {
        problem = tensor_problem::axis_out_of_range;
        return result;
      }
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
      if (own >= 0)
        begin.axes.data()[begin.count++] = axis_of(own);
      else
        begin.constant += 1;
    }
    result.axes.data()[position] = new_axis(-1, of_next_rule());
    graph.axis_rules.push_back({result.axes.data()[position], axis_rule::form::sum, begin, {}, -1, 0, 1});
    bool of_batch = false;
    for (const int each : nodes) of_batch = of_batch || varies_over_batch(each);
    for (tensor_move* move = moves.data; move != moves.data + count; ++move) {
      move->to = access_of(result);
      if (of_batch) lead_with_batch(move->from), lead_with_batch(move->to), ++move->position;
    }
    result.node = graph.append_move(info<operation::Move>, moves.data, nodes.data, count);
    return result;
  }

  /// Labels as rows of zeros with a 1 in the column that the label names.
  constexpr tensor_value one_hot(const tensor_value& labels, const tensor_value& classes) {
    if (labels.rank == max_rank) {
      problem = tensor_problem::rank_too_large;
      return labels;
    }
    const int id = new_axis(-1, of_next_rule());
    graph.axis_rules.push_back({id, axis_rule::form::sum, number_of(classes), {}, -1, 0, 1});
    tensor_value result = labels;
    result.axes.data()[result.rank++] = id;
    const int compared[] = {labels.node, index_along(graph, id)};
    const int selected[] = {graph.append(info<operation::Equal>, compared, 2), graph.constant(1), graph.constant(0)};
    result.node = graph.append(info<operation::Where>, selected, 3);
    return result;
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

  /// How an operation of verbs reads a value and lays out its own. In a batch each element has a derivative.
  constexpr tensor_move of_verb(const tensor_value& from, const tensor_value& to, int call, int which) {
    tensor_move result{move_kind::read, access_of(from), access_of(to), call, {which, -1, 0, {}}};
    lead_with_batch(result.from), lead_with_batch(result.to);
    return result;
  }

  /// A tangent or a cotangent, which has the shape of what it belongs to.
  constexpr tensor_value shaped_like(tensor_value value, const tensor_value& like) {
    if (value.rank != like.rank) {
      problem = tensor_problem::direction_of_other_shape;
      return value;
    }
    unite_or_rename(like, value);
    for (int i = 0; i < like.rank; ++i) {
      require_equal(like.axes.data()[i], value.axes.data()[i]);
      use(like.axes.data()[i]), use(value.axes.data()[i]);
    }
    return value;
  }
  /// A number that a bound or an extent is given by.
  constexpr extent_sum number_of(const tensor_value& value) {
    const node& n = graph.nodes[value.node];
    if (n.kind == node_kind::number) return {0, n.leaf, 0, {}};
    const constant_value* constant = graph.constant_of(value.node);
    // In a function 0 is a literal.
    if (constant && constant->denominator == 0 && constant->literal == 0.0) return {};
    if (!constant || constant->denominator != 1) {
      problem = tensor_problem::bounds_not_numbers;
      return {};
    }
    return {constant->numerator, -1, 0, {}};
  }
  /// Position `axis` of a value, counted from the back where it is negative.
  constexpr int at(const tensor_value& value, int position) {
    const int from_front = position < 0 ? position + value.rank : position;
    if (from_front >= 0 && from_front < value.rank) return from_front;
    problem = tensor_problem::axis_out_of_range;
    return -1;
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
