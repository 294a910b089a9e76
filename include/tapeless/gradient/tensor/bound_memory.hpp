#ifndef TAPELESS_GRADIENT_TENSOR_BOUND_MEMORY_HPP
#define TAPELESS_GRADIENT_TENSOR_BOUND_MEMORY_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/core/target.hpp>
#include <tapeless/evaluate/move.hpp>
#include <tapeless/gradient/tensor/bound_tensor.hpp>
#include <tapeless/program/node.hpp>

#include <array>
#include <cstddef>
#include <type_traits>

namespace tapeless::detail::inline TAPELESS_TARGET {

template <class X>
auto strides_of(const X& x) {
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
auto strided_of(const X& x) {
  using traits = tensor_traits<X>;
  loops::strided<typename traits::element> result{data_of(x), traits::rank, {}, strides_of(x)};
  for (int i = 0; i < traits::rank; ++i) result.extents[static_cast<std::size_t>(i)] = traits::extent(x, i);
  return result;
}

/// Where tensors lie that are bound.
template <std::size_t N>
struct bound_memory {
  std::array<memory_range, N> ranges;

  /// Whether a container that is written lies in one of them, as a number may too.
  template <class Output>
  bool holds(const Output& output) const {
    bool result = false;
    if constexpr (!std::is_same_v<Output, Zero>) {
      const memory_range written = strided_of(output).bytes();
      for (const memory_range& read : ranges) result = overlap(written, read) || result;
    }
    return result;
  }
};
template <class... Bindings>
bound_memory<sizeof...(Bindings)> memory_of(const Bindings&... given) {
  const auto range = []<class B>(const B& one) -> memory_range {
    using value_type = typename B::value_type;
    if constexpr (is_bound_tensor<value_type>)
      return strided_of(bound<value_type>::get(one.value)).bytes();
    else
      return {};
  };
  return {{range(given)...}};
}

}  // namespace tapeless::detail::inline TAPELESS_TARGET

#endif
