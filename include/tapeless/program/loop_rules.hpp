#ifndef TAPELESS_PROGRAM_LOOP_RULES_HPP
#define TAPELESS_PROGRAM_LOOP_RULES_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/program/activity.hpp>
#include <tapeless/program/flow.hpp>
#include <tapeless/program/loop_derivatives.hpp>
#include <tapeless/program/rule.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <utility>

/// The derivatives of a loop are loops: here they get their operands, and what they compute flows on.
namespace tapeless::program {

namespace detail {

template <class Op>
constexpr int read_output(builder& graph, int loop) {
  return graph.append_of_loops(info<Op>, &loop, 1);
}
/// Output number `i` of the loop `Op` that is node `loop`.
template <class Op>
constexpr int output_of(builder& graph, int loop, int i) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    constexpr std::array<int (*)(builder&, int), sizeof...(I)> all{
        &read_output<operation::ScanOutput<static_cast<int>(I), static_cast<int>(I) >= Op::shape.carries>>...};
    return all[static_cast<std::size_t>(i)](graph, loop);
  }(std::make_index_sequence<static_cast<std::size_t>(Op::outputs)>{});
}
/// The node in the program that reads output number `i`; -1 if there is none.
template <class Op>
constexpr int find_output(const builder& graph, int loop, int i) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    constexpr std::array<const operation_info*, sizeof...(I)> all{
        &info<operation::ScanOutput<static_cast<int>(I), static_cast<int>(I) >= Op::shape.carries>>...};
    return graph.find(*all[static_cast<std::size_t>(i)], &loop, 1);
  }(std::make_index_sequence<static_cast<std::size_t>(Op::outputs)>{});
}

template <class Op, auto In, auto Out>
struct loop_pullback {
  using body = pullback_body<Op, In, Out>;
  using result = typename body::result;

  template <class Contribute>
  static constexpr void apply(builder& graph, int index, confluence& adjoints, const Contribute& contribute) {
    constexpr auto& a = body::activity::active;
    if constexpr (a.through_table) {
      graph.misuse = fault::sequence_captured;
      return;
    }
    constexpr auto& reads = body::reads;
    constexpr tapeless::operation::scan_shape shape = Op::shape;
    const growing_array<int> given(graph.operands(index), shape.operands());
    // Where anything flows at all.
    int where = 0;
    bool any = false;
    const auto seed = [&](int output) {
      const int node = find_output<Op>(graph, index, output);
      const flow from = node < 0 ? flow{} : adjoints.at(node);
      if (from.none()) return -1;
      where = any ? either_holds(graph, where, from.where) : from.where, any = true;
      return masked(graph, from, flow::everywhere);
    };
    growing_array<int> operands;
    operands.push_back(given[0]);
    growing_array<int> stacked, histories;
    const auto number = [&](int node) { operands.push_back(node < 0 ? graph.constant(0) : node); };
    for (int k = 0; k < a.carries.size; ++k) number(seed(a.carries.at[k]));
    for (int k = 0; k < a.stacked.size; ++k) stacked.push_back(seed(shape.carries + a.stacked.at[k]));
    for (int k = 0; k < reads.stacked_histories.size; ++k)
      histories.push_back(seed(shape.history(reads.stacked_histories.at[k])));
    if (!any) return;
    for (int k = 0; k < a.constants.size; ++k) number(-1);
    if constexpr (reads.along)
      for (int k = 0; k < shape.carries; ++k) number(given[1 + k]);
    for (int k = 0; k < reads.constants.size; ++k)
      operands.push_back(given[1 + body::activity::first_constant + reads.constants.at[k]]);
    for (int k = 0; k < reads.tables.size; ++k)
      operands.push_back(given[1 + body::activity::first_table + reads.tables.at[k]]);
    for (int k = 0; k < reads.histories.size; ++k)
      operands.push_back(output_of<Op>(graph, index, shape.history(reads.histories.at[k])));
    for (int k = 0; k < reads.sequences.size; ++k)
      operands.push_back(given[1 + body::activity::first_sequence + reads.sequences.at[k]]);
    for (const int s : stacked) operands.push_back(s < 0 ? zeros(graph, given[0]) : s);
    for (const int s : histories) operands.push_back(s < 0 ? zeros(graph, given[0]) : s);
    const int loop = graph.append_of_loops(info<result>, operands.data, operands.size);
    const auto arrive = [&](int operand, int output) {
      contribute(given[operand], flow{output_of<result>(graph, loop, output), where});
    };
    for (int k = 0; k < a.carries.size; ++k)
      if (In[1 + a.carries.at[k]]) arrive(1 + a.carries.at[k], k);
    for (int k = 0; k < a.constants.size; ++k)
      arrive(1 + body::activity::first_constant + a.constants.at[k], a.carries.size + k);
    for (int k = 0; k < a.sequences.size; ++k)
      arrive(1 + body::activity::first_sequence + a.sequences.at[k], result::shape.carries + k);
  }
};

template <class Op, auto In, auto Out>
struct loop_tangent {
  using body = tangent_body<Op, In, Out>;
  using result = typename body::result;

  template <class Contribute>
  static constexpr void apply(builder& graph, int index, confluence& tangents, const Contribute&) {
    constexpr auto& a = body::active;
    if constexpr (a.through_table) {
      graph.misuse = fault::sequence_captured;
      return;
    }
    constexpr tapeless::operation::scan_shape shape = Op::shape;
    const growing_array<int> given(graph.operands(index), shape.operands());
    growing_array<int> operands;
    bool any = false;
    const auto tangent = [&](int operand, bool sequence) {
      const flow from = In[operand] ? tangents.at(given[operand]) : flow{};
      any |= !from.none();
      operands.push_back(!from.none() ? masked(graph, from, flow::everywhere)
                         : sequence   ? zeros(graph, given[0])
                                      : graph.constant(0));
    };
    const auto copy = [&](int first, int count) {
      for (int k = 0; k < count; ++k) operands.push_back(given[first + k]);
    };
    copy(0, 1 + shape.carries);
    for (int k = 0; k < a.carries.size; ++k) tangent(1 + a.carries.at[k], false);
    copy(1 + shape.carries, shape.constants);
    for (int k = 0; k < a.constants.size; ++k) tangent(1 + shape.carries + a.constants.at[k], false);
    copy(shape.first_table(), shape.tables + shape.sequences);
    for (int k = 0; k < a.sequences.size; ++k) tangent(shape.first_sequence() + a.sequences.at[k], true);
    if (any) tangents.add(index, {graph.append_of_loops(info<result>, operands.data, operands.size)});
  }
  /// The tangent of an output of the loop.
  template <class Contribute>
  static constexpr void apply_to_output(builder& graph, int index, confluence& tangents, const Contribute&) {
    const int loop = tangents.at(graph.operands(index)[0]).node;
    const int output = body::tangent_of(graph.nodes.data[index].operation->output_read);
    if (loop >= 0 && output >= 0) tangents.add(index, {output_of<result>(graph, loop, output)});
  }
};

}  // namespace detail

/// The derivative rules of the loops in the program of a request, one a loop.
template <class Request, direction Way>
class loop_rules {
  struct collection {
    growing_array<int> loops, rules;
  };
  static constexpr graph_view view = Request::source::view();
  static constexpr growing_array<char> active() { return active_nodes(view, Request::variables(), Request::outputs()); }
  static constexpr std::size_t count = [] {
    std::size_t found = 0;
    const growing_array<char> on_the_way = active();
    for (int index = 0; index < view.size; ++index) found += on_the_way[index] && is_loop(view.nodes[index]);
    return found;
  }();
  static constexpr auto loops = [] {
    std::array<int, count> found{};
    std::size_t next = 0;
    const growing_array<char> on_the_way = active();
    for (int index = 0; index < view.size; ++index)
      if (on_the_way[index] && is_loop(view.nodes[index])) found[next++] = index;
    return found;
  }();
  template <std::size_t K>
  using loop = operation_of<view.nodes[loops[K]].operation>;
  template <std::size_t K>
  static constexpr auto in = [] {
    detail::flags<static_cast<std::size_t>(loop<K>::shape.operands())> result{};
    const growing_array<char> on_the_way = active();
    const node& n = view.nodes[loops[K]];
    for (int j = 1; j < n.count; ++j)
      if (on_the_way[view.edges[n.first + j]]) result.set(j);
    return result;
  }();
  template <std::size_t K>
  static constexpr auto out = [] {
    detail::flags<static_cast<std::size_t>(loop<K>::outputs)> result{};
    const growing_array<char> on_the_way = active();
    for (int i = 0; i < view.size; ++i)
      if (const node& n = view.nodes[i]; on_the_way[i] && reads_loop(n) && view.edges[n.first] == loops[K])
        result.set(n.operation->output_read);
    return result;
  }();
  template <std::size_t K>
  using rule = std::conditional_t<Way == direction::forward, detail::loop_tangent<loop<K>, in<K>, out<K>>,
                                  detail::loop_pullback<loop<K>, in<K>, out<K>>>;

 public:
  template <class Contribute>
  static constexpr void apply(builder& graph, int index, confluence& to, const Contribute& contribute) {
    const bool reads = graph.nodes.data[index].operation->reads_loop();
    const int which = reads ? graph.operands(index)[0] : index;
    [&]<std::size_t... K>(std::index_sequence<K...>) {
      [[maybe_unused]] const auto run = [&]<std::size_t I>(std::integral_constant<std::size_t, I>) {
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

#endif
