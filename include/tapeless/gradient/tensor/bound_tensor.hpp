#pragma once

#include <tapeless/core/always_inline.hpp>
#include <tapeless/core/message.hpp>
#include <tapeless/core/target.hpp>
#include <tapeless/evaluate/memory/move.hpp>
#include <tapeless/evaluate/memory/range.hpp>
#include <tapeless/gradient/tensor/storage.hpp>
#include <tapeless/program/graph/node.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>

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
  // Of the body of a loop the names are numbers.
  const bool of_step = !tensor.name.empty() && tensor.name[0] >= '0' && tensor.name[0] <= '9';
  return message({tensor.tangent ? "tangent of " : "", of_step ? "the values of a step" : tensor.name, " ",
                  shape_text(tensor.extents, tensor.rank)});
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

template <class X>
TAPELESS_ALWAYS_INLINE auto strides_of(const X& x) {
  using traits = tensor_traits<X>;
  std::array<std::ptrdiff_t, program::max_rank> result{};
  for (int i = 0; i < traits::rank; ++i) result[static_cast<std::size_t>(i)] = traits::stride(x, i);
  return result;
}
template <class X>
auto* data_of(const X& x) {
  using element = typename tensor_traits<X>::element;
  return const_cast<element*>(tensor_traits<X>::data(x));
}

/// A container, or a number, as it lies in memory.
template <class X>
TAPELESS_ALWAYS_INLINE auto strided_of(const X& x) {
  using traits = tensor_traits<X>;
  loops::strided<typename traits::element> result{data_of(x), traits::rank, {}, strides_of(x)};
  for (int i = 0; i < traits::rank; ++i) result.extents[static_cast<std::size_t>(i)] = traits::extent(x, i);
  return result;
}

/// Where a container or a number lies; nowhere if there is none.
template <class X>
TAPELESS_ALWAYS_INLINE memory_range range_of(const X& x) {
  if constexpr (std::is_same_v<X, Zero>)
    return {};
  else
    return strided_of(x).bytes();
}
/// Whether what is written meets a tensor that is bound.
template <class... Bindings>
TAPELESS_ALWAYS_INLINE bool meets(const memory_range& written, const Bindings&... given) {
  bool result = false;
  [[maybe_unused]] const auto look = [&]<class Bound>(const Bound& one) {
    if constexpr (is_bound_tensor<Bound>) result = overlap(written, range_of(one.get())) || result;
  };
  (look(given.value), ...);
  return result;
}

}  // namespace tapeless::detail::inline TAPELESS_TARGET
