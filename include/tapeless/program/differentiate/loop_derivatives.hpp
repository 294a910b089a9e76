#pragma once

#include <tapeless/program/differentiate/loop_operands.hpp>
#include <tapeless/program/lower/loop.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
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

/// A step with derivatives, of which the graph has variables for what flows in.
template <class Op, auto In, auto Out, partials Onward>
struct derived_step {
  using activity = loop_activity<Op, In, Out>;
  using request = body_request<activity, Onward>;
  static constexpr operation::scan_shape shape = Op::shape;
  static constexpr auto& active = activity::active;

  /// Those of flows and of their flags, for each output or operand; of sums, and of theirs, for each operand.
  growing_array<int> flows, flags, sums, reached;
  growing_array<guarded> derivatives;

  constexpr explicit derived_step(int count)
      : flows(count, -1), flags(flows), sums(shape.operands(), -1), reached(sums) {}
  constexpr guarded flow(builder& graph, int which) const {
    return flags[which] < 0 ? guarded{flows[which]} : guarded{flows[which], flag_holds(graph, flags[which])};
  }
  /// All variables of a body that `takes` these, where `own` are the nodes of those that it had.
  constexpr growing_array<int> variables(const loop_operands<activity>& takes, const growing_array<int>& own) const {
    growing_array<int> result;
    for (int i = 1; i < takes.size; ++i) {
      const auto [what, which] = takes.all[i];
      result.push_back(what == taken::flow      ? flows[which]
                       : what == taken::flag    ? flags[which]
                       : what == taken::sum     ? sums[which]
                       : what == taken::reached ? reached[which]
                                                : own[which - 1]);
    }
    result.push_back(own[activity::variables - 1]);
    return result;
  }
};

/// A step backward: from the adjoints of the next carries and of what is stacked to those of the carries, of captured
/// numbers and of elements of sequences.
template <class Op, auto In, auto Out, partials Onward>
struct backward_step : derived_step<Op, In, Out, Onward> {
  using base = derived_step<Op, In, Out, Onward>;
  using base::active, base::shape, base::flows, base::flags, base::sums, base::reached, base::derivatives;
  using typename base::request;

  /// The operands of the loop into which what leaves the loop flows.
  static constexpr growing_array<int> ends() {
    growing_array<int> result;
    for (const int variable : request::variables()) result.push_back(1 + variable);
    return result;
  }
  static constexpr bool is_seeded(int carry) { return Out[carry]; }
  /// Whether an operand with adjoints gets none here.
  static constexpr bool leaves_out = [] {
    int with_adjoints = active.all.size;
    for (const int c : active.carries) with_adjoints -= !In[1 + c];
    return with_adjoints < In.count();
  }();
  static constexpr void find_others(reach<shape>& result, const auto& beyond, const auto& conditional) {
    for (int k = active.carries.size; k < active.all.size; ++k)
      if (const int variable = active.all.at[k]; conditional(k) && beyond[1 + variable]) result.variables.set(variable);
  }

  constexpr backward_step(builder& graph, const reach<shape>& flagged, bool conditions_of_all) : base(Op::outputs) {
    const auto variable = [&](growing_array<int>& of, int which) { of[which] = append_variable(graph); };
    for (const int c : active.carries) variable(flows, c);
    for (const int k : active.stacked) variable(flows, shape.carries + k);
    for (int k = active.carries.size; k < active.numbers.size; ++k) variable(sums, 1 + active.numbers.at[k]);
    for (const int c : active.carries)
      if (Out[shape.history(c)]) variable(flows, shape.history(c));
    for (const int v : active.numbers)
      if (flagged.variables[v]) v < shape.carries ? variable(flags, v) : variable(reached, 1 + v);
    for (int output = shape.carries; flagged.seeds[0] && output < Op::outputs; ++output)
      if (flows[output] >= 0) variable(flags, output);
    growing_array<guarded> from;
    for (const int c : active.carries) from.push_back(this->flow(graph, c));
    for (const int k : active.stacked) from.push_back(this->flow(graph, shape.carries + k));
    growing_array<char> conditional(graph.variables.size, conditions_of_all);
    for (const int each : request::variables()) conditional[each] |= flagged.variables[each];
    derivatives = guarded_adjoints<request>(graph, request::outputs(), {from.begin(), from.end()}, conditional);
    for (int k = 0; k < active.carries.size; ++k)
      if (const int history = shape.history(active.carries.at[k]); flows[history] >= 0)
        derivatives[k] = joined(graph, derivatives[k], this->flow(graph, history));
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
  static constexpr std::uint64_t key = ~info<Op>.hash;

  static constexpr noted<loop_operands<activity>> run(builder graph = Op::body::thaw()) {
    constexpr auto& active = activity::active;
    const step_type step(graph, Reach, false);
    // Of the next numbers those of the carries come first, then sums, then flags.
    growing_array<int> next, flags, carried, stacked, results;
    // If no adjoint changes from step to step, as where a stop cuts what the carries pass on, or there is one step, the
    // order does not matter: the loop goes forward, with the carries beside it, and reads no histories.
    bool goes_along = forward_shape.carries > 0;
    for (int k = 0; k < active.carries.size; ++k) {
      const guarded& f = step.derivatives[k];
      const int carry = active.carries.at[k], flag = step.flags[carry];
      next.push_back(flag < 0 || f.none() ? number_of(graph, f) : f.node);
      const bool kept = flag < 0 || (!f.none() && f.where == flag_holds(graph, flag));
      goes_along &= step.flows[forward_shape.history(carry)] < 0 &&
                    (forward_shape.once || (next[k] == step.flows[carry] && kept));
      if (flag >= 0) flags.push_back(kept ? flag : flag_of(graph, f));
    }
    for (int k = active.carries.size; k < active.numbers.size; ++k) {
      const guarded& f = step.derivatives[k];
      const int operand = 1 + active.numbers.at[k];
      next.push_back(graph.make<operation::Add>(number_of(graph, f), step.sums[operand]));
      if (const int flag = step.reached[operand]; flag >= 0) {
        flags.push_back(f.none()     ? flag
                        : f.always() ? graph.constant(1)
                                     : graph.make<operation::Where>(f.where, graph.constant(1), flag));
      }
    }
    for (int k = active.numbers.size; k < active.all.size; ++k)
      stacked.push_back(number_of(graph, step.derivatives[k]));
    for (int k = active.numbers.size; k < active.all.size; ++k)
      if (Reach.variables[active.all.at[k]]) stacked.push_back(flag_of(graph, step.derivatives[k]));
    if (goes_along)
      for (int k = 0; k < forward_shape.carries; ++k) carried.push_back(activity::result(k));
    for (const auto* part : {&next, &flags, &carried, &stacked}) results.append(part->data, part->size);

    const growing_array<char> needed = needed_nodes(graph, {results.begin(), results.end()});
    growing_array<int> of_variables(graph.variables.size, -1);
    for (int i = 0; i < graph.nodes.size; ++i)
      if (graph.nodes[i].kind == node_kind::variable && needed[i]) of_variables[graph.nodes[i].leaf] = i;
    loop_operands<activity> all;
    all.take_adjoints(Reach, goes_along, [&](int j) { return of_variables[j - 1] >= 0; });
    return {part_of(graph, step.variables(all, of_variables), results, stage::derivative), all};
  }
  static constexpr auto takes = first_run_of<pullback_body>().notes;
  static constexpr bool along = takes.has_carries();
  static constexpr operation::scan_shape shape = takes.shape;

 private:
  static constexpr auto operands_beside = [] {
    std::array<int, static_cast<std::size_t>(shape.operands()) + 1> all{};
    for (int& each : all) each = -1;
    for (int i = 0; i < takes.size; ++i)
      if (const auto [what, which] = takes.all[i]; what == taken::given) all[static_cast<std::size_t>(i)] = which;
    return all;
  }();
  struct along_loop : tapeless::operation::Scan<frozen<pullback_body>, shape> {
    static constexpr auto outputs_beside = []<std::size_t... K>(std::index_sequence<K...>) {
      constexpr int first = shape.carries - forward_shape.carries;
      return std::array<const operation_info*, sizeof...(K)>{
          &info<operation::ScanOutput<first + static_cast<int>(K), false>>...};
    }(std::make_index_sequence<static_cast<std::size_t>(forward_shape.carries)>{});
    static constexpr loop_beside beside{&info<Op>, shape.operands(), operands_beside.data(), outputs_beside.data()};
  };

 public:
  using result = std::conditional_t<along, along_loop, tapeless::operation::Scan<frozen<pullback_body>, shape>>;
};

/// A step with tangents: from those of the carries, of captured numbers and of elements of sequences to those of the
/// next carries and of what is stacked.
template <class Op, auto In, auto Out, partials Onward>
struct forward_step : derived_step<Op, In, Out, Onward> {
  using base = derived_step<Op, In, Out, Onward>;
  using base::active, base::shape, base::flows, base::flags, base::derivatives, typename base::request;

  /// The outputs of the loop from which what leaves the loop flows on.
  static constexpr growing_array<int> ends() {
    growing_array<int> result;
    for (const int c : active.carries) result.push_back(c), result.push_back(shape.history(c));
    for (const int k : active.stacked) result.push_back(shape.carries + k);
    return result;
  }
  static constexpr bool is_seeded(int carry) { return In[1 + carry]; }
  /// Whether an output with tangents gets none here.
  static constexpr bool leaves_out = [] {
    int with_tangents = active.stacked.size;
    for (const int c : active.carries) with_tangents += Out[c] + Out[shape.history(c)];
    return with_tangents < Out.count();
  }();
  static constexpr void find_others(reach<shape>& result, const auto& beyond, const auto& conditional) {
    for (int k = 0; k < active.stacked.size; ++k)
      if (const int stacked = active.stacked.at[k];
          conditional(active.carries.size + k) && beyond[shape.carries + stacked])
        result.stacked.set(stacked);
  }

  constexpr forward_step(builder& graph, const reach<shape>& flagged, bool) : base(shape.operands()) {
    for (const int v : active.all) flows[1 + v] = append_variable(graph);
    for (const int v : active.all)
      if (v < shape.carries ? flagged.variables[v] : flagged.seeds[0]) flags[1 + v] = append_variable(graph);
    growing_array<guarded> of_variables(graph.variables.size, guarded{}), of_nodes(graph.nodes.size, guarded{});
    for (const int v : active.all) of_variables[v] = this->flow(graph, 1 + v);
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
  static constexpr std::uint64_t key = info<Op>.hash;
  static constexpr operation::scan_shape from = Op::shape;
  static constexpr auto& active = activity::active;
  static constexpr auto takes =
      loop_operands<activity>().take_tangents(Reach, true, &loop_operands<activity>::reads_all);
  static constexpr operation::scan_shape shape = takes.shape;

  static constexpr builder run(builder graph = Op::body::thaw()) {
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

    return part_of(graph, step.variables(takes, nodes_of_variables(graph)), all, stage::formula);
  }
  using result = tapeless::operation::Scan<frozen<tangent_body>, shape>;
};

}  // namespace detail

}  // namespace tapeless::program
