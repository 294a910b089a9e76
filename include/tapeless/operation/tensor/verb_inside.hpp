#pragma once

#include <string_view>

/// What a verb inside a function over tensors becomes when axes are known: program/pass/verbs_inside.hpp puts
/// derivatives in the place of these.
namespace tapeless::operation {

/// An argument, by which derivatives are taken: its operand.
struct VerbInput {
  static constexpr std::string_view name = "verb_input";
  static constexpr bool of_tensors = true, stands_for_derivative = true;
};
/// The derivative of a number by one of the inputs.
struct VerbAdjoint {
  static constexpr std::string_view name = "verb_adjoint";
  static constexpr bool of_tensors = true, stands_for_derivative = true;
};
/// The derivative of the first operand along the others, tangents of the inputs.
struct VerbTangent {
  static constexpr std::string_view name = "verb_tangent";
  static constexpr bool of_tensors = true, stands_for_derivative = true;
};
/// Result number `K` of a verb inside a function.
template <int K>
struct VerbResult {
  static constexpr std::string_view name = "verb_result";
  static constexpr auto lower = [](auto& to, const auto& call) { return to.result_of_call(call, K); };
};

}  // namespace tapeless::operation
