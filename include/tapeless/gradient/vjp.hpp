#ifndef TAPELESS_GRADIENT_VJP_HPP
#define TAPELESS_GRADIENT_VJP_HPP

#include <tapeless/gradient/jvp.hpp>

#include <cstddef>
#include <tuple>

namespace tapeless {

/// Cotangents of outputs: the weights of a pullback.
template <class... Ts>
struct cotangents {
  std::tuple<Ts...> values;
};

/// `cotangent(1.0, 0.5)`: one number an output, in the order of `outputs(...)`.
template <class... Ts>
constexpr auto cotangent(const Ts&... values) {
  constexpr bool numbers = (Numeric<Ts> && ...);
  static_assert(numbers, "tapeless: cotangent takes numbers, one for each output, in the order of outputs(...)");
  if constexpr (numbers)
    return cotangents<Ts...>{{values...}};
  else
    return detail::no_result{};
}

/// The pullback of formulas as a function of their variables' values; made by `vjp`.
template <class Outputs, class Variables, class... Ts>
class formula_vjp;
template <class Outputs, class... Vs, class... Ts>
class formula_vjp<Outputs, wrt_variables<Vs...>, Ts...>
    : public called_with_values<formula_vjp<Outputs, wrt_variables<Vs...>, Ts...>> {
 public:
  using source = detail::lowered<Outputs>;
  using requested = wrt_variables<Vs...>;
  template <class Source>
  using evaluated = program::finished<
      program::frozen<program::append_pullback<Source, detail::variable_index(Source::value, Vs::name)...>>,
      Outputs::size, Outputs::size + sizeof...(Vs)>;

  constexpr formula_vjp(const Outputs& wrapped, const cotangents<Ts...>& weights)
      : outputs_(wrapped), weights_(weights) {}

 private:
  friend called_with_values<formula_vjp>;
  Outputs outputs_;
  cotangents<Ts...> weights_;

  template <class... Bindings>
  TAPELESS_ALWAYS_INLINE constexpr auto run(const Bindings&... bindings) const {
    using T = detail::evaluation_type_t<Outputs, Bindings...>;
    return detail::read_gradient<unconnected::structural_policy, requested, 0>(
        detail::evaluate_extended<T, source, evaluated<source>>(outputs_, weights_.values, bindings...));
  }
};

/// The vector-Jacobian product: `vjp(outputs(f1, f2), cotangent(1.0, 0.5))(x = 2.0, y = 3.0)` gives `g` with `g[x]`,
/// `g[y]`, the derivatives of the outputs' weighted sum, by one reverse sweep. A formula alone has one cotangent.
template <class... Fs, class... Ts>
constexpr auto vjp(const output_list<Fs...>& formulas, const cotangents<Ts...>& weights) {
  constexpr bool matching = sizeof...(Fs) == sizeof...(Ts);
  static_assert(matching, "tapeless: vjp takes one cotangent for each output");
  if constexpr (matching) {
    using variables = typename detail::formula_variables<output_list<Fs...>>::type;
    return formula_vjp<output_list<Fs...>, variables, Ts...>(formulas, weights);
  } else
    return detail::no_result{};
}
template <Expression F, class T>
constexpr auto vjp(const F& f, const cotangents<T>& weight) {
  return vjp(outputs(f), weight);
}
template <class... Ts>
constexpr auto vjp(const Ts&...) {
  static_assert(detail::is_reported<Ts...>,
                "tapeless: vjp takes outputs and a cotangent for each, vjp(outputs(f1, f2), cotangent(1.0, 0.5)), or a "
                "formula and one cotangent");
  return detail::no_result{};
}

}  // namespace tapeless

#endif
