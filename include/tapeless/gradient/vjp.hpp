#ifndef TAPELESS_GRADIENT_VJP_HPP
#define TAPELESS_GRADIENT_VJP_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/gradient/jvp.hpp>

#include <cstddef>
#include <tuple>

namespace tapeless {

/// Cotangents of outputs: the weights of a pullback.
template <class... Ts>
struct cotangents {
  static constexpr std::size_t size = detail::argument_layout<Ts...>::size;
  argument_tangents<Ts...> weights;
};

/// `cotangent(1.0, 0.5)`: one number an output, in the order of `outputs(...)` or of the numbers in a function's
/// result; an array, tuple or struct of them counts as its numbers.
template <class... Ts>
constexpr auto cotangent(const Ts&... values) {
  constexpr bool numbers = (detail::shape_of<Ts>::valid && ...);
  static_assert(numbers, "tapeless: cotangent takes numbers, one for each output, in the order of outputs(...)");
  if constexpr (numbers)
    return cotangents<Ts...>{{{values...}}};
  else
    return detail::no_result{};
}

namespace detail {

/// The program with the derivatives by `Variables` of the outputs' weighted sum; the weights are further variables.
template <class Source, class Variables>
struct pullback_program;
template <class Source, int... Variables>
struct pullback_program<Source, std::integer_sequence<int, Variables...>> {
  static constexpr std::size_t first = Source::value.outputs.size();
  using type = program::finished<program::frozen<program::append_pullback<Source, Variables...>>, first,
                                 first + sizeof...(Variables)>;
};

}  // namespace detail

/// The pullback of formulas as a function of their variables' values; made by `vjp`.
template <class Outputs, class Variables, class... Ts>
class formula_vjp : public called_with_values<formula_vjp<Outputs, Variables, Ts...>> {
 public:
  using source = detail::lowered<Outputs>;
  using requested = Variables;
  template <class Source>
  using evaluated = typename detail::pullback_program<Source, detail::indices_in_t<Source, requested>>::type;

  constexpr formula_vjp(const Outputs& wrapped, const cotangents<Ts...>& given)
      : outputs_(wrapped), cotangents_(given) {}

 private:
  friend called_with_values<formula_vjp>;
  Outputs outputs_;
  cotangents<Ts...> cotangents_;

  template <class... Bindings>
  TAPELESS_ALWAYS_INLINE constexpr auto run(const Bindings&... bindings) const {
    using T = detail::evaluation_type_t<Outputs, Bindings...>;
    const auto weights =
        detail::numbers_in<T>(cotangents_.weights, std::make_integer_sequence<int, cotangents<Ts...>::size>{});
    return detail::read_gradient<unconnected::structural_policy, requested, 0>(
        detail::evaluate_extended<T, source, evaluated<source>>(outputs_, weights, bindings...));
  }
};

/// The pullback of a traced function as a function of its arguments; made by `vjp`.
template <class F, class Cotangents, std::size_t... Positions>
class function_vjp : public detail::function_verb<function_vjp<F, Cotangents, Positions...>, F, Positions...> {
  friend detail::function_verb<function_vjp<F, Cotangents, Positions...>, F, Positions...>;

 public:
  static constexpr bool one_output = false;
  template <class... Args>
  static constexpr bool fits = Cotangents::size == detail::traced_program<F, Args...>::value.outputs.size();
  template <class Source, class Variables>
  using evaluated = typename detail::pullback_program<Source, Variables>::type;

  constexpr explicit function_vjp(const Cotangents& given) : cotangents_(given) {}

 private:
  Cotangents cotangents_;

  template <std::size_t... P, class... Args>
  TAPELESS_ALWAYS_INLINE constexpr auto run(std::index_sequence<P...>, const Args&... args) const {
    using T = detail::function_real_t<Args...>;
    using layout = detail::argument_layout<Args...>;
    using pullback = evaluated<detail::traced_program<F, Args...>, typename layout::template variables<P...>>;
    return layout::template read<T, 0, P...>(detail::evaluate_along<T, pullback>(
        cotangents_.weights, std::make_integer_sequence<int, Cotangents::size>{}, args...));
  }
};

namespace detail {

template <class F, class Cotangents, std::size_t... I>
constexpr auto function_vjp_of(const Cotangents& weights, wrt_positions<I...>) {
  return function_vjp<F, Cotangents, I...>(weights);
}

}  // namespace detail

/// The vector-Jacobian product: `vjp(outputs(f1, f2), cotangent(1.0, 0.5))(x = 2.0, y = 3.0)` gives `g` with `g[x]`,
/// `g[y]`, the derivatives of the outputs' weighted sum, by one reverse sweep; by the variables of `wrt(x)` alone where
/// that stands between. A formula alone has one cotangent.
template <class... Fs, class... Vs, class... Ts>
constexpr auto vjp(const output_list<Fs...>& formulas, wrt_variables<Vs...>, const cotangents<Ts...>& weights) {
  constexpr bool matching = sizeof...(Fs) == cotangents<Ts...>::size;
  static_assert(matching, "tapeless: vjp takes one cotangent for each output");
  if constexpr (matching)
    return formula_vjp<output_list<Fs...>, wrt_variables<Vs...>, Ts...>(formulas, weights);
  else
    return detail::no_result{};
}
template <class... Fs, class... Ts>
constexpr auto vjp(const output_list<Fs...>& formulas, const cotangents<Ts...>& weights) {
  return vjp(formulas, typename detail::formula_variables<output_list<Fs...>>::type{}, weights);
}
template <Expression F, class... Vs, class... Ts>
constexpr auto vjp(const F& f, wrt_variables<Vs...> variables, const cotangents<Ts...>& weights) {
  return vjp(outputs(f), variables, weights);
}
template <Expression F, class... Ts>
constexpr auto vjp(const F& f, const cotangents<Ts...>& weights) {
  return vjp(outputs(f), weights);
}

/// The same of a function: `vjp(f, cotangent(1.0, 0.5))(2.0, 3.0)` gives what `gradient` would of the weighted sum of
/// the numbers that the function returns; `vjp(f, wrt<0>, cotangent(1.0, 0.5))` takes arguments by position.
template <Function F, class... Ts>
constexpr auto vjp(const F&, const cotangents<Ts...>& weights) {
  return function_vjp<F, cotangents<Ts...>>(weights);
}
template <Function F, Position_list Wrt, class... Ts>
constexpr auto vjp(const F&, Wrt, const cotangents<Ts...>& weights) {
  return detail::function_vjp_of<F>(weights, std::invoke_result_t<Wrt>{});
}
template <class... Ts>
constexpr auto vjp(const Ts&...) {
  static_assert(detail::is_reported<Ts...>,
                "tapeless: vjp takes outputs and a cotangent for each, vjp(outputs(f1, f2), cotangent(1.0, 0.5)), a "
                "formula and one cotangent, or a lambda or another function object and cotangents");
  return detail::no_result{};
}

}  // namespace tapeless

#endif
