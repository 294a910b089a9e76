// expect: write steps.n. for a number of steps
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
const auto g = gradient([](auto p, auto n) { return scan([&](auto c, auto) { return c * p; }, p, n); }, wrt<0>)(1.0, 3);
