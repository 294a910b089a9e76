#pragma once

namespace tapeless::program {

/// What can be wrong with a program and with the call of a verb. The public function reports it, in one message.
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
  /// It assigned to an element of a tensor, as if it were a place in it.
  element_assigned,
  /// It compared a condition, computed with bits, or with a std::array as a whole.
  comparison_chained,
  bits_wanted,
  array_met,
  /// It asked which of two complex numbers is less.
  order_wanted,
  /// It gave a complex number to an operation of real ones.
  complex_met,
  /// It computed with a sequence, which only a loop reads, or gave a loop another value for one, or differentiated by
  /// one that a loop's body captures.
  sequence_met,
  sequence_wanted,
  sequence_captured,
  /// It gave a loop or an equation what it cannot run over or start from, or a function that takes other arguments,
  /// returns another shape or has captures.
  scan_over_numbers,
  scan_start_unfit,
  scan_body_unfit,
  scan_changes_shape,
  scan_stacks_no_numbers,
  checkpoints_unfit,
  while_start_unfit,
  while_functions_unfit,
  while_changes_shape,
  while_without_most,
  cond_chooses_nothing,
  branches_unfit,
  branches_differ,
  fixed_point_start_unfit,
  fixed_point_has_captures,
  fixed_point_changes_shape,
  root_changes_shape,
  root_without_order,
  root_unfit,
  call_unfit,
  call_has_captures,
  odeint_start_unfit,
  odeint_at_unfit,
  slope_unfit,
  slope_changes_shape,
  tolerance_unfit,
  /// It read outside of a loop what its body assigned to a variable there.
  body_left,
  /// A derivative of a root of an order higher than it has.
  root_order_exceeded,
  /// It froze a value, gave `take` indices that are no argument, and `custom_gradient` no pairs.
  freeze_met,
  indices_known,
  partials_unfit,
  /// It applied an operation without the members that as many operands need.
  operation_undefined,

  // What keeps a formula from being lowered with tensors of the bound shapes.
  rank_too_large,
  axis_out_of_range,
  axis_named_twice,
  extents_differ,
  einsum_of_other_letters,
  bounds_not_numbers,
  bound_in_step,
  indices_of_other_rank,
  indices_of_batch,
  reshape_of_unknown_extents,
  transpose_of_other_rank,
  no_matrices,
  filling_no_number,
  broadcast_to_smaller_rank,
  diag_of_other_rank,
  too_many_axes,
  loop_over_number,
  carry_of_other_rank,
  branches_of_other_rank,
  condition_no_number,
  system_without_lapack,
  surgery_adds_axes,
  // What a verb asks for besides.
  value_is_no_number,
  matrix_inside,
  cotangent_of_other_shape,
  direction_of_other_shape,
  no_tensor_bound,
  formula_inside,
  batched_inside,
  // What a call on several processes asks for besides.
  shard_without_rows,
  shards_meet_shards,
  whole_meets_shards,
  shards_reordered,
  matrix_by_shards,
  too_many_shards,

  // What a call has. What is `reported` has its message already.
  argument_is_no_binding,
  argument_is_formula,
  variable_bound_to_formula,
  formula_shares_too_much,
  variable_bound_twice,
  variable_not_in_formula,
  tangent_not_in_formula,
  derivative_by_integer,
  variable_without_value,
  elements_are_no_tensors,
  unconnected_variable_is_absent,
  unconnected_variable_is_stopped,
  argument_is_no_number,
  struct_not_adapted,
  struct_has_other_members,
  integer_has_no_derivative,
  function_has_state,
  position_without_argument,
  function_takes_other_arguments,
  function_returns_no_number,
  function_not_compiled,
  ceres_functor_not_run,
  function_called_by_name,
  function_takes_numbers,
  function_returns_array,
  sequence_has_no_derivative,
  tangents_differ,
  loop_wants_tensor,
  unconnected_argument,
  batched_loop,
  reported,
  operation_without_rule,
  derivative_prevented,
  rule_for_adjoints_alone,
  program_too_large,
  compiler_limit_reached,
  loop_captures_sequence,
  operation_uses_variable,
  rule_unusable,
  call_not_over_tensors,
  stop_in_loop_not_held,
};

}  // namespace tapeless::program
