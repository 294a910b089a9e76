#ifndef TAPELESS_PROGRAM_PASS_HPP
#define TAPELESS_PROGRAM_PASS_HPP

#include <tapeless/program/finish.hpp>
#include <tapeless/program/forward.hpp>
#include <tapeless/program/lowering.hpp>
#include <tapeless/program/reverse.hpp>

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
  static constexpr builder run() {
    lowering to;
    const int outputs[] = {detail::lower_as<Es>::run(to)...};
    to.graph.outputs = {outputs, sizeof...(Es)};
    return std::move(to.graph);
  }
};

/// A further variable of a program: a tangent or a cotangent.
constexpr int append_variable(builder& graph) {
  graph.variables.push_back("");
  return graph.variable(graph.variables.size - 1);
}

/// Appends, for output 0 of `Source`, the derivatives with respect to the variables with the given indices (-1: a
/// variable the program does not have) as further outputs.
template <class Source, int... Variables>
struct append_gradient {
  using source = Source;
  static constexpr std::array<int, sizeof...(Variables)> variable_indices{Variables...};
  static constexpr std::span<const int> variables() { return variable_indices; }
  static constexpr std::span<const int> outputs() { return std::span(Source::value.outputs).first(1); }

  static constexpr builder run() {
    builder graph = Source::thaw();
    const int seeds[] = {graph.constant(1)};
    for (const int derivative : reverse<append_gradient>(graph, outputs(), seeds)) graph.outputs.push_back(derivative);
    return graph;
  }
};

/// Appends to a gradient (outputs: the value, then the derivatives by `Variables`) the upper triangle of the Hessian,
/// column by column: forward differentiation of the gradient.
template <class Source, int... Variables>
struct append_hessian {
  using source = Source;
  static constexpr std::array<int, sizeof...(Variables)> variable_indices{Variables...};
  static constexpr std::span<const int> variables() { return variable_indices; }
  static constexpr std::span<const int> outputs() {
    return std::span(Source::value.outputs).subspan(1, sizeof...(Variables));
  }

  static constexpr builder run() {
    builder graph = Source::thaw();
    const int one = graph.constant(1);
    for (std::size_t column = 0; column < sizeof...(Variables); ++column) {
      growing_array<int> seeds(sizeof...(Variables), -1);
      seeds[static_cast<int>(column)] = one;
      for (const int entry : forward<append_hessian>(graph, outputs().first(column + 1), seeds))
        graph.outputs.push_back(entry);
    }
    return graph;
  }
};

/// Appends the Jacobian of all outputs of `Source`, row by row: a reverse sweep an output or a forward sweep a
/// variable, whichever are fewer.
template <class Source, int... Variables>
struct append_jacobian {
  using source = Source;
  static constexpr std::array<int, sizeof...(Variables)> variable_indices{Variables...};
  static constexpr std::span<const int> variables() { return variable_indices; }
  static constexpr std::span<const int> outputs() { return Source::value.outputs; }

  static constexpr builder run() {
    builder graph = Source::thaw();
    constexpr std::size_t rows = Source::value.outputs.size(), columns = sizeof...(Variables);
    const int one = graph.constant(1);
    growing_array<int> entries(static_cast<int>(rows * columns), -1);
    if (rows <= columns) {
      for (std::size_t i = 0; i < rows; ++i) {
        std::size_t next = i * columns;
        for (const int entry : reverse<append_jacobian>(graph, outputs().subspan(i, 1), {&one, 1}))
          entries.data[next++] = entry;
      }
    } else {
      for (std::size_t j = 0; j < columns; ++j) {
        growing_array<int> seeds(static_cast<int>(columns), -1);
        seeds[static_cast<int>(j)] = one;
        std::size_t i = 0;
        for (const int tangent : forward<append_jacobian>(graph, outputs(), seeds))
          entries.data[columns * i++ + j] = tangent;
      }
    }
    for (const int entry : entries) graph.outputs.push_back(entry);
    return graph;
  }
};

/// Appends the derivatives of the sum of all outputs of `Source`, each weighted with its cotangent; the cotangents are
/// further variables.
template <class Source, int... Variables>
struct append_pullback {
  using source = Source;
  static constexpr std::array<int, sizeof...(Variables)> variable_indices{Variables...};
  static constexpr std::span<const int> variables() { return variable_indices; }
  static constexpr std::span<const int> outputs() { return Source::value.outputs; }

  static constexpr builder run() {
    builder graph = Source::thaw();
    growing_array<int> seeds;
    for (std::size_t i = 0; i < Source::value.outputs.size(); ++i) seeds.push_back(append_variable(graph));
    for (const int derivative : reverse<append_pullback>(graph, outputs(), {seeds.begin(), seeds.end()}))
      graph.outputs.push_back(derivative);
    return graph;
  }
};

/// Appends the tangents of the outputs of `Source` from number `Begin` on; the tangents of the variables are further
/// variables.
template <class Source, std::size_t Begin, int... Variables>
struct append_tangents {
  using source = Source;
  static constexpr std::array<int, sizeof...(Variables)> variable_indices{Variables...};
  static constexpr std::span<const int> variables() { return variable_indices; }
  static constexpr std::span<const int> outputs() { return std::span(Source::value.outputs).subspan(Begin); }

  static constexpr builder run() {
    builder graph = Source::thaw();
    growing_array<int> seeds;
    for (std::size_t i = 0; i < sizeof...(Variables); ++i) seeds.push_back(append_variable(graph));
    for (const int tangent : forward<append_tangents>(graph, outputs(), seeds)) graph.outputs.push_back(tangent);
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
  static constexpr builder run() { return finish<Source>(wanted()); }
};

template <class Source, std::size_t Begin, std::size_t End>
using finished = frozen<finish_outputs<Source, Begin, End>>;

}  // namespace tapeless::program

#endif
