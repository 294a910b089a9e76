// expect: sparse_jacobian, sparse_hessian and check_gradient do not support tensors, and a tensor is bound
// expect-at-most-lines: 10
#include <tapeless/xtensor.hpp>

#include <vector>

using namespace tapeless;
constexpr auto x = variable<"x">;

void call(const std::vector<double>& v) { sparse_jacobian(outputs(x * x, x), wrt(x))(x = v); }
