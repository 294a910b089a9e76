#pragma once

#include <tapeless/operation/tensor/verb_inside.hpp>
#include <tapeless/program/lower/move_lowering.hpp>

namespace tapeless::program {

/// Verbs inside a function, and operations of several results.
class verb_lowering : public move_lowering {
 public:
  using move_lowering::move_lowering;

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
    for (int i = 0; i < argument.rank; ++i) use(argument.axes[i]);
    const int node = graph.as_number(argument.node);
    const tensor_move as_it_is = of_verb(argument, argument, call, which);
    argument.node = graph.append_move(info<operation::VerbInput>, &as_it_is, &node, 1);
    return argument;
  }
  /// The derivative of `y`, a number, by that argument, `x`; or 1 where a chosen path leads there, else 0.
  constexpr tensor_value adjoint(const tensor_value& y, const tensor_value& x, int call, int which,
                                 bool reached = false) {
    refuse_if(y.rank > 0, fault::value_is_no_number);
    const int node = graph.as_number(y.node);
    tensor_move laid_out = of_verb({y.node, 0, {}}, x, call, which);
    laid_out.reached = reached;
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
  /// `y` where a count is not zero.
  constexpr tensor_value where_counted(const tensor_value& count, const tensor_value& y) {
    tensor_value compared[] = {count, scalar(graph.constant(0))};
    tensor_value selected[] = {elementwise(info<operation::NotEqual>, compared, 2), y, scalar(graph.constant(0))};
    return elementwise(info<operation::Where>, selected, 3);
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
    if (refuse_if(value.rank != like.rank, fault::direction_of_other_shape)) return value;
    unite_or_rename(like, value);
    for (int i = 0; i < like.rank; ++i)
      require_length(like.axes[i], value.axes[i],
                     "a tangent or cotangent inside a function must have the shape of what it belongs to");
    return value;
  }
};

}  // namespace tapeless::program
