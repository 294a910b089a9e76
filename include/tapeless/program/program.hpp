#ifndef TAPELESS_PROGRAM_PROGRAM_HPP
#define TAPELESS_PROGRAM_PROGRAM_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/program/fold.hpp>
#ifdef TAPELESS_VERIFY
#include <tapeless/program/verify.hpp>
#endif

#include <array>
#include <cstddef>
#include <string_view>

namespace tapeless::program {

struct program_size {
  std::size_t nodes, edges, constants, variables, outputs, accesses, moves, axis_rules, extent_uses, axis_sources,
      places;
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
  std::array<tensor_move, Size.moves> moves{};
  std::array<axis_rule, Size.axis_rules> axis_rules{};
  std::array<extent_use, Size.extent_uses> extent_uses{};
  std::array<axis_source, Size.axis_sources> axis_sources{};
  std::array<matrix_place, Size.places> places{};
  int numbers = 0;
  bool compares_extents = false;
  bool plain = false;

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

namespace detail {

struct measurement {
  program_size size;
  fault problem;
  /// How many loops a function recorded.
  int loops = 0;
  /// Whether it has these, or those of a verb that it calls.
  bool has_loops = false;
};

// clang evaluates the initializer of every local variable that has a destructor, so graphs are parameters here.
constexpr measurement measured_graph(const builder& graph) {
  // The steps of a constant evaluation are limited: what copies the program later needs no more of them than this.
  const auto copy = []<class T>(const growing_array<T>& array) {
    [[maybe_unused]] const growing_array<T> copied = array;
  };
  copy(graph.nodes), copy(graph.edges), copy(graph.constants), copy(graph.variables), copy(graph.outputs);
  copy(graph.accesses), copy(graph.moves), copy(graph.axis_rules), copy(graph.extent_uses), copy(graph.axis_sources);
  copy(graph.places);
  const auto count = [](int size) { return static_cast<std::size_t>(size); };
  bool has_loops = graph.loops.size > 0;
  for (int i = 0; graph.has_sequences && i < graph.nodes.size; ++i) has_loops |= is_loop(graph.nodes[i]);
  return {{count(graph.nodes.size), count(graph.edges.size), count(graph.constants.size), count(graph.variables.size),
           count(graph.outputs.size), count(graph.accesses.size), count(graph.moves.size), count(graph.axis_rules.size),
           count(graph.extent_uses.size), count(graph.axis_sources.size), count(graph.places.size)},
          graph.too_large ? fault::too_large : graph.misuse,
          graph.loops.size,
          has_loops};
}
/// Runs a pass for the size of its program.
template <class Pass>
constexpr measurement measure() {
  return measured_graph(Pass::run());
}

// A pass that the compiler cannot run is no error here but a fault, which the public function reports.
template <class Pass, measurement Measured = measure<Pass>()>
constexpr measurement measure_if_possible(int /*preferred*/) {
  return Measured;
}
template <class Pass>
constexpr measurement measure_if_possible(long) {
  return {{}, fault::not_run};
}

}  // namespace detail

template <class Pass>
struct frozen;

/// What is wrong with a program: public functions report it, and look at the program only if nothing is.
template <class P>
inline constexpr fault problem_of = fault::none;

namespace detail {

template <class Pass>
constexpr fault problem_of_source() {
  if constexpr (requires { typename Pass::source; })
    return problem_of<typename Pass::source>;
  else
    return fault::none;
}
template <class Pass>
inline constexpr measurement measured = [] {
  if constexpr (constexpr fault problem = problem_of_source<Pass>(); problem != fault::none)
    return measurement{{}, problem};
  else
    return measure_if_possible<Pass>(0);
}();

}  // namespace detail

template <class Pass>
inline constexpr fault problem_of<frozen<Pass>> = detail::measured<Pass>.problem;

/// The program of a pass as a constant: `Pass::run()` gives a builder. It is run twice, for the sizes and for the
/// content, since a constant cannot hold the memory that the builder grew in.
template <class Pass>
struct frozen {
  static_assert(problem_of<frozen> == fault::none,
                "tapeless: the program is too large, or the compiler cannot run the code that builds it");

 private:
  template <class T, std::size_t N>
  static constexpr std::array<T, N> copy(const growing_array<T>& from) {
    std::array<T, N> result{};
    copy_elements(from.data, from.size, result.data());
    return result;
  }

 public:
  static constexpr auto value = [](const builder& graph) {
    constexpr program_size size = detail::measured<Pass>.size;
    return program<size>{copy<node, size.nodes>(graph.nodes),
                         copy<int, size.edges>(graph.edges),
                         copy<constant_value, size.constants>(graph.constants),
                         copy<std::string_view, size.variables>(graph.variables),
                         copy<int, size.outputs>(graph.outputs),
                         copy<tensor_access, size.accesses>(graph.accesses),
                         copy<tensor_move, size.moves>(graph.moves),
                         copy<axis_rule, size.axis_rules>(graph.axis_rules),
                         copy<extent_use, size.extent_uses>(graph.extent_uses),
                         copy<axis_source, size.axis_sources>(graph.axis_sources),
                         copy<matrix_place, size.places>(graph.places),
                         graph.numbers,
                         graph.compares_extents,
                         graph.plain};
  }(Pass::run());
#ifdef TAPELESS_VERIFY
  static_assert(is_program<verify_result<Pass>(value)>);
#endif

  static constexpr graph_view view() {
    return {value.nodes.data(),
            value.edges.data(),
            value.constants.data(),
            value.accesses.data(),
            value.moves.data(),
            static_cast<int>(value.nodes.size()),
            static_cast<int>(value.variables.size()),
            !value.accesses.empty()};
  }

  /// A builder that holds the program's nodes, at the same indices, to append derivatives to.
  static constexpr builder thaw(rewrites mode = rewrites::derivative) {
    builder graph(mode);
    graph.numbers = value.numbers;
    graph.variables = {value.variables.data(), static_cast<int>(value.variables.size())};
    graph.outputs = {value.outputs.data(), static_cast<int>(value.outputs.size())};
    graph.accesses = {value.accesses.data(), static_cast<int>(value.accesses.size())};
    graph.moves = {value.moves.data(), static_cast<int>(value.moves.size())};
    graph.axis_rules = {value.axis_rules.data(), static_cast<int>(value.axis_rules.size())};
    graph.restore(view(), static_cast<int>(value.edges.size()), static_cast<int>(value.constants.size()));
    graph.stay_plain(value.plain);
    return graph;
  }
};

}  // namespace tapeless::program

#endif
