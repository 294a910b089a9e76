// expect: every path from this variable goes through stop_gradient
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto x = variable<"x">;
constexpr auto y = variable<"y">;

const auto g = gradient(x + stop_gradient(y), wrt(x, y), unconnected::strict);
