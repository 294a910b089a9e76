// Made by generate.py from TensorFlow 2.21.0 and JAX 0.10.2; not edited by hand.
// The same type, integers and bools included, and the same shape.
// 13 cases.
#include "check.hpp"

namespace tensorflow_test {

BOOST_AUTO_TEST_CASE(of_numbers) {
  // The type of what tf.stop_gradient gives, for each type of TensorFlow's that C++ has.
  check_type<bool>(true);
  check_type<std::int8_t>(-3);
  check_type<std::uint8_t>(200);
  check_type<std::int16_t>(-300);
  check_type<std::uint16_t>(60000);
  check_type<std::int32_t>(-70000);
  check_type<std::uint32_t>(3000000000);
  check_type<std::int64_t>(-5000000000);
  check_type<std::uint64_t>(5000000000);
  check_type<float>(0.1f);
  check_type<double>(0.1);
}

BOOST_AUTO_TEST_CASE(of_tuples) {
  // Of a struct of numbers and text only the numbers are stopped; a number's stop is the number.
  BOOST_TEST((stop_gradient(std::tuple(1, true, 0.5f)) == std::tuple(1, true, 0.5f)));
  BOOST_TEST((stop_gradient(std::array{1.0, 2.0}) == std::array{1.0, 2.0}));
}

}  // namespace tensorflow_test
