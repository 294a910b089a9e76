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

/// Tangents of a function's arguments, in their order and shapes.
template <class... Ts>
struct argument_tangents {
  std::tuple<Ts...> values;
};

/// `tangent(x = 1.0, y = 0.5)`: a direction for a formula, zero for every variable not named;
/// `tangent(1.0, std::array{0.5, 2.0})`: for a function, a number or array for each argument.
template <class... Ts>
constexpr auto tangent(const Ts&... values) {
  if constexpr ((is_binding<Ts> && ...))
    return tangents<Ts...>{{values...}};
  else {
    static_assert((detail::shape_of<Ts>::valid && ...),
                  "tapeless: tangent takes named values, tangent(x = 1.0), or for a function numbers and arrays");
    return argument_tangents<Ts...>{{values...}};
  }
}

namespace detail {

/// The inputs of a formula, and after them, from variable `First` on, further numbers: tangents or cotangents.
template <class T, class Inputs, class Numbers, int First>
struct extended_inputs {
  Inputs inputs;
  const Numbers& further;

  template <int I>
  TAPELESS_ALWAYS_INLINE constexpr T variable() const {
    if constexpr (I < First)
      return inputs.template variable<I>();
    else
      return static_cast<T>(std::get<static_cast<std::size_t>(I - First)>(further));
  }
  template <int I>
  TAPELESS_ALWAYS_INLINE constexpr T number() const {
    return inputs.template number<I>();
  }
};

/// Evaluates outputs `Begin` to `End` of the program `All`, made from the program `Source` of the formula `f`, whose
/// variables after those of `Source` have the values `further`.
template <class T, class Source, class All, std::size_t Begin, std::size_t End, class F, class Numbers,
          class... Bindings>
TAPELESS_ALWAYS_INLINE constexpr auto evaluate_extended(const F& f, const Numbers& further,
                                                        const Bindings&... bindings) {
  using inputs = bound_inputs<T, Source, typename all_variables<Source>::type, Bindings...>;
  constexpr int first = static_cast<int>(Source::value.variables.size());
  return scalar::evaluation<program::finished<All, Begin, End>, T>(
      extended_inputs<T, inputs, Numbers, first>{inputs(f, bindings...), further});
}

/// The values of bindings, in their order.
template <class... Bindings>
TAPELESS_ALWAYS_INLINE constexpr auto values_of(const std::tuple<Bindings...>& bindings) {
  return std::apply([](const auto&... given) { return std::tuple(given.value...); }, bindings);
}

}  // namespace detail

/// The directional derivative of a formula as a function of its variables' values; made by `jvp`.
template <class F, class... Tangents>
class formula_jvp {
 public:
  constexpr formula_jvp(const F& wrapped, const tangents<Tangents...>& direction)
      : f_(wrapped), direction_(direction) {}

  template <class... Bindings>
  TAPELESS_ALWAYS_INLINE constexpr auto operator()(const Bindings&... bindings) const {
    using requested = wrt_variables<typename Tangents::variable_type...>;
    using source = detail::lowered<F>;
    using problem = detail::call_problem_t<source, requested, Bindings...>;
    if constexpr (!std::is_void_v<problem>)
      return detail::report<problem>();
    else {
      using T = detail::evaluation_type_t<F, Bindings...>;
      using all = program::frozen<
          program::append_tangents<source, 0, detail::variable_index(source::value, Tangents::variable_type::name)...>>;
      constexpr std::size_t n = source::value.outputs.size();
      const auto done =
          detail::evaluate_extended<T, source, all, n, 2 * n>(f_, detail::values_of(direction_.bindings), bindings...);
      if constexpr (Expression<F>)
        return done.template output<0>();
      else
        return detail::shape_of<std::array<T, n>>::template read<T, 0>(done);
    }
  }

 private:
  [[no_unique_address]] F f_;
  tangents<Tangents...> direction_;
};

/// The directional derivative of a traced function as a function of its arguments; made by `jvp`.
template <class F, class... Ts>
class function_jvp {
 public:
  constexpr explicit function_jvp(const argument_tangents<Ts...>& along) : direction_(along) {}

  template <class... Args>
  TAPELESS_ALWAYS_INLINE constexpr auto operator()(const Args&... args) const {
    using problem = detail::function_problem_t<F, Args...>;
    if constexpr (!std::is_void_v<problem>)
      return detail::report<problem>();
    else
      return run(std::make_integer_sequence<int, detail::argument_layout<Args...>::size>{}, args...);
  }

 private:
  template <int... Variables, class... Args>
  TAPELESS_ALWAYS_INLINE constexpr auto run(std::integer_sequence<int, Variables...>, const Args&... args) const {
    static_assert(detail::argument_layout<Ts...>::size == sizeof...(Variables),
                  "tapeless: tangent gives a number for each number of the arguments");
    using T = detail::function_real_t<Args...>;
    using source = detail::traced_program<F, Args...>;
    using all = program::frozen<program::append_tangents<source, 0, Variables...>>;
    constexpr std::size_t n = source::value.outputs.size();
    const auto numbers = std::apply(
        [](const auto&... values) {
          const detail::function_inputs<T, Ts...> given(values...);
          return std::array<T, sizeof...(Variables)>{given.template variable<Variables>()...};
        },
        direction_.values);
    using inputs = detail::function_inputs<T, Args...>;
    const scalar::evaluation<program::finished<all, n, 2 * n>, T> done(
        detail::extended_inputs<T, inputs, std::array<T, sizeof...(Variables)>, sizeof...(Variables)>{inputs(args...),
                                                                                                      numbers});
    if constexpr (n == 1)
      return static_cast<T>(done.template output<0>());
    else
      return detail::shape_of<std::array<T, n>>::template read<T, 0>(done);
  }

  argument_tangents<Ts...> direction_;
};

/// The Hessian-vector product of a formula as a function of its variables' values; made by `hvp`.
template <class F, class Variables, class... Tangents>
class formula_hvp;
template <class F, class... Vs, class... Tangents>
class formula_hvp<F, wrt_variables<Vs...>, Tangents...> {
 public:
  constexpr formula_hvp(const F& wrapped, const tangents<Tangents...>& direction)
      : f_(wrapped), direction_(direction) {}

  template <class... Bindings>
  TAPELESS_ALWAYS_INLINE constexpr auto operator()(const Bindings&... bindings) const {
    using requested = wrt_variables<Vs...>;
    using source = detail::lowered<F>;
    using problem = detail::call_problem_t<source, requested, Bindings...>;
    if constexpr (!std::is_void_v<problem>)
      return detail::report<problem>();
    else {
      using T = detail::evaluation_type_t<F, Bindings...>;
      using all = program::frozen<
          program::append_tangents<typename detail::gradient_program<source, requested>::type, 1,
                                   detail::variable_index(source::value, Tangents::variable_type::name)...>>;
      constexpr std::size_t n = sizeof...(Vs);
      const auto done = detail::evaluate_extended<T, source, all, 1 + n, 1 + 2 * n>(
          f_, detail::values_of(direction_.bindings), bindings...);
      return detail::read_gradient<unconnected::structural_policy, requested, 0>(done);
    }
  }

 private:
  [[no_unique_address]] F f_;
  tangents<Tangents...> direction_;
};

/// The Jacobian-vector product: `jvp(f, tangent(x = 1.0, y = 0.5))(x = 2.0, y = 3.0)` is the derivative of `f` in that
/// direction, by one forward sweep. Of `outputs(...)` it is a `std::array`.
template <Expression F, class... Bindings>
constexpr auto jvp(const F& f, const tangents<Bindings...>& direction) {
  return formula_jvp<F, Bindings...>(f, direction);
}
template <class... Fs, class... Bindings>
constexpr auto jvp(const output_list<Fs...>& formulas, const tangents<Bindings...>& direction) {
  return formula_jvp<output_list<Fs...>, Bindings...>(formulas, direction);
}

/// The same of a function: `jvp(f, tangent(1.0, 0.5))(2.0, 3.0)`; a `std::array` where the function returns one.
template <Function F, class... Ts>
constexpr auto jvp(const F&, const argument_tangents<Ts...>& direction) {
  return function_jvp<F, Ts...>(direction);
}

/// The Hessian-vector product: `hvp(f, tangent(x = 1.0))(x = 2.0, y = 3.0)` gives `h` with `h[x]`, `h[y]`, the
/// derivative of the gradient in that direction: one forward sweep over the gradient, no Hessian.
template <Expression F, class... Bindings>
constexpr auto hvp(const F& f, const tangents<Bindings...>& direction) {
  return formula_hvp<F, typename detail::formula_variables<F>::type, Bindings...>(f, direction);
}

}  // namespace tapeless

#endif
