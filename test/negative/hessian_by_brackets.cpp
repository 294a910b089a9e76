// expect: a second derivative is h\(x, y\), not h\[x\]\[y\]
// expect-at-most-lines: 17
#include <tapeless/tapeless.hpp>

using namespace tapeless;

constexpr auto x = variable<"x">;
constexpr auto y = variable<"y">;
constexpr auto f = x * sin(y);
const auto r = hessian(f)(x = 1.0, y = 2.0)[x][y];
