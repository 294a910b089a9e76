#pragma once

#include <tapeless/program/schedule/schedule.hpp>

/// Whether a plan computes its program: the plan is run in the order in which evaluate/ runs it, with nodes for
/// numbers. What a piece of memory holds is a node, begun or complete, and whatever reads the memory must mean that
/// node. Nothing is taken from the scheduler: each rule names the function of evaluate/ that makes it one.
namespace tapeless::program {

enum class plan_rule : unsigned char {
  none,
  /// Kernels and steps are in the order that plan, nest and kernel_frame take for granted: groups, and in them phases,
  /// follow each other, kernels of a group share the outermost loop, and loads come before computations before results.
  order,
  /// Each node has one place, the kernel and step that write it are those of its buffer, and buffers have the axes of
  /// their nodes: buffers::describe, plan::node_reference.
  one_place,
  /// A step is where its value is: its axes are those of the loops (kernel_frame::read, kernel_code::finish_step),
  /// and its operands are loaded or computed before it in its kernel (kernel_frame::value).
  loops,
  /// What is read is, complete, the node that is meant.
  reads,
  /// What is reduced was filled with the neutral element, and nothing else was written there since: buffers::fill.
  filled,
  /// No kernel writes what it has yet to read: only at a place that the same iteration has read, in all its loops
  /// (loops::iteration), or by a move into the memory of its base (move_kernel::begin_with).
  overwrites,
  /// What shares an output's memory has its axes, and that output is no leaf: one that is zero by structure may have no
  /// memory (batch::outputs_of_call), and a number has none (buffers::point).
  shares,
  /// Sums over processes are packed and unpacked where they are complete, each once: executor::run_in_phase.
  phases,
  /// All loops of a group that reduces over shards run over them, since executor::run_ordered runs it part by part, for
  /// no rows not at all; what else it fills has all rows.
  ordered,
  /// Each output ends as its node, and was written once.
  outputs,
  /// What lies within other memory is a range of that, by a move of one to the other (buffers::place_within).
  within,
  /// What begins with a variable is added up piece by piece for an output that adds the two and nothing else
  /// (buffers::begin).
  base,
  /// Where the function of another kernel runs a kernel, each of its steps does what that of the other does, with
  /// operands from the same steps: kernel_frame::places_of.
  forms,
};

struct plan_fault {
  plan_rule rule = plan_rule::none;
  int kernel = -1, step = -1, node = -1;
};

/// What the evaluator knows of a plan.
struct plan_view {
  graph_view graph;
  const step* steps;
  const kernel* kernels;
  const buffer* buffers;
  /// Of each buffer whether kernels add to it piece by piece: nest::accumulates.
  const bool* accumulated;
  const scheduled_output* outputs;
  int step_count, kernel_count, buffer_count, output_count;
  axis_set sharded;
};

namespace detail {

class plan_run {
  static constexpr int none = -1;
  enum class state : unsigned char { begun, complete };
  /// What memory holds; nothing that may be read if `node` is none.
  struct content {
    int node = none;
    state is = state::begun;
  };
  /// A piece of memory: that of an output, or of a buffer that lies in none.
  struct memory {
    axis_set axes = 0;
    content now;
    /// What it held before the group, of those that the group changes.
    content before;
    bool changed = false;
    /// The buffer that the group's parts have for themselves, none if they share the memory.
    int own = none;
    /// The run of a kernel that loaded from it last, and whether all loads were at the place of the iteration.
    int loaded_in = none;
    bool at_place = true;
  };
  const plan_view& plan_;
  growing_array<memory> memory_;
  // Of each node its buffer, and the run of a kernel in which it was loaded or computed last.
  growing_array<int> buffer_of_, known_in_;
  // The buffers that lie within others.
  growing_array<int> within_;
  // Of each node the step of a kernel that loads or computes it, and that of the kernel's form.
  growing_array<int> step_of_, form_step_of_;
  // How many steps write each memory's node, outputs first.
  growing_array<int> writes_;
  number_lists buffers_of_groups_;
  growing_array<int> changed_;
  plan_fault found_;
  int k_ = none, s_ = none, run_ = 0, pass_ = 0;

  constexpr const node& at(int i) const { return plan_.graph.nodes[i]; }
  constexpr int operand(int i, int j) const { return plan_.graph.edges[at(i).first + j]; }
  constexpr bool leaf(int i) const { return is_leaf(at(i).kind); }
  constexpr const buffer& place(int b) const { return plan_.buffers[b]; }
  constexpr int memory_of_buffer(int b) const { return place(b).output < 0 ? plan_.output_count + b : place(b).output; }
  constexpr int group_of(int b) const { return plan_.kernels[place(b).kernel].group; }
  constexpr bool reduces_shards(int b) const { return (at(place(b).node).reduced & plan_.sharded) != 0; }

  constexpr bool expect(bool holds, plan_rule rule, int node) {
    if (!holds && found_.rule == plan_rule::none) found_ = {rule, k_, s_, node};
    return holds;
  }

  constexpr bool is_block(int i) const { return buffer_of_[i] != none && place(buffer_of_[i]).block; }
  constexpr bool follows_form(const kernel& k, const kernel& form) {
    const auto in_memory = [](const node& n) {
      return n.kind != node_kind::constant && n.kind != node_kind::number && n.kind != node_kind::extent;
    };
    if (k.end_step - k.first_step != form.end_step - form.first_step || count_axes(k.axes) != count_axes(form.axes))
      return false;
    for (int s = k.first_step, f = form.first_step; s < k.end_step; ++s, ++f) {
      const step &now = plan_.steps[s], &of_form = plan_.steps[f];
      const int i = now.node, j = of_form.node;
      const bool is_loaded = now.kind == step_kind::load, is_computed = now.kind == step_kind::compute;
      if (now.kind != of_form.kind || at(i).condition != at(j).condition ||
          (!is_computed && is_block(i) != is_block(j)))
        return false;
      for (axis_set left = k.axes, form_left = form.axes; left; left &= left - 1, form_left &= form_left - 1) {
        const axis_set a = outermost(left), b = outermost(form_left);
        if (((at(i).axes & a) != 0) != ((at(j).axes & b) != 0) ||
            ((at(i).reduced & a) != 0) != ((at(j).reduced & b) != 0))
          return false;
      }
      const auto same = [&](int x, int y) { return step_of_[x] - k.first_step == form_step_of_[y] - form.first_step; };
      if (is_loaded) {
        if (in_memory(at(i))
                ? !in_memory(at(j))
                : at(i).kind != at(j).kind || (at(i).kind == node_kind::constant && at(i).leaf != at(j).leaf))
          return false;
      } else if (is_computed || now.kind == step_kind::reduce) {
        if (!same_operation(at(i), at(j)) || at(i).count != at(j).count) return false;
        bool in_order = true;
        for (int o = 0; o < at(i).count; ++o) in_order = in_order && same(operand(i, o), operand(j, o));
        if (!in_order && !(at(i).operation->laws.commutative && at(i).count == 2 &&
                           same(operand(i, 0), operand(j, 1)) && same(operand(i, 1), operand(j, 0))))
          return false;
      } else if (!same(i, j)) {
        return false;
      }
      if (is_loaded || is_computed) step_of_[i] = s, form_step_of_[j] = f;
    }
    return true;
  }

  /// What a plan's tables say, before anything runs.
  constexpr bool check_tables() {
    for (int k = 0; k < plan_.kernel_count; ++k) {
      const kernel &now = plan_.kernels[k], &last = plan_.kernels[k > 0 ? k - 1 : 0];
      k_ = k;
      const bool follows =
          k == 0 ? now.group == 0 && now.first_step == 0
                 : now.first_step == last.end_step && now.phase >= last.phase &&
                       (now.group == last.group ? now.phase == last.phase && outermost(now.axes) == outermost(last.axes)
                                                : now.group == last.group + 1);
      if (!expect(follows && now.first_step < now.end_step && now.end_step <= plan_.step_count, plan_rule::order, none))
        return false;
    }
    k_ = none;
    for (int b = 0; b < plan_.buffer_count; ++b) {
      const int i = place(b).node, o = place(b).output;
      if (!expect(i >= 0 && i < plan_.graph.size && !leaf(i) && buffer_of_[i] == none && place(b).axes == at(i).axes &&
                      place(b).reduction == (at(i).reduced != 0) && !at(i).operation->pair && place(b).kernel >= 0 &&
                      place(b).kernel < plan_.kernel_count,
                  plan_rule::one_place, i))
        return false;
      // buffers::describe: a block is one along the axis of its group.
      const axis_set along = outermost(plan_.kernels[place(b).kernel].axes);
      expect(!place(b).block || (o < 0 && (place(b).axes & along) != 0), plan_rule::one_place, i);
      expect(o < 0 || (o < plan_.output_count && place(b).axes != 0 && place(b).axes == plan_.outputs[o].axes &&
                       (plan_.outputs[o].node == i || !leaf(plan_.outputs[o].node))),
             plan_rule::shares, i);
      expect(place(b).within == none || is_range(b), plan_rule::within, i);
      if (place(b).within != none) within_.push_back(b);
      expect(place(b).base == none || is_begun(b), plan_rule::base, i);
      buffer_of_[i] = b;
    }
    for (k_ = 0; k_ < plan_.kernel_count; ++k_)
      if (const int form = plan_.kernels[k_].form; form >= 0 && form != k_)
        expect(form < k_ && follows_form(plan_.kernels[k_], plan_.kernels[form]), plan_rule::forms, none);
    k_ = none;
    return found_.rule == plan_rule::none;
  }
  constexpr bool is_range(int b) const {
    const int i = place(b).node, whole = place(b).within, mover = whole < i ? i : whole;
    const node& n = at(mover);
    if (plan_.sharded || place(b).output >= 0 || place(b).block || place(b).reduction || place(b).axes == 0 ||
        n.kind != node_kind::apply || !n.operation->moves || n.operation->of_matrices || n.operation->of_loops)
      return false;
    bool found = false;
    for (int j = 0; j < n.count; ++j) found |= operand(mover, j) == (whole < i ? whole : i);
    if (!found || at(whole).kind == node_kind::constant || at(whole).kind == node_kind::number) return false;
    const range_move range(plan_.graph, i, whole);
    return range.move->kind == (whole < i ? move_kind::slice : move_kind::pad) && range.move->step == range_step{} &&
           range.whole().axes[range.move->position] >= 0 && range.part().set() == at(i).axes &&
           range.whole().set() == at(whole).axes;
  }
  constexpr bool is_begun(int b) const {
    const int i = place(b).node, base = place(b).base, o = place(b).output;
    if (plan_.sharded || o < 0 || !plan_.accumulated[b] || at(base).kind != node_kind::variable) return false;
    const int total = plan_.outputs[o].node;
    return at(total).opcode == opcode::add && at(base).axes == at(total).axes &&
           applies(at(i), info<tapeless::operation::Sum>) &&
           ((operand(total, 0) == i && operand(total, 1) == base) ||
            (operand(total, 0) == base && operand(total, 1) == i));
  }
  constexpr void sort_buffers() {
    const int groups = plan_.kernel_count ? plan_.kernels[plan_.kernel_count - 1].group + 1 : 0;
    buffers_of_groups_ = number_lists(groups, [&](const auto& add) {
      for (int b = plan_.buffer_count; b-- > 0;) add(group_of(b), b);
    });
  }
  template <class Visit>
  constexpr void for_each_buffer(int group, Visit visit) const {
    const growing_array<int>& first = buffers_of_groups_.first;
    for (int b = first[group]; b < first[group + 1]; ++b) visit(buffers_of_groups_.all[b]);
  }

  /// The buffer that lies within other memory, and the memory that it ends in; that itself of others.
  constexpr int buffer_within(int m) const {
    const int b = m - plan_.output_count;
    return b >= 0 && place(b).within != none ? b : none;
  }
  constexpr int host(int b) const {
    const int of = buffer_of_[place(b).within];
    return of == none ? none : memory_of_buffer(of);
  }
  constexpr int root(int m) const {
    for (int b = m < 0 ? none : buffer_within(m); b != none; b = m < 0 ? none : buffer_within(m)) m = host(b);
    return m;
  }
  /// Whether two pieces of memory have elements in common, for all that is known: ranges that one move fills have not,
  /// nor what lies within those.
  constexpr bool meet(int m, int other) const {
    if (m == other || root(m) < 0 || root(m) != root(other)) return false;
    for (int a = buffer_within(m); a != none; a = outer(a))
      for (int b = buffer_within(other); b != none; b = outer(b))
        if (a != b && place(a).within == place(b).within && !is_slice(a) && !is_slice(b)) return false;
    return true;
  }
  /// The buffer that a buffer's host lies within other memory by.
  constexpr int outer(int b) const { return host(b) < 0 ? none : buffer_within(host(b)); }
  constexpr bool is_slice(int b) const { return place(b).within < place(b).node; }
  /// Whether what a memory holds is a part of a node.
  constexpr bool is_of(int m, int node) const {
    for (int b = buffer_within(m); b != none; b = outer(b))
      if (place(b).within == node) return true;
    return false;
  }
  /// visit(memory) for what has elements in common with a memory that is written to; a slice is not.
  template <class Visit>
  constexpr void for_each_met(int m, Visit visit) {
    if (const int b = buffer_within(m); b != none && is_slice(b)) return;
    const int r = within_.size > 0 ? root(m) : none;
    if (r != m && r >= 0) visit(memory_[r], r);
    for (const int b : within_)
      if (const int other = plan_.output_count + b; meet(m, other)) visit(memory_[other], other);
  }

  constexpr void set(int m, const content& to) {
    for_each_met(m, [&](memory& met, int other) {
      if (to.node == none || !is_of(other, to.node)) met.now = {};
    });
    if (!memory_[m].changed) memory_[m].changed = true, memory_[m].before = memory_[m].now, changed_.push_back(m);
    memory_[m].now = to;
  }
  constexpr void write(int m, int node, state is) {
    expect(memory_[m].own == none || place(memory_[m].own).node == node, plan_rule::filled, node);
    set(m, {node, is});
    if (pass_ > 0) return;
    const int b = buffer_of_[node];
    if (b != none && memory_of_buffer(b) == m) ++writes_[plan_.output_count + b];
    if (m < plan_.output_count && (plan_.outputs[m].node == node || (b != none && place(b).base != none))) ++writes_[m];
  }

  /// executor::run_group, run_parts and run_ordered, of which a call chooses one: what parts have for themselves is
  /// begun by `fill`, or holds nothing yet.
  constexpr void begin_group(int g, int first, int end) {
    bool reduces = false;
    for_each_buffer(g, [&](int b) { reduces |= reduces_shards(b); });
    for (int k = first; reduces && k < end; ++k)
      expect((plan_.kernels[k].axes & plan_.sharded) != 0, plan_rule::ordered, none);
    changed_.size = 0;
    for_each_buffer(g, [&](int b) {
      const int i = place(b).node, m = memory_of_buffer(b);
      // run_ordered: what a part does not copy and has not for itself, it adds to at its own rows.
      if (reduces && plan_.accumulated[b] && !place(b).block && !reduces_shards(b))
        expect((place(b).axes & plan_.sharded) != 0, plan_rule::ordered, i);
      if (!place(b).block && !plan_.accumulated[b] && !reduces_shards(b)) return;
      expect(memory_[m].own == none, plan_rule::filled, i);
      memory_[m].own = b;
      set(m, plan_.accumulated[b] ? content{i, state::begun} : content{});
    });
  }
  /// executor::run_part: where a block begins, memory along the group's axis holds what it did before the group, but
  /// for buffers of a block, which hold what the last one left.
  constexpr void begin_block(axis_set along) {
    for (int c = 0; c < changed_.size; ++c) {
      memory& m = memory_[changed_[c]];
      if (m.own != none)
        m.now = place(m.own).block || (m.axes & along)
                    ? (plan_.accumulated[m.own] ? content{place(m.own).node, state::begun} : content{})
                    : m.now;
      else if (m.axes & along)
        m.now = m.before;
    }
  }
  /// buffers::combine, or the end of the loops: sums over the group's axis are complete, but for those over processes.
  constexpr void end_group() {
    for (int c = 0; c < changed_.size; ++c) {
      memory& m = memory_[changed_[c]];
      if (m.own != none && place(m.own).block) m.now = {};
      if (m.own != none && !place(m.own).block && !reduces_shards(m.own)) m.now.is = state::complete;
      if (m.own != none && place(m.own).base != none) m.now.node = plan_.outputs[place(m.own).output].node;
      m.changed = false, m.own = none;
    }
  }

  /// phase_sums::unpack, after which sums over processes are complete.
  constexpr void finish_phase(int phase, int groups) {
    for (int g = 0; g < groups; ++g)
      for_each_buffer(g, [&](int b) {
        if (!reduces_shards(b) || plan_.kernels[place(b).kernel].phase != phase) return;
        content& now = memory_[memory_of_buffer(b)].now;
        expect(now.node == place(b).node && now.is == state::begun, plan_rule::phases, place(b).node);
        now.is = state::complete;
      });
  }

  constexpr void run_kernel(int k) {
    k_ = k, ++run_;
    const kernel& loops = plan_.kernels[k];
    step_kind last = step_kind::load;
    for (s_ = loops.first_step; s_ < loops.end_step && found_.rule == plan_rule::none; ++s_) {
      const step& now = plan_.steps[s_];
      // kernel_frame: loads, computations, results.
      expect(now.node >= 0 && now.node < plan_.graph.size &&
                 (last < step_kind::reduce ? now.kind >= last : now.kind >= step_kind::reduce),
             plan_rule::order, now.node);
      if (found_.rule != plan_rule::none) return;
      last = now.kind;
      run_step(now, loops);
    }
    s_ = none;
  }
  constexpr void run_step(const step& now, const kernel& loops) {
    const int i = now.node;
    const auto is_known = [&](int x) { return known_in_[x] == run_; };
    const auto knows_operands = [&] {
      for (int j = 0; j < at(i).count; ++j)
        if (!is_known(operand(i, j))) return false;
      return true;
    };
    switch (now.kind) {
      case step_kind::load:
        expect((at(i).axes & ~loops.axes) == 0, plan_rule::loops, i);
        if (!leaf(i)) load(i, at(i).axes == loops.axes);
        known_in_[i] = run_;
        break;
      case step_kind::compute:
        expect(at(i).kind == node_kind::apply && !at(i).operation->moves && at(i).reduced == 0 &&
                   (at(i).axes & ~loops.axes) == 0 && knows_operands() && !is_known(i),
               plan_rule::loops, i);
        known_in_[i] = run_;
        break;
      case step_kind::reduce:
        expect((at(i).axes | at(i).reduced) == loops.axes && at(i).reduced != 0 && knows_operands(), plan_rule::loops,
               i);
        if (const int b = written_buffer(i); b != none) reduce(b, loops);
        break;
      case step_kind::store:
        expect(at(i).axes == loops.axes && at(i).reduced == 0 && is_known(i), plan_rule::loops, i);
        if (const int b = written_buffer(i); b != none) store(memory_of_buffer(b), i);
        break;
      case step_kind::output: {
        const int o = now.output;
        if (!expect(o >= 0 && o < plan_.output_count && plan_.outputs[o].node == i, plan_rule::outputs, i)) return;
        expect(plan_.outputs[o].axes == loops.axes && is_known(i), plan_rule::loops, i);
        store(o, i);
        break;
      }
      case step_kind::move: move(i, loops); break;
    }
  }
  /// The buffer that this step fills: where buffers::describe takes it to be filled.
  constexpr int written_buffer(int i) {
    const int b = buffer_of_[i];
    return expect(b != none && place(b).kernel == k_, plan_rule::one_place, i) ? b : none;
  }
  constexpr void load(int i, bool at_place) {
    const int b = buffer_of_[i];
    if (!expect(b != none, plan_rule::one_place, i)) return;
    memory& m = memory_[memory_of_buffer(b)];
    expect(m.now.node == i && m.now.is == state::complete, plan_rule::reads, i);
    m.at_place = at_place && (m.loaded_in != run_ || m.at_place);
    m.loaded_in = run_;
  }
  /// The kernel has not read what has elements in common with the memory that it writes node `i` to.
  constexpr void check_met(int m, int i) {
    for_each_met(m, [&](memory& met, int) { expect(met.loaded_in != run_, plan_rule::overwrites, i); });
  }
  constexpr void store(int m, int i) {
    expect(memory_[m].loaded_in != run_ || memory_[m].at_place, plan_rule::overwrites, i);
    check_met(m, i);
    write(m, i, state::complete);
  }
  /// kernel_code::finish_step and gather_step: what is added to piece by piece was filled, what is not is assigned.
  constexpr void reduce(int b, const kernel& loops) {
    const int i = place(b).node, m = memory_of_buffer(b);
    expect(memory_[m].loaded_in != run_, plan_rule::overwrites, i);
    check_met(m, i);
    if (plan_.accumulated[b])
      expect(memory_[m].own == b && memory_[m].now.node == i && memory_[m].now.is == state::begun, plan_rule::filled,
             i);
    const bool goes_on = (at(i).reduced & (outermost(loops.axes) | plan_.sharded)) != 0;
    expect(plan_.accumulated[b] || (at(i).reduced & outermost(loops.axes)) == 0, plan_rule::filled, i);
    write(m, i, goes_on ? state::begun : state::complete);
  }
  /// move_kernel::run, which takes whole tensors: its kernel has no loops and no other step.
  constexpr void move(int i, const kernel& loops) {
    const node& n = at(i);
    const int b = written_buffer(i);
    if (!expect(n.kind == node_kind::apply && n.operation->moves && loops.axes == 0 &&
                    loops.end_step == loops.first_step + 1,
                plan_rule::order, i) ||
        b == none)
      return;
    const int to = memory_of_buffer(b);
    const bool puts = !n.operation->of_matrices && n.count == 3 && plan_.graph.moves[n.access].kind == move_kind::put;
    for (int j = 0; j < n.count; ++j) {
      const int x = operand(i, j);
      // Which element it is lies in memory too: tensor_inputs::place.
      if (leaf(x)) continue;
      load(x, false);
      if (buffer_of_[x] != none)
        expect(memory_of_buffer(buffer_of_[x]) != to || (puts && j == 2), plan_rule::overwrites, i);
    }
    write(to, i, state::complete);
  }

 public:
  constexpr explicit plan_run(const plan_view& plan)
      : plan_(plan),
        memory_(plan.output_count + plan.buffer_count, memory{}),
        buffer_of_(plan.graph.size, none),
        known_in_(plan.graph.size, none),
        step_of_(plan.graph.size, none),
        form_step_of_(plan.graph.size, none),
        writes_(plan.output_count + plan.buffer_count, 0) {}

  constexpr plan_fault run() {
    if (!check_tables()) return found_;
    sort_buffers();
    for (int o = 0; o < plan_.output_count; ++o) memory_[o].axes = plan_.outputs[o].axes;
    for (int b = 0; b < plan_.buffer_count; ++b) memory_[memory_of_buffer(b)].axes = place(b).axes;
    int last_phase = 0, phases = 0;
    for (int b = 0; b < plan_.buffer_count; ++b)
      if (const int phase = plan_.kernels[place(b).kernel].phase; reduces_shards(b) && phase >= phases)
        phases = phase + 1;
    for (int k = 0, g = 0, end = 0; k < plan_.kernel_count && found_.rule == plan_rule::none; k = end, ++g) {
      for (end = k + 1; end < plan_.kernel_count && plan_.kernels[end].group == g;) ++end;
      const axis_set along = outermost(plan_.kernels[k].axes);
      if (plan_.kernels[k].phase != last_phase) finish_phase(plan_.kernels[k].phase - 1, g);
      last_phase = plan_.kernels[k].phase;
      begin_group(g, k, end);
      // Two blocks: what the second one finds is what every later one does.
      const int passes = along && end > k + 1 ? 2 : 1;
      for (pass_ = 0; pass_ < passes; ++pass_) {
        if (pass_ > 0) begin_block(along);
        for (int each = k; each < end && found_.rule == plan_rule::none; ++each) run_kernel(each);
      }
      end_group();
      if (end == plan_.kernel_count && last_phase + 1 == phases) finish_phase(last_phase, g + 1);
    }
    k_ = none;
    for (int o = 0; o < plan_.output_count; ++o)
      expect(memory_[o].now.node == plan_.outputs[o].node && memory_[o].now.is == state::complete && writes_[o] == 1,
             plan_rule::outputs, plan_.outputs[o].node);
    for (int b = 0; b < plan_.buffer_count; ++b)
      expect(writes_[plan_.output_count + b] == 1, plan_rule::one_place, place(b).node);
    return found_;
  }
};

}  // namespace detail

constexpr plan_fault find_fault(const plan_view& plan) { return detail::plan_run(plan).run(); }

}  // namespace tapeless::program
