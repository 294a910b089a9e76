#ifndef TAPELESS_OPERATION_AXIS_REDUCTION_HPP
#define TAPELESS_OPERATION_AXIS_REDUCTION_HPP

#include <tapeless/operation/arithmetic.hpp>
#include <tapeless/operation/comparison.hpp>
#include <tapeless/operation/reduction.hpp>
#include <tapeless/operation/selection.hpp>

/// Reductions of a tensor over axes. Such an operation has `reduces`, `neutral`, the result over no elements, and
/// `combine`, which takes two partial results; the rule of its derivative maps (operand, result, axes) to the partial
/// derivative at each element, where `axes.sum(e)` and `axes.prod(e)` reduce over the same axes.
namespace tapeless::operation {

struct Sum {
  static constexpr std::string_view name = "sum";
  static constexpr bool reduces = true;
  template <class T>
  TAPELESS_ALWAYS_INLINE static constexpr T neutral() {
    return T(0);
  }
  static constexpr auto combine = [](const auto& a, const auto& b) TAPELESS_INLINE_LAMBDA { return a + b; };
  static constexpr rules partials{[](auto, auto, auto) { return 1_c; }};
};

struct Prod {
  static constexpr std::string_view name = "prod";
  static constexpr bool reduces = true;
  template <class T>
  TAPELESS_ALWAYS_INLINE static constexpr T neutral() {
    return T(1);
  }
  static constexpr auto combine = [](const auto& a, const auto& b) TAPELESS_INLINE_LAMBDA { return a * b; };
  // The product of the other elements, right where one or more of all are zero.
  static constexpr rules partials{[](auto x, auto y, auto axes) {
    const auto zeros = axes.sum(where(x == 0_c, 1_c, 0_c));
    return where(zeros == 0_c, y / x, where(x == 0_c && zeros == 1_c, axes.prod(where(x == 0_c, 1_c, x)), 0_c));
  }};
};

/// The largest element, NaN if one is; k elements that tie share the derivative, 1/k each.
struct AMax {
  static constexpr std::string_view name = "amax";
  static constexpr bool reduces = true;
  template <class T>
  TAPELESS_ALWAYS_INLINE static constexpr T neutral() {
    return -Infinity::constant<T>();
  }
  static constexpr auto combine = Larger::value;
  static constexpr rules partials{
      [](auto x, auto y, auto axes) { return where(x == y, 1_c / axes.sum(where(x == y, 1_c, 0_c)), 0_c); }};
};

/// The smallest element, NaN if one is; k elements that tie share the derivative, 1/k each.
struct AMin {
  static constexpr std::string_view name = "amin";
  static constexpr bool reduces = true;
  template <class T>
  TAPELESS_ALWAYS_INLINE static constexpr T neutral() {
    return Infinity::constant<T>();
  }
  static constexpr auto combine = Smaller::value;
  static constexpr rules partials = AMax::partials;
};

/// Whether a condition holds for any element.
struct Any {
  static constexpr std::string_view name = "any";
  static constexpr bool reduces = true;
  static constexpr bool condition = true;
  template <class T>
  TAPELESS_ALWAYS_INLINE static constexpr bool neutral() {
    return false;
  }
  static constexpr auto combine = [](const auto& a, const auto& b) TAPELESS_INLINE_LAMBDA { return a || b; };
};

/// Elements of a tensor as those of another: the program says which.
struct Move {
  static constexpr std::string_view name = "move";
  static constexpr bool of_tensors = true;
};

}  // namespace tapeless::operation

#endif
