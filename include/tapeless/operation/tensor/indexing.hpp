#pragma once

#include <tapeless/operation/tensor/linear_algebra.hpp>

#include <cstddef>
#include <string_view>

namespace tapeless {

namespace operation {

template <int Axis>
struct Slice {
  static constexpr std::string_view name = "slice";
  static constexpr auto lower = [](auto& to, const auto& operand, const auto& begin, const auto&... end_and_step) {
    return to.slice(operand, Axis, begin, &end_and_step...);
  };
};

template <int Axis>
TAPELESS_LOWERED(Take, take, Axis)

template <std::ptrdiff_t... Extents>
struct Reshape {
  static constexpr std::string_view name = "reshape";
  static constexpr auto lower = [](auto& to, const auto& operand) {
    constexpr std::ptrdiff_t extents[] = {Extents..., 0};
    return to.reshape(operand, extents, sizeof...(Extents));
  };
};

template <int Axis>
struct Concatenate {
  static constexpr std::string_view name = "concatenate";
  static constexpr auto lower_list = [](auto& to, auto* operands, int count) {
    return to.concatenate(operands, count, Axis);
  };
};

TAPELESS_LOWERED(SegmentSum, segment_sum)
TAPELESS_LOWERED(OneHot, one_hot)

}  // namespace operation

/// Elements from `begin` up to but not including `end` along an axis: `slice<0>(e, 2, -1)`. Both are integers; negative
/// ones count from the end. Throws if the range leaves the axis.
template <int Axis, Symbolic E, Operand Begin, Operand End>
constexpr auto slice(E e, Begin begin, End end) {
  return apply<operation::Slice<Axis>>(e, begin, end);
}

/// One element in `step` of those: `slice<0>(e, 1, -1, 2)`. With a negative step from `begin` down to but not including
/// `end`; of an axis of n elements, `end` is -n - 1 in front of the first (`flip` reverses a whole axis).
template <int Axis, Symbolic E, Operand Begin, Operand End, Operand Step>
constexpr auto slice(E e, Begin begin, End end, Step step) {
  return apply<operation::Slice<Axis>>(e, begin, end, step);
}

/// Elements from `begin` to the last along an axis: `slice<0>(e, 1)`.
template <int Axis, Symbolic E, Operand Begin>
constexpr auto slice(E e, Begin begin) {
  return apply<operation::Slice<Axis>>(e, begin);
}

/// The elements at `indices`, integers, along an axis; `take(e, indices)` along the first. The result has the axes of
/// the indices in the place of the axis. If an index occurs several times, its derivatives add up. Negative indices
/// count from the end. Throws if an index is out of range.
template <int Axis = 0, Symbolic E, Symbolic Indices>
constexpr auto take(const E& e, const Indices& indices) {
  return apply<operation::Take<Axis>>(e, stop_gradient(indices));
}

/// For each of `count` segments the sum of the elements, or rows, of which `segments`, a vector of integers, says that
/// they are of it: `segment_sum(e, k, n)` is the sum of the `e[i]` with `k[i] == s` for s = 0, ..., n - 1. It is the
/// transpose of `take(e, k)`. Throws std::out_of_range if one of `segments` is negative or not less than `count`.
template <Symbolic E, Symbolic Segments, Operand Count>
constexpr auto segment_sum(const E& e, const Segments& segments, Count count) {
  return apply<operation::SegmentSum>(e, stop_gradient(segments), count);
}

/// The same elements in row-major order with other extents: `reshape<2, -1>(e)`, where -1 stands for the remaining
/// extent.
template <std::ptrdiff_t... Extents, Symbolic E>
constexpr auto reshape(const E& e) {
  return apply<operation::Reshape<Extents...>>(e);
}

/// The operands one after another along an axis. Their other extents must be equal.
template <int Axis, Symbolic... Es>
constexpr auto concatenate(const Es&... es) {
  return apply<operation::Concatenate<Axis>>(es...);
}

/// The operands, of equal shape, along a new axis.
template <int Axis = 0, Symbolic... Es>
constexpr auto stack(const Es&... es) {
  return concatenate<Axis>(expand_dims<Axis>(es)...);
}

/// Labels 0, 1, ... as vectors of `classes` numbers along a new last axis: 1 at the label and 0 elsewhere. The
/// derivative is `Zero`.
template <Symbolic E, Operand Classes>
constexpr auto one_hot(E labels, Classes classes) {
  return apply<operation::OneHot>(stop_gradient(labels), classes);
}

}  // namespace tapeless
