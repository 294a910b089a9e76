#ifndef TAPELESS_GRADIENT_TENSOR_FUNCTION_HPP
#define TAPELESS_GRADIENT_TENSOR_FUNCTION_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/core/target.hpp>
#include <tapeless/evaluate/engine.hpp>
#include <tapeless/gradient/function.hpp>
#include <tapeless/gradient/gradient.hpp>
#include <tapeless/gradient/place.hpp>
#include <tapeless/gradient/tensor.hpp>
#include <tapeless/interop/storage.hpp>
#include <tapeless/program/recorded_lowering.hpp>

#include <array>
#include <cstddef>
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

namespace detail {

/// A tensor as an argument, or in one, of a traced function: there a number like others.
template <class T>
  requires(is_tensor<T> && !Structure<T> && !Record_vector<T>)
struct shape_of<T> {
  using number = typename tensor_traits<T>::element;
  using problem = std::conditional_t<Numeric<number>, void, error::argument_is_no_number<T>>;
  static constexpr bool valid = false, over_tensors = true;
  static constexpr int rank = tensor_traits<T>::rank;
  static constexpr std::size_t size = 1, derivatives = Real<number> ? 1 : 0;
  using traced_type = traced;

  static constexpr bool has_derivative(std::size_t) { return Real<number>; }
  static constexpr traced trace(program::builder& graph, int first) {
    return traced(graph, graph.recording ? graph.variable(first) : graph.sequence_variable(first));
  }
  template <std::size_t I>
  static constexpr const T& element(const T& argument) {
    return argument;
  }
  template <class U>
  using gradient_type =
      typename tensor_traits<T>::template result<std::conditional_t<std::is_void_v<U> || !Real<number>, number, U>>;
};
// What a call may begin with.
template <class R>
struct shape_of<into_result<R>> {
  static constexpr bool over_tensors = true;
};
template <Execution_policy Policy>
struct shape_of<Policy> {
  static constexpr bool over_tensors = true;
};

}  // namespace detail

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
  static constexpr tensor_value run(tensor_lowering& to) {
    growing_array<tensor_value> leaves;
    for (const std::string_view name : function_leaves<Args...>::names)
      leaves.push_back(name.empty() ? to.scalar(to.graph.number(to.graph.numbers++)) : to.variable(name));
    return recorded_lowering<tapeless::detail::traced_program<F, Args...>>::run(to, leaves);
  }
};

}  // namespace program::detail

namespace detail::inline TAPELESS_TARGET {

/// The part `I` of a gradient of the argument type `A`.
template <class A, std::size_t I, class G>
auto& gradient_leaf(G& gradient) {
  if constexpr (Structure<A>) {
    constexpr auto place = [] {
      std::array<std::size_t, 2> result{0, I};
      [&]<std::size_t... M>(std::index_sequence<M...>) {
        static_cast<void>(
            ((result[1] >= shape_of<typename structure<A>::template member<M>>::size &&
              (result[1] -= shape_of<typename structure<A>::template member<M>>::size, ++result[0], true)) &&
             ...));
      }(std::make_index_sequence<structure<A>::size>{});
      return result;
    }();
    return gradient_leaf<typename structure<A>::template member<place[0]>, place[1]>(
        structure<G>::template get<place[0]>(gradient));
  } else {
    return gradient;
  }
}

/// Where the derivative by a variable goes.
template <class V, class Container>
struct derivative_target {
  Container* container;
};
template <class... Targets>
struct derivative_targets : Targets... {
  template <class V>
  auto& target() {
    return find<V>(*this);
  }

 private:
  template <class V, class Container>
  static Container& find(const derivative_target<V, Container>& found) {
    return *found.container;
  }
};

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

/// The call of a function over tensors with the arguments `Args` and the gradient by those at `Positions`.
template <class F, bool WithValue, class Positions, class... Args>
struct tensor_function_gradient;
template <class F, bool WithValue, std::size_t... P, class... Args>
struct tensor_function_gradient<F, WithValue, std::index_sequence<P...>, Args...> {
  using leaves = program::function_leaves<Args...>;
  using layout = typename leaves::layout;
  using formula = function_formula<F, Args...>;
  template <std::size_t I>
  using variable = typename leaves::template variable<I>;
  template <std::size_t I>
  using leaf = typename leaves::template type<I>;

  template <std::size_t I>
  static constexpr auto binding_type() {
    if constexpr (leaves::template is_index<I>)
      return std::type_identity<std::tuple<>>{};
    else if constexpr (is_tensor<leaf<I>>)
      return std::type_identity<std::tuple<binding<variable<I>, tensor_reference<leaf<I>>>>>{};
    else
      return std::type_identity<
          std::tuple<binding<variable<I>, std::conditional_t<is_constant<leaf<I>>, double, leaf<I>>>>>{};
  }
  template <std::size_t I>
  static auto bind(const formula& f) {
    using type = typename decltype(binding_type<I>())::type;
    const auto& value = leaves::template get<I>(f.arguments);
    if constexpr (std::tuple_size_v<type> == 0)
      return type{};
    else if constexpr (is_tensor<leaf<I>>)
      return type{{{__builtin_addressof(value)}}};
    else
      return type{{static_cast<typename std::tuple_element_t<0, type>::value_type>(value)}};
  }
  static auto bind_all(const formula& f) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return std::tuple_cat(bind<I>(f)...);
    }(std::make_index_sequence<leaves::size>{});
  }

  template <class Requested>
  struct variables_of;
  template <int... I>
  struct variables_of<std::integer_sequence<int, I...>> {
    using type = wrt_variables<variable<static_cast<std::size_t>(I)>...>;
  };
  using requested = typename layout::template variables<P...>;

  using bindings = decltype(bind_all(std::declval<const formula&>()));

  template <class Bindings>
  struct with_bindings;
  template <class... Bindings>
  struct with_bindings<std::tuple<Bindings...>> {
    using lowering = tensor_lowering<formula, Bindings...>;
    using program = tensor_program<formula, Bindings...>;
    using call = typename tensor_gradient<formula, typename variables_of<requested>::type, WithValue,
                                          unconnected::materialise_policy>::template call<Bindings...>;
  };
  using bound = with_bindings<bindings>;

  /// What is wrong with the program, given that the function can be traced; `void` if nothing.
  static constexpr auto find_problem() {
    using source = traced_program<F, Args...>;
    using rule = decltype(rule_problem<source>(requested{}));
    using enum program::tensor_problem;
    if constexpr (source::value.outputs.size() != 1)
      return std::type_identity<error::function_returns_array<F>>{};
    else if constexpr (!std::is_void_v<typename rule::type>)
      return rule{};
    else if constexpr (bound::lowering::problem != none)
      return std::type_identity<error::tensors_do_not_fit<bound::lowering::problem>>{};
    else if constexpr (bound::program::value_rank != 0)
      return std::type_identity<error::tensors_do_not_fit<value_is_no_number>>{};
    else
      return size_problem<typename bound::call::finished>();
  }
};

/// How such a call runs, and its result.
template <class Call, class Requested, class Positions, bool WithValue, class... Args>
struct tensor_function_results;
template <class Call, int... I, std::size_t... P, bool WithValue, class... Args>
struct tensor_function_results<Call, std::integer_sequence<int, I...>, std::index_sequence<P...>, WithValue, Args...> {
  using leaves = typename Call::leaves;
  using layout = typename Call::layout;
  using loops = typename Call::bound::call::results;
  using T = typename loops::T;

  template <std::size_t Q>
  using part = typename layout::template shape<Q>::template gradient_type<T>;
  using gradient = typename std::conditional_t<sizeof...(P) == 1, type_at<0, part<P>...>,
                                               std::type_identity<std::tuple<part<P>...>>>::type;

  /// The part of a gradient that belongs to leaf number `L`.
  template <std::size_t L>
  static auto& leaf_of(gradient& g) {
    constexpr std::size_t position = layout::position(L);
    using argument = typename type_at<position, Args...>::type;
    if constexpr (sizeof...(P) == 1) {
      return gradient_leaf<argument, L - layout::first(position)>(g);
    } else {
      constexpr std::size_t place = [] {
        std::size_t result = 0;
        static_cast<void>(((P == position ? true : (++result, false)) || ...));
        return result;
      }();
      return gradient_leaf<argument, L - layout::first(position)>(std::get<place>(g));
    }
  }
  template <std::size_t L>
  using presented = std::remove_cvref_t<decltype(leaf_of<L>(std::declval<gradient&>()))>;
  template <std::size_t L>
  using computed =
      computed_derivative<typename Call::template variable<L>,
                          typename loops::template derivative<typename Call::template variable<L>>, presented<L>>;

  struct memory : computed<static_cast<std::size_t>(I)>... {
    typename loops::memory_type of_loops;
  };
  template <std::size_t L>
  static computed<L>& computed_in(memory& m) {
    return m;
  }
  using result =
      std::conditional_t<WithValue, value_and_function_gradient<typename loops::value_type, gradient, memory>,
                         gradient>;

  template <class Engine>
  static void run(const Engine& engine, result& r, const Args&... args) {
    if constexpr (WithValue) {
      run(engine, r.memory, r.value, r.gradient, args...);
    } else {
      memory own;
      run(engine, own, loops::no_value, r, args...);
    }
  }
  /// The same for a result that may lie where an argument does.
  template <class Engine>
  static void run_into(const Engine& engine, result& r, const Args&... args) {
    bool overlap = false;
    std::apply(
        [&](const auto&... bindings) {
          const auto look = [&](const auto& output) {
            overlap = overlap || (loops::overlaps(output, bindings) || ...);
          };
          if constexpr (WithValue) {
            look(r.value);
            (look(leaf_of<static_cast<std::size_t>(I)>(r.gradient)), ...);
          } else {
            (look(leaf_of<static_cast<std::size_t>(I)>(r)), ...);
          }
        },
        Call::bind_all({{args...}}));
    if (!overlap) [[likely]]
      return run(engine, r, args...);
    result apart{};
    run(engine, apart, args...);
    r = apart;
  }

 private:
  template <class Engine, class Value>
  static void run(const Engine& engine, memory& m, Value& value, gradient& g, const Args&... args) {
    const typename Call::formula f{{args...}};
    derivative_targets<derivative_target<
        typename Call::template variable<static_cast<std::size_t>(I)>,
        typename loops::template derivative<typename Call::template variable<static_cast<std::size_t>(I)>>>...>
        targets{{&computed_in<static_cast<std::size_t>(I)>(m).target(leaf_of<static_cast<std::size_t>(I)>(g))}...};
    std::apply(
        [&](const auto&... bindings) {
          loops::compute(engine, m.of_loops, value, targets, f, std::tuple<>{}, bindings...);
        },
        Call::bind_all(f));
    (computed_in<static_cast<std::size_t>(I)>(m).present(leaf_of<static_cast<std::size_t>(I)>(g)), ...);
    [&]<std::size_t... L>(std::index_sequence<L...>) {
      (clear<L>(g, f), ...);
    }(std::make_index_sequence<leaves::size>{});
  }
  /// Integers in an argument have derivative 0.
  template <std::size_t L>
  static void clear(gradient& g, const typename Call::formula& f) {
    if constexpr (!shape_of<typename leaves::template type<L>>::has_derivative(0) &&
                  ((layout::position(L) == P) || ...)) {
      auto& to = leaf_of<L>(g);
      const auto shape = strided_of(leaves::template get<L>(f.arguments)).extents;
      tensor_traits<presented<L>>::resize(to, shape);
      const auto elements = strided_of(to);
      elements.for_each([&](const auto& at) { elements.data[elements.offset(at)] = 0; });
    }
  }
};

/// Arguments without what a call may begin with: an execution policy, `into(r)`.
template <class... Args>
struct arguments_alone {
  template <template <class...> class To>
  using apply = To<Args...>;
};
template <Execution_policy Policy, class... Args>
struct arguments_alone<Policy, Args...> : arguments_alone<Args...> {};
template <class R, class... Args>
struct arguments_alone<into_result<R>, Args...> : arguments_alone<Args...> {};

/// Says what does not fit, as for formulas.
template <class Problem>
constexpr no_result report_tensors() {
  using program::tensor_problem;
  static_assert(fits<tensor_problem::rank_too_large, Problem>, "tapeless: a tensor has at most 6 axes");
  static_assert(fits<tensor_problem::axis_out_of_range, Problem>,
                "tapeless: an operation names an axis that its operand does not have");
  static_assert(fits<tensor_problem::axis_named_twice, Problem>, "tapeless: an operation names an axis twice");
  static_assert(fits<tensor_problem::extents_differ, Problem>,
                "tapeless: the fixed shapes of two operands do not broadcast");
  static_assert(fits<tensor_problem::dot_of_other_ranks, Problem>, "tapeless: dot takes operands of rank 1 or 2");
  static_assert(fits<tensor_problem::transpose_of_other_rank, Problem>,
                "tapeless: transpose names each axis of its operand once");
  static_assert(fits<tensor_problem::bounds_not_numbers, Problem>,
                "tapeless: indices, the bounds of a slice and the classes of one_hot are integers");
  static_assert(fits<tensor_problem::indices_of_other_rank, Problem>, "tapeless: the indices of take are a vector");
  static_assert(fits<tensor_problem::reshape_of_unknown_extents, Problem>,
                "tapeless: reshape leaves one extent open, -1");
  static_assert(fits<tensor_problem::too_many_axes, Problem>, "tapeless: the function has more than 64 axes; split it");
  static_assert(fits<tensor_problem::value_is_no_number, Problem>,
                "tapeless: a gradient or a Hessian is that of one number; reduce the result first: sum(y), mean(y)");
  return {};
}

template <class Verb, class F, class... Args>
struct tensor_function_call {
  using problem = error::verb_not_over_tensors<Verb>;
};
template <class F, bool WithValue, std::size_t... Asked, class... All>
struct tensor_function_call<function_gradient<F, WithValue, Asked...>, F, All...> {
  template <class... Args>
  struct alone {
    using positions =
        std::conditional_t<sizeof...(Asked) == 0, std::index_sequence_for<Args...>, std::index_sequence<Asked...>>;
    using call = tensor_function_gradient<F, WithValue, positions, Args...>;

    static constexpr auto find_problem() {
      using function = decltype(function_problem<F, Args...>());
      using position = decltype(position_problem<function_gradient<F, WithValue, Asked...>, F, Args...>(positions{}));
      if constexpr (!std::is_void_v<typename function::type>)
        return function{};
      else if constexpr (!std::is_void_v<typename position::type>)
        return position{};
      else {
        using trace = decltype(trace_problem<F, traced_program<F, Args...>, Args...>());
        if constexpr (!std::is_void_v<typename trace::type>)
          return trace{};
        else
          return call::find_problem();
      }
    }

    template <class Engine>
    static auto run(const Engine& engine, const Args&... args) {
      using results = results_of<call>;
      typename results::result r{};
      results::run(engine, r, args...);
      return r;
    }
    template <class Engine, class R>
    static void run_into(const Engine& engine, const into_result<R>& to, const Args&... args) {
      using results = results_of<call>;
      constexpr bool fits = std::is_same_v<R, typename results::result>;
      static_assert(fits, "tapeless: into(r) takes the result of the same call: arguments of the same types");
      if constexpr (fits) results::run_into(engine, *to.result, args...);
    }

   private:
    template <class Call>
    using results_of = tensor_function_results<Call, typename Call::requested, positions, WithValue, Args...>;
  };
  using arguments = typename arguments_alone<All...>::template apply<alone>;
  using problem = typename decltype(arguments::find_problem())::type;

  static auto run(const All&... all) { return run_on(loops::sequential{}, all...); }

 private:
  template <class Engine, class... Args>
  static auto run_on(const Engine& engine, const Args&... args) {
    return arguments::run(engine, args...);
  }
  template <class Engine, class R, class... Args>
  static void run_on(const Engine& engine, const into_result<R>& to, const Args&... args) {
    arguments::run_into(engine, to, args...);
  }
  template <class Engine, Execution_policy Policy, class... Args>
  static auto run_on(const Engine&, const Policy& policy, const Args&... args) {
    return run_on(engine_of<Policy>{policy}, args...);
  }
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
