#pragma once

#include <tapeless/core/apply.hpp>
#include <tapeless/core/named.hpp>
#include <tapeless/core/stop_gradient.hpp>
#include <tapeless/core/variable.hpp>
#include <tapeless/gradient/formula/formula_call.hpp>
#include <tapeless/gradient/formula/lowered_formula.hpp>
#include <tapeless/gradient/problem.hpp>
#include <tapeless/operation/list.hpp>

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tapeless {

namespace detail {

// Conditions of selections, as in program/differentiate/guarded.hpp: where none of the paths to the variable is chosen,
// a derivative is zero whatever its factors are.

struct always {};
/// A derivative where a condition holds; elsewhere it is zero.
template <class C, class E>
struct term {
  [[no_unique_address]] C condition;
  [[no_unique_address]] E derivative;
};
template <class C, class E>
constexpr auto where_holds(const C& condition, const E& derivative) {
  if constexpr (is_zero<E>)
    return term<always, Zero>{};
  else
    return term<C, E>{condition, derivative};
}
template <class E>
constexpr term<always, E> as_term(const E& derivative) {
  return {{}, derivative};
}

template <class C, class E>
constexpr auto masked(const term<C, E>& e) {
  if constexpr (std::is_same_v<C, always>)
    return e.derivative;
  else
    return where(e.condition, e.derivative, 0_c);
}
template <class C, class E>
constexpr auto masked(const term<Apply<operation::Not, C>, E>& e) {
  return where(e.condition.template operand<0>(), 0_c, e.derivative);
}

// Conditions of one type are the same if they carry no numbers.
template <class A, class B>
inline constexpr bool same_condition = std::is_same_v<A, B> && std::is_empty_v<A>;
template <class A, class B>
constexpr auto both_hold(const A& a, const B& b) {
  if constexpr (std::is_same_v<A, always>)
    return b;
  else if constexpr (std::is_same_v<B, always> || same_condition<A, B>)
    return a;
  else
    return a && b;
}
template <class A, class B>
constexpr auto either_holds(const A& a, const B& b) {
  if constexpr (std::is_same_v<A, always> || std::is_same_v<B, always>)
    return always{};
  else if constexpr (same_condition<A, B>)
    return a;
  else
    return a || b;
}
template <class C, class A, class B>
constexpr auto where_chosen(const C& condition, const A& a, const B& b) {
  if constexpr (std::is_same_v<A, always> && std::is_same_v<B, always>)
    return always{};
  else
    return either_holds(both_hold(condition, a), both_hold(!condition, b));
}

/// The derivative of a selection, or a partial derivative without its absolute zeros.
template <class C, class CA, class A, class CB, class B>
constexpr auto select(const C& condition, const term<CA, A>& a, const term<CB, B>& b) {
  if constexpr (is_zero<A> && is_zero<B>)
    return a;
  else if constexpr (is_zero<B>)
    return where_holds(both_hold(condition, a.condition), a.derivative);
  else if constexpr (is_zero<A>)
    return where_holds(both_hold(!condition, b.condition), b.derivative);
  else
    return where_holds(where_chosen(condition, a.condition, b.condition), where(condition, a.derivative, b.derivative));
}
template <class E>
constexpr auto chosen_part(const E& partial) {
  return as_term(partial);
}
template <class C, class A, class B>
constexpr auto chosen_part(const Apply<operation::Where, C, A, B>& partial) {
  return select(partial.template operand<0>(), chosen_part(partial.template operand<1>()),
                chosen_part(partial.template operand<2>()));
}

template <class A, class L, class B, class R>
constexpr auto operator+(const term<A, L>& l, const term<B, R>& r) {
  if constexpr (is_zero<L>)
    return r;
  else if constexpr (is_zero<R>)
    return l;
  else if constexpr (same_condition<A, B>)
    return where_holds(l.condition, l.derivative + r.derivative);
  else
    return where_holds(either_holds(l.condition, r.condition), masked(l) + masked(r));
}
template <class A, class L, class B, class R>
constexpr auto operator*(const term<A, L>& l, const term<B, R>& r) {
  return where_holds(both_hold(l.condition, r.condition), l.derivative * r.derivative);
}

/// Derivatives by types, as terms, one specialisation a kind of formula. Whatever is zero is the type `Zero`.
template <class E, class X>
struct derivative_of;

template <class E, class X>
  requires requires { typename E::definition; }
struct derivative_of<E, X> {
  static constexpr auto of(const E&) { return derivative_of<typename E::definition, X>::of(typename E::definition{}); }
};

template <TAPELESS_NAME Name, class X>
struct derivative_of<variable_of<Name>, X> {
  static constexpr auto of(const variable_of<Name>&) { return as_term(constant<std::is_same_v<variable_of<Name>, X>>); }
};

template <class E, class X>
  requires(is_constant<E> || is_number<E> || is_stop<E> || Numeric<E>)
struct derivative_of<E, X> {
  static constexpr auto of(const E&) { return as_term(Zero{}); }
};

/// What a `rule_for_each` sees of the operands of a formula.
template <class... Es>
struct operand_types {
  std::tuple<Es...> operands;

  template <class Op, class... First>
  constexpr auto apply(const First&... first) const {
    return std::apply([&](const auto&... all) { return tapeless::apply<Op>(first..., all...); }, operands);
  }
};

/// Operand number I of `e` contributes its own derivative times the rule, which is looked at only if that is not zero.
template <class X, std::size_t I, class Op, class... Es>
constexpr auto contribution(const Apply<Op, Es...>& e) {
  const auto inner = [&] {
    if constexpr (passes_derivative<Op, static_cast<int>(I)>())
      return derivative_of<typename type_at<I, Es...>::type, X>::of(e.template operand<I>());
    else
      return as_term(Zero{});
  }();
  if constexpr (is_zero<decltype(inner.derivative)>) {
    return as_term(Zero{});
  } else {
    static_assert(
        requires { Op::partials; },
        "tapeless: an operation without a derivative rule is differentiated; give it `partials = rules(...)` "
        "or put it behind stop_gradient [TL104]");
    return [&]<std::size_t... J>(std::index_sequence<J...>) {
      if constexpr (has_any_arity<Op>())
        return inner * chosen_part(Op::partials.rule(e.template operand<I>(), e,
                                                     operand_types<Es...>{{e.template operand<J>()...}}));
      else
        return inner * chosen_part(Op::partials.template get<I>()(e.template operand<J>()..., e));
    }(std::index_sequence_for<Es...>{});
  }
}

template <class Op, class... Es, class X>
struct derivative_of<Apply<Op, Es...>, X> {
  static constexpr auto of(const Apply<Op, Es...>& e) {
    if constexpr (Condition<Op>)
      return as_term(Zero{});
    else
      return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return (as_term(Zero{}) + ... + contribution<X, I>(e));
      }(std::index_sequence_for<Es...>{});
  }
};

template <class C, class A, class B, class X>
struct derivative_of<Apply<operation::Where, C, A, B>, X> {
  static constexpr auto of(const Apply<operation::Where, C, A, B>& e) {
    return select(e.template operand<0>(), derivative_of<A, X>::of(e.template operand<1>()),
                  derivative_of<B, X>::of(e.template operand<2>()));
  }
};

/// What keeps a formula from being differentiated, `void` if nothing.
template <class F, class X>
struct derivative_problem : std::type_identity<void> {};
template <Expression F, class X>
  requires(program::problem_of<lowered<F>> == program::fault::none)
struct derivative_problem<F, X>
    : decltype(rule_problem<lowered<F>, program::direction::forward>(indices_in_t<lowered<F>, wrt_variables<X>>{})) {};

}  // namespace detail

/// The derivative of a formula with respect to a variable, as a formula, derived by types alone. It is `Zero` if `x`
/// does not occur or is stopped. Use it for reading, for proofs and in other formulas. To evaluate derivatives use
/// `gradient`, which shares the work of the value and the derivatives.
template <class F, TAPELESS_NAME Name>
  requires Expression<F> || Numeric<F>
constexpr auto derivative(const F& f, const variable_of<Name>&) {
  using problem = typename detail::derivative_problem<F, variable_of<Name>>::type;
  if constexpr (std::is_void_v<problem>)
    return detail::masked(detail::derivative_of<F, variable_of<Name>>::of(f));
  else
    return detail::report<problem, Zero>();
}
template <class... Ts>
constexpr auto derivative(const Ts&...) {
  static_assert(detail::always_false<Ts...>,
                "tapeless: derivative takes a formula and one of its variables: derivative(x * x, x) [TL021]");
  return Zero{};
}

/// The type of `derivative(f, x)` for `f` of type `F` and `x` of type `X`.
template <class F, class X>
using derivative_t =
    decltype(derivative(std::declval<const std::remove_cvref_t<F>&>(), std::declval<const std::remove_cvref_t<X>&>()));

}  // namespace tapeless
