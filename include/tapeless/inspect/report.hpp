#pragma once

#include <tapeless/gradient/function/argument_place.hpp>
#include <tapeless/gradient/wrt.hpp>

#include <array>
#include <string_view>
#include <utility>

namespace tapeless::detail {

/// The names of what is derived by.
template <class Variables>
struct names_of;
template <class... Vs>
struct names_of<wrt_variables<Vs...>> {
  static constexpr std::array<std::string_view, sizeof...(Vs)> value{Vs::name...};
};
template <class Layout, class Variables>
struct names_of<std::pair<Layout, Variables>> {
  static constexpr auto value = names_of_places(Layout{}, Variables{});
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
