#pragma once

#include <tapeless/core/map_structure.hpp>
#include <tapeless/core/target.hpp>
#include <tapeless/gradient/function/argument_shape.hpp>
#include <tapeless/gradient/tensor/storage.hpp>
#include <tapeless/gradient/tensor/tensor_results.hpp>

#include <cstddef>
#include <initializer_list>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tapeless::detail::inline TAPELESS_TARGET {

/// A leaf of a structure: the member it lies in and its number there.
struct leaf_place {
  std::size_t member, leaf;
};
/// That of leaf number `leaf`, where the members have so many.
constexpr leaf_place leaf_among(std::initializer_list<std::size_t> sizes, std::size_t leaf) {
  std::size_t member = 0;
  for (const std::size_t size : sizes) {
    if (leaf < size) break;
    leaf -= size;
    ++member;
  }
  return {member, leaf};
}

/// The part `I` of a gradient of the argument type `A`.
template <class A, std::size_t I, class G>
auto& gradient_leaf(G& gradient) {
  if constexpr (Structure<A>) {
    constexpr leaf_place at = []<std::size_t... M>(std::index_sequence<M...>) {
      return leaf_among({shape_of<typename structure<A>::template member<M>>::size...}, I);
    }(std::make_index_sequence<structure<A>::size>{});
    return gradient_leaf<as_array_t<typename structure<A>::template member<at.member>>, at.leaf>(
        structure<G>::template get<at.member>(gradient));
  } else {
    return gradient;
  }
}

/// The same of the gradients by the arguments at positions `P`.
template <std::size_t L, class Layout, std::size_t... P, class G>
auto& gradient_leaf_at(G& g) {
  constexpr std::size_t position = Layout::position(L);
  using argument = as_array_t<typename Layout::template argument<position>>;
  if constexpr (sizeof...(P) == 1) {
    return gradient_leaf<argument, L - Layout::first(position)>(g);
  } else {
    constexpr std::size_t place = [] {
      std::size_t result = 0;
      static_cast<void>(((P == position ? true : (++result, false)) || ...));
      return result;
    }();
    return gradient_leaf<argument, L - Layout::first(position)>(std::get<place>(g));
  }
}

/// How many numbers and tensors a function's result of type `R` has.
template <class R>
constexpr std::size_t leaves_in() {
  if constexpr (Structure<R>)
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return (leaves_in<typename structure<R>::template member<I>>() + ... + 0);
    }(std::make_index_sequence<structure<R>::size>{});
  else
    return 1;
}
/// Number `K` among what `values_like` made of `R`.
template <class R, std::size_t K, class Values>
auto& value_leaf(Values& values) {
  if constexpr (Structure<R>) {
    constexpr leaf_place at = []<std::size_t... M>(std::index_sequence<M...>) {
      return leaf_among({leaves_in<typename structure<R>::template member<M>>()...}, K);
    }(std::make_index_sequence<structure<R>::size>{});
    return value_leaf<typename structure<R>::template member<at.member>, at.leaf>(std::get<at.member>(values));
  } else {
    return values;
  }
}

/// The derivatives that the loops compute in another number type than that of the gradient, which gets them
/// converted.
template <class V, class Computed, class Presented>
struct computed_derivative {
  Computed computed{};

  Computed& target(Presented&) { return computed; }
  void present(Presented& to) const {
    const auto from = strided_of(computed);
    if constexpr (tensor_traits<Presented>::rank == 0) {
      to = static_cast<Presented>(*from.data);
    } else {
      tensor_traits<Presented>::resize(to, from.extents);
      const auto into = strided_of(to);
      from.for_each([&](const auto& at) {
        into.data[into.offset(at)] =
            static_cast<typename tensor_traits<Presented>::element>(from.data[from.offset(at)]);
      });
    }
  }
};
template <class V, class T>
struct computed_derivative<V, T, T> {
  T& target(T& presented) { return presented; }
  void present(T&) const {}
};

/// What a function returns, each number and tensor in it replaced by a container, in their order from number `First`
/// on.
template <class R, std::size_t First, class Container>
constexpr auto values_like() {
  if constexpr (Structure<R>) {
    return []<std::size_t... I>(std::index_sequence<I...>) {
      constexpr auto first = [](std::size_t member) {
        std::size_t result = First;
        ((I < member ? void(result += leaves_in<typename structure<R>::template member<I>>()) : void()), ...);
        return result;
      };
      return values_of_types<
          typename decltype(values_like<typename structure<R>::template member<I>, first(I), Container>())::type...>{};
    }(std::make_index_sequence<structure<R>::size>{});
  } else {
    return std::type_identity<typename Container::template at<First>>{};
  }
}
/// The types of blocks with a row of the rank `RowRank` for each number and tensor of an argument.
template <class T, int RowRank>
struct matrix_blocks {
  template <class A>
  static constexpr auto find() {
    if constexpr (Structure<A>)
      return std::type_identity<typename mapped_structure<A, matrix_blocks>::type>{};
    else if constexpr (is_constant<A>)
      return value_container<T, RowRank>{};
    else
      return value_container<T, RowRank + tensor_traits<A>::rank>{};
  }
  template <class A>
  using to = typename decltype(find<as_array_t<A>>())::type;
  /// Of one argument the blocks themselves, of several a tuple.
  template <class... As>
  using of_arguments = typename std::conditional_t<sizeof...(As) == 1, type_at<0, to<As>...>,
                                                   std::type_identity<std::tuple<to<As>...>>>::type;
};
/// Rows of such blocks for each number and tensor of an argument.
template <class T, class... As>
struct matrix_rows {
  template <class A>
  static constexpr auto find() {
    if constexpr (Structure<A>)
      return std::type_identity<typename mapped_structure<A, matrix_rows>::type>{};
    else if constexpr (is_constant<A>)
      return std::type_identity<typename matrix_blocks<T, 0>::template of_arguments<As...>>{};
    else
      return std::type_identity<typename matrix_blocks<T, tensor_traits<A>::rank>::template of_arguments<As...>>{};
  }
  template <class A>
  using to = typename decltype(find<as_array_t<A>>())::type;
  using type = typename std::conditional_t<sizeof...(As) == 1, type_at<0, to<As>...>,
                                           std::type_identity<std::tuple<to<As>...>>>::type;
};

}  // namespace tapeless::detail::inline TAPELESS_TARGET
