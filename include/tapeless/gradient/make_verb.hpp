#ifndef TAPELESS_GRADIENT_MAKE_VERB_HPP
#define TAPELESS_GRADIENT_MAKE_VERB_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/core/freeze.hpp>
#include <tapeless/gradient/formula/formula_verb.hpp>
#include <tapeless/gradient/function/function_verb.hpp>
#include <tapeless/gradient/unconnected.hpp>
#include <tapeless/gradient/wrt.hpp>

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

/// Where a verb and an operand are joined: the options are read here, once for all verbs.
namespace tapeless::detail {

template <class Option>
inline constexpr bool is_wrt_list = false;
template <class... Vs>
inline constexpr bool is_wrt_list<wrt_variables<Vs...>> = true;
template <class Option>
inline constexpr bool is_stop_list = false;
template <class... Hs>
inline constexpr bool is_stop_list<stop_list<Hs...>> = true;
template <class Option>
inline constexpr bool is_further = is_named_direction<Option> || is_direction<Option> || is_cotangents<Option>;

/// Whether the operand `F` is one whose variables have names.
template <class F>
inline constexpr bool has_names = Expression<F> || is_outputs<F>;

/// Whether an option says what to differentiate by in the way of the operand `F`, or something else.
template <class F, class Option>
inline constexpr bool is_option_of =
    (has_names<F> ? is_wrt_list<Option> : is_positions<Option>) || is_policy<Option> || is_stop_list<Option> ||
    (has_names<F> ? is_named_direction<Option> : is_direction<Option>) || is_cotangents<Option>;

/// Whether the verb `V` takes the operand `F` and, first of the options, `Option`.
template <verb V, class F, class Option = unconnected::structural_policy, class...>
inline constexpr bool takes_operand =
    (Expression<F> || Function<F> || (is_outputs<F> && !V.of_one_number())) && is_option_of<F, Option>;

/// How many options are the tangents or cotangents that the verb `V` takes of the operand `F`.
template <verb V, class F, class... Options>
inline constexpr int directions_given =
    (0 + ... +
     (V.is_along()                  ? (has_names<F> ? is_named_direction<Options> : is_direction<Options>)
      : V.what == derives::pullback ? is_cotangents<Options>
                                    : 0));
template <verb V, class F, class... Options>
inline constexpr bool gives_direction =
    directions_given<V, F, Options...> == (V.is_along() || V.what == derives::pullback ? 1 : 0) &&
    (0 + ... + is_further<Options>) == directions_given<V, F, Options...>;

/// The option of a kind, `Otherwise` if there is none.
template <class Otherwise, class... Options>
struct chosen_policy {
  using type = Otherwise;
};
template <class Otherwise, class Option, class... Options>
struct chosen_policy<Otherwise, Option, Options...> : chosen_policy<Otherwise, Options...> {};
template <class Otherwise, class Option, class... Options>
  requires is_policy<Option>
struct chosen_policy<Otherwise, Option, Options...> : chosen_policy<Option, Options...> {};

template <class... Options>
struct chosen_wrt {
  using type = void;
};
template <class Option, class... Options>
struct chosen_wrt<Option, Options...> : chosen_wrt<Options...> {};
template <class... Vs, class... Options>
struct chosen_wrt<wrt_variables<Vs...>, Options...> {
  using type = wrt_variables<Vs...>;
};
template <std::size_t... I, class... Options>
struct chosen_wrt<wrt_positions<I...>(), Options...> {
  using type = std::index_sequence<I...>;
};
template <std::size_t... I, class... Options>
struct chosen_wrt<wrt_positions<I...> (*)(), Options...> {
  using type = std::index_sequence<I...>;
};

constexpr nothing_further further_in() { return {}; }
template <class Option, class... Options>
constexpr auto further_in(const Option& option, const Options&... options) {
  if constexpr (is_further<Option>)
    return option;
  else
    return further_in(options...);
}

/// The formula with the subexpressions that the options name stopped. What is asked for keeps its direct partial
/// derivative.
template <class Wrt, class F>
constexpr auto stopped(const F& f) {
  return f;
}
template <class Wrt, class F, class Option, class... Options>
constexpr auto stopped(const F& f, const Option&, const Options&... options);
template <class Wrt, class H>
struct kept_open : std::false_type {};
template <class... Vs, class H>
struct kept_open<wrt_variables<Vs...>, H> : std::bool_constant<is_one_of<H, Vs...>> {};
template <class Wrt, class F, class... Hs>
constexpr auto with_stops(const F& f, stop_list<Hs...>) {
  if constexpr (is_outputs<F>)
    return std::apply([](const auto&... each) { return outputs(with_stops<Wrt>(each, stop_list<Hs...>{})...); },
                      f.formulas);
  else
    return stopping<F, std::conditional_t<kept_open<Wrt, Hs>::value, void, Hs>...>::of(f);
}
template <class Wrt, class F, class Option, class... Options>
constexpr auto stopped(const F& f, const Option& option, const Options&... options) {
  if constexpr (is_stop_list<Option>)
    return stopped<Wrt>(with_stops<Wrt>(f, option), options...);
  else
    return stopped<Wrt>(f, options...);
}

/// Whether what an option names occurs in the operand.
template <class F, class H>
inline constexpr bool occurs_in_any = occurs_in<F, H>::value;
template <class... Fs, class H>
inline constexpr bool occurs_in_any<output_list<Fs...>, H> = (occurs_in<Fs, H>::value || ...);
template <class F, class Option>
inline constexpr bool names_parts_of = true;
template <class F, class... Hs>
inline constexpr bool names_parts_of<F, stop_list<Hs...>> = has_names<F> && (occurs_in_any<F, Hs> && ...);

/// What is wrong with a verb under its policy; `void` if nothing.
template <class F, class Variables, class Policy>
struct policy_problem {
  using type = void;
};
template <class F, class... Vs>
struct policy_problem<F, wrt_variables<Vs...>, unconnected::strict_policy> {
  using type = typename decltype(first_problem(connection_problem<F, Vs>()...))::type;
};

template <class F, class Wrt>
struct variables_asked {
  using type = Wrt;
};
template <class F>
struct variables_asked<F, void> {
  using type = typename all_variables<lowered<F>>::type;
};
template <class Positions>
struct positions_asked {
  using type = Positions;
};
template <>
struct positions_asked<void> {
  using type = std::index_sequence<>;
};

/// Whether all of the first variables are among the second.
template <class Us, class Vs>
inline constexpr bool all_among = true;
template <class... Us, class... Vs>
inline constexpr bool all_among<wrt_variables<Us...>, wrt_variables<Vs...>> = (is_one_of<Us, Vs...> && ...);

/// Joins the verb `V`, an operand that it takes, and options.
template <verb V, class F, class... Options>
constexpr auto make_verb(const F& f, const Options&... options) {
  constexpr bool known = (is_option_of<F, Options> && ...);
  static_assert(known,
                "tapeless: after wrt(...) come unconnected::structural, materialise or strict, and stop_gradients");
  constexpr bool named = (names_parts_of<F, Options> && ...);
  static_assert(named || !has_names<F>,
                "tapeless: stop_gradients names a formula that does not occur in this one; name a part just as it "
                "stands there: x * y is not y * x");
  static_assert(named || has_names<F>,
                "tapeless: stop_gradients names parts of formulas; in a function write stop_gradient(x)");
  if constexpr (known && named) {
    using wrt = typename chosen_wrt<Options...>::type;
    using policy = typename chosen_policy<unconnected::structural_policy, Options...>::type;
    const auto further = further_in(options...);
    using further_type = std::remove_const_t<decltype(further)>;
    if constexpr (has_names<F>) {
      const auto open = stopped<wrt>(f, options...);
      using formula = std::remove_const_t<decltype(open)>;
      // What a value or a directional derivative is by says the direction.
      using variables = typename variables_asked<
          formula, std::conditional_t<V.what == derives::tangent, typename further_type::variables,
                                      std::conditional_t<V.what == derives::nothing, wrt_variables<>, wrt>>>::type;
      constexpr bool consistent =
          V.what != derives::tangent || std::is_void_v<wrt> || all_among<typename further_type::variables, wrt>;
      static_assert(consistent, "tapeless: tangents are those of variables that wrt(...) names");
      using problem = typename policy_problem<formula, variables, policy>::type;
      static_assert(is_not<error::unconnected_variable_is_absent, problem>,
                    "tapeless: the formula does not contain this variable (unconnected::strict)");
      static_assert(is_not<error::unconnected_variable_is_stopped, problem>,
                    "tapeless: every path from this variable goes through stop_gradient (unconnected::strict)");
      if constexpr (std::is_void_v<problem>)
        return formula_verb<V, formula, variables, policy, further_type>(open, further);
      else
        return no_result{};
    } else {
      return function_verb<V, F, typename positions_asked<wrt>::type, policy, further_type>(further);
    }
  } else {
    return no_result{};
  }
}

}  // namespace tapeless::detail

#endif
