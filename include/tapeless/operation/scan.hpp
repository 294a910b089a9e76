#pragma once

#include <tapeless/core/message.hpp>
#include <tapeless/core/sequence.hpp>
#include <tapeless/math/range.hpp>
#include <tapeless/operation/scalar/arithmetic.hpp>

#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <type_traits>

namespace tapeless::operation {

/// What a loop takes and gives. Its operands are the number of steps, the first carries, the numbers and the sequences
/// that the body captures (`tables`), and the sequences that it runs over. Its outputs are the last carries, the
/// sequences that its steps stack, and for each carry the sequence of its values before each step.
struct scan_shape {
  int carries = 0, constants = 0, tables = 0, sequences = 0, stacked = 0;
  bool reversed = false;
  /// How many carries it keeps for the way back; 0: all.
  int checkpoints = 0;
  /// The number of steps is the most of them: the loop ends after the one that makes its first carry other than zero.
  bool ends = false;
  /// It has one step, or none, which needs no carry of a step before: it is a call, or a branch.
  bool once = false;
  /// How many of what is stacked, the last, are products that the body computes: derivatives of a step take them, and
  /// where there are none nothing is stacked.
  int kept = 0;

  constexpr int operands() const { return 1 + carries + constants + tables + sequences; }
  constexpr int first_table() const { return 1 + carries + constants; }
  constexpr int first_sequence() const { return first_table() + tables; }
  constexpr int outputs() const { return 2 * carries + stacked; }
  constexpr int first_kept() const { return carries + stacked - kept; }
  /// The output with the values of a carry before each step.
  constexpr int history(int carry) const { return carries + stacked + carry; }
  bool operator==(const scan_shape&) const = default;
};

/// A program that is run again and again, from the carries that it gave the step before. The variables of `Body` are
/// the carries, the numbers and the sequences that it captures, an element of each sequence and the number of the step;
/// its outputs the next carries and what is stacked.
template <class Body, scan_shape Shape>
struct Scan {
  static constexpr std::string_view name = "scan";
  using body = Body;
  static constexpr scan_shape shape = Shape;
  static constexpr int outputs = Shape.outputs();
};

/// A loop in a traced function, before its body is a program.
struct RecordedScan {
  static constexpr std::string_view name = "scan";
  static constexpr int outputs = 1;
};

/// An output of a loop: a number, or a sequence.
template <int I, bool IsSequence>
struct ScanOutput {
  static constexpr std::string_view name = "output";
  static constexpr int output_read = I;
  static constexpr bool sequence = IsSequence;
  static constexpr auto value = [](const auto& loop) { return loop.template output<I>(); };
};

/// A loop over tensors: the same, where operands and outputs are tensors, or for every step one. `Body` is recorded:
/// its ranks follow from those of the operands. Operands and outputs are read and laid out as the node's moves say; the
/// first operand has the steps along its axis.
template <class Body, scan_shape Shape>
struct TensorScan {
  static constexpr std::string_view name = "scan";
  static constexpr bool of_tensors = true, of_matrices = true;
  using body = Body;
  static constexpr scan_shape shape = Shape;
  static constexpr int outputs = Shape.outputs();

  template <class Lowering, class Value>
  static constexpr Value lower_list(Lowering& to, const Value* operands, int) {
    return to.template scan<TensorScan>(operands);
  }
};

/// An output of such a loop.
template <int I>
struct TensorScanOutput {
  static constexpr std::string_view name = "output";
  static constexpr bool of_matrices = true;
  static constexpr int output_read = I;
};

/// How many elements a sequence has.
struct Length {
  static constexpr std::string_view name = "length";
  static constexpr bool passes(int) { return false; }
  static constexpr auto value = [](const auto& sequence) { return sequence.length(); };
};

/// The number of the element at an index of a sequence, which counts from the back where it is negative. All lanes have
/// the same operands.
struct ElementNumber {
  static constexpr std::string_view name = "element_number";
  static constexpr bool passes(int) { return false; }
  template <class T>
  static constexpr std::int64_t integer(const T& same) {
    return static_cast<std::int64_t>(tapeless::scalar::element_in_memory<T>::in_common(same));
  }
  static constexpr auto value = [](const auto& index, const auto& length) {
    using T = std::remove_cvref_t<decltype(index)>;
    const T number = math::select(index < T(0), T(index + length), index);
    if (!math::detail::everywhere(number >= T(0) && number < length && math::floor(index) == index))
      tapeless::detail::raise<std::out_of_range>(
          {"the index ", integer(index), " is not valid for a sequence of ", integer(length), " elements"});
    // The numbers of two elements may have been rounded to one.
    if (!math::detail::everywhere(number + T(1) > number))
      tapeless::detail::raise<std::out_of_range>(
          {"the index ", integer(index), " of a sequence: the number type cannot represent it and its neighbours"});
    return number;
  };
};

/// The length of a sequence, which is not 0: of the largest element of none, there is no value.
struct LengthOfSome {
  static constexpr std::string_view name = "length_of_some";
  static constexpr bool passes(int) { return false; }
  static constexpr auto value = [](const auto& length) {
    using T = std::remove_cvref_t<decltype(length)>;
    if (!math::detail::everywhere(length > T(0)))
      tapeless::detail::raise<std::invalid_argument>(
          {"the largest or smallest element of a sequence over no elements"});
    return length;
  };
};

/// One of `count` + 1 equal numbers: the first stands for `count` of them. Of the largest of all, each has an equal
/// share.
struct ShareOfEqual {
  static constexpr std::string_view name = "share_of_equal";
  static constexpr bool passes(int operand) { return operand < 2; }
  static constexpr auto value = [](const auto& a, const auto&, const auto&) { return a; };
  static constexpr rules partials{[](auto, auto, auto count, auto) { return count / (count + 1_c); },
                                  [](auto, auto, auto count, auto) { return 1_c / (count + 1_c); },
                                  [](auto, auto, auto, auto) { return 0_c; }};
};

/// A sequence of the same number.
struct Repeat {
  static constexpr std::string_view name = "repeat";
  static constexpr bool sequence = true;
  static constexpr bool passes(int) { return false; }
  static constexpr auto value = [](const auto& number, const auto& length) {
    return tapeless::scalar::repeated(number, length);
  };
};

}  // namespace tapeless::operation
