// expect: \^ is not a power
// expect-at-most-lines: 10
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto x = variable<"x">;

const auto f = x ^ 2;
