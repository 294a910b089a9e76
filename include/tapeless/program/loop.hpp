#ifndef TAPELESS_PROGRAM_LOOP_HPP
#define TAPELESS_PROGRAM_LOOP_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/operation/scan.hpp>
#include <tapeless/program/copy.hpp>
#include <tapeless/program/program.hpp>

#include <array>
#include <cstddef>
#include <utility>

/// From the loops that a traced function recorded to operations: a body becomes a program of its own, a constant that
/// the operation's type names. What it captures becomes its variables, so that what does not change from step to step
/// is computed before the loop.
namespace tapeless::program {

/// For each node whether one of `wanted` needs it, where `known` nodes need nothing.
constexpr growing_array<char> needed_but(graph_view from, const growing_array<int>& wanted,
                                         const growing_array<int>& known) {
  growing_array<char> needed(from.size, 0);
  for (const int node : wanted) needed.data[node] = 1;
  for (int i = from.size - 1; i >= 0; --i) {
    if (!needed.data[i] || known.data[i] >= 0) continue;
    const node& n = from.nodes[i];
    for (int j = 0; j < n.count; ++j) needed.data[from.edges[n.first + j]] = 1;
  }
  return needed;
}

/// How nodes are copied where recorded loops become the operations `loops`.
struct copied_with_loops : copied {
  const operation_info* const* loops = nullptr;
  constexpr int apply(builder& to, const node& n, const int* operands) const {
    return to.append(applies(n, info<operation::RecordedScan>) ? *loops[n.leaf] : *n.operation, operands, n.count);
  }
};

/// Appends to `to` the nodes that `wanted` need; `moved` says where those that are there already stand, and where the
/// others came to stand.
template <class How = copied>
constexpr void copy_needed(builder& to, graph_view from, const growing_array<int>& wanted, growing_array<int>& moved,
                           const How& how = {}) {
  copy_nodes(to, from, needed_but(from, wanted, moved), moved, how);
}

/// The node of a variable; -1 if the program does not have it.
constexpr int node_of_variable(graph_view graph, int variable) {
  for (int i = 0; i < graph.size; ++i)
    if (graph.nodes[i].kind == node_kind::variable && graph.nodes[i].leaf == variable) return i;
  return -1;
}

namespace detail {

template <class Raw>
inline constexpr auto loop_count = static_cast<std::size_t>(measured<Raw>.loops);

constexpr operation::scan_shape shape_of_loop(const recorded_loop& loop) {
  return {loop.carries, loop.constants.size, loop.tables.size, loop.sequences, loop.stacked,
          false,        loop.checkpoints,    loop.ends};
}

template <class Raw, class Indices>
struct loop_operations;

}  // namespace detail

/// The body of loop number `K` of those that `Raw` records.
template <class Raw, std::size_t K>
struct loop_body {
  static constexpr builder run() {
    const builder raw = Raw::run();
    const recorded_loop& loop = raw.loops[static_cast<int>(K)];
    builder to;
    to.stay_plain(raw.plain);
    const int captured = loop.constants.size + loop.tables.size;
    to.variables = {loop.carries + captured + loop.sequences + 1, ""};
    growing_array<int> moved(raw.nodes.size, -1);
    const auto place = [&](int variable, int as) {
      if (const int found = node_of_variable(raw, variable); found >= 0) moved[found] = to.variable(as);
    };
    for (int k = 0; k < loop.carries; ++k) place(loop.first_variable + k, k);
    for (int k = 0; k <= loop.sequences; ++k)
      place(loop.first_variable + loop.carries + k, loop.carries + captured + k);
    for (int k = 0; k < captured; ++k) {
      const bool number = k < loop.constants.size;
      const int from = number ? loop.constants[k] : loop.tables[k - loop.constants.size], as = loop.carries + k;
      const int variable = number ? to.variable(as) : to.sequence_variable(as);
      const int compared[] = {variable, to.constant(0)};
      moved[from] = raw.nodes[from].condition ? to.append(info<operation::NotEqual>, compared, 2) : variable;
    }
    using operations = detail::loop_operations<Raw, std::make_index_sequence<K>>;
    copy_needed(to, raw, loop.results, moved, copied_with_loops{{}, operations::all.data()});
    for (const int result : loop.results) to.outputs.push_back(to.as_number(moved[result]));
    to.misuse = raw.misuse, to.too_large |= raw.too_large;
    return to;
  }
};

namespace detail {

template <class Raw, std::size_t K>
inline constexpr operation::scan_shape recorded_shape =
    [](const builder& graph) { return shape_of_loop(graph.loops[static_cast<int>(K)]); }(Raw::run());

/// The operations of the loops.
template <class Raw, std::size_t... K>
struct loop_operations<Raw, std::index_sequence<K...>> {
  static constexpr std::array<const operation_info*, sizeof...(K)> all{
      &info<operation::Scan<frozen<loop_body<Raw, K>>, recorded_shape<Raw, K>>>...};
};

}  // namespace detail

/// The program of a function that records loops, with the loops as operations.
template <class Raw>
struct with_loops {
  static constexpr builder run() {
    const builder raw = Raw::run();
    builder to;
    to.stay_plain(raw.plain);
    to.variables = {raw.variables.data, Raw::variables};
    to.misuse = raw.misuse, to.too_large = raw.too_large;
    growing_array<int> moved(raw.nodes.size, -1);
    // A derivative by a sequence that no loop reads is as long as that.
    for (int i = 0; i < raw.nodes.size; ++i)
      if (const node& n = raw.nodes[i]; n.kind == node_kind::variable && n.sequence)
        moved[i] = to.sequence_variable(n.leaf);
    using operations = detail::loop_operations<Raw, std::make_index_sequence<detail::loop_count<Raw>>>;
    copy_needed(to, raw, raw.outputs, moved, copied_with_loops{{}, operations::all.data()});
    for (const int output : raw.outputs) to.outputs.push_back(moved[output]);
    return to;
  }
};

}  // namespace tapeless::program

#endif
