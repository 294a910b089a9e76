// The lines of TensorFlow's pages on stopping gradients, in formulas and in functions.
#include <tapeless/tensorflow.hpp>

#include <array>
#include <concepts>
#include <tuple>

namespace {

using tapeless::constant;
using tapeless::derivative_t;
using tapeless::gradient;
using tapeless::Zero;
using tapeless::tensorflow::tf;
namespace tensorflow = tapeless::tensorflow;
using namespace tapeless::tensorflow::keywords;

inline constexpr auto x = tapeless::variable<"x">;
inline constexpr auto y = tapeless::variable<"y">;
using X = std::remove_const_t<decltype(x)>;
using stopped_square = decltype(stop_gradient(x * x));

// Python: the same type whatever the spelling; a name does not change it.
static_assert(std::same_as<decltype(tf.stop_gradient(x * x)), stopped_square>);
static_assert(std::same_as<decltype(tf.stop_gradient(x * x, "target")), stopped_square>);
static_assert(std::same_as<decltype(tf.stop_gradient(x * x, name = "target")), stopped_square>);
static_assert(std::same_as<decltype(tf.stop_gradient(input = x * x, name = "target")), stopped_square>);
static_assert(std::same_as<decltype(tf.compat.v1.stop_gradient(x * x)), stopped_square>);
static_assert(std::same_as<decltype(tf.compat.v2.stop_gradient(x * x, name = "target")), stopped_square>);
static_assert(std::same_as<decltype(tf.raw_ops.StopGradient(input = x * x)), stopped_square>);
static_assert(std::same_as<decltype(tf.raw_ops.StopGradient(input = x * x, name = "target")), stopped_square>);
static_assert(std::same_as<decltype(tensorflow::stop_gradient(x * x, "target")), stopped_square>);
static_assert(std::same_as<decltype(tensorflow::compat::v1::stop_gradient(x * x)), stopped_square>);
static_assert(std::same_as<decltype(tensorflow::raw_ops::StopGradient(x * x, "target")), stopped_square>);

// Integers, bools and tuples keep their type.
static_assert(std::same_as<decltype(tf.stop_gradient(3)), int> && tf.stop_gradient(3, "n") == 3);
static_assert(std::same_as<decltype(tf.stop_gradient(true)), bool>);
static_assert(std::same_as<decltype(tf.stop_gradient(2.5f)), float>);
static_assert(std::same_as<decltype(tf.stop_gradient(std::tuple(x * x, 1))), std::tuple<stopped_square, int>>);

// C++
constexpr auto scope = tensorflow::Scope::NewRootScope();
constexpr tensorflow::ops::StopGradient target(scope.WithOpName("target"), x* x);
static_assert(std::same_as<std::remove_const_t<decltype(target.output)>, stopped_square>);
static_assert(target.node()->name() == "target" && target.node()->type_string() == "StopGradient");
static_assert(target.operation.node()->name() == "target");
static_assert(tensorflow::ops::StopGradient(scope, x).node()->name() == "StopGradient");

constexpr tensorflow::Output a = y * x;
constexpr tensorflow::Output b = tensorflow::ops::StopGradient(scope.WithOpName("b"), a);
constexpr tensorflow::Input c = tensorflow::ops::StopGradient(scope.WithOpName("c"), b);
constexpr tensorflow::Input d = b;
constexpr tensorflow::Output e = target;
static_assert(a(x = 2.0, y = 3.0) == 6.0 && b(x = 2.0, y = 3.0) == 6.0 && d(x = 2.0, y = 3.0) == 6.0 &&
              e(x = 2.0) == 4.0);
static_assert(gradient(a)(x = 2.0, y = 3.0)[x] == 3.0);
static_assert(std::same_as<derivative_t<decltype(b), X>, Zero> && std::same_as<derivative_t<decltype(c), X>, Zero>);
static_assert(!tapeless::depends_on<std::remove_const_t<decltype(c)>, X>);

// As operands, formulas with run-time numbers included.
static_assert(
    std::same_as<decltype(x - tensorflow::ops::StopGradient(scope, x* x)), decltype(x - stop_gradient(x * x))>);
static_assert((exp(a) * target + max(c, d, 1))(x = 0.0, y = 3.0) == 1.0);
static_assert(gradient(x * tensorflow::ops::StopGradient(scope, 2.5 * x))(x = 2.0)[x] == 5.0);
static_assert(gradient(x * tensorflow::ops::StopGradient(scope, 2.5 * x).output)(x = 2.0)[x] == 5.0);
static_assert(gradient(a * b + d)(x = 2.0, y = 3.0)[x] == 18.0);

// Of plain numbers
static_assert(tensorflow::ops::StopGradient(scope, 2.0) + 1.0 == 3.0);
static_assert(std::same_as<decltype(tensorflow::ops::StopGradient(scope, 2).output), int>);

// In functions
constexpr auto ported = [](auto u, auto v) {
  using namespace tensorflow;
  using namespace tensorflow::ops;
  auto s = Scope::NewRootScope();
  Output product = u * v;
  Output held = StopGradient(s.WithOpName("held"), product);
  Input held_too = StopGradient(s, held);
  tapeless::tensorflow::ops::StopGradient sum(s, u + v);
  return product * held + exp(held - held_too) * sum.output + u * sum - 2.0 * held;
};
// u v s + t + u t - 2 s with s = u v and t = u + v held
static_assert(gradient(ported)(2.0, 3.0) == std::tuple(23.0, 12.0));
static_assert(tapeless::hessian(ported)(2.0, 3.0)[0][1] == 6.0);
static_assert(gradient([](auto u) { return u * tf.stop_gradient(input = u * u, name = "held"); })(3.0) == 9.0);
static_assert(gradient([](auto u) {
                const auto [p, q] = tf.stop_gradient(std::tuple(u, u * u));
                return u * (p + q);
              })(3.0) == 12.0);

// The pages' example, a component of a softmax; `max` over numbers is `tf.reduce_max` over a tensor.
constexpr auto softmax = [](auto x1, auto x2, auto x3) {
  const auto m = tf.stop_gradient(max(x1, x2, x3));
  return tf.exp(x1 - m) / (tf.exp(x1 - m) + tf.exp(x2 - m) + tf.exp(x3 - m));
};
static_assert(gradient(softmax)(1e4, 1e4, 1e4) == gradient(softmax)(0.0, 0.0, 0.0));
constexpr bool nearly(double computed, double expected) {
  return computed - expected < 1e-15 && expected - computed < 1e-15;
}
static_assert(nearly(std::get<0>(gradient(softmax)(0.0, 0.0, 0.0)), 2.0 / 9) &&
              nearly(std::get<1>(gradient(softmax)(0.0, 0.0, 0.0)), -1.0 / 9));

}  // namespace
