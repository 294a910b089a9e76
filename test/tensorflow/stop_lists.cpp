// Made by generate.py from TensorFlow 2.21.0 and JAX 0.10.2; not edited by hand.
// tf.gradients(..., stop_gradients=[...]).
// 22 cases.
#include "check.hpp"

namespace tensorflow_test {

BOOST_AUTO_TEST_CASE(chain) {
  // after testStopGradients of tensorflow/python/ops/gradients_test.py
  const auto b = tanh(constant<1, 2> * x + constant<1, 10> * y);
  const auto c = tanh(constant<3, 10> * x + constant<7, 10> * b - constant<1, 5> * y);
  const auto f = tanh(constant<11, 10> * b - constant<9, 10> * c + constant<1, 5> * x);
  check_listed(value_and_gradient(f, wrt(x, y))(x = 0.4, y = -0.7), -0.08075360474130462,
               {0.22535967035862106, 0.21143463167432353}, {false, false});
  check_listed(value_and_gradient(f, wrt(x, y), stop_gradients(b))(x = 0.4, y = -0.7), -0.08075360474130462,
               {-0.03911405795357073, 0.15853988601188518}, {false, false});
  check_listed(value_and_gradient(f, wrt(x, y), stop_gradients(c))(x = 0.4, y = -0.7), -0.08075360474130462,
               {0.7359778086158414, 0.10745640751031688}, {false, false});
  check_listed(value_and_gradient(f, wrt(x, y), stop_gradients(b, c))(x = 0.4, y = -0.7), -0.08075360474130462,
               {0.19869577106425704, 0}, {false, true});
  check_listed(value_and_gradient(f, wrt(x, y), stop_gradients(x))(x = 0.4, y = -0.7), -0.08075360474130462,
               {0.22535967035862106, 0.21143463167432353}, {false, false});
  check_listed(value_and_gradient(f, wrt(x, y), stop_gradients(y))(x = 0.4, y = -0.7), -0.08075360474130462,
               {0.22535967035862106, 0.21143463167432353}, {false, false});
  check_listed(value_and_gradient(f, wrt(x, y), stop_gradients(x, b))(x = 0.4, y = -0.7), -0.08075360474130462,
               {-0.03911405795357073, 0.15853988601188518}, {false, false});
  check_listed(value_and_gradient(f, wrt(x, y), stop_gradients(y, c))(x = 0.4, y = -0.7), -0.08075360474130462,
               {0.7359778086158414, 0.10745640751031688}, {false, false});
  check_listed(value_and_gradient(f, wrt(x, y), stop_gradients(x, y))(x = 0.4, y = -0.7), -0.08075360474130462,
               {0.22535967035862106, 0.21143463167432353}, {false, false});
  check_listed(value_and_gradient(f, wrt(x, y), stop_gradients(f))(x = 0.4, y = -0.7), -0.08075360474130462, {0, 0},
               {true, true});
}

BOOST_AUTO_TEST_CASE(products) {
  const auto b = x * y;
  const auto c = b * exp(y);
  const auto f = c * x + b * y;
  check_listed(value_and_gradient(f, wrt(x, y))(x = 1.5, y = -0.5), -0.3073469921767126,
               {-0.6597959895689501, -0.8176530078232874}, {false, false});
  check_listed(value_and_gradient(f, wrt(x, y), stop_gradients(b))(x = 1.5, y = -0.5), -0.3073469921767126,
               {-0.45489799478447507, -1.4323469921767127}, {false, false});
  check_listed(value_and_gradient(f, wrt(x, y), stop_gradients(c))(x = 1.5, y = -0.5), -0.3073469921767126,
               {-0.20489799478447507, -1.5}, {false, false});
  check_listed(value_and_gradient(f, wrt(x, y), stop_gradients(b, c))(x = 1.5, y = -0.5), -0.3073469921767126,
               {-0.45489799478447507, -0.75}, {false, false});
  check_listed(value_and_gradient(f, wrt(x, y), stop_gradients(x))(x = 1.5, y = -0.5), -0.3073469921767126,
               {-0.6597959895689501, -0.8176530078232874}, {false, false});
  check_listed(value_and_gradient(f, wrt(x, y), stop_gradients(y))(x = 1.5, y = -0.5), -0.3073469921767126,
               {-0.6597959895689501, -0.8176530078232874}, {false, false});
  check_listed(value_and_gradient(f, wrt(x, y), stop_gradients(x, b))(x = 1.5, y = -0.5), -0.3073469921767126,
               {-0.45489799478447507, -1.4323469921767127}, {false, false});
  check_listed(value_and_gradient(f, wrt(x, y), stop_gradients(y, c))(x = 1.5, y = -0.5), -0.3073469921767126,
               {-0.20489799478447507, -1.5}, {false, false});
  check_listed(value_and_gradient(f, wrt(x, y), stop_gradients(x, y))(x = 1.5, y = -0.5), -0.3073469921767126,
               {-0.6597959895689501, -0.8176530078232874}, {false, false});
  check_listed(value_and_gradient(f, wrt(x, y), stop_gradients(f))(x = 1.5, y = -0.5), -0.3073469921767126, {0, 0},
               {true, true});
}

BOOST_AUTO_TEST_CASE(partial_derivatives) {
  // testPartialDerivatives there
  const auto b = constant<2, 1> * x;
  const auto f = x + b * y;
  check_listed(value_and_gradient(f, wrt(x, y))(x = 1.5, y = 2.0), 7.5, {5, 3}, {false, false});
  check_listed(value_and_gradient(f, wrt(x, y), stop_gradients(b))(x = 1.5, y = 2.0), 7.5, {1, 3}, {false, false});
}

}  // namespace tensorflow_test
