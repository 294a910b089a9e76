#pragma once

#include <tapeless/core/message.hpp>
#include <tapeless/core/target.hpp>
#include <tapeless/evaluate/memory/move.hpp>
#include <tapeless/program/graph/node.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace tapeless::detail::inline TAPELESS_TARGET {

/// A tensor as it is bound, in the numbers of the call.
struct bound_tensor {
  void* data;
  int rank;
  // The first `rank` of each: to set all to 0 would take as long as a loop over a few elements.
  std::array<std::ptrdiff_t, program::max_rank> extents, strides;
  std::string_view name;
  bool tangent;
};

template <class Extents>
std::string shape_text(const Extents& extents, int rank) {
  std::string text = "(";
  for (int i = 0; i < rank; ++i) text = message({text, i ? ", " : "", extents[static_cast<std::size_t>(i)]});
  return message({text, ")"});
}
inline std::string shape_text(const bound_tensor& tensor) {
  return message({tensor.tangent ? "tangent of " : "", tensor.name, " ", shape_text(tensor.extents, tensor.rank)});
}

/// What is empty may lie nowhere; the loops step along its other axes all the same, and null has no neighbours.
template <class T>
T* not_null(T* data) {
  static T nothing{};
  return data ? data : &nothing;
}

template <class T>
loops::strided<T> elements_of(const bound_tensor& tensor) {
  loops::strided<T> result{static_cast<T*>(tensor.data), tensor.rank, {}, {}};
  std::copy_n(tensor.extents.begin(), tensor.rank, result.extents.begin());
  std::copy_n(tensor.strides.begin(), tensor.rank, result.strides.begin());
  return result;
}

}  // namespace tapeless::detail::inline TAPELESS_TARGET
