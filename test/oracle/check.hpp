#ifndef TAPELESS_TEST_ORACLE_CHECK_HPP
#define TAPELESS_TEST_ORACLE_CHECK_HPP

#include <tapeless/xtensor.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <random>
#include <type_traits>
#include <vector>

namespace oracle {

using namespace tapeless;

inline constexpr auto a = variable<"a">;
inline constexpr auto b = variable<"b">;
inline constexpr auto c = variable<"c">;
inline constexpr auto d = variable<"d">;
inline constexpr auto i = variable<"i">;

template <std::size_t Rank>
using tensor = xt::xtensor<double, Rank>;
template <std::size_t Rank>
using by_columns = xt::xtensor<double, Rank, xt::layout_type::column_major>;
template <std::size_t... Extents>
using fixed = xt::xtensor_fixed<double, xt::xshape<Extents...>>;

/// The elements of a tensor in row-major order of their indices, whatever its layout: `data[offset of each]`.
template <class Data>
struct elements {
  Data* data = nullptr;
  std::vector<std::size_t> offsets{0};

  void add_axis(std::size_t extent, std::ptrdiff_t stride) {
    std::vector<std::size_t> all;
    for (const std::size_t offset : offsets)
      for (std::size_t k = 0; k < extent; ++k) all.push_back(offset + k * static_cast<std::size_t>(stride));
    offsets = all;
  }
};

template <class Tensor>
auto elements_of(Tensor& of) {
  if constexpr (std::is_floating_point_v<Tensor>) {
    return elements<Tensor>{&of};
  } else {
    elements<std::remove_pointer_t<decltype(of.data())>> result{of.data()};
    if constexpr (requires { of.strides(); })
      for (std::size_t axis = 0; axis < of.dimension(); ++axis) result.add_axis(of.shape()[axis], of.strides()[axis]);
    else
      result.add_axis(of.size(), 1);
    return result;
  }
}

/// Numbers that generate.py makes in the same way.
class numbers {
 public:
  explicit numbers(unsigned formula) : random_(10007 * formula + 1) {}

  template <class Tensor>
  Tensor between(double low, double high, std::vector<std::size_t> shape = {}) {
    Tensor result{};
    if constexpr (std::is_same_v<Tensor, std::vector<double>>) {
      result.resize(shape[0]);
    } else if constexpr (requires(typename Tensor::shape_type extents) { extents[0] = 0; }) {
      typename Tensor::shape_type extents{};
      for (std::size_t axis = 0; axis < shape.size(); ++axis) extents[axis] = shape[axis];
      result.resize(extents);
    }
    fill(elements_of(result), low, high);
    return result;
  }

 private:
  std::minstd_rand random_;

  void fill(const elements<double>& to, double low, double high) {
    for (const std::size_t offset : to.offsets)
      to.data[offset] = low + (high - low) * static_cast<double>(random_()) / 2147483647.0;
  }
};

inline bool close(double computed, double expected, double scale) {
  return std::abs(computed - expected) <= 1e-12 * scale + 1e-15;
}

inline void check_value(double computed, double expected) {
  BOOST_CHECK_MESSAGE(close(computed, expected, std::abs(expected)),
                      "value: " << computed << " instead of " << expected);
}

inline void compare(const char* what, const elements<const double>& computed, const std::vector<double>& expected) {
  BOOST_REQUIRE_MESSAGE(computed.offsets.size() == expected.size(),
                        what << ": " << computed.offsets.size() << " elements instead of " << expected.size());
  double scale = 0;
  for (const double element : expected) scale = std::max(scale, std::abs(element));
  for (std::size_t k = 0; k < expected.size(); ++k) {
    const double element = computed.data[computed.offsets[k]];
    BOOST_CHECK_MESSAGE(close(element, expected[k], scale),
                        what << ", element " << k << ": " << element << " instead of " << expected[k]);
  }
}

inline void compare_sums(const char* what, const elements<const double>& computed,
                         const std::array<double, 4>& expected) {
  constexpr std::array<std::size_t, 4> steps{0, 37, 59, 83};
  for (std::size_t sum = 0; sum < 4; ++sum) {
    double total = 0, scale = 0;
    for (std::size_t k = 0; k < computed.offsets.size(); ++k) {
      const double term = static_cast<double>(1 + k * steps[sum] % 101) * computed.data[computed.offsets[k]];
      total += term;
      scale += std::abs(term);
    }
    BOOST_CHECK_MESSAGE(close(total, expected[sum], scale),
                        what << ", sum " << sum << ": " << total << " instead of " << expected[sum]);
  }
}

/// The elements of a derivative.
template <class Derivative>
void check(const char* what, const Derivative& computed, const std::vector<double>& expected) {
  if constexpr (std::is_same_v<Derivative, Zero>)
    for (const double element : expected) BOOST_CHECK_MESSAGE(element == 0, what << ": Zero instead of " << element);
  else
    compare(what, elements_of(computed), expected);
}
/// The sum and three weighted sums of a derivative of many elements.
template <class Derivative>
void check_sums(const char* what, const Derivative& computed, const std::array<double, 4>& expected) {
  if constexpr (std::is_same_v<Derivative, Zero>)
    for (const double sum : expected) BOOST_CHECK_MESSAGE(sum == 0, what << ": Zero instead of sum " << sum);
  else
    compare_sums(what, elements_of(computed), expected);
}
/// A derivative that is zero since all ways to the variable are stopped.
template <class Derivative>
void check_zero(const Derivative&) {
  static_assert(std::is_same_v<Derivative, Zero>);
}

}  // namespace oracle

#endif
