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
/// The same for a verb that is called inside a function, where `Number` is `traced`.
template <class Number>
struct result_after_error : Number {
  Number value, gradient, jacobian;

  result_after_error() = default;
  constexpr explicit result_after_error(const Number& number)
      : Number(number), value(number), gradient(number), jacobian(number) {}
  template <std::size_t>
  constexpr Number get() const {
    return *this;
  }
  template <std::size_t>
  friend constexpr Number get(const result_after_error& result) {
    return result;
  }
  friend constexpr const result_after_error& sum(const result_after_error& e) { return e; }
};
using no_result = result_after_error<no_number>;

/// Whether an error with one of the arguments is reported already.
template <class... Ts>
inline constexpr bool is_reported = (std::derived_from<Ts, no_number> || ...);

}  // namespace tapeless::detail

// A result is often taken apart in two.
template <class Number>
struct std::tuple_size<tapeless::detail::result_after_error<Number>> : std::integral_constant<std::size_t, 2> {};
template <std::size_t I, class Number>
struct std::tuple_element<I, tapeless::detail::result_after_error<Number>> {
  using type = Number;
};
