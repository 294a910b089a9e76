// expect: a formula is not a number; give its variables values
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto x = variable<"x">;

const double d = x * x;
