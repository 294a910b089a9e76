#ifndef TAPELESS_GRADIENT_BATCHED_FUNCTION_HPP
#define TAPELESS_GRADIENT_BATCHED_FUNCTION_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/core/target.hpp>
#include <tapeless/gradient/batch.hpp>
#include <tapeless/gradient/function.hpp>
#include <tapeless/gradient/gradient.hpp>
#include <tapeless/gradient/jacobian.hpp>

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

/// The batch of a traced function of these arguments.
template <class... Args>
struct function_batch {
  template <class A>
  using element = typename batch_argument<A>::element;
  using layout = argument_layout<element<Args>...>;
  using T = common_real_t<typename shape_of<element<Args>>::number...>;
  using leaves = typename leaves_of_arguments<0, std::index_sequence_for<Args...>, Args...>::type;
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
  template <bool Existing, class P, class Place>
  static bool run(Place place, const Args&... args) {
    using batch = over<P>;
    typename batch::memory_type memory;
    const auto bind = [&](typename batch::inputs& inputs) {
      std::size_t variable = 0, position = 0;
      const auto read = [&](const auto* from, const auto& extents, const auto& strides) {
        bound_tensor<T>& to = inputs.tensors[variable];
        to.name = position_name(position);
        to.tangent = false;
        to.rank = static_cast<int>(extents.size());
        std::ptrdiff_t count = 1;
        for (std::size_t i = 0; i < extents.size(); ++i) {
          to.extents[i] = extents[i];
          to.strides[i] = strides[i];
          count *= extents[i];
        }
        inputs.read_from(memory.converted[variable], from, to, count);
        ++variable;
      };
      ((batch_argument<Args>::visit(args, read), ++position), ...);
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

/// A traced function's own values as a verb.
template <class F>
struct function_values {
  static constexpr bool one_output = false, passes_integers = true;
  template <class...>
  static constexpr bool fits = true;
  template <class Source, class Variables>
  using evaluated = program::finished<Source, 0, Source::value.outputs.size()>;
};

/// What the calls of a verb over arrays have in common. No positions mean all.
template <class Verb, class F, class Positions, class... Args>
struct batched_call_of {
  using batch = function_batch<Args...>;
  using T = typename batch::T;
  using layout = typename batch::layout;
  using positions = std::conditional_t<Positions::size() == 0, std::index_sequence_for<Args...>, Positions>;
  using problem =
      typename decltype(function_call_problem<Verb, F, typename batch::template element<Args>...>(positions{}))::type;
  using source = traced_program<F, typename batch::template element<Args>...>;

  template <std::size_t... P>
  static constexpr auto find_program(std::index_sequence<P...>) {
    return std::type_identity<typename Verb::template evaluated<source, typename layout::template variables<P...>>>{};
  }
  template <bool Existing, class Place>
  static bool run(Place place, const Args&... args) {
    return batch::template run<Existing, typename decltype(find_program(positions{}))::type>(place, args...);
  }
};

/// What a verb, or a function, gives over arrays.
template <class Verb>
struct batched_function_verb;

template <class F, bool WithValue, std::size_t... Positions>
struct batched_function_verb<function_gradient<F, WithValue, Positions...>> {
  template <class... Args>
  struct call
      : batched_call_of<function_gradient<F, WithValue, Positions...>, F, std::index_sequence<Positions...>, Args...> {
    using base = typename call::batched_call_of;
    using typename base::batch, typename base::layout, typename base::positions;

    template <std::size_t P>
    using gradient =
        typename batch_argument<typename type_at<P, Args...>::type>::template gradient<typename base::T,
                                                                                       typename batch::container>;
    template <std::size_t... P>
    static constexpr auto find_gradients(std::index_sequence<P...>) {
      if constexpr (sizeof...(P) == 1)
        return type_at<0, std::type_identity<gradient<P>>...>{};
      else
        return std::type_identity<std::type_identity<std::tuple<gradient<P>...>>>{};
    }
    using gradients = typename decltype(find_gradients(positions{}))::type::type;
    using result =
        std::conditional_t<WithValue, value_and_gradient_result<typename batch::container, gradients>, gradients>;

    template <bool Existing>
    static bool into(result& r, const Args&... args) {
      const auto place = [&](const auto& outputs) {
        if constexpr (WithValue) {
          outputs(0, r.value);
          place_gradients(outputs, 1, r.gradient, positions{});
        } else {
          place_gradients(outputs, 0, r, positions{});
        }
      };
      return base::template run<Existing>(place, args...);
    }

   private:
    template <class Outputs, std::size_t... P>
    static void place_gradients(const Outputs& outputs, std::size_t first, gradients& to, std::index_sequence<P...>) {
      const auto one = [&]<std::size_t Q>(auto& gradient) {
        place_gradient<typename type_at<Q, Args...>::type>(outputs, first, gradient);
        first += layout::sizes[Q];
      };
      if constexpr (sizeof...(P) == 1)
        (one.template operator()<P>(to), ...);
      else
        std::apply([&](auto&... each) { (one.template operator()<P>(each), ...); }, to);
    }
  };
};

template <class F, bool WithValue, std::size_t... Positions>
struct batched_function_verb<function_jacobian<F, WithValue, Positions...>> {
  template <class... Args>
  struct call
      : batched_call_of<function_jacobian<F, WithValue, Positions...>, F, std::index_sequence<Positions...>, Args...> {
    using base = typename call::batched_call_of;
    using typename base::positions, typename base::T;

    template <std::size_t... P>
    static constexpr std::size_t count(std::index_sequence<P...>) {
      return (base::layout::sizes[P] + ... + 0);
    }
    static constexpr std::size_t rows = base::source::value.outputs.size(), columns = count(positions{});
    using values = std::vector<std::array<T, rows>>;
    using jacobians = std::vector<std::array<std::array<T, columns>, rows>>;
    using result = std::conditional_t<WithValue, value_and_jacobian_result<values, jacobians>, jacobians>;

    template <bool Existing>
    static bool into(result& r, const Args&... args) {
      const auto place = [&](const auto& outputs) {
        if constexpr (WithValue) {
          place_elements(outputs, 0, r.value);
          place_elements(outputs, rows, r.jacobian);
        } else {
          place_elements(outputs, 0, r);
        }
      };
      return base::template run<Existing>(place, args...);
    }
  };
};

/// A function that returns a number gives an array, another a vector of `std::array`s.
template <Function F>
struct batched_function_verb<F> {
  template <class... Args>
  struct call : batched_call_of<function_values<F>, F, std::index_sequence<>, Args...> {
    using base = typename call::batched_call_of;
    static constexpr std::size_t rows = base::source::value.outputs.size();
    using result =
        std::conditional_t<rows == 1, typename base::batch::container, std::vector<std::array<typename base::T, rows>>>;

    template <bool Existing>
    static bool into(result& r, const Args&... args) {
      const auto place = [&](const auto& outputs) {
        if constexpr (rows == 1)
          outputs(0, r);
        else
          place_elements(outputs, 0, r);
      };
      return base::template run<Existing>(place, args...);
    }
  };
};

}  // namespace tapeless::detail

namespace tapeless::inline TAPELESS_TARGET {

/// A verb of a traced function over arrays; made by `batched`.
template <class G>
class batched_function_call {
  template <class... Args>
  using call = typename detail::batched_function_verb<G>::template call<Args...>;

 public:
  template <class... Args>
  auto operator()(const Args&... args) const {
    constexpr bool fits = std::is_void_v<typename call<Args...>::problem>;
    static_assert(fits,
                  "tapeless: batched calls the function with an element of each array, which it does not take; call "
                  "the verb itself with one element to see why");
    if constexpr (fits) {
      typename call<Args...>::result r{};
      call<Args...>::template into<false>(r, args...);
      return r;
    } else {
      return detail::no_result{};
    }
  }
  /// The same into an existing result.
  template <class Result, class... Args>
  void operator()(const into_result<Result>& to, const Args&... args) const {
    // What is wrong with the arguments, the call without a result reports.
    if constexpr (!std::is_void_v<typename call<Args...>::problem>) {
      static_cast<void>((*this)(args...));
    } else {
      constexpr bool fits = std::is_same_v<Result, typename call<Args...>::result>;
      static_assert(fits, "tapeless: into(r) takes the result of the same call: arguments of the same types");
      if constexpr (fits) {
        if (call<Args...>::template into<true>(*to.result, args...)) return;
        Result apart{};
        call<Args...>::template into<false>(apart, args...);
        *to.result = apart;
      }
    }
  }
};

}  // namespace tapeless::inline TAPELESS_TARGET

#endif
