// expect: tangent takes named numbers
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto x = variable<"x">;

const auto d = jvp(x * x, tangent("x"))(x = 1.0);
