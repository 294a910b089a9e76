// expect: the formula of implicit_root must depend on its variable
// expect-at-most-lines: 16
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto x = variable<"x">;
constexpr auto a = variable<"a">;
const auto root = implicit_root(a * a, x);
