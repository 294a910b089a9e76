// expect: by name, without braces
// expect-at-most-lines: 10
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto x = variable<"x">;
constexpr auto y = variable<"y">;

const auto f = custom_gradient(x * y, {x = y, y = x});
