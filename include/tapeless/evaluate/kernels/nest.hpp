#pragma once

#include <tapeless/core/target.hpp>
#include <tapeless/evaluate/kernels/lane_steps.hpp>
#include <tapeless/evaluate/kernels/tables.hpp>
#include <tapeless/program/schedule/schedule.hpp>

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace tapeless::loops::inline TAPELESS_TARGET {

using program::axis;
using program::axis_set;
using program::step_kind;

namespace detail {

/// In what order the loops of a kernel run, from its steps and the nodes of its program: the outer ones first, and both
/// in the order of their numbers.
struct loop_order {
  /// The axis whose elements the lanes hold: the last, which is contiguous in most tensors.
  int vector_axis = -1;
  axis_set outer = 0;
  /// Where everything is reduced over the same axes and not over the vector axis, those are the inner loops: then the
  /// sums stay in registers.
  axis_set inner = 0;

  constexpr loop_order(const program::kernel& kernel, const program::step* steps, const program::node* nodes) {
    if (kernel.axes) vector_axis = program::last_axis(kernel.axes);
    axis_set common = 0;
    bool first = true, same = true;
    for (int i = kernel.first_step; i < kernel.end_step; ++i) {
      if (steps[i].kind != step_kind::reduce) continue;
      const axis_set reduced = nodes[steps[i].node].reduced;
      if (!first && reduced != common) same = false;
      common = reduced, first = false;
    }
    if (same && kernel.axes && !(common & axis(vector_axis))) inner = common;
    outer = kernel.axes & ~inner;
  }

  /// The axes from the outermost loop to the innermost.
  template <std::size_t Depth>
  constexpr std::array<int, Depth> order() const {
    std::array<int, Depth> result{};
    std::size_t next = 0;
    for (axis_set left : {outer, inner})
      for (; left; left &= left - 1) result[next++] = program::first_axis(left);
    return result;
  }
  /// The innermost loops as far as they are all over axes of `reduced`: there a reduction's lanes are gathered.
  constexpr axis_set gathered(axis_set reduced) const {
    axis_set result = 0;
    for (axis_set left : {inner, outer})
      for (; left; left &= ~axis(program::last_axis(left))) {
        if (!(reduced & axis(program::last_axis(left)))) return result;
        result |= axis(program::last_axis(left));
      }
    return result;
  }
  /// Whether a reduction's result is added to by more than one pass over the gathered loops, or by parts of a group.
  constexpr bool accumulates(axis_set reduced) const {
    return (reduced & (outer | inner) & (~gathered(reduced) | program::outermost(outer | inner))) != 0;
  }
};

/// One nest of loops: what the kernel number `K` of the plan `S` does, known at compile time.
template <class S, std::size_t K>
struct nest {
  static constexpr program::kernel plan = S::kernels[K];
  static constexpr auto& nodes = S::nodes;
  static constexpr std::size_t depth = static_cast<std::size_t>(program::count_axes(plan.axes));
  static constexpr axis_set group_axis = program::outermost(plan.axes);

  static constexpr program::step step(std::size_t i) { return S::steps[static_cast<std::size_t>(plan.first_step) + i]; }
  static constexpr std::size_t steps = static_cast<std::size_t>(plan.end_step - plan.first_step);
  static constexpr const program::node& node(int i) { return S::program[i]; }
  static constexpr const program::node& node_of(std::size_t i) { return node(step(i).node); }

  static constexpr loop_order loops{plan, S::steps.data(), nodes.data()};
  static constexpr int vector_axis = loops.vector_axis;
  static constexpr bool varies(axis_set axes) { return depth > 0 && (axes & axis(vector_axis)) != 0; }

  static constexpr std::array<int, depth> order = loops.order<depth>();
  static constexpr std::size_t vector_level = [] {
    std::size_t level = 0;
    while (level < depth && order[level] != vector_axis) ++level;
    return level;
  }();
  /// The innermost loop that a value over `axes` changes in, counted from 1; 0 if it changes in none.
  static constexpr std::size_t level(axis_set axes) {
    std::size_t result = 0;
    for (std::size_t l = 0; l < depth; ++l)
      if (axes & axis(order[l])) result = l + 1;
    return result;
  }
  /// A reduction's lanes are gathered in all loops from this one on.
  static constexpr std::size_t first_gathered(axis_set reduced) {
    return depth - static_cast<std::size_t>(program::count_axes(loops.gathered(reduced)));
  }
  static constexpr bool accumulates(axis_set reduced) { return loops.accumulates(reduced); }

  /// What differs between equal kernels: the axis of each loop, and what each step reads or writes: a reference, or
  /// which extent or number.
  struct places {
    int step[steps]{};
    int axis[depth > 0 ? depth : 1]{};
  };
  static constexpr int place_of(const program::kernel& kernel, std::size_t i) {
    const program::step s = S::steps[static_cast<std::size_t>(kernel.first_step) + i];
    return s.kind == step_kind::compute  ? -1
           : s.kind == step_kind::output ? S::output_reference(s.output)
           : is_number(s)                ? node(s.node).leaf
                                         : S::node_reference(s.node);
  }
  /// Those of the kernel number `Which`, which is equal to `K`.
  template <std::size_t Which>
  static constexpr places places_of = [] {
    constexpr program::kernel kernel = S::kernels[Which];
    places result;
    for (std::size_t i = 0; i < steps; ++i) result.step[i] = place_of(kernel, i);
    const auto along = loop_order(kernel, S::steps.data(), S::nodes.data()).template order<depth>();
    for (std::size_t level = 0; level < depth; ++level) result.axis[level] = along[level];
    return result;
  }();
  static constexpr bool is_number(const program::step& s) {
    const program::node_kind kind = node(s.node).kind;
    return s.kind == step_kind::load && (kind == program::node_kind::number || kind == program::node_kind::extent);
  }
  static constexpr bool is_in_memory(std::size_t i) { return places_of<K>.step[i] >= 0 && !is_number(step(i)); }
  /// The axes that a step's memory has.
  static constexpr axis_set memory_axes(std::size_t i) {
    return step(i).kind == step_kind::output ? plan.axes : node_of(i).axes;
  }

  /// Which steps are run together.
  struct list {
    static constexpr std::size_t constants = 0, numbers = 1, extents = 2, in_memory = 3, along_lanes = 4, blocks = 5,
                                 computed = 6, written = 7, gathered = 8, accumulated = 9;
    /// Those loaded in loop number `level`, counted from 1, or before all; and that change the place in memory, or are
    /// gathered, in loop number `level`, counted from 0.
    static constexpr std::size_t loaded(std::size_t level) { return 10 + level; }
    static constexpr std::size_t varying(std::size_t level) { return 11 + depth + level; }
    static constexpr std::size_t gathered_in(std::size_t level) { return 11 + 2 * depth + level; }
    static constexpr std::size_t count = 11 + 3 * depth;
  };
  /// What is read at compile time of each step, in plain arrays: to index others is a call.
  struct step_table {
    const program::operation_info* operation[steps]{};
    int form[steps]{};
    lane_kind kind[steps]{};
    bool varies[steps]{};
    /// The steps that it takes its operands from.
    std::size_t operand[3][steps]{};
    std::size_t size[list::count]{};
    std::size_t at[list::count][steps]{};

    constexpr void add(std::size_t to, std::size_t step) { at[to][size[to]++] = step; }
  };
 private:
  /// A sum or difference of which an operand is a product that nothing else uses computes both with one rounding.
  static constexpr void fuse(step_table& of, const std::size_t* uses) {
    for (std::size_t s = 0; s < steps && depth > 0; ++s) {
      const bool reduces = step(s).kind == step_kind::reduce;
      const program::node& sum = node_of(s);
      if (reduces ? !program::applies(sum, program::info<operation::Sum>)
                  : step(s).kind != step_kind::compute ||
                        (sum.opcode != program::opcode::add && sum.opcode != program::opcode::subtract))
        continue;
      for (int j = 0; j < sum.count; ++j) {
        const std::size_t product = of.operand[j][s];
        if (step(product).kind != step_kind::compute || node_of(product).opcode != program::opcode::multiply ||
            uses[static_cast<std::size_t>(step(product).node)] != 1)
          continue;
        const std::size_t other = of.operand[1 - j][s];
        of.form[s] = reduces || sum.opcode == program::opcode::add ? form::product_plus
                     : j == 0                                      ? form::product_minus
                                                                   : form::minus_product;
        of.operand[0][s] = of.operand[0][product], of.operand[1][s] = of.operand[1][product], of.operand[2][s] = other;
        of.form[product] = form::fused;
        break;
      }
    }
  }
  static constexpr void sort(step_table& of, std::size_t s) {
    const step_kind does = step(s).kind;
    const program::node_kind kind = node_of(s).kind;
    const axis_set reduced = node_of(s).reduced;
    if (is_in_memory(s)) {
      of.add(list::in_memory, s);
      if (of.varies[s]) of.add(list::along_lanes, s);
      if (S::is_block(places_of<K>.step[s])) of.add(list::blocks, s);
      for (std::size_t l = 0; l < depth; ++l)
        if (memory_axes(s) & axis(order[l])) of.add(list::varying(l), s);
    }
    if (does == step_kind::compute) {
      if (of.form[s] != form::fused) of.add(list::computed, s);
    } else if (does == step_kind::load) {
      of.add(kind == program::node_kind::constant ? list::constants
             : kind == program::node_kind::number ? list::numbers
             : kind == program::node_kind::extent ? list::extents
                                                  : list::loaded(level(node_of(s).axes)),
             s);
    } else if (does != step_kind::reduce) {
      of.add(list::written, s);
    } else if (first_gathered(reduced) == depth) {
      of.add(list::accumulated, s);
    } else {
      of.add(list::gathered, s), of.add(list::gathered_in(first_gathered(reduced)), s);
    }
  }

 public:
  static constexpr step_table table = [] {
    step_table result;
    std::array<std::size_t, S::nodes.size()> step_of{}, uses{};
    for (std::size_t s = 0; s < steps; ++s) {
      const program::node& of = node_of(s);
      const step_kind does = step(s).kind;
      result.kind[s] = of.condition ? lane_kind::condition
                       : of.kind == program::node_kind::apply && of.operation->pair ? lane_kind::pair
                                                                                    : lane_kind::number;
      result.varies[s] = varies(memory_axes(s));
      result.operation[s] = of.operation;
      if (does == step_kind::compute || does == step_kind::reduce) {
        result.form[s] = of.count;
        for (int j = 0; j < 3 && of.count > 0; ++j) {
          const auto x = static_cast<std::size_t>(S::program.operand(step(s).node, j < of.count ? j : 0));
          uses[x] += j < of.count;
          result.operand[j][s] = step_of[x];
        }
      } else if (does != step_kind::load) {
        ++uses[static_cast<std::size_t>(step(s).node)];
        result.operand[0][s] = step_of[static_cast<std::size_t>(step(s).node)];
      }
      if (does == step_kind::load || does == step_kind::compute) step_of[static_cast<std::size_t>(step(s).node)] = s;
    }
    fuse(result, uses.data());
    for (std::size_t s = 0; s < steps; ++s) sort(result, s);
    return result;
  }();
  /// The steps of a list, as a type.
  template <std::size_t List, std::size_t... I>
  static std::index_sequence<table.at[List][I]...> steps_at(std::index_sequence<I...>);
  template <std::size_t List>
  using steps_of = decltype(steps_at<List>(std::make_index_sequence<table.size[List]>{}));
  template <int Which, std::size_t... I>
  static std::index_sequence<table.operand[Which][I]...> operands_at(std::index_sequence<I...>);
  template <int Which, class Steps>
  using operands_of = decltype(operands_at<Which>(Steps{}));
};

}  // namespace detail

}  // namespace tapeless::loops::inline TAPELESS_TARGET
