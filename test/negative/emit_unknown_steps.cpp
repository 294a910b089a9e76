// expect: tapeless: emit needs the number of steps of a loop that stores its steps before the call
// expect-at-most-lines: 20
#include <tapeless/tapeless.hpp>

#include <tapeless/emit.hpp>

using namespace tapeless;
const auto g = emit<c99, "powers">(
    gradient([](auto x, auto n) { return scan([&](auto c, auto) { return sin(c * x); }, x, steps(floor(n * n))); },
             wrt<0>),
    1.0, 2.0);
