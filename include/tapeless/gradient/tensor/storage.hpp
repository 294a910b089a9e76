#pragma once

#include <tapeless/core/constant.hpp>
#include <tapeless/core/expression.hpp>
#include <tapeless/core/structure.hpp>
#include <tapeless/core/tensor_binding.hpp>
#include <tapeless/program/lower/tensor_lowering.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace tapeless {

/// How a type stores a tensor. A specialisation has `element`, `rank`, `column_major`, `extents` (-1 if known only at
/// run time), `data`, `extent(tensor, axis)` and `stride(tensor, axis)` in elements; and for results of the same shape,
/// the container `result<U>` and `resize(result, shape)`.
template <class T>
struct tensor_traits;

/// A number is a tensor of rank 0.
template <class T>
  requires(Numeric<T> || detail::Complex_number<T>)
struct tensor_traits<T> {
  using element = T;
  static constexpr int rank = 0;
  static constexpr bool column_major = false;
  static constexpr std::array<std::ptrdiff_t, 0> extents{};
  static const T* data(const T& number) { return &number; }
  static std::ptrdiff_t extent(const T&, int) { return 1; }
  static std::ptrdiff_t stride(const T&, int) { return 0; }
  template <class U>
  using result = U;
  template <class U, class Shape>
  static void resize(U&, const Shape&) {}
};

namespace detail {

template <class T>
struct vector_traits {
  using element = std::remove_cv_t<typename T::value_type>;
  static constexpr int rank = 1;
  static constexpr bool column_major = false;
  static constexpr std::array<std::ptrdiff_t, 1> extents{-1};
  static const element* data(const T& tensor) { return tensor.data(); }
  static std::ptrdiff_t extent(const T& tensor, int) { return static_cast<std::ptrdiff_t>(tensor.size()); }
  static std::ptrdiff_t stride(const T&, int) { return 1; }
  template <class U>
  using result = std::vector<U>;
  template <class U, class Shape>
  static void resize(std::vector<U>& to, const Shape& shape) {
    to.resize(static_cast<std::size_t>(shape[0]));
  }
};

template <class V, class Traits, class = std::make_index_sequence<static_cast<std::size_t>(Traits::rank)>>
struct leaf_of_traits;
template <class V, class Traits, std::size_t... I>
struct leaf_of_traits<V, Traits, std::index_sequence<I...>> {
  using type = program::tensor_leaf<V, Traits::column_major, Traits::extents[I]...>;
};

/// A tensor where it is, or a view itself.
template <class T>
using held_t = std::conditional_t<is_tensor_view<T>, tensor_view_value<T>, tensor_reference<T>>;
template <class T>
constexpr held_t<T> hold(const T& tensor) {
  if constexpr (is_tensor_view<T>)
    return {tensor};
  else
    return {__builtin_addressof(tensor)};
}

/// The container for the value of a formula.
template <class T, int Rank>
struct value_container;

/// The tensor or number that a binding holds. A constant is a number; one that has no tensor's shape.
template <class T>
struct bound : kept<T> {};
template <std::intmax_t N, std::intmax_t D>
struct bound<Constant<N, D>> {
  using type = std::conditional_t<D == 1, std::intmax_t, double>;
  static constexpr type number = static_cast<type>(N) / static_cast<type>(D);
  static const type& get(Constant<N, D>) { return number; }
};
template <class Binding>
using bound_t = typename bound<typename Binding::value_type>::type;

}  // namespace detail

template <class T, class Allocator>
  requires(!std::is_same_v<T, bool>)
inline constexpr bool is_tensor<std::vector<T, Allocator>> = true;
template <class T, class Allocator>
struct tensor_traits<std::vector<T, Allocator>> : detail::vector_traits<std::vector<T, Allocator>> {};

template <class T, std::size_t N>
inline constexpr bool is_tensor<std::span<T, N>> = true;
template <class T, std::size_t N>
inline constexpr bool is_tensor_view<std::span<T, N>> = true;
template <class T, std::size_t N>
struct tensor_traits<std::span<T, N>> : detail::vector_traits<std::span<T, N>> {
  static constexpr std::array<std::ptrdiff_t, 1> extents{N == std::dynamic_extent ? -1
                                                                                  : static_cast<std::ptrdiff_t>(N)};
};

template <class T, std::size_t N>
inline constexpr bool is_tensor<std::array<T, N>> = true;
template <class T, std::size_t N>
struct tensor_traits<std::array<T, N>> : detail::vector_traits<std::array<T, N>> {
  static constexpr std::array<std::ptrdiff_t, 1> extents{static_cast<std::ptrdiff_t>(N)};
  template <class U>
  using result = std::array<U, N>;
  template <class U, class Shape>
  static void resize(std::array<U, N>&, const Shape&) {}
};

namespace detail {

/// A tensor of the standard's complex numbers; an array of them is a structure.
template <class T>
concept Complex_tensor =
    is_tensor<T> && !Structure<std::remove_const_t<T>> && Complex_number<typename tensor_traits<T>::element>;
template <class T>
concept Standard_complex = Complex_number<T> || Complex_tensor<T>;

/// The real parts of complex numbers, `Part` 0, or the imaginary ones, where they lie in a tensor or a number.
template <class X, std::size_t Part>
struct complex_part {
  using value_type = typename tensor_traits<std::remove_const_t<X>>::element::value_type;
  static constexpr std::size_t part = Part;
  X* of;

  explicit complex_part(X& numbers) : of(__builtin_addressof(numbers)) {}
};
template <class T>
inline constexpr bool is_complex_part = false;
template <class X, std::size_t Part>
inline constexpr bool is_complex_part<complex_part<X, Part>> = true;

}  // namespace detail

template <class X, std::size_t Part>
inline constexpr bool is_tensor<detail::complex_part<X, Part>> = true;
template <class X, std::size_t Part>
inline constexpr bool is_tensor_view<detail::complex_part<X, Part>> = true;
template <class X, std::size_t Part>
struct tensor_traits<detail::complex_part<X, Part>> {
  using part = detail::complex_part<X, Part>;
  using of_complex = tensor_traits<std::remove_const_t<X>>;
  using element = typename part::value_type;
  static constexpr int rank = of_complex::rank;
  static constexpr bool column_major = of_complex::column_major;
  static constexpr auto extents = of_complex::extents;
  // The standard says that a complex number is an array of its two parts.
  static const element* data(const part& tensor) {
    const auto* const first = reinterpret_cast<const element*>(of_complex::data(*tensor.of));
    return first ? first + Part : first;
  }
  static std::ptrdiff_t extent(const part& tensor, int axis) { return of_complex::extent(*tensor.of, axis); }
  static std::ptrdiff_t stride(const part& tensor, int axis) { return 2 * of_complex::stride(*tensor.of, axis); }
  template <class U>
  using result = typename of_complex::template result<U>;
};

}  // namespace tapeless
