#pragma once

#include <tapeless/core/map_structure.hpp>
#include <tapeless/core/no_result.hpp>
#include <tapeless/gradient/function/argument_shape.hpp>
#include <tapeless/gradient/function/function_call.hpp>
#include <tapeless/gradient/tensor/bound_tensor.hpp>
#include <tapeless/gradient/tensor/matrix_rows.hpp>
#include <tapeless/gradient/tensor/storage.hpp>
#include <tapeless/program/lower/spread.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace tapeless {

namespace detail {

/// An argument of a batch: what one element of it is, which tensors the numbers of that element lie in, and what holds
/// its gradients. Arrays of numbers are tensors; vectors and spans of structures have the numbers of an element side by
/// side; structures of such arrays one array for each number. What is none of these is one element for all.
template <class A>
struct batch_argument {
  using element = A;
};

template <class A>
concept Array_of_numbers = is_tensor<A> && !Structure<A> && Numeric<typename tensor_traits<A>::element>;
template <class A>
concept Array_of_structures = !Structure<A> && requires(const A& a) {
  { a.data() } -> std::convertible_to<const typename A::value_type*>;
  a.size();
  requires Structure<std::remove_cv_t<typename A::value_type>>;
};

/// The leaves of the numbers in arguments, in their order: of which variables they are is not said.
template <template <class> class Argument, class... As>
constexpr auto leaves_of_arguments() {
  std::array<program::array_leaf, (Argument<As>::leaves.size() + ... + 0)> result;
  std::size_t next = 0;
  const auto append = [&](const auto& leaves) {
    for (const program::array_leaf& leaf : leaves) result[next++] = leaf;
  };
  (append(Argument<As>::leaves), ...);
  return result;
}

/// The gradients of elements of the type `E`.
template <class E, class T>
using gradients_of_elements = std::vector<typename shape_of<E>::template gradient_type<T>>;

/// An array of numbers, or a number for all elements.
template <class A>
struct array_argument {
  using traits = tensor_traits<A>;
  using element = typename traits::element;
  static constexpr std::array<program::array_leaf, 1> leaves = [] {
    std::array<program::array_leaf, 1> result{};
    result[0].rank = traits::rank;
    std::copy(traits::extents.begin(), traits::extents.end(), result[0].extents.begin());
    return result;
  }();
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
template <class A>
  requires(Numeric<A> || Array_of_numbers<A>)
struct batch_argument<A> : array_argument<A> {};

/// The standard's complex numbers: arrays of their parts.
template <Standard_complex A>
struct batch_argument<A> {
  using element = typename tensor_traits<A>::element;
  template <std::size_t Part>
  using array = array_argument<complex_part<const A, Part>>;
  static constexpr std::array<program::array_leaf, 2> leaves{array<0>::leaves[0], array<1>::leaves[0]};
  template <class T, class Container>
  using gradient = complex<Container>;

  template <class Visit>
  static void visit(const A& of, Visit visit) {
    array<0>::visit(complex_part<const A, 0>(of), visit), array<1>::visit(complex_part<const A, 1>(of), visit);
  }
};

template <Array_of_structures A>
struct batch_argument<A> {
  using element = std::remove_cv_t<typename A::value_type>;
  static constexpr auto leaves = [] {
    std::array<program::array_leaf, shape_of<element>::size> result;
    result.fill({-1, 1, {-1}});
    return result;
  }();
  template <class T, class Container>
  using gradient = gradients_of_elements<element, T>;

  /// Calls `visit(pointer, extents, strides)` for each number of an element.
  template <class Visit>
  static void visit(const A& array, Visit visit) {
    // Of no elements nothing is read.
    const element none{};
    const element& first = array.size() > 0 ? *array.data() : none;
    const std::array extents{static_cast<std::ptrdiff_t>(array.size())};
    for_each_index<shape_of<element>::size>([&](auto i) {
      const auto& number = shape_of<element>::template element<i>(first);
      using U = std::remove_cvref_t<decltype(number)>;
      static_assert(sizeof(element) % sizeof(U) == 0,
                    "tapeless: the size of a structure in an array must be a multiple of the size of each of its "
                    "numbers; use numbers of one size [TL182]");
      visit(&number, extents, std::array{static_cast<std::ptrdiff_t>(sizeof(element) / sizeof(U))});
    });
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

  static constexpr auto leaves = []<std::size_t... I>(std::index_sequence<I...>) {
    return leaves_of_arguments<detail::batch_argument, typename structure<A>::template member<I>...>();
  }(std::make_index_sequence<structure<A>::size>{});

  template <class T, class Container>
  struct gradient_of_member {
    template <class M>
    using to = typename batch_argument<M>::template gradient<T, Container>;
  };
  template <class T, class Container>
  using gradient = typename std::conditional_t<is_one_element, std::type_identity<gradients_of_elements<A, T>>,
                                               mapped_structure<A, gradient_of_member<T, Container>>>::type;

  template <class Visit>
  static void visit(const A& argument, Visit visit) {
    for_each_index<structure<A>::size>([&](auto i) {
      batch_argument<typename structure<A>::template member<i>>::visit(structure<A>::template get<i>(argument), visit);
    });
  }
};

/// A sequence that all elements of a batch share; made by `for_all`.
template <class A>
class shared_sequence {
  const A* sequence_;

 public:
  explicit shared_sequence(const A& sequence) : sequence_(&sequence) {}
  const A& get() const { return *sequence_; }
};

/// What an element of a sequence is.
template <class A>
constexpr auto find_record() {
  if constexpr (is_matrix_rows<A>)
    return std::type_identity<typename A::record>{};
  else if constexpr (is_vector<A>)
    return std::type_identity<std::remove_cv_t<typename A::value_type>>{};
  else
    return std::type_identity<std::remove_cv_t<typename tensor_traits<A>::element>>{};
}
template <class A>
using record_of = typename decltype(find_record<A>())::type;

template <class A>
concept Shareable_sequence =
    Number_vector<A> || Record_vector<A> || (is_matrix_rows<A> && requires { requires A::rank == 2; }) ||
    ((Array_of_numbers<A> || Complex_tensor<A>) && !Numeric<A> && requires { requires tensor_traits<A>::rank == 1; });

/// Functions without a scan see the sequence too.
template <class A>
struct batch_argument<shared_sequence<A>> {
  using element = A;
};

/// A matrix, whose rows are the sequences of the elements.
template <class A>
concept Matrix_of_sequences = Array_of_numbers<A> && tensor_traits<A>::rank == 2;
/// A vector of vectors or spans, of numbers or of arrays and structs.
template <class A>
concept Vector_of_sequences = is_vector<A> && is_vector<std::remove_cv_t<typename A::value_type>>;

/// How far from the first number of a tensor the sequence `k` of numbers `column` lies. Sequences without elements need
/// not have any memory, so that nothing lies anywhere else.
template <class Traits, class A>
std::ptrdiff_t offset_of_sequence(const A& all, std::size_t k, std::size_t column) {
  if (Traits::extent(all, 1) == 0) return 0;
  const std::ptrdiff_t first = static_cast<std::ptrdiff_t>(k) * Traits::stride(all, 0);
  return first + static_cast<std::ptrdiff_t>(column) * Traits::stride(all, Traits::rank - 1);
}

/// An argument of a batch of a function with loops: of each element a number or a structure, as of other functions, or
/// a sequence. `element` is what the function gets.
template <class A>
struct loop_argument;

template <class A>
  requires(!Matrix_of_sequences<A> && !Vector_of_sequences<A> &&
           (!Array_of_numbers<A> || Numeric<A> || tensor_traits<A>::rank == 1))
struct loop_argument<A> : batch_argument<A> {
  static constexpr bool is_sequence = false, may_differ = false;
};

template <class A>
const A& tensor_of(const A& all) {
  return all;
}
template <std::size_t N, class Held>
const auto& tensor_of(const matrix_rows<N, Held>& all) {
  return all.get();
}
/// Sequences of `Record`s in a tensor, along its second axis: of each element a row of a matrix, or a matrix whose rows
/// are arrays.
template <class A, class Traits, class Record>
struct sequences_in_tensor {
  using element = std::span<const Record>;
  /// Whether the sequences of two elements may have different lengths.
  static constexpr bool is_sequence = true, may_differ = false;

  static std::size_t count(const A& all) { return static_cast<std::size_t>(Traits::extent(tensor_of(all), 0)); }
  static std::size_t length(const A& all, std::size_t) {
    return static_cast<std::size_t>(Traits::extent(tensor_of(all), 1));
  }
  template <class T, std::size_t I>
  static scalar::sequence<T> at(const A& all, std::size_t k) {
    const auto* const first = Traits::data(tensor_of(all)) + offset_of_sequence<Traits>(tensor_of(all), k, I);
    return sequence_at<T>(length(all, k), first, Traits::stride(tensor_of(all), 1));
  }

  template <class T, class>
  using gradient = typename Traits::template result<T>;
  template <class G>
  static void resize(G& to, const A& all, std::size_t count) {
    auto shape = strided_of(tensor_of(all)).extents;
    shape[0] = static_cast<std::ptrdiff_t>(count);
    tensor_traits<G>::resize(to, shape);
  }
  /// Where the derivatives by the numbers `I` of the elements' sequence number `k` lie.
  template <class T, std::size_t I>
  static T* row(gradient<T, void>& to, std::size_t k, std::ptrdiff_t& stride) {
    using result = tensor_traits<gradient<T, void>>;
    stride = result::stride(to, 1);
    return data_of(to) + offset_of_sequence<result>(to, k, I);
  }
};
template <Matrix_of_sequences A>
struct loop_argument<A> : sequences_in_tensor<A, tensor_traits<A>, typename tensor_traits<A>::element> {};
template <std::size_t N, class Held>
struct loop_argument<matrix_rows<N, Held>>
    : sequences_in_tensor<matrix_rows<N, Held>, typename matrix_rows<N, Held>::traits,
                          typename matrix_rows<N, Held>::record> {
  static_assert(matrix_rows<N, Held>::rank == 3,
                "tapeless: in batched, rows_of<n>(x) needs a tensor of rank 3, one matrix per element [TL180]");
};

/// The gradients by the sequences of `Record`s in an `Argument`, one an element.
template <class Argument, class Record>
struct gradients_of_sequences {
  template <class T, class>
  using gradient = std::vector<std::vector<typename shape_of<Record>::template gradient_type<T>>>;
  template <class T, std::size_t I>
  static T* row(gradient<T, void>& to, std::size_t k, std::ptrdiff_t& stride) {
    const auto& numbers = shape_of<typename gradient<T, void>::value_type>::template element<I>(to[k]);
    stride = strides_of(numbers)[0];
    return data_of(numbers);
  }
  template <class G, class A>
  static void resize(G& to, const A& all, std::size_t count) {
    to.resize(count);
    for (std::size_t k = 0; k < count; ++k) to[k].resize(Argument::length(all, Argument::count(all) == 1 ? 0 : k));
  }
};

template <Vector_of_sequences A>
struct loop_argument<A>
    : gradients_of_sequences<loop_argument<A>, std::remove_cv_t<typename A::value_type::value_type>> {
  using element = std::remove_cv_t<typename A::value_type>;
  static constexpr bool is_sequence = true, may_differ = true;

  static std::size_t count(const A& all) { return all.size(); }
  static std::size_t length(const A& all, std::size_t k) { return all[k].size(); }
  template <class T, std::size_t I>
  static scalar::sequence<T> at(const A& all, std::size_t k) {
    return sequence_in<T>(shape_of<element>::template element<I>(all[k]));
  }
};

/// A sequence that all elements share, with gradients of its own for each.
template <class A>
struct loop_argument<shared_sequence<A>> : gradients_of_sequences<loop_argument<shared_sequence<A>>, record_of<A>> {
  using element = A;
  static constexpr bool is_sequence = true, may_differ = false;

  static std::size_t count(const shared_sequence<A>&) { return 1; }
  static std::size_t length(const shared_sequence<A>& all, std::size_t) {
    return sequence_in<typename shape_of<A>::number>(shape_of<A>::template element<0>(all.get())).size;
  }
  template <class T, std::size_t I>
  static scalar::sequence<T> at(const shared_sequence<A>& all, std::size_t) {
    return sequence_in<T>(shape_of<A>::template element<I>(all.get()));
  }
};

/// Whether a function has loops of numbers, of run-time length, over elements of these.
template <class F, class... Args>
inline constexpr bool runs_loops = [] {
  if constexpr (!(requires { typename loop_argument<Args>::element; } && ...))
    return false;
  else if constexpr (!std::is_void_v<
                         typename decltype(function_problem<F, typename loop_argument<Args>::element...>())::type>)
    return false;
  else
    return records_loops<F, typename loop_argument<Args>::element...> &&
           !wants_loops_over_tensors(
               program::problem_of<traced_by<false, true, F, typename loop_argument<Args>::element...>>);
}();

}  // namespace detail

/// In the call of `batched(verb)`, a sequence that all elements share, as one time grid for all paths: `batched(
/// gradient(f))(rates, for_all(dts))`. The gradient by it is a sequence of each element: a vector of vectors. Numbers,
/// arrays and structs of numbers are for all elements without it, and with it the same. It refers to `x`, and copies
/// nothing.
template <class A>
constexpr auto for_all(const A& x) {
  if constexpr (Numeric<A> || detail::Structure<A>) {
    return x;
  } else {
    constexpr bool sequence = detail::Shareable_sequence<A>;
    static_assert(sequence,
                  "tapeless: for_all(x) takes a sequence that all elements of a batch share: a vector, a span or a "
                  "tensor of rank 1, or rows_of<n>(matrix) [TL179]");
    if constexpr (sequence)
      return detail::shared_sequence<A>(x);
    else
      return detail::no_result{};
  }
}

}  // namespace tapeless
