#pragma once

#include <tapeless/operation/scan.hpp>
#include <tapeless/operation/tensor/verb_inside.hpp>

#include <string_view>

/// Loops over tensors. They have the operands and outputs of loops of numbers; each is a tensor, or for every step one.
namespace tapeless::operation {

/// A program over tensors that is run again and again. `Body` is recorded: its ranks follow from those of the operands.
/// Operands and outputs are read and laid out as the node's moves say; the first operand has the steps along its axis.
template <class Body, scan_shape Shape>
struct TensorScan {
  static constexpr std::string_view name = "scan";
  static constexpr bool of_tensors = true, of_matrices = true;
  using body = Body;
  static constexpr scan_shape shape = Shape;
  static constexpr int outputs = Shape.outputs();

  template <class Lowering, class Value, class... Values>
  static constexpr Value lower(Lowering& to, const Value& steps, const Values&... others) {
    const Value operands[] = {steps, others...};
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

}  // namespace tapeless::operation
