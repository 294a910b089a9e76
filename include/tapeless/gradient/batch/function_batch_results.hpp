#pragma once

#include <tapeless/core/always_inline.hpp>
#include <tapeless/gradient/batch/batch_argument.hpp>
#include <tapeless/gradient/formula/formula_problems.hpp>
#include <tapeless/gradient/result/sparse_matrix.hpp>

#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace tapeless::detail {

/// Hands outputs places in the gradient of an argument of any kind.
template <class A, class Places, class G>
TAPELESS_ALWAYS_INLINE void place_gradient_of(Places& places, G& to) {
  if constexpr (Structure<A> && Structure<G>)
    for_each_index<structure<A>::size>([&](auto i) TAPELESS_INLINE_LAMBDA {
      place_gradient_of<typename structure<A>::template member<i>>(places, structure<G>::template get<i>(to));
    });
  else if constexpr (is_integer<typename batch_argument<A>::element>)
    places.fill_with_zeros(to);
  else
    places.fill(to);
}

/// The results of a traced function over arrays: the gradients of structures are structures, those of sequences are
/// sequences. `Argument` reads an element of arrays, and `Container` holds a number of each.
template <template <class> class Argument, class Source, class T, class Container, class Positions, class... Args>
struct positional_batch_shape;
template <template <class> class Argument, class Source, class T, class Container, std::size_t... P, class... Args>
struct positional_batch_shape<Argument, Source, T, Container, std::index_sequence<P...>, Args...> {
  using layout = argument_layout<typename Argument<Args>::element...>;
  using container = Container;
  static constexpr std::size_t outputs = Source::value.outputs.size(), variables = (layout::sizes[P] + ... + 0);
  /// A function that returns a number gives an array, another a vector of `std::array`s.
  using all_values = std::vector<std::array<T, outputs>>;
  using values = std::conditional_t<outputs == 1, container, all_values>;

  template <std::size_t Q>
  using argument = Argument<typename type_at<Q, Args...>::type>;
  template <std::size_t Q>
  using gradient_part = typename argument<Q>::template gradient<T, container>;
  template <std::size_t>
  using gradient = typename std::conditional_t<sizeof...(P) == 1, type_at<0, gradient_part<P>...>,
                                               std::type_identity<std::tuple<gradient_part<P>...>>>::type;
  using jacobian = std::array<std::array<container, variables>, outputs>;
  using hessian = std::array<std::array<container, variables>, variables>;
  template <class Entries>
  using sparse = sparse_matrix<Entries, container>;

  template <class Places>
  TAPELESS_ALWAYS_INLINE static void place_gradient(Places& places, gradient<0>& g) {
    if constexpr (sizeof...(P) == 1)
      (place_part<P>(places, g), ...);
    else
      std::apply([&](auto&... parts) TAPELESS_INLINE_LAMBDA { (place_part<P>(places, parts), ...); }, g);
  }

 private:
  template <std::size_t Q, class Places, class G>
  TAPELESS_ALWAYS_INLINE static void place_part(Places& places, G& to) {
    if constexpr (argument<Q>::is_sequence)
      places.to.template write_sequences<Q>(places.next, to);
    else
      place_gradient_of<typename type_at<Q, Args...>::type>(places, to);
  }
};

}  // namespace tapeless::detail
