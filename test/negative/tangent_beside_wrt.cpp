// expect: a tangent is given for a variable that wrt\(...\) does not name
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto x = variable<"x">;
constexpr auto y = variable<"y">;

const auto d = jvp(x * y, wrt(x), tangent(y = 1.0));
