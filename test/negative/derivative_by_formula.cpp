// expect: derivative takes a formula and one of its variables
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto x = variable<"x">;

const auto d = derivative(x * x * x, x* x);
