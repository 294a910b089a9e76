#pragma once

/// `std::mdspan`, its reference implementation and others of the same interface, as tensors.
#include <tapeless/gradient/tensor/storage.hpp>
#include <tapeless/interop/xtensor.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <type_traits>

namespace tapeless {

namespace detail {

/// Elements that lie in memory with strides, as the interface of `std::mdspan` describes them.
template <class T>
concept Multidimensional_span = requires(const T& tensor) {
  typename T::extents_type;
  tensor.data_handle();
  tensor.extent(0);
  tensor.stride(0);
  T::static_extent(0);
} && (T::rank() > 0) && T::is_always_strided() && std::is_same_v<typename T::reference, typename T::element_type&>;

}  // namespace detail

template <detail::Multidimensional_span T>
inline constexpr bool is_tensor<T> = true;
template <detail::Multidimensional_span T>
inline constexpr bool is_tensor_view<T> = true;

template <detail::Multidimensional_span T>
struct tensor_traits<T> {
  using element = typename T::value_type;
  static constexpr int rank = static_cast<int>(T::rank());
  static constexpr bool column_major = false;
  static constexpr auto extents = [] {
    std::array<std::ptrdiff_t, T::rank()> known{};
    for (std::size_t axis = 0; axis < known.size(); ++axis)
      known[axis] =
          T::static_extent(axis) == std::dynamic_extent ? -1 : static_cast<std::ptrdiff_t>(T::static_extent(axis));
    return known;
  }();
  static const element* data(const T& tensor) { return tensor.data_handle(); }
  static std::ptrdiff_t extent(const T& tensor, int axis) {
    return static_cast<std::ptrdiff_t>(tensor.extent(static_cast<std::size_t>(axis)));
  }
  static std::ptrdiff_t stride(const T& tensor, int axis) {
    return static_cast<std::ptrdiff_t>(tensor.stride(static_cast<std::size_t>(axis)));
  }
  template <class U>
  using result = xt::xtensor<U, T::rank()>;
  template <class U, class Shape>
  static void resize(U& to, const Shape& shape) {
    detail::resize_strided(to, shape);
  }
};

}  // namespace tapeless
