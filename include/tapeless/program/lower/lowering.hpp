#pragma once

#include <tapeless/core/named.hpp>
#include <tapeless/core/variable.hpp>
#include <tapeless/program/lower/sequence_operations.hpp>
#include <tapeless/program/lower/trace.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace tapeless::program {

/// A type as a value: where it stands. Compared by the hash of its structure first, as operations are by name.
struct type_key {
  std::uint64_t hash = 0;
  constexpr bool operator==(const type_key& other) const { return hash == other.hash && this == &other; }
};

/// The values of the types that are lowered.
template <class Value>
class lowered_types {
 public:
  /// The value of a type, null if it is not lowered yet.
  constexpr const Value* find(const type_key& type) const {
    for (int i = first_[static_cast<int>(type.hash % chains)]; i >= 0; i = entries_[i].next)
      if (*entries_[i].type == type) return &entries_.data[i].value;
    return nullptr;
  }
  constexpr const Value& remember(const type_key& type, const Value& value) {
    int& first = first_[static_cast<int>(type.hash % chains)];
    entries_.push_back({&type, value, first});
    first = entries_.size - 1;
    return value;
  }

 private:
  struct entry {
    const type_key* type = nullptr;
    Value value{};
    int next = -1;
  };
  // Chains of entries, one a remainder of the hash.
  static constexpr std::uint64_t chains = 256;
  growing_array<int> first_ = growing_array<int>(static_cast<int>(chains), -1);
  growing_array<entry> entries_;
};

/// What the operations of formulas of numbers are made of: a value is a node.
class number_lowering {
 public:
  using value_type = int;
  builder graph;
  lowered_types<int> known;

  constexpr int variable(std::string_view name) {
    graph.variables.push_back(name);
    return graph.variable(graph.variables.size - 1);
  }
  constexpr int scalar(int node) const { return node; }
  constexpr int stop(int node) { return graph.stop(node); }
  template <class Op, std::size_t... I>
  constexpr int apply(const int* operands, std::index_sequence<I...>) {
    return graph.append(info<Op>, operands, sizeof...(I));
  }
};

namespace detail {

/// How a type is lowered, to values of what `to` makes of operations. Each distinct type is lowered once: a formula
/// that shares subexpressions is as large as the number of its different types, not as its tree. `run` calls that of
/// its operands directly, since compilers limit the depth of calls in constant evaluation. A named formula is lowered
/// as its definition.
template <class E>
struct lower_as : lower_as<typename E::definition> {};

template <class E>
inline constexpr type_key key_of{lower_as<E>::hash};

template <TAPELESS_NAME Name>
struct lower_as<variable_of<Name>> {
  static constexpr std::uint64_t hash = tapeless::detail::hash(TAPELESS_NAME_TEXT(Name));
  template <class To>
  static constexpr auto run(To& to) -> typename To::value_type {
    constexpr const type_key& type = key_of<variable_of<Name>>;
    if (const auto* known = to.known.find(type)) return *known;
    return to.known.remember(type, to.variable(TAPELESS_NAME_TEXT(Name)));
  }
};

template <std::intmax_t N, std::intmax_t D>
struct lower_as<Constant<N, D>> {
  static constexpr std::uint64_t hash =
      tapeless::detail::hash_combine(static_cast<std::uint64_t>(N), static_cast<std::uint64_t>(D));
  template <class To>
  static constexpr auto run(To& to) -> typename To::value_type {
    return to.scalar(to.graph.constant({N, D, 0.0}));
  }
};

template <class T>
struct lower_as<Number<T>> {
  static constexpr std::uint64_t hash = 1;
  template <class To>
  static constexpr auto run(To& to) -> typename To::value_type {
    return to.scalar(to.graph.number(to.graph.numbers++));
  }
};

template <class E, TAPELESS_NAME Name>
struct lower_as<StopGradient<E, Name>> {
  static constexpr std::uint64_t hash = tapeless::detail::hash_combine(lower_as<E>::hash, 2);
  template <class To>
  static constexpr auto run(To& to) -> typename To::value_type {
    return to.stop(lower_as<E>::run(to));
  }
};

// Reported where it is called.
template <>
struct lower_as<error::formula_too_large> : lower_as<Constant<0>> {};

template <class Op>
struct lower_as<Apply<Op>> {
  static constexpr std::uint64_t hash = info<Op>.hash;
  template <class To>
  static constexpr auto run(To& to) -> typename To::value_type {
    return to.scalar(to.graph.append_as_is(info<Op>, nullptr, 0));
  }
};

template <class Op, class... Es>
struct lower_as<Apply<Op, Es...>> {
  static constexpr std::uint64_t hash = [] {
    std::uint64_t combined = info<Op>.hash;
    ((combined = tapeless::detail::hash_combine(combined, lower_as<Es>::hash)), ...);
    return combined;
  }();
  template <class To>
  static constexpr auto run(To& to) -> typename To::value_type {
    // A formula with run-time numbers is its place, not its type: each occurrence has numbers of its own.
    constexpr bool shared = (std::is_empty_v<Es> && ...);
    constexpr const type_key& type = key_of<Apply<Op, Es...>>;
    if (shared)
      if (const auto* known = to.known.find(type)) return *known;
    typename To::value_type operands[] = {lower_as<Es>::run(to)...};
    const auto value = to.template apply<Op>(operands, std::index_sequence_for<Es...>{});
    return shared ? to.known.remember(type, value) : value;
  }
};

}  // namespace detail

}  // namespace tapeless::program
