#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace example {

/// Anything the user can put right: reported as one line, exit status 2.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Text from a file, fit for a one-line message or a label: control characters replaced, long text cut.
inline std::string printable(std::string_view text, std::size_t longest = 40) {
  std::string result;
  for (const char c : text.substr(0, longest)) {
    const auto code = static_cast<unsigned char>(c);
    result += code < 0x20 || code == 0x7f ? '?' : c;
  }
  if (text.size() > longest) {
    // Do not cut a UTF-8 sequence in the middle: drop its continuation bytes and its first byte.
    if ((static_cast<unsigned char>(text[longest]) & 0xc0) == 0x80) {
      while (!result.empty() && (static_cast<unsigned char>(result.back()) & 0xc0) == 0x80) {
        result.pop_back();
      }
      if (!result.empty()) {
        result.pop_back();
      }
    }
    result += "...";
  }
  return result;
}

}  // namespace example
