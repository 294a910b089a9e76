#pragma once

#include <tapeless/core/target.hpp>
#include <tapeless/program/graph/activity.hpp>
#include <tapeless/program/lower/tensor_lowering.hpp>
#include <tapeless/program/schedule/equal_kernels.hpp>

#include <algorithm>
#include <array>
#include <cstddef>

namespace tapeless::program {

struct schedule_size {
  static constexpr std::size_t most_steps = detail::room.nodes / 8, most = detail::room.nodes / 32;
  std::size_t steps = 0, kernels = 0, buffers = 0, groups = 0;
  bool known = false;
  constexpr bool has_room() const { return steps <= most_steps && kernels <= most && buffers <= most; }
};
/// A schedule that a constant can hold: with room for most, as programs have it.
struct kept_schedule {
  schedule_size size;
  detail::roomy<step, schedule_size::most_steps> steps{};
  detail::roomy<kernel, schedule_size::most> kernels{};
  detail::roomy<buffer, schedule_size::most> buffers{};
};
constexpr kept_schedule first_run_of_graph(const schedule_builder& from) {
  const auto count = [](int n) { return static_cast<std::size_t>(n); };
  kept_schedule result{
      {count(from.steps.size), count(from.kernels.size), count(from.buffers.size), count(from.groups), true}};
  if (result.size.has_room()) {
    detail::fill(result.steps, from.steps), detail::fill(result.kernels, from.kernels);
    detail::fill(result.buffers, from.buffers);
  } else {
    // Compilers count the steps of a constant evaluation: the second run must not take more of them than this one.
    [[maybe_unused]] const schedule_builder copied = from;
  }
  return result;
}

}  // namespace tapeless::program

namespace tapeless::loops::inline TAPELESS_TARGET {

namespace detail {

// A plan that the compiler cannot make is no error here, as with programs: the public function reports it.
template <class Pass, program::schedule_size Size = program::detail::first_run_of<Pass>().size>
constexpr program::schedule_size measure_if_possible(int /*preferred*/) {
  return Size;
}
template <class Pass>
constexpr program::schedule_size measure_if_possible(long) {
  return {};
}

}  // namespace detail

/// The schedule of the finished program `P::value`, whose output number o lies in memory as access number
/// `OutputAccesses[o]` of the program says. Of the axes `Sharded` each process has a part.
template <class P, auto OutputAccesses, program::axis_set Sharded = 0>
struct plan {
  using source = P;
  static constexpr program::axis_set sharded = Sharded;
  static constexpr auto& program = P::value;
  static constexpr auto& nodes = P::value.nodes;
  static constexpr auto& edges = P::value.edges;
  static constexpr auto& constants = P::value.constants;
  static constexpr std::size_t numbers = static_cast<std::size_t>(P::value.numbers);
  static constexpr std::size_t outputs = P::value.outputs.size();

  /// Whether the compiler can make it.
  static constexpr bool exists() { return size.known; }

  static constexpr const program::tensor_access& output_access(std::size_t o) {
    return P::value.accesses[static_cast<std::size_t>(OutputAccesses[o])];
  }

 private:
  struct pass {
    static constexpr program::schedule_builder run() {
      program::growing_array<program::scheduled_output> written;
      program::growing_array<char> costly;
      for (std::size_t o = 0; o < outputs; ++o) written.push_back({P::value.output(o), output_access(o).set()});
      for (const program::node& n : nodes) costly.push_back(program::is_expensive(n));
      program::schedule_builder result = program::detail::scheduler(P::view(), written, costly, Sharded).run();
      program::equal_kernels(P::view(), result).find();
      return result;
    }
  };
  static constexpr program::schedule_size size = detail::measure_if_possible<pass>(0);
  struct schedule {
    std::array<program::step, size.steps> steps{};
    std::array<program::kernel, size.kernels> kernels{};
    std::array<program::buffer, size.buffers> buffers{};
    /// The first kernel of each group, and the number of kernels.
    std::array<std::size_t, size.groups + 1> first_kernel{};
    /// The memory of each node, -1 where it has none.
    std::array<int, P::value.nodes.size()> reference{};
  };
  template <class From>
  static constexpr schedule filled(const From& from) {
    schedule result{};
    program::detail::fill(result.steps, from.steps), program::detail::fill(result.kernels, from.kernels);
    program::detail::fill(result.buffers, from.buffers);
    for (std::size_t k = size.kernels; k-- > 0;)
      result.first_kernel[static_cast<std::size_t>(result.kernels[k].group)] = k;
    result.first_kernel[size.groups] = size.kernels;
    for (std::size_t i = 0; i < nodes.size(); ++i)
      result.reference[i] = program::is_read(nodes[i].kind) ? nodes[i].access : -1;
    for (std::size_t b = 0; b < size.buffers; ++b)
      result.reference[static_cast<std::size_t>(result.buffers[b].node)] =
          static_cast<int>(result.buffers[b].output < 0 ? P::value.accesses.size() + b
                                                        : P::value.accesses.size() + size.buffers +
                                                              static_cast<std::size_t>(result.buffers[b].output));
    return result;
  }
  // Compilers look at each element of a constant array that is read: what is asked for often stands in tables.
  static constexpr schedule made = [] {
    if constexpr (!size.known)
      return schedule{};
    else if constexpr (size.has_room())
      return filled(program::detail::first_run_of<pass>());
    else
      return filled(pass::run());
  }();

 public:
  static constexpr auto& steps = made.steps;
  static constexpr auto& kernels = made.kernels;
  static constexpr auto& buffers = made.buffers;
  static constexpr std::size_t groups = size.groups;

  static constexpr std::size_t axes = [] {
    int last = 0;
    const auto take = [&](const program::tensor_access& access) {
      for (int i = 0; i < access.rank; ++i) last = std::max(last, access.axes[i]);
    };
    for (const program::tensor_access& access : P::value.accesses) take(access);
    for (const program::tensor_move& move : P::value.moves) take(move.from), take(move.to);
    for (const program::axis_rule& rule : P::value.axis_rules) last = std::max(last, rule.axis);
    return static_cast<std::size_t>(last) + 1;
  }();

  static constexpr std::size_t accesses = P::value.accesses.size();
  static constexpr std::size_t references = accesses + buffers.size() + outputs;

  static constexpr int node_reference(int i) { return made.reference[static_cast<std::size_t>(i)]; }
  /// Where buffer number `b` lies: an output's memory, or memory of its own.
  static constexpr std::size_t buffer_reference(std::size_t b) {
    return static_cast<std::size_t>(node_reference(buffers[b].node));
  }
  /// The output in whose memory a node is kept, -1 if there is none.
  static constexpr int output_of(int i) {
    const int first = output_reference(0), r = node_reference(i);
    return r < first ? -1 : r - first;
  }
  /// Whether node `part` lies in the memory of node `whole`.
  static constexpr bool lies_within(int part, int whole) {
    const int b = node_reference(part) - static_cast<int>(accesses);
    return b >= 0 && b < static_cast<int>(buffers.size()) && buffers[static_cast<std::size_t>(b)].within == whole;
  }
  static constexpr bool lies_in_operand(int i) { return lies_within(i, program.operand(i, 0)); }
  static constexpr int output_reference(int o) { return static_cast<int>(accesses + buffers.size()) + o; }
  /// Whether the memory is a buffer of its own, without gaps.
  static constexpr bool is_buffer(int reference) {
    const std::size_t r = static_cast<std::size_t>(reference);
    return r >= accesses && r < accesses + buffers.size() && buffers[r - accesses].within < 0;
  }
  static constexpr bool is_block(int reference) {
    return is_buffer(reference) && buffers[static_cast<std::size_t>(reference) - accesses].block;
  }

  /// What a step of a kernel reads or writes: a reference, or which extent or number; -1 if it does not.
  static constexpr int place_of(const program::step& s) {
    const program::node& of = program[s.node];
    const bool is_number = of.kind == program::node_kind::number || of.kind == program::node_kind::extent;
    return s.kind == program::step_kind::compute             ? -1
           : s.kind == program::step_kind::output            ? output_reference(s.output)
           : s.kind == program::step_kind::load && is_number ? of.leaf
                                                             : node_reference(s.node);
  }

  /// The variable that the indices of a move are, -1 where they are computed.
  static constexpr int index_variable(int i) {
    const program::node& n = program[i];
    return n.kind == program::node_kind::variable ? n.leaf : -1;
  }
  /// Whether a variable says which elements are taken; -1 for indices that are computed.
  static constexpr bool is_indices(int variable) {
    for (int i = 0; i < static_cast<int>(nodes.size()); ++i)
      if (program[i].kind == program::node_kind::apply && program[i].operation->moves &&
          program.move(i).has_indices() && index_variable(program.operand(i, 1)) == variable)
        return true;
    return false;
  }
  /// Whether the loops find out themselves which elements are taken, and refuse indices that leave their axis.
  static constexpr bool computes_indices = is_indices(-1);
  /// Whether a number of the formula is a bound of a slice or an extent.
  static constexpr bool is_bound(int number) {
    for (const program::axis_rule& rule : program.axis_rules)
      if (rule.begin.number == number || rule.end.number == number || rule.step.number == number) return true;
    for (const program::tensor_move& move : program.moves)
      if (move.begin.number == number) return true;
    return false;
  }
  static constexpr bool has_bounds = [] {
    for (int number = 0; number < static_cast<int>(numbers); ++number)
      if (is_bound(number)) return true;
    return false;
  }();

  static constexpr std::size_t first_kernel(std::size_t group) { return made.first_kernel[group]; }
  static constexpr std::size_t count_kernels(std::size_t group) {
    return first_kernel(group + 1) - first_kernel(group);
  }
  /// The axis that a group runs along, -1 for numbers.
  static constexpr int group_axis(std::size_t group) {
    const program::axis_set set = kernels[first_kernel(group)].axes;
    return set ? program::first_axis(set) : -1;
  }
  /// The kernel that writes a buffer.
  static constexpr std::size_t kernel_of(const program::buffer& b) { return static_cast<std::size_t>(b.kernel); }
  static constexpr std::size_t group_of(const program::buffer& b) {
    return static_cast<std::size_t>(kernels[kernel_of(b)].group);
  }
  /// Whether a group has its kernels run block by block: where one kernel leaves something for another.
  static constexpr bool is_blocked(std::size_t group) { return count_kernels(group) > 1; }

  /// Whether a buffer holds a process' part of a reduction until it is summed.
  static constexpr bool reduces_shards(const program::buffer& b) { return (program[b.node].reduced & Sharded) != 0; }
  static constexpr int phase_of(const program::buffer& b) { return kernels[kernel_of(b)].phase; }
  static constexpr int phase_of(std::size_t group) { return kernels[first_kernel(group)].phase; }
  /// How many sums over processes there are: each phase but one that reduces nothing over a sharded axis ends with one.
  static constexpr std::size_t phases = [] {
    int last = -1;
    for (const program::buffer& b : buffers)
      if (reduces_shards(b)) last = std::max(last, phase_of(b));
    return static_cast<std::size_t>(last + 1);
  }();
  /// Whether a group is the last one to reduce over a sharded axis in its phase.
  static constexpr bool completes_phase(std::size_t group) {
    bool result = false;
    for (const program::buffer& b : buffers)
      if (reduces_shards(b) && phase_of(b) == phase_of(group)) {
        if (group_of(b) > group) return false;
        result = result || group_of(b) == group;
      }
    return result;
  }
  /// Whether a group is the first of a phase after the first one.
  static constexpr bool begins_phase(std::size_t group) { return group > 0 && phase_of(group) != phase_of(group - 1); }

  /// Whether a group moves elements.
  static constexpr bool moves(std::size_t group) {
    for (std::size_t k = first_kernel(group), end = k + count_kernels(group); k < end; ++k)
      if (steps[static_cast<std::size_t>(kernels[k].first_step)].kind == program::step_kind::move) return true;
    return false;
  }

  /// The references over a group's axis that the group's kernels read or leave for each other: what a block holds.
  struct reference_list {
    std::array<std::size_t, references> at{};
    std::size_t size = 0;
  };
  static constexpr reference_list held(std::size_t group) {
    reference_list result;
    std::array<bool, references> seen{};
    for (std::size_t k = first_kernel(group), end = k + count_kernels(group); k < end; ++k)
      for (int s = kernels[k].first_step; s < kernels[k].end_step; ++s) {
        const program::step& st = steps[static_cast<std::size_t>(s)];
        if (st.kind == program::step_kind::compute || st.kind == program::step_kind::output) continue;
        const int r = node_reference(st.node);
        if (r < 0 || seen[static_cast<std::size_t>(r)]) continue;
        seen[static_cast<std::size_t>(r)] = true;
        if (reference_axes(static_cast<std::size_t>(r)) & program::axis(group_axis(group)))
          result.at[result.size++] = static_cast<std::size_t>(r);
      }
    return result;
  }
  static constexpr program::axis_set reference_axes(std::size_t reference) {
    if (reference < accesses) return P::value.accesses[reference].set();
    if (reference < accesses + buffers.size()) return buffers[reference - accesses].axes;
    return output_access(reference - accesses - buffers.size()).set();
  }
};

}  // namespace tapeless::loops::inline TAPELESS_TARGET
