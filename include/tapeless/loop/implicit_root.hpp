#pragma once

#include <tapeless/core/freeze.hpp>
#include <tapeless/core/map_structure.hpp>
#include <tapeless/core/no_result.hpp>
#include <tapeless/gradient/derivative.hpp>
#include <tapeless/gradient/verbs.hpp>
#include <tapeless/loop/scan.hpp>
#include <tapeless/operation/matrix/factorization.hpp>
#include <tapeless/operation/scalar/arithmetic.hpp>

#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tapeless::operation {

template <class Kind>
struct Solve;

/// x - f / f', a step of Newton's method for a number; for a vector, where f' is a matrix, LAPACK solves the system.
struct NewtonStep {
  static constexpr std::string_view name = "newton_step";
  static constexpr bool of_tensors = true;
  template <class Lowering, class Value, class Kind = general>
  static constexpr Value lower(Lowering& to, const Value& x, const Value& f, const Value& slope) {
    Value quotient[] = {f, slope};
    if (slope.rank == 0)
      quotient[0] = to.template apply<Divide>(quotient, std::make_index_sequence<2>{});
    else if constexpr (requires { Solve<Kind>::of_tensors; })
      quotient[0] = Solve<Kind>::lower(to, slope, f);
    else
      to.refuse_if(true, decltype(to.graph.misuse)::system_without_lapack);
    Value difference[] = {x, quotient[0]};
    return to.template apply<Subtract>(difference, std::make_index_sequence<2>{});
  }
};

/// The first derivative of a root, as a factor: 1, or what higher ones have of it, 0. The derivative of order `Orders`
/// + 1, which would be wrong, does not compile.
template <std::size_t Orders, int Factor>
struct RootFactor {
  static constexpr std::string_view name = "root_factor";
  static constexpr auto expand = [](auto) { return constant<Factor>; };
  static constexpr bool keeps_shape = true;
  static constexpr rules partials{[](auto x, auto) {
    if constexpr (Orders > 1)
      return apply<RootFactor<Orders - 1, 0>>(x);
    else
      return x.misused(program::fault::root_order_exceeded);
  }};
};
/// Its operand, a root with derivatives up to the order `Orders`.
template <std::size_t Orders>
struct ImplicitRoot {
  static constexpr std::string_view name = "implicit_root";
  static constexpr auto expand = [](auto x) { return x; };
  static constexpr bool keeps_shape = true;
  static constexpr rules partials{[](auto x, auto) { return apply<RootFactor<Orders, 1>>(x); }};
};

}  // namespace tapeless::operation

namespace tapeless {

namespace detail {

template <std::size_t Orders, class X>
constexpr auto with_orders(const X& root) {
  return map_symbols([](const auto& x) { return apply<operation::ImplicitRoot<Orders>>(x); }, root);
}

/// The formula with another for the variable `V`, in stops too.
template <class E, class V, class R>
struct substituting {
  static constexpr auto in(const E& e, const R& replacement) {
    if constexpr (std::is_same_v<E, V>)
      return replacement;
    else if constexpr (requires { typename E::definition; } && occurs_in<E, V>::value)
      return substituting<typename E::definition, V, R>::in(typename E::definition{}, replacement);
    else
      return e;
  }
};
template <class E, TAPELESS_NAME Name, class V, class R>
  requires occurs_in<E, V>::value
struct substituting<StopGradient<E, Name>, V, R> {
  static constexpr auto in(const StopGradient<E, Name>& e, const R& replacement) {
    const auto operand = substituting<E, V, R>::in(e.operand, replacement);
    using T = std::remove_const_t<decltype(operand)>;
    if constexpr (Expression<T> && !is_constant<T> && !is_stop<T>)
      return StopGradient<T, Name>(operand);
    else
      return stop_gradient(operand);
  }
};
template <class Op, class... Es, class V, class R>
  requires(occurs_in<Es, V>::value || ...)
struct substituting<Apply<Op, Es...>, V, R> {
  static constexpr auto in(const Apply<Op, Es...>& e, const R& replacement) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return tapeless::apply<Op>(substituting<Es, V, R>::in(e.template operand<I>(), replacement)...);
    }(std::index_sequence_for<Es...>{});
  }
};

/// `Steps` Newton steps from the formula `x` for the root of `f` by the variable `V`, with one slope for all.
template <std::size_t Steps, class V, class F, class Slope, class X>
constexpr auto newton_steps(const F& f, const Slope& slope, const X& x) {
  if constexpr (Steps == 0)
    return x;
  else
    return newton_steps<Steps - 1, V>(f, slope, x - substituting<F, V, X>::in(f, x) / slope);
}

}  // namespace detail

/// The root x of f(x, theta) = 0 as a function of theta, given its value. In `implicit_root(f, x)`, the variable `x` is
/// bound to the root that some solver found; in `implicit_root(f, x = e)`, a formula or a number gives it. The
/// computation of the root is not differentiated.
///
/// The result is the Newton step x* - f(x*, theta) / f_x(x*, theta), where x* and the slope f_x are stopped. Its
/// derivative with respect to theta is that of the implicit function theorem, -f_theta / f_x (Christianson 1994). Its
/// value is the root, with the square of the error of x*. `implicit_root<2>` takes two steps with the same slope, and
/// so on: each step makes derivatives of one more order correct, so a Hessian needs 2. Derivatives of higher orders are
/// not those of the root. If x* leaves a residual, the error of the derivatives is proportional to it. If f_x is zero,
/// there is no such function, and the result is not finite.
template <std::size_t Order = 1, Expression F, TAPELESS_NAME Name, class T>
constexpr auto implicit_root(const F& f, const binding<variable_of<Name>, T>& root) {
  using variable = variable_of<Name>;
  static_assert(
      Order > 0,
      "tapeless: implicit_root<n> and fixed_point<n> have derivatives up to order n; n must be at least 1 [TL125]");
  using slope_type = derivative_t<F, variable>;
  static_assert(!is_zero<slope_type>, "tapeless: the formula of implicit_root must depend on its variable [TL126]");
  if constexpr (is_zero<slope_type>) {
    return detail::no_result{};
  } else {
    using value_type = as_expression_t<T>;
    const value_type value(root.value);
    const auto slope =
        stop_gradient(detail::substituting<slope_type, variable, value_type>::in(derivative(f, variable{}), value));
    return detail::newton_steps<Order, variable>(f, slope, stop_gradient(value));
  }
}
template <std::size_t Order = 1, Expression F, TAPELESS_NAME Name>
constexpr auto implicit_root(const F& f, const variable_of<Name>& x) {
  return implicit_root<Order>(f, binding<variable_of<Name>, variable_of<Name>>{x});
}

/// The same for a function, mostly inside a traced function: `implicit_root(f, x, theta...)` is the root of `f(x,
/// theta...)` in its first argument, near the given `x`. For a system, x and the result of `f` are `std::array`s, or in
/// functions over tensors vectors: LAPACK solves their system, with <tapeless/lapack.hpp>.
template <std::size_t Order = 1, Function F, class X, class... Thetas>
  requires std::is_empty_v<F> && std::is_invocable_v<const F&, detail::tracing::to<X>, detail::tracing::to<Thetas>...>
constexpr auto implicit_root(const F& f, const X& root, const Thetas&... thetas) {
  using result = std::invoke_result_t<const F&, detail::tracing::to<X>, detail::tracing::to<Thetas>...>;
  using program::fault;
  const auto at = stop_gradient(root);
  if constexpr (Order == 0) {
    return detail::misused<fault::root_without_order>(root, thetas...);
  } else if constexpr (detail::has_only_numbers<F>()) {
    return detail::misused<fault::number_wanted>(root, thetas...);
  } else if constexpr (!detail::same_shape<X, std::remove_cvref_t<result>>()) {
    return detail::misused<fault::root_changes_shape>(root, thetas...);
  } else if constexpr (detail::is_array<X>) {
    constexpr std::size_t n = detail::structure<X>::size;
    const auto [first, rows] = value_and_jacobian(f, wrt<0>)(at, thetas...);
    const auto slopes = stop_gradient(rows);
    const auto step = [&](const auto& x, const auto& residual) {
      auto next = solve(slopes, residual);
      for (std::size_t i = 0; i < n; ++i) next[i] = x[i] - next[i];
      return next;
    };
    auto x = step(at, first);
    for (std::size_t i = 1; i < Order; ++i) x = step(x, value_and_jacobian(f, wrt<0>)(x, thetas...).value);
    return detail::with_orders<Order>(x);
  } else {
    if constexpr (std::is_same_v<X, traced>)
      if (const auto* graph = root.graph(); graph && graph->mode() == program::stage::recording) {
        const auto all = value_and_jacobian(f, wrt<0>)(at, thetas...);
        const auto step = [&, slopes = stop_gradient(all.jacobian[0][0])](const traced& x, const traced& residual) {
          return apply<operation::NewtonStep>(x, residual, slopes);
        };
        traced x = step(at, all.value[0]);
        for (std::size_t i = 1; i < Order; ++i) x = step(x, f(x, thetas...));
        return detail::with_orders<Order>(x);
      }
    const auto [first, slope] = value_and_gradient(f, wrt<0>)(at, thetas...);
    const auto stopped = stop_gradient(slope);
    auto x = at - first / stopped;
    for (std::size_t i = 1; i < Order; ++i) x = x - value_and_gradient(f, wrt<0>)(x, thetas...).value / stopped;
    return detail::with_orders<Order>(x);
  }
}

template <std::size_t Order = 1, class T, class... Ts>
constexpr auto implicit_root(const T& first, const Ts&... others) {
  return detail::misused<program::fault::root_unfit>(first, others...);
}

}  // namespace tapeless
