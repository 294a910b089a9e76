#pragma once

#include <tapeless/core/map_structure.hpp>
#include <tapeless/gradient/function/argument_shape.hpp>
#include <tapeless/gradient/tensor/storage.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace tapeless::detail {

/// A number in the arguments of a batch as variable number `Variable` of the traced program.
template <int Variable, std::ptrdiff_t... Extents>
struct argument_leaf {
  static constexpr int rank = sizeof...(Extents);
  static constexpr std::array<std::ptrdiff_t, sizeof...(Extents)> extents{Extents...};

  static constexpr bool binds(int variable, std::string_view) { return variable == Variable; }
  template <int Other>
  using at = argument_leaf<Other, Extents...>;
};

/// Several of them, in their order.
template <class... Leaves>
struct argument_leaves {
  static constexpr int rank = std::max({0, Leaves::rank...});
};
template <class... Lists>
struct joined_leaves {
  using type = argument_leaves<>;
};
template <class... Leaves>
struct joined_leaves<argument_leaves<Leaves...>> {
  using type = argument_leaves<Leaves...>;
};
template <class... Leaves, class... More, class... Lists>
struct joined_leaves<argument_leaves<Leaves...>, argument_leaves<More...>, Lists...>
    : joined_leaves<argument_leaves<Leaves..., More...>, Lists...> {};

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

/// The leaves of arguments whose first number is variable number `First`.
template <int First, class Indices, class... Args>
struct leaves_of_arguments;
template <int First, std::size_t... I, class... Args>
struct leaves_of_arguments<First, std::index_sequence<I...>, Args...> {
  using layout = argument_layout<typename batch_argument<Args>::element...>;
  using type = typename joined_leaves<
      typename batch_argument<Args>::template leaves<First + static_cast<int>(layout::first(I))>...>::type;
};

/// The gradients of elements of the type `E`.
template <class E, class T>
using gradients_of_elements = std::vector<typename shape_of<E>::template gradient_type<T>>;

template <Numeric A>
struct batch_argument<A> {
  using element = A;
  template <int First>
  using leaves = argument_leaves<argument_leaf<First>>;
  template <class T, class Container>
  using gradient = Container;

  template <class Visit>
  static void visit(const A& number, Visit visit) {
    visit(&number, std::array<std::ptrdiff_t, 0>{}, std::array<std::ptrdiff_t, 0>{});
  }
};

template <Array_of_numbers A>
struct batch_argument<A> {
  using traits = tensor_traits<A>;
  using element = typename traits::element;
  template <int First, class Indices = std::make_index_sequence<static_cast<std::size_t>(traits::rank)>>
  struct leaves_at;
  template <int First, std::size_t... I>
  struct leaves_at<First, std::index_sequence<I...>> {
    using type = argument_leaves<argument_leaf<First, traits::extents[I]...>>;
  };
  template <int First>
  using leaves = typename leaves_at<First>::type;
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

template <Array_of_structures A>
struct batch_argument<A> {
  using element = std::remove_cv_t<typename A::value_type>;
  template <int First, class Indices = std::make_index_sequence<shape_of<element>::size>>
  struct leaves_at;
  template <int First, std::size_t... I>
  struct leaves_at<First, std::index_sequence<I...>> {
    using type = argument_leaves<argument_leaf<First + static_cast<int>(I), -1>...>;
  };
  template <int First>
  using leaves = typename leaves_at<First>::type;
  template <class T, class Container>
  using gradient = gradients_of_elements<element, T>;

  /// Calls `visit(pointer, extents, strides)` for each number of an element.
  template <class Visit>
  static void visit(const A& array, Visit visit) {
    // Of no elements nothing is read.
    const element none{};
    const element& first = array.size() > 0 ? *array.data() : none;
    const std::array extents{static_cast<std::ptrdiff_t>(array.size())};
    const auto one = [&]<std::size_t I>() {
      const auto& number = shape_of<element>::template element<I>(first);
      using U = std::remove_cvref_t<decltype(number)>;
      static_assert(sizeof(element) % sizeof(U) == 0,
                    "tapeless: the size of a structure in an array must be a multiple of the size of each of its "
                    "numbers; use numbers of one size");
      visit(&number, extents, std::array{static_cast<std::ptrdiff_t>(sizeof(element) / sizeof(U))});
    };
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (one.template operator()<I>(), ...);
    }(std::make_index_sequence<shape_of<element>::size>{});
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
  static constexpr bool is_one_element = std::is_same_v<element, A>;

  template <int First, std::size_t... I>
  static constexpr auto find_leaves(std::index_sequence<I...> all) {
    return leaves_of_arguments<First, decltype(all), typename structure<A>::template member<I>...>{};
  }
  template <int First>
  using leaves = typename decltype(find_leaves<First>(std::make_index_sequence<structure<A>::size>{}))::type;

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
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (batch_argument<typename structure<A>::template member<I>>::visit(structure<A>::template get<I>(argument), visit),
       ...);
    }(std::make_index_sequence<structure<A>::size>{});
  }
};

/// The leaves of tangents and cotangents: those at `Places` among their numbers are the variables from number `First`
/// on.
template <int First, class Given, class Places>
struct seed_leaves;
template <int First, class... Given, int... Place>
struct seed_leaves<First, std::tuple<Given...>, std::integer_sequence<int, Place...>> {
  using all = typename leaves_of_arguments<0, std::index_sequence_for<Given...>, std::remove_cvref_t<Given>...>::type;
  template <class... Leaves>
  static auto pick(argument_leaves<Leaves...>) {
    if constexpr (sizeof...(Place) == 0 || sizeof...(Leaves) == 0)
      return argument_leaves<>{};
    else
      return pick_from<Leaves...>(std::make_index_sequence<sizeof...(Place)>{});
  }
  template <class... Leaves, std::size_t... K>
  static auto pick_from(std::index_sequence<K...>) {
    return argument_leaves<typename type_at<static_cast<std::size_t>(Place),
                                            Leaves...>::type::template at<First + static_cast<int>(K)>...>{};
  }
  using type = decltype(pick(all{}));
};

}  // namespace tapeless::detail
