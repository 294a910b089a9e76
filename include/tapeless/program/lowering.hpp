#ifndef TAPELESS_PROGRAM_LOWERING_HPP
#define TAPELESS_PROGRAM_LOWERING_HPP

#include <tapeless/core/named.hpp>
#include <tapeless/core/variable.hpp>
#include <tapeless/program/trace.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace tapeless::program {

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

  template <class E>
  constexpr int lower();

 private:
  struct entry {
    const void* type = nullptr;
    int node = -1;
    int next = -1;
  };
  // Chains of entries, one a remainder of the hash.
  static constexpr std::uint64_t chains = 256;
  growing_array<int> first_ = growing_array<int>(static_cast<int>(chains), -1);
  growing_array<entry> entries_;
};

namespace detail {

template <class E>
inline constexpr char type_address = 0;

// A named formula is lowered as its definition.
template <class E>
struct lower_as : lower_as<typename E::definition> {};

template <fixed_string Name>
struct lower_as<Variable<Name>> {
  static constexpr std::uint64_t hash = tapeless::detail::hash(Name.view());
  static constexpr int run(lowering& to) { return to.variable(Name.view()); }
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

template <class E, fixed_string Name>
struct lower_as<StopGradient<E, Name>> {
  static constexpr std::uint64_t hash = tapeless::detail::hash_combine(lower_as<E>::hash, 2);
  static constexpr int run(lowering& to) { return to.graph.stop(to.lower<E>()); }
};

template <>
struct lower_as<error::formula_too_large> {
  static constexpr std::uint64_t hash = 3;
  template <class Lowering>
  static constexpr int run(Lowering& to) {
    static_assert(tapeless::detail::always_false<Lowering>,
                  "tapeless: a formula shares so much that its type's name has more than 100000 parts; name its steps, "
                  "`struct step : named<step, decltype(e)> {};`, or write a function");
    return to.graph.constant(0);
  }
};

template <class Op, class... Es>
struct lower_as<Apply<Op, Es...>> {
  static constexpr std::uint64_t hash = [] {
    std::uint64_t result = info<Op>.hash;
    ((result = tapeless::detail::hash_combine(result, lower_as<Es>::hash)), ...);
    return result;
  }();
  static constexpr int run(lowering& to) {
    if constexpr (sizeof...(Es) == 0)
      return to.graph.append_as_is(info<Op>, nullptr, 0);
    else {
      const int operands[] = {to.lower<Es>()...};
      return to.graph.append(info<Op>, operands, sizeof...(Es));
    }
  }
};

}  // namespace detail

template <class E>
constexpr int lowering::lower() {
  // A formula with run-time numbers is its place, not its type: each occurrence has numbers of its own.
  if constexpr (!std::is_empty_v<E>)
    return detail::lower_as<E>::run(*this);
  else {
    const int chain = static_cast<int>(detail::lower_as<E>::hash % chains);
    for (int i = first_[chain]; i >= 0; i = entries_[i].next)
      if (entries_[i].type == &detail::type_address<E>) return entries_[i].node;
    const int node = detail::lower_as<E>::run(*this);
    entries_.push_back({&detail::type_address<E>, node, first_[chain]});
    first_[chain] = entries_.size - 1;
    return node;
  }
}

}  // namespace tapeless::program

#endif
