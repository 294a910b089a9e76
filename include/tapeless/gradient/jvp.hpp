#ifndef TAPELESS_GRADIENT_JVP_HPP
#define TAPELESS_GRADIENT_JVP_HPP

#include <tapeless/gradient/gradient.hpp>

#include <cstddef>
#include <tuple>
#include <utility>

namespace tapeless {

/// Tangents of variables: the direction of a directional derivative.
template <class... Bindings>
struct tangents {
  std::tuple<Bindings...> bindings;
};

/// `tangent(x = 1.0, y = 0.5)`: the direction, with zero for every variable not named.
template <class... Bindings>
constexpr tangents<Bindings...> tangent(const Bindings&... bindings) {
  static_assert((is_binding<Bindings> && ...), "tapeless: tangent takes named values: tangent(x = 1.0)");
  return {{bindings...}};
}

/// The directional derivative of a formula as a function of its variables' values; made by `jvp`.
template <class F, class... Tangents>
class formula_jvp {
 public:
  constexpr formula_jvp(const F& formula, const tapeless::tangents<Tangents...>& direction) : f_(formula), direction_(direction) {}

  template <class... Bindings>
  TAPELESS_ALWAYS_INLINE constexpr auto operator()(const Bindings&... bindings) const {
    using requested = wrt_variables<typename Tangents::variable_type...>;
    using source = detail::lowered<F>;
    using variables = typename detail::all_variables<source>::type;
    if constexpr (detail::check_bindings<Bindings...>(requested{}, variables{})) {
      using T = detail::evaluation_type_t<F, Bindings...>;
      using all = program::frozen<
          program::append_tangents<source, detail::variable_index(source::value, Tangents::variable_type::name)...>>;
      using inputs = detail::bound_inputs<T, source, variables, Bindings...>;
      constexpr int first_tangent = static_cast<int>(source::value.variables.size());
      const scalar::evaluation<program::finished<all, 1, 2>, T> done(
          with_tangents<T, inputs, first_tangent>{inputs(f_, bindings...), direction_.bindings});
      return done.template output<0>();
    }
  }

 private:
  [[no_unique_address]] F f_;
  tapeless::tangents<Tangents...> direction_;

  /// The inputs of the formula, and after them the tangents.
  template <class T, class Inputs, int First>
  struct with_tangents {
    Inputs inputs;
    const std::tuple<Tangents...>& tangents;

    template <int I>
    TAPELESS_ALWAYS_INLINE constexpr T variable() const {
      if constexpr (I < First)
        return inputs.template variable<I>();
      else
        return static_cast<T>(std::get<static_cast<std::size_t>(I - First)>(tangents).value);
    }
    template <int I>
    TAPELESS_ALWAYS_INLINE constexpr T number() const {
      return inputs.template number<I>();
    }
  };
};

/// The Jacobian-vector product: `jvp(f, tangent(x = 1.0, y = 0.5))(x = 2.0, y = 3.0)` is the derivative of `f` in that
/// direction, by one forward sweep.
template <Expression F, class... Bindings>
constexpr auto jvp(const F& f, const tangents<Bindings...>& direction) {
  return formula_jvp<F, Bindings...>(f, direction);
}

}  // namespace tapeless

#endif
