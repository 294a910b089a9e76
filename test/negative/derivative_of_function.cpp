// expect: derivative takes a formula and one of its variables
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;

constexpr auto x = variable<"x">;
constexpr auto g = [](auto u, auto v) { return u * sin(v); };
const auto r = derivative(g, x);
