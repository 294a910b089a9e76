#pragma once

#include <tapeless/emit/buffer.hpp>
#include <tapeless/math/math.hpp>

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>

namespace tapeless::detail {

/// A positive number as a ratio m / 10^k that a compiler reads back exactly: with m and 10^k exact, the quotient is
/// rounded once, as the literal is. Whether there is one.
template <class T>
constexpr bool append_decimal(emitted_text& out, T number) {
  constexpr T limit = static_cast<T>(std::uint64_t{1} << std::numeric_limits<T>::digits);
  constexpr int most = std::is_same_v<T, float> ? 10 : 22;
  T power = 1;
  for (int places = 0; places <= most; ++places, power *= 10) {
    const T scaled = number * power;
    if (!(scaled < limit)) return false;
    const auto integer = static_cast<std::uint64_t>(scaled + T(0.5));
    if (static_cast<T>(integer) > limit || static_cast<T>(integer) / power != number) continue;
    emitted_text digits;
    digits += integer;
    const int count = static_cast<int>(digits.view().size());
    if (places > count + 4) {
      out += digits + "e-" + places;
    } else {
      emitted_text padded;
      for (int zeros = count; zeros <= places; ++zeros) padded += '0';
      padded += digits;
      const std::size_t whole = padded.view().size() - static_cast<std::size_t>(places);
      out += padded.view().substr(0, whole);
      out += '.';
      out += padded.view().substr(whole);
      if (places == 0) out += '0';
    }
    return true;
  }
  return false;
}

/// The same in hexadecimal, for all positive numbers.
template <class T>
constexpr void append_hexadecimal(emitted_text& out, T number) {
  using bits_type = std::conditional_t<std::is_same_v<T, float>, std::uint32_t, std::uint64_t>;
  constexpr int stored = std::numeric_limits<T>::digits - 1, hex_digits = (stored + 3) / 4;
  const auto bits = std::bit_cast<bits_type>(number);
  const auto exponent = static_cast<int>(bits >> stored);
  std::uint64_t fraction = static_cast<std::uint64_t>(bits & ((bits_type{1} << stored) - 1))
                           << (4 * hex_digits - stored);
  out += exponent == 0 ? "0x0" : "0x1";
  if (fraction != 0) out += '.';
  for (int digit = hex_digits - 1; fraction != 0; --digit) {
    out += "0123456789abcdef"[fraction >> (4 * digit)];
    fraction &= (std::uint64_t{1} << (4 * digit)) - 1;
  }
  const int unbiased = (exponent == 0 ? 1 : exponent) - (std::numeric_limits<T>::max_exponent - 1);
  out += unbiased < 0 ? "p-" : "p+";
  out += unbiased < 0 ? -unbiased : unbiased;
}

/// A number as a literal of C of its own type, which reads back as the same number.
template <class T>
constexpr emitted_text c_literal(T number) {
  emitted_text out;
  if (number != number) return "NAN";
  if (constexpr_math::signbit(number)) out += '-', number = -number;
  if (number > std::numeric_limits<T>::max()) return out + "INFINITY";
  if (number == 0)
    out += "0.0";
  else if (!append_decimal(out, number))
    append_hexadecimal(out, number);
  if constexpr (std::is_same_v<T, float>) out += 'f';
  return out;
}

/// Where a formula is written as a comment: `write_formula` appends to it.
struct c_comment {
  static constexpr std::size_t longest = 200;
  emitted_text text;

  constexpr c_comment& append(std::string_view more) {
    if (text.view().size() > longest) return *this;
    // No end of the comment.
    for (const char c : more) text += c == '/' && text.view().ends_with('*') ? '|' : c;
    if (text.view().size() > longest) text += "...";
    return *this;
  }
  constexpr c_comment& operator+=(std::string_view more) { return append(more); }
  constexpr c_comment& operator+=(char c) { return append({&c, 1}); }
};

template <class T>
constexpr void write_number(c_comment& out, const T& number) {
  if constexpr (std::same_as<T, bool>)
    out += number ? "true" : "false";
  else if constexpr (std::integral<T>) {
    const auto magnitude = static_cast<std::uint64_t>(number);
    emitted_text digits = number < 0 ? "-" : "";
    digits += number < 0 ? ~magnitude + 1 : magnitude;
    out += digits;
  } else if constexpr (std::same_as<T, float> || std::same_as<T, double>)
    out += c_literal(number);
  else
    out += c_literal(static_cast<double>(number));
}

}  // namespace tapeless::detail
