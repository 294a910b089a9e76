// PyTensor's TestUndefinedGrad.
// expect: a derivative is taken through prevent_gradient
// expect: derivative_prevented, .*"undefined"
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto x = variable<"x">;

const auto g = gradient(prevent_gradient<"undefined">(x), wrt(x))(x = 1.0);
