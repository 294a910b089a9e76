#pragma once

#include <tapeless/operation/gradient_surgery.hpp>
#include <tapeless/operation/scan.hpp>
#include <tapeless/program/graph/verify_independent_steps.hpp>
#include <tapeless/program/lower/loop.hpp>
#include <tapeless/program/lower/lowering.hpp>
#include <tapeless/program/lower/verb_lowering.hpp>

#include <cstddef>

namespace tapeless::program {

template <class Source>
class recorded_lowering;

/// From formulas and the ranks of what is bound, to a program: what operations of tensors are made of, and loops.
class tensor_lowering : public verb_lowering {
 public:
  using value_type = tensor_value;
  lowered_types<tensor_value> known;

  using verb_lowering::verb_lowering;

  constexpr tensor_value stop(tensor_value operand) {
    operand.node = graph.stop(operand.node);
    return operand;
  }

  template <class Op, std::size_t... I>
  constexpr tensor_value apply(tensor_value* operands, std::index_sequence<I...>) {
    constexpr int count = sizeof...(I);
    if constexpr (requires { Op::lower_list(*this, operands, count); })
      return Op::lower_list(*this, operands, count);
    else if constexpr (requires { Op::lower(*this, operands[I]...); })
      return Op::lower(*this, operands[I]...);
    else
      return apply(info<Op>, operands, count);
  }
  using verb_lowering::apply;

  /// The loop `Loop`. A step is lowered for what it asks of shapes, and for those of what the loop gives; what it
  /// computes is not needed here.
  template <class Loop>
  constexpr tensor_value scan(const tensor_value* operands) {
    constexpr operation::scan_shape shape = Loop::shape;
    growing_array<tensor_value> given(operands, shape.operands()), of_step;
    refuse_if(given[0].rank > 0, fault::condition_no_number);
    for (int k = shape.first_sequence(); k < given.size; ++k) refuse_if(given[k].rank == 0, fault::loop_over_number);
    if (refused()) return keep_results({Loop::outputs, given[0]});
    if constexpr (adds_up<Loop>)
      if (!graph.plain && batch_axis_ < 0) {
        const tensor_lowering before = *this;
        const growing_array<tensor_value> sums = sums_of_steps<Loop>(given);
        if (sums.size > 0 && !refused()) return keep_results(sums);
        *this = before;
      }
    const auto sequence = [&](int k) { return given[shape.first_sequence() + k]; };
    int steps = -1;
    // A branch is taken or not; other loops have an axis.
    if (!shape.once) {
      const int count = counted(given[0].node);
      const int most = most_of(count);
      steps = steps_of(most, shape.sequences == 0 ? nullptr : given.data + shape.first_sequence());
      steps_.push_back(steps);
      // All of the axis, or as many as are counted.
      given[0] = {most == count ? graph.constant(-1) : count, 1, {steps}};
    }
    for (int k = 1; k < shape.first_sequence(); ++k) of_step.push_back(given[k]);
    for (int k = 0; k < shape.sequences; ++k) {
      require_length(sequence(k).axes[0], steps, "the sequences of a scan must be equally long");
      of_step.push_back(element_of(sequence(k)));
    }
    // No number of the call, so that nothing is taken for known that a step finds unknown.
    const int number = shape.once ? graph.constant(0) : extent_of(graph, axis_of(steps));
    of_step.push_back(scalar(graph.make<operation::Add>(number, graph.constant({0, 0, 0.5}))));
    const growing_array<tensor_value> results = lower_step<typename Loop::body>(of_step);
    if (refused()) return keep_results({Loop::outputs, given[0]});
    // What stands for the result of the other branch until that is computed.
    for (int k = 0; k < shape.carries && shape.once; ++k)
      if (graph.constant_of(given[1 + k].node))
        given[1 + k].rank = results[k].rank, given[1 + k].axes = results[k].axes;

    growing_array<tensor_move> reads;
    growing_array<int> nodes;
    bool of_batch = false;
    for (const tensor_value& value : given) {
      reads.push_back({move_kind::read, access_of(value), {access_kind::variable, 0, 0, {}}, 0, {}});
      nodes.push_back(graph.as_number(value.node));
      of_batch = of_batch || varies_over_batch(value.node);
      for (int i = 0; i < value.rank; ++i) use(value.axes[i]);
    }
    for (tensor_move* read = reads.data; of_batch && read != reads.data + reads.size; ++read)
      lead_with_batch(read->from), lead_with_batch(read->to);
    const int loop = graph.append_move(info<Loop>, reads.data, nodes.data, nodes.size);
    growing_array<tensor_value> outputs;
    const auto output = [&](tensor_value shaped, int which) {
      tensor_move read{move_kind::read, reads[0].to, access_of(shaped), 0, {}};
      if (of_batch) lead_with_batch(read.to);
      shaped.node = graph.append_move(*detail::output_readers<Loop>[static_cast<std::size_t>(which)], &read, &loop, 1);
      outputs.push_back(shaped);
    };
    for (int k = 0; k < shape.carries; ++k) {
      const tensor_value &first = given[1 + k], &next = results[k];
      refuse_if(first.rank != next.rank, shape.once             ? fault::branches_of_other_rank
                                         : shape.ends && k == 0 ? fault::condition_no_number
                                                                : fault::carry_of_other_rank);
      // Derivatives keep one for each step.
      refuse_if(reads[1 + k].from.rank == max_rank, fault::rank_too_large);
      for (int i = 0; i < first.rank && !refused(); ++i)
        require_length(first.axes[i], next.axes[i],
                       shape.once ? "both functions of cond must return results of the same shape"
                                  : "the carries of a scan must keep their shapes");
      output(first, k);
    }
    for (int k = shape.carries; k < results.size; ++k) {
      tensor_value stacked = results[k];
      if (k >= shape.first_kept() && !is_kept(stacked)) {
        outputs.push_back(stacked);
        continue;
      }
      if (refuse_if(stacked.rank == max_rank, fault::rank_too_large)) break;
      const int along = axis_of_stacked(steps, shape.sequences > 0 ? sequence(0).axes[0] : steps, stacked);
      output(with_first_axis(stacked, along), k);
    }
    return keep_results(outputs);
  }
  /// A product of a step, whose derivative is computed, with the value that the loop has kept.
  constexpr tensor_value kept_product(const tensor_value& kept, const tensor_value& product) {
    tensor_value operands[] = {kept, product, scalar(graph.constant(1))};
    return is_kept(product) && is_kept(kept) ? elementwise(info<operation::CustomGradient<1>>, operands, 3) : product;
  }
  /// A step of a loop, in which an element of a tensor may be picked by an index that is computed.
  template <class Body>
  constexpr growing_array<tensor_value> lower_step(const growing_array<tensor_value>& given) {
    const bool before = of_step_;
    of_step_ = true;
    const growing_array<tensor_value> results = recorded_lowering<Body>::run(*this, given);
    of_step_ = before;
    return results;
  }

 private:
  /// Whether the steps of `Loop` only add to what they carry, and contain no loop and no matrix of their own, of which
  /// there would be one for each step. With checkpoints one step at a time is in memory.
  template <class Loop>
  static constexpr bool adds_up = [] {
    if (Loop::shape.checkpoints > 0) return false;
    constexpr graph_view body = Loop::body::view();
    for (int i = 0; i < body.size; ++i)
      if (body.nodes[i].kind == node_kind::apply && body.nodes[i].operation->of_matrices) return false;
    for (const carry_role role : roles_in<typename Loop::body, Loop::shape.carries>)
      if (role != carry_role::same && role != carry_role::sum) return false;
    return true;
  }();
  /// What such a loop gives, as sums over an axis that the steps have like the elements of a batch; nothing where a
  /// step needs more than its own elements of the sequences, or reduces something to more than a number.
  template <class Loop>
  constexpr growing_array<tensor_value> sums_of_steps(growing_array<tensor_value> given) {
    constexpr operation::scan_shape shape = Loop::shape;
#ifdef TAPELESS_VERIFY
    constexpr bool only_adds = have_roles<typename Loop::body, shape.carries>;
    static_assert(is_sound<program_fault{only_adds ? program_rule::none : program_rule::steps}>);
#endif
    tensor_value* const sequences = given.data + shape.first_sequence();
    const int count = counted(given[0].node);
    const bool is_counted = graph.nodes[count].kind != node_kind::extent;
    if (is_counted && shape.sequences > 0) return {};
    const int steps = is_counted ? counted_axis(number_of({count, 0, {}})) : sequences[0].axes[0];
    const auto has_steps = [&](int node) { return along(node, steps) != 0; };
    if (steps < 0) return {};
    for (int k = 1; k < shape.first_sequence(); ++k)
      if (has_steps(given[k].node)) return {};
    growing_array<tensor_value> of_step, outputs;
    constexpr auto& roles = roles_in<typename Loop::body, shape.carries>;
    const auto is = [&](int k, carry_role role) {
      return k < shape.carries && roles[static_cast<std::size_t>(k)] == role;
    };
    for (int k = 1; k < shape.first_sequence(); ++k)
      of_step.push_back(is(k - 1, carry_role::sum) ? scalar(graph.constant(0)) : given[k]);
    for (int k = 0; k < shape.sequences; ++k) {
      tensor_value element = sequences[k];
      int& own = element.axes[0];
      require_length(own, steps, "the sequences of a scan must be equally long");
      if (own != steps && explicit_) {
        own = steps, separate(element);
        element.node = spread(sequences[k], element);
      }
      if (own < 0 || !unite(own, steps)) return {};
      of_step.push_back(without_first_axis(element));
    }
    of_step.push_back(scalar(index_along(graph, steps)));
    const int first_node = graph.nodes.size;
    batch_axis_ = steps;
    const growing_array<tensor_value> results = lower_step<typename Loop::body>(of_step);
    batch_axis_ = -1;
    // One after the other, the steps keep such a vector in the cache; here one a step would be in memory.
    for (int i = first_node; i < graph.nodes.size; ++i)
      if (graph.nodes[i].reduced && has_steps(i) && (graph.nodes[i].axes & ~along(i, steps))) return {};
    for (int k = 0; k < results.size && !refused(); ++k) {
      tensor_value all = results[k];
      // What derivatives of a loop would take is no output of a sum.
      if (is(k, carry_role::same) || k >= shape.first_kept()) {
        outputs.push_back(is(k, carry_role::same) ? given[1 + k] : all);
        continue;
      }
      if (all.rank == max_rank || (!has_steps(all.node) && k >= shape.carries)) return {};
      all = with_first_axis(all, steps);
      if (k >= shape.carries) {
        outputs.push_back(all);
        continue;
      }
      constexpr int first[] = {0};
      tensor_value terms[] = {given[1 + k],
                              has_steps(all.node) ? over_axes<operation::Sum>(all, first, 1) : results[k]};
      // No steps add nothing, also of what is infinite.
      if (!has_steps(all.node)) terms[1].node = sum_over(graph, all.node, axis(axis_of(steps)));
      if (terms[1].rank > terms[0].rank) return {};
      const tensor_value total = elementwise(info<operation::Add>, terms, 2);
      for (int i = 0; i < total.rank; ++i)
        require_length(terms[0].axes[i], total.axes[i], "the carries of a scan must keep their shapes");
      outputs.push_back(total);
    }
    return outputs;
  }

  /// Whether loops keep a product: of matrices, whose axes all have more than one element for all that is known.
  static constexpr bool is_kept(const tensor_value& product) {
    for (int i = 0; i < product.rank; ++i)
      if (product.axes[i] < 0) return false;
    return product.rank > 1 && product.rank < max_rank;
  }
  /// The number of steps of a loop, which has no derivative.
  constexpr int counted(int operand) const {
    return graph.nodes[operand].kind == node_kind::stop ? graph.operands(operand)[0] : operand;
  }
  /// The most steps of a loop, where their number is counted: what a condition may let be none, or a smaller one of
  /// two.
  constexpr int most_of(int count) const {
    const node& n = graph.nodes[count];
    const int* const operands = graph.operands(count);
    const auto is_known = [&](int i) { return graph.constant_of(i) || graph.nodes[i].kind == node_kind::number; };
    if (n.opcode == opcode::where && is_known(operands[1])) return operands[1];
    for (int j = 0; applies(n, info<operation::Min>) && j < n.count; ++j)
      if (is_known(operands[j])) return operands[j];
    return count;
  }
  /// An axis for the steps of a loop, which nothing else has: as many as are asked for, or as a sequence has elements.
  constexpr int steps_of(int most, const tensor_value* sequence) {
    const int of_sequence = sequence ? sequence->axes[0] : -1;
    if (graph.nodes[most].kind != node_kind::extent && !(sequence && of_sequence < 0))
      return counted_axis(number_of({most, 0, {}}));
    return as_long_as(of_sequence);
  }
  /// That of what a loop stacks, `element` in each step: the sequence's, unless the element has it.
  constexpr int axis_of_stacked(int steps, int sequence, const tensor_value& element) {
    bool has = sequence == steps;
    for (int i = 0; i < element.rank; ++i) has = has || is_one_axis(sequence, element.axes[i]);
    return has ? as_long_as(steps) : sequence;
  }
  /// The first element of a sequence, if it has any: for the shape of all.
  constexpr tensor_value element_of(tensor_value sequence) {
    tensor_move move{move_kind::slice, access_of(sequence), access_of(sequence), 0, {}};
    move.to.axes[0] = -1;
    sequence.node = moved(move, sequence.node);
    return without_first_axis(sequence);
  }
};

}  // namespace tapeless::program
