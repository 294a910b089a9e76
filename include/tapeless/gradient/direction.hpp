#pragma once

#include <tapeless/gradient/formula/formula_call.hpp>
#include <tapeless/gradient/function/function_inputs.hpp>
#include <tapeless/program/schedule/pair_rows.hpp>

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tapeless {

namespace detail {

/// What tangents and cotangents keep of a value: of one with tensors in it where it is, else the value itself.
template <class T>
using kept_t =
    std::conditional_t<std::is_array_v<std::remove_cvref_t<T>> ||
                           ((shape_of<std::remove_cvref_t<T>>::over_tensors || is_vector<std::remove_cvref_t<T>>) &&
                            std::is_lvalue_reference_v<T>),
                       tensor_reference<std::remove_cvref_t<T>>, std::remove_cvref_t<T>>;
template <class T>
constexpr kept_t<T&&> keep(T&& value) {
  if constexpr (is_bound_tensor<kept_t<T&&>>)
    return {__builtin_addressof(value)};
  else
    return static_cast<T&&>(value);
}

/// Whether something may be a tangent or a cotangent; text is none.
template <class T>
inline constexpr bool is_direction_value =
    (shape_of<T>::valid || shape_of<T>::over_tensors || is_vector<T> || is_matrix_rows<T>) &&
    !std::is_same_v<std::remove_all_extents_t<T>, char>;

template <class B>
inline constexpr bool is_named_number = false;
template <class V, class T>
inline constexpr bool is_named_number<binding<V, T>> =
    Numeric<T> || is_constant<T> || is_traced<T> || is_bound_tensor<T>;

/// The inputs of a formula or function, and after them, from variable `First` on, seeds: tangents or
/// cotangents.
template <class T, class Inputs, class Numbers, int First>
struct extended_inputs {
  Inputs inputs;
  const Numbers& seeds;

  template <int I>
  TAPELESS_ALWAYS_INLINE constexpr auto variable() const {
    if constexpr (I < First)
      return inputs.template variable<I>();
    else if constexpr (const auto& given = std::get<static_cast<std::size_t>(I - First)>(seeds);
                       requires { given.view(); })
      return given.view();
    else
      return static_cast<T>(immediate<T>(given));
  }
  template <int I>
  TAPELESS_ALWAYS_INLINE constexpr T number() const {
    return inputs.template number<I>();
  }
};

/// Evaluates for the verb `V` the finished program `P`, whose variables from number `First` on are `seeds`: tangents
/// or cotangents. Jacobians are computed part by part, as they are read.
template <verb V, class P, class T, int First, class Inputs, class Numbers>
TAPELESS_ALWAYS_INLINE constexpr auto evaluate_for(const Inputs& inputs, const Numbers& seeds) {
  if constexpr (V.what == derives::jacobian)
    return scalar::evaluation<typename program::paired<P, T>::type, T>(inputs, scalar::in_parts{});
  else if constexpr (std::tuple_size_v<Numbers> == 0)
    return scalar::evaluation<typename program::paired<P, T>::type, T>(inputs);
  else
    return scalar::evaluation<P, T>(extended_inputs<T, Inputs, Numbers, First>{inputs, seeds});
}

}  // namespace detail

/// Tangents of variables: the direction of a directional derivative.
template <class... Bindings>
struct tangents {
  using variables = wrt_variables<typename Bindings::variable_type...>;
  std::tuple<Bindings...> bindings;

  /// What the seeds of a program of numbers are.
  template <class T>
  TAPELESS_ALWAYS_INLINE constexpr auto numbers() const {
    return std::apply([](const auto&... given) { return std::tuple(given.value...); }, bindings);
  }
};

/// Numbers, arrays, structs and tensors in their order: tangents of a function's arguments, or the weights of outputs.
template <class... Ts>
struct argument_tangents {
  using layout = detail::argument_layout<typename detail::kept<Ts>::type...>;
  static constexpr std::size_t size = layout::size;
  static constexpr bool over_tensors = (detail::shape_of<typename detail::kept<Ts>::type>::over_tensors || ...);
  std::tuple<Ts...> values;

  template <class F>
  TAPELESS_ALWAYS_INLINE constexpr auto apply(const F& f) const {
    return std::apply([&](const auto&... value) { return f(detail::kept<Ts>::get(value)...); }, values);
  }
  /// The numbers at the given places among all.
  template <class T, int... Places>
  TAPELESS_ALWAYS_INLINE constexpr auto numbers_at(std::integer_sequence<int, Places...>) const {
    return apply([](const auto&... each) {
      [[maybe_unused]] const detail::function_inputs<T, std::remove_cvref_t<decltype(each)>...> numbers(each...);
      return std::tuple<decltype(numbers.template variable<Places>())...>{numbers.template variable<Places>()...};
    });
  }
};

/// Cotangents of outputs: the weights of a pullback.
template <class... Ts>
struct cotangents : argument_tangents<Ts...> {
  using variables = wrt_variables<>;

  template <class T>
  TAPELESS_ALWAYS_INLINE constexpr auto numbers() const {
    return this->template numbers_at<T>(std::make_integer_sequence<int, static_cast<int>(cotangents::size)>{});
  }
};

/// `tangent(x = 1.0, y = 0.5)`: a direction for a formula, zero for every variable not named. For a function,
/// `tangent(1.0, std::array{0.5, 2.0})` has a number, array, struct or tensor for each argument. Tensors are referred
/// to, not copied.
template <class... Ts>
constexpr auto tangent(Ts&&... values) {
  constexpr bool lists = (is_binding_list<std::remove_cvref_t<Ts>> || ...);
  constexpr bool named = (detail::is_named_number<std::remove_cvref_t<Ts>> && ...);
  constexpr bool numbers = (detail::is_direction_value<std::remove_cvref_t<Ts>> && ...);
  constexpr bool valid = lists || named || numbers;
  static_assert(valid,
                "tapeless: tangent takes named numbers or tensors, tangent(x = 1.0); for a function it takes numbers, "
                "arrays, structs and tensors by position [TL059]");
  if constexpr (lists)
    return detail::with_bindings([](const auto&... all) { return tangent(all...); }, values...);
  else if constexpr (named)
    return tangents<std::remove_cvref_t<Ts>...>{{values...}};
  else if constexpr (numbers)
    return argument_tangents<detail::kept_t<Ts&&>...>{{detail::keep(static_cast<Ts&&>(values))...}};
  else
    return detail::no_result{};
}

/// `cotangent(1.0, 0.5)`: one number or tensor for each output, in the order of `outputs(...)` or of the function's
/// result. An array, tuple or struct stands for its numbers. Tensors are referred to, not copied.
template <class... Ts>
constexpr auto cotangent(Ts&&... values) {
  constexpr bool numbers = (detail::is_direction_value<std::remove_cvref_t<Ts>> && ...);
  static_assert(numbers,
                "tapeless: cotangent takes one number or tensor for each output, in the order of outputs(...) [TL060]");
  if constexpr (numbers)
    return cotangents<detail::kept_t<Ts&&>...>{{{detail::keep(static_cast<Ts&&>(values))...}}};
  else
    return detail::no_result{};
}

}  // namespace tapeless
