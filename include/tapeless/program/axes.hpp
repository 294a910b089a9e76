#ifndef TAPELESS_PROGRAM_AXES_HPP
#define TAPELESS_PROGRAM_AXES_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/operation/axis_reduction.hpp>
#include <tapeless/program/trace.hpp>

#include <bit>

namespace tapeless::program {

constexpr axis_set axis(int id) { return axis_set{1} << id; }
constexpr int first_axis(axis_set axes) { return std::countr_zero(axes); }
/// The set of the first axis alone; none of none.
constexpr axis_set outermost(axis_set axes) { return axes & -axes; }
constexpr int count_axes(axis_set axes) { return std::popcount(axes); }

/// The extent of an axis, as a number of the program: a variable that the call sets.
constexpr int extent_of(builder& graph, int axis) { return graph.read({access_kind::extent, axis, 0, {}}); }
/// The index along an axis, as a vector of the program: a variable that the call sets.
constexpr int index_along(builder& graph, int axis) { return graph.read({access_kind::index, axis, 1, {axis}}); }

/// The sum of a node over axes, of which it may lack some: it is the same at each place along those. In derivatives a
/// sign is taken out of the sum; other factors are not, since the sum without them could overflow.
constexpr int sum_over(builder& graph, int index, axis_set axes) {
  if (axes == 0 || graph.is_absolute_zero(index)) return index;
  const node n = graph.nodes.data[index];
  if (graph.mode() == rewrites::derivative && n.algebra == algebra::negate && (n.axes & axes)) {
    const int sum = sum_over(graph, graph.operands(index)[0], axes);
    return graph.append(*n.operation, &sum, 1);
  }
  const axis_set present = n.axes & axes;
  axis_set absent = axes & ~present;
  if (present) {
    if (applies(n, info<operation::Sum>) && graph.mode() != rewrites::evaluation)
      index = graph.append_reduction(*n.operation, graph.operands(index)[0], n.reduced | present);
    else
      index = graph.append_reduction(info<operation::Sum>, index, present);
  }
  for (; absent; absent &= absent - 1) {
    const int factors[] = {index, extent_of(graph, first_axis(absent))};
    index = graph.append(info<operation::Multiply>, factors, 2);
  }
  return index;
}

/// Whether a condition holds anywhere along axes.
constexpr int any_over(builder& graph, int condition, axis_set axes) {
  return axes ? graph.append_reduction(info<operation::Any>, condition, axes) : condition;
}

/// Some axes of a tensor, as the rule of a reduction, or what is computed from reductions, sees them.
class reduced_axes {
  builder& graph_;
  axis_set axes_;

  template <class Op, class E>
  constexpr traced reduce(const E& e) const {
    // Axes of extent 1 are none.
    if (axes_ == 0) return traced(graph_, tapeless::detail::node_in(graph_, e));
    const int index = tapeless::detail::node_in(graph_, e);
    return traced(graph_, graph_.append_reduction(info<Op>, index, axes_));
  }

 public:
  constexpr reduced_axes(builder& graph, axis_set axes) : graph_(graph), axes_(axes) {}

  template <class E>
  constexpr traced sum(const E& e) const {
    return traced(graph_, sum_over(graph_, tapeless::detail::node_in(graph_, e), axes_));
  }
  template <class E>
  constexpr traced prod(const E& e) const {
    return reduce<operation::Prod>(e);
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
    for (axis_set left = axes_; left; left &= left - 1)
      result = traced(graph_, extent_of(graph_, first_axis(left))) * result;
    return result;
  }
  /// The index along the axis, where there is one.
  constexpr traced index() const {
    return axes_ == 0 ? traced(0) : traced(graph_, index_along(graph_, first_axis(axes_)));
  }
};

}  // namespace tapeless::program

#endif
