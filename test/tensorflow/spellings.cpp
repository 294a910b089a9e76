// Made by generate.py from TensorFlow 2.21.0 and JAX 0.10.2; not edited by hand.
// Every spelling of a stop on TensorFlow's pages, and what may be stopped.
// 22 cases.
#include "check.hpp"

namespace tensorflow_test {

BOOST_AUTO_TEST_CASE(input_alone) {
  constexpr auto f = [](auto a, auto b) { return a * tf.stop_gradient(a * b) + sin(tf.stop_gradient(b)) * b; };
  check<2>(f, {.at = {1.5, -0.5},
               .value = -0.8852872306978985,
               .gradient = {-0.75, -0.479425538604203},
               .none = {false, false},
               .hessian = {{{0, 0}, {0, 0}}},
               .along = -0.5102872306978985,
               .hvp = {0, 0},
               .single_value = -0.8852872252464294,
               .single_gradient = {-0.75, -0.4794255495071411}});
}

BOOST_AUTO_TEST_CASE(input_and_name) {
  constexpr auto f = [](auto a, auto b) {
    return a * tf.stop_gradient(a * b, "target") + sin(tf.stop_gradient(b, "target")) * b;
  };
  check<2>(f, {.at = {1.5, -0.5},
               .value = -0.8852872306978985,
               .gradient = {-0.75, -0.479425538604203},
               .none = {false, false},
               .hessian = {{{0, 0}, {0, 0}}},
               .along = -0.5102872306978985,
               .hvp = {0, 0},
               .single_value = -0.8852872252464294,
               .single_gradient = {-0.75, -0.4794255495071411}});
}

BOOST_AUTO_TEST_CASE(name_by_keyword) {
  constexpr auto f = [](auto a, auto b) {
    return a * tf.stop_gradient(a * b, name = "target") + sin(tf.stop_gradient(b, name = "target")) * b;
  };
  check<2>(f, {.at = {1.5, -0.5},
               .value = -0.8852872306978985,
               .gradient = {-0.75, -0.479425538604203},
               .none = {false, false},
               .hessian = {{{0, 0}, {0, 0}}},
               .along = -0.5102872306978985,
               .hvp = {0, 0},
               .single_value = -0.8852872252464294,
               .single_gradient = {-0.75, -0.4794255495071411}});
}

BOOST_AUTO_TEST_CASE(both_by_keyword) {
  constexpr auto f = [](auto a, auto b) {
    return a * tf.stop_gradient(input = a * b, name = "target") + sin(tf.stop_gradient(input = b, name = "target")) * b;
  };
  check<2>(f, {.at = {1.5, -0.5},
               .value = -0.8852872306978985,
               .gradient = {-0.75, -0.479425538604203},
               .none = {false, false},
               .hessian = {{{0, 0}, {0, 0}}},
               .along = -0.5102872306978985,
               .hvp = {0, 0},
               .single_value = -0.8852872252464294,
               .single_gradient = {-0.75, -0.4794255495071411}});
}

BOOST_AUTO_TEST_CASE(compat_v1) {
  constexpr auto f = [](auto a, auto b) {
    return a * tf.compat.v1.stop_gradient(a * b) + sin(tf.compat.v1.stop_gradient(b)) * b;
  };
  check<2>(f, {.at = {1.5, -0.5},
               .value = -0.8852872306978985,
               .gradient = {-0.75, -0.479425538604203},
               .none = {false, false},
               .hessian = {{{0, 0}, {0, 0}}},
               .along = -0.5102872306978985,
               .hvp = {0, 0},
               .single_value = -0.8852872252464294,
               .single_gradient = {-0.75, -0.4794255495071411}});
}

BOOST_AUTO_TEST_CASE(compat_v2) {
  constexpr auto f = [](auto a, auto b) {
    return a * tf.compat.v2.stop_gradient(a * b, name = "target") +
           sin(tf.compat.v2.stop_gradient(b, name = "target")) * b;
  };
  check<2>(f, {.at = {1.5, -0.5},
               .value = -0.8852872306978985,
               .gradient = {-0.75, -0.479425538604203},
               .none = {false, false},
               .hessian = {{{0, 0}, {0, 0}}},
               .along = -0.5102872306978985,
               .hvp = {0, 0},
               .single_value = -0.8852872252464294,
               .single_gradient = {-0.75, -0.4794255495071411}});
}

BOOST_AUTO_TEST_CASE(raw_op) {
  constexpr auto f = [](auto a, auto b) {
    return a * tf.raw_ops.StopGradient(input = a * b) + sin(tf.raw_ops.StopGradient(input = b)) * b;
  };
  check<2>(f, {.at = {1.5, -0.5},
               .value = -0.8852872306978985,
               .gradient = {-0.75, -0.479425538604203},
               .none = {false, false},
               .hessian = {{{0, 0}, {0, 0}}},
               .along = -0.5102872306978985,
               .hvp = {0, 0},
               .single_value = -0.8852872252464294,
               .single_gradient = {-0.75, -0.4794255495071411}});
}

BOOST_AUTO_TEST_CASE(raw_op_with_name) {
  constexpr auto f = [](auto a, auto b) {
    return a * tf.raw_ops.StopGradient(input = a * b, name = "target") +
           sin(tf.raw_ops.StopGradient(input = b, name = "target")) * b;
  };
  check<2>(f, {.at = {1.5, -0.5},
               .value = -0.8852872306978985,
               .gradient = {-0.75, -0.479425538604203},
               .none = {false, false},
               .hessian = {{{0, 0}, {0, 0}}},
               .along = -0.5102872306978985,
               .hvp = {0, 0},
               .single_value = -0.8852872252464294,
               .single_gradient = {-0.75, -0.4794255495071411}});
}

BOOST_AUTO_TEST_CASE(namespaces) {
  constexpr auto f = [](auto a, auto b) {
    return a * tensorflow::stop_gradient(a * b, "target") + sin(tensorflow::stop_gradient(b, "target")) * b;
  };
  check<2>(f, {.at = {1.5, -0.5},
               .value = -0.8852872306978985,
               .gradient = {-0.75, -0.479425538604203},
               .none = {false, false},
               .hessian = {{{0, 0}, {0, 0}}},
               .along = -0.5102872306978985,
               .hvp = {0, 0},
               .single_value = -0.8852872252464294,
               .single_gradient = {-0.75, -0.4794255495071411}});
}

BOOST_AUTO_TEST_CASE(class_of_cpp) {
  constexpr auto f = [](auto a, auto b) {
    return a * tensorflow::ops::StopGradient(scope, a * b) + sin(tensorflow::ops::StopGradient(scope, b)) * b;
  };
  check<2>(f, {.at = {1.5, -0.5},
               .value = -0.8852872306978985,
               .gradient = {-0.75, -0.479425538604203},
               .none = {false, false},
               .hessian = {{{0, 0}, {0, 0}}},
               .along = -0.5102872306978985,
               .hvp = {0, 0},
               .single_value = -0.8852872252464294,
               .single_gradient = {-0.75, -0.4794255495071411}});
}

BOOST_AUTO_TEST_CASE(class_with_name) {
  constexpr auto f = [](auto a, auto b) {
    return a * tensorflow::ops::StopGradient(scope.WithOpName("target"), a * b) +
           sin(tensorflow::ops::StopGradient(scope.WithOpName("target"), b)) * b;
  };
  check<2>(f, {.at = {1.5, -0.5},
               .value = -0.8852872306978985,
               .gradient = {-0.75, -0.479425538604203},
               .none = {false, false},
               .hessian = {{{0, 0}, {0, 0}}},
               .along = -0.5102872306978985,
               .hvp = {0, 0},
               .single_value = -0.8852872252464294,
               .single_gradient = {-0.75, -0.4794255495071411}});
}

BOOST_AUTO_TEST_CASE(class_output) {
  constexpr auto f = [](auto a, auto b) {
    return a * tensorflow::Output(tensorflow::ops::StopGradient(scope, a * b)) +
           sin(tensorflow::Output(tensorflow::ops::StopGradient(scope, b))) * b;
  };
  check<2>(f, {.at = {1.5, -0.5},
               .value = -0.8852872306978985,
               .gradient = {-0.75, -0.479425538604203},
               .none = {false, false},
               .hessian = {{{0, 0}, {0, 0}}},
               .along = -0.5102872306978985,
               .hvp = {0, 0},
               .single_value = -0.8852872252464294,
               .single_gradient = {-0.75, -0.4794255495071411}});
}

BOOST_AUTO_TEST_CASE(template_name) {
  constexpr auto f = [](auto a, auto b) {
    return a * stop_gradient<"target">(a * b) + sin(stop_gradient<"target">(b)) * b;
  };
  check<2>(f, {.at = {1.5, -0.5},
               .value = -0.8852872306978985,
               .gradient = {-0.75, -0.479425538604203},
               .none = {false, false},
               .hessian = {{{0, 0}, {0, 0}}},
               .along = -0.5102872306978985,
               .hvp = {0, 0},
               .single_value = -0.8852872252464294,
               .single_gradient = {-0.75, -0.4794255495071411}});
}

BOOST_AUTO_TEST_CASE(variable) {
  constexpr auto f = [](auto a) { return stop_gradient(a); };
  check<1>(f, {.at = {1.5},
               .value = 1.5,
               .gradient = {0},
               .none = {true},
               .hessian = {{{0}}},
               .along = 0,
               .hvp = {0},
               .single_value = 1.5,
               .single_gradient = {0}});
}

BOOST_AUTO_TEST_CASE(stop_of_stop) {
  constexpr auto f = [](auto a) { return stop_gradient(stop_gradient(a * a)) * a; };
  check<1>(f, {.at = {1.5},
               .value = 3.375,
               .gradient = {2.25},
               .none = {false},
               .hessian = {{{0}}},
               .along = 2.25,
               .hvp = {0},
               .single_value = 3.375,
               .single_gradient = {2.25}});
}

BOOST_AUTO_TEST_CASE(stop_of_sum_with_stop) {
  constexpr auto f = [](auto a, auto b) { return stop_gradient(a + stop_gradient(b)) * b; };
  check<2>(f, {.at = {1.5, -2},
               .value = 1,
               .gradient = {0, -0.5},
               .none = {true, false},
               .hessian = {{{0, 0}, {0, 0}}},
               .along = 0.25,
               .hvp = {0, 0},
               .single_value = 1,
               .single_gradient = {0, -0.5}});
}

BOOST_AUTO_TEST_CASE(of_integer) {
  constexpr auto f = [](auto a) { return stop_gradient(3) * a * a; };
  check<1>(f, {.at = {1.5},
               .value = 6.75,
               .gradient = {9},
               .none = {false},
               .hessian = {{{6}}},
               .along = 9,
               .hvp = {6},
               .single_value = 6.75,
               .single_gradient = {9}});
}

BOOST_AUTO_TEST_CASE(of_bool) {
  constexpr auto f = [](auto a) { return stop_gradient(true) * a * a; };
  check<1>(f, {.at = {1.5},
               .value = 2.25,
               .gradient = {3},
               .none = {false},
               .hessian = {{{2}}},
               .along = 3,
               .hvp = {2},
               .single_value = 2.25,
               .single_gradient = {3}});
}

BOOST_AUTO_TEST_CASE(condition) {
  constexpr auto f = [](auto a, auto b) { return where(stop_gradient(a < b), a * a, a * b); };
  check<2>(f, {.at = {1.5, -2},
               .value = -3,
               .gradient = {-2, 1.5},
               .none = {false, false},
               .hessian = {{{0, 1}, {1, 0}}},
               .along = -2.75,
               .hvp = {-0.5, 1},
               .single_value = -3,
               .single_gradient = {-2, 1.5}});
  check<2>(f, {.at = {-2, 1.5},
               .value = 4,
               .gradient = {-4, -0.0},
               .none = {false, false},
               .hessian = {{{2, 0}, {0, 0}}},
               .along = -4,
               .hvp = {2, 0},
               .single_value = 4,
               .single_gradient = {-4, -0.0}});
}

BOOST_AUTO_TEST_CASE(tuple) {
  constexpr auto f = [](auto a, auto b) {
    return std::get<0>(stop_gradient(std::tuple(a * b, exp(b)))) * b +
           std::get<1>(stop_gradient(std::tuple(a * b, exp(b)))) * a;
  };
  check<2>(f, {.at = {1.5, -0.5},
               .value = 1.2847959895689502,
               .gradient = {0.6065306597126334, -0.75},
               .none = {false, false},
               .hessian = {{{0, 0}, {0, 0}}},
               .along = 0.9815306597126334,
               .hvp = {0, 0},
               .single_value = 1.2847959995269775,
               .single_gradient = {0.6065306663513184, -0.75}});
}

BOOST_AUTO_TEST_CASE(tuple_of_three) {
  constexpr auto f = [](auto a, auto b) {
    return std::get<0>(stop_gradient(std::tuple(a, b, a * b))) * std::get<1>(stop_gradient(std::tuple(a, b, a * b))) *
               a +
           std::get<2>(stop_gradient(std::tuple(a, b, a * b))) * b;
  };
  check<2>(f, {.at = {1.5, -0.5},
               .value = -0.75,
               .gradient = {-0.75, -0.75},
               .none = {false, false},
               .hessian = {{{0, 0}, {0, 0}}},
               .along = -0.375,
               .hvp = {0, 0},
               .single_value = -0.75,
               .single_gradient = {-0.75, -0.75}});
}

}  // namespace tensorflow_test
