#pragma once

#include <tapeless/core/map_structure.hpp>
#include <tapeless/core/target.hpp>
#include <tapeless/gradient/function/argument_shape.hpp>
#include <tapeless/gradient/tensor/storage.hpp>
#include <tapeless/gradient/tensor/tensor_results.hpp>

#include <cstddef>
#include <tuple>
#include <type_traits>

namespace tapeless::detail::inline TAPELESS_TARGET {

/// Number or tensor number `L` of the arguments, in the gradients by those at positions `P`.
template <std::size_t L, class Layout, std::size_t... P, class G>
decltype(auto) gradient_leaf(G& g) {
  constexpr std::size_t position = Layout::position(L);
  using argument = typename Layout::template argument<position>;
  if constexpr (sizeof...(P) == 1) {
    return leaf_like<argument, L - Layout::first(position)>(g);
  } else {
    constexpr std::size_t place = [] {
      std::size_t result = 0;
      static_cast<void>(((P == position ? true : (++result, false)) || ...));
      return result;
    }();
    return leaf_like<argument, L - Layout::first(position)>(std::get<place>(g));
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
    tensor_traits<Presented>::resize(to, from.extents);
    const auto into = strided_of(to);
    from.for_each([&](const auto& at) {
      into.data[into.offset(at)] = static_cast<typename tensor_traits<Presented>::element>(from.data[from.offset(at)]);
    });
  }
};
template <class V, class T>
struct computed_derivative<V, T, T> {
  T& target(T& presented) { return presented; }
  void present(T&) const {}
};
/// The derivatives by the parts of complex numbers, which are put together.
template <class V, class Computed, class X, std::size_t Part>
struct computed_derivative<V, Computed, complex_part<X, Part>> {
  Computed computed{};

  Computed& target(const complex_part<X, Part>&) { return computed; }
};

/// Replaces each number and tensor in an argument by `Leaf::at<rank>`.
template <class Leaf>
struct replaced_by_rank {
  template <class A>
  static constexpr auto find() {
    if constexpr (Structure<A>)
      return std::type_identity<typename mapped_structure<A, replaced_by_rank>::type>{};
    else if constexpr (is_constant<A>)
      return std::type_identity<typename Leaf::template at<0>>{};
    else if constexpr (!Standard_complex<A>)
      return std::type_identity<typename Leaf::template at<tensor_traits<A>::rank>>{};
    else if constexpr (requires { typename Leaf::template complex_at<tensor_traits<A>::rank>; })
      return std::type_identity<typename Leaf::template complex_at<tensor_traits<A>::rank>>{};
    else
      return std::type_identity<complex<typename Leaf::template at<tensor_traits<A>::rank>>>{};
  }
  template <class A>
  using to = typename decltype(find<as_array_t<A>>())::type;
};
/// A block of a matrix, with a row of the rank `RowRank`.
template <class T, int RowRank>
struct block_of_rank {
  template <int Rank>
  using at = typename value_container<T, RowRank + Rank>::type;
};
/// A row of such blocks, one for each number and tensor in `As`.
template <class T, class... As>
struct row_of_rank {
  template <int Rank>
  using at = one_or_tuple<typename replaced_by_rank<block_of_rank<T, Rank>>::template to<As>...>;
};

}  // namespace tapeless::detail::inline TAPELESS_TARGET
