// expect: over tensors a function has gradient and value_and_gradient
// expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

#include <vector>

const std::vector<double> numbers{1, 2, 3};
const auto h = tapeless::hessian([](auto x) { return sum(x * x); })(numbers);
