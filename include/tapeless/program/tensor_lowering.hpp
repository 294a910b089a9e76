#ifndef TAPELESS_PROGRAM_TENSOR_LOWERING_HPP
#define TAPELESS_PROGRAM_TENSOR_LOWERING_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/operation/over_axes.hpp>
#include <tapeless/program/axes.hpp>
#include <tapeless/program/einsum_letters.hpp>
#include <tapeless/program/lowering.hpp>
#include <tapeless/program/tensor_problem.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tapeless::program {

/// A variable as it is bound: its extents, -1 where they are known only at the call, and whether its last axis or its
/// first is the contiguous one.
template <class V, bool ColumnMajor, std::ptrdiff_t... Extents>
struct tensor_leaf {
  using variable_type = V;
  static constexpr int rank = sizeof...(Extents);
  static constexpr bool column_major = ColumnMajor;
  static constexpr std::array<std::ptrdiff_t, sizeof...(Extents)> extents{Extents...};

  static constexpr bool binds(int, std::string_view name) { return name == V::name; }
};

struct leaf_description {
  std::string_view name;
  int rank = 0;
  bool column_major = false;
  std::array<std::ptrdiff_t, max_rank> extents{};
};

/// A value during lowering: its node and, for each of its axes in order, the axis of the program; -1 for extent 1.
struct tensor_value {
  int node = -1;
  int rank = 0;
  std::array<int, max_rank> axes{};
};

/// From formula types and the ranks of what is bound to their variables, to a program.
///
/// Each use of a tensor has axes of its own; an elementwise operation unites those that it aligns, from the last to the
/// first, as NumPy does. What ends as one axis runs in one loop.
///
/// That takes axes for equally long which are only if nothing of extent 1 is broadcast that other tensors meet too: a
/// call compares where it matters. `apart`, no axes are united: a value's axes are those of its own extents, and what
/// is broadcast is moved there. That is right for all extents, but for loops nothing is left to share.
class tensor_lowering {
 public:
  builder graph;
  tensor_problem problem = tensor_problem::none;

  constexpr tensor_lowering(const leaf_description* leaves, int count, bool apart = false)
      : leaves_(leaves, count), apart_(apart) {}

  constexpr tensor_value variable(std::string_view name) {
    int v = 0;
    while (v < graph.variables.size && graph.variables[v] != name) ++v;
    if (v == graph.variables.size) graph.variables.push_back(name);
    const leaf_description& leaf = leaf_of(v);
    tensor_access access{v, leaf.rank, {}};
    tensor_value result{-1, leaf.rank, {}};
    for (int i = 0; i < leaf.rank; ++i)
      access.axes.data()[i] = result.axes.data()[i] =
          leaf.extents.data()[i] == 1 ? -1 : new_axis(leaf.extents.data()[i], {v, i, -1});
    result.node = graph.variable(access);
    return result;
  }
  constexpr tensor_value scalar(int node) const { return {node, 0, {}}; }
  constexpr tensor_value one_number(const tensor_value& operand) {
    if (operand.rank > 0) problem = tensor_problem::value_is_no_number;
    return operand;
  }
  constexpr tensor_value stop(tensor_value operand) {
    operand.node = graph.stop(operand.node);
    return operand;
  }

  /// An operation element by element, its operands broadcast.
  constexpr tensor_value elementwise(const operation_info& operation, tensor_value* operands, int count) {
    tensor_value result{-1, 0, {}};
    growing_array<int> nodes;
    for (int i = 0; i < count; ++i) {
      result = align(result, operands[i]);
      nodes.push_back(operands[i].node);
    }
    if (apart_) {
      separate(result);
      for (int i = 0; i < count; ++i) nodes[i] = spread(operands[i], result);
    }
    result.node = graph.append(operation, nodes.data, nodes.size);
    return result;
  }

  /// `Kind` over the axes at `positions`, over all if there are none.
  template <class Kind>
  constexpr tensor_value over_axes(const tensor_value& operand, const int* positions, int count, bool keep) {
    std::array<bool, max_rank> chosen{};
    for (int i = 0; i < count; ++i) {
      const int position = at(operand, positions[i]);
      if (position >= 0 && chosen.data()[position]) problem = tensor_problem::axis_named_twice;
      if (position >= 0) chosen.data()[position] = true;
    }
    constexpr bool keeps = requires { Kind::keeps_axes; };
    axis_set reduced = 0;
    tensor_value result = operand;
    result.rank = 0;
    for (int i = 0; i < operand.rank; ++i) {
      const int id = operand.axes.data()[i];
      if (count > 0 && !chosen.data()[i]) {
        result.axes.data()[result.rank++] = id;
        continue;
      }
      if (id >= 0) {
        reduced |= axis(axis_of(id));
        constexpr bool needs_element = requires { Kind::needs_element; };
        use(id, !needs_element                        ? extent_use::extreme::none
                : std::same_as<Kind, operation::AMin> ? extent_use::extreme::smallest
                                                      : extent_use::extreme::largest);
      }
      if (keeps) result.axes.data()[result.rank++] = id;
      if (!keeps && keep) result.axes.data()[result.rank++] = -1;
    }
    const reduced_axes axes(graph, reduced);
    const traced x(graph, operand.node);
    if constexpr (requires { Kind::over(x, axes); })
      result.node = tapeless::detail::node_in(graph, traced(Kind::over(x, axes)));
    else if (reduced)
      result.node = graph.append_reduction(info<Kind>, operand.node, reduced);
    return result;
  }

  constexpr tensor_value dot(const tensor_value& a, const tensor_value& b) {
    if (a.rank == 0 || b.rank == 0) return product(a, b);
    // [..., i, k] and [..., k, j] as [..., i, k, 1] and [..., 1, k, j]: aligned, multiplied and summed.
    tensor_value left = a, right = b;
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
    require_summed(left.axes.data()[inner], right.axes.data()[right.rank - 2]);
    const tensor_value all = product(left, right);
    const int contracted = all.axes.data()[all.rank - 2];
    tensor_value result{all.node, 0, {}};
    for (int i = 0; i < all.rank; ++i)
      if (const int back = all.rank - i; back > 3 || (back == 3 && a.rank > 1) || (back == 1 && b.rank > 1))
        result.axes.data()[result.rank++] = all.axes.data()[i];
    if (contracted >= 0) {
      use(contracted);
      result.node = sum_over(graph, all.node, axis(axis_of(contracted)));
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
      if (in_a >= 0 && in_b >= 0) require_summed(left.axes.data()[i], right.axes.data()[i]);
    }
    tensor_value all = product(left, right);
    axis_set over = 0;
    for (int i = letters.kept; i < letters.size; ++i)
      if (const int id = all.axes.data()[i]; id >= 0) use(id), over |= axis(axis_of(id));
    all.rank = letters.kept;
    all.node = sum_over(graph, all.node, over);
    return all;
  }

  /// The diagonals along the last two axes.
  constexpr tensor_value diagonal(tensor_value value) {
    if (!has_matrices(value)) return value;
    require_square(value, "diagonal and trace take square matrices");
    const int row = value.axes.data()[value.rank - 2], column = value.axes.data()[value.rank - 1];
    --value.rank;
    if (row < 0 || column < 0) return value;
    const int compared[] = {index_along(graph, axis_of(row)), index_along(graph, axis_of(column))};
    const int selected[] = {graph.append(info<operation::Equal>, compared, 2), value.node, graph.constant(0)};
    value.node = sum_over(graph, graph.append(info<operation::Where>, selected, 3), axis(axis_of(column)));
    return value;
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

  template <class... Values>
  static constexpr std::array<tensor_value, sizeof...(Values)> list(const Values&... values) {
    return {values...};
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
  constexpr tensor_value take(const tensor_value& operand, int along, const tensor_value& indices) {
    const int position = at(operand, along);
    if (indices.rank != 1) problem = tensor_problem::indices_of_other_rank;
    if (position < 0 || indices.rank != 1) return operand;
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
      // Everything but the axis along is the same.
      tensor_value shape = operands[k];
      shape.axes.data()[position] = -1;
      result.axes.data()[position] = -1;
      if (shape.rank != result.rank) {
        problem = tensor_problem::axis_out_of_range;
        return result;
      }
      for (int i = 0; i < shape.rank; ++i) {
        use(shape.axes.data()[i]);
        require_equal(result.axes.data()[i], shape.axes.data()[i]);
      }
      const int own = operands[k].axes.data()[position];
      use(own);
      if (k > 0 && !apart_) result = align(result, shape);
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
    for (tensor_move* move = moves.data; move != moves.data + count; ++move) move->to = access_of(result);
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

  // Operations of matrices. What they take are matrices along the last two axes, one for each place along the others;
  // these are broadcast.

  /// Whether a value has matrices.
  constexpr bool has_matrices(const tensor_value& value) {
    if (value.rank >= 2) return true;
    problem = tensor_problem::no_matrices;
    return false;
  }
  /// Two axes of matrices are equally long, or the call says what wants that.
  constexpr void require_length(int i, int j, std::string_view wanted_by) {
    if (i == j) return;
    use(i), use(j);
    const extent_sum length = i < 0 || j < 0 ? extent_sum{1, -1, 0, {}} : extent_sum{0, -1, 1, {axis_of(j)}};
    graph.axis_rules.push_back({axis_of(i < 0 ? j : i), axis_rule::form::equal, length, {}, -1, 0, 1, wanted_by});
  }
  constexpr void require_square(const tensor_value& value, std::string_view wanted_by) {
    if (value.rank >= 2)
      require_length(value.axes.data()[value.rank - 2], value.axes.data()[value.rank - 1], wanted_by);
  }
  /// Broadcasts the leading axes of two values together.
  constexpr void broadcast_leading(tensor_value& a, tensor_value& b) {
    tensor_value of_a = a, of_b = b;
    of_a.rank -= 2, of_b.rank -= 2;
    tensor_value leading = align(of_a, of_b);
    if (apart_) separate(leading);
    b.node = of_b.node;
    for (int i = 0; i < of_b.rank; ++i) b.axes.data()[i] = of_b.axes.data()[i];
    lead_with(a, leading), lead_with(b, leading);
  }
  /// Broadcasts the leading axes of matrices to those of others.
  constexpr void lead_like(tensor_value& value, const tensor_value& other) {
    lead_with(value, {-1, other.rank - 2, other.axes});
  }
  /// A vector as a matrix of one column.
  static constexpr tensor_value as_column(tensor_value value) {
    if (value.rank == 1) value.axes.data()[value.rank++] = -1;
    return value;
  }
  /// An axis that is longer by one than another.
  constexpr int longer_axis(int id) {
    const extent_sum length = id < 0 ? extent_sum{2, -1, 0, {}} : extent_sum{1, -1, 1, {axis_of(id)}};
    for (const axis_rule& rule : graph.axis_rules)
      if (rule.how == axis_rule::form::sum && rule.begin == length) return rule.axis;
    const int result = new_axis(-1, of_next_rule());
    graph.axis_rules.push_back({result, axis_rule::form::sum, length, {}, -1, 0, 1});
    return result;
  }
  /// `Op` of matrices; the result has the axes of `result`.
  template <class Op, class... Values>
  constexpr tensor_value of_matrices(tensor_value result, const Values&... operands) {
    const tensor_move reads[] = {{move_kind::read, access_of(operands), access_of(result), 0, {}}...};
    const int nodes[] = {graph.as_number(operands.node)...};
    for (const tensor_value& value : {operands...})
      for (int i = value.rank > 2 ? value.rank - 2 : 0; i < value.rank; ++i) use(value.axes.data()[i]);
    result.node = graph.append_move(info<Op>, reads, nodes, sizeof...(operands));
    return result;
  }

  /// The value of a type, if it is lowered.
  constexpr const tensor_value* find(const type_key& type) const {
    for (int i = 0; i < known_.size; ++i)
      if (known_[i].type == type) return &known_.data[i].value;
    return nullptr;
  }
  constexpr tensor_value remember(const type_key& type, const tensor_value& value) {
    known_.push_back({type, value});
    return value;
  }

  /// The program with each set of united axes as one, numbered from the outermost to the innermost, whose outputs are
  /// `values`.
  constexpr builder finish(tensor_value* values, int count) {
    for (int i = 0; i < count; ++i)
      for (int k = 0; k < values[i].rank; ++k) use(values[i].axes.data()[k]);
    const growing_array<int> number = order_axes();
    const auto renumber = [&](int id) { return id < 0 ? id : number[root(id)]; };
    const auto renumber_set = [&](axis_set axes) {
      axis_set result = 0;
      for (; axes; axes &= axes - 1) result |= axis(renumber(first_axis(axes)));
      return result;
    };
    builder to;
    to.variables = graph.variables;
    to.numbers = graph.numbers;
    const auto renumber_access = [&](tensor_access access) {
      for (int k = 0; k < access.rank; ++k) access.axes.data()[k] = renumber(access.axes.data()[k]);
      return access;
    };
    const auto renumber_sum = [&](extent_sum sum) {
      for (int k = 0; k < sum.count; ++k) sum.axes.data()[k] = renumber(sum.axes.data()[k]);
      return sum;
    };
    for (axis_rule rule : graph.axis_rules) {
      rule.axis = renumber(rule.axis);
      rule.of = renumber(rule.of);
      rule.factors = renumber_set(rule.factors);
      rule.begin = renumber_sum(rule.begin);
      rule.end = renumber_sum(rule.end);
      to.axis_rules.push_back(rule);
    }
    to.axis_sources = sources_;
    to.compares_extents = !apart_ && meets_rules();
    for (extent_use u : uses_) {
      u.compared = !apart_ && !covers(u.own, root(u.axis), u.strict);
      if (u.compared && !covers(u.own, root(u.axis))) to.compares_extents = true;
      u.axis = renumber(u.axis);
      bool known = !u.compared && u.reduction == extent_use::extreme::none;
      for (int i = 0; i < to.extent_uses.size && !known; ++i) known = to.extent_uses[i] == u;
      if (!known) to.extent_uses.push_back(u);
    }
    growing_array<int> moved, operands;
    for (int i = 0; i < graph.nodes.size; ++i) {
      const node& n = graph.nodes[i];
      operands.size = 0;
      for (int j = 0; j < n.count; ++j) operands.push_back(moved[graph.edges[n.first + j]]);
      if (n.kind == node_kind::variable) {
        tensor_access access = renumber_access(graph.accesses[n.access]);
        if (access.variable < 0) access.variable = -1 - renumber(-1 - access.variable);
        moved.push_back(to.variable(access));
      } else if (n.kind == node_kind::number) {
        moved.push_back(to.number(n.leaf));
      } else if (n.kind == node_kind::constant) {
        moved.push_back(to.constant(graph.constants[n.leaf]));
      } else if (n.kind == node_kind::stop) {
        moved.push_back(to.stop(operands[0]));
      } else if (n.operation->moves) {
        growing_array<tensor_move> list = moves_of(n);
        for (int k = 0; k < list.size; ++k) {
          list[k].from = renumber_access(list[k].from);
          list[k].to = renumber_access(list[k].to);
          list[k].begin = renumber_sum(list[k].begin);
        }
        moved.push_back(to.append_move(*n.operation, list.data, operands.data, operands.size));
      } else if (n.reduced) {
        moved.push_back(to.append_reduction(*n.operation, operands[0], renumber_set(n.reduced)));
      } else {
        moved.push_back(to.append_as_is(*n.operation, operands.data, operands.size));
      }
    }
    for (int i = 0; i < count; ++i) {
      to.outputs.push_back(moved[values[i].node]);
      // How the value lies in memory: the access of an output.
      tensor_access access{max_variable + i, values[i].rank, {}};
      for (int k = 0; k < access.rank; ++k) access.axes.data()[k] = renumber(values[i].axes.data()[k]);
      to.accesses.push_back(access);
    }
    return to;
  }

  /// Accesses of variables from this number on are those of outputs.
  static constexpr int max_variable = 1 << 20;

 private:
  struct known_value {
    type_key type;
    tensor_value value;
  };
  growing_array<leaf_description> leaves_;
  bool apart_;
  // Axes of the program have the first numbers; those from `first_joined` on stand for what several axes of values that
  // are united are broadcast to.
  static constexpr int first_joined = 64;
  growing_array<int> parents_ = growing_array<int>(first_joined, -1);
  growing_array<std::ptrdiff_t> extents_ = growing_array<std::ptrdiff_t>(first_joined, -1);
  growing_array<axis_set> members_ = growing_array<axis_set>(first_joined, 0);
  growing_array<axis_source> sources_;
  growing_array<std::ptrdiff_t> declared_;
  growing_array<int> representatives_;
  growing_array<extent_use> uses_;
  struct equal_axes {
    axis_set a, b;
  };
  growing_array<equal_axes> equals_;
  growing_array<known_value> known_;

  constexpr const leaf_description& leaf_of(int variable) const {
    int i = 0;
    while (i + 1 < leaves_.size && leaves_[i].name != graph.variables[variable]) ++i;
    return leaves_[i];
  }

  constexpr int new_axis(std::ptrdiff_t extent, const axis_source& source) {
    if (sources_.size == first_joined) {
      problem = tensor_problem::too_many_axes;
      return 0;
    }
    const int id = sources_.size;
    sources_.push_back(source);
    declared_.push_back(extent);
    parents_[id] = id;
    extents_[id] = extent;
    members_[id] = axis(id);
    return id;
  }
  constexpr axis_source of_next_rule() const { return {-1, 0, graph.axis_rules.size}; }
  /// A further axis that is as long as another.
  constexpr int new_axis_like(int id) {
    const int result = new_axis(extents_[id], sources_[id]);
    const int rules = graph.axis_rules.size;
    for (int i = 0; i < rules; ++i)
      if (axis_rule rule = graph.axis_rules[i]; root(rule.axis) == id) {
        rule.axis = result;
        graph.axis_rules.push_back(rule);
      }
    return result;
  }
  /// The axis of the program for an axis of a value: one that the value's node has.
  constexpr int axis_of(int id) const { return id < first_joined ? id : representatives_[id - first_joined]; }

  /// What two axes are broadcast to.
  constexpr int join(int i, int j) {
    const axis_set mine = members_[i], other = members_[j];
    if (i == j || (mine & other) == other || known(mine)) return i;
    if ((mine & other) == mine || known(other)) return j;
    const int from = apart_ ? 0 : first_joined, end = apart_ ? sources_.size : parents_.size;
    for (int id = from; id < end; ++id)
      if (members_[id] == (mine | other) && (apart_ || root(id) == root(i))) return id;
    if (apart_) return broadcast_axis(i, j, mine | other);
    parents_.push_back(root(i));
    extents_.push_back(-1);
    members_.push_back(mine | other);
    representatives_.push_back(axis_of(i));
    return parents_.size - 1;
  }
  constexpr int broadcast_axis(int i, int j, axis_set members) {
    const int id = new_axis(-1, of_next_rule());
    graph.axis_rules.push_back({id, axis_rule::form::broadcast, {0, -1, 2, {i, j}}, {}, -1, 0, 1});
    if (members) members_[id] = members;
    return id;
  }
  /// Whether an axis of known extent, which is not 1, is among these.
  constexpr bool known(axis_set members) const {
    for (; members; members &= members - 1)
      if (declared_[first_axis(members)] >= 0) return true;
    return false;
  }
  /// Whether axes are all that is united with `id`, or tell how long it is.
  constexpr bool covers(axis_set members, int id, bool strict = false) const {
    // What is equally long as some of them is among them too.
    for (int i = 0; i < equals_.size && !strict; ++i) {
      const auto [a, b] = equals_[i];
      if (((members & a) == a) == ((members & b) == b)) continue;
      members |= a | b;
      i = -1;
    }
    if (known(members)) return true;
    for (int i = 0; i < sources_.size; ++i) {
      if (root(i) != id || (members & axis(i))) continue;
      bool same = false;
      for (axis_set left = members; left && !same; left &= left - 1) same = sources_[first_axis(left)] == sources_[i];
      if (!same) return false;
    }
    return true;
  }
  /// Whether an axis that is made at the call is united with another.
  constexpr bool meets_rules() const {
    for (int i = 0; i < sources_.size; ++i)
      if (sources_[i].rule >= 0 && !covers(axis(i), root(i))) return true;
    return false;
  }
  /// Notes that it matters how long an axis of a value is.
  constexpr void use(int id, extent_use::extreme reduction = extent_use::extreme::none) {
    if (id < 0 || (apart_ && reduction == extent_use::extreme::none)) return;
    uses_.push_back({axis_of(id), members_[id], false, false, reduction});
  }
  constexpr void require_equal(int i, int j) {
    if (i == j || (i >= 0 && j >= 0 && !apart_)) return;
    const extent_sum length = i < 0 || j < 0 ? extent_sum{1, -1, 0, {}} : extent_sum{0, -1, 1, {axis_of(j)}};
    graph.axis_rules.push_back({axis_of(i < 0 ? j : i), axis_rule::form::equal, length, {}, -1, 0, 1});
  }
  /// What a product of matrices sums over is equally long in both.
  constexpr void require_summed(int i, int j) {
    require_equal(i, j);
    if (i < 0 || j < 0) {
      if (i != j && known(members_[i < 0 ? j : i])) problem = tensor_problem::extents_differ;
      return;
    }
    if (apart_ || members_[i] == members_[j]) return;
    equals_.push_back({members_[i], members_[j]});
    for (const int id : {i, j})
      if (!known(members_[id])) uses_.push_back({axis_of(id), members_[id], false, true, {}});
  }
  /// Gives a shape whose axes stand apart one of its own where one would occur twice.
  constexpr void separate(tensor_value& shape) {
    for (int i = 0; i < shape.rank; ++i)
      for (int j = 0; j < i; ++j)
        if (int& id = shape.axes.data()[i]; id >= 0 && id == shape.axes.data()[j]) id = broadcast_axis(id, id, 0);
  }
  /// The node of a value broadcast to a shape.
  constexpr int spread(const tensor_value& value, const tensor_value& shape) {
    tensor_access to = access_of(value);
    bool same = true;
    for (int back = 1; back <= value.rank; ++back)
      if (int& id = to.axes.data()[value.rank - back]; id >= 0 && id != axis_from_back(shape, back))
        id = axis_from_back(shape, back), same = false;
    if (same) return value.node;
    const int node = moved({move_kind::broadcast, access_of(value), to, 0, {}}, value.node);
    if (!graph.nodes[value.node].condition) return node;
    const int compared[] = {node, graph.constant(0)};
    return graph.append(info<operation::NotEqual>, compared, 2);
  }
  /// Gives matrices other leading axes, which they are broadcast to.
  constexpr void lead_with(tensor_value& value, const tensor_value& leading) {
    tensor_value elements{value.node, 2, {value.axes.data()[value.rank - 2], value.axes.data()[value.rank - 1]}};
    bool meets = false;
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < leading.rank; ++j)
        if (const int a = elements.axes.data()[i], b = leading.axes.data()[j]; a >= 0 && b >= 0)
          meets = meets || (apart_ ? a == b : root(a) == root(b));
    // An axis of the matrices that is a leading one of the others' is another axis.
    if (meets && !apart_) rename(elements), value.node = elements.node;
    tensor_value shape{-1, leading.rank + 2, leading.axes};
    for (int i = 0; i < 2; ++i) shape.axes.data()[leading.rank + i] = elements.axes.data()[i];
    if (apart_) separate(shape), value.node = spread({value.node, value.rank, value.axes}, shape);
    value.rank = shape.rank, value.axes = shape.axes;
  }
  constexpr tensor_access access_of(const tensor_value& value) const {
    tensor_access result{0, value.rank, value.axes};
    for (int i = 0; i < value.rank; ++i)
      if (int& id = result.axes.data()[i]; id >= 0) id = axis_of(id);
    return result;
  }
  constexpr int moved(const tensor_move& move, int operand, int indices = -1) {
    const int operands[] = {graph.as_number(operand), indices};
    return graph.append_move(info<operation::Move>, &move, operands, indices < 0 ? 1 : 2);
  }
  constexpr growing_array<tensor_move> moves_of(const node& n) const {
    const tensor_move* first = graph.moves.data + n.access;
    return {first, first->has_indices() ? 1 : n.count};
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
  constexpr int root(int id) const {
    while (parents_[id] != id) id = parents_[id];
    return id;
  }
  constexpr axis_set canonical(axis_set axes) const {
    axis_set result = 0;
    for (; axes; axes &= axes - 1) result |= axis(root(first_axis(axes)));
    return result;
  }

  /// Position `axis` of a value, counted from the back where it is negative.
  constexpr int at(const tensor_value& value, int position) {
    const int from_front = position < 0 ? position + value.rank : position;
    if (from_front >= 0 && from_front < value.rank) return from_front;
    problem = tensor_problem::axis_out_of_range;
    return -1;
  }

  constexpr tensor_value product(tensor_value a, tensor_value b) {
    tensor_value operands[] = {a, b};
    return elementwise(info<operation::Multiply>, operands, 2);
  }

  /// The shape that two values are broadcast to; where uniting axes would make a diagonal of a value, the second gets
  /// axes of its own.
  constexpr tensor_value align(tensor_value a, tensor_value& b) {
    if (!apart_ && !unite_all(a, b)) {
      rename(b);
      unite_all(a, b);
    }
    tensor_value result{-1, a.rank > b.rank ? a.rank : b.rank, {}};
    for (int back = 1; back <= result.rank; ++back) {
      const int i = axis_from_back(a, back), j = axis_from_back(b, back);
      result.axes.data()[result.rank - back] = i < 0 ? j : j < 0 ? i : join(i, j);
    }
    return result;
  }
  static constexpr int axis_from_back(const tensor_value& value, int back) {
    return back <= value.rank ? value.axes.data()[value.rank - back] : -1;
  }
  constexpr bool unite_all(const tensor_value& a, const tensor_value& b) {
    for (int back = 1; back <= a.rank || back <= b.rank; ++back) {
      const int i = axis_from_back(a, back), j = axis_from_back(b, back);
      if (i >= 0 && j >= 0 && !unite(i, j)) return false;
      // An axis of one must not meet the same axis elsewhere in the other.
      for (int other = 1; other <= a.rank || other <= b.rank; ++other) {
        if (other == back) continue;
        const int k = axis_from_back(b, other);
        if (i >= 0 && k >= 0 && root(i) == root(k)) return false;
      }
    }
    return true;
  }
  constexpr bool unite(int i, int j) {
    i = root(i), j = root(j);
    if (i == j) return true;
    for (int n = 0; n < graph.nodes.size; ++n) {
      const axis_set axes = canonical(graph.nodes[n].axes | graph.nodes[n].reduced);
      if ((axes & axis(i)) && (axes & axis(j))) return false;
    }
    if (extents_[i] >= 0 && extents_[j] >= 0 && extents_[i] != extents_[j]) problem = tensor_problem::extents_differ;
    if (extents_[i] < 0) extents_[i] = extents_[j];
    parents_[j] = i;
    return true;
  }

  /// Computes a value once more with axes of its own, those that are reduced on the way included.
  constexpr void rename(tensor_value& value) {
    growing_array<int> fresh(parents_.size, -1);
    axis_set old = 0;
    const auto renew = [&](int id) {
      const int from = root(id);
      if (fresh[from] < 0) fresh[from] = new_axis_like(from);
      old |= axis(from);
      return fresh[from];
    };
    for (int i = 0; i < value.rank; ++i)
      if (int& id = value.axes.data()[i]; id >= 0) {
        const axis_set own = members_[id];
        id = renew(id);
        members_[id] = own;
      }
    growing_array<int> copy(graph.nodes.size, -1);
    growing_array<char> wanted(graph.nodes.size, 0);
    const auto varies = [&](int i) { return (canonical(graph.nodes[i].axes) & old) != 0; };
    wanted[value.node] = varies(value.node);
    for (int i = value.node; i >= 0; --i) {
      if (!wanted[i]) continue;
      for (axis_set left = graph.nodes[i].reduced; left; left &= left - 1) renew(first_axis(left));
      for (int j = 0; j < graph.nodes[i].count; ++j)
        if (const int operand = graph.operands(i)[j]; varies(operand)) wanted[operand] = 1;
    }
    growing_array<int> operands;
    for (int i = 0; i <= value.node; ++i) {
      copy[i] = i;
      if (!wanted[i]) continue;
      const node n = graph.nodes[i];
      operands.size = 0;
      for (int j = 0; j < n.count; ++j) operands.push_back(copy[graph.operands(i)[j]]);
      if (n.kind == node_kind::variable) {
        tensor_access access = graph.accesses[n.access];
        for (int k = 0; k < access.rank; ++k)
          if (int& id = access.axes.data()[k]; id >= 0 && fresh[root(id)] >= 0) id = fresh[root(id)];
        copy[i] = graph.variable(access);
      } else if (n.kind == node_kind::stop) {
        copy[i] = graph.stop(operands[0]);
      } else if (n.operation->moves) {
        growing_array<tensor_move> list = moves_of(n);
        for (int m = 0; m < list.size; ++m)
          for (tensor_access* access : {&list[m].from, &list[m].to})
            for (int k = 0; k < access->rank; ++k)
              if (int& id = access->axes.data()[k]; id >= 0 && fresh[root(id)] >= 0) id = fresh[root(id)];
        copy[i] = graph.append_move(*n.operation, list.data, operands.data, operands.size);
      } else if (n.reduced) {
        axis_set reduced = 0;
        for (axis_set left = n.reduced; left; left &= left - 1) reduced |= axis(fresh[root(first_axis(left))]);
        copy[i] = graph.append_reduction(*n.operation, operands[0], reduced);
      } else {
        copy[i] = graph.append_as_is(*n.operation, operands.data, operands.size);
      }
    }
    value.node = copy[value.node];
  }

  /// The number of each axis that is the root of its set: the order of the loops, in which the contiguous axes of the
  /// variables come last.
  constexpr growing_array<int> order_axes() const {
    const int ids = sources_.size;
    growing_array<int> number(ids, -1);
    if (apart_) {
      for (int i = 0; i < ids; ++i) number[i] = i;
      return number;
    }
    growing_array<int> votes(ids * ids, 0);
    for (const tensor_access& access : graph.accesses) {
      if (access.variable < 0) continue;
      const bool column_major = leaf_of(access.variable).column_major;
      for (int i = 0; i < access.rank; ++i)
        for (int j = i + 1; j < access.rank; ++j) {
          const int a = access.axes.data()[column_major ? j : i], b = access.axes.data()[column_major ? i : j];
          if (a >= 0 && b >= 0) votes[root(a) * ids + root(b)] += 1;
        }
    }
    // An axis of many tensors is rather an outer one: rows, not columns.
    for (int next = 0;; ++next) {
      int best = -1, best_votes = 0;
      for (int i = 0; i < ids; ++i) {
        if (root(i) != i || number[i] >= 0) continue;
        int against = 0;
        for (int j = 0; j < ids; ++j)
          if (root(j) == j && number[j] < 0) against += votes[j * ids + i] - votes[i * ids + j];
        if (best < 0 || against < best_votes) best = i, best_votes = against;
      }
      if (best < 0) return number;
      number[best] = next;
    }
  }
};

namespace detail {

template <class E>
struct lower_tensor_as : lower_tensor_as<typename E::definition> {};

template <TAPELESS_NAME Name>
struct lower_tensor_as<variable_of<Name>> {
  static constexpr tensor_value run(tensor_lowering& to) {
    const type_key type = key_of<variable_of<Name>>;
    if (const tensor_value* known = to.find(type)) return *known;
    return to.remember(type, to.variable(TAPELESS_NAME_TEXT(Name)));
  }
};
template <std::intmax_t N, std::intmax_t D>
struct lower_tensor_as<Constant<N, D>> {
  static constexpr tensor_value run(tensor_lowering& to) { return to.scalar(to.graph.constant({N, D, 0.0})); }
};
template <class T>
struct lower_tensor_as<Number<T>> {
  static constexpr tensor_value run(tensor_lowering& to) { return to.scalar(to.graph.number(to.graph.numbers++)); }
};
template <class E, TAPELESS_NAME Name>
struct lower_tensor_as<StopGradient<E, Name>> {
  static constexpr tensor_value run(tensor_lowering& to) { return to.stop(lower_tensor_as<E>::run(to)); }
};
template <class Op>
struct lower_tensor_as<Apply<Op>> {
  static constexpr tensor_value run(tensor_lowering& to) {
    return to.scalar(to.graph.append_as_is(info<Op>, nullptr, 0));
  }
};
template <class Op, class... Es>
struct lower_tensor_as<Apply<Op, Es...>> {
  static constexpr tensor_value run(tensor_lowering& to) {
    constexpr bool shared = (std::is_empty_v<Es> && ...);
    const type_key type = key_of<Apply<Op, Es...>>;
    if (shared)
      if (const tensor_value* known = to.find(type)) return *known;
    tensor_value operands[] = {lower_tensor_as<Es>::run(to)...};
    const tensor_value result = lower(to, operands, std::index_sequence_for<Es...>{});
    return shared ? to.remember(type, result) : result;
  }

 private:
  template <std::size_t... I>
  static constexpr tensor_value lower(tensor_lowering& to, tensor_value* operands, std::index_sequence<I...>) {
    if constexpr (requires { Op::lower(to, operands[I]...); })
      return Op::lower(to, operands[I]...);
    else if constexpr (sizeof...(Es) == 1 && std::same_as<Op, operation::Norm>)
      return to.template over_axes<operation::NormOver>(operands[0], nullptr, 0, false);
    else if constexpr (sizeof...(Es) == 1 && std::same_as<Op, operation::LogSumExp>)
      return to.template over_axes<operation::LogSumExpOver>(operands[0], nullptr, 0, false);
    else if constexpr (sizeof...(Es) == 1 && std::same_as<Op, operation::Max>)
      return to.template over_axes<operation::AMax>(operands[0], nullptr, 0, false);
    else if constexpr (sizeof...(Es) == 1 && std::same_as<Op, operation::Min>)
      return to.template over_axes<operation::AMin>(operands[0], nullptr, 0, false);
    else
      return to.elementwise(info<Op>, operands, sizeof...(Es));
  }
};

}  // namespace detail

template <bool Apart, class Formulas, class... Leaves>
class lower_tensors_as;
template <bool Apart, template <class...> class List, class... Es, class... Leaves>
class lower_tensors_as<Apart, List<Es...>, Leaves...> {
  static constexpr void append(growing_array<tensor_value>& to, const tensor_value& value) { to.push_back(value); }
  static constexpr void append(growing_array<tensor_value>& to, const growing_array<tensor_value>& values) {
    for (const tensor_value& value : values) to.push_back(value);
  }
  /// A formula has one value, a function may have several.
  static constexpr growing_array<tensor_value> lower_all(tensor_lowering& to) {
    growing_array<tensor_value> values;
    (append(values, detail::lower_tensor_as<Es>::run(to)), ...);
    return values;
  }

 public:
  // The last stands for every variable that is not bound.
  static constexpr std::array<leaf_description, sizeof...(Leaves) + 1> leaves = [] {
    std::array<leaf_description, sizeof...(Leaves) + 1> result{};
    std::size_t next = 0;
    const auto describe = [&](std::string_view name, bool column_major, const auto& extents) {
      leaf_description& leaf = result[next++];
      leaf.name = name;
      leaf.column_major = column_major;
      leaf.rank = static_cast<int>(extents.size());
      for (std::size_t i = 0; i < extents.size(); ++i) leaf.extents[i] = extents[i];
    };
    (describe(Leaves::variable_type::name, Leaves::column_major, Leaves::extents), ...);
    return result;
  }();

  static constexpr tensor_problem problem = [] {
    tensor_lowering to(leaves.data(), static_cast<int>(leaves.size()), Apart);
    lower_all(to);
    return to.problem;
  }();

  static constexpr builder run() {
    tensor_lowering to(leaves.data(), static_cast<int>(leaves.size()), Apart);
    growing_array<tensor_value> values = lower_all(to);
    return to.finish(values.data, values.size);
  }
};

/// Formulas, one an output, with tensors bound as `Leaves` say, to a program.
template <class Formulas, class... Leaves>
struct lower_tensors : lower_tensors_as<false, Formulas, Leaves...> {};
/// The same, with axes apart.
template <class Formulas, class... Leaves>
struct lower_tensors_apart : lower_tensors_as<true, Formulas, Leaves...> {};

}  // namespace tapeless::program

#endif
