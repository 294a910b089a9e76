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

/// Output number `first` and those that follow fill the numbers with derivatives of each structure in a vector.
template <class Outputs, class E>
void place_elements(const Outputs& outputs, std::size_t first, std::vector<E>& to) {
  using T = typename Outputs::number;
  static_assert(Outputs::rank <= 1, "tapeless: results that are structures need a vector");
  to.resize(static_cast<std::size_t>(outputs.count));
  E none{};
  E& element = to.empty() ? none : to.front();
  const auto one = [&]<std::size_t I>() {
    if constexpr (shape_of<E>::has_derivative(I)) {
      const auto& number = shape_of<E>::template element<I>(element);
      static_assert(std::is_same_v<std::remove_cvref_t<decltype(number)>, T>,
                    "tapeless: structures in an array must have the number type of the other arguments");
      static_assert(sizeof(E) % sizeof(T) == 0);
      outputs.write(first++, const_cast<T*>(&number), {static_cast<std::ptrdiff_t>(sizeof(E) / sizeof(T))});
    }
  };
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (one.template operator()<I>(), ...);
  }(std::make_index_sequence<shape_of<E>::size>{});
}

/// Looks only whether they lie where something bound does.
template <class Search, class E>
  requires Search::only_looks
void place_elements(const Search& outputs, std::size_t, std::vector<E>& to) {
  outputs.look({to.data(), to.data() + to.size()});
}

/// The same for the gradient of an argument of any kind.
template <class A, class Outputs, class G>
void place_gradient(const Outputs& outputs, std::size_t first, G& to) {
  if constexpr (Numeric<A> || Array_of_numbers<A>) {
    outputs(first, to);
  } else if constexpr (std::is_same_v<
                           G, gradients_of_elements<typename batch_argument<A>::element, typename Outputs::number>>) {
    place_elements(outputs, first, to);
  } else {
    const auto member = [&]<std::size_t I>() {
      using M = typename structure<A>::template member<I>;
      place_gradient<M>(outputs, first, structure<G>::template get<I>(to));
      first += shape_of<typename batch_argument<M>::element>::derivatives;
    };
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (member.template operator()<I>(), ...);
    }(std::make_index_sequence<structure<A>::size>{});
  }
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

  template <std::size_t First, class To, class Values>
  static void place_values(const To& to, Values& v) {
    if constexpr (std::is_same_v<Values, all_values>)
      place_elements(to, First, v);
    else
      to(First, v);
  }
  template <std::size_t First, class To>
  static void place_gradient(const To& to, gradient<First>& g) {
    std::size_t next = First;
    const auto one = [&]<std::size_t Q>(auto& part) {
      Batch::template place_part<typename type_at<Q, Args...>::type, Q>(to, next, part);
      next += layout::sizes[Q];
    };
    if constexpr (sizeof...(P) == 1)
      (one.template operator()<P>(g), ...);
    else
      std::apply([&](auto&... each) { (one.template operator()<P>(each), ...); }, g);
  }
  template <std::size_t First, class To, class Matrix>
  static void place_rows(const To& to, Matrix& rows) {
    std::size_t next = First;
    for (auto& row : rows)
      for (auto& entry : row) to(next++, entry);
  }
  template <std::size_t First, class To>
  static void place_jacobian(const To& to, jacobian& j) {
    place_rows<First>(to, j);
  }
  template <std::size_t First, class To>
  static void place_hessian(const To& to, hessian& h) {
    place_rows<First>(to, h);
  }
};

}  // namespace tapeless::detail
