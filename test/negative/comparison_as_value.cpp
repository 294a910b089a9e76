// expect: x == 1.0 instead of x = 1.0
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto x = variable<"x">;

const double v = (x * x)(x == 1.0);
