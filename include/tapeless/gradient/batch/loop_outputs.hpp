#pragma once

#include <tapeless/core/target.hpp>
#include <tapeless/gradient/batch/loop_argument.hpp>

#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

/// Where a batch of functions with loops writes its results.
namespace tapeless::detail::inline TAPELESS_TARGET {

/// Where an output goes: a number of each element, or of each element a sequence.
template <class T>
struct loop_output {
  T* data = nullptr;
  std::ptrdiff_t stride = 0;
  void* sequences = nullptr;
  T* (*row)(void* sequences, std::size_t element, std::ptrdiff_t& stride) = nullptr;
};

/// Hands the results of a batch their places.
template <class T, class Outputs, class... All>
struct loop_outputs {
  using number = T;
  static constexpr int rank = 1;

  Outputs& to;
  const std::tuple<const All&...>& arguments;
  std::ptrdiff_t count;

  template <class Container>
  void resize(Container& container) const {
    tensor_traits<Container>::resize(container, std::array{count});
  }
  void write(std::size_t o, T* data, const std::array<std::ptrdiff_t, program::max_rank>& strides) const {
    to[o] = {data, strides[0]};
  }
  /// The gradient of the argument at position `Q`, which is a sequence of each element.
  template <std::size_t Q, class G>
  void write_sequences(std::size_t& next, G& gradient) const {
    using argument = loop_argument<typename type_at<Q, All...>::type>;
    using shape = shape_of<typename argument::element>;
    argument::resize(gradient, std::get<Q>(arguments), static_cast<std::size_t>(count));
    for_each_index<shape::size>([&]<std::size_t I>(std::integral_constant<std::size_t, I>) {
      if constexpr (shape::has_derivative(I))
        to[next++] = {nullptr, 0, &gradient, [](void* all, std::size_t element, std::ptrdiff_t& stride) -> T* {
                        return argument::template row<T, I>(*static_cast<G*>(all), element, stride);
                      }};
    });
  }
};

}  // namespace tapeless::detail::inline TAPELESS_TARGET
