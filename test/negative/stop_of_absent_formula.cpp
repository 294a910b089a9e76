// expect: stop_gradients names a formula that does not occur in this one
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto x = variable<"x">;
constexpr auto y = variable<"y">;

constexpr auto g = gradient((x * y) * x, wrt(x), stop_gradients(y* x))(x = 1.0, y = 2.0);
