#ifndef TAPELESS_PROGRAM_AXES_HPP
#define TAPELESS_PROGRAM_AXES_HPP

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
constexpr int extent_of(builder& graph, int axis) { return graph.variable(tensor_access{-1 - axis, 0, {}}); }
/// The index along an axis, as a vector of the program: a variable that the call sets.
constexpr int index_along(builder& graph, int axis) { return graph.variable(tensor_access{-1 - axis, 1, {axis}}); }

constexpr int sum_over(builder& graph, int index, axis_set axes);

namespace detail {

/// Takes sums apart into sums and what is the same along all axes, which then stays out of the loops.
class sum_splitter {
  builder& graph_;
  axis_set axes_;

  constexpr algebra kind(int i) const { return graph_.nodes.data[i].algebra; }
  constexpr int operand(int i, int j) const { return graph_.operands(i)[j]; }
  constexpr bool uniform(int i) const { return (graph_.nodes.data[i].axes & axes_) == 0; }
  constexpr bool adds(int i) const { return kind(i) == algebra::add || kind(i) == algebra::subtract; }
  /// The place of a uniform factor of a product, -1 if there is none.
  constexpr int uniform_factor(int i) const {
    if (kind(i) != algebra::multiply) return -1;
    return uniform(operand(i, 0)) ? 0 : uniform(operand(i, 1)) ? 1 : -1;
  }
  /// In derivatives, all that has a uniform factor.
  constexpr bool has_factor(int i) const {
    return kind(i) == algebra::negate ? has_factor(operand(i, 0)) : uniform_factor(i) >= 0;
  }
  /// In values, u (a b) and a b + u alone: where a plain number meets u, their sum can be much smaller than both, and
  /// is then more accurate than the difference of two sums. A product is rounded already.
  constexpr bool is_scaled_product(int i) const {
    if (kind(i) == algebra::negate) return is_scaled_product(operand(i, 0));
    if (adds(i))
      for (int j = 0; j < 2; ++j)
        if (uniform(operand(i, j)) && is_product(operand(i, 1 - j))) return true;
    const int factor = uniform_factor(i);
    return factor >= 0 && kind(operand(i, 1 - factor)) == algebra::multiply;
  }
  constexpr bool is_product(int i) const { return kind(i) == algebra::multiply || is_scaled_product(i); }

 public:
  constexpr sum_splitter(builder& graph, axis_set axes) : graph_(graph), axes_(axes) {}

  constexpr bool splits(int i) const {
    if (uniform(i)) return false;
    if (!graph_.reassociating) return graph_.expanding && is_scaled_product(i);
    if (kind(i) == algebra::negate) return true;
    return has_factor(i) || (adds(i) && has_factor(operand(i, 0)) && has_factor(operand(i, 1)));
  }
  constexpr int run(int i) {
    const operation_info& operation = *graph_.nodes.data[i].operation;
    const int first = operand(i, 0), factor = uniform_factor(i);
    if (kind(i) == algebra::negate) {
      const int sum[] = {sum_over(graph_, first, axes_)};
      return graph_.append(operation, sum, 1);
    }
    const int second = operand(i, 1);
    int parts[] = {first, second};
    for (int j = 0; j < 2; ++j)
      if (j != factor) parts[j] = sum_over(graph_, parts[j], axes_);
    return graph_.append(operation, parts, 2);
  }
};

}  // namespace detail

/// The sum of a node over axes, of which it may lack some: it is the same at each place along those. A factor that is
/// the same along all of them is taken out of the sum.
constexpr int sum_over(builder& graph, int index, axis_set axes) {
  if (axes == 0 || graph.is_absolute_zero(index)) return index;
  if (detail::sum_splitter splitter(graph, axes); splitter.splits(index)) return splitter.run(index);
  const node& n = graph.nodes.data[index];
  const axis_set present = n.axes & axes;
  axis_set absent = axes & ~present;
  if (present) {
    if (applies(n, info<operation::Sum>) && !graph.expanding)
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
