// expect: formulas have no %; write x - n \* floor\(x / n\)
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;

constexpr auto x = variable<"x">;
const auto r = gradient(x % 2)(x = 1.0);
