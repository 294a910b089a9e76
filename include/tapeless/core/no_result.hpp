#pragma once

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace tapeless::detail {

/// Stands for a result after an error, so that the error stays the only message.
struct no_number {
  constexpr operator double() const { return 0; }
  template <class... Ts>
  constexpr const no_number& operator()(const Ts&...) const {
    return *this;
  }
  template <class T>
  constexpr const no_number& operator[](const T&) const {
    return *this;
  }
};
struct no_result : no_number {
  no_number value, gradient, jacobian;

  template <std::size_t>
  constexpr no_number get() const {
    return {};
  }
  template <std::size_t>
  friend constexpr no_number get(const no_result&) {
    return {};
  }
  friend constexpr const no_result& sum(const no_result& e) { return e; }
};

/// Whether an error with one of the arguments is reported already.
template <class... Ts>
inline constexpr bool is_reported = (std::derived_from<Ts, no_number> || ...);

}  // namespace tapeless::detail

// A result is often taken apart in two.
template <>
struct std::tuple_size<tapeless::detail::no_result> : std::integral_constant<std::size_t, 2> {};
template <std::size_t I>
struct std::tuple_element<I, tapeless::detail::no_result> {
  using type = tapeless::detail::no_number;
};
