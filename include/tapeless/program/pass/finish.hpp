#pragma once

#include <tapeless/program/graph/activity.hpp>
#include <tapeless/program/graph/loops_in.hpp>
#include <tapeless/program/graph/program.hpp>
#include <tapeless/program/lower/sequence_operations.hpp>
#include <tapeless/program/lower/trace.hpp>
#include <tapeless/program/rewrite/copy.hpp>
#include <tapeless/program/rewrite/move_rules.hpp>
#include <tapeless/program/rewrite/sum_rules.hpp>

#include <span>
#include <utility>

namespace tapeless::program {

/// Writes a program as it stands, without sharing: its nodes are distinct already.
class writer {
 public:
  builder to;

  constexpr int write(node n, const int* operands) {
    n.first = to.edges.size;
    if (n.count) to.edges.append_pair(operands[0], operands[n.count > 1]), to.edges.size -= n.count == 1;
    for (int j = 2; j < n.count; ++j) to.edges.push_back(operands[j]);
    return to.nodes.push_back(n), to.nodes.size - 1;
  }
  /// The same as a node of another program, whose operands stand where `moved` says.
  constexpr int copy(const node& n, const int* operands, const int* moved) {
    to.nodes.push_back(n), to.nodes.data[to.nodes.size - 1].first = to.edges.size;
    if (n.count) to.edges.append_pair(moved[operands[0]], moved[operands[n.count > 1]]), to.edges.size -= n.count == 1;
    for (int j = 2; j < n.count; ++j) to.edges.push_back(moved[operands[j]]);
    return to.nodes.size - 1;
  }
  constexpr int write(const operation_info& operation, const int* operands, int count) {
    node n = operation_node(operation, count);
    for (int j = 0; j < count; ++j) n.axes |= to.nodes.data[operands[j]].axes;
    return write(n, operands);
  }
};

/// A node that is one of the two results of one operation: sine and cosine of x, erfc(x) and e^(-x x).
struct multi_result {
  int other = -1;
  int operand = -1;
  bool first = false;
  const operation_info* both = nullptr;
};
constexpr multi_result multi_result_of(const builder& from, int i) {
  const node& n = from.nodes.data[i];
  const auto find = [&](const operation_info& op, int x) { return x < 0 ? -1 : from.find(op, &x, 1); };
  const auto is = [&](int index, opcode op) { return from.nodes.data[index].opcode == op; };
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
  if (applies(n, info<operation::Exp>) && is(from.operands(i)[0], opcode::negate)) {
    const int square = from.operands(from.operands(i)[0])[0];
    if (!is(square, opcode::multiply)) return {};
    const int x = from.operands(square)[0];
    if (from.operands(square)[1] == x)
      return {find(info<operation::Erfc>, x), x, false, &info<operation::ErfcGaussian>};
  }
  return {};
}

/// Whether there may be any at all.
constexpr bool may_have_multi_results(const builder& from) {
  return !from.plain && any_node(from, [](const node& n) {
    constexpr std::uint64_t sine = info<operation::Sin>.hash, erfc = info<operation::Erfc>.hash;
    return n.kind == node_kind::apply && (n.operation->hash == sine || n.operation->hash == erfc);
  });
}

/// The nodes that `outputs` need, where the two results of one operation need its operand alone.
constexpr growing_array<char> needed_with_multi_results(const builder& from, std::span<const int> outputs, bool multi) {
  growing_array<char> all = needed_nodes(from, outputs);
  if (!multi) return all;
  bool any = false;
  for (int i = 0; i < from.nodes.size && !any; ++i)
    any = all.data[i] && applies(from.nodes.data[i], info<operation::Erfc>);
  if (!any) return all;
  growing_array<char> needed(from.nodes.size, 0);
  for (const int output : outputs) needed[output] = 1;
  for (int i = from.nodes.size - 1; i >= 0; --i) {
    if (!needed.data[i]) continue;
    const node& n = from.nodes.data[i];
    if (const multi_result t = multi_result_of(from, i); t.other >= 0 && all.data[t.other])
      needed.data[t.operand] = 1;
    else
      for (int j = 0; j < n.count; ++j) needed.data[from.edges.data[n.first + j]] = 1;
  }
  return needed;
}

/// Joins products with the sums that take them, a b + c: gives for each sum or difference the operand that may be its
/// product, -1 for none, and drops from `needed` the products that nothing else needs. Of two products the later one is
/// joined: the other is known by then.
constexpr growing_array<signed char> join_products(const builder& from, growing_array<char>& needed,
                                                   std::span<const int> outputs) {
  constexpr char required = 1, kept = 2;
  growing_array<signed char> joined(from.nodes.size, -1);
  // Loops over tensors have sums of their own.
  if (from.accesses.size || from.plain) return joined;
  for (const int output : outputs) needed.data[output] = kept;
  const auto is_free_product = [&](int i) {
    return from.nodes.data[i].opcode == opcode::multiply && needed.data[i] == required;
  };
  // But not those that it shares with its other result.
  const auto keep_operands = [&](const node& n) {
    for (int j = 0; j < n.count; ++j)
      needed.data[from.edges.data[n.first + j]] = needed.data[from.edges.data[n.first + j]] ? kept : char{0};
  };
  const auto join = [&](int i, int first, int second) {
    const int later = second > first, product = is_free_product(later ? second : first)   ? later
                                                : is_free_product(later ? first : second) ? 1 - later
                                                                                          : -1;
    joined.data[i] = static_cast<signed char>(product);
    product != 0 ? void(needed.data[first] = kept) : void();
    product != 1 ? void(needed.data[second] = kept) : void();
  };
  // From the last to the first: what uses a product is seen before it.
  const auto visit = [&](int i, const node& n) {
    if ((n.opcode == opcode::add || n.opcode == opcode::subtract) &&
        from.edges.data[n.first] != from.edges.data[n.first + 1])
      return join(i, from.edges.data[n.first], from.edges.data[n.first + 1]);
    keep_operands(n), is_free_product(i) ? void(needed.data[i] = 0) : void();
  };
  for (int i = from.nodes.size - 1; i >= 0; --i) needed.data[i] ? visit(i, from.nodes.data[i]) : void();
  return joined;
}

/// What `outputs` need of a program, leaves first and operations in order; two results of one become one operation.
constexpr builder prune(const builder& from, std::span<const int> outputs) {
  const bool multi = may_have_multi_results(from);
  growing_array<char> needed = needed_with_multi_results(from, outputs, multi);
  const growing_array<signed char> joined = join_products(from, needed, outputs);
  growing_array<int> moved(from.nodes.size, -1);
  writer out;
  out.to.variables = from.variables;
  out.to.accesses = from.accesses;
  out.to.moves = from.moves;
  out.to.axis_rules = from.axis_rules;
  out.to.numbers = from.numbers;
  out.to.too_large = from.too_large, out.to.misuse = from.misuse;
  out.to.has_conditions = from.has_conditions, out.to.has_sequences = from.has_sequences;
  out.to.stay_plain(from.plain);
  const auto copy_leaf = [&](node n) {
    if (n.kind == node_kind::constant) {
      out.to.constants.push_back(from.constants[n.leaf]);
      n.leaf = out.to.constants.size - 1;
    }
    return out.write(n, nullptr);
  };
  const int* const edges = from.edges.data;
  // A product and the sum that takes it.
  const auto copy_joined = [&](int i, int which) {
    const int *terms = from.operands(i), *factors = from.operands(terms[which]);
    const int all[] = {moved.data[factors[0]], moved.data[factors[1]], moved.data[terms[1 - which]]};
    return out.write(from.nodes.data[i].opcode == opcode::add ? info<operation::MultiplyAdd>
                     : which == 0                             ? info<operation::MultiplySubtract>
                                                              : info<operation::SubtractProduct>,
                     all, 3);
  };
  const auto joins = [&](int i) { return !needed.data[edges[from.nodes.data[i].first + joined.data[i]]]; };
  const auto copy_multi_result = [&](int i) {
    if (const multi_result t = multi_result_of(from, i); t.other >= 0 && needed.data[t.other]) {
      const int both = out.write(*t.both, &moved.data[t.operand], 1);
      const int first = out.write(info<operation::First>, &both, 1);
      const int second = out.write(info<operation::Second>, &both, 1);
      return moved.data[t.other] = t.first ? second : first, t.first ? first : second;
    }
    return out.copy(from.nodes.data[i], edges + from.nodes.data[i].first, moved.data);
  };
  const node* const nodes = from.nodes.data;
  for (int i = 0; i < from.nodes.size; ++i)
    needed.data[i] && is_leaf(nodes[i].kind) ? void(moved.data[i] = copy_leaf(nodes[i])) : void();
  for (int i = 0; i < from.nodes.size; ++i)
    needed.data[i] && moved.data[i] < 0
        ? void(moved.data[i] = joined.data[i] >= 0 && joins(i) ? copy_joined(i, joined.data[i])
                               : multi                         ? copy_multi_result(i)
                                                               : out.copy(nodes[i], edges + nodes[i].first, moved.data))
        : void();
  for (const int output : outputs) out.to.outputs.push_back(moved.data[output]);
  return std::move(out.to);
}

/// How nodes are copied where a program is made ready for evaluation.
struct copied_for_evaluation : copied {
  constexpr int reduction(builder& to, const node& n, int operand) const {
    return applies(n, info<operation::Sum>)   ? sum_over(to, operand, n.reduced)
           : applies(n, info<operation::Any>) ? any_over(to, operand, n.reduced)
                                              : copied::reduction(to, n, operand);
  }
  constexpr int move(builder& to, graph_view from, const node& n, const int* operands) const {
    const int taken = to.plain ? -1 : rewriting::take_of_operation(to, from.moves[n.access], operands);
    return taken >= 0 ? taken : copied::move(to, from, n, operands);
  }
  constexpr int apply(builder& to, const node& n, const int* operands) const {
    const int padded =
        n.opcode == opcode::add && to.accesses.size && !to.plain ? rewriting::sum_of_pads(to, operands) : -1;
    return padded >= 0 ? padded : to.append(*n.operation, operands, n.count);
  }
};

/// Where a loop of derivatives runs another loop as well, and does not need what that leaves, the other need not run:
/// its last carries are read from the first, which is copied before all that needs them.
constexpr void copy_loops_with_others(builder& to, graph_view from, const growing_array<char>& needed,
                                      growing_array<int>& moved) {
  const auto is_other = [&](int first, int other) {
    const node &runs = from.nodes[first], &one = from.nodes[other];
    const loop_beside& beside = runs.operation->beside;
    if (!needed[other] || !applies(one, *beside.loop)) return false;
    for (int j = 0; j < beside.count; ++j)
      if (beside.operands[j] >= 0 && from.edges[runs.first + j] != from.edges[one.first + beside.operands[j]])
        return false;
    return true;
  };
  for (int i = 0; i < from.size; ++i) {
    if (!needed.data[i] || !is_loop(from.nodes[i]) || from.nodes[i].operation->beside.count == 0) continue;
    int other = 0;
    while (other < i && !is_other(i, other)) ++other;
    if (other == i) continue;
    growing_array<int> reads;
    bool sequences = false;
    for (int r = other; r < from.size; ++r)
      if (needed[r] && reads_loop(from.nodes[r]) && from.edges[from.nodes[r].first] == other)
        reads.push_back(r), sequences |= from.nodes[r].sequence;
    const int loop[] = {i};
    const growing_array<char> before = needed_nodes(from, loop);
    if (sequences || before[other]) continue;
    copy_nodes(to, from, before, moved, copied_for_evaluation());
    for (const int r : reads)
      if (moved[r] < 0)
        moved[r] = to.append_of_loops(*from.nodes[i].operation->beside.outputs[from.nodes[r].operation->output_read],
                                      &moved[i], 1);
  }
}

/// What `outputs` need of a program, where stops are their operands and every operation is one that has a value
/// function, so that derivatives and values share the parts of sigmoid, softplus, logsumexp, ...
template <class Program>
constexpr builder expanded(const Program& program, std::span<const int> outputs) {
  const graph_view from = view_of(program);
  growing_array<int> moved(from.size, -1);
  builder to(stage::evaluation);
  to.stay_plain(program.plain);
  to.variables = {program.variables.data(), from.variables};
  to.accesses = {program.accesses.data(), static_cast<int>(program.accesses.size())};
  to.axis_rules = {program.axis_rules.data(), static_cast<int>(program.axis_rules.size())};
  to.numbers = program.numbers;
  const growing_array<char> needed = needed_nodes(from, outputs);
  copy_loops_with_others(to, from, needed, moved);
  copy_nodes(to, from, needed, moved, copied_for_evaluation());
  for (const int output : outputs) {
    const int put = to.plain ? -1 : rewriting::put_into_sum(to, moved[output]);
    to.outputs.push_back(put >= 0 ? put : moved[output]);
  }
  return to;
}

/// Histories of loops over tensors that are computed again have no axes: as memory they take that of a number.
constexpr void leave_out_histories(builder& all) {
  const auto is_left_out = [&](int i) { return all.nodes[i].operation->moves && is_replayed(all, i); };
  growing_array<char> left_out(all.nodes.size, 0);
  for (int i = 0; i < all.nodes.size; ++i) left_out[i] = reads_loop(all.nodes[i]) && is_left_out(i);
  // Nodes share moves.
  const auto own_moves = [&](node& n) {
    const int first = all.moves.size;
    for (int k = 0; k < n.count; ++k) all.moves.push_back(tensor_move(all.moves[n.access + k]));
    n.access = first;
    return all.moves.data + first;
  };
  const auto as_number = [](tensor_access& access) {
    for (int k = 0; k < access.rank; ++k) access.axes[k] = -1;
  };
  for (int i = 0; i < all.nodes.size; ++i) {
    node& n = all.nodes[i];
    if (left_out[i]) {
      tensor_move* const read = own_moves(n);
      as_number(read->to), read->replayed = true, n.axes = 0;
    }
    tensor_move* reads = nullptr;
    for (int j = 0; j < n.count; ++j)
      if (left_out[all.edges[n.first + j]]) as_number((reads = reads ? reads : own_moves(n))[j].from);
  }
}

/// The program ready for evaluation: the same, and nothing is left that `outputs` do not need.
template <class Program>
constexpr builder finish(const Program& program, std::span<const int> outputs) {
  builder all = expanded(program, outputs);
  if (all.has_sequences && !all.plain) leave_out_histories(all);
  return prune(all, {all.outputs.begin(), all.outputs.end()});
}

}  // namespace tapeless::program
