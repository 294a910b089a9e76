#pragma once

#include <tapeless/program/graph/activity.hpp>
#include <tapeless/program/lower/tensor_lowering.hpp>

#include <array>
#include <cstddef>
#include <utility>

namespace tapeless::program {

/// Lowers the function whose operations `Source` records, each operation once, as a formula over tensors is: the
/// values of its outputs.
template <class Source>
class recorded_lowering {
  struct key {
    const operation_info* operation = nullptr;
    int count = 0;
    constexpr bool operator==(const key& other) const { return *operation == *other.operation && count == other.count; }
  };
  /// The operations of tensors that are used, each once.
  static constexpr auto keys = as_array([] {
    growing_array<key> found;
    for (const node& n : Source::value.nodes) {
      if (n.kind != node_kind::apply || !n.operation->of_tensors) continue;
      const key wanted{n.operation, n.count};
      int k = 0;
      while (k < found.size && !(found[k] == wanted)) ++k;
      if (k == found.size) found.push_back(wanted);
    }
    return found;
  });

  template <class Op, int Count>
  static constexpr tensor_value apply(tensor_lowering& to, tensor_value* operands) {
    return to.template apply<Op>(operands, std::make_index_sequence<static_cast<std::size_t>(Count)>{});
  }
  using function = tensor_value (*)(tensor_lowering& to, tensor_value* operands);
  static constexpr auto functions = []<std::size_t... I>(std::index_sequence<I...>) {
    return std::array<function, sizeof...(I)>{&apply<operation_of<keys[I].operation>, keys[I].count>...};
  }(std::make_index_sequence<keys.size()>{});

  static constexpr tensor_value apply(tensor_lowering& to, const node& n, tensor_value* operands) {
    if (n.count == 0) return to.scalar(to.graph.append_as_is(*n.operation, nullptr, 0));
    if (applies(n, info<operation::Length>)) return to.length(operands[0]);
    if (n.operation->reads_loop()) return to.result_of_call(operands[0], n.operation->output_read);
    if (n.operation->of_tensors) {
      std::size_t k = 0;
      while (!(keys[k] == key{n.operation, n.count})) ++k;
      return functions[k](to, operands);
    }
    return to.apply(*n.operation, operands, n.count);
  }

 public:
  /// `leaves` are the variables of `Source`; of the products that are its last outputs, `kept` has the values.
  static constexpr growing_array<tensor_value> run(tensor_lowering& to, const growing_array<tensor_value>& leaves,
                                                   const growing_array<tensor_value>& kept = {}) {
    constexpr graph_view from = Source::view();
    const growing_array<char> needed = needed_nodes(from, Source::value.outputs);
    const int first = to.followed.size;
    growing_array<int> place(from.size, -1);
    growing_array<char> is_output(from.size, 0);
    for (const int output : Source::value.outputs) is_output[output] = 1;
    growing_array<tensor_value> values, operands;
    for (int i = 0; i < from.size; ++i) {
      const node& n = from.nodes[i];
      values.push_back({});
      if (!needed.data[i]) continue;
      // Axes that none was left for are all one: uniting them takes compilers to their limits. What is after something
      // wrong is as good as any number.
      if (to.refused()) {
        values.data[i].node = to.graph.constant(0);
        continue;
      }
      operands.size = 0;
      for (int j = 0; j < n.count; ++j) operands.push_back(values.data[from.edges[n.first + j]]);
      switch (n.kind) {
        case node_kind::variable: values.data[i] = leaves.data[n.leaf]; break;
        // A function has no numbers of its own, and no extents before it is lowered.
        case node_kind::extent:
        case node_kind::index:
        case node_kind::number: break;
        case node_kind::constant: values.data[i] = to.scalar(to.graph.constant(from.constants[n.leaf])); break;
        case node_kind::stop: values.data[i] = to.stop(operands.data[0]); break;
        case node_kind::apply: values.data[i] = apply(to, n, operands.data); break;
      }
      for (int k = 0; k < kept.size; ++k)
        if (Source::value.outputs[Source::value.outputs.size() - static_cast<std::size_t>(kept.size - k)] == i)
          values.data[i] = to.kept_product(kept[k], values.data[i]);
      if (is_output[i]) place[i] = to.followed.size, to.followed.push_back(values[i]);
    }
    growing_array<tensor_value> results;
    for (const int output : Source::value.outputs)
      results.push_back(place[output] < 0 ? values[output] : to.followed[place[output]]);
    to.followed.size = first;
    return results;
  }
};

}  // namespace tapeless::program
