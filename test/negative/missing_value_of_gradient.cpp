// expect: a variable of the formula has no value
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto x = variable<"x">;
constexpr auto y = variable<"y">;

const auto g = gradient(x * y, wrt(x))(x = 1.0);
const double d = g[x];
