#pragma once

#include <tapeless/gradient/function/argument_shape.hpp>
#include <tapeless/gradient/tensor/storage.hpp>

#include <array>
#include <complex>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

namespace tapeless {

namespace detail {

/// Number `I` of each record in `V`.
template <std::size_t I, class V>
using record_member = decltype(shape_of<std::remove_const_t<typename V::value_type>>::template element<I>(
    std::declval<const typename V::value_type&>()));

}  // namespace detail

/// Such numbers are a tensor where they lie, if their distance is a whole number of them.
template <std::size_t I, class V>
inline constexpr bool is_tensor<detail::record_column<I, V>> =
    std::is_lvalue_reference_v<detail::record_member<I, V>> &&
    sizeof(typename V::value_type) % sizeof(detail::record_member<I, V>) == 0;
template <std::size_t I, class V>
inline constexpr bool is_tensor_view<detail::record_column<I, V>> = is_tensor<detail::record_column<I, V>>;

template <std::size_t I, class V>
  requires is_tensor<detail::record_column<I, V>>
struct tensor_traits<detail::record_column<I, V>> {
  using tensor = detail::record_column<I, V>;
  using shape = detail::shape_of<std::remove_const_t<typename V::value_type>>;
  using element = std::remove_cvref_t<detail::record_member<I, V>>;
  static constexpr int rank = 1;
  static constexpr bool column_major = false;
  static constexpr std::array<std::ptrdiff_t, 1> extents{-1};
  static const element* data(const tensor& column) {
    return column.records->empty() ? nullptr : &shape::template element<I>(column.records->front());
  }
  static std::ptrdiff_t extent(const tensor& column, int) {
    return static_cast<std::ptrdiff_t>(column.records->size());
  }
  static std::ptrdiff_t stride(const tensor&, int) {
    return static_cast<std::ptrdiff_t>(sizeof(typename V::value_type) / sizeof(element));
  }
  template <class U>
  using result = std::vector<U>;
  template <class Shape>
  static void resize(const tensor& column, const Shape& to) {
    column.records->resize(static_cast<std::size_t>(to[0]));
  }
};

namespace detail {

/// The gradient by a tensor that a loop reads as a sequence.
template <class G, class At>
G sequence_result(std::size_t size, const At& at) {
  G result;
  tensor_traits<G>::resize(result, std::array{static_cast<std::ptrdiff_t>(size)});
  for (std::size_t i = 0; i < size; ++i) result.data()[i] = at(i);
  return result;
}

/// A tensor as an argument, or in one, of a traced function: there a number like others.
template <class T>
  requires(is_tensor<T> && !is_fixed_span<T> && !Structure<T> && !Record_vector<T> && !Complex_tensor<T>)
struct shape_of<T> : shape_of_variable<T, Real<typename tensor_traits<T>::element>> {
  using number = typename tensor_traits<T>::element;
  using problem = std::conditional_t<Numeric<number>, void, error::at<fault::argument_is_no_number, T>>;
  static constexpr bool valid = false, over_tensors = true;
  static constexpr int rank = tensor_traits<T>::rank;

  static constexpr traced trace(program::builder& graph, int first) {
    return traced(graph, graph.sequence_variable(first));
  }
  template <class U>
  using gradient_type =
      typename tensor_traits<T>::template result<std::conditional_t<std::is_void_v<U> || !Real<number>, number, U>>;
  template <class U, std::size_t First, class Evaluation>
  static gradient_type<U> read(const Evaluation& done) {
    const auto from = done.template output<First>();
    return sequence_result<gradient_type<U>>(
        from.size, [&](std::size_t i) { return static_cast<typename gradient_type<U>::value_type>(from[i]); });
  }
};

/// A tensor of complex numbers.
template <Complex_tensor T>
struct shape_of<T> : shape_of_complex<typename tensor_traits<T>::element::value_type, true> {
  using part = shape_of<complex_part<const T, 0>>;
  using number = typename part::number;
  static constexpr int rank = tensor_traits<T>::rank;

  static constexpr complex<traced> trace(program::builder& graph, int first) {
    return {part::trace(graph, first), part::trace(graph, first + 1)};
  }
  template <std::size_t I>
  static complex_part<const T, I> element(const T& argument) {
    return complex_part<const T, I>(argument);
  }
  template <class U>
  using gradient_type =
      typename tensor_traits<T>::template result<std::complex<std::conditional_t<std::is_void_v<U>, number, U>>>;
  template <class U, std::size_t First, class Evaluation>
  static gradient_type<U> read(const Evaluation& done) {
    return sequence_result<gradient_type<U>>(done.template output<First>().size, [&](std::size_t i) {
      return shape_of<typename tensor_traits<T>::element>::template read<U, 0>(
          element_of_outputs<First, Evaluation>{done, i});
    });
  }
};

}  // namespace detail

}  // namespace tapeless
