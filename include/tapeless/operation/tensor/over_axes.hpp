#pragma once

#include <tapeless/operation/scalar/exponential.hpp>
#include <tapeless/operation/tensor/axis_reduction.hpp>

#include <string_view>

namespace tapeless {

/// Makes a reduction keep the reduced axes, with extent 1: `sum<0>(e, keep_dims)`.
struct keep_dims_t {};
inline constexpr keep_dims_t keep_dims{};

namespace operation {

/// sqrt of a sum of squares: its derivative at 0 is 0, so that the norm has gradient 0 at the origin.
struct RootOfSquares {
  static constexpr std::string_view name = "root_of_squares";
  static constexpr auto value = [](const auto& x) TAPELESS_INLINE_LAMBDA { return math::sqrt(x); };
  static constexpr rules partials{[](auto, auto y) { return where(y == 0_c, 0_c, 1_c / (2_c * y)); }};
  static constexpr double samples[][1] = {{1.5}, {0.25}};
};

// What is computed from reductions: `over` maps an operand and the axes to the result, where `axes.sum(e)` and its
// like reduce over them and `axes.extent()` is the number of elements; `keeps_axes` where the result has the
// operand's shape; `needs_element` where it is that of a largest element, as `amax` itself.

struct Mean {
  static constexpr std::string_view name = "mean";
  static constexpr auto over = [](auto x, auto axes) { return axes.sum(x) / axes.extent(); };
};
/// Computed from the differences from the mean, so that no digits cancel in the result.
struct Variance {
  static constexpr std::string_view name = "var";
  static constexpr auto over = [](auto x, auto axes) {
    return axes.sum(square(x - axes.sum(x) / axes.extent())) / axes.extent();
  };
};
struct StandardDeviation {
  static constexpr std::string_view name = "stddev";
  static constexpr auto over = [](auto x, auto axes) { return apply<RootOfSquares>(Variance::over(x, axes)); };
};
struct NormOver {
  static constexpr std::string_view name = "norm";
  static constexpr auto over = [](auto x, auto axes) { return apply<RootOfSquares>(axes.sum(x * x)); };
};
/// The largest element where it is finite, as the shift that keeps exponentials in range; it cancels, so it is stopped.
inline constexpr auto finite_shift = [](auto x, auto axes) {
  const auto largest = stop_gradient(axes.amax(x));
  return where(abs(largest) <= mathematical_constant<LargestNumber>, largest, 0_c);
};
struct LogSumExpOver {
  static constexpr std::string_view name = "logsumexp";
  static constexpr bool needs_element = true;
  static constexpr auto over = [](auto x, auto axes) {
    const auto shift = finite_shift(x, axes);
    return shift + log(axes.sum(exp(x - shift)));
  };
};
struct Softmax {
  static constexpr std::string_view name = "softmax";
  static constexpr bool needs_element = true;
  static constexpr bool keeps_axes = true;
  static constexpr auto over = [](auto x, auto axes) {
    const auto e = exp(x - finite_shift(x, axes));
    // The sum is at least 1, so that its inverse is safe: one division for all elements.
    return e * (1_c / axes.sum(e));
  };
};
struct LogSoftmax {
  static constexpr std::string_view name = "log_softmax";
  static constexpr bool needs_element = true;
  static constexpr bool keeps_axes = true;
  static constexpr auto over = [](auto x, auto axes) {
    const auto shifted = x - finite_shift(x, axes);
    return shifted - log(axes.sum(exp(shifted)));
  };
};
/// The index of the first largest element, or of the first NaN.
struct ArgMax {
  static constexpr std::string_view name = "argmax";
  static constexpr bool needs_element = true;
  static constexpr auto over = [](auto x, auto axes) {
    const auto largest = axes.amax(x);
    const auto found = x == largest || (largest != largest && x != x);
    return stop_gradient(axes.amin(where(found, axes.index(), mathematical_constant<LargestNumber>)));
  };
};

/// `Kind` over axes of its operand; over all axes if none are named. Axes count from the front, or, negative, from the
/// back.
template <class Kind, bool Keep, int... Axes>
struct OverAxes {
  static constexpr std::string_view name = Kind::name;
  static constexpr auto lower = [](auto& to, const auto& operand) {
    constexpr int axes[] = {Axes..., 0};
    return to.template over_axes<Kind>(operand, axes, sizeof...(Axes), Keep);
  };
};

template <int Axis>
TAPELESS_LOWERED(CumSum, cumsum, Axis)
template <int Axis>
TAPELESS_LOWERED(CumProd, cumprod, Axis)

}  // namespace operation

#define TAPELESS_OVER_AXES(NAME, KIND)                                                                                 \
  template <int... Axes, Symbolic E>                                                                                   \
  constexpr auto NAME(const E& e) {                                                                                    \
    return apply<operation::OverAxes<operation::KIND, false, Axes...>>(e);                                             \
  }                                                                                                                    \
  template <int... Axes, Symbolic E>                                                                                   \
  constexpr auto NAME(const E& e, keep_dims_t) {                                                                       \
    return apply<operation::OverAxes<operation::KIND, true, Axes...>>(e);                                              \
  }

/// The sum of all elements, or along axes: `sum<0, 1>(e)`. It is 0 if there are no elements.
TAPELESS_OVER_AXES(sum, Sum)
/// The mean of all elements, or along axes: `mean<0>(e)`. It is NaN if there are no elements.
TAPELESS_OVER_AXES(mean, Mean)
/// The variance of all elements, or along axes: the mean of the squares of the differences from the mean (ddof = 0
/// in NumPy). It is NaN if there are no elements.
TAPELESS_OVER_AXES(var, Variance)
/// The standard deviation, the square root of `var`. Its gradient is 0 where all elements are equal.
TAPELESS_OVER_AXES(stddev, StandardDeviation)
/// The product of all elements, or along axes. It is 1 if there are no elements. Its gradient is correct if elements
/// are 0.
TAPELESS_OVER_AXES(prod, Prod)
/// The largest element, or along axes; NaN if an element is NaN. Each of k equal largest elements has derivative 1/k.
TAPELESS_OVER_AXES(amax, AMax)
/// The smallest element, or along axes; NaN if an element is NaN. Each of k equal smallest elements has derivative 1/k.
TAPELESS_OVER_AXES(amin, AMin)
#undef TAPELESS_OVER_AXES

#define TAPELESS_OVER_GIVEN_AXES(NAME, KIND)                                                                           \
  template <int Axis, int... Axes, Symbolic E>                                                                         \
  constexpr auto NAME(const E& e) {                                                                                    \
    return apply<operation::OverAxes<operation::KIND, false, Axis, Axes...>>(e);                                       \
  }                                                                                                                    \
  template <int... Axes, Symbolic E>                                                                                   \
  constexpr auto NAME(const E& e, keep_dims_t) {                                                                       \
    return apply<operation::OverAxes<operation::KIND, true, Axes...>>(e);                                              \
  }

/// The Euclidean norm along axes, `norm<1>(e)`; `norm(e)` is that of all elements. The gradient at the origin is 0.
TAPELESS_OVER_GIVEN_AXES(norm, NormOver)
/// log(sum(exp(e))) along axes, without overflow; `logsumexp(e)` is that of all elements.
TAPELESS_OVER_GIVEN_AXES(logsumexp, LogSumExpOver)
#undef TAPELESS_OVER_GIVEN_AXES

/// exp(e) / sum(exp(e)) along an axis, without overflow.
template <int Axis = -1, Symbolic E>
constexpr auto softmax(const E& e) {
  return apply<operation::OverAxes<operation::Softmax, false, Axis>>(e);
}
/// The logarithm of the softmax along an axis, without overflow.
template <int Axis = -1, Symbolic E>
constexpr auto log_softmax(const E& e) {
  return apply<operation::OverAxes<operation::LogSoftmax, false, Axis>>(e);
}
/// The index of the first largest element along an axis; its derivative is `Zero`.
template <int Axis = -1, Symbolic E>
constexpr auto argmax(const E& e) {
  return apply<operation::OverAxes<operation::ArgMax, false, Axis>>(e);
}

/// The sums of the first, the first two, ... elements along an axis, `cumsum<0>(e)`, in this order; one pass. Its
/// adjoint is the same from the last element on.
template <int Axis, Symbolic E>
constexpr auto cumsum(const E& e) {
  return apply<operation::CumSum<Axis>>(e);
}

/// The products of the first, the first two, ... elements along an axis, `cumprod<0>(e)`. The derivatives are correct
/// if elements are 0. For n elements the time is proportional to n^2: each product is one of its own, as `prod`.
template <int Axis, Symbolic E>
constexpr auto cumprod(const E& e) {
  return apply<operation::CumProd<Axis>>(e);
}

}  // namespace tapeless
