// expect: sparse_jacobian, sparse_hessian and check_gradient do not support tensors, and an argument is a tensor
// expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

#include <vector>

const std::vector<double> numbers{1, 2, 3};
const auto h = tapeless::sparse_hessian([](auto x) { return sum(x * x); })(numbers);
