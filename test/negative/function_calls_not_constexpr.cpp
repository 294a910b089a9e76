// expect: it calls or reads what is not constexpr
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;

auto helper(double v) { return v * v; }
constexpr auto h = [](auto u) { return helper(u); };
const auto r = gradient(h)(1.0);
