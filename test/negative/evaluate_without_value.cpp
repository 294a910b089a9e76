// expect: a variable of the formula has no value
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto x = variable<"x">;
constexpr auto y = variable<"y">;

const double v = evaluate(x * y, x = 1.0);
