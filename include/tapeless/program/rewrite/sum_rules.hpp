#pragma once

#include <tapeless/program/graph/tuning.hpp>
#include <tapeless/program/rewrite/arithmetic_rules.hpp>
#include <tapeless/program/rewrite/axes.hpp>

/// The rewrites of a sum over axes that its terms vary along, as those of arithmetic_rules.hpp: what is the same for
/// all terms leaves the sum. None of them makes a sum of numbers that are much larger or smaller than
/// those of a sum as written, and none lets digits cancel that did not cancel before.
namespace tapeless::program {

constexpr int sum_over(builder& graph, int index, axis_set axes);

namespace rewriting {

/// Whether a value is the same along all of some axes.
constexpr bool is_uniform(const rewriter& r, int index, axis_set axes) {
  return (r.graph.nodes.data[index].axes & axes) == 0;
}

/// sum(-x) is -sum(x).
constexpr int sum_of_negative(rewriter& r, int term, axis_set axes) {
  return r.graph.mode() != stage::formula && r.graph.mode() != stage::recording && r.is(term, opcode::negate)
             ? r.negated(sum_over(r.graph, r.operand(term, 0), axes))
             : -1;
}

/// For evaluation, sum(c x) is c sum(x) of a power of two, which rounds alike.
constexpr int sum_of_scaled(rewriter& r, int term, axis_set axes) {
  if (r.graph.mode() != stage::evaluation || !r.is(term, opcode::multiply)) return -1;
  const int i = r.is_power_of_two(r.operand(term, 0)) ? 0 : 1;
  if (!r.is_power_of_two(r.operand(term, i))) return -1;
  return r.graph.make<operation::Multiply>(r.operand(term, i), sum_over(r.graph, r.operand(term, 1 - i), axes));
}

/// For evaluation, sum(u x) is -sum((-u) x) where the program has (-u) x: one product is enough.
constexpr int sum_of_opposite(rewriter& r, int term, axis_set axes) {
  const int i = uniform_factor(r, term);
  if (i < 0) return -1;
  const int factor = r.operand(term, i), x = r.operand(term, 1 - i);
  const int u = r.graph.find(info<operation::Negate>, &factor, 1), product[] = {u < x ? u : x, u < x ? x : u};
  const int opposite = u < 0 ? -1 : r.graph.find(info<operation::Multiply>, product, 2);
  return opposite < 0 ? -1 : r.negated(sum_over(r.graph, opposite, axes));
}

/// For each node up to `last` whether it has a rounding error in proportion to itself, or to a sum of such values, the
/// uniform ones too.
constexpr growing_array<char> rounded_values(const rewriter& r, int last, axis_set axes) {
  growing_array<char> rounded(last + 1, 0);
  const auto is_uniform_or_rounded = [&](int i) { return is_uniform(r, i, axes) || rounded.data[i]; };
  for (int i = 0; i <= last; ++i) {
    const node& n = r.graph.nodes.data[i];
    if (n.kind != node_kind::apply) continue;
    const int* const operands = r.graph.operands(i);
    rounded.data[i] = n.operation->latency >= tuning::latency_of_function ? true
                      : n.opcode == opcode::negate                        ? rounded.data[operands[0]]
                      : n.opcode == opcode::multiply
                          ? operands[0] == operands[1] || rounded.data[operands[0]] || rounded.data[operands[1]]
                          : r.is_sum(i) && is_uniform_or_rounded(operands[0]) && is_uniform_or_rounded(operands[1]);
  }
  return rounded;
}

/// The operand of a sum of which the other one is uniform; -1 if there is none.
constexpr int varying_term(const rewriter& r, int index, axis_set axes) {
  if (!r.is_sum(index)) return -1;
  const bool first = is_uniform(r, r.operand(index, 0), axes), second = is_uniform(r, r.operand(index, 1), axes);
  return first == second ? -1 : r.operand(index, first ? 1 : 0);
}
/// For evaluation, sum(x + u) is sum(x) + n u of a u that is the same in all n terms. Only if x has the rounding error
/// of a square or a function: where u takes away most of x, no more digits are lost than x had lost.
constexpr int sum_with_uniform_term(rewriter& r, int term, axis_set axes) {
  int x = r.graph.mode() == stage::evaluation ? varying_term(r, term, axes) : -1;
  if (x < 0) return -1;
  const growing_array<char> rounded = rounded_values(r, x, axes);
  if (!rounded[x]) return -1;
  growing_array<int> around;
  around.push_back(term);
  for (int next = varying_term(r, x, axes); next >= 0 && rounded[next]; next = varying_term(r, x, axes))
    around.push_back(x), x = next;
  int sum = sum_over(r.graph, x, axes);
  while (around.size > 0) {
    const int outer = around[--around.size];
    const bool first = is_uniform(r, r.operand(outer, 0), axes);
    const int uniform = sum_over(r.graph, r.operand(outer, first ? 0 : 1), axes);
    const int sums[] = {first ? uniform : sum, first ? sum : uniform};
    sum = r.graph.append(*r.graph.nodes.data[outer].operation, sums, 2);
  }
  return sum;
}

/// A sum over an axis of that extent, which is 0 where there are no values, also of infinite ones and NaN: 1 / n is
/// infinite there, which the gradient of an empty mean adds up.
constexpr int unless_empty(builder& graph, int extent, int sum) {
  const int zero = graph.constant(0);
  return graph.make<operation::Where>(graph.make<operation::Equal>(extent, zero), zero, sum);
}

/// A node that is the multiple of its operand number `which`, and the sum that there is without the factor.
struct multiple {
  int node = -1, which = -1, sum = -1;
};
/// How many operands of a node may be what it is a multiple of: both of a product, the first of a quotient.
constexpr int possible_multiples(const rewriter& r, int index, axis_set axes) {
  const node& n = r.graph.nodes.data[index];
  if (n.opcode == opcode::multiply) return 2;
  const bool quotient = applies(n, info<operation::UniformQuotient>) || applies(n, info<operation::TimesInverse>);
  return quotient && is_uniform(r, r.operand(index, 1), axes) ? 1 : 0;
}
/// `index` without a uniform factor, times `other` unless that is -1.
constexpr multiple without_factor(const rewriter& r, int index, int other, axis_set axes) {
  for (int which = 0; which < possible_multiples(r, index, axes); ++which) {
    int x = r.operand(index, which);
    if (is_uniform(r, x, axes) || (r.is(index, opcode::multiply) && !is_uniform(r, r.operand(index, 1 - which), axes)))
      continue;
    if (other >= 0) {
      const int product[] = {x < other ? x : other, x < other ? other : x};
      x = r.graph.find(info<operation::Multiply>, product, 2);
    }
    if (x < 0) continue;
    if (const int sum = r.graph.find_reduction(r.operation, x, axes); sum >= 0) return {index, which, sum};
  }
  return {};
}
constexpr multiple multiple_of_sum(const rewriter& r, int term, axis_set axes) {
  // u x, or x / u.
  if (const multiple found = without_factor(r, term, -1, axes); found.sum >= 0) return found;
  // y (u x), or y (x / u).
  for (int i = 0; i < 2 && r.is(term, opcode::multiply); ++i)
    if (const multiple found = without_factor(r, r.operand(term, i), r.operand(term, 1 - i), axes); found.sum >= 0)
      return found;
  return {};
}
/// For evaluation, sum(u x) is u sum(x), and sum(x / u) is sum(x) / u, of a u that is the same in all terms. Only if
/// the program has sum(x) already: it could be beyond the range where sum(u x) is not. Of an infinite u the sum may be
/// infinite where sum(u x) is NaN.
constexpr int sum_of_multiple(rewriter& r, int term, axis_set axes) {
  if (r.graph.mode() != stage::evaluation) return -1;
  const multiple found = multiple_of_sum(r, term, axes);
  if (found.sum < 0) return -1;
  const bool is_product = r.is(found.node, opcode::multiply);
  const int quotient[] = {found.sum, r.operand(found.node, 1), is_product ? -1 : r.operand(found.node, 2)};
  int result = is_product ? r.graph.make<operation::Multiply>(r.operand(found.node, 1 - found.which), found.sum)
                          : r.graph.append_as_is(info<operation::UniformQuotient>, quotient, 3);
  for (; axes; axes &= axes - 1) result = unless_empty(r.graph, extent_of(r.graph, first_axis(axes)), result);
  return result;
}

using of_sum = rule_list<sum_of_negative, sum_of_scaled, sum_of_opposite, sum_with_uniform_term, sum_of_multiple>;

}  // namespace rewriting

/// The sum of a node over axes, of which it may lack some: it is the same at each place along those.
constexpr int sum_over(builder& graph, int index, axis_set axes) {
  using namespace rewriting;
  if (axes == 0 || graph.is_absolute_zero(index)) return index;
  const node n = graph.nodes.data[index];
  const axis_set present = n.axes & axes;
  axis_set absent = axes & ~present;
  if (present) {
    rewriter r{graph, info<operation::Sum>};
    if (const int rewritten = graph.plain ? -1 : of_sum::first(r, index, present); rewritten >= 0)
      index = rewritten;
    else if (applies(n, info<operation::Sum>) && !graph.plain && graph.mode() != stage::evaluation)
      index = graph.append_reduction(*n.operation, graph.operands(index)[0], n.reduced | present);
    else
      index = graph.append_reduction(info<operation::Sum>, index, present);
  }
  for (; absent; absent &= absent - 1) {
    const int extent = extent_of(graph, first_axis(absent)), product = graph.make<operation::Multiply>(index, extent);
    index = graph.constant_of(index) ? product : unless_empty(graph, extent, product);
  }
  return index;
}

}  // namespace tapeless::program
