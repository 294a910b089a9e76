#ifndef TAPELESS_CORE_FIXED_STRING_HPP
#define TAPELESS_CORE_FIXED_STRING_HPP

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tapeless {

/// A string as a template argument: `variable<"x">`.
template <std::size_t N>
struct fixed_string {
  char characters[N]{};

  constexpr fixed_string(const char (&text)[N]) {
    for (std::size_t i = 0; i < N; ++i) characters[i] = text[i];
  }
  constexpr explicit fixed_string(std::string_view text) {
    for (std::size_t i = 0; i + 1 < N; ++i) characters[i] = text[i];
  }

  constexpr std::string_view view() const { return {characters, N - 1}; }
};

namespace detail {

/// FNV-1a, the hash under names and types.
constexpr std::uint64_t hash(std::string_view text, std::uint64_t seed = 0xcbf29ce484222325u) {
  for (const char c : text) seed = (seed ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return seed;
}

/// Mixes `value` into `seed`; order matters.
constexpr std::uint64_t hash_combine(std::uint64_t seed, std::uint64_t value) {
  seed = (seed ^ value) * 0x9e3779b97f4a7c15u;
  return seed ^ (seed >> 29);
}

}  // namespace detail

}  // namespace tapeless

#endif
