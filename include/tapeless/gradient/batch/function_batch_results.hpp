#pragma once

#include <tapeless/gradient/batch/batch_argument.hpp>
#include <tapeless/gradient/result/sparse_matrix.hpp>
#include <tapeless/gradient/verb.hpp>

#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace tapeless::detail {

/// Hands outputs places in the gradient of an argument of any kind.
template <class A, class Places, class G>
void place_gradient(Places& places, G& to) {
  if constexpr (Structure<A> && Structure<G>)
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (place_gradient<typename structure<A>::template member<I>>(places, structure<G>::template get<I>(to)), ...);
    }(std::make_index_sequence<structure<A>::size>{});
  else if constexpr (is_integer<typename batch_argument<A>::element>)
    places.fill_with_zeros(to);
  else
    places.fill(to);
}

/// The results of a traced function over arrays; the gradients of structures are structures.
template <verb V, class Source, class Batch, class Positions, class... Args>
struct positional_batch_shape;
template <verb V, class Source, class Batch, std::size_t... P, class... Args>
struct positional_batch_shape<V, Source, Batch, std::index_sequence<P...>, Args...> {
  using T = typename Batch::T;
  using layout = typename Batch::layout;
  using container = typename Batch::container;
  static constexpr std::size_t outputs = Source::value.outputs.size(), variables = (layout::sizes[P] + ... + 0);
  /// A function that returns a number gives an array, another a vector of `std::array`s.
  using all_values = std::vector<std::array<T, outputs>>;
  using values = std::conditional_t<outputs == 1, container, all_values>;

  template <std::size_t Q>
  using gradient_part = typename Batch::template gradient<typename type_at<Q, Args...>::type>;
  template <std::size_t>
  using gradient = typename std::conditional_t<sizeof...(P) == 1, type_at<0, gradient_part<P>...>,
                                               std::type_identity<std::tuple<gradient_part<P>...>>>::type;
  using jacobian = std::array<std::array<container, variables>, outputs>;
  using hessian = std::array<std::array<container, variables>, variables>;
  template <class Entries>
  using sparse = sparse_matrix<Entries, container>;

  template <class Places>
  static void place_gradient(Places& places, gradient<0>& g) {
    const auto one = [&]<std::size_t Q>(auto& part) {
      Batch::template place_part<typename type_at<Q, Args...>::type, Q>(places, part);
    };
    if constexpr (sizeof...(P) == 1)
      (one.template operator()<P>(g), ...);
    else
      std::apply([&](auto&... each) { (one.template operator()<P>(each), ...); }, g);
  }
};

}  // namespace tapeless::detail
