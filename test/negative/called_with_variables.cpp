// expect: call a formula with named values; this argument is a formula
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;

constexpr auto x = variable<"x">;
constexpr auto y = variable<"y">;
constexpr auto f = x * sin(y);
const auto r = gradient(f)(x, y);
