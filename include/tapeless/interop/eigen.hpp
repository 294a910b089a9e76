#pragma once

#include <tapeless/core/tensor_binding.hpp>
#include <tapeless/gradient/function/argument_shape.hpp>
#include <tapeless/gradient/verbs.hpp>

#include <Eigen/Core>

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace tapeless {

template <class T>
struct tensor_traits;

/// An Eigen matrix in a traced function: a `std::array` of rows, also with `m(i, j)`.
template <class T, std::size_t Rows, std::size_t Columns>
struct matrix_values : std::array<std::array<T, Columns>, Rows> {
  constexpr T& operator()(std::size_t i, std::size_t j) { return (*this)[i][j]; }
  constexpr const T& operator()(std::size_t i, std::size_t j) const { return (*this)[i][j]; }
};

namespace detail {

template <class Derived>
constexpr bool is_strided_eigen(const Eigen::DenseBase<Derived>*) {
  return static_cast<unsigned>(Derived::Flags) & Eigen::DirectAccessBit;
}
constexpr bool is_strided_eigen(const void*) { return false; }

/// Vectors, matrices and arrays of Eigen, and Maps, Refs and blocks of them: everything with its elements in memory.
template <class T>
concept Eigen_matrix = std::is_class_v<T> && is_strided_eigen(static_cast<const T*>(nullptr));
template <class T>
concept Fixed_eigen = Eigen_matrix<T> && T::SizeAtCompileTime != Eigen::Dynamic;

/// Eigen's quaternion, which its core declares, and Maps of it.
template <class T>
inline constexpr bool is_eigen_quaternion = false;
template <class T, int Options>
inline constexpr bool is_eigen_quaternion<Eigen::Quaternion<T, Options>> = true;
template <class T, int Options, class Stride>
inline constexpr bool is_eigen_quaternion<Eigen::Map<T, Options, Stride>> = is_eigen_quaternion<std::remove_const_t<T>>;

/// What has its numbers in itself, or is a Map of so many.
template <class T>
concept Fixed_or_quaternion = Fixed_eigen<T> || is_eigen_quaternion<T>;

template <class T>
inline constexpr bool is_eigen_vector = T::RowsAtCompileTime == 1 || T::ColsAtCompileTime == 1;

template <class T>
  requires is_eigen_quaternion<T>
inline constexpr bool is_eigen_vector<T> = true;

/// The container of this shape with entries of type `U`.
template <class T, class U>
struct eigen_of {
  static constexpr int rows = T::RowsAtCompileTime, columns = T::ColsAtCompileTime;
  static constexpr int order = T::IsRowMajor && columns != 1 ? Eigen::RowMajor : Eigen::ColMajor;
  using matrix = Eigen::Matrix<U, rows, columns, order>;
  using array = Eigen::Array<U, rows, columns, order>;
  using type = std::conditional_t<std::is_base_of_v<Eigen::ArrayBase<T>, T>, array, matrix>;
};

template <class T, int Options, class U>
struct eigen_of<Eigen::Quaternion<T, Options>, U> : std::type_identity<Eigen::Quaternion<U, Options>> {};
template <class T, int Options, class Stride, class U>
  requires is_eigen_quaternion<Eigen::Map<T, Options, Stride>>
struct eigen_of<Eigen::Map<T, Options, Stride>, U> : eigen_of<std::remove_const_t<T>, U> {};

template <class T, std::size_t R, std::size_t C>
inline constexpr bool is_array<matrix_values<T, R, C>> = true;
template <class T, std::size_t R, std::size_t C>
struct structure<matrix_values<T, R, C>> : structure<std::array<std::array<T, C>, R>> {};
template <class T, std::size_t R, std::size_t C, class Map, std::size_t... I>
struct mapped_structure<matrix_values<T, R, C>, Map, std::index_sequence<I...>>
    : mapped_structure<std::array<std::array<T, C>, R>, Map, std::index_sequence<I...>> {};

template <Fixed_or_quaternion T>
inline constexpr bool is_array<T> = true;
/// The numbers of a matrix follow each other as in its memory: by default by columns.
template <Fixed_eigen T>
struct structure<T> {
  static constexpr std::size_t size = static_cast<std::size_t>(T::SizeAtCompileTime);
  static constexpr std::size_t rows = static_cast<std::size_t>(T::RowsAtCompileTime), columns = size / rows;
  static constexpr std::size_t row(std::size_t i) { return T::IsRowMajor ? i / columns : i % rows; }
  static constexpr std::size_t column(std::size_t i) { return T::IsRowMajor ? i % columns : i / rows; }
  template <std::size_t>
  using member = typename T::Scalar;
  template <std::size_t I, class Self>
  static constexpr auto& get(Self& self) {
    return self.coeffRef(static_cast<Eigen::Index>(row(I)), static_cast<Eigen::Index>(column(I)));
  }
};

/// The numbers of a quaternion in the order of the rotations of this library: (w, x, y, z).
template <class T>
  requires is_eigen_quaternion<T>
struct structure<T> {
  static constexpr std::size_t size = 4, rows = 4, columns = 1;
  template <std::size_t>
  using member = typename T::Scalar;
  template <std::size_t I, class Self>
  static constexpr auto& get(Self& self) {
    return self.coeffs().coeffRef(static_cast<Eigen::Index>((I + 3) % 4));
  }
};

template <Structure T>
  requires Fixed_or_quaternion<T>
struct shape_of<T> : shape_of<std::array<typename T::Scalar, structure<T>::size>> {
  using place = structure<T>;
  using number = typename T::Scalar;
  static constexpr std::size_t size = place::size;
  using traced_type = std::conditional_t<is_eigen_vector<T>, std::array<traced, size>,
                                         matrix_values<traced, place::rows, place::columns>>;

  static constexpr traced_type trace(program::builder& graph, int first) {
    traced_type result;
    for (std::size_t i = 0; i < size; ++i) {
      const traced variable(graph, graph.variable(first + static_cast<int>(i)));
      if constexpr (is_eigen_vector<T>)
        result[i] = variable;
      else
        result(place::row(i), place::column(i)) = variable;
    }
    return result;
  }
  template <std::size_t I>
  TAPELESS_ALWAYS_INLINE static constexpr const number& element(const T& argument) {
    return place::template get<I>(argument);
  }
  template <class U>
  using gradient_type = typename eigen_of<T, typename shape_of<number>::template gradient_type<U>>::type;
  template <class U, std::size_t First, class Evaluation>
  TAPELESS_ALWAYS_INLINE static constexpr gradient_type<U> read(const Evaluation& done) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      gradient_type<U> result;
      constexpr std::size_t step = Real<number> ? 1 : 0;
      ((structure<gradient_type<U>>::template get<I>(result) =
            shape_of<number>::template read<U, First + I * step>(done)),
       ...);
      return result;
    }(std::make_index_sequence<size>{});
  }
};

/// For functions of Eigen arguments, values, Jacobians and Hessians are Eigen types too.
struct to_eigen_result {
  static constexpr bool converts = true;

  template <Numeric T, std::size_t N>
  static Eigen::Matrix<T, static_cast<int>(N), 1> convert(const std::array<T, N>& from) {
    Eigen::Matrix<T, static_cast<int>(N), 1> to;
    for (std::size_t i = 0; i < N; ++i) to[static_cast<Eigen::Index>(i)] = from[i];
    return to;
  }
  template <class T, std::size_t R, std::size_t C>
  static auto convert(const std::array<std::array<T, C>, R>& from) {
    Eigen::Matrix<T, static_cast<int>(R), static_cast<int>(C), R == 1 && C != 1 ? Eigen::RowMajor : Eigen::ColMajor> to;
    for (std::size_t i = 0; i < R; ++i)
      for (std::size_t j = 0; j < C; ++j) to(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = from[i][j];
    return to;
  }
  /// Gradients by sequences, one for each output.
  template <class Row, std::size_t N>
  static std::array<Row, N> convert(const std::array<Row, N>& from) {
    return from;
  }
  template <class V, class J>
  static auto convert(const value_and_jacobian_result<V, J>& from) {
    return value_and_jacobian_result{convert(from.value), convert(from.jacobian)};
  }
  template <class V, class G, class H>
  static auto convert(const value_and_hessian_result<V, G, H>& from) {
    return value_and_hessian_result{from.value, from.gradient, convert(from.hessian)};
  }
  template <class V>
  static auto convert(const value_and_jvp_result<V, V>& from) {
    return value_and_jvp_result{convert(from.value), convert(from.tangent)};
  }
  template <Numeric T>
  static T convert(const T& number) {
    return number;
  }
};
template <verb V, class F, class Positions, class Policy, class Seeds, class... Args>
  requires(((V.is_matrix() && !V.is_sparse()) || V.what == derives::tangent || V.what == derives::nothing) &&
           (Fixed_or_quaternion<Args> || ...))
struct result_container<function_verb<V, F, Positions, Policy, Seeds>, Args...> : to_eigen_result {};

}  // namespace detail

template <detail::Eigen_matrix T>
inline constexpr bool is_tensor<T> = true;
template <detail::Eigen_matrix T>
  requires(!std::is_base_of_v<Eigen::PlainObjectBase<T>, T>)
inline constexpr bool is_tensor_view<T> = true;

template <detail::Eigen_matrix T>
struct tensor_traits<T> {
  using element = typename T::Scalar;
  static constexpr int rank = detail::is_eigen_vector<T> ? 1 : 2;
  static constexpr bool column_major = rank == 2 && !T::IsRowMajor;
  static constexpr auto extents = [] {
    constexpr auto known = [](int extent) { return static_cast<std::ptrdiff_t>(extent < 0 ? -1 : extent); };
    if constexpr (rank == 1)
      return std::array{known(T::SizeAtCompileTime)};
    else
      return std::array{known(T::RowsAtCompileTime), known(T::ColsAtCompileTime)};
  }();
  static const element* data(const T& tensor) { return tensor.data(); }
  static std::ptrdiff_t extent(const T& tensor, int axis) {
    if constexpr (rank == 1)
      return tensor.size();
    else
      return axis == 0 ? tensor.rows() : tensor.cols();
  }
  static std::ptrdiff_t stride(const T& tensor, int axis) {
    if constexpr (rank == 1)
      return tensor.innerStride();
    else
      return axis == (T::IsRowMajor ? 1 : 0) ? tensor.innerStride() : tensor.outerStride();
  }
  template <class U>
  using result = typename detail::eigen_of<T, U>::type;
  template <class U, class Shape>
  static void resize(U& to, const Shape& shape) {
    if constexpr (rank == 1)
      to.resize(static_cast<Eigen::Index>(shape[0]));
    else
      to.resize(static_cast<Eigen::Index>(shape[0]), static_cast<Eigen::Index>(shape[1]));
  }
};

}  // namespace tapeless
