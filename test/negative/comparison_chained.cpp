// expect: write 0 < x && x < 1
// expect-at-most-lines: 10
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto x = variable<"x">;

const auto f = where(0 < x < 1, x, 100_c);
