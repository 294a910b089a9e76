#pragma once

#include <tapeless/program/lower/sequence_operations.hpp>
#include <tapeless/program/lower/trace.hpp>
#include <tapeless/program/rewrite/sum_rules.hpp>

namespace tapeless::program {

/// Some axes of a tensor, as the rule of a reduction, or what is computed from reductions, sees them.
class reduced_axes {
  builder& graph_;
  // Several may stand for one until axes have numbers: then `counted_` has one of them.
  axis_set axes_, counted_;

  template <class Op, class E>
  constexpr traced reduce(const E& e) const {
    // Axes of extent 1 are none.
    if (axes_ == 0) return traced(graph_, tapeless::detail::node_in(graph_, e));
    const int index = tapeless::detail::node_in(graph_, e);
    return traced(graph_, graph_.append_reduction(info<Op>, index, axes_));
  }

 public:
  constexpr reduced_axes(builder& graph, axis_set axes, axis_set counted)
      : graph_(graph), axes_(axes), counted_(counted) {}
  constexpr reduced_axes(builder& graph, axis_set axes) : reduced_axes(graph, axes, axes) {}

  template <class E>
  constexpr traced sum(const E& e) const {
    return traced(graph_, sum_over(graph_, tapeless::detail::node_in(graph_, e), axes_));
  }
  template <class E>
  constexpr traced nonzero_prod(const E& e) const {
    return reduce<operation::NonzeroProd>(e);
  }
  template <class E>
  constexpr traced amax(const E& e) const {
    return reduce<operation::AMax>(e);
  }
  template <class E>
  constexpr traced amin(const E& e) const {
    return reduce<operation::AMin>(e);
  }
  /// The number of elements.
  constexpr traced extent() const {
    traced result(1);
    for (axis_set left = counted_; left; left &= left - 1)
      result = traced(graph_, extent_of(graph_, first_axis(left))) * result;
    return result;
  }
  /// The index along the axis, where there is one.
  constexpr traced index() const {
    return axes_ == 0 ? traced(0) : traced(graph_, index_along(graph_, first_axis(counted_)));
  }
};

}  // namespace tapeless::program
