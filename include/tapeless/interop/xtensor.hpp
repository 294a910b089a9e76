#pragma once

// clang 19 finds the general template for svector ambiguous: the full specialisations cure it.
#if __has_include(<xtensor/containers/xtensor.hpp>)
#include <xtensor/containers/xadapt.hpp>
#include <xtensor/containers/xarray.hpp>
#include <xtensor/containers/xfixed.hpp>
#include <xtensor/containers/xtensor.hpp>
#include <xtensor/views/xview.hpp>
#else
#include <xtensor/xstorage.hpp>
#if defined(__clang__) && __clang_major__ >= 19
namespace xt {
template <>
struct rebind_container<std::ptrdiff_t, svector<std::size_t, 4, std::allocator<std::size_t>, true>> {
  using type = svector<std::ptrdiff_t, 4, std::allocator<std::ptrdiff_t>, true>;
};
template <>
struct rebind_container<std::size_t, svector<std::ptrdiff_t, 4, std::allocator<std::ptrdiff_t>, true>> {
  using type = svector<std::size_t, 4, std::allocator<std::size_t>, true>;
};
}  // namespace xt
#endif
#include <xtensor/xadapt.hpp>
#include <xtensor/xarray.hpp>
#include <xtensor/xfixed.hpp>
#include <xtensor/xtensor.hpp>
#include <xtensor/xview.hpp>
#endif

#include <tapeless/core/message.hpp>
#include <tapeless/gradient/tensor/storage.hpp>

#include <array>
#include <cstddef>
#include <stdexcept>
#include <type_traits>

namespace tapeless {

namespace detail {

/// Containers and views of xtensor whose elements lie in memory with strides.
template <class T>
concept Strided = requires(const T& tensor) {
  tensor.data();
  tensor.shape();
  tensor.strides();
  tensor.data_offset();
  typename T::shape_type;
};

template <class Shape>
inline constexpr int static_rank = -1;
template <class I, std::size_t N>
inline constexpr int static_rank<std::array<I, N>> = static_cast<int>(N);
template <std::size_t... N>
inline constexpr int static_rank<xt::fixed_shape<N...>> = static_cast<int>(sizeof...(N));

template <class Shape>
struct static_extents {
  static constexpr auto value = [] {
    std::array<std::ptrdiff_t, static_cast<std::size_t>(static_rank<Shape>)> unknown{};
    for (std::ptrdiff_t& extent : unknown) extent = -1;
    return unknown;
  }();
};
template <std::size_t... N>
struct static_extents<xt::fixed_shape<N...>> {
  static constexpr std::array<std::ptrdiff_t, sizeof...(N)> value{static_cast<std::ptrdiff_t>(N)...};
};

/// The container for results with the shape of a `T`.
template <class U, class T>
struct strided_result {
  using type = xt::xtensor<U, static_cast<std::size_t>(static_rank<typename T::shape_type>),
                           T::static_layout == xt::layout_type::column_major ? xt::layout_type::column_major
                                                                             : xt::layout_type::row_major>;
};
template <class U, class T>
  requires requires { typename T::shape_type; } && (static_extents<typename T::shape_type>::value.size() > 0) &&
           (static_extents<typename T::shape_type>::value[0] >= 0)
struct strided_result<U, T> {
  using type = xt::xtensor_fixed<U, typename T::shape_type, T::static_layout>;
};

/// Gives a container this shape. One that was moved from has its old shape still, and no elements.
template <class U, class Shape>
TAPELESS_ALWAYS_INLINE void resize_strided(U& to, const Shape& shape) {
  typename U::shape_type extents{};
  std::size_t count = 1;
  bool same = true;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    count *= extents[i] = static_cast<std::size_t>(shape[i]);
    same = same && extents[i] == to.shape()[i];
  }
  const bool has_elements = to.storage().size() == count;
  if (!same || !has_elements) to.resize(extents, !has_elements);
}

/// Owners of elements; what else is strided refers to them.
template <class T>
inline constexpr bool owns_elements = false;
template <class Storage, std::size_t N, xt::layout_type L, class Tag>
inline constexpr bool owns_elements<xt::xtensor_container<Storage, N, L, Tag>> = true;
template <class Storage, xt::layout_type L, class Shape, class Tag>
inline constexpr bool owns_elements<xt::xarray_container<Storage, L, Shape, Tag>> = true;
template <class T, class Shape, xt::layout_type L, bool Sharable, class Tag>
inline constexpr bool owns_elements<xt::xfixed_container<T, Shape, L, Sharable, Tag>> = true;
/// A view of a temporary owns it.
template <class Container, class... Slices>
inline constexpr bool owns_elements<xt::xview<Container, Slices...>> = !std::is_reference_v<Container>;

template <class T, int Rank>
struct strided_traits {
  using element = std::remove_cv_t<typename T::value_type>;
  static constexpr int rank = Rank;
  static constexpr bool column_major = T::static_layout == xt::layout_type::column_major;
  static const element* data(const T& tensor) {
    const element* data = tensor.data();
    return data ? data + static_cast<std::ptrdiff_t>(tensor.data_offset()) : data;
  }
  static std::ptrdiff_t extent(const T& tensor, int axis) {
    return static_cast<std::ptrdiff_t>(tensor.shape()[static_cast<std::size_t>(axis)]);
  }
  static std::ptrdiff_t stride(const T& tensor, int axis) {
    return static_cast<std::ptrdiff_t>(tensor.strides()[static_cast<std::size_t>(axis)]);
  }
  template <class U, class Shape>
  TAPELESS_ALWAYS_INLINE static void resize(U& to, const Shape& shape) {
    if constexpr (requires(typename U::shape_type of_result) { of_result[0] = 0; }) resize_strided(to, shape);
  }
};

template <class T, int Rank>
struct value_container {
  using type = xt::xtensor<T, static_cast<std::size_t>(Rank)>;
};
template <class T>
struct value_container<T, 0> {
  using type = T;
};

}  // namespace detail

template <class T>
  requires(detail::Strided<T> && detail::static_rank<typename T::shape_type> >= 0)
inline constexpr bool is_tensor<T> = true;
template <class T>
  requires(detail::Strided<T> && detail::static_rank<typename T::shape_type> >= 0 && !detail::owns_elements<T>)
inline constexpr bool is_tensor_view<T> = true;

template <class T>
  requires(detail::Strided<T> && is_tensor<T>)
struct tensor_traits<T> : detail::strided_traits<T, detail::static_rank<typename T::shape_type>> {
  static constexpr auto extents = detail::static_extents<typename T::shape_type>::value;
  template <class U>
  using result = typename detail::strided_result<U, T>::type;
};

/// A tensor whose rank the type does not tell, with the rank that it has: made by `rank<2>(array)`.
template <int Rank, class T>
struct ranked_tensor {
  using value_type = typename T::value_type;
  const T* tensor;

  constexpr operator const T&() const { return *tensor; }
};

/// Binds a tensor of dynamic rank, such as an `xt::xarray`, as a tensor of the given rank: `X = rank<2>(array)`. Throws
/// `std::invalid_argument` if the tensor has another rank.
template <int Rank, class T>
ranked_tensor<Rank, T> rank(const T& tensor) {
  if (tensor.dimension() != static_cast<std::size_t>(Rank))
    tapeless::detail::raise<std::invalid_argument>({"rank<", Rank, ">: the tensor has rank ", tensor.dimension()});
  return {__builtin_addressof(tensor)};
}
template <int Rank, class T>
ranked_tensor<Rank, T> rank(const T&&) = delete;  // tapeless: give the temporary tensor a name [TL171]

template <int Rank, class T>
inline constexpr bool is_tensor<ranked_tensor<Rank, T>> = true;
template <int Rank, class T>
inline constexpr bool is_tensor_view<ranked_tensor<Rank, T>> = true;
template <int Rank, class T>
struct tensor_traits<ranked_tensor<Rank, T>> : detail::strided_traits<T, Rank> {
  static constexpr auto extents =
      detail::static_extents<std::array<std::size_t, static_cast<std::size_t>(Rank)>>::value;
  template <class U>
  using result = xt::xtensor<U, static_cast<std::size_t>(Rank)>;
};

}  // namespace tapeless
