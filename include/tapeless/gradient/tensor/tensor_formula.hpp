#pragma once

#include <tapeless/core/target.hpp>
#include <tapeless/gradient/direction.hpp>
#include <tapeless/gradient/formula/formula_verb.hpp>
#include <tapeless/gradient/tensor/tensor_argument.hpp>
#include <tapeless/gradient/tensor/tensor_matrix.hpp>
#include <tapeless/gradient/tensor/tensor_results.hpp>

#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tapeless::detail::inline TAPELESS_TARGET {

/// What formulas give is like: a value, or of `outputs(...)` an array of values.
template <class F>
struct values_of_formulas {
  using type = double;
  static constexpr std::size_t count = 1;
};
template <class... Fs>
struct values_of_formulas<output_list<Fs...>> {
  using type = std::array<double, sizeof...(Fs)>;
  static constexpr std::size_t count = sizeof...(Fs);
};

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
template <std::size_t Outputs, class... Ts>
auto seed_bindings(const cotangents<Ts...>& given) {
  const auto bind = [](const auto&... each) { return std::tuple((cotangent_variable{} = each)...); };
  if constexpr (sizeof...(Ts) == Outputs)
    return given.apply(bind);
  else
    return std::apply(bind, given.template numbers<double>());
}

/// Results by variable, as formulas have them.
template <class F, class Variables, class Policy>
struct named_tensors;
template <class F, class... Vs, class Policy>
struct named_tensors<F, wrt_variables<Vs...>, Policy> {
  using formula = F;
  using variables = wrt_variables<Vs...>;
  using policy = Policy;
  using returned = typename values_of_formulas<F>::type;
  static constexpr int value_rank = 0;

  /// Of what `Call` computes; the memory of its calls is in the gradient.
  template <class Call>
  struct arranged {
    using memory = typename Call::memory_type;
    using gradient = result_with_memory<gradient_map<variables, typename Call::template derivative<Vs>...>, memory>;
    template <class Values>
    using with_value = value_and_gradient_result<Values, gradient>;

    template <class U>
    static auto& derivative(gradient& g, memory&) {
      return static_cast<gradient_entry<U, typename Call::template derivative<U>>&>(g).value;
    }
    static void finish(gradient&, memory&, const F&) {}

    static memory& of_loops(memory& m) { return m; }
  };

  template <class Matrix>
  struct arranged_matrix {
    /// What is zero by structure has no block, unless zeros are to be numbers.
    template <class W, class U>
    using second_block = std::conditional_t<Matrix::template is_zero_by_structure<W, U> &&
                                                !std::is_same_v<Policy, unconnected::materialise_policy>,
                                            Zero, typename Matrix::template block<W, U>>;
    template <class U>
    static auto entries_of_column() {
      return std::type_identity<std::tuple<tensor_matrix_entry<Vs, U, second_block<Vs, U>>...>>{};
    }
    template <class U, std::size_t... K>
    static auto column_of(std::index_sequence<K...>) {
      return values_of_types<typename Matrix::template block<std::integral_constant<std::size_t, K>, U>...>{};
    }
    template <class... Entries>
    static std::type_identity<tensor_hessian_map<Entries...>> map_of(const std::tuple<Entries...>&);
    static constexpr auto find() {
      if constexpr (Matrix::second)
        return decltype(map_of(std::tuple_cat(std::declval<typename decltype(entries_of_column<Vs>())::type>()...))){};
      else
        return std::type_identity<
            tensor_jacobian_map<variables, typename decltype(column_of<Vs>(
                                               std::make_index_sequence<Matrix::operand::outputs>{}))::type...>>{};
    }
    using type = typename decltype(find())::type;

    template <class Row, class U>
    static auto& block(type& all) {
      if constexpr (Matrix::second)
        return type::template entry<Row, U>(all).value;
      else
        return std::get<Row::value>(std::get<position_in<U, Vs...>()>(all.columns).value);
    }
  };
};

template <verb V, class F, class Variables, class Policy, class Seeds, class... Bindings>
  requires(is_tensor_argument<Bindings> || ...)
struct call_over_tensors<formula_verb<V, F, Variables, Policy, Seeds>, Bindings...> {
  using form = named_tensors<F, Variables, Policy>;
  static constexpr std::size_t outputs = values_of_formulas<F>::count;
  using seeds = decltype(seed_bindings<outputs>(std::declval<const Seeds&>()));
  using results = tensor_results<V, form, seeds, Bindings...>;
  using problem = typename decltype(find_tensor_problem<V, form, seeds, Bindings...>())::type;

  template <class Engine, class To, class Verb>
  static auto run(const Engine& engine, const To& to, const Verb& verb, const Bindings&... bindings) {
    return results::run(engine, to, verb.wrapped(), seed_bindings<outputs>(verb.seeds()), bindings...);
  }
};

}  // namespace tapeless::detail::inline TAPELESS_TARGET
