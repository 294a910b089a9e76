#pragma once

#include <tapeless/program/differentiate/loop_activity.hpp>
#include <tapeless/program/lower/loop.hpp>

#include <array>
#include <cstddef>
#include <span>

/// The derivatives of a loop are loops. Forward, the tangents of the carries are further carries. Backward, a loop from
/// the last step to the first carries the adjoints of the carries, and the derivatives by what the body captures as
/// sums; it reads what it needs of the carries before each step from the loop's histories. The bodies are made by the
/// passes that differentiate all programs, so that derivatives of derivatives need nothing of their own.
namespace tapeless::program {

template <class Request>
constexpr growing_array<guarded> guarded_adjoints(builder& graph, std::span<const int> outputs,
                                                  std::span<const guarded> seeds,
                                                  const growing_array<char>& conditional);
template <class Request>
constexpr growing_array<guarded> guarded_tangents(builder& graph, std::span<const int> outputs,
                                                  const growing_array<guarded>& seeds);

namespace detail {

/// A step backward: from the adjoints of the next carries and of what is stacked to those of the carries, of captured
/// numbers and of elements of sequences.
template <class Op, auto In, auto Out, partials Onward>
struct backward_step {
  using activity = loop_activity<Op, In, Out>;
  using request = body_request<activity, Onward>;
  static constexpr operation::scan_shape shape = Op::shape;
  static constexpr auto& active = activity::active;

  index_list<shape.carries> stacked_histories;
  growing_array<int> seeds, sums, histories, flags, stacked_flags, history_flags;
  growing_array<guarded> derivatives;

  /// The operands of the loop into which what leaves the loop flows.
  static constexpr growing_array<int> ends() {
    growing_array<int> result;
    for (const int variable : request::variables()) result.push_back(1 + variable);
    return result;
  }
  static constexpr bool is_seeded(int carry) { return Out[carry]; }
  /// Whether an operand with adjoints gets none here.
  static constexpr bool leaves_out = [] {
    int with_adjoints = active.constants.size + active.sequences.size;
    for (int k = 0; k < active.carries.size; ++k) with_adjoints += In[1 + active.carries.at[k]];
    return with_adjoints < In.count();
  }();
  static constexpr void find_others(reach<shape>& result, const auto& beyond, const auto& conditional) {
    for (int k = active.carries.size; k < active.all.size; ++k)
      if (const int variable = active.all.at[k]; conditional(k) && beyond[1 + variable]) result.variables.set(variable);
  }

  constexpr backward_step(builder& graph, const reach<shape>& flagged, bool conditions_of_all) {
    const auto variable = [&] { return append_variable(graph); };
    for (int k = 0; k < active.carries.size + active.stacked.size; ++k) seeds.push_back(variable());
    for (int k = 0; k < active.constants.size; ++k) sums.push_back(variable());
    for (int k = 0; k < active.carries.size; ++k)
      if (Out[shape.history(active.carries.at[k])])
        stacked_histories.push_back(active.carries.at[k]), histories.push_back(variable());
    for (int k = 0; k < active.carries.size + active.constants.size; ++k)
      flags.push_back(flagged.variables[active.all.at[k]] ? variable() : -1);
    if (flagged.seeds[0]) {
      for (int k = 0; k < active.stacked.size; ++k) stacked_flags.push_back(variable());
      for (int k = 0; k < histories.size; ++k) history_flags.push_back(variable());
    }
    const auto with = [&](int node, int flag) {
      return flag < 0 ? guarded{node} : guarded{node, flag_holds(graph, flag)};
    };
    growing_array<guarded> from;
    for (int k = 0; k < active.carries.size; ++k) from.push_back(with(seeds[k], flags[k]));
    for (int k = 0; k < active.stacked.size; ++k)
      from.push_back(with(seeds[active.carries.size + k], flagged.seeds[0] ? stacked_flags[k] : -1));
    growing_array<char> conditional(graph.variables.size, conditions_of_all);
    for (const int each : request::variables()) conditional[each] |= flagged.variables[each];
    derivatives = guarded_adjoints<request>(graph, request::outputs(), {from.begin(), from.end()}, conditional);
    for (int k = 0; k < histories.size; ++k) {
      guarded& to = derivatives[active.carries.find(stacked_histories.at[k])];
      to = joined(graph, to, with(histories[k], flagged.seeds[0] ? history_flags[k] : -1));
    }
  }
};

/// The body of the loop that goes backward. Its carries are the adjoints of the active carries, the derivatives by
/// active captured numbers, and flags; its sequences what it reads of the histories and of the loop's sequences, and
/// the adjoints of what was stacked and of the histories, with their flags.
template <class Op, auto In, auto Out, partials Onward, auto Reach>
struct pullback_body {
  using step_type = backward_step<Op, In, Out, Onward>;
  using activity = typename step_type::activity;
  static constexpr operation::scan_shape forward_shape = Op::shape;

  struct layout {
    index_list<forward_shape.constants> constants;
    index_list<forward_shape.tables> tables;
    index_list<forward_shape.carries> histories;
    index_list<forward_shape.sequences> sequences;
    /// No adjoint changes from step to step, as where a stop cuts what the carries pass on, or there is one step. Then
    /// the order does not matter: the loop goes forward, with the carries beside it, and reads no histories.
    bool along = false;
    /// Carries whose histories have adjoints.
    index_list<forward_shape.carries> stacked_histories;
    int flags = 0, flagged_sequences = 0;
  };

 private:
  static constexpr builder make(layout& found) {
    constexpr auto& active = activity::active;
    builder graph = Op::body::thaw();
    const step_type step(graph, Reach, false);
    found.stacked_histories = step.stacked_histories;
    // Of the next numbers those of the carries come first, then sums, then flags.
    growing_array<int> next, flags, carried, stacked, results;
    found.along = step.histories.size == 0 && forward_shape.carries > 0;
    for (int k = 0; k < active.carries.size; ++k) {
      const guarded& f = step.derivatives[k];
      const int flag = step.flags[k];
      next.push_back(flag < 0 || f.none() ? number_of(graph, f) : f.node);
      const bool kept = flag < 0 || (!f.none() && f.where == flag_holds(graph, flag));
      found.along &= forward_shape.once || (next[k] == step.seeds[k] && kept);
      if (flag >= 0) flags.push_back(kept ? flag : flag_of(graph, f));
    }
    for (int k = 0; k < active.constants.size; ++k) {
      const guarded& f = step.derivatives[active.carries.size + k];
      next.push_back(graph.make<operation::Add>(number_of(graph, f), step.sums[k]));
      if (const int flag = step.flags[active.carries.size + k]; flag >= 0) {
        flags.push_back(f.none()     ? flag
                        : f.always() ? graph.constant(1)
                                     : graph.make<operation::Where>(f.where, graph.constant(1), flag));
      }
    }
    for (int k = 0; k < active.sequences.size; ++k)
      stacked.push_back(number_of(graph, step.derivatives[active.carries.size + active.constants.size + k]));
    for (int k = 0; k < active.sequences.size; ++k)
      if (Reach.variables[activity::first_sequence + active.sequences.at[k]])
        stacked.push_back(flag_of(graph, step.derivatives[active.carries.size + active.constants.size + k])),
            ++found.flagged_sequences;
    found.flags = flags.size;
    if (found.along)
      for (int k = 0; k < forward_shape.carries; ++k) carried.push_back(activity::result(k));
    for (const auto* part : {&next, &flags, &carried, &stacked}) results.append(part->data, part->size);

    const growing_array<char> needed = needed_nodes(graph, {results.begin(), results.end()});
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

    growing_array<int> variables;
    const auto append = [&](const growing_array<int>& nodes, int first = 0) {
      for (int k = first; k < nodes.size; ++k)
        if (nodes[k] >= 0) variables.push_back(nodes[k]);
    };
    const auto append_variables = [&](int first, const auto& list) {
      for (int k = 0; k < list.size; ++k) variables.push_back(of_variables[first + list.at[k]]);
    };
    variables.append(step.seeds.data, active.carries.size);
    append(step.sums), append(step.flags);
    variables.append(of_variables.data, carried.size);
    append_variables(activity::first_constant, found.constants);
    append_variables(activity::first_table, found.tables);
    append_variables(0, found.histories);
    append_variables(activity::first_sequence, found.sequences);
    append(step.seeds, active.carries.size), append(step.histories);
    append(step.stacked_flags), append(step.history_flags);
    variables.push_back(of_variables[activity::variables - 1]);
    return part_of(graph, variables, results, stage::derivative);
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
    const int seeds = active.stacked.size + reads.stacked_histories.size;
    return operation::scan_shape{
        active.carries.size + active.constants.size + reads.flags + (reads.along ? forward_shape.carries : 0),
        reads.constants.size,
        reads.tables.size,
        reads.histories.size + reads.sequences.size + (Reach.seeds[0] ? 2 : 1) * seeds,
        active.sequences.size + reads.flagged_sequences,
        forward_shape.reversed == reads.along,
        0,
        false,
        forward_shape.once};
  }();
  static constexpr builder run() {
    layout unused;
    return make(unused);
  }

 private:
  static constexpr auto operands_beside = [] {
    std::array<int, static_cast<std::size_t>(shape.operands()) + 1> all{};
    for (int& each : all) each = -1;
    int next = 1 + activity::active.carries.size + activity::active.constants.size + reads.flags;
    all[0] = 0;
    const auto place = [&](int operand) { all[static_cast<std::size_t>(next++)] = operand; };
    if (reads.along)
      for (int k = 0; k < forward_shape.carries; ++k) place(1 + k);
    for (int k = 0; k < reads.constants.size; ++k) place(1 + activity::first_constant + reads.constants.at[k]);
    for (int k = 0; k < reads.tables.size; ++k) place(1 + activity::first_table + reads.tables.at[k]);
    for (int k = 0; k < reads.sequences.size; ++k) place(1 + activity::first_sequence + reads.sequences.at[k]);
    return all;
  }();
  struct along_loop : tapeless::operation::Scan<frozen<pullback_body>, shape> {
    static constexpr auto outputs_beside = []<std::size_t... K>(std::index_sequence<K...>) {
      constexpr int first = activity::active.carries.size + activity::active.constants.size + reads.flags;
      return std::array<const operation_info*, sizeof...(K)>{
          &info<operation::ScanOutput<first + static_cast<int>(K), false>>...};
    }(std::make_index_sequence<static_cast<std::size_t>(forward_shape.carries)>{});
    static constexpr loop_beside beside{&info<Op>, shape.operands(), operands_beside.data(), outputs_beside.data()};
  };

 public:
  using result = std::conditional_t<reads.along, along_loop, tapeless::operation::Scan<frozen<pullback_body>, shape>>;
};

/// A step with tangents: from those of the carries, of captured numbers and of elements of sequences to those of the
/// next carries and of what is stacked.
template <class Op, auto In, auto Out, partials Onward>
struct forward_step {
  using activity = loop_activity<Op, In, Out>;
  using request = body_request<activity, Onward>;
  static constexpr operation::scan_shape shape = Op::shape;
  static constexpr auto& active = activity::active;

  /// Of carries, captured numbers and sequences, in that order.
  growing_array<int> seeds, flags;
  growing_array<guarded> derivatives;

  /// The outputs of the loop from which what leaves the loop flows on.
  static constexpr growing_array<int> ends() {
    growing_array<int> result;
    for (int k = 0; k < active.carries.size; ++k)
      result.push_back(active.carries.at[k]), result.push_back(shape.history(active.carries.at[k]));
    for (int k = 0; k < active.stacked.size; ++k) result.push_back(shape.carries + active.stacked.at[k]);
    return result;
  }
  static constexpr bool is_seeded(int carry) { return In[1 + carry]; }
  /// Whether an output with tangents gets none here.
  static constexpr bool leaves_out = [] {
    int with_tangents = active.stacked.size;
    for (int k = 0; k < active.carries.size; ++k)
      with_tangents += Out[active.carries.at[k]] + Out[shape.history(active.carries.at[k])];
    return with_tangents < Out.count();
  }();
  static constexpr void find_others(reach<shape>& result, const auto& beyond, const auto& conditional) {
    for (int k = 0; k < active.stacked.size; ++k)
      if (const int stacked = active.stacked.at[k];
          conditional(active.carries.size + k) && beyond[shape.carries + stacked])
        result.stacked.set(stacked);
  }

  constexpr forward_step(builder& graph, const reach<shape>& flagged, bool) {
    const int count = active.all.size;
    for (int k = 0; k < count; ++k) seeds.push_back(append_variable(graph));
    for (int k = 0; k < count; ++k)
      flags.push_back((k < active.carries.size ? flagged.variables[active.all.at[k]] : flagged.seeds[0])
                          ? append_variable(graph)
                          : -1);
    growing_array<guarded> of_variables(graph.variables.size, guarded{}), of_nodes(graph.nodes.size, guarded{});
    for (int k = 0; k < count; ++k)
      of_variables[active.all.at[k]] =
          flags[k] < 0 ? guarded{seeds[k]} : guarded{seeds[k], flag_holds(graph, flags[k])};
    while (of_nodes.size < graph.nodes.size) of_nodes.push_back({});
    for (int i = 0; i < of_nodes.size; ++i)
      if (const node& n = graph.nodes.data[i]; n.kind == node_kind::variable) of_nodes[i] = of_variables[n.leaf];
    derivatives = guarded_tangents<request>(graph, request::outputs(), of_nodes);
  }
};

/// The body of the loop with tangents: its carries, captured numbers, sequences and outputs are those of the loop and
/// after them the tangents of the active ones, and flags.
template <class Op, auto In, auto Out, partials Onward, auto Reach>
struct tangent_body {
  using step_type = forward_step<Op, In, Out, Onward>;
  using activity = typename step_type::activity;
  static constexpr operation::scan_shape from = Op::shape;
  static constexpr auto& active = activity::active;
  static constexpr int flagged_carries = active.carries.count(Reach.variables),
                       flagged_stacked = active.stacked.count(Reach.stacked);
  static constexpr int with_flags = Reach.seeds[0] ? 2 : 1;
  static constexpr operation::scan_shape shape{from.carries + active.carries.size + flagged_carries,
                                               from.constants + with_flags* active.constants.size,
                                               from.tables,
                                               from.sequences + with_flags* active.sequences.size,
                                               from.stacked + active.stacked.size + flagged_stacked,
                                               from.reversed,
                                               from.checkpoints,
                                               from.ends,
                                               from.once};

  static constexpr builder run() {
    builder graph = Op::body::thaw();
    const step_type step(graph, Reach, false);
    growing_array<int> all, flags;
    const auto append_tangents = [&](int first, const auto& list, const auto& flagged) {
      flags.size = 0;
      for (int k = 0; k < list.size; ++k) {
        const guarded& f = step.derivatives[first + k];
        all.push_back(number_of(graph, f));
        if (flagged[list.at[k]]) flags.push_back(flag_of(graph, f));
      }
      all.append(flags.data, flags.size);
    };
    for (int k = 0; k < from.carries; ++k) all.push_back(activity::result(k));
    append_tangents(0, active.carries, Reach.variables);
    for (int k = 0; k < from.stacked; ++k) all.push_back(activity::result(from.carries + k));
    append_tangents(active.carries.size, active.stacked, Reach.stacked);

    const growing_array<int> of_variables = nodes_of_variables(graph);
    growing_array<int> variables;
    const auto append = [&](int first, int count) { variables.append(of_variables.data + first, count); };
    const auto append_seeds = [&](int first, int count) {
      variables.append(step.seeds.data + first, count);
      for (int k = first; k < first + count; ++k)
        if (step.flags[k] >= 0) variables.push_back(step.flags[k]);
    };
    append(0, from.carries), append_seeds(0, active.carries.size);
    append(activity::first_constant, from.constants), append_seeds(active.carries.size, active.constants.size);
    append(activity::first_table, from.tables + from.sequences);
    append_seeds(active.carries.size + active.constants.size, active.sequences.size);
    append(activity::variables - 1, 1);
    return part_of(graph, variables, all, stage::formula);
  }
  using result = tapeless::operation::Scan<frozen<tangent_body>, shape>;

  /// The outputs of this loop with the tangent of output `i` of the other, and with its flag; -1 if it has none.
  static constexpr std::array<int, 2> tangent_of(int i) {
    if (i >= from.carries && i < from.carries + from.stacked) {
      const int k = active.stacked.find(i - from.carries), first = shape.carries + from.stacked;
      if (k < 0) return {-1, -1};
      return {first + k, Reach.stacked[i - from.carries]
                             ? first + active.stacked.size + active.stacked.count(Reach.stacked, k)
                             : -1};
    }
    const bool last = i < from.carries;
    const int carry = last ? i : i - from.carries - from.stacked, k = active.carries.find(carry);
    if (k < 0) return {-1, -1};
    const int tangent = from.carries + k,
              flag = from.carries + active.carries.size + active.carries.count(Reach.variables, k);
    return {last ? tangent : shape.history(tangent), !Reach.variables[carry] ? -1 : last ? flag : shape.history(flag)};
  }
};

}  // namespace detail

}  // namespace tapeless::program
