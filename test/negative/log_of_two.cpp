// expect: wrong number of operands: log takes 1
// expect-at-most-lines: 13
#include <tapeless/tapeless.hpp>

using namespace tapeless;

constexpr auto x = variable<"x">;
const auto r = gradient(log(x, 10))(x = 1.0);
