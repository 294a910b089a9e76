// expect: a tangent is given for a variable that the formula does not contain
// expect: "z"
// expect-at-most-lines: 9
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto x = variable<"x">;
constexpr auto z = variable<"z">;

constexpr double t = jvp(x * x, tangent(x = 1.0, z = 1.0))(x = 2.0);
