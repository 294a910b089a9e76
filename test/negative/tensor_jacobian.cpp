// expect: of a formula over tensors there are its value, gradient
// expect-at-most-lines: 10
#include <tapeless/xtensor.hpp>

using namespace tapeless;
constexpr auto x = variable<"x">;

void call(const std::vector<double>& v) { jacobian(outputs(x * x, x), wrt(x))(x = v); }
