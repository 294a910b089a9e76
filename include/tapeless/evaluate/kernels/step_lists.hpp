#pragma once

#include <tapeless/core/target.hpp>
#include <tapeless/evaluate/kernels/lane_steps.hpp>
#include <tapeless/evaluate/kernels/nest.hpp>

#include <array>
#include <cstddef>
#include <utility>

namespace tapeless::loops::inline TAPELESS_TARGET::detail {

/// Which steps of a kernel are run together, by the number of their list.
struct step_list {
  static constexpr std::size_t constants = 0, numbers = 1, extents = 2, in_memory = 3, along_lanes = 4, blocks = 5,
                               computed = 6, written = 7, gathered = 8, accumulated = 9, first_of_levels = 10;
  /// Those loaded in loop number `level`, counted from 1, or before all loops.
  static constexpr std::size_t loaded(std::size_t level) { return first_of_levels + 3 * level; }
  /// Those whose memory varies along loop number `level`, counted from 0; and the reductions gathered in all loops from
  /// that one on.
  static constexpr std::size_t varying(std::size_t level) { return first_of_levels + 3 * level + 1; }
  static constexpr std::size_t gathered_in(std::size_t level) { return first_of_levels + 3 * level + 2; }
  static constexpr std::size_t count(std::size_t depth) { return first_of_levels + 3 * (depth > 0 ? depth : 1) + 1; }
};

/// What is read at compile time of a step.
struct step_entry {
  const program::operation_info* operation = nullptr;
  int form = 0;
  lane_kind kind{};
  bool varies = false;
  /// The steps that it takes its operands from.
  std::size_t operand[3]{};
};
/// Those of a kernel and their lists, in plain arrays: to index others is a call.
template <std::size_t Steps, std::size_t Lists>
struct step_table {
  step_entry step[Steps]{};
  std::size_t size[Lists]{};
  /// Each list after the one before it, with room for all steps.
  std::size_t at[Lists * Steps]{};
};

/// Fills such a table. No template: compilers would make its functions anew for each kernel.
class step_table_writer {
  program::graph_view program_;
  const program::step* steps_;
  std::size_t count_;
  loop_order loops_;

  step_entry* to_;
  std::size_t *size_, *at_;
  /// Of each node, the step that loads or computes it and how many steps use it.
  program::growing_array<std::size_t> step_of_, uses_;

  constexpr const program::node& node(std::size_t s) const { return program_.nodes[steps_[s].node]; }
  constexpr void add(std::size_t list, std::size_t s) { at_[list * count_ + size_[list]++] = s; }
  constexpr axis_set memory_axes(std::size_t s) const {
    return steps_[s].kind == step_kind::output ? loops_.outer | loops_.inner : node(s).axes;
  }

  constexpr void describe(std::size_t s) {
    const program::node& of = node(s);
    const step_kind does = steps_[s].kind;
    to_[s].operation = of.operation;
    to_[s].kind = of.condition                                                 ? lane_kind::condition
                  : of.kind == program::node_kind::apply && of.operation->pair ? lane_kind::pair
                                                                               : lane_kind::number;
    to_[s].varies = loops_.varies(memory_axes(s));
    if (does == step_kind::compute || does == step_kind::reduce) {
      to_[s].form = of.count;
      for (int j = 0; j < of.count; ++j) ++uses_[program_.edges[of.first + j]];
      for (int j = 0; j < 3 && of.count > 0; ++j)
        to_[s].operand[j] = step_of_[program_.edges[of.first + (j < of.count ? j : 0)]];
    } else if (does != step_kind::load) {
      ++uses_[steps_[s].node];
      to_[s].operand[0] = step_of_[steps_[s].node];
    }
    if (does == step_kind::load || does == step_kind::compute) step_of_[steps_[s].node] = s;
  }
  /// A sum or difference of which an operand is a product that nothing else uses computes both with one rounding.
  constexpr void fuse(std::size_t s) {
    const bool reduces = steps_[s].kind == step_kind::reduce;
    const program::node& sum = node(s);
    if (reduces ? !program::applies(sum, program::info<operation::Sum>)
                : steps_[s].kind != step_kind::compute ||
                      (sum.opcode != program::opcode::add && sum.opcode != program::opcode::subtract))
      return;
    for (int j = 0; j < sum.count; ++j) {
      const std::size_t product = to_[s].operand[j], other = to_[s].operand[1 - j];
      if (steps_[product].kind != step_kind::compute || node(product).opcode != program::opcode::multiply ||
          uses_[steps_[product].node] != 1)
        continue;
      to_[s].form = reduces || sum.opcode == program::opcode::add ? form::product_plus
                    : j == 0                                      ? form::product_minus
                                                                  : form::minus_product;
      to_[s].operand[0] = to_[product].operand[0], to_[s].operand[1] = to_[product].operand[1],
      to_[s].operand[2] = other;
      to_[product].form = form::fused;
      return;
    }
  }
  /// Enters a step whose memory is reference number `place`, -1 if it has none, which may be a buffer of a block.
  constexpr void sort(std::size_t s, int place, bool is_block) {
    const step_kind does = steps_[s].kind;
    const program::node_kind kind = node(s).kind;
    const std::size_t depth = loops_.depth();
    if (place >= 0) {
      add(step_list::in_memory, s);
      if (to_[s].varies) add(step_list::along_lanes, s);
      if (is_block) add(step_list::blocks, s);
      for (std::size_t l = 0; l < depth; ++l)
        if (memory_axes(s) & axis(loops_.axis_of(l))) add(step_list::varying(l), s);
    }
    if (does == step_kind::compute) {
      if (to_[s].form != form::fused) add(step_list::computed, s);
    } else if (does == step_kind::load) {
      add(kind == program::node_kind::constant ? step_list::constants
          : kind == program::node_kind::number ? step_list::numbers
          : kind == program::node_kind::extent ? step_list::extents
                                               : step_list::loaded(loops_.level(node(s).axes)),
          s);
    } else if (does != step_kind::reduce) {
      add(step_list::written, s);
    } else if (const std::size_t first = loops_.first_gathered(node(s).reduced); first == depth) {
      add(step_list::accumulated, s);
    } else {
      add(step_list::gathered, s), add(step_list::gathered_in(first), s);
    }
  }

 public:
  template <std::size_t Steps, std::size_t Lists>
  constexpr step_table_writer(program::graph_view program, const program::step* steps, const loop_order& loops,
                              step_table<Steps, Lists>& to)
      : program_(program),
        steps_(steps),
        count_(Steps),
        loops_(loops),
        to_(to.step),
        size_(to.size),
        at_(to.at),
        step_of_(program.size, 0),
        uses_(program.size, 0) {}

  constexpr void run(const int* places, bool (*is_block)(int)) {
    for (std::size_t s = 0; s < count_; ++s) describe(s);
    for (std::size_t s = 0; s < count_ && loops_.depth() > 0; ++s) fuse(s);
    for (std::size_t s = 0; s < count_; ++s) {
      const bool is_number = steps_[s].kind == step_kind::load &&
                             (node(s).kind == program::node_kind::number || node(s).kind == program::node_kind::extent);
      const int place = is_number ? -1 : places[s];
      sort(s, place, place >= 0 && is_block(place));
    }
  }
};

/// What the kernel number `K` of the plan `S`, and those equal to it, do in each step.
template <class S, std::size_t K>
struct kernel_steps : nest<S, K> {
  using n = nest<S, K>;
  static constexpr const program::node& node_of(std::size_t s) { return S::program[n::step(s).node]; }

  /// What differs between equal kernels: the axis of each loop, and what each step reads or writes: a reference, or
  /// which extent or number.
  struct places {
    int step[n::steps]{};
    int axis[n::depth > 0 ? n::depth : 1]{};
  };
  static constexpr int place_of(const program::kernel& kernel, std::size_t s) {
    return S::place_of(S::steps[static_cast<std::size_t>(kernel.first_step) + s]);
  }
  /// Those of the kernel number `Which`, which is equal to `K`.
  template <std::size_t Which>
  static constexpr places places_of = [] {
    constexpr program::kernel kernel = S::kernels[Which];
    places result;
    for (std::size_t s = 0; s < n::steps; ++s) result.step[s] = place_of(kernel, s);
    const loop_order along(kernel, S::steps.data(), S::nodes.data());
    for (std::size_t level = 0; level < n::depth; ++level) result.axis[level] = along.axis_of(level);
    return result;
  }();

  static constexpr auto table = [] {
    step_table<n::steps, step_list::count(n::depth)> result;
    step_table_writer(S::source::view(), S::steps.data() + n::plan.first_step, n::loops, result)
        .run(places_of<K>.step, &S::is_block);
    return result;
  }();
  /// The steps of a list, and their operands, as types.
  template <std::size_t List, std::size_t... I>
  static std::index_sequence<table.at[List * n::steps + I]...> steps_at(std::index_sequence<I...>);
  template <std::size_t List>
  using steps_of = decltype(steps_at<List>(std::make_index_sequence<table.size[List]>{}));
  template <int Which, std::size_t... I>
  static std::index_sequence<table.step[I].operand[Which]...> operands_at(std::index_sequence<I...>);
  template <int Which, std::size_t List>
  using operands_of = decltype(operands_at<Which>(steps_of<List>{}));
};

}  // namespace tapeless::loops::inline TAPELESS_TARGET::detail
