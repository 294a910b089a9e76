#pragma once

#include <tapeless/core/no_result.hpp>
#include <tapeless/loop/scan.hpp>
#include <tapeless/operation/list.hpp>

#include <array>
#include <concepts>
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
  constexpr bool chooses = Numeric<C> || is_traced<C> || is_constant<C>;
  static_assert(chooses, "tapeless: cond(c, f, g, args...) takes a condition, such as x > 0, first [TL119]");
  constexpr bool called =
      std::is_invocable_v<const F&, const Args&...> && std::is_invocable_v<const G&, const Args&...>;
  static_assert(called,
                "tapeless: cond(c, f, g, args...) calls f(args...) and g(args...), which take them by `auto` [TL120]");
  if constexpr (chooses && called) {
    using first = std::remove_cvref_t<std::invoke_result_t<const F&, const Args&...>>;
    using second = std::remove_cvref_t<std::invoke_result_t<const G&, const Args&...>>;
    constexpr bool fits = detail::same_shape<first, second>();
    static_assert(fits,
                  "tapeless: both functions of cond(c, f, g, args...) must return a number, or an array, tuple or "
                  "adapted struct of numbers, of the same shape [TL121]");
    if constexpr (!fits)
      return detail::no_result{};
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
  } else
    return detail::no_result{};
}

}  // namespace tapeless
