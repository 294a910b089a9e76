#pragma once

#include <tapeless/core/target.hpp>

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

/// Exceptions and their texts, made in one place: a sum of std::string wherever something is thrown takes long to
/// compile, and stands in the way of what runs.
namespace tapeless::detail::inline TAPELESS_TARGET {

/// A part of a text: other text, or an integer.
class message_part {
  std::string_view text_;
  std::int64_t number_ = 0;
  bool is_number_ = false;

 public:
  constexpr message_part(const char* text) : text_(text) {}
  constexpr message_part(std::string_view text) : text_(text) {}
  message_part(const std::string& text) : text_(text) {}
  template <std::integral T>
  constexpr message_part(T number) : number_(static_cast<std::int64_t>(number)), is_number_(true) {}

  void append_to(std::string& all) const {
    if (is_number_)
      all.append(std::to_string(number_));
    else
      all.append(text_);
  }
};

[[gnu::cold, gnu::noinline]] inline std::string message(std::initializer_list<message_part> parts) {
  std::string all;
  for (const message_part& part : parts) part.append_to(all);
  return all;
}

/// Throws `Exception` with a text of these parts; without exceptions, a trap.
template <class Exception>
#ifdef __cpp_exceptions
[[noreturn, gnu::cold, gnu::noinline]] void raise(std::initializer_list<message_part> parts) {
  throw Exception("tapeless: " + message(parts));
}
#else
[[noreturn]] inline void raise(std::initializer_list<message_part>) {
  __builtin_trap();
}
#endif

}  // namespace tapeless::detail::inline TAPELESS_TARGET
