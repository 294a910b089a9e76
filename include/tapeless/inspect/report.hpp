#pragma once

#include <tapeless/gradient/function/argument_place.hpp>
#include <tapeless/gradient/function/function_verb.hpp>

#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

namespace tapeless::detail {

/// The names of what is derived by, and which variables of the program `Source` it is.
template <class Variables>
struct names_of;
template <class... Vs>
struct names_of<wrt_variables<Vs...>> {
  static constexpr std::array<std::string_view, sizeof...(Vs)> value{Vs::name...};
  template <class Source>
  using indices = indices_in_t<Source, wrt_variables<Vs...>>;
};
template <class Layout, class Variables>
struct names_of<std::pair<Layout, Variables>> {
  static constexpr auto value = names_of_places(Layout{}, Variables{});
  template <class>
  using indices = Variables;
};

/// What engines share that look at a verb: that of a function is `compare_verb` of what was traced.
template <class Engine>
struct engine_that_inspects {
  template <class Verb, std::size_t... At, class... Args>
  constexpr auto compare_function(const Verb& verb, std::index_sequence<At...>, const Args&... args) const {
    using T = function_real_t<Args...>;
    using layout = argument_layout<Args...>;
    using source = traced_program<typename Verb::function, Args...>;
    using variables = typename Verb::template variables<layout, At...>;
    return static_cast<const Engine&>(*this)
        .template compare_verb<Verb::does, source, std::pair<layout, variables>,
                               typename Verb::template evaluated<source, variables>, T, static_cast<int>(layout::size)>(
            function_inputs<T, Args...>{args...}, verb.template seed_numbers<T, layout, At...>());
  }
};

/// What a report says of `checks`, in each of which is an `error`.
template <class Checks>
struct report_of {
  Checks checks;

  /// NaN if an error is.
  constexpr auto largest_error() const {
    decltype(Checks::value_type::error) largest{};
    for (const auto& check : checks)
      if (largest == largest && !(check.error <= largest)) largest = check.error;
    return largest;
  }
  constexpr bool passed(const decltype(Checks::value_type::error)& tolerance) const {
    return largest_error() <= tolerance;
  }
};

}  // namespace tapeless::detail
