// expect: freeze takes the names of variables
// expect-at-most-lines: 10
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto x = variable<"x">;
constexpr auto y = variable<"y">;

const auto f = freeze(x * y, x);
