// expect: a variable has two values
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto x = variable<"x">;

const auto v = (x * x)(x = 1.0, x = 2.0);
