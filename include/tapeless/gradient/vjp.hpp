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
template <Numeric... Ts>
constexpr cotangents<Ts...> cotangent(const Ts&... values) {
  return {{values...}};
}

/// The pullback of formulas as a function of their variables' values; made by `vjp`.
template <class Outputs, class Variables, class... Ts>
class formula_vjp;
template <class Outputs, class... Vs, class... Ts>
class formula_vjp<Outputs, wrt_variables<Vs...>, Ts...> {
 public:
  constexpr formula_vjp(const Outputs& wrapped, const cotangents<Ts...>& weights)
      : outputs_(wrapped), weights_(weights) {}

  template <class... Bindings>
  TAPELESS_ALWAYS_INLINE constexpr auto operator()(const Bindings&... bindings) const {
    using requested = wrt_variables<Vs...>;
    using source = detail::lowered<Outputs>;
    using problem = detail::call_problem_t<source, requested, Bindings...>;
    if constexpr (!std::is_void_v<problem>)
      return detail::report<problem>();
    else {
      using T = detail::evaluation_type_t<Outputs, Bindings...>;
      using all = program::frozen<program::append_pullback<source, detail::variable_index(source::value, Vs::name)...>>;
      constexpr std::size_t m = Outputs::size;
      return detail::read_gradient<unconnected::structural_policy, requested, 0>(
          detail::evaluate_extended<T, source, all, m, m + sizeof...(Vs)>(outputs_, weights_.values, bindings...));
    }
  }

 private:
  Outputs outputs_;
  cotangents<Ts...> weights_;
};

/// The vector-Jacobian product: `vjp(outputs(f1, f2), cotangent(1.0, 0.5))(x = 2.0, y = 3.0)` gives `g` with `g[x]`,
/// `g[y]`, the derivatives of the outputs' weighted sum, by one reverse sweep. A formula alone has one cotangent.
template <class... Fs, class... Ts>
constexpr auto vjp(const output_list<Fs...>& formulas, const cotangents<Ts...>& weights) {
  static_assert(sizeof...(Fs) == sizeof...(Ts), "tapeless: vjp takes one cotangent for each output");
  using variables = typename detail::formula_variables<output_list<Fs...>>::type;
  return formula_vjp<output_list<Fs...>, variables, Ts...>(formulas, weights);
}
template <Expression F, class... Ts>
constexpr auto vjp(const F& f, const cotangents<Ts...>& weights) {
  return vjp(outputs(f), weights);
}

}  // namespace tapeless

#endif
