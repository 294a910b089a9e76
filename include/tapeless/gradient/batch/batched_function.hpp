#pragma once

#include <tapeless/core/target.hpp>
#include <tapeless/gradient/batch/for_all.hpp>
#include <tapeless/gradient/batch/function_batch.hpp>
#include <tapeless/gradient/batch/function_batch_results.hpp>
#include <tapeless/gradient/batch/placed_results.hpp>
#include <tapeless/gradient/formula/formula_verb.hpp>
#include <tapeless/gradient/function/function_verb.hpp>
#include <tapeless/gradient/result/conjugate.hpp>

#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tapeless::program {

/// The outputs of `Source`, of which those from number `Begin` on are the upper triangle of a matrix of `Size` rows:
/// all of its entries, row by row.
template <class Source, std::size_t From, std::size_t Begin, std::size_t Size>
struct finish_mirrored {
  using source = Source;
  static constexpr builder run() {
    std::array<int, Begin - From + Size * Size> wanted{};
    std::size_t next = 0;
    for (std::size_t i = From; i < Begin; ++i) wanted[next++] = Source::value.outputs[i];
    for (std::size_t i = 0; i < Size; ++i)
      for (std::size_t j = 0; j < Size; ++j) {
        const std::size_t row = i < j ? i : j, column = i < j ? j : i;
        wanted[next++] = Source::value.outputs[Begin + column * (column + 1) / 2 + row];
      }
    return finish(Source::value, wanted);
  }
};

template <class Source, std::size_t From, std::size_t Begin, std::size_t Size>
struct detail::plain_pass<finish_mirrored<Source, From, Begin, Size>> {
  using type = finish_mirrored<plainly_t<Source>, From, Begin, Size>;
};

}  // namespace tapeless::program

namespace tapeless::error {

template <class F>
struct batched_loop;

}  // namespace tapeless::error

namespace tapeless::detail {

/// The seeds of a batch, as a single element has it: `Argument<A>::element` is that of an argument.
template <template <class> class Argument, class Seeds>
struct element_seeds {
  using type = Seeds;
};
template <template <class> class Argument, class... Ts>
struct element_seeds<Argument, argument_tangents<Ts...>> {
  using type = argument_tangents<typename Argument<typename kept<Ts>::type>::element...>;
};
template <template <class> class Argument, class... Ts>
struct element_seeds<Argument, cotangents<Ts...>> {
  using type = cotangents<typename Argument<typename kept<Ts>::type>::element...>;
};
/// The tangents or cotangents themselves.
constexpr std::tuple<> seed_values(const no_seeds&) { return {}; }
template <class... Ts>
constexpr auto seed_values(const argument_tangents<Ts...>& given) {
  return given.apply([](const auto&... each) { return std::tuple<decltype(each)...>(each...); });
}
template <class... Ts>
constexpr auto seed_values(const cotangents<Ts...>& given) {
  return seed_values(given.weights);
}

/// Of a function with loops of run-time length, whose elements may be sequences, the arguments and calls: whether it is
/// one is `runs_loops<F, Args...>::value`. In loop_argument.hpp and batched_loop.hpp.
template <class A>
struct loop_argument;
template <class F, class... Args>
struct runs_loops;
inline namespace TAPELESS_TARGET {
template <class Verb, class... Args>
struct batched_loop_verb;
}

/// What is wrong with a call with the elements of arrays; `void` if nothing.
template <class Verb, class F, class... Elements, std::size_t... P>
constexpr auto batch_problem(std::index_sequence<P...> asked) {
  using call = decltype(function_call_problem<Verb, F, Elements...>(asked));
  if constexpr (std::is_same_v<typename call::type, error::loop_over_number<F>>)
    return std::type_identity<error::batched_loop<F>>{};
  else
    return call{};
}

/// What a verb over arrays computes of an element.
template <template <class> class Argument, class Verb, class... Args>
struct verb_of_elements;
template <template <class> class Argument, verb V, class F, class Asked, class Policy, class Seeds, class... Args>
struct verb_of_elements<Argument, function_verb<V, F, Asked, Policy, Seeds>, Args...> {
  using of_element = function_verb<V, F, Asked, Policy, typename element_seeds<Argument, Seeds>::type>;
  using positions = positions_of<Asked, Args...>;
  template <class A>
  using element = typename Argument<A>::element;
  using problem = typename decltype(batch_problem<of_element, F, element<Args>...>(positions{}))::type;
  using layout = argument_layout<element<Args>...>;
  using source = traced_program<F, element<Args>...>;
  /// Names what a comparison of engines found.
  template <class Chosen, class Engine>
  static void name_outputs(const Engine& engine) {
    engine.template name_outputs<V, source, std::pair<layout, typename Chosen::variables>, true>(
        Chosen::finished::value.outputs.size());
  }
  template <class Positions>
  struct at;
  template <std::size_t... P>
  struct at<std::index_sequence<P...>> {
    using variables = typename of_element::template variables<layout, P...>;
    static constexpr auto find_program() {
      using all = typename of_element::template evaluated<source, variables>;
      if constexpr (V.what == derives::hessian) {
        using dense = typename verb_program<verb{derives::hessian, true}, source, variables>::type;
        constexpr std::size_t begin = 1 + variables::size();
        return std::type_identity<
            program::frozen<program::finish_mirrored<dense, V.with_value ? 0 : begin, begin, variables::size()>>>{};
      } else {
        return std::type_identity<all>{};
      }
    }
    using finished = typename decltype(find_program())::type;
    static constexpr auto find_places() {
      if constexpr (V.takes_tangents())
        return layout::template places<P...>();
      else if constexpr (V.what == derives::pullback)
        return std::make_integer_sequence<int, static_cast<int>(source::value.outputs.size())>{};
      else
        return std::integer_sequence<int>{};
    }
    using places = decltype(find_places());
  };
};

/// Derivatives by complex numbers are conjugate.
template <verb V, class Result>
void conjugate_results(Result& r) {
  if constexpr (V.with_value && (V.what == derives::gradient || V.what == derives::hessian))
    conjugate_complex(r.gradient);
  else if constexpr (V.what == derives::gradient || V.what == derives::pullback || V.what == derives::hessian_product)
    conjugate_complex(r);
}

/// The call of a verb over arrays.
template <class Verb, class... Args>
struct batched_function_verb;
template <verb V, class F, class Asked, class Policy, class Seeds, class... Args>
struct batched_function_verb<function_verb<V, F, Asked, Policy, Seeds>, Args...> {
  using verb_type = function_verb<V, F, Asked, Policy, Seeds>;
  using of_elements = verb_of_elements<batch_argument, verb_type, Args...>;
  using positions = typename of_elements::positions;
  using chosen = typename of_elements::template at<positions>;
  using finished = typename chosen::finished;
  using batch = function_batch<decltype(seed_values(std::declval<const Seeds&>())), typename chosen::places, Args...>;
  using shape = positional_batch_shape<V, typename of_elements::source, batch, positions, Args...>;
  using results = placed_results<V, shape, entries_of<V, typename of_elements::source, typename chosen::variables>>;
  using memory_type = typename batch::template over<finished>::memory_type;
  using result = typename results::type;

  template <bool Existing, class Engine>
  static bool into(const Engine& engine, result& r, const verb_type& called, const Args&... args) {
    const bool done = with_memory_in<Existing, memory_type>(r, [&](memory_type& memory) {
      const auto place = [&](const auto& to) { results::place(to, r); };
      return batch::template run<Existing, finished>(engine, memory, place, seed_values(called.seeds()), args...);
    });
    if (done) conjugate_results<V>(r);
    if constexpr (is_compared<Engine>) of_elements::template name_outputs<chosen>(engine);
    return done;
  }
};

template <class G>
inline constexpr bool is_formula_verb = false;
template <verb V, class F, class Variables, class Policy, class Seeds>
inline constexpr bool is_formula_verb<formula_verb<V, F, Variables, Policy, Seeds>> = true;
template <class G>
inline constexpr bool is_function_verb = false;
template <verb V, class F, class Positions, class Policy, class Seeds>
inline constexpr bool is_function_verb<function_verb<V, F, Positions, Policy, Seeds>> = true;
/// Whether it is called with a function's arguments without being a verb.
template <class G>
inline constexpr bool is_check = requires { typename G::asked_positions; } && !is_function_verb<G>;

/// The call of a verb with arrays. Loops of run-time length are run by the engine, which other functions do not need.
template <class Verb, class... Args>
struct call_with_arrays {
  static constexpr bool loops = runs_loops<typename Verb::function, Args...>::value;
  using problem = typename std::conditional_t<loops, verb_of_elements<loop_argument, Verb, Args...>,
                                              verb_of_elements<batch_argument, Verb, Args...>>::problem;
  using call = typename std::conditional_t<loops, std::type_identity<batched_loop_verb<Verb, Args...>>,
                                           std::type_identity<batched_function_verb<Verb, Args...>>>::type;

  template <class Engine>
  static auto run(const Engine& engine, const Verb& verb, const Args&... args) {
    typename call::result r{};
    call::template into<false>(engine, r, verb, args...);
    return r;
  }
  template <class Engine, class R>
  static void run_into(const Engine& engine, R& r, const Verb& verb, const Args&... args) {
    if (call::template into<true>(engine, r, verb, args...)) return;
    R apart{};
    call::template into<false>(engine, apart, verb, args...);
    r = apart;
  }
};

}  // namespace tapeless::detail

namespace tapeless::inline TAPELESS_TARGET {

/// A verb of a traced function over arrays; made by `batched`.
template <class Verb>
class batched_function_call {
  [[no_unique_address]] Verb verb_;

 public:
  struct of_elements_of;
  constexpr explicit batched_function_call(const Verb& verb) : verb_(verb) {}
  constexpr const Verb& wrapped() const { return verb_; }

  template <class... Args>
  auto operator()(const Args&... args) const {
    using call = detail::call_with_options<detail::call_with_arrays, Verb, Args...>;
    using problem = typename call::of_values::problem;
    constexpr bool fits = std::is_void_v<problem>;
    static_assert(detail::is_not<error::batched_loop, problem>,
                  "tapeless: batched needs one sequence per element for each sequence that a scan reads: the rows of a "
                  "matrix, or a vector of vectors; for_all(x) is one that all elements share");
    static_assert(fits || !detail::is_not<error::batched_loop, problem>,
                  "tapeless: the function does not accept what batched passes, one element of each array; call the "
                  "verb itself with one element to see the error");
    constexpr bool scans = !fits || call::of_values::loops || !(detail::is_shared<Args> || ...);
    static_assert(scans,
                  "tapeless: for_all(x) is a sequence, or data that are a vector are, which batched hands to functions "
                  "that `scan` it");
    if constexpr (fits && scans)
      return call::type::run(loops::sequential{}, verb_, args...);
    else
      return detail::no_result{};
  }
};

}  // namespace tapeless::inline TAPELESS_TARGET
