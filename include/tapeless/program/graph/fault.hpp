#pragma once

namespace tapeless::program {

/// What keeps a program from being used.
enum class fault : unsigned char {
  none,
  /// More nodes were asked for than a program may have.
  too_large,
  /// The compiler could not run the pass: what it calls is not constexpr, or a compiler's limit was reached.
  not_run,
  /// A traced function converted a value that is not known yet to a number, or to a condition, or met a formula.
  number_wanted,
  condition_wanted,
  formula_met,
  /// It took the sum, an element or the like of a number.
  tensor_wanted,
  /// It asked how many elements a vector has, or for all of them in turn.
  length_wanted,
  /// It changed a value through a reference to const, as `decltype(x[0])` is one.
  constant_changed,
  /// It compared a condition, computed with bits, or with a std::array as a whole.
  comparison_chained,
  bits_wanted,
  array_met,
  /// It computed with a sequence, which only a loop reads, or gave a loop another value for one, or differentiated by
  /// one that a loop's body captures.
  sequence_met,
  sequence_wanted,
  sequence_captured,
};

}  // namespace tapeless::program
