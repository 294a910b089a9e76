// JAX's testStopGradient: the gradient of a function cannot be stopped.
// expect: not a number or formula
// expect-at-most-lines: 16
#include <tapeless/tapeless.hpp>

const auto stopped = tapeless::stop_gradient([](double a) { return a; });
