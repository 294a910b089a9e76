#pragma once

#include <tapeless/core/target.hpp>
#include <tapeless/gradient/batch/batch.hpp>
#include <tapeless/gradient/batch/batched_function.hpp>
#include <tapeless/gradient/formula/formula_verb.hpp>
#include <tapeless/gradient/make_verb.hpp>
#include <tapeless/gradient/tensor/tensor_formula.hpp>
#include <tapeless/gradient/verbs.hpp>

#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tapeless {

namespace detail {

/// Tangents and cotangents of a batch, zeros too: there they are broadcast.
template <std::size_t Outputs, class Seeds>
auto seeds_of_batch(const Seeds& seeds) {
  return seed_bindings<Outputs>(seeds);
}
template <std::size_t Outputs, class... Bindings>
auto seeds_of_batch(const tangents<Bindings...>& along) {
  return along.bindings;
}

/// The results of formulas over arrays: derivatives by name.
template <class F, class Source, class Variables, class Policy, class Batch>
struct named_batch_shape;
template <class F, class Source, class... Vs, class Policy, class Batch>
struct named_batch_shape<F, Source, wrt_variables<Vs...>, Policy, Batch> {
  using variables_type = wrt_variables<Vs...>;
  using container = typename Batch::container;
  static constexpr std::size_t outputs = Source::value.outputs.size(), variables = sizeof...(Vs);
  using values = std::conditional_t<is_outputs<F>, std::array<container, outputs>, container>;
  using all_values = values;
  /// An array, or `Zero` where an output is zero by structure.
  template <std::size_t O>
  using derivative =
      std::conditional_t<Batch::template is_zero<O> && !std::is_same_v<Policy, unconnected::materialise_policy>, Zero,
                         container>;
  template <std::size_t First, std::size_t... I>
  static gradient_map<variables_type, derivative<First + I>...> gradient_from(std::index_sequence<I...>);
  template <std::size_t First>
  using gradient = decltype(gradient_from<First>(std::make_index_sequence<variables>{}));
  using jacobian = jacobian_map<variables_type, container, outputs>;
  using hessian = hessian_map<variables_type, container>;
  template <class Entries>
  using sparse = sparse_map<Entries, container, variables_type>;

  template <class Places, class... Values>
  static void place_gradient(Places& places, gradient_map<variables_type, Values...>& g) {
    (places.fill(static_cast<gradient_entry<Vs, Values>&>(g).value), ...);
  }
};

/// The call of a verb of formulas over arrays.
template <class Verb, class Seeds, class... Bindings>
struct batched_formula_verb;
template <verb V, class F, class Variables, class Policy, class Seeds, class... Given, class... Bindings>
struct batched_formula_verb<formula_verb<V, F, Variables, Policy, Seeds>, std::tuple<Given...>, Bindings...> {
  using verb_type = formula_verb<V, F, Variables, Policy, Seeds>;
  using source = typename verb_type::source;
  using finished = typename verb_type::template evaluated<source>;
  static constexpr std::size_t outputs = source::value.outputs.size();
  using T = typename tensor_number<Bindings...>::type;

  /// Seeds are the variables after those of the formula.
  static constexpr auto leaves = [] {
    auto result = leaves_of_arguments<array_argument, bound_t<Bindings>..., bound_t<Given>...>();
    std::size_t next = 0;
    ((result[next++].variable = variable_index(source::value, Bindings::variable_type::name)), ...);
    for (int seed = static_cast<int>(source::value.variables.size()); next < result.size(); ++seed)
      result[next++].variable = seed;
    return result;
  }();
  using container = result_array<T, broadcast<leaves>, bound_t<Bindings>..., bound_t<Given>...>;
  using arrays = batch<finished, T, container, leaves>;
  using shape = named_batch_shape<F, source, Variables, Policy, arrays>;
  using results = placed_results<V, shape, entries_of<V, source, indices_in_t<source, Variables>>>;
  static constexpr bool keeps_memory = V.what != derives::nothing && V.what != derives::tangent && !V.is_sparse();
  using result =
      std::conditional_t<keeps_memory, result_with_memory<typename results::type, typename arrays::memory_type>,
                         typename results::type>;

  template <bool Existing, class Engine>
  static bool into(const Engine& engine, result& r, const verb_type& called, const Bindings&... bindings) {
    const bool done = std::apply(
        [&](const Given&... given) TAPELESS_INLINE_LAMBDA {
          static constexpr std::array<std::string_view, sizeof...(Bindings) + sizeof...(Given)> names{
              Bindings::variable_type::name..., Given::variable_type::name...};
          return arrays::template run<Existing, results, array_argument>(
              engine, r, called.wrapped(), names, bound<typename Bindings::value_type>::get(bindings.value)...,
              bound<typename Given::value_type>::get(given.value)...);
        },
        seeds_of_batch<outputs>(called.seeds()));
    if constexpr (is_compared<Engine>) engine.template name_outputs<V, source, Variables>(arrays::outputs);
    return done;
  }
};

/// What is run over arrays: formulas and functions as their values.
template <class G>
constexpr auto as_verb(const G& g) {
  if constexpr (stands_for_value<G> || (Function<G> && !Verb_of_operand<G>))
    return value(g);
  else
    return g;
}

}  // namespace detail

inline namespace TAPELESS_TARGET {

/// A verb of formulas of numbers over arrays; made by `batched`.
template <class G>
class batched_call : public called_with_values<batched_call<G>> {
  [[no_unique_address]] G verb_;

 public:
  static constexpr detail::verb does = G::does;
  static constexpr bool over_tensors = true, of_elements = true;
  using source = typename G::source;
  using requested = typename G::requested;
  using directions = typename G::directions;
  template <class Source>
  using evaluated = typename G::template evaluated<Source>;

  constexpr explicit batched_call(const G& verb) : verb_(verb) {}

  template <class Engine, class To, class... Bindings>
  auto run(const Engine& engine, const To& to, const Bindings&... bindings) const {
    using seeds = decltype(detail::seeds_of_batch<source::value.outputs.size()>(verb_.seeds()));
    using over = detail::call_into_result<detail::batched_formula_verb<G, seeds, Bindings...>>;
    return over::run(engine, to, verb_, bindings...);
  }
};

}  // namespace TAPELESS_TARGET

template <class G>
constexpr auto batched(const G& g);

namespace detail {

/// A verb of a function with data, over arrays: the data are for all elements.
template <class Verb>
class batched_with_data {
  Verb verb_;

 public:
  constexpr explicit batched_with_data(const Verb& verb) : verb_(verb) {}

  template <class... Args>
  auto operator()(const Args&... args) const {
    return verb_.template with_data<Args...>(
        [&](const auto& of_all, const auto&... data) { return batched(of_all)(args..., for_all(data)...); });
  }
};

}  // namespace detail

/// Applies a formula, function or verb of numbers to each element of arrays: `batched(value_and_gradient(price, wrt(S,
/// sigma)))(S = spots, sigma = vols, K = 100.0)` returns arrays of values and of each derivative; a Hessian is `h(x,
/// y)[k]`. Arrays, tangents and cotangents are broadcast as in NumPy, and can be mixed with numbers. Cost: one loop,
/// with SIMD lanes over elements, and no memory besides the results. Throws `std::invalid_argument` with names and
/// shapes if they do not broadcast.
///
/// Arguments of a function go by position. Each is an array of numbers; an array of structures (a vector or span of
/// adapted structs, tuples or `std::array`s), whose gradient is a vector of the same; a structure of arrays, whose
/// gradient is one too; or a single element for all, as `for_all(sequence)` is, and as the data of `bind_back(f,
/// data...)` are. Jacobians and Hessians are `std::array`s of rows with one array
/// over the elements for each entry, `h[0][1][k]`.
template <class G>
constexpr auto batched(const G& g) {
  constexpr bool with_data = Function_with_data<G> || detail::is_bound_verb<G>;
  constexpr bool of_formula = detail::has_names<G> || Formula_verb<G>;
  constexpr bool known =
      of_formula || with_data || detail::is_reported<G> || (Function<G> && !requires { typename G::inspected; });
  constexpr bool batches = requires { typename G::of_elements_of; } || requires { G::of_elements; };
  static_assert(!batches, "tapeless: write batched(f), not batched(batched(f)): it takes arrays of any rank [TL239]");
  static_assert(
      known || batches,
      "tapeless: batched takes a formula, outputs(...), a function, or a verb of one, such as gradient(f) [TL174]");
  if constexpr (!known || batches || detail::is_reported<G>) {
    return detail::no_result{};
  } else {
    const auto verb = detail::as_verb(g);
    using verb_type = std::remove_const_t<decltype(verb)>;
    if constexpr (with_data)
      return detail::batched_with_data<verb_type>(verb);
    else if constexpr (of_formula)
      return batched_call<verb_type>(verb);
    else
      return batched_function_call<verb_type>(verb);
  }
}

}  // namespace tapeless
