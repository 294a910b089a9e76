#pragma once

#include <tapeless/core/sequence.hpp>
#include <tapeless/core/target.hpp>
#include <tapeless/program/graph/loops_in.hpp>
#include <tapeless/program/graph/tuning.hpp>
#include <tapeless/program/pass/loop_body.hpp>

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

/// What the loops of a program keep in memory: the outputs that are read, and values of the steps that later loops
/// need.
namespace tapeless::scalar::inline TAPELESS_TARGET::detail {

template <class P>
constexpr const operation::scan_shape& shape_of_loop(std::size_t i) {
  return *P::value.nodes[i].operation->shape;
}

/// Those of the outputs of a loop, `Outputs`, that its program reads, but for histories that are computed again.
template <int Outputs>
constexpr auto outputs_read(program::graph_view of, int loop) {
  program::detail::flags<static_cast<std::size_t>(Outputs)> result{};
  for (int i = 0; i < of.size; ++i)
    if (const program::node& n = of.nodes[i];
        program::reads_loop(n) && of.edges[n.first] == loop && program::replayed_by(of, i) < 0)
      result.set(n.operation->output_read);
  return result;
}
template <class P, std::size_t I>
inline constexpr auto live_outputs = outputs_read<shape_of_loop<P>(I).outputs()>(P::view(), static_cast<int>(I));

/// Nodes or carries, as a template's argument.
template <std::size_t N>
constexpr auto as_indices(const std::array<int, N>& all) {
  program::detail::index_tuple<N> result;
  for (int i = 0; i < result.size(); ++i) result.set(i, all[static_cast<std::size_t>(i)]);
  return result;
}

/// The carries of loop `I` that are computed again: their histories are, or they are needed for others.
template <class P, std::size_t I>
inline constexpr auto carries_again = as_indices(program::as_array([] {
  using Op = program::operation_of<P::value.nodes[I].operation>;
  constexpr program::graph_view of = P::view();
  program::growing_array<int> result;
  if (Op::shape.checkpoints == 0) return result;
  program::growing_array<char> again(Op::shape.carries, 0);
  for (int i = 0; i < of.size; ++i)
    if (program::replayed_by(of, i) == static_cast<int>(I))
      again[of.nodes[i].operation->output_read - Op::shape.history(0)] = true;
  program::detail::add_needed_carries<Op>(again);
  for (int k = 0; k < again.size; ++k)
    if (again[k]) result.push_back(k);
  return result;
}));

/// How loop `I` computes: its operation, which outputs are read, its body, the nodes of the body whose values it keeps
/// for later loops, and the carries that it computes again.
template <class Op, auto Live, class Body, auto Kept = program::detail::no_nodes{},
          auto Again = program::detail::no_nodes{}>
struct loop_code {
  using operation = Op;
  using body = Body;
  static constexpr auto live = Live;
  static constexpr auto kept = Kept;
  static constexpr auto again = Again;
  /// A column of the memory for each sequence that is read, and for each value of the steps that is kept.
  static constexpr int column(int output) {
    int result = 0;
    for (int i = Op::shape.carries; i < output; ++i) result += Live[i];
    return result;
  }
  static constexpr int first_kept = column(Op::outputs), columns = first_kept + Kept.size();
};
/// That of a loop that computes carries again.
template <class Op, auto Again>
using code_again =
    loop_code<Op, program::detail::output_flags<Op>{}, program::frozen<program::finish_body_again<Op, Again>>>;

/// Whether node `index` is a history, in memory, of the loop that is node `loop`.
constexpr bool reads_history_of(program::graph_view of, int index, int loop) {
  const program::node& n = of.nodes[index];
  return program::reads_loop(n) && of.edges[n.first] == loop &&
         n.operation->output_read >= of.nodes[loop].operation->shape->history(0);
}

/// The loop whose histories loop `index` reads from memory, the first if there are several; -1 if there is none.
constexpr int find_source_of_histories(program::graph_view of, int index) {
  const program::node& n = of.nodes[index];
  int found = -1;
  for (int which = n.operation->shape->sequences; which-- > 0;) {
    const int operand = of.edges[n.first + n.operation->shape->first_sequence() + which];
    if (!program::reads_loop(of.nodes[operand])) continue;
    if (program::replayed_by(of, operand) >= 0) return -1;
    const int loop = of.edges[of.nodes[operand].first];
    const operation::scan_shape& source = *of.nodes[loop].operation->shape;
    if (source.checkpoints == 0 && !source.ends && reads_history_of(of, operand, loop)) found = loop;
  }
  return found;
}
/// Of each node of a program that loop.
constexpr program::growing_array<int> find_sources_of_histories(program::graph_view of) {
  program::growing_array<int> found(of.size, -1);
  for (int i = 0; i < of.size; ++i)
    if (program::is_loop(of.nodes[i])) found[i] = find_source_of_histories(of, i);
  return found;
}
template <class P>
inline constexpr auto sources_of_histories =
    [] { return program::array_of<static_cast<int>(P::value.nodes.size())>(find_sources_of_histories(P::view())); }();
template <class P, std::size_t I>
inline constexpr int source_of_histories = sources_of_histories<P>[I];
/// The same where that loop's steps compute what is worth keeping for loop `I`.
template <class P, std::size_t I>
inline constexpr int earlier_loop = [] {
  constexpr int source = source_of_histories<P, I>;
  if constexpr (source >= 0)
    return program::detail::computes_expensively<program::operation_of<P::value[source].operation>> ? source : -1;
  else
    return -1;
}();

/// For each variable of the body of loop `I` the variable of that of the earlier loop `E` with the same value.
template <class P, std::size_t I, std::size_t E>
inline constexpr auto common_variables = [] {
  constexpr operation::scan_shape shape = shape_of_loop<P>(I), earlier = shape_of_loop<P>(E);
  const auto operand = [](std::size_t loop, int variable) { return P::value.operand(loop, 1 + variable); };
  // Where values come from: captured as they are, or element by element.
  program::growing_array<int> captured(static_cast<int>(P::value.nodes.size()), -1), elements = captured;
  for (int taken = earlier.carries; taken < earlier.first_sequence() - 1; ++taken) captured[operand(E, taken)] = taken;
  for (int taken = earlier.first_sequence() - 1; taken < earlier.operands() - 1; ++taken)
    elements[operand(E, taken)] = taken;
  for (std::size_t index = 0; index < P::value.nodes.size(); ++index)
    if (reads_history_of(P::view(), static_cast<int>(index), static_cast<int>(E)))
      elements[static_cast<int>(index)] = P::value.nodes[index].operation->output_read - earlier.history(0);
  program::detail::index_tuple<static_cast<std::size_t>(shape.operands())> common;
  for (int own = shape.carries; own < shape.operands() - 1; ++own)
    common.set(own, (own < shape.first_sequence() - 1 ? captured : elements)[operand(I, own)]);
  common.set(shape.operands() - 1, earlier.operands() - 1);
  return common;
}();

template <class P, std::size_t I>
struct loop_at;

/// The nodes of the expanded body of loop `I` whose values later loops read.
template <class P, std::size_t I>
inline constexpr auto nodes_kept = as_indices(program::as_array([] {
  using operation = program::operation_of<P::value.nodes[I].operation>;
  constexpr bool is_source = [] {
    bool found = false;
    for (const int source : sources_of_histories<P>) found = found || source == static_cast<int>(I);
    return found;
  }();
  program::growing_array<int> result;
  if constexpr (is_source && program::detail::computes_expensively<operation>) {
    using body = program::frozen<program::detail::expanded_body<operation>>;
    program::growing_array<char> read(static_cast<int>(body::value.nodes.size()), 0);
    tapeless::detail::for_each_index<program::loops_in<P>::count>([&](auto k) {
      constexpr auto later = static_cast<std::size_t>(program::loops_in<P>::nodes[k]);
      if constexpr (earlier_loop<P, later> == static_cast<int>(I)) {
        using code = typename loop_at<P, later>::code;
        constexpr int first = code::operation::shape.operands();
        for (const program::node& n : code::body::value.nodes)
          if (n.kind == program::node_kind::variable && n.leaf >= first) read[n.leaf - first] = true;
      }
    });
    for (int i = 0; i < read.size; ++i)
      if (read[i]) result.push_back(i);
  }
  return result;
}));

/// Loop `I` of a program.
template <class P, std::size_t I>
struct loop_at {
  using operation = program::operation_of<P::value.nodes[I].operation>;
  static constexpr auto& live = live_outputs<P, I>;
  static constexpr int earlier = earlier_loop<P, I>;
  static constexpr auto& kept = nodes_kept<P, I>;
  using own_body = program::finish_body<operation, live, kept>;
  template <int Earlier>
  static constexpr auto find_body() {
    if constexpr (Earlier < 0) {
      return std::type_identity<own_body>{};
    } else {
      constexpr auto e = static_cast<std::size_t>(Earlier);
      using later_body =
          program::finish_later_body<operation, live, kept, program::operation_of<P::value.nodes[e].operation>,
                                     live_outputs<P, e>, common_variables<P, I, e>>;
      // Of a body near the compiler's limits nothing is kept.
      constexpr bool fits = program::problem_of<program::frozen<later_body>> == program::fault::none;
      return std::type_identity<std::conditional_t<fits, later_body, own_body>>{};
    }
  }
  using code = loop_code<operation, live, program::frozen<typename decltype(find_body<earlier>())::type>, kept,
                         carries_again<P, I>>;
};

/// The numbers that loop `I` keeps if they are few and their number is a constant.
template <class P, class T, std::size_t I>
constexpr std::size_t numbers_in_frame() {
  constexpr auto steps = static_cast<std::size_t>(P::value.operand(I, 0));
  if constexpr (P::value.nodes[steps].kind != program::node_kind::constant ||
                tapeless::scalar::element_in_memory<T>::width > 1) {
    return 0;
  } else {
    constexpr double n = P::value.constant(static_cast<int>(steps)).template as<double>();
    constexpr double most = static_cast<double>(tuning::loop_in_frame / sizeof(T));
    if constexpr (n >= 1 && n <= most)
      return n * loop_at<P, I>::code::columns <= most ? static_cast<std::size_t>(n * loop_at<P, I>::code::columns) : 0;
    else
      return 0;
  }
}

}  // namespace tapeless::scalar::inline TAPELESS_TARGET::detail
