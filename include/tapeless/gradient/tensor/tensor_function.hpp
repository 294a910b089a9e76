#pragma once

#include <tapeless/core/map_structure.hpp>
#include <tapeless/core/target.hpp>
#include <tapeless/gradient/function/argument_place.hpp>
#include <tapeless/gradient/function/argument_shape.hpp>
#include <tapeless/gradient/function/function_call.hpp>
#include <tapeless/gradient/function/function_verb.hpp>
#include <tapeless/gradient/function/trace_function.hpp>
#include <tapeless/gradient/tensor/run_scan.hpp>
#include <tapeless/gradient/tensor/storage.hpp>
#include <tapeless/gradient/tensor/tensor_argument.hpp>
#include <tapeless/gradient/tensor/tensor_formula.hpp>
#include <tapeless/gradient/tensor/tensor_results.hpp>
#include <tapeless/program/lower/lower_tensors.hpp>
#include <tapeless/program/lower/recorded_lowering.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tapeless {

namespace program {

/// The leaves of the arguments `Args` of a function: the tensors and numbers in them, in their order. Those that are
/// bound to variables are named by their place; integers are numbers of the program, so that they may be indices and
/// extents.
template <class... Args>
struct function_leaves {
  using layout = tapeless::detail::argument_layout<Args...>;
  static constexpr std::size_t size = layout::size;

  template <std::size_t I>
  using type =
      std::remove_cvref_t<decltype(layout::template leaf<I>(std::declval<const std::tuple<const Args&...>&>()))>;
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
  for_each_index<leaves::size>([&](auto i) {
    if constexpr (leaves::template is_index<i>) *to++ = static_cast<T>(leaves::layout::template leaf<i>(f.arguments));
  });
}

}  // namespace detail::inline TAPELESS_TARGET

namespace program::detail {

template <class F, class... Args>
struct lower_as<tapeless::detail::function_formula<F, Args...>> {
  static constexpr growing_array<tensor_value> run(tensor_lowering& to) {
    growing_array<tensor_value> leaves;
    for (const std::string_view name : function_leaves<Args...>::names)
      leaves.push_back(name.empty() ? to.scalar(to.graph.number(to.graph.numbers++)) : to.variable(name));
    return recorded_lowering<tapeless::detail::traced_program<F, Args...>>::run(to, leaves);
  }
};

}  // namespace program::detail
}  // namespace tapeless

namespace tapeless::detail::inline TAPELESS_TARGET {

/// The derivatives that the loops compute apart from the gradient: in another number type, which is converted, or as
/// parts of complex numbers, which are put together.
template <class V, class Computed, class Presented>
struct computed_derivative {
  static constexpr bool apart = !std::is_same_v<Computed, Presented>;
  // With [[no_unique_address]] clang 16 writes a result that has it to no memory.
  std::conditional_t<apart, Computed, std::tuple<>> computed{};

  auto& target([[maybe_unused]] auto&& presented) {
    if constexpr (apart)
      return computed;
    else
      return presented;
  }
  void present([[maybe_unused]] auto&& to) const {
    if constexpr (apart) {
      const auto from = strided_of(computed);
      tensor_traits<Presented>::resize(to, from.extents);
      loops::copy(strided_of(to), from);
    }
  }
};

/// The memory of the loops, of derivatives that they compute apart, and of the parts of complex results, before they
/// are put together.
template <class OfLoops, class Parts, class... Computed>
struct memory_of_results : Computed... {
  OfLoops of_loops;
  [[no_unique_address]] Parts parts;
};

/// Replaces each number and tensor in an argument by `Leaf::at<rank>`.
template <class Leaf>
struct replaced_by_rank {
  template <class A>
  static constexpr auto find() {
    if constexpr (Structure<A>)
      return std::type_identity<typename mapped_structure<A, replaced_by_rank>::type>{};
    else if constexpr (is_constant<A>)
      return std::type_identity<typename Leaf::template at<0>>{};
    else if constexpr (!Standard_complex<A>)
      return std::type_identity<typename Leaf::template at<tensor_traits<A>::rank>>{};
    else if constexpr (requires { typename Leaf::template complex_at<tensor_traits<A>::rank>; })
      return std::type_identity<typename Leaf::template complex_at<tensor_traits<A>::rank>>{};
    else
      return std::type_identity<complex<typename Leaf::template at<tensor_traits<A>::rank>>>{};
  }
  template <class A>
  using to = typename decltype(find<as_array_t<A>>())::type;
};
/// A block of a matrix, with a row of the rank `RowRank`.
template <class T, int RowRank>
struct block_of_rank {
  template <int Rank>
  using at = typename value_container<T, RowRank + Rank>::type;
};
/// A row of such blocks, one for each number and tensor in `As`.
template <class T, class... As>
struct row_of_rank {
  template <int Rank>
  using at = one_or_tuple<typename replaced_by_rank<block_of_rank<T, Rank>>::template to<As>...>;
};

template <class A>
constexpr bool holds_complex() {
  if constexpr (Structure<A>)
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return (holds_complex<typename structure<A>::template member<I>>() || ...);
    }(std::make_index_sequence<structure<A>::size>{});
  else
    return Complex_tensor<A>;
}

/// A leaf of an argument, or of a tangent or cotangent, as a binding of the variable `U`.
template <class U, class X>
auto bind_as(X&& value) {
  if constexpr (is_constant<std::remove_cvref_t<X>>)
    return std::tuple(U{} = static_cast<double>(value));
  else
    return std::tuple(U{} = static_cast<X&&>(value));
}
/// The leaves of arguments as bindings. Of all functions with such arguments: none of it depends on the function.
template <class... Args>
struct argument_bindings {
  using leaves = program::function_leaves<Args...>;

  template <std::size_t I>
  static auto bind(const std::tuple<const Args&...>& arguments) {
    if constexpr (leaves::template is_index<I>)
      return std::tuple<>{};
    else
      return bind_as<typename leaves::template variable<I>>(leaves::layout::template leaf<I>(arguments));
  }
};
template <class Bindings, class Arguments>
auto bind_leaves(const Arguments& arguments) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return std::tuple_cat(Bindings::template bind<I>(arguments)...);
  }(std::make_index_sequence<Bindings::leaves::size>{});
}

/// Results in the shapes of the arguments at positions `P`, as functions have them.
template <class F, class Positions, class... Args>
struct positional_tensors;
template <class F, std::size_t... P, class... Args>
struct positional_tensors<F, std::index_sequence<P...>, Args...> {
  using function = F;
  using leaves = program::function_leaves<Args...>;
  using layout = typename leaves::layout;
  using formula = function_formula<F, Args...>;
  using policy = unconnected::materialise_policy;
  using returned = std::remove_cvref_t<decltype(F{}(std::declval<typename shape_of<Args>::traced_type>()...))>;
  template <std::size_t I>
  using variable = typename leaves::template variable<I>;
  /// The leaves that have derivatives.
  using indices = typename layout::template variables<P...>;
  using places = decltype(layout::template places<P...>());
  static constexpr int value_rank = 0;
  /// Whether complex tensors are among the arguments: complex results are like them.
  static constexpr bool has_complex = (holds_complex<Args>() || ...);
  static constexpr std::size_t outputs = traced_program<F, Args...>::value.outputs.size();
  template <int... I>
  static wrt_variables<variable<static_cast<std::size_t>(I)>...> variables_at(std::integer_sequence<int, I...>);
  using variables = decltype(variables_at(indices{}));

  /// Number or tensor number `L` of the arguments, in the gradients by those at positions `P`.
  template <std::size_t L, class G>
  static decltype(auto) leaf_of(G& g) {
    constexpr std::size_t position = layout::position(L);
    using argument = typename layout::template argument<position>;
    if constexpr (sizeof...(P) == 1) {
      return leaf_like<argument, L - layout::first(position)>(g);
    } else {
      constexpr std::size_t place =
          position_in<std::integral_constant<std::size_t, position>, std::integral_constant<std::size_t, P>...>();
      return leaf_like<argument, L - layout::first(position)>(std::get<place>(g));
    }
  }

  template <class T>
  using gradient_type = one_or_tuple<typename layout::template shape<P>::template gradient_type<T>...>;
  /// A leaf in the shape of the derivative by it.
  template <std::size_t L>
  static decltype(auto) in_shape(const formula& f) {
    return layout::template leaf<L>(f.arguments);
  }

  /// Of what `Call` computes, in the shapes of `Form`.
  template <class Call, class Form, class = std::conditional_t<Call::by_variables, indices, std::integer_sequence<int>>>
  struct arranged_as;
  template <class Call, class Form, int... I>
  struct arranged_as<Call, Form, std::integer_sequence<int, I...>> {
    using gradient = typename Form::template gradient_type<typename Call::T>;
    template <std::size_t L>
    using presented = std::remove_cvref_t<decltype(leaf_of<L>(std::declval<gradient&>()))>;
    template <std::size_t L>
    using computed = computed_derivative<variable<L>, typename Call::template derivative<variable<L>>, presented<L>>;
    template <std::size_t... K>
    static std::tuple<typename Call::template value_type<K>...> all_values(std::index_sequence<K...>);
    using memory = memory_of_results<typename Call::memory_type,
                                     decltype(all_values(std::make_index_sequence<has_complex ? Call::first : 0>{})),
                                     computed<static_cast<std::size_t>(I)>...>;
    template <class Values>
    using with_value = result_with_memory<value_and_gradient_result<Values, gradient>, memory>;

    template <class U>
    static auto& derivative(gradient& g, memory& m) {
      constexpr std::size_t leaf = leaf_number<U>();
      return static_cast<computed<leaf>&>(m).target(leaf_of<leaf>(g));
    }
    /// What the loops have not written: numbers of other types, and of integers the derivative 0.
    static void finish(gradient& g, memory& m, const formula& f) {
      (present<static_cast<std::size_t>(I)>(g, m), ...);
      clear_integers(g, f);
      conjugate_complex<false>(g);
    }
    template <std::size_t L>
    static void present(gradient& g, memory& m) {
      auto& own = static_cast<computed<L>&>(m);
      if constexpr (!is_complex_part<presented<L>>)
        own.present(leaf_of<L>(g));
      else if constexpr (presented<L>::part == 0)
        // The gradient by a complex number is conjugate.
        join_parts<-1>(own.computed, static_cast<computed<L + 1>&>(m).computed, *leaf_of<L>(g).of);
    }
    /// The derivatives by integers are 0.
    static void clear_integers(gradient& g, const formula& f) {
      for_each_index<leaves::size>([&]<std::size_t L>(std::integral_constant<std::size_t, L>) {
        if constexpr (!shape_of<typename leaves::template type<L>>::has_derivative(0) &&
                      ((layout::position(L) == P) || ...)) {
          auto&& to = leaf_of<L>(g);
          using traits = tensor_traits<std::remove_cvref_t<decltype(to)>>;
          traits::resize(to, strided_of(Form::template in_shape<L>(f)).extents);
          loops::fill(strided_of(to), typename traits::element(0));
        }
      });
    }

    static auto& of_loops(memory& m) { return m.of_loops; }
  };
  template <class Call>
  using arranged = arranged_as<Call, positional_tensors>;

  /// Blocks for each leaf where the function's result, or of a Hessian the gradient, has a number or tensor.
  template <class Matrix>
  struct arranged_matrix {
    template <class Leaf>
    using like_arguments =
        one_or_tuple<typename replaced_by_rank<Leaf>::template to<typename layout::template argument<P>>...>;
    using T = typename Matrix::T;
    struct row {
      template <std::size_t K>
      using at = like_arguments<block_of_rank<T, Matrix::operand::rank_of(K)>>;
    };
    static constexpr auto find() {
      if constexpr (Matrix::second)
        return std::type_identity<like_arguments<row_of_rank<T, typename layout::template argument<P>...>>>{};
      else
        return values_like<returned, 0, row>();
    }
    using type = typename decltype(find())::type;

    template <class Row, class U>
    static auto& block(type& all) {
      if constexpr (Matrix::second)
        return leaf_of<leaf_number<U>()>(leaf_of<leaf_number<Row>()>(all));
      else
        return leaf_of<leaf_number<U>()>(leaf_like<returned, Row::value>(all));
    }
  };

  using argument_bindings = detail::argument_bindings<Args...>;
  template <std::size_t I, class X>
  static auto bind_tangent(const formula&, X&& value) {
    return bind_as<variable<I>>(static_cast<X&&>(value));
  }

  template <class U>
  static constexpr std::size_t leaf_number() {
    return []<std::size_t... L>(std::index_sequence<L...>) {
      return position_in<U, variable<L>...>();
    }(std::make_index_sequence<leaves::size>{});
  }
};

/// A call of the verb `V` with the arguments of `Form`, and tangents or cotangents `Given`.
template <verb V, class Form, class Given>
struct positional_call {
  using formula = typename Form::formula;

  template <std::size_t I, class X>
  static auto bind_unless_zero(const formula& f, X&& value) {
    if constexpr (is_zero<std::remove_cvref_t<X>>)
      return std::tuple<>{};
    else
      return Form::template bind_tangent<I>(f, static_cast<X&&>(value));
  }
  static auto bind_given(const formula& f, const Given& given) {
    if constexpr (V.takes_tangents()) {
      return given.apply([&](const auto&... values) {
        const std::tuple<decltype(values)...> all(values...);
        return [&]<int... I, int... Place>(std::integer_sequence<int, I...>, std::integer_sequence<int, Place...>) {
          return std::tuple_cat(bind_unless_zero<static_cast<std::size_t>(I)>(
              f, Given::layout::template leaf<static_cast<std::size_t>(Place)>(all))...);
        }(typename Form::indices{}, typename Form::places{});
      });
    } else if constexpr (V.what == derives::pullback) {
      return given.apply([](const auto&... values) {
        using given_layout = argument_layout<std::remove_cvref_t<decltype(values)>...>;
        const std::tuple<decltype(values)...> all(values...);
        return [&]<std::size_t... K>(std::index_sequence<K...>) {
          return std::tuple_cat(bind_as<cotangent_variable>(given_layout::template leaf<K>(all))...);
        }(std::make_index_sequence<Form::outputs>{});
      });
    } else {
      return std::tuple<>{};
    }
  }

  using seeds = decltype(bind_given(std::declval<const formula&>(), std::declval<const Given&>()));
  template <class... Bindings>
  static tensor_results<V, Form, seeds, Bindings...> results_of(const std::tuple<Bindings...>&);
  using bindings = decltype(bind_leaves<typename Form::argument_bindings>(std::declval<const formula&>().arguments));
  using results = decltype(results_of(std::declval<const bindings&>()));

  template <class... Bindings>
  static constexpr auto find_problem(std::type_identity<std::tuple<Bindings...>>) {
    if constexpr (V.of_numbers() &&
                  program::problem_of<program::frozen<tensor_lowering<formula, Bindings...>>> == fault::none)
      return wrong<fault::call_not_over_tensors, typename Form::function>{};
    else
      return find_tensor_problem<V, Form, seeds, Bindings...>();
  }
  static constexpr auto find_problem() { return find_problem(std::type_identity<bindings>{}); }

  template <class Engine, class To, class Verb, class... Args>
  static auto run(const Engine& engine, const To& to, const Verb& verb, const Args&... args) {
    const formula f{{args...}};
    const bindings all = bind_leaves<typename Form::argument_bindings>(f.arguments);
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return results::run(engine, to, f, bind_given(f, verb.seeds()), std::get<I>(all)...);
    }(std::make_index_sequence<std::tuple_size_v<bindings>>{});
  }
};

template <verb V, class F, class Positions, class Policy, class Given, class... Args>
  requires(is_over_tensors<F, Args...>())
struct call_over_tensors<function_verb<V, F, Positions, Policy, Given>, Args...>
    : positional_call<V, positional_tensors<F, positions_of<Positions, Args...>, Args...>, Given> {
  using problem = typename decltype(call_over_tensors::find_problem())::type;
};

}  // namespace tapeless::detail::inline TAPELESS_TARGET
