// expect: the result has no entry for this variable
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto x = variable<"x">;
constexpr auto y = variable<"y">;

const double d = jacobian(outputs(x * y, y), wrt(x))(x = 1.0, y = 2.0)(0, y);
