#ifndef TAPELESS_GRADIENT_BATCHED_HPP
#define TAPELESS_GRADIENT_BATCHED_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/core/target.hpp>
#include <tapeless/gradient/batch.hpp>
#include <tapeless/gradient/batched_function.hpp>
#include <tapeless/gradient/jacobian.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tapeless {

/// The result of a verb over arrays, with the memory that the call needed.
template <class Result, class Memory>
struct batched_result : Result {
  Memory memory;
};

namespace detail {

/// The batch of the finished program `P` of a formula.
template <class P, class... Bindings>
struct formula_batch {
  using T = typename tensor_number<Bindings...>::type;
  template <class B>
  using leaf = typename leaf_of_traits<typename B::variable_type, tensor_traits<bound_t<B>>>::type;
  using container = result_array<T, broadcast_extents<leaf<Bindings>...>, bound_t<Bindings>...>;
  using type = batch<P, T, container, leaf<Bindings>...>;
};

/// How the results of a verb are made of the outputs of its program.
template <class G>
struct batched_verb;

template <class F, class... Vs, bool WithValue, class Policy>
struct batched_verb<formula_gradient<F, wrt_variables<Vs...>, WithValue, Policy>> {
  using verb = formula_gradient<F, wrt_variables<Vs...>, WithValue, Policy>;
  using finished = typename verb::template evaluated<typename verb::source>;
  static constexpr std::size_t first = WithValue ? 1 : 0;

  template <class Batch, class Indices = std::index_sequence_for<Vs...>>
  struct results;
  template <class Batch, std::size_t... I>
  struct results<Batch, std::index_sequence<I...>> {
    template <std::size_t Output>
    using derivative = std::conditional_t<std::is_same_v<Policy, unconnected::materialise_policy>,
                                          typename Batch::container, typename Batch::template output_type<Output>>;
    using map = gradient_map<wrt_variables<Vs...>, derivative<first + I>...>;
    using type = std::conditional_t<WithValue, value_and_gradient_result<typename Batch::container, map>, map>;

    template <class Place>
    TAPELESS_ALWAYS_INLINE static void place(type& r, Place output) {
      if constexpr (WithValue) {
        output(0, r.value);
        (output(first + I, static_cast<gradient_entry<Vs, derivative<first + I>>&>(r.gradient).value), ...);
      } else {
        (output(I, static_cast<gradient_entry<Vs, derivative<I>>&>(r).value), ...);
      }
    }
  };
};

template <class Outputs, class... Vs, bool WithValue>
struct batched_verb<formula_jacobian<Outputs, wrt_variables<Vs...>, WithValue>> {
  using verb = formula_jacobian<Outputs, wrt_variables<Vs...>, WithValue>;
  using finished = typename verb::template evaluated<typename verb::source>;
  static constexpr std::size_t rows = Outputs::size, columns = sizeof...(Vs), first = WithValue ? rows : 0;

  template <class Batch>
  struct results {
    using map = jacobian_map<wrt_variables<Vs...>, typename Batch::container, rows>;
    using values = std::array<typename Batch::container, rows>;
    using type = std::conditional_t<WithValue, value_and_jacobian_result<values, map>, map>;

    template <class Place>
    TAPELESS_ALWAYS_INLINE static void place(type& r, Place output) {
      if constexpr (WithValue) {
        for (std::size_t i = 0; i < rows; ++i) output(i, r.value[i]);
        place_rows(r.jacobian, output);
      } else {
        place_rows(r, output);
      }
    }
    template <class Place>
    static void place_rows(map& jacobian, Place output) {
      for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < columns; ++j) output(first + i * columns + j, jacobian.rows[i][j]);
    }
  };
};

template <Expression F>
struct batched_verb<F> {
  using finished = program::finished<lowered<F>, 0, 1>;

  template <class Batch>
  struct results {
    struct type {
      typename Batch::container value;
    };
    template <class Place>
    TAPELESS_ALWAYS_INLINE static void place(type& r, Place output) {
      output(0, r.value);
    }
  };
};

template <class G>
inline constexpr bool is_formula_verb = false;
template <class F, class... Vs, bool WithValue, class Policy>
inline constexpr bool is_formula_verb<formula_gradient<F, wrt_variables<Vs...>, WithValue, Policy>> = true;
template <class Outputs, class... Vs, bool WithValue>
inline constexpr bool is_formula_verb<formula_jacobian<Outputs, wrt_variables<Vs...>, WithValue>> = true;

}  // namespace detail

inline namespace TAPELESS_TARGET {

/// A verb of numbers over arrays; made by `batched`.
template <class G>
class batched_call : public called_with_values<batched_call<G>> {
 public:
  using source = typename detail::called<G>::source;
  using requested = typename detail::called<G>::requested;
  template <class Source>
  using evaluated = typename detail::called<G>::template evaluated<Source>;
  static constexpr bool of_elements = true;

  constexpr explicit batched_call(const G& verb) : verb_(verb) {}

  using called_with_values<batched_call>::operator();

  /// The same into an existing result.
  template <class Result, class... Bindings>
  void operator()(const into_result<Result>& to, const Bindings&... bindings) const {
    // What is wrong with the values, the call without a result reports.
    if constexpr (!std::is_void_v<detail::call_problem_t<batched_call, Bindings...>>) {
      static_cast<void>((*this)(bindings...));
    } else {
      constexpr bool fits = std::is_same_v<Result, typename runner<Bindings...>::result>;
      static_assert(fits, "tapeless: into(r) takes the result of the same call: variables bound to the same types");
      if constexpr (fits) {
        using run = runner<Bindings...>;
        if (run::template into<true>(*to.result, verb_, bindings...)) return;
        Result apart{};
        run::template into<false>(apart, verb_, bindings...);
        *to.result = apart;
      }
    }
  }

 private:
  friend called_with_values<batched_call>;
  [[no_unique_address]] G verb_;

  template <class... Bindings>
  auto run(const Bindings&... bindings) const {
    typename runner<Bindings...>::result r{};
    runner<Bindings...>::template into<false>(r, verb_, bindings...);
    if constexpr (Expression<G>)
      return std::move(r.value);
    else
      return r;
  }

  template <class... Bindings>
  struct runner {
    using verb = detail::batched_verb<G>;
    using batch = typename detail::formula_batch<typename verb::finished, Bindings...>::type;
    using results = typename verb::template results<batch>;
    using result = batched_result<typename results::type, typename batch::memory_type>;

    template <bool Existing>
    static bool into(result& r, const G& called, const Bindings&... bindings) {
      const auto bind = [&](auto& inputs) TAPELESS_INLINE_LAMBDA { inputs.bind(r.memory, bindings...); };
      const auto place = [&](const auto& outputs) TAPELESS_INLINE_LAMBDA { results::place(r, outputs); };
      if constexpr (Expression<G>)
        return batch::template run<Existing>(r.memory, called, bind, place);
      else
        return batch::template run<Existing>(r.memory, called.wrapped(), bind, place);
    }
  };
};

}  // namespace TAPELESS_TARGET

/// A formula, a gradient or a Jacobian of numbers over arrays, element by element:
/// `batched(value_and_gradient(price, wrt(S, sigma)))(S = spots, sigma = vols, K = 100.0)` gives arrays of values and
/// of each derivative. The arrays are broadcast as NumPy does, numbers among them. One loop, SIMD across elements, no
/// memory besides the results. Throws `std::invalid_argument` with names and shapes where these do not broadcast.
///
/// Of a traced function likewise, by position. An argument is an array of numbers; an array of structures, a vector or
/// span of adapted structs, tuples or `std::array`s, whose gradients are a vector of the same; a structure of arrays,
/// whose gradient is one too; or one element for all. Jacobians are a vector of `std::array`s of rows.
template <class G>
constexpr auto batched(const G& verb) {
  constexpr bool of_formula = Expression<G> || detail::is_formula_verb<G>;
  constexpr bool known = of_formula || detail::is_reported<G> || requires { sizeof(detail::batched_function_verb<G>); };
  static_assert(known, "tapeless: batched takes a formula or a function, its gradient or its jacobian");
  if constexpr (of_formula)
    return batched_call<G>(verb);
  else if constexpr (known && !detail::is_reported<G>)
    return batched_function_call<G>();
  else
    return detail::no_result{};
}

}  // namespace tapeless

#endif
