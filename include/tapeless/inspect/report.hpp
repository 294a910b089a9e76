#pragma once

namespace tapeless::detail {

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
