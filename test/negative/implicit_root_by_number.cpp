// expect: implicit_root takes a formula and its variable
// expect-at-most-lines: 16
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto x = variable<"x">;
constexpr auto a = variable<"a">;
const auto root = implicit_root(x * x - a, 2.0);
