// expect: call a formula with named values
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto x = variable<"x">;

const auto [value, g] = value_and_gradient(x * x, wrt(x))(1.0);
const double d = g[x];
