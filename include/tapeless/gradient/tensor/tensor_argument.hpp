#pragma once

#include <tapeless/gradient/function/argument_shape.hpp>
#include <tapeless/gradient/tensor/storage.hpp>

#include <array>
#include <complex>
#include <cstddef>
#include <string_view>
#include <type_traits>

namespace tapeless::detail {

/// A tensor as an argument, or in one, of a traced function: there a number like others.
template <class T>
  requires(is_tensor<T> && !is_fixed_span<T> && !Structure<T> && !Record_vector<T> && !Complex_tensor<T>)
struct shape_of<T> : shape_of_variable<T, Real<typename tensor_traits<T>::element>> {
  using number = typename tensor_traits<T>::element;
  using problem = std::conditional_t<Numeric<number>, void, error::at<mistake::argument_is_no_number, T>>;
  static constexpr bool valid = false, over_tensors = true;
  static constexpr int rank = tensor_traits<T>::rank;

  static constexpr traced trace(program::builder& graph, int first) {
    return traced(graph,
                  graph.mode() == program::stage::recording ? graph.variable(first) : graph.sequence_variable(first));
  }
  template <class U>
  using gradient_type =
      typename tensor_traits<T>::template result<std::conditional_t<std::is_void_v<U> || !Real<number>, number, U>>;
  /// As a sequence that a loop reads.
  template <class U, std::size_t First, class Evaluation>
  static gradient_type<U> read(const Evaluation& done) {
    const auto from = done.template output<First>();
    gradient_type<U> result;
    tensor_traits<gradient_type<U>>::resize(result, std::array{static_cast<std::ptrdiff_t>(from.size)});
    for (std::size_t i = 0; i < from.size; ++i)
      result.data()[i] = static_cast<typename gradient_type<U>::value_type>(from[i]);
    return result;
  }
};

/// A standard complex number, or a tensor of such: there a `complex`.
template <Standard_complex T>
struct shape_of<T> {
  using number = typename tensor_traits<T>::element::value_type;
  using problem = void;
  using traced_type = complex<traced>;
  static constexpr bool over_tensors = Complex_tensor<T>, valid = !over_tensors;
  static constexpr std::size_t size = 2, derivatives = 2;
  static constexpr std::array<std::string_view, 2> parts{".re", ".im"};
  /// No sequence of numbers, whatever the tensor's rank.
  static constexpr int rank = 0;

  static constexpr bool has_derivative(std::size_t) { return true; }
  static constexpr traced_type trace(program::builder& graph, int first) {
    using part = shape_of<std::conditional_t<over_tensors, complex_part<const T, 0>, number>>;
    const traced re = part::trace(graph, first), im = part::trace(graph, first + 1);
    return {re, im};
  }
  template <std::size_t I>
  static decltype(auto) element(const T& argument) {
    if constexpr (over_tensors)
      return complex_part<const T, I>(argument);
    else
      return reinterpret_cast<const number(&)[2]>(argument)[I];
  }
  template <class U>
  using gradient_type =
      typename tensor_traits<T>::template result<std::complex<std::conditional_t<std::is_void_v<U>, number, U>>>;
  template <class U, std::size_t First, class Evaluation>
  static gradient_type<U> read(const Evaluation& done) {
    using part = typename gradient_type<U>::value_type;
    return {static_cast<part>(done.template output<First>()), -static_cast<part>(done.template output<First + 1>())};
  }
};

}  // namespace tapeless::detail
