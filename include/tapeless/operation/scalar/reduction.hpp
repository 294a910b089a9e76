#pragma once

#include <tapeless/core/target.hpp>
#include <tapeless/math/range.hpp>
#include <tapeless/operation/scalar/exponential.hpp>
#include <tapeless/operation/scalar/selection.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

namespace tapeless {

namespace operation {

/// The largest finite number. What tells finite numbers from infinity compares with it: with -ffast-math a comparison
/// with infinity has no meaning, whatever the other number is.
struct LargestNumber {
  static constexpr std::string_view name = "largest";
  template <class T>
  TAPELESS_ALWAYS_INLINE static constexpr T constant() {
    return std::numeric_limits<T>::max();
  }
};

/// 1/k where k of the operands after the first equal the first, at least one of them. Derivative zero everywhere.
struct ShareOfTie {
  static constexpr std::string_view name = "share_of_tie";
  static constexpr bool passes(int) { return false; }
  static constexpr auto expand = [](auto operands) {
    if (operands.size() == 3) return where(operands[1] == operands[2], constant<1, 2>, 1_c);
    return 1_c / operands.template fold<1>([&](auto operand) { return where(operand == operands[0], 1_c, 0_c); },
                                           [](auto left, auto right) { return left + right; });
  };
  static constexpr rule_for_each partials{[](auto, auto, auto) { return 0_c; }};
};

/// The larger of two numbers, NaN if one of them is.
struct Larger {
  TAPELESS_COMPUTED_BY(larger)
  static constexpr operation_counts cost{.selections = 1};
};

/// The smaller of two numbers, NaN if one of them is.
struct Smaller {
  TAPELESS_COMPUTED_BY(smaller)
  static constexpr operation_counts cost{.selections = 1};
};

/// An extreme operand, by `Of` of two: k operands that tie share the derivative, 1/k each.
template <class Of>
struct extreme {
  static constexpr auto expand = [](auto operands) {
    return operands.template fold<0>([](auto operand) { return operand; },
                                     [](auto left, auto right) { return apply<Of>(left, right); });
  };
  static constexpr rule_for_each partials{
      [](auto x, auto y, auto all) { return where(x == y, all.template apply<ShareOfTie>(y), 0_c); }};
};
/// The largest operand, as one operation.
struct Max : extreme<Larger> {
  static constexpr std::string_view name = "max";
};
/// The smallest operand, as one operation.
struct Min : extreme<Smaller> {
  static constexpr std::string_view name = "min";
};

/// The Euclidean norm of two or three numbers
struct ShortNorm {
  static constexpr std::string_view name = "norm";
  static constexpr auto value = [](const auto&... xs) TAPELESS_INLINE_LAMBDA { return math::norm(xs...); };
};

/// The Euclidean norm, without overflow; gradient 0 at the origin.
struct Norm {
  static constexpr std::string_view name = "norm";
  /// That of the operands from `first` on: the norm of the norms of three parts.
  template <class Operands>
  static constexpr auto of(const Operands& operands, int first, int count) -> decltype(operands[0]) {
    if (count == 1) return operands[first];
    if (count == 2) return apply<ShortNorm>(operands[first], operands[first + 1]);
    const int part = (count + 2) / 3, rest = count - part, half = (rest + 1) / 2;
    return apply<ShortNorm>(of(operands, first, part), of(operands, first + part, half),
                            of(operands, first + part + half, rest - half));
  }
  static constexpr auto expand = [](auto operands) {
    return operands.size() == 1 ? abs(operands[0]) : of(operands, 0, operands.size());
  };
  static constexpr rule_for_each partials{[](auto x, auto y, auto) { return where(y == 0_c, 0_c, x / y); }};
};

/// log of the sum of the exponentials, shifted by the largest operand so that none overflows
struct LogSumExp {
  static constexpr std::string_view name = "logsumexp";
  static constexpr auto expand = [](auto operands) {
    const auto largest = Max::expand(operands);
    // An infinite maximum must not meet itself in a difference.
    const auto shift = where(abs(largest) <= mathematical_constant<LargestNumber>, largest, 0_c);
    return shift + log(operands.template fold<0>([&](auto operand) { return exp(operand - shift); },
                                                 [](auto left, auto right) { return left + right; }));
  };
  static constexpr rule_for_each partials{[](auto x, auto y, auto) { return apply<SoftmaxExp>(x - y); }};
};

}  // namespace operation

#define TAPELESS_REDUCTION(NAME, OPERATION)                                                                            \
  template <Operand... Es>                                                                                             \
    requires(sizeof...(Es) > 0)                                                                                        \
  constexpr auto NAME(Es... es) {                                                                                      \
    return apply<operation::OPERATION>(es...);                                                                         \
  }

/// The largest operand; NaN if one is NaN. Each of k equal largest operands has derivative 1/k. For a single tensor,
/// its `amax`.
TAPELESS_REDUCTION(max, Max)
/// The smallest operand; NaN if one is NaN. Each of k equal smallest operands has derivative 1/k. For a single tensor,
/// its `amin`.
TAPELESS_REDUCTION(min, Min)
/// sqrt(a^2 + b^2 + ...); the gradient at the origin is 0.
TAPELESS_REDUCTION(norm, Norm)
/// log(e^a + e^b + ...) without overflow; its gradient is the softmax. As in JAX, an operand -inf has derivative 0, an
/// operand +inf has derivative NaN, and all derivatives are NaN if every operand is -inf.
TAPELESS_REDUCTION(logsumexp, LogSumExp)
#undef TAPELESS_REDUCTION

/// x clamped to [low, high]: `min(max(x, low), high)`, which also defines ties.
template <Operand... Es>
  requires(sizeof...(Es) == 3)
constexpr auto clamp(Es... es) {
  return [](const auto& operand, const auto& low, const auto& high) {
    if constexpr (detail::Plain<Es...>)
      return apply<operation::Smaller>(apply<operation::Larger>(operand, low), high);
    else
      return min(max(operand, low), high);
  }(es...);
}

// Functions of all numbers of a `std::array`, in traced functions and for plain numbers, integers as `double`. Each
// number remains a value of its own.

namespace detail::inline TAPELESS_TARGET {

template <class T, class E, std::size_t N>
constexpr std::array<T, N> vector_as(const std::array<E, N>& v) {
  std::array<T, N> result{};
  for (std::size_t i = 0; i < N; ++i) result[i] = T(v[i]);
  return result;
}

}  // namespace detail::inline TAPELESS_TARGET

/// x[0] + x[1] + ..., in this order.
template <Operand T, std::size_t N>
  requires(N > 0)
constexpr auto sum(const std::array<T, N>& x) {
  detail::real_entry_t<T> result(x[0]);
  for (std::size_t i = 1; i < N; ++i) result = result + detail::real_entry_t<T>(x[i]);
  return result;
}

/// The cumulative sums: of the first, the first two, ... numbers.
template <Operand T, std::size_t N>
constexpr auto cumsum(const std::array<T, N>& x) {
  auto sums = detail::vector_as<detail::real_entry_t<T>>(x);
  for (std::size_t i = 1; i < N; ++i) sums[i] = sums[i - 1] + sums[i];
  return sums;
}

/// The arithmetic mean.
template <Operand T, std::size_t N>
  requires(N > 0)
constexpr detail::real_entry_t<T> mean(const std::array<T, N>& x) {
  return sum(x) / constant<static_cast<std::intmax_t>(N)>;
}

#define TAPELESS_OF_ARRAY(NAME)                                                                                        \
  template <Operand T, std::size_t N>                                                                                  \
    requires(N > 0)                                                                                                    \
  constexpr detail::real_entry_t<T> NAME(const std::array<T, N>& x) {                                                  \
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
