#ifndef TAPELESS_GRADIENT_ARGUMENTS_HPP
#define TAPELESS_GRADIENT_ARGUMENTS_HPP

#include <tapeless/core/apply.hpp>
#include <tapeless/core/constant.hpp>
#include <tapeless/core/named.hpp>
#include <tapeless/core/number.hpp>
#include <tapeless/core/stop_gradient.hpp>
#include <tapeless/core/variable.hpp>
#include <tapeless/evaluate/scalar.hpp>
#include <tapeless/gradient/outputs.hpp>
#include <tapeless/gradient/wrt.hpp>
#include <tapeless/program/pass.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>

namespace tapeless {

/// Each mistake in a call is a type of its own, so that a compiler's message names the variable.
namespace error {

template <class V>
struct variable_without_value {
  static_assert(detail::always_false<V>,
                "tapeless: a variable of the formula has no value; bind every variable: f(x = 1.0, y = 2.0)");
};
template <class V>
struct variable_not_in_formula {
  static_assert(detail::always_false<V>, "tapeless: a value is given for a variable that the formula does not contain");
};
template <class V>
struct variable_bound_twice {
  static_assert(detail::always_false<V>, "tapeless: a variable is given two values");
};
template <class T>
struct argument_is_no_binding {
  static_assert(detail::always_false<T>, "tapeless: a formula is called with named values: f(x = 1.0, y = 2.0)");
};
template <class V>
struct variable_bound_to_formula {
  static_assert(detail::always_false<V>,
                "tapeless: a variable is given a formula for its value; bind a number: x = 1.0");
};
template <class V>
struct derivative_by_integer {
  static_assert(detail::always_false<V>,
                "tapeless: no derivative with respect to an integer; bind a floating-point number: x = 1.0");
};

}  // namespace error

namespace detail {

/// The number type a computation runs in: the common type of the real arguments; `double` if all are integers.
template <class... Ts>
struct common_real {
  using type = double;
};
template <class T, class... Ts>
  requires(!Real<T>)
struct common_real<T, Ts...> : common_real<Ts...> {};
template <Real T>
struct common_real<T> {
  using type = T;
};
template <Real T, class U, class... Ts>
  requires(!Real<U>)
struct common_real<T, U, Ts...> : common_real<T, Ts...> {};
template <Real T, Real U, class... Ts>
struct common_real<T, U, Ts...> : common_real<std::common_type_t<T, U>, Ts...> {};
template <class... Ts>
using common_real_t = typename common_real<Ts...>::type;

template <class F>
struct lowering_of {
  using type = program::frozen<program::lower_formulas<F>>;
};
template <class... Fs>
struct lowering_of<output_list<Fs...>> {
  using type = program::frozen<program::lower_formulas<Fs...>>;
};
/// The program of the values of a formula or of several.
template <class F>
using lowered = typename lowering_of<F>::type;

/// The index of a variable in a program; -1 if the program does not have it.
template <class Program>
constexpr int variable_index(const Program& p, std::string_view name) {
  for (std::size_t i = 0; i < p.variables.size(); ++i)
    if (p.variables[i] == name) return static_cast<int>(i);
  return -1;
}

template <class Source, std::size_t I>
using variable_at = Variable<fixed_string<Source::value.variables[I].size() + 1>(Source::value.variables[I])>;

/// The variables of a lowered formula, in order of first appearance.
template <class Source, class = std::make_index_sequence<Source::value.variables.size()>>
struct all_variables;
template <class Source, std::size_t... I>
struct all_variables<Source, std::index_sequence<I...>> {
  using type = wrt_variables<variable_at<Source, I>...>;
};

template <class V, class... Vs>
inline constexpr bool is_one_of = (std::same_as<V, Vs> || ...);

template <class B, class Wrt, class Formula, class... Bindings>
struct check_binding;
template <class B, class... Vs, class... Us, class... Bindings>
struct check_binding<B, wrt_variables<Vs...>, wrt_variables<Us...>, Bindings...> {
  using V = typename B::variable_type;
  static constexpr bool twice = (std::same_as<V, typename Bindings::variable_type> + ...) > 1;
  static constexpr bool unknown = !is_one_of<V, Us...> && !is_one_of<V, Vs...>;
  static constexpr bool integer = is_one_of<V, Vs...> && std::integral<typename B::value_type>;
  static constexpr bool value = [] {
    if constexpr (twice)
      static_cast<void>(error::variable_bound_twice<V>{});
    else if constexpr (unknown)
      static_cast<void>(error::variable_not_in_formula<V>{});
    else if constexpr (integer)
      static_cast<void>(error::derivative_by_integer<V>{});
    return !twice && !unknown && !integer;
  }();
};

template <class V, class... Bindings>
constexpr bool check_variable() {
  constexpr bool bound = (std::same_as<V, typename Bindings::variable_type> || ... || false);
  if constexpr (!bound) static_cast<void>(error::variable_without_value<V>{});
  return bound;
}

template <class T>
constexpr bool check_argument() {
  if constexpr (!is_binding<T>) {
    static_cast<void>(error::argument_is_no_binding<T>{});
    return false;
  } else if constexpr (!Numeric<typename T::value_type>) {
    static_cast<void>(error::variable_bound_to_formula<typename T::variable_type>{});
    return false;
  } else
    return true;
}

/// Checks the values given for the variables `Us` of a formula, once, at the public function.
template <class... Bindings, class... Vs, class... Us>
constexpr bool check_bindings(wrt_variables<Vs...> /*requested*/, wrt_variables<Us...> /*formula*/) {
  if constexpr ((check_argument<Bindings>() && ...)) {
    if constexpr ((check_binding<Bindings, wrt_variables<Vs...>, wrt_variables<Us...>, Bindings...>::value && ...))
      return (check_variable<Us, Bindings...>() && ...);
    else
      return false;
  } else
    return false;
}

// The run-time numbers of a formula, in the order of its lowering.
template <class T, class Op, class... Es>
TAPELESS_ALWAYS_INLINE constexpr void numbers_of(const Apply<Op, Es...>& e, T*& to);
template <class T, class N>
TAPELESS_ALWAYS_INLINE constexpr void numbers_of(const Number<N>& e, T*& to) {
  *to++ = static_cast<T>(e.value);
}
template <class T, class E, fixed_string Name>
TAPELESS_ALWAYS_INLINE constexpr void numbers_of(const StopGradient<E, Name>& e, T*& to) {
  if constexpr (!std::is_empty_v<E>) numbers_of(e.operand, to);
}
template <class T, class Op, class... Es>
TAPELESS_ALWAYS_INLINE constexpr void numbers_of(const Apply<Op, Es...>& e, T*& to) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    const auto visit = [&](const auto& operand) {
      if constexpr (!std::is_empty_v<std::remove_cvref_t<decltype(operand)>>) numbers_of(operand, to);
    };
    (visit(e.template operand<I>()), ...);
  }(std::index_sequence_for<Es...>{});
}

template <class T, class... Fs>
TAPELESS_ALWAYS_INLINE constexpr void numbers_of(const output_list<Fs...>& e, T*& to) {
  const auto visit = [&](const auto& wrapped) {
    if constexpr (!std::is_empty_v<std::remove_cvref_t<decltype(wrapped)>>) numbers_of(wrapped, to);
  };
  std::apply([&](const auto&... wrapped) { (visit(wrapped), ...); }, e.formulas);
}

/// What a formula is evaluated with: the values bound to its variables and the numbers it carries.
template <class T, class Source, class Variables, class... Bindings>
class bound_inputs;
template <class T, class Source, class... Us, class... Bindings>
class bound_inputs<T, Source, wrt_variables<Us...>, Bindings...> {
  std::tuple<const Bindings&...> bindings_;
  std::array<T, static_cast<std::size_t>(Source::value.numbers)> numbers_{};

 public:
  template <class F>
  TAPELESS_ALWAYS_INLINE constexpr explicit bound_inputs(const F& wrapped, const Bindings&... bindings)
      : bindings_(bindings...) {
    if constexpr (Source::value.numbers > 0) {
      T* to = numbers_.data();
      numbers_of(wrapped, to);
    }
  }

  constexpr const auto& numbers() const { return numbers_; }

  template <int I>
  TAPELESS_ALWAYS_INLINE constexpr T variable() const {
    using V = typename type_at<static_cast<std::size_t>(I), Us...>::type;
    constexpr std::size_t position = [] {
      std::size_t index = 0;
      static_cast<void>(((std::same_as<V, typename Bindings::variable_type> ? true : (++index, false)) || ...));
      return index;
    }();
    return static_cast<T>(std::get<position>(bindings_).value);
  }
  template <int I>
  TAPELESS_ALWAYS_INLINE constexpr T number() const {
    return numbers_[static_cast<std::size_t>(I)];
  }
};

}  // namespace detail

}  // namespace tapeless

#endif
