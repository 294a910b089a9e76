#pragma once

#include <tapeless/program/differentiate/reach.hpp>
#include <tapeless/program/graph/activity.hpp>

#include <array>
#include <cstddef>
#include <span>

/// What of a loop has derivatives, and which of these take flags along.
namespace tapeless::program::detail {

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
    const growing_array<int> of_variables = nodes_of_variables(view);
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

/// The variables and outputs by which the body of a loop is differentiated. `Onward`: what partial derivatives flows
/// meet beyond the body.
template <class Activity, partials Onward>
struct body_request {
  using source = typename Activity::body;
  static constexpr bool seeds_differ = true;
  static constexpr partials onward = Onward;
  static constexpr auto& active = Activity::active;
  static constexpr auto variable_indices = as_array([] {
    growing_array<int> all;
    for (int k = 0; k < active.carries.size; ++k) all.push_back(active.carries.at[k]);
    for (int k = 0; k < active.constants.size; ++k) all.push_back(Activity::first_constant + active.constants.at[k]);
    for (int k = 0; k < active.sequences.size; ++k) all.push_back(Activity::first_sequence + active.sequences.at[k]);
    return all;
  });
  static constexpr auto output_nodes = as_array([] {
    growing_array<int> all;
    const auto push = [&](int output) { all.push_back(source::value.outputs[static_cast<std::size_t>(output)]); };
    for (int k = 0; k < active.carries.size; ++k) push(active.carries.at[k]);
    for (int k = 0; k < active.stacked.size; ++k) push(Activity::shape.carries + active.stacked.at[k]);
    return all;
  });
  static constexpr std::span<const int> variables() { return variable_indices; }
  static constexpr std::span<const int> outputs() { return output_nodes; }
};

/// Which numbers of a derivative loop have flags beside them: the seeds, the adjoints or tangents of carries, and what
/// leaves the loop else.
template <operation::scan_shape Shape>
struct reach {
  flags<1> seeds;
  flags<Shape.carries> carries;
  flags<Shape.constants> constants;
  flags<Shape.sequences> sequences;
  flags<Shape.stacked> stacked;

  constexpr bool any() const {
    return seeds.any() || carries.any() || constants.any() || sequences.any() || stacked.any();
  }
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
    const growing_array<char> active = active_nodes(view, request::variables(), request::outputs());
    const growing_array<partials> all = all_partials<typename request::source>::of_nodes();
    for (int i = 0; i < view.size; ++i)
      if (active[i]) {
        result.varying |= all[i] != partials::constant, result.infinite |= all[i] == partials::any;
        result.selects |= may_select(view.nodes[i]);
      }
    for (const int end : Step::ends()) result.varying |= Beyond.varying[end], result.infinite |= Beyond.infinite[end];
    return result;
  }();
};

/// The flags that the derivative loop of `Step` needs. `Mixed`: its seeds flow under different conditions.
template <class Step, auto Beyond, bool Mixed>
constexpr auto find_reach() {
  constexpr auto& active = Step::activity::active;
  constexpr auto met = way_through<Step, Beyond>::met;
  reach<Step::shape> result;
  if (Mixed) result.seeds.set(0);
  for (int k = 0; k < active.carries.size; ++k)
    if (Mixed ? met.varying : met.infinite && !Step::is_seeded(active.carries.at[k]))
      result.carries.set(active.carries.at[k]);
  if (!result.any() && !met.selects && !met.infinite) return result;
  for (bool changed = true; changed;) {
    changed = false;
    builder graph = Step::activity::body::thaw();
    const growing_array<guarded> derivatives = Step(graph, result, true).derivatives;
    const auto conditional = [&](int i) { return !derivatives[i].always(); };
    for (int k = 0; k < active.carries.size; ++k)
      // A carry that the step does not pass on has flowed for one step.
      if (const int carry = active.carries.at[k];
          conditional(k) && (derivatives[k].none() ? met.infinite : met.varying) && !result.carries[carry])
        result.carries.set(carry), changed = true;
    if (!changed) Step::find_others(result, Beyond.varying, conditional);
  }
  return result;
}

template <class Step, auto Beyond, bool Mixed>
inline constexpr auto reach_of = find_reach<Step, Beyond, Mixed>();

/// The flags as variables of a body: after the seeds of some carries.
template <class Flags, class List>
constexpr void append_flags(builder& graph, growing_array<int>& to, const Flags& which, const List& list) {
  for (int k = 0; k < list.size; ++k) to.push_back(which[list.at[k]] ? append_variable(graph) : -1);
}

}  // namespace tapeless::program::detail
