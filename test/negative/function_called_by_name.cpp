// expect: call a function with arguments by position
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto x = variable<"x">;

const auto g = gradient([](auto a) { return a * a; })(x = 1.0);
