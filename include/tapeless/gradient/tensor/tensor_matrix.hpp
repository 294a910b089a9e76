#pragma once

#include <tapeless/core/target.hpp>
#include <tapeless/gradient/result/result_maps.hpp>
#include <tapeless/gradient/tensor/tensor_call.hpp>

#include <algorithm>
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
  template <class W, class U>
  static constexpr bool is_zero_by_structure = std::is_same_v<typename column<U>::template derivative<W>, Zero>;
  template <class Row>
  static constexpr int rank_of_row() {
    if constexpr (second)
      return tensor_traits<shaped<Row>>::rank;
    else
      return operand::rank_of(Row::value);
  }
  template <class Row, class U>
  using block = typename value_container<T, rank_of_row<Row>() + tensor_traits<shaped<U>>::rank>::type;

  static constexpr bool by_rows = [] {
    bool numbers = !second;
    for (std::size_t k = 0; k < operand::outputs; ++k) numbers = numbers && operand::rank_of(k) == 0;
    return numbers;
  }();

  /// What keeps its columns from being computed: a rule for adjoints alone, or that their loops cannot be made.
  static constexpr auto find_problem() {
    using source = typename operand::source;
    if constexpr (by_rows) {
      return std::type_identity<void>{};
    } else {
      using rule = decltype(rule_problem<source, program::direction::forward>(
          std::integer_sequence<int, variable_index(source::value, Vs::name)...>{}));
      if constexpr (!second && !std::is_void_v<typename rule::type>)
        return rule{};
      else
        return first_problem(loops_problem<typename column<Vs>::P, typename column<Vs>::S>()...);
    }
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
    bool result = false;
    const auto look = [&](const auto& block) { result = result || meets(range_of(block), bindings...); };
    (for_each_row([&]<class Row>(Row) { look(to.template block<Row, Vs>()); }), ...);
    return result;
  }

 private:
  /// visit(row): an output's number or a variable.
  template <class Visit>
  static void for_each_row(const Visit& visit) {
    if constexpr (second)
      (visit(Vs{}), ...);
    else
      for_each_index<operand::outputs>(visit);
  }

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
      for_each_row([&]<std::size_t J>(std::integral_constant<std::size_t, J> row) {
        sweep::compute(engine, k.memory, derived, f, weights{weight{T(K == J ? 1 : 0)}...}, bindings...);
        (copy_row(to.template block<decltype(row), Vs>(), strided_of(derived.template derivative<Vs>())), ...);
      });
    });
  }
  template <class Block>
  static void copy_row(Block& block, const loops::strided<T>& derivative) {
    tensor_traits<Block>::resize(block, derivative.extents);
    loops::copy(strided_of(block), derivative);
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
      tensor_traits<shaped<U>>::resize(k.along, shape_of<U>(bindings...));
      const auto elements = strided_of(k.along);
      loops::fill(elements, T(0));
      const typename call::targets product{k.product};
      const auto multiply = [&](const auto& at) {
        call::compute(engine, k.memory, product, f, std::tuple<direction<U>>{U{} = k.along}, bindings...);
        for_each_row([&]<class Row>(Row) {
          auto& block = to.template block<Row, U>();
          if constexpr (second)
            store<U>(block, product.template derivative<Row>(), shape_of<Row>(bindings...), elements, at);
          else
            store<U>(block, product.template value<Row::value>(),
                     strided_of(product.template value<Row::value>()).extents, elements, at);
        });
      };
      elements.for_each([&](const auto& at) {
        auto& element = elements.data[elements.offset(at)];
        element = 1;
        multiply(at);
        element = 0;
      });
      // Blocks without elements have a shape too.
      if (elements.size() == 0) multiply(shape{});
    });
  }
  using shape = std::array<std::ptrdiff_t, program::max_rank>;
  /// The shape of what a variable is bound to.
  template <class U>
  static shape shape_of(const Bindings&... bindings) {
    shape result{};
    [[maybe_unused]] const auto take = [&]<class B>(const B& given) {
      if constexpr (std::is_same_v<typename B::variable_type, U>)
        result = strided_of(bound<typename B::value_type>::get(given.value)).extents;
    };
    (take(bindings), ...);
    return result;
  }

  /// Puts a product with the element `at` of a variable where it belongs: a block has the axes of the product, which
  /// are those of `rows`, then those of the variable.
  template <class U, class Block, class Product>
  static void store(Block& block, const Product& product, shape rows, const loops::strided<T>& elements,
                    const shape& at) {
    if constexpr (!std::is_same_v<Block, Zero>) {
      constexpr std::size_t rank = static_cast<std::size_t>(tensor_traits<shaped<U>>::rank);
      constexpr std::size_t first = static_cast<std::size_t>(tensor_traits<Block>::rank) - rank;
      std::copy_n(elements.extents.begin(), rank, rows.begin() + first);
      tensor_traits<Block>::resize(block, rows);
      if (elements.size() == 0) return;
      loops::strided<T> into = strided_of(block);
      into.rank = static_cast<int>(first);
      for (std::size_t i = 0; i < rank; ++i) into.data += at[i] * into.strides[first + i];
      if constexpr (std::is_same_v<Product, Zero>) {
        loops::fill(into, T(0));
      } else {
        const auto from = strided_of(product);
        from.for_each([&](const auto& i) { into.data[into.offset(i)] = from.data[from.offset(i)]; });
      }
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
    static_assert(found, "tapeless: the result has no entry for this variable; name it in wrt(...) [TL065]");
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
    static_assert(found, "tapeless: the result has no entry for this variable; name it in wrt(...) [TL065]");
    const auto& column = std::get<detail::position_in<V, Vs...>()>(columns).value;
    if constexpr (requires { column[static_cast<std::size_t>(i)]; }) {
      return column[static_cast<std::size_t>(i)];
    } else {
      static_assert(is_constant<I>, "tapeless: outputs of different ranks need a constant index: j(0_c, x) [TL069]");
      return std::get<static_cast<std::size_t>(I{})>(column);
    }
  }
};

}  // namespace tapeless
