#pragma once

#include <tapeless/core/apply.hpp>
#include <tapeless/core/no_result.hpp>
#include <tapeless/core/stop_gradient.hpp>
#include <tapeless/core/variable.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace tapeless {

/// Subexpressions that count as constants in one gradient: the list `stop_gradients(h, k)`.
template <class... Hs>
struct stop_list {};

/// `gradient(f, wrt(x), stop_gradients(h, k))`: as if the subexpressions `h` and `k` of `f` were stopped; the direct
/// partial derivative with respect to each of them is kept. A variable in the list is a constant unless it is in `wrt`.
template <Expression... Hs>
constexpr stop_list<Hs...> stop_gradients(const Hs&...) {
  static_assert((std::is_empty_v<Hs> && ...),
                "tapeless: stop_gradients finds subexpressions by type, and this one stores a run-time number; make "
                "the number a variable or a constant, or write stop_gradient in the formula [TL016]");
  return {};
}

namespace detail {

/// The formula with each subexpression whose type is among `Hs` stopped.
template <class E, class... Hs>
struct stopping {
  static constexpr auto of(const E& e) {
    if constexpr (is_one_of<E, Hs...>)
      return stop_gradient(e);
    else if constexpr (requires { typename E::definition; }) {
      // A named step keeps its name where nothing in it is stopped.
      using rewritten = decltype(stopping<typename E::definition, Hs...>::of(typename E::definition{}));
      if constexpr (std::is_same_v<rewritten, typename E::definition>)
        return e;
      else
        return rewritten{};
    } else
      return e;
  }
};
template <class Op, class... Es, class... Hs>
  requires(!is_one_of<Apply<Op, Es...>, Hs...> && sizeof...(Es) > 0)
struct stopping<Apply<Op, Es...>, Hs...> {
  static constexpr auto of(const Apply<Op, Es...>& e) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return tapeless::apply<Op>(stopping<Es, Hs...>::of(e.template operand<I>())...);
    }(std::index_sequence_for<Es...>{});
  }
};

/// Whether the formula `E` is, or contains, the formula `H`.
template <class E, class H>
struct occurs_in : std::bool_constant<std::is_same_v<E, H>> {};
template <class E, class H>
  requires(!std::is_same_v<E, H>) && requires { typename E::definition; }
struct occurs_in<E, H> : occurs_in<typename E::definition, H> {};
template <class E, TAPELESS_NAME Name, class H>
  requires(!std::is_same_v<StopGradient<E, Name>, H>)
struct occurs_in<StopGradient<E, Name>, H> : occurs_in<E, H> {};
template <class Op, class... Es, class H>
  requires(!std::is_same_v<Apply<Op, Es...>, H>)
struct occurs_in<Apply<Op, Es...>, H> : std::bool_constant<(occurs_in<Es, H>::value || ...)> {};

}  // namespace detail

/// `freeze<"w", "b">(e)`: the formula with the variables of these names stopped wherever they occur.
template <fixed_string... Names, Expression E>
constexpr auto freeze(const E& e) {
  static_assert((detail::occurs_in<E, Variable<Names>>::value && ...),
                "tapeless: freeze names a variable that the formula does not contain [TL019]");
  return detail::stopping<E, Variable<Names>...>::of(e);
}
template <class... Es>
  requires(sizeof...(Es) > 1)
constexpr detail::no_result freeze(const Es&...) {
  static_assert(detail::always_false<Es...>,
                "tapeless: freeze takes the names of variables: freeze<\"w\", \"b\">(f) [TL020]");
  return {};
}

}  // namespace tapeless
