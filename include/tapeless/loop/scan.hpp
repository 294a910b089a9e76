#pragma once

#include <tapeless/core/message.hpp>
#include <tapeless/core/no_result.hpp>
#include <tapeless/core/transform_leaves.hpp>
#include <tapeless/evaluate/loops/run_loop.hpp>
#include <tapeless/gradient/function/function_call.hpp>
#include <tapeless/gradient/function/verb_inside.hpp>
#include <tapeless/operation/scan.hpp>
#include <tapeless/program/lower/record_loop.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tapeless {

/// Store for each step what derivatives need of the carries, and the values that are expensive to compute again. The
/// memory grows with the number of steps.
struct store_all {
  static constexpr int count = 0;
  static constexpr bool fits = true;
};

/// `Count` of the carries, of numbers in no memory but that of the call; the steps between them are run again, as few
/// times as possible: the binomial schedule.
template <int Count>
struct checkpoints {
  static constexpr int count = Count;
  static constexpr bool fits = Count > 0 && Count <= 10000;
};

/// `steps(n)`, instead of a sequence: n steps, whose body gets the number of the step, from 0.
template <class N>
struct step_count {
  N count;
};
template <class N>
constexpr step_count<N> steps(const N& n) {
  return {n};
}

namespace detail {

/// A loop that ends where its first carry is no longer zero, for values behind a stop: its way back would not know
/// where it ended.
struct until_flag : store_all {};
/// A loop of at most one step: all that its body computes is computed in the step.
struct at_most_once : store_all {};

template <class T>
inline constexpr bool is_steps = is_instance_of<step_count, T>;

/// What a loop may run over.
template <class T>
concept Steps_or_sequence = is_steps<T> || is_records<T> || can_be_sequence<T>;
/// Arrays of one length, whose steps are made one after the other where the function is traced.
template <class... Xs>
inline constexpr bool are_arrays = false;
template <std::size_t N, class... Es>
inline constexpr bool are_arrays<std::array<Es, N>...> = true;

/// The nodes of the numbers in a structure, in their order.
template <class T>
constexpr void append_nodes(program::builder& graph, program::growing_array<int>& to, const T& e) {
  for_each_leaf(e, [&](const auto& leaf) { to.push_back(graph.as_number(node_in(graph, leaf))); });
}

/// A structure as a traced function sees it, of nodes.
template <class S>
constexpr typename shape_of<S>::traced_type from_nodes(program::builder& graph, const int* nodes) {
  const auto next = [&](const auto&) { return traced(graph, *nodes++); };
  return transform_leaves(next, typename shape_of<S>::traced_type{});
}

/// Whether two structures have the same traced type.
template <class A, class B>
constexpr bool same_shape() {
  if constexpr (is_traceable_result<A>() && is_traceable_result<B>())
    return std::same_as<tracing::to<A>, tracing::to<B>> && shape_of<A>::size == shape_of<B>::size;
  else
    return false;
}

/// What the body of a loop gets for `X` in a step.
template <class X>
struct step_element {
  using type = traced;
  static constexpr int sequences = is_steps<X> ? 0 : 1;
  static constexpr void append(program::builder& graph, program::growing_array<int>& to, const X& x) {
    if constexpr (!is_steps<X>) to.push_back(node_in(graph, x));
  }
  static constexpr traced element(program::builder& graph, int& next, int step) {
    return traced(graph, graph.variable(is_steps<X> ? step : next++));
  }
};
/// An element of several sequences, a record `R`.
template <class R>
struct step_record {
  using type = typename shape_of<R>::traced_type;
  static constexpr int sequences = static_cast<int>(shape_of<R>::size);
  static constexpr type element(program::builder& graph, int& next, int) {
    return shape_of<R>::trace(graph, (next += sequences) - sequences);
  }
};
template <class R, std::size_t N>
struct step_element<traced_records<R, N>> : step_record<R> {
  static constexpr void append(program::builder& graph, program::growing_array<int>& to,
                               const traced_records<R, N>& x) {
    append_nodes(graph, to, x.columns());
  }
};
/// A sequence of complex numbers is a complex number of two sequences. A template: compiled where there is one.
template <std::same_as<traced> T>
struct step_element<complex<T>> : step_record<complex<T>> {
  static constexpr void append(program::builder& graph, program::growing_array<int>& to, const complex<T>& z) {
    append_nodes(graph, to, z);
  }
};

template <class E, std::size_t N>
struct step_element<std::array<E, N>> {
  using type = tracing::to<E>;
};

/// The next carry in what the body returns: the first of a pair, unless the carry is such a pair itself.
template <class Init, class R>
struct body_result {
  using carry = R;
  using stacked = void;
  static constexpr const R& next(const R& r) { return r; }
};
template <class Init>
struct body_result<Init, void> : body_result<Init, no_result> {};
template <class Init, class Carry, class Y>
  requires(!same_shape<Init, std::pair<Carry, Y>>())
struct body_result<Init, std::pair<Carry, Y>> {
  using carry = Carry;
  using stacked = Y;
  static constexpr const Carry& next(const std::pair<Carry, Y>& r) { return r.first; }
};

template <std::size_t First, bool Sequence, std::size_t... I>
constexpr void read_outputs(program::builder& graph, int loop, program::growing_array<int>& to,
                            std::index_sequence<I...>) {
  (to.push_back(
       graph.append_of_loops(program::info<operation::ScanOutput<static_cast<int>(First + I), Sequence>>, &loop, 1)),
   ...);
}

template <class Memory, class Body, class Init, class... Xs>
constexpr auto record_loop(program::builder& graph, const Body& body, const Init& init, const Xs&... xs) {
  using namespace program;
  using result_type = std::remove_cvref_t<
      std::invoke_result_t<const Body&, typename shape_of<Init>::traced_type, typename step_element<Xs>::type...>>;
  using parts = body_result<Init, result_type>;
  recorded_loop loop;
  growing_array<int> start, sequences, stacked;
  int steps = -1;
  const auto count = [&](const auto& x) {
    if constexpr (is_steps<std::remove_cvref_t<decltype(x)>>) steps = node_in(graph, x.count);
  };
  (count(xs), ...);
  (step_element<Xs>::append(graph, sequences, xs), ...);
  for (const int sequence : sequences)
    if (!graph.can_be_sequence(sequence)) graph.misused(fault::sequence_wanted);
  append_nodes(graph, start, init);
  if (!Memory::fits) graph.misused(fault::checkpoints_unfit);
  loop.checkpoints = Memory::fits ? Memory::count : 0, loop.ends = std::is_same_v<Memory, until_flag>;
  loop.once = std::is_same_v<Memory, at_most_once>;
  const auto record_step = [&](recorded_loop& of) {
    int next = of.first_variable + of.carries;
    const int step = next + of.sequences;
    const auto carry = shape_of<Init>::trace(graph, of.first_variable);
    // Braces: the elements are numbered from left to right.
    const std::tuple<typename step_element<Xs>::type...> elements{step_element<Xs>::element(graph, next, step)...};
    const auto run = [&](growing_array<int>& results) {
      const result_type result =
          std::apply([&](const auto&... element) -> result_type { return body(carry, element...); }, elements);
      append_nodes(graph, results, parts::next(result));
      if constexpr (!std::is_void_v<typename parts::stacked>) append_nodes(graph, results, result.second);
    };
    // A branch may change what only it reads.
    of.once ? run(of.results) : run_twice(graph, of.results, run);
  };
  const int node = tapeless::program::record_loop(graph, std::move(loop), steps, start, sequences, record_step);

  growing_array<int> last;
  constexpr std::size_t carries = shape_of<Init>::size;
  read_outputs<0, false>(graph, node, last, std::make_index_sequence<carries>{});
  if constexpr (std::is_void_v<typename parts::stacked>) {
    return from_nodes<Init>(graph, last.data);
  } else {
    using Y = typename parts::stacked;
    constexpr std::size_t columns = shape_of<Y>::size;
    read_outputs<carries, true>(graph, node, stacked, std::make_index_sequence<columns>{});
    if constexpr (is_instance_of<complex, Y>) {
      return std::pair(from_nodes<Init>(graph, last.data), from_nodes<Y>(graph, stacked.data));
    } else if constexpr (Structure<Y>) {
      std::array<traced, columns> all{};
      for (std::size_t i = 0; i < columns; ++i) all[i] = traced(graph, stacked[static_cast<int>(i)]);
      return std::pair(from_nodes<Init>(graph, last.data), traced_records<Y, columns>(all));
    } else {
      return std::pair(from_nodes<Init>(graph, last.data), traced(graph, stacked[0]));
    }
  }
}

/// `next(state)` again and again: a loop that stacks nothing, also where the state is a pair.
template <class Memory, class State, class Next, class Steps>
constexpr State repeat(program::builder& graph, const State& first, const Steps& steps, const Next& next) {
  using carry = std::array<State, 1>;
  return record_loop<Memory>(
      graph, [&](const carry& state, const auto&) { return carry{next(state[0])}; }, carry{first}, steps)[0];
}

/// The numbers of a structure, plain ones too, as a traced function has them.
template <class Y>
constexpr tracing::to<Y> as_traced(const Y& y) {
  return transform_leaves([](const traced&, const auto& leaf) { return traced(leaf); }, tracing::to<Y>{}, y);
}

/// A value of the kind of `first`, after a mistake in a loop or an equation. The function that is called with numbers
/// reports the mistake: an error here would come with the whole way from there.
template <program::fault How, class Y, class... Ts>
constexpr auto misused(const Y& first, const Ts&... others) {
  if constexpr ((Traced_argument<Y> || ... || Traced_argument<Ts>)) {
    program::builder& graph = note_misuse(How, first, others...);
    if constexpr (is_traceable_result<Y>())
      return as_traced(first);
    else
      return traced(graph, graph.constant(0));
  } else {
    static_assert(
        How != program::fault::number_wanted,
        "tapeless: fixed_point and implicit_root take functions of `auto` parameters, and need one to run in; "
        "called with plain numbers, write value(f)(...) [TL282]");
    if constexpr (!is_reported<Y, Ts...>) report_loop<error::at<How, Y>>();
    return no_result{};
  }
}

template <class Parts, class Body, class Init, std::size_t N, class... Es>
constexpr auto steps_over_arrays(const Body& body, const Init& init, const std::array<Es, N>&... xs) {
  auto carry = as_traced(init);
  const auto step = [&](std::size_t i) {
    const auto result = body(carry, as_traced(xs[i])...);
    carry = as_traced(Parts::next(result));
    return result;
  };
  if constexpr (std::is_void_v<typename Parts::stacked>) {
    for (std::size_t i = 0; i < N; ++i) static_cast<void>(step(i));
    return carry;
  } else {
    std::array<tracing::to<typename Parts::stacked>, N> all{};
    for (std::size_t i = 0; i < N; ++i) all[i] = as_traced(step(i).second);
    return std::pair(carry, all);
  }
}

}  // namespace detail

/// A loop of run-time length in a traced function, with the meaning of `jax.lax.scan`. `body(carry, x...)` returns the
/// next carry; the first carry is `init`, and the last is the result. `xs` are sequences of the same length, of which
/// each step gets one element, or `steps(n)`; or `std::array`s, whose steps become operations of the function itself.
/// If the body returns `std::pair{carry, y}`, the result is a pair too, with the ys as a sequence for other loops; a
/// pair like `init` is the next carry. A carry is a number, or an array, tuple or adapted struct of numbers. The body
/// can use variables of its surroundings; what does not depend on its parameters is computed once, before the loop.
/// With no steps the result is `init`.
///
/// In a function over tensors, carries, ys and what the body captures may be tensors too; a sequence is a tensor, of
/// which each step gets what has one axis less, and ys have the axis of the steps first. The body keeps the shapes of
/// the carries, or the call throws `std::invalid_argument` before it computes. Each step is a call over tensors, and
/// where there is a derivative all carries are stored that it reads; with `checkpoints<c>`, c + 2 states of all
/// carries.
///
/// The body is compiled once, for every length. A gradient costs a constant number of runs of the body for each step.
/// `store_all`, the default, needs memory for what it reads of the carry before each step, and of the values of
/// functions and divisions in the step. The thread keeps this memory for its next call, which allocates nothing if its
/// loop is not longer. `scan<checkpoints<c>>` stores c carries on the
/// stack, allocates nothing, and repeats steps as rarely as possible: up to (c + 1 + r)! / ((c + 1)! r!) steps run at
/// most r times each, so with 32 carries 7140 steps run at most three times. Throws `std::invalid_argument` for
/// sequences of different lengths, and for a number of steps that is negative or not an integer.
template <class Memory = store_all, class Body, class Init, class... Xs>
constexpr auto scan(const Body& body, const Init& init, const Xs&... xs) {
  using program::fault;
  if constexpr (!(sizeof...(Xs) > 0 && ((detail::Steps_or_sequence<Xs> && ...) || detail::are_arrays<Xs...>))) {
    return detail::misused<fault::scan_over_numbers>(init, xs...);
  } else if constexpr (!detail::is_traceable_result<Init>()) {
    return detail::misused<fault::scan_start_unfit>(init, xs...);
  } else if constexpr (!std::is_invocable_v<const Body&, typename detail::shape_of<Init>::traced_type,
                                            typename detail::step_element<Xs>::type...>) {
    return detail::misused<fault::scan_body_unfit>(init, xs...);
  } else {
    using result = std::remove_cvref_t<std::invoke_result_t<const Body&, typename detail::shape_of<Init>::traced_type,
                                                            typename detail::step_element<Xs>::type...>>;
    using parts = detail::body_result<Init, result>;
    constexpr bool stacks = !std::is_void_v<typename parts::stacked>;
    if constexpr (!detail::same_shape<Init, typename parts::carry>()) {
      const auto carry = detail::misused<fault::scan_changes_shape>(init, xs...);
      if constexpr (stacks)
        return std::pair(carry, traced{});
      else
        return carry;
    } else if constexpr (stacks && !detail::is_traceable_result<typename parts::stacked>()) {
      return std::pair(detail::misused<fault::scan_stacks_no_numbers>(init, xs...), traced{});
    } else if constexpr (detail::are_arrays<Xs...>) {
      return detail::steps_over_arrays<parts>(body, init, xs...);
    } else {
      program::builder* graph = detail::find_graph(init, xs...);
      if (!graph) {
        // All that the loop starts from is constant: what the body captures leads to the function.
        const typename detail::shape_of<Init>::traced_type zero{};
        graph = detail::find_graph(parts::next(body(zero, typename detail::step_element<Xs>::type{}...)));
      }
      return detail::record_loop<Memory>(detail::graph_of_loop(graph), body, init, xs...);
    }
  }
}

namespace detail {

/// The program of a function as the body of a loop that runs once: its results are the carries.
template <class Source>
struct call_body {
  static constexpr program::builder run() {
    constexpr auto& p = Source::value;
    constexpr int results = static_cast<int>(p.outputs.size());
    const program::growing_array<int> arguments = program::nodes_of_variables(Source::view());
    program::growing_array<int> variables(results, -1);
    variables.append(arguments.data, arguments.size), variables.push_back(-1);
    return program::part_of(Source::thaw(), variables, {p.outputs.data(), results}, program::stage::formula);
  }
};

template <class F, class... Args>
struct called_function {
  using source = traced_program<F, tracing::to<Args>...>;
  static constexpr int arguments = static_cast<int>(argument_layout<tracing::to<Args>...>::size);
  static constexpr int results = static_cast<int>(source::value.outputs.size());
  using loop = operation::Scan<program::frozen<call_body<source>>,
                               operation::scan_shape{.carries = results, .constants = arguments, .once = true}>;
};

}  // namespace detail

/// `f(args...)` in a traced function, as one operation: `f` and its derivatives are compiled once, however often it is
/// called. `f` is a function object without captures. Its result is a number, or an array, tuple or adapted struct of
/// numbers. Cost: a function call at run time; without `call`, the operations of `f` become part of the calling
/// program. So they do if an argument is a sequence, which only loops read.
template <class F, class... Args>
constexpr auto call(const F& f, const Args&... args) {
  if constexpr (!((detail::is_traceable_result<Args>() || detail::is_records<Args>) && ...)) {
    return detail::misused<program::fault::call_unfit>(args...);
  } else if constexpr (!std::is_empty_v<F>) {
    return detail::misused<program::fault::call_has_captures>(args...);
  } else if constexpr ((detail::is_records<Args> || ...)) {
    return f(args...);
  } else {
    program::builder* graph = detail::find_graph(args...);
    using result = std::remove_cvref_t<decltype(f(static_cast<detail::tracing::to<Args>>(args)...))>;
    const auto here = [&] { return result(f(static_cast<detail::tracing::to<Args>>(args)...)); };
    using source = detail::traced_program<F, detail::tracing::to<Args>...>;
    if constexpr (program::problem_of<source> != program::fault::none) {
      return here();
    } else {
      if (!graph || graph->mode() == program::stage::recording) return here();
      program::growing_array<int> given, operands, outputs;
      (detail::append_nodes(*graph, given, args), ...);
      for (int i = 0; i < given.size; ++i)
        if (graph->nodes.data[given[i]].sequence) return here();
      using called = detail::called_function<F, Args...>;
      operands.push_back(graph->constant(1));
      for (int i = 0; i < called::results; ++i) operands.push_back(graph->constant(0));
      operands.append(given.data, given.size);
      const int node = graph->append_of_loops(program::info<typename called::loop>, operands.data, operands.size);
      detail::read_outputs<0, false>(*graph, node, outputs,
                                     std::make_index_sequence<static_cast<std::size_t>(called::results)>{});
      return result(detail::from_nodes<result>(*graph, outputs.data));
    }
  }
}

}  // namespace tapeless
