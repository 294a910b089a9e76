#pragma once

#include <tapeless/program/differentiate/loop_activity.hpp>

#include <array>

/// What the loops of a loop's derivatives take and give, over numbers as over tensors.
namespace tapeless::program::detail {

/// What such a loop takes, told by operands and outputs of the loop that it differentiates. What flows into it are the
/// adjoints of outputs, or the tangents of operands.
enum class taken : unsigned char {
  /// An operand; one that is asked for its shape alone; that of a carry before each step.
  given,
  shape,
  before,
  /// What flows, and its flag.
  flow,
  flag,
  /// Where the adjoints of an operand are added up, and whether any has been.
  sum,
  reached,
  /// An output: a product that is kept.
  kept,
};
struct loop_operand {
  taken what = taken::given;
  int which = 0;
};

/// All that it takes, the number of steps first, and its shape. `Activity` is that of the loop.
template <class Activity>
struct loop_operands {
  static constexpr operation::scan_shape from = Activity::shape;
  static constexpr auto& active = Activity::active;
  loop_operand all[3 * from.operands() + 2 * from.outputs()]{};
  int size = 1;
  operation::scan_shape shape{.once = from.once};

  static constexpr bool reads_all(int) { return true; }
  constexpr int find(taken what, int which) const {
    for (int i = 0; i < size; ++i)
      if (all[i].what == what && all[i].which == which) return i;
    return -1;
  }
  /// Whether it carries what the other loop carries, too.
  constexpr bool has_carries() const { return from.carries > 0 && find(taken::given, 1) >= 0; }

  /// Of a loop of adjoints: `reads(j)` says whether it reads operand j, `kept[k]` whether there is that product.
  /// `along`: with the carries beside their adjoints.
  template <class Kept = flags<0>>
  constexpr loop_operands take_adjoints(const reach<from>& flagged, bool along, const auto& reads,
                                        const Kept& kept = {}) {
    const auto adjoints = [&](taken of_carry, taken of_captured, const auto& wanted) {
      for (const int v : active.numbers)
        if (wanted(v)) v < from.carries ? add(shape.carries, of_carry, v) : add(shape.carries, of_captured, 1 + v);
    };
    const auto of_elements = [&](taken what) {
      for (const int k : active.stacked) add(shape.sequences, what, from.carries + k);
      for (const int c : active.carries)
        if (Activity::has_adjoints(from.history(c))) add(shape.sequences, what, from.history(c));
    };
    adjoints(taken::flow, taken::sum, [](int) { return true; });
    adjoints(taken::flag, taken::reached, [&](int v) { return flagged.variables[v]; });
    if (along) take(1, 1 + from.carries, reads_all);
    take(1 + from.carries, from.first_sequence(), reads);
    if (!along) take_before(reads);
    take(from.first_sequence(), from.operands(), reads);
    for (int k = 0; k < from.kept; ++k)
      if (kept[k]) add(shape.sequences, taken::kept, from.first_kept() + k);
    of_elements(taken::flow);
    if (flagged.seeds[0]) of_elements(taken::flag);
    shape.stacked = active.sequences.size + active.sequences.count(flagged.variables);
    shape.reversed = from.reversed == along;
    if (Activity::of_tensors) shape.checkpoints = from.checkpoints;
    return *this;
  }
  /// Of a loop of tangents, likewise.
  constexpr loop_operands take_tangents(const reach<from>& flagged, bool along, const auto& reads) {
    const auto tangents = [&](int begin, int end) {
      for (const taken what : {taken::flow, taken::flag})
        for (const int v : active.all)
          if (v >= begin && v < end &&
              (what == taken::flow || (v < from.carries ? flagged.variables[v] : flagged.seeds[0])))
            add(kind(1 + v), what, 1 + v);
    };
    const int first_table = Activity::of_tensors ? from.first_sequence() : from.first_table();
    if (along) take(1, 1 + from.carries, reads_all);
    tangents(0, from.carries);
    take(1 + from.carries, first_table, reads_all);
    tangents(from.carries, from.first_sequence() - 1);
    take(first_table, from.first_sequence(), reads_all);
    if (!along) take_before(reads);
    take(from.first_sequence(), from.operands(), reads_all);
    tangents(from.first_sequence() - 1, from.operands() - 1);
    shape.stacked = stacked_beside + active.stacked.size + active.stacked.count(flagged.stacked);
    shape.reversed = from.reversed, shape.checkpoints = from.checkpoints, shape.ends = from.ends;
    return *this;
  }

  /// The outputs with the adjoint of operand j, and with its flag; -1 where there is none. Flags follow the numbers,
  /// and those of sequences the sequences.
  constexpr std::array<int, 2> adjoint_of(int j, const reach<from>& flagged) const {
    return j < from.first_sequence() ? outputs_of(active.numbers, j - 1, flagged.variables, 0)
                                     : outputs_of(active.sequences, j - 1, flagged.variables, shape.carries);
  }
  /// Those with the tangent of output `i`.
  constexpr std::array<int, 2> tangent_of(int i, const reach<from>& flagged) const {
    if (i >= from.carries && i < from.history(0))
      return outputs_of(active.stacked, i - from.carries, flagged.stacked, shape.carries + stacked_beside);
    const bool is_history = i >= from.carries;
    const int carry = is_history ? i - from.history(0) : i;
    std::array<int, 2> found = outputs_of(active.carries, carry, flagged.variables, has_carries() ? from.carries : 0);
    for (int& output : found)
      if (is_history && output >= 0) output = shape.history(output);
    return found;
  }

 private:
  /// Loops of tangents over numbers stack what the other loop stacks, too.
  static constexpr int stacked_beside = Activity::of_tensors ? 0 : from.stacked;
  constexpr void add(int& count, taken what, int which) { all[size++] = {what, which}, ++count; }
  /// Those that are like operand j. Over tensors all that is captured is of one kind.
  constexpr int& kind(int j) {
    return j <= from.carries                                ? shape.carries
           : j >= from.first_sequence()                     ? shape.sequences
           : Activity::of_tensors || j < from.first_table() ? shape.constants
                                                            : shape.tables;
  }
  constexpr void take(int begin, int end, const auto& reads) {
    for (int j = begin; j < end; ++j)
      if (reads(j)) add(kind(j), taken::given, j);
  }
  /// The carries before each step. Over tensors, of one that is not read the first tells the shape.
  constexpr void take_before(const auto& reads) {
    for (int j = 1; j <= from.carries && Activity::of_tensors; ++j)
      if (!reads(j)) add(shape.constants, taken::shape, j);
    for (int j = 1; j <= from.carries; ++j)
      if (reads(j)) add(shape.sequences, taken::before, j);
  }
  static constexpr std::array<int, 2> outputs_of(const auto& list, int which, const auto& flags, int first) {
    const int k = list.find(which);
    if (k < 0) return {-1, -1};
    return {first + k, flags[which] ? first + list.size + list.count(flags, k) : -1};
  }
};

}  // namespace tapeless::program::detail
