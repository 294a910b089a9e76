#pragma once

#include <tapeless/core/constant.hpp>
#include <tapeless/core/expression.hpp>
#include <tapeless/core/number.hpp>
#include <tapeless/core/target.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

/// Small matrices: `std::array<std::array<T, columns>, rows>` of numbers, or of values in a traced function. Everything
/// is unrolled into the program, and an entry that is the constant 0 costs nothing. Vectors are `std::array<T, n>`.
namespace tapeless {

namespace detail {

template <class T, std::size_t R, std::size_t C>
using matrix = std::array<std::array<T, C>, R>;

template <class... Ts>
struct common_entry : common_real<Ts...> {};
template <class A, class B>
  requires(is_traced<A> || is_traced<B>)
struct common_entry<A, B> : std::conditional<is_traced<A>, A, B> {};
/// What entries of types `A` and `B` make together.
template <class A, class B>
using common_entry_t = typename common_entry<A, B>::type;

}  // namespace detail

namespace detail::inline TAPELESS_TARGET {

/// 0 and 1 that are known to be: a product with such a 0 is no operation.
template <class T, std::intmax_t N>
constexpr T known() {
  if constexpr (is_traced<T>)
    return T(constant<N>);
  else
    return T(N);
}

template <class T, std::size_t N, class First, class Second>
constexpr T sum_of_products(const First& first, const Second& second) {
  static_assert(N > 0, "tapeless: a matrix or a vector needs at least one entry [TL131]");
  T sum = T(first(0)) * T(second(0));
  for (std::size_t i = 1; i < N; ++i) sum = sum + T(first(i)) * T(second(i));
  return sum;
}

}  // namespace detail::inline TAPELESS_TARGET

inline namespace TAPELESS_TARGET {

/// The identity matrix with `N` rows: `identity<double, 3>()`, in a traced function `identity<decltype(x), 3>()`.
template <class T, std::size_t N>
constexpr std::array<std::array<T, N>, N> identity() {
  std::array<std::array<T, N>, N> result{};
  for (std::size_t i = 0; i < N; ++i)
    for (std::size_t j = 0; j < N; ++j) result[i][j] = i == j ? detail::known<T, 1>() : detail::known<T, 0>();
  return result;
}

/// The dot product of two vectors of the same length.
template <Operand A, Operand B, std::size_t N, std::size_t M>
constexpr auto dot(const std::array<A, N>& a, const std::array<B, M>& b) {
  static_assert(N == M, "tapeless: dot needs two vectors of the same length [TL132]");
  return detail::sum_of_products<detail::common_entry_t<A, B>, (N < M ? N : M)>(
      [&](std::size_t i) -> const A& { return a[i]; }, [&](std::size_t i) -> const B& { return b[i]; });
}

/// The outer product: the matrix of all a[i] b[j].
template <Operand A, Operand B, std::size_t R, std::size_t C>
constexpr auto outer(const std::array<A, R>& a, const std::array<B, C>& b) {
  using T = detail::common_entry_t<A, B>;
  detail::matrix<T, R, C> result{};
  for (std::size_t i = 0; i < R; ++i)
    for (std::size_t j = 0; j < C; ++j) result[i][j] = T(a[i]) * T(b[j]);
  return result;
}

/// The cross product of two vectors of length 3.
template <Operand A, Operand B>
constexpr auto cross(const std::array<A, 3>& a, const std::array<B, 3>& b) {
  using T = detail::common_entry_t<A, B>;
  const std::array<T, 3> x{T(a[0]), T(a[1]), T(a[2])}, y{T(b[0]), T(b[1]), T(b[2])};
  return std::array<T, 3>{x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]};
}

/// The product of two matrices.
template <Operand A, Operand B, std::size_t R, std::size_t N, std::size_t M, std::size_t C>
constexpr auto matmul(const std::array<std::array<A, N>, R>& a, const std::array<std::array<B, C>, M>& b) {
  static_assert(N == M, "tapeless: matmul needs a first matrix with as many columns as the second has rows [TL133]");
  using T = detail::common_entry_t<A, B>;
  detail::matrix<T, R, C> result{};
  for (std::size_t i = 0; i < R; ++i)
    for (std::size_t j = 0; j < C; ++j)
      result[i][j] = detail::sum_of_products<T, (N < M ? N : M)>([&](std::size_t k) -> const A& { return a[i][k]; },
                                                                 [&](std::size_t k) -> const B& { return b[k][j]; });
  return result;
}
/// The product of a matrix and a column vector.
template <Operand A, Operand B, std::size_t R, std::size_t N, std::size_t M>
constexpr auto matmul(const std::array<std::array<A, N>, R>& a, const std::array<B, M>& b) {
  static_assert(N == M, "tapeless: matmul needs a vector as long as the matrix has columns [TL134]");
  using T = detail::common_entry_t<A, B>;
  std::array<T, R> result{};
  for (std::size_t i = 0; i < R; ++i)
    result[i] = detail::sum_of_products<T, (N < M ? N : M)>([&](std::size_t k) -> const A& { return a[i][k]; },
                                                            [&](std::size_t k) -> const B& { return b[k]; });
  return result;
}
/// The product of a row vector and a matrix.
template <Operand A, Operand B, std::size_t N, std::size_t M, std::size_t C>
constexpr auto matmul(const std::array<A, N>& a, const std::array<std::array<B, C>, M>& b) {
  static_assert(N == M, "tapeless: matmul needs a vector as long as the matrix has rows [TL135]");
  using T = detail::common_entry_t<A, B>;
  std::array<T, C> result{};
  for (std::size_t j = 0; j < C; ++j)
    result[j] = detail::sum_of_products<T, (N < M ? N : M)>([&](std::size_t k) -> const A& { return a[k]; },
                                                            [&](std::size_t k) -> const B& { return b[k][j]; });
  return result;
}

template <Operand A, Operand B, std::size_t N, std::size_t M>
constexpr auto matmul(const std::array<A, N>& a, const std::array<B, M>& b) {
  static_assert(detail::always_false<A>, "tapeless: the product of two vectors is dot(a, b) or outer(a, b) [TL269]");
  return dot(a, b);
}

/// The matrix with rows and columns exchanged.
template <Operand T, std::size_t R, std::size_t C>
constexpr auto transpose(const std::array<std::array<T, C>, R>& a) {
  detail::matrix<T, C, R> result{};
  for (std::size_t i = 0; i < R; ++i)
    for (std::size_t j = 0; j < C; ++j) result[j][i] = a[i][j];
  return result;
}

/// The sum of the diagonal of a square matrix.
template <Operand T, std::size_t R, std::size_t C>
constexpr auto trace(const std::array<std::array<T, C>, R>& a) {
  static_assert(R == C && R > 0, "tapeless: trace needs a square matrix [TL136]");
  detail::real_entry_t<T> sum(a[0][0]);
  for (std::size_t i = 1; i < (R < C ? R : C); ++i) sum = sum + detail::real_entry_t<T>(a[i][i]);
  return sum;
}

}  // namespace TAPELESS_TARGET

}  // namespace tapeless
