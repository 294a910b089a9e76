// expect: outputs takes one or more formulas
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto x = variable<"x">;

const auto j = jacobian(outputs(x * x, "x"))(x = 1.0);
