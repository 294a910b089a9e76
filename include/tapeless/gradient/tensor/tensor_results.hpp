#pragma once

#include <tapeless/core/structure.hpp>
#include <tapeless/core/target.hpp>
#include <tapeless/gradient/call_options.hpp>
#include <tapeless/gradient/function/argument_shape.hpp>
#include <tapeless/gradient/problem.hpp>
#include <tapeless/gradient/result/result_maps.hpp>
#include <tapeless/gradient/tensor/tensor_call.hpp>
#include <tapeless/gradient/tensor/tensor_matrix.hpp>
#include <tapeless/gradient/verb.hpp>

#include <algorithm>
#include <array>
#include <complex>
#include <cstddef>
#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tapeless::detail::inline TAPELESS_TARGET {

/// Makes the complex numbers of a gradient their conjugates, those in structures, vectors, and two arrays of parts
/// too: a gradient over arrays is written in partial derivatives first. `Standard` says whether that holds of the
/// standard's complex numbers; of those in records it does, as their parts are written where they lie.
template <bool Standard, class G>
void conjugate_complex(G& gradient) {
  if constexpr (is_instance_of<complex, G>) {
    if constexpr (requires { gradient.im = -gradient.im; })
      gradient.im = -gradient.im;
    else
      for (auto& number : gradient.im) number = -number;
  } else if constexpr (Structure<G>) {
    for_each_index<structure<G>::size>(
        [&](auto i) { conjugate_complex<Standard>(structure<G>::template get<i>(gradient)); });
  } else if constexpr (requires { requires !Numeric<typename G::value_type>; }) {
    for (auto& element : gradient) conjugate_complex<Standard || Record_vector<G>>(element);
  } else if constexpr (Standard && requires { gradient.imag(-gradient.imag()); })
    gradient.imag(-gradient.imag());
}

/// Puts the parts of complex numbers together, `Sign` times the imaginary ones. All containers have one layout.
template <int Sign, class Parts, class To>
void join_parts(const Parts& re, const Parts& im, To& to) {
  using number = typename tensor_traits<To>::element;
  using real = typename number::value_type;
  const auto all = strided_of(re);
  if (const auto others = strided_of(im);
      !std::equal(all.extents.begin(), all.extents.begin() + all.rank, others.extents.begin()))
    raise<std::invalid_argument>({"the real and the imaginary part of a result have different shapes: ",
                                  shape_text(all.extents, all.rank), " and ", shape_text(others.extents, all.rank)});
  tensor_traits<To>::resize(to, all.extents);
  // The standard says that a complex number is an array of its parts.
  real* const into = reinterpret_cast<real*>(data_of(to));
  const auto *const first = data_of(re), *const second = data_of(im);
  for (std::ptrdiff_t i = 0, count = all.size(); i < count; ++i) {
    into[2 * i] = static_cast<real>(first[i]);
    into[2 * i + 1] = static_cast<real>(Sign * second[i]);
  }
}

/// Containers of several values, an array where all have one type.
template <class T, class... Ts>
struct values_of_types {
  using type =
      std::conditional_t<(std::is_same_v<T, Ts> && ...), std::array<T, 1 + sizeof...(Ts)>, std::tuple<T, Ts...>>;
};

/// How the leaves of a structure, its numbers and tensors, follow each other.
template <class S, class = std::make_index_sequence<structure<S>::size>>
struct members_layout;
template <class S, std::size_t... M>
struct members_layout<S, std::index_sequence<M...>> : argument_layout<typename structure<S>::template member<M>...> {};

/// Leaf number `I` of a structure that is made like `A`.
template <class A, std::size_t I, class Made>
decltype(auto) leaf_like(Made& made) {
  if constexpr (Standard_complex<Made>) {
    return complex_part<Made, I>(made);
  } else if constexpr (Standard_complex<A>) {
    return (structure<Made>::template get<I>(made));
  } else if constexpr (Record_sequence<A>) {
    return shape_of<A>::template element<I>(made);
  } else if constexpr (Structure<as_array_t<A>>) {
    using layout = members_layout<as_array_t<A>>;
    constexpr std::size_t member = layout::position(I);
    return leaf_like<typename structure<as_array_t<A>>::template member<member>, I - layout::first(member)>(
        structure<Made>::template get<member>(made));
  } else {
    return (made);
  }
}
/// Whether leaf number `First` and the next, a complex number in what is made like `A`, are one in `Leaf`.
template <class A, std::size_t First, class Leaf>
inline constexpr bool joins_parts = false;
template <class T, std::size_t First, class Leaf>
  requires requires { typename Leaf::template both<First>; }
inline constexpr bool joins_parts<complex<T>, First, Leaf> = true;
/// What is made like `A`, leaf number K replaced by `Leaf::at<First + K>`: the type of values.
template <class A, std::size_t First, class Leaf>
constexpr auto values_like() {
  if constexpr (joins_parts<A, First, Leaf>) {
    return std::type_identity<typename Leaf::template both<First>>{};
  } else if constexpr (Structure<A>) {
    return []<std::size_t... M>(std::index_sequence<M...>) {
      return values_of_types<typename decltype(values_like<typename structure<A>::template member<M>,
                                                           First + members_layout<A>::first(M), Leaf>())::type...>{};
    }(std::make_index_sequence<structure<A>::size>{});
  } else {
    return std::type_identity<typename Leaf::template at<First>>{};
  }
}

/// How a call over tensors writes its result: that is in the way of `Results`, which finds it memory.
template <class Results>
struct results_of_tensors : call_into_result<Results> {
  template <bool Existing, class Engine, class R, class... Given>
  static bool into(const Engine& engine, R& r, const Given&... given) {
    Results::template with_memory<Existing>(r, [&](auto& m) {
      if constexpr (Existing)
        write_into(r, Results::may_write_early(r, m, given...),
                   [&](R& all) { Results::template compute<true>(engine, all, m, given...); });
      else
        Results::template compute<false>(engine, r, m, given...);
    });
    return true;
  }
};

/// A call of the verb `V` over tensors and its result. `Form` arranges what is computed: by the variables of formulas,
/// or as the arguments of a function are.
template <verb V, class Form, class Seeds, class... Bindings>
struct tensor_results : results_of_tensors<tensor_results<V, Form, Seeds, Bindings...>> {
  using F = typename Form::formula;
  using call = tensor_call<V, F, std::conditional_t<V.by_variables(), typename Form::variables, wrt_variables<>>,
                           typename Form::policy, wrt_variables<>, Seeds, Bindings...>;
  using variables = typename Form::variables;
  using form = typename Form::template arranged<call>;
  using memory = typename form::memory;

  struct container {
    template <std::size_t K>
    using at = output_container<typename call::operand, K>;
    /// Both parts of a complex number, as complex arguments are.
    template <std::size_t K>
      requires(Form::has_complex && call::operand::rank_of(K) == call::operand::rank_of(K + 1))
    using both = typename value_container<std::complex<typename call::T>, call::operand::rank_of(K)>::type;
  };
  using values = typename decltype(values_like<typename Form::returned, 0, container>())::type;

  static constexpr auto find_problem() { return loops_problem<typename call::P, typename call::S>(); }
  static constexpr auto find_result() {
    if constexpr (V.by_variables() && V.with_value)
      return std::type_identity<typename form::template with_value<values>>{};
    else if constexpr (V.by_variables())
      return std::type_identity<typename form::gradient>{};
    else if constexpr (V.what == derives::tangent && V.with_value)
      return std::type_identity<value_and_jvp_result<values, values>>{};
    else
      return std::type_identity<values>{};
  }
  using result = typename decltype(find_result())::type;

  /// The containers in a result, which may have others besides, and in the memory of its calls.
  template <class R>
  struct targets {
    R& r;
    memory& m;

    template <std::size_t K>
    decltype(auto) in_result() const {
      if constexpr (std::is_same_v<R, values>)
        return leaf_like<typename Form::returned, K>(r);
      else if constexpr (K >= call::outputs)
        return leaf_like<typename Form::returned, K - call::outputs>(r.tangent);
      else
        return leaf_like<typename Form::returned, K>(r.value);
    }
    template <std::size_t K>
    auto& value() const {
      if constexpr (is_complex_part<decltype(in_result<K>())>)
        return std::get<K>(m.parts);
      else
        return in_result<K>();
    }
    /// Puts value number `K` and the next together where they are the parts of complex numbers.
    template <std::size_t K>
    void join() const {
      if constexpr (requires { requires decltype(in_result<K>())::part == 0; })
        join_parts<1>(std::get<K>(m.parts), std::get<K + 1>(m.parts), *in_result<K>().of);
    }
    template <class U>
    auto& derivative() const {
      return form::template derivative<U>(gradient_in(r), m);
    }
  };

  template <class R>
  static bool may_write_early(R& r, memory& m, const F&, const Seeds& seeds, const Bindings&... bindings) {
    return call::may_write_early(targets<R>{r, m}, seeds, bindings...);
  }
  template <bool Existing, class Engine, class R>
  static void compute(const Engine& engine, R& r, memory& m, const F& f, const Seeds& seeds,
                      const Bindings&... bindings) {
    call::compute(engine, form::of_loops(m), targets<R>{r, m}, f, seeds, bindings...);
    if constexpr (requires { requires Form::has_complex; })
      for_each_index<call::first>([&](auto k) { targets<R>{r, m}.template join<k>(); });
    if constexpr (V.by_variables()) form::finish(gradient_in(r), m, f);
  }
  /// Memory in the result, if it has any; that of the thread for one that is `Existing`.
  template <bool Existing, class R, class Run>
  static void with_memory(R& r, const Run& run) {
    if constexpr (requires { requires std::is_same_v<decltype(r.memory), memory>; })
      run(r.memory);
    else if constexpr (requires { requires std::is_same_v<decltype(r.gradient.memory), memory>; })
      run(r.gradient.memory);
    else
      with_memory_for<Existing, memory>(run);
  }

 private:
  template <class R>
  static auto& gradient_in(R& r) {
    if constexpr (V.with_value)
      return r.gradient;
    else
      return r;
  }
};

/// The same for Jacobians and Hessians.
template <verb V, class Form, class Seeds, class... Bindings>
  requires(V.is_matrix())
struct tensor_results<V, Form, Seeds, Bindings...> : results_of_tensors<tensor_results<V, Form, Seeds, Bindings...>> {
  static constexpr bool second = V.what == derives::hessian;
  using F = typename Form::formula;
  using variables = typename Form::variables;
  using matrix = tensor_matrix<V, F, variables, Bindings...>;
  using form = typename Form::template arranged_matrix<matrix>;
  using blocks = typename form::type;
  /// What the result has besides.
  using others = tensor_results<second ? verb{derives::gradient, true} : value_verb, Form, Seeds, Bindings...>;

  static constexpr auto find_problem() { return matrix::find_problem(); }
  static constexpr auto find_result() {
    if constexpr (!V.with_value)
      return std::type_identity<blocks>{};
    else if constexpr (second)
      return std::type_identity<
          value_and_hessian_result<typename others::values, typename others::form::gradient, blocks>>{};
    else
      return std::type_identity<value_and_jacobian_result<typename others::values, blocks>>{};
  }
  using result = typename decltype(find_result())::type;

  struct targets {
    blocks& all;
    template <class Row, class U>
    auto& block() const {
      return form::template block<Row, U>(all);
    }
  };

  template <class R, class Memory>
  static bool may_write_early(R& r, Memory& m, const F& f, const Seeds& seeds, const Bindings&... bindings) {
    const bool apart = !matrix::lies_in(targets{blocks_in(r)}, bindings...);
    if constexpr (V.with_value)
      return apart && others::may_write_early(r, m, f, seeds, bindings...);
    else
      return apart;
  }
  template <bool Existing, class Engine, class R, class Memory>
  static void compute(const Engine& engine, R& r, [[maybe_unused]] Memory& m, const F& f, const Seeds& seeds,
                      const Bindings&... bindings) {
    matrix::template fill<Existing>(engine, targets{blocks_in(r)}, f, bindings...);
    if constexpr (V.with_value) others::template compute<Existing>(engine, r, m, f, seeds, bindings...);
  }
  /// Memory for what the result has besides, if it has anything.
  template <bool Existing, class R, class Run>
  static void with_memory(R& r, const Run& run) {
    if constexpr (V.with_value) {
      others::template with_memory<Existing>(r, run);
    } else {
      std::tuple<> none;
      run(none);
    }
  }

 private:
  template <class R>
  static blocks& blocks_in(R& r) {
    if constexpr (!V.with_value)
      return r;
    else if constexpr (second)
      return r.hessian;
    else
      return r.jacobian;
  }
};

/// What is wrong with a call of the verb `V` over tensors, `void` if nothing.
template <verb V, class Form, class Seeds, class... Bindings>
constexpr auto find_tensor_problem() {
  using enum program::fault;
  using operand = tensor_program<typename Form::formula, Bindings...>;
  using lowered = program::frozen<tensor_lowering<typename Form::formula, Bindings...>>;
  if constexpr (program::problem_of<lowered> != none)
    return size_problem<lowered>();
  else if constexpr (program::problem_of<typename operand::source> != program::fault::none)
    return size_problem<typename operand::source>();
  else if constexpr (V.scalar_valued() && operand::rank_of(0) != Form::value_rank)
    return wrong<value_is_no_number, void>{};
  else if constexpr (!have_shapes_of<operand, std::conditional_t<V.what == derives::pullback, Seeds, std::tuple<>>>)
    return wrong<cotangent_of_other_shape, void>{};
  else if constexpr (V.is_matrix())
    return tensor_results<V, Form, Seeds, Bindings...>::find_problem();
  else {
    using by = std::conditional_t<V.by_variables(), typename Form::variables, wrt_variables<>>;
    using program_of_verb = typename tensor_verb_program<V, typename operand::source, by, Seeds>::finished;
    if constexpr (program::problem_of<program_of_verb> != none)
      return size_problem<program_of_verb>();
    else
      return tensor_results<V, Form, Seeds, Bindings...>::find_problem();
  }
}

}  // namespace tapeless::detail::inline TAPELESS_TARGET
