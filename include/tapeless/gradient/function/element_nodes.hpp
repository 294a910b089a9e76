#pragma once

/// What elements are functions of: vectors of nodes and index arrays.
#include <tapeless/gradient/function/argument_shape.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tapeless {

namespace detail {

/// Where no number of a vector is held.
struct none_held {};

/// A vector of nodes, which `Each` of them each element names, and which of them are held.
template <class Node, class Index, std::size_t Each, class Held>
struct node_kind {
  using node = Node;
  using index = Index;
  static constexpr std::size_t each = Each, size = shape_of<Node>::size;
  static constexpr bool some_held = !std::is_same_v<Held, none_held>;

  std::span<const Node> vector;
  std::span<const Index> picks;
  std::size_t elements;
  const Held& held;

  bool holds(std::size_t entry, std::size_t number) const {
    if constexpr (std::is_convertible_v<decltype(held[entry]), bool>)
      return held[entry];
    else
      return held[entry][number];
  }
};

/// The nodes of an element in a row, those of one kind after the other.
template <class... Kinds>
struct element_layout {
  /// How many kinds of nodes there are, and nodes of an element.
  static constexpr std::size_t kinds = sizeof...(Kinds), K = (Kinds::each + ...);
  /// The kind of each of an element's nodes.
  static constexpr std::array<std::size_t, K> kind_of = [] {
    std::array<std::size_t, K> found{};
    std::size_t slot = 0, kind = 0;
    ((std::fill_n(found.begin() + slot, Kinds::each, kind), slot += Kinds::each, ++kind), ...);
    return found;
  }();
  template <std::size_t G>
  static constexpr std::size_t first_slot =
      static_cast<std::size_t>(std::find(kind_of.begin(), kind_of.end(), G) - kind_of.begin());
  template <std::size_t G>
  using kind = std::tuple_element_t<G, std::tuple<Kinds...>>;
  template <std::size_t Slot>
  using node = typename kind<kind_of[Slot]>::node;
};

/// An element's indices: several, or one.
template <class Row>
struct index_row;
template <std::integral Index>
struct index_row<Index> {
  using index = Index;
  static constexpr std::size_t count = 1;
};
template <std::integral Index, std::size_t K>
struct index_row<std::array<Index, K>> {
  using index = Index;
  static constexpr std::size_t count = K;
};
template <class X, class Elements>
concept Nodes = requires(const X& x, const Elements& elements) {
  x.data() + x.size();
  elements.data() + elements.size();
  index_row<std::remove_cvref_t<decltype(*elements.data())>>::count;
};
/// A flag for each of a vector's entries, or one for each number of them.
template <class Held, class X>
concept Flags = requires(const Held& held) {
  held.size();
  requires std::is_convertible_v<decltype(held[0]), bool> ||
               std::is_same_v<
                   std::remove_cvref_t<decltype(held[0])>,
                   std::array<bool, shape_of<std::remove_cvref_t<decltype(*std::declval<const X&>().data())>>::size>>;
};
template <class X, class Elements, class Held>
constexpr auto as_kind(const X& x, const Elements& elements, const Held& held) {
  using node = std::remove_cvref_t<decltype(*x.data())>;
  using row = index_row<std::remove_cvref_t<decltype(*elements.data())>>;
  using index = typename row::index;
  const std::size_t count = static_cast<std::size_t>(elements.size());
  const index* picks = nullptr;
  if constexpr (std::integral<std::remove_cvref_t<decltype(*elements.data())>>)
    picks = elements.data();
  else if (count > 0)
    picks = elements.data()->data();
  return node_kind<node, index, row::count, Held>{
      {x.data(), static_cast<std::size_t>(x.size())}, {picks, count * row::count}, count, held};
}

template <class X, class Elements, class Held>
struct nodes_argument {
  const X& vector;
  const Elements& elements;
  const Held& held;
};
template <class A>
inline constexpr bool is_nodes = is_instance_of<nodes_argument, A>;

inline constexpr none_held nothing_is_held;

/// How many vectors come before the data; 0 where the arguments are in another order.
template <class... Arguments>
constexpr std::size_t count_vectors() {
  constexpr std::array<bool, sizeof...(Arguments)> given{is_nodes<Arguments>...};
  const auto end = std::find(given.begin(), given.end(), false);
  return std::find(end, given.end(), true) == given.end() ? static_cast<std::size_t>(end - given.begin()) : 0;
}

}  // namespace detail

/// The nodes of one vector among several: `assemble(verb)(nodes_of(x, cameras), nodes_of(y, points), data...)` is the
/// sum of `f(x[cameras[i]], y[points[i]], data[i]...)`. The indices are one vector of numbers or, where an element
/// takes several entries, of `std::array`s. With `held`, some numbers of the vector are held: boundary conditions, or
/// the pose from which the others are measured. The matrices have no rows and columns for held numbers. `held` contains
/// a bool for each entry of the vector or, if an entry has several numbers, a `std::array` of bools. All arguments are
/// read where they lie, by the call.
template <class X, class Elements, class Held = detail::none_held>
constexpr auto nodes_of(const X& vector, const Elements& elements, const Held& held = detail::nothing_is_held) {
  static_assert(detail::Nodes<X, Elements>,
                "tapeless: nodes_of takes a vector and, for each element, an index or a std::array of indices [TL190]");
  constexpr bool are_flags = std::is_same_v<Held, detail::none_held> || detail::Flags<Held, X>;
  static_assert(are_flags,
                "tapeless: nodes_of takes a bool for each entry of the vector to say what is held, or a std::array of "
                "bools for the numbers of each entry [TL191]");
  return detail::nodes_argument<X, Elements, Held>{vector, elements, held};
}

}  // namespace tapeless
