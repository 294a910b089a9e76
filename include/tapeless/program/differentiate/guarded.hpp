#pragma once

#include <tapeless/program/differentiate/sequence.hpp>
#include <tapeless/program/lower/sequence_operations.hpp>
#include <tapeless/program/lower/trace.hpp>
#include <tapeless/program/rewrite/sum_rules.hpp>

/// Selections in derivatives. A derivative is a sum over the paths from a variable to an output, each a product of
/// partial derivatives; a path through a branch that is not chosen is no term of it, whatever the other factors are.
/// So tangents and adjoints are nodes with a condition: where it does not hold nothing flows, and the node's value has
/// no meaning. Where flows with different conditions meet, each is masked. A product with a mask would not do, since
/// zero times infinity is NaN, and masks inside products would be repeated in every factor.
namespace tapeless::program {

/// A tangent or an adjoint, and the condition under which it flows.
struct guarded {
  static constexpr int everywhere = -2;
  int node = -1;
  int where = everywhere;
  /// It is zero already where the condition does not hold.
  bool masked = false;

  constexpr bool none() const { return node < 0; }
  constexpr bool always() const { return !none() && where == everywhere; }
};

constexpr int both_hold(builder& graph, int a, int b) {
  if (a == guarded::everywhere || b == guarded::everywhere) return a == guarded::everywhere ? b : a;
  return graph.make<operation::And>(a, b);
}
constexpr int either_holds(builder& graph, int a, int b) {
  if (a == guarded::everywhere || b == guarded::everywhere) return guarded::everywhere;
  if (a == b) return a;
  if (graph.nodes.data[a].sequence || graph.nodes.data[b].sequence) return graph.by_element.either(graph, a, b);
  const int either = graph.make<operation::Or>(a, b);
  return graph.is_constant(either, 1) ? guarded::everywhere : either;
}
constexpr int does_not_hold(builder& graph, int a) { return graph.make<operation::Not>(a); }
/// Where a selection by `condition` flows if its branches do so where `first` and `second` hold.
constexpr int where_chosen(builder& graph, int condition, int first, int second) {
  if (first == guarded::everywhere && second == guarded::everywhere) return guarded::everywhere;
  return either_holds(graph, both_hold(graph, condition, first),
                      both_hold(graph, does_not_hold(graph, condition), second));
}

/// The node of a flow that is read where `wider` holds: zero where the flow's own condition does not.
constexpr int masked(builder& graph, const guarded& f, int wider) {
  if (f.masked || f.where == wider || f.where == guarded::everywhere) return f.node;
  if (graph.nodes.data[f.node].sequence) return graph.by_element.masked(graph, f.where, f.node);
  return graph.make<operation::Where>(f.where, f.node, graph.constant(0));
}

/// A flow as a number, zero where nothing flows.
constexpr int number_of(builder& graph, const guarded& f) {
  return f.none() ? graph.constant(0) : masked(graph, f, guarded::everywhere);
}
/// The same of a flow that belongs to a node: by a sequence, or of one, nothing is a sequence of zeros.
constexpr int number_of(builder& graph, const guarded& f, int node) {
  const bool is_number = !f.none() || !graph.nodes.data[node].sequence;
  return is_number ? number_of(graph, f) : zeros(graph, length_of(graph, node));
}

/// A condition as a number, 1 everywhere; and whether such a number, or a sum of some, is not 0.
constexpr int as_flag(builder& graph, int where) {
  return where == guarded::everywhere ? graph.constant(1) : graph.as_number(where);
}
constexpr int flag_holds(builder& graph, int flag) { return graph.make<operation::NotEqual>(flag, graph.constant(0)); }

/// A partial derivative without its absolute zeros: `where(c, p, 0_c)` is p where c holds, and no path elsewhere.
constexpr guarded chosen_part(builder& graph, int partial) {
  if (graph.nodes.data[partial].opcode != opcode::where) return {partial};
  const int* operands = graph.operands(partial);
  const int condition = operands[0], first = operands[1], second = operands[2];
  if (graph.is_absolute_zero(second)) {
    const guarded part = chosen_part(graph, first);
    return {part.node, both_hold(graph, condition, part.where)};
  }
  if (graph.is_absolute_zero(first)) {
    const guarded part = chosen_part(graph, second);
    return {part.node, both_hold(graph, does_not_hold(graph, condition), part.where)};
  }
  return {partial, where_chosen(graph, condition, chosen_part(graph, first).where, chosen_part(graph, second).where)};
}

/// The sum of a flow over axes; it flows where it did anywhere along them.
constexpr guarded summed(builder& graph, guarded f, axis_set axes) {
  if (axes == 0) return f;
  if (f.where != guarded::everywhere && (graph.nodes.data[f.where].axes & axes)) {
    f.node = masked(graph, f, guarded::everywhere);
    f.where = any_over(graph, f.where, graph.nodes.data[f.where].axes & axes);
    f.masked = true;
  }
  f.node = sum_over(graph, f.node, axes);
  return f;
}

/// Sums of the flows into each node of a program.
class confluence {
  builder& graph_;
  growing_array<guarded> total_;
  // What cannot be added yet, since it flows elsewhere than the total: lists, in the order of arrival.
  struct waiting {
    guarded arrived;
    int next = -1;
  };
  growing_array<waiting> waiting_;
  growing_array<int> first_, last_;
  // Of the terms of each total the one that is waited for longest, to be added last.
  growing_array<int> latest_;

  constexpr void add_to(int to, int node) {
    int& latest = latest_.data[to];
    const bool later = latest >= 0 && graph_.nodes.data[node].depth >= graph_.nodes.data[latest].depth;
    const int term = later ? latest : node;
    if (later) latest = node;
    if (latest < 0 &&
        graph_.nodes.data[node].depth > graph_.nodes.data[total_.data[to].node].depth + tuning::latency_of_last_term)
      latest = node;
    else
      total_.data[to].node = sum(total_.data[to].node, term);
  }
  constexpr guarded& with_latest(int index) {
    if (const int latest = latest_.data[index]; latest >= 0) {
      latest_.data[index] = -1;
      total_.data[index].node = sum(total_.data[index].node, latest);
    }
    return total_.data[index];
  }
  constexpr int sum(int a, int b) {
    return graph_.nodes.data[a].sequence ? graph_.by_element.sum(graph_, a, b) : graph_.make<operation::Add>(a, b);
  }
  constexpr void wait(int to, const guarded& arrived) {
    waiting_.push_back({arrived, -1});
    int& end = first_.data[to] < 0 ? first_.data[to] : waiting_.data[last_.data[to]].next;
    end = last_.data[to] = waiting_.size - 1;
  }
  constexpr guarded sum_at(int index) {
    guarded& total = with_latest(index);
    int where = total.where;
    for (int i = first_.data[index]; i >= 0; i = waiting_.data[i].next)
      where = either_holds(graph_, where, waiting_.data[i].arrived.where);
    int node = masked(graph_, total, where);
    for (int i = first_.data[index]; i >= 0; i = waiting_.data[i].next)
      node = sum(node, masked(graph_, waiting_.data[i].arrived, where));
    first_.data[index] = -1;
    return total = {node, where};
  }

 public:
  constexpr confluence(builder& graph, int size)
      : graph_(graph), total_(size, guarded{}), first_(size, -1), last_(size, -1), latest_(size, -1) {}

  /// How many nodes there are.
  constexpr int size() const { return total_.size; }
  /// Forgets what has flowed into these nodes.
  constexpr void clear(const growing_array<int>& nodes) {
    for (const int i : nodes) total_.data[i] = guarded{}, first_.data[i] = latest_.data[i] = -1;
    waiting_.size = 0;
  }
  constexpr void add(int to, const guarded& arrived) {
    guarded& total = total_.data[to];
    total.node < 0                                                                         ? void(total = arrived)
    : first_.data[to] < 0 && total.where == arrived.where&& total.masked == arrived.masked ? add_to(to, arrived.node)
                                                                                           : wait(to, arrived);
  }
  /// All that has flowed into a node.
  constexpr guarded at(int index) { return first_.data[index] < 0 ? with_latest(index) : sum_at(index); }
};

}  // namespace tapeless::program
