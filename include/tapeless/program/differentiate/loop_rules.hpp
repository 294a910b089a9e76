#pragma once

#include <tapeless/program/differentiate/guarded.hpp>
#include <tapeless/program/differentiate/loop_derivatives.hpp>
#include <tapeless/program/differentiate/rule.hpp>
#include <tapeless/program/graph/activity.hpp>
#include <tapeless/program/lower/loop.hpp>

#include <cstddef>
#include <span>
#include <utility>

/// The derivatives of a loop are loops: here they get their operands, and what they compute flows on.
namespace tapeless::program {

namespace detail {

/// Output number `i` of the loop `Op` that is node `loop`.
template <class Op>
constexpr int output_of(builder& graph, int loop, int i) {
  return graph.append_of_loops(*output_readers<Op>[static_cast<std::size_t>(i)], &loop, 1);
}

/// What leaves a loop that flows itself where `where` holds: output `number`, whose flag is output `flag`.
template <class Op>
constexpr guarded leaving(builder& graph, int loop, int where, int number, int flag, bool masked) {
  const int node = output_of<Op>(graph, loop, number);
  if (flag < 0) return {node, where};
  const int reached = output_of<Op>(graph, loop, flag);
  const bool everywhere = where == guarded::everywhere;
  const int here = !graph.nodes.data[reached].sequence ? both_hold(graph, where, flag_holds(graph, reached))
                   : everywhere                        ? reached
                                                       : graph.by_element.masked(graph, where, reached);
  return {node, here, masked && everywhere};
}

/// The operands of the loop of derivatives `Body` of the loop `Op`, node `index`, whose flows are `flows`; with
/// `Differ` under conditions of their own.
template <class Op, class Body, bool Differ>
constexpr growing_array<int> operands_of(builder& graph, int index, const growing_array<guarded>& flows) {
  const growing_array<int> given(graph.operands(index), Op::shape.operands());
  growing_array<int> operands;
  for (int i = 0; i < Body::shape.operands(); ++i) {
    const auto [what, which] = Body::takes.all[i];
    const bool each_step = i >= Body::shape.first_sequence();
    operands.push_back(what == taken::given    ? given[which]
                       : what == taken::before ? output_of<Op>(graph, index, Op::shape.history(which - 1))
                       : what == taken::flow
                           ? each_step && flows[which].none() ? zeros(graph, given[0]) : number_of(graph, flows[which])
                       : what == taken::flag ? each_step ? flags_of_elements(graph, flows[which], given[0])
                                                         : flag_of(graph, flows[which], Differ)
                                             : graph.constant(0));
  }
  return operands;
}

/// `MayDiffer`: the adjoints of the outputs may flow under different conditions.
template <class Op, auto In, auto Out, auto Beyond, bool MayDiffer>
struct loop_pullback {
  static constexpr partials onward = beyond_body<Op, Beyond>;
  using step = backward_step<Op, In, Out, onward>;
  static constexpr tapeless::operation::scan_shape shape = Op::shape;
  static constexpr auto& active = step::active;

  /// Whether what leaves the loop may flow under conditions that what enters does not have.
  static constexpr bool selects = [] {
    bool may_be_empty = false;
    for (const int v : active.numbers) may_be_empty |= v >= shape.carries && Beyond.infinite[1 + v];
    return MayDiffer || may_be_empty || step::leaves_out || reach_of<step, Beyond, false>.any();
  }();

  template <class Contribute>
  static constexpr void apply(builder& graph, int index, confluence& adjoints, const Contribute& contribute) {
    common_condition condition;
    growing_array<guarded> seeds(Op::outputs, guarded{});
    const auto seed = [&](int output) {
      if (!Out[output]) return;
      if (const int node = graph.find(*output_readers<Op>[static_cast<std::size_t>(output)], &index, 1); node >= 0)
        seeds[output] = adjoints.at(node);
      condition.add(graph, seeds[output]);
    };
    for (const int c : active.carries) seed(c);
    for (const int k : active.stacked) seed(shape.carries + k);
    for (const int c : active.carries) seed(shape.history(c));
    if (!condition.any) return;
    if constexpr (MayDiffer && way_through<step, Beyond>::met.varying)
      if (condition.differ || condition.absent) return append<true>(graph, index, seeds, condition.where, contribute);
    append<false>(graph, index, seeds, condition.where, contribute);
  }

 private:
  template <bool Differ, class Contribute>
  static constexpr void append(builder& graph, int index, const growing_array<guarded>& seeds, int where,
                               const Contribute& contribute) {
    constexpr auto flagged = reach_of<step, Beyond, Differ>;
    using body = pullback_body<Op, In, Out, onward, flagged>;
    if constexpr (problem_of<frozen<body>> != fault::none) {
      graph.misused(problem_of<frozen<body>>);
    } else {
      using result = typename body::result;
      const growing_array<int> given(graph.operands(index), shape.operands());
      growing_array<int> operands = operands_of<Op, body, Differ>(graph, index, seeds);
      // A factor that depends on the loop's result is put in afterwards: result and derivatives are computed together.
      // A rule for adjoints need not be linear in them.
      int factor = -1;
      if constexpr (body::along && active.carries.size == 1 && active.stacked.size == 0 && active.sequences.size == 0 &&
                    !info<Op>.pullback_in_body)
        if (const int adjoint = operands[1]; needed_nodes(graph, std::span(&adjoint, 1))[index])
          factor = adjoint, operands[1] = graph.constant(1);
      const int loop = graph.append_of_loops(info<result>, operands.data, operands.size);

      for (const int v : active.all) {
        const int operand = 1 + v;
        const bool is_carry = v < shape.carries;
        if (!In[operand]) continue;
        const auto [number, flag] = body::takes.adjoint_of(operand, flagged);
        // Without steps nothing flows.
        const bool may_be_empty = !is_carry && operand < shape.first_sequence() && flag < 0 &&
                                  Beyond.infinite[operand] && may_have_no_steps(graph, given[0]);
        const guarded f =
            leaving<result>(graph, loop, may_be_empty ? both_hold(graph, where, flag_holds(graph, given[0])) : where,
                            number, flag, !is_carry && factor < 0);
        contribute(given[operand], factor < 0 ? f : with_factor(graph, f, factor, given[0], !is_carry));
      }
    }
  }
};

template <class Op, auto In, auto Out, auto Beyond, bool MayDiffer>
struct loop_tangent {
  static constexpr partials onward = beyond_body<Op, Beyond>;
  using step = forward_step<Op, In, Out, onward>;
  static constexpr tapeless::operation::scan_shape shape = Op::shape;
  static constexpr auto& active = step::active;
  template <bool Differ>
  using body = tangent_body<Op, In, Out, onward, reach_of<step, Beyond, Differ>>;

  static constexpr bool selects = MayDiffer || step::leaves_out || reach_of<step, Beyond, false>.any();

  template <class Contribute>
  static constexpr void apply(builder& graph, int index, confluence& tangents, const Contribute&) {
    common_condition condition;
    growing_array<guarded> seeds;
    for (int operand = 0; operand < shape.operands(); ++operand) {
      seeds.push_back(In[operand] ? tangents.at(graph.operands(index)[operand]) : guarded{});
      if (In[operand]) condition.add(graph, seeds[operand]);
    }
    if (!condition.any) return;
    constexpr auto met = way_through<step, Beyond>::met;
    if constexpr (MayDiffer && met.varying)
      if (condition.differ || (condition.absent && met.infinite))
        return append<true>(graph, index, seeds, condition.where, tangents);
    append<false>(graph, index, seeds, condition.where, tangents);
  }
  /// The tangent of an output of the loop.
  template <class Contribute>
  static constexpr void apply_to_output(builder& graph, int index, confluence& tangents, const Contribute&) {
    const guarded loop = tangents.at(graph.operands(index)[0]);
    if (loop.none()) return;
    if constexpr (MayDiffer && way_through<step, Beyond>::met.varying)
      if (*graph.nodes.data[loop.node].operation == info<typename body<true>::result>)
        return add_output<true>(graph, index, loop, tangents);
    add_output<false>(graph, index, loop, tangents);
  }

 private:
  template <bool Differ>
  static constexpr void append(builder& graph, int index, const growing_array<guarded>& seeds, int where,
                               confluence& tangents) {
    if constexpr (problem_of<frozen<body<Differ>>> != fault::none) {
      graph.misused(problem_of<frozen<body<Differ>>>);
    } else {
      const growing_array<int> operands = operands_of<Op, body<Differ>, Differ>(graph, index, seeds);
      tangents.add(index, {graph.append_of_loops(info<typename body<Differ>::result>, operands.data, operands.size),
                           Differ ? guarded::everywhere : where});
    }
  }
  template <bool Differ>
  static constexpr void add_output(builder& graph, int index, const guarded& loop, confluence& tangents) {
    const auto [output, flag] =
        body<Differ>::takes.tangent_of(graph.nodes.data[index].operation->output_read, reach_of<step, Beyond, Differ>);
    if (output >= 0)
      tangents.add(index, leaving<typename body<Differ>::result>(graph, loop.node, loop.where, output, flag, true));
  }
};

// The same for loops over tensors: tensor_loop_rules.hpp.
template <class Op, auto In, auto Out, auto Kept, auto Beyond>
class tensor_loop_pullback;
template <class Op, auto In, auto Out>
class tensor_loop_tangent;

/// `visit(j, i)` for operand j of a loop, node i.
constexpr void for_operands(graph_view view, int loop, const auto& visit) {
  const node& n = view.nodes[loop];
  for (int j = 1; j < n.count; ++j) visit(j, view.edges[n.first + j]);
}
/// `visit(output, i)` for each node i that reads an output of a loop.
constexpr void for_outputs(graph_view view, int loop, const auto& visit) {
  for (int i = 0; i < view.size; ++i)
    if (const node& n = view.nodes[i]; reads_loop(n) && view.edges[n.first] == loop) visit(n.operation->output_read, i);
}
/// Which of the `Count` operands of a loop, or `Outputs`, are active.
template <bool Outputs, int Count>
constexpr auto active_places(graph_view view, const char* active, int loop) {
  flags<static_cast<std::size_t>(Count)> result{};
  const auto mark = [&](int place, int i) {
    if (active[i]) result.set(place);
  };
  Outputs ? for_outputs(view, loop, mark) : for_operands(view, loop, mark);
  return result;
}
/// What a flow meets from there on, `met`, beyond the outputs of a loop or, backward, its operands.
template <bool Forward, int Count>
constexpr auto beyond_loop(graph_view view, const partials* met, int loop) {
  beyond<static_cast<std::size_t>(Count)> result;
  const auto meet = [&](int place, int i) {
    if (met[i] != partials::constant) result.varying.set(place);
    if (met[i] == partials::any) result.infinite.set(place);
  };
  Forward ? for_outputs(view, loop, meet) : for_operands(view, loop, meet);
  return result;
}
/// Whether several flows enter a loop by the operands or outputs that are marked; those from `elements` on are two.
template <std::size_t N>
constexpr bool are_several(const flags<N>& entered, int elements) {
  return entered.count() + entered.count(elements) > 1;
}
/// Whether an active node that is no loop may select.
constexpr bool may_select_any(graph_view view, const char* active) {
  for (int i = 0; i < view.size; ++i)
    if (active[i] && !is_loop(view.nodes[i]) && may_select(view.nodes[i])) return true;
  return false;
}

/// Adds to what flows into each active node meets, in `result`, what it meets from there on.
constexpr void meet_partials(graph_view view, const char* active, const partials* own, bool forward, partials* result) {
  for (int k = 0; k < view.size; ++k) {
    const int i = forward ? view.size - 1 - k : k;
    const node& n = view.nodes[i];
    for (int which = 0; which < n.count; ++which) {
      const int operand = view.edges[n.first + which], from = forward ? i : operand, to = forward ? operand : i;
      if (active[i] && active[operand]) result[to] = worse(result[to], worse(own[i], result[from]));
    }
  }
}

}  // namespace detail

/// The derivative rules of the loops in the program of a request, one a loop.
template <class Request, direction Way>
class loop_rules {
  static constexpr graph_view view = Request::source::view();
  static constexpr const char* on_the_way = active_in<Request>.data();
  static constexpr auto loops = as_array([] {
    growing_array<int> found;
    for (int index = 0; index < view.size; ++index)
      if (on_the_way[index] && is_loop(view.nodes[index])) found.push_back(index);
    return found;
  });
  static constexpr std::size_t count = loops.size();
  template <std::size_t K>
  using loop = operation_of<view.nodes[loops[K]].operation>;
  template <std::size_t K>
  static constexpr auto in = detail::active_places<false, loop<K>::shape.operands()>(view, on_the_way, loops[K]);
  template <std::size_t K>
  static constexpr auto out = detail::active_places<true, loop<K>::outputs>(view, on_the_way, loops[K]);

  /// Of each active node the partial derivatives that what flows into it meets from there on.
  static constexpr auto find_partials_from_there() {
    constexpr auto& own = detail::all_partials<typename Request::source>::of_nodes;
    std::array<partials, static_cast<std::size_t>(view.size)> found{};
    partials* const result = found.data();
    if constexpr (requires { Request::onward; }) {
      for (int i = 0; i < view.size && Way == direction::backward; ++i)
        if (view.nodes[i].kind == node_kind::variable) result[i] = Request::onward;
      if constexpr (Way == direction::forward)
        for (const int output : Request::outputs()) result[output] = Request::onward;
    }
    detail::meet_partials(view, on_the_way, own, Way == direction::forward, result);
    return found;
  }
  static constexpr auto partials_from_there = find_partials_from_there();
  template <std::size_t K>
  static constexpr auto beyond =
      detail::beyond_loop<Way == direction::forward,
                          Way == direction::forward ? loop<K>::outputs : loop<K>::shape.operands()>(
          view, partials_from_there.data(), loops[K]);

  template <std::size_t K>
  static constexpr bool has_several =
      Way == direction::forward ? detail::are_several(in<K>, loop<K>::shape.first_sequence())
                                : detail::are_several(out<K>, loop<K>::shape.carries);
  static constexpr bool seeds_differ = [] {
    if constexpr (requires { Request::seeds_differ; })
      return Request::seeds_differ;
    else
      return (Way == direction::forward ? Request::variables().size() : Request::outputs().size()) > 1;
  }();
  static constexpr bool selects = detail::may_select_any(view, on_the_way);
  /// Whether what enters loop K may flow under different conditions, also by those of the loops that come before it.
  template <std::size_t K>
  static constexpr bool may_differ() {
    if constexpr (!has_several<K>)
      return false;
    else
      return seeds_differ || selects || []<std::size_t... I>(std::index_sequence<I...>) {
        return (rule < Way == direction::forward ? I : K + 1 + I > ::selects || ... || false);
      }(std::make_index_sequence<(Way == direction::forward ? K : count - 1 - K)>{});
  }
  /// Which of the products of loop K over tensors there are to be kept.
  template <std::size_t K>
  static constexpr auto kept = [] {
    detail::flags<static_cast<std::size_t>(loop<K>::shape.kept)> result;
    detail::for_outputs(view, loops[K], [&](int output, int) {
      if (const int k = output - loop<K>::shape.first_kept(); k >= 0 && k < loop<K>::shape.kept) result.set(k);
    });
    return result;
  }();
  template <std::size_t K>
  static constexpr auto find_rule() {
    constexpr bool forward = Way == direction::forward;
    if constexpr (tapeless::detail::Tensor_operation<loop<K>> && forward)
      return std::type_identity<detail::tensor_loop_tangent<loop<K>, in<K>, out<K>>>{};
    else if constexpr (tapeless::detail::Tensor_operation<loop<K>>)
      return std::type_identity<detail::tensor_loop_pullback<loop<K>, in<K>, out<K>, kept<K>, beyond<K>>>{};
    else if constexpr (forward)
      return std::type_identity<detail::loop_tangent<loop<K>, in<K>, out<K>, beyond<K>, may_differ<K>()>>{};
    else
      return std::type_identity<detail::loop_pullback<loop<K>, in<K>, out<K>, beyond<K>, may_differ<K>()>>{};
  }
  template <std::size_t K>
  using rule = typename decltype(find_rule<K>())::type;

 public:
  template <class Contribute>
  static constexpr void apply(builder& graph, int index, confluence& to, const Contribute& contribute) {
    const bool reads = graph.nodes.data[index].operation->reads_loop();
    const int which = reads ? graph.operands(index)[0] : index;
    [&]<std::size_t... K>(std::index_sequence<K...>) {
      [[maybe_unused]] const auto run = [&]<std::size_t I>(std::integral_constant<std::size_t, I>) {
        if constexpr (detail::loop_activity<loop<I>, in<I>, out<I>>::active.through_table) {
          graph.misused(fault::sequence_captured);
          return;
        }
        if constexpr (Way == direction::forward)
          if (reads) return rule<I>::apply_to_output(graph, index, to, contribute);
        return rule<I>::apply(graph, index, to, contribute);
      };
      static_cast<void>(
          ((loops[K] == which ? (run(std::integral_constant<std::size_t, K>{}), true) : false) || ... || false));
    }(std::make_index_sequence<count>{});
  }
};

}  // namespace tapeless::program
