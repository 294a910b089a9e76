#pragma once

#include <tapeless/operation/scan.hpp>
#include <tapeless/operation/tensor/linear_algebra.hpp>
#include <tapeless/operation/tensor/verb_inside.hpp>
#include <tapeless/program/differentiate/guarded.hpp>
#include <tapeless/program/differentiate/loop_operands.hpp>
#include <tapeless/program/lower/loop.hpp>
#include <tapeless/program/rewrite/axes.hpp>
#include <tapeless/program/rewrite/copy.hpp>

#include <cstddef>
#include <string_view>

/// The derivatives of loops over tensors are loops again, whose steps are derivatives of a step.
namespace tapeless::program {

template <class Source>
class recorded_lowering;

namespace detail {

/// Whether derivatives through the recorded operation `n` may read the value of its operand `which`, where those have
/// derivatives that `active` says. Other products than these are taken for any operation.
constexpr bool is_read_by_derivatives(const growing_array<char>& active, graph_view graph, const node& n, int which) {
  using enum opcode;
  const bool is_product = n.opcode == multiply || applies(n, info<tapeless::operation::Dot>) ||
                          applies(n, info<tapeless::operation::Outer>);
  if (is_product && n.count == 2) return active[graph.edges[n.first + 1 - which]];
  if (n.opcode == where) return which == 0;
  return n.opcode != add && n.opcode != subtract && n.opcode != negate;
}

/// Whether a path through a step may be left out: so far as is known at a glance.
template <class Body>
inline constexpr bool selects_in = [] {
  return any_node(Body::view(),
                  [](const node& n) { return may_select(n) && !applies(n, info<tapeless::operation::Dot>); });
}();

/// What the steps of both are made of. `In` tells the operands and `Out` the outputs that a derivative flows through.
template <class Op, auto In, auto Out>
struct differentiated_step {
  using activity = loop_activity<Op, In, Out>;
  static constexpr bool of_tensors = true;
  static constexpr tapeless::operation::scan_shape from = Op::shape;
  static constexpr auto& active = activity::active;
  static constexpr growing_array<char> nodes_on_the_way() {
    growing_array<char> flowing(from.carries, 0);
    for (const int c : active.carries) flowing[c] = 1;
    return activity::between(flowing, flowing);
  }
  /// What keeps derivatives from going through the step.
  static constexpr fault problem = [] {
    constexpr graph_view view = Op::body::view();
    const growing_array<char> on_the_way = nodes_on_the_way();
    for (int i = 0; i < view.size; ++i)
      if (const node& n = view.nodes[i]; on_the_way[i] && wants_rule(n) && !n.operation->has_rule())
        return n.operation->without_rule;
    return fault::none;
  }();
  /// The carries whose values before a step its derivatives read. Of others, such as those behind a stop, nothing is
  /// kept: what they start from has their shapes.
  static constexpr auto kept_carries = [] {
    constexpr graph_view view = Op::body::view();
    const growing_array<char> on_the_way = nodes_on_the_way();
    growing_array<int> read;
    for (int i = 0; i < view.size; ++i)
      for (int j = 0; on_the_way[i] && j < view.nodes[i].count; ++j)
        if (is_read_by_derivatives(on_the_way, view, view.nodes[i], j))
          read.push_back(view.edges[view.nodes[i].first + j]);
    const growing_array<char> needed = needed_nodes(view, {read.begin(), read.end()});
    flags<static_cast<std::size_t>(from.carries)> result;
    for (int i = 0; i < view.size; ++i)
      if (const node& n = view.nodes[i]; needed[i] && n.kind == node_kind::variable && n.leaf < from.carries)
        result.set(n.leaf);
    return result;
  }();
  /// Whether a step of derivatives reads operand j.
  static constexpr bool reads(int j) { return j > from.carries || kept_carries[j - 1]; }

  /// The step, from what a step of derivatives `takes`; `inputs` are what the derivatives are by.
  template <class Lowering, class Value>
  static constexpr growing_array<Value> run(Lowering& to, int call, const loop_operands<activity>& takes,
                                            const Value* operands, growing_array<Value>& inputs) {
    growing_array<Value> given(from.operands() - 1, Value{}), kept(from.kept, Value{});
    for (int i = 1; i < takes.size; ++i) {
      const auto [what, which] = takes.all[i];
      if (what <= taken::before) given[which - 1] = operands[i - 1];
      if (what == taken::kept) kept[which - from.first_kept()] = operands[i - 1];
    }
    for (const int v : active.all) inputs.push_back(given[v] = to.input(given[v], call, inputs.size));
    given.push_back(operands[takes.size - 1]);
    // Where the step reads what it captures along axes of its own, the derivative lies along those, too.
    const int first = to.followed.size, captured = active.numbers.size - active.carries.size;
    to.followed.append(inputs.data + active.carries.size, captured);
    const growing_array<Value> results = recorded_lowering<typename Op::body>::run(to, given, kept);
    for (int k = 0; k < captured; ++k) inputs[active.carries.size + k] = to.followed[first + k];
    to.followed.size = first;
    return results;
  }
};

/// A step of the way back. It carries the adjoints of the active carries, and sums those of what the loop captures; it
/// gets what the loop captures, the carries before the step, its elements, its products, and the adjoints of what it
/// stacks. Of the captured operands `Reach` it counts the steps in which a chosen path leads there.
template <class Op, auto In, auto Out, auto Kept, auto Reach>
struct PullbackStep : differentiated_step<Op, In, Out> {
  static constexpr std::string_view name = "pullback of a step";
  using step = differentiated_step<Op, In, Out>;
  using step::active, step::from;
  static constexpr auto takes =
      loop_operands<typename step::activity>().take_adjoints(Reach, false, &step::reads, Kept);
  static constexpr tapeless::operation::scan_shape shape = takes.shape;

  template <class Lowering, class Value>
  static constexpr Value lower_list(Lowering& to, const Value* operands, int) {
    const auto given = [&](taken what, int which) { return operands[takes.find(what, which) - 1]; };
    const int call = to.calls++;
    growing_array<Value> inputs, results, of_elements, terms;
    const auto outputs = step::run(to, call, takes, operands, inputs);
    for (const int c : active.carries)
      terms.push_back(to.weighted(Reach.variables[c] ? to.where_counted(given(taken::flag, c), outputs[c]) : outputs[c],
                                  given(taken::flow, c)));
    for (const int k : active.stacked)
      terms.push_back(to.weighted(outputs[from.carries + k], given(taken::flow, from.carries + k)));
    Value all = terms[0];
    for (int k = 1; k < terms.size; ++k) all = to.sum(all, terms[k]);
    for (const bool flags : {false, true}) {
      for (int k = 0; k < inputs.size; ++k) {
        const int v = active.all.at[k];
        if (flags && !Reach.variables[v]) continue;
        Value adjoint = to.adjoint(all, inputs[k], call, k, flags);
        if (k >= active.carries.size && k < active.numbers.size)
          adjoint = to.sum(given(flags ? taken::reached : taken::sum, 1 + v), adjoint);
        if (v < from.carries && Out[from.history(v)])
          adjoint = to.sum(adjoint, flags ? to.scalar(to.graph.constant(1)) : given(taken::flow, from.history(v)));
        (k < active.numbers.size ? results : of_elements).push_back(adjoint);
      }
    }
    results.append(of_elements.data, of_elements.size);
    return to.keep_results(results);
  }
};

/// A step of tangents: it carries those of the carries, and gets what the loop captures and the tangents of that, the
/// carries before the step, its elements and their tangents. Of a loop with checkpoints it makes the step too, since a
/// history is computed again in the opposite order only.
template <class Op, auto In, auto Out>
struct TangentStep : differentiated_step<Op, In, Out> {
  static constexpr std::string_view name = "tangent of a step";
  using step = differentiated_step<Op, In, Out>;
  using step::active, step::from;
  static constexpr bool along = from.checkpoints > 0;
  static constexpr auto takes = loop_operands<typename step::activity>().take_tangents({}, along, &step::reads);
  static constexpr tapeless::operation::scan_shape shape = takes.shape;

  template <class Lowering, class Value>
  static constexpr Value lower_list(Lowering& to, const Value* operands, int) {
    const int call = to.calls++;
    growing_array<Value> tangents, inputs, results;
    const auto outputs = step::run(to, call, takes, operands, inputs);
    for (const int v : active.all) tangents.push_back(operands[takes.find(taken::flow, 1 + v) - 1]);
    const auto push = [&](int output) { results.push_back(to.tangent(outputs[output], inputs, tangents, call)); };
    if (along) results.append(outputs.data, from.carries);
    for (const int c : active.carries) push(c);
    for (const int k : active.stacked) push(from.carries + k);
    return to.keep_results(results);
  }
};

/// What flows, and its flag, lies as `access` says.
struct tensor_flow {
  int node = -1, reached = -1;
  tensor_access access{};
};

/// The loop `Op` over tensors, node `index` of a program, and the loop of its derivatives that is appended.
template <class Op>
class tensor_loop_of {
  /// How a loop itself lies: one for each element of a batch.
  tensor_access own_;

 protected:
  static constexpr tapeless::operation::scan_shape shape = Op::shape;
  builder& graph_;
  const int index_;
  const growing_array<int> given_;
  const growing_array<tensor_move> reads_;
  common_condition condition_{};

  constexpr tensor_loop_of(builder& graph, int index)
      : own_(graph.moves[graph.nodes[index].access].to),
        graph_(graph),
        index_(index),
        given_(graph.operands(index), graph.nodes[index].count),
        reads_(graph.moves.data + graph.nodes[index].access, graph.nodes[index].count) {}

  /// The loop flows as a whole: where any that enters it does.
  constexpr void meet(const guarded& from) { condition_.add(graph_, from, own_.set()); }
  /// Appends the loop of `Step`, into which `flows` flow.
  template <class Step>
  constexpr int append(const growing_array<tensor_flow>& flows) {
    growing_array<tensor_move> reads;
    growing_array<int> operands;
    const auto or_zero = [&](int node) { return node < 0 ? graph_.constant(0) : node; };
    for (int i = 0; i < Step::shape.operands(); ++i) {
      const auto [what, which] = Step::takes.all[i];
      const bool flowing = what == taken::flow || what == taken::flag || what == taken::kept;
      tensor_access access = flowing ? flows[which].access : reads_[which].from;
      if (what == taken::before) access = for_each_step(access);
      operands.push_back(graph_.as_number(
          what == taken::given    ? given_[which]
          : what == taken::shape  ? graph_.stop(graph_.as_number(given_[which]))
          : what == taken::before ? shape.once ? given_[which] : output<Op>(index_, shape.history(which - 1), access)
          : what == taken::kept ? output<Op>(index_, which, access)
          : what == taken::flow   ? or_zero(flows[which].node)
          : what == taken::flag   ? or_zero(flows[which].reached)
                                  : graph_.constant(0)));
      reads.push_back({move_kind::read, access, own_, 0, {}});
    }
    graph_.misused(Step::problem);
    return graph_.append_move(info<loop_of_steps<Step>>, reads.data, operands.data, operands.size);
  }
  /// An output of the loop `Loop` that lies as `access` says.
  template <class Loop>
  constexpr int output(int loop, int which, const tensor_access& access) {
    const tensor_move read{move_kind::read, own_, access, 0, {}};
    return graph_.append_move(*output_readers<Loop>[static_cast<std::size_t>(which)], &read, &loop, 1);
  }

 private:
  /// How something that each step has one of lies: the axis of the steps, in a branch one of extent 1, follows that of
  /// a batch.
  constexpr tensor_access for_each_step(tensor_access access) const {
    const tensor_access& steps = reads_[0].from;
    for (int i = access.rank++; i > own_.rank; --i) access.axes[i] = access.axes[i - 1];
    access.axes[own_.rank] = shape.once ? -1 : steps.axes[steps.rank - 1];
    return access;
  }
};

template <class Op, auto In, auto Out, auto Kept, auto Beyond>
class tensor_loop_pullback : tensor_loop_of<Op> {
  using base = tensor_loop_of<Op>;
  using base::given_, base::graph_, base::index_, base::reads_, base::shape;
  static constexpr auto& active = loop_activity<Op, In, Out>::active;
  /// The operands that infinite partial derivatives follow: there a zero must tell whether it is a sum of chosen paths.
  /// If one of them is a carry, all carries do.
  static constexpr auto reached = [] {
    reach<shape> result;
    bool carries = false;
    for (const int v : active.all)
      if (selects_in<typename Op::body> && In[1 + v] && Beyond.infinite[1 + v])
        v < shape.carries ? void(carries = true) : result.variables.set(v);
    for (const int c : active.carries)
      if (carries) result.variables.set(c);
    return result;
  }();
  using step = PullbackStep<Op, In, Out, Kept, reached>;
  using loop = loop_of_steps<step>;

  /// The adjoints of the outputs, each of which several nodes may read, along axes of their own.
  growing_array<tensor_flow> seeds_;

  constexpr tensor_loop_pullback(builder& graph, int index) : base(graph, index), seeds_(Op::outputs, tensor_flow{}) {
    for (int k = 0; k < shape.carries; ++k) seeds_[k].access = reads_[1 + k].from;
  }

  constexpr void find_seeds(confluence& adjoints) {
    for (int i = index_ + 1; i < adjoints.size(); ++i) {
      const node n = graph_.nodes[i];
      if (!reads_loop(n) || graph_.edges[n.first] != index_) continue;
      const tensor_access access = graph_.moves[n.access].to;
      tensor_flow& to = seeds_[n.operation->output_read];
      const guarded arrived = adjoints.at(i);
      if (to.node < 0) to.access = access;
      if (arrived.none()) continue;
      this->meet(arrived);
      const auto add = [&](int& sum, int node) {
        if (sum >= 0) {
          const tensor_move as_first{move_kind::reshape, access, to.access, 0, {}};
          node = graph_.append_move(info<tapeless::operation::Move>, &as_first, &node, 1);
          node = graph_.template make<tapeless::operation::Add>(sum, node);
        }
        sum = node;
      };
      add(to.node, masked(graph_, arrived, guarded::everywhere));
      if (const int k = n.operation->output_read; k < shape.carries && reached.variables[k])
        add(to.reached, flag_of(graph_, arrived));
    }
  }
  /// Whether there are any steps: without, nothing flows into what the loop captures.
  constexpr int has_steps() {
    const tensor_access& steps = reads_[0].from;
    const int count = graph_.is_constant(given_[0], -1) ? extent_of(graph_, steps.axes[steps.rank - 1]) : given_[0];
    return flag_holds(graph_, count);
  }
  template <class Contribute>
  constexpr void contribute_all(int made, const Contribute& contribute) {
    for (const int v : active.all) {
      const int operand = 1 + v;
      if (!In[operand]) continue;
      const auto [number, flag] = step::takes.adjoint_of(operand, reached);
      const tensor_access& access = reads_[operand].from;
      guarded from{this->template output<loop>(made, number, access), this->condition_.where};
      if (flag >= 0)
        from.where = both_hold(graph_, from.where, flag_holds(graph_, this->template output<loop>(made, flag, access)));
      else if (v >= shape.carries && operand < shape.first_sequence() && Beyond.infinite[operand])
        from.where = both_hold(graph_, from.where, has_steps());
      contribute(given_[operand], summed(graph_, from, access.set() & ~graph_.nodes[given_[operand]].axes));
    }
  }

 public:
  static constexpr bool selects = true;

  template <class Contribute>
  static constexpr void apply(builder& graph, int index, confluence& adjoints, const Contribute& contribute) {
    tensor_loop_pullback all(graph, index);
    all.find_seeds(adjoints);
    if (!all.condition_.any || active.carries.size + active.stacked.size == 0) return;
    all.contribute_all(all.template append<step>(all.seeds_), contribute);
  }
};

template <class Op, auto In, auto Out>
class tensor_loop_tangent : tensor_loop_of<Op> {
  using base = tensor_loop_of<Op>;
  using base::shape;
  using step = TangentStep<Op, In, Out>;
  using loop = loop_of_steps<step>;
  using base::base;

 public:
  static constexpr bool selects = true;

  template <class Contribute>
  static constexpr void apply(builder& graph, int index, confluence& tangents, const Contribute&) {
    tensor_loop_tangent all(graph, index);
    growing_array<tensor_flow> flows;
    for (int k = 0; k < shape.operands(); ++k) {
      const guarded from = In[k] ? tangents.at(all.given_[k]) : guarded{};
      all.meet(from);
      flows.push_back({number_of(graph, from), -1, all.reads_[k].from});
    }
    if (all.condition_.any) tangents.add(index, {all.template append<step>(flows), all.condition_.where});
  }
  template <class Contribute>
  static constexpr void apply_to_output(builder& graph, int index, confluence& tangents, const Contribute&) {
    const node n = graph.nodes[index];
    const guarded from = tangents.at(graph.edges[n.first]);
    const int which = step::takes.tangent_of(n.operation->output_read, {})[0];
    if (from.none() || which < 0) return;
    const tensor_move read = graph.moves[n.access];
    const operation_info& reader = *output_readers<loop>[static_cast<std::size_t>(which)];
    tangents.add(index, {graph.append_move(reader, &read, &from.node, 1), from.where});
  }
};

}  // namespace detail

}  // namespace tapeless::program
