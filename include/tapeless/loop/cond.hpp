#pragma once

#include <tapeless/core/no_result.hpp>
#include <tapeless/loop/scan.hpp>
#include <tapeless/operation/list.hpp>

#include <array>
#include <concepts>
#include <tuple>
#include <type_traits>

namespace tapeless {

namespace detail {

/// `branch()` if `taken`, 0 or 1, is 1, else `otherwise`.
template <class State, class Branch>
constexpr State taken_or(program::builder& graph, const traced& taken, const State& otherwise, const Branch& branch) {
  return repeat<at_most_once>(graph, otherwise, steps(taken), [&](const State&) { return as_traced(branch()); });
}

}  // namespace detail

/// `f(args...)` where the condition holds, else `g(args...)`, in a traced function: unlike with `where`, only the
/// branch that is taken is computed, with its derivatives. `f` and `g` return numbers, or arrays, tuples or adapted
/// structs of numbers, of the same shape; they can use variables of their surroundings, and can contain loops and
/// verbs. What is not finite or not a number in the branch that is not taken enters neither the result nor a
/// derivative. A `batched` call computes, for elements that it computes together, each branch that one of them takes.
///
/// Cost: a jump. What a branch computes is shared neither with the other one nor with the rest of the function, so
/// small branches are faster with `where`. Allocates nothing itself. Derivatives with respect to a
/// sequence that a branch reads need <tapeless/xtensor.hpp>.
template <class C, class F, class G, class... Args>
constexpr auto cond(const C& condition, const F& f, const G& g, const Args&... args) {
  using program::fault;
  if constexpr (!Numeric<C> && !is_traced<C> && !is_constant<C>) {
    return detail::misused<fault::cond_chooses_nothing>(condition, f, g, args...);
  } else if constexpr (!std::is_invocable_v<const F&, const Args&...> ||
                       !std::is_invocable_v<const G&, const Args&...>) {
    return detail::misused<fault::branches_unfit>(condition, args...);
  } else {
    using first = std::remove_cvref_t<std::invoke_result_t<const F&, const Args&...>>;
    using second = std::remove_cvref_t<std::invoke_result_t<const G&, const Args&...>>;
    if constexpr (!detail::same_shape<first, second>())
      return detail::misused<fault::branches_differ>(f(args...), condition, args...);
    else if constexpr (std::same_as<first, second> && !is_traced<C>)
      return static_cast<bool>(condition) ? f(args...) : g(args...);
    else {
      const auto if_true = [&] { return f(args...); };
      const auto if_false = [&] { return g(args...); };
      const traced c = condition;
      program::builder* const graph = c.graph();
      const program::constant_value* const known = graph ? graph->constant_of(c.node_in(*graph)) : nullptr;
      if (!graph || known) {
        const bool holds = known ? !known->is_numeric_zero() : static_cast<bool>(c);
        return holds ? detail::as_traced(if_true()) : detail::as_traced(if_false());
      }
      const detail::tracing::to<first> none{};
      return detail::taken_or(*graph, where(c, 0, 1), detail::taken_or(*graph, where(c, 1, 0), none, if_true),
                              if_false);
    }
  }
}

namespace detail {

/// How often `body` is applied to `init` while the condition holds, at most `most` times.
template <class Carry, class Condition, class Body, class N>
constexpr traced count_steps(program::builder& graph, const Condition& condition, const Body& body, const Carry& init,
                             const N& most) {
  const auto advance = [&](const auto& all, const auto&) {
    const auto& count = std::get<1>(all);
    const Carry next = body(std::get<2>(all));
    return std::tuple(traced(where(condition(next), 0, 1)), traced(count + 1), next);
  };
  const traced count = std::get<1>(record_loop<until_flag>(graph, advance, std::tuple(0.0, 0.0, init),
                                                           steps(traced(where(condition(init), most, 0)))));
  // A loop over tensors has memory for the most steps.
  return graph.mode() == program::stage::recording ? traced(min(count, most)) : count;
}

}  // namespace detail

/// A loop that runs while a condition holds, in a traced function: the carry is first `init`, then `body(carry)` again
/// and again as long as `condition(carry)`, at most `most` times. The result is the last carry. A carry is a number, or
/// an array, tuple or adapted struct of numbers; `most` is an integer, a constant or an argument. A comparison with NaN
/// does not hold, so NaN ends the loop. If the condition still holds after `most` steps, the result is the carry then.
///
/// Derivatives are those of the steps made; the number of steps has none. Cost: the steps run twice, the first time
/// behind a stop, to count them; then as in `scan(body, init, steps(n))`, with the memory of `scan`:
/// `while_loop<checkpoints<c>>` stores c carries. Throws `std::invalid_argument` if `most` is negative or not an
/// integer, and if numbers of the type do not count the steps that are made: `float` counts to 2^24.
template <class Memory = store_all, class Condition, class Body, class Init, class N>
constexpr auto while_loop(const Condition& condition, const Body& body, const Init& init, const N& most) {
  using program::fault;
  using state = detail::tracing::to<Init>;
  if constexpr (!detail::is_traceable_result<Init>()) {
    return detail::misused<fault::while_start_unfit>(init, most);
  } else if constexpr (!std::is_invocable_v<const Condition&, const state&> ||
                       !std::is_invocable_v<const Body&, const state&>) {
    return detail::misused<fault::while_functions_unfit>(init, most);
  } else if constexpr (!detail::same_shape<Init,
                                           std::remove_cvref_t<std::invoke_result_t<const Body&, const state&>>>()) {
    return detail::misused<fault::while_changes_shape>(init, most);
  } else {
    const auto advance = [&](const state& carry) { return detail::as_traced(body(carry)); };
    const state first = detail::as_traced(init);
    program::builder* graph = detail::find_graph(init, most);
    graph = graph ? graph : detail::find_graph(advance(first));
    graph = graph ? graph : detail::find_graph(traced(condition(first)));
    const traced n = detail::count_steps(detail::graph_of_loop(graph), condition, advance, first, most);
    return detail::repeat<Memory>(*graph, first, steps(n), advance);
  }
}
template <class Memory = store_all, class Condition, class Body, class Init>
constexpr auto while_loop(const Condition&, const Body&, const Init& init) {
  return detail::misused<program::fault::while_without_most>(init);
}

}  // namespace tapeless
