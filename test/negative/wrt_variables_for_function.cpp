// expect: a lambda or another function object and positions
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto x = variable<"x">;

const auto g = gradient([](auto a) { return a; }, wrt(x))(1.0);
