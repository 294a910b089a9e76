#ifndef TAPELESS_PROGRAM_FINISH_HPP
#define TAPELESS_PROGRAM_FINISH_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/program/activity.hpp>
#include <tapeless/program/axes.hpp>
#include <tapeless/program/program.hpp>
#include <tapeless/program/trace.hpp>

#include <span>
#include <utility>

namespace tapeless::program {

/// Writes a program as it stands, without sharing: its nodes are distinct already.
class writer {
 public:
  builder to;

  constexpr int write(node n, const int* operands) {
    n.first = to.edges.size;
    for (int j = 0; j < n.count; ++j) {
      to.edges.push_back(operands[j]);
      if (!n.operation->moves) n.axes |= to.nodes.data[operands[j]].axes;
    }
    n.axes &= ~n.reduced;
    to.nodes.push_back(n);
    return to.nodes.size - 1;
  }
  constexpr int write(const operation_info& operation, int operand) {
    return write({node_kind::apply, operation.algebra, operation.condition, &operation, 0, 1, 0}, &operand);
  }
};

/// A node whose value comes with that of another from one computation: sine and cosine of x, erfc(x) and e^(-x x).
struct twin {
  int other = -1;
  int operand = -1;
  bool first = false;
  const operation_info* both = nullptr;
};
constexpr twin twin_of(const builder& from, int i) {
  const node& n = from.nodes.data[i];
  const auto find = [&](const operation_info& op, int x) { return x < 0 ? -1 : from.find(op, &x, 1); };
  const auto is = [&](int index, algebra op) { return from.nodes.data[index].algebra == op; };
  if (const bool sine = applies(n, info<operation::Sin>); sine || applies(n, info<operation::Cos>)) {
    const int x = from.operands(i)[0];
    return {find(sine ? info<operation::Cos> : info<operation::Sin>, x), x, sine, &info<operation::SineCosine>};
  }
  if (applies(n, info<operation::Erfc>)) {
    const int x = from.operands(i)[0], factors[] = {x, x};
    const int square = from.find(info<operation::Multiply>, factors, 2);
    const int gaussian = find(info<operation::Exp>, find(info<operation::Negate>, square));
    return {gaussian, x, true, &info<operation::ErfcGaussian>};
  }
  if (applies(n, info<operation::Exp>) && is(from.operands(i)[0], algebra::negate)) {
    const int square = from.operands(from.operands(i)[0])[0];
    if (!is(square, algebra::multiply)) return {};
    const int x = from.operands(square)[0];
    if (from.operands(square)[1] == x)
      return {find(info<operation::Erfc>, x), x, false, &info<operation::ErfcGaussian>};
  }
  return {};
}

/// The nodes that `outputs` need, where twins need the operand that they share alone.
constexpr growing_array<char> needed_with_twins(const builder& from, std::span<const int> outputs) {
  growing_array<char> all = needed_nodes(from, outputs);
  bool any = false;
  for (int i = 0; i < from.nodes.size && !any; ++i)
    any = all.data[i] && applies(from.nodes.data[i], info<operation::Erfc>);
  if (!any) return all;
  growing_array<char> needed(from.nodes.size, 0);
  for (const int output : outputs) needed[output] = 1;
  for (int i = from.nodes.size - 1; i >= 0; --i) {
    if (!needed.data[i]) continue;
    const node& n = from.nodes.data[i];
    if (const twin t = twin_of(from, i); t.other >= 0 && all.data[t.other])
      needed.data[t.operand] = 1;
    else
      for (int j = 0; j < n.count; ++j) needed.data[from.edges.data[n.first + j]] = 1;
  }
  return needed;
}

/// What `outputs` need of a program, leaves first and operations in order; twins become one operation.
constexpr builder prune(const builder& from, std::span<const int> outputs) {
  const growing_array<char> needed = needed_with_twins(from, outputs);
  growing_array<int> moved(from.nodes.size, -1);
  growing_array<int> operands;
  writer out;
  out.to.variables = from.variables;
  out.to.accesses = from.accesses;
  out.to.moves = from.moves;
  out.to.axis_rules = from.axis_rules;
  out.to.numbers = from.numbers;
  out.to.too_large = from.too_large;
  for (const bool leaves : {true, false})
    for (int i = 0; i < from.nodes.size; ++i) {
      node n = from.nodes.data[i];
      if (!needed.data[i] || moved.data[i] >= 0 || (n.kind < node_kind::stop) != leaves) continue;
      if (const twin t = twin_of(from, i); t.other >= 0 && needed.data[t.other]) {
        const int both = out.write(*t.both, moved.data[t.operand]);
        moved.data[t.first ? i : t.other] = out.write(info<operation::First>, both);
        moved.data[t.first ? t.other : i] = out.write(info<operation::Second>, both);
        continue;
      }
      operands.size = 0;
      for (int j = 0; j < n.count; ++j) operands.push_back(moved.data[from.edges.data[n.first + j]]);
      if (n.kind == node_kind::constant) {
        out.to.constants.push_back(from.constants[n.leaf]);
        n.leaf = out.to.constants.size - 1;
      }
      moved.data[i] = out.write(n, operands.data);
    }
  for (const int output : outputs) out.to.outputs.push_back(moved[output]);
  return std::move(out.to);
}

/// The program ready for evaluation: stops are their operands, every operation is one that has a value function (so
/// that derivatives and values share the parts of sigmoid, softplus, logsumexp, ...), and nothing is left that
/// `outputs` do not need.
template <class Source>
constexpr builder finish(std::span<const int> outputs) {
  constexpr graph_view from = Source::view();
  const growing_array<char> needed = needed_nodes(from, outputs);
  growing_array<int> moved(from.size, -1);
  builder to;
  to.expanding = true;
  to.variables = {Source::value.variables.data(), from.variables};
  to.accesses = {Source::value.accesses.data(), static_cast<int>(Source::value.accesses.size())};
  to.axis_rules = {Source::value.axis_rules.data(), static_cast<int>(Source::value.axis_rules.size())};
  to.numbers = Source::value.numbers;
  growing_array<int> operands;
  for (int i = 0; i < from.size; ++i) {
    if (!needed.data[i]) continue;
    const node& n = from.nodes[i];
    operands.size = 0;
    for (int j = 0; j < n.count; ++j) operands.push_back(moved.data[from.edges[n.first + j]]);
    switch (n.kind) {
      case node_kind::variable:
        moved.data[i] = to.accesses.size ? to.variable(to.accesses[n.access]) : to.variable(n.leaf);
        break;
      case node_kind::number: moved.data[i] = to.number(n.leaf); break;
      case node_kind::constant: moved.data[i] = to.constant(from.constants[n.leaf]); break;
      case node_kind::stop: moved.data[i] = operands.data[0]; break;
      case node_kind::apply:
        moved.data[i] = n.operation->moves ? to.append_move(*n.operation, Source::value.moves.data() + n.access,
                                                            operands.data, operands.size)
                        : applies(n, info<operation::Sum>) ? sum_over(to, operands.data[0], n.reduced)
                        : n.reduced ? to.append_reduction(*n.operation, operands.data[0], n.reduced)
                                    : to.append(*n.operation, operands.data, operands.size);
        break;
    }
  }
  growing_array<int> moved_outputs;
  for (const int output : outputs) moved_outputs.push_back(moved[output]);
  return prune(to, {moved_outputs.begin(), moved_outputs.end()});
}

}  // namespace tapeless::program

#endif
