#pragma once

#include <tapeless/core/target.hpp>
#include <tapeless/gradient/direction.hpp>
#include <tapeless/gradient/formula/formula_verb.hpp>
#include <tapeless/gradient/tensor/tensor_argument.hpp>
#include <tapeless/gradient/tensor/tensor_call.hpp>
#include <tapeless/gradient/tensor/tensor_matrix.hpp>
#include <tapeless/gradient/tensor/tensor_results.hpp>

#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tapeless {

/// The gradient over tensors, by variable: `g[w]` is a container of the shape of `w`.
template <class Map, class Memory>
struct tensor_gradient_map : Map {
  using Map::Map;
  Memory memory;
};

}  // namespace tapeless

template <class Map, class Memory>
struct std::tuple_size<tapeless::tensor_gradient_map<Map, Memory>> : std::tuple_size<Map> {};
template <std::size_t I, class Map, class Memory>
struct std::tuple_element<I, tapeless::tensor_gradient_map<Map, Memory>> : std::tuple_element<I, Map> {};

namespace tapeless::detail::inline TAPELESS_TARGET {

/// Tangents or cotangents as bindings of the seeds of a program with `Outputs` outputs.
template <std::size_t Outputs>
constexpr std::tuple<> seed_bindings(const no_seeds&) {
  return {};
}
template <std::size_t Outputs, class... Bindings>
constexpr auto seed_bindings(const tangents<Bindings...>& along) {
  // Those that are zero by structure have no shape.
  const auto keep = [](const auto& given) {
    if constexpr (is_zero<std::remove_cvref_t<decltype(given.value)>>)
      return std::tuple();
    else
      return std::tuple(given);
  };
  return std::apply([&](const auto&... given) { return std::tuple_cat(keep(given)...); }, along.bindings);
}
using cotangent_variable = Variable<"the cotangent">;
template <class X>
auto bind_cotangent(const X& cotangent) {
  if constexpr (is_tensor<X>)
    return binding<cotangent_variable, tensor_reference<X>>{{__builtin_addressof(cotangent)}};
  else
    return binding<cotangent_variable, X>{cotangent};
}
template <std::size_t Outputs, class... Ts>
auto seed_bindings(const cotangents<Ts...>& given) {
  if constexpr (sizeof...(Ts) == Outputs)
    return given.weights.apply([](const auto&... each) { return std::tuple(bind_cotangent(each)...); });
  else
    return std::apply([](const auto&... each) { return std::tuple(bind_cotangent(each)...); },
                      given.template numbers<double>());
}

template <class G, class... Bindings>
struct tensor_call_problem {
  static constexpr auto find() {
    using F = typename G::formula;
    using enum program::tensor_problem;
    constexpr auto found = tensor_lowering<F, Bindings...>::problem;
    if constexpr (found != none)
      return std::type_identity<error::tensors_do_not_fit<found>>{};
    else if constexpr (G::does.scalar_valued() && tensor_program<F, Bindings...>::rank_of(0) != 0)
      return std::type_identity<error::tensors_do_not_fit<value_is_no_number>>{};
    else if constexpr (G::does.what == derives::pullback) {
      using operand = tensor_program<F, Bindings...>;
      using seeds = decltype(seed_bindings<operand::outputs>(std::declval<const typename G::seeds_type&>()));
      if constexpr (!have_shapes_of<operand, seeds>)
        return std::type_identity<error::tensors_do_not_fit<cotangent_of_other_shape>>{};
      else
        return find_loops_problem();
    } else
      return find_loops_problem();
  }
  static constexpr auto find_loops_problem() {
    if constexpr (requires { typename G::seeds_type; })
      return tensor_verb<G::does, typename G::formula, typename G::requested, typename G::policy,
                         typename G::seeds_type>::template call<Bindings...>::find_problem();
    else
      return tensor_value_of<typename G::formula>::template call<Bindings...>::find_problem();
  }
  using type = typename decltype(find())::type;
};

/// A verb of named variables over tensors.
template <verb V, class F, class Variables, class Policy, class Seeds>
struct tensor_verb;
template <verb V, class F, class... Vs, class Policy, class Seeds>
struct tensor_verb<V, F, wrt_variables<Vs...>, Policy, Seeds> {
  template <class... Bindings>
  struct call {
    static constexpr std::size_t outputs = tensor_program<F, Bindings...>::outputs;
    using seeds = decltype(seed_bindings<outputs>(std::declval<const Seeds&>()));
    using results = tensor_call<V, F, wrt_variables<Vs...>, Policy, wrt_variables<>, seeds, Bindings...>;
    static constexpr auto find_problem() { return loops_problem<typename results::P, typename results::S>(); }
    using memory_type = typename results::memory_type;

    template <std::size_t... K>
    static constexpr auto find_values(std::index_sequence<K...>) {
      if constexpr (is_outputs<F>)
        return values_of_types<typename value_container<typename results::T, results::operand::rank_of(K)>::type...>{};
      else
        return value_container<typename results::T, results::operand::rank_of(0)>{};
    }
    using values = typename decltype(find_values(std::make_index_sequence<outputs>{}))::type;
    using map = tensor_gradient_map<gradient_map<wrt_variables<Vs...>, typename results::template derivative<Vs>...>,
                                    memory_type>;

    using parts = result_parts<V, values, map, value_and_gradient_result<values, map>>;
    using result = typename parts::type;

    struct targets {
      result& r;

      template <std::size_t K>
      auto& value() const {
        return part<K % outputs>(parts::template values_in<K, outputs>(r));
      }
      template <class U>
      auto& derivative() const {
        using entry = gradient_entry<U, typename results::template derivative<U>>;
        return static_cast<entry&>(parts::gradient_in(r)).value;
      }

     private:
      template <std::size_t K>
      static auto& part(values& all) {
        if constexpr (is_outputs<F>)
          return std::get<K>(all);
        else
          return all;
      }
    };

    /// The memory in the result, or none.
    template <class Run>
    static void with_memory(result& r, bool existing, const Run& run) {
      if constexpr (parts::only_values)
        with_memory_for<memory_type>(existing, run);
      else
        run(parts::gradient_in(r).memory);
    }
  };

  template <class Engine, class... Bindings>
  static auto run(const Engine& engine, const F& f, const Seeds& given, const Bindings&... bindings) {
    using call = call<Bindings...>;
    typename call::result r{};
    compute<call>(engine, r, false, f, seed_bindings<call::outputs>(given), bindings...);
    return r;
  }
  template <class Engine, class R, class... Bindings>
  static void run_into(const Engine& engine, R& r, const F& f, const Seeds& given, const Bindings&... bindings) {
    using call = call<Bindings...>;
    const auto seeds = seed_bindings<call::outputs>(given);
    write_into(r, call::results::may_write_early(typename call::targets{r}, seeds, bindings...),
               [&](R& to) { compute<call>(engine, to, true, f, seeds, bindings...); });
  }

 private:
  template <class Call, class Engine, class... Bindings>
  static void compute(const Engine& engine, typename Call::result& r, bool existing, const F& f,
                      const typename Call::seeds& seeds, const Bindings&... bindings) {
    Call::with_memory(r, existing, [&](typename Call::memory_type& memory) {
      Call::results::compute(engine, memory, typename Call::targets{r}, f, seeds, bindings...);
    });
  }
};

/// The same for Jacobians and Hessians.
template <verb V, class F, class... Vs, class Policy, class Seeds>
  requires(V.is_matrix())
struct tensor_verb<V, F, wrt_variables<Vs...>, Policy, Seeds> {
  static constexpr bool second = V.what == derives::hessian;

  template <class... Bindings>
  struct call {
    using matrix = tensor_matrix<V, F, wrt_variables<Vs...>, Bindings...>;
    static constexpr auto find_problem() { return matrix::find_problem(); }
    using values = tensor_verb<verb_of_values<V>, F, std::conditional_t<second, wrt_variables<Vs...>, wrt_variables<>>,
                               Policy, no_seeds>;

    template <class W, class U>
    static constexpr auto find_block() {
      using block = typename matrix::template second_block<W, U>;
      constexpr int rank = tensor_traits<typename matrix::template shaped<W>>::rank +
                           tensor_traits<typename matrix::template shaped<U>>::rank;
      if constexpr (std::is_same_v<block, Zero> && std::is_same_v<Policy, unconnected::materialise_policy>)
        return value_container<typename matrix::T, rank>{};
      else
        return std::type_identity<block>{};
    }
    template <class U>
    using entries_of_column = std::tuple<tensor_matrix_entry<Vs, U, typename decltype(find_block<Vs, U>())::type>...>;
    template <class... Entries>
    static tensor_hessian_map<Entries...> map_of(const std::tuple<Entries...>&);
    template <class U, std::size_t... K>
    static auto column_of(std::index_sequence<K...>) {
      return values_of_types<typename matrix::template first_block<K, U>...>{};
    }
    static constexpr auto find_derived() {
      if constexpr (second)
        return std::type_identity<decltype(map_of(std::tuple_cat(std::declval<entries_of_column<Vs>>()...)))>{};
      else
        return std::type_identity<tensor_jacobian_map<
            wrt_variables<Vs...>,
            typename decltype(column_of<Vs>(std::make_index_sequence<matrix::operand::outputs>{}))::type...>>{};
    }
    using derived = typename decltype(find_derived())::type;

    struct targets {
      derived& d;
      template <class Row, class U>
      auto& block() const {
        if constexpr (second)
          return derived::template entry<Row, U>(d).value;
        else
          return std::get<Row::value>(std::get<position_in<U, Vs...>()>(d.columns).value);
      }
    };

    using results = matrix_results<V, derived, typename values::template call<Bindings...>>;
    using result = typename results::type;
  };

  template <class Engine, class... Bindings>
  static auto run(const Engine& engine, const F& f, const Seeds&, const Bindings&... bindings) {
    typename call<Bindings...>::result r{};
    compute(engine, r, false, f, bindings...);
    return r;
  }
  template <class Engine, class R, class... Bindings>
  static void run_into(const Engine& engine, R& r, const F& f, const Seeds&, const Bindings&... bindings) {
    using call = call<Bindings...>;
    write_into(r, !call::matrix::lies_in(typename call::targets{call::results::matrix_in(r)}, bindings...),
               [&](R& to) { compute(engine, to, true, f, bindings...); });
  }

 private:
  template <class Engine, class R, class... Bindings>
  static void compute(const Engine& engine, R& r, bool existing, const F& f, const Bindings&... bindings) {
    using call = call<Bindings...>;
    call::matrix::fill(engine, typename call::targets{call::results::matrix_in(r)}, existing, f, bindings...);
    call::results::compute_values(r, existing, [&](auto& values) {
      if (existing)
        call::values::run_into(engine, values, f, no_seeds{}, bindings...);
      else
        values = call::values::run(engine, f, no_seeds{}, bindings...);
    });
  }
};

}  // namespace tapeless::detail::inline TAPELESS_TARGET
