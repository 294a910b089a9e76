#pragma once

#include <tapeless/operation/scan.hpp>
#include <tapeless/operation/tensor/verb_inside.hpp>
#include <tapeless/program/graph/activity.hpp>
#include <tapeless/program/graph/program.hpp>
#include <tapeless/program/rewrite/copy.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

/// From the loops that a traced function recorded to operations: a body becomes a program of its own, a constant that
/// the operation's type names. What it captures becomes its variables, so that what does not change from step to step
/// is computed before the loop.
namespace tapeless::program {

/// How nodes are copied where recorded loops become the operations `loops`. Over tensors nothing has axes yet.
struct copied_with_loops : copied {
  const operation_info* const* loops = nullptr;
  constexpr int apply(builder& to, const node& n, const int* operands) const {
    const operation_info& operation = applies(n, info<operation::RecordedScan>) ? *loops[n.leaf] : *n.operation;
    return to.mode() == stage::recording ? to.append_as_is(operation, operands, n.count)
                                         : to.append(operation, operands, n.count);
  }
  constexpr int move(builder& to, graph_view, const node& n, const int* operands) const {
    return apply(to, n, operands);
  }
};

/// Whether what a pass gives is a function of tensors, whose ranks are not known yet; then so are the bodies of its
/// loops.
template <class Pass>
inline constexpr bool is_recorded = requires { requires Pass::is_recording; };

/// Appends to `to` the nodes that `wanted` need; `moved` says where those that are there already stand, which need
/// nothing, and where the others came to stand.
template <class How = copied>
constexpr void copy_needed(builder& to, graph_view from, const growing_array<int>& wanted, growing_array<int>& moved,
                           const How& how = {}) {
  growing_array<char> needed(from.size, 0);
  for (const int node : wanted) needed.data[node] = 1;
  for (int i = from.size - 1; i >= 0; --i)
    for (int j = 0; needed.data[i] && moved.data[i] < 0 && j < from.nodes[i].count; ++j)
      needed.data[from.edges[from.nodes[i].first + j]] = 1;
  copy_nodes(to, from, needed, moved, how);
}

/// What computes the nodes `results` of `graph`, as a program of its own whose variables are the nodes `variables`, in
/// their order; -1 is one that it does not read.
constexpr builder part_of(const builder& graph, const growing_array<int>& variables, const growing_array<int>& results,
                          stage mode) {
  builder to(mode);
  to.stay_plain(graph.plain);
  to.variables = {variables.size, ""};
  growing_array<int> moved(graph.nodes.size, -1);
  for (int k = 0; k < variables.size; ++k)
    if (const int node = variables[k]; node >= 0)
      moved[node] = graph.nodes[node].sequence ? to.sequence_variable(k) : to.variable(k);
  copy_needed(to, graph, results, moved);
  for (const int node : results) to.outputs.push_back(to.as_number(moved[node]));
  to.misuse = graph.misuse, to.too_large |= graph.too_large;
  return to;
}

/// What a function with loops recorded, as a constant: its program, where the loops are nodes, and the loops. The
/// function is not run again for each of them.
template <class Raw>
struct recording {
  static constexpr detail::measurement measured = detail::measured<Raw>;
  static constexpr auto count = static_cast<std::size_t>(measured.loops);

  struct loop {
    int first_variable = 0;
    operation::scan_shape shape;
    /// Where its results begin among the nodes of all loops; what it captures follows.
    int first = 0, results = 0;
  };
  struct content {
    program<measured.size> all;
    std::array<loop, count> loops{};
    std::array<int, static_cast<std::size_t>(measured.loop_nodes)> nodes{};
  };
  static constexpr content value = [](const builder& raw) {
    content result{detail::filled<measured.size>(raw)};
    int* next = result.nodes.data();
    for (std::size_t k = 0; k < count; ++k) {
      const recorded_loop& from = raw.loops[static_cast<int>(k)];
      result.loops[k] = {from.first_variable,
                         {from.carries, from.constants.size, from.tables.size, from.sequences, from.stacked, false,
                          from.checkpoints, from.ends, from.once, from.kept},
                         static_cast<int>(next - result.nodes.data()),
                         from.results.size};
      for (const auto* part : {&from.results, &from.constants, &from.tables})
        for (const int node : *part) *next++ = node;
    }
    return result;
  }(Raw::run());
};

namespace detail {

template <class Raw, class Indices>
struct loop_operations;

}  // namespace detail

/// The body of loop number `K` of those that `Raw` records.
template <class Raw, std::size_t K>
struct loop_body {
  static constexpr bool is_recording = is_recorded<Raw>;
  static constexpr std::uint64_t key = K;
  static constexpr builder run() {
    constexpr const auto& recorded = recording<Raw>::value;
    const graph_view raw = view_of(recorded.all);
    const auto& loop = recorded.loops[K];
    const operation::scan_shape& shape = loop.shape;
    const int carries = shape.carries, captured = shape.constants + shape.tables, sequences = shape.sequences;
    builder to(is_recording ? stage::recording : stage::formula);
    to.stay_plain(recorded.all.plain);
    to.variables = {carries + captured + sequences + 1, ""};
    growing_array<int> moved(raw.size, -1);
    const growing_array<int> of_variables = nodes_of_variables(raw);
    const auto place = [&](int variable, int as) {
      if (const int found = of_variables[variable]; found >= 0) moved[found] = to.variable(as);
    };
    for (int k = 0; k < carries; ++k) place(loop.first_variable + k, k);
    for (int k = 0; k <= sequences; ++k) place(loop.first_variable + carries + k, carries + captured + k);
    const int* const results = recorded.nodes.data() + loop.first;
    for (int k = 0; k < captured; ++k) {
      const int from = results[loop.results + k], as = carries + k;
      const int variable = k < shape.constants || is_recording ? to.variable(as) : to.sequence_variable(as);
      const int compared[] = {variable, to.constant(0)};
      moved[from] = raw.nodes[from].condition ? to.append(info<operation::NotEqual>, compared, 2) : variable;
    }
    using operations = detail::loop_operations<Raw, std::make_index_sequence<K>>;
    const growing_array<int> wanted{results, loop.results};
    copy_needed(to, raw, wanted, moved, copied_with_loops{{}, operations::all.data()});
    for (const int result : wanted) to.outputs.push_back(to.as_number(moved[result]));
    return to;
  }
};

namespace detail {

// Classes: g++ 12 crashes on an alias.
template <bool OverTensors, class Body, operation::scan_shape Shape>
struct loop_operation : std::type_identity<operation::Scan<Body, Shape>> {};
template <class Body, operation::scan_shape Shape>
struct loop_operation<true, Body, Shape> : std::type_identity<operation::TensorScan<Body, Shape>> {};
/// The operations of the loops.
template <class Raw, std::size_t... K>
struct loop_operations<Raw, std::index_sequence<K...>> {
  static constexpr std::array<const operation_info*, sizeof...(K)> all{
      &info<typename loop_operation<is_recorded<Raw>, frozen<loop_body<Raw, K>>,
                                    recording<Raw>::value.loops[K].shape>::type>...};
};

/// The operations that read the outputs of the loop `Op`, over numbers or over tensors.
template <class Op>
inline constexpr auto output_readers = []<int... I>(std::integer_sequence<int, I...>) {
  [[maybe_unused]] constexpr auto reader = []<int K>(std::integral_constant<int, K>) {
    if constexpr (tapeless::detail::Tensor_operation<Op>)
      return &info<operation::TensorScanOutput<K>>;
    else
      return &info<operation::ScanOutput<K, K >= Op::shape.carries>>;
  };
  return std::array<const operation_info*, sizeof...(I)>{reader(std::integral_constant<int, I>{})...};
}(std::make_integer_sequence<int, Op::outputs>{});

/// The body of a loop whose steps are `Step`.
template <class Step>
struct step_body {
  static constexpr bool is_recording = true;
  static constexpr builder run() {
    builder to(stage::recording);
    const int variables = Step::shape.operands();
    to.variables = {variables, ""};
    growing_array<int> given;
    for (int k = 0; k < variables; ++k) given.push_back(to.variable(k));
    const int all = to.append_as_is(info<Step>, given.data, given.size);
    [&]<std::size_t... K>(std::index_sequence<K...>) {
      (to.outputs.push_back(to.append_as_is(info<tapeless::operation::VerbResult<static_cast<int>(K)>>, &all, 1)), ...);
    }(std::make_index_sequence<static_cast<std::size_t>(Step::shape.carries + Step::shape.stacked)>{});
    return to;
  }
};
template <class Step>
using loop_of_steps = tapeless::operation::TensorScan<frozen<step_body<Step>>, Step::shape>;

}  // namespace detail

/// The program of a function that records loops, with the loops as operations.
template <class Raw>
struct with_loops {
  static constexpr bool is_recording = is_recorded<Raw>;
  static constexpr builder run() {
    builder to(is_recording ? stage::recording : stage::formula);
    if constexpr (constexpr fault problem = detail::measured<Raw>.problem; problem != fault::none) {
      to.misuse = problem;
    } else {
      constexpr const auto& recorded = recording<Raw>::value.all;
      const graph_view raw = view_of(recorded);
      to.stay_plain(recorded.plain);
      to.variables = {recorded.variables.data(), Raw::variables};
      growing_array<int> moved(raw.size, -1);
      // A derivative by a sequence that no loop reads is as long as that.
      for (int i = 0; i < raw.size; ++i)
        if (const node& n = raw.nodes[i]; n.kind == node_kind::variable && n.sequence)
          moved[i] = to.sequence_variable(n.leaf);
      const growing_array<int> wanted{recorded.outputs.data(), static_cast<int>(recorded.outputs.size())};
      using operations = detail::loop_operations<Raw, std::make_index_sequence<recording<Raw>::count>>;
      copy_needed(to, raw, wanted, moved, copied_with_loops{{}, operations::all.data()});
      for (const int output : wanted) to.outputs.push_back(moved[output]);
    }
    return to;
  }
};

}  // namespace tapeless::program
