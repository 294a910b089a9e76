// expect: combine conditions with &&
// expect-at-most-lines: 10
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto x = variable<"x">;
constexpr auto y = variable<"y">;

const auto f = where((x > 0) & (y > 0), x, y);
