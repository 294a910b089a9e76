#pragma once

#include <tapeless/operation/tensor/over_axes.hpp>
#include <tapeless/program/lower/einsum_letters.hpp>
#include <tapeless/program/lower/matrix_lowering.hpp>
#include <tapeless/program/lower/reduced_axes.hpp>
#include <tapeless/program/lower/trace.hpp>

#include <string_view>

namespace tapeless::program {

/// Operations element by element, reductions over axes and sums of products.
class reduction_lowering : public matrix_lowering {
 public:
  using matrix_lowering::matrix_lowering;

  constexpr tensor_value scalar(int node) const { return {node, 0, {}}; }
  /// An operation element by element, its operands broadcast.
  constexpr tensor_value elementwise(const operation_info& operation, tensor_value* operands, int count) {
    tensor_value result{-1, 0, {}};
    growing_array<int> nodes;
    for (int i = 0; i < count; ++i) {
      unite_or_rename(result, operands[i]);
      result = joined(result, operands[i]);
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
    bool chosen[max_rank]{};
    for (int i = 0; i < count; ++i) {
      const int position = at(operand, positions[i]);
      refuse_if(position >= 0 && chosen[position], fault::axis_named_twice);
      if (position >= 0) chosen[position] = true;
    }
    constexpr bool keeps = requires { Kind::keeps_axes; };
    axis_set reduced = 0, counted = 0;
    tensor_value result = operand;
    result.rank = 0;
    for (int i = 0; i < operand.rank; ++i) {
      const int id = operand.axes[i];
      if (count > 0 && !chosen[i]) {
        result.axes[result.rank++] = id;
        continue;
      }
      if (id >= 0) {
        reduced |= along(operand.node, id), counted |= axis(axis_of(id));
        constexpr bool needs_element = requires { Kind::needs_element; };
        use(id, needs_element ? Kind::name : std::string_view());
      }
      if (keeps) result.axes[result.rank++] = id;
      if (!keeps && keep) result.axes[result.rank++] = -1;
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
    const tensor_value result = elementwise(applied, operands, count);
    if (applied.keeps_shape && !refuse_if(result.rank > operands[0].rank, fault::surgery_adds_axes))
      for (int i = 0; i < result.rank; ++i)
        require_length(result.axes[i], operands[0].axes[i],
                       "custom_gradient, grad_scale and grad_clip keep their shape");
    return result;
  }

  constexpr tensor_value dot(const tensor_value& a, const tensor_value& b) {
    tensor_value left = a, right = b;
    if (a.rank == 0 || b.rank == 0) return product(left, right);
    // [..., i, k] and [..., k, j] as [..., i, k, 1] and [..., 1, k, j]: aligned, multiplied and summed.
    if (refuse_if(a.rank == max_rank || b.rank == max_rank, fault::rank_too_large)) return a;
    left.axes[left.rank++] = -1;
    if (b.rank == 1) {
      right.axes[right.rank++] = -1;
    } else {
      right = expand_dims(b, b.rank - 2);
    }
    const int inner = left.rank - 2;
    const tensor_value all = product(left, right);
    require_summed(left.axes[inner], right.axes[right.rank - 2]);
    const int contracted = all.axes[all.rank - 2];
    tensor_value result{all.node, 0, {}};
    for (int i = 0; i < all.rank; ++i)
      if (const int back = all.rank - i; back > 3 || (back == 3 && a.rank > 1) || (back == 1 && b.rank > 1))
        result.axes[result.rank++] = all.axes[i];
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
    refuse_if(all.operands() != count, fault::einsum_of_other_letters);
    if (refused()) return operands[0];
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
    refuse_if(letters.size > max_rank, fault::rank_too_large);
    refuse_if(!letters.fit(a.rank, b.rank), fault::einsum_of_other_letters);
    if (refused()) return a;
    tensor_value left{a.node, letters.size, {}}, right{b.node, letters.size, {}};
    for (int i = 0; i < letters.size; ++i) {
      const int in_a = letters.in_first[i], in_b = letters.in_second[i];
      left.axes[i] = in_a < 0 ? -1 : a.axes[in_a];
      right.axes[i] = in_b < 0 ? -1 : b.axes[in_b];
    }
    tensor_value all = product(left, right);
    for (int i = 0; i < letters.size; ++i)
      if (letters.in_first[i] >= 0 && letters.in_second[i] >= 0) require_summed(left.axes[i], right.axes[i]);
    axis_set over = 0;
    for (int i = letters.kept; i < letters.size; ++i)
      if (const int id = all.axes[i]; id >= 0) use(id), over |= along(all.node, id);
    all.rank = letters.kept;
    all.node = sum_over(graph, all.node, over);
    return all;
  }

  constexpr tensor_value outer(const tensor_value& a, const tensor_value& b) {
    if (refuse_if(a.rank + b.rank > max_rank, fault::rank_too_large)) return a;
    tensor_value left{a.node, a.rank + b.rank, {}}, right{b.node, a.rank + b.rank, {}};
    for (int i = 0; i < a.rank + b.rank; ++i) {
      left.axes[i] = i < a.rank ? a.axes[i] : -1;
      right.axes[i] = i < a.rank ? -1 : b.axes[i - a.rank];
    }
    return product(left, right);
  }

  /// Position `axis` of a value, counted from the back where it is negative.
  constexpr int at(const tensor_value& value, int position) {
    const int from_front = position < 0 ? position + value.rank : position;
    if (from_front >= 0 && from_front < value.rank) return from_front;
    refuse_if(true, fault::axis_out_of_range);
    return -1;
  }

  constexpr tensor_value transpose(const tensor_value& operand, const int* order, int count) {
    tensor_value result = operand;
    if (refuse_if(count > 0 && count != operand.rank, fault::transpose_of_other_rank)) return result;
    bool seen[max_rank]{};
    for (int i = 0; i < operand.rank; ++i) {
      const int from = count > 0 ? at(operand, order[i]) : operand.rank - 1 - i;
      if (from < 0) return result;
      refuse_if(seen[from], fault::axis_named_twice);
      seen[from] = true;
      result.axes[i] = operand.axes[from];
    }
    return result;
  }

  constexpr tensor_value expand_dims(const tensor_value& operand, int position) {
    tensor_value result = operand;
    ++result.rank;
    if (refuse_if(result.rank > max_rank, fault::rank_too_large)) return operand;
    const int place = at(result, position);
    for (int i = operand.rank; i > place && i > 0; --i) result.axes[i] = operand.axes[i - 1];
    if (place >= 0) result.axes[place] = -1;
    return result;
  }

  /// The elements moved by at most `share` of 1 + their absolute values, by a chirp over the indices: as it has no
  /// pattern, it is orthogonal to nothing that programs compute.
  constexpr tensor_value displaced(const tensor_value& operand, const auto share) {
    traced phase = 1.0;
    double speed = 1;
    for (int i = 0; i < operand.rank; ++i, speed *= 1.618) phase = phase + speed * index_of(operand.axes[i]);
    tensor_value result = operand;
    const traced x = number(operand);
    result.node = tapeless::detail::node_in(graph, x + share * (1 + abs(x)) * sin(phase * phase));
    return result;
  }
  constexpr tensor_value sum(const tensor_value& a, const tensor_value& b) {
    tensor_value terms[] = {a, b};
    return elementwise(info<operation::Add>, terms, 2);
  }

 protected:
  /// The index along an axis, also along one of extent 1.
  constexpr traced index_of(int id) { return id < 0 ? traced(0) : traced(graph, index_along(graph, axis_of(id))); }
  constexpr traced number(const tensor_value& value) { return traced(graph, graph.as_number(value.node)); }

  /// Of which the second may get axes of its own.
  constexpr tensor_value product(const tensor_value& a, tensor_value& b) {
    tensor_value operands[] = {a, b};
    const tensor_value result = elementwise(info<operation::Multiply>, operands, 2);
    b = operands[1];
    return result;
  }
};

}  // namespace tapeless::program
