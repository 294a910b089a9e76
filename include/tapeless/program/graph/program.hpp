#pragma once

#include <tapeless/program/graph/operation_info.hpp>
#ifdef TAPELESS_VERIFY
#include <tapeless/program/graph/verify.hpp>
#endif

#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>

namespace tapeless::program {

struct program_size {
  std::size_t nodes, edges, constants, variables, outputs, accesses, moves, axis_rules, extent_uses, axis_sources,
      places;
};

/// A finished program: flat arrays of exact size, a constant.
template <program_size Size, template <class, std::size_t> class Array = std::array>
struct program {
  Array<node, Size.nodes> nodes{};
  Array<int, Size.edges> edges{};
  Array<constant_value, Size.constants> constants{};
  Array<std::string_view, Size.variables> variables{};
  Array<int, Size.outputs> outputs{};
  Array<tensor_access, Size.accesses> accesses{};
  Array<tensor_move, Size.moves> moves{};
  Array<axis_rule, Size.axis_rules> axis_rules{};
  Array<extent_use, Size.extent_uses> extent_uses{};
  Array<axis_source, Size.axis_sources> axis_sources{};
  Array<matrix_place, Size.places> places{};
  int numbers = 0;
  bool compares_extents = false;
  bool plain = false;
  bool has_conditions = false, has_sequences = false;

  constexpr const node& operator[](int index) const { return nodes[static_cast<std::size_t>(index)]; }
  /// Operand i of a node; the node itself where there is none.
  constexpr int operand(std::size_t index, int i) const {
    const node& n = nodes[index];
    return i < n.count ? edges[static_cast<std::size_t>(n.first + i)] : static_cast<int>(index);
  }
  constexpr int operand(int index, int i) const { return operand(static_cast<std::size_t>(index), i); }
  /// How a node over tensors reads operand i.
  constexpr const tensor_move& move(int index, int i = 0) const {
    return moves[static_cast<std::size_t>((*this)[index].access + i)];
  }
  constexpr const constant_value& constant(int index) const {
    return constants[static_cast<std::size_t>((*this)[index].leaf)];
  }
  constexpr bool is_absolute_zero(int index) const {
    return (*this)[index].kind == node_kind::constant && constant(index).is(0);
  }
  constexpr int output(std::size_t i) const { return outputs[i]; }
  constexpr int output(int i) const { return outputs[static_cast<std::size_t>(i)]; }
  constexpr bool contains(int variable) const {
    for (const node& n : nodes)
      if (n.kind == node_kind::variable && n.leaf == variable) return true;
    return false;
  }
};

template <class Program>
constexpr graph_view view_of(const Program& program) {
  return {program.nodes.data(),
          program.edges.data(),
          program.constants.data(),
          program.accesses.data(),
          program.moves.data(),
          static_cast<int>(program.nodes.size()),
          static_cast<int>(program.variables.size()),
          !program.accesses.empty()};
}
/// A builder that holds a program's nodes, at the same indices, to append derivatives to.
template <class Program>
constexpr builder thawed(const Program& program, stage mode) {
  builder graph(mode);
  const auto copy = []<class T>(growing_array<T>& to, const auto& from) {
    to.append(from.data(), static_cast<int>(from.size()));
  };
  copy(graph.variables, program.variables), copy(graph.outputs, program.outputs);
  copy(graph.accesses, program.accesses), copy(graph.moves, program.moves), copy(graph.axis_rules, program.axis_rules);
  graph.numbers = program.numbers;
  graph.has_conditions = program.has_conditions, graph.has_sequences = program.has_sequences;
  graph.restore(view_of(program), static_cast<int>(program.edges.size()), static_cast<int>(program.constants.size()));
  graph.stay_plain(program.plain);
  return graph;
}

template <class Pass>
struct frozen;

/// What is wrong with a program: public functions report it, and look at the program only if nothing is.
template <class P>
inline constexpr fault problem_of = fault::none;

namespace detail {

struct measurement {
  program_size size;
  fault problem;
  /// How many loops a function recorded, and of how many nodes they tell.
  int loops = 0, loop_nodes = 0;
  /// Whether it has these, or those of a verb that it calls.
  bool has_loops = false;
};

// clang evaluates the initializer of every local variable that has a destructor, so graphs are parameters here.
constexpr measurement measured_graph(const builder& graph) {
  const auto count = [](int size) { return static_cast<std::size_t>(size); };
  const bool may_have_loops = graph.has_sequences || graph.mode() == stage::recording;
  int loop_nodes = 0;
  for (const recorded_loop& loop : graph.loops)
    loop_nodes += loop.results.size + loop.constants.size + loop.tables.size;
  return {{count(graph.nodes.size), count(graph.edges.size), count(graph.constants.size), count(graph.variables.size),
           count(graph.outputs.size), count(graph.accesses.size), count(graph.moves.size), count(graph.axis_rules.size),
           count(graph.extent_uses.size), count(graph.axis_sources.size), count(graph.places.size)},
          graph.too_large ? fault::too_large : graph.misuse,
          graph.loops.size,
          loop_nodes,
          graph.loops.size > 0 || (may_have_loops && contains_loops(graph))};
}

// A constant cannot hold the memory that a builder grew in: a pass fills arrays with room for most programs, whose
// contents are copied. clang keeps one element for all that were never written, if it need not run an initializer for
// each: those of unions have none.
#ifdef __clang__
inline constexpr std::size_t most = max_nodes;
inline constexpr program_size room{most, 4 * most, most, most, most, most, most, most, most, most, most};
template <class T, std::size_t N>
struct roomy {
  union slot {
    char none;
    T value;
  };
  slot slots[N];
};
template <class T, std::size_t N>
constexpr void fill(roomy<T, N>& to, const growing_array<T>& from) {
  const T* const f = from.data;
  auto* const t = to.slots;
  int i = 0;
  for (; i + 8 <= from.size; i += 8)
    t[i] = {.value = f[i]}, t[i + 1] = {.value = f[i + 1]}, t[i + 2] = {.value = f[i + 2]},
    t[i + 3] = {.value = f[i + 3]}, t[i + 4] = {.value = f[i + 4]}, t[i + 5] = {.value = f[i + 5]},
    t[i + 6] = {.value = f[i + 6]}, t[i + 7] = {.value = f[i + 7]};
  for (; i < from.size; ++i) t[i] = {.value = f[i]};
}
template <class T, std::size_t N, std::size_t Room>
constexpr void fill(std::array<T, N>& to, const roomy<T, Room>& from) {
  T* const data = to.data();
  for (std::size_t i = 0; i < N; ++i) data[i] = from.slots[i].value;
}
#else
inline constexpr program_size room{4096, 8192, 256, 64, 256, 16, 16, 16, 16, 16, 256};
template <class T, std::size_t N>
using roomy = std::array<T, N>;
template <class T, std::size_t N, std::size_t Room>
constexpr void fill(std::array<T, N>& to, const std::array<T, Room>& from) {
  copy_elements(from.data(), static_cast<int>(N), to.data());
}
#endif
template <class T, std::size_t N>
constexpr void fill(std::array<T, N>& to, const growing_array<T>& from) {
  copy_elements(from.data, from.size, to.data());
}
/// Copies a program into arrays of its size, or of more room.
template <class To, class From>
constexpr void fill_program(To& to, const From& from) {
  fill(to.nodes, from.nodes), fill(to.edges, from.edges), fill(to.constants, from.constants);
  fill(to.variables, from.variables), fill(to.outputs, from.outputs), fill(to.accesses, from.accesses);
  fill(to.moves, from.moves), fill(to.axis_rules, from.axis_rules), fill(to.extent_uses, from.extent_uses);
  fill(to.axis_sources, from.axis_sources), fill(to.places, from.places);
  to.numbers = from.numbers, to.compares_extents = from.compares_extents, to.plain = from.plain;
  to.has_conditions = from.has_conditions, to.has_sequences = from.has_sequences;
}
template <program_size Size, class From>
constexpr program<Size> filled(const From& from) {
  program<Size> to;
  fill_program(to, from);
  return to;
}
constexpr bool has_room(const program_size& size) {
  return size.nodes <= room.nodes && size.edges <= room.edges && size.constants <= room.constants &&
         size.variables <= room.variables && size.outputs <= room.outputs && size.accesses <= room.accesses &&
         size.moves <= room.moves && size.axis_rules <= room.axis_rules && size.extent_uses <= room.extent_uses &&
         size.axis_sources <= room.axis_sources && size.places <= room.places;
}
struct first_run {
  measurement measured;
  program<room, roomy> content;
};
// Where there is no room, the pass is run once more for its contents. The steps of a constant evaluation are limited:
// that run needs no more of them than the first.
constexpr void spend_steps_of_copy(const builder& graph) {
  const auto copy = []<class T>(const growing_array<T>& array) {
    [[maybe_unused]] const growing_array<T> copied = array;
  };
  copy(graph.nodes), copy(graph.edges), copy(graph.constants), copy(graph.variables), copy(graph.outputs);
  copy(graph.accesses), copy(graph.moves), copy(graph.axis_rules), copy(graph.extent_uses), copy(graph.axis_sources);
  copy(graph.places);
}
constexpr first_run first_run_of_graph(const builder& graph) {
  first_run result{measured_graph(graph), {}};
  if (result.measured.problem != fault::none) return result;
  if (has_room(result.measured.size))
    fill_program(result.content, graph);
  else
    spend_steps_of_copy(graph);
  return result;
}
/// A program that a pass made, and what else it found.
template <class Notes>
struct noted : builder {
  Notes notes;
};
template <class Notes>
struct noted_run : first_run {
  Notes notes;
};
template <class Notes>
constexpr noted_run<Notes> first_run_of_graph(const noted<Notes>& graph) {
  return {first_run_of_graph(static_cast<const builder&>(graph)), graph.notes};
}
template <class Pass>
using run_of_pass = decltype(first_run_of_graph(Pass::run()));
// g++ remembers what a function without arguments gave, and would write a variable into each object file. Clang does
// not remember: there it is a reference, which is a constant if it can be. Else it is nothing at run time; without side
// effects, so that nothing of it is emitted.
#ifdef __clang__
template <class Pass>
[[gnu::const]] constexpr run_of_pass<Pass> run_first_or_nothing() {
  return std::is_constant_evaluated() ? first_run_of_graph(Pass::run()) : run_of_pass<Pass>{};
}
template <class Pass>
inline const run_of_pass<Pass>& kept_run = run_first_or_nothing<Pass>();
template <class Pass>
constexpr const run_of_pass<Pass>& first_run_of() {
  return kept_run<Pass>;
}
#else
template <class Pass>
constexpr run_of_pass<Pass> first_run_of() {
  return first_run_of_graph(Pass::run());
}
#endif
template <class Pass, measurement Measured>
constexpr auto contents() {
  if constexpr (has_room(Measured.size))
    return filled<Measured.size>(first_run_of<Pass>().content);
  else
    return filled<Measured.size>(Pass::run());
}

// A pass that the compiler cannot run is no error here but a fault, which the public function reports.
template <class Pass, measurement Measured = first_run_of<Pass>().measured>
constexpr measurement measure_if_possible(int /*preferred*/) {
  return Measured;
}
template <class Pass>
constexpr measurement measure_if_possible(long) {
  return {{}, fault::not_run};
}

template <class Pass>
inline constexpr measurement measured = [] {
  if constexpr (requires { requires problem_of<typename Pass::source> != fault::none; })
    return measurement{{}, problem_of<typename Pass::source>};
  else
    return measure_if_possible<Pass>(0);
}();

}  // namespace detail

template <class Pass>
inline constexpr fault problem_of<frozen<Pass>> = detail::measured<Pass>.problem;

/// The program of a pass as a constant: `Pass::run()` gives a builder.
template <class Pass>
struct frozen {
  using pass = Pass;
  static_assert(
      problem_of<frozen> == fault::none,
      "tapeless: a program is too large, or the compiler stopped the constant evaluation that builds it; raise "
      "its limit, clang -fconstexpr-steps=100000000, g++ -fconstexpr-ops-limit=1000000000 [TL236]");

  static constexpr auto value = detail::contents<Pass, detail::measured<Pass>>();
#ifdef TAPELESS_VERIFY
  static_assert(is_sound<verify_result<Pass>(value)>);
#endif

  static constexpr graph_view view() { return view_of(value); }

  static constexpr builder thaw(stage mode = stage::derivative) {
    auto graph = thawed(value, mode);
    if constexpr (value.has_sequences) graph.by_element = loops_over_elements<decltype(graph)>();
    return graph;
  }
};

}  // namespace tapeless::program
