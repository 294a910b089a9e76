#ifndef TAPELESS_TEST_EMIT_KERNELS_HPP
#define TAPELESS_TEST_EMIT_KERNELS_HPP

#include <tapeless/xtensor.hpp>

#include <array>

/// What is written as kernels.
namespace kernels {

inline constexpr auto smooth = [](auto a, const auto& p) {
  return 0.1 * exp(a) * norm(p[0], p[1], 2.0) + tanh(a * p[0]) + max(a, p[1]) + copysign(a, p[0]) + atan2(a, p[1]);
};
inline constexpr auto recurrence = [](auto a, auto b) {
  return tapeless::scan([&](auto c, auto t) { return sin(a * c + t) + b; }, a, tapeless::steps(12));
};
inline constexpr auto branches = [](auto a, auto b) {
  return tapeless::cond(a > b, [&] { return exp(a) * b; }, [&] { return log(b) * a; });
};

/// Over tensors, with memory for a row of w.
inline constexpr auto layers = [](const auto& w, const auto& x, auto scale) {
  return sum(square(scale * tanh(dot(x, w)))) + sum(slice<0>(w, 1));
};

/// A loop over tensors, with memory for its steps.
inline constexpr auto chained = [](const auto& w, const auto& x) {
  return sum(tapeless::scan([&](auto h, auto e) { return tanh(dot(w, h)) * e; }, sum<0>(w), x));
};
/// Integers, which are the same for all threads, and rows at indices that each has of its own.
inline constexpr auto chosen = [](const auto& w, const auto& at, auto n, const auto& ends) {
  return sum(sin(slice<0>(take(w, at), ends[0], ends[1]))) * n;
};
inline constexpr auto layer = [](const auto& w, const auto& x) { return tanh(dot(x, w)); };

}  // namespace kernels

#endif
