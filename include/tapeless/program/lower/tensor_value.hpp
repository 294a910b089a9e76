#pragma once

#include <tapeless/program/graph/node.hpp>

#include <array>
#include <cstddef>
#include <string_view>

namespace tapeless::program {

/// A variable as it is bound: its extents, -1 where they are known only at the call, and whether its last axis or its
/// first is the contiguous one.
template <class V, bool ColumnMajor, std::ptrdiff_t... Extents>
struct tensor_leaf {
  using variable_type = V;
  static constexpr int rank = sizeof...(Extents);
  static constexpr bool column_major = ColumnMajor;
  static constexpr std::array<std::ptrdiff_t, sizeof...(Extents)> extents{Extents...};
  static constexpr bool of_batch = false;
};

/// One whose first axis is that of the elements of a batch.
template <class Leaf>
struct batch_leaf : Leaf {
  static constexpr bool of_batch = true;
};

struct leaf_description {
  std::string_view name;
  int rank = 0;
  bool column_major = false, of_batch = false;
  std::array<std::ptrdiff_t, max_rank> extents{};
};

/// A value during lowering: its node and, for each of its axes in order, the axis of the program; -1 for extent 1. The
/// axis of a batch is none of its axes: the function sees one element.
struct tensor_value {
  int node = -1;
  int rank = 0;
  axis_list axes;
};

/// A value, or how it lies in memory, with a further first axis; and a value without its first one.
template <class Value>
constexpr Value with_first_axis(Value value, int id) {
  for (int i = value.rank++; i > 0; --i) value.axes[i] = value.axes[i - 1];
  value.axes[0] = id;
  return value;
}
constexpr tensor_value without_first_axis(tensor_value value) {
  --value.rank;
  for (int i = 0; i < value.rank; ++i) value.axes[i] = value.axes[i + 1];
  return value;
}

}  // namespace tapeless::program
