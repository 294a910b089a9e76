#ifndef TAPELESS_GRADIENT_TENSOR_TENSOR_FUNCTION_HPP
#define TAPELESS_GRADIENT_TENSOR_TENSOR_FUNCTION_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/core/target.hpp>
#include <tapeless/evaluate/engine.hpp>
#include <tapeless/gradient/function/argument_place.hpp>
#include <tapeless/gradient/function/function_verb.hpp>
#include <tapeless/gradient/result/conjugate.hpp>
#include <tapeless/gradient/tensor/tensor_formula.hpp>
#include <tapeless/interop/storage.hpp>
#include <tapeless/program/recorded_lowering.hpp>

#include <array>
#include <cstddef>
#include <initializer_list>
#include <string_view>
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

namespace program {

/// The leaves of the arguments `Args` of a function: the tensors and numbers in them, in their order. Those that are
/// bound to variables are named by their place; integers are numbers of the program, so that they may be indices and
/// extents.
template <class... Args>
struct function_leaves {
  using layout = tapeless::detail::argument_layout<Args...>;
  static constexpr std::size_t size = layout::size;

  template <std::size_t I, std::size_t P = layout::position(I)>
  static constexpr const auto& get(const std::tuple<const Args&...>& arguments) {
    return layout::template shape<P>::template element<I - layout::first(P)>(std::get<P>(arguments));
  }
  template <std::size_t I>
  using type = std::remove_cvref_t<decltype(get<I>(std::declval<const std::tuple<const Args&...>&>()))>;
  template <std::size_t I>
  static constexpr bool is_index = std::integral<type<I>>;

  template <std::size_t I>
  static constexpr std::string_view name = tapeless::detail::place_of<layout, static_cast<int>(I)>.text();
  template <std::size_t I>
  using variable = Variable<fixed_string<name<I>.size() + 1>(name<I>)>;

  static constexpr auto names = []<std::size_t... I>(std::index_sequence<I...>) {
    return std::array<std::string_view, size>{(is_index<I> ? std::string_view() : name<I>)...};
  }(std::make_index_sequence<size>{});
};

}  // namespace program

namespace detail::inline TAPELESS_TARGET {

/// A function and its arguments in a call, as the formula over tensors that it computes.
template <class F, class... Args>
struct function_formula {
  std::tuple<const Args&...> arguments;
};

/// The integers among the arguments, in their order.
template <class T, class F, class... Args>
void numbers_of(const function_formula<F, Args...>& f, T*& to) {
  using leaves = program::function_leaves<Args...>;
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    const auto visit = [&]<std::size_t J>(std::integral_constant<std::size_t, J>) {
      if constexpr (leaves::template is_index<J>) *to++ = static_cast<T>(leaves::template get<J>(f.arguments));
    };
    (visit(std::integral_constant<std::size_t, I>{}), ...);
  }(std::make_index_sequence<leaves::size>{});
}

}  // namespace detail::inline TAPELESS_TARGET

namespace program::detail {

template <class F, class... Args>
struct lower_tensor_as<tapeless::detail::function_formula<F, Args...>> {
  static constexpr growing_array<tensor_value> run(tensor_lowering& to) {
    growing_array<tensor_value> leaves;
    for (const std::string_view name : function_leaves<Args...>::names)
      leaves.push_back(name.empty() ? to.scalar(to.graph.number(to.graph.numbers++)) : to.variable(name));
    return recorded_lowering<tapeless::detail::traced_program<F, Args...>>::run(to, leaves);
  }
};

}  // namespace program::detail

namespace detail::inline TAPELESS_TARGET {

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

/// The calls of the verb `V` of the function `F` with tensors among its arguments: those of its formula, `Call`, and
/// where their results go.
template <verb V, class F, class Positions, class Further, class... Args>
struct tensor_function_verb;
template <verb V, class F, std::size_t... P, class Given, class... Args>
struct tensor_function_verb<V, F, std::index_sequence<P...>, Given, Args...> {
  using leaves = program::function_leaves<Args...>;
  using layout = typename leaves::layout;
  using formula = function_formula<F, Args...>;
  template <std::size_t I>
  using variable = typename leaves::template variable<I>;
  template <std::size_t I>
  using leaf = typename leaves::template type<I>;
  using returned = std::remove_cvref_t<decltype(F{}(std::declval<typename shape_of<Args>::traced_type>()...))>;
  static constexpr std::size_t outputs = traced_program<F, Args...>::value.outputs.size();

  /// A leaf of an argument, or of a tangent or cotangent, as a binding of the variable `U`.
  template <class U, class X>
  static auto bind_as(const X& value) {
    if constexpr (is_tensor<X>)
      return std::tuple<binding<U, tensor_reference<X>>>{{{__builtin_addressof(value)}}};
    else if constexpr (is_constant<X>)
      return std::tuple<binding<U, double>>{{static_cast<double>(value)}};
    else
      return std::tuple<binding<U, X>>{{value}};
  }
  template <std::size_t I>
  static auto bind(const formula& f) {
    if constexpr (leaves::template is_index<I>)
      return std::tuple<>{};
    else
      return bind_as<variable<I>>(leaves::template get<I>(f.arguments));
  }
  static auto bind_all(const formula& f) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return std::tuple_cat(bind<I>(f)...);
    }(std::make_index_sequence<leaves::size>{});
  }
  using bindings = decltype(bind_all(std::declval<const formula&>()));

  using indices = std::conditional_t<V.what == derives::nothing || V.what == derives::tangent,
                                     std::integer_sequence<int>, typename layout::template variables<P...>>;

  // Tangents and cotangents.
  template <std::size_t I, class Layout, class Values>
  static const auto& given_leaf(const Values& values) {
    constexpr std::size_t position = Layout::position(I);
    return Layout::template shape<position>::template element<I - Layout::first(position)>(std::get<position>(values));
  }
  template <class U, class X>
  static auto bind_unless_zero(const X& value) {
    if constexpr (is_zero<X>)
      return std::tuple<>{};
    else
      return bind_as<U>(value);
  }
  static auto bind_given(const Given& given) {
    if constexpr (V.is_along()) {
      return given.apply([](const auto&... values) {
        const std::tuple<decltype(values)...> all(values...);
        return [&]<int... I, int... Place>(std::integer_sequence<int, I...>, std::integer_sequence<int, Place...>) {
          return std::tuple_cat(bind_unless_zero<variable<static_cast<std::size_t>(I)>>(
              given_leaf<static_cast<std::size_t>(Place), typename Given::layout>(all))...);
        }(typename layout::template variables<P...>{}, layout::template places<P...>());
      });
    } else if constexpr (V.what == derives::pullback) {
      return given.weights.apply([](const auto&... values) {
        using given_layout = argument_layout<std::remove_cvref_t<decltype(values)>...>;
        const std::tuple<decltype(values)...> all(values...);
        return [&]<std::size_t... K>(std::index_sequence<K...>) {
          return std::tuple_cat(bind_as<cotangent_variable>(given_leaf<K, given_layout>(all))...);
        }(std::make_index_sequence<outputs>{});
      });
    } else {
      return std::tuple<>{};
    }
  }
  using further = decltype(bind_given(std::declval<const Given&>()));

  template <class Indices>
  struct variables_of;
  template <int... I>
  struct variables_of<std::integer_sequence<int, I...>> {
    using type = wrt_variables<variable<static_cast<std::size_t>(I)>...>;
  };
  using variables = typename variables_of<indices>::type;

  template <class Bindings>
  struct with_bindings;
  template <class... Bindings>
  struct with_bindings<std::tuple<Bindings...>> {
    using lowering = tensor_lowering<formula, Bindings...>;
    template <verb W, class Variables, class Policy, class Further>
    using call = tensor_call<W, formula, Variables, Policy, Further, Bindings...>;
    using operand = tensor_program<formula, Bindings...>;
  };
  using bound = with_bindings<bindings>;
  using call = typename bound::template call<V, variables, unconnected::materialise_policy, further>;

  /// What is wrong with the program, given that the function can be traced; `void` if nothing.
  static constexpr auto find_problem() {
    using enum program::tensor_problem;
    if constexpr (bound::lowering::problem != none)
      return std::type_identity<error::tensors_do_not_fit<bound::lowering::problem>>{};
    else if constexpr (V.is_sparse())
      return std::type_identity<error::call_not_over_tensors<F>>{};
    else if constexpr (V.of_one_number() && bound::operand::rank_of(0) != 0)
      return std::type_identity<error::tensors_do_not_fit<value_is_no_number>>{};
    else if constexpr (V.is_matrix())
      return std::type_identity<void>{};
    else if constexpr (V.what == derives::pullback && !have_shapes_of<typename bound::operand, further>)
      return std::type_identity<error::tensors_do_not_fit<cotangent_of_other_shape>>{};
    else
      return size_problem<typename call::template made<typename bound::operand::source>::finished>();
  }
};

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
  using loops = typename call::results;
  using T = typename loops::T;
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
  using computed = computed_derivative<variable<L>, typename loops::template derivative<variable<L>>, presented<L>>;

  struct memory : computed<static_cast<std::size_t>(I)>... {
    typename loops::memory_type of_loops;
  };
  template <std::size_t L>
  static computed<L>& computed_in(memory& m) {
    return m;
  }

  static constexpr bool keeps_memory = V.what == derives::gradient && V.with_value;
  static constexpr auto find_result() {
    if constexpr (V.what == derives::nothing)
      return std::type_identity<values>{};
    else if constexpr (V.what == derives::tangent)
      return std::type_identity<std::conditional_t<V.with_value, value_and_jvp_result<values, values>, values>>{};
    else if constexpr (keeps_memory)
      return std::type_identity<value_and_function_gradient<values, gradient, memory>>{};
    else
      return std::type_identity<gradient>{};
  }
  using result = typename decltype(find_result())::type;

  template <std::size_t K>
  static auto& value_in(result& r) {
    if constexpr (V.what == derives::nothing || (V.what == derives::tangent && !V.with_value))
      return value_leaf<typename verb_type::returned, K>(r);
    else if constexpr (K >= verb_type::outputs)
      return value_leaf<typename verb_type::returned, K - verb_type::outputs>(r.tangent);
    else
      return value_leaf<typename verb_type::returned, K>(r.value);
  }
  /// Where values and derivatives go: the containers that the caller sees or, given a call's memory, those among them
  /// and in it that the loops compute.
  template <class... Memory>
  struct targets {
    result& r;
    std::tuple<Memory&...> computed_to;

    template <std::size_t K>
    auto& value() const {
      return value_in<K>(r);
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
        return leaf_of<L::value>(gradient_of(r));
      else
        return computed_in<L::value>(std::get<0>(computed_to)).target(leaf_of<L::value>(gradient_of(r)));
    }
  };

  template <class Engine>
  static void run(const Engine& engine, result& r, bool existing, const Given& given, const Args&... args) {
    if constexpr (keeps_memory) {
      compute(engine, r, r.memory, given, args...);
    } else if (existing) {
      with_memory_of_thread<memory>([&](memory& kept) { compute(engine, r, kept, given, args...); });
    } else {
      memory own;
      compute(engine, r, own, given, args...);
    }
  }
  /// The same for a result that exists.
  template <class Engine>
  static void run_into(const Engine& engine, result& r, const Given& given, const Args&... args) {
    const auto further = verb_type::bind_given(given);
    const bool early = std::apply(
        [&](const auto&... bindings) { return call::may_write_early(targets<>{r, {}}, further, bindings...); },
        verb_type::bind_all({{args...}}));
    if (early) [[likely]]
      return run(engine, r, true, given, args...);
    with_memory_of_thread<result>([&](result& apart) {
      run(engine, apart, true, given, args...);
      r = apart;
    });
  }

 private:
  static gradient& gradient_of(result& r) {
    if constexpr (keeps_memory)
      return r.gradient;
    else
      return r;
  }
  template <class Engine>
  static void compute(const Engine& engine, result& r, memory& m, const Given& given, const Args&... args) {
    const formula f{{args...}};
    const auto further = verb_type::bind_given(given);
    std::apply(
        [&](const auto&... bindings) {
          call::compute(engine, m.of_loops, targets<memory>{r, {m}}, f, further, bindings...);
        },
        verb_type::bind_all(f));
    if constexpr (V.what != derives::nothing && V.what != derives::tangent) {
      gradient& g = gradient_of(r);
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

  using without = function_verb<second ? verb{derives::gradient, true} : value_verb, F, std::index_sequence<P...>,
                                unconnected::structural_policy, nothing_further>;
  using value_call = tensor_function_call<without, F, Args...>;
  using value_result = decltype(value_call::run(loops::sequential{}, without{}, std::declval<const Args&>()...));
  static constexpr auto find_result() {
    if constexpr (!V.with_value)
      return std::type_identity<matrix>{};
    else if constexpr (second)
      return std::type_identity<
          value_and_hessian_result<std::remove_cvref_t<decltype(std::declval<value_result&>().value)>,
                                   std::remove_cvref_t<decltype(std::declval<value_result&>().gradient)>, matrix>>{};
    else
      return std::type_identity<value_and_jacobian_result<value_result, matrix>>{};
  }
  using result = typename decltype(find_result())::type;

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
  static void run(const Engine& engine, result& r, bool, const Given&, const Args&... args) {
    const formula f{{args...}};
    matrix* m;
    if constexpr (!V.with_value) {
      m = &r;
    } else {
      m = &[&]() -> matrix& {
        if constexpr (second)
          return r.hessian;
        else
          return r.jacobian;
      }();
      auto values = value_call::run(engine, without{}, args...);
      if constexpr (second)
        r.value = std::move(values.value), r.gradient = std::move(values.gradient);
      else
        r.value = std::move(values);
    }
    std::apply(
        [&](const auto&... bindings) {
          tensor_matrix<V, formula, typename verb_type::variables, std::remove_cvref_t<decltype(bindings)>...>::fill(
              engine, targets{*m}, f, bindings...);
        },
        verb_type::bind_all(f));
  }
  template <class Engine>
  static void run_into(const Engine& engine, result& r, const Given& given, const Args&... args) {
    result apart{};
    run(engine, apart, false, given, args...);
    r = std::move(apart);
  }
};

template <verb V, class F, class Positions, class Policy, class Given, class... Args>
struct tensor_function_call<function_verb<V, F, Positions, Policy, Given>, F, Args...> {
  using verb_type = tensor_function_verb<V, F, positions_of<Positions, Args...>, Given, Args...>;
  using problem = typename decltype(verb_type::find_problem())::type;
  using operand = function_verb<V, F, Positions, Policy, Given>;

  template <class Engine>
  static auto run(const Engine& engine, const operand& g, const Args&... args) {
    using results = results_of<verb_type>;
    typename results::result r{};
    results::run(engine, r, false, g.further(), args...);
    return r;
  }
  template <class Engine, class R>
  static void run_into(const Engine& engine, R& r, const operand& g, const Args&... args) {
    results_of<verb_type>::run_into(engine, r, g.further(), args...);
  }

 private:
  template <class Made>
  using results_of = tensor_function_results<Made, typename Made::indices>;
};
/// Of another verb there is none.
template <class Verb, class F, class... Args>
struct tensor_function_call {
  using problem = error::call_not_over_tensors<F>;
};

}  // namespace detail::inline TAPELESS_TARGET

}  // namespace tapeless

template <class Value, class Gradient, class Memory>
struct std::tuple_size<tapeless::value_and_function_gradient<Value, Gradient, Memory>>
    : std::integral_constant<std::size_t, 2> {};
template <std::size_t I, class Value, class Gradient, class Memory>
struct std::tuple_element<I, tapeless::value_and_function_gradient<Value, Gradient, Memory>> {
  using type = std::conditional_t<I == 0, Value, Gradient>;
};

#endif
