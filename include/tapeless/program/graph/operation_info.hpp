#pragma once

#include <tapeless/core/fixed_string.hpp>
#include <tapeless/operation/list.hpp>
#include <tapeless/operation/tensor/axis_reduction.hpp>
#include <tapeless/program/graph/builder.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace tapeless::program {

namespace detail {

template <class Op>
constexpr opcode opcode_of() {
  if constexpr (requires { Op::role; })
    return Op::role;
  else if constexpr (requires { Op::laws; })
    return opcode::lawful;
  else
    return opcode::none;
}
template <class Op>
constexpr laws laws_of() {
  if constexpr (requires { Op::laws; })
    return Op::laws;
  else
    return {};
}
template <class Op>
constexpr operation_counts cost_of() {
  if constexpr (requires { Op::cost; })
    return Op::cost;
  else if constexpr (tapeless::detail::Condition<Op>)
    return {.comparisons = 1};
  else
    return {.functions = 1};
}
template <class Op>
constexpr int latency_of() {
  if constexpr (requires { Op::latency; })
    return Op::latency;
  else
    return cost_of<Op>().functions   ? tuning::latency_of_function
           : cost_of<Op>().divisions ? tuning::latency_of_division
                                     : 1;
}
template <class Op>
constexpr bool shapes_what_is_built() {
  using enum opcode;
  constexpr opcode role = opcode_of<Op>();
  return role == negate || role == where || role == logical_not || role == logical_and || role == logical_or ||
         laws_of<Op>().idempotent || laws_of<Op>().involution;
}

template <class Op>
constexpr int expand(builder& graph, const int* operands, int count);

template <class Op>
constexpr int matrix_rule(builder& graph, int index, int which, int incoming, bool forward);
constexpr int no_matrix_rule(builder&, int, int, int, bool) { return -1; }
template <class Op>
constexpr auto matrix_rule_of() {
  if constexpr (tapeless::detail::Of_matrices<Op>)
    return &matrix_rule<Op>;
  else
    return &no_matrix_rule;
}

template <class Op>
constexpr auto expansion() {
  if constexpr (tapeless::detail::Composite<Op>)
    return &expand<Op>;
  else
    return nullptr;
}

// The way back from the address of an operation's information, a value in a program, to the operation's type: the
// record of the operation defines the function that its key declares.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wnon-template-friend"
#endif
#ifdef __NVCC__
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1301
#endif
template <const operation_info* Info>
struct operation_key {
  friend constexpr auto operation_for(operation_key);
};
#ifdef __NVCC__
#pragma nv_diagnostic pop
#endif
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
template <class Op>
concept Has_pullback = requires { Op::pullback; } && !tapeless::detail::Of_matrices<Op>;
template <class Op>
constexpr std::uint64_t passes_of() {
  std::uint64_t result = ~std::uint64_t{0};
  if constexpr (requires { Op::passes(0); })
    for (int i = 0; i < 64; ++i)
      if (!Op::passes(i)) result &= ~(std::uint64_t{1} << i);
  return result;
}
template <class Op>
constexpr int outputs_of() {
  if constexpr (requires { Op::outputs; })
    return Op::outputs;
  else
    return 0;
}
template <class Op>
constexpr int output_read_by() {
  if constexpr (requires { Op::output_read; })
    return Op::output_read;
  else
    return -1;
}
template <class Op>
constexpr loop_beside beside_of() {
  if constexpr (requires { Op::beside; })
    return Op::beside;
  else
    return {};
}
/// Of the type's name: two operations may print alike.
template <class Op>
constexpr std::uint64_t hash_of() {
  return tapeless::detail::hash(__PRETTY_FUNCTION__);
}
template <class Op>
struct operation_record {
  static constexpr operation_info information = {
      .name = Op::name,
      .opcode = opcode_of<Op>(),
      .laws = laws_of<Op>(),
      .cost = cost_of<Op>(),
      .latency = latency_of<Op>(),
      .shapes = shapes_what_is_built<Op>(),
      .condition = tapeless::detail::Condition<Op>,
      .pair = tapeless::detail::Pair_valued<Op>,
      .two_lanes = tapeless::detail::Two_lanes_valued<Op>,
      .hash = hash_of<Op>(),
      .any_arity = tapeless::detail::has_any_arity<Op>(),
      .has_rule = tapeless::detail::Differentiable<Op>,
      .has_pullback = Has_pullback<Op>,
      .passes = passes_of<Op>(),
      .moves = std::same_as<Op, operation::Move> || tapeless::detail::Of_matrices<Op>,
      .of_matrices = tapeless::detail::Of_matrices<Op>,
      .matrix_rule = matrix_rule_of<Op>(),
      .of_tensors = tapeless::detail::Tensor_operation<Op>,
      .is_composite = tapeless::detail::Composite<Op>,
      .expand = expansion<Op>(),
      .sequence = tapeless::detail::Sequence_valued<Op>,
      .outputs = outputs_of<Op>(),
      .output_read = output_read_by<Op>(),
      .of_loops = tapeless::detail::Of_loops<Op>,
      .beside = beside_of<Op>(),
  };

  friend constexpr auto operation_for(operation_key<&information>) { return std::type_identity<Op>{}; }
};

}  // namespace detail

/// The operation `Op` as a value.
template <class Op>
inline constexpr const operation_info& info = detail::operation_record<Op>::information;

/// The operation whose information stands at `Info`.
template <const operation_info* Info>
using operation_of = typename decltype(operation_for(detail::operation_key<Info>{}))::type;

}  // namespace tapeless::program
