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
    const int outputs[] = {to.lower<Es>()...};
    to.graph.outputs = {outputs, sizeof...(Es)};
    return std::move(to.graph);
  }
};

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
    for (const int derivative : reverse<append_gradient>(graph, graph.outputs[0], graph.constant(1)))
      graph.outputs.push_back(derivative);
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

/// Appends the tangents of all outputs of `Source`; the tangents of the variables are further variables.
template <class Source, int... Variables>
struct append_tangents {
  using source = Source;
  static constexpr std::array<int, sizeof...(Variables)> variable_indices{Variables...};
  static constexpr std::span<const int> variables() { return variable_indices; }
  static constexpr std::span<const int> outputs() { return Source::value.outputs; }

  static constexpr builder run() {
    builder graph = Source::thaw();
    growing_array<int> seeds;
    for (std::size_t i = 0; i < sizeof...(Variables); ++i) {
      graph.variables.push_back("");
      seeds.push_back(graph.variable(graph.variables.size - 1));
    }
    for (const int tangent : forward<append_tangents>(graph, outputs(), seeds)) graph.outputs.push_back(tangent);
    return graph;
  }
};

/// Outputs `Begin` to `End` of a program, ready for evaluation.
template <class Source, std::size_t Begin, std::size_t End>
struct finish_outputs {
  static constexpr builder run() {
    return finish<Source>(std::span(Source::value.outputs).subspan(Begin, End - Begin));
  }
};

template <class Source, std::size_t Begin, std::size_t End>
using finished = frozen<finish_outputs<Source, Begin, End>>;

}  // namespace tapeless::program

#endif
