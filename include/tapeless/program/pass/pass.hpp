#pragma once

#include <tapeless/program/differentiate/forward.hpp>
#include <tapeless/program/differentiate/reverse.hpp>
#include <tapeless/program/lower/lowering.hpp>
#include <tapeless/program/pass/finish.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <utility>

/// The passes as types: each has `run()`, which gives the program it makes, and names the program it starts from by a
/// type with a member `value`, so that `frozen<Pass>` chains them and equal requests are compiled once.
namespace tapeless::program {

/// Formulas, one an output, to a program.
template <class... Es>
struct lower_formulas {
  static constexpr builder run(bool plain = false) {
    number_lowering to;
    to.graph.stay_plain(plain);
    const int outputs[] = {detail::lower_as<Es>::run(to)...};
    to.graph.outputs = {outputs, sizeof...(Es)};
    return std::move(to.graph);
  }
};

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
  const growing_array<char> used = needed_nodes(graph, outputs);
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
  static constexpr auto value = as_array(
      [] { return variable_uses(Source::view(), Source::value.outputs, {variables.data(), variables.size()}); });
  static constexpr std::size_t count = value.size();
};

/// The access of output number `output` of a lowered formula.
template <class Source>
constexpr int access_of_output(std::size_t output) {
  int index = 0;
  for (const tensor_access& access : Source::value.accesses) {
    if (access.kind == access_kind::output && access.of == static_cast<int>(output)) break;
    ++index;
  }
  return index;
}

/// A pass that appends derivatives by the variables with the given indices; -1 stands for one that the program does not
/// have.
template <class Source, int... Variables>
struct differentiating_pass {
  using source = Source;
  static constexpr std::array<int, sizeof...(Variables)> variable_indices{Variables...};
  static constexpr std::span<const int> variables() { return variable_indices; }

 protected:
  /// Appends the derivatives of the outputs of `Request`, weighted with `seeds`, as outputs: one a variable, over
  /// tensors one a use of a variable. What is said to be infinite beyond them also gets where those flow.
  template <class Request>
  static constexpr void append_derivatives(builder& graph, std::span<const int> seeds) {
    if constexpr (Source::value.accesses.empty()) {
      for (const int derivative : reverse<Request>(graph, Request::outputs(), seeds))
        graph.outputs.push_back(derivative);
    } else {
      constexpr bool reach = requires { Request::onward; };
      const growing_array<char> conditional(reach ? graph.variables.size : 0, 1);
      const growing_array<guarded> adjoint = adjoints<Request>(graph, Request::outputs(), seeds, conditional);
      constexpr auto& uses = uses_of<Source, Variables...>::value;
      for (const variable_use& use : uses) graph.outputs.push_back(number_of(graph, adjoint[use.node]));
      for (std::size_t k = 0; k < uses.size() && reach; ++k)
        graph.outputs.push_back(detail::flag_of(graph, adjoint[uses[k].node]));
    }
  }
};

/// Appends the derivatives of output 0 of `Source`.
template <class Source, int... Variables>
struct append_gradient : differentiating_pass<Source, Variables...> {
  static constexpr std::span<const int> outputs() { return std::span(Source::value.outputs).first(1); }
  static constexpr builder run() { return run_as<append_gradient>(); }

 protected:
  template <class Request>
  static constexpr builder run_as(builder graph = Source::thaw()) {
    const int seeds[] = {graph.constant(1)};
    append_gradient::template append_derivatives<Request>(graph, seeds);
    return graph;
  }
};
/// The same, and where they flow: what follows may be infinite.
template <class Source, int... Variables>
struct append_reaching_gradient : append_gradient<Source, Variables...> {
  static constexpr partials onward = partials::any;
  static constexpr builder run() { return append_reaching_gradient::template run_as<append_reaching_gradient>(); }
};

/// An entry of a Jacobian or a Hessian that is not zero by structure: a node of the program.
struct matrix_entry {
  int row, column, node;
};

/// Entries in the order of a coordinate below `count`; those where it is the same stay in their order.
constexpr growing_array<matrix_entry> sorted(const growing_array<matrix_entry>& entries, int matrix_entry::* coordinate,
                                             int count) {
  const number_lists in_order(count, [&](const auto& add) {
    for (int k = entries.size; k-- > 0;) add(entries.data[k].*coordinate, k);
  });
  growing_array<matrix_entry> result;
  for (const int k : in_order.all) result.push_back(entries.data[k]);
  return result;
}

/// Of each node that is one of the variables the place among them, -1 of all others; and the node of each variable.
struct variable_places {
  growing_array<int> of_nodes, nodes;

  constexpr variable_places(const builder& graph, std::span<const int> variables)
      : of_nodes(graph.nodes.size, -1), nodes(static_cast<int>(variables.size()), -1) {
    const growing_array<int> of_variables = nodes_of_variables(graph);
    for (int place = 0; place < nodes.size; ++place)
      if (const int v = variables[static_cast<std::size_t>(place)]; v >= 0 && of_variables[v] >= 0)
        nodes[place] = of_variables[v], of_nodes[of_variables[v]] = place;
  }
};

/// The entries of a matrix by forward sweeps, one a column: of the derivatives of all outputs of `Request` by its
/// variables, or where it is symmetric of the upper triangle.
template <class Request>
constexpr growing_array<matrix_entry> entries_by_columns(builder& graph, bool symmetric) {
  const std::span<const int> outputs = Request::outputs();
  const int rows = static_cast<int>(outputs.size()), columns = static_cast<int>(Request::variables().size());
  const int one = graph.constant(1);
  const variable_places places(graph, Request::variables());
  // The rows that have a node as their output: the first, and the one after each.
  growing_array<int> first_row(graph.nodes.size, rows), next_row(rows, rows);
  for (int row = rows - 1; row >= 0; --row) {
    int& first = first_row[outputs[static_cast<std::size_t>(row)]];
    next_row.data[row] = first, first = row;
  }
  growing_array<matrix_entry> entries;
  forward_sweeps<Request> sweeps(graph);
  for (int column = 0; column < columns; ++column) {
    const int variable = places.nodes[column], wanted = symmetric ? column + 1 : rows;
    if (variable < 0) continue;
    for (const int i : sweeps.run(variable, one, wanted))
      if (const int node = first_row.data[i] < wanted ? sweeps.tangent(i) : -1;
          node >= 0 && !graph.is_absolute_zero(node))
        for (int row = first_row.data[i]; row < wanted; row = next_row.data[row])
          entries.push_back({row, column, node});
  }
  return entries;
}

/// The same by reverse sweeps, one a row.
template <class Request>
constexpr growing_array<matrix_entry> entries_by_rows(builder& graph) {
  const int rows = static_cast<int>(Request::outputs().size()), one = graph.constant(1);
  const variable_places places(graph, Request::variables());
  growing_array<matrix_entry> entries;
  reverse_sweeps<Request> sweeps(graph, rows > 1);
  for (int row = 0; row < rows; ++row)
    for (const int i : sweeps.run(Request::outputs().subspan(static_cast<std::size_t>(row), 1), {&one, 1}))
      if (const int column = places.of_nodes.data[i], node = sweeps.adjoint(i).node;
          column >= 0 && node >= 0 && !graph.is_absolute_zero(node))
        entries.push_back({row, column, node});
  return entries;
}

/// Of each variable the node that is a sequence; -1 of one that is none.
template <class Request>
constexpr growing_array<int> sequences_among_variables(const builder& graph) {
  if (!graph.has_sequences) return {static_cast<int>(Request::variables().size()), -1};
  growing_array<int> result = variable_places(graph, Request::variables()).nodes;
  for (int k = 0; k < result.size; ++k)
    if (result[k] >= 0 && !graph.nodes[result[k]].sequence) result[k] = -1;
  return result;
}
template <class Request>
constexpr bool has_sequence(const builder& graph) {
  for (const int node : sequences_among_variables<Request>(graph))
    if (node >= 0) return true;
  return false;
}

/// The entries of a matrix: symmetric, or by a reverse sweep an output or a forward sweep a variable, whichever are
/// fewer; rules for adjoints alone, and sequences, want reverse sweeps.
template <class Request>
constexpr growing_array<matrix_entry> entries_of(builder& graph, bool symmetric) {
  if (symmetric || (Request::outputs().size() > Request::variables().size() && !has_sequence<Request>(graph) &&
                    !first_without_rule(graph, Request::variables(), Request::outputs(), direction::forward)))
    return entries_by_columns<Request>(graph, symmetric);
  return entries_by_rows<Request>(graph);
}

/// The source of `Request` with the matrix of derivatives appended: by rows, or of a symmetric one the upper triangle,
/// by columns.
template <class Request>
constexpr builder with_matrix(bool symmetric, builder graph = Request::source::thaw()) {
  const int rows = static_cast<int>(Request::outputs().size()), columns = static_cast<int>(Request::variables().size());
  growing_array<int> entries(symmetric ? columns * (columns + 1) / 2 : rows * columns, graph.constant(0));
  const growing_array<matrix_entry> found = entries_of<Request>(graph, symmetric);
  const growing_array<int> sequences = sequences_among_variables<Request>(graph);
  for (int column = 0; column < columns; ++column)
    for (int row = 0; row < rows && sequences[column] >= 0 && !symmetric; ++row)
      entries[row * columns + column] = zeros(graph, length_of(graph, sequences[column]));
  for (const auto& [row, column, node] : found)
    entries[symmetric ? column * (column + 1) / 2 + row : row * columns + column] = node;
  graph.outputs.append(entries.data, entries.size);
  return graph;
}

/// Appends to a gradient (outputs: the value, then the derivatives by `Variables`) the upper triangle of the Hessian,
/// column by column: forward differentiation of the gradient.
template <class Source, int... Variables>
struct append_hessian : differentiating_pass<Source, Variables...> {
  static constexpr std::span<const int> outputs() {
    return std::span(Source::value.outputs).subspan(1, sizeof...(Variables));
  }

  static constexpr builder run() { return with_matrix<append_hessian>(true); }
};

/// Appends the Jacobian of all outputs of `Source`, row by row.
template <class Source, int... Variables>
struct append_jacobian : differentiating_pass<Source, Variables...> {
  static constexpr std::span<const int> outputs() { return Source::value.outputs; }

  static constexpr builder run() { return with_matrix<append_jacobian>(false); }
};

/// Appends the entries of a Jacobian or, to a gradient, of the upper triangle of the Hessian, that are not zero by
/// structure, in rows; row and column of each are the program's `places`.
template <class Dense, bool Symmetric>
struct append_sparse : Dense {
  static constexpr builder run(builder graph = Dense::source::thaw()) {
    growing_array<matrix_entry> entries = entries_of<Dense>(graph, Symmetric);
    entries = sorted(entries, &matrix_entry::column, static_cast<int>(Dense::variables().size()));
    entries = sorted(entries, &matrix_entry::row, static_cast<int>(Dense::outputs().size()));
    for (const auto& [row, column, node] : entries)
      graph.outputs.push_back(node), graph.places.push_back({row, column});
    return graph;
  }
};

/// Appends the derivatives of the sum of all outputs of `Source`, each weighted with its cotangent; the cotangents are
/// further variables, of the shapes of the outputs.
template <class Source, int... Variables>
struct append_pullback : differentiating_pass<Source, Variables...> {
  static constexpr bool seeds_differ = false;
  static constexpr std::span<const int> outputs() { return Source::value.outputs; }

  static constexpr builder run(builder graph = Source::thaw()) {
    growing_array<int> seeds;
    for (std::size_t i = 0; i < outputs().size(); ++i) {
      if constexpr (Source::value.accesses.empty()) {
        seeds.push_back(append_variable(graph));
      } else {
        const int seed = append_variable(graph, graph.accesses[access_of_output<Source>(i)]);
        // What an output is broadcast over is summed.
        const axis_set over = graph.nodes[seed].axes & ~graph.nodes[outputs()[i]].axes;
        seeds.push_back(over ? graph.append_reduction(info<operation::Sum>, seed, over) : seed);
      }
    }
    append_pullback::template append_derivatives<append_pullback>(graph, {seeds.begin(), seeds.end()});
    return graph;
  }
};

/// Appends the tangents of the outputs of `Source` from number `Begin` on; the tangents of the variables are further
/// variables, which are read as those are.
template <class Source, std::size_t Begin, int... Variables>
struct append_tangents : differentiating_pass<Source, Variables...> {
  static constexpr bool seeds_differ = false;
  static constexpr std::span<const int> outputs() { return std::span(Source::value.outputs).subspan(Begin); }

  static constexpr builder run(builder graph = Source::thaw()) {
    const int nodes = graph.nodes.size;
    // The nodes that read each variable, in order: the first, and the one after each.
    growing_array<int> first(graph.variables.size, -1), next(nodes, -1);
    growing_array<guarded> seeds(nodes, guarded{});
    for (int i = nodes; i-- > 0;)
      if (const node& n = graph.nodes.data[i]; n.kind == node_kind::variable)
        next.data[i] = first.data[n.leaf], first.data[n.leaf] = i;
    for (const int v : append_tangents::variable_indices) {
      graph.variables.push_back("");
      const int tangent = graph.variables.size - 1;
      for (int i = v < 0 ? -1 : first[v]; i >= 0; i = next[i]) {
        if constexpr (Source::value.accesses.empty()) {
          seeds[i] = {graph.nodes[i].sequence ? graph.sequence_variable(tangent) : graph.variable(tangent)};
        } else {
          tensor_access access = graph.accesses[graph.nodes[i].access];
          access.of = tangent;
          seeds[i] = {graph.read(access)};
        }
      }
    }
    // The seeds are nodes of the program too, without tangents.
    while (seeds.size < graph.nodes.size) seeds.push_back({});
    for (const int tangent : forward_from<append_tangents>(graph, outputs(), seeds)) graph.outputs.push_back(tangent);
    return graph;
  }
};

/// Outputs `Begin` to `End` of a program, ready for evaluation.
template <class Source, std::size_t Begin, std::size_t End>
struct finish_outputs {
  using source = Source;
  static constexpr std::span<const int> wanted() {
    return std::span(Source::value.outputs).subspan(Begin, End - Begin);
  }
  static constexpr builder run() { return finish(Source::value, wanted()); }
};

template <class Source, std::size_t Begin, std::size_t End>
using finished = frozen<finish_outputs<Source, Begin, End>>;

}  // namespace tapeless::program
