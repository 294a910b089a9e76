#pragma once

#include <tapeless/core/target.hpp>
#include <tapeless/evaluate/kernels/engine.hpp>
#include <tapeless/gradient/function/function_verb.hpp>
#include <tapeless/gradient/result/conjugate.hpp>
#include <tapeless/gradient/tensor/function_containers.hpp>
#include <tapeless/gradient/tensor/tensor_function_verb.hpp>
#include <tapeless/gradient/tensor/tensor_matrix.hpp>
#include <tapeless/gradient/tensor/tensor_results.hpp>

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tapeless {

/// A value, the gradient of a function over tensors, in the shapes of its arguments, and the memory of its calls; a
/// structured binding takes value and gradient.
template <class Value, class Gradient, class Memory>
struct value_and_function_gradient {
  Value value{};
  Gradient gradient{};
  Memory memory{};

  template <std::size_t I>
  constexpr auto& get() {
    if constexpr (I == 0)
      return value;
    else
      return gradient;
  }
  template <std::size_t I>
  constexpr const auto& get() const {
    if constexpr (I == 0)
      return value;
    else
      return gradient;
  }
};

}  // namespace tapeless

template <class Value, class Gradient, class Memory>
struct std::tuple_size<tapeless::value_and_function_gradient<Value, Gradient, Memory>>
    : std::integral_constant<std::size_t, 2> {};
template <std::size_t I, class Value, class Gradient, class Memory>
struct std::tuple_element<I, tapeless::value_and_function_gradient<Value, Gradient, Memory>> {
  using type = std::conditional_t<I == 0, Value, Gradient>;
};

namespace tapeless::detail::inline TAPELESS_TARGET {

/// How such a call runs, and its result.
template <class Verb, class Indices>
struct tensor_function_results;
template <verb V, class F, std::size_t... P, class Given, class... Args, int... I>
struct tensor_function_results<tensor_function_verb<V, F, std::index_sequence<P...>, Given, Args...>,
                               std::integer_sequence<int, I...>> {
  using verb_type = tensor_function_verb<V, F, std::index_sequence<P...>, Given, Args...>;
  using leaves = typename verb_type::leaves;
  using layout = typename verb_type::layout;
  using formula = typename verb_type::formula;
  using call = typename verb_type::call;
  using T = typename call::T;
  template <std::size_t L>
  using variable = typename verb_type::template variable<L>;

  struct container {
    template <std::size_t K>
    using at = typename value_container<T, call::operand::rank_of(K)>::type;
  };
  using values = typename decltype(values_like<typename verb_type::returned, 0, container>())::type;

  template <std::size_t Q>
  using part = typename layout::template shape<Q>::template gradient_type<T>;
  using gradient = typename std::conditional_t<sizeof...(P) == 1, type_at<0, part<P>...>,
                                               std::type_identity<std::tuple<part<P>...>>>::type;

  /// The part of a gradient that belongs to leaf number `L`.
  template <std::size_t L>
  static auto& leaf_of(gradient& g) {
    return gradient_leaf_at<L, layout, P...>(g);
  }
  template <std::size_t L>
  using presented = std::remove_cvref_t<decltype(leaf_of<L>(std::declval<gradient&>()))>;
  template <std::size_t L>
  using computed = computed_derivative<variable<L>, typename call::template derivative<variable<L>>, presented<L>>;

  struct memory : computed<static_cast<std::size_t>(I)>... {
    typename call::memory_type of_loops;
  };
  template <std::size_t L>
  static computed<L>& computed_in(memory& m) {
    return m;
  }

  static constexpr bool keeps_memory = V.what == derives::gradient && V.with_value;
  using parts = result_parts<V, values, gradient, value_and_function_gradient<values, gradient, memory>>;
  using result = typename parts::type;

  /// Where values and derivatives go: the containers that the caller sees or, given a call's memory, those among them
  /// and in it that the loops compute.
  template <class... Memory>
  struct targets {
    result& r;
    std::tuple<Memory&...> computed_to;

    template <std::size_t K>
    auto& value() const {
      constexpr std::size_t outputs = verb_type::outputs;
      return value_leaf<typename verb_type::returned, K % outputs>(parts::template values_in<K, outputs>(r));
    }
    template <class U>
    auto& derivative() const {
      return of_variable<U>(std::integral_constant<std::size_t, static_cast<std::size_t>(I)>{}...);
    }

   private:
    template <class U, class L, class... Ls>
    auto& of_variable(L, Ls... rest) const {
      if constexpr (!std::is_same_v<U, variable<L::value>>)
        return of_variable<U>(rest...);
      else if constexpr (sizeof...(Memory) == 0)
        return leaf_of<L::value>(parts::gradient_in(r));
      else
        return computed_in<L::value>(std::get<0>(computed_to)).target(leaf_of<L::value>(parts::gradient_in(r)));
    }
  };

  template <class Engine>
  static void run(const Engine& engine, result& r, bool existing, const Given& given, const Args&... args) {
    if constexpr (keeps_memory) {
      compute(engine, r, r.memory, given, args...);
    } else {
      with_memory_for<memory>(existing, [&](memory& kept) { compute(engine, r, kept, given, args...); });
    }
  }
  /// The same for a result that exists.
  template <class Engine>
  static void run_into(const Engine& engine, result& r, const Given& given, const Args&... args) {
    const auto seeds = verb_type::bind_given(given);
    const bool early =
        std::apply([&](const auto&... bindings) { return call::may_write_early(targets<>{r, {}}, seeds, bindings...); },
                   verb_type::bind_all({{args...}}));
    write_into(r, early, [&](result& to) { run(engine, to, true, given, args...); });
  }

 private:
  template <class Engine>
  static void compute(const Engine& engine, result& r, memory& m, const Given& given, const Args&... args) {
    const formula f{{args...}};
    const auto seeds = verb_type::bind_given(given);
    std::apply(
        [&](const auto&... bindings) {
          call::compute(engine, m.of_loops, targets<memory>{r, {m}}, f, seeds, bindings...);
        },
        verb_type::bind_all(f));
    if constexpr (!parts::only_values) {
      gradient& g = parts::gradient_in(r);
      (computed_in<static_cast<std::size_t>(I)>(m).present(leaf_of<static_cast<std::size_t>(I)>(g)), ...);
      [&]<std::size_t... L>(std::index_sequence<L...>) {
        (clear<L>(g, f), ...);
      }(std::make_index_sequence<leaves::size>{});
      conjugate_complex(g);
    }
  }
  /// Integers in an argument have derivative 0.
  template <std::size_t L>
  static void clear(gradient& g, const formula& f) {
    if constexpr (!shape_of<typename leaves::template type<L>>::has_derivative(0) &&
                  ((layout::position(L) == P) || ...)) {
      auto& to = leaf_of<L>(g);
      const auto shape = strided_of(leaves::template get<L>(f.arguments)).extents;
      tensor_traits<presented<L>>::resize(to, shape);
      fill(strided_of(to), typename tensor_traits<presented<L>>::element(0));
    }
  }
};

/// The same for Jacobians and Hessians: what is derived, where a number or tensor is replaced by the gradient's shape.
template <verb V, class F, std::size_t... P, class Given, class... Args, int... I>
  requires(V.is_matrix())
struct tensor_function_results<tensor_function_verb<V, F, std::index_sequence<P...>, Given, Args...>,
                               std::integer_sequence<int, I...>> {
  using verb_type = tensor_function_verb<V, F, std::index_sequence<P...>, Given, Args...>;
  using leaves = typename verb_type::leaves;
  using layout = typename verb_type::layout;
  using formula = typename verb_type::formula;
  using operand = typename verb_type::bound::operand;
  using T = typename operand::T;
  using returned = typename verb_type::returned;
  static constexpr bool second = V.what == derives::hessian;

  struct row {
    template <std::size_t K>
    using at =
        typename matrix_blocks<T, operand::rank_of(K)>::template of_arguments<typename layout::template argument<P>...>;
  };
  static constexpr auto find_matrix() {
    if constexpr (second)
      return std::type_identity<typename matrix_rows<T, typename layout::template argument<P>...>::type>{};
    else
      return std::type_identity<typename decltype(values_like<returned, 0, row>())::type>{};
  }
  using matrix = typename decltype(find_matrix())::type;

  using without =
      function_verb<verb_of_values<V>, F, std::index_sequence<P...>, unconnected::structural_policy, no_seeds>;
  using value_call = tensor_function_call<without, F, Args...>;
  struct values {
    using result = decltype(value_call::run(loops::sequential{}, without{}, std::declval<const Args&>()...));
  };
  using results = matrix_results<V, matrix, values>;
  using result = typename results::type;

  /// Where the block of row `Row`, an output or a leaf, and the leaf number `Column` goes.
  struct targets {
    matrix& m;

    template <class Row, class Column>
    auto& block() const {
      constexpr std::size_t column = leaf_number<Column>();
      if constexpr (second)
        return gradient_leaf_at<column, layout, P...>(gradient_leaf_at<leaf_number<Row>(), layout, P...>(m));
      else
        return gradient_leaf_at<column, layout, P...>(value_leaf<returned, Row::value>(m));
    }

   private:
    template <class U>
    static constexpr std::size_t leaf_number() {
      std::size_t result = 0;
      static_cast<void>(((std::is_same_v<typename verb_type::template variable<static_cast<std::size_t>(I)>, U>
                              ? (result = static_cast<std::size_t>(I), true)
                              : false) ||
                         ...));
      return result;
    }
  };

  template <class Engine>
  static void run(const Engine& engine, result& r, bool existing, const Given&, const Args&... args) {
    const formula f{{args...}};
    with_blocks(f, [&]<class Blocks>(std::type_identity<Blocks>, const auto&... bindings) {
      Blocks::fill(engine, targets{results::matrix_in(r)}, existing, f, bindings...);
    });
    results::compute_values(r, existing, [&](auto& besides) {
      if (existing)
        value_call::run_into(engine, besides, without{}, args...);
      else
        besides = value_call::run(engine, without{}, args...);
    });
  }
  template <class Engine>
  static void run_into(const Engine& engine, result& r, const Given& given, const Args&... args) {
    const bool apart = with_blocks({{args...}}, [&]<class Blocks>(std::type_identity<Blocks>, const auto&... bindings) {
      return Blocks::lies_in(targets{results::matrix_in(r)}, bindings...);
    });
    write_into(r, !apart, [&](result& to) { run(engine, to, true, given, args...); });
  }

 private:
  template <class Visit>
  static auto with_blocks(const formula& f, const Visit& visit) {
    return std::apply(
        [&](const auto&... bindings) {
          using blocks =
              tensor_matrix<V, formula, typename verb_type::variables, std::remove_cvref_t<decltype(bindings)>...>;
          return visit(std::type_identity<blocks>{}, bindings...);
        },
        verb_type::bind_all(f));
  }
};

}  // namespace tapeless::detail::inline TAPELESS_TARGET
