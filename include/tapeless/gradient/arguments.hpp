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

template <class R>
struct into_result;

/// Each mistake in a call is a type of its own, so that a compiler's message names the variable.
namespace error {

template <class V>
struct variable_without_value {
  static_assert(detail::always_false<V>,
                "tapeless: a variable of the formula has no value; bind every variable: f(x = 1.0, y = 2.0)");
};
template <class F>
struct formula_shares_too_much {
  static_assert(detail::always_false<F>,
                "tapeless: a formula shares so much that its type's name has more than 100000 parts; name its steps, "
                "`struct step : named<step, decltype(e)> {};`, or write a function");
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

/// Whether a value of a call is a tensor.
template <class T>
inline constexpr bool is_tensor_argument = false;
template <class V, class T>
inline constexpr bool is_tensor_argument<binding<V, T>> = is_bound_tensor<T>;

/// What is wrong with one of the values of a call; `void` if nothing.
template <class B>
constexpr auto argument_problem() {
  if constexpr (!is_binding<B>)
    return std::type_identity<error::argument_is_no_binding<B>>{};
  else if constexpr (!Numeric<typename B::value_type> && !is_bound_tensor<typename B::value_type>)
    return std::type_identity<error::variable_bound_to_formula<typename B::variable_type>>{};
  else
    return std::type_identity<void>{};
}
template <class B, class... Bindings, class... Vs, class... Us>
constexpr auto binding_problem(wrt_variables<Vs...> /*requested*/, wrt_variables<Us...> /*formula*/) {
  using V = typename B::variable_type;
  if constexpr ((0 + ... + std::same_as<V, typename Bindings::variable_type>) > 1)
    return std::type_identity<error::variable_bound_twice<V>>{};
  else if constexpr (!is_one_of<V, Us...> && !is_one_of<V, Vs...>)
    return std::type_identity<error::variable_not_in_formula<V>>{};
  else if constexpr (is_one_of<V, Vs...> && std::integral<typename B::value_type>)
    return std::type_identity<error::derivative_by_integer<V>>{};
  else
    return std::type_identity<void>{};
}
template <class V, class... Bindings>
constexpr auto variable_problem() {
  if constexpr ((std::same_as<V, typename Bindings::variable_type> || ... || false))
    return std::type_identity<void>{};
  else
    return std::type_identity<error::variable_without_value<V>>{};
}

/// The first problem there is.
constexpr auto first_problem() { return std::type_identity<void>{}; }
template <class Problem, class... Problems>
constexpr auto first_problem(std::type_identity<Problem>, Problems... problems) {
  if constexpr (std::is_void_v<Problem>)
    return first_problem(problems...);
  else
    return std::type_identity<Problem>{};
}

template <class... Bindings, class... Vs, class... Us>
constexpr auto call_problem(wrt_variables<Vs...> requested, wrt_variables<Us...> formula) {
  constexpr auto arguments = first_problem(argument_problem<Bindings>()...);
  if constexpr (!std::is_void_v<typename decltype(arguments)::type>)
    return arguments;
  else
    return first_problem(binding_problem<Bindings, Bindings...>(requested, formula)...,
                         variable_problem<Us, Bindings...>()...);
}

template <class Source, class Requested, class... Bindings>
struct call_problem_of {
  using type = typename decltype(call_problem<Bindings...>(Requested{}, typename all_variables<Source>::type{}))::type;
};
template <class Requested, class... Bindings>
struct call_problem_of<program::frozen<program::lower_formulas<error::formula_too_large>>, Requested, Bindings...> {
  using type = error::formula_shares_too_much<Requested>;
};

/// What keeps a formula whose program is `Source` from being called with these values, `void` if nothing: asked once,
/// at the public function, which reports the problem and computes nothing if there is one.
template <class Source, class Requested, class... Bindings>
using call_problem_t = typename call_problem_of<Source, Requested, Bindings...>::type;

/// Stands for a result after an error, so that the error stays the only message.
struct no_result {
  double value = 0;
  constexpr operator double() const { return value; }
  template <class... Ts>
  constexpr const no_result& operator()(const Ts&...) const {
    return *this;
  }
  template <class T>
  constexpr const no_result& operator[](const T&) const {
    return *this;
  }
};

template <class Problem>
constexpr no_result report() {
  static_cast<void>(sizeof(Problem));
  return {};
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
