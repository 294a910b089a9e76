#pragma once

/// What elements are functions of: vectors of nodes and index arrays.
#include <tapeless/gradient/function/argument_shape.hpp>

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

/// A vector of nodes, which `Each` of them each element of one group names, and which of them are held.
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
    if constexpr (!some_held)
      return false;
    else if constexpr (std::is_convertible_v<decltype(held[entry]), bool>)
      return held[entry];
    else
      return held[entry][number];
  }
};

/// The indices of elements that name no node of a vector.
struct none_named {
  static constexpr const none_named* data() { return nullptr; }
  static constexpr std::size_t size() { return 0; }
};

/// An element's indices: several, one, or none.
template <class Row>
struct index_row;
template <>
struct index_row<none_named> {
  using index = void;
  static constexpr std::size_t count = 0;
};
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
template <class Elements>
using index_row_of = index_row<std::remove_cvref_t<decltype(*std::declval<const Elements&>().data())>>;

template <class X, class Elements>
concept Nodes = requires(const X& x, const Elements& elements) {
  x.data() + x.size();
  elements.data() + elements.size();
  index_row_of<Elements>::count;
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

/// A vector with the indices of the only group of elements, if there is one, and which of its numbers are held.
template <class X, class Elements = none_named, class Held = none_held>
struct nodes_argument {
  const X& vector;
  const Elements& elements;
  const Held& held;
};
template <class A>
inline constexpr bool names_nodes = false;
template <class X, class Elements, class Held>
inline constexpr bool names_nodes<nodes_argument<X, Elements, Held>> = !std::is_same_v<Elements, none_named>;
/// The elements of one group: indices into each vector, then the data.
template <class... Given>
struct group_argument {
  std::tuple<const Given&...> given;
};

inline constexpr none_held nothing_is_held;

}  // namespace detail

inline constexpr detail::none_named no_nodes;

namespace detail {

template <class X>
constexpr auto as_nodes(const X& x) {
  if constexpr (is_instance_of<nodes_argument, X>)
    return x;
  else
    return nodes_argument<X>{x, no_nodes, nothing_is_held};
}

/// The type of the indices of the first of these arrays that has any.
template <class... Elements>
struct first_index : std::type_identity<void> {};
template <class First, class... Others>
  requires requires { index_row_of<First>::count; }
struct first_index<First, Others...> : std::conditional_t<index_row_of<First>::count == 0, first_index<Others...>,
                                                          std::type_identity<typename index_row_of<First>::index>> {};
template <class Index, class X, class Named, class Held, class Elements>
  requires(Nodes<X, Elements> && std::integral<Index> &&
           (index_row_of<Elements>::count == 0 || std::is_same_v<typename index_row_of<Elements>::index, Index>))
constexpr auto as_kind(const nodes_argument<X, Named, Held>& of, const Elements& elements) {
  using node = std::remove_cvref_t<decltype(*of.vector.data())>;
  constexpr std::size_t each = index_row_of<Elements>::count;
  const std::size_t count = static_cast<std::size_t>(elements.size());
  const Index* picks = nullptr;
  if constexpr (std::is_same_v<decltype(elements.data()), const Index*>)
    picks = elements.data();
  else if constexpr (each > 0)
    if (count > 0) picks = elements.data()->data();
  return node_kind<node, Index, each, Held>{
      {of.vector.data(), static_cast<std::size_t>(of.vector.size())}, {picks, count * each}, count, of.held};
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

/// The elements of one function among several: `assemble(hessian(f), hessian(g))(x, y, sum_over(...), sum_over(...))`.
/// The arguments are indices into each vector, in the order of the vectors, then the function's data. Indices are as in
/// `nodes_of`, or `no_nodes` into a vector that the function does not read. A vector of which some numbers are held is
/// `nodes_of(x, no_nodes, held)`. All are read where they lie, by the call.
template <class... Given>
constexpr auto sum_over(const Given&... given) {
  return detail::group_argument<Given...>{std::tie(given...)};
}

}  // namespace tapeless
