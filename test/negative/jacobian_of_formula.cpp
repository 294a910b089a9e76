// expect: a formula alone has a gradient
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto x = variable<"x">;

const auto j = jacobian(x * x, wrt(x));
