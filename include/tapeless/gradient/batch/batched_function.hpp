#ifndef TAPELESS_GRADIENT_BATCH_BATCHED_FUNCTION_HPP
#define TAPELESS_GRADIENT_BATCH_BATCHED_FUNCTION_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/core/target.hpp>
#include <tapeless/gradient/batch/batch.hpp>
#include <tapeless/gradient/batch/placed_results.hpp>
#include <tapeless/gradient/function/function_verb.hpp>
#include <tapeless/gradient/result/conjugate.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace tapeless::detail {

/// A number in the arguments of a batch as variable number `Variable` of the traced program.
template <int Variable, std::ptrdiff_t... Extents>
struct argument_leaf {
  static constexpr int rank = sizeof...(Extents);
  static constexpr std::array<std::ptrdiff_t, sizeof...(Extents)> extents{Extents...};

  static constexpr bool binds(int variable, std::string_view) { return variable == Variable; }
  template <int Other>
  using at = argument_leaf<Other, Extents...>;
};

/// Several of them, in their order.
template <class... Leaves>
struct argument_leaves {
  static constexpr int rank = std::max({0, Leaves::rank...});
};
template <class... Lists>
struct joined_leaves {
  using type = argument_leaves<>;
};
template <class... Leaves>
struct joined_leaves<argument_leaves<Leaves...>> {
  using type = argument_leaves<Leaves...>;
};
template <class... Leaves, class... More, class... Lists>
struct joined_leaves<argument_leaves<Leaves...>, argument_leaves<More...>, Lists...>
    : joined_leaves<argument_leaves<Leaves..., More...>, Lists...> {};

/// An argument of a batch: what one element of it is, which tensors the numbers of that element lie in, and what holds
/// its gradients. Arrays of numbers are tensors; vectors and spans of structures have the numbers of an element side by
/// side; structures of such arrays one array for each number. What is none of these is one element for all.
template <class A>
struct batch_argument;

template <class A>
concept Array_of_numbers = is_tensor<A> && !Structure<A> && Numeric<typename tensor_traits<A>::element>;
template <class A>
concept Array_of_structures = !Structure<A> && requires(const A& a) {
  { a.data() } -> std::convertible_to<const typename A::value_type*>;
  a.size();
  requires Structure<std::remove_cv_t<typename A::value_type>>;
};

/// The leaves of arguments whose first number is variable number `First`.
template <int First, class Indices, class... Args>
struct leaves_of_arguments;
template <int First, std::size_t... I, class... Args>
struct leaves_of_arguments<First, std::index_sequence<I...>, Args...> {
  using layout = argument_layout<typename batch_argument<Args>::element...>;
  using type = typename joined_leaves<
      typename batch_argument<Args>::template leaves<First + static_cast<int>(layout::first(I))>...>::type;
};

/// The gradients of elements of the type `E`.
template <class E, class T>
using gradients_of_elements = std::vector<typename shape_of<E>::template gradient_type<T>>;

template <Numeric A>
struct batch_argument<A> {
  using element = A;
  template <int First>
  using leaves = argument_leaves<argument_leaf<First>>;
  template <class T, class Container>
  using gradient = Container;

  template <class Visit>
  static void visit(const A& number, Visit visit) {
    visit(&number, std::array<std::ptrdiff_t, 0>{}, std::array<std::ptrdiff_t, 0>{});
  }
};

template <Array_of_numbers A>
struct batch_argument<A> {
  using traits = tensor_traits<A>;
  using element = typename traits::element;
  template <int First, class Indices = std::make_index_sequence<static_cast<std::size_t>(traits::rank)>>
  struct leaves_at;
  template <int First, std::size_t... I>
  struct leaves_at<First, std::index_sequence<I...>> {
    using type = argument_leaves<argument_leaf<First, traits::extents[I]...>>;
  };
  template <int First>
  using leaves = typename leaves_at<First>::type;
  template <class T, class Container>
  using gradient = Container;

  template <class Visit>
  static void visit(const A& array, Visit visit) {
    std::array<std::ptrdiff_t, static_cast<std::size_t>(traits::rank)> extents{}, strides{};
    for (int i = 0; i < traits::rank; ++i) {
      extents[static_cast<std::size_t>(i)] = traits::extent(array, i);
      strides[static_cast<std::size_t>(i)] = traits::stride(array, i);
    }
    visit(traits::data(array), extents, strides);
  }
};

template <Array_of_structures A>
struct batch_argument<A> {
  using element = std::remove_cv_t<typename A::value_type>;
  template <int First, class Indices = std::make_index_sequence<shape_of<element>::size>>
  struct leaves_at;
  template <int First, std::size_t... I>
  struct leaves_at<First, std::index_sequence<I...>> {
    using type = argument_leaves<argument_leaf<First + static_cast<int>(I), -1>...>;
  };
  template <int First>
  using leaves = typename leaves_at<First>::type;
  template <class T, class Container>
  using gradient = gradients_of_elements<element, T>;

  /// Calls `visit(pointer, extents, strides)` for each number of an element.
  template <class Visit>
  static void visit(const A& array, Visit visit) {
    // Of no elements nothing is read.
    const element none{};
    const element& first = array.size() > 0 ? *array.data() : none;
    const std::array extents{static_cast<std::ptrdiff_t>(array.size())};
    const auto one = [&]<std::size_t I>() {
      const auto& number = shape_of<element>::template element<I>(first);
      using U = std::remove_cvref_t<decltype(number)>;
      static_assert(sizeof(element) % sizeof(U) == 0,
                    "tapeless: in an array of structures each number of the next structure lies a whole number of its "
                    "own sizes further; use numbers of one size");
      visit(&number, extents, std::array{static_cast<std::ptrdiff_t>(sizeof(element) / sizeof(U))});
    };
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (one.template operator()<I>(), ...);
    }(std::make_index_sequence<shape_of<element>::size>{});
  }
};

/// The type of an element of a structure of arrays, member by member.
struct batch_element {
  template <class A>
  using to = typename batch_argument<A>::element;
};

template <Structure A>
struct batch_argument<A> {
  using element = typename mapped_structure<A, batch_element>::type;
  static constexpr bool is_one_element = std::is_same_v<element, A>;

  template <int First, std::size_t... I>
  static constexpr auto find_leaves(std::index_sequence<I...> all) {
    return leaves_of_arguments<First, decltype(all), typename structure<A>::template member<I>...>{};
  }
  template <int First>
  using leaves = typename decltype(find_leaves<First>(std::make_index_sequence<structure<A>::size>{}))::type;

  template <class T, class Container>
  struct gradient_of_member {
    template <class M>
    using to = typename batch_argument<M>::template gradient<T, Container>;
  };
  template <class T, class Container>
  static constexpr auto find_gradient() {
    if constexpr (is_one_element)
      return gradients_of_elements<A, T>{};
    else
      return typename mapped_structure<A, gradient_of_member<T, Container>>::type{};
  }
  template <class T, class Container>
  using gradient = decltype(find_gradient<T, Container>());

  template <class Visit>
  static void visit(const A& argument, Visit visit) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (batch_argument<typename structure<A>::template member<I>>::visit(structure<A>::template get<I>(argument), visit),
       ...);
    }(std::make_index_sequence<structure<A>::size>{});
  }
};

/// The leaves of tangents and cotangents: those at `Places` among their numbers are the variables from number `First`
/// on.
template <int First, class Given, class Places>
struct further_leaves;
template <int First, class... Given, int... Place>
struct further_leaves<First, std::tuple<Given...>, std::integer_sequence<int, Place...>> {
  using all = typename leaves_of_arguments<0, std::index_sequence_for<Given...>, std::remove_cvref_t<Given>...>::type;
  template <class... Leaves>
  static auto pick(argument_leaves<Leaves...>) {
    if constexpr (sizeof...(Place) == 0 || sizeof...(Leaves) == 0)
      return argument_leaves<>{};
    else
      return pick_from<Leaves...>(std::make_index_sequence<sizeof...(Place)>{});
  }
  template <class... Leaves, std::size_t... K>
  static auto pick_from(std::index_sequence<K...>) {
    return argument_leaves<typename type_at<static_cast<std::size_t>(Place),
                                            Leaves...>::type::template at<First + static_cast<int>(K)>...>{};
  }
  using type = decltype(pick(all{}));
};

/// The batch of a traced function of these arguments, and of tangents or cotangents.
template <class Given, class Places, class... Args>
struct function_batch;
template <class... Given, int... Place, class... Args>
struct function_batch<std::tuple<Given...>, std::integer_sequence<int, Place...>, Args...> {
  template <class A>
  using element = typename batch_argument<A>::element;
  using layout = argument_layout<element<Args>...>;
  using T = common_real_t<typename shape_of<element<Args>>::number...>;
  using leaves =
      typename joined_leaves<typename leaves_of_arguments<0, std::index_sequence_for<Args...>, Args...>::type,
                             typename further_leaves<static_cast<int>(layout::size), std::tuple<Given...>,
                                                     std::integer_sequence<int, Place...>>::type>::type;
  // Structures have results of their own kind; beside them lie vectors.
  template <class Leaves>
  struct batch_over;
  template <class... Leaves>
  struct batch_over<argument_leaves<Leaves...>> {
    using container =
        result_array<T, broadcast_extents<Leaves...>,
                     std::conditional_t<Structure<Args> || Array_of_structures<Args>, T, Args>..., std::vector<T>>;
    template <class P>
    using type = batch<P, T, container, Leaves...>;
  };
  using container = typename batch_over<leaves>::container;
  template <class P>
  using over = typename batch_over<leaves>::template type<P>;

  /// Runs the finished program `P`.
  template <bool Existing, class P, class Memory, class Place_results>
  static bool run(Memory& memory, const Place_results& place, const std::tuple<Given...>& given, const Args&... args) {
    using batch = over<P>;
    const auto bind = [&](typename batch::inputs& inputs) {
      std::size_t variable = 0, position = 0, number = 0;
      const auto bind_to = [&](std::size_t v, std::string_view name, const auto* from, const auto& extents,
                               const auto& strides) {
        bound_tensor<T>& to = inputs.tensors[v];
        to.name = name;
        to.tangent = false;
        to.rank = static_cast<int>(extents.size());
        std::ptrdiff_t count = 1;
        for (std::size_t i = 0; i < extents.size(); ++i) {
          to.extents[i] = extents[i];
          to.strides[i] = strides[i];
          count *= extents[i];
        }
        inputs.read_from(memory.converted[v], from, to, count);
      };
      const auto read = [&](const auto* from, const auto& extents, const auto& strides) {
        bind_to(variable++, position_name(position), from, extents, strides);
      };
      ((batch_argument<Args>::visit(args, read), ++position), ...);
      const auto read_given = [&](const auto* from, const auto& extents, const auto& strides) {
        constexpr std::array<int, sizeof...(Place)> places{Place...};
        for (std::size_t k = 0; k < places.size(); ++k)
          if (static_cast<std::size_t>(places[k]) == number)
            bind_to(layout::size + k, "a tangent or cotangent", from, extents, strides);
        ++number;
      };
      std::apply(
          [&](const auto&... each) { (batch_argument<std::remove_cvref_t<Given>>::visit(each, read_given), ...); },
          given);
    };
    return batch::template run<Existing>(memory, std::ignore, bind, place);
  }

  static constexpr std::string_view position_name(std::size_t position) {
    constexpr std::array<std::string_view, 8> names{"argument 0", "argument 1", "argument 2", "argument 3",
                                                    "argument 4", "argument 5", "argument 6", "argument 7"};
    return position < names.size() ? names[position] : "an argument";
  }
};

/// Output number `first` and those that follow fill the numbers with derivatives of each structure in a vector.
template <class Outputs, class E>
void place_elements(const Outputs& outputs, std::size_t first, std::vector<E>& to) {
  using T = typename Outputs::number;
  static_assert(Outputs::rank <= 1, "tapeless: results that are structures lie along one axis");
  to.resize(static_cast<std::size_t>(outputs.count));
  E none{};
  E& element = to.empty() ? none : to.front();
  const auto one = [&]<std::size_t I>() {
    if constexpr (shape_of<E>::has_derivative(I)) {
      const auto& number = shape_of<E>::template element<I>(element);
      static_assert(std::is_same_v<std::remove_cvref_t<decltype(number)>, T>,
                    "tapeless: structures in an array have the number type of the other arguments");
      static_assert(sizeof(E) % sizeof(T) == 0);
      outputs.write(first++, const_cast<T*>(&number), {static_cast<std::ptrdiff_t>(sizeof(E) / sizeof(T))});
    }
  };
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (one.template operator()<I>(), ...);
  }(std::make_index_sequence<shape_of<E>::size>{});
}

/// Looks only whether they lie where something bound does.
template <class Search, class E>
  requires Search::only_looks
void place_elements(const Search& outputs, std::size_t, std::vector<E>& to) {
  outputs.look({to.data(), to.data() + to.size()});
}

/// The same for the gradient of an argument of any kind.
template <class A, class Outputs, class G>
void place_gradient(const Outputs& outputs, std::size_t first, G& to) {
  if constexpr (Numeric<A> || Array_of_numbers<A>) {
    outputs(first, to);
  } else if constexpr (std::is_same_v<
                           G, gradients_of_elements<typename batch_argument<A>::element, typename Outputs::number>>) {
    place_elements(outputs, first, to);
  } else {
    const auto member = [&]<std::size_t I>() {
      using M = typename structure<A>::template member<I>;
      place_gradient<M>(outputs, first, structure<G>::template get<I>(to));
      first += shape_of<typename batch_argument<M>::element>::derivatives;
    };
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (member.template operator()<I>(), ...);
    }(std::make_index_sequence<structure<A>::size>{});
  }
}

/// The results of a traced function over arrays; the gradients of structures are structures.
template <verb V, class Source, class Batch, class Positions, class... Args>
struct positional_batch_shape;
template <verb V, class Source, class Batch, std::size_t... P, class... Args>
struct positional_batch_shape<V, Source, Batch, std::index_sequence<P...>, Args...> {
  using T = typename Batch::T;
  using layout = typename Batch::layout;
  using container = typename Batch::container;
  static constexpr std::size_t outputs = Source::value.outputs.size(), variables = (layout::sizes[P] + ... + 0);
  /// A function that returns a number gives an array, another a vector of `std::array`s.
  using all_values = std::vector<std::array<T, outputs>>;
  using values = std::conditional_t<outputs == 1, container, all_values>;

  template <std::size_t Q>
  using gradient_part = typename batch_argument<typename type_at<Q, Args...>::type>::template gradient<T, container>;
  template <std::size_t>
  using gradient = typename std::conditional_t<sizeof...(P) == 1, type_at<0, gradient_part<P>...>,
                                               std::type_identity<std::tuple<gradient_part<P>...>>>::type;
  using jacobian = std::array<std::array<container, variables>, outputs>;
  using hessian = std::array<std::array<container, variables>, variables>;
  template <class Entries>
  using sparse = sparse_matrix<Entries, container>;

  template <std::size_t First, class To, class Values>
  static void place_values(const To& to, Values& v) {
    if constexpr (std::is_same_v<Values, all_values>)
      place_elements(to, First, v);
    else
      to(First, v);
  }
  template <std::size_t First, class To>
  static void place_gradient(const To& to, gradient<First>& g) {
    std::size_t next = First;
    const auto one = [&]<std::size_t Q>(auto& part) {
      detail::place_gradient<typename type_at<Q, Args...>::type>(to, next, part);
      next += layout::sizes[Q];
    };
    if constexpr (sizeof...(P) == 1)
      (one.template operator()<P>(g), ...);
    else
      std::apply([&](auto&... each) { (one.template operator()<P>(each), ...); }, g);
  }
  template <std::size_t First, class To, class Matrix>
  static void place_rows(const To& to, Matrix& rows) {
    std::size_t next = First;
    for (auto& row : rows)
      for (auto& entry : row) to(next++, entry);
  }
  template <std::size_t First, class To>
  static void place_jacobian(const To& to, jacobian& j) {
    place_rows<First>(to, j);
  }
  template <std::size_t First, class To>
  static void place_hessian(const To& to, hessian& h) {
    place_rows<First>(to, h);
  }
};

}  // namespace tapeless::detail

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
    return finish<Source>(wanted);
  }
};

}  // namespace tapeless::program

namespace tapeless::error {

template <class F>
struct batched_loop;

}  // namespace tapeless::error

namespace tapeless::detail {

/// What is further of a batch, as a single element has it.
template <class Further>
struct element_further {
  using type = Further;
};
template <class... Ts>
struct element_further<argument_tangents<Ts...>> {
  using type = argument_tangents<typename batch_argument<typename kept<Ts>::type>::element...>;
};
template <class... Ts>
struct element_further<cotangents<Ts...>> {
  using type = cotangents<typename batch_argument<typename kept<Ts>::type>::element...>;
};
/// The tangents or cotangents themselves.
constexpr std::tuple<> further_values(const nothing_further&) { return {}; }
template <class... Ts>
constexpr auto further_values(const argument_tangents<Ts...>& given) {
  return given.apply([](const auto&... each) { return std::tuple<decltype(each)...>(each...); });
}
template <class... Ts>
constexpr auto further_values(const cotangents<Ts...>& given) {
  return further_values(given.weights);
}

/// What is wrong with a call with the elements of arrays; `void` if nothing.
template <class Verb, class F, class... Elements, std::size_t... P>
constexpr auto batch_problem(std::index_sequence<P...> asked) {
  using call = decltype(function_call_problem<Verb, F, Elements...>(asked));
  if constexpr (std::is_same_v<typename call::type, error::loop_over_number<F>>)
    return std::type_identity<error::batched_loop<F>>{};
  else if constexpr (!std::is_void_v<typename call::type>)
    return call{};
  else if constexpr (records_loops<F, Elements...>)
    return std::type_identity<error::batched_loop<F>>{};
  else
    return call{};
}

/// The same of a verb; an execution policy and `into(r)` come before the function's arguments.
template <class Verb, class... Args>
struct batched_verb_problem;
template <verb V, class F, class Asked, class Policy, class Further, class... Args>
struct batched_verb_problem<function_verb<V, F, Asked, Policy, Further>, Args...> {
  using of_element = function_verb<V, F, Asked, Policy, typename element_further<Further>::type>;
  using type = typename decltype(batch_problem<of_element, F, typename batch_argument<Args>::element...>(
      positions_of<Asked, Args...>{}))::type;
};
template <class Verb, class... Args>
struct batched_call_problem : batched_verb_problem<Verb, Args...> {};
template <class Verb, Execution_policy Policy, class... Args>
struct batched_call_problem<Verb, Policy, Args...> : batched_call_problem<Verb, Args...> {};
template <class Verb, class R, class... Args>
struct batched_call_problem<Verb, into_result<R>, Args...> : batched_call_problem<Verb, Args...> {};

/// The call of a verb over arrays.
template <class Verb, class... Args>
struct batched_function_verb;
template <verb V, class F, class Asked, class Policy, class Further, class... Args>
struct batched_function_verb<function_verb<V, F, Asked, Policy, Further>, Args...> {
  using verb_type = function_verb<V, F, Asked, Policy, Further>;
  using of_element = function_verb<V, F, Asked, Policy, typename element_further<Further>::type>;
  using positions = positions_of<Asked, Args...>;
  template <class A>
  using element = typename batch_argument<A>::element;
  using layout = argument_layout<element<Args>...>;
  using source = traced_program<F, element<Args>...>;
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
      if constexpr (V.is_along())
        return layout::template places<P...>();
      else if constexpr (V.what == derives::pullback)
        return std::make_integer_sequence<int, static_cast<int>(source::value.outputs.size())>{};
      else
        return std::integer_sequence<int>{};
    }
    using places = decltype(find_places());
  };
  using variables = typename at<positions>::variables;
  using finished = typename at<positions>::finished;
  using given = decltype(further_values(std::declval<const Further&>()));
  using batch = function_batch<given, typename at<positions>::places, Args...>;
  using shape = positional_batch_shape<V, source, batch, positions, Args...>;
  using results = placed_results<V, shape, entries_of<V, source, variables>>;
  using memory_type = typename batch::template over<finished>::memory_type;
  using result = typename results::type;

  template <bool Existing>
  static bool into(result& r, const verb_type& called, const Args&... args) {
    const bool done = with_memory_in<Existing, memory_type>(r, [&](memory_type& memory) {
      const auto place = [&](const auto& to) { results::place(to, r); };
      return batch::template run<Existing, finished>(memory, place, further_values(called.further()), args...);
    });
    if (done) {
      if constexpr (V.with_value && (V.what == derives::gradient || V.what == derives::hessian))
        conjugate_complex(r.gradient);
      else if constexpr (V.what == derives::gradient || V.what == derives::pullback ||
                         V.what == derives::hessian_product)
        conjugate_complex(r);
    }
    return done;
  }
};

template <class G>
inline constexpr bool is_formula_verb = false;
template <verb V, class F, class Variables, class Policy, class Further>
inline constexpr bool is_formula_verb<formula_verb<V, F, Variables, Policy, Further>> = true;
template <class G>
inline constexpr bool is_function_verb = false;
template <verb V, class F, class Positions, class Policy, class Further>
inline constexpr bool is_function_verb<function_verb<V, F, Positions, Policy, Further>> = true;
/// Whether it is called with a function's arguments without being a verb.
template <class G>
inline constexpr bool is_check = requires { typename G::asked_positions; } && !is_function_verb<G>;

/// A batched call: an execution policy and `into(r)` come before the function's arguments.
template <class Verb, class... Args>
struct batched_function_call_of {
  using call = batched_function_verb<Verb, Args...>;
  static auto run(const Verb& verb, const Args&... args) {
    typename call::result r{};
    call::template into<false>(r, verb, args...);
    return r;
  }
};
template <class Verb, Execution_policy Policy, class... Args>
struct batched_function_call_of<Verb, Policy, Args...> : batched_function_call_of<Verb, Args...> {
  static auto run(const Verb& verb, const Policy&, const Args&... args) {
    return batched_function_call_of<Verb, Args...>::run(verb, args...);
  }
};
template <class Verb, class R, class... Args>
struct batched_function_call_of<Verb, into_result<R>, Args...> : batched_function_call_of<Verb, Args...> {
  static void run(const Verb& verb, const into_result<R>& to, const Args&... args) {
    using call = batched_function_verb<Verb, Args...>;
    constexpr bool fits = std::is_same_v<R, typename call::result>;
    static_assert(fits, "tapeless: into(r) takes the result of the same call: arguments of the same types");
    if constexpr (fits) {
      if (call::template into<true>(*to.result, verb, args...)) return;
      R apart{};
      call::template into<false>(apart, verb, args...);
      *to.result = apart;
    }
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
    using call = detail::batched_function_call_of<Verb, Args...>;
    using problem = typename detail::batched_call_problem<Verb, Args...>::type;
    constexpr bool fits = std::is_void_v<problem>;
    static_assert(detail::is_not<error::batched_loop, problem>,
                  "tapeless: batched runs no scan, which has one length for each call; call the verb itself with each "
                  "sequence, or take constants for lengths");
    static_assert(fits || !detail::is_not<error::batched_loop, problem>,
                  "tapeless: batched calls the function with an element of each array, which it does not take; call "
                  "the verb itself with one element to see why");
    if constexpr (fits)
      return call::run(verb_, args...);
    else
      return detail::no_result{};
  }
};

}  // namespace tapeless::inline TAPELESS_TARGET

#endif
