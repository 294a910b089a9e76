// expect: vjp needs one cotangent for each output
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto x = variable<"x">;

const auto g = vjp(outputs(x * x, x), cotangent(1.0))(x = 1.0);
const double d = g[x];
