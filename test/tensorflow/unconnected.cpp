// Made by generate.py from TensorFlow 2.21.0 and JAX 0.10.2; not edited by hand.
// Unconnected gradients: none and zero.
// 13 cases.
#include "check.hpp"

namespace tensorflow_test {

BOOST_AUTO_TEST_CASE(absent) {
  const auto f = 2.0 * y + exp(y);
  check_unconnected<true>(f, wrt(x, y), x, 0, x = 1.0, y = 3.0);
  check_unconnected<false>(f, wrt(x, y), y, 22.085536923187668, x = 1.0, y = 3.0);
}

BOOST_AUTO_TEST_CASE(stopped) {
  const auto f = stop_gradient(x) * y;
  check_unconnected<true>(f, wrt(x, y), x, 0, x = 1.5, y = 3.0);
  check_unconnected<false>(f, wrt(x, y), y, 1.5, x = 1.5, y = 3.0);
}

BOOST_AUTO_TEST_CASE(all_stopped) {
  const auto f = stop_gradient(x * y);
  check_unconnected<true>(f, wrt(x, y), x, 0, x = 1.5, y = 3.0);
  check_unconnected<true>(f, wrt(x, y), y, 0, x = 1.5, y = 3.0);
}

BOOST_AUTO_TEST_CASE(stopped_on_all_ways) {
  const auto f = stop_gradient(x) * y + exp(stop_gradient(x * y));
  check_unconnected<true>(f, wrt(x, y), x, 0, x = 1.5, y = 3.0);
  check_unconnected<false>(f, wrt(x, y), y, 1.5, x = 1.5, y = 3.0);
}

BOOST_AUTO_TEST_CASE(open_on_one_way) {
  const auto f = stop_gradient(x) * y + x;
  check_unconnected<false>(f, wrt(x, y), x, 1, x = 1.5, y = 3.0);
  check_unconnected<false>(f, wrt(x, y), y, 1.5, x = 1.5, y = 3.0);
}

BOOST_AUTO_TEST_CASE(stopped_inside) {
  const auto f = square(stop_gradient(square(x) * y)) + y * y;
  check_unconnected<true>(f, wrt(x, y), x, 0, x = 1.5, y = 3.0);
  check_unconnected<false>(f, wrt(x, y), y, 6, x = 1.5, y = 3.0);
}

BOOST_AUTO_TEST_CASE(one) {
  // testStopGradient of tensorflow/python/ops/gradients_test.py
  const auto f = stop_gradient(x);
  check_unconnected<true>(f, wrt(x), x, 0, x = 1.0);
}

}  // namespace tensorflow_test
