#pragma once

#include <tapeless/core/target.hpp>
#include <tapeless/gradient/result/result_maps.hpp>
#include <tapeless/gradient/tensor/tensor_call.hpp>

#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tapeless::detail::inline TAPELESS_TARGET {

/// The matrix of the derivatives of outputs, or of the second derivatives of one number, over tensors: for each row (an
/// output or a variable) and each variable a block with the axes of both. Jacobians of numbers by rows, a reverse sweep
/// an output, others by columns: a product with each direction of one element.
template <verb V, class F, class Variables, class... Bindings>
struct tensor_matrix;
template <verb V, class F, class... Vs, class... Bindings>
struct tensor_matrix<V, F, wrt_variables<Vs...>, Bindings...> {
  static constexpr bool second = V.what == derives::hessian;
  using variables = wrt_variables<Vs...>;
  using operand = tensor_program<F, Bindings...>;
  using T = typename operand::T;

  template <class U>
  using shaped = typename operand::template shaped<U>;
  template <class U>
  using direction = binding<U, std::conditional_t<is_tensor<shaped<U>>, tensor_reference<shaped<U>>, shaped<U>>>;
  template <class U>
  using column = tensor_call<verb{second ? derives::hessian_product : derives::tangent}, F, variables,
                             unconnected::structural_policy, wrt_variables<>, std::tuple<direction<U>>, Bindings...>;
  /// The type of a block; what is zero by structure has none.
  template <class W, class U>
  static constexpr auto find_block() {
    constexpr int rank = tensor_traits<shaped<W>>::rank + tensor_traits<shaped<U>>::rank;
    if constexpr (std::is_same_v<typename column<U>::template derivative<W>, Zero>)
      return std::type_identity<Zero>{};
    else
      return value_container<T, rank>{};
  }
  template <class W, class U>
  using second_block = typename decltype(find_block<W, U>())::type;
  template <std::size_t K, class U>
  using first_block = typename value_container<T, operand::rank_of(K) + tensor_traits<shaped<U>>::rank>::type;

  static constexpr bool by_rows = [] {
    bool numbers = !second;
    for (std::size_t k = 0; k < operand::outputs; ++k) numbers = numbers && operand::rank_of(k) == 0;
    return numbers;
  }();

  /// What keeps the loops of its columns from being made.
  static constexpr auto find_problem() {
    if constexpr (by_rows)
      return std::type_identity<void>{};
    else
      return first_problem(loops_problem<typename column<Vs>::P, typename column<Vs>::S>()...);
  }

  /// `to.block<Row, Column>()` is where a block goes. Nothing is written before the first product, which checks shapes.
  template <class Engine, class To>
  static void fill(const Engine& engine, const To& to, bool existing, const F& f, const Bindings&... bindings) {
    if constexpr (by_rows)
      fill_rows(engine, to, existing, f, std::make_index_sequence<operand::outputs>{}, bindings...);
    else
      (fill_column<Vs>(engine, to, existing, f, bindings...), ...);
  }

  /// Whether a block lies where something bound does.
  template <class To>
  static bool lies_in(const To& to, const Bindings&... bindings) {
    const auto tensors = memory_of(bindings...);
    const auto in_row = [&]<class Row>(std::type_identity<Row>) {
      return (tensors.meets(range_of(to.template block<Row, Vs>())) || ...);
    };
    if constexpr (second)
      return (in_row(std::type_identity<Vs>{}) || ...);
    else
      return [&]<std::size_t... K>(std::index_sequence<K...>) {
        return (in_row(std::type_identity<std::integral_constant<std::size_t, K>>{}) || ...);
      }(std::make_index_sequence<operand::outputs>{});
  }

 private:
  template <class Engine, class To, std::size_t... K>
  static void fill_rows(const Engine& engine, const To& to, bool existing, const F& f, std::index_sequence<K...>,
                        const Bindings&... bindings) {
    using weight = binding<Variable<"the cotangent">, T>;
    using weights = std::tuple<std::conditional_t<(K >= 0), weight, void>...>;
    using sweep = tensor_call<verb{derives::pullback}, F, variables, unconnected::materialise_policy, wrt_variables<>,
                              weights, Bindings...>;
    struct kept {
      typename sweep::memory_type memory;
      typename sweep::containers derived{};
    };
    with_memory_for<kept>(existing, [&](kept& k) {
      const typename sweep::targets derived{k.derived};
      const auto row = [&]<std::size_t J>(std::integral_constant<std::size_t, J>) {
        sweep::compute(engine, k.memory, derived, f, weights{weight{T(K == J ? 1 : 0)}...}, bindings...);
        (copy_row<std::integral_constant<std::size_t, J>, Vs>(to, derived), ...);
      };
      (row(std::integral_constant<std::size_t, K>{}), ...);
    });
  }
  template <class Row, class U, class To, class From>
  static void copy_row(const To& to, const From& from) {
    auto& block = to.template block<Row, U>();
    const auto derivative = strided_of(from.template derivative<U>());
    tensor_traits<std::remove_cvref_t<decltype(block)>>::resize(block, derivative.extents);
    const auto into = strided_of(block);
    derivative.for_each([&](const auto& at) { into.data[into.offset(at)] = derivative.data[derivative.offset(at)]; });
  }

  template <class U, class Engine, class To>
  static void fill_column(const Engine& engine, const To& to, bool existing, const F& f, const Bindings&... bindings) {
    using call = column<U>;
    struct kept {
      typename call::memory_type memory;
      typename call::containers product{};
      shaped<U> along{};
    };
    with_memory_for<kept>(existing, [&](kept& k) {
      std::array<std::ptrdiff_t, program::max_rank> shape{};
      (take_shape<U>(shape, bindings), ...);
      tensor_traits<shaped<U>>::resize(k.along, shape);
      const auto elements = strided_of(k.along);
      elements.for_each([&](const auto& at) { elements.data[elements.offset(at)] = 0; });
      const typename call::targets product{k.product};
      const auto for_rows = [&](const auto& visit) {
        if constexpr (second)
          (visit(std::type_identity<Vs>{}, product.template derivative<Vs>()), ...);
        else
          [&]<std::size_t... K>(std::index_sequence<K...>) {
            (visit(std::type_identity<std::integral_constant<std::size_t, K>>{}, product.template value<K>()), ...);
          }(std::make_index_sequence<operand::outputs>{});
      };
      const auto multiply = [&] {
        call::compute(engine, k.memory, product, f, std::tuple<direction<U>>{U{} = k.along}, bindings...);
      };
      bool empty = true;
      elements.for_each([&](const auto& at) {
        auto& element = elements.data[elements.offset(at)];
        element = 1;
        multiply();
        for_rows(
            [&]<class Row>(std::type_identity<Row>, const auto& column) { store<Row, U>(to, column, at, elements); });
        element = 0;
        empty = false;
      });
      if (empty) {  // blocks without elements have a shape too
        multiply();
        for_rows([&]<class Row>(std::type_identity<Row>, const auto& column) { resize<Row, U>(to, column, elements); });
      }
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

  /// Gives a block the axes of the product with an element of `U`, then those of `U`.
  template <class Row, class U, class To, class Product, class Elements>
  static void resize(const To& to, const Product& product, const Elements& elements) {
    auto& value = to.template block<Row, U>();
    using container = std::remove_reference_t<decltype(value)>;
    if constexpr (!std::is_same_v<container, Zero>) {
      constexpr std::size_t first =
          static_cast<std::size_t>(tensor_traits<container>::rank - tensor_traits<shaped<U>>::rank);
      std::array<std::ptrdiff_t, program::max_rank> shape{};
      shape_of_row<Row>(shape, product);
      for (std::size_t i = 0; i < static_cast<std::size_t>(elements.rank); ++i) shape[first + i] = elements.extents[i];
      tensor_traits<container>::resize(value, shape);
    }
  }
  /// Puts the product with the element `at` of `U` where it belongs.
  template <class Row, class U, class To, class Product, class Index, class Elements>
  static void store(const To& to, const Product& product, const Index& at, const Elements& elements) {
    auto& value = to.template block<Row, U>();
    using container = std::remove_reference_t<decltype(value)>;
    if constexpr (!std::is_same_v<container, Zero>) {
      resize<Row, U>(to, product, elements);
      constexpr std::size_t first =
          static_cast<std::size_t>(tensor_traits<container>::rank - tensor_traits<shaped<U>>::rank);
      const auto into = strided_of(value);
      if constexpr (std::is_same_v<Product, Zero>) {
        into.for_each([&](const auto& position) { into.data[into.offset(position)] = 0; });
      } else {
        strided_of(product).for_each([&](auto position) {
          const auto from = strided_of(product);
          const auto number = from.data[from.offset(position)];
          for (std::size_t i = 0; i < static_cast<std::size_t>(elements.rank); ++i) position[first + i] = at[i];
          into.data[into.offset(position)] = number;
        });
      }
    }
  }
  template <class Row, class Shape, class Product>
  static void shape_of_row(Shape& shape, const Product& product) {
    if constexpr (!std::is_same_v<Product, Zero>) {
      const auto extents = strided_of(product).extents;
      for (std::size_t i = 0; i < static_cast<std::size_t>(tensor_traits<Product>::rank); ++i) shape[i] = extents[i];
    }
  }
};

}  // namespace tapeless::detail::inline TAPELESS_TARGET

namespace tapeless {

/// Derivatives by two variables, or of an output by one, that are tensors.
template <class Row, class Column, class T>
struct tensor_matrix_entry {
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
  static auto& entry(tensor_matrix_entry<V, U, T>& e) {
    return e;
  }
  template <class V, class U, class T>
  static const auto& entry(const tensor_matrix_entry<V, U, T>& e) {
    return e;
  }
};

/// First derivatives of several outputs over tensors: `j(i, w)` has the axes of output i, then those of `w`. Where the
/// outputs have several ranks, i is a constant: `j(1_c, w)`.
template <class Variables, class... Columns>
struct tensor_jacobian_map;
template <class... Vs, class... Columns>
struct tensor_jacobian_map<wrt_variables<Vs...>, Columns...> {
  std::tuple<detail::gradient_entry<Vs, Columns>...> columns;

  template <class I, class V>
  const auto& operator()(const I& i, const V&) const {
    constexpr bool found = (std::is_same_v<V, Vs> || ...);
    static_assert(found, "tapeless: the result has no entry for this variable; name it in wrt(...)");
    const auto& column = std::get<detail::position_in<V, Vs...>()>(columns).value;
    if constexpr (requires { column[static_cast<std::size_t>(i)]; }) {
      return column[static_cast<std::size_t>(i)];
    } else {
      static_assert(is_constant<I>, "tapeless: outputs of different ranks need a constant index: j(0_c, x)");
      return std::get<static_cast<std::size_t>(I{})>(column);
    }
  }
};

}  // namespace tapeless
