#pragma once

#include <tapeless/operation/scan.hpp>
#include <tapeless/operation/tensor/linear_algebra.hpp>
#include <tapeless/operation/tensor/verb_inside.hpp>
#include <tapeless/program/differentiate/guarded.hpp>
#include <tapeless/program/differentiate/loop_activity.hpp>
#include <tapeless/program/lower/loop.hpp>
#include <tapeless/program/rewrite/axes.hpp>
#include <tapeless/program/rewrite/copy.hpp>

#include <cstddef>
#include <span>
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
  constexpr graph_view view = Body::view();
  for (int i = 0; i < view.size; ++i)
    if (const node& n = view.nodes[i]; may_select(n) && !applies(n, info<tapeless::operation::Dot>)) return true;
  return false;
}();

/// What the steps of both are made of. `In` tells the operands and `Out` the outputs that a derivative flows through.
template <class Body, tapeless::operation::scan_shape Shape, auto In, auto Out>
struct differentiated_step {
  using activity = loop_activity<tapeless::operation::TensorScan<Body, Shape>, In, Out>;
  static constexpr auto& carries = activity::active.carries;
  static constexpr bool is_active(int carry) { return carries.find(carry) >= 0; }
  static constexpr bool has_seeds(int history) { return is_active(history) && Out[Shape.history(history)]; }
  /// The carries whose values before a step its derivatives read. Of others, such as those behind a stop, nothing is
  /// kept: what they start from has their shapes.
  static constexpr auto kept_carries = [] {
    constexpr graph_view view = Body::view();
    growing_array<char> flowing(Shape.carries, 0);
    for (int k = 0; k < Shape.carries; ++k) flowing[k] = is_active(k);
    const growing_array<char> active = activity::between(flowing, flowing);
    growing_array<int> read;
    for (int i = 0; i < view.size; ++i)
      for (int j = 0; active[i] && j < view.nodes[i].count; ++j)
        if (is_read_by_derivatives(active, view, view.nodes[i], j)) read.push_back(view.edges[view.nodes[i].first + j]);
    const growing_array<char> needed = needed_nodes(view, {read.begin(), read.end()});
    flags<static_cast<std::size_t>(Shape.carries)> result;
    for (int i = 0; i < view.size; ++i)
      if (const node& n = view.nodes[i]; needed[i] && n.kind == node_kind::variable && n.leaf < Shape.carries)
        result.set(n.leaf);
    return result;
  }();
  static constexpr int not_kept = Shape.carries - kept_carries.count();

  static constexpr int captured = Shape.constants + Shape.tables;
  static constexpr int active_captured = In.count(1 + Shape.carries, Shape.first_sequence());
  static constexpr int active_sequences = In.count(Shape.first_sequence(), Shape.operands());
  static constexpr int seeded_stacked = Out.count(Shape.carries, Shape.carries + Shape.stacked);
  static constexpr int seeded_histories = [] {
    int result = 0;
    for (int k = 0; k < Shape.carries; ++k) result += has_seeds(k);
    return result;
  }();

  /// Operands taken one after the other.
  template <class Value>
  struct reader {
    const Value* next;
    constexpr growing_array<Value> take(int count) { return {(next += count) - count, count}; }
    /// The carries, those that are not kept first.
    constexpr growing_array<Value> take_carries() {
      const growing_array<Value> constants = take(not_kept), sequences = take(kept_carries.count());
      growing_array<Value> result;
      for (int k = 0, kept = 0; k < Shape.carries; ++k)
        result.push_back(kept_carries[k] ? sequences[kept++] : constants[k - kept]);
      return result;
    }
  };
  /// The step, where `inputs` are what its derivatives are by.
  template <class Lowering, class Value>
  static constexpr growing_array<Value> run(Lowering& to, int call, const growing_array<Value>& before,
                                            const growing_array<Value>& constants,
                                            const growing_array<Value>& sequences, const Value& step,
                                            growing_array<Value>& inputs, const growing_array<Value>& kept = {}) {
    growing_array<Value> given;
    const auto pass = [&](const growing_array<Value>& all, int first) {
      for (int k = 0; k < all.size; ++k) {
        given.push_back(all[k]);
        if (first == 0 ? !is_active(k) : !In[first + k]) continue;
        given[given.size - 1] = to.input(all[k], call, inputs.size);
        inputs.push_back(given[given.size - 1]);
      }
    };
    pass(before, 0), pass(constants, 1 + Shape.carries), pass(sequences, Shape.first_sequence());
    given.push_back(step);
    // Where the step reads what it captures along axes of its own, the derivative lies along those, too.
    const int first = to.followed.size;
    for (int k = carries.size; k < carries.size + active_captured; ++k) to.followed.push_back(inputs[k]);
    const growing_array<Value> results = recorded_lowering<Body>::run(to, given, kept);
    for (int k = 0; k < active_captured; ++k) inputs[carries.size + k] = to.followed[first + k];
    to.followed.size = first;
    return results;
  }
};

/// A step of the way back. It carries the adjoints of the active carries, and sums those of what the loop captures; it
/// gets what the loop captures, the carries before the step, its elements, its products, and the adjoints of what it
/// stacks. Of the captured operands `Reach` it counts the steps in which a chosen path leads there.
template <class Body, tapeless::operation::scan_shape Shape, auto In, auto Out, auto Kept, auto Reach>
struct PullbackStep {
  static constexpr std::string_view name = "pullback of a step";
  static constexpr bool of_tensors = true;
  using step = differentiated_step<Body, Shape, In, Out>;
  static constexpr int reaching_carries = Reach.count(0, 1 + Shape.carries),
                       reaching_captured = Reach.count(1 + Shape.carries, Shape.first_sequence());
  static constexpr tapeless::operation::scan_shape shape{
      .carries = step::carries.size + step::active_captured + reaching_carries + reaching_captured,
      .constants = step::captured + step::not_kept,
      .sequences =
          step::kept_carries.count() + Shape.sequences + Kept.count() + step::seeded_stacked + step::seeded_histories,
      .stacked = step::active_sequences + Reach.count() - reaching_carries - reaching_captured,
      .reversed = !Shape.reversed,
      .checkpoints = Shape.checkpoints,
      .once = Shape.once};

  template <class Lowering, class Value>
  static constexpr Value lower_list(Lowering& to, const Value* operands, int) {
    typename step::template reader<Value> in{operands};
    const auto adjoints = in.take(step::carries.size), sums = in.take(step::active_captured),
               reached_carries = in.take(reaching_carries), reached = in.take(reaching_captured);
    const auto constants = in.take(step::captured), before = in.take_carries();
    const auto sequences = in.take(Shape.sequences);
    growing_array<Value> kept(Shape.kept, Value{});
    for (int k = 0; k < Shape.kept; ++k)
      if (Kept[k]) kept[k] = in.take(1)[0];
    const auto stacked = in.take(step::seeded_stacked), histories = in.take(step::seeded_histories);
    const int call = to.calls++;
    growing_array<Value> inputs, results, of_elements;
    const auto outputs = step::run(to, call, before, constants, sequences, *in.next, inputs, kept);
    growing_array<Value> terms;
    for (int k = 0; k < adjoints.size; ++k) {
      const Value& output = outputs[step::carries.at[k]];
      terms.push_back(
          to.weighted(k < reaching_carries ? to.where_counted(reached_carries[k], output) : output, adjoints[k]));
    }
    for (int k = 0, seed = 0; k < Shape.stacked; ++k)
      if (Out[Shape.carries + k]) terms.push_back(to.weighted(outputs[Shape.carries + k], stacked[seed++]));
    Value all = terms[0];
    for (int k = 1; k < terms.size; ++k) all = to.sum(all, terms[k]);
    for (int k = 0, history = 0; k < inputs.size; ++k) {
      Value adjoint = to.adjoint(all, inputs[k], call, k);
      const int captured = k - adjoints.size;
      if (captured < 0 && step::has_seeds(step::carries.at[k])) adjoint = to.sum(adjoint, histories[history++]);
      if (captured >= 0 && captured < sums.size) adjoint = to.sum(sums[captured], adjoint);
      (captured < sums.size ? results : of_elements).push_back(adjoint);
    }
    for (int k = 0; k < reaching_carries; ++k) {
      const Value here = to.adjoint(all, inputs[k], call, k, true);
      results.push_back(step::has_seeds(step::carries.at[k]) ? to.sum(here, to.scalar(to.graph.constant(1))) : here);
    }
    for (int operand = 1 + Shape.carries, k = adjoints.size, flag = 0; operand < Shape.operands(); k += In[operand++]) {
      if (operand == Shape.first_sequence()) results.append(of_elements.data, of_elements.size);
      if (!Reach[operand]) continue;
      const Value here = to.adjoint(all, inputs[k], call, k, true);
      results.push_back(flag < reached.size ? to.sum(reached[flag++], here) : here);
    }
    return to.keep_results(results);
  }
};

/// A step of tangents: it carries those of the carries, and gets what the loop captures and the tangents of that, the
/// carries before the step, its elements and their tangents. Of a loop with checkpoints it makes the step too, since a
/// history is computed again in the opposite order only.
template <class Body, tapeless::operation::scan_shape Shape, auto In, auto Out>
struct TangentStep {
  static constexpr std::string_view name = "tangent of a step";
  static constexpr bool of_tensors = true;
  using step = differentiated_step<Body, Shape, In, Out>;
  /// The carries of the loop that it has beside their tangents.
  static constexpr int along = Shape.checkpoints > 0 ? Shape.carries : 0;
  static constexpr tapeless::operation::scan_shape shape{
      .carries = Shape.carries + along,
      .constants = step::captured + step::active_captured + (along ? 0 : step::not_kept),
      .sequences = (along ? 0 : step::kept_carries.count()) + Shape.sequences + step::active_sequences,
      .stacked = Shape.stacked,
      .reversed = Shape.reversed,
      .checkpoints = Shape.checkpoints,
      .once = Shape.once};

  template <class Lowering, class Value>
  static constexpr Value lower_list(Lowering& to, const Value* operands, int) {
    typename step::template reader<Value> in{operands};
    const auto of_carries = in.take(Shape.carries);
    growing_array<Value> before = in.take(along);
    const auto constants = in.take(step::captured), of_constants = in.take(step::active_captured);
    if constexpr (along == 0) before = in.take_carries();
    const auto sequences = in.take(Shape.sequences), of_sequences = in.take(step::active_sequences);
    growing_array<Value> tangents, inputs, results;
    for (const int k : std::span(step::carries.at, static_cast<std::size_t>(step::carries.size)))
      tangents.push_back(of_carries[k]);
    tangents.append(of_constants.data, of_constants.size), tangents.append(of_sequences.data, of_sequences.size);
    const int call = to.calls++;
    const auto outputs = step::run(to, call, before, constants, sequences, *in.next, inputs);
    for (int k = 0; k < outputs.size; ++k) {
      if (k == Shape.carries) results.append(outputs.data, along);
      results.push_back(k < Shape.carries && !step::is_active(k) ? of_carries[k]
                                                                 : to.tangent(outputs[k], inputs, tangents, call));
    }
    if (outputs.size == Shape.carries) results.append(outputs.data, along);
    return to.keep_results(results);
  }
};

/// The loop `Op` over tensors, node `index` of a program, and the loop of its derivatives that is appended.
template <class Op>
class tensor_loop_of {
  growing_array<tensor_move> made_reads_;
  growing_array<int> made_operands_;
  /// How a loop itself lies: one for each element of a batch.
  tensor_access own_;

 protected:
  static constexpr tapeless::operation::scan_shape shape = Op::shape;
  builder& graph_;
  const int index_;
  const growing_array<int> given_;
  const growing_array<tensor_move> reads_;
  int where_ = -1;

  constexpr tensor_loop_of(builder& graph, int index)
      : own_(graph.moves[graph.nodes[index].access].to),
        graph_(graph),
        index_(index),
        given_(graph.operands(index), graph.nodes[index].count),
        reads_(graph.moves.data + graph.nodes[index].access, graph.nodes[index].count) {}

  /// The loop's flow as a whole: where any that enters it does.
  constexpr void meet(const guarded& from) {
    if (from.none()) return;
    const axis_set elements = from.where == guarded::everywhere ? 0 : graph_.nodes[from.where].axes & ~own_.set();
    const int where = from.where == guarded::everywhere ? from.where : any_over(graph_, from.where, elements);
    where_ = where_ == -1 ? where : either_holds(graph_, where_, where);
  }
  /// Gives the appended loop an operand.
  constexpr void push(int node, const tensor_access& access) {
    made_reads_.push_back({move_kind::read, access, own_, 0, {}});
    made_operands_.push_back(graph_.as_number(node));
  }
  constexpr void push_given(int first, int end) {
    for (int k = first; k < end; ++k) push(given_[k], reads_[k].from);
  }
  /// The carries before each step; of those that `Step` does not keep, the first.
  template <class Step>
  constexpr void push_carries() {
    for (int k = 0; k < shape.carries; ++k)
      if (!Step::kept_carries[k]) push(graph_.stop(graph_.as_number(given_[1 + k])), reads_[1 + k].from);
    for (int k = 0; k < shape.carries; ++k) {
      if (!Step::kept_carries[k]) continue;
      const tensor_access access = for_each_step(reads_[1 + k].from);
      push(shape.once ? given_[1 + k] : output<Op>(index_, shape.history(k), access), access);
    }
  }
  template <class Loop>
  constexpr int append_loop() {
    return graph_.append_move(info<Loop>, made_reads_.data, made_operands_.data, made_operands_.size);
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
  /// The operands that infinite partial derivatives follow: there a zero must tell whether it is a sum of chosen paths.
  /// If one of them is a carry, all carries do.
  static constexpr auto reach = [] {
    flags<static_cast<std::size_t>(shape.operands())> result;
    bool carries = false;
    for (int k = 1; k < shape.operands() && selects_in<typename Op::body>; ++k) {
      if (!In[k] || !Beyond.infinite[k]) continue;
      if (k > shape.carries)
        result.set(k);
      else
        carries = true;
    }
    for (int k = 0; k < shape.carries && carries; ++k)
      if (differentiated_step<typename Op::body, Op::shape, In, Out>::is_active(k)) result.set(1 + k);
    return result;
  }();
  using step = PullbackStep<typename Op::body, Op::shape, In, Out, Kept, reach>;
  using loop = loop_of_steps<step>;

  /// The adjoint of an output, which several nodes may read, along axes of their own.
  struct seed {
    int node = -1, reached = -1;
    tensor_access access{};
  };
  growing_array<seed> seeds_;

  constexpr tensor_loop_pullback(builder& graph, int index) : base(graph, index), seeds_(Op::outputs, seed{}) {
    for (int k = 0; k < shape.carries; ++k) seeds_[k].access = reads_[1 + k].from;
  }

  constexpr void find_seeds(confluence& adjoints) {
    for (int i = index_ + 1; i < adjoints.size(); ++i) {
      const node n = graph_.nodes[i];
      if (!reads_loop(n) || graph_.edges[n.first] != index_) continue;
      const tensor_access access = graph_.moves[n.access].to;
      seed& to = seeds_[n.operation->output_read];
      const guarded flow = adjoints.at(i);
      if (to.node < 0) to.access = access;
      if (flow.none()) continue;
      this->meet(flow);
      const auto add = [&](int& sum, int node) {
        if (sum >= 0) {
          const tensor_move as_first{move_kind::reshape, access, to.access, 0, {}};
          node = graph_.append_move(info<tapeless::operation::Move>, &as_first, &node, 1);
          node = graph_.template make<tapeless::operation::Add>(sum, node);
        }
        sum = node;
      };
      add(to.node, masked(graph_, flow, guarded::everywhere));
      if (const int k = n.operation->output_read; k < shape.carries && reach[1 + k])
        add(to.reached, flag_of(graph_, flow));
    }
  }
  constexpr void push_seed(int output) {
    const seed& from = seeds_[output];
    this->push(from.node < 0 ? graph_.constant(0) : from.node, from.access);
  }
  /// Whether there are any steps: without, nothing flows into what the loop captures.
  constexpr int has_steps() {
    const tensor_access& steps = reads_[0].from;
    const int count = graph_.is_constant(given_[0], -1) ? extent_of(graph_, steps.axes[steps.rank - 1]) : given_[0];
    return flag_holds(graph_, count);
  }
  template <class Contribute>
  constexpr void contribute_all(int made, const Contribute& contribute) {
    int carry = 0, flag = loop::shape.carries - step::reaching_carries - step::reaching_captured,
        stacked = loop::shape.carries;
    for (int operand = 1; operand < shape.operands(); ++operand) {
      const bool is_carry = operand <= shape.carries, is_sequence = operand >= shape.first_sequence();
      if (operand == shape.first_sequence()) flag += step::step::active_sequences;
      if (is_carry ? !step::step::is_active(operand - 1) : !In[operand]) continue;
      const int which = is_sequence ? stacked++ : carry++, own_flag = reach[operand] ? flag++ : -1;
      if (!In[operand]) continue;
      const tensor_access& access = reads_[operand].from;
      guarded flow{this->template output<loop>(made, which, access), this->where_};
      if (reach[operand])
        flow.where =
            both_hold(graph_, flow.where, flag_holds(graph_, this->template output<loop>(made, own_flag, access)));
      else if (!is_carry && !is_sequence && Beyond.infinite[operand])
        flow.where = both_hold(graph_, flow.where, has_steps());
      contribute(given_[operand], summed(graph_, flow, access.set() & ~graph_.nodes[given_[operand]].axes));
    }
  }

 public:
  static constexpr bool selects = true;

  template <class Contribute>
  static constexpr void apply(builder& graph, int index, confluence& adjoints, const Contribute& contribute) {
    tensor_loop_pullback all(graph, index);
    all.find_seeds(adjoints);
    if (all.where_ == -1 || step::step::carries.size + step::step::seeded_stacked == 0) return;
    all.append(contribute);
  }

 private:
  template <class Contribute>
  constexpr void append(const Contribute& contribute) {
    this->push_given(0, 1);
    for (int k = 0; k < step::step::carries.size; ++k) push_seed(step::step::carries.at[k]);
    for (int k = 1 + shape.carries; k < shape.first_sequence(); ++k)
      if (In[k]) this->push(graph_.constant(0), reads_[k].from);
    for (int k = 1; k < shape.first_sequence(); ++k) {
      if (!reach[k]) continue;
      const int flag = k > shape.carries ? -1 : seeds_[k - 1].reached;
      this->push(flag < 0 ? graph_.constant(0) : flag, k > shape.carries ? reads_[k].from : seeds_[k - 1].access);
    }
    this->push_given(1 + shape.carries, shape.first_sequence());
    this->template push_carries<typename step::step>();
    this->push_given(shape.first_sequence(), shape.operands());
    for (int k = 0, first = shape.first_kept(); k < shape.kept; ++k)
      if (const tensor_access access = seeds_[first + k].access; Kept[k])
        this->push(this->template output<Op>(index_, first + k, access), access);
    for (int k = 0; k < shape.stacked; ++k)
      if (Out[shape.carries + k]) push_seed(shape.carries + k);
    for (int k = 0; k < shape.carries; ++k)
      if (step::step::has_seeds(k)) push_seed(shape.history(k));
    contribute_all(this->template append_loop<loop>(), contribute);
  }
};

template <class Op, auto In, auto Out>
class tensor_loop_tangent : tensor_loop_of<Op> {
  using base = tensor_loop_of<Op>;
  using base::given_, base::graph_, base::index_, base::reads_, base::shape;
  using step = TangentStep<typename Op::body, Op::shape, In, Out>;
  using loop = loop_of_steps<step>;
  using base::base;

  constexpr void push_tangents(const growing_array<int>& tangents, int first, int end, bool all) {
    for (int k = first; k < end; ++k)
      if (all || In[k]) this->push(tangents[k], reads_[k].from);
  }

 public:
  static constexpr bool selects = true;

  template <class Contribute>
  static constexpr void apply(builder& graph, int index, confluence& tangents, const Contribute&) {
    tensor_loop_tangent all(graph, index);
    growing_array<int> of_operands(shape.operands(), graph.constant(0));
    for (int k = 1; k < shape.operands(); ++k) {
      if (!In[k]) continue;
      const guarded from = tangents.at(all.given_[k]);
      all.meet(from);
      of_operands[k] = number_of(graph, from);
    }
    if (all.where_ != -1) tangents.add(index, {all.append(of_operands), all.where_});
  }
  /// The tangent of an output: the loop of tangents has the same, and after its first the carries beside them.
  template <class Contribute>
  static constexpr void apply_to_output(builder& graph, int index, confluence& tangents, const Contribute&) {
    const node n = graph.nodes[index];
    const guarded from = tangents.at(graph.edges[n.first]);
    if (from.none()) return;
    const tensor_move read = graph.moves[n.access];
    const int which = n.operation->output_read + (n.operation->output_read < shape.carries ? 0 : step::along);
    const operation_info& reader = *output_readers<loop>[static_cast<std::size_t>(which)];
    tangents.add(index, {graph.append_move(reader, &read, &from.node, 1), from.where});
  }

 private:
  constexpr int append(const growing_array<int>& tangents) {
    const int sequences = shape.first_sequence();
    this->push_given(0, 1);
    push_tangents(tangents, 1, 1 + shape.carries, true);
    this->push_given(1, 1 + step::along);
    this->push_given(1 + shape.carries, sequences);
    push_tangents(tangents, 1 + shape.carries, sequences, false);
    if constexpr (step::along == 0) this->template push_carries<typename step::step>();
    this->push_given(sequences, shape.operands());
    push_tangents(tangents, sequences, shape.operands(), false);
    return this->template append_loop<loop>();
  }
};

}  // namespace detail

}  // namespace tapeless::program
