#ifndef TAPELESS_TEST_TENSORFLOW_CHECK_TENSORS_HPP
#define TAPELESS_TEST_TENSORFLOW_CHECK_TENSORS_HPP

#include <tapeless/xtensor.hpp>

#include "check.hpp"

#include <algorithm>
#include <vector>

namespace page {

using tapeless::tensorflow::tf;

/// The page's function as it stands there.
template <class E>
constexpr auto stable_softmax(const E& x) {
  const auto z = x - tf.stop_gradient(tf.reduce_max(x));
  const auto numerator = tf.exp(z);
  const auto denominator = tf.reduce_sum(numerator);
  return numerator / denominator;
}

}  // namespace page

namespace tensorflow_test {

using page::stable_softmax;

inline void check_value(double computed, double expected, double tolerance = 1e-12) {
  check_close("value", computed, expected, tolerance);
}

template <class Tensor>
void check_tensor(const Tensor& computed, const std::vector<std::size_t>& shape, const std::vector<double>& expected,
                  double tolerance = 1e-12) {
  BOOST_REQUIRE(std::equal(computed.shape().begin(), computed.shape().end(), shape.begin(), shape.end()));
  auto element = computed.begin();
  for (const double each : expected) check_close("element", static_cast<double>(*element++), each, tolerance);
}

}  // namespace tensorflow_test

#endif
