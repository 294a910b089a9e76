#pragma once

#include <tapeless/core/fixed_string.hpp>
#include <tapeless/operation/list.hpp>
#include <tapeless/operation/scan.hpp>
#include <tapeless/operation/tensor/axis_reduction.hpp>
#include <tapeless/program/graph/activity.hpp>
#include <tapeless/program/graph/builder.hpp>

#include <concepts>
#include <cstdint>
#include <span>
#include <type_traits>

namespace tapeless::program {

namespace detail {

template <class Op>
constexpr int expand(builder& graph, const int* operands, int count);

template <class Op>
constexpr int matrix_rule(builder& graph, int index, int which, int incoming, bool forward);
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
/// A hash of what a loop computes: its type's name is as long as those of all that its body was derived from.
constexpr std::uint64_t hash_of_body(graph_view body, std::span<const int> outputs) {
  std::uint64_t result = static_cast<std::uint64_t>(body.size);
  for (const int output : outputs) result = tapeless::detail::hash_combine(result, body.nodes[output].hash);
  return result;
}
/// What a loop says alone.
template <class Op>
constexpr void describe_loop(operation_info& it) {
  const graph_view body = Op::body::view();
  const std::span<const int> outputs{Op::body::value.outputs.data(), Op::body::value.outputs.size()};
  it.pullback_in_body = first_pullback(body, outputs);
  it.stop_in_body = has_stop(body);
  it.hash = hash_of_body(body, outputs);
  // Two loops with the same body: with -fsanitize=undefined g++ cannot tell them apart by their addresses.
  if constexpr (requires { Op::body::pass::key; })
    it.hash = tapeless::detail::hash_combine(it.hash, Op::body::pass::key);
  it.outputs = Op::outputs, it.shape = &Op::shape;
  if constexpr (requires { Op::beside; }) it.beside = Op::beside;
}
/// All else is the same for loops over numbers, and need not be asked of each.
template <class Op>
concept Loop_of_numbers = requires { typename Op::body; } && !tapeless::detail::Tensor_operation<Op>;
template <Loop_of_numbers Op>
constexpr operation_info described();
/// What `Op` says, and what those are that do not say.
template <class Op>
constexpr operation_info described() {
  operation_info it{
      .name = Op::name,
      .condition = tapeless::detail::Condition<Op>,
      .pair = tapeless::detail::Pair_valued<Op>,
      .two_lanes = tapeless::detail::Two_lanes_valued<Op>,
      .any_arity = tapeless::detail::has_any_arity<Op>(),
      .without_rule = tapeless::detail::Differentiable<Op> ? fault::none
                      : tapeless::detail::Prevented<Op>    ? fault::derivative_prevented
                                                           : fault::operation_without_rule,
      .of_matrices = tapeless::detail::Of_matrices<Op>,
      .of_tensors = tapeless::detail::Tensor_operation<Op>,
      .is_composite = tapeless::detail::Composite<Op>,
      .sequence = tapeless::detail::Sequence_valued<Op>,
      .of_loops = tapeless::detail::Of_loops<Op>,
  };
  if constexpr (requires { Op::laws; }) it.laws = Op::laws, it.opcode = opcode::lawful;
  if constexpr (requires { Op::role; }) it.opcode = Op::role;
  if constexpr (requires { Op::cost; })
    it.cost = Op::cost;
  else if constexpr (tapeless::detail::Condition<Op>)
    it.cost = {.comparisons = 1};
  else
    it.cost = {.functions = 1};
  it.latency = it.cost.functions ? tuning::latency_of_function : it.cost.divisions ? tuning::latency_of_division : 1;
  if constexpr (requires { Op::latency; }) it.latency = Op::latency;
  using enum opcode;
  it.shapes = it.opcode == negate || it.opcode == where || it.opcode == logical_not || it.opcode == logical_and ||
              it.opcode == logical_or || it.laws.idempotent || it.laws.involution;
  if constexpr (requires { Op::passes(0); }) {
    it.passes = 0;
    for (int i = 0; i < 64; ++i) it.passes |= std::uint64_t{Op::passes(i)} << i;
  }
  it.moves = std::same_as<Op, operation::Move> || it.of_matrices || requires { Op::stands_for_derivative; };
  if constexpr (tapeless::detail::Of_matrices<Op> && !tapeless::detail::Of_loops<Op>)
    it.matrix_rule = &matrix_rule<Op>;
  else if constexpr (requires { Op::pullback; })
    it.has_pullback = true;
  if constexpr (requires { typename Op::body; }) {
    describe_loop<Op>(it);
  } else {
    // Behind "constexpr tapeless::program::operation_info ...described() [with Op = "; clang writes less.
    constexpr std::size_t type_at = __PRETTY_FUNCTION__[0] == 'c' ? 94 : 60;
    // Of the type's name: two operations may print alike.
    it.hash = tapeless::detail::hash({__PRETTY_FUNCTION__ + type_at, sizeof(__PRETTY_FUNCTION__) - type_at - 1});
  }
  if constexpr (tapeless::detail::Composite<Op>) it.expand = &expand<Op>;
  it.keeps_shape = requires { Op::keeps_shape; };
  if constexpr (requires { Op::partials; })
    it.rules_of_user = !requires { defined_here(static_cast<const Op*>(nullptr)); };
  if constexpr (requires { Op::calls_loops; }) it.calls_loops = Op::calls_loops;
  if constexpr (requires { Op::outputs; }) it.outputs = Op::outputs;
  if constexpr (requires { Op::output_read; }) it.output_read = Op::output_read;
  it.ordinary = it.opcode != where && !it.condition && !it.pair && !it.two_lanes && !it.of_loops;
  return it;
}
template <class Op>
struct operation_record {
  static constexpr operation_info information = described<Op>();

  friend constexpr auto operation_for(operation_key<&information>) { return std::type_identity<Op>{}; }
};
template <Loop_of_numbers Op>
constexpr operation_info described() {
  operation_info it = operation_record<operation::RecordedScan>::information;
  describe_loop<Op>(it);
  return it;
}

}  // namespace detail

/// The operation `Op` as a value.
template <class Op>
inline constexpr const operation_info& info = detail::operation_record<Op>::information;

template <class Op, class... Is>
constexpr int builder::make(Is... operands) {
  const int list[] = {operands...};
  return append(info<Op>, list, sizeof...(Is));
}

/// The operation whose information stands at `Info`.
template <const operation_info* Info>
using operation_of = typename decltype(operation_for(detail::operation_key<Info>{}))::type;

}  // namespace tapeless::program
