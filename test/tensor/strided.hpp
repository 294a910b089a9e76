#ifndef TAPELESS_TEST_TENSOR_STRIDED_HPP
#define TAPELESS_TEST_TENSOR_STRIDED_HPP

#include <tapeless/xtensor.hpp>

#include <array>
#include <cstddef>
#include <random>
#include <vector>

namespace tapeless_test {

/// How a tensor lies in memory: its last or its first axis contiguous, with gaps, or backwards.
enum class layout { rows, columns, gaps, backwards };
inline constexpr layout layouts[] = {layout::rows, layout::columns, layout::gaps, layout::backwards};

template <std::size_t Rank>
using extents = std::array<std::size_t, Rank>;

template <std::size_t Rank>
std::size_t count(const extents<Rank>& shape) {
  std::size_t result = 1;
  for (const std::size_t extent : shape) result *= extent;
  return result;
}

/// visit(index) for each index of a shape, the last axis fastest.
template <std::size_t Rank, class Visit>
void for_each_index(const extents<Rank>& shape, Visit visit) {
  extents<Rank> at{};
  for (std::size_t left = count(shape); left > 0; --left) {
    visit(at);
    for (std::size_t i = Rank; i-- > 0 && ++at[i] == shape[i];) at[i] = 0;
  }
}

/// Elements with any strides, which are known at run time only: one type, one instance of each verb, for every layout.
template <std::size_t Rank, class T = double>
class strided {
  using strides = std::array<std::ptrdiff_t, Rank>;
  extents<Rank> shape_;
  strides strides_{};
  std::ptrdiff_t begin_ = 0;
  std::vector<T> memory_;

 public:
  strided(const extents<Rank>& shape, layout how) : shape_(shape) {
    std::ptrdiff_t stride = how == layout::gaps ? 3 : 1;
    for (std::size_t k = 0; k < Rank; ++k) {
      const std::size_t i = how == layout::columns ? k : Rank - 1 - k;
      strides_[i] = how == layout::backwards ? -stride : stride;
      stride *= static_cast<std::ptrdiff_t>(shape[i]);
      if (how == layout::backwards && shape[i] > 0) begin_ -= strides_[i] * static_cast<std::ptrdiff_t>(shape[i] - 1);
    }
    if (stride == 0) begin_ = 0;
    memory_.assign(static_cast<std::size_t>(stride), T(1e30));
  }

  const extents<Rank>& shape() const { return shape_; }
  T& operator[](const extents<Rank>& at) {
    std::ptrdiff_t offset = begin_;
    for (std::size_t i = 0; i < Rank; ++i) offset += static_cast<std::ptrdiff_t>(at[i]) * strides_[i];
    return memory_[static_cast<std::size_t>(offset)];
  }
  const T& operator[](const extents<Rank>& at) const { return const_cast<strided&>(*this)[at]; }

  strided& fill(const std::vector<T>& elements) {
    std::size_t next = 0;
    for_each_index(shape_, [&](const auto& at) { (*this)[at] = elements[next++ % elements.size()]; });
    return *this;
  }
  strided& randomise(unsigned seed) {
    std::mt19937 generator(seed);
    std::normal_distribution<double> normal;
    for_each_index(shape_, [&](const auto& at) { (*this)[at] = static_cast<T>(normal(generator)); });
    return *this;
  }

  /// What is bound.
  auto tensor() const {
    return xt::adapt(memory_.data() + begin_, count(shape_), xt::no_ownership(), shape_, strides_);
  }
};

}  // namespace tapeless_test

#endif
