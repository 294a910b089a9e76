#pragma once

#include <tapeless/program/differentiate/guarded.hpp>
#include <tapeless/program/graph/loops_in.hpp>

#include <array>
#include <cstddef>

/// A derivative that leaves a loop is a number, and a zero may be a sum of chosen paths or say that there is none. The
/// two differ where they meet an infinite partial derivative, so such a number takes a flag along: whether any chosen
/// path has reached it. Flags cost operations in every step. A loop has them only where paths may be left out and
/// partial derivatives that are not finite may follow.
namespace tapeless::program {

/// What the partial derivatives of an operation may be: constants; finite where its operands and its value are; not
/// finite.
enum class partials : unsigned char { constant, finite, any };
constexpr partials worse(partials a, partials b) { return a < b ? b : a; }

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
  constexpr int count() const {
    int found = 0;
    for (const char each : at) found += each == 'y';
    return found;
  }
  constexpr bool any() const { return count() > 0; }
};

inline constexpr std::array smooth_functions{
    &info<operation::Sin>,    &info<operation::Cos>,   &info<operation::Exp>,
    &info<operation::Square>, &info<operation::Tanh>,  &info<operation::Log>,
    &info<operation::Sqrt>,   &info<operation::Log1p>, &info<operation::Expm1>};
inline constexpr int bounded_functions = 5;

/// Which of `smooth_functions` the node is, if any; else their number.
constexpr int smooth_function(const node& n) {
  int i = 0;
  while (i < static_cast<int>(smooth_functions.size()) &&
         !(*smooth_functions[static_cast<std::size_t>(i)] == *n.operation))
    ++i;
  return i;
}

constexpr partials partials_of(graph_view graph, const node& n) {
  using enum opcode;
  const auto is_constant = [&](int which) {
    return graph.nodes[graph.edges[n.first + which]].kind == node_kind::constant;
  };
  // By a constant, of which no number type makes infinity, nor 0 from `least` on. Signs have moved out of products.
  const auto by_constant = [&](int which, double least) {
    const double x = graph.constants[graph.nodes[graph.edges[n.first + which]].leaf].as<double>();
    return x >= least && x <= 1e37 ? partials::constant : partials::any;
  };
  if (n.kind != node_kind::apply || n.condition || n.operation->of_loops) return partials::constant;
  switch (n.opcode) {
    case add:
    case subtract:
    case negate:
    case where: return partials::constant;
    case multiply: return is_constant(0) ? by_constant(0, 0) : is_constant(1) ? by_constant(1, 0) : partials::finite;
    case divide: return is_constant(1) ? by_constant(1, 1e-37) : partials::any;
    default: return smooth_function(n) < bounded_functions ? partials::finite : partials::any;
  }
}
/// Whether a path through the node may be left out: so far as is known at a glance.
constexpr bool may_select(const node& n) {
  using enum opcode;
  const opcode role = n.opcode;
  return n.kind == node_kind::apply && !n.condition && !n.operation->reads_loop() && role != add && role != subtract &&
         role != negate && role != multiply && role != divide &&
         smooth_function(n) == static_cast<int>(smooth_functions.size());
}

/// The partial derivatives of the nodes of a program and of the bodies of its loops.
template <class P>
struct all_partials {
  using loops = loops_in<P>;

  /// Of each node; of a loop those of all that its body computes.
  static constexpr growing_array<partials> of_nodes() {
    growing_array<partials> result(loops::view.size, partials::constant);
    for (int i = 0; i < result.size; ++i) result.data[i] = partials_of(loops::view, loops::view.nodes[i]);
    [&]<std::size_t... K>(std::index_sequence<K...>) {
      ((result[loops::nodes[K]] = all_partials<typename loops::template operation<K>::body>::most), ...);
    }(loops::all);
    return result;
  }
  static constexpr partials most = [] {
    const growing_array<partials> all = of_nodes();
    partials result = partials::constant;
    for (const partials each : all) result = worse(result, each);
    return result;
  }();
};

/// A condition as what a loop carries, and back.
constexpr int as_flag(builder& graph, int where) {
  return where == guarded::everywhere ? graph.constant(1) : graph.as_number(where);
}
/// Whether a flow has reached its place: everywhere, unless its condition counts.
constexpr int flag_of(builder& graph, const guarded& f, bool conditional = true) {
  return f.none() ? graph.constant(0) : as_flag(graph, conditional ? f.where : guarded::everywhere);
}
constexpr int flag_holds(builder& graph, int flag) { return graph.make<operation::NotEqual>(flag, graph.constant(0)); }
constexpr bool may_have_no_steps(const builder& graph, int steps) {
  const constant_value* const count = graph.constant_of(steps);
  return !count || count->is_numeric_zero();
}
/// `f` times a factor of all that leaves a loop of `steps`, or of the sums that leave it: those of no steps are zero
/// even if the factor is infinite.
constexpr guarded with_factor(builder& graph, guarded f, int factor, int steps, bool is_sum) {
  f.node = graph.make<operation::Multiply>(f.node, factor);
  if (is_sum && may_have_no_steps(graph, steps))
    f.node = masked(graph, {f.node, flag_holds(graph, steps)}, guarded::everywhere);
  return f;
}
/// The sum of two flows.
constexpr guarded joined(builder& graph, const guarded& a, const guarded& b) {
  if (a.none() || b.none()) return a.none() ? b : a;
  confluence sum(graph, 1);
  sum.add(0, a), sum.add(0, b);
  return sum.at(0);
}

/// The condition under which any of these flow; whether they flow under different ones, and whether some do not at all.
struct common_condition {
  int where = guarded::everywhere;
  bool any = false, differ = false, absent = false;

  constexpr void add(builder& graph, const guarded& f) {
    if (f.none()) return void(absent = true);
    const bool in_sequence = f.where >= 0 && graph.nodes.data[f.where].sequence;
    const int here = in_sequence ? guarded::everywhere : f.where;
    differ = differ || in_sequence || (any && here != where);
    where = any ? either_holds(graph, where, here) : here, any = true;
  }
};

/// Flags for the elements of a sequence.
constexpr int flags_of_elements(builder& graph, const guarded& f, int steps) {
  if (f.none()) return zeros(graph, steps);
  if (f.where >= 0 && graph.nodes.data[f.where].sequence) return f.where;
  return repeat(graph, as_flag(graph, f.where), steps);
}
}  // namespace detail

}  // namespace tapeless::program
