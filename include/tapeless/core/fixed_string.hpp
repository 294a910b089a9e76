#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

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

// The EDG front end (nvcc, IntelliSense) cannot match a template argument whose class template's arguments are deduced,
// and nvcc loses such arguments between its passes: there a name is a type.
#if defined(__EDG__) || defined(__NVCC__) || defined(__INTELLISENSE__)
#define TAPELESS_EDG 1

template <char... Characters>
struct characters {
  using type = characters;
  static constexpr char text[] = {Characters..., '\0'};
  static constexpr std::string_view view() { return {text, sizeof...(Characters)}; }
};

namespace detail {
template <fixed_string Name, std::size_t... I>
constexpr auto characters_of(std::index_sequence<I...>) {
  return characters<Name.characters[I]...>{};
}
template <fixed_string Name>
struct as_name : decltype(characters_of<Name>(std::make_index_sequence<Name.view().size()>{})) {};
}  // namespace detail

/// The kind of a template parameter that specialisations match names by, a name as such an argument, and its text.
#define TAPELESS_NAME class
#define TAPELESS_AS_NAME(NAME) typename tapeless::detail::as_name<NAME>::type
#define TAPELESS_NAME_TEXT(NAME) NAME::view()
#else
#define TAPELESS_NAME fixed_string
#define TAPELESS_AS_NAME(NAME) NAME
#define TAPELESS_NAME_TEXT(NAME) NAME.view()
#endif

namespace detail {

/// FNV-1a, the hash under names and types.
constexpr std::uint64_t hash(std::string_view text) {
  std::uint64_t h = 0xcbf29ce484222325u;
  const char* const c = text.data();
  for (std::size_t i = 0, size = text.size(); i < size; ++i)
    h = (h ^ static_cast<unsigned char>(c[i])) * 0x100000001b3u;
  return h;
}

/// Mixes `value` into `seed`; order matters.
constexpr std::uint64_t hash_combine(std::uint64_t seed, std::uint64_t value) {
  seed = (seed ^ value) * 0x9e3779b97f4a7c15u;
  return seed ^ (seed >> 29);
}

}  // namespace detail

}  // namespace tapeless
