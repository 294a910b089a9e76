#ifndef TAPELESS_GRADIENT_FUNCTION_ELEMENT_NODES_HPP
#define TAPELESS_GRADIENT_FUNCTION_ELEMENT_NODES_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

/// What elements are functions of: vectors of nodes and index arrays.
#include <tapeless/gradient/function/argument_shape.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>

namespace tapeless {

namespace detail {

/// A vector of nodes, and which `Each` of them each element names.
template <class Node, class Index, std::size_t Each>
struct node_kind {
  using node = Node;
  using index = Index;
  static constexpr std::size_t each = Each, size = shape_of<Node>::size;

  std::span<const Node> vector;
  std::span<const Index> picks;
  std::size_t elements;
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
template <class X, class Elements>
constexpr auto as_kind(const X& x, const Elements& elements) {
  using node = std::remove_cvref_t<decltype(*x.data())>;
  using row = index_row<std::remove_cvref_t<decltype(*elements.data())>>;
  using index = typename row::index;
  const std::size_t count = static_cast<std::size_t>(elements.size());
  const index* picks = nullptr;
  if constexpr (std::integral<std::remove_cvref_t<decltype(*elements.data())>>)
    picks = elements.data();
  else if (count > 0)
    picks = elements.data()->data();
  return node_kind<node, index, row::count>{
      {x.data(), static_cast<std::size_t>(x.size())}, {picks, count * row::count}, count};
}

template <class First, class... Rest>
inline constexpr bool of_one_type = (std::is_same_v<First, Rest> && ...);

template <class X, class Elements>
struct nodes_argument {
  const X& vector;
  const Elements& elements;
};
template <class A>
inline constexpr bool is_nodes = false;
template <class X, class Elements>
inline constexpr bool is_nodes<nodes_argument<X, Elements>> = true;

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
/// takes several entries, of `std::array`s. Both arguments are read where they lie, by the call.
template <class X, class Elements>
constexpr auto nodes_of(const X& vector, const Elements& elements) {
  static_assert(detail::Nodes<X, Elements>,
                "tapeless: nodes_of takes a vector and, for each element, an index or a std::array of indices");
  return detail::nodes_argument<X, Elements>{vector, elements};
}

}  // namespace tapeless

#endif
