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
/// output or a variable) and each variable a block with the axes of both. By rows, a reverse sweep for each number that
/// is returned, where the call finds that these are fewer than the numbers of the variables; else by columns, a product
/// with each direction of one element.
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
  template <std::size_t K>
  using output = output_container<operand, K>;
  template <std::size_t K>
  using cotangent = decltype(Variable<"the cotangent">{} = std::declval<const output<K>&>());
  template <std::size_t... K>
  static tensor_call<verb{derives::pullback}, F, variables, unconnected::materialise_policy, wrt_variables<>,
                     std::tuple<cotangent<K>...>, Bindings...>
      row_of(std::index_sequence<K...>);
  using rows = std::make_index_sequence<operand::outputs>;
  using row = decltype(row_of(rows{}));
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

  /// Only numbers are returned, few enough for rows whatever the extents.
  static constexpr bool by_rows = [] {
    bool numbers = !second;
    for (std::size_t k = 0; k < operand::outputs; ++k) numbers = numbers && operand::rank_of(k) == 0;
    return numbers;
  }();
  /// Whether the call chooses.
  template <class Engine>
  static constexpr bool may_go_by_rows() {
    if constexpr (!second && !is_distributed<Engine> && (is_tensor<shaped<Vs>> || ...)) {
      using source = typename operand::source;
      using rule = decltype(rule_problem<source>(indices_in_t<source, variables>{}));
      if constexpr (std::is_void_v<typename rule::type>)
        return std::is_void_v<typename decltype(loops_problem<typename row::P, typename row::S>())::type>;
    }
    return false;
  }

  /// What keeps its columns from being computed: a rule for adjoints alone, or that their loops cannot be made.
  static constexpr auto find_problem() {
    using source = typename operand::source;
    if constexpr (by_rows) {
      return std::type_identity<void>{};
    } else {
      using rule = decltype(rule_problem<source, program::direction::forward>(indices_in_t<source, variables>{}));
      if constexpr (!second && !std::is_void_v<typename rule::type>)
        return rule{};
      else
        return first_problem(loops_problem<typename column<Vs>::P, typename column<Vs>::S>()...);
    }
  }

  /// `to.block<Row, Column>()` is where a block goes. Nothing is written before the first product, which checks shapes.
  template <bool Existing, class Engine, class To>
  static void fill(const Engine& engine, const To& to, const F& f, const Bindings&... bindings) {
    if constexpr (by_rows) {
      fill_rows<Existing>(engine, to, f, {}, rows{}, bindings...);
    } else {
      choice chosen;
      (fill_column<Vs, Existing>(engine, to, f, chosen, bindings...), ...);
      if constexpr (may_go_by_rows<Engine>())
        if (chosen.rows) fill_rows<Existing>(engine, to, f, chosen.returned, rows{}, bindings...);
    }
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

  using shape = std::array<std::ptrdiff_t, program::max_rank>;

  /// The shapes of the outputs, which the first product tells, and whether they have fewer numbers than the variables.
  struct choice {
    bool made = false, rows = false;
    std::array<shape, operand::outputs> returned{};

    template <class Product>
    void make(const Product& product, const Bindings&... bindings) {
      made = true;
      std::ptrdiff_t count = 0;
      for_each_index<operand::outputs>([&](auto k) {
        const auto value = strided_of(product.template value<k>());
        returned[k] = value.extents, count += value.size();
      });
      rows =
          count <
          (loops::strided<T>{nullptr, tensor_traits<shaped<Vs>>::rank, shape_of<Vs>(bindings...), {}}.size() + ... + 0);
    }
  };

  template <class Container>
  static auto zeros(Container& of, const shape& extents) {
    tensor_traits<Container>::resize(of, extents);
    const auto elements = strided_of(of);
    loops::fill(elements, T(0));
    return elements;
  }
  /// visit(index) for each element, which is 1 then; once if there is none, as blocks without elements have a shape.
  template <class Visit>
  static void for_each_direction(const loops::strided<T>& elements, const Visit& visit) {
    elements.for_each([&](const auto& at) {
      T& element = elements.data[elements.offset(at)];
      element = 1;
      visit(at);
      element = 0;
    });
    if (elements.size() == 0) visit(shape{});
  }

  template <bool Existing, class Engine, class To, std::size_t... K>
  static void fill_rows(const Engine& engine, const To& to, const F& f,
                        const std::array<shape, operand::outputs>& returned, std::index_sequence<K...>,
                        const Bindings&... bindings) {
    struct kept {
      typename row::memory_type memory;
      typename row::containers derived{};
      std::tuple<output<K>...> along{};
    };
    with_memory_for<Existing, kept>([&](kept& k) {
      const typename row::targets derived{k.derived};
      (zeros(std::get<K>(k.along), returned[K]), ...);
      for_each_row([&]<std::size_t J>(std::integral_constant<std::size_t, J> which) {
        for_each_direction(strided_of(std::get<J>(k.along)), [&](const shape& at) {
          row::compute(engine, k.memory, derived, f, {Variable<"the cotangent">{} = std::get<K>(k.along)...},
                       bindings...);
          constexpr std::size_t rank = static_cast<std::size_t>(operand::rank_of(J));
          (store<0, rank>(to.template block<decltype(which), Vs>(), derived.template derivative<Vs>(),
                          joined<rank>(returned[J], shape_of<Vs>(bindings...)), at),
           ...);
        });
      });
    });
  }
  template <class U, bool Existing, class Engine, class To>
  static void fill_column(const Engine& engine, const To& to, const F& f, choice& chosen, const Bindings&... bindings) {
    using call = column<U>;
    struct kept {
      typename call::memory_type memory;
      typename call::containers product{};
      shaped<U> along{};
    };
    if (chosen.rows) return;
    constexpr std::size_t rank = static_cast<std::size_t>(tensor_traits<shaped<U>>::rank);
    with_memory_for<Existing, kept>([&](kept& k) {
      const typename call::targets product{k.product};
      const shape own = shape_of<U>(bindings...);
      for_each_direction(zeros(k.along, own), [&](const shape& at) {
        if (chosen.rows) return;
        call::compute(engine, k.memory, product, f, std::tuple<direction<U>>{U{} = k.along}, bindings...);
        if constexpr (may_go_by_rows<Engine>()) {
          if (!chosen.made) chosen.make(product, bindings...);
          if (chosen.rows) return;
        }
        for_each_row([&]<class Row>(Row) {
          constexpr std::size_t before = static_cast<std::size_t>(rank_of_row<Row>());
          auto& block = to.template block<Row, U>();
          if constexpr (second)
            store<before, rank>(block, product.template derivative<Row>(),
                                joined<before>(shape_of<Row>(bindings...), own), at);
          else
            store<before, rank>(block, product.template value<Row::value>(),
                                joined<before>(strided_of(product.template value<Row::value>()).extents, own), at);
        });
      });
    });
  }
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

  template <std::size_t Rank>
  TAPELESS_ALWAYS_INLINE static shape joined(shape first, const shape& after) {
    std::copy_n(after.begin(), first.size() - Rank, first.begin() + Rank);
    return first;
  }

  /// Puts a row or a column where it belongs in a block of these extents: `Count` axes from that at `Begin` on are held
  /// `at` an index.
  template <std::size_t Begin, std::size_t Count, class Block, class Product>
  TAPELESS_ALWAYS_INLINE static void store(Block& block, const Product& product, const shape& extents,
                                           const shape& at) {
    if constexpr (!std::is_same_v<Block, Zero>) {
      tensor_traits<Block>::resize(block, extents);
      loops::strided<T> into = strided_of(block);
      if (into.size() == 0) return;
      for (std::size_t i = 0; i < Count; ++i) into.data += at[i] * into.strides[Begin + i];
      constexpr std::size_t rank = static_cast<std::size_t>(tensor_traits<Block>::rank) - Count;
      into.rank = static_cast<int>(rank);
      for (std::size_t i = Begin; i < rank; ++i)
        into.extents[i] = into.extents[i + Count], into.strides[i] = into.strides[i + Count];
      if constexpr (std::is_same_v<Product, Zero>)
        loops::fill(into, T(0));
      else
        loops::copy(into, strided_of(product));
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
