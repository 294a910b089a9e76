#pragma once

#include <tapeless/core/target.hpp>
#include <tapeless/gradient/batch/batch.hpp>
#include <tapeless/gradient/batch/batched_loop.hpp>
#include <tapeless/gradient/batch/each.hpp>
#include <tapeless/gradient/formula/formula_verb.hpp>
#include <tapeless/gradient/function/argument_place.hpp>
#include <tapeless/gradient/function/function_verb.hpp>
#include <tapeless/gradient/tensor/tensor_results.hpp>

#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

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

namespace tapeless::detail {

/// Hands outputs places in the gradient of an argument of any kind.
template <class A, class Places, class G>
TAPELESS_ALWAYS_INLINE void place_gradient_of(Places& places, G& to) {
  if constexpr (Structure<A> && Structure<G>)
    for_each_index<structure<A>::size>([&](auto i) TAPELESS_INLINE_LAMBDA {
      place_gradient_of<typename structure<A>::template member<i>>(places, structure<G>::template get<i>(to));
    });
  else if constexpr (is_integer<typename batch_argument<A>::element>)
    places.fill_with_zeros(to);
  else
    places.fill(to);
}

/// Whether an argument has a sequence for each element, as loops have; other batches do not ask.
template <class Argument>
inline constexpr bool is_of_sequences = requires { requires Argument::is_sequence; };

/// The results of a traced function over arrays: the gradients of structures are structures, those of sequences are
/// sequences. `Argument` reads an element of arrays, and `Container` holds a number of each.
template <template <class> class Argument, class Source, class T, class Container, class Positions, class... Args>
struct positional_batch_shape;
template <template <class> class Argument, class Source, class T, class Container, std::size_t... P, class... Args>
struct positional_batch_shape<Argument, Source, T, Container, std::index_sequence<P...>, Args...> {
  using layout = argument_layout<typename Argument<Args>::element...>;
  using container = Container;
  static constexpr std::size_t outputs = Source::value.outputs.size(), variables = (layout::sizes[P] + ... + 0);
  /// A function that returns a number gives an array, another a vector of `std::array`s.
  using all_values = std::vector<std::array<T, outputs>>;
  using values = std::conditional_t<outputs == 1, container, all_values>;

  template <std::size_t Q>
  using argument = Argument<typename type_at<Q, Args...>::type>;
  template <std::size_t Q>
  using gradient_part = typename argument<Q>::template gradient<T, container>;
  template <std::size_t>
  using gradient = one_or_tuple<gradient_part<P>...>;
  using jacobian = std::array<std::array<container, variables>, outputs>;
  using hessian = std::array<std::array<container, variables>, variables>;
  template <class Entries>
  using sparse = sparse_matrix<Entries, container>;

  template <class Places>
  TAPELESS_ALWAYS_INLINE static void place_gradient(Places& places, gradient<0>& g) {
    if constexpr (sizeof...(P) == 1)
      (place_part<P>(places, g), ...);
    else
      std::apply([&](auto&... parts) TAPELESS_INLINE_LAMBDA { (place_part<P>(places, parts), ...); }, g);
  }

 private:
  template <std::size_t Q, class Places, class G>
  TAPELESS_ALWAYS_INLINE static void place_part(Places& places, G& to) {
    if constexpr (is_of_sequences<argument<Q>>)
      places.to.template write_sequences<Q>(places.next, to);
    else
      place_gradient_of<typename type_at<Q, Args...>::type>(places, to);
  }
};

/// What is wrong with a call with the elements of arrays; `void` if nothing.
template <class Verb, class F, class... Elements, std::size_t... P>
constexpr auto batch_problem(std::index_sequence<P...> asked) {
  using call = decltype(function_call_problem<Verb, F, Elements...>(asked));
  if constexpr (!is_not<program::fault::sequence_wanted, typename call::type>)
    return wrong<fault::batched_loop, F>{};
  else if constexpr (!std::is_void_v<typename call::type>)
    return call{};
  else if constexpr (Verb::does.what == derives::jacobian && !is_over_tensors<F, Elements...>() &&
                     (is_loop_sequence<typename type_at<P, Elements...>::type>() || ...))
    return wrong<fault::sequence_has_no_derivative, F>{};
  else
    return call{};
}

/// What a verb over arrays computes of an element.
template <class Verb, class... Args>
struct verb_of_elements;
template <verb V, class F, class Asked, class Policy, class Seeds, class... Args>
struct verb_of_elements<function_verb<V, F, Asked, Policy, Seeds>, Args...> {
  static constexpr bool loops = runs_loops<F, Args...>;
  template <class A>
  using argument = std::conditional_t<loops, loop_argument<A>, batch_argument<A>>;
  template <class A>
  using element = typename argument<A>::element;

  static no_seeds seeds_of_element(const no_seeds&);
  template <template <class...> class S, class... Ts>
  static S<element<typename kept<Ts>::type>...> seeds_of_element(const S<Ts...>&);
  using of_element = function_verb<V, F, Asked, Policy, decltype(seeds_of_element(std::declval<const Seeds&>()))>;
  using positions = positions_of<Asked, Args...>;
  using problem = typename decltype(batch_problem<of_element, F, element<Args>...>(positions{}))::type;
};

/// Derivatives by complex numbers are conjugate.
template <verb V, class Result>
void conjugate_results(Result& r) {
  if constexpr (V.with_value && (V.what == derives::gradient || V.what == derives::hessian))
    conjugate_complex<true>(r.gradient);
  else if constexpr (V.what == derives::gradient || V.what == derives::pullback || V.what == derives::hessian_product)
    conjugate_complex<true>(r);
}

/// The call of a verb of a function over arrays.
template <class Verb, class Positions, class... Args>
struct batched_function_verb;
template <verb V, class F, class Asked, class Policy, class Seeds, std::size_t... P, class... Args>
struct batched_function_verb<function_verb<V, F, Asked, Policy, Seeds>, std::index_sequence<P...>, Args...> {
  using verb_type = function_verb<V, F, Asked, Policy, Seeds>;
  using elements = verb_of_elements<verb_type, Args...>;
  template <class A>
  using argument = typename elements::template argument<A>;
  using layout = argument_layout<typename argument<Args>::element...>;
  using source = traced_program<F, typename argument<Args>::element...>;
  using variables = typename elements::of_element::template variables<layout, P...>;
  using T = common_real_t<typename shape_of<typename argument<Args>::element>::number...>;
  static constexpr bool loops = elements::loops;

  static constexpr auto find_program() {
    if constexpr (V.what == derives::hessian) {
      using dense = typename verb_program<verb{derives::hessian, true}, source, variables>::type;
      constexpr std::size_t begin = 1 + variables::size();
      return std::type_identity<
          program::frozen<program::finish_mirrored<dense, V.with_value ? 0 : begin, begin, variables::size()>>>{};
    } else {
      return std::type_identity<typename elements::of_element::template evaluated<source, variables>>{};
    }
  }
  using finished = typename decltype(find_program())::type;
  /// Those among the numbers of the seeds that are variables.
  using places = decltype(elements::of_element::template places_of_seeds<layout, P...>());
  template <class... Given, int... Place>
  static constexpr auto find_leaves(std::type_identity<argument_layout<Given...>>,
                                    std::integer_sequence<int, Place...>) {
    if constexpr (loops) {
      return std::array{program::array_leaf{-1, 1, {-1}}};
    } else {
      auto result = leaves_of_arguments<batch_argument, Args..., Given...>();
      int next = 0;
      while (next < static_cast<int>(layout::size)) result[static_cast<std::size_t>(next)].variable = next, ++next;
      ((result[layout::size + static_cast<std::size_t>(Place)].variable = next++), ...);
      return result;
    }
  }
  static constexpr auto leaves = find_leaves(std::type_identity<typename Seeds::layout>{}, places{});
  // Structures and sequences have results of their own kind; beside them lie vectors.
  template <class A>
  static constexpr bool is_no_array = Structure<A> || Array_of_structures<A> || is_of_sequences<argument<A>>;
  template <class A>
  using array = std::conditional_t<is_no_array<A>, T, std::conditional_t<Standard_complex<A>, complex_part<A, 0>, A>>;
  using container = result_array<T, broadcast<leaves>, array<Args>..., std::vector<T>>;
  using shape = positional_batch_shape<argument, source, T, container, std::index_sequence<P...>, Args...>;
  using results = placed_results<V, shape, entries_of<V, source, variables>>;
  using result = typename results::type;

  template <bool Existing, class Engine>
  static bool into(const Engine& engine, result& r, const verb_type& called, const Args&... args) {
    if constexpr (loops && Existing) {
      // Everything is computed before an existing result changes: arguments may lie in it, and loops may throw.
      result apart{};
      into<false>(engine, apart, called, args...);
      r = std::move(apart);
      return true;
    } else {
      const bool done =
          called.seeds().apply([&](const auto&... given) { return run<Existing>(engine, r, args..., given...); });
      if (done) conjugate_results<V>(r);
      if constexpr (is_compared<Engine>)
        engine.template name_outputs<V, source, std::pair<layout, variables>, true>(finished::value.outputs.size());
      return done;
    }
  }

 private:
  template <bool Existing, class Engine, class... All>
  static bool run(const Engine& engine, result& r, const All&... all) {
    if constexpr (loops) {
      loop_batch<finished, T, sizeof...(Args), places, All...>(all...).template run<results>(engine, r);
      return true;
    } else {
      static constexpr auto names = []<std::size_t... I>(std::index_sequence<I...>) {
        return std::array{(I < sizeof...(Args) ? argument_name<I>.text() : "a tangent or cotangent")...};
      }(std::index_sequence_for<All...>{});
      using arrays = batch<finished, T, container, leaves>;
      return arrays::template run<Existing, results, batch_argument>(engine, r, std::ignore, names, all...);
    }
  }
};

/// The call of a verb with arrays.
template <class Verb, class... Args>
struct call_with_arrays
    : call_into_result<batched_function_verb<Verb, typename verb_of_elements<Verb, Args...>::positions, Args...>> {
  using elements = verb_of_elements<Verb, Args...>;
  using problem = typename elements::problem;
};

/// Whether an argument of a batch is one of numbers, not of tensors: an array of them for `each`, or those of all
/// elements.
template <class A>
inline constexpr bool is_of_numbers = Numeric<A> || is_constant<A> || (Structure<A> && shape_of<A>::valid);
template <class A>
inline constexpr bool is_of_numbers<each_argument<A>> = [] {
  if constexpr (Array_of_numbers<A>)
    return tensor_traits<A>::rank == 1;
  else
    return Array_of_structures<A>;
}();

/// Whether the elements may have lengths of their own.
template <class A>
inline constexpr bool is_each_of_vectors = false;
template <class A>
  requires is_vector<A>
inline constexpr bool is_each_of_vectors<each_argument<A>> =
    is_vector<typename A::value_type> || is_tensor<typename A::value_type>;

/// An argument as a batch without marks has it.
template <class A>
decltype(auto) as_unmarked(const A& argument) {
  if constexpr (!is_each<A> && Shareable_sequence<A>)
    return for_all(argument);
  else
    return (without_mark(argument));
}
/// Whether a call with some arguments marked is one without marks: of functions of numbers and of functions with loops.
template <class Verb, class... Args>
struct marked_call {
  using problem = void;
  static constexpr bool is_of_arrays = [] {
    if constexpr ((is_of_numbers<Args> && ...))
      return true;
    else if constexpr (((is_each<Args> || Numeric<Args> || Structure<Args> || Shareable_sequence<Args>) && ...))
      return runs_loops<typename Verb::function,
                        std::remove_cvref_t<decltype(as_unmarked(std::declval<const Args&>()))>...>;
    else
      return false;
  }();
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
    requires(detail::is_each<Args> || ...)
  auto operator()(const Args&... args) const {
    if constexpr (detail::call_with_options<detail::marked_call, Verb, Args...>::of_values::is_of_arrays) {
      return (*this)(detail::as_unmarked(args)...);
    } else {
      using call = detail::call_with_options<detail::call_with_each, Verb, Args...>;
      using problem = typename call::of_values::problem;
      constexpr bool derives = detail::is_not<program::fault::call_not_over_tensors, problem>;
      constexpr bool even = !(detail::is_each_of_vectors<Args> || ...);
      static_assert(even,
                    "tapeless: each(x) of vectors in a vector is for functions with loops of numbers; over tensors "
                    "pass one tensor, whose first axis is that of the elements, or call the verb for each [TL281]");
      static_assert(derives,
                    "tapeless: batched with each(...) over tensors computes values, gradients and products by numbers "
                    "and tensors; a Jacobian or Hessian is one of an element: call the verb for it, also for a "
                    "derivative by a sequence of arrays or structs [TL175]");
      if constexpr (std::is_void_v<problem>)
        return call::type::run(loops::sequential{}, detail::new_result{}, verb_, args...);
      else if constexpr (!call::of_values::fits_whole && even)
        return verb_(detail::without_mark(args)...);
      else if constexpr (derives && even)
        return detail::report<problem>();
      else
        return detail::no_result{};
    }
  }
  template <class... Args>
    requires(detail::Traced_argument<Args> || ...)
  constexpr auto operator()(const Args&... args) const {
    constexpr auto inside = sizeof...(Args) > 0 ? program::fault::batched_inside : program::fault{};
    return detail::misused_inside<inside>(args...);
  }
  template <class... Args>
  auto operator()(const Args&... args) const {
    using call = detail::call_with_options<detail::call_with_arrays, Verb, Args...>;
    using problem = typename call::of_values::problem;
    constexpr bool fits = std::is_void_v<problem>;
    static_assert(detail::is_not<program::fault::batched_loop, problem>,
                  "tapeless: batched needs one sequence per element for each sequence that a scan reads: the rows of a "
                  "matrix, or a vector of vectors; for_all(x) is one that all elements share [TL176]");
    // Of what is no array of numbers the verb itself tells.
    constexpr bool numbers = detail::is_not<program::fault::struct_not_adapted, problem>;
    static_assert(fits || !numbers || !detail::is_not<program::fault::batched_loop, problem>,
                  "tapeless: the function does not accept what batched passes, one element of each array; call the "
                  "verb itself with one element to see the error [TL177]");
    constexpr bool scans =
        !fits || call::of_values::elements::loops || !(detail::is_instance_of<detail::shared_sequence, Args> || ...);
    static_assert(scans,
                  "tapeless: for_all(x) is a sequence, or data that are a vector are, which batched hands to functions "
                  "that `scan` it [TL178]");
    if constexpr (!numbers)
      return verb_(args...);
    else if constexpr (fits && scans)
      return call::type::run(loops::sequential{}, detail::new_result{}, verb_, args...);
    else
      return detail::no_result{};
  }
};

}  // namespace tapeless::inline TAPELESS_TARGET
