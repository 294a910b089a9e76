// expect: a variable is bound to a formula
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto x = variable<"x">;
constexpr auto y = variable<"y">;

const auto v = (x * x)(x = y);
