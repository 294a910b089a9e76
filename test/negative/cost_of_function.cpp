// expect: say for which arguments: cost<double, double>
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;

constexpr auto g = [](auto u, auto v) { return u * sin(v); };
const auto r = cost(gradient(g));
