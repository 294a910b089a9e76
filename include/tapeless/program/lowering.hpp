#ifndef TAPELESS_PROGRAM_LOWERING_HPP
#define TAPELESS_PROGRAM_LOWERING_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/core/named.hpp>
#include <tapeless/core/variable.hpp>
#include <tapeless/program/trace.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace tapeless::program {

/// A type as a value: an address of its own. Compared by the hash of its structure first, as operations are by name.
struct type_key {
  const void* address = nullptr;
  std::uint64_t hash = 0;
  constexpr bool operator==(const type_key& other) const { return hash == other.hash && address == other.address; }
};

/// From formula types to a program. Each distinct type is lowered once: a formula that shares subexpressions is as
/// large as the number of its different types, not as its tree. Types are found by a hash of their structure and
/// recognised by an address of their own.
class lowering {
 public:
  builder graph;

  constexpr int variable(std::string_view name) {
    for (int i = 0; i < graph.variables.size; ++i)
      if (graph.variables[i] == name) return graph.variable(i);
    graph.variables.push_back(name);
    return graph.variable(graph.variables.size - 1);
  }

  /// The node of a type, -1 if it is not lowered yet.
  constexpr int find(const type_key& type) const {
    for (int i = first_[static_cast<int>(type.hash % chains)]; i >= 0; i = entries_[i].next)
      if (entries_[i].type == type) return entries_[i].node;
    return -1;
  }
  constexpr int remember(const type_key& type, int node) {
    int& first = first_[static_cast<int>(type.hash % chains)];
    entries_.push_back({type, node, first});
    first = entries_.size - 1;
    return node;
  }

 private:
  struct entry {
    type_key type;
    int node = -1;
    int next = -1;
  };
  // Chains of entries, one a remainder of the hash.
  static constexpr std::uint64_t chains = 256;
  growing_array<int> first_ = growing_array<int>(static_cast<int>(chains), -1);
  growing_array<entry> entries_;
};

namespace detail {

/// How a type is lowered: `run` calls that of its operands directly, since compilers limit the depth of calls in
/// constant evaluation. A named formula is lowered as its definition.
template <class E>
struct lower_as : lower_as<typename E::definition> {};

template <class E>
inline constexpr char type_address = 0;
template <class E>
inline constexpr type_key key_of{&type_address<E>, lower_as<E>::hash};

template <TAPELESS_NAME Name>
struct lower_as<variable_of<Name>> {
  static constexpr std::uint64_t hash = tapeless::detail::hash(TAPELESS_NAME_TEXT(Name));
  static constexpr int run(lowering& to) { return to.variable(TAPELESS_NAME_TEXT(Name)); }
};

template <std::intmax_t N, std::intmax_t D>
struct lower_as<Constant<N, D>> {
  static constexpr std::uint64_t hash =
      tapeless::detail::hash_combine(static_cast<std::uint64_t>(N), static_cast<std::uint64_t>(D));
  static constexpr int run(lowering& to) { return to.graph.constant({N, D, 0.0}); }
};

template <class T>
struct lower_as<Number<T>> {
  static constexpr std::uint64_t hash = 1;
  static constexpr int run(lowering& to) { return to.graph.number(to.graph.numbers++); }
};

template <class E, TAPELESS_NAME Name>
struct lower_as<StopGradient<E, Name>> {
  static constexpr std::uint64_t hash = tapeless::detail::hash_combine(lower_as<E>::hash, 2);
  static constexpr int run(lowering& to) { return to.graph.stop(lower_as<E>::run(to)); }
};

// Reported where it is called.
template <>
struct lower_as<error::formula_too_large> {
  static constexpr std::uint64_t hash = 3;
  static constexpr int run(lowering& to) { return to.graph.constant(0); }
};

template <class Op>
struct lower_as<Apply<Op>> {
  static constexpr std::uint64_t hash = info<Op>.hash;
  static constexpr int run(lowering& to) { return to.graph.append_as_is(info<Op>, nullptr, 0); }
};

template <class Op, class... Es>
struct lower_as<Apply<Op, Es...>> {
  static constexpr std::uint64_t hash = [] {
    std::uint64_t combined = info<Op>.hash;
    ((combined = tapeless::detail::hash_combine(combined, lower_as<Es>::hash)), ...);
    return combined;
  }();
  static constexpr int run(lowering& to) {
    // A formula with run-time numbers is its place, not its type: each occurrence has numbers of its own.
    constexpr bool shared = (std::is_empty_v<Es> && ...);
    const type_key type = key_of<Apply<Op, Es...>>;
    if (shared)
      if (const int known = to.find(type); known >= 0) return known;
    const int operands[] = {lower_as<Es>::run(to)...};
    const int node = to.graph.append(info<Op>, operands, sizeof...(Es));
    return shared ? to.remember(type, node) : node;
  }
};

}  // namespace detail

}  // namespace tapeless::program

#endif
