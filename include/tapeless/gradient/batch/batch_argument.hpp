#pragma once

#include <tapeless/core/map_structure.hpp>
#include <tapeless/gradient/function/argument_shape.hpp>
#include <tapeless/gradient/tensor/storage.hpp>
#include <tapeless/program/lower/spread.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

namespace tapeless::detail {

/// An argument of a batch: what one element of it is, which tensors the numbers of that element lie in, and what holds
/// its gradients. Arrays of numbers are tensors; vectors and spans of structures have the numbers of an element side by
/// side; structures of such arrays one array for each number. What is none of these is one element for all.
template <class A>
struct batch_argument;

template <class A>
concept Array_of_numbers = is_tensor<A> && !Structure<A> && Numeric<typename tensor_traits<A>::element>;
template <class A>
concept Array_of_structures = !Structure<A> && requires(const A& a) {
  { a.data() } -> std::convertible_to<const typename A::value_type*>;
  a.size();
  requires Structure<std::remove_cv_t<typename A::value_type>>;
};

/// The leaves of the numbers in arguments, in their order: of which variables they are is not said.
template <template <class> class Argument, class... As>
constexpr auto leaves_of_arguments() {
  std::array<program::array_leaf, (Argument<As>::leaves.size() + ... + 0)> result;
  std::size_t next = 0;
  const auto append = [&](const auto& leaves) {
    for (const program::array_leaf& leaf : leaves) result[next++] = leaf;
  };
  (append(Argument<As>::leaves), ...);
  return result;
}

/// The gradients of elements of the type `E`.
template <class E, class T>
using gradients_of_elements = std::vector<typename shape_of<E>::template gradient_type<T>>;

/// An array of numbers, or a number for all elements.
template <class A>
struct array_argument {
  using traits = tensor_traits<A>;
  using element = typename traits::element;
  static constexpr bool is_sequence = false;
  static constexpr std::array<program::array_leaf, 1> leaves = [] {
    std::array<program::array_leaf, 1> result{};
    result[0].rank = traits::rank;
    std::copy(traits::extents.begin(), traits::extents.end(), result[0].extents.begin());
    return result;
  }();
  template <class T, class Container>
  using gradient = Container;

  template <class Visit>
  static void visit(const A& array, Visit visit) {
    std::array<std::ptrdiff_t, static_cast<std::size_t>(traits::rank)> extents{}, strides{};
    for (int i = 0; i < traits::rank; ++i) {
      extents[static_cast<std::size_t>(i)] = traits::extent(array, i);
      strides[static_cast<std::size_t>(i)] = traits::stride(array, i);
    }
    visit(traits::data(array), extents, strides);
  }
};
template <class A>
  requires(Numeric<A> || Array_of_numbers<A>)
struct batch_argument<A> : array_argument<A> {};

/// The standard's complex numbers: arrays of their parts.
template <Standard_complex A>
struct batch_argument<A> {
  using element = typename tensor_traits<A>::element;
  template <std::size_t Part>
  using array = array_argument<complex_part<const A, Part>>;
  static constexpr bool is_sequence = false;
  static constexpr std::array<program::array_leaf, 2> leaves{array<0>::leaves[0], array<1>::leaves[0]};
  template <class T, class Container>
  using gradient = complex<Container>;

  template <class Visit>
  static void visit(const A& of, Visit visit) {
    array<0>::visit(complex_part<const A, 0>(of), visit), array<1>::visit(complex_part<const A, 1>(of), visit);
  }
};

template <Array_of_structures A>
struct batch_argument<A> {
  using element = std::remove_cv_t<typename A::value_type>;
  static constexpr bool is_sequence = false;
  static constexpr auto leaves = [] {
    std::array<program::array_leaf, shape_of<element>::size> result;
    result.fill({-1, 1, {-1}});
    return result;
  }();
  template <class T, class Container>
  using gradient = gradients_of_elements<element, T>;

  /// Calls `visit(pointer, extents, strides)` for each number of an element.
  template <class Visit>
  static void visit(const A& array, Visit visit) {
    // Of no elements nothing is read.
    const element none{};
    const element& first = array.size() > 0 ? *array.data() : none;
    const std::array extents{static_cast<std::ptrdiff_t>(array.size())};
    for_each_index<shape_of<element>::size>([&](auto i) {
      const auto& number = shape_of<element>::template element<i>(first);
      using U = std::remove_cvref_t<decltype(number)>;
      static_assert(sizeof(element) % sizeof(U) == 0,
                    "tapeless: the size of a structure in an array must be a multiple of the size of each of its "
                    "numbers; use numbers of one size [TL182]");
      visit(&number, extents, std::array{static_cast<std::ptrdiff_t>(sizeof(element) / sizeof(U))});
    });
  }
};

/// The type of an element of a structure of arrays, member by member.
struct batch_element {
  template <class A>
  using to = typename batch_argument<A>::element;
};

template <Structure A>
struct batch_argument<A> {
  using element = typename mapped_structure<A, batch_element>::type;
  static constexpr bool is_sequence = false;
  static constexpr bool is_one_element = std::is_same_v<element, A>;

  static constexpr auto leaves = []<std::size_t... I>(std::index_sequence<I...>) {
    return leaves_of_arguments<detail::batch_argument, typename structure<A>::template member<I>...>();
  }(std::make_index_sequence<structure<A>::size>{});

  template <class T, class Container>
  struct gradient_of_member {
    template <class M>
    using to = typename batch_argument<M>::template gradient<T, Container>;
  };
  template <class T, class Container>
  static constexpr auto find_gradient() {
    if constexpr (is_one_element)
      return gradients_of_elements<A, T>{};
    else
      return typename mapped_structure<A, gradient_of_member<T, Container>>::type{};
  }
  template <class T, class Container>
  using gradient = decltype(find_gradient<T, Container>());

  template <class Visit>
  static void visit(const A& argument, Visit visit) {
    for_each_index<structure<A>::size>([&](auto i) {
      batch_argument<typename structure<A>::template member<i>>::visit(structure<A>::template get<i>(argument), visit);
    });
  }
};

}  // namespace tapeless::detail
