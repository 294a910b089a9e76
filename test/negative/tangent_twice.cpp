// expect: a variable has two values or two tangents
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto x = variable<"x">;

const auto d = jvp(x * x, tangent(x = 1.0, x = 2.0))(x = 1.0);
