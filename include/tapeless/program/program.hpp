#ifndef TAPELESS_PROGRAM_PROGRAM_HPP
#define TAPELESS_PROGRAM_PROGRAM_HPP

#include <tapeless/program/fold.hpp>

#include <array>
#include <cstddef>
#include <string_view>

namespace tapeless::program {

struct program_size {
  std::size_t nodes, edges, constants, variables, outputs, accesses;
};

/// A finished program: flat arrays of exact size, a constant.
template <program_size Size>
struct program {
  std::array<node, Size.nodes> nodes{};
  std::array<int, Size.edges> edges{};
  std::array<constant_value, Size.constants> constants{};
  std::array<std::string_view, Size.variables> variables{};
  std::array<int, Size.outputs> outputs{};
  std::array<tensor_access, Size.accesses> accesses{};
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
  struct measurement {
    program_size size;
    bool too_large;
  };
  static constexpr measurement measured = [] {
    const builder graph = Pass::run();
    const auto count = [](int size) { return static_cast<std::size_t>(size); };
    return measurement{{count(graph.nodes.size), count(graph.edges.size), count(graph.constants.size),
                        count(graph.variables.size), count(graph.outputs.size), count(graph.accesses.size)},
                       graph.too_large};
  }();
  static_assert(
      max_nodes == 4096 && !measured.too_large,
      "tapeless: the program is too large: with its derivatives it has more than 4096 nodes; split the function");

  template <class T, std::size_t N>
  static constexpr std::array<T, N> copy(const growing_array<T>& from) {
    std::array<T, N> result{};
    T* to = result.data();
    for (int i = 0; i < from.size; ++i) to[i] = from.data[i];
    return result;
  }

 public:
  static constexpr auto value = [] {
    constexpr program_size size = measured.size;
    const builder graph = Pass::run();
    return program<size>{copy<node, size.nodes>(graph.nodes),
                         copy<int, size.edges>(graph.edges),
                         copy<constant_value, size.constants>(graph.constants),
                         copy<std::string_view, size.variables>(graph.variables),
                         copy<int, size.outputs>(graph.outputs),
                         copy<tensor_access, size.accesses>(graph.accesses),
                         graph.numbers};
  }();

  static constexpr graph_view view() {
    return {value.nodes.data(), value.edges.data(), value.constants.data(), static_cast<int>(value.nodes.size()),
            static_cast<int>(value.variables.size())};
  }

  /// A builder that holds the program's nodes, at the same indices, to append to.
  static constexpr builder thaw() {
    builder graph;
    graph.numbers = value.numbers;
    graph.variables = {value.variables.data(), static_cast<int>(value.variables.size())};
    graph.outputs = {value.outputs.data(), static_cast<int>(value.outputs.size())};
    graph.accesses = {value.accesses.data(), static_cast<int>(value.accesses.size())};
    const node* nodes = value.nodes.data();
    for (std::size_t i = 0; i < value.nodes.size(); ++i)
      graph.restore(nodes[i], value.edges.data(), value.constants.data());
    return graph;
  }
};

}  // namespace tapeless::program

#endif
