// expect: freeze names a variable that the formula does not contain
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto x = variable<"x">;
constexpr auto y = variable<"y">;

const auto f = freeze<"z">(x * y);
