#ifndef TAPELESS_GRADIENT_JVP_HPP
#define TAPELESS_GRADIENT_JVP_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/core/target.hpp>
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

namespace detail {

template <class B>
inline constexpr bool is_named_number = false;
template <class V, class T>
inline constexpr bool is_named_number<binding<V, T>> =
    Numeric<T> || is_constant<T> || is_traced<T> || is_bound_tensor<T>;

/// The same over tensors: tensor.hpp.
inline namespace TAPELESS_TARGET {
template <class F, class... Tangents>
struct tensor_jvp;
template <class F, class Variables, class... Tangents>
struct tensor_hvp;
}  // namespace TAPELESS_TARGET

}  // namespace detail

/// `tangent(x = 1.0, y = 0.5)`: a direction for a formula, zero for every variable not named;
/// `tangent(1.0, std::array{0.5, 2.0})`: for a function, a number, array or struct for each argument.
template <class... Ts>
constexpr auto tangent(const Ts&... values) {
  constexpr bool lists = (is_binding_list<Ts> || ...);
  constexpr bool named = (detail::is_named_number<Ts> && ...), numbers = (detail::shape_of<Ts>::valid && ...);
  constexpr bool valid = lists || named || numbers;
  static_assert(
      valid, "tapeless: tangent takes named numbers, tangent(x = 1.0), or for a function numbers, arrays and structs");
  if constexpr (lists)
    return detail::with_bindings([](const auto&... all) { return tangent(all...); }, values...);
  else if constexpr (named)
    return tangents<Ts...>{{values...}};
  else if constexpr (numbers)
    return argument_tangents<Ts...>{{values...}};
  else
    return detail::no_result{};
}

namespace detail {

/// The inputs of a formula, and after them, from variable `First` on, further numbers: tangents or cotangents.
template <class T, class Inputs, class Numbers, int First>
struct extended_inputs {
  Inputs inputs;
  const Numbers& further;

  template <int I>
  TAPELESS_ALWAYS_INLINE constexpr auto variable() const {
    if constexpr (I < First)
      return inputs.template variable<I>();
    else
      return immediate<T>(std::get<static_cast<std::size_t>(I - First)>(further));
  }
  template <int I>
  TAPELESS_ALWAYS_INLINE constexpr T number() const {
    return inputs.template number<I>();
  }
};

/// Evaluates the finished program `P`, made from the program `Source` of the formula `f`, whose variables after those
/// of `Source` have the values `further`.
template <class T, class Source, class P, class F, class Numbers, class... Bindings>
TAPELESS_ALWAYS_INLINE constexpr auto evaluate_extended(const F& f, const Numbers& further,
                                                        const Bindings&... bindings) {
  using inputs = bound_inputs<T, Source, typename all_variables<Source>::type, Bindings...>;
  constexpr int first = static_cast<int>(Source::value.variables.size());
  return scalar::evaluation<P, T>(extended_inputs<T, inputs, Numbers, first>{inputs(f, bindings...), further});
}

/// The numbers at the given places among those of tangents.
template <class T, class... Ts, int... Places>
TAPELESS_ALWAYS_INLINE constexpr auto numbers_in(const argument_tangents<Ts...>& given,
                                                 std::integer_sequence<int, Places...>) {
  return std::apply(
      [](const auto&... values) {
        [[maybe_unused]] const function_inputs<T, Ts...> numbers(values...);
        return std::array<T, sizeof...(Places)>{numbers.template variable<Places>()...};
      },
      given.values);
}

/// Evaluates the finished program `P`, made from the program of a function, whose variables after the arguments' are
/// the numbers at the given places among those of `further`.
template <class T, class P, class... Ts, class Places, class... Args>
TAPELESS_ALWAYS_INLINE constexpr auto evaluate_along(const argument_tangents<Ts...>& further, Places places,
                                                     const Args&... args) {
  using inputs = function_inputs<T, Args...>;
  using numbers = std::array<T, Places::size()>;
  constexpr int first = static_cast<int>(argument_layout<Args...>::size);
  const numbers given = numbers_in<T>(further, places);
  return scalar::evaluation<P, T>(extended_inputs<T, inputs, numbers, first>{inputs(args...), given});
}

/// Outputs: the tangents of the outputs of `Source` from number `Begin` on; it has `End`.
template <class Source, std::size_t Begin, std::size_t End, class Variables>
struct tangent_program;
template <class Source, std::size_t Begin, std::size_t End, int... Variables>
struct tangent_program<Source, Begin, End, std::integer_sequence<int, Variables...>> {
  using type =
      program::finished<program::frozen<program::append_tangents<Source, Begin, Variables...>>, End, 2 * End - Begin>;
};

/// The values of bindings, in their order.
template <class... Bindings>
TAPELESS_ALWAYS_INLINE constexpr auto values_of(const std::tuple<Bindings...>& bindings) {
  return std::apply([](const auto&... given) { return std::tuple(given.value...); }, bindings);
}

/// Without those that are zero by structure: of tensors they would have no shape.
template <class... Bindings>
constexpr auto without_zeros(const std::tuple<Bindings...>& bindings) {
  const auto keep = [](const auto& given) {
    if constexpr (is_zero<std::remove_cvref_t<decltype(given.value)>>)
      return std::tuple();
    else
      return std::tuple(given);
  };
  return std::apply([&](const auto&... given) { return std::tuple_cat(keep(given)...); }, bindings);
}

}  // namespace detail

/// The directional derivative of a formula as a function of its variables' values; made by `jvp`.
template <class F, class... Tangents>
class formula_jvp : public called_with_values<formula_jvp<F, Tangents...>> {
 public:
  static constexpr bool is_forward = true;
  using source = detail::lowered<F>;
  using requested = wrt_variables<typename Tangents::variable_type...>;
  using directions = requested;
  static constexpr bool over_tensors = Expression<F>;
  template <class Source>
  using evaluated = typename detail::tangent_program<Source, 0, Source::value.outputs.size(),
                                                     detail::indices_in_t<Source, requested>>::type;

  constexpr formula_jvp(const F& wrapped, const tangents<Tangents...>& direction)
      : f_(wrapped), direction_(direction) {}

 private:
  friend called_with_values<formula_jvp>;
  [[no_unique_address]] F f_;
  tangents<Tangents...> direction_;

  template <class... Bindings>
  TAPELESS_ALWAYS_INLINE constexpr auto run(const Bindings&... bindings) const {
    if constexpr ((detail::is_tensor_argument<Bindings> || ...)) {
      return std::apply(
          [&](const auto&... along) {
            return detail::tensor_jvp<F, std::remove_cvref_t<decltype(along)>...>::run(f_, std::tuple(along...),
                                                                                       bindings...);
          },
          detail::without_zeros(direction_.bindings));
    } else {
      using T = detail::evaluation_type_t<F, Bindings...>;
      const auto done = detail::evaluate_extended<T, source, evaluated<source>>(
          f_, detail::values_of(direction_.bindings), bindings...);
      if constexpr (Expression<F>)
        return done.template output<0>();
      else
        return detail::shape_of<std::array<T, source::value.outputs.size()>>::template read<T, 0>(done);
    }
  }
};

/// The directional derivative of a traced function as a function of its arguments; made by `jvp`.
template <class F, class... Ts>
class function_jvp : public detail::function_verb<function_jvp<F, Ts...>, F> {
  friend detail::function_verb<function_jvp<F, Ts...>, F>;

 public:
  static constexpr bool is_forward = true;
  static constexpr bool one_output = false, passes_integers = true;
  template <class... Args>
  static constexpr bool fits = detail::argument_layout<Ts...>::size == detail::argument_layout<Args...>::size;
  template <class Source, class Variables>
  using evaluated = typename detail::tangent_program<Source, 0, Source::value.outputs.size(), Variables>::type;

  constexpr explicit function_jvp(const argument_tangents<Ts...>& along) : direction_(along) {}

 private:
  argument_tangents<Ts...> direction_;

  template <std::size_t... P, class... Args>
  TAPELESS_ALWAYS_INLINE constexpr auto run(std::index_sequence<P...>, const Args&... args) const {
    using T = detail::function_real_t<Args...>;
    using source = detail::traced_program<F, Args...>;
    using variables = typename detail::argument_layout<Args...>::template variables<P...>;
    constexpr std::size_t n = source::value.outputs.size();
    const auto done = detail::evaluate_along<T, evaluated<source, variables>>(direction_, variables{}, args...);
    if constexpr (n == 1)
      return static_cast<T>(done.template output<0>());
    else
      return detail::shape_of<std::array<T, n>>::template read<T, 0>(done);
  }
};

/// The Hessian-vector product of a formula as a function of its variables' values; made by `hvp`.
template <class F, class Variables, class... Tangents>
class formula_hvp;
template <class F, class... Vs, class... Tangents>
class formula_hvp<F, wrt_variables<Vs...>, Tangents...>
    : public called_with_values<formula_hvp<F, wrt_variables<Vs...>, Tangents...>> {
 public:
  using source = detail::lowered<F>;
  using requested = wrt_variables<Vs...>;
  static constexpr bool of_one_number = true;
  using directions = wrt_variables<typename Tangents::variable_type...>;
  template <class Source>
  using evaluated = typename detail::tangent_program<typename detail::gradient_program<Source, requested>::type, 1,
                                                     1 + sizeof...(Vs), detail::indices_in_t<Source, directions>>::type;

  constexpr formula_hvp(const F& wrapped, const tangents<Tangents...>& direction)
      : f_(wrapped), direction_(direction) {}

 private:
  friend called_with_values<formula_hvp>;
  [[no_unique_address]] F f_;
  tangents<Tangents...> direction_;

  template <class... Bindings>
  TAPELESS_ALWAYS_INLINE constexpr auto run(const Bindings&... bindings) const {
    if constexpr ((detail::is_tensor_argument<Bindings> || ...)) {
      return std::apply(
          [&](const auto&... along) {
            return detail::tensor_hvp<F, requested, std::remove_cvref_t<decltype(along)>...>::run(
                f_, std::tuple(along...), bindings...);
          },
          detail::without_zeros(direction_.bindings));
    } else {
      using T = detail::evaluation_type_t<F, Bindings...>;
      return detail::read_gradient<unconnected::structural_policy, requested, 0>(
          detail::evaluate_extended<T, source, evaluated<source>>(f_, detail::values_of(direction_.bindings),
                                                                  bindings...));
    }
  }
};

/// The Hessian-vector product of a traced function as a function of its arguments; made by `hvp`.
template <class F, class... Ts>
class function_hvp : public detail::function_verb<function_hvp<F, Ts...>, F> {
  friend detail::function_verb<function_hvp<F, Ts...>, F>;

 public:
  static constexpr bool one_output = true, passes_integers = true;
  template <class... Args>
  static constexpr bool fits = detail::argument_layout<Ts...>::size == detail::argument_layout<Args...>::size;
  template <class Source, class Variables>
  using evaluated = typename detail::tangent_program<typename detail::gradient_program<Source, Variables>::type, 1,
                                                     1 + Variables::size(), Variables>::type;

  constexpr explicit function_hvp(const argument_tangents<Ts...>& along) : direction_(along) {}

 private:
  argument_tangents<Ts...> direction_;

  template <std::size_t... P, class... Args>
  TAPELESS_ALWAYS_INLINE constexpr auto run(std::index_sequence<P...>, const Args&... args) const {
    using T = detail::function_real_t<Args...>;
    using layout = detail::argument_layout<Args...>;
    using variables = typename layout::template variables<P...>;
    return layout::template read<T, 0, P...>(
        detail::evaluate_along<T, evaluated<detail::traced_program<F, Args...>, variables>>(direction_, variables{},
                                                                                            args...));
  }
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
template <class... Ts>
constexpr auto jvp(const Ts&...) {
  static_assert(
      detail::is_reported<Ts...>,
      "tapeless: jvp takes a formula or outputs(...) and named tangents, jvp(f, tangent(x = 1.0)), or a lambda "
      "or another function object and tangents by position, jvp([](auto a) { return a * a; }, tangent(1.0))");
  return detail::no_result{};
}

/// The Hessian-vector product: `hvp(f, tangent(x = 1.0))(x = 2.0, y = 3.0)` gives `h` with `h[x]`, `h[y]`, the
/// derivative of the gradient in that direction: one forward sweep over the gradient, no Hessian.
template <Expression F, class... Vs, class... Bindings>
constexpr auto hvp(const F& f, wrt_variables<Vs...>, const tangents<Bindings...>& direction) {
  return formula_hvp<F, wrt_variables<Vs...>, Bindings...>(f, direction);
}
template <Expression F, class... Bindings>
constexpr auto hvp(const F& f, const tangents<Bindings...>& direction) {
  return formula_hvp<F, typename detail::formula_variables<F>::type, Bindings...>(f, direction);
}

/// The same of a function: `hvp(f, tangent(1.0, 0.5))(2.0, 3.0)`, in the shapes of `gradient(f)`.
template <Function F, class... Ts>
constexpr auto hvp(const F&, const argument_tangents<Ts...>& direction) {
  return function_hvp<F, Ts...>(direction);
}
template <class... Ts>
constexpr auto hvp(const Ts&...) {
  static_assert(detail::is_reported<Ts...>,
                "tapeless: hvp takes a formula and named tangents, hvp(f, tangent(x = 1.0)), or a lambda or another "
                "function object and tangents by position, hvp([](auto a) { return a * a; }, tangent(1.0))");
  return detail::no_result{};
}

}  // namespace tapeless

#endif
