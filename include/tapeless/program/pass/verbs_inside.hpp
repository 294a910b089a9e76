#pragma once

#include <tapeless/operation/tensor/broadcast.hpp>
#include <tapeless/operation/tensor/verb_inside.hpp>
#include <tapeless/program/pass/as_recorded.hpp>
#include <tapeless/program/pass/pass.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

/// Verbs inside functions over tensors. When a call of one is lowered, its arguments become inputs, and each derivative
/// that it asks for stands as one operation. Here the passes that differentiate all programs put in what these
/// operations stand for, call by call: those of the function of a verb come before the verb itself.
namespace tapeless::program {

/// The next derivatives to be put in: those of the call with the highest number, the verbs in its function having
/// higher ones; of these the first. All adjoints of one number are found together.
struct verb_request {
  int call = -1;
  int node = -1;
  /// How many arguments of the call have derivatives.
  int inputs = 0;
  bool forward = false, reach = false;
};
constexpr bool stands_for_derivative(const node& n) {
  return applies(n, info<operation::VerbAdjoint>) || applies(n, info<operation::VerbTangent>);
}
constexpr verb_request find_request(graph_view graph) {
  verb_request found;
  for (int i = 0; i < graph.size; ++i)
    if (const node& n = graph.nodes[i]; stands_for_derivative(n) && graph.moves[n.access].position > found.call)
      found = {graph.moves[n.access].position, i, 0, applies(n, info<operation::VerbTangent>)};
  for (int i = 0; found.node >= 0 && i < graph.size; ++i) {
    const node& n = graph.nodes[i];
    if (!stands_for_derivative(n) && !applies(n, info<operation::VerbInput>)) continue;
    for (const tensor_move& each : moves_of(graph, n)) {
      if (each.position != found.call) continue;
      if (each.begin.constant >= found.inputs) found.inputs = static_cast<int>(each.begin.constant) + 1;
      found.reach |= each.reached;
    }
  }
  return found;
}
/// Whether node `i` is one of those.
constexpr bool is_requested(graph_view graph, const verb_request& request, int i) {
  const node& n = graph.nodes[i];
  return i == request.node || (!request.forward && applies(n, info<operation::VerbAdjoint>) &&
                               graph.moves[n.access].position == request.call &&
                               graph.edges[n.first] == graph.edges[graph.nodes[request.node].first]);
}
constexpr bool is_input_of(graph_view graph, const node& n, int call) {
  return applies(n, info<operation::VerbInput>) && graph.moves[n.access].position == call;
}

/// The program with what is differentiated as its output, and with a variable in the place of each input. Each node
/// stands where it stood.
template <class Source>
struct open_verb {
  using source = Source;
  static constexpr verb_request request = find_request(Source::view());
  static constexpr int first_variable = static_cast<int>(Source::value.variables.size());

  struct opened : copied_as_is {
    constexpr int move(builder& to, graph_view from, const node& n, const int* operands) const {
      if (!is_input_of(from, n, request.call)) return copied_as_is::move(to, from, n, operands);
      tensor_access access = from.moves[n.access].from;
      access.of = first_variable + static_cast<int>(from.moves[n.access].begin.constant);
      return to.read(access);
    }
  };
  static constexpr builder run() {
    const graph_view from = Source::view();
    builder to;
    to.stay_plain(Source::value.plain);
    to.variables = {Source::value.variables.data(), first_variable};
    for (int k = 0; k < request.inputs; ++k) to.variables.push_back("");
    to.numbers = Source::value.numbers;
    growing_array<int> moved(from.size, -1);
    copy_nodes(to, from, growing_array<char>(from.size, 1), moved, opened());
    to.outputs.push_back(from.edges[from.nodes[request.node].first]);
    to.accesses.push_back({access_kind::output, 0, 0, {}});
    return to;
  }
};

namespace detail {

template <class Source, bool Forward, class Inputs>
struct derived_verb;
template <class Source, int... Inputs>
struct derived_verb<Source, false, std::integer_sequence<int, Inputs...>> {
  using opened = frozen<open_verb<Source>>;
  using type =
      frozen<std::conditional_t<open_verb<Source>::request.reach,
                                append_reaching_gradient<opened, open_verb<Source>::first_variable + Inputs...>,
                                append_gradient<opened, open_verb<Source>::first_variable + Inputs...>>>;
  using uses = uses_of<opened, open_verb<Source>::first_variable + Inputs...>;
};
template <class Source, int... Inputs>
struct derived_verb<Source, true, std::integer_sequence<int, Inputs...>> {
  using opened = frozen<open_verb<Source>>;
  using type = frozen<append_tangents<opened, 0, open_verb<Source>::first_variable + Inputs...>>;
};

}  // namespace detail

/// The program with these derivatives in their places. The inputs of the call go with its last derivatives.
template <class Source>
class close_verb {
  using open = open_verb<Source>;
  static constexpr verb_request request = open::request;
  using derivation = detail::derived_verb<Source, request.forward, std::make_integer_sequence<int, request.inputs>>;

  /// A node with all of some axes, also where it is the same along them.
  static constexpr int with_axes(builder& graph, int node, axis_set axes) {
    for (axis_set absent = axes & ~graph.nodes[node].axes; absent; absent &= absent - 1)
      node = graph.make<operation::Broadcast>(graph.as_number(node), index_along(graph, first_axis(absent)));
    return node;
  }
  /// Whether a variable tells how long an axis is.
  static constexpr bool is_measured(int id) {
    for (const tensor_access& access : Source::value.accesses)
      if (access.is_variable() && (access.set() & axis(id))) return true;
    return false;
  }
  /// The same elements, along other axes of the same extents. Of a derivative that was given axes of its own no
  /// variable may have them.
  static constexpr int along_axes(builder& graph, int node, const tensor_access& from, const tensor_access& to) {
    if (from.axes == to.axes) return node;
    for (int k = 0; k < to.rank; ++k)
      if (const int id = to.axes[k], as = from.axes[k]; id >= 0 && id != as && !is_measured(id))
        graph.axis_rules.push_back({id, axis_rule::form::sum, {as < 0, -1, as >= 0, {as < 0 ? 0 : as}}, {}, -1, 0, 1});
    const int whole = with_axes(graph, node, from.set());
    const tensor_move move{move_kind::reshape,
                           {access_kind::variable, 0, from.rank, from.axes},
                           {access_kind::variable, 0, to.rank, to.axes},
                           0,
                           {}};
    return graph.append_move(info<operation::Move>, &move, &whole, 1);
  }

 public:
  using source = typename derivation::type;

  static constexpr builder run() {
    const graph_view before = Source::view(), from = source::view();
    const int size = before.size;
    static_assert(derivation::opened::value.nodes.size() == Source::value.nodes.size());
    builder to;
    to.stay_plain(Source::value.plain);
    to.variables = {Source::value.variables.data(), open::first_variable};
    to.numbers = Source::value.numbers;
    const auto copy_all = [](auto& into, const auto& all) { into = {all.data(), static_cast<int>(all.size())}; };
    copy_all(to.axis_rules, Source::value.axis_rules), copy_all(to.axis_sources, Source::value.axis_sources);
    copy_all(to.extent_uses, Source::value.extent_uses);
    to.compares_extents = Source::value.compares_extents;

    bool last = true;
    growing_array<char> known(from.size, 1);
    for (int i = 0; i < size; ++i) {
      if (is_requested(before, request, i))
        known[i] = 0;
      else if (stands_for_derivative(before.nodes[i]) && before.moves[before.nodes[i].access].position == request.call)
        last = false;
      for (int j = 0; j < from.nodes[i].count; ++j) known[i] &= known[from.edges[from.nodes[i].first + j]];
    }
    growing_array<int> moved(from.size, -1);
    const closed how{{}, before, moved, last};
    copy_nodes(to, from, known, moved, how);
    for (int i = 0; i < size; ++i)
      if (is_requested(before, request, i)) moved[i] = result(to, before, before.nodes[i], moved);
    copy_nodes(to, from, growing_array<char>(from.size, 1), moved, how);
    for (const int output : Source::value.outputs) to.outputs.push_back(moved[output]);
    for (const tensor_access& access : Source::value.accesses)
      if (access.kind == access_kind::output) to.accesses.push_back(access);
    return to;
  }

 private:
  /// How nodes are copied: inputs are the arguments, unless others of the call's derivatives follow, and the variables
  /// of tangents what the request says.
  struct closed : copied_as_is {
    graph_view before;
    const growing_array<int>& moved;
    bool last;

    constexpr int read(builder& to, graph_view from, const node& n) const {
      if (n.kind != node_kind::variable || n.leaf < open::first_variable) return copied_as_is::read(to, from, n);
      const int which = n.leaf - open::first_variable - request.inputs + 1;
      if (which > 0) {
        const node& requested = before.nodes[request.node];
        return along_axes(to, moved[before.edges[requested.first + which]], before.moves[requested.access + which].from,
                          from.accesses[n.access]);
      }
      const node& input = before.nodes[&n - from.nodes];
      const int argument = moved[before.edges[input.first]];
      return last ? argument : to.append_move(info<operation::VerbInput>, before.moves + input.access, &argument, 1);
    }
  };
  /// What the node `n` stands for.
  static constexpr int result(builder& to, graph_view before, const node& n, const growing_array<int>& moved) {
    const tensor_move& laid_out = before.moves[n.access];
    int sum = -1;
    if constexpr (request.forward) {
      sum = moved[source::value.output(1)];
    } else {
      std::size_t output = laid_out.reached ? 1 + derivation::uses::count : 1;
      for (const variable_use& use : derivation::uses::value) {
        const int piece = moved[source::value.output(output++)];
        if (use.variable != open::first_variable + laid_out.begin.constant) continue;
        const int terms[] = {
            sum, along_axes(to, piece, derivation::opened::value.accesses[static_cast<std::size_t>(use.access)],
                            laid_out.to)};
        sum = sum < 0 ? terms[1] : to.append(info<operation::Add>, terms, 2);
      }
    }
    return with_axes(to, sum < 0 ? to.constant(0) : sum, laid_out.to.set());
  }
};

template <class Source>
inline constexpr bool has_verbs_inside = [] {
  if constexpr (problem_of<Source> != fault::none)
    return false;
  else
    return find_request(Source::view()).node >= 0;
}();

#ifdef TAPELESS_VERIFY
/// A lowering that has a problem is cut short.
template <class Source>
constexpr program_fault verify_resolved() {
  if constexpr (problem_of<Source> != fault::none)
    return {};
  else
    return verify_lowered(Source::value);
}
#endif

/// The program with the derivatives of all verbs inside the function.
template <class Source, bool = has_verbs_inside<Source>>
struct verbs_resolved {
  using type = Source;
#ifdef TAPELESS_VERIFY
  static_assert(is_sound<verify_resolved<Source>()>);
#endif
};
template <class Source>
struct verbs_resolved<Source, true> : verbs_resolved<frozen<close_verb<Source>>> {};
template <class Source>
using verbs_resolved_t = typename verbs_resolved<Source>::type;

namespace detail {

template <class Source>
struct before_verbs : std::type_identity<Source> {};
template <class Source>
struct before_verbs<frozen<close_verb<Source>>> : before_verbs<Source> {};

}  // namespace detail

template <class Source>
struct plainly<frozen<close_verb<Source>>>
    : std::type_identity<verbs_resolved_t<plainly_t<typename detail::before_verbs<Source>::type>>> {};

}  // namespace tapeless::program
