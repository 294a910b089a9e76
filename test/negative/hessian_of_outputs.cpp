// expect: for outputs\(...\) use jacobian
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto x = variable<"x">;

const auto h = hessian(outputs(x * x, x), wrt(x));
