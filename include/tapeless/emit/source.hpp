#pragma once

#include <tapeless/emit/operations.hpp>
#include <tapeless/program/graph/loops_in.hpp>
#include <tapeless/program/pass/loop_body.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <utility>

/// A finished program with the bodies of its loops, as values: what is written needs no types.
namespace tapeless::detail {

/// A loop: its node, which of its outputs are read, and its body.
template <class Body>
struct c_loop_of {
  int node;
  operation::scan_shape shape;
  const bool* live;
  const Body* body;
};
template <class Loops>
constexpr const auto& loop_at(const Loops& loops, int node) {
  auto found = loops.begin();
  while (found->node != node) ++found;
  return *found;
}

struct c_source;
using c_loop = c_loop_of<c_source>;

struct c_source {
  program::graph_view view;
  std::span<const int> outputs;
  std::span<const c_loop> loops;
  /// The operations without operands, which are constants, and their values.
  std::span<const int> constants;
  const double* values;

  constexpr const c_loop& loop(int node) const { return loop_at(loops, node); }
  constexpr double constant(int node) const {
    std::size_t k = 0;
    while (constants[k] != node) ++k;
    return values[k];
  }
};

template <class P, class T>
struct c_source_of {
  using loops = program::loops_in<P>;
  template <std::size_t K>
  static constexpr auto live_flags = [] {
    using Op = typename loops::template operation<K>;
    program::detail::output_flags<Op> live;
    for (const program::node& n : P::value.nodes)
      if (program::reads_loop(n) && loops::view.edges[n.first] == loops::nodes[K]) live.set(n.operation->output_read);
    return live;
  }();
  template <std::size_t K>
  static constexpr auto live = [] {
    std::array<bool, static_cast<std::size_t>(loops::template operation<K>::outputs) + 1> result{};
    for (std::size_t i = 0; i + 1 < result.size(); ++i) result[i] = live_flags<K>[static_cast<int>(i)];
    return result;
  }();
  template <std::size_t K>
  using body = program::frozen<program::finish_body<typename loops::template operation<K>, live_flags<K>>>;

  // Those over tensors have a plan: nests.hpp.
  static constexpr auto all_loops = []<std::size_t... K>(std::index_sequence<K...>) {
    return std::array<c_loop, sizeof...(K)>{c_loop{loops::nodes[K], loops::template operation<K>::shape, live<K>.data(),
                                                   &c_source_of<body<K>, T>::value}...};
  }(std::make_index_sequence<loops::view.over_tensors ? 0 : loops::count>{});
  static constexpr auto constants = program::as_array([] {
    program::growing_array<int> found;
    for (int i = 0; i < loops::view.size; ++i)
      if (loops::view.nodes[i].kind == program::node_kind::apply && loops::view.nodes[i].count == 0) found.push_back(i);
    return found;
  });
  static constexpr auto values = []<std::size_t... K>(std::index_sequence<K...>) {
    return std::array<double, sizeof...(K)>{
        static_cast<double>(program::operation_of<P::value[constants[K]].operation>::template constant<T>())...};
  }(std::make_index_sequence<constants.size()>{});

  static constexpr c_source value{P::view(), P::value.outputs, all_loops, constants, values.data()};
};

/// How many operands of an operation its text reads.
constexpr int operands_in_text(const program::node& n) {
  const auto is = [&](const program::operation_info& of) { return program::applies(n, of); };
  if (is(program::info<operation::TimesInverse>) || is(program::info<operation::UniformQuotient>)) return 2;
  return is(program::info<operation::ShareOfEqual>) || is(program::info<operation::Broadcast>) ? 1 : n.count;
}
/// The body of a loop, and which of its nodes are read.
struct c_body {
  operation::scan_shape shape;
  const c_source* source;
  program::growing_array<char> read;
};
/// The nodes whose values the texts of others read, or the results: not all operands do. `body_of(node)` is that of a
/// loop.
template <class Body>
constexpr program::growing_array<char> nodes_in_texts(const c_source& source, const Body& body_of) {
  program::growing_array<char> read(source.view.size, 0);
  for (const int output : source.outputs) read[output] = 1;
  for (int i = source.view.size - 1; i >= 0; --i) {
    const program::node& n = source.view.nodes[i];
    if (!read[i] || n.kind != program::node_kind::apply) continue;
    const int* const operands = source.view.edges + n.first;
    int count = operands_in_text(n);
    if (program::is_loop(n)) {
      // Of what the body captures, that which it reads.
      const c_body body = body_of(i);
      for (int j = 0; j < body.read.size; ++j)
        if (const program::node& v = body.source->view.nodes[j];
            body.read[j] && v.kind == program::node_kind::variable && v.leaf < body.shape.operands() - 1)
          read[operands[1 + v.leaf]] = 1;
      count = 1 + body.shape.carries;
    }
    for (int j = 0; j < count; ++j) read[operands[j]] = 1;
  }
  return read;
}
constexpr program::growing_array<char> nodes_in_texts(const c_source& source) {
  return nodes_in_texts(source, [&](int i) {
    const c_loop& loop = source.loop(i);
    return c_body{loop.shape, loop.body, nodes_in_texts(*loop.body)};
  });
}

/// The first operation that has no text, in the program or the body of a loop; null if there is none.
constexpr const program::operation_info* operation_without_text(const c_source& source) {
  const program::operation_info* found = nullptr;
  for (int i = 0; i < source.view.size && !found; ++i)
    if (!has_c_text(source.view, i)) found = source.view.nodes[i].operation;
  for (std::size_t k = 0; k < source.loops.size() && !found; ++k) found = operation_without_text(*source.loops[k].body);
  return found;
}

}  // namespace tapeless::detail
