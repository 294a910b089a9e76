#pragma once
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

/// Partially separable functions: sums over elements, where each term is a function of a few entries of one or several
/// long vectors, selected by arrays of indices. Examples are finite elements, pose graphs, mesh energies and bundle
/// adjustment. A verb of the element's function becomes a verb of the sum.
#include <tapeless/evaluate/kernels/engine.hpp>
#include <tapeless/gradient/call_options.hpp>
#include <tapeless/gradient/function/element_call.hpp>
#include <tapeless/gradient/function/element_nodes.hpp>

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tapeless {

namespace detail {

/// Whether it is no execution policy, or one whose engine is called with a count and a body.
template <class T>
inline constexpr bool runs_in_one_process =
    !Execution_policy<T> || std::is_invocable_v<const engine_of<T>&, std::ptrdiff_t, void (*)(std::ptrdiff_t)>;

/// The call of an assembled verb with (x, elements, data...), or with (nodes_of(x, elements), ..., data...).
template <class Verb, class... Arguments>
struct assembled_call {
  /// What is called, or `no_result`.
  template <class... Given>
  static auto of(const Given&... given) {
    constexpr std::size_t vectors = count_vectors<Given...>();
    if constexpr (vectors > 0)
      return [&]<std::size_t... I, std::size_t... J>(std::index_sequence<I...>, std::index_sequence<J...>) {
        const std::tuple<const Given&...> all(given...);
        return with(std::tuple(as_kind(std::get<I>(all).vector, std::get<I>(all).elements, std::get<I>(all).held)...),
                    std::get<vectors + J>(all)...);
      }(std::make_index_sequence<vectors>{}, std::make_index_sequence<sizeof...(Given) - vectors>{});
    else if constexpr (sizeof...(Given) > 1 && !(is_nodes<Given> || ...))
      return [&]<class X, class Elements, class... Data>(const X& x, const Elements& elements, const Data&... data) {
        if constexpr (Nodes<X, Elements>)
          return of(nodes_argument<X, Elements, none_held>{x, elements, nothing_is_held}, data...);
        else
          return no_result{};
      }(given...);
    else
      return no_result{};
  }
  template <class First, class... Kinds, class... Data>
  static auto with(const std::tuple<First, Kinds...>& kinds, const Data&... data) {
    if constexpr ((std::is_same_v<typename First::index, typename Kinds::index> && ...))
      return element_call<Verb::does, typename Verb::function, std::tuple<First, Kinds...>, Data...>(kinds, data...);
    else
      return no_result{};
  }
  using call = decltype(of(std::declval<const Arguments&>()...));
  using problem = void;

  template <class Engine>
  static auto run(const Engine& engine, const Verb&, const Arguments&... arguments) {
    typename call::result to{};
    of(arguments...).run(engine, to);
    return to;
  }
  template <class Engine, class Result>
  static void run_into(const Engine& engine, Result& to, const Verb& verb, const Arguments&... arguments) {
    const auto all = of(arguments...);
    if (all.reads(to))
      to = run(engine, verb, arguments...);
    else
      all.run(engine, to);
  }
};

}  // namespace detail

/// A verb of a sum over elements; made by `assemble`.
template <detail::verb V, class F>
class assembled_verb {
 public:
  static constexpr detail::verb does = V;
  using function = F;

  /// The value and the derivatives of the sum of `f(x[e[0]], x[e[1]], ..., data[i]...)` over the rows e of `elements`.
  /// Row i uses entry i of each vector among the data; other data are the same for all rows. The arguments are `(x,
  /// elements, data...)`: `x` is a vector of numbers or of `std::array`s of numbers, and `elements` is a vector of
  /// indices or of `std::array`s of indices. With several vectors they are `(nodes_of(x, elements), nodes_of(y,
  /// others), data...)`, and `f` takes the entries of the first, those of the second, ..., and the data. The
  /// matrices have no rows and columns for numbers that are held, `nodes_of(x, elements, held)`.
  ///
  /// Cost: linear in the number of elements. Throws `std::invalid_argument` if an index is out of range, or if indices
  /// or data have a different length.
  ///
  /// With `into(r)` before the arguments the result of an earlier call is written. If the elements are the same, the
  /// pattern is kept, and only one block is allocated; with held numbers also one flag for each number.
  ///
  /// With an execution policy before them, and <tapeless/parallel.hpp>, it runs on several threads:
  /// `assemble(hessian(f))(std::execution::par, x, elements)`. Elements are computed in parallel and added in order, so
  /// results equal those without a policy bit for bit.
  template <class... Arguments>
  auto operator()(const Arguments&... arguments) const {
    constexpr bool runs_here = (detail::runs_in_one_process<Arguments> && ...);
    static_assert(runs_here,
                  "tapeless: assemble runs in one process: let each process assemble its elements, and sum up value, "
                  "gradient and matrix [TL189]");
    using options = detail::call_with_options<detail::assembled_call, assembled_verb, Arguments...>;
    using call = typename options::of_values::call;
    constexpr bool is_known = !std::is_same_v<call, detail::no_result>;
    static_assert(is_known,
                  "tapeless: assemble takes (x, elements, data...) or (nodes_of(x, elements), nodes_of(y, others), "
                  "data...); all indices have the same type [TL186]");
    if constexpr (is_known) {
      constexpr bool fits = !std::is_void_v<typename call::program>;
      static_assert(fits,
                    "tapeless: the function does not accept what assemble passes, an element's entries of x and its "
                    "data; call the verb itself with those of one element to see the error [TL187]");
      static_assert(
          !fits || call::has_numbers,
          "tapeless: assemble needs a vector of numbers, or of arrays of numbers, all of the same type [TL188]");
      if constexpr (runs_here && fits && call::has_numbers)
        return options::type::run(loops::sequential{}, *this, arguments...);
      else
        return detail::no_result{};
    } else {
      return detail::no_result{};
    }
  }
};

/// The verb of a sum over elements: `assemble(value_and_gradient(f))(x, elements, data...)` returns `.value` and
/// `.gradient`, `assemble(hessian(f))` also `.hessian`, and `assemble(jacobian(r))` `.value` and `.jacobian`. Matrices
/// are in compressed rows: `.values`, `.row_begin`, `.columns`.
template <detail::verb V, class F, class Policy>
  requires((V.what == detail::derives::gradient && V.with_value) || V.what == detail::derives::hessian ||
           V.what == detail::derives::jacobian)
constexpr auto assemble(const function_verb<V, F, std::index_sequence<>, Policy, detail::no_seeds>&) {
  return assembled_verb<detail::verb{V.what, true}, F>{};
}
template <class... Ts>
constexpr auto assemble(const Ts&...) {
  static_assert(detail::is_reported<Ts...>,
                "tapeless: assemble takes value_and_gradient(f), hessian(f) or jacobian(f), without wrt, where f is a "
                "function of an element's entries [TL185]");
  return detail::no_result{};
}

}  // namespace tapeless
