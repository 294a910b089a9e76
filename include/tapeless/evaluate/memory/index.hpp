#pragma once

#include <tapeless/core/always_inline.hpp>
#include <tapeless/core/message.hpp>
#include <tapeless/core/target.hpp>
#include <tapeless/program/graph/node.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

namespace tapeless::loops::inline TAPELESS_TARGET {

/// Up to where a number of a type is every integer, or 2^53.
template <class T>
inline constexpr double counts_to = [] {
  constexpr int digits = std::numeric_limits<T>::digits;
  return static_cast<double>(std::int64_t{1} << (digits < 53 ? digits : 53));
}();
/// Whether a number is an integer that it holds exactly, its neighbours too, and an index can be.
template <class T>
bool is_integer(const T& number) {
  if constexpr (std::is_integral_v<T>) {
    constexpr auto largest = std::numeric_limits<std::ptrdiff_t>::max();
    return std::is_signed_v<T> || sizeof(T) < sizeof(largest) || number <= static_cast<T>(largest);
  } else {
    const T largest = static_cast<T>(counts_to<T>);
    return number >= -largest && number <= largest && static_cast<T>(static_cast<std::int64_t>(number)) == number;
  }
}
/// A number in a message.
template <class T>
std::string number_text(const T& number) {
  if constexpr (std::is_integral_v<T>)
    return std::to_string(number);
  else if (is_integer(number))
    return std::to_string(static_cast<std::int64_t>(number));
  else {
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.9g", static_cast<double>(number));
    return digits;
  }
}

/// Without exceptions nobody reads the text, which needs a heap.
[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_steps([[maybe_unused]] double steps,
                                                                [[maybe_unused]] double limit) {
#ifdef __cpp_exceptions
  const std::string number = number_text(steps), most = number_text(limit);
#else
  const std::string_view number, most;
#endif
  if (steps >= limit)
    tapeless::detail::raise<std::invalid_argument>(
        {"a loop of ", number, " steps is too long: numbers of its type count steps below ", most});
  tapeless::detail::raise<std::invalid_argument>(
      {"the number of steps of a loop must be a nonnegative integer, not ", number});
}

template <class T>
[[noreturn, gnu::cold, gnu::noinline]] void refuse_index(const T& index, std::ptrdiff_t extent, bool segments) {
  tapeless::detail::raise<std::out_of_range>({segments ? "segment_sum" : "take", ": the computed index ",
                                              number_text(index), " is not valid for an axis of extent ", extent});
}
/// Indices that are computed are looked at as soon as they are, before anything is moved.
template <class T>
TAPELESS_ALWAYS_INLINE void check_index(const T& index, std::ptrdiff_t extent, bool segments) {
  // As an integer: -ffast-math believes that no index is NaN.
  const auto at = static_cast<std::ptrdiff_t>(index);
  if (at < (segments ? 0 : -extent) || at >= extent || static_cast<T>(at) != index ||
      !is_integer(static_cast<T>(extent))) [[unlikely]]
    refuse_index(index, extent, segments);
}

/// A number of a formula as a bound or an extent.
struct bound_number {
  std::ptrdiff_t value = 0;
  bool exact = false;
  double given = 0;

  bound_number() = default;
  template <class N>
  explicit bound_number(const N& number) : exact(is_integer(number)), given(static_cast<double>(number)) {
    if (exact) value = static_cast<std::ptrdiff_t>(number);
  }
};

/// Indices that are bound, as integers.
struct indices_at_call {
  const std::ptrdiff_t* data = nullptr;
  std::ptrdiff_t stride = 0;
};

/// A sum of extents and numbers at a call.
template <class Tables>
std::ptrdiff_t value_of(const Tables& t, const program::extent_sum& sum) {
  std::ptrdiff_t result = static_cast<std::ptrdiff_t>(sum.constant);
  if (sum.number >= 0) result += t.bounds[sum.number].value;
  for (std::size_t i = 0; i < static_cast<std::size_t>(sum.count); ++i)
    result += t.extent[static_cast<std::size_t>(sum.axes[i])];
  return result;
}

template <class Tables>
std::ptrdiff_t value_of(const Tables& t, const program::range_step& step) {
  return step.number < 0 ? static_cast<std::ptrdiff_t>(step.constant) : t.bounds[step.number].value;
}

/// Where the range of a move begins along an axis of `extent`: a negative number counts from the end.
template <class Tables>
std::ptrdiff_t begin_of(const Tables& t, const program::tensor_move& move, std::ptrdiff_t extent) {
  const std::ptrdiff_t begin = value_of(t, move.begin);
  return begin < 0 ? begin + extent : begin;
}

}  // namespace tapeless::loops::inline TAPELESS_TARGET
