#ifndef TAPELESS_GRADIENT_TENSOR_HESSIAN_HPP
#define TAPELESS_GRADIENT_TENSOR_HESSIAN_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/core/target.hpp>
#include <tapeless/gradient/hessian.hpp>
#include <tapeless/gradient/tensor.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tapeless {

/// Second derivatives by two variables that are tensors.
template <class V, class U, class T>
struct tensor_hessian_entry {
  T value{};
};

/// Second derivatives over tensors: `h(w, b)` has the axes of `w`, then those of `b`; it is a number where both are.
template <class... Entries>
struct tensor_hessian_map : Entries... {
  template <class V, class U>
  const auto& operator()(const V&, const U&) const {
    constexpr bool found = requires { entry<V, U>(*static_cast<const tensor_hessian_map*>(nullptr)); };
    static_assert(found, "tapeless: the result has no entry for this variable; name it in wrt(...)");
    return entry<V, U>(*this).value;
  }
  template <class V, class U, class T>
  static auto& entry(tensor_hessian_entry<V, U, T>& e) {
    return e;
  }
  template <class V, class U, class T>
  static const auto& entry(const tensor_hessian_entry<V, U, T>& e) {
    return e;
  }
};

namespace detail::inline TAPELESS_TARGET {

/// The Hessian of a formula over tensors, column by column: a product with each direction of one element.
template <class F, class... Vs>
struct tensor_hessian<F, wrt_variables<Vs...>> {
  template <class... Bindings>
  struct call {
    template <class V>
    using shaped =
        typename tensor_gradient<F, wrt_variables<Vs...>, false, unconnected::materialise_policy>::template call<
            Bindings...>::results::template derivative<V>;
    template <class V>
    using direction = binding<V, std::conditional_t<is_tensor<shaped<V>>, tensor_reference<shaped<V>>, shaped<V>>>;
    template <class V>
    using column = typename tensor_hvp<F, wrt_variables<Vs...>, direction<V>>::template call<Bindings...>::results;
    template <class V, class U>
    using entry = tensor_hessian_entry<
        V, U,
        std::conditional_t<std::is_same_v<typename column<U>::template derivative<V>, Zero>, Zero,
                           typename value_container<typename column<U>::T, tensor_traits<shaped<V>>::rank +
                                                                               tensor_traits<shaped<U>>::rank>::type>>;
    template <class U>
    using entries_of_column = std::tuple<entry<Vs, U>...>;
    template <class... Entries>
    static tensor_hessian_map<Entries...> map_of(const std::tuple<Entries...>&);
    using result = decltype(map_of(std::tuple_cat(std::declval<entries_of_column<Vs>>()...)));
  };

  template <class... Bindings>
  static auto run(const F& f, const Bindings&... bindings) {
    typename call<Bindings...>::result h{};
    (fill_column<Vs>(h, f, bindings...), ...);
    return h;
  }

 private:
  template <class U, class Map, class... Bindings>
  static void fill_column(Map& h, const F& f, const Bindings&... bindings) {
    using made = call<Bindings...>;
    using column = typename made::template column<U>;
    typename made::template shaped<U> along{};
    typename column::result product{};
    std::array<std::ptrdiff_t, program::max_rank> shape{};
    (take_shape<U>(shape, bindings), ...);
    tensor_traits<decltype(along)>::resize(along, shape);
    const auto elements = strided_of(along);
    elements.for_each([&](const auto& at) { elements.data[elements.offset(at)] = 0; });
    elements.for_each([&](const auto& at) {
      auto& element = elements.data[elements.offset(at)];
      element = 1;
      column::run(loops::sequential{}, product, f, std::tuple{U{} = along}, bindings...);
      (store<Vs, U>(h, product, at, elements), ...);
      element = 0;
    });
  }
  template <class U, class Shape, class B>
  static void take_shape(Shape& shape, const B& given) {
    if constexpr (std::is_same_v<typename B::variable_type, U>) {
      const auto& x = bound<typename B::value_type>::get(given.value);
      using traits = tensor_traits<bound_t<B>>;
      for (int i = 0; i < traits::rank; ++i) shape[static_cast<std::size_t>(i)] = traits::extent(x, i);
    }
  }

  /// Puts the derivatives of the product with the element `at` of `U` where they belong.
  template <class V, class U, class Map, class Product, class Index, class Elements>
  static void store(Map& h, const Product& product, const Index& at, const Elements& elements) {
    auto& value = Map::template entry<V, U>(h).value;
    using container = std::remove_reference_t<decltype(value)>;
    if constexpr (!std::is_same_v<container, Zero>) {
      const auto from = strided_of(product[V{}]);
      const std::size_t first = static_cast<std::size_t>(from.rank);
      auto shape = from.extents;
      for (std::size_t i = 0; i < static_cast<std::size_t>(elements.rank); ++i) shape[first + i] = elements.extents[i];
      tensor_traits<container>::resize(value, shape);
      const auto to = strided_of(value);
      from.for_each([&](auto position) {
        const auto& number = from.data[from.offset(position)];
        for (std::size_t i = 0; i < static_cast<std::size_t>(elements.rank); ++i) position[first + i] = at[i];
        to.data[to.offset(position)] = number;
      });
    }
  }
};

}  // namespace detail::inline TAPELESS_TARGET

}  // namespace tapeless

#endif
