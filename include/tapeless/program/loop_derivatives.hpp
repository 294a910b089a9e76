#ifndef TAPELESS_PROGRAM_LOOP_DERIVATIVES_HPP
#define TAPELESS_PROGRAM_LOOP_DERIVATIVES_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/program/activity.hpp>
#include <tapeless/program/loop.hpp>

#include <array>
#include <cstddef>
#include <span>

/// The derivatives of a loop are loops. Forward, the tangents of the carries are further carries. Backward, a loop from
/// the last step to the first carries the adjoints of the carries, and the derivatives by what the body captures as
/// sums; it reads what it needs of the carries before each step from the loop's histories. The bodies are made by the
/// passes that differentiate all programs, so that derivatives of derivatives need nothing of their own.
namespace tapeless::program {

template <class Request>
constexpr growing_array<int> reverse(builder& graph, std::span<const int> outputs, std::span<const int> seeds);
template <class Request>
constexpr growing_array<int> forward(builder& graph, std::span<const int> outputs, const growing_array<int>& seeds);

namespace detail {

/// Which of several things. No element is zero: g++ gives template arguments that differ in where their zeros stand
/// the same name.
template <std::size_t N>
struct flags {
  char at[N + 1];
  constexpr flags() {
    for (char& each : at) each = 'n';
  }
  constexpr bool operator[](int i) const { return at[i] == 'y'; }
  constexpr void set(int i) { at[i] = 'y'; }
};
template <int N>
struct index_list {
  int at[static_cast<std::size_t>(N) + 1]{};
  int size = 0;
  constexpr void push_back(int index) { at[size++] = index; }
  constexpr int find(int index) const {
    for (int i = 0; i < size; ++i)
      if (at[i] == index) return i;
    return -1;
  }
};

/// Which carries, captured numbers, sequences and stacked outputs of the loop `Op` have derivatives, where the operands
/// `In` do and those of the outputs `Out` are asked for.
template <class Op, auto In, auto Out>
struct loop_activity {
  using body = typename Op::body;
  static constexpr operation::scan_shape shape = Op::shape;
  static constexpr int variables = shape.operands();  // the step's number in the place of the number of steps
  static constexpr int first_constant = shape.carries, first_table = shape.first_table() - 1,
                       first_sequence = shape.first_sequence() - 1;

  struct found {
    index_list<shape.carries> carries;
    index_list<shape.constants> constants;
    index_list<shape.sequences> sequences;
    index_list<shape.stacked> stacked;
    bool through_table = false;
  };
  static constexpr found run() {
    constexpr graph_view view = body::view();
    growing_array<int> of_variables(variables, -1);
    for (int i = 0; i < view.size; ++i)
      if (view.nodes[i].kind == node_kind::variable) of_variables[view.nodes[i].leaf] = i;
    const auto result = [&](int i) { return body::value.outputs[static_cast<std::size_t>(i)]; };
    const auto between = [&](const growing_array<int>& from, const growing_array<int>& to) {
      return active_nodes(view, {from.begin(), from.end()}, {to.begin(), to.end()});
    };
    growing_array<char> varying(shape.carries, 0), useful(shape.carries, 0);
    for (int k = 0; k < shape.carries; ++k) varying[k] = In[1 + k], useful[k] = Out[k] || Out[shape.history(k)];
    growing_array<int> all_results, all_carries;
    for (int k = 0; k < shape.carries + shape.stacked; ++k) all_results.push_back(result(k));
    for (int k = 0; k < shape.carries; ++k) all_carries.push_back(k);
    const auto open = [&](const growing_array<char>& carries) {
      growing_array<int> from;
      for (int v = 0; v < variables - 1; ++v)
        if (v < shape.carries ? carries[v] : In[1 + v]) from.push_back(v);
      return from;
    };
    const auto wanted = [&](const growing_array<char>& carries) {
      growing_array<int> to;
      for (int k = 0; k < shape.carries + shape.stacked; ++k)
        if (k < shape.carries ? carries[k] : Out[k]) to.push_back(result(k));
      return to;
    };
    for (bool changed = true; changed;) {
      changed = false;
      const growing_array<char> reached = between(open(varying), all_results);
      for (int k = 0; k < shape.carries; ++k)
        if (reached[result(k)] && !varying[k]) varying[k] = changed = true;
    }
    for (bool changed = true; changed;) {
      changed = false;
      const growing_array<char> needed = between(all_carries, wanted(useful));
      for (int k = 0; k < shape.carries; ++k)
        if (of_variables[k] >= 0 && needed[of_variables[k]] && !useful[k]) useful[k] = changed = true;
    }
    for (int k = 0; k < shape.carries; ++k) varying[k] = useful[k] = varying[k] && useful[k];
    const growing_array<char> on_the_way = between(open(varying), wanted(useful));
    const auto is_active = [&](int v) { return of_variables[v] >= 0 && on_the_way[of_variables[v]]; };
    found f;
    for (int k = 0; k < shape.carries; ++k)
      if (varying[k]) f.carries.push_back(k);
    for (int k = 0; k < shape.constants; ++k)
      if (In[1 + first_constant + k] && is_active(first_constant + k)) f.constants.push_back(k);
    for (int k = 0; k < shape.tables; ++k) f.through_table |= In[1 + first_table + k] && is_active(first_table + k);
    for (int k = 0; k < shape.sequences; ++k)
      if (In[1 + first_sequence + k] && is_active(first_sequence + k)) f.sequences.push_back(k);
    for (int k = 0; k < shape.stacked; ++k)
      if (Out[shape.carries + k] && on_the_way[result(shape.carries + k)]) f.stacked.push_back(k);
    return f;
  }
  static constexpr found active = run();
};

/// The variables and outputs by which the body of a loop is differentiated.
template <class Activity>
struct body_request {
  using source = typename Activity::body;
  static constexpr auto& active = Activity::active;
  static constexpr auto variable_indices = [] {
    std::array<int, static_cast<std::size_t>(active.carries.size + active.constants.size + active.sequences.size)>
        all{};
    std::size_t next = 0;
    for (int k = 0; k < active.carries.size; ++k) all[next++] = active.carries.at[k];
    for (int k = 0; k < active.constants.size; ++k) all[next++] = Activity::first_constant + active.constants.at[k];
    for (int k = 0; k < active.sequences.size; ++k) all[next++] = Activity::first_sequence + active.sequences.at[k];
    return all;
  }();
  static constexpr auto output_nodes = [] {
    std::array<int, static_cast<std::size_t>(active.carries.size + active.stacked.size)> all{};
    std::size_t next = 0;
    const auto push = [&](int output) { all[next++] = source::value.outputs[static_cast<std::size_t>(output)]; };
    for (int k = 0; k < active.carries.size; ++k) push(active.carries.at[k]);
    for (int k = 0; k < active.stacked.size; ++k) push(Activity::shape.carries + active.stacked.at[k]);
    return all;
  }();
  static constexpr std::span<const int> variables() { return variable_indices; }
  static constexpr std::span<const int> outputs() { return output_nodes; }
};

/// The body of the loop that goes backward. Its carries are the adjoints of the active carries and the derivatives by
/// active captured numbers; its sequences what it reads of the histories and of the loop's sequences, and the adjoints
/// of what was stacked and of the histories.
template <class Op, auto In, auto Out>
struct pullback_body {
  using activity = loop_activity<Op, In, Out>;
  using request = body_request<activity>;
  static constexpr operation::scan_shape forward_shape = Op::shape;

  struct layout {
    index_list<forward_shape.constants> constants;
    index_list<forward_shape.tables> tables;
    index_list<forward_shape.carries> histories;
    index_list<forward_shape.sequences> sequences;
    /// No adjoint changes from step to step, as where a stop cuts what the carries pass on. Then the order does not
    /// matter: the loop goes forward, with the carries beside it, and reads no histories.
    bool along = false;
    /// Carries whose histories have adjoints.
    index_list<forward_shape.carries> stacked_histories;
  };

 private:
  static constexpr builder make(layout& found) {
    constexpr auto& active = activity::active;
    constexpr graph_view view = Op::body::view();
    builder graph = Op::body::thaw();
    growing_array<int> seeds, sums, histories, all, carried, results;
    const auto variable = [&] {
      graph.variables.push_back("");
      return graph.variable(graph.variables.size - 1);
    };
    for (int k = 0; k < active.carries.size + active.stacked.size; ++k) seeds.push_back(variable());
    for (int k = 0; k < active.constants.size; ++k) sums.push_back(variable());
    for (int k = 0; k < active.carries.size; ++k)
      if (Out[forward_shape.history(active.carries.at[k])])
        found.stacked_histories.push_back(active.carries.at[k]), histories.push_back(variable());
    all = tapeless::program::reverse<request>(graph, request::outputs(), {seeds.begin(), seeds.end()});
    const auto plus = [&](int& to, int term) {
      const int terms[] = {to, term};
      to = graph.append(info<operation::Add>, terms, 2);
    };
    for (int k = 0; k < histories.size; ++k)
      plus(all[active.carries.find(found.stacked_histories.at[k])], histories[k]);
    for (int k = 0; k < active.constants.size; ++k) plus(all[active.carries.size + k], sums[k]);

    const auto next = [](int k) { return Op::body::value.outputs[static_cast<std::size_t>(k)]; };
    found.along = histories.size == 0 && forward_shape.carries > 0;
    for (int k = 0; k < active.carries.size; ++k) found.along &= all[k] == seeds[k];
    if (found.along)
      for (int k = 0; k < forward_shape.carries; ++k) carried.push_back(next(k));
    for (const int node : all) results.push_back(node);
    for (const int node : carried) results.push_back(node);

    const growing_array<char> needed = needed_but(graph, results, growing_array<int>(graph.nodes.size, -1));
    growing_array<int> of_variables(graph.variables.size, -1);
    for (int i = 0; i < graph.nodes.size; ++i)
      if (graph.nodes[i].kind == node_kind::variable && needed[i]) of_variables[graph.nodes[i].leaf] = i;
    const auto collect = [&](int first, int count, auto& list) {
      for (int k = 0; k < count; ++k)
        if (of_variables[first + k] >= 0) list.push_back(k);
    };
    if (!found.along) collect(0, forward_shape.carries, found.histories);
    collect(activity::first_constant, forward_shape.constants, found.constants);
    collect(activity::first_table, forward_shape.tables, found.tables);
    collect(activity::first_sequence, forward_shape.sequences, found.sequences);

    builder to(rewrites::derivative);
    to.stay_plain(graph.plain);
    growing_array<int> moved(graph.nodes.size, -1);
    const auto place = [&](int from) {
      to.variables.push_back("");
      const int as = to.variables.size - 1;
      if (from >= 0) moved[from] = graph.nodes[from].sequence ? to.sequence_variable(as) : to.variable(as);
    };
    const auto place_variables = [&](int first, const auto& list) {
      for (int k = 0; k < list.size; ++k) place(of_variables[first + list.at[k]]);
    };
    for (int k = 0; k < active.carries.size; ++k) place(seeds[k]);
    for (const int sum : sums) place(sum);
    for (int k = 0; k < carried.size; ++k) place(of_variables[k]);
    place_variables(activity::first_constant, found.constants);
    place_variables(activity::first_table, found.tables);
    place_variables(0, found.histories);
    place_variables(activity::first_sequence, found.sequences);
    for (int k = active.carries.size; k < seeds.size; ++k) place(seeds[k]);
    for (const int history : histories) place(history);
    place(of_variables[activity::variables - 1]);
    static_cast<void>(view);
    copy_needed(to, graph, results, moved);
    const auto give = [&](int node) { to.outputs.push_back(to.as_number(moved[node])); };
    for (int k = 0; k < active.carries.size + active.constants.size; ++k) give(all[k]);
    for (const int node : carried) give(node);
    for (int k = active.carries.size + active.constants.size; k < all.size; ++k) give(all[k]);
    to.misuse = graph.misuse, to.too_large |= graph.too_large;
    return to;
  }
  static constexpr layout find_layout() {
    layout found;
    static_cast<void>(make(found));
    return found;
  }

 public:
  static constexpr layout reads = find_layout();
  static constexpr operation::scan_shape shape = [] {
    constexpr auto& active = activity::active;
    return operation::scan_shape{
        active.carries.size + active.constants.size + (reads.along ? forward_shape.carries : 0),
        reads.constants.size,
        reads.tables.size,
        reads.histories.size + reads.sequences.size + active.stacked.size + reads.stacked_histories.size,
        active.sequences.size,
        forward_shape.reversed == reads.along,
        0};
  }();
  static constexpr builder run() {
    layout unused;
    return make(unused);
  }
  using result = tapeless::operation::Scan<frozen<pullback_body>, shape>;
};

/// The body of the loop with tangents: its carries, captured numbers, sequences and outputs are those of the loop and
/// after them the tangents of the active ones.
template <class Op, auto In, auto Out>
struct tangent_body {
  using activity = loop_activity<Op, In, Out>;
  using request = body_request<activity>;
  static constexpr operation::scan_shape from = Op::shape;
  static constexpr auto& active = activity::active;
  static constexpr operation::scan_shape shape{from.carries + active.carries.size,
                                               from.constants + active.constants.size,
                                               from.tables,
                                               from.sequences + active.sequences.size,
                                               from.stacked + active.stacked.size,
                                               from.reversed,
                                               from.checkpoints,
                                               from.ends};

  static constexpr builder run() {
    builder graph = Op::body::thaw();
    growing_array<int> seeds;
    for (int k = 0; k < active.carries.size + active.constants.size + active.sequences.size; ++k) {
      graph.variables.push_back("");
      seeds.push_back(graph.variable(graph.variables.size - 1));
    }
    const growing_array<int> tangents = tapeless::program::forward<request>(graph, request::outputs(), seeds);
    growing_array<int> all;
    const auto output = [](int i) { return Op::body::value.outputs[static_cast<std::size_t>(i)]; };
    for (int k = 0; k < from.carries; ++k) all.push_back(output(k));
    for (int k = 0; k < active.carries.size; ++k) all.push_back(tangents[k]);
    for (int k = 0; k < from.stacked; ++k) all.push_back(output(from.carries + k));
    for (int k = 0; k < active.stacked.size; ++k) all.push_back(tangents[active.carries.size + k]);

    builder to;
    to.stay_plain(graph.plain);
    to.variables = {shape.operands(), ""};
    growing_array<int> moved(graph.nodes.size, -1);
    const auto place = [&](int node, int as) {
      if (node >= 0) moved[node] = graph.nodes[node].sequence ? to.sequence_variable(as) : to.variable(as);
    };
    int next = 0;
    const auto place_all = [&](int first, int count) {
      for (int k = 0; k < count; ++k) place(node_of_variable(graph, first + k), next++);
    };
    const auto place_seeds = [&](int first, int count) {
      for (int k = 0; k < count; ++k) place(seeds[first + k], next++);
    };
    place_all(0, from.carries), place_seeds(0, active.carries.size);
    place_all(activity::first_constant, from.constants), place_seeds(active.carries.size, active.constants.size);
    place_all(activity::first_table, from.tables);
    place_all(activity::first_sequence, from.sequences);
    place_seeds(active.carries.size + active.constants.size, active.sequences.size);
    place_all(activity::variables - 1, 1);
    copy_needed(to, graph, all, moved);
    for (const int node : all) to.outputs.push_back(to.as_number(moved[node]));
    to.misuse = graph.misuse, to.too_large |= graph.too_large;
    return to;
  }
  using result = tapeless::operation::Scan<frozen<tangent_body>, shape>;

  /// The output of this loop with the tangent of output `i` of the other; -1 if it has none.
  static constexpr int tangent_of(int i) {
    if (i < from.carries) {
      const int k = active.carries.find(i);
      return k < 0 ? -1 : from.carries + k;
    }
    if (i < from.carries + from.stacked) {
      const int k = active.stacked.find(i - from.carries);
      return k < 0 ? -1 : shape.carries + from.stacked + k;
    }
    const int k = active.carries.find(i - from.carries - from.stacked);
    return k < 0 ? -1 : shape.history(from.carries + k);
  }
};

}  // namespace detail

}  // namespace tapeless::program

#endif
