#ifndef TAPELESS_PROGRAM_PROGRAM_HPP
#define TAPELESS_PROGRAM_PROGRAM_HPP

#include <tapeless/program/fold.hpp>

#include <array>
#include <cstddef>
#include <string_view>

namespace tapeless::program {

struct program_size {
  std::size_t nodes, edges, constants, variables, outputs;
};

/// A finished program: flat arrays of exact size, a constant.
template <program_size Size>
struct program {
  std::array<node, Size.nodes> nodes{};
  std::array<int, Size.edges> edges{};
  std::array<constant_value, Size.constants> constants{};
  std::array<std::string_view, Size.variables> variables{};
  std::array<int, Size.outputs> outputs{};
  int numbers = 0;

  constexpr const node& operator[](int index) const { return nodes[static_cast<std::size_t>(index)]; }
  /// Operand i of a node; the node itself where there is none.
  constexpr int operand(std::size_t index, int i) const {
    const node& n = nodes[index];
    return i < n.count ? edges[static_cast<std::size_t>(n.first + i)] : static_cast<int>(index);
  }
  constexpr const constant_value& constant(int index) const {
    return constants[static_cast<std::size_t>((*this)[index].leaf)];
  }
  constexpr bool is_absolute_zero(int index) const {
    return (*this)[index].kind == node_kind::constant && constant(index).is(0);
  }
  constexpr int output(std::size_t i) const { return outputs[i]; }
  constexpr bool contains(int variable) const {
    for (const node& n : nodes)
      if (n.kind == node_kind::variable && n.leaf == variable) return true;
    return false;
  }
};

/// The program of a pass as a constant: `Pass::run()` gives a builder. It is run twice, for the sizes and for the
/// content, since a constant cannot hold the memory that the builder grew in.
template <class Pass>
struct frozen {
 private:
  static constexpr auto measured = [] {
    const builder graph = Pass::run();
    return std::pair{program_size{graph.nodes.size(), graph.edges.size(), graph.constants.size(),
                                  graph.variables.size(), graph.outputs.size()},
                     graph.too_large};
  }();
  static_assert(!measured.second, "tapeless: the program has more than max_nodes operations; split the function");

 public:
  static constexpr auto value = [] {
    const builder graph = Pass::run();
    program<measured.first> result;
    for (std::size_t i = 0; i < result.nodes.size(); ++i) result.nodes[i] = graph.nodes[i];
    for (std::size_t i = 0; i < result.edges.size(); ++i) result.edges[i] = graph.edges[i];
    for (std::size_t i = 0; i < result.constants.size(); ++i) result.constants[i] = graph.constants[i];
    for (std::size_t i = 0; i < result.variables.size(); ++i) result.variables[i] = graph.variables[i];
    for (std::size_t i = 0; i < result.outputs.size(); ++i) result.outputs[i] = graph.outputs[i];
    result.numbers = graph.numbers;
    return result;
  }();
};

/// A builder that holds the nodes of a program, at the same indices.
template <program_size Size>
constexpr builder thaw(const program<Size>& from) {
  builder graph;
  graph.numbers = from.numbers;
  graph.variables.assign(from.variables.begin(), from.variables.end());
  graph.outputs.assign(from.outputs.begin(), from.outputs.end());
  for (const node& n : from.nodes) graph.restore(n, from.edges.data(), from.constants.data());
  return graph;
}

}  // namespace tapeless::program

#endif
