#pragma once

#include <tapeless/core/bound_function.hpp>
#include <tapeless/core/freeze.hpp>
#include <tapeless/gradient/direction.hpp>
#include <tapeless/gradient/outputs.hpp>
#include <tapeless/gradient/unconnected.hpp>
#include <tapeless/gradient/verb.hpp>
#include <tapeless/gradient/wrt.hpp>

#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tapeless {

/// What a verb made of a formula: it is called with named values.
template <class G>
concept Formula_verb = !Expression<G> && !is_outputs<G> && std::derived_from<G, called_with_values<G>>;

/// What is differentiated besides formulas: function objects, lambdas without captures among them.
template <class F>
concept Function = !Expression<F> && std::is_class_v<F> && !is_outputs<F> && !detail::is_reported<F> &&
                   !Formula_verb<F> && !Function_with_data<F>;

namespace detail {

/// What the name of a function template is for a verb: no object.
struct function_template {
  constexpr function_template(traced (*)(traced)) {}
  constexpr function_template(traced (*)(traced, traced)) {}
  constexpr function_template(traced (*)(traced, traced, traced)) {}
  constexpr function_template(traced (*)(const traced&)) {}
  constexpr function_template(traced (*)(const traced&, const traced&)) {}
};

}  // namespace detail
}  // namespace tapeless

/// What is written after the operand of a verb, in any order: what to differentiate by, what is stopped, what an
/// unconnected variable gives, tangents or cotangents.
namespace tapeless::detail {

/// Whether the operand `F` is one whose variables have names.
template <class F>
inline constexpr bool has_names = Expression<F> || is_outputs<F>;

/// Whether an option is tangents of what the operand `F` takes.
template <class F, class Option>
inline constexpr bool is_tangent_of =
    has_names<F> ? is_instance_of<tangents, Option> : is_instance_of<argument_tangents, Option>;
template <class Option>
inline constexpr bool is_seed =
    is_instance_of<tangents, Option> || is_instance_of<argument_tangents, Option> || is_instance_of<cotangents, Option>;

/// Whether an option says what to differentiate by in the way of the operand `F`, or something else.
template <class F, class Option>
inline constexpr bool is_option_of =
    (has_names<F> ? is_instance_of<wrt_variables, Option> : is_positions<Option>) || is_policy<Option> ||
    is_instance_of<stop_list, Option> || is_tangent_of<F, Option> || is_instance_of<cotangents, Option>;

/// Whether the verb `V` takes the operand `F` and, first of the options, `Option`.
template <verb V, class F, class Option = unconnected::structural_policy, class...>
inline constexpr bool takes_operand =
    (Expression<F> || Function<F> || (is_outputs<F> && !V.scalar_valued())) && is_option_of<F, Option>;

/// How many options are the tangents or cotangents that the verb `V` takes of the operand `F`.
template <verb V, class F, class... Options>
inline constexpr int directions_given = (0 + ... +
                                         (V.takes_tangents()            ? is_tangent_of<F, Options>
                                          : V.what == derives::pullback ? is_instance_of<cotangents, Options>
                                                                        : 0));
template <verb V, class F, class... Options>
inline constexpr bool gives_direction =
    directions_given<V, F, Options...> == (V.takes_tangents() || V.what == derives::pullback ? 1 : 0) &&
    (0 + ... + is_seed<Options>) == directions_given<V, F, Options...>;

/// The policy among the options, the last one; `Otherwise` if there is none.
template <class Otherwise, class... Options>
struct chosen_policy {
  using type = Otherwise;
};
template <class Otherwise, class Option, class... Options>
struct chosen_policy<Otherwise, Option, Options...>
    : chosen_policy<std::conditional_t<is_policy<Option>, Option, Otherwise>, Options...> {};

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

constexpr no_seeds seeds_in() { return {}; }
template <class Option, class... Options>
constexpr auto seeds_in(const Option& option, const Options&... options) {
  if constexpr (is_seed<Option>)
    return option;
  else
    return seeds_in(options...);
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
  if constexpr (is_instance_of<stop_list, Option>)
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
}  // namespace tapeless::detail
