#pragma once

#include <tapeless/core/message.hpp>
#include <tapeless/gradient/function/function_inputs.hpp>
#include <tapeless/gradient/tensor/bound_tensor.hpp>
#include <tapeless/gradient/tensor/storage.hpp>
#include <tapeless/gradient/tensor/tensor_argument.hpp>

#include <array>
#include <cstddef>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace tapeless {

/// A tensor whose last axis is read as arrays of `N` numbers; made by `rows_of`. `Held` refers to it.
template <std::size_t N, class Held>
class matrix_rows {
  Held held_;

 public:
  using tensor_type = typename Held::tensor_type;
  using traits = tensor_traits<tensor_type>;
  using number = typename traits::element;
  using record = std::array<number, N>;
  static constexpr int rank = traits::rank;

  explicit matrix_rows(const Held& held) : held_(held) {
    const std::ptrdiff_t last = traits::extent(get(), rank - 1);
    if (last != static_cast<std::ptrdiff_t>(N))
      tapeless::detail::raise<std::invalid_argument>(
          {"rows_of<", N, ">: the rows of the tensor have ", last, " numbers"});
  }
  const tensor_type& get() const { return held_.get(); }
};

/// A matrix as the sequence of its rows, each a `std::array` of `N` numbers: an argument of a function with a loop,
/// which gets a row a step. The gradient by it is a matrix. Of a tensor of rank 3, in `batched`, each element has a
/// matrix. Nothing is copied; the tensor stays where it is. Other extents than `N` along the last axis:
/// std::invalid_argument.
template <std::size_t N, class M>
  requires is_tensor<M>
auto rows_of(const M& matrix) {
  constexpr bool fits = tensor_traits<M>::rank == 2 || tensor_traits<M>::rank == 3;
  static_assert(fits, "tapeless: rows_of<n>(x) needs a matrix, or in batched a tensor of rank 3 [TL172]");
  if constexpr (!fits)
    return detail::no_result{};
  else
    return matrix_rows<N, detail::held_t<M>>(detail::hold(matrix));
}
template <std::size_t N, class M>
  requires(is_tensor<M> && !is_tensor_view<M>)
matrix_rows<N, M> rows_of(const M&&) = delete;  // tapeless: give the temporary tensor a name [TL171]

namespace detail {

template <std::size_t N, class Held>
inline constexpr bool is_matrix_rows<matrix_rows<N, Held>> = true;

/// Column `I` of a matrix with `N` columns.
template <std::size_t I, std::size_t N, class M>
struct matrix_column {
  using value_type = typename tensor_traits<std::remove_const_t<M>>::element;
  M* matrix;
};

}  // namespace detail

template <std::size_t I, std::size_t N, class M>
inline constexpr bool is_tensor<detail::matrix_column<I, N, M>> = true;
template <std::size_t I, std::size_t N, class M>
inline constexpr bool is_tensor_view<detail::matrix_column<I, N, M>> = true;

template <std::size_t I, std::size_t N, class M>
struct tensor_traits<detail::matrix_column<I, N, M>> {
  using tensor = detail::matrix_column<I, N, M>;
  using of_matrix = tensor_traits<std::remove_const_t<M>>;
  using element = typename tensor::value_type;
  static_assert(of_matrix::rank == 2,
                "tapeless: rows_of<n>(x) of a tensor of rank 3 works only in batched, which gives each element one "
                "matrix [TL173]");
  static constexpr int rank = 1;
  static constexpr bool column_major = false;
  static constexpr std::array<std::ptrdiff_t, 1> extents{of_matrix::extents[0]};
  static const element* data(const tensor& column) {
    // A matrix without rows need not have any memory.
    const element* const first = of_matrix::data(*column.matrix);
    return extent(column, 0) > 0 ? first + static_cast<std::ptrdiff_t>(I) * of_matrix::stride(*column.matrix, 1)
                                 : first;
  }
  static std::ptrdiff_t extent(const tensor& column, int) { return of_matrix::extent(*column.matrix, 0); }
  static std::ptrdiff_t stride(const tensor& column, int) { return of_matrix::stride(*column.matrix, 0); }
  template <class U>
  using result = std::vector<U>;
  template <class Shape>
  static void resize(const tensor& column, const Shape& to) {
    of_matrix::resize(*column.matrix, std::array{to[0], static_cast<std::ptrdiff_t>(N)});
  }
};

namespace detail {

template <std::size_t N, class Held>
struct shape_of<matrix_rows<N, Held>> : shape_of<std::vector<typename matrix_rows<N, Held>::record>> {
  using argument = matrix_rows<N, Held>;

  template <std::size_t I>
  static auto element(const argument& all) {
    return matrix_column<I, N, const typename argument::tensor_type>{__builtin_addressof(all.get())};
  }
  template <std::size_t I, class M>
  static matrix_column<I, N, M> element(M& gradient) {
    return {__builtin_addressof(gradient)};
  }
  template <class U>
  using gradient_type =
      typename argument::traits::template result<std::conditional_t<std::is_void_v<U>, typename argument::number, U>>;
  template <class U, std::size_t First, class Evaluation>
  static gradient_type<U> read(const Evaluation& done) {
    gradient_type<U> result;
    for_each_index<N>([&](auto i) {
      const auto from = done.template output<First + i>();
      const auto column = element<i>(result);
      using traits = tensor_traits<std::remove_const_t<decltype(column)>>;
      traits::resize(column, std::array{static_cast<std::ptrdiff_t>(from.size)});
      auto* const to = data_of(column);
      for (std::size_t step = 0; step < from.size; ++step)
        to[static_cast<std::ptrdiff_t>(step) * traits::stride(column, 0)] =
            static_cast<typename traits::element>(from[step]);
    });
    return result;
  }
};

}  // namespace detail

}  // namespace tapeless
