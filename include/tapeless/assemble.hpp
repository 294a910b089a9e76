#pragma once
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

/// Partially separable functions: sums over elements, where each term is a function of a few entries of one or several
/// long vectors, selected by arrays of indices. Examples are finite elements, pose graphs, mesh energies and bundle
/// adjustment. A verb of the element's function becomes a verb of the sum.
#include <tapeless/core/target.hpp>
#include <tapeless/evaluate/kernels/engine.hpp>
#include <tapeless/gradient/call_options.hpp>
#include <tapeless/gradient/function/element_call.hpp>
#include <tapeless/gradient/function/element_nodes.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tapeless {

namespace detail::inline TAPELESS_TARGET {

/// Whether it is no execution policy, or one whose engine is called with a count and a body, or takes sums of several
/// processes together.
template <class T>
inline constexpr bool runs_elements =
    !Execution_policy<T> || std::is_invocable_v<const engine_of<T>&, std::ptrdiff_t, void (*)(std::ptrdiff_t)> ||
    requires { requires engine_of<T>::sums_elements; };

/// The call of an assembled verb with (x, elements, data...), with (nodes_of(x, elements), ..., data...), or with
/// (x, ..., sum_over(elements, ..., data...), ...).
template <class Verb, class... Arguments>
struct assembled_call {
  static constexpr std::array<bool, sizeof...(Arguments)> are_nodes{names_nodes<Arguments>...},
      are_sums{is_instance_of<group_argument, Arguments>...};
  /// How many of the arguments name nodes, are sums over elements, and are vectors.
  static constexpr std::size_t nodes = std::ranges::count(are_nodes, true), sums = std::ranges::count(are_sums, true),
                               vectors = sums > 0 ? sizeof...(Arguments) - sums
                                                  : std::min(std::max(nodes, std::size_t{1}), sizeof...(Arguments));

  /// What is called, or `no_result`.
  template <class... Given>
  static auto of(const Given&... given) {
    constexpr bool in_order = std::ranges::is_sorted(are_nodes, std::greater{}) && std::ranges::is_sorted(are_sums);
    if constexpr (in_order && vectors > 0 && std::max(sums, std::size_t{1}) == Verb::functions && nodes * sums == 0)
      return [&]<std::size_t... I, std::size_t... J>(std::index_sequence<I...>, std::index_sequence<J...>) {
        const std::tuple<const Given&...> all(given...);
        const std::tuple of(as_nodes(std::get<I>(all))...);
        if constexpr (sums > 0)
          return of_sums(of, std::get<vectors + J>(all)...);
        else if constexpr (nodes > 0)
          return of_sums(of, sum_over(std::get<I>(all).elements..., std::get<vectors + J>(all)...));
        else
          return of_sums(of, sum_over(std::get<vectors + J>(all)...));
      }(std::make_index_sequence<vectors>{}, std::make_index_sequence<sizeof...(Given) - vectors>{});
    else
      return no_result{};
  }
  template <class... Vectors, class... Sums>
  static auto of_sums(const std::tuple<Vectors...>& of, const Sums&... each) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return join(as_group<typename Verb::template function<I>>(of, each.given)...);
    }(std::index_sequence_for<Sums...>{});
  }
  template <class First, class... Others>
  static auto join(const First& first, const Others&... others) {
    if constexpr (is_reported<First, Others...>)
      return no_result{};
    else if constexpr ((std::is_same_v<typename First::Index, typename Others::Index> && ...))
      return element_call<Verb::does, First, Others...>(first, others...);
    else
      return no_result{};
  }
  /// The elements of the function `F`, or `no_result` where no indices into each vector are given.
  template <class F, class... Vectors, class... Given>
  static auto as_group(const std::tuple<Vectors...>& of, const std::tuple<const Given&...>& given) {
    constexpr std::size_t kinds = sizeof...(Vectors);
    if constexpr (sizeof...(Given) < kinds)
      return no_result{};
    else
      return [&]<std::size_t... G, std::size_t... D>(std::index_sequence<G...>, std::index_sequence<D...>) {
        using all = std::tuple<Given...>;
        using index = typename first_index<std::tuple_element_t<G, all>...>::type;
        if constexpr (requires { std::tuple(as_kind<index>(std::get<G>(of), std::get<G>(given))...); }) {
          const std::tuple named(as_kind<index>(std::get<G>(of), std::get<G>(given))...);
          return element_group<Verb::does, F, std::remove_const_t<decltype(named)>,
                               std::tuple_element_t<kinds + D, all>...>(named, std::get<kinds + D>(given)...);
        } else {
          return no_result{};
        }
      }(std::make_index_sequence<kinds>{}, std::make_index_sequence<sizeof...(Given) - kinds>{});
  }
  using call = decltype(of(std::declval<const Arguments&>()...));
  using problem = void;

  template <class Engine, class To>
  static auto run(const Engine& engine, const To& to, const Verb&, const Arguments&... arguments) {
    return call_into_result<call>::run(engine, to, of(arguments...));
  }
};

}  // namespace detail::inline TAPELESS_TARGET

inline namespace TAPELESS_TARGET {

/// A verb of a sum over elements; made by `assemble`.
template <detail::verb V, class... Fs>
class assembled_verb {
 public:
  static constexpr detail::verb does = V;
  static constexpr std::size_t functions = sizeof...(Fs);
  template <std::size_t I>
  using function = std::tuple_element_t<I, std::tuple<Fs...>>;

  /// The value and the derivatives of the sum of `f(x[e[0]], x[e[1]], ..., data[i]...)` over the rows e of `elements`.
  /// Row i uses entry i of each vector among the data; other data are the same for all rows. The arguments are `(x,
  /// elements, data...)`: `x` is a vector of numbers or of `std::array`s of numbers, and `elements` is a vector of
  /// indices or of `std::array`s of indices. With several vectors they are `(nodes_of(x, elements), nodes_of(y,
  /// others), data...)`, and `f` takes the entries of the first, those of the second, ..., and the data. The
  /// matrices have no rows and columns for numbers that are held, `nodes_of(x, elements, held)`.
  ///
  /// With several functions they are `(x, y, ..., sum_over(...), ...)`, the vectors and the elements of each function.
  /// The result is the sum of all; rows of Jacobians follow each other.
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
  ///
  /// With `mpi::on(...)` and <tapeless/distributed.hpp>, the elements and their data are those of this process, and the
  /// sums are over the elements of all processes; everything else is the same in each.
  template <class... Arguments>
  auto operator()(const Arguments&... arguments) const {
    using options = detail::call_with_options<detail::assembled_call, assembled_verb, Arguments...>;
    constexpr bool runs_here =
        (detail::runs_elements<Arguments> && ...) && std::is_void_v<typename options::of_values::problem>;
    static_assert(
        runs_here,
        "tapeless: on several processes, assemble needs the same vectors in each, no shards of them, and adds "
        "up in the order of the processes, without mpi::reproducible [TL189]");
    using call = typename options::of_values::call;
    constexpr bool is_known = !std::is_same_v<call, detail::no_result>;
    static_assert(is_known || functions > 1,
                  "tapeless: assemble takes (x, elements, data...) or (nodes_of(x, elements), nodes_of(y, others), "
                  "data...); all indices have the same type [TL186]");
    static_assert(is_known || functions == 1,
                  "tapeless: assemble of several functions takes vectors, then sum_over(indices, data...) for each "
                  "function, with indices or no_nodes for each vector; all indices have the same type [TL248]");
    if constexpr (is_known) {
      constexpr bool fits = call::fits;
      static_assert(fits,
                    "tapeless: the function does not accept what assemble passes, an element's entries of x and its "
                    "data; call the verb itself with those of one element to see the error [TL187]");
      static_assert(
          !fits || call::has_numbers,
          "tapeless: assemble needs a vector of numbers, or of arrays of numbers, all of the same type, and data "
          "that are no wider: with floats 0.5f, not 0.5 [TL188]");
      if constexpr (runs_here && fits && call::has_numbers)
        return options::type::run(loops::sequential{}, detail::new_result{}, *this, arguments...);
      else
        return detail::no_result{};
    } else {
      return detail::no_result{};
    }
  }
};

/// The verb of a sum over elements: `assemble(value_and_gradient(f))(x, elements, data...)` returns `.value` and
/// `.gradient`, `assemble(hessian(f))` also `.hessian`, and `assemble(jacobian(r))` `.value` and `.jacobian`. Matrices
/// are in compressed rows: `.values`, `.row_begin`, `.columns`. `assemble(hessian(f), hessian(g), ...)` adds up
/// elements of several kinds.
template <detail::verb V, class... Fs, class... Policies>
  requires(sizeof...(Fs) > 0 && ((V.what == detail::derives::gradient && V.with_value) ||
                                 V.what == detail::derives::hessian || V.what == detail::derives::jacobian))
constexpr auto assemble(const function_verb<V, Fs, std::index_sequence<>, Policies, detail::no_seeds>&...) {
  return assembled_verb<detail::verb{V.what, true}, Fs...>{};
}
template <class... Ts>
constexpr auto assemble(const Ts&...) {
  static_assert(detail::is_reported<Ts...>,
                "tapeless: assemble takes value_and_gradient(f), hessian(f) or jacobian(f), without wrt, where f is a "
                "function of an element's entries; of several functions the same verb [TL185]");
  return detail::no_result{};
}

}  // namespace TAPELESS_TARGET

}  // namespace tapeless
