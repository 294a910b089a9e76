// expect: for a function, name arguments by position
// expect-at-most-lines: 26
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto x = variable<"x">;

const auto g = gradient([](auto a) { return a; }, wrt(x))(1.0);
