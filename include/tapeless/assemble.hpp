#pragma once
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

/// Partially separable functions: sums over elements, where each term is a function of a few entries of one or several
/// long vectors, selected by arrays of indices. Examples are finite elements, pose graphs, mesh energies and bundle
/// adjustment. A verb of the element's function becomes a verb of the sum.
#include <tapeless/evaluate/kernels/engine.hpp>
#include <tapeless/gradient/function/element_call.hpp>
#include <tapeless/gradient/function/element_nodes.hpp>
#include <tapeless/gradient/into.hpp>

#include <cstddef>
#include <functional>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tapeless {

/// A verb of a sum over elements; made by `assemble`.
template <detail::assembled Kind, class F>
class assembled_verb {
  /// What is called with the arguments, or `no_result`.
  template <class First, class... Rest>
  static auto call_of(const First& first, const Rest&... rest) {
    constexpr std::size_t vectors = detail::count_vectors<First, Rest...>();
    if constexpr (vectors > 0)
      return [&]<std::size_t... I, std::size_t... J>(std::index_sequence<I...>, std::index_sequence<J...>) {
        const std::tuple<const First&, const Rest&...> all(first, rest...);
        return call_with(
            std::tuple(detail::as_kind(std::get<I>(all).vector, std::get<I>(all).elements, std::get<I>(all).held)...),
            std::get<vectors + J>(all)...);
      }(std::make_index_sequence<vectors>{}, std::make_index_sequence<sizeof...(Rest) + 1 - vectors>{});
    else if constexpr (sizeof...(Rest) > 0 && !(detail::is_nodes<First> || ... || detail::is_nodes<Rest>))
      return [&]<class Elements, class... Data>(const Elements& elements, const Data&... data) {
        if constexpr (detail::Nodes<First, Elements>)
          return call_with(std::tuple(detail::as_kind(first, elements, detail::nothing_is_held)), data...);
        else
          return detail::no_result{};
      }(rest...);
    else
      return detail::no_result{};
  }
  template <class... Kinds, class... Data>
  static auto call_with(const std::tuple<Kinds...>& kinds, const Data&... data) {
    if constexpr (detail::of_one_type<typename Kinds::index...>)
      return detail::element_call<Kind, F, std::tuple<Kinds...>, Data...>(kinds, data...);
    else
      return detail::no_result{};
  }

  template <class Call>
  static constexpr bool is_call() {
    constexpr bool is_known = !std::is_same_v<Call, detail::no_result>;
    static_assert(is_known,
                  "tapeless: assemble takes (x, elements, data...) or (nodes_of(x, elements), nodes_of(y, others), "
                  "data...); all indices have the same type");
    if constexpr (is_known) {
      constexpr bool fits = !std::is_void_v<typename Call::program>;
      static_assert(fits,
                    "tapeless: the function does not accept what assemble passes, an element's entries of x and its "
                    "data; call the verb itself with those of one element to see the error");
      static_assert(!fits || Call::has_numbers,
                    "tapeless: assemble needs a vector of numbers, or of arrays of numbers, all of the same type");
      return fits && Call::has_numbers;
    } else {
      return false;
    }
  }

  template <class Engine>
  static constexpr bool is_engine() {
    constexpr bool runs_here = std::is_invocable_v<const Engine&, std::ptrdiff_t, void (*)(std::ptrdiff_t)>;
    static_assert(runs_here,
                  "tapeless: assemble runs in one process: let each process assemble its elements, and sum up value, "
                  "gradient and matrix");
    return runs_here;
  }

  template <class Engine, class... Arguments>
  static auto make(const Engine& engine, const Arguments&... arguments) {
    using call = decltype(call_of(arguments...));
    if constexpr (is_call<call>()) {
      typename call::result to{};
      call_of(arguments...).run(engine, to);
      return to;
    } else {
      return detail::no_result{};
    }
  }
  template <class Engine, class Result, class... Arguments>
  static void write(const Engine& engine, Result& to, const Arguments&... arguments) {
    using call = decltype(call_of(arguments...));
    if constexpr (is_call<call>()) {
      constexpr bool is_result = std::is_same_v<Result, typename call::result>;
      static_assert(is_result,
                    "tapeless: assemble: into(r) needs the result of an earlier call with the same argument types");
      if constexpr (is_result) {
        const auto all = call_of(arguments...);
        if (is_read(to, all)) {
          Result apart{};
          all.run(engine, apart);
          to = std::move(apart);
        } else {
          all.run(engine, to);
        }
      }
    }
  }

  /// Whether the call reads numbers that lie where the result is written.
  template <class Result, class Call>
  static bool is_read(const Result& to, const Call& call) {
    const auto bytes = [](const auto& of) -> std::pair<const char*, const char*> {
      if constexpr (requires { of.data() + of.size(); })
        return {reinterpret_cast<const char*>(of.data()), reinterpret_cast<const char*>(of.data() + of.size())};
      else
        return {reinterpret_cast<const char*>(&of), reinterpret_cast<const char*>(&of + 1)};
    };
    const auto meets_any = [&](const auto& argument, const auto&... written) {
      const auto meets = [&, begin = bytes(argument).first, end = bytes(argument).second](const auto& numbers) {
        const auto [low, high] = bytes(numbers);
        return std::less<>{}(begin, high) && std::less<>{}(low, end);
      };
      return (meets(written) || ...);
    };
    const auto is_in = [&](const auto&... written) {
      return std::apply([&](const auto&... each) { return (meets_any(each, written...) || ...); }, call.data) ||
             std::apply(
                 [&](const auto&... each) {
                   return ((meets_any(each.vector, written...) || meets_any(each.picks, written...)) || ...);
                 },
                 call.nodes);
    };
    if constexpr (Kind == detail::assembled::jacobian) {
      const auto& [values, begins, columns] = to.jacobian;
      return is_in(to.value, values, begins, columns);
    } else {
      if constexpr (Kind == detail::assembled::hessian) {
        const auto& [values, begins, columns] = to.hessian;
        if (is_in(values, begins, columns)) return true;
      }
      if constexpr (Call::kinds == 1)
        return is_in(to.gradient);
      else
        return std::apply(is_in, to.gradient);
    }
  }

 public:
  /// The value and the derivatives of the sum of `f(x[e[0]], x[e[1]], ..., data[i]...)` over the rows e of `elements`.
  /// Row i uses entry i of each vector among the data; other data are the same for all rows. The arguments are `(x,
  /// elements, data...)`: `x` is a vector of numbers or of `std::array`s of numbers, and `elements` is a vector of
  /// indices or of `std::array`s of indices. With several vectors they are `(nodes_of(x, elements), nodes_of(y,
  /// others), data...)`, and `f` takes the entries of the first, those of the second, ..., and the data. The
  /// matrices have no rows and columns for numbers that are held, `nodes_of(x, elements, held)`.
  ///
  /// Cost: linear in the number of elements. Throws `std::invalid_argument` if an index is out of range, or if indices
  /// or data have a different length.
  template <class First, class... Rest>
    requires(!detail::Execution_policy<First>)
  auto operator()(const First& first, const Rest&... rest) const {
    return make(detail::in_turn{}, first, rest...);
  }
  /// The same, written into the result of an earlier call. If the elements are the same, the pattern is kept, and only
  /// one block is allocated; with held numbers also one flag for each number.
  template <class Result, class... Arguments>
  void operator()(const into_result<Result>& to, const Arguments&... arguments) const {
    write(detail::in_turn{}, *to.result, arguments...);
  }
  /// The same on several threads, with <tapeless/parallel.hpp>: `assemble(hessian(f))(std::execution::par, x,
  /// elements)`. Elements are computed in parallel and added in order, so results equal those without a policy bit for
  /// bit.
  template <detail::Execution_policy Policy, class... Arguments>
  auto operator()(const Policy& policy, const Arguments&... arguments) const {
    if constexpr (is_engine<detail::engine_of<Policy>>())
      return make(detail::engine_of<Policy>{policy}, arguments...);
    else
      return detail::no_result{};
  }
  template <detail::Execution_policy Policy, class Result, class... Arguments>
  void operator()(const Policy& policy, const into_result<Result>& to, const Arguments&... arguments) const {
    if constexpr (is_engine<detail::engine_of<Policy>>())
      write(detail::engine_of<Policy>{policy}, *to.result, arguments...);
  }
};

/// The verb of a sum over elements: `assemble(value_and_gradient(f))(x, elements, data...)` returns `.value` and
/// `.gradient`, `assemble(hessian(f))` also `.hessian`, and `assemble(jacobian(r))` `.value` and `.jacobian`. Matrices
/// are in compressed rows: `.values`, `.row_begin`, `.columns`.
template <detail::verb V, class F, class Policy>
  requires((V.what == detail::derives::gradient && V.with_value) || V.what == detail::derives::hessian ||
           V.what == detail::derives::jacobian)
constexpr auto assemble(const function_verb<V, F, std::index_sequence<>, Policy, detail::no_seeds>&) {
  using detail::assembled;
  return assembled_verb<V.what == detail::derives::gradient  ? assembled::gradient
                        : V.what == detail::derives::hessian ? assembled::hessian
                                                             : assembled::jacobian,
                        F>{};
}
template <class... Ts>
constexpr auto assemble(const Ts&...) {
  static_assert(detail::is_reported<Ts...>,
                "tapeless: assemble takes value_and_gradient(f), hessian(f) or jacobian(f), without wrt, where f is a "
                "function of an element's entries");
  return detail::no_result{};
}

}  // namespace tapeless
