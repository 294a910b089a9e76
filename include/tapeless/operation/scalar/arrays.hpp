#pragma once

#include <tapeless/operation/scalar/reduction.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

/// Functions of all numbers of a `std::array`, in traced functions and for plain numbers. Each number remains a value
/// of its own.
namespace tapeless {

/// x[0] + x[1] + ..., in this order.
template <Operand T, std::size_t N>
  requires(N > 0)
constexpr T sum(const std::array<T, N>& x) {
  T result = x[0];
  for (std::size_t i = 1; i < N; ++i) result = result + x[i];
  return result;
}

/// The cumulative sums: of the first, the first two, ... numbers.
template <Operand T, std::size_t N>
constexpr std::array<T, N> cumsum(std::array<T, N> x) {
  for (std::size_t i = 1; i < N; ++i) x[i] = x[i - 1] + x[i];
  return x;
}

/// The arithmetic mean.
template <Operand T, std::size_t N>
  requires(N > 0)
constexpr T mean(const std::array<T, N>& x) {
  return sum(x) / constant<static_cast<std::intmax_t>(N)>;
}

#define TAPELESS_OF_ARRAY(NAME)                                                                                        \
  template <Operand T, std::size_t N>                                                                                  \
    requires(N > 0)                                                                                                    \
  constexpr T NAME(const std::array<T, N>& x) {                                                                        \
    return [&]<std::size_t... I>(std::index_sequence<I...>) { return NAME(x[I]...); }(std::make_index_sequence<N>{});  \
  }
/// The Euclidean norm without overflow; gradient 0 at the origin.
TAPELESS_OF_ARRAY(norm)
/// The largest number; ties share the derivative.
TAPELESS_OF_ARRAY(max)
/// The smallest number; ties share the derivative.
TAPELESS_OF_ARRAY(min)
/// log(e^x[0] + e^x[1] + ...) without overflow.
TAPELESS_OF_ARRAY(logsumexp)
#undef TAPELESS_OF_ARRAY

}  // namespace tapeless
