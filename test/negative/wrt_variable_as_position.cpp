// expect: gradient\(f, wrt\(x, y\)\)
// expect-at-most-lines: 10
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto x = variable<"x">;
constexpr auto y = variable<"y">;

const auto g = gradient(x * y, wrt<x>)(x = 1.0, y = 2.0);
