#pragma once

#include <tapeless/program/graph/growing_array.hpp>

#include <concepts>
#include <cstddef>
#include <iosfwd>
#include <string>
#include <string_view>

namespace tapeless {

/// Text that is made at compile time or at run time: std::string is no literal type in all standard libraries. Where a
/// conditional operator makes one, g++ 12 destroys it twice in constant evaluation.
class emitted_text {
  program::growing_array<char> characters_;
  int room_ = 0;

 public:
  constexpr emitted_text() = default;
  constexpr emitted_text(std::string_view text) { *this += text; }
  constexpr emitted_text(const char* text) { *this += text; }

  constexpr std::string_view view() const { return {characters_.data, static_cast<std::size_t>(characters_.size)}; }
  constexpr operator std::string_view() const { return view(); }
  constexpr bool empty() const { return characters_.size == 0; }
  std::string str() const { return std::string(view()); }

  constexpr emitted_text& operator+=(std::string_view more) {
    const int count = static_cast<int>(more.size());
    if (characters_.size + count > room_) room_ = 2 * (characters_.size + count), characters_.reserve(room_);
    characters_.append(more.data(), count);
    return *this;
  }
  constexpr emitted_text& operator+=(const char* more) { return *this += std::string_view(more); }
  constexpr emitted_text& operator+=(const emitted_text& more) { return *this += more.view(); }
  constexpr emitted_text& operator+=(char c) { return characters_.push_back(c), *this; }
  /// The digits of a number that is not negative.
  template <std::integral Number>
  constexpr emitted_text& operator+=(Number number) {
    if (number >= 10) *this += number / 10;
    return *this += static_cast<char>('0' + number % 10);
  }
  template <class More>
  friend constexpr emitted_text operator+(emitted_text text, const More& more) {
    text += more;
    return text;
  }
  friend constexpr bool operator==(const emitted_text& a, std::string_view b) { return a.view() == b; }

  template <class Char, class Traits>
  friend std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& stream, const emitted_text& t) {
    return stream << t.str().c_str();
  }
};

}  // namespace tapeless
