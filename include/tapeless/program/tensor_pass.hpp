#ifndef TAPELESS_PROGRAM_TENSOR_PASS_HPP
#define TAPELESS_PROGRAM_TENSOR_PASS_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/program/pass.hpp>
#include <tapeless/program/tensor_lowering.hpp>

#include <array>
#include <cstddef>
#include <span>

namespace tapeless::program {

/// One way in which a program reads a variable: a derivative by the variable has a piece for each.
struct variable_use {
  int variable = 0;
  int node = 0;
  int access = 0;
};

/// The uses of `variables` that `outputs` depend on, in their order. A formula is lowered with axes that give way to
/// others: the reads with those are left behind.
constexpr growing_array<variable_use> variable_uses(graph_view graph, std::span<const int> outputs,
                                                    std::span<const int> variables) {
  growing_array<char> used(graph.size, 0);
  for (const int output : outputs) used[output] = 1;
  for (int i = graph.size; i-- > 0;)
    for (int j = 0; used[i] && j < graph.nodes[i].count; ++j) used[graph.edges[graph.nodes[i].first + j]] = 1;
  growing_array<variable_use> result;
  for (const int v : variables)
    for (int i = 0; i < graph.size; ++i)
      if (const node& n = graph.nodes[i]; v >= 0 && used[i] && n.kind == node_kind::variable && n.leaf == v)
        result.push_back({v, i, n.access});
  return result;
}

template <class Source, int... Variables>
struct uses_of {
  static constexpr std::array<int, sizeof...(Variables)> variables{Variables...};
  static constexpr std::size_t count = static_cast<std::size_t>(
      variable_uses(Source::view(), Source::value.outputs, {variables.data(), variables.size()}).size);
  static constexpr std::array<variable_use, count> value = [] {
    std::array<variable_use, count> result{};
    const auto uses = variable_uses(Source::view(), Source::value.outputs, {variables.data(), variables.size()});
    for (std::size_t i = 0; i < count; ++i) result[i] = uses.data[i];
    return result;
  }();
};

/// Makes the adjoint of each use of the variables an output.
template <class Source, int... Variables>
constexpr void append_outputs_of_uses(builder& graph, const growing_array<int>& adjoint) {
  for (const variable_use& use : uses_of<Source, Variables...>::value)
    graph.outputs.push_back(adjoint[use.node] < 0 ? graph.constant(0) : adjoint[use.node]);
}

/// Appends, for output 0 of `Source`, the derivatives with respect to the variables with the given indices: an output a
/// use of a variable.
template <class Source, int... Variables>
struct append_tensor_gradient {
  using source = Source;
  static constexpr std::array<int, sizeof...(Variables)> variable_indices{Variables...};
  static constexpr std::span<const int> variables() { return variable_indices; }
  static constexpr std::span<const int> outputs() { return std::span(Source::value.outputs).first(1); }

  static constexpr builder run() {
    builder graph = Source::thaw();
    const int seeds[] = {graph.constant(1)};
    const growing_array<int> adjoint = adjoints<append_tensor_gradient>(graph, outputs(), seeds);
    append_outputs_of_uses<Source, Variables...>(graph, adjoint);
    return graph;
  }
};

/// The access of output number `output` of a lowered formula.
template <class Source>
constexpr int access_of_output(std::size_t output) {
  const int variable = tensor_lowering::max_variable + static_cast<int>(output);
  int access = 0;
  while (Source::value.accesses[static_cast<std::size_t>(access)].variable != variable) ++access;
  return access;
}

/// Appends the derivatives of the sum of all outputs of `Source`, each weighted with its cotangent: an output a use of
/// a variable. The cotangents are further variables of the shapes of the outputs.
template <class Source, int... Variables>
struct append_tensor_pullback {
  using source = Source;
  static constexpr std::array<int, sizeof...(Variables)> variable_indices{Variables...};
  static constexpr std::span<const int> variables() { return variable_indices; }
  static constexpr std::span<const int> outputs() { return Source::value.outputs; }

  static constexpr builder run() {
    builder graph = Source::thaw();
    growing_array<int> seeds;
    for (std::size_t i = 0; i < outputs().size(); ++i) {
      tensor_access access = graph.accesses[access_of_output<Source>(i)];
      graph.variables.push_back("");
      access.variable = graph.variables.size - 1;
      const int seed = graph.variable(access);
      // What an output is broadcast over is summed.
      const axis_set over = graph.nodes[seed].axes & ~graph.nodes[outputs()[i]].axes;
      seeds.push_back(over ? graph.append_reduction(info<operation::Sum>, seed, over) : seed);
    }
    const growing_array<int> adjoint = adjoints<append_tensor_pullback>(graph, outputs(), {seeds.begin(), seeds.end()});
    append_outputs_of_uses<Source, Variables...>(graph, adjoint);
    return graph;
  }
};

/// Appends the tangents of the outputs of `Source` from number `Begin` on; the tangents of the variables are further
/// variables, which are read as those are.
template <class Source, std::size_t Begin, int... Variables>
struct append_tensor_tangents {
  using source = Source;
  static constexpr std::array<int, sizeof...(Variables)> variable_indices{Variables...};
  static constexpr std::span<const int> variables() { return variable_indices; }
  static constexpr std::span<const int> outputs() { return std::span(Source::value.outputs).subspan(Begin); }

  static constexpr builder run() {
    builder graph = Source::thaw();
    const int nodes = graph.nodes.size;
    growing_array<int> seeds(nodes, -1);
    for (const int v : variable_indices) {
      graph.variables.push_back("");
      for (int i = 0; i < nodes; ++i) {
        const node n = graph.nodes[i];
        if (v < 0 || n.kind != node_kind::variable || n.leaf != v) continue;
        tensor_access access = graph.accesses[n.access];
        access.variable = graph.variables.size - 1;
        seeds[i] = graph.variable(access);
      }
    }
    // The seeds are nodes of the program too, without tangents.
    while (seeds.size < graph.nodes.size) seeds.push_back(-1);
    for (const int tangent : forward_from<append_tensor_tangents>(graph, outputs(), seeds))
      graph.outputs.push_back(tangent);
    return graph;
  }
};

/// The finished program `P` of numbers over arrays, element by element: the variables are bound as `Leaves` say and
/// broadcast, and every output has the shape they are broadcast to.
template <class P, class... Leaves>
struct spread_over_arrays {
  static constexpr int rank = [] {
    int largest = 0;
    ((largest = Leaves::rank > largest ? Leaves::rank : largest), ...);
    return largest;
  }();

  static constexpr tensor_access access_of(int variable) {
    tensor_access result{variable, 0, {}};
    const auto take = [&](bool binds, const auto& extents) {
      if (!binds) return;
      result.rank = static_cast<int>(extents.size());
      for (std::size_t i = 0; i < extents.size(); ++i)
        result.axes[i] = extents[i] == 1 ? -1 : rank - result.rank + static_cast<int>(i);
    };
    const std::string_view name = P::value.variables[static_cast<std::size_t>(variable)];
    (take(Leaves::binds(variable, name), Leaves::extents), ...);
    return result;
  }

  static constexpr builder run() {
    builder to;
    to.variables = {P::value.variables.data(), static_cast<int>(P::value.variables.size())};
    to.numbers = P::value.numbers;
    constexpr graph_view from = P::view();
    growing_array<int> moved, operands;
    for (int i = 0; i < from.size; ++i) {
      const node& n = from.nodes[i];
      operands.size = 0;
      for (int j = 0; j < n.count; ++j) operands.push_back(moved[from.edges[n.first + j]]);
      switch (n.kind) {
        case node_kind::variable: moved.push_back(to.variable(access_of(n.leaf))); break;
        case node_kind::number: moved.push_back(to.number(n.leaf)); break;
        case node_kind::constant: moved.push_back(to.constant(from.constants[n.leaf])); break;
        case node_kind::stop: moved.push_back(operands[0]); break;
        case node_kind::apply: moved.push_back(to.append_as_is(*n.operation, operands.data, operands.size)); break;
      }
    }
    for (const int output : P::value.outputs) to.outputs.push_back(moved[output]);
    tensor_access all{tensor_lowering::max_variable, rank, {}};
    for (int i = 0; i < rank; ++i) all.axes[static_cast<std::size_t>(i)] = i;
    to.accesses.push_back(all);
    return to;
  }
};

}  // namespace tapeless::program

#endif
