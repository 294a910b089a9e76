#pragma once

#include <tapeless/program/differentiate/guarded.hpp>
#include <tapeless/program/graph/activity.hpp>
#include <tapeless/program/graph/loops_in.hpp>

#include <array>
#include <cstddef>
#include <span>

/// What of a loop has derivatives, and which of these take flags along.
///
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
  constexpr int count(int begin = 0, int end = static_cast<int>(N)) const {
    int found = 0;
    for (int i = begin; i < end; ++i) found += at[i] == 'y';
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
  if (n.kind != node_kind::apply || n.condition || n.operation->of_loops || applies(n, info<operation::Sum>) ||
      (n.operation->moves && !n.operation->of_matrices))
    return partials::constant;
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

  struct found {
    partials of_nodes[static_cast<std::size_t>(loops::view.size) + 1]{};
    partials most = partials::constant;
  };
  static constexpr found all = []<std::size_t... K>(std::index_sequence<K...>) {
    found result;
    for (int i = 0; i < loops::view.size; ++i) result.of_nodes[i] = partials_of(loops::view, loops::view.nodes[i]);
    ((result.of_nodes[loops::nodes[K]] = all_partials<typename loops::template operation<K>::body>::most), ...);
    for (const partials each : result.of_nodes) result.most = worse(result.most, each);
    return result;
  }(loops::all);
  /// Of each node; of a loop those of all that its body computes.
  static constexpr auto& of_nodes = all.of_nodes;
  static constexpr partials most = all.most;
};

/// Whether a flow has reached its place: everywhere, unless its condition counts.
constexpr int flag_of(builder& graph, const guarded& f, bool conditional = true) {
  return f.none() ? graph.constant(0) : as_flag(graph, conditional ? f.where : guarded::everywhere);
}
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

/// The condition under which any of these flow, along any axis but `own`; whether they flow under different ones, and
/// whether some do not at all.
struct common_condition {
  int where = guarded::everywhere;
  bool any = false, differ = false, absent = false;

  constexpr void add(builder& graph, const guarded& f, axis_set own = 0) {
    if (f.none()) return void(absent = true);
    const bool in_sequence = f.where >= 0 && graph.nodes.data[f.where].sequence;
    const int here = f.where < 0 || in_sequence ? guarded::everywhere
                                                : any_over(graph, f.where, graph.nodes.data[f.where].axes & ~own);
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

template <int N>
struct index_list {
  int at[static_cast<std::size_t>(N) + 1]{};
  int size = 0;
  constexpr const int* begin() const { return at; }
  constexpr const int* end() const { return at + size; }
  constexpr void push_back(int index) { at[size++] = index; }
  constexpr int find(int index) const {
    for (int i = 0; i < size; ++i)
      if (at[i] == index) return i;
    return -1;
  }
  /// How many of the first elements `flags` has; of all, without `before`.
  constexpr int count(const auto& flags, int before = N) const {
    int found = 0;
    for (int i = 0; i < size && i < before; ++i) found += flags[at[i]];
    return found;
  }
};

/// Which carries, captured numbers, sequences and stacked outputs of the loop `Op` have derivatives, where the operands
/// `In` do and those of the outputs `Out` are asked for.
template <class Op, auto In, auto Out>
struct loop_activity {
  using loop = Op;
  using body = typename Op::body;
  static constexpr operation::scan_shape shape = Op::shape;
  static constexpr bool of_tensors = tapeless::detail::Tensor_operation<Op>;
  static constexpr int variables = shape.operands();  // the step's number in the place of the number of steps
  static constexpr bool has_adjoints(int output) { return Out[output]; }

  struct found {
    index_list<shape.carries> carries;
    index_list<shape.stacked> stacked;
    /// Variables of the body: all of them, those that are no elements of sequences, and those that are.
    index_list<variables> all, numbers, sequences;
    bool through_table = false;
  };
  static constexpr int result(int i) { return body::value.output(i); }
  /// The nodes on the way from the carries `given`, and what else has derivatives, to the next carries `asked`, and
  /// what else is asked for.
  static constexpr growing_array<char> between(const growing_array<char>& given, const growing_array<char>& asked) {
    growing_array<int> from, to;
    for (int v = 0; v < variables - 1; ++v)
      if (v < shape.carries ? given[v] : In[1 + v]) from.push_back(v);
    for (int k = 0; k < shape.carries + shape.stacked; ++k)
      if (k < shape.carries ? asked[k] : Out[k]) to.push_back(result(k));
    return active_nodes(body::view(), {from.begin(), from.end()}, {to.begin(), to.end()});
  }
  static constexpr found run() {
    const growing_array<int> of_variables = nodes_of_variables(body::view());
    const growing_array<char> all(shape.carries, 1);
    growing_array<char> varying(shape.carries, 0), useful(shape.carries, 0);
    for (int k = 0; k < shape.carries; ++k) varying[k] = In[1 + k], useful[k] = Out[k] || Out[shape.history(k)];
    for (bool changed = true; changed;) {
      changed = false;
      const growing_array<char> reached = between(varying, all);
      for (int k = 0; k < shape.carries; ++k)
        if (reached[result(k)] && !varying[k]) varying[k] = changed = true;
    }
    for (bool changed = true; changed;) {
      changed = false;
      const growing_array<char> needed = between(all, useful);
      for (int k = 0; k < shape.carries; ++k)
        if (of_variables[k] >= 0 && needed[of_variables[k]] && !useful[k]) useful[k] = changed = true;
    }
    for (int k = 0; k < shape.carries; ++k) varying[k] = useful[k] = varying[k] && useful[k];
    const growing_array<char> on_the_way = between(varying, useful);
    const auto is_active = [&](int v) { return of_variables[v] >= 0 && on_the_way[of_variables[v]]; };
    found f;
    for (int v = 0; v < variables - 1; ++v) {
      const bool is_carry = v < shape.carries, is_sequence = v >= shape.first_sequence() - 1;
      if (is_carry ? !varying[v] : !In[1 + v] || !is_active(v)) continue;
      if (!of_tensors && !is_sequence && v >= shape.first_table() - 1) {
        f.through_table = true;
        continue;
      }
      if (is_carry) f.carries.push_back(v);
      is_sequence ? f.sequences.push_back(v) : f.numbers.push_back(v);
      f.all.push_back(v);
    }
    for (int k = 0; k < shape.stacked; ++k)
      if (Out[shape.carries + k] && on_the_way[result(shape.carries + k)]) f.stacked.push_back(k);
    return f;
  }
  static constexpr found active = run();
};

/// The variables and outputs by which the body of a loop is differentiated. `Onward`: what partial derivatives flows
/// meet beyond the body.
template <class Activity, partials Onward>
struct body_request {
  using source = typename Activity::body;
  static constexpr bool seeds_differ = true;
  static constexpr partials onward = Onward;
  static constexpr auto& active = Activity::active;
  static constexpr auto output_nodes = as_array([] {
    growing_array<int> all;
    const auto push = [&](int output) { all.push_back(source::value.output(output)); };
    for (int k = 0; k < active.carries.size; ++k) push(active.carries.at[k]);
    for (int k = 0; k < active.stacked.size; ++k) push(Activity::shape.carries + active.stacked.at[k]);
    return all;
  });
  static constexpr std::span<const int> variables() {
    return {active.all.at, static_cast<std::size_t>(active.all.size)};
  }
  static constexpr std::span<const int> outputs() { return output_nodes; }
};

/// Which numbers of a derivative loop have flags beside them: the seeds, the adjoints or tangents of the body's
/// variables, and what leaves the loop else.
template <operation::scan_shape Shape>
struct reach {
  flags<1> seeds;
  flags<static_cast<std::size_t>(Shape.operands())> variables;
  flags<Shape.stacked> stacked;

  constexpr bool any() const { return seeds.any() || variables.any() || stacked.any(); }
};
/// What partial derivatives a flow meets beyond operands or outputs of a loop: such as are not constant, or not finite.
template <std::size_t N>
struct beyond {
  flags<N> varying, infinite;

  constexpr partials most() const {
    return infinite.any() ? partials::any : varying.any() ? partials::finite : partials::constant;
  }
};
/// The same of what flows out of the body of the loop `Op`. Loops in it alone ask.
template <class Op, auto Beyond>
inline constexpr partials beyond_body =
    loops_in<typename Op::body>::count == 0 ? partials::constant
                                            : worse(all_partials<typename Op::body>::most, Beyond.most());

/// What flows meet on their way through the loop of `Step`, and beyond.
template <class Step, auto Beyond>
struct way_through {
  using request = typename Step::request;
  struct found {
    bool varying = false, infinite = false, selects = false;
  };
  static constexpr found met = [] {
    found result;
    const graph_view view = request::source::view();
    const char* const active = active_in<request>.data();
    constexpr auto& all = all_partials<typename request::source>::of_nodes;
    for (int i = 0; i < view.size; ++i)
      if (active[i]) {
        result.varying |= all[i] != partials::constant, result.infinite |= all[i] == partials::any;
        result.selects |= may_select(view.nodes[i]);
      }
    for (const int end : Step::ends()) result.varying |= Beyond.varying[end], result.infinite |= Beyond.infinite[end];
    return result;
  }();
};

template <class Step>
constexpr growing_array<guarded> derivatives_under(const reach<Step::shape>& flagged,
                                                   builder graph = Step::activity::body::thaw()) {
  return Step(graph, flagged, true).derivatives;
}
/// The flags that the derivative loop of `Step` needs. `Mixed`: its seeds flow under different conditions.
template <class Step, auto Beyond, bool Mixed>
constexpr auto find_reach() {
  constexpr auto& active = Step::activity::active;
  constexpr auto met = way_through<Step, Beyond>::met;
  reach<Step::shape> result;
  if (Mixed) result.seeds.set(0);
  for (int k = 0; k < active.carries.size; ++k)
    if (Mixed ? met.varying : met.infinite && !Step::is_seeded(active.carries.at[k]))
      result.variables.set(active.carries.at[k]);
  if (!result.any() && !met.selects && !met.infinite) return result;
  const auto extends = [&](const growing_array<guarded>& derivatives) {
    bool changed = false;
    const auto conditional = [&](int i) { return !derivatives[i].always(); };
    for (int k = 0; k < active.carries.size; ++k)
      // A carry that the step does not pass on has flowed for one step.
      if (const int carry = active.carries.at[k];
          conditional(k) && (derivatives[k].none() ? met.infinite : met.varying) && !result.variables[carry])
        result.variables.set(carry), changed = true;
    if (!changed) Step::find_others(result, Beyond.varying, conditional);
    return changed;
  };
  while (extends(derivatives_under<Step>(result))) continue;
  return result;
}

template <class Step, auto Beyond, bool Mixed>
inline constexpr auto reach_of = find_reach<Step, Beyond, Mixed>();

}  // namespace detail

}  // namespace tapeless::program
