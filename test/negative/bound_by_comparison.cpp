// expect: x == 1.0 instead of x = 1.0\?
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;

constexpr auto x = variable<"x">;
constexpr auto y = variable<"y">;
constexpr auto f = x * sin(y);
const auto r = gradient(f)(x == 1.0, y == 2.0);
