#pragma once

#include <tapeless/core/always_inline.hpp>
#include <tapeless/core/apply.hpp>
#include <tapeless/core/constant.hpp>
#include <tapeless/core/map_structure.hpp>
#include <tapeless/core/sequence.hpp>
#include <tapeless/core/structure.hpp>
#include <tapeless/core/tensor_binding.hpp>
#include <tapeless/gradient/number_type.hpp>
#include <tapeless/gradient/problem.hpp>
#include <tapeless/program/lower/trace.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace tapeless {

template <class T>
struct complex;

namespace detail {

template <class T>
inline constexpr bool is_vector = is_std_vector<T>;
template <class T>
inline constexpr bool is_vector<std::span<T, std::dynamic_extent>> = true;

/// A span whose extent the type tells: numbers, as a `std::array` is, with the header of tensors or without.
template <class T>
inline constexpr bool is_fixed_span = false;
template <class T, std::size_t N>
  requires(N != std::dynamic_extent)
inline constexpr bool is_fixed_span<std::span<T, N>> = true;

/// A vector or a span of numbers, and one of arrays or structs of numbers.
template <class T>
concept Number_vector = is_vector<T> && Numeric<std::remove_cv_t<typename T::value_type>>;
template <class T>
concept Record_vector = is_vector<T> && (Structure<std::remove_cv_t<typename T::value_type>> ||
                                         (Complex_number<std::remove_cv_t<typename T::value_type>> && !is_tensor<T>));

/// A matrix as the sequence of its rows: matrix_rows.hpp.
template <class T>
inline constexpr bool is_matrix_rows = false;

/// A sequence of records: a number of each is a sequence too.
template <class T>
concept Record_sequence = Record_vector<T> || is_matrix_rows<T>;

/// Number `I` of each record of a vector.
template <std::size_t I, class V>
struct record_column {
  V* records;
};

template <class T>
inline constexpr bool is_record_column = false;
template <std::size_t I, class V>
inline constexpr bool is_record_column<record_column<I, V>> = true;

/// What a loop of run-time length reads an element a step of.
template <class T>
concept Sequence_argument =
    is_record_column<T> || Number_vector<T> || (is_tensor<T> && !is_fixed_span<T> && !Structure<T> && !Numeric<T>);

/// The numbers `at(i)` as a sequence of numbers of type `T`: where they lie if that is their type and their distance is
/// a whole number of them, else converted.
template <class T, class At>
constexpr scalar::sequence<T> sequence_at(std::size_t size, const At& at) {
  using U = std::remove_cvref_t<decltype(at(0))>;
  if constexpr (std::is_same_v<T, U>)
    if (!std::is_constant_evaluated()) {
      if (size < 2) return {size ? &at(0) : nullptr, 1, size};
      const auto apart = reinterpret_cast<const char*>(&at(1)) - reinterpret_cast<const char*>(&at(0));
      constexpr auto bytes = static_cast<std::ptrdiff_t>(sizeof(T));
      if (apart % bytes == 0) return {&at(0), apart / bytes, size};
    }
  auto result = scalar::sequence<T>::owning(size, 1, size);
  for (std::size_t i = 0; i < size; ++i) result.memory()[i] = static_cast<T>(at(i));
  return result;
}
/// Those from `first` on, `stride` numbers apart.
template <class T, class U>
constexpr scalar::sequence<T> sequence_at(std::size_t size, const U* first, std::ptrdiff_t stride) {
  return sequence_at<T>(size,
                        [&](std::size_t i) -> const U& { return first[static_cast<std::ptrdiff_t>(i) * stride]; });
}

template <std::size_t I, class R>
struct part_of_records;

}  // namespace detail

/// A sequence of records, `R` an array or a struct, in a traced function: `scan` gives its body one of them a step, and
/// `const auto [a, b] = records` has a sequence for each member.
template <class R, std::size_t N>
class traced_records {
  std::array<traced, N> columns_{};

 public:
  constexpr traced_records() = default;
  constexpr explicit traced_records(const std::array<traced, N>& columns) : columns_(columns) {}
  constexpr const std::array<traced, N>& columns() const { return columns_; }
  template <std::size_t I>
  friend constexpr auto get(const traced_records& records) {
    return detail::part_of_records<I, R>::of(records.columns_);
  }
};

namespace detail {

template <class T>
inline constexpr bool is_records = false;
template <class R, std::size_t N>
inline constexpr bool is_records<traced_records<R, N>> = true;

template <class T>
struct shape_of;

/// One type itself, several as a tuple.
template <class... Ts>
using one_or_tuple =
    typename std::conditional_t<sizeof...(Ts) == 1, type_at<0, Ts...>, std::type_identity<std::tuple<Ts...>>>::type;

/// How the numbers of the arguments `Args` follow each other as the variables of a traced program. Integers among them
/// are variables without a derivative.
template <class... Args>
struct argument_layout {
  template <std::size_t P>
  using argument = typename type_at<P, Args...>::type;
  template <std::size_t P>
  using shape = shape_of<argument<P>>;

  /// The first variable of each argument; then how many there are.
  static constexpr auto firsts = [] {
    std::array<std::size_t, sizeof...(Args) + 1> result{};
    [[maybe_unused]] std::size_t next = 0;
    ((result[next + 1] = result[next] + shape_of<Args>::size, ++next), ...);
    return result;
  }();
  static constexpr std::size_t size = firsts.back();
  /// How many of them have derivatives, by argument.
  static constexpr std::array<std::size_t, sizeof...(Args)> sizes{shape_of<Args>::derivatives...};
  static constexpr std::size_t derivatives = (shape_of<Args>::derivatives + ... + 0);

  static constexpr std::size_t first(std::size_t position) { return firsts[position]; }
  /// The argument that variable number `variable` belongs to.
  static constexpr std::size_t position(std::size_t variable) {
    std::size_t p = 0;
    while (variable >= first(p + 1)) ++p;
    return p;
  }
  /// Variable number `I` in the arguments themselves, a tuple.
  template <std::size_t I, class Arguments>
  TAPELESS_ALWAYS_INLINE static constexpr decltype(auto) leaf(const Arguments& arguments) {
    constexpr std::size_t p = position(I);
    return shape<p>::template element<I - first(p)>(std::get<p>(arguments));
  }
  /// How many derivatives the positions `Ps` before the first that is `P` have.
  template <std::size_t P, std::size_t... Ps>
  static constexpr std::size_t size_before = [] {
    std::size_t result = 0;
    static_cast<void>(((Ps == P ? true : (result += sizes[Ps], false)) || ...));
    return result;
  }();

  template <std::size_t... P>
  static constexpr auto variable_indices() {
    std::array<int, (sizes[P] + ... + 0)> result{};
    std::size_t next = 0;
    const auto append = [&]<std::size_t Q>() {
      for (std::size_t element = 0; element < shape<Q>::size; ++element)
        if (shape<Q>::has_derivative(element)) result[next++] = static_cast<int>(first(Q) + element);
    };
    (append.template operator()<P>(), ...);
    return result;
  }
  template <std::size_t... P, std::size_t... I>
  static constexpr auto to_sequence(std::index_sequence<I...>) {
    constexpr auto indices = variable_indices<P...>();
    return std::integer_sequence<int, indices[I]...>{};
  }
  /// The variables with derivatives of the arguments at positions `P`, in order.
  template <std::size_t... P>
  using variables = decltype(to_sequence<P...>(std::make_index_sequence<(sizes[P] + ... + 0)>{}));

  /// Where those stand among the numbers of the arguments at positions `P` alone.
  template <std::size_t... P>
  static constexpr auto places() {
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return typename argument_layout<typename type_at<P, Args...>::type...>::template variables<I...>{};
    }(std::make_index_sequence<sizeof...(P)>{});
  }

  /// The gradients of the arguments at positions `P`, of one argument the gradient itself, from the outputs of an
  /// evaluation, `First` on.
  template <class T, std::size_t First, std::size_t... P, class Evaluation>
  TAPELESS_ALWAYS_INLINE static constexpr auto read(const Evaluation& done) {
    if constexpr (sizeof...(P) == 1)
      return (shape<P>::template read<T, First>(done), ...);
    else
      return std::tuple<typename shape<P>::template gradient_type<T>...>(
          shape<P>::template read<T, First + size_before<P, P...>>(done)...);
  }
};

/// What the shapes of arguments that are one variable of a traced function have in common.
template <class T, bool Differentiable>
struct shape_of_variable {
  /// Whether it has to do with tensors: tensor_argument.hpp.
  static constexpr bool over_tensors = false;
  static constexpr std::size_t size = 1, derivatives = Differentiable ? 1 : 0;
  using traced_type = traced;

  static constexpr bool has_derivative(std::size_t) { return Differentiable; }
  static constexpr traced trace(program::builder& graph, int first) { return traced(graph, graph.variable(first)); }
  template <std::size_t I>
  TAPELESS_ALWAYS_INLINE static constexpr const T& element(const T& argument) {
    return argument;
  }
};

/// Whether a number has a derivative: one that is no integer, a value of the function that calls a verb, or a constant.
template <class T>
inline constexpr bool is_differentiable = Real<T> || std::same_as<T, traced> || is_constant<T>;

/// Values of a function that calls a verb, which can be sequences.
template <class T>
inline constexpr bool can_be_sequence = std::same_as<T, traced> || std::same_as<T, complex<traced>>;

/// The shape of an argument of a traced function: here one number, also the `Zero` of a gradient; below what holds
/// numbers.
template <class T>
struct shape_of : shape_of_variable<T, is_differentiable<T>> {
  static constexpr bool valid = Numeric<T> || is_differentiable<T>;
  using problem = std::conditional_t<valid, void,
                                     std::conditional_t<std::is_class_v<T>, error::at<fault::struct_not_adapted, T>,
                                                        error::at<fault::argument_is_no_number, T>>>;
  using number = T;
  /// The type of the argument's gradient: in numbers of type `U`, or where that is `void` in those of the argument.
  template <class U>
  using gradient_type =
      std::conditional_t<std::is_void_v<U> || !is_differentiable<T>, std::conditional_t<is_constant<T>, double, T>, U>;
  /// The argument's gradient from the outputs of an evaluation, `First` on. An integer has the derivative 0.
  template <class U, std::size_t First, class Evaluation>
  TAPELESS_ALWAYS_INLINE static constexpr gradient_type<U> read(const Evaluation& done) {
    if constexpr (is_differentiable<T>)
      return static_cast<gradient_type<U>>(done.template output<First>());
    else
      return T(0);
  }
};

/// The types of arguments as a traced function sees them.
struct tracing {
  template <class T>
  struct other {
    using traced_type = T;
  };
  template <class T>
  using to = typename std::conditional_t<shape_of<T>::valid || Structure<T> || is_tensor<T> || is_vector<T> ||
                                             is_fixed_span<T>,
                                         shape_of<T>, other<T>>::traced_type;
};

template <class T, std::size_t N>
struct shape_of<std::array<T, N>> {
  using problem = typename shape_of<T>::problem;
  static constexpr bool valid = shape_of<T>::valid, over_tensors = shape_of<T>::over_tensors;
  static constexpr std::size_t size = N * shape_of<T>::size, derivatives = N * shape_of<T>::derivatives;
  using number = typename shape_of<T>::number;
  using traced_type = std::array<tracing::to<T>, N>;

  static constexpr bool has_derivative(std::size_t i) { return shape_of<T>::has_derivative(i % shape_of<T>::size); }
  static constexpr traced_type trace(program::builder& graph, int first) {
    traced_type result;
    for (std::size_t i = 0; i < N; ++i)
      result[i] = shape_of<T>::trace(graph, first + static_cast<int>(i * shape_of<T>::size));
    return result;
  }
  /// Also of a C array or a span.
  template <std::size_t I, class Array>
  TAPELESS_ALWAYS_INLINE static constexpr decltype(auto) element(const Array& argument) {
    return shape_of<T>::template element<I % shape_of<T>::size>(argument[I / shape_of<T>::size]);
  }
  template <class U>
  using gradient_type = std::array<typename shape_of<T>::template gradient_type<U>, N>;
  template <class U, std::size_t First, class Evaluation>
  TAPELESS_ALWAYS_INLINE static constexpr gradient_type<U> read(const Evaluation& done) {
    return elements<U, First>(done, std::make_index_sequence<N>{});
  }

 private:
  template <class U, std::size_t First, class Evaluation, std::size_t... I>
  TAPELESS_ALWAYS_INLINE static constexpr gradient_type<U> elements(const Evaluation& done, std::index_sequence<I...>) {
    return {shape_of<T>::template read<U, First + I * shape_of<T>::derivatives>(done)...};
  }
};

/// C arrays and spans of fixed extent are arrays of numbers, and so are their gradients.
template <class T>
struct as_array {
  using type = T;
};
template <class T, std::size_t N>
struct as_array<T[N]> {
  using type = std::array<typename as_array<std::remove_const_t<T>>::type, N>;
};
template <class T, std::size_t N>
  requires(N != std::dynamic_extent)
struct as_array<std::span<T, N>> {
  using type = std::array<typename as_array<std::remove_const_t<T>>::type, N>;
};
template <class T>
using as_array_t = typename as_array<T>::type;
template <class T, std::size_t N>
struct shape_of<T[N]> : shape_of<as_array_t<T[N]>> {};
/// One of characters is a text.
template <class T, std::size_t N>
  requires(std::is_same_v<T, char> || std::is_same_v<T, wchar_t> || std::is_same_v<T, char8_t> ||
           std::is_same_v<T, char16_t> || std::is_same_v<T, char32_t>)
struct shape_of<T[N]> : shape_of<as_array_t<T[N]>> {
  using problem = error::at<fault::argument_is_no_number, T[N]>;
  static constexpr bool valid = false;
};
template <class T, std::size_t N>
  requires(N != std::dynamic_extent)
struct shape_of<std::span<T, N>> : shape_of<as_array_t<std::span<T, N>>> {};

/// A tuple or a struct, whose gradient is the same struct.
template <class S, class = std::make_index_sequence<structure<S>::size>>
struct shape_of_members;
template <class S, std::size_t... I>
struct shape_of_members<S, std::index_sequence<I...>> {
  template <std::size_t J>
  using member = typename structure<S>::template member<J>;
  template <std::size_t J>
  using shape = shape_of<member<J>>;
  using layout = argument_layout<member<I>...>;
  using traced_type = typename mapped_structure<S, tracing>::type;

  static constexpr bool valid = (shape<I>::valid && ...), over_tensors = (shape<I>::over_tensors || ...);
  static constexpr std::size_t size = layout::size, derivatives = layout::derivatives;
  using number = std::conditional_t<((Real<typename shape<I>::number> || is_traced<typename shape<I>::number>) || ...),
                                    common_real_t<typename shape<I>::number...>, int>;

  static constexpr auto find_problem() {
    using members = decltype(first_problem(std::type_identity<typename shape<I>::problem>{}...));
    if constexpr (!std::is_void_v<typename members::type>)
      return members{};
    else if constexpr (Adapted_struct<S> && !is_instance_of<mapped_struct, traced_type> &&
                       !is_instance_of<mapped_struct_with_names, traced_type> &&
                       sizeof(traced_type) != size * sizeof(traced))
      return wrong<fault::struct_has_other_members, S>{};
    else
      return std::type_identity<void>{};
  }
  using problem = typename decltype(find_problem())::type;

  static constexpr bool has_derivative(std::size_t i) {
    const std::size_t position = layout::position(i);
    return ((I == position && shape<I>::has_derivative(i - layout::first(I))) || ...);
  }
  static constexpr traced_type trace(program::builder& graph, int first) {
    // Braces: the members are numbered from left to right.
    const std::tuple<typename shape<I>::traced_type...> members{
        shape<I>::trace(graph, first + static_cast<int>(layout::first(I)))...};
    return make_structure<traced_type>(std::get<I>(members)...);
  }
  template <std::size_t J>
  TAPELESS_ALWAYS_INLINE static constexpr decltype(auto) element(const S& argument) {
    constexpr std::size_t position = layout::position(J);
    return shape<position>::template element<J - layout::first(position)>(
        structure<S>::template get<position>(argument));
  }

  template <class U>
  struct in_numbers {
    template <class T>
    using to = typename shape_of<T>::template gradient_type<U>;
  };
  template <class U>
  static constexpr auto find_gradient_type() {
    if constexpr (is_struct<S> && over_tensors)
      return std::type_identity<typename mapped_structure<S, in_numbers<void>>::type>{};
    else if constexpr (is_struct<S>)
      return std::type_identity<S>{};
    else
      return std::type_identity<typename mapped_structure<S, in_numbers<U>>::type>{};
  }
  template <class U>
  using gradient_type = typename decltype(find_gradient_type<U>())::type;
  template <class U, std::size_t First, class Evaluation>
  TAPELESS_ALWAYS_INLINE static constexpr gradient_type<U> read(const Evaluation& done) {
    using in = std::conditional_t<is_struct<S>, void, U>;
    return make_structure<gradient_type<U>>(
        shape<I>::template read<in, First + layout::template size_before<I, I...>>(done)...);
  }
};
template <Structure S>
struct shape_of<S> : shape_of_members<S> {};

/// The gradient by a complex number is conjugate, as in JAX.
template <class T>
struct shape_of<complex<T>> : shape_of_members<complex<T>> {
  template <class U, std::size_t First, class Evaluation>
  TAPELESS_ALWAYS_INLINE static constexpr complex<T> read(const Evaluation& done) {
    return conj(shape_of_members<complex<T>>::template read<U, First>(done));
  }
};
/// What is a `complex` in a traced function, of numbers of type `T`.
template <class T, bool OverTensors>
struct shape_of_complex {
  using number = T;
  using problem = void;
  using traced_type = complex<traced>;
  static constexpr bool valid = !OverTensors, over_tensors = OverTensors;
  static constexpr std::size_t size = 2, derivatives = 2;
  static constexpr std::array<std::string_view, 2> parts{".re", ".im"};

  static constexpr bool has_derivative(std::size_t) { return true; }
};

/// A number like `std::complex`. The standard says that it is an array of its parts.
template <template <class> class C, class T>
  requires Complex_number<C<T>>
struct shape_of<C<T>> : shape_of_complex<T, false> {
  using typename shape_of_complex<T, false>::traced_type;

  static constexpr traced_type trace(program::builder& graph, int first) {
    return shape_of<complex<T>>::trace(graph, first);
  }
  template <std::size_t I>
  TAPELESS_ALWAYS_INLINE static const T& element(const C<T>& argument) {
    return reinterpret_cast<const T(&)[2]>(argument)[I];
  }
  template <class U>
  using gradient_type = C<std::conditional_t<std::is_void_v<U>, T, U>>;
  template <class U, std::size_t First, class Evaluation>
  TAPELESS_ALWAYS_INLINE static constexpr gradient_type<U> read(const Evaluation& done) {
    using part = typename gradient_type<U>::value_type;
    return {static_cast<part>(done.template output<First>()), -static_cast<part>(done.template output<First + 1>())};
  }
};

/// An element each of the sequences that are the outputs of an evaluation from number `First` on, as its outputs.
template <std::size_t First, class Evaluation>
struct element_of_outputs {
  const Evaluation& done;
  std::size_t index;

  template <std::size_t I>
  constexpr auto output() const {
    return done.template output<First + I>()[index];
  }
};

/// A vector of numbers: a sequence that a loop reads. The gradient by it is a vector of the same length.
template <class V>
  requires(Number_vector<V> && !is_tensor<V>)
struct shape_of<V> : shape_of_variable<V, Real<std::remove_cv_t<typename V::value_type>>> {
  using problem = void;
  using number = std::remove_cv_t<typename V::value_type>;
  static constexpr bool valid = false;

  static constexpr traced trace(program::builder& graph, int first) {
    return traced(graph, graph.sequence_variable(first));
  }
  template <class U>
  using gradient_type = std::vector<std::conditional_t<std::is_void_v<U>, number, U>>;
  template <class U, std::size_t First, class Evaluation>
  static constexpr gradient_type<U> read(const Evaluation& done) {
    const auto from = done.template output<First>();
    gradient_type<U> result(from.size);
    for (std::size_t i = 0; i < from.size; ++i) result[i] = static_cast<typename gradient_type<U>::value_type>(from[i]);
    return result;
  }
};
/// A sequence of arrays or structs as an argument of a verb inside a traced function: constant if there are integers in
/// it.
template <class R, std::size_t N>
struct shape_of<traced_records<R, N>> {
  using problem = void;
  static constexpr bool valid = true, over_tensors = false;
  static constexpr std::size_t size = N, derivatives = shape_of<R>::derivatives == N ? N : 0;
  using number = traced;
  using traced_type = traced_records<R, N>;

  static constexpr bool has_derivative(std::size_t) { return derivatives > 0; }
  static constexpr traced_type trace(program::builder& graph, int first) {
    std::array<traced, N> columns{};
    for (std::size_t i = 0; i < N; ++i)
      columns[i] = traced(graph, graph.sequence_variable(first + static_cast<int>(i)));
    return traced_type(columns);
  }
  template <std::size_t I>
  static constexpr const traced& element(const traced_type& argument) {
    return argument.columns()[I];
  }
  template <class U>
  using gradient_type = traced_type;
  template <class U, std::size_t First, class Evaluation>
  static constexpr gradient_type<U> read(const Evaluation& done) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return traced_type(std::array<traced, N>{traced(done.template output<First + I>())...});
    }(std::make_index_sequence<N>{});
  }
};

/// Sequences as a traced function sees them: two of the parts of complex numbers are a complex number.
template <class R, std::size_t N>
struct sequences_of {
  using type =
      std::conditional_t<std::is_same_v<typename shape_of<R>::traced_type, traced>, traced, traced_records<R, N>>;
};
template <class R>
  requires std::is_same_v<typename shape_of<R>::traced_type, complex<traced>>
struct sequences_of<R, 2> {
  using type = complex<traced>;
};

/// Member `I` of each record.
template <std::size_t I, class R>
struct part_of_records {
  template <std::size_t J>
  using member = typename structure<R>::template member<J>;
  using type = typename sequences_of<member<I>, shape_of<member<I>>::size>::type;

  template <std::size_t N>
  static constexpr type of(const std::array<traced, N>& columns) {
    constexpr std::size_t first = []<std::size_t... J>(std::index_sequence<J...>) {
      return (shape_of<member<J>>::size + ... + 0);
    }(std::make_index_sequence<I>{});
    return [&]<std::size_t... J>(std::index_sequence<J...>) {
      if constexpr (is_records<type>)
        return type(std::array<traced, sizeof...(J)>{columns[first + J]...});
      else
        return type{columns[first + J]...};
    }(std::make_index_sequence<shape_of<member<I>>::size>{});
  }
};

/// A vector of arrays or structs: a sequence for each number in them. The gradient is a vector of the same.
template <class V>
  requires Record_vector<V>
struct shape_of<V> {
  using record = std::remove_cv_t<typename V::value_type>;
  using problem = typename shape_of<record>::problem;
  static constexpr bool valid = false, over_tensors = false;
  static constexpr std::size_t size = shape_of<record>::size, derivatives = shape_of<record>::derivatives;
  using number = typename shape_of<record>::number;
  using records = traced_records<record, size>;
  using traced_type = typename sequences_of<record, size>::type;

  static constexpr bool has_derivative(std::size_t i) { return shape_of<record>::has_derivative(i); }
  static constexpr traced_type trace(program::builder& graph, int first) {
    const records all = shape_of<records>::trace(graph, first);
    if constexpr (std::is_same_v<traced_type, records>)
      return all;
    else
      return {all.columns()[0], all.columns()[1]};
  }
  /// Of an argument, or of a gradient by one.
  template <std::size_t I, class R>
  static constexpr record_column<I, R> element(R& records) {
    return {__builtin_addressof(records)};
  }
  template <class U>
  using gradient_type = std::vector<typename shape_of<record>::template gradient_type<U>>;
  template <class U, std::size_t First, class Evaluation>
  static constexpr gradient_type<U> read(const Evaluation& done) {
    gradient_type<U> result(derivatives ? done.template output<First>().size : 0);
    for (std::size_t i = 0; i < result.size(); ++i)
      result[i] = shape_of<record>::template read<U, 0>(element_of_outputs<First, Evaluation>{done, i});
    return result;
  }
};

/// Whether a tensor of another rank than 1 is among what an argument holds: loops of numbers do not read it.
template <class Arg>
constexpr bool has_matrix() {
  if constexpr (!shape_of<Arg>::over_tensors)
    return false;
  else if constexpr (requires { shape_of<Arg>::rank; })
    return shape_of<Arg>::rank != 1;
  else
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return (has_matrix<typename structure<as_array_t<Arg>>::template member<I>>() || ...);
    }(std::make_index_sequence<structure<as_array_t<Arg>>::size>{});
}

}  // namespace detail

}  // namespace tapeless

template <class R, std::size_t N>
struct std::tuple_size<tapeless::traced_records<R, N>>
    : std::integral_constant<std::size_t, tapeless::detail::structure<R>::size> {};
template <std::size_t I, class R, std::size_t N>
struct std::tuple_element<I, tapeless::traced_records<R, N>> {
  using type = typename tapeless::detail::part_of_records<I, R>::type;
};
