#pragma once

#include <tapeless/core/no_result.hpp>
#include <tapeless/loop/cond.hpp>
#include <tapeless/loop/scan.hpp>
#include <tapeless/operation/list.hpp>

#include <array>
#include <limits>
#include <tuple>
#include <type_traits>

namespace tapeless {

namespace detail {

/// How often `body` is applied to `init` while the condition holds, at most `most` times.
template <class Carry, class Condition, class Body, class N>
constexpr traced count_steps(program::builder& graph, const Condition& condition, const Body& body, const Carry& init,
                             const N& most) {
  const auto advance = [&](const auto& all, const auto&) {
    const auto& count = std::get<1>(all);
    const Carry next = body(std::get<2>(all));
    // Floats do not count beyond 2^24: the loop that is asked for no number of steps throws.
    const traced more = where(count + 1 == count, std::numeric_limits<double>::quiet_NaN(), count + 1);
    return std::tuple(traced(where(condition(next), 0, 1)), more, next);
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
/// integer, and if numbers of the type `float` do not count the steps.
template <class Memory = store_all, class Condition, class Body, class Init, class N>
constexpr auto while_loop(const Condition& condition, const Body& body, const Init& init, const N& most) {
  constexpr bool carries = detail::is_traceable_result<Init>();
  static_assert(
      carries,
      "tapeless: the carry of a while_loop must be a number, or an array, tuple or adapted struct of numbers [TL116]");
  if constexpr (carries) {
    using state = detail::tracing::to<Init>;
    constexpr bool called =
        std::is_invocable_v<const Condition&, const state&> && std::is_invocable_v<const Body&, const state&>;
    static_assert(called,
                  "tapeless: the condition and the body of a while_loop must take the carry, by `auto` [TL117]");
    if constexpr (called) {
      using result = std::remove_cvref_t<std::invoke_result_t<const Body&, const state&>>;
      constexpr bool fits = detail::same_shape<Init, result>();
      static_assert(fits,
                    "tapeless: the body of a while_loop must return the next carry, of the shape of the first [TL118]");
      if constexpr (fits) {
        const auto advance = [&](const state& carry) { return detail::as_traced(body(carry)); };
        const state first = detail::as_traced(init);
        program::builder* graph = detail::find_graph(init, most);
        graph = graph ? graph : detail::find_graph(advance(first));
        graph = graph ? graph : detail::find_graph(traced(condition(first)));
        const traced n = detail::count_steps(detail::graph_of_loop(graph), condition, advance, first, most);
        return detail::repeat<Memory>(*graph, first, steps(n), advance);
      } else
        return detail::no_result{};
    } else
      return detail::no_result{};
  } else
    return detail::no_result{};
}

}  // namespace tapeless
