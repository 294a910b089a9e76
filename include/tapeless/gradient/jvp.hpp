#ifndef TAPELESS_GRADIENT_JVP_HPP
#define TAPELESS_GRADIENT_JVP_HPP

#include <tapeless/gradient/gradient.hpp>

#include <array>
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
  constexpr formula_jvp(const F& formula, const tangents<Tangents...>& direction) : f_(formula), direction_(direction) {}

  template <class... Bindings>
  constexpr auto operator()(const Bindings&... bindings) const {
    using requested = wrt_variables<typename Tangents::variable_type...>;
    using source = detail::lowered<F>;
    using variables = typename detail::all_variables<source>::type;
    if constexpr (detail::check_bindings<Bindings...>(requested{}, variables{})) {
      using T = detail::evaluation_type_t<F, Bindings...>;
      using all = program::frozen<
          program::append_tangents<source, detail::variable_index(source::value, Tangents::variable_type::name)...>>;
      using program = program::finished<all, 1, 2>;
      constexpr std::size_t n = source::value.variables.size();
      const std::array<T, n> values = detail::bound_values<T>(variables{}, bindings...);
      std::array<T, n + sizeof...(Tangents)> inputs{};
      for (std::size_t i = 0; i < n; ++i) inputs[i] = values[i];
      std::size_t next = n;
      std::apply([&](const auto&... t) { ((inputs[next++] = static_cast<T>(t.value)), ...); }, direction_.bindings);
      return scalar::run<program, T>(inputs, detail::numbers_in<T, source>(f_), [](const auto& output) {
        return detail::result_of<program, 0>(output);
      });
    }
  }

 private:
  [[no_unique_address]] F f_;
  tangents<Tangents...> direction_;
};

/// The Jacobian-vector product: `jvp(f, tangent(x = 1.0, y = 0.5))(x = 2.0, y = 3.0)` is the derivative of `f` in that
/// direction, by one forward sweep.
template <Expression F, class... Bindings>
constexpr auto jvp(const F& f, const tangents<Bindings...>& direction) {
  return formula_jvp<F, Bindings...>(f, direction);
}

}  // namespace tapeless

#endif
