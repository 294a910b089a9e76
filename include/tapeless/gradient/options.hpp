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
  // Of `auto f(auto)` g++ takes the first, not a template.
  template <class = void>
  constexpr function_template(traced (*)(const traced&)) {}
  template <class = void>
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

/// How many options are the tangents or cotangents that the verb `V` takes of the operand `F`.
template <verb V, class F, class... Options>
inline constexpr int directions_given = (0 + ... +
                                         (V.takes_tangents()            ? is_tangent_of<F, Options>
                                          : V.what == derives::pullback ? is_instance_of<cotangents, Options>
                                                                        : 0));
/// Whether the verb `V` takes the operand `F`, the first of the options, and the tangents or cotangents among them; or
/// an error with one of these is reported already.
template <verb V, class F, class Option = unconnected::structural_policy, class... Options>
inline constexpr bool takes_operand =
    is_reported<F, Option, Options...> ||
    ((Expression<F> || Function<F> || Function_with_data<F> || (is_outputs<F> && !V.scalar_valued())) &&
     is_option_of<F, Option> &&
     directions_given<V, F, Option, Options...> == (V.takes_tangents() || V.what == derives::pullback) &&
     (is_seed<Option> + ... + is_seed<Options>) == directions_given<V, F, Option, Options...>);

/// The policy among the options, the last one; `Otherwise` if there is none.
template <class Otherwise, class... Options>
struct chosen_policy {
  using type = Otherwise;
};
template <class Otherwise, class Option, class... Options>
struct chosen_policy<Otherwise, Option, Options...>
    : chosen_policy<std::conditional_t<is_policy<Option>, Option, Otherwise>, Options...> {};

/// What options say to differentiate by, `void` if nothing; the first of several that do.
template <class... Options>
using chosen_wrt = typename decltype(first_problem(wrt_of<Options>{}...))::type;

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
/// Whether all of the first variables are among the second.
template <class Us, class Vs>
inline constexpr bool all_among = false;
template <class... Us, class... Vs>
inline constexpr bool all_among<wrt_variables<Us...>, wrt_variables<Vs...>> = (is_one_of<Us, Vs...> && ...);
template <class Wrt, class F, class... Hs>
constexpr auto with_stops(const F& f, stop_list<Hs...>) {
  if constexpr (is_outputs<F>)
    return std::apply([](const auto&... each) { return outputs(with_stops<Wrt>(each, stop_list<Hs...>{})...); },
                      f.formulas);
  else
    return stopping<F, std::conditional_t<all_among<wrt_variables<Hs>, Wrt>, void, Hs>...>::of(f);
}
template <class Wrt, class F, class Option, class... Options>
constexpr auto stopped(const F& f, const Option& option, const Options&... options) {
  if constexpr (is_instance_of<stop_list, Option>)
    return stopped<Wrt>(with_stops<Wrt>(f, option), options...);
  else
    return stopped<Wrt>(f, options...);
}

/// Whether what an option names occurs in the operand.
template <class... Fs, class H>
struct occurs_in<output_list<Fs...>, H> : std::bool_constant<(occurs_in<Fs, H>::value || ...)> {};
template <class F, class Option>
inline constexpr bool names_parts_of = true;
template <class F, class... Hs>
inline constexpr bool names_parts_of<F, stop_list<Hs...>> = has_names<F> && (occurs_in<F, Hs>::value && ...);
}  // namespace tapeless::detail
