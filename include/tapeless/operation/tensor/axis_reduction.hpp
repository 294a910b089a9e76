#pragma once

#include <tapeless/math/infinity.hpp>
#include <tapeless/math/range.hpp>
#include <tapeless/operation/scalar/arithmetic.hpp>
#include <tapeless/operation/scalar/comparison.hpp>
#include <tapeless/operation/scalar/reduction.hpp>
#include <tapeless/operation/scalar/selection.hpp>

#include <type_traits>

/// Reductions of a tensor over axes. Such an operation has `reduces`, `neutral`, the result over no elements, and
/// `combine`, which takes two partial results; the rule of its derivative maps (operand, result, axes) to the partial
/// derivative at each element, where `axes.sum(e)` reduces over the same axes.
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

struct product_of_elements {
  static constexpr std::string_view name = "prod";
  static constexpr bool reduces = true;
  template <class T>
  TAPELESS_ALWAYS_INLINE static constexpr T neutral() {
    return T(1);
  }
  static constexpr auto combine = [](const auto& a, const auto& b) TAPELESS_INLINE_LAMBDA { return a * b; };
};

/// The product of elements none of which is zero.
struct NonzeroProd : product_of_elements {
  static constexpr rules partials{[](auto x, auto y, auto) { return y / x; }};
};

/// A power of an element that is zero: 0, but for its last derivative.
template <int N>
struct ZeroPower {
  static constexpr std::string_view name = "zero_power";
  static constexpr auto expand = [](auto) { return constant<(N == 0)>; };
  static constexpr rules partials{[](auto x, auto) { return constant<N> * apply<ZeroPower<N - 1>>(x); }};
};
/// The product of `count - Left` elements that are zero, a polynomial of their sum and that of their squares, which
/// gives derivatives of the whole product up to the third: 1 if none is left, else 0. Higher ones, for which `Order` is
/// 3, would take a sum of cubes, and are NaN.
template <int Left, int Order = 0>
struct ZeroProduct {
  static constexpr std::string_view name = "zero_product";
  static constexpr bool passes(int operand) { return operand != 0; }
  static constexpr auto expand = [](auto count, auto, auto) {
    if constexpr (Order < 3)
      return where(count == constant<Left>, 1_c, 0_c);
    else
      return where(count == constant<Left>, log(-1_c), 0_c);
  };
  static constexpr rules partials{
      [](auto...) { return 0_c; },
      [](auto n, auto sum, auto squares, auto) { return apply<ZeroProduct<Left + 1, Order + 1>>(n, sum, squares); },
      [](auto n, auto s, auto q, auto) { return constant<-1, 2> * apply<ZeroProduct<Left + 2, Order + 1>>(n, s, q); }};
};

/// Whether a formula's value has all its digits, as math::is_normal tells of a number.
inline constexpr auto is_normal = [](auto x) {
  return abs(x) >= mathematical_constant<SmallestNormal> && abs(x) <= mathematical_constant<LargestNumber>;
};

/// The square root of |x|, with the sign of x, where the product of x and others left the range of numbers; else 1.
struct RootBeyondRange {
  static constexpr std::string_view name = "root_beyond_range";
  static constexpr auto is_one = [](const auto& product) TAPELESS_INLINE_LAMBDA {
    return math::detail::everywhere(math::is_normal(product));
  };
  static constexpr auto value = [](const auto& x, const auto& product) TAPELESS_INLINE_LAMBDA {
    using T = std::remove_cvref_t<decltype(x)>;
    if (is_one(product)) [[likely]]
      return T(1);
    return T(math::select(math::is_normal(product), T(1), math::signed_root(x)));
  };
  static constexpr bool passes(int operand) { return operand == 0; }
  static constexpr rules partials{
      [](auto, auto product, auto y) { return where(is_normal(product), 0_c, 1_c / (2_c * abs(y))); },
      [](auto, auto, auto) { return 0_c; }};
};
/// The product of the others than x, none of them 0: a quotient, which says nothing where the product of all left the
/// range of numbers. That of their roots does not where the result is an ordinary number.
struct ProductOfOthers {
  static constexpr std::string_view name = "product_of_others";
  static constexpr auto value = [](const auto& x, const auto& product, const auto& roots) TAPELESS_INLINE_LAMBDA {
    using T = std::remove_cvref_t<decltype(x)>;
    if (RootBeyondRange::is_one(product)) [[likely]]
      return T(math::divide(product, x));
    const T root = math::divide(roots, math::signed_root(x));
    return T(math::select(math::is_normal(product), math::divide(product, x), T(root * math::abs(root))));
  };
  static constexpr rules partials{
      [](auto x, auto, auto, auto y) { return -(y / x); },
      [](auto x, auto product, auto, auto) { return where(is_normal(product), 1_c / x, 0_c); },
      [](auto x, auto product, auto roots, auto) { return where(is_normal(product), 0_c, 2_c * abs(roots) / x); }};
};

struct Prod : product_of_elements {
  // The product of the other elements: of those that are not zero, times that of those that are.
  static constexpr rules partials{[](auto x, auto, auto axes) {
    const auto is_zero = x == 0_c;
    const auto zero = where(is_zero, x, 0_c), nonzero = where(is_zero, 1_c, x), square = apply<ZeroPower<2>>(zero);
    const auto count = axes.sum(where(is_zero, 1_c, 0_c)), sum = axes.sum(zero), squares = axes.sum(square);
    const auto product = axes.nonzero_prod(nonzero);
    const auto roots = axes.nonzero_prod(apply<RootBeyondRange>(nonzero, product));
    const auto others = apply<ProductOfOthers>(nonzero, product, roots);
    return where(is_zero, others * apply<ZeroProduct<1>>(count, sum - zero, squares - square),
                 others * apply<ZeroProduct<0>>(count, sum, squares));
  }};
};

/// An extreme element, NaN if one is, by `Of` of two; k elements that tie share the derivative, 1/k each.
template <class Of>
struct extreme_element {
  static constexpr bool reduces = true;
  static constexpr bool needs_element = true;
  template <class T>
  TAPELESS_ALWAYS_INLINE static constexpr T neutral() {
    const T bound = tapeless::detail::upper_bound_of<T>();
    return std::is_same_v<Of, Larger> ? -bound : bound;
  }
  static constexpr auto combine = Of::value;
  static constexpr rules partials{
      [](auto x, auto y, auto axes) { return where(x == y, 1_c / axes.sum(where(x == y, 1_c, 0_c)), 0_c); }};
};
/// The largest element.
struct AMax : extreme_element<Larger> {
  static constexpr std::string_view name = "amax";
};
/// The smallest element.
struct AMin : extreme_element<Smaller> {
  static constexpr std::string_view name = "amin";
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
  static constexpr auto combine = [](const auto& a, const auto& b) TAPELESS_INLINE_LAMBDA {
    // What a kernel leaves for the next is a number.
    if constexpr (Numeric<std::remove_cvref_t<decltype(a)>>)
      return static_cast<bool>(a) || static_cast<bool>(b);
    else
      return a || b;
  };
};

/// Elements of a tensor as those of another: the program says which.
struct Move {
  static constexpr std::string_view name = "move";
  static constexpr bool of_tensors = true;
};

}  // namespace tapeless::operation
