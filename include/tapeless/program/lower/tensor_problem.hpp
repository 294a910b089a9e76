#pragma once

namespace tapeless::program {

/// What keeps a formula from being lowered with tensors of the bound shapes.
enum class tensor_problem {
  none,
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
};

}  // namespace tapeless::program
