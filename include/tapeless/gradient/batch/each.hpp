#pragma once

#include <tapeless/core/no_result.hpp>
#include <tapeless/core/target.hpp>
#include <tapeless/core/tensor_binding.hpp>
#include <tapeless/gradient/tensor/tensor_function.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tapeless {

namespace detail {

/// What `batched` takes element by element; made by `each`. A view is held by value.
template <class A>
class each_argument {
  held_t<A> argument_;

 public:
  explicit each_argument(const A& argument) : argument_(hold(argument)) {}
  const A& get() const { return argument_.get(); }

  template <class V>
  static constexpr no_result bound_to(V) {
    static_assert(always_false<V>,
                  "tapeless: each(x) is an argument of a function; a batched formula takes arrays element by element "
                  "without it: x = xs [TL245]");
    return {};
  }
};
template <class A>
inline constexpr bool is_each = is_instance_of<each_argument, A>;

template <class A>
const auto& without_mark(const A& argument) {
  if constexpr (is_each<A>)
    return argument.get();
  else
    return argument;
}
template <class A>
using without_mark_t = std::remove_cvref_t<decltype(without_mark(std::declval<const A&>()))>;

/// A tensor along the axis of the elements: the first of its own, or, where all `count` elements have it `Whole`, one
/// before them, so that each element has a derivative by it.
template <class X, bool Whole>
struct tensor_of_batch {
  using value_type = typename tensor_traits<X>::element;
  held_t<X> tensor;
  std::ptrdiff_t count;
};

}  // namespace detail

template <class X, bool Whole>
inline constexpr bool is_tensor<detail::tensor_of_batch<X, Whole>> = true;
template <class X, bool Whole>
inline constexpr bool is_tensor_view<detail::tensor_of_batch<X, Whole>> = true;

template <class X, bool Whole>
struct tensor_traits<detail::tensor_of_batch<X, Whole>> {
  using traits = tensor_traits<X>;
  using element = typename traits::element;
  using tensor = detail::tensor_of_batch<X, Whole>;
  static constexpr int further = Whole ? 1 : 0, rank = traits::rank + further;
  static constexpr bool column_major = !Whole && traits::column_major, of_batch = true;
  static constexpr auto extents = [] {
    std::array<std::ptrdiff_t, static_cast<std::size_t>(rank)> result{};
    if constexpr (Whole) result[0] = -1;
    std::copy(traits::extents.begin(), traits::extents.end(), result.begin() + further);
    return result;
  }();
  static const element* data(const tensor& all) { return traits::data(all.tensor.get()); }
  static std::ptrdiff_t extent(const tensor& all, int axis) {
    return axis < further ? all.count : traits::extent(all.tensor.get(), axis - further);
  }
  static std::ptrdiff_t stride(const tensor& all, int axis) {
    return axis < further ? 0 : traits::stride(all.tensor.get(), axis - further);
  }
  template <class U>
  using result = typename detail::value_container<U, rank>::type;
};

/// In the call of `batched(verb)`, an argument of which each element gets one along the first axis: a tensor, or a
/// structure of tensors. All other arguments are then the same for all elements: `batched(gradient(loss, wrt<0>))(w,
/// each(x), each(t))` is the gradient of the loss of each pair of x[i] and t[i] with respect to w, as a tensor with the
/// axis of the elements first. It refers to `x`, and copies nothing.
template <class A>
auto each(const A& x) {
  return detail::each_argument<A>(x);
}
template <class A>
  requires(!is_tensor_view<A>)
detail::each_argument<A> each(const A&&) = delete;  // tapeless: give the temporary a name [TL181]

namespace detail::inline TAPELESS_TARGET {

/// A container of a derivative: with the axis of the elements, if the argument does not have it.
template <class T, bool Each>
struct batch_derivative {
  template <int Rank>
  using at = typename value_container<T, Rank + (Each ? 0 : 1)>::type;
  template <int Rank>
  using complex_at = typename value_container<std::complex<T>, Rank + (Each ? 0 : 1)>::type;
};

/// Results of the verb `V` of a function over tensors for the elements of a batch. `Marks` tells which arguments have
/// the axis of the elements.
template <verb V, class F, class Positions, class Marks, class... Args>
struct batched_tensors;
template <verb V, class F, std::size_t... P, bool... Each, class... Args>
struct batched_tensors<V, F, std::index_sequence<P...>, std::integer_sequence<bool, Each...>, Args...>
    : positional_tensors<F, std::index_sequence<P...>, Args...> {
  using base = positional_tensors<F, std::index_sequence<P...>, Args...>;
  using typename base::formula;
  using typename base::layout;
  using typename base::leaves;
  static constexpr int value_rank = 1;
  static constexpr std::array<bool, sizeof...(Args)> has_axis{Each...};
  template <std::size_t L>
  static constexpr bool leaf_has_axis = has_axis[layout::position(L)];
  template <std::size_t L>
  static constexpr bool is_asked = V.what != derives::nothing && ((layout::position(L) == P) || ...);

  /// How many elements there are.
  static std::ptrdiff_t count(const formula& f) {
    std::ptrdiff_t result = 1;
    for_each_index<leaves::size>([&]<std::size_t L>(std::integral_constant<std::size_t, L>) {
      if constexpr (leaf_has_axis<L>) {
        const auto& leaf = layout::template leaf<L>(f.arguments);
        const std::ptrdiff_t own = tensor_traits<typename leaves::template type<L>>::extent(leaf, 0);
        result = result == 1 ? own : result;
      }
    });
    return result;
  }

  template <std::size_t L, class X>
  static auto along_batch(const X& leaf, std::ptrdiff_t elements) {
    return tensor_of_batch<X, !leaf_has_axis<L>>{hold(leaf), elements};
  }
  template <std::size_t L>
  static auto in_shape(const formula& f) {
    return along_batch<L>(layout::template leaf<L>(f.arguments), count(f));
  }
  using argument_bindings = batched_tensors;
  template <std::size_t L>
  static auto bind(const std::tuple<const Args&...>& arguments) {
    if constexpr (leaf_has_axis<L> ||
                  (is_asked<L> && !leaves::template is_index<L> && !is_constant<typename leaves::template type<L>>))
      return std::tuple(typename base::template variable<L>{} = in_shape<L>(formula{arguments}));
    else
      return base::argument_bindings::template bind<L>(arguments);
  }
  /// Tangents are those of the arguments; a cotangent has the axis of the elements.
  template <std::size_t L, class X>
  static auto bind_tangent(const formula& f, const X& value) {
    return std::tuple(typename base::template variable<L>{} = along_batch<L>(value, count(f)));
  }

  template <class T>
  using gradient_type = one_or_tuple<typename replaced_by_rank<batch_derivative<T, has_axis[P]>>::template to<
      typename layout::template argument<P>>...>;
  template <class Call>
  using arranged = typename base::template arranged_as<Call, batched_tensors>;
};

/// The call of a verb with arguments of which some are `each`.
template <class Verb, class... Args>
struct call_with_each;
template <verb V, class F, class Asked, class Policy, class Given, class... Args>
struct call_with_each<function_verb<V, F, Asked, Policy, Given>, Args...> {
  using Verb = function_verb<V, F, Asked, Policy, Given>;
  using positions = positions_of<Asked, Args...>;
  using form = batched_tensors<V, F, positions, std::integer_sequence<bool, is_each<Args>...>, without_mark_t<Args>...>;
  using call = positional_call<V, form, Given>;
  /// What the verb itself would say of these arguments.
  using problem_of_whole = decltype(traced_call_problem<Verb, F, without_mark_t<Args>...>(positions{}));
  static constexpr bool fits_whole = std::is_void_v<typename problem_of_whole::type>;
  template <std::size_t... P>
  static constexpr bool by_records(std::index_sequence<P...>) {
    return V.what != derives::nothing && (Record_sequence<without_mark_t<typename type_at<P, Args...>::type>> || ...);
  }
  static constexpr auto find_problem() {
    if constexpr (!fits_whole)
      return problem_of_whole{};
    else if constexpr (V.is_matrix() || by_records(positions{}))
      return wrong<fault::call_not_over_tensors, F>{};
    else
      return call::find_problem();
  }
  using problem = typename decltype(find_problem())::type;

  template <class Engine, class To>
  static auto run(const Engine& engine, const To& to, const Verb& verb, const Args&... args) {
    return call::run(engine, to, verb, without_mark(args)...);
  }
};

}  // namespace detail::inline TAPELESS_TARGET

}  // namespace tapeless
