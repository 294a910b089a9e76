#pragma once

#include <tapeless/core/map_structure.hpp>
#include <tapeless/core/variable.hpp>
#include <tapeless/operation/scalar/exponential.hpp>
#include <tapeless/operation/scalar/reduction.hpp>

#include <array>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tapeless {

namespace operation {

/// Its operand, which must not be differentiated.
template <fixed_string Reason>
struct PreventGradient {
  static constexpr std::string_view name = "prevent_gradient";
  static constexpr std::string_view reason = Reason.view();
  static constexpr auto expand = [](auto operand) { return operand; };
  static constexpr rules partials{[](auto operand, auto) {
    static_assert(detail::always_false<decltype(operand)>,
                  "tapeless: a derivative is taken through prevent_gradient; PreventGradient<\"...\"> above quotes its "
                  "reason [TL107]");
    return operand;
  }};
};

/// Its first operand, with derivative times the second.
struct GradScale {
  static constexpr std::string_view name = "grad_scale";
  static constexpr auto expand = [](auto x, auto) { return x; };
  static constexpr bool keeps_shape = true;
  static constexpr bool passes(int operand) { return operand == 0; }
  static constexpr rules partials{[](auto, auto factor, auto) { return factor; }, [](auto, auto, auto) { return 0_c; }};
};

/// Its first operand, with the incoming adjoint limited to the interval of the others.
struct GradClip {
  static constexpr std::string_view name = "grad_clip";
  static constexpr auto expand = [](auto x, auto, auto) { return x; };
  static constexpr bool keeps_shape = true;
  static constexpr bool passes(int operand) { return operand == 0; }
  static constexpr auto pullback = [](auto adjoint, auto, auto low, auto high, auto) {
    return clamp(adjoint, low, high);
  };
  static constexpr rules partials{[](auto, auto, auto, auto) { return 1_c; },
                                  [](auto, auto, auto, auto) { return 0_c; },
                                  [](auto, auto, auto, auto) { return 0_c; }};
};

/// Its first operand, with given partial derivatives: operands (value, x1, partial1, x2, partial2, ...).
template <std::size_t Count>
struct CustomGradient {
  template <std::size_t I>
  struct rule_of {
    template <class... Operands>
    constexpr auto operator()(Operands... operands) const {
      if constexpr (I % 2 == 1)
        return std::get<I + 1>(std::tuple(operands...));
      else
        return 0_c;
    }
  };

  static constexpr std::string_view name = "custom_gradient";
  static constexpr auto expand = [](auto value, auto...) { return value; };
  static constexpr bool keeps_shape = true;
  static constexpr bool passes(int operand) { return operand % 2 == 1; }
  static constexpr auto partials = []<std::size_t... I>(std::index_sequence<I...>) {
    return rules<rule_of<I>...>(rule_of<I>{}...);
  }(std::make_index_sequence<1 + 2 * Count>{});
};

}  // namespace operation

namespace detail {

/// The operands of gradient surgery: formulas, numbers, and structures of them, which are treated member by member.
/// Numbers, whose derivative is zero, and members that are not numbers pass unchanged.
template <class T>
concept Operable = Operand<T> || Structure<T>;

}  // namespace detail

/// The value of `e`. Taking a derivative through it is a compile error that quotes the reason.
template <fixed_string Reason, detail::Operable E>
constexpr auto prevent_gradient(const E& e) {
  return detail::map_symbols([](const auto& symbol) { return apply<operation::PreventGradient<Reason>>(symbol); }, e);
}

/// The value of `e`, and `factor` times its derivative.
template <detail::Operable E, Operand Factor>
constexpr auto grad_scale(E e, Factor factor) {
  return detail::map_symbols([&](const auto& symbol) { return apply<operation::GradScale>(symbol, factor); }, e);
}

/// The value of `e`, and the negative of its derivative: gradient reversal (Ganin et al. 2016).
template <detail::Operable E>
constexpr auto grad_reverse(const E& e) {
  return grad_scale(e, constant<-1>);
}

/// The value of `e`. The incoming adjoint is clamped to [low, high], in a structure for each number. It applies to
/// reverse differentiation: `gradient`, `jacobian` and `vjp`; a Hessian is the derivative of that gradient. `jvp` and
/// `derivative`, which have no adjoints, do not compile.
template <detail::Operable E, Operand Low, Operand High>
constexpr auto grad_clip(E e, Low low, High high) {
  return detail::map_symbols([&](const auto& symbol) { return apply<operation::GradClip>(symbol, low, high); }, e);
}

/// The value of `q`, and the derivative of `x`: the straight-through estimator (Bengio et al. 2013), as (x - stop(x)) +
/// stop(q), which is exact for finite `x`. Arrays and tuples are combined member by member.
template <detail::Operable Q, detail::Operable X>
constexpr auto straight_through(const Q& q, const X& x) {
  if constexpr (detail::Structure<X>) {
    static_assert(detail::Structure<Q> && detail::structure<Q>::size == detail::structure<X>::size,
                  "tapeless: straight_through needs two values of the same shape [TL024]");
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      const auto member = [&]<std::size_t J>(std::integral_constant<std::size_t, J>) {
        return straight_through(detail::structure<Q>::template get<J>(q), detail::structure<X>::template get<J>(x));
      };
      if constexpr (detail::is_tuple<X>)
        return std::tuple(member(std::integral_constant<std::size_t, I>{})...);
      else if constexpr (detail::is_array<X>)
        return std::array{member(std::integral_constant<std::size_t, I>{})...};
      else
        return detail::make_structure<X>(member(std::integral_constant<std::size_t, I>{})...);
    }(std::make_index_sequence<detail::structure<X>::size>{});
  } else if constexpr (Symbolic<X>)
    return (x - stop_gradient(x)) + stop_gradient(q);
  else
    return stop_gradient(q);
}

/// exp(lp - stop(lp)) for a log-probability lp, the MagicBox of DiCE (Foerster et al. 2018). Its value is 1, and its
/// derivatives of every order are those of the probability, divided by the probability. The expectation of a cost times
/// the `dice` of the summed log-probabilities of its samples has the derivatives of the expected cost. NaN if `lp` is
/// not finite, as for a sample that cannot occur.
template <Operand E>
constexpr auto dice(const E& log_probability) {
  if constexpr (Symbolic<E>)
    return exp(log_probability - stop_gradient(log_probability));
  else
    return log_probability - log_probability + E(1);
}

/// Partial derivatives with respect to variables, for `custom_gradient`.
template <class... Bindings>
struct partial_list {
  std::tuple<Bindings...> bindings;
};

/// `partials(x = dx, y = dy)`: formulas or numbers as the partial derivatives with respect to variables.
template <class... Bindings>
constexpr partial_list<Bindings...> partials(const Bindings&... bindings) {
  static_assert((is_binding<Bindings> && ...), "tapeless: partials takes named formulas: partials(x = cos(x)) [TL022]");
  return {{bindings...}};
}

/// The value of `value`, with the given partial derivatives instead of its own; they are zero for variables not named.
/// For higher orders the partials are differentiated. Write `custom_gradient(f, {x = dx})` for one variable, and
/// `custom_gradient(f, x = dx, y = dy)` or `custom_gradient(f, partials(x = dx, y = dy))` for several, because in C++
/// braces around formulas of different types have no type.
template <Operand E, class... Bindings>
constexpr auto custom_gradient(const E& value, const partial_list<Bindings...>& given) {
  return std::apply(
      [&](const auto&... bindings) {
        const auto operands = std::tuple_cat(
            std::tuple(value),
            std::tuple(typename std::remove_cvref_t<decltype(bindings)>::variable_type{}, bindings.value)...);
        return std::apply(
            [](const auto&... all) { return apply<operation::CustomGradient<sizeof...(Bindings)>>(all...); }, operands);
      },
      given.bindings);
}
template <Operand E, class... Vs, class... Ts>
constexpr auto custom_gradient(const E& value, const binding<Vs, Ts>&... given) {
  return custom_gradient(value, partials(given...));
}
template <Operand E, class V, class T>
constexpr auto custom_gradient(const E& value, const binding<V, T> (&given)[1]) {
  return custom_gradient(value, partials(given[0]));
}

namespace detail {
/// What is neither named partials nor pairs.
struct other_partials {
  template <class... Ts>
  constexpr other_partials(const Ts&...) {}
};
}  // namespace detail
template <Operand E>
  requires(!is_traced<E>)
constexpr auto custom_gradient(const E& value, detail::other_partials) {
  static_assert(detail::always_false<E>,
                "tapeless: give custom_gradient partials by name, without braces, custom_gradient(f, x = dx, y = dy), "
                "and in a function in pairs, custom_gradient(f(a, b), {{a, da}, {b, db}}) [TL023]");
  return value;
}

/// A value of a traced function, and the partial derivative with respect to it, for `custom_gradient`.
template <class E>
struct partial_by {
  E variable;
  E partial;
};
/// The same in a traced function: `custom_gradient(f(a, b), {{a, da}, {b, db}})`.
template <class E, std::size_t Count>
  requires is_traced<E>
constexpr auto custom_gradient(const E& value, const partial_by<std::type_identity_t<E>> (&given)[Count]) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return apply<operation::CustomGradient<Count>>(value,
                                                   (I % 2 == 0 ? given[I / 2].variable : given[I / 2].partial)...);
  }(std::make_index_sequence<2 * Count>{});
}

/// The same of a value that is a plain number.
template <Numeric E, class T, std::size_t Count>
  requires is_traced<T>
constexpr T custom_gradient(E value, const T (&given)[Count][2]) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return custom_gradient(T(value), {{given[I][0], given[I][1]}...});
  }(std::make_index_sequence<Count>{});
}

/// The same for plain numbers, which have no derivatives: the value.
template <Numeric E, std::size_t Count>
constexpr E custom_gradient(E value, const partial_by<std::type_identity_t<E>> (&)[Count]) {
  return value;
}

}  // namespace tapeless
