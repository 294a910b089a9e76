// expect: a variable is given two values or tangents
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto x = variable<"x">;

const auto d = jvp(x * x, tangent(x = 1.0, x = 2.0))(x = 1.0);
